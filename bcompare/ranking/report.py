"""Report a family of classifiers: the tables, and what they leave out."""

from collections.abc import Iterator
from dataclasses import replace
from operator import itemgetter

import numpy as np

from bcompare.basis.messages import spelled
from bcompare.comparing.comparison_set import TOP
from bcompare.data.scores import DatasetScores
from bcompare.ranking import leaderboard
from bcompare.ranking.family import Family, correlations
from bcompare.ranking.ranks import Ranks
from bcompare.ranking.sentences import (
    average,
    centre_and_mean,
    context_of_family,
    family_settings,
    pair_sentence,
    paper_of_family,
    ranks_sentence,
    regions,
    sure,
    verdict_sentences,
)
from bcompare.report import pair_details, pair_tables
from bcompare.report.fields import Field, plain, record_rows, table
from bcompare.report.own_scores import MOST_IN_MATRIX, tables_of_each
from bcompare.report.pair_fields import ADJUSTED, NAMES, P_VALUE
from bcompare.report.pair_report import Report
from bcompare.report.sentences import disagreement, how_to_read, settings_line
from bcompare.report.table import Column, Row, Table, condensed

# The table of a single data set shows ten runs of ten folds at least.
ROWS = 100
# The mark of each decision in the matrix, from the row's point of view.
SIGNS = (">", "=", "<")


def build_family_report(family: Family, *, details: bool = False, top: int = TOP) -> Report:
    """Build the report; `details` adds the scores by row of a single data set."""
    study = family.study
    ranks = family.ranks
    lone = family.lone
    chosen: list[Table | None] = [leaderboard.standings(family, top, details=details)]
    if details:
        chosen = [*tables_of_each(family.scores, family.best.order), *chosen]
        chosen += [leaderboard.chances(family, top), matrix(family)]
        if ranks is not None:
            chosen += [leaderboard.mean_ranks(family, top), _family_tests(ranks)]
        chosen.append(_pairwise(family, top))
    if study is not None:
        chosen.append(pair_tables.population(study, details=details))
        if study.also:
            chosen.append(pair_details.also(study))
        chosen.append(pair_tables.losses(study))
    if details and lone is not None and not family.scores.is_clustered:
        chosen += [_correlation(family, lone), _rows(family, lone, top)]
    settings = family_settings(family, details=details)
    if study is not None:
        settings += f"; pairs: {settings_line(study, details=details)}"
    sentences = [*verdict_sentences(family)]
    if details:
        sentences.append(ranks_sentence(family))
    if study is not None:
        sentences.append(disagreement(study))
    sentences.append(centre_and_mean(family))
    sentences += _left_out(family, details=details, top=top)
    return Report(
        tables=condensed(chosen, (1 - family.alpha,)),
        sentences=tuple(sentences),
        hints=(pair_sentence(family, 0, 1),) if len(family.best.order) == 2 else (),
        settings=settings,
        notes=family.notes,
        pasted=lambda: (leaderboard.pasted(family, top), leaderboard.resolution_sentence(family)),
        paper=lambda: paper_of_family(family),
        context=lambda: context_of_family(family),
        reading=how_to_read("rank", family.rope, percent=family.scores.percent),
        detailed=details,
        document=lambda: leaderboard.family_document(family),
        rows=lambda: record_rows(leaderboard.flat_records(family)),
        names=family.names,
    )


def matrix(family: Family, most: int = MOST_IN_MATRIX) -> Table | None:
    """Return a matrix of verdicts on the row's classifier against the column's, by regret."""
    best = family.best
    order = best.order
    names = best.classifiers
    if not 2 < len(order) <= most:
        return None
    rows: list[Row] = []
    is_wide = len(order) > MOST_IN_MATRIX
    for i in order:
        cells = [_cell(family, i, j) for j in order]
        rows.append((names[i], int(family.tiers[i]), *cells))
    heads = [str(place) if is_wide else names[j] for place, j in enumerate(order, 1)]
    columns = (
        Column("row against column"),
        leaderboard.TIER.column(0),
        *(Column(text, "figure") for text in heads),
    )
    title = (
        f"All pairs {average(family)}: row practically better (>), equivalent (=) or worse (<) "
        "than column, with its probability; ? where undecided"
    )
    if is_wide:
        title += "; columns are numbered by place"
    return Table(title, columns, rows)


def _cell(family: Family, i: int, j: int) -> str:
    if i == j:
        return "·"
    p = [*regions(family, i, j)]
    if np.isnan(p[0]):
        return "–"
    likeliest = p.index(max(p))
    doubt = "?" if family.decisions[i, j] == "none" else ""
    return f"{SIGNS[likeliest]}{doubt} {sure(family, p[likeliest])}"


def _family_tests(ranks: Ranks) -> Table:
    fields = (
        Field("", itemgetter(0), heading="test"),
        Field("", lambda row: float(row[1].statistic), "number", "statistic", decimals=3),
        Field("", lambda row: plain(row[1].p_value), "p", "p-value"),
    )
    title = "For contrast: is there any difference among the classifiers?"
    return replace(table(title, fields, ranks.tests.items()), by_test=False)


def _pairwise(family: Family, top: int) -> Table:
    """Return the frequentist tests of pairs; the smallest p-values if there are too many."""
    pairwise = family.pairwise
    places = np.arange(len(pairwise.pairs))
    if top and len(places) > top:
        places = np.argsort(pairwise.p_values, kind="stable")[:top]
    statistic = Column("statistic", "number", 1 if family.lone is None else 3)
    rows: list[Row] = [
        (
            *pairwise.pairs[k],
            pairwise.tests[k].statistic,
            float(pairwise.p_values[k]),
            float(pairwise.bonferroni[k]),
            float(pairwise.holm[k]),
            pairwise.tests[k].p_left_better,
            pairwise.tests[k].p_right_better,
        )
        for k in places.tolist()
    ]
    left, right, *p_values = (field.column(4) for field in (*NAMES, P_VALUE, *ADJUSTED))
    name = " or ".join(sorted({test.title for test in pairwise.tests}))
    sides = (Column("p, left better", "p"), Column("p, right better", "p"))
    columns = (left, right, statistic, *p_values, *sides)
    return Table(f"For contrast: {name}", columns, rows, by_test=False)


def _correlation(family: Family, lone: DatasetScores) -> Table:
    """Return the correlations of the classifiers' scores over the rows of a single data set."""
    names = family.best.classifiers
    rows: list[Row] = []
    for name, row in zip(names, correlations(lone).tolist(), strict=True):
        cells = [None if np.isnan(value) else value for value in row]
        rows.append((name, *cells))
    columns = (Column("classifier"), *(Column(name, "number", 3) for name in names))
    title = f"Correlation of the classifiers over the {family.scores.unit.plural}"
    return Table(title, columns, rows, by_test=False)


def _rows(family: Family, lone: DatasetScores, top: int) -> Table:
    """Return the scores by row of a single data set."""
    unit = family.scores.unit
    columns = (
        Column(unit, "count"),
        *(Column(name, "number", 4) for name in family.best.classifiers),
    )
    scores = family.signed(lone.means)[: max(top, ROWS) if top else None]
    rows: list[Row] = [(i, *row) for i, row in enumerate(scores.tolist(), 1)]
    some = f", the first {len(rows)} of {len(lone.table):,}" if len(rows) < len(lone.table) else ""
    return Table(f"Scores by {unit}: {lone.name}{some}", columns, rows, by_test=False)


def _left_out(family: Family, *, details: bool, top: int) -> Iterator[str]:
    """Yield what the tables leave out, and how to see it."""
    c = len(family.best.order)
    if top and c > top:
        everything = spelled("--top 0 shows all, and -o ranks.csv has all", "to_frame() has all")
        yield f"{top} of {c} classifiers are shown; {everything}"
    pairs = c * (c - 1) // 2
    if details and top and pairs > top:
        yield (
            f"{top} of {pairs:,} tests of pairs are shown, the smallest p-values first; "
            f"{spelled('--top 0 shows all', 'family.pairwise has all')}"
        )
