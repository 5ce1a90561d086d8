"""Tables of comparisons, one function each."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter

import numpy as np

from bcompare.comparing.answers import Comparison
from bcompare.comparing.decision import ACTIONS, Decision, as_answers, decide_one
from bcompare.comparing.run import ComparisonSet
from bcompare.data.rope import REGIONS, RegionProbabilities, inexact, uncertain
from bcompare.methods.values import Fact
from bcompare.report.comparisons import (
    ADJUSTED,
    DATASET,
    MEAN,
    NAMES,
    P_VALUE,
    PROBABILITIES,
    SIZE,
    expected_loss,
)
from bcompare.report.fields import Field, Getter, table
from bcompare.report.table import Column, Row, Table, decimals_for, difference, percent
from bcompare.report.words import title_of, verdict

# The level of intervals in tables.
USUAL = 0.95
# The most characters in a line of a table with spare columns.
WIDTH = 110
FIGURES = attrgetter("statistic", "p_value", "p_left_better", "p_right_better")


def word(c: Comparison, decision: Decision | None = None) -> str:
    """Return the verdict on a pair, or another decision on it, in a word or two."""
    if c.withheld is not None:
        return "withheld"
    return verdict(decision or c.decision or "none", c.left, c.right)


def _count(decision: Decision, comparison: Comparison) -> int:
    return comparison.dataset_decisions.count(decision)


VERDICT = Field("", word, "verdict", "verdict")
ANSWER = (*NAMES, VERDICT, *PROBABILITIES)
_, HOLM = ADJUSTED
HEADINGS = ("left better", "equivalent", "right better", "undecided")
LOSSES = tuple(Field("", kind="number", heading=heading, decimals=3) for heading in HEADINGS)
COUNTS = tuple(
    Field("", partial(_count, decision), "count", heading)
    for decision, heading in zip(ACTIONS, HEADINGS, strict=True)
)


def _answer(c: Comparison, p: RegionProbabilities[float], decision: Decision) -> Row:
    """Return the cells of an alternative answer: by another test, prior or correlation."""
    return word(c, decision), p.left, p.rope, p.right


def _other_answers(title: str, differs_in: Sequence[str], rows: Sequence[Row]) -> Table:
    names, answer = ([field.column(4) for field in part] for part in (NAMES, ANSWER[2:]))
    return Table(title, (*names, *map(Column, differs_in), *answer), rows)


def of_pairs(study: ComparisonSet, *, details: bool = False, span: bool = True) -> Table:
    """Return a row for each pair: its answer, or the data sets with each Bayesian and NHST verdict.

    span : whether to show the interval of the mean difference, if lines have room.
    """
    if not study.comparisons[0].result.by_dataset:
        return population(study, details=details, span=span)
    if all(c.n_datasets == 1 for c in study.comparisons):
        return _of_one_dataset(study, details=details, span=span)
    small = Field(
        "", lambda c: int((c.p_values <= study.alpha).sum()), "count", f"p-value≤{study.alpha:g}"
    )
    name = f"{title_of(study)}: number of data sets with each verdict"
    return table(name, (*NAMES, *_size(study), *COUNTS, small), study.comparisons)


def population(study: ComparisonSet, *, details: bool = False, span: bool = True) -> Table:
    """Return a row for each pair: the answer over all data sets; failed pairs come last."""
    own = study.comparisons[0].result.shown
    fields = [Field("", f"result.{shown.field}", shown.kind, shown.header) for shown in own]
    return _answers(study, study.method.title, fields, _size(study), details=details, span=span)


def _answers(
    study: ComparisonSet,
    title: str,
    own: Sequence[Field],
    last: Sequence[Field],
    *,
    details: bool,
    span: bool,
) -> Table:
    """Return a row for each pair, of the answers over all data sets or on the only one.

    own : the fields of the test, for `details`. last : further ones, if there are several pairs.
    """
    several = study.total > 1
    chance = (CHANCE,) if several and any(_chances(c) for c in study.comparisons) else ()
    if several and not details:
        # bounds are two answers to each question, which a correction would count as two questions
        corrected = () if study.scores.extremes else (HOLM,)
        return _with_differences(study, title, (*chance, *corrected, *last), span=span)
    fields: tuple[Field, ...] = (*ANSWER, P_VALUE)
    if details:
        adjusted = ADJUSTED if several else ()
        fields = (*ANSWER, _observed(study), *chance, P_VALUE, *adjusted, *own, *last)
    return _with_failures(study, title, fields)


def _with_failures(study: ComparisonSet, title: str, fields: Sequence[Field]) -> Table:
    result = table(title, fields, study.comparisons, _decimals(study))
    empty = [None] * (len(fields) - 3)
    failed = [(f.left, f.right, "failed", *empty) for f in study.failures]
    return Table(result.title, result.columns, [*result.rows, *failed])


def _with_differences(
    study: ComparisonSet, title: str, more: Sequence[Field], *, span: bool
) -> Table:
    """Return the answers with the mean differences, and their intervals if lines have room."""
    decimals = _decimals(study)

    def interval(c: Comparison) -> str | None:
        ends = (c.observed.low, c.observed.high) if c.observed else ()
        return " to ".join(difference(end, decimals) for end in ends) or None

    ends = Field("", interval, "figure", "95 % interval", spare=True)
    shown = [ends] if span and any(c.observed for c in study.comparisons) else []
    fields = (*ANSWER, _observed(study), *shown, *more)
    return _with_failures(study, title, fields).fitted(WIDTH)


def _observed(study: ComparisonSet) -> Field:
    """Return the field with the mean differences, headed by what they are."""
    sign = "left−right" if study.scores.lower_is_better else "right−left"
    return replace(MEAN, heading=sign)


def _chances(c: Comparison) -> str | None:
    """Return the chances of left, equivalent and right on the next data set."""
    chances = c.result.chances
    if chances is None:
        return None
    return f"{'/'.join(map(percent, chances))} %"


CHANCE = Field("", _chances, "figure", "next", spare=True)


def next_dataset(c: Comparison) -> Table | None:
    """Return the chances of the outcomes on the next data set; None if they are not known."""
    if c.result.chances is None:
        return None
    each = zip(REGIONS, c.result.chances, strict=True)
    rows = [(verdict(region, c.left, c.right), f"{percent(p)} %") for region, p in each]
    columns = (Column("outcome"), Column("chance", "figure"))
    return Table("On the next data set", columns, rows)


def losses(study: ComparisonSet) -> Table:
    """Return the expected loss of each decision, a row for each pair (Tutorial eq. 7)."""
    rows: list[Row] = []
    for c in study.comparisons:
        expected = None if c.probabilities is None else expected_loss(c.rule, c.probabilities)
        if expected is not None:
            rows.append((c.left, c.right, *expected.values(), word(c)))
    columns = tuple(field.column(3) for field in (*NAMES, *LOSSES, VERDICT))
    return Table("Expected loss of each decision", columns, rows)


def dataset_losses(study: ComparisonSet, comparison: Comparison) -> Table:
    """Return the expected loss of each decision, a row for each data set of one pair."""
    expected = study.rule.expected(comparison.result.datasets.probabilities)
    names = comparison.differences.statistics.names
    costs = [] if expected is None else expected.tolist()
    rows = [(name, *row) for name, row in zip(names, costs, strict=False)]
    columns = (Column("data set"), *(field.column(3) for field in LOSSES))
    title = f"Expected loss of each decision on each data set: {_names(comparison)}"
    return Table(title, columns, rows)


def also(study: ComparisonSet) -> Table:
    """Return the pairs under each test, with the rows of each pair together."""
    # next to another test's small number an exact zero would look like a stronger claim
    rows = [
        (c.left, c.right, name, *_answer(c, inexact(c.result.regions), c.decision or "none"))
        for i in range(len(study.comparisons))
        for name, other in {study.method.name: study, **study.also}.items()
        if (c := other.comparisons[i]).result.regions is not None
    ]
    return _other_answers("The same pairs by several tests", ["test"], rows)


def sensitivity(study: ComparisonSet, most: int | None = None) -> Table:
    """Return each answer under other assumptions, with the rows of each pair together.

    most : the most data sets of a pair that have answers of their own.
    """
    rows: list[Row] = []
    for c in study.comparisons:
        result, names = c.result, c.differences.statistics.names
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


def facts(study: ComparisonSet, comparison: Comparison) -> Table:
    """Return further results of the test on one pair."""
    known_facts = comparison.result.facts()
    decimals = _decimals(study) + 1
    columns = [Column("quantity"), Column("value", "figure")]
    with_intervals = any(fact.interval for fact in known_facts)
    if with_intervals:
        columns += [Column("interval", "figure"), Column("from", "figure"), Column("to", "figure")]
    rows = [_fact(fact, decimals, with_intervals) for fact in known_facts]
    return Table(f"Details: {_names(comparison)}", tuple(columns), rows)


def _fact(fact: Fact, decimals: int, with_interval: bool) -> Row:
    """Return a fact as text; a plain number has three significant digits."""
    own = decimals_for(abs(fact.value)) if fact.kind == "number" else decimals
    write, interval = Column(fact.label, fact.kind, own).text, fact.interval
    value = write(uncertain(fact.value) if fact.kind == "probability" else fact.value)
    if not with_interval:
        return (fact.label, value)
    ends = (
        ("", "", "")
        if interval is None
        else (f"{100 * interval.level:g} %", write(interval.low), write(interval.high))
    )
    return (fact.label, value, *ends)


def _of_one_dataset(study: ComparisonSet, *, details: bool, span: bool) -> Table:
    """Return a row for each pair, if each has one data set."""
    names = {c.differences.statistics.names[0] for c in study.comparisons}
    dataset = Field("", lambda c: c.differences.statistics.names[0], heading="data set")
    last = (dataset,) if len(names) > 1 else ()
    own = [*_of_one(study), _scores(study, lambda c: int(c.differences.statistics.n[0]))]
    title = title_of(study) + (f": {names.pop()}" if len(names) == 1 else "")
    return _answers(study, title, own, last, details=details, span=span)


def _of_one(study: ComparisonSet) -> Iterator[Field]:
    """Yield the fields that the test adds for a pair's only data set, where any has a value."""
    for shown in study.comparisons[0].result.datasets.shown_of_one:
        get = partial(_first_value, f"result.datasets.{shown.field}")
        if any(get(c) is not None for c in study.comparisons):
            yield Field("", get, shown.kind, shown.header)


def _first_value(path: str, c: Comparison) -> float | None:
    value = float(attrgetter(path)(c)[0])
    return value if np.isfinite(value) else None


def datasets(
    study: ComparisonSet,
    comparison: Comparison,
    most: int | None = None,
    *,
    details: bool = False,
) -> Table:
    """Return a row for each data set of one pair, with the columns that the method adds.

    most : the number of rows; of more data sets the most relevant ones are shown.
    """
    result = comparison.result.datasets
    of = {field.key: field for field in DATASET}
    regions = (of["p_left"], of["p_rope"], of["p_right"]) if result.uncertain else ()
    words = Field(
        "", _dataset_words, "verdict", "verdict" if result.uncertain else "by the mean alone"
    )
    fields = (
        of["dataset"],
        *regions,
        words,
        of["mean_difference"],
        *(
            Field("", f"result.datasets.{shown.field}", shown.kind, shown.header, decimals=None)
            for shown in (*result.shown, *(result.shown_in_details if details else ()))
        ),
        _scores(study, of["n"].of),
    )
    chosen = _most_telling(comparison, most)
    cells = [np.asarray(field.cell(comparison), object)[chosen] for field in fields]
    name = f"{title_of(study)} on each data set: {_names(comparison)}"
    if len(chosen) < (q := comparison.n_datasets):
        name += f" (the {len(chosen):,} most telling of {q:,}; --top 0 shows all)"
    columns = tuple(field.column(_decimals(study)) for field in fields)
    return Table(name, columns, list(zip(*cells, strict=True)))


def _dataset_words(c: Comparison) -> list[str]:
    return [
        "withheld" if withheld else verdict(decision, c.left, c.right)
        for decision, withheld in zip(c.dataset_decisions, c.datasets_withheld, strict=True)
    ]


def _most_telling(comparison: Comparison, most: int | None) -> list[int]:
    """Return the positions of the data sets to show; those with a verdict are kept first."""
    q = comparison.n_datasets
    if most is None or q <= most:
        return list(range(q))
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
            rows.append(
                (
                    c.left,
                    c.right,
                    sign,
                    *_crossed(Counter(np.array(c.dataset_decisions)[among].tolist())),
                )
            )
    if study.total > 1:
        totals = {
            sign: _crossed(Counter({d: study.tally.crossed[is_small, d] for d in ACTIONS}))
            for sign, is_small in zip(signs, (False, True), strict=True)
        }
        rows += [("all pairs", "", sign, *counts) for sign, counts in totals.items()]
        rows += [
            ("rates", "", sign, "", *(f"{part / all_:.2f}" for part in parts))
            for sign, (all_, *parts) in totals.items()
            if all_
        ]
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


def intervals(study: ComparisonSet) -> Table:
    """Return the credible intervals of the only pair on its only data set."""
    known = study.comparisons[0].result.datasets.credible_intervals()
    fields = (
        Field("", lambda interval: f"{100 * interval.level:.12g} %", heading="interval"),
        Field("", lambda interval: float(interval.low[0]), "difference", "from", decimals=None),
        Field("", lambda interval: float(interval.high[0]), "difference", "to", decimals=None),
    )
    title = "Credible intervals of the mean difference"
    return table(title, fields, known, _decimals(study) + 2)


def means(study: ComparisonSet, comparison: Comparison) -> Table | None:
    """Return the mean scores of a pair on each of its data sets, and the difference's interval.

    None of a test that has no intervals.
    """
    scores, c = study.scores, comparison
    columns_of = [scores.classifiers.index(name) for name in (c.left, c.right)]
    sign = -1 if scores.lower_is_better else 1
    known = {i.level: i for i in c.result.datasets.credible_intervals()}
    if not known:
        return None
    interval = known[max(level for level in known if level <= USUAL)]
    both = {d.name: sign * d.common(columns_of).mean(axis=0) for d in scores.datasets}
    figures = (c.differences.statistics.mean, interval.low, interval.high)
    rows: list[Row] = [
        (name, *both[name].tolist(), *(float(x) for x in own))
        for name, *own in zip(c.differences.statistics.names, *figures, strict=True)
    ]
    decimals = _decimals(study)
    columns = (
        Column("data set"),
        *(Column(name, "number", decimals) for name in (c.left, c.right)),
        *(Column(name, "difference", decimals) for name in ("mean diff", "from", "to")),
    )
    title = f"Mean scores on each data set, with {100 * interval.level:g} % intervals of the "
    return Table(f"{title}difference: {_names(c)}", columns, rows)


def contrasts(study: ComparisonSet) -> Table:
    """Return the frequentist tests of each pair that has one answer."""
    tests = [(c, test) for c in study.comparisons for test in c.result.contrasts]
    rows: list[Row] = [
        (c.left, c.right, test.title, *(float(figure[0]) for figure in FIGURES(test)))
        for c, test in tests
        if np.isfinite(test.p_value[0])
    ]
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


def _names(comparison: Comparison) -> str:
    return f"left {comparison.left}, right {comparison.right}"


def _scores(study: ComparisonSet, of: Getter) -> Field:
    """Return the field with a data set's number of scores, items or clusters."""
    noun = "scores"
    if study.scores.unit.has_answers:
        noun = "clusters" if study.scores.is_clustered else "items"
    return Field("", of, "count", noun, constant=f"{noun} per data set: {{}}")


def _size(study: ComparisonSet) -> tuple[Field, ...]:
    """Return the field with the number of data sets of each pair, unless all pairs have all."""
    q = len(study.scores.datasets)
    return () if all(c.n_datasets == q for c in study.comparisons) else (SIZE,)


def _decimals(study: ComparisonSet) -> int:
    """Return the decimals that show three digits of the rope or the largest mean difference."""
    means = [float(np.abs(c.differences.statistics.mean).max()) for c in study.comparisons]
    scales = [scale for scale in (max(-study.rope.low, study.rope.high), max(means)) if scale > 0]
    return decimals_for(min(scales, default=0.0))
