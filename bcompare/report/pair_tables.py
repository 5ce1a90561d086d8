"""Tables of pairs and of their data sets, one function each."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter

import numpy as np

from bcompare.comparing.comparison import Comparison
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.comparing.decision import ACTIONS, Decision
from bcompare.data.rope import REGIONS
from bcompare.report.fields import Field, Getter, table
from bcompare.report.pair_fields import (
    ADJUSTED,
    DATASET,
    MEAN,
    NAMES,
    P_VALUE,
    PROBABILITIES,
    SIZE,
    expected_loss,
)
from bcompare.report.sentences import title_of, verdict
from bcompare.report.table import Cell, Column, Row, Table, decimals_for, difference, percent

# The most characters in a line of a table with spare columns.
WIDTH = 110


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
    shown_fields = study.comparisons[0].result.shown
    fields = [
        Field("", f"result.{shown.field}", shown.kind, shown.header) for shown in shown_fields
    ]
    return _answers(study, study.method.title, fields, _size(study), details=details, span=span)


def _answers(
    study: ComparisonSet,
    title: str,
    of_method: Sequence[Field],
    last: Sequence[Field],
    *,
    details: bool,
    span: bool,
) -> Table:
    """Return a row for each pair, of the answers over all data sets or on the only one.

    of_method : the fields of the test, for `details`.
    last : further ones, if there are several pairs.
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
        fields = (*ANSWER, _observed(study), *chance, P_VALUE, *adjusted, *of_method, *last)
    return _with_failures(study, title, fields)


def _with_failures(study: ComparisonSet, title: str, fields: Sequence[Field]) -> Table:
    result = table(title, fields, study.comparisons, decimals_of(study))
    empty = [None] * (len(fields) - 3)
    failed = [(f.left, f.right, "failed", *empty) for f in study.failures]
    return Table(result.title, result.columns, [*result.rows, *failed])


def _with_differences(
    study: ComparisonSet, title: str, more: Sequence[Field], *, span: bool
) -> Table:
    """Return the answers with the mean differences, and their intervals if lines have room."""
    decimals = decimals_of(study)

    def interval(c: Comparison) -> str | None:
        ends = (c.observed.low, c.observed.high) if c.observed else ()
        return " to ".join(difference(end, decimals) for end in ends) or None

    ends = Field("", interval, "figure", "95 % interval", spare="first")
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


CHANCE = Field("", _chances, "figure", "next", spare="first")


def next_dataset(c: Comparison) -> Table | None:
    """Return the chances of the outcomes on the next data set; None if they are not known.

    Where they count the data sets at hand, too, those by the model alone stand beside them.
    """
    chances = c.result.chances
    if chances is None:
        return None
    alone = c.result.model_alone
    rows: list[Row] = []
    for region in REGIONS:
        row: list[Cell] = [
            verdict(region, c.left, c.right),
            f"{percent(getattr(chances, region))} %",
        ]
        if alone is not None:
            row.append(f"{percent(getattr(alone, region))} %")
        rows.append(tuple(row))
    columns = [Column("outcome"), Column("chance", "figure")]
    if alone is not None:
        columns.append(Column("by the model alone", "figure"))
    return Table("On the next data set", tuple(columns), rows)


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
    title = f"Expected loss of each decision on each data set: {names_of(comparison)}"
    return Table(title, columns, rows)


def _of_one_dataset(study: ComparisonSet, *, details: bool, span: bool) -> Table:
    """Return a row for each pair, if each has one data set."""
    names = {c.differences.statistics.names[0] for c in study.comparisons}
    dataset = Field("", lambda c: c.differences.statistics.names[0], heading="data set")
    last = (dataset,) if len(names) > 1 else ()
    fields = [*_of_one(study), _scores(study, lambda c: int(c.differences.statistics.rows[0]))]
    title = title_of(study) + (f": {names.pop()}" if len(names) == 1 else "")
    return _answers(study, title, fields, last, details=details, span=span)


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
    fields_by_key = {field.key: field for field in DATASET}
    regions = (
        (fields_by_key["p_left"], fields_by_key["p_rope"], fields_by_key["p_right"])
        if result.uncertain
        else ()
    )
    words = Field(
        "", _dataset_words, "verdict", "verdict" if result.uncertain else "by the mean alone"
    )
    shown = [*result.shown]
    if details:
        shown += result.shown_in_details
    own_fields = [
        Field("", f"result.datasets.{column.field}", column.kind, column.header, decimals=None)
        for column in shown
    ]
    fields = (
        fields_by_key["dataset"],
        *regions,
        words,
        fields_by_key["mean_difference"],
        *own_fields,
        _scores(study, fields_by_key["n"].of),
    )
    chosen = _most_telling(comparison, most)
    cells = [np.asarray(field.cell(comparison), object)[chosen] for field in fields]
    name = f"{title_of(study)} on each data set: {names_of(comparison)}"
    if len(chosen) < (q := comparison.n_datasets):
        name += f" (the {len(chosen):,} most telling of {q:,}; --top 0 shows all)"
    columns = tuple(field.column(decimals_of(study)) for field in fields)
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


def names_of(comparison: Comparison) -> str:
    """Return which classifier of a pair is on the left and which on the right."""
    return f"left {comparison.left}, right {comparison.right}"


def _scores(study: ComparisonSet, get: Getter) -> Field:
    """Return the field with a data set's number of scores, items or clusters."""
    noun = "scores"
    if study.scores.unit.has_answers:
        noun = "clusters" if study.scores.is_clustered else "items"
    if study.scores.unit.is_unpaired:
        noun = "trials of both"
    return Field("", get, "count", noun, constant=f"{noun} per data set: {{}}")


def _size(study: ComparisonSet) -> tuple[Field, ...]:
    """Return the field with the number of data sets of each pair, unless all pairs have all."""
    q = len(study.scores.datasets)
    return () if all(c.n_datasets == q for c in study.comparisons) else (SIZE,)


def decimals_of(study: ComparisonSet) -> int:
    """Return the decimals that show three digits of the rope or the largest mean difference."""
    means = [float(np.abs(c.differences.statistics.mean).max()) for c in study.comparisons]
    scales = [scale for scale in (max(-study.rope.low, study.rope.high), max(means)) if scale > 0]
    return decimals_for(min(scales, default=0.0))
