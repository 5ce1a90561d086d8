"""What rows are taken for and why, and folds that look like test items."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.data.units import ROWS
from bcompare.reading import messages, words
from bcompare.reading.advice import USUAL_FOLDS, is_counter, readings
from bcompare.reading.design import Design
from bcompare.reading.grid import Grid
from bcompare.reading.long import Long
from bcompare.reading.options import ReadOptions
from bcompare.reading.presets import MEANS
from bcompare.reading.problems import Problems

MOST_FOLDS = 50
"""More folds in a run (ρ below 0.02) are hardly cross-validation."""


def doubt_folds(
    grid: Grid, long: Long, designs: Sequence[Design], options: ReadOptions, problems: Problems
) -> None:
    """Folds that look like test items or like seeds are refused, unless their ρ is told."""
    if grid.unit != "fold" or options.rho is not None or long.train is not None:
        return
    starts = np.flatnonzero(np.diff(grid.dataset, prepend=-1))
    zero, one = (np.abs(grid.table) == value for value in (0, 1))
    binary = np.logical_and.reduceat((zero | one | ~grid.filled).all(axis=1), starts)
    both = np.logical_or.reduceat(zero.any(axis=1), starts) & np.logical_or.reduceat(
        one.any(axis=1), starts
    )
    item, seed = (read_as(unit, "fold", long, options) for unit in ("item", "seed"))
    like_items = _advised(messages.LIKE_ITEMS, item=item, seed=seed)
    names = [words.clipped(name) for name in grid.datasets]
    for name, design, is_binary in zip(names, designs, binary & both, strict=True):
        if is_binary:
            problems.add(like_items, name, "all scores are 0 or 1")
        elif design.most > MOST_FOLDS:
            many = f"{words.number(design.most, 'fold')} in a run"
            problems.add(like_items, name, f"{many}, so that ρ = {1 / design.most:.2g}")
    if not problems.found:
        _doubt_counters(grid, long, designs, options, problems)


def _doubt_counters(
    grid: Grid, long: Long, designs: Sequence[Design], options: ReadOptions, problems: Problems
) -> None:
    """Runs that pass for folds: in numbers that no cross-validation has, or fewer than --folds."""
    names = [words.clipped(name) for name in grid.datasets]
    if options.folds is not None and str(options.folds) not in grid.folds:
        told = readings(long.titles["iteration"]) if "iteration" in long.titles else arg("rho")
        kind = _advised(messages.TOO_FEW_ITERATIONS, readings=told)
        for name, design in zip(names, designs, strict=True):
            problems.add(kind, name, words.number(design.most, "iteration"), options.folds)
    column = counter_of_folds(long)
    counts = {design.most for design in designs}
    if column is not None and (len(counts) > 1 or not counts <= {*USUAL_FOLDS}):
        kind = _advised(messages.COUNTED, readings=readings(column, chosen="fold_col"))
        for name, design in zip(names, designs, strict=True):
            problems.add(kind, name, design.most, words.quoted(column))


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


def _advised(kind: messages.Kind, **parts: str) -> messages.Kind:
    """The kind with the particulars of its advice."""
    return replace(kind, advice=kind.advice.format(**parts))


def runs_of_one_fold(long: Long, options: ReadOptions) -> messages.Kind:
    """What to say where each run has one fold."""
    return _advised(messages.ONE_FOLD, seed=read_as("seed", "run", long, options))


def taken_for(grid: Grid, options: ReadOptions) -> str:
    """What rows are taken for, and why, in a sentence."""
    named = {
        "item": f"{arg('item_col')} names {options.item_col}"
        if options.item_col
        else "by the group 'item' of the expression",
        "seed": f"{arg('seed_col')} names {options.seed_col}"
        if options.seed_col
        else "by the group 'seed' of the expression",
        "mean": f"by {arg('preset', 'means')}"
        if options.preset == MEANS
        else "there is one score a data set and classifier, and no column of runs or folds",
        "fold": "by the columns of runs and folds; test items or seeds would be named by "
        f"{arg('item_col')} or {arg('seed_col')}",
    }
    return f"Rows are taken for {ROWS[grid.unit]}: {named[grid.unit]}"
