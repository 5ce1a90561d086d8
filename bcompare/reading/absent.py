"""Rows that are absent are trials without a score, as are cells that are empty.

An item has as many answers as the side with the most gives it. What another side lacks of these is
absent, unless that side was run fewer times as a whole: all its items have the first k runs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from bcompare.basis.messages import Note, number_of
from bcompare.data.rope import BoolArray, IntArray
from bcompare.files.options import ReadOptions
from bcompare.files.problems import clipped
from bcompare.files.tables import Coded, distinct
from bcompare.reading.long_table import ABOUT, Long, merge, with_epochs
from bcompare.reading.score_grid import Grid, different_folds

# Keys of a row that say how a trial went.
OF_TRIALS = ("failed", "state", "named")

# Classifier → trials or reasons in words → their number.
Reasons = dict[str, dict[str, int]]


def with_absent(long: Long, options: ReadOptions) -> tuple[Long, Reasons]:
    """Return the rows, with rows without a score for what is absent, and whose these are.

    Absent answers to an item that a classifier has answered always count; other rows, if the
    options say how trials without a score count.
    """
    if not long.unit.has_spread or not len(long):
        return long, {}
    fills = options.failed not in (None, "refuse", "drop")
    if not fills and (not long.unit.has_answers or _all_answered_alike(long)):
        return long, {}
    if long.unit.has_answers and _named_apart(long):
        long = with_epochs(long)
    grid = Grid.of(long)
    absent = np.zeros_like(grid.filled)
    if long.unit.has_answers:
        absent = absent_answers(grid) & ~of_fewer_runs(grid)
    if fills and _are_paired(grid):
        gaps = grid.gaps & ~_answered(grid) if long.unit.has_answers else grid.gaps
        absent |= gaps
    if not absent.any():
        return long, {}
    first = np.empty(len(grid.dataset), np.int64)  # some row of each unit
    first[grid.cell // len(grid.classifiers)] = np.arange(len(long))
    units, whose = np.nonzero(absent)
    return merge([long, unscored_rows(long, grid, first[units], whose)]), reasons(grid, absent)


def unscored_rows(long: Long, grid: Grid, like: IntArray, whose: IntArray) -> Long:
    """Return rows without a score, each with the keys of a row of another classifier.

    like : (n,) those rows. whose : (n,) the classifiers, by their positions in the grid.
    """
    rows = long.chosen(like).with_scores(np.full(len(like), np.nan))
    about = [role for role in long.keys if role.startswith(ABOUT)]
    unknown = [role for role in (*OF_TRIALS, *about) if role in long.keys]
    blank = {role: Coded.constant("", len(like)) for role in unknown}
    who = {"classifier": Coded(whose.astype(np.int32), grid.classifiers)}
    return replace(rows, keys=rows.keys | blank | who)


def absent_answers(grid: Grid) -> BoolArray:
    """Return the (u, c) epochs that a classifier lacks of the items that it has answered.

    It lacks as many as it has fewer than the classifier with the most.
    """
    item = _items(grid)
    counts = _sums(grid.filled, item)
    fewer = counts.max(axis=1, keepdims=True) - counts
    fewer[counts == 0] = 0
    order = np.argsort(item, kind="stable")  # rows are sorted by epochs
    ordered = item[order]
    gaps = ~grid.filled[order]
    before: IntArray = np.cumsum(gaps, axis=0, dtype=np.int64) - gaps
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    place: IntArray = before - before[starts][ordered]  # of a gap among those of its item
    absent = np.zeros_like(grid.filled)
    absent[order] = gaps & (place < fewer[ordered])
    return absent


def of_fewer_runs(grid: Grid) -> BoolArray:
    """Return the (u, c) epochs that classifiers lack since they were run fewer times as a whole.

    All items of such a classifier have the first k runs, and no others.
    """
    lacking = np.zeros_like(grid.filled)
    if not grid.unit.has_answers:
        return lacking
    for k, runs in fewer_runs(grid).items():
        lacking[:, k] = (grid.run >= runs) & _answered(grid)[:, k]
    return lacking


def fewer_runs(grid: Grid) -> dict[int, int]:
    """Return the number of runs of each classifier that was run fewer times as a whole."""
    item = _items(grid)
    runs: dict[int, int] = {}
    for k in range(len(grid.classifiers)):
        has_answer = grid.filled[:, k]
        count = int(grid.run[has_answer].max(initial=-1)) + 1
        answers = np.bincount(item[has_answer])
        is_whole = bool((answers[answers > 0] == count).all())
        if 0 < count < len(grid.runs) and is_whole:
            runs[k] = count
    return runs


def notes_on_runs(grid: Grid) -> Iterator[Note]:
    """Yield a note on the classifiers that were run fewer times as a whole."""
    if not grid.unit.has_answers:
        return
    runs = fewer_runs(grid)
    if runs:
        words = [f"{clipped(grid.classifiers[k])} {number_of(n, 'run')}" for k, n in runs.items()]
        text = f"fewer runs of each item: {', '.join(words)} of {len(grid.runs)}"
        yield Note("fewer-runs", "info", text)


def reasons(grid: Grid, absent: BoolArray) -> Reasons:
    """Return what each classifier lacks, in words, and how often."""
    lacking: Reasons = {}
    for k in np.flatnonzero(absent.any(axis=0)).tolist():
        units = np.flatnonzero(absent[:, k])
        lacking[grid.classifiers[k]] = {f"no row for {listed_units(grid, units)}": len(units)}
    return lacking


def listed_units(grid: Grid, units: Sequence[int] | IntArray) -> str:
    """Return some trials in words: the first one, and the number of the others."""
    others = f" and {number_of(len(units) - 1, 'other')}" if len(units) > 1 else ""
    return f"{grid.row_name(int(units[0]))}{others}"


def _all_answered_alike(long: Long) -> bool:
    """Return whether all classifiers have equally many answers to each item."""
    fold = long.keys["fold"]
    who = long.keys["classifier"]
    _, item = distinct(long.keys["dataset"].codes, fold.codes, len(fold.names))
    answers, answer = distinct(item, who.codes, len(who.names))
    counts = np.bincount(answer)
    items = answers // len(who.names)
    starts = np.flatnonzero(np.diff(items, prepend=-1))
    most = np.maximum.reduceat(counts, starts)
    return bool((most == np.minimum.reduceat(counts, starts)).all())


def _named_apart(long: Long) -> bool:
    """Return whether a classifier has no epoch in common with the one that has the most."""
    run = long.keys["run"].codes
    who = long.keys["classifier"].codes
    pairs = np.unique(np.stack([who, run]), axis=1)
    most = int(np.bincount(pairs[0]).argmax())
    of_most = pairs[1][pairs[0] == most]
    sharing = pairs[0][np.isin(pairs[1], of_most)]
    return len(np.unique(sharing)) < len(np.unique(pairs[0]))


def _items(grid: Grid) -> IntArray:
    """Return the (u,) item of each row, counted over all data sets."""
    return distinct(grid.dataset, grid.fold, len(grid.folds))[1]


def _answered(grid: Grid) -> BoolArray:
    """Return the (u, c) rows of the items that a classifier has answered at least once."""
    item = _items(grid)
    return np.asarray(_sums(grid.filled, item)[item] > 0)


def _sums(cells: BoolArray, item: IntArray) -> IntArray:
    """Return the (items, c) number of cells of each item."""
    sums = np.zeros((int(item.max(initial=-1)) + 1, cells.shape[1]), np.int64)
    np.add.at(sums, item, cells)
    return sums


def _are_paired(grid: Grid) -> bool:
    """Return whether every two classifiers share rows of each data set that both have.

    Folds must also be equally many in all runs: else they are those of other designs.
    """
    if grid.unit.has_folds and any(different_folds(grid)):
        return False
    for i in range(len(grid.datasets)):
        filled = grid.filled[grid.rows(i)][:, grid.present[i]].astype(np.int64)
        if not (filled.T @ filled > 0).all():
            return False
    return True
