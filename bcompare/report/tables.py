"""The tables of a report, one function each."""

from collections import Counter
from collections.abc import Sequence
from operator import attrgetter
from typing import Any, cast

import numpy as np

from bcompare.comparing.answers import Comparison
from bcompare.comparing.comparison import ComparisonSet
from bcompare.comparing.decision import Decision, as_array, decide_one
from bcompare.data.rope import RegionProbabilities, inexact
from bcompare.methods.base import Fact, PopulationResult
from bcompare.methods.paired_binary import FEW_ITEMS
from bcompare.report.number import decimals_for, text
from bcompare.report.table import Cell, Column, Table
from bcompare.report.words import contrast, verdict

Row = tuple[Cell, ...]

PAIR = (Column("left", said="left {}"), Column("right", said="right {}"))
REGIONS = (Column("p(left)", "region"), Column("p(rope)", "region"), Column("p(right)", "region"))
VERDICT = Column("verdict", "verdict")
P_VALUE = Column("p-value", "p")
MID_P = "McNemar's mid-p"
CORRECTED = (Column("Bonf. p", "p"), Column("Holm p", "p"))
LOSSES = (
    Column("left better", "number", 3), Column("equivalent", "number", 3),
    Column("right better", "number", 3), Column("undecided", "number", 3),
)  # fmt: skip


def population(study: ComparisonSet) -> Table:
    """A row a pair: the answer over all data sets; those that failed at the end."""
    found = [(c, c.result) for c in study.comparisons if isinstance(c.result, PopulationResult)]
    shown = found[0][1].shown
    several = len(study.comparisons) + len(study.failures) > 1
    rests_on = _datasets_column(study)
    rows: list[Row] = [
        (
            *_answer(c, c.shown or result.probabilities, c.decision or "none"), c.mean_difference,
            *_p_values(c, 0, several), *(attrgetter(own.field)(result) for own in shown),
            *([len(c.dataset_decisions)] if rests_on else ()),
        )
        for c, result in found
    ]  # fmt: skip
    columns = (
        *PAIR, *REGIONS, VERDICT, _mean_column(study), P_VALUE, *(CORRECTED if several else ()),
        *(Column(own.header, own.kind) for own in shown), *rests_on,
    )  # fmt: skip
    rows += [
        (f.left, f.right, None, None, None, "failed", *[None] * (len(columns) - 6))
        for f in study.failures
    ]
    return Table(study.method.title, columns, rows)


def losses(study: ComparisonSet) -> Table:
    """A row a pair: what each decision is expected to cost (Tutorial eq. 7)."""
    rows: list[Row] = []
    for c in study.comparisons:
        p = c.probabilities
        expected = None if p is None else study.rule.expected(as_array(p))
        if expected is not None:
            words = _verdict(c.decision or "none", c.withheld, c.left, c.right)
            rows.append((c.left, c.right, *expected[0].tolist(), words))
    return Table("Expected loss of each decision", (*PAIR, *LOSSES, VERDICT), rows)


def dataset_losses(study: ComparisonSet, comparison: Comparison) -> Table:
    """A row a data set of one pair: what each decision is expected to cost."""
    expected = study.rule.expected(comparison.result.datasets.probabilities)
    names = comparison.differences.statistics.names
    rows: list[Row] = [
        (name, *row)
        for name, row in zip(names, [] if expected is None else expected.tolist(), strict=False)
    ]
    pair = f"left {comparison.left}, right {comparison.right}"
    columns = (Column("data set"), *LOSSES)
    return Table(f"Expected loss of each decision on each data set: {pair}", columns, rows)


def also(study: ComparisonSet) -> Table:
    """The same pairs under each test, each pair's lines together."""
    rows: list[Row] = []
    for i in range(len(study.comparisons)):
        for name, other in {study.method.name: study, **study.also}.items():
            c = other.comparisons[i]
            if isinstance(c.result, PopulationResult):
                # an exact zero beside another test's small number would claim more than it
                answer = _answer(c, inexact(c.result.probabilities), c.decision or "none")
                rows.append((*answer[:2], name, *answer[2:]))
    return Table(
        "The same pairs by several tests", (*PAIR, Column("test"), *REGIONS, VERDICT), rows
    )


def sensitivity(study: ComparisonSet) -> Table:
    """The same pairs under each prior, each pair's lines together."""
    rows: list[Row] = []
    for c in study.comparisons:
        if isinstance(c.result, PopulationResult):
            for name, probabilities in c.result.sensitivity.items():
                decision = decide_one(study.rule, probabilities)
                shown = probabilities if c.result.error is None else inexact(probabilities)
                answer = _answer(c, shown, decision)
                rows.append((*answer[:2], name, *answer[2:]))
    title = f"The same pairs with {study.method.varied} varied"
    return Table(title, (*PAIR, Column("prior"), *REGIONS, VERDICT), rows)


def other_rhos(study: ComparisonSet, most: int | None) -> Table:
    """A row a pair, data set and multiple of its correlation; not too many data sets."""
    rows: list[Row] = []
    for c in study.comparisons:
        statistics, result = c.differences.statistics, cast("Any", c.result.datasets)
        for i in range(len(statistics))[:most]:
            for other in result.sensitivity:
                p = RegionProbabilities(*(
                    float(of[i]) for of in (other.p_left, other.p_rope, other.p_right)
                ))  # fmt: skip
                rho = f"{other.factor * statistics.rho[i]:g}"
                answer = _answer(c, p, decide_one(study.rule, p))
                rows.append((*answer[:2], statistics.names[i], rho, *answer[2:]))
    columns = (*PAIR, Column("data set"), Column("ρ"), *REGIONS, VERDICT)
    return Table("The same pairs at half and at twice the correlation", columns, rows)


def facts(study: ComparisonSet, comparison: Comparison) -> Table:
    """What else the test says of one pair."""
    result = comparison.result
    found = result.facts() if isinstance(result, PopulationResult) else ()
    decimals = _decimals(study) + 1
    columns = [Column("quantity"), Column("value", "figure")]
    rows: list[Row] = [(fact.label, text(fact.value, _column(fact, decimals))) for fact in found]
    if any(fact.interval for fact in found):
        columns += [Column("interval", "figure"), Column("from", "figure"), Column("to", "figure")]
        rows = [
            (*row, *_interval_cells(fact, decimals)) for row, fact in zip(rows, found, strict=True)
        ]
    title = f"left {comparison.left}, right {comparison.right}: details"
    return Table(title, tuple(columns), rows)


def _interval_cells(fact: Fact, decimals: int) -> Row:
    interval, column = fact.interval, _column(fact, decimals)
    if interval is None:
        return ("", "", "")
    low, high = text(interval.low, column), text(interval.high, column)
    return (f"{100 * interval.level:g} %", low, high)


def _column(fact: Fact, decimals: int) -> Column:
    """How a fact is written: a plain number with three digits of its own."""
    own = decimals_for(abs(fact.value)) if fact.kind == "number" else decimals
    return Column(fact.label, fact.kind, own)


def pairs_of_one_dataset(study: ComparisonSet) -> Table:
    """A row a pair, of pairs that have one data set each, usually the same."""
    names = {c.differences.statistics.names[0] for c in study.comparisons}
    several = len(study.comparisons) > 1
    mid_p = [_mid_p(study, c) for c in study.comparisons]
    few = any(p is not None for p in mid_p)
    rows: list[Row] = []
    for c, p in zip(study.comparisons, mid_p, strict=True):
        statistics = c.differences.statistics
        rows.append((
            *_answer(c, c.dataset_probabilities(0), c.dataset_decisions[0]),
            float(statistics.mean[0]), *_p_values(c, 0, several), *([p] if few else []),
            int(statistics.n[0]), statistics.names[0],
        ))  # fmt: skip
    columns = (
        *PAIR, *REGIONS, VERDICT, _mean_column(study), P_VALUE, *(CORRECTED if several else ()),
        *([Column("mid-p", "p")] if few else []), _size_column(study), Column("data set"),
    )  # fmt: skip
    if len(names) > 1:
        return Table(study.method.title, columns, rows)
    title = f"{study.method.title}: {names.pop()}"
    return Table(title, columns[:-1], [row[:-1] for row in rows])


def counts(study: ComparisonSet) -> Table:
    """A row a pair: on how many data sets which decision fell, Bayesian and NHST."""
    rests_on = _datasets_column(study)
    rows: list[Row] = []
    for c in study.comparisons:
        decided = Counter(c.dataset_decisions)
        rows.append((
            c.left, c.right, *([len(c.dataset_decisions)] if rests_on else ()),
            decided["left"], decided["rope"], decided["right"], decided["none"],
            int((c.p_values <= study.alpha).sum()),
        ))  # fmt: skip
    columns = (
        *PAIR, *rests_on, Column("left better", "count"),
        Column("equivalent", "count"), Column("right better", "count"),
        Column("undecided", "count"), Column(f"p≤{study.alpha:g}", "count"),
    )  # fmt: skip
    return Table(f"{study.method.title}: decisions in numbers of data sets", columns, rows)


def datasets(study: ComparisonSet, comparison: Comparison, most: int | None = None) -> Table:
    """A row a data set of one pair; the method names the columns of its own.

    most : rows; where there are more data sets, the most telling ones are shown.
    """
    statistics, result = comparison.differences.statistics, comparison.result.datasets
    own = [np.asarray(attrgetter(shown.field)(result)).tolist() for shown in result.shown]
    chosen = _most_telling(comparison, most)
    rows: list[Row] = []
    for i in chosen:
        words = _verdict(
            comparison.dataset_decisions[i], comparison.dataset_withheld(i), comparison.left,
            comparison.right,
        )  # fmt: skip
        p = comparison.dataset_probabilities(i)
        answer = (p.left, p.rope, p.right, words) if result.uncertain else (words,)
        rows.append((
            statistics.names[i], *answer, float(statistics.mean[i]),
            *(values[i] for values in own), int(statistics.n[i]),
        ))  # fmt: skip
    decimals = _decimals(study)
    columns = (
        Column("data set"),
        *((*REGIONS, VERDICT) if result.uncertain else (Column("by the mean alone", "verdict"),)),
        _mean_column(study),
        *(Column(shown.header, shown.kind, decimals) for shown in result.shown),
        _size_column(study),
    )  # fmt: skip
    pair = f"left {comparison.left}, right {comparison.right}"
    title = f"{study.method.title} on each data set: {pair}"
    if len(chosen) < len(statistics):
        title += f" (the {len(chosen):,} most telling of {len(statistics):,}; --top 0 shows all)"
    return Table(title, columns, rows)


def _most_telling(comparison: Comparison, most: int | None) -> Sequence[int]:
    """The data sets to show, in their order: those with a verdict first to be kept."""
    q = len(comparison.dataset_decisions)
    if most is None or q <= most:
        return range(q)
    p = comparison.result.datasets.probabilities
    largest = np.maximum(np.maximum(p.left, p.rope), p.right)
    undecided = np.array([decision == "none" for decision in comparison.dataset_decisions])
    return sorted(np.lexsort((-largest, undecided))[:most].tolist())


def cross(study: ComparisonSet) -> Table:
    """NHST against Bayesian decisions over data sets, with totals: Tutorial, tables 5 and 6."""
    signs = (f"p > {study.alpha:g}", f"p ≤ {study.alpha:g}")
    rows: list[Row] = []
    for c in study.comparisons:
        rejected = c.p_values <= study.alpha
        for sign, among in zip(signs, (~rejected, rejected), strict=True):
            count = Counter(np.array(c.dataset_decisions)[among].tolist())
            counted = (
                int(among.sum()), count["rope"], count["left"] + count["right"], count["none"]
            )  # fmt: skip
            rows.append((c.left, c.right, sign, *counted))
    if study.total > 1:
        totals = {
            sign: _crossed(study, is_small)
            for sign, is_small in zip(signs, (False, True), strict=True)
        }
        rows += [("all pairs", "", sign, *counts) for sign, counts in totals.items()]
        rows += [
            ("rates", "", sign, "", *(f"{part / all_:.2f}" for part in parts))
            for sign, (all_, *parts) in totals.items()
            if all_
        ]
    columns = (
        *PAIR, Column("NHST"), Column("data sets", "count"), Column("equivalent", "count"),
        Column("different", "count"), Column("undecided", "count"),
    )  # fmt: skip
    return Table("NHST against Bayesian decisions, in numbers of data sets", columns, rows)


def _crossed(study: ComparisonSet, is_small: bool) -> tuple[int, int, int, int]:
    """Data sets of all pairs with such a p-value: how many, equivalent, different, undecided."""
    count = {d: study.tally.crossed[is_small, d] for d in ("left", "rope", "right", "none")}
    return sum(count.values()), count["rope"], count["left"] + count["right"], count["none"]


def intervals(study: ComparisonSet) -> Table:
    """Credible intervals of the only pair on its only data set."""
    result: Any = study.comparisons[0].result.datasets
    finer = _decimals(study) + 2
    rows: list[Row] = [
        (f"{100 * interval.level:.12g} %", float(interval.low[0]), float(interval.high[0]))
        for interval in result.intervals
    ]
    columns = (
        Column("interval"), Column("from", "difference", finer), Column("to", "difference", finer),
    )  # fmt: skip
    return Table("Credible intervals of the mean difference", columns, rows)


def t_tests(study: ComparisonSet) -> Table:
    """The frequentist tests of the only pair on its only data set."""
    result: Any = study.comparisons[0].result.datasets
    first, second, test, statistic = "corrected for correlation", "uncorrected", "t-test", "t"
    if study.scores.unit == "item":
        first, second = contrast(study.comparisons), "paired t-test"
        test, statistic = "test", "statistic"
    tests = {
        first: result.nhst,
        **({MID_P: result.nhst_mid_p} if np.isfinite(result.nhst_mid_p.p_value[0]) else {}),
        second: result.nhst_uncorrected,
    }
    rows: list[Row] = [
        (
            name, float(test.statistic[0]), float(test.p_value[0]),
            float(test.p_left_better[0]), float(test.p_right_better[0]),
        )
        for name, test in tests.items()
    ]  # fmt: skip
    columns = (
        Column(test), Column(statistic, "difference", 3), Column("two-sided p", "p"),
        Column("p, left better", "p"), Column("p, right better", "p"),
    )  # fmt: skip
    return Table(f"Paired {test}s, for contrast", columns, rows)


def _answer(c: Comparison, p: RegionProbabilities[float], decision: Decision) -> Row:
    """Left, right, three probabilities and the verdict."""
    words = _verdict(decision, c.withheld, c.left, c.right)
    return (c.left, c.right, float(p.left), float(p.rope), float(p.right), words)


def _verdict(decision: Decision, withheld: str | None, left: str, right: str) -> str:
    return verdict(decision, left, right) if withheld is None else "withheld"


def _size_column(study: ComparisonSet) -> Column:
    """A column for how many scores, items or clusters a data set has."""
    scores = study.scores
    of_items = "clusters" if scores.is_clustered else "items"
    noun = of_items if scores.unit == "item" else "scores"
    return Column(noun, "count", said=f"{{}} {noun} a data set")


def _datasets_column(study: ComparisonSet) -> tuple[Column, ...]:
    """A column for how many data sets each pair rests on, unless it is all of them."""
    everything = len(study.scores.datasets)
    if all(len(c.dataset_decisions) == everything for c in study.comparisons):
        return ()
    return (Column("data sets", "count"),)


def _p_values(c: Comparison, i: int, several: bool) -> Row:
    """The i-th p-value, and its corrections where there are several pairs."""
    p = float(c.p_values[i])
    corrected = (float(c.adjusted.bonferroni[i]), float(c.adjusted.holm[i]))
    return (p, *corrected) if several else (p,)


def _mid_p(study: ComparisonSet, c: Comparison) -> float | None:
    """McNemar's mid-p value on the first data set, where 0/1 items are few.

    There the exact one is far below its level. None elsewhere, and where one side was asked for.
    """
    result: Any = c.result.datasets
    p = float(result.nhst_mid_p.p_value[0])
    few = c.differences.statistics.n[0] < FEW_ITEMS and study.alternative == "two-sided"
    return p if few and np.isfinite(p) else None


def _decimals(study: ComparisonSet) -> int:
    """Three digits of the rope or of the largest mean difference, whichever is smaller."""
    means = [float(np.abs(c.differences.statistics.mean).max()) for c in study.comparisons]
    scales = [scale for scale in (max(-study.rope.low, study.rope.high), max(means)) if scale > 0]
    return decimals_for(min(scales, default=0.0))


def _mean_column(study: ComparisonSet) -> Column:
    return Column("mean diff", "difference", _decimals(study))
