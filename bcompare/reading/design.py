"""How each data set was cross-validated: runs, folds, their correlation."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.data.sufficient import IntArray
from bcompare.reading.advice import USUAL_FOLDS, is_counter, readings
from bcompare.reading.grid import Grid
from bcompare.reading.long import Long
from bcompare.reading.options import ReadOptions
from bcompare.reading.problems import Kind, Problems, clipped, number, quoted

LIKE_ITEMS = Kind(
    "data set {0}: {1}",
    "these look like test items, not folds; say {item} if they are, {seed} if they are "
    f"independent runs on one split (ρ 0), or {arg('rho')} with the share of test cases, such as "
    f"{arg('rho', 0.1)}, if they are folds of cross-validation",
)
COUNTED = Kind(
    "data set {0}: {1} rows of each classifier, numbered by column {2}",
    "such a column rarely counts the folds of one cross-validation; say {readings}",
)
TOO_FEW_ITERATIONS = Kind(
    f"data set {{0}}: {{1}}, but a run has {{2}} folds by {arg('folds')}",
    f"give {arg('folds')} the number of folds in one run; if this is no cross-validation say, "
    f"instead of {arg('iteration_col')} and {arg('folds')}, {{readings}}",
)
ONE_FOLD = Kind(
    "data set {0}: {1} of one fold",
    f"say {{seed}} if they are independent runs on one split (ρ 0), or {arg('rho', 0.1)} if every "
    "run splits the data anew (0.1 stands for the share of test cases)",
)
MOST_FOLDS = 50
"""More folds in a run (ρ below 0.02) are hardly cross-validation."""
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
    """n_test / (n_train + n_test) of each data set; None where that is not told.

    Folds of one data set may differ by a case: their sums are taken, which are exact for whole
    numbers, so that the order of rows changes nothing. NaN for numbers that are not whole.
    """
    if "train" not in long.numbers:
        return [None] * len(grid.datasets)
    train, test = long.numbers["train"], long.numbers["test"]
    told = ~(np.isnan(train) | np.isnan(test))
    dataset = grid.dataset[grid.cell[told] // len(grid.classifiers)]
    train, test = train[told], test[told]
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


def check_folds(
    grid: Grid, long: Long, designs: Sequence[Design], options: ReadOptions, problems: Problems
) -> None:
    """Folds that look like test items or like seeds are refused, unless their ρ is told."""
    if grid.unit != "fold" or options.rho is not None or "train" in long.numbers:
        return
    starts = np.flatnonzero(np.diff(grid.dataset, prepend=-1))
    zero, one = (np.abs(grid.table) == value for value in (0, 1))
    binary = np.logical_and.reduceat((zero | one | ~grid.filled).all(axis=1), starts)
    both = np.logical_or.reduceat(zero.any(axis=1), starts) & np.logical_or.reduceat(
        one.any(axis=1), starts
    )
    item, seed = (read_as(unit, "fold", long, options) for unit in ("item", "seed"))
    like_items = _advised(LIKE_ITEMS, item=item, seed=seed)
    names = [clipped(name) for name in grid.datasets]
    for name, design, is_binary in zip(names, designs, binary & both, strict=True):
        if is_binary:
            problems.add(like_items, name, "all scores are 0 or 1")
        elif design.most > MOST_FOLDS:
            many = f"{number(design.most, 'fold')} in a run"
            problems.add(like_items, name, f"{many}, so that ρ = {1 / design.most:.2g}")
    if not problems.found:
        _check_counters(grid, long, designs, options, problems)


def _check_counters(
    grid: Grid, long: Long, designs: Sequence[Design], options: ReadOptions, problems: Problems
) -> None:
    """Runs that pass for folds: in numbers that no cross-validation has, or fewer than --folds."""
    names = [clipped(name) for name in grid.datasets]
    if options.folds is not None and str(options.folds) not in grid.folds:
        told = readings(long.titles["iteration"]) if "iteration" in long.titles else arg("rho")
        kind = _advised(TOO_FEW_ITERATIONS, readings=told)
        for name, design in zip(names, designs, strict=True):
            problems.add(kind, name, number(design.most, "iteration"), options.folds)
    column = counter_of_folds(long)
    counts = {design.most for design in designs}
    if column is not None and (len(counts) > 1 or not counts <= {*USUAL_FOLDS}):
        kind = _advised(COUNTED, readings=readings(column, chosen="fold_col"))
        for name, design in zip(names, designs, strict=True):
            problems.add(kind, name, design.most, quoted(column))


def counter_of_folds(long: Long) -> str | None:
    """The column of folds, if it is called like one that numbers independent runs."""
    column = long.titles.get("fold")
    return column if column and "run" not in long.titles and is_counter(column) else None


def read_as(unit: str, role: str, long: Long, options: ReadOptions) -> str:
    """The option that reads as items or seeds what was read as folds or runs."""
    for name in ("wide", "split"):
        text = getattr(options, name)
        if text is not None and f"(?P<{role}>" in text:
            return arg(name, text.replace(f"(?P<{role}>", f"(?P<{unit}>"))
    column = long.titles.get(role) or long.titles.get("iteration") or role
    return arg(f"{unit}_col", column)


def _advised(kind: Kind, **parts: str) -> Kind:
    """The kind with the particulars of its advice."""
    return replace(kind, advice=kind.advice.format(**parts))


def runs_of_one_fold(long: Long, options: ReadOptions) -> Kind:
    """What to say where each run has one fold."""
    return _advised(ONE_FOLD, seed=read_as("seed", "run", long, options))
