"""The canonical long table as one dense grid: folds of all data sets by classifiers."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.data.rope import FloatArray
from bcompare.data.sufficient import IntArray
from bcompare.data.units import Unit
from bcompare.reading.columns import Coded, distinct, natural_order
from bcompare.reading.long import Long
from bcompare.reading.problems import clipped

BoolArray = NDArray[np.bool_]

SPARSE = 50  # cells of the grid for each score: with more, the keys must be wrong
LARGE = 1 << 24  # cells: with fewer, it does not matter


@dataclass(frozen=True, eq=False, slots=True)
class Grid:
    """Scores by fold and classifier.

    Attributes
    ----------
    datasets, classifiers : names, in the order of their first appearance.
    runs, folds : names, in natural order.
    dataset, run, fold : (u,) which data set, run and fold each row of the grid is, as positions
        in the names; rows are sorted by these three.
    table : (u, c) scores; NaN where there is none.
    filled : (u, c) whether there is one.
    cell : (n,) position in the flat table of each score of the long table.
    unit : what a row is.
    """

    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    runs: tuple[str, ...]
    folds: tuple[str, ...]
    dataset: IntArray
    run: IntArray
    fold: IntArray
    table: FloatArray
    filled: BoolArray
    cell: IntArray
    unit: Unit

    @classmethod
    def of(cls, long: Long) -> "Grid":
        """The grid of a long table.

        Raises
        ------
        InputError : if it would be next to empty and fill the memory.
        """
        datasets, dataset = _used(long.keys["dataset"])
        classifiers, classifier = _used(long.keys["classifier"])
        runs, run = sorted_names(long.keys["run"])
        folds, fold = sorted_names(long.keys["fold"])
        splits, split = np.arange(len(folds)), fold
        if len(runs) > 1:
            splits, split = distinct(run, fold, len(folds))
        units, cell = distinct(dataset, split, len(splits))
        cells = len(units) * len(classifiers)
        if cells > max(LARGE, SPARSE * len(long)):
            raise InputError(
                f"{len(classifiers):,} classifiers and {len(units):,} folds, but only "
                f"{len(long):,} scores: hardly any fold has two of them; is the right column named "
                f"with {arg('classifier_col')} and {arg('fold_col')}?"
            )
        cell *= len(classifiers)
        cell += classifier
        table, filled = np.full(cells, np.nan), np.zeros(cells, dtype=np.bool_)
        table[cell] = long.numbers["score"]
        filled[cell] = True
        split_of_unit = splits[units % len(splits)]
        return cls(
            datasets=datasets,
            classifiers=classifiers,
            runs=runs,
            folds=folds,
            dataset=units // len(splits),
            run=split_of_unit // len(folds),
            fold=split_of_unit % len(folds),
            table=table.reshape(len(units), len(classifiers)),
            filled=filled.reshape(len(units), len(classifiers)),
            cell=cell,
            unit=long.unit,
        )

    def split_name(self, row: int) -> str:
        """Run and fold of a row in words, or whatever it is."""
        run, fold = (
            clipped(self.runs[self.run[row]]),
            clipped(self.folds[self.fold[row]]),
        )
        if self.unit == "item" and len(self.runs) == 1:
            return f"item {fold}"
        return {
            "fold": f"run {run}, fold {fold}",
            "seed": f"seed {fold}",
            "item": f"item {fold}, epoch {run}",
            "mean": "",
        }[self.unit]

    def row_name(self, row: int) -> str:
        """Data set, run and fold of a row in words."""
        name = f"data set {clipped(self.datasets[self.dataset[row]])}"
        return ", ".join(part for part in (name, self.split_name(row)) if part)


def _used(column: Coded) -> tuple[tuple[str, ...], NDArray[Any]]:
    """The names that occur, in order, and codes into them."""
    used = np.bincount(column.codes, minlength=len(column.names)) > 0
    if used.all():
        return column.names, column.codes
    names = tuple(name for name, is_used in zip(column.names, used, strict=True) if is_used)
    return names, (np.cumsum(used, dtype=np.int32) - 1)[column.codes]


def sorted_names(column: Coded) -> tuple[tuple[str, ...], NDArray[Any]]:
    """The names that occur, in natural order, and codes into them."""
    names, codes = _used(column)
    rank = natural_order(names)
    return tuple(names[i] for i in np.argsort(rank)), rank[codes]
