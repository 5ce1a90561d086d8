"""The canonical long table to `Scores`: all checks of keys, and the tables themselves."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bcompare.errors import InputError
from bcompare.notes import Note, counted
from bcompare.reading import messages
from bcompare.reading.grid import Grid
from bcompare.reading.long import Long
from bcompare.reading.options import ReadOptions
from bcompare.reading.problems import Problems
from bcompare.rope import FloatArray
from bcompare.scores import DatasetScores, Dropped, Scores
from bcompare.sufficient import IntArray, read_only

BoolArray = NDArray[np.bool_]

LEAST_SCORES = 3  # fewer leave no degrees of freedom
FEW_SCORES = 10  # with fewer a verdict is hardly ever reached


def to_scores(long: Long, options: ReadOptions, files: Sequence[str] = ()) -> Scores:
    """Checked scores from the canonical long table.

    Raises
    ------
    InputError : with every problem that was found.
    """
    problems = Problems(list(long.problems))
    if not len(long):
        problems.raise_any()
        raise InputError(messages.no_rows(files))
    chosen = _chosen(long, options, problems)
    grid = Grid.of(chosen)
    _find_duplicates(grid, chosen, problems)
    if long.unread:  # what is missing now may stand in the rows that could not be read
        problems.raise_any()
    coverage = _Coverage.of(grid)
    _check_classifiers(grid, coverage, problems)
    rhos = _rhos(grid, chosen, options, problems)
    if options.missing == "refuse":
        _find_gaps(grid, coverage, problems)
    kept, dropped = _without_gaps(grid, coverage, options)
    datasets = _datasets(grid, coverage, kept, rhos, options)
    if not datasets:
        problems.known.append(messages.nothing_left(options.missing))
    for dataset in datasets:
        if len(dataset.table) < LEAST_SCORES:
            problems.add(
                messages.TOO_FEW,
                messages.clipped(dataset.name),
                messages.number(len(dataset.table), "score"),
            )
    problems.raise_any()
    return Scores(
        classifiers=grid.classifiers,
        datasets=datasets,
        lower_is_better=options.lower_is_better,
        files=tuple(files),
        rows=len(chosen) - dropped.rows,
        dropped=replace(dropped, rows=dropped.rows + long.left_out),
        notes=_notes(grid.classifiers, datasets),
    )


@dataclass(frozen=True, eq=False, slots=True)
class _Coverage:
    """Which classifier has what.

    starts : (q,) the first row of each data set in the grid.
    present : (q, c) whether the classifier has any score on the data set.
    gaps : (u, c) whether it has the data set but lacks this fold.
    incomplete : (u,) whether any classifier does.
    """

    starts: IntArray
    present: BoolArray
    gaps: BoolArray
    incomplete: BoolArray

    @classmethod
    def of(cls, grid: Grid) -> "_Coverage":
        starts = np.flatnonzero(np.diff(grid.dataset, prepend=-1))
        present = np.logical_or.reduceat(grid.filled, starts)
        gaps = present[grid.dataset] & ~grid.filled
        present.flags.writeable = False
        return cls(starts=starts, present=present, gaps=gaps, incomplete=np.any(gaps, axis=1))


def _chosen(long: Long, options: ReadOptions, problems: Problems) -> Long:
    """The scores of the classifiers and data sets that were asked for."""
    keep = np.ones(len(long), dtype=np.bool_)
    all_known = True
    for kind, column, wanted in (
        (messages.UNKNOWN_CLASSIFIER, long.classifier, options.classifiers),
        (messages.UNKNOWN_DATASET, long.dataset, options.datasets),
    ):
        unknown = [name for name in dict.fromkeys(wanted) if name not in column.names]
        all_known &= not unknown
        problems.known += [messages.unknown(kind, name, column.names) for name in unknown]
        if wanted:
            keep &= np.isin(column.names, wanted)[column.codes]
    if not all_known:
        problems.raise_any()
    return long.chosen(keep)


def _find_duplicates(grid: Grid, long: Long, problems: Problems) -> None:
    """Two scores with the same key."""
    extra = len(grid.cell) - int(np.count_nonzero(grid.filled))
    if not extra:
        return
    order = np.argsort(grid.cell, kind="stable")
    again = np.flatnonzero(np.diff(grid.cell[order]) == 0)
    later = order[again + 1]
    shown = np.argsort(later)[: messages.SHOWN]
    pairs = [(int(order[again[i]]), int(later[i])) for i in shown]
    places = long.places([score for pair in pairs for score in pair])
    for (first, _), one, other in zip(pairs, places[::2], places[1::2], strict=True):
        unit, classifier = divmod(int(grid.cell[first]), len(grid.classifiers))
        key = f"{grid.unit_name(unit)}, classifier {messages.clipped(grid.classifiers[classifier])}"
        problems.add(
            messages.DUPLICATE, key, one[0], other[0], messages.differing(one[1], other[1])
        )
    problems.add_unshown(messages.DUPLICATE, extra - len(pairs))


def _check_classifiers(grid: Grid, coverage: _Coverage, problems: Problems) -> None:
    """There must be something to compare, on some data set."""
    if len(grid.classifiers) < 2:
        problems.known.append(messages.fewer_than_two(grid.classifiers))
    elif coverage.present.sum(axis=1).max() < 2:
        problems.known.append(messages.no_common_dataset(grid.classifiers))


def _rhos(grid: Grid, long: Long, options: ReadOptions, problems: Problems) -> list[float]:
    """The correlation of each data set, unless it was given.

    It is the share of test cases where n_train and n_test tell it, and else 1/k for k folds in
    every run.
    """
    if options.rho is not None:
        return [options.rho] * len(grid.datasets)
    shares = _test_shares(grid, long)
    rhos = []
    designs = zip(grid.datasets, shares, _folds_per_run(grid.dataset, grid.run), strict=True)
    for name, share, folds in designs:
        least, most = int(folds.min()), int(folds.max())
        rhos.append(share if share is not None else 1 / most)
        if share is not None:
            if not 0 < share < 1:
                problems.add(messages.SIZES, messages.clipped(name))
        elif least != most:
            problems.add(messages.UNEQUAL_RUNS, messages.clipped(name), least, most)
        elif most == 1:
            problems.add(
                messages.ONE_FOLD, messages.clipped(name), messages.number(len(folds), "run")
            )
    return rhos


def _test_shares(grid: Grid, long: Long) -> list[float | None]:
    """n_test / (n_train + n_test) of each data set; None where that is not told.

    Folds of one data set may differ by a case: their sums are taken, which are exact for whole
    numbers, so that the order of rows changes nothing. NaN for numbers that are not whole.
    """
    if long.train is None or long.test is None:
        return [None] * len(grid.datasets)
    told = ~(np.isnan(long.train) | np.isnan(long.test))
    dataset = grid.dataset[grid.cell[told] // len(grid.classifiers)]
    train, test = long.train[told], long.test[told]
    whole = (train == np.floor(train)) & (test == np.floor(test)) & (train > 0) & (test > 0)
    q = len(grid.datasets)
    count = np.bincount(dataset, minlength=q)
    bad = np.bincount(dataset, ~whole, minlength=q) > 0
    trained = np.bincount(dataset, np.where(whole, train, 0), minlength=q)
    tested = np.bincount(dataset, np.where(whole, test, 0), minlength=q)
    return [
        None if not n else math.nan if b else float(t / (r + t))
        for n, b, r, t in zip(count, bad, trained, tested, strict=True)
    ]


def _folds_per_run(dataset: IntArray, run: IntArray) -> list[IntArray]:
    """For each data set, how many folds each of its runs has."""
    if not len(dataset):
        return []
    starts = np.flatnonzero((np.diff(dataset, prepend=-1) != 0) | (np.diff(run, prepend=-1) != 0))
    counts = np.diff(starts, append=len(dataset))
    return np.split(counts, np.flatnonzero(np.diff(dataset[starts])) + 1)


def _find_gaps(grid: Grid, coverage: _Coverage, problems: Problems) -> None:
    """Folds that one classifier has and another lacks."""
    if not coverage.incomplete.any():
        return
    names = [messages.clipped(name) for name in grid.classifiers]
    ends = np.append(coverage.starts[1:], len(grid.dataset))
    for i in np.unique(grid.dataset[coverage.incomplete]):
        start, end = coverage.starts[i], ends[i]
        filled = grid.filled[start:end, coverage.present[i]].astype(np.int64)
        common = filled.T @ filled
        if (common == 0).any():
            here = np.flatnonzero(coverage.present[i])
            left, right = np.argwhere(common == 0)[0]
            example = [grid.split_name(start + int(filled[:, k].argmax())) for k in (left, right)]
            problems.add(
                messages.UNPAIRED,
                messages.clipped(grid.datasets[i]),
                names[here[left]],
                names[here[right]],
                *example,
            )
            continue
        for unit in start + np.flatnonzero(coverage.incomplete[start:end]):
            lacking = [names[k] for k in np.flatnonzero(coverage.gaps[unit])]
            having = [names[k] for k in np.flatnonzero(grid.filled[unit])]
            problems.add(
                messages.GAP,
                grid.unit_name(unit),
                messages.named(lacking, 3),
                messages.named(having, 3),
            )


def _without_gaps(
    grid: Grid, coverage: _Coverage, options: ReadOptions
) -> tuple[BoolArray, Dropped]:
    """Which rows of the grid are kept, and what is dropped."""
    if options.missing == "drop-datasets":
        bad = np.logical_or.reduceat(coverage.incomplete, coverage.starts)
        out = bad[grid.dataset]
        dropped = Dropped(
            datasets=tuple(grid.datasets[i] for i in np.flatnonzero(bad)),
            rows=int(grid.filled[out].sum()),
        )
    elif options.missing == "drop-folds":
        out = coverage.incomplete
        dropped = Dropped(
            folds=tuple(
                (
                    grid.datasets[grid.dataset[unit]],
                    grid.runs[grid.run[unit]],
                    grid.folds[grid.fold[unit]],
                )
                for unit in np.flatnonzero(out)
            ),
            rows=int(grid.filled[out].sum()),
        )
    else:
        return np.ones(len(grid.dataset), dtype=np.bool_), Dropped()
    return ~out, dropped


def _datasets(
    grid: Grid, coverage: _Coverage, kept: BoolArray, rhos: list[float], options: ReadOptions
) -> tuple[DatasetScores, ...]:
    """The table of each data set that has rows left."""
    table, dataset, run = grid.table, grid.dataset, grid.run
    if not kept.all():
        table, dataset, run = table[kept], dataset[kept], run[kept]
    _convert(table, options)
    read_only(table)
    which = np.unique(dataset)
    bounds = np.append(np.searchsorted(dataset, which), len(dataset))
    datasets = []
    for i, start, end, folds in zip(
        which, bounds[:-1], bounds[1:], _folds_per_run(dataset, run), strict=True
    ):
        datasets.append(
            DatasetScores(
                name=grid.datasets[i],
                table=table[start:end],
                present=coverage.present[i],
                runs=len(folds),
                folds=int(folds[0]) if (folds == folds[0]).all() else 0,
                rho=rhos[i],
            )
        )
    return tuple(datasets)


def _convert(table: FloatArray, options: ReadOptions) -> None:
    """Percentages to fractions, and losses to scores of which more is better."""
    if options.percent:
        table /= 100
    if options.lower_is_better:
        np.subtract(0.0, table, out=table)


def _notes(classifiers: Sequence[str], datasets: Sequence[DatasetScores]) -> tuple[Note, ...]:
    """What the file makes one wonder about, whatever test follows."""
    notes = []
    few = [dataset.name for dataset in datasets if len(dataset.table) < FEW_SCORES]
    if few:
        notes.append(Note("few-folds", "warning", messages.few_folds(counted(few, "data set"))))
    present = np.array([dataset.present for dataset in datasets])
    for name, has in zip(classifiers, present.T, strict=True):
        if not has.all():
            absent = [d.name for d, here in zip(datasets, has, strict=True) if not here]
            notes.append(Note("absent", "info", messages.absent(name, counted(absent, "data set"))))
    return tuple(notes)
