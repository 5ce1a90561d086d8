"""Folds, items and data sets that some classifiers have and others lack: refused or left out."""

from dataclasses import replace

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.data.account import Account, LeftOut, by_classifier
from bcompare.data.units import Unit
from bcompare.reading.grid import BoolArray, Grid
from bcompare.reading.problems import SHOWN, Kind, Problems, clipped, named, number
from bcompare.reading.survey import Coverage, Survey

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
POLICIES: dict[Unit, tuple[str, str]] = {
    "fold": ("drop-folds", "folds"),
    "seed": ("drop-folds", "folds"),
    "item": ("drop-items", "items"),
    "mean": ("drop-datasets", "data sets"),
}
"""What leaves out rows without a score, and what it leaves."""


def find_missing(survey: Survey, problems: Problems) -> None:
    """What one classifier has and another lacks is a problem, unless it is to be dropped."""
    missing, grid, coverage = survey.options.missing, survey.grid, survey.coverage
    if missing in (None, "refuse") and coverage.incomplete.any():
        find = _find_missing_items if grid.unit == "item" else _find_gaps
        find(grid, coverage, problems)
    if missing == "refuse":
        _find_absent(grid, coverage, problems)


def _find_missing_items(grid: Grid, coverage: Coverage, problems: Problems) -> None:
    """Items that one classifier answered and another did not, counted by data set."""
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


def _find_gaps(grid: Grid, coverage: Coverage, problems: Problems) -> None:
    """Folds that one classifier has and another lacks."""
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


def _find_absent(grid: Grid, coverage: Coverage, problems: Problems) -> None:
    """Data sets that some classifier lacks as a whole."""
    for i in np.flatnonzero(~coverage.present.all(axis=1)).tolist():
        absent = [grid.classifiers[k] for k in np.flatnonzero(~coverage.present[i])]
        problems.add(ABSENT, clipped(grid.datasets[i]), named(absent, 3))


def refuse_no_scores(survey: Survey, problems: Problems) -> None:
    """Rows without a score are refused, unless the options say what to do about them.

    In a table of means an empty cell is a data set that the classifier lacks as a whole.
    """
    options, account, unit = survey.options, survey.account, survey.scored.unit
    if options.missing not in (None, "refuse") or (options.missing is None and unit == "mean"):
        return
    for part in account.left_out:
        if part.reason == "no-score":
            rows = account.used + part.rows
            policy, what = POLICIES[unit]
            whole = f", or {arg('missing', 'drop-datasets')} to leave out whole data sets"
            who = by_classifier({clipped(name): n for name, n in part.classifiers.items()})
            problems.known.append(
                f"{part.rows:,} of {number(rows, 'row')} without a score: {who}; add what is "
                f"missing, or say {arg('missing', policy)} to compare on the {what} of which all "
                f"have a score{'' if unit == 'mean' else whole}"
            )
            problems.raise_any()


def kept_rows(survey: Survey) -> BoolArray:
    """Which rows of the grid are kept."""
    grid, coverage, missing = survey.grid, survey.coverage, survey.options.missing
    if missing == "drop-datasets":
        return ~coverage.partial[grid.dataset]
    if missing in ("drop-folds", "drop-items"):
        return ~coverage.incomplete
    return np.ones(len(grid.dataset), dtype=np.bool_)


def with_dropped(survey: Survey, kept: BoolArray) -> Account:
    """The account with what is dropped; an answer is a row, however many make a score."""
    account, coverage, missing = survey.account, survey.coverage, survey.options.missing
    grid, answers = survey.grid, survey.answers
    if kept.all():
        return account
    out = ~kept
    each = grid.filled[out].sum(axis=0)
    if answers is not grid:
        every, those = (g.dataset * len(grid.folds) + g.fold for g in (answers, grid))
        each = answers.filled[~np.isin(every, those[kept])].sum(axis=0)
    rows = {name: n for name, n in zip(grid.classifiers, each.tolist(), strict=True) if n}
    if missing == "drop-datasets":
        lacks = (~coverage.present | np.logical_or.reduceat(coverage.gaps, coverage.starts)).sum(0)
    else:
        lacks = coverage.gaps.sum(axis=0)
    total = sum(rows.values())
    dataset = [grid.datasets[i] for i in grid.dataset[out]]
    fold = [grid.folds[i] for i in grid.fold[out]]
    run = [grid.runs[i] for i in grid.run[out]]
    return replace(
        account,
        used=account.used - total,
        left_out=(*account.left_out, LeftOut("incomplete", total, rows)),
        lacking={k: n for k, n in zip(grid.classifiers, lacks.tolist(), strict=True) if n},
        folds=tuple(zip(dataset, run, fold, strict=True)) if missing == "drop-folds" else (),
        items=tuple(zip(dataset, fold, strict=True)) if missing == "drop-items" else (),
        datasets=tuple(dict.fromkeys(dataset)) if missing == "drop-datasets" else (),
    )
