"""Tables that details and other assumptions add to those of pairs, one function each."""

from collections import Counter
from collections.abc import Sequence
from operator import attrgetter

import numpy as np

from bcompare.comparing.comparison import Comparison
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.comparing.decision import ACTIONS, Decision, as_answers, decide_one
from bcompare.data.rope import RegionProbabilities, inexact, uncertain
from bcompare.methods.result_parts import Fact
from bcompare.report.fields import Field, table
from bcompare.report.pair_fields import (
    NAMES,
)
from bcompare.report.pair_tables import ANSWER, decimals_of, names_of, word
from bcompare.report.table import Column, Row, Table, decimals_for

# The level of intervals in tables.
USUAL = 0.95
FIGURES = attrgetter("statistic", "p_value", "p_left_better", "p_right_better")


def also(study: ComparisonSet) -> Table:
    """Return the pairs under each test, with the rows of each pair together."""
    # next to another test's small number an exact zero would look like a stronger claim
    rows: list[Row] = []
    for i in range(len(study.comparisons)):
        for name, other in {study.method.name: study, **study.also}.items():
            c = other.comparisons[i]
            if c.result.regions is not None:
                answer = _answer(c, inexact(c.result.regions), c.decision or "none")
                rows.append((c.left, c.right, name, *answer))
    return _other_answers("The same pairs by several tests", ["test"], rows)


def sensitivity(study: ComparisonSet, most: int | None = None) -> Table:
    """Return each answer under other assumptions, with the rows of each pair together.

    most : the most data sets of a pair that have answers of their own.
    """
    rows: list[Row] = []
    for c in study.comparisons:
        result = c.result
        names = c.differences.statistics.names
        for i, name in enumerate(names[:most] if result.by_dataset else ("",)):
            for assumption, answers in result.sensitivity.items():
                p = RegionProbabilities(*(float(part[i]) for part in as_answers(answers)))
                shown = p if result.points[i] else inexact(p)
                answer = _answer(c, shown, decide_one(study.rule, p))
                rows.append((c.left, c.right, name, assumption, *answer))
    title = f"The same pairs with {study.method.varied} varied"
    if any(row[2] for row in rows):
        return _other_answers(title, ["data set", "varied"], rows)
    return _other_answers(title, ["varied"], [(*row[:2], *row[3:]) for row in rows])


def _answer(c: Comparison, p: RegionProbabilities[float], decision: Decision) -> Row:
    """Return the cells of an alternative answer: by another test, prior or correlation."""
    return word(c, decision), p.left, p.rope, p.right


def _other_answers(title: str, differs_in: Sequence[str], rows: Sequence[Row]) -> Table:
    names = [field.column(4) for field in NAMES]
    answer = [field.column(4) for field in ANSWER[2:]]
    return Table(title, (*names, *map(Column, differs_in), *answer), rows)


def facts(study: ComparisonSet, comparison: Comparison) -> Table:
    """Return further results of the test on one pair."""
    known_facts = comparison.result.facts()
    decimals = decimals_of(study) + 1
    columns = [Column("quantity"), Column("value", "figure")]
    with_intervals = any(fact.interval for fact in known_facts)
    if with_intervals:
        columns += [Column("interval", "figure"), Column("from", "figure"), Column("to", "figure")]
    rows = [_fact(fact, decimals, with_intervals) for fact in known_facts]
    return Table(f"Details: {names_of(comparison)}", tuple(columns), rows)


def _fact(fact: Fact, decimals: int, with_interval: bool) -> Row:
    """Return a fact as text; a plain number has three significant digits."""
    places = decimals_for(abs(fact.value)) if fact.kind == "number" else decimals
    write = Column(fact.label, fact.kind, places).text
    interval = fact.interval
    value = write(uncertain(fact.value) if fact.kind == "probability" else fact.value)
    if not with_interval:
        return (fact.label, value)
    if interval is None:
        return (fact.label, value, "", "", "")
    level = f"{100 * interval.level:g} %"
    return (fact.label, value, level, write(interval.low), write(interval.high))


def means(study: ComparisonSet, comparison: Comparison) -> Table | None:
    """Return the mean scores of a pair on each of its data sets, and the difference's interval.

    None of a test that has no intervals.
    """
    scores = study.scores
    c = comparison
    columns_of = [scores.classifiers.index(name) for name in (c.left, c.right)]
    sign = -1 if scores.lower_is_better else 1
    intervals = {i.level: i for i in c.result.datasets.credible_intervals()}
    if not intervals:
        return None
    interval = intervals[max(level for level in intervals if level <= USUAL)]
    sides = c.differences.statistics.sides
    if sides is not None:
        pairs = zip(c.differences.statistics.names, sides.mean, strict=True)
        both = {name: sign * means for name, means in pairs}
    else:
        both = {d.name: sign * d.common(columns_of).mean(axis=0) for d in scores.datasets}
    figures = (c.differences.statistics.mean, interval.low, interval.high)
    rows: list[Row] = []
    for name, *numbers in zip(c.differences.statistics.names, *figures, strict=True):
        rows.append((name, *both[name].tolist(), *map(float, numbers)))
    decimals = decimals_of(study)
    columns = (
        Column("data set"),
        *(Column(name, "number", decimals) for name in (c.left, c.right)),
        *(Column(name, "difference", decimals) for name in ("mean diff", "from", "to")),
    )
    title = f"Mean scores on each data set, with {100 * interval.level:g} % intervals of the "
    return Table(f"{title}difference: {names_of(c)}", columns, rows)


def intervals(study: ComparisonSet) -> Table:
    """Return the credible intervals of the only pair on its only data set."""
    intervals = study.comparisons[0].result.datasets.credible_intervals()
    fields = (
        Field("", lambda interval: f"{100 * interval.level:.12g} %", heading="interval"),
        Field("", lambda interval: float(interval.low[0]), "difference", "from", decimals=None),
        Field("", lambda interval: float(interval.high[0]), "difference", "to", decimals=None),
    )
    title = "Credible intervals of the mean difference"
    return table(title, fields, intervals, decimals_of(study) + 2)


def contrasts(study: ComparisonSet) -> Table:
    """Return the frequentist tests of each pair that has one answer."""
    tests = [(c, test) for c in study.comparisons for test in c.result.contrasts]
    rows: list[Row] = []
    for c, test in tests:
        if np.isfinite(test.p_value[0]):
            figures = [float(figure[0]) for figure in FIGURES(test)]
            rows.append((c.left, c.right, test.title, *figures))
    signed = any(test.signed for _, test in tests)
    decimals = max(test.decimals for _, test in tests)
    statistic = Column("statistic", "difference" if signed else "number", decimals)
    columns = (
        *(field.column(0) for field in NAMES),
        Column("test"),
        statistic,
        Column("two-sided p", "p"),
        Column("p, left better", "p"),
        Column("p, right better", "p"),
    )
    first = 0 if study.total > 1 else len(NAMES)
    title = "Frequentist tests, for contrast; a small one-sided p supports its heading"
    return Table(title, columns[first:], [row[first:] for row in rows], by_test=False)


def cross(study: ComparisonSet) -> Table:
    """NHST against Bayesian decisions over data sets, with totals: Tutorial, tables 5 and 6."""
    signs = (f"p > {study.alpha:g}", f"p ≤ {study.alpha:g}")
    rows: list[Row] = []
    for c in study.comparisons:
        rejected = c.p_values <= study.alpha
        for sign, among in zip(signs, (~rejected, rejected), strict=True):
            decisions = np.array(c.dataset_decisions)[among].tolist()
            rows.append((c.left, c.right, sign, *_crossed(Counter(decisions))))
    if study.total > 1:
        rates: list[Row] = []
        for sign, is_small in zip(signs, (False, True), strict=True):
            count = Counter({d: study.tally.crossed[is_small, d] for d in ACTIONS})
            total, *parts = _crossed(count)
            rows.append(("all pairs", "", sign, total, *parts))
            if total:
                rates.append(("rates", "", sign, "", *(f"{part / total:.2f}" for part in parts)))
        rows += rates
    columns = (
        *(field.column(0) for field in NAMES),
        Column("NHST"),
        Column("data sets", "count"),
        Column("equivalent", "count"),
        Column("different", "count"),
        Column("undecided", "count"),
    )
    return Table("NHST against Bayesian decisions, in numbers of data sets", columns, rows)


def _crossed(count: Counter[Decision]) -> tuple[int, int, int, int]:
    """Return the number of data sets: all, equivalent, different and undecided."""
    return count.total(), count["rope"], count["left"] + count["right"], count["none"]
