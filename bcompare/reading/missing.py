"""Rows that are not used: not chosen, without a score, or left out because others lack them."""

from dataclasses import replace

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.data.account import Account, LeftOut, by_classifier
from bcompare.data.units import Unit
from bcompare.reading.columns import whole_number
from bcompare.reading.coverage import Coverage
from bcompare.reading.grid import BoolArray, Grid
from bcompare.reading.long import Long
from bcompare.reading.options import ReadOptions
from bcompare.reading.problems import Problems, clipped, number

NO_ERRORS = ("", "0", "NA")
POLICIES: dict[Unit, tuple[str, str]] = {
    "fold": ("drop-folds", "folds"),
    "seed": ("drop-folds", "folds"),
    "item": ("drop-items", "items"),
    "mean": ("drop-datasets", "data sets"),
}
"""What leaves out rows without a score, and what it leaves."""


def known_only(long: Long, options: ReadOptions) -> Long:
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


def scored_only(long: Long, options: ReadOptions) -> tuple[Long, Account]:
    """The rows that were chosen and have a score, and what became of the others."""
    chosen = known_only(long, options)
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


def refuse_no_scores(
    account: Account, unit: Unit, options: ReadOptions, problems: Problems
) -> None:
    """Rows without a score are refused, unless the options say what to do about them.

    In a table of means an empty cell is a data set that the classifier lacks as a whole.
    """
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


def kept_rows(grid: Grid, coverage: Coverage, options: ReadOptions) -> BoolArray:
    """Which rows of the grid are kept."""
    if options.missing == "drop-datasets":
        return ~coverage.partial[grid.dataset]
    if options.missing in ("drop-folds", "drop-items"):
        return ~coverage.incomplete
    return np.ones(len(grid.dataset), dtype=np.bool_)


def with_dropped(
    account: Account,
    grid: Grid,
    coverage: Coverage,
    kept: BoolArray,
    answers: Grid,
    options: ReadOptions,
) -> Account:
    """The account with what is dropped; an answer is a row, however many make a score."""
    if kept.all():
        return account
    out = ~kept
    each = grid.filled[out].sum(axis=0)
    if answers is not grid:
        every, those = (g.dataset * len(grid.folds) + g.fold for g in (answers, grid))
        each = answers.filled[~np.isin(every, those[kept])].sum(axis=0)
    rows = {name: n for name, n in zip(grid.classifiers, each.tolist(), strict=True) if n}
    if options.missing == "drop-datasets":
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
        folds=tuple(zip(dataset, run, fold, strict=True))
        if options.missing == "drop-folds"
        else (),
        items=tuple(zip(dataset, fold, strict=True)) if options.missing == "drop-items" else (),
        datasets=tuple(dict.fromkeys(dataset)) if options.missing == "drop-datasets" else (),
    )
