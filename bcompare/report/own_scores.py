"""Tables of the mean scores of classifiers, each by itself."""

import math
from collections.abc import Sequence

import numpy as np

from bcompare.basis.messages import Record
from bcompare.data.rope import FloatArray
from bcompare.data.scores import Scores
from bcompare.methods.own_scores import OwnScores, own_scores
from bcompare.report.fields import plain
from bcompare.report.table import Cell, Column, Row, Strong, Table, decimals_for, unsigned

# A table with a column for each of more classifiers is too wide to read.
MOST_IN_MATRIX = 12

ABOUT_MEANS = (
    "intervals that overlap do not show that two classifiers are equal: compare them by a test · "
    "bcompare explain std. error"
)


def tables_of_each(scores: Scores, order: Sequence[int] | None = None) -> list[Table]:
    """Return the mean scores of each classifier, overall first; order : of the classifiers."""
    scores_of = own_scores(scores)
    order = list(range(len(scores.classifiers)) if order is None else order)
    tables = [_overall(scores_of, scores, order)]
    if len(scores_of.datasets) > 1:
        tables.append(_by_dataset(scores_of, scores, order))
    return tables


def records_of_each(scores: Scores) -> list[Record]:
    """Return a record for each data set and classifier, and for the average of several."""
    means = own_scores(scores)
    names = (*means.datasets, None)[: len(means.mean)]
    arrays = {
        "mean_score": means.mean,
        "standard_error": means.error,
        "low": means.low,
        "high": means.high,
        "n": means.n,
    }
    records = []
    for i, name in enumerate(names):
        for k, who in enumerate(scores.classifiers):
            if means.n[i, k]:
                figures = {key: plain(array[i, k]) for key, array in arrays.items()}
                records.append({"dataset": name, "classifier": who} | figures)
    return records


def _overall(own_means: OwnScores, scores: Scores, order: Sequence[int]) -> Table:
    """Return a row for each classifier: on the only data set, or averaged over several."""
    decimals = decimals_of(own_means)
    several = len(own_means.datasets) > 1
    means = _marked(scores, own_means.mean[-1], decimals)
    comparable = not several or len({*own_means.n[-1].tolist()}) == 1
    if not comparable:  # an average over other data sets may be larger, and no better
        means = [None if mean is None else str(mean) for mean in means]
    rows: list[Row] = []
    for k in order:
        figures = (own_means.error[-1, k], own_means.low[-1, k], own_means.high[-1, k])
        texts = ("–" if np.isnan(x) else unsigned(float(x), decimals) for x in figures)
        rows.append((scores.classifiers[k], means[k], *texts, int(own_means.n[-1, k])))
    noun = "clusters" if scores.is_clustered else scores.unit.plural
    if several:
        noun = "data sets"
    columns = (
        Column("classifier"),
        *(Column(name, "figure") for name in ("mean score", "std. error", "from", "to")),
        Column(noun, "count"),
    )
    q = len(own_means.datasets)
    where = (
        f"on average over {q} data sets, with 95 % intervals for data sets like these"
        if several
        else f"on {own_means.datasets[0]}, with 95 % intervals"
    )
    marked = "; the best is marked" if comparable else ""
    title = f"Each classifier's mean score {where}{marked}"
    return Table(title, columns, rows, by_test=False)


def _by_dataset(own_means: OwnScores, scores: Scores, order: Sequence[int]) -> Table:
    """Return a row for each data set, with its number of scores where that differs."""
    shown = order[:MOST_IN_MATRIX]
    decimals = decimals_of(own_means)
    has_count = scores.unit.has_spread and len({*own_means.n[:-1].ravel().tolist()}) > 1
    rows: list[Row] = []
    for i, name in enumerate(own_means.datasets):
        marked = _marked(scores, own_means.mean[i], decimals, own_means.error[i])
        count = (int(own_means.n[i].max()),) if has_count else ()
        rows.append((name, *(marked[k] for k in shown), *count))
    noun = "clusters" if scores.is_clustered else scores.unit.plural
    columns = [Column("data set")]
    columns += [Column(scores.classifiers[k], "figure") for k in shown]
    if has_count:
        columns.append(Column(noun, "count"))
    some = "" if len(shown) == len(order) else f" of the first {len(shown)} classifiers"
    error = " ± standard error" if scores.unit.has_spread else ""
    if error and any(dataset.rho for dataset in scores.datasets):
        error += ", corrected for the correlation of folds,"
    title = f"Mean score{error} on each data set{some}, the best marked"
    return Table(title, tuple(columns), rows, by_test=False)


def _marked(
    scores: Scores, means: FloatArray, decimals: int, errors: FloatArray | None = None
) -> list[Cell]:
    """Return means as text, with their errors; the best of the rounded ones are strong."""
    extreme = np.nanmin if scores.lower_is_better else np.nanmax
    best = unsigned(float(extreme(means)), decimals)
    cells: list[Cell] = []
    for k, mean in enumerate(means.tolist()):
        if math.isnan(mean):
            cells.append(None)
            continue
        text = unsigned(mean, decimals)
        kind = Strong if text == best else str
        if errors is not None and not np.isnan(errors[k]):
            text += f" ± {unsigned(float(errors[k]), decimals)}"
        cells.append(kind(text))
    return cells


def decimals_of(own_means: OwnScores) -> int:
    """Return the decimals that show two digits of the typical error, or three of the scores."""
    errors = own_means.error[np.isfinite(own_means.error) & (own_means.error > 0)]
    if len(errors):
        return max(0, decimals_for(float(np.median(errors))) - 1)
    return decimals_for(float(np.nanmax(np.abs(own_means.mean)))) + 1
