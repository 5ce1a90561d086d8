"""Report what a gate that bets has found."""

import math
from typing import get_args

from bcompare.basis.messages import Record, listed, number_of, printable
from bcompare.gating.anytime import AnytimeGate, Evidence, Statement
from bcompare.gating.report import CANDIDATE, DATASET, MEAN, MEANS, METRIC, NAME, Judged, _head
from bcompare.gating.words import (
    MEND,
    WORDS,
    loudness,
    metric_in,
)
from bcompare.methods.betting import time_of
from bcompare.report.fields import Field, own_fields, plain, record, record_rows, table
from bcompare.report.input_record import input_record
from bcompare.report.pair_report import Report
from bcompare.report.paper import irrelevant
from bcompare.report.sentences import joined, relation_of
from bcompare.report.table import decimals_for, difference

# Larger wealths are as good as certain.
LARGE = 1e6
OUTCOMES = {**WORDS, "undecided": "go on"}


def _wealth(statement: Statement) -> Field:
    """Return the field of the largest wealth so far for a statement."""
    return Field(
        f"wealth.{statement.replace(' ', '_')}",
        lambda row: row.verdict.largest(statement),
        "number",
        f"for {statement}",
        lambda row: _in_words(row.verdict.largest(statement)),
        nullable=True,
    )


def _in_words(value: float) -> str:
    """Return a wealth as text."""
    if math.isinf(value):
        return "certain"
    if value > LARGE:
        return f">{LARGE:,.0f}"
    return f"{value:.2f}" if value < 10 else f"{value:,.0f}"


WEALTHS = {statement: _wealth(statement) for statement in get_args(Statement)}
SO_FAR = Field("n", "verdict.n", "count", "so far")
LOW = Field(
    "low",
    lambda row: row.verdict.interval[0],
    "difference",
    "at any time",
    lambda row: _interval(row.verdict),
    nullable=True,
)
WORD = Field("verdict", "verdict.word", "verdict", "verdict")
EVIDENCE = (
    CANDIDATE,
    Field("baseline", "gate.gate.baseline"),
    METRIC,
    DATASET,
    SO_FAR,
    *WEALTHS.values(),
    Field("threshold", "gate.threshold", "number"),
    MEAN,
    LOW,
    Field("high", lambda row: row.verdict.interval[1], "difference", nullable=True),
    *MEANS,
    WORD,
    Field("at", "verdict.at", "count", nullable=True),
    Field("outcome", "verdict.outcome"),
    Field(
        "level",
        lambda row: loudness(row.verdict.outcome, row.gate.gate.rule, passed=row.gate.passed),
    ),
    Field(
        "sentence",
        lambda row: printable(
            f"{OUTCOMES[row.verdict.outcome]}: {_evidence_sentence(row.gate, row.verdict)}"
        ),
    ),
    Field("left", lambda row: _budget_left(row.gate, row.verdict), nullable=True),
)


def build_anytime_report(result: AnytimeGate, name: str = NAME) -> Report:
    """Return a table of the wealths, the verdict in words, and the budget left."""
    judged = [Judged(result, evidence) for evidence in result.verdicts]
    gate = result.gate
    first = result.verdicts[0]
    aims = [verdict.aim for verdict in result.verdicts]
    statements: list[Statement] = [] if all(aims) else ["worse", "not worse"]
    statements += ["better", "not better"] if any(aims) else ["better"]
    fields = [CANDIDATE]
    if first.metric:
        fields.append(METRIC)
    if first.dataset is not None:
        fields.append(DATASET)
    fields.append(SO_FAR)
    fields += [WEALTHS[statement] for statement in statements]
    fields += [MEAN, LOW, WORD]
    title = (
        f"{name}: evidence of bets against baseline {gate.baseline}; "
        f"{_in_words(result.threshold)} decides"
    )
    summary = _summary(result)
    left = dict.fromkeys(_budget_left(result, evidence) for evidence in result.verdicts)
    sentences = [f"{words[0].upper()}{words[1:]}" for words in left if words]
    return Report(
        tables=(table(title, fields, judged, decimals_for(first.rope.high)),),
        lead=(summary,),
        next_step=_next_step(result),
        sentences=tuple(sentences),
        settings=_settings_of_bets(result),
        notes=result.notes,
        document=lambda: _document(result, name),
        rows=lambda: record_rows([record(EVIDENCE, row) for row in judged]),
        brief=summary if result.outcome == "pass" else "",
        context=lambda: ("Wealths", f" of bets{irrelevant(first.rope)}"),
        names=gate.study.scores.classifiers,
    )


def _summary(result: AnytimeGate) -> str:
    """Return the outcome, and the claims that it comes from."""
    outcome = OUTCOMES[result.outcome]
    if result.outcome == "undecided" and result.passed:
        outcome += " (exit code 0)"
    telling = [e for e in result.verdicts if e.outcome == result.outcome]
    claims = listed([_evidence_sentence(result, e) for e in telling], 3)
    return f"{outcome}: {claims}"


def _next_step(result: AnytimeGate) -> str:
    return MEND if result.outcome == "fail" else ""


def _document(result: AnytimeGate, name: str) -> Record:
    """Return the JSON document."""
    gate = result.gate
    return {
        **_head(name, result.outcome, result.exit_code, _summary(result)),
        "next_step": _next_step(result),
        "baseline": gate.baseline,
        "rule": own_fields(gate.rule),
        "anytime": plain(result.declared()),
        "verdicts": [record(EVIDENCE, Judged(result, each)) for each in result.verdicts],
        "settings": {
            "unit": "item",
            "alpha": gate.rule.alpha,
            "rope": [gate.study.rope.low, gate.study.rope.high],
            "lower_is_better": gate.study.scores.lower_is_better,
        },
        "input": input_record(gate.study.scores),
        "failed": [],
        "notes": [note.record() for note in result.notes],
    }


def _evidence_sentence(result: AnytimeGate, evidence: Evidence) -> str:
    """Return the evidence on a claim, and when it was reached."""
    on = metric_in(evidence)
    if evidence.dataset is not None:
        on += f" on {evidence.dataset}"
    digits = decimals_for(evidence.rope.high)
    by = f"difference {difference(evidence.mean_difference, digits)}"
    if evidence.word != "go on":
        words = relation_of(
            evidence.candidate,
            evidence.word,
            result.gate.baseline,
            on,
            practically=not evidence.rope.is_empty,
        )
        level = result.gate.rule.alpha
        if evidence.word in ("worse", "not better"):
            level /= len(result.verdicts)
        wealth = evidence.wealths[evidence.word]  # not that of a weaker statement
        reached_at = time_of(wealth, level)
        return f"{words}, shown by {reached_at:,} {result.observations} ({by})"
    return f"{evidence.candidate}{on} after {evidence.n:,} {result.observations}: {by}"


def _interval(evidence: Evidence) -> str:
    if math.isnan(evidence.interval[0]):
        return "none"
    digits = decimals_for(evidence.rope.high)
    return " to ".join(difference(end, digits) for end in evidence.interval)


def _budget_left(result: AnytimeGate, evidence: Evidence) -> str | None:
    """Return the budget left for an undecided claim; None for a decided one."""
    aim = result.bets.aim
    observations = result.observations
    if aim is None or evidence.outcome != "undecided":
        return None
    if evidence.n >= aim:
        return f"the budget of {aim:,} {observations} is spent, and bets stay valid beyond it"
    return f"{aim - evidence.n:,} of the {aim:,} {observations} in the budget are left"


def _settings_of_bets(result: AnytimeGate) -> str:
    bets = result.bets
    gate = result.gate
    names = result.observations
    aim = "growth" if bets.aim is None else f"{bets.aim:,} {names}"
    order = "the order of the file" if bets.seed is None else f"an order shuffled by {bets.seed}"
    low, high = bets.range or (0, 1)
    in_all = "" if bets.of is None else f" of {bets.of:,} in all"
    several = len(result.verdicts) > 1
    return joined(
        f"bets for {aim}{in_all}",
        gate.study.rope.describe(),
        f"level {gate.rule.alpha:g} at any time",
        f"scores {low:g}…{high:g}",
        order,
        number_of(len(result.verdicts), "claim") if several else "",
    )
