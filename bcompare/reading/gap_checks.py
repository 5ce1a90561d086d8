"""Checks that each trial has one score of each classifier, or why not."""

import re
from collections.abc import Sequence
from itertools import product

import numpy as np

from bcompare.basis.messages import arg, number_of, spelled
from bcompare.columns.vocabulary import is_counter, plain, roles_of
from bcompare.data.account import LeftOut
from bcompare.data.units import SEED
from bcompare.files.problems import (
    OR_APART,
    SHOWN,
    Problems,
    clipped,
    named,
    quoted,
)
from bcompare.reading.chosen_rows import Survey, as_failed, has_bounds
from bcompare.reading.long_table import Long
from bcompare.reading.score_grid import EpochEstimate, Grid

# How to list every gap.
LISTED = spelled("bcompare check --format json", "profile_results(...).gaps")
# The most rows to read again for a message.
MOST_ROWS = 1000
# Names of columns, in letters only, that say how an answer was scored.
WAYS = ("filter", "scorer", "grader", "judge")
# Columns of a search by successive halving.
ROUNDS = {"iter", "n_resources"}


def check_duplicates(grid: Grid, long: Long, problems: Problems) -> None:
    """Check that no two scores have the same key."""
    extra = len(grid.cell) - int(np.count_nonzero(grid.filled))
    if not extra:
        return
    order = np.argsort(grid.cell, kind="stable")
    again = np.flatnonzero(np.diff(grid.cell[order]) == 0)
    i = again[order[again + 1].argmin()]
    one, other = long.places([int(order[i]), int(order[i + 1])])
    unit, classifier = divmod(int(grid.cell[order[i]]), len(grid.classifiers))
    key = f"{grid.row_name(unit)}, classifier {clipped(grid.classifiers[classifier])}"
    columns = [name for name in one[1] if name and one[1][name] != other[1].get(name)]
    how = f"the rows differ in {named(columns)}" if columns else "the rows are equal"
    text = f"{key}: two scores, {one[0]} and {other[0]}; {how}"
    advice = grid.unit.duplicates
    if one[0].rpartition(", ")[0] != other[0].rpartition(", ")[0]:
        if not columns:
            advice = "give only one of these files, or compare them as LABEL=FILE"
        advice += "; if they are whole runs of one side, gate takes their folder: LABEL=FOLDER/"
    role = grid.unit.repetition
    ways = [name for name in columns if plain(name) in WAYS]
    usual: dict[str, list[str]] = {}
    if "dataset" not in long.titles:
        usual["dataset"] = [name for name in columns if "dataset" in roles_of(name)]
    if role and len(grid.runs) == 1 and not {role, "iteration"} & long.titles.keys():
        usual[role] = [name for name in columns if plain(name) == role or is_counter(name)]
    telling = [(r, name) for r in usual for name in _tells_apart(usual[r], grid, long)]
    if {*columns} >= ROUNDS:
        last = long.places([len(long) - 1])[0][1]["iter"]
        advice = (
            "the candidates of each round of a search had other data: compare those of one, such "
            f"as the last by {arg('where', [f'iter={last}'])}"
        )
    elif telling:
        ((role, apart), *_) = telling
        advice = (
            f"column {quoted(apart)} tells such rows apart: say {arg(f'{role}_col', apart)}, "
            f"or choose rows with {arg('where')}"
        )
    elif ways:
        other_way = f"{ways[0]}!={other[1][ways[0]]}"
        advice = (
            f"column {quoted(ways[0])} tells such rows apart, one answer scored in several ways: "
            f"choose one, such as by {arg('where', [other_way])}"
        )
    problems.add(text, advice, extra)


def _tells_apart(columns: Sequence[str], grid: Grid, long: Long) -> list[str]:
    """Return the columns that differ wherever keys are equal, judged by the first rows."""
    rows = np.flatnonzero((np.bincount(grid.cell) > 1)[grid.cell])[:MOST_ROWS].tolist()
    keys = grid.cell[rows].tolist()
    cells_of_rows = [cells for _, cells in long.places(rows)]
    found = []
    for name in columns:
        cells = [cells_of_row[name] for cells_of_row in cells_of_rows]
        if len(set(zip(keys, cells, strict=True))) == len(rows):
            found.append(name)
    return found


def check_scored(survey: Survey, problems: Problems) -> None:
    """Refuse rows without a score, unless the options say what to do about them.

    In a table of means an empty cell means that the classifier lacks the whole data set.
    """
    options = survey.options
    account = survey.account
    unit = survey.scored.unit
    if options.baseline:
        _check_terms(survey, problems)
        return
    part = next((part for part in account.left_out if part.reason == "no-score"), None)
    settled = options.failed not in (None, "refuse") or options.missing not in (None, "refuse")
    if part is None or settled or (options.missing is None and not unit.has_spread):
        return
    bounds = has_bounds(survey.scored, options) is not None
    counted = as_failed(survey.scored, options)
    see = ""
    if bounds:
        see = f"{arg('failed', 'bounds')} to see whether the verdict depends on them, "
    advice = (
        f"say {counted} to count them as failed, {see}or {arg('failed', 'drop')} to leave out "
        "their items"
    )
    if not unit.has_answers:
        advice = (
            f"add what is missing, or say {counted} to count those that failed, {see}or "
            f"{arg('missing', unit.policy)} to compare each pair on the {unit.remaining} for which "
            "both have a score"
        )
        if unit.has_spread:
            advice += f", or {arg('missing', 'drop-datasets')} to leave out whole data sets"
    noun = "trial" if unit.has_answers else "row"
    problems.refuse(f"{_without_score(survey, part, noun)}; {advice}")


def _without_score(survey: Survey, part: LeftOut, noun: str) -> str:
    """Return how many rows lack a score, and whose."""
    total = number_of(survey.account.used + part.rows, noun)
    return f"{part.rows:,} of {total} without a score: {clipped(part.who, 200)}"


def _check_terms(survey: Survey, problems: Problems) -> None:
    """Refuse what a gate's candidate lacks, unless the options say how failed trials count."""
    options = survey.options
    account = survey.account
    if options.missing not in (None, "refuse"):
        problems.tell(
            f"{arg('missing', options.missing)}: a gate judges all that its baseline has: leave it "
            "out"
        )
    part = next((part for part in account.left_out[::-1] if part.reason == "no-score"), None)
    may_lack = {*options.baseline} if options.failed == "drop" else set()
    if part is None or part.classifiers.keys() <= may_lack:
        return
    grid = survey.answers
    gaps = np.logical_or.reduceat(~grid.filled.all(axis=1), grid.starts)
    whole = [n for n, g in zip(grid.datasets, gaps, strict=True) if g == 0]
    torn = [n for n, g in zip(grid.datasets, gaps, strict=True) if g == 1]
    column = survey.scored.titles.get("dataset")
    chosen = arg("datasets", whole)
    if column and len(torn) < len(whole):
        chosen = arg("where", [f"{column}!={name}" for name in torn])
    others = f", or judge the others with {chosen}" if whole and torn else ""
    dropped = {*options.baseline} & part.classifiers.keys()
    drop = f", or {arg('failed', 'drop')} to leave out those of the baseline" if dropped else ""
    incomplete = np.unique(grid.fold[~grid.filled.all(axis=1)]).tolist()
    shared = [seed for i, seed in enumerate(grid.folds) if i not in incomplete]
    if grid.unit == SEED and 1 < len(shared) < len(grid.folds):
        seeds = f"{survey.scored.titles.get('seed', 'seed')}~^({'|'.join(map(re.escape, shared))})$"
        others += f", or only the seeds that all have with {arg('where', [seeds])}"
    beyond = [part.who for part in account.left_out if part.reason == "beyond"]
    if beyond:
        others += f"; rows that the baseline lacks: {beyond[0]}: are they the same by another name?"
    see = ""
    if has_bounds(survey.scored, options) is not None:
        see = f"{arg('failed', 'bounds')} to see whether the verdict depends on it, or "
    problems.tell(
        f"{_without_score(survey, part, 'trial')}; a candidate may fail where it does badly: add "
        f"what is missing, say {see}{as_failed(survey.scored, options)} to count those that "
        f"failed{drop}{others}"
    )


def check_epochs(survey: Survey, problems: Problems) -> None:
    """Check that pass@k and pass^k can be computed from the answers to each item.

    Raises
    ------
    InputError : they cannot; or there were other problems already.
    """
    estimate = EpochEstimate.parse(survey.options.epochs)
    grid = survey.answers
    if estimate.kind == "mean":
        return
    how = arg("epochs", survey.options.epochs)
    if survey.epochs_apart:
        problems.refuse(
            f"{how}: a baseline is judged against itself by halves of its epochs, with means "
            f"of an item's answers; leave it out, or name whole re-runs by {arg('candidate')}"
        )
    if not grid.unit.has_answers:
        problems.refuse(f"{how} combines answers to test items; rows are {grid.unit.rows}")
    if not np.isin(survey.scored.numbers["score"], (0, 1)).all():
        problems.refuse(
            f"{how} needs answers that are right (1) or wrong (0), and there are other scores; "
            "leave it out to compare the means of an item's answers"
        )
    problems.raise_any()
    answers = survey.rows.numbers["answers"]
    few = np.flatnonzero(answers < estimate.k)
    for row in few[:1].tolist():
        roles = ("dataset", "fold", "classifier")
        dataset, item, who = (clipped(survey.rows.keys[role][row]) for role in roles)
        problems.add(
            f"data set {dataset}, item {item}: {number_of(int(answers[row]), 'answer')} of {who}, "
            f"and {how} needs {estimate.k}",
            f"ask for {int(answers.min())} at most, or add answers",
            len(few),
        )
    problems.raise_any()


def check_complete(survey: Survey, problems: Problems) -> None:
    """Refuse folds and data sets that some classifier lacks, unless they are to be dropped."""
    missing = survey.options.missing
    grid = survey.grid
    if missing not in (None, "refuse"):
        return
    check = _check_items if grid.unit.has_answers else _check_gaps
    incomplete = np.unique(grid.dataset[grid.incomplete]).tolist()
    for i in incomplete:
        check(survey, i, problems)
    if missing is None:
        return
    remedy = (
        f"{arg('missing', 'refuse')} asks for every data set of every classifier: add what is "
        f"missing, leave such data sets out with {arg('missing', 'drop-datasets')}, or drop "
        f"{arg('missing')} to compare each pair on what both have"
    )
    for i in np.flatnonzero(~grid.present.all(axis=1)).tolist():
        absent = _classifiers(grid, ~grid.present[i])
        problems.add(f"data set {clipped(grid.datasets[i])}: no scores of {absent}", remedy)


def _classifiers(grid: Grid, which: Sequence[bool]) -> str:
    """Return the names of a few classifiers."""
    return named([grid.classifiers[k] for k in np.flatnonzero(which)], 3)


def _check_items(survey: Survey, dataset: int, problems: Problems) -> bool:
    """Count the items of a data set that one classifier answered and another did not.

    Returns whether they may be left out.
    """
    grid = survey.grid
    counted = as_failed(survey.scored, survey.options)
    rows = grid.rows(dataset)
    gaps = grid.gaps[rows]
    items = grid.fold[rows]
    alone = int((grid.filled[rows].sum(axis=1) == 1).sum())
    lacking = []
    for k in np.flatnonzero(gaps.any(axis=0)):
        names = [grid.folds[item] for item in items[gaps[:, k]]]
        lacking.append(f"{clipped(grid.classifiers[k])} lacks {len(names):,} ({named(names, 3)})")
    of_several = ""
    if alone and len(grid.classifiers) > 2:
        of_several = f", and {number_of(alone, 'item')} only one classifier answered"
    incomplete = gaps.any(axis=1)
    may_drop = not incomplete.all()
    remedy = (
        "no item was answered by all: give the same item the same name everywhere; if each was "
        f"answered once, nothing pairs them; {OR_APART}"
    )
    if may_drop:
        remedy = (
            f"add them, or say {counted} to count them as failed, or compare on the items that all "
            f"answered with {arg('missing', 'drop-items')}"
        )
    problems.add(
        f"data set {clipped(grid.datasets[dataset])}: {int(incomplete.sum()):,} of "
        f"{number_of(len(items), 'item')} lack an answer{of_several}: {'; '.join(lacking[:SHOWN])}",
        remedy,
    )
    return may_drop


def _advice_apart(grid: Grid) -> str:
    """Return what to do where two classifiers share no fold or seed."""
    advice = (
        "these results are unpaired: both classifiers must be tested on the same folds of the same "
        "runs, under the same names"
    )
    # folds of one data set overlap, and are no samples of their own
    return advice if grid.unit.has_folds else f"{advice}; {OR_APART}"


def _check_gaps(survey: Survey, dataset: int, problems: Problems) -> bool:
    """List the folds of a data set that one classifier has and another lacks.

    Returns whether they may be left out, as the others are the same ones for all.
    """
    grid = survey.grid
    rows = grid.rows(dataset)
    here = np.flatnonzero(grid.present[dataset])
    filled = grid.filled[rows, here].astype(np.int64)
    unpaired = np.argwhere(filled.T @ filled == 0)
    if len(unpaired):
        left, right = unpaired[0].tolist()
        one = clipped(grid.classifiers[here[left]])
        other = clipped(grid.classifiers[here[right]])
        first = grid.split_name(rows.start + int(filled[:, left].argmax()))
        second = grid.split_name(rows.start + int(filled[:, right].argmax()))
        problems.add(
            f"data set {clipped(grid.datasets[dataset])}: {one} and {other} have no fold in common "
            f"({one} has {first}, {other} has {second})",
            _advice_apart(grid),
        )
        return False
    # of 6 folds one may lack the first, and another the last
    late = np.flatnonzero(filled[0] == 0)
    early = np.flatnonzero(filled[-1] == 0)
    for j, k in product(late.tolist(), early.tolist()):
        if (filled[1:, j] == filled[:-1, k]).all():
            ahead = clipped(grid.classifiers[here[j]])
            behind = clipped(grid.classifiers[here[k]])
            problems.add(
                f"data set {clipped(grid.datasets[dataset])}: the folds of {ahead} begin with "
                f"{grid.split_name(rows.start + 1)}, and those of {behind} with "
                f"{grid.split_name(rows.start)}",
                "number them alike, else different ones are paired",
            )
            return False
    for unit in rows.start + np.flatnonzero(grid.incomplete[rows]):
        problems.add(
            f"{grid.row_name(unit)}: no score of {_classifiers(grid, grid.gaps[unit])}, but one of "
            f"{_classifiers(grid, grid.filled[unit])}",
            f"add what is missing ({LISTED} lists it), or leave out what is incomplete with "
            f"{arg('missing', 'drop-folds')} or {arg('missing', 'drop-datasets')}",
        )
    return True
