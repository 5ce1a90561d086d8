"""The report on a family of classifiers: the answer first, then what it rests on."""

from collections.abc import Callable

import numpy as np

from bcompare.comparing.family import Family
from bcompare.comparing.summary import TOP
from bcompare.data.differences import mean_scores
from bcompare.data.rope import uncertain
from bcompare.report import tables
from bcompare.report.build import Report
from bcompare.report.family_document import family_document, family_rows
from bcompare.report.family_words import (
    average,
    family_settings,
    pair_sentence,
    ranks_sentence,
    verdict_sentences,
)
from bcompare.report.number import decimals_for, probability
from bcompare.report.rows import record_rows
from bcompare.report.table import Cell, Column, Table, condensed
from bcompare.report.words import disagreement, how_to_read, named, settings_line

Row = tuple[Cell, ...]

# More classifiers than this make a matrix that nobody can read.
MOST_IN_MATRIX = 12
# Of so many folds the scores are shown: ten runs of ten.
FOLDS = 100
# What a decision looks like in the matrix, the row's classifier first.
SIGNS = (">", "=", "<")


def build_family_report(family: Family, *, details: bool = False, top: int = TOP) -> Report:
    """Choose the tables; with `details` also the folds of a single data set."""
    study = family.study
    chosen = [_best(family, top), _matrix(family), _ranks(family, top)]
    chosen += [_family_tests(family), _pairwise(family, top)]
    if study is not None:
        chosen += [tables.population(study), *([tables.also(study)] if study.also else [])]
        chosen += [tables.losses(study)]
    if details:
        chosen += [_means(family), _correlation(family), _folds(family, top)]
    kept, said = condensed(chosen)
    settings = family_settings(family, said)
    return Report(
        lead=tuple(verdict_sentences(family)),
        tables=kept,
        sentences=tuple(
            line
            for line in (ranks_sentence(family), *(disagreement(study) if study else ()))
            if line
        ),
        hints=tuple(_hints(family, details, top)),
        settings=settings if study is None else f"{settings}; pairs: {settings_line(study)}",
        notes=family.notes,
        reading=how_to_read("rank"),
        document=lambda: family_document(family),
        rows=lambda: record_rows(family_rows(family)),
    )


def _best(family: Family, top: int) -> Table:
    """A row a classifier, the smallest expected regret first."""
    best = family.best
    names = best.classifiers
    size = max(float(best.regret.max()), family.rope.high)
    decimals = decimals_for(size) + 1
    score = decimals_for(float(np.abs(family.mean_score).max())) + 2
    cells: list[tuple[Column, Callable[[int], Cell]]] = [
        (Column("classifier"), lambda k: names[k]),
        (Column("p(best)", "probability"), lambda k: uncertain(best.p_best[k])),
        (Column("p(within rope)", "probability"), lambda k: uncertain(best.p_practically_best[k])),
        (Column("p(least regret)", "probability"), lambda k: uncertain(best.p_least_regret[k])),
        (Column("regret", "number", decimals), lambda k: float(best.regret[k])),
        (Column("from", "number", decimals), lambda k: float(best.regret_interval.low[k])),
        (Column("to", "number", decimals), lambda k: float(best.regret_interval.high[k])),
        (Column("mean score", "number", score), lambda k: float(family.mean_score[k])),
    ]
    costs = family.scores.costs
    if costs is not None and family.preferred is not None:
        column = Column(family.preferred.column, "number", decimals_for(float(costs.max())) + 1)
        cells.append((column, lambda k: float(costs[k])))
    several = Column("data sets", "count", said="{} data sets")
    cells.append((several, lambda k: int(best.n_datasets[k])))
    order = best.order[: top or None]
    rows: list[Row] = [tuple(get(k) for _, get in cells) for k in order]
    columns = tuple(column for column, _ in cells)
    for lone in family.set_apart if not top or len(best.order) <= top else ():
        filled: dict[str, Cell] = {
            "classifier": lone.classifier,
            "mean score": lone.mean_score,
            "data sets": lone.n_datasets,
        }
        rows.append(tuple(filled.get(column.header) for column in columns))
    level = f"{100 * best.regret_interval.level:g} %"
    return Table(f"What each choice costs, with {level} intervals of the regret", columns, rows)


def _ranks(family: Family, top: int) -> Table:
    """A row a classifier: its mean rank, and how often it beats the others by the rope."""
    best, ranks = family.best, family.ranks
    level = f"{100 * best.rank_interval.level:g} %"
    columns = (
        Column("classifier"), Column("mean rank", "number", 3), Column("expected", "number", 3),
        Column("from", "number", 2), Column("to", "number", 2), Column("wins", "count"),
        Column("ties", "count"), Column("losses", "count"),
    )  # fmt: skip
    if ranks is None:
        return Table("", columns, ())
    own = np.diag(ranks.ties)
    rows: list[Row] = [
        (
            best.classifiers[k], float(ranks.mean_rank[k]), float(best.rank[k]),
            float(best.rank_interval.low[k]), float(best.rank_interval.high[k]),
            int(ranks.wins[k].sum()), int(ranks.ties[k].sum() - own[k]),
            int(ranks.wins[:, k].sum()),
        )
        for k in best.order[: top or None]
    ]  # fmt: skip
    title = (
        f"Mean ranks in these data, and on further data sets with {level} intervals; wins, ties "
        "and losses by the rope"
    )
    return Table(title, columns, rows)


def _matrix(family: Family) -> Table:
    """All pairs: whether the row's classifier beats the column's; by regret, equals together."""
    best = family.best
    order = _grouped(family)
    names = best.classifiers
    if not 2 < len(order) <= MOST_IN_MATRIX:
        return Table("", (), ())
    rows: list[Row] = []
    for number, i in order:
        cells = [_cell(family, i, j) for _, j in order]
        rows.append((names[i], number, *cells))
    columns = (
        Column("row against column"), Column("group", "count"),
        *(Column(names[j], "figure") for _, j in order),
    )  # fmt: skip
    title = (
        f"All pairs {average(family)}: row practically better (>), equivalent (=) or worse (<) "
        "than column, with its probability; ? where undecided"
    )
    return Table(title, columns, rows)


def _cell(family: Family, i: int, j: int) -> str:
    pairs = family.best.pairs
    if i == j:
        return "·"
    p = [float(table[i, j]) for table in (pairs.left, pairs.rope, pairs.right)]
    if np.isnan(p[0]):
        return "–"
    likeliest = p.index(max(p))
    doubt = "?" if family.decisions[i, j] == "none" else ""
    return f"{SIGNS[likeliest]}{doubt} {probability(uncertain(p[likeliest]))}"


def _grouped(family: Family) -> list[tuple[int, int]]:
    """Classifiers by regret, those that are equivalent to the first of a group within it."""
    left = list(family.best.order)
    grouped: list[tuple[int, int]] = []
    number = 0
    while left:
        first, number = left[0], number + 1
        members = [k for k in left if k == first or family.decisions[first, k] == "rope"]
        grouped += [(number, k) for k in members]
        left = [k for k in left if k not in members]
    return grouped


def _family_tests(family: Family) -> Table:
    columns = (Column("test"), Column("statistic", "number", 3), Column("p-value", "p"))
    if family.ranks is None:
        return Table("", columns, ())
    rows: list[Row] = [
        (name, float(test.statistic), float(test.p_value))
        for name, test in family.ranks.tests.items()
    ]
    return Table("For contrast: is there any difference among the classifiers?", columns, rows)


def _pairwise(family: Family, top: int) -> Table:
    """The frequentist tests of all pairs, the smallest p-values first where not all are shown."""
    pairwise = family.pairwise
    decimals = 1 if family.lone is None else 3
    columns = (
        *tables.PAIR, Column("statistic", "number", decimals), tables.P_VALUE, *tables.CORRECTED
    )  # fmt: skip
    if pairwise is None:
        return Table("", columns, ())
    at = np.arange(len(pairwise.pairs))
    if top and len(at) > top:
        at = np.argsort(pairwise.p_values, kind="stable")[:top]
    rows: list[Row] = [
        (
            *pairwise.pairs[k], float(pairwise.tests[k].statistic), float(pairwise.p_values[k]),
            float(pairwise.bonferroni[k]), float(pairwise.holm[k]),
        )
        for k in at.tolist()
    ]  # fmt: skip
    sides = "" if family.alternative == "two-sided" else f", one-sided: {family.alternative} better"
    name = named(test.test for test in pairwise.tests)
    return Table(f"For contrast: {name}{sides}", columns, rows)


def _means(family: Family) -> Table:
    """Of several data sets: every mean score, classifiers by their regret."""
    if family.lone is not None:
        return Table("", (), ())
    order = family.best.order[:MOST_IN_MATRIX]
    sign = -1 if family.scores.lower_is_better else 1
    rows: list[Row] = []
    for dataset in family.scores.datasets:
        means = sign * mean_scores(dataset)
        cells = (None if np.isnan(means[k]) else float(means[k]) for k in order)
        rows.append((dataset.name, *cells))
    names = family.best.classifiers
    columns = (Column("data set"), *(Column(names[k], "number", 4) for k in order))
    some = "" if len(order) == len(names) else f", of the first {len(order)} classifiers"
    return Table(f"Mean scores on each data set{some}", columns, rows)


def _correlation(family: Family) -> Table:
    """Of a single data set: how the classifiers' scores go together over the folds."""
    names, lone = family.best.classifiers, family.lone
    if lone is None:
        return Table("", (), ())
    rows: list[Row] = [
        (name, *(None if np.isnan(r) else float(r) for r in row))
        for name, row in zip(names, lone.correlation, strict=True)
    ]
    columns = (Column("classifier"), *(Column(name, "number", 3) for name in names))
    return Table("Correlation of the classifiers over the folds", columns, rows)


def _folds(family: Family, top: int) -> Table:
    """Of a single data set: the scores by fold."""
    lone = family.lone
    if lone is None:
        return Table("", (), ())
    columns = (
        Column("fold", "count"), *(Column(name, "number", 4) for name in family.best.classifiers)
    )  # fmt: skip
    scores = lone.scores[: max(top, FOLDS) if top else None]
    rows: list[Row] = [(i, *row) for i, row in enumerate(scores.tolist(), 1)]
    some = (
        f", the first {len(rows)} of {len(lone.scores):,}" if len(rows) < len(lone.scores) else ""
    )
    return Table(f"Scores by fold: {lone.name}{some}", columns, rows)


def _hints(family: Family, details: bool, top: int) -> list[str]:
    """What is left out, and how to see it."""
    hints, c = [], len(family.best.order)
    if top and c > top:
        hints.append(
            f"{top} of {c} classifiers are shown; --top 0 shows all, and -o ranks.csv has all"
        )
    pairs = c * (c - 1) // 2
    if family.pairwise is not None and top and pairs > top:
        hints.append(
            f"{top} of {pairs:,} tests of pairs are shown, the smallest p-values first; --top 0 "
            "shows all"
        )
    if c > MOST_IN_MATRIX:
        hints.append(
            f"A matrix of {c} classifiers is too wide to read: --format json has every pair's "
            "probabilities, --classifier NAME chooses fewer"
        )
    if family.lone is not None and not details:
        hints.append("For the scores by fold and their correlations add --details")
    if c == 2:
        hints.append(pair_sentence(family, 0, 1))
    return hints
