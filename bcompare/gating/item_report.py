"""The items of a gate in tables and in the document; and the list of what to run again."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bcompare.basis.messages import InputError, Record, number_of, printable
from bcompare.data.rope import FloatArray
from bcompare.gating.item_words import (
    fraction,
    has_datasets,
    ids_of,
    item_sentence,
    items_in_words,
)
from bcompare.gating.items import ItemFindings
from bcompare.gating.rule import Outcome
from bcompare.gating.verdict import Gate
from bcompare.gating.words import Level, loudness
from bcompare.report.fields import Field, record, table
from bcompare.report.pair_report import Report
from bcompare.report.table import Table

# The most rows of the table.
MOST_ROWS = 10


@dataclass(frozen=True, eq=False, slots=True)
class Found:
    """The findings about a candidate's items, with the gate that has them."""

    gate: Gate
    items: ItemFindings

    @property
    def outcome(self) -> Outcome:
        """The outcome of both claims."""
        return self.items.outcome

    @property
    def level(self) -> Level:
        """The severity of the outcome."""
        return _level(self.gate, self.items, self.outcome)

    @property
    def sentence(self) -> str:
        """The findings in words."""
        return printable(items_in_words(self.gate, self.items))


@dataclass(frozen=True, eq=False, slots=True)
class FoundItem:
    """An item that broke or is suspect. position : among all items."""

    gate: Gate
    items: ItemFindings
    position: int

    @property
    def dataset(self) -> str | None:
        """The data set of the item; None if there is only one."""
        name = self.items.runs.items[self.position][0]
        return name if has_datasets(self.items.runs) else None

    @property
    def item(self) -> str:
        """The name of the item."""
        return self.items.runs.items[self.position][1]

    @property
    def main(self) -> FloatArray:
        """Its runs in the baseline."""
        return np.asarray(self.items.runs.main[self.position])

    @property
    def own(self) -> FloatArray:
        """Its runs in the candidate."""
        return np.asarray(self.items.runs.own[self.position])

    @property
    def again(self) -> FloatArray | None:
        """Its further runs, if it was run again."""
        is_rerun = self.items.runs.again.size and self.items.suspect[self.position]
        return np.asarray(self.items.runs.again[self.position]) if is_rerun else None

    @property
    def outcome(self) -> Outcome:
        """Whether it broke, or whether that is open."""
        return "fail" if self.items.broken[self.position] else "undecided"

    @property
    def level(self) -> Level:
        """The severity; a suspect alone is no warning."""
        broke = self.items.broken[self.position]
        return _level(self.gate, self.items, self.outcome) if broke else "notice"

    @property
    def sentence(self) -> str:
        """The item in words."""
        return printable(item_sentence(self.gate, self.items, self.position))


def _level(gate: Gate, items: ItemFindings, outcome: Outcome) -> Level:
    if items.advisory:
        return "warning" if outcome == "fail" else "notice"
    return loudness(outcome, gate.rule, passed=gate.passed)


def _passed(runs: FloatArray | None) -> int | None:
    return None if runs is None else int(np.nansum(runs))


def _count(runs: FloatArray | None) -> int | None:
    return None if runs is None else int((~np.isnan(runs)).sum())


ITEM = (
    Field("dataset", nullable=True),
    Field("item"),
    Field("baseline_passed", lambda row: _passed(row.main), "count"),
    Field("baseline_runs", lambda row: _count(row.main), "count"),
    Field("candidate_passed", lambda row: _passed(row.own), "count"),
    Field("candidate_runs", lambda row: _count(row.own), "count"),
    Field("again_passed", lambda row: _passed(row.again), "count", nullable=True),
    Field("again_runs", lambda row: _count(row.again), "count", nullable=True),
    Field("p", lambda row: float(row.items.p[row.position]), "p"),
    Field("p_corrected", lambda row: float(row.items.adjusted[row.position]), "p"),
    Field("outcome", kind="verdict"),
    Field("level"),
    Field("sentence"),
)
ITEMS = (
    Field("candidate", "items.candidate"),
    Field("baseline", "gate.baseline"),
    Field("metric", lambda row: row.items.metric or None, nullable=True),
    Field("items", lambda row: len(row.items.p), "count"),
    Field("flaky", lambda row: int(row.items.flaky.sum()), "count"),
    Field("p_broken", lambda row: float(row.items.adjusted.min()), "p"),
    Field("lost_runs", lambda row: row.items.lost and row.items.lost.lost, "count", nullable=True),
    Field(
        "expected_runs",
        lambda row: row.items.lost and row.items.lost.expected,
        "number",
        nullable=True,
    ),
    Field("p_lost", lambda row: row.items.lost and row.items.lost.p, "p", nullable=True),
    Field("outcome", kind="verdict"),
    Field("level"),
    Field("sentence"),
)


def items_document(gate: Gate) -> list[Record]:
    """Return the findings about items, of each candidate and metric."""
    result = []
    for findings in gate.items:
        rows = found_items(gate, findings)
        entry = record(ITEMS, Found(gate, findings))
        entry["broken"] = [record(ITEM, row) for row in rows if row.outcome == "fail"]
        entry["suspects"] = [record(ITEM, row) for row in rows if row.outcome != "fail"]
        entry["again"] = ids_of(findings)
        result.append(entry)
    return result


def found_items(gate: Gate, findings: ItemFindings) -> list[FoundItem]:
    """Return the items that broke and the suspects, the least probable first."""
    order = np.lexsort((findings.p, ~findings.broken))
    telling = findings.broken | findings.suspect
    return [FoundItem(gate, findings, i) for i in order.tolist() if telling[i]]


def item_rows(gate: Gate) -> list[Record]:
    """Return flat rows of the items that broke and the suspects."""
    rows = []
    for findings in gate.items:
        beginning: Record = {
            "candidate": findings.candidate,
            "baseline": gate.baseline,
            "metric": findings.metric or None,
        }
        rows += [beginning | record(ITEM, row) for row in found_items(gate, findings)]
    return rows


def item_table(gate: Gate, findings: ItemFindings, name: str) -> Table | None:
    """Return a table of the items that broke and the suspects; None if there are none."""
    rows = found_items(gate, findings)[:MOST_ROWS]
    if not rows:
        return None
    fields = [Field("", "item", heading="item")]
    if has_datasets(findings.runs):
        fields.insert(0, Field("", "dataset", heading="data set"))
    fields.append(Field("", lambda row: fraction(row.main), "figure", gate.baseline))
    fields.append(Field("", lambda row: fraction(row.own), "figure", findings.candidate))
    if findings.runs.again.size:
        fields.append(Field("", lambda row: _fraction_of(row.again), "figure", "again"))
    fields.append(Field("", lambda row: float(findings.p[row.position]), "p", "p"))
    fields.append(Field("", _word, heading="verdict"))
    where = f" in {findings.metric}" if findings.metric else ""
    broken = int(findings.broken.sum())
    suspects = int((findings.suspect & ~findings.broken).sum())
    title = (
        f"{name}: {number_of(len(findings.p), 'item')}{where}, {broken} broken, "
        f"{number_of(suspects, 'suspect')}"
    )
    return table(title, fields, rows)


def _fraction_of(runs: FloatArray | None) -> str:
    return "" if runs is None else fraction(runs)


def _word(row: FoundItem) -> str:
    if row.outcome == "fail":
        return "broken"
    return "suspect" if row.again is None else "not shown"


def announced(document: Record) -> list[Record]:
    """Return what is announced of the items of a gate's document, in the form of verdicts.

    The items that broke, each by itself; where none did, what is said of all.
    """
    result: list[Record] = []
    for entry in document.get("items", ()):
        of_all = {
            key: entry[key] for key in ("candidate", "metric", "outcome", "level", "sentence")
        }
        about: Sequence[Record] = entry["broken"]
        result += [of_all | one for one in about]
        if not about:
            result.append(of_all | {"item": "", "about": "items"})
    return result


def render_ids(report: Report) -> str:
    """Return the items to run again, one a line.

    Raises
    ------
    InputError : a gate that says nothing of items.
    """
    document = report.document()
    if "items" not in document:
        raise InputError("the format ids lists the items to run again: say --items")
    ids = dict.fromkeys(name for entry in document["items"] for name in entry["again"])
    return "".join(f"{name}\n" for name in ids)
