"""What is in the rows that were chosen: counted once, for the checks and for the profile."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bcompare.data.account import Account, LeftOut
from bcompare.data.sufficient import IntArray
from bcompare.reading.columns import whole_number
from bcompare.reading.design import Design, find_designs
from bcompare.reading.grid import BoolArray, Grid
from bcompare.reading.items import apart, averaged
from bcompare.reading.long import Long
from bcompare.reading.options import ReadOptions

NO_ERRORS = ("", "0", "NA")


class Survey:
    """The rows that were chosen and have a score, by fold and classifier.

    What does not depend on a check is found when it is first asked for.

    Attributes
    ----------
    options : how the files were read.
    scored : the rows. account : what became of the others.
    """

    def __init__(self, long: Long, options: ReadOptions) -> None:
        self.options = options
        self.scored, self.account = _scored_only(long, options)

    @cached_property
    def answers(self) -> Grid:
        """The grid of all rows, in which an item may stand in several epochs."""
        return Grid.of(self.scored)

    @cached_property
    def rows(self) -> Long:
        """The rows, one for each item and classifier: its epochs averaged, or set apart."""
        if self.scored.unit != "item":
            return self.scored
        several = self.options.lone and len(self.answers.runs) > 1
        return (apart if several else averaged)(self.scored)

    @cached_property
    def grid(self) -> Grid:
        """The grid of these rows."""
        return self.answers if self.rows is self.scored else Grid.of(self.rows)

    @cached_property
    def coverage(self) -> "Coverage":
        """Which classifier has what."""
        return Coverage.of(self.grid)

    @cached_property
    def designs(self) -> list[Design]:
        """How each data set was cross-validated."""
        return find_designs(self.grid, self.rows, self.options)


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


def _known_only(long: Long, options: ReadOptions) -> Long:
    """The scores of the classifiers and data sets that were asked for, as far as there are any."""
    keep = np.ones(len(long), dtype=np.bool_)
    classifiers = options.classifiers
    if options.lone:
        classifiers = (*classifiers, *long.keys["classifier"].names)[:1]
    for column, wanted in (
        (long.keys["classifier"], classifiers),
        (long.keys["dataset"], options.datasets),
    ):
        known = np.isin(column.names, wanted)
        if known.any():
            keep &= known[column.codes]
    return long.chosen(keep)


def _scored_only(long: Long, options: ReadOptions) -> tuple[Long, Account]:
    """The rows that were chosen and have a score, and what became of the others."""
    chosen = _known_only(long, options)
    parts = []
    if long.filtered:
        parts.append(LeftOut("where", long.filtered))
    if len(chosen) < len(long):
        every = np.ones(len(long), dtype=np.bool_)
        kept = chosen.by_classifier(np.ones(len(chosen), dtype=np.bool_))
        others = {k: n - kept.get(k, 0) for k, n in long.by_classifier(every).items()}
        parts.append(
            LeftOut("choice", len(long) - len(chosen), {k: n for k, n in others.items() if n})
        )
    missing = np.isnan(chosen.numbers["score"])
    if missing.any():
        parts.append(LeftOut("no-score", int(missing.sum()), chosen.by_classifier(missing)))
        chosen = chosen.chosen(~missing)
    failed = {}
    if "failed" in chosen.keys:
        errors = chosen.keys["failed"].which(lambda name: whole_number(name) not in NO_ERRORS)
        failed = chosen.by_classifier(errors)
    return chosen, Account(
        read=len(long) + long.filtered,
        used=len(chosen),
        left_out=tuple(parts),
        failed=failed,
        failed_column=chosen.failed_column if failed else None,
    )
