"""Which classifier has which data sets, folds and items, and what some lack."""

from dataclasses import dataclass

import numpy as np

from bcompare.data.sufficient import IntArray
from bcompare.reading import messages, words
from bcompare.reading.grid import BoolArray, Grid
from bcompare.reading.problems import Problems

KEYS_SHOWN = 3  # items named of those that a classifier lacks


@dataclass(frozen=True, eq=False, slots=True)
class Coverage:
    """Which classifier has what.

    starts : (q,) the first row of each data set in the grid.
    present : (q, c) whether the classifier has any score on the data set.
    gaps : (u, c) whether it has the data set but lacks this fold.
    incomplete : (u,) whether any classifier does. partial : (q,) whether any classifier lacks the
    data set or some of its folds.
    """

    starts: IntArray
    present: BoolArray
    gaps: BoolArray
    incomplete: BoolArray
    partial: BoolArray

    @classmethod
    def of(cls, grid: Grid) -> "Coverage":
        """Of all rows of a grid."""
        starts = np.flatnonzero(np.diff(grid.dataset, prepend=-1))
        present = np.logical_or.reduceat(grid.filled, starts)
        gaps = present[grid.dataset] & ~grid.filled
        present.flags.writeable = False
        incomplete = np.any(gaps, axis=1)
        partial = np.logical_or.reduceat(incomplete, starts) | ~present.all(axis=1)
        return cls(starts, present, gaps, incomplete, partial)


def find_missing_items(grid: Grid, coverage: Coverage, problems: Problems) -> None:
    """Items that one classifier answered and another did not, counted by data set."""
    if not coverage.incomplete.any():
        return
    ends = np.append(coverage.starts[1:], len(grid.dataset))
    for i in np.unique(grid.dataset[coverage.incomplete]):
        rows = np.arange(coverage.starts[i], ends[i])
        gaps = coverage.gaps[rows]
        answers = grid.filled[rows].sum(axis=1)
        lacking = [
            f"{words.clipped(grid.classifiers[k])} lacks {gaps[:, k].sum():,} ("
            + words.named([grid.folds[f] for f in grid.fold[rows[gaps[:, k]]]], KEYS_SHOWN)
            + ")"
            for k in np.flatnonzero(gaps.any(axis=0))
        ]
        problems.add(
            messages.MISSING_ITEMS,
            words.clipped(grid.datasets[i]),
            f"{int(gaps.any(axis=1).sum()):,} of {words.number(len(rows), 'item')}",
            words.number(int((answers == 1).sum()), "item"),
            "; ".join(lacking[: words.SHOWN]),
        )


def find_gaps(grid: Grid, coverage: Coverage, problems: Problems) -> None:
    """Folds that one classifier has and another lacks."""
    if not coverage.incomplete.any():
        return
    names = [words.clipped(name) for name in grid.classifiers]
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
                words.clipped(grid.datasets[i]),
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
                grid.row_name(unit),
                words.named(lacking, 3),
                words.named(having, 3),
            )


def find_absent(grid: Grid, coverage: Coverage, problems: Problems) -> None:
    """Data sets that some classifier lacks as a whole."""
    for i in np.flatnonzero(~coverage.present.all(axis=1)).tolist():
        absent = [grid.classifiers[k] for k in np.flatnonzero(~coverage.present[i])]
        problems.add(messages.ABSENT, words.clipped(grid.datasets[i]), words.named(absent, 3))
