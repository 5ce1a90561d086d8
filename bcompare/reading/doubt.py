"""What rows are taken for and why, and folds that look like test items."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bcompare.reading import messages, words
from bcompare.reading.design import Design
from bcompare.reading.grid import Grid
from bcompare.reading.long import Long
from bcompare.reading.options import ReadOptions
from bcompare.reading.presets import MEANS
from bcompare.reading.problems import Problems
from bcompare.units import ROWS

MOST_FOLDS = 50
"""More folds in a run (ρ below 0.02) are hardly cross-validation."""


def doubt_folds(
    grid: Grid, long: Long, designs: Sequence[Design], options: ReadOptions, problems: Problems
) -> None:
    """Folds that look like test items are refused, unless their correlation is told."""
    if grid.unit != "fold" or options.rho is not None or long.train is not None:
        return
    starts = np.flatnonzero(np.diff(grid.dataset, prepend=-1))
    zero, one = (np.abs(grid.table) == value for value in (0, 1))
    binary = np.logical_and.reduceat((zero | one | ~grid.filled).all(axis=1), starts)
    both = np.logical_or.reduceat(zero.any(axis=1), starts) & np.logical_or.reduceat(
        one.any(axis=1), starts
    )
    column = words.shell_word(options.fold_col or options.iteration_col or "fold")
    kind = replace(messages.LIKE_ITEMS, advice=messages.LIKE_ITEMS.advice.format(fold=column))
    for name, design, is_binary in zip(grid.datasets, designs, binary & both, strict=True):
        if is_binary:
            problems.add(kind, words.clipped(name), "all scores are 0 or 1")
        elif design.most > MOST_FOLDS:
            many = f"{words.number(design.most, 'fold')} in a run"
            problems.add(kind, words.clipped(name), f"{many}, so that ρ = {1 / design.most:.2g}")


def taken_for(grid: Grid, options: ReadOptions) -> str:
    """What rows are taken for, and why, in a sentence."""
    named = {
        "item": f"--item-col names {options.item_col}",
        "seed": f"--seed-col names {options.seed_col}",
        "mean": "by --preset means"
        if options.preset == MEANS
        else "there is one score a data set and classifier, and no column of runs or folds",
        "fold": "by the columns of runs and folds; test items or seeds would be named by "
        "--item-col or --seed-col",
    }
    return f"Rows are taken for {ROWS[grid.unit]}: {named[grid.unit]}"
