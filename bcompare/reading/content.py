"""What results hold, in a sentence: how many classifiers, data sets and scores, of what rows."""

import numpy as np

from bcompare.basis.messages import Record, arg, number_of
from bcompare.data.scores import Scores
from bcompare.files.options import ROW_NUMBERS, ReadOptions


def content_of(scores: Scores) -> str:
    """Return the size of the results: classifiers, data sets, and folds, seeds or items."""
    unit = scores.unit
    tables = [dataset.table for dataset in scores.datasets]
    parts = [number_of(len(scores.classifiers) - len(scores.extremes), "classifier")]
    parts.append(number_of(len(tables), "data set"))
    counts = sorted({dataset.items or len(dataset.table) for dataset in scores.datasets})
    designs = {(dataset.runs, dataset.folds) for dataset in scores.datasets}
    runs, folds = next(iter(designs))
    if unit.has_folds and len(designs) == 1 and runs > 1 and folds:
        parts += [number_of(runs, "run"), number_of(folds, "fold")]
    elif unit.has_spread:
        few = "" if len(counts) == 1 else f"{counts[0]:,} to "
        parts.append(f"{few}{number_of(counts[-1], str(unit))}")
    values = np.concatenate([table[np.isfinite(table)] for table in tables])
    if scores.lower_is_better:
        values = -values
    low = values.min() + 0.0
    high = values.max() + 0.0
    span = f"{number_of(len(values), 'score')} from {low:.4g} to {high:.4g}"
    if scores.is_clustered or scores.extremes:  # rows are sums, or columns extremes
        span = number_of(scores.account.used, "score")
    failed = ", failed ones at their worst and their best" if scores.extremes else ""
    return f"{' × '.join(parts)}, {span}{failed}"


def rows_of(scores: Scores, options: ReadOptions) -> str:
    """Return what a reading takes rows for."""
    unit = scores.unit
    if unit.has_answers:
        return "test items, one a row" if options.item_col == ROW_NUMBERS else "test items"
    if not unit.has_spread:
        return "one mean per data set, for signrank, sign and rank"
    if unit.is_unpaired:
        return "trials of sides that share nothing"
    if not unit.has_folds:
        return "independent runs on one split (ρ 0)"
    if options.rho is None:
        return "folds of cross-validation (ρ = 1/folds)"
    return f"runs that each split the data anew (ρ {options.rho:g}: the share of test cases)"


def as_read(files: str, assumed: Record, scores: Scores, options: ReadOptions) -> str:
    """Return what files were taken for, and the options that say so.

    assumed : these options.
    """
    better = "lower" if scores.lower_is_better else "higher"
    words = " ".join(arg(k, [*v] if isinstance(v, tuple) else v) for k, v in assumed.items())
    return (
        f"{files}: read by the names of its columns, as {content_of(scores)}, {better} is better; "
        f"rows are {rows_of(scores, options)}. To make this explicit: {words}"
    )
