"""Rows that are taken for folds must be folds, of a correlation that is known."""

import math
from dataclasses import replace

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.reading.advice import USUAL_FOLDS, is_counter, readings
from bcompare.reading.long import Long
from bcompare.reading.problems import Kind, Problems, clipped, number, quoted
from bcompare.reading.survey import Survey

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
UNEQUAL_RUNS = Kind(
    "data set {0}: runs of {1} to {2} folds",
    "the correlation of the scores is known to be 1/folds only where all runs have the same number "
    f"of folds, at least two; else give it with {arg('rho')}: the share of test cases in all cases "
    "(0.1 for tenfold cross-validation), or 0 for independent scores such as seeds on one fixed "
    "split",
)
SIZES = Kind(
    "data set {0}: n_train and n_test are not whole numbers of cases",
    f"correct them, or give the correlation with {arg('rho')}",
)


def check_rhos(survey: Survey, problems: Problems) -> None:
    """The correlation must be known, never guessed."""
    for name, design in zip(map(clipped, survey.grid.datasets), survey.designs, strict=True):
        if design.rho is None and design.folds == 1 < design.runs:
            kind = _advised(ONE_FOLD, seed=_read_as("seed", "run", survey))
            problems.add(kind, name, number(design.runs, "run"))
        elif design.rho is None and design.most > 1:
            problems.add(UNEQUAL_RUNS, name, design.least, design.most)
        elif design.rho is not None and math.isnan(design.rho):
            problems.add(SIZES, name)


def check_folds(survey: Survey, problems: Problems) -> None:
    """Folds that look like test items or like seeds are refused, unless their ρ is told."""
    grid, options = survey.grid, survey.options
    if grid.unit != "fold" or options.rho is not None or "train" in survey.rows.numbers:
        return
    starts = survey.coverage.starts
    zero, one = (np.abs(grid.table) == value for value in (0, 1))
    binary = np.logical_and.reduceat((zero | one | ~grid.filled).all(axis=1), starts)
    both = np.logical_or.reduceat(zero.any(axis=1), starts) & np.logical_or.reduceat(
        one.any(axis=1), starts
    )
    item, seed = (_read_as(unit, "fold", survey) for unit in ("item", "seed"))
    like_items = _advised(LIKE_ITEMS, item=item, seed=seed)
    names = [clipped(name) for name in grid.datasets]
    for name, design, is_binary in zip(names, survey.designs, binary & both, strict=True):
        if is_binary:
            problems.add(like_items, name, "all scores are 0 or 1")
        elif design.most > MOST_FOLDS:
            many = f"{number(design.most, 'fold')} in a run"
            problems.add(like_items, name, f"{many}, so that ρ = {1 / design.most:.2g}")
    if not problems.found:
        _check_counters(survey, problems)


def _check_counters(survey: Survey, problems: Problems) -> None:
    """Runs that pass for folds: in numbers that no cross-validation has, or fewer than --folds."""
    long, options, designs = survey.rows, survey.options, survey.designs
    names = [clipped(name) for name in survey.grid.datasets]
    if options.folds is not None and str(options.folds) not in survey.grid.folds:
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


def _read_as(unit: str, role: str, survey: Survey) -> str:
    """The option that reads as items or seeds what was read as folds or runs."""
    for name in ("wide", "split"):
        text = getattr(survey.options, name)
        if text is not None and f"(?P<{role}>" in text:
            return arg(name, text.replace(f"(?P<{role}>", f"(?P<{unit}>"))
    titles = survey.rows.titles
    column = titles.get(role) or titles.get("iteration") or role
    return arg(f"{unit}_col", column)


def _advised(kind: Kind, **parts: str) -> Kind:
    """The kind with the particulars of its advice."""
    return replace(kind, advice=kind.advice.format(**parts))
