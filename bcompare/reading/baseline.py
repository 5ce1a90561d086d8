"""The terms of a gate are its baseline's: what is judged follows from the rows of the baseline.

They say which data sets, runs, folds, items and epochs there are. A row that a candidate lacks is a
trial of it without a score. A row that only a candidate has decides nothing, and neither does the
number of cases that a candidate was trained on. Means over epochs, items and folds come after that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from bcompare.data.rope import BoolArray, IntArray
from bcompare.files.problems import MISSING_ROWS, OR_APART, UNPAIRED, Problems, clipped
from bcompare.files.tables import distinct
from bcompare.reading.absent import Reasons, listed_units, of_fewer_runs, reasons, unscored_rows
from bcompare.reading.long_table import Long, merge, with_epochs
from bcompare.reading.score_grid import Grid, different_folds
from bcompare.reading.unpaired import trials_on_terms

OF_DESIGN = ("train", "test")


def on_terms(
    long: Long, baseline: Sequence[str], problems: Problems
) -> tuple[Long, Reasons, Reasons]:
    """Return the trials of the baseline, of each classifier; and what differs from them.

    The rows are without a score where the classifier lacks the trial. For each classifier: what
    trials it lacks, and what rows were left out, as the baseline lacks these.

    baseline : its name, or those of its runs.
    """
    is_own = long.of(baseline)
    if not is_own.any() or is_own.all():
        return long, {}, {}
    if long.unit.is_unpaired:
        return trials_on_terms(long, is_own, problems)
    counted = long.unit.has_answers and "epoch" not in long.titles
    if long.unit.has_answers and _named_apart(long, is_own):
        long = with_epochs(long)
        counted = True
    grid = Grid.of(long)
    unit = grid.cell // len(grid.classifiers)
    first = np.full(len(grid.dataset), -1)  # row of the baseline in each unit
    rows_of_baseline = np.flatnonzero(is_own)[::-1]
    first[unit[rows_of_baseline]] = rows_of_baseline
    judged = first >= 0
    beyond = first[unit] < 0
    for finding, advice in _findings(grid, judged, counted=counted):
        problems.add(finding, advice)
    absent = ~grid.filled & judged[:, None] & ~of_fewer_runs(grid)
    lacking, whose = np.nonzero(absent)
    further = unscored_rows(long, grid, first[lacking], whose)
    design = {role: long.numbers[role] for role in OF_DESIGN if role in long.numbers}
    own_design = {role: np.where(is_own, numbers, np.nan) for role, numbers in design.items()}
    whole = merge([replace(long, numbers=long.numbers | own_design), further])
    left_out = {
        name: {listed_units(grid, units): len(units)}
        for name, units in _by_name(grid, grid.filled & ~judged[:, None])
    }
    kept = np.append(~beyond, whose >= 0)
    # the baseline's rows come first: the order of its data sets and items counts
    order = np.argsort(np.append(~is_own, whose >= 0), kind="stable")
    return whole.chosen(order[kept[order]]), reasons(grid, absent), left_out


def _named_apart(long: Long, is_own: BoolArray) -> bool:
    """Return whether the epochs of some candidate have no name in common with the baseline's."""
    run = long.keys["run"].codes
    who = long.keys["classifier"].codes
    return len(np.unique(who[np.isin(run, run[is_own])])) < len(np.unique(who))


def _by_name(grid: Grid, cells: BoolArray) -> Iterator[tuple[str, IntArray]]:
    """Yield each classifier with some of these (u, c) cells, and the units of its own."""
    for k in np.flatnonzero(cells.any(axis=0)).tolist():
        yield grid.classifiers[k], np.flatnonzero(cells[:, k])


def _findings(grid: Grid, judged: BoolArray, *, counted: bool) -> Iterator[tuple[str, str]]:
    """Yield what shows that trials of a candidate are not the baseline's, and what to do.

    judged : (u,) the baseline's. counted : whether epochs are the numbers of an item's answers, and
    no names.
    """
    of_both = np.logical_or.reduceat(grid.filled & judged[:, None], grid.starts)
    has_terms = np.logical_or.reduceat(judged, grid.starts)
    noun = grid.unit.noun if grid.unit.has_answers else str(grid.unit)
    advice = (
        f"these results are unpaired: both must be tested on the same {noun}s, under the same names"
    )
    if not grid.unit.has_folds:  # which overlap, and are no samples of their own
        advice = f"{advice}; {OR_APART}"
    apart = grid.present.any(axis=0) & ~(grid.present & has_terms[:, None]).any(axis=0)
    for k in np.flatnonzero(apart).tolist():
        its = grid.datasets[int(grid.present[:, k].argmax())]
        other = grid.datasets[int(has_terms.argmax())]
        finding = (
            f"{clipped(grid.classifiers[k])} has no data set in common with the baseline "
            f"({clipped(its)}, {clipped(other)})"
        )
        yield finding, "these results are unpaired: test both on the same data sets"
    for i, k in np.argwhere(grid.present & ~of_both & has_terms[:, None]).tolist():
        rows = grid.rows(i)
        its = grid.split_name(rows.start + int(grid.filled[rows, k].argmax()))
        other = grid.split_name(rows.start + int(judged[rows].argmax()))
        finding = (
            f"data set {clipped(grid.datasets[i])}: {clipped(grid.classifiers[k])} has no {noun} "
            f"in common with the baseline ({its}, {other})"
        )
        yield finding, advice
    if grid.unit.has_folds:
        group = grid.dataset * len(grid.runs) + grid.run
        advice = f"{UNPAIRED}, and number them alike"
        for finding in different_folds(grid):
            yield finding, MISSING_ROWS
    elif counted:
        group = distinct(grid.dataset, grid.fold, len(grid.folds))[1]
        advice = "give each item as many answers as the baseline has, or name their epochs alike"
    else:
        return
    further = grid.filled & (~judged & np.isin(group, group[judged]))[:, None]
    further &= of_both[grid.dataset]
    for k in np.flatnonzero(further.any(axis=0)).tolist():
        place = grid.row_name(int(further[:, k].argmax()))
        yield f"{place}: {clipped(grid.classifiers[k])} has it, and the baseline lacks it", advice
