"""Which classifier has which data sets, folds and items, and what some lack."""

from dataclasses import dataclass

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.data.sufficient import IntArray
from bcompare.reading.grid import BoolArray, Grid
from bcompare.reading.problems import SHOWN, Kind, Problems, clipped, named, number

MISSING_ITEMS = Kind(
    "data set {0}: {1} lack an answer, and {2} only one classifier answered: {3}",
    "add what is missing, or compare on the items that all answered with "
    f"{arg('missing', 'drop-items')}",
)
UNPAIRED = Kind(
    "data set {0}: {1} and {2} have no fold in common ({1} has {3}, {2} has {4})",
    "these results are unpaired: both classifiers must be tested on the same folds of the same "
    "runs, under the same names",
)
GAP = Kind(
    "{0}: no score of {1}, but one of {2}",
    f"add what is missing, or leave out what is incomplete with {arg('missing', 'drop-folds')} or "
    f"{arg('missing', 'drop-datasets')}",
)
ABSENT = Kind(
    "data set {0}: no scores of {1}",
    f"{arg('missing', 'refuse')} asks for every data set of every classifier: add what is missing, "
    f"leave such data sets out with {arg('missing', 'drop-datasets')}, or drop {arg('missing')} to "
    "compare each pair on what both have",
)
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
            f"{clipped(grid.classifiers[k])} lacks {gaps[:, k].sum():,} ("
            + named([grid.folds[f] for f in grid.fold[rows[gaps[:, k]]]], KEYS_SHOWN)
            + ")"
            for k in np.flatnonzero(gaps.any(axis=0))
        ]
        problems.add(
            MISSING_ITEMS,
            clipped(grid.datasets[i]),
            f"{int(gaps.any(axis=1).sum()):,} of {number(len(rows), 'item')}",
            number(int((answers == 1).sum()), "item"),
            "; ".join(lacking[:SHOWN]),
        )


def find_gaps(grid: Grid, coverage: Coverage, problems: Problems) -> None:
    """Folds that one classifier has and another lacks."""
    if not coverage.incomplete.any():
        return
    names = [clipped(name) for name in grid.classifiers]
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
                UNPAIRED,
                clipped(grid.datasets[i]),
                names[here[left]],
                names[here[right]],
                *example,
            )
            continue
        for unit in start + np.flatnonzero(coverage.incomplete[start:end]):
            lacking = [names[k] for k in np.flatnonzero(coverage.gaps[unit])]
            having = [names[k] for k in np.flatnonzero(grid.filled[unit])]
            problems.add(
                GAP,
                grid.row_name(unit),
                named(lacking, 3),
                named(having, 3),
            )


def find_absent(grid: Grid, coverage: Coverage, problems: Problems) -> None:
    """Data sets that some classifier lacks as a whole."""
    for i in np.flatnonzero(~coverage.present.all(axis=1)).tolist():
        absent = [grid.classifiers[k] for k in np.flatnonzero(~coverage.present[i])]
        problems.add(ABSENT, clipped(grid.datasets[i]), named(absent, 3))
