"""A gate as a comment on a change: the verdict first, in a narrow table, and what to do."""

from dataclasses import dataclass

from bcompare.basis.notes import listed
from bcompare.gating.verdict import Gate, Verdict
from bcompare.report.fields import Field, table
from bcompare.report.gate_words import (
    WORDS,
    change,
    metric_in,
    place_of,
    printed,
    sure,
    word_of,
)
from bcompare.report.table import Table

# As narrow as a comment, with all other columns as wide as they may be.
WIDEST_PLACE = 21
MOST_ROWS = 10


@dataclass(frozen=True, eq=False, slots=True)
class _Row:
    gate: Gate
    verdict: Verdict

    @property
    def word(self) -> str:
        """The outcome; of an advisory metric what it would be."""
        would_fail = self.verdict.advisory and self.verdict.outcome == "fail"
        return "would fail" if would_fail else word_of(self.gate, self.verdict)

    @property
    def place(self) -> str:
        """Who is judged, in what, and where, as far as there are several."""
        gate, v = self.gate, self.verdict
        who = v.candidate if len(gate.candidates) > 1 else ""
        where = place_of(v) if v.dataset or v.datasets else ""
        words = ", ".join(filter(None, (who, v.metric, where))) or v.candidate
        return words if len(words) <= WIDEST_PLACE else f"{words[: WIDEST_PLACE - 1]}…"


FIELDS = (
    Field("", "word", heading="verdict"),
    Field("", "place", heading="of"),
    Field("", lambda row: change(row.gate, row.verdict), heading="change"),
    Field("", lambda row: sure(row.gate, printed(row.gate, row.verdict).left), heading="p(worse)"),
)


def digest_of(gate: Gate, title: str) -> Table:
    """Return averages, and the data sets that do not pass, the worst first.

    Where an average fails, a data set that is only suspect says no more.
    """
    failed = {(v.candidate, v.metric) for v in gate.verdicts if v.datasets and v.outcome == "fail"}
    averages = [v for v in gate.worst_first if v.dataset is None]
    rest = [
        v
        for v in gate.worst_first
        if v.dataset is not None
        and (v.outcome == "fail" or (v.candidate, v.metric) not in failed)
        and (v.outcome != "pass" or not averages)
    ]
    shown = {id(v) for v in (*averages, *rest[: max(MOST_ROWS - len(averages), 0)])}
    return table(title, FIELDS, [_Row(gate, v) for v in gate.worst_first if id(v) in shown])


def next_step(gate: Gate) -> str:
    """Return what to do about a gate that does not simply pass, in a sentence; "" if it does."""
    telling = [v for v in gate.worst_first if v.outcome == gate.outcome and not v.advisory]
    if gate.outcome == "pass" or not gate.is_computed:
        return ""
    places = dict.fromkeys(
        f"{v.dataset or ('the average' if v.datasets else v.candidate)}{metric_in(v)}"
        for v in telling
    )
    look = f"look at {listed(list(places), 3)}"
    if gate.outcome == "fail":
        return f"{look}; if that is meant, accept it, and measure the baseline anew"
    plan = "bcompare plan-gate with the same files and options says what numbers would tell"
    parts = [look, plan, f"or accept that it is {WORDS['undecided']}"]
    return "; ".join(parts)
