"""A set of comparisons → the tables and sentences that a person reads, in no format yet."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np

from bcompare.comparison import Comparison, ComparisonSet
from bcompare.methods.base import PopulationResult
from bcompare.notes import Note
from bcompare.report.document import document
from bcompare.report.number import decimals_for, text
from bcompare.report.table import Cell, Column, Table
from bcompare.report.words import disagreement, sentence, settings_line, verdict

# Past so many pairs the sentences would bury the table that says the same.
SENTENCES = 15


@dataclass(frozen=True, eq=False, slots=True)
class Report:
    """What every renderer is given.

    tables : in reading order. sentences : one a pair. hints : how to see more.
    settings : one line. notes : warnings. document : makes the JSON contract, on demand.
    """

    tables: tuple[Table, ...]
    sentences: tuple[str, ...]
    hints: tuple[str, ...]
    settings: str
    notes: tuple[Note, ...]
    document: Callable[[], dict[str, Any]]


def build_report(study: ComparisonSet, *, details: bool = False) -> Report:
    """Choose the tables that fit the question.

    One pair: its data sets. One data set: its pairs. Many of both: a row a pair, and the data
    sets of each pair only with `details`.
    """
    comparisons = study.comparisons
    decimals = _decimals(study)
    population = isinstance(comparisons[0].result, PopulationResult)
    several = max(len(c.differences.statistics) for c in comparisons) > 1
    single = len(comparisons) == 1
    tables: list[Table] = []
    if population:
        tables.append(_population_table(study, decimals))
        tables += [
            _beside_table(study, title, heading, others)
            for title, heading, others in (
                ("Other tests on the same pairs", "test", study.also),
                ("Other priors", "prior", study.sensitivity),
            )
            if others
        ]
        if single:
            tables += _facts_table(comparisons[0], decimals)
    elif not several:
        tables.append(_single_dataset_table(study, decimals))
    elif not single:
        tables.append(_counts_table(study))
    if several and (single or details):
        tables += [_datasets_table(c, decimals) for c in comparisons]
    if several and not population:
        tables.append(_cross_table(study))
    if single and not several and not population:
        tables += _single_answer_tables(comparisons[0], decimals)
    hints = []
    if several and not (single or details):
        hints.append(
            "For the data sets of one pair add --left NAME --right NAME; for those of all pairs, "
            "--details."
        )
    few = comparisons[:SENTENCES] if len(comparisons) <= SENTENCES else ()
    show_sentences = population or single or not several
    return Report(
        tables=tuple(tables),
        sentences=(
            *(sentence(c, study.rope) for c in few if show_sentences),
            *disagreement(study),
        ),
        hints=tuple(hints),
        settings=settings_line(study),
        notes=study.notes,
        document=lambda: document(study),
    )


def _decimals(study: ComparisonSet) -> int:
    """Three digits of the rope; without one, of the largest mean difference."""
    scale = max(-study.rope.low, study.rope.high)
    if scale == 0:
        means = [np.abs(c.differences.statistics.mean).max() for c in study.comparisons]
        scale = float(max(means))
    return decimals_for(scale)


PAIR = (Column("left"), Column("right"))
REGIONS = (Column("p(left)", "region"), Column("p(rope)", "region"), Column("p(right)", "region"))
HOLM = Column("Holm p", "p")


def _regions(comparison: Comparison, i: int) -> tuple[float, float, float]:
    p = comparison.result.datasets.probabilities
    return float(p.left[i]), float(p.rope[i]), float(p.right[i])


def _population_table(study: ComparisonSet, decimals: int) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for c in study.comparisons:
        result = c.result
        if isinstance(result, PopulationResult):
            p = result.probabilities
            words = verdict(c.decision or "none", c.left, c.right)
            rows.append((
                c.left, c.right, float(p.left), float(p.rope), float(p.right),
                words if result.withheld is None else "withheld",
                c.mean_difference, float(result.nhst.p_value), float(c.adjusted.holm[0]),
                len(c.differences.statistics),
            ))  # fmt: skip
    columns = (
        *PAIR, *REGIONS, Column("verdict", "verdict"), Column("mean diff", "difference", decimals),
        Column("p-value", "p"), HOLM, Column("data sets", "count"),
    )  # fmt: skip
    return _without_single_holm(Table(study.method.title, columns, rows), study)


def _beside_table(
    study: ComparisonSet, title: str, heading: str, others: Mapping[str, ComparisonSet]
) -> Table:
    """The same pairs under other tests or priors, each pair's lines together."""
    rows: list[tuple[Cell, ...]] = []
    for i in range(len(study.comparisons)):
        for name, other in others.items():
            c = other.comparisons[i]
            if isinstance(c.result, PopulationResult):
                p = c.result.probabilities
                rows.append((
                    c.left, c.right, name, float(p.left), float(p.rope), float(p.right),
                    verdict(c.decision or "none", c.left, c.right),
                ))  # fmt: skip
    return Table(title, (*PAIR, Column(heading), *REGIONS, Column("verdict", "verdict")), rows)


def _facts_table(comparison: Comparison, decimals: int) -> list[Table]:
    result = comparison.result
    facts = result.facts() if isinstance(result, PopulationResult) else ()
    if not facts:
        return []
    rows: list[tuple[Cell, ...]] = [
        (
            fact.label,
            text(fact.value, Column("", fact.kind, decimals)),
            "" if fact.interval is None else f"{100 * fact.interval.level:g} %",
            *(
                "" if end is None else text(end, Column("", fact.kind, decimals))
                for end in (
                    (fact.interval.low, fact.interval.high) if fact.interval else (None, None)
                )
            ),
        )
        for fact in facts
    ]
    columns = (
        Column("quantity"), Column("value", "figure"), Column("interval", "figure"),
        Column("from", "figure"), Column("to", "figure"),
    )  # fmt: skip
    return [Table(f"left {comparison.left}, right {comparison.right}: details", columns, rows)]


def _single_dataset_table(study: ComparisonSet, decimals: int) -> Table:
    names = dict.fromkeys(c.differences.statistics.names[0] for c in study.comparisons)
    same = len(names) == 1
    rows: list[tuple[Cell, ...]] = []
    for c in study.comparisons:
        statistics = c.differences.statistics
        rows.append((
            c.left, c.right, *(() if same else (statistics.names[0],)), *_regions(c, 0),
            verdict(c.dataset_decisions[0], c.left, c.right), float(statistics.mean[0]),
            float(c.result.p_values[0]), float(c.adjusted.holm[0]), int(statistics.n[0]),
        ))  # fmt: skip
    columns = (
        *PAIR, *(() if same else (Column("data set"),)), *REGIONS, Column("verdict", "verdict"),
        Column("mean diff", "difference", decimals), Column("p-value", "p"), HOLM,
        Column("folds", "count"),
    )  # fmt: skip
    title = f"{study.method.title}: {next(iter(names))}" if same else study.method.title
    return _without_single_holm(Table(title, columns, rows), study)


def _without_single_holm(table: Table, study: ComparisonSet) -> Table:
    """One pair needs no correction for several."""
    if len(study.comparisons) > 1:
        return table
    at = table.columns.index(HOLM)
    return Table(
        table.title,
        table.columns[:at] + table.columns[at + 1 :],
        [row[:at] + row[at + 1 :] for row in table.rows],
    )


def _counts_table(study: ComparisonSet) -> Table:
    """A row a pair: on how many data sets which decision fell, Bayesian and NHST."""
    rows: list[tuple[Cell, ...]] = []
    for c in study.comparisons:
        decided = Counter(c.dataset_decisions)
        significant = c.result.p_values <= study.alpha
        mean = c.differences.statistics.mean
        rows.append((
            c.left, c.right, len(mean),
            decided["left"], decided["rope"], decided["right"], decided["none"],
            int((significant & (mean < 0)).sum()), int((significant & (mean > 0)).sum()),
            c.mean_difference,
        ))  # fmt: skip
    columns = (
        *PAIR, Column("data sets", "count"), Column("left better", "count"),
        Column("equivalent", "count"), Column("right better", "count"),
        Column("undecided", "count"), Column("NHST left", "count"), Column("NHST right", "count"),
        Column("mean diff", "difference", _decimals(study)),
    )  # fmt: skip
    title = (
        f"{study.method.title}: on how many data sets each decision falls "
        f"(NHST: p-value of at most {study.alpha:g})"
    )
    return Table(title, columns, rows)


def _datasets_table(comparison: Comparison, decimals: int) -> Table:
    statistics, datasets = comparison.differences.statistics, comparison.result.datasets
    extra = [np.asarray(attrgetter(shown.field)(datasets)).tolist() for shown in datasets.shown]
    rows: list[tuple[Cell, ...]] = []
    for i, name in enumerate(statistics.names):
        rows.append((
            name, *_regions(comparison, i),
            verdict(comparison.dataset_decisions[i], comparison.left, comparison.right),
            float(statistics.mean[i]), *(values[i] for values in extra), int(statistics.n[i]),
        ))  # fmt: skip
    columns = (
        Column("data set"), *REGIONS, Column("verdict", "verdict"),
        Column("mean diff", "difference", decimals),
        *(Column(shown.header, shown.kind, decimals) for shown in datasets.shown),
        Column("folds", "count"),
    )  # fmt: skip
    title = f"left {comparison.left}, right {comparison.right}: each data set"
    return Table(title, columns, rows)


def _cross_table(study: ComparisonSet) -> Table:
    """NHST against Bayesian decisions over data sets: Tutorial, tables 5 and 6."""
    rows: list[tuple[Cell, ...]] = []
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


def _single_answer_tables(comparison: Comparison, decimals: int) -> list[Table]:
    """One pair on one data set: everything there is to say of it."""
    datasets: Any = comparison.result.datasets
    finer = decimals + 2
    intervals: list[tuple[Cell, ...]] = [
        (f"{100 * interval.level:g} %", float(interval.low[0]), float(interval.high[0]))
        for interval in datasets.intervals
    ]
    tests: list[tuple[Cell, ...]] = [
        (
            name, float(test.statistic[0]), float(test.p_value[0]),
            float(test.p_left_better[0]), float(test.p_right_better[0]),
        )
        for name, test in (
            ("corrected for correlation", datasets.nhst),
            ("uncorrected", datasets.nhst_uncorrected),
        )
    ]  # fmt: skip
    return [
        Table(
            "Credible intervals of the mean difference",
            (
                Column("interval"),
                Column("from", "difference", finer),
                Column("to", "difference", finer),
            ),
            intervals,
        ),
        Table(
            "Paired t-tests, for contrast",
            (
                Column("t-test"),
                Column("t", "difference", 3),
                Column("two-sided p", "p"),
                Column("p, left better", "p"),
                Column("p, right better", "p"),
            ),
            tests,
        ),
    ]
