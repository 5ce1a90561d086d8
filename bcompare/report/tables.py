"""The tables of a report, one function each."""

from collections import Counter
from operator import attrgetter
from typing import Any

import numpy as np

from bcompare.comparison import Comparison, ComparisonSet
from bcompare.decision import Decision, decide_one
from bcompare.methods.base import Fact, PopulationResult
from bcompare.report.number import decimals_for, text
from bcompare.report.table import Cell, Column, Table
from bcompare.report.words import verdict
from bcompare.rope import RegionProbabilities

Row = tuple[Cell, ...]

PAIR = (Column("left"), Column("right"))
REGIONS = (Column("p(left)", "region"), Column("p(rope)", "region"), Column("p(right)", "region"))
VERDICT = Column("verdict", "verdict")
P_VALUE = Column("p-value", "p")
HOLM = Column("Holm p", "p")


def population(study: ComparisonSet) -> Table:
    """A row a pair: the answer over all data sets."""
    rows: list[Row] = [
        (
            *_answer(c, c.result.probabilities, c.decision or "none"), c.mean_difference,
            float(c.result.nhst.p_value), float(c.adjusted.holm[0]),
            len(c.differences.statistics),
        )
        for c in study.comparisons
        if isinstance(c.result, PopulationResult)
    ]  # fmt: skip
    columns = (
        *PAIR, *REGIONS, VERDICT, _mean_column(study), P_VALUE, HOLM,
        Column("data sets", "count"),
    )  # fmt: skip
    table = _without_needless_holm(Table(study.method.title, columns, rows))
    if len({row[-1] for row in rows}) > 1:
        return table
    # the same for all pairs, and in the line of settings
    return Table(table.title, table.columns[:-1], [row[:-1] for row in table.rows])


def also(study: ComparisonSet) -> Table:
    """The same pairs under each test, each pair's lines together."""
    rows: list[Row] = []
    for i in range(len(study.comparisons)):
        for name, other in {study.method.name: study, **study.also}.items():
            c = other.comparisons[i]
            if isinstance(c.result, PopulationResult):
                answer = _answer(c, c.result.probabilities, c.decision or "none")
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
                answer = _answer(c, probabilities, decision)
                rows.append((*answer[:2], name, *answer[2:]))
    title = f"The same pairs with {study.method.varied} varied"
    return Table(title, (*PAIR, Column("prior"), *REGIONS, VERDICT), rows)


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
    rows: list[Row] = []
    for c in study.comparisons:
        statistics = c.differences.statistics
        rows.append((
            *_answer(c, _regions(c, 0), c.dataset_decisions[0]), float(statistics.mean[0]),
            float(c.result.p_values[0]), float(c.adjusted.holm[0]), int(statistics.n[0]),
            statistics.names[0],
        ))  # fmt: skip
    columns = (
        *PAIR, *REGIONS, VERDICT, _mean_column(study), P_VALUE, HOLM, Column("scores", "count"),
        Column("data set"),
    )  # fmt: skip
    table = _without_needless_holm(Table(study.method.title, columns, rows))
    if len(names) > 1:
        return table
    return Table(
        f"{table.title}: {names.pop()}", table.columns[:-1], [row[:-1] for row in table.rows]
    )


def counts(study: ComparisonSet) -> Table:
    """A row a pair: on how many data sets which decision fell, Bayesian and NHST."""
    rows: list[Row] = []
    for c in study.comparisons:
        decided = Counter(c.dataset_decisions)
        rows.append((
            c.left, c.right, len(c.dataset_decisions), decided["left"], decided["rope"],
            decided["right"], decided["none"], int((c.result.p_values <= study.alpha).sum()),
        ))  # fmt: skip
    columns = (
        *PAIR, Column("data sets", "count"), Column("left better", "count"),
        Column("equivalent", "count"), Column("right better", "count"),
        Column("undecided", "count"), Column(f"p≤{study.alpha:g}", "count"),
    )  # fmt: skip
    return Table(f"{study.method.title}: decisions in numbers of data sets", columns, rows)


def datasets(study: ComparisonSet, comparison: Comparison) -> Table:
    """A row a data set of one pair; the method names the columns of its own."""
    statistics, result = comparison.differences.statistics, comparison.result.datasets
    own = [np.asarray(attrgetter(shown.field)(result)).tolist() for shown in result.shown]
    rows: list[Row] = []
    for i, name in enumerate(statistics.names):
        answer = _answer(comparison, _regions(comparison, i), comparison.dataset_decisions[i])
        rows.append((
            name, *answer[2 if result.uncertain else 5:], float(statistics.mean[i]),
            *(values[i] for values in own), int(statistics.n[i]),
        ))  # fmt: skip
    decimals = _decimals(study)
    columns = (
        Column("data set"),
        *((*REGIONS, VERDICT) if result.uncertain else (Column("by the mean alone", "verdict"),)),
        _mean_column(study),
        *(Column(shown.header, shown.kind, decimals) for shown in result.shown),
        Column("scores", "count"),
    )  # fmt: skip
    pair = f"left {comparison.left}, right {comparison.right}"
    return Table(f"{study.method.title} on each data set: {pair}", columns, rows)


def cross(study: ComparisonSet) -> Table:
    """NHST against Bayesian decisions over data sets: Tutorial, tables 5 and 6."""
    rows: list[Row] = []
    for c in study.comparisons:
        rejected = c.result.p_values <= study.alpha
        for sign, among in ((">", ~rejected), ("≤", rejected)):
            count = Counter(np.array(c.dataset_decisions)[among].tolist())
            rows.append((
                c.left, c.right, f"p {sign} {study.alpha:g}", int(among.sum()),
                count["rope"], count["left"] + count["right"], count["none"],
            ))  # fmt: skip
    columns = (
        *PAIR, Column("NHST"), Column("data sets", "count"), Column("equivalent", "count"),
        Column("different", "count"), Column("undecided", "count"),
    )  # fmt: skip
    return Table("NHST against Bayesian decisions, in numbers of data sets", columns, rows)


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
    rows: list[Row] = [
        (
            name, float(test.statistic[0]), float(test.p_value[0]),
            float(test.p_left_better[0]), float(test.p_right_better[0]),
        )
        for name, test in (
            ("corrected for correlation", result.nhst),
            ("uncorrected", result.nhst_uncorrected),
        )
    ]  # fmt: skip
    columns = (
        Column("t-test"), Column("t", "difference", 3), Column("two-sided p", "p"),
        Column("p, left better", "p"), Column("p, right better", "p"),
    )  # fmt: skip
    return Table("Paired t-tests, for contrast", columns, rows)


def _answer(c: Comparison, p: RegionProbabilities[float], decision: Decision) -> Row:
    """Left, right, three probabilities and the verdict."""
    withheld = isinstance(c.result, PopulationResult) and c.result.withheld is not None
    words = "withheld" if withheld else verdict(decision, c.left, c.right)
    return (c.left, c.right, float(p.left), float(p.rope), float(p.right), words)


def _regions(comparison: Comparison, i: int) -> RegionProbabilities[float]:
    p = comparison.result.datasets.probabilities
    return RegionProbabilities(float(p.left[i]), float(p.rope[i]), float(p.right[i]))


def _decimals(study: ComparisonSet) -> int:
    """Three digits of the rope or of the largest mean difference, whichever is smaller."""
    means = [float(np.abs(c.differences.statistics.mean).max()) for c in study.comparisons]
    scales = [scale for scale in (max(-study.rope.low, study.rope.high), max(means)) if scale > 0]
    return decimals_for(min(scales, default=0.0))


def _mean_column(study: ComparisonSet) -> Column:
    return Column("mean diff", "difference", _decimals(study))


def _without_needless_holm(table: Table) -> Table:
    """One pair needs no correction for several."""
    if len(table.rows) > 1:
        return table
    at = table.columns.index(HOLM)
    columns = table.columns[:at] + table.columns[at + 1 :]
    return Table(table.title, columns, [row[:at] + row[at + 1 :] for row in table.rows])
