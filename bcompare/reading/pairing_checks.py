"""Checks of the rows against each other: their unit, and whether two classifiers can be paired.

Rows are what they are taken for: folds, seeds, test items or means; pairs have the same folds, and
scores on the same scale.
"""

import math
import re
from collections.abc import Iterator

import numpy as np

from bcompare.basis.messages import arg, number_of
from bcompare.columns.direction import is_loss, is_share
from bcompare.columns.vocabulary import (
    FOLD_AND_RUN,
    FOLD_OF_RUN,
    USUAL_FOLDS,
    is_counter,
)
from bcompare.data.rope import BoolArray, FloatArray
from bcompare.data.scales import LEAST_PERCENT, scaled
from bcompare.files.options import ROW_NUMBERS
from bcompare.files.presets import MEANS
from bcompare.files.problems import (
    MISSING_ROWS,
    Problems,
    clipped,
    quoted,
    seeds_or_anew,
)
from bcompare.reading.chosen_rows import FoldDesign, Survey
from bcompare.reading.long_table import Long
from bcompare.reading.score_grid import Grid, different_folds

# More folds in a run (ρ below 0.02) are unlikely to be cross-validation.
MOST_FOLDS = 50
# As many means are not all 0 or 1.
MANY_MEANS = 10
_FRACTION = re.compile(r"[+-]?\d*[.,]\d+")


def check_fold_names(long: Long, problems: Problems) -> None:
    """Refuse folds read as seeds or items."""
    column = long.titles.get(long.unit)
    if column is None:
        return
    names = long.keys["fold"].used()[0]
    instead: tuple[str, str] | None = None
    if all(map(FOLD_OF_RUN.fullmatch, names)):
        instead = "split", f"{column}={FOLD_AND_RUN}"
    elif not long.unit.has_folds and _called_folds(long):
        instead = "fold_col", column
    if instead is not None:
        problems.refuse(
            f"column {quoted(column)} has folds, such as {quoted(names[0])}: say {arg(*instead)} "
            f"instead of {arg(f'{long.unit}_col', column)}"
        )


def _called_folds(long: Long) -> bool:
    return all(name.casefold().startswith("fold") for name in long.keys["fold"].used()[0])


def check_rhos(survey: Survey, problems: Problems) -> None:
    """Check that the correlation is known; it is never guessed."""
    for i, (name, design) in enumerate(_designs(survey)):
        if design.rho is None and design.folds == 1 < design.runs:
            problems.add(
                f"{name}: {number_of(design.runs, 'run')} of one fold",
                seeds_or_anew(_read_as("seed", "run", survey)),
            )
        elif design.rho is None and design.most > 1:
            problems.add(
                f"{name}: runs of {design.least} to {design.most} folds{_missing(survey.grid, i)}",
                "the correlation of the scores is known to be 1/folds only where all runs have the "
                "same number of folds, at least two; else give it with "
                f"{arg('rho')}: the share of test cases in all cases (0.1 for tenfold "
                "cross-validation), or 0 for independent scores such as seeds on one fixed split",
            )
        elif design.rho is not None and math.isnan(design.rho):
            problems.add(
                f"{name}: n_train and n_test are not whole numbers of cases",
                f"correct them, or give the correlation with {arg('rho')}",
            )


def _missing(grid: Grid, dataset: int) -> str:
    """Name the first fold that most runs have and one lacks, and count the others."""
    rows = grid.rows(dataset)
    runs = np.unique(grid.run[rows]).tolist()
    folds = np.unique(grid.fold[rows]).tolist()
    there = set(zip(grid.run[rows].tolist(), grid.fold[rows].tolist(), strict=True))
    if len(runs) * len(folds) >= 2 * len(there):  # each run has its own names of folds
        return ""
    first, *others = [(run, fold) for run in runs for fold in folds if (run, fold) not in there]
    more = f" and {number_of(len(others), 'more fold')}" if others else ""
    run = clipped(grid.runs[first[0]])
    fold = clipped(grid.folds[first[1]])
    return f": no score of run {run}, fold {fold}{more}"


def are_binary(grid: Grid) -> BoolArray:
    """Return which data sets have no scores but 0 and 1, and both."""
    zero = np.abs(grid.table) == 0
    one = np.abs(grid.table) == 1
    binary = np.logical_and.reduceat((zero | one | ~grid.filled).all(axis=1), grid.starts)
    for value in (zero, one):
        binary &= np.logical_or.reduceat(value.any(axis=1), grid.starts)
    return binary


def check_folds(survey: Survey, problems: Problems) -> None:
    """Refuse folds and means that look like test items, and folds like seeds without a given ρ."""
    grid = survey.grid
    options = survey.options
    if not grid.unit.has_spread:
        _check_means(survey, problems)
    if not grid.unit.has_folds or options.rho is not None or "train" in survey.rows.numbers:
        return
    all_binary = bool(are_binary(grid).all())
    like_items = (
        f"these look like test items, not folds; say {_read_as('item', 'fold', survey)} if they "
        f"are, {_read_as('seed', 'fold', survey)} if they are independent runs on one split (ρ 0), "
        f"or {arg('rho')} with the share of test cases, such as {arg('rho', 0.1)}, if they are "
        "folds of cross-validation"
    )
    for name, design in _designs(survey):
        if all_binary:
            problems.add(f"{name}: all scores are 0 or 1", like_items)
        elif design.most > MOST_FOLDS:
            many = f"{number_of(design.most, 'fold')} in a run"
            text = f"{name}: {many}, so that ρ = {1 / design.most:.2g}"
            problems.add(text, like_items)
    if like_items not in problems.first:
        _check_counters(survey, problems)


def _check_means(survey: Survey, problems: Problems) -> None:
    """Refuse means that are all 0 or 1, and scores in the place of the data sets' names."""
    scores = survey.rows.numbers["score"]
    datasets = survey.grid.datasets
    is_named = survey.options.dataset_col is not None or survey.options.preset != MEANS
    if not is_named and all(map(_FRACTION.fullmatch, datasets)):
        column = quoted(survey.rows.titles.get("dataset", ""))
        problems.tell(
            f"the first column, {column}, has scores such as {datasets[0]}, and a table of means "
            "has the names of its data sets there: add such a column"
        )
    if len(datasets) >= MANY_MEANS and np.isin(scores, (0, 1)).all():
        column = arg("item_col", survey.rows.titles.get("dataset"))
        problems.tell(
            f"the scores of {number_of(len(datasets), 'data set')} are all 0 or 1: "
            f"these look like test items, not means; say {column} instead of {arg('dataset_col')} "
            f"or {arg('preset', 'means')}"
        )


def _check_counters(survey: Survey, problems: Problems) -> None:
    """Refuse runs read as folds: their number is unusual for folds, or less than --folds."""
    long = survey.rows
    folds = survey.options.folds
    if folds is not None and str(folds) not in survey.grid.folds:
        iteration = long.titles.get("iteration")
        for name, design in _designs(survey):
            problems.add(
                f"{name}: {number_of(design.most, 'iteration')}, but a run has {folds} folds by "
                f"{arg('folds')}",
                f"give {arg('folds')} the number of folds in one run; if these are independent "
                f"runs on one split, say {arg('seed_col', iteration or None)} instead of "
                f"{arg('iteration_col')} and {arg('folds')}",
            )
    column = long.titles.get("fold", "")
    counts = {design.most for design in survey.designs}
    if survey.options.fold_col == ROW_NUMBERS and "run" not in long.titles:
        for name, design in _designs(survey) if not counts <= {*USUAL_FOLDS} else ():
            problems.add(
                f"{name}: {design.most} rows of each classifier, numbered as folds",
                f"if these are several runs of cross-validation, say by {arg('folds')} how many "
                f"folds a run has; else give the correlation by {arg('rho')}",
            )
    is_doubtful = is_counter(column) and "run" not in long.titles and not _called_folds(long)
    if is_doubtful and (len(counts) > 1 or not counts <= {*USUAL_FOLDS}):
        for name, design in _designs(survey):
            problems.add(
                f"{name}: {design.most} rows of each classifier, numbered by column "
                f"{quoted(column)}",
                "such a column rarely counts the folds of one cross-validation: "
                f"{seeds_or_anew(arg('seed_col', column))}",
            )


def _designs(survey: Survey) -> Iterator[tuple[str, FoldDesign]]:
    """Yield a description of each data set with its design."""
    for name, design in zip(survey.grid.datasets, survey.designs, strict=True):
        yield f"data set {clipped(name)}", design


def _read_as(unit: str, role: str, survey: Survey) -> str:
    """Return the option that reads folds or runs as items or seeds."""
    for name in ("wide", "split"):
        text = getattr(survey.options, name)
        if text is not None and f"(?P<{role}>" in text:
            return arg(name, text.replace(f"(?P<{role}>", f"(?P<{unit}>"))
    titles = survey.rows.titles
    return arg(f"{unit}_col", titles.get(role) or titles.get("iteration") or role)


# Percentages are more than this times as large as fractions.
FAR_APART = 10.0
# The usual highest ratings.
RATINGS = (5.0, 7.0, 10.0)
# With a smaller share above 1 some of the scores are fractions.
MOSTLY = 0.95


def check_splits(survey: Survey, problems: Problems) -> None:
    """Refuse folds that differ in number between classifiers."""
    if not survey.grid.unit.has_folds or not survey.grid.incomplete.any():
        return
    # a row without a score shows that the fold was meant to be there
    unscored = {name for part in survey.account.left_out for name in part.classifiers}
    for finding in different_folds(survey.grid, unscored):
        problems.add(finding, MISSING_ROWS)


def check_scales(survey: Survey, problems: Problems) -> None:
    """Refuse scores of some classifiers that are not in the unit of others."""
    grid = survey.grid
    size = np.abs(np.where(grid.filled & np.isfinite(grid.table), grid.table, 0.0))
    if not _check_percentages(survey, size, problems) and survey.options.judges:
        _check_ranges(survey, size, problems)
        _check_grading(survey, problems)


def _check_percentages(survey: Survey, size: FloatArray, problems: Problems) -> bool:
    """Refuse fractions of some classifiers beside percentages of others; return whether any are."""
    grid = survey.grid
    largest = size.max(axis=0)
    if all(is_loss(name) and not is_share(name) for name in survey.names):  # such as times
        return False
    sizes = [column[column > 0] for column in size.T]
    typical = np.array([np.median(scores) if len(scores) else 0.0 for scores in sizes])
    unknown = np.array([name not in survey.options.scale for name in grid.classifiers])
    fractions = unknown & (largest <= 1) & (typical > 0)
    percent = unknown & (typical > LEAST_PERCENT) & (largest <= 100)
    percent &= typical > FAR_APART * typical.max(where=fractions, initial=0.0)
    if not (fractions.any() and percent.any()):
        return False
    of_fractions = int(fractions.argmax())
    of_percent = int(percent.argmax())
    one = clipped(grid.classifiers[of_fractions])
    other = clipped(grid.classifiers[of_percent])
    low, high = _span(grid, of_fractions)
    small, large = _span(grid, of_percent)
    percents = sizes[of_percent]
    everywhere = not survey.options.percent and bool((percents > 1).mean() > MOSTLY)
    mend = f"say {scaled(other, 0.01)} to divide those of {other} by 100"
    mend = mend if everywhere else "correct the file"
    problems.tell(
        f"{one} has scores from {low:g} to {high:g}, and {other} from {small:g} to {large:g}: "
        f"fractions and percentages cannot be compared; {mend}, or say {scaled(other, 1)} if "
        "both are in one unit",
    )
    return True


def _check_ranges(survey: Survey, size: FloatArray, problems: Problems) -> None:
    """Refuse scores of one side that lie beyond what those of another can be.

    Of shares some are at most 1 and some are above, on a data set; of ratings, which are whole
    numbers, some are beyond the highest one that others seem to have.
    """
    grid = survey.grid
    options = survey.options
    are_shares = all(map(is_share, survey.names)) and not options.percent
    are_ratings = grid.unit.has_answers and size.max() > 1 and bool((np.floor(size) == size).all())
    if not (are_shares or (are_ratings and not options.lower_is_better)):
        return
    largest = np.maximum.reduceat(size, grid.starts if are_shares else [0])
    unknown = np.array([name not in options.scale for name in grid.classifiers])
    grade = np.searchsorted([1.0] if are_shares else RATINGS, largest).astype(np.float64)
    grade[(largest == 0) | ~unknown] = np.nan
    graded = ~np.isnan(grade).all(axis=1)
    apart = np.zeros(len(grade), dtype=np.bool_)
    apart[graded] = np.nanmax(grade[graded], axis=1) > np.nanmin(grade[graded], axis=1)
    for i in np.flatnonzero(apart)[:1].tolist():
        low = int(np.nanargmin(grade[i]))
        high = int(np.nanargmax(grade[i]))
        where = f" on data set {clipped(grid.datasets[i])}" if are_shares else ""
        problems.tell(
            f"{clipped(grid.classifiers[low])} has scores up to {largest[i, low]:g}, and "
            f"{clipped(grid.classifiers[high])} up to {largest[i, high]:g}{where}: are they in one "
            f"unit? Say {scaled(grid.classifiers[high], 1)} if they are, or give the factor that "
            "converts them"
        )


def _check_grading(survey: Survey, problems: Problems) -> None:
    """Refuse answers that are right or wrong next to graded ones of another classifier."""
    grid = survey.answers
    shares = grid.unit.has_answers and np.nanmin(grid.table) >= 0 and np.nanmax(grid.table) <= 1
    if not shares or len(grid.table) < MANY_MEANS or survey.account.assumed:
        return
    binary = ~(grid.filled & ~np.isin(grid.table, (0, 1))).any(axis=0)
    unknown = np.array([name not in survey.options.scale for name in grid.classifiers])
    graded = np.flatnonzero(~binary & unknown)
    if binary.any() and len(graded):
        one = clipped(grid.classifiers[int(binary.argmax())])
        other = clipped(grid.classifiers[graded[0]])
        problems.tell(
            f"the answers of {one} are right or wrong (1 or 0), and {other} has other scores, too: "
            f"are they graded alike? Say {scaled(other, 1)} if they are"
        )


def _span(grid: Grid, classifier: int) -> tuple[float, float]:
    """Return the smallest and the largest score of a classifier."""
    filled = grid.table[grid.filled[:, classifier], classifier]
    return float(filled.min()), float(filled.max())
