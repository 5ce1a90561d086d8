"""The report of a gate by bets: what is shown so far, and what is still to be spent."""

import math
from dataclasses import replace
from typing import Any, get_args

from bcompare.basis.notes import listed, number_of
from bcompare.basis.printable import printable
from bcompare.gating.anytime import AnytimeGate, Evidence, Statement
from bcompare.report.build import Report
from bcompare.report.comparisons import input_record
from bcompare.report.fields import Field, Record, own_fields, plain, record, table
from bcompare.report.gate import CANDIDATE, DATASET, MEAN, MEANS, METRIC, NAME, Judged, gate_head
from bcompare.report.gate_words import WORDS, loudness, metric_in
from bcompare.report.number import decimals_for, difference
from bcompare.report.paper import irrelevant
from bcompare.report.rows import record_rows
from bcompare.report.words import joined

# A wealth beyond is as good as certainty.
LARGE = 1e6
OUTCOMES = {**WORDS, "undecided": "go on"}
SAYS = {
    "worse": "{0} is {p}worse than {1}{on}",
    "not worse": "{0} is not {p}worse than {1}{on}",
    "better": "{0} is {p}better than {1}{on}",
    "not better": "{0} is not {p}better than {1}{on}",
    "go on": "the data do not show yet whether {0} is {p}worse than {1}{on}",
}


def _wealth(statement: Statement) -> Field:
    def known(row: Any) -> float:
        return float(row.verdict.largest(statement))

    return Field(
        f"wealth.{statement.replace(' ', '_')}", known, "number", f"for {statement}",
        lambda row: wealth_of(known(row)), nullable=True,
    )  # fmt: skip


def wealth_of(value: float) -> str:
    """Return a wealth in words."""
    if math.isinf(value):
        return "certain"
    return f">{LARGE:,.0f}" if value > LARGE else f"{value:.2f}" if value < 10 else f"{value:,.0f}"


VERDICT = (
    CANDIDATE, Field("baseline", "gate.gate.baseline"), METRIC, DATASET,
    Field("n", "verdict.n", "count", "so far"),
    *map(_wealth, get_args(Statement)),
    Field("threshold", "verdict.threshold", "number"),
    MEAN,
    Field("low", lambda row: row.verdict.interval[0], "difference", "at any time",
          lambda row: _interval(row.verdict)),
    Field("high", lambda row: row.verdict.interval[1], "difference"),
    *MEANS,
    Field("verdict", "verdict.word", "verdict", "verdict"),
    Field("at", "verdict.at", "count", nullable=True),
    Field("outcome", "verdict.outcome"),
    Field("level", lambda row: loudness(row.verdict.outcome, row.gate.gate.rule,
                                        passed=row.gate.passed)),
    Field("sentence", lambda row: printable(
        f"{OUTCOMES[row.verdict.outcome]}: {_said(row.gate, row.verdict)}")),
    Field("settle", lambda row: _left(row.gate, row.verdict), nullable=True),
)  # fmt: skip
SHOWN = ("candidate", "metric", "dataset", "n", "wealth_worse", "wealth_not_worse",
         "wealth_better", "mean_difference", "low", "verdict")  # fmt: skip


def build_anytime_report(found: AnytimeGate, name: str = NAME) -> Report:
    """A table of the wealths, the verdict in words, and what is left."""
    judged = [Judged(found, evidence) for evidence in found.verdicts]
    first = found.verdicts[0]
    own = {"metric": bool(first.metric), "dataset": first.dataset is not None}
    fields = [
        replace(f, kind="figure") if f.name == "low" or f.name.startswith("wealth") else f
        for f in VERDICT
        if f.name in SHOWN and own.get(f.name, True)
    ]
    title = f"{name}: {OUTCOMES[found.outcome]}; baseline {found.gate.baseline}; wealth so far"
    summary = _summary(found)
    left = dict.fromkeys(_left(found, evidence) for evidence in found.verdicts)
    return Report(
        tables=(table(title, fields, judged, decimals_for(first.rope.high)),),
        sentences=(summary, *(f"{words[0].upper()}{words[1:]}" for words in left if words)),
        settings=_settings(found),
        notes=found.gate.notes,
        document=lambda: _document(found, name, summary, judged),
        rows=lambda: record_rows([record(VERDICT, row) for row in judged]),
        brief=summary if found.outcome == "pass" else "",
        context=("Wealths", f" of bets{irrelevant(first.rope)}"),
    )


def _document(found: AnytimeGate, name: str, summary: str, judged: list[Judged]) -> Record:
    """The JSON contract, in the form of a gate's."""
    gate = found.gate
    return {
        **gate_head(name, found.outcome, found.exit_code, summary),
        "baseline": gate.baseline,
        "rule": own_fields(gate.rule, ["condition"]),
        "anytime": plain(found.declared()),
        "verdicts": [record(VERDICT, row) for row in judged],
        "settings": {"unit": "item", "alpha": gate.rule.alpha,
                     "rope": [gate.study.rope.low, gate.study.rope.high],
                     "lower_is_better": gate.study.scores.lower_is_better},
        "input": input_record(gate.study.scores),
        "failed": [],
        "notes": [note.record() for note in gate.notes],
    }  # fmt: skip


def _summary(found: AnytimeGate) -> str:
    """The verdict in one sentence, of the claims that make it so."""
    passes = found.outcome == "undecided" and found.passed
    telling = [_said(found, e) for e in found.verdicts if e.outcome == found.outcome]
    return f"{OUTCOMES[found.outcome]}{' (passes)' if passes else ''}: {listed(telling, 3)}"


def _said(found: AnytimeGate, evidence: Evidence) -> str:
    """What is shown of a claim, by what, and since when."""
    on = metric_in(evidence) + ("" if evidence.dataset is None else f" on {evidence.dataset}")
    practically = "" if evidence.rope.is_empty else "practically "
    names = evidence.candidate, found.gate.baseline
    said = SAYS[evidence.word].format(*names, p=practically, on=on)
    digits = decimals_for(evidence.rope.high)
    by = f"difference {difference(evidence.mean_difference, digits)}, {_interval(evidence)}"
    if evidence.at is not None:
        return f"{said}, shown by {evidence.at:,} {found.observations} ({by} at any time)"
    worse, good = (wealth_of(evidence.largest(s)) for s in ("worse", "not worse"))
    needed = wealth_of(evidence.threshold)
    return f"{said} ({by} at any time; wealth {worse} of {needed} for worse, {good} for not worse)"


def _interval(evidence: Evidence) -> str:
    digits = decimals_for(evidence.rope.high)
    return " to ".join(difference(end, digits) for end in evidence.interval)


def _left(found: AnytimeGate, evidence: Evidence) -> str | None:
    """What is still to be spent on a claim that is open, or has been saved on one that is not."""
    aim = found.bets.aim
    if aim is None or evidence.outcome != "undecided":
        return None
    if evidence.n >= aim:
        return f"the budget of {aim:,} {found.observations} is spent, and bets stay valid beyond it"
    return f"{aim - evidence.n:,} of {aim:,} {found.observations} are still to be spent"


def _settings(found: AnytimeGate) -> str:
    bets, gate = found.bets, found.gate
    names = found.observations
    aim = "growth" if bets.aim is None else f"{bets.aim:,} {names}"
    order = "the order of the file" if bets.seed is None else f"an order shuffled by {bets.seed}"
    low, high = bets.range or (0, 1)
    return joined(
        f"bets for {aim}" + (f" of {bets.of:,} in all" if bets.of not in (None, bets.aim) else ""),
        gate.study.rope.describe(),
        f"level {gate.rule.alpha:g} at any time",
        f"scores {low:g}…{high:g}",
        order,
        number_of(len(found.verdicts), "claim") if len(found.verdicts) > 1 else "",
    )
