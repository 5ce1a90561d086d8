"""Checks that the scores of two classifiers can be paired: the same folds, on the same scale."""

from collections.abc import Iterator

import numpy as np

from bcompare.data.direction import is_share
from bcompare.data.rope import FloatArray
from bcompare.data.scales import LEAST_PERCENT, scaled
from bcompare.files.problems import Problems, clipped, quoted
from bcompare.reading.grid import Grid
from bcompare.reading.survey import Survey
from bcompare.reading.terms import MISSING_ROWS, UNPAIRED, different_folds

FAR_APART = 10.0
"""Percentages are more than this times as large as fractions."""
RATINGS = (5.0, 7.0, 10.0)
"""The usual highest ratings."""
MOSTLY = 0.95
"""With a smaller share above 1 some of the scores are fractions."""


def check_splits(survey: Survey, problems: Problems) -> None:
    """Refuse folds that were made with other seeds, or in another number, for some classifiers."""
    if not survey.grid.unit.has_folds:
        return
    for finding in _seeds(survey):
        problems.add(
            finding, f"{UNPAIRED}; if it is the models' own seed, leave that column out of the file"
        )
    # a row without a score shows that the fold was meant to be there
    unscored = {name for part in survey.account.left_out for name in part.classifiers}
    for finding in different_folds(survey.grid, unscored):
        problems.add(finding, MISSING_ROWS)


def _seeds(survey: Survey) -> Iterator[str]:
    """Yield data sets on which two classifiers have one seed each for a run, and not the same."""
    long, grid = survey.rows, survey.grid
    if "split-seed" not in long.keys:
        return
    names, code = long.keys["split-seed"].used()
    row, classifier = np.divmod(grid.cell, len(grid.classifiers))
    run = np.cumsum(np.diff(grid.dataset * len(grid.runs) + grid.run, prepend=-1) != 0) - 1
    shape = int(run[-1]) + 1, len(grid.classifiers)
    low, high = np.full(shape, len(names)), np.full(shape, -1)
    count = np.zeros(shape, np.int64)
    at = run[row], classifier
    np.minimum.at(low, at, code)
    np.maximum.at(high, at, code)
    np.add.at(count, at, 1)
    empty = names.index("") if "" in names else -1
    one = (low == high) & (count > 1) & (low != empty)  # a seed for each fold is the model's
    title = quoted(long.titles["split-seed"])
    for at_run in np.flatnonzero(one.sum(axis=1) > 1).tolist():
        own = np.flatnonzero(one[at_run])
        other = own[low[at_run, own] != low[at_run, own[0]]]
        if len(other):
            first = grid.row_name(int(np.flatnonzero(run == at_run)[0])).rpartition(", ")[0]
            (a, b), (x, y) = (
                [clipped(grid.classifiers[k]) for k in (own[0], other[0])],
                [clipped(names[low[at_run, k]]) for k in (own[0], other[0])],
            )
            yield f"{first}: column {title} is {x} for {a} and {y} for {b}"


def check_scales(survey: Survey, problems: Problems) -> None:
    """Refuse fractions of some classifiers beside percentages of others."""
    grid = survey.grid
    size = np.abs(np.where(grid.filled, grid.table, 0.0))
    if survey.options.judges:
        _check_ranges(survey, size, problems)
    largest = size.max(axis=0)
    if (largest <= 1).all() or (largest > 1).all():
        return
    own = [column[column > 0] for column in size.T]
    typical = np.array([np.median(scores) if len(scores) else 0.0 for scores in own])
    unknown = np.array([name not in survey.options.scale for name in grid.classifiers])
    fractions = unknown & (largest <= 1) & (typical > 0)
    percent = unknown & (typical > LEAST_PERCENT) & (largest <= 100)
    percent &= typical > FAR_APART * typical.max(where=fractions, initial=0.0)
    if fractions.any() and percent.any():
        (one, low, high), (other, small, large) = (
            (clipped(grid.classifiers[k]), *_span(grid, k))
            for k in (int(fractions.argmax()), int(percent.argmax()))
        )
        percents = own[int(percent.argmax())]
        everywhere = bool((percents > 1).mean() > MOSTLY)
        mend = f"say {scaled(other, 0.01)} to divide those of {other} by 100"
        mend = mend if everywhere else "correct the file"
        problems.tell(
            f"{one} has scores from {low:g} to {high:g}, and {other} from {small:g} to {large:g}: "
            f"fractions and percentages cannot be compared; {mend}, or say {scaled(other, 1)} if "
            "both are in one unit",
            [{"scale": {grid.classifiers[int(percent.argmax())]: 0.01}}] if everywhere else [],
        )


def _check_ranges(survey: Survey, size: FloatArray, problems: Problems) -> None:
    """Refuse scores of one side that lie beyond what those of another can be.

    Of shares some are at most 1 and some are above, on a data set; of ratings, which are whole
    numbers, some are beyond the highest one that others seem to have.
    """
    grid, options = survey.grid, survey.options
    are_shares = all(map(is_share, survey.names)) and not options.percent
    are_ratings = (
        grid.unit.has_answers and size.max() > 1 and not (size[np.isfinite(size)] % 1).any()
    )
    if not (are_shares or (are_ratings and not options.lower_is_better)):
        return
    largest = np.maximum.reduceat(size, grid.starts if are_shares else [0])
    unknown = np.array([name not in options.scale for name in grid.classifiers])
    grade = np.searchsorted([1.0] if are_shares else RATINGS, largest).astype(np.float64)
    grade[(largest == 0) | ~unknown] = np.nan
    for i in np.flatnonzero(np.nanmax(grade, axis=1) > np.nanmin(grade, axis=1))[:1].tolist():
        low, high = int(np.nanargmin(grade[i])), int(np.nanargmax(grade[i]))
        where = f" on data set {clipped(grid.datasets[i])}" if are_shares else ""
        problems.tell(
            f"{clipped(grid.classifiers[low])} has scores up to {largest[i, low]:g}, and "
            f"{clipped(grid.classifiers[high])} up to {largest[i, high]:g}{where}: are they in one "
            f"unit? Say {scaled(grid.classifiers[high], 1)} if they are, or give the factor that "
            "converts them"
        )


def _span(grid: Grid, classifier: int) -> tuple[float, float]:
    """Return the smallest and the largest score of a classifier."""
    own = grid.table[grid.filled[:, classifier], classifier]
    return float(own.min()), float(own.max())
