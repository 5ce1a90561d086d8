"""How each data set was cross-validated: runs, folds, their correlation."""

import math
from dataclasses import dataclass

import numpy as np

from bcompare.data.sufficient import IntArray
from bcompare.reading.grid import Grid
from bcompare.reading.long import Long
from bcompare.reading.options import ReadOptions

MOST_CASES = 1e15  # sums of more are not exact
DROPPED = ("drop-folds", "drop-datasets")


@dataclass(frozen=True, slots=True)
class Design:
    """How a data set was cross-validated.

    Attributes
    ----------
    runs : of cross-validation.
    least, most : the number of folds in a run.
    rho : the correlation, given or n_test / (n_train + n_test) or 1/folds; None if it cannot be
        known, NaN if n_train and n_test are not numbers of cases.
    """

    runs: int
    least: int
    most: int
    rho: float | None

    @property
    def folds(self) -> int:
        """Folds in each run; 0 where runs differ."""
        return self.most if self.least == self.most else 0


def find_designs(grid: Grid, long: Long, options: ReadOptions) -> list[Design]:
    """The design of each data set; of other units than folds, all rows count as one run."""
    if grid.unit != "fold":
        counts = np.bincount(grid.dataset, minlength=len(grid.datasets)).tolist()
        return [Design(runs=1, least=n, most=n, rho=options.rho or 0.0) for n in counts]
    shares = _test_shares(grid, long)
    designs = []
    for folds, share in zip(folds_per_run(grid.dataset, grid.run), shares, strict=True):
        least, most = int(folds.min()), int(folds.max())
        rho = 1 / most if least == most > 1 else None
        if options.missing in DROPPED and str(options.folds) in grid.folds:
            rho = 1 / int(options.folds or 1)  # also where a fold is missing of all classifiers
        if options.rho is not None:
            rho = options.rho
        elif share is not None:
            rho = share
        designs.append(Design(runs=len(folds), least=least, most=most, rho=rho))
    return designs


def folds_per_run(dataset: IntArray, run: IntArray) -> list[IntArray]:
    """For each data set, how many folds each of its runs has; rows are sorted by both."""
    if not len(dataset):
        return []
    starts = np.flatnonzero((np.diff(dataset, prepend=-1) != 0) | (np.diff(run, prepend=-1) != 0))
    counts = np.diff(starts, append=len(dataset))
    return np.split(counts, np.flatnonzero(np.diff(dataset[starts])) + 1)


def _test_shares(grid: Grid, long: Long) -> list[float | None]:
    """n_test / (n_train + n_test) of each data set; None where that is not known.

    Folds of one data set may differ by a case: their sums are taken, which are exact for whole
    numbers, so that the order of rows changes nothing. NaN for numbers that are not whole.
    """
    if "train" not in long.numbers:
        return [None] * len(grid.datasets)
    train, test = long.numbers["train"], long.numbers["test"]
    known = ~(np.isnan(train) | np.isnan(test))
    dataset = grid.dataset[grid.cell[known] // len(grid.classifiers)]
    train, test = train[known], test[known]
    with np.errstate(invalid="ignore"):  # what cannot be read is infinite
        whole = (train % 1 == 0) & (test % 1 == 0) & (train > 0) & (test > 0)
        whole &= (train < MOST_CASES) & (test < MOST_CASES)
    q = len(grid.datasets)
    count = np.bincount(dataset, minlength=q)
    wrong = np.bincount(dataset, ~whole, minlength=q) > 0
    trained = np.bincount(dataset, np.where(whole, train, 0), minlength=q)
    tested = np.bincount(dataset, np.where(whole, test, 0), minlength=q)
    return [
        None if not n else math.nan if w else float(t / (r + t))
        for n, w, r, t in zip(count, wrong, trained, tested, strict=True)
    ]
