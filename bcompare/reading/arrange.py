"""A file's columns, in whatever layout, as the canonical long table."""

import re

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.reading.block import Block
from bcompare.reading.columns import Coded, joined, whole_number
from bcompare.reading.long import Finder, Long
from bcompare.reading.options import ReadOptions
from bcompare.reading.parts import Layout, Names
from bcompare.reading.problems import Kind, Problems, clipped, named, quoted

# The data set of files that name none, where the files' names are those of the classifiers.
SHARED_DATASET = "results"

SPLIT = Kind(
    f"{{place}}: {{0}} does not fit {arg('split')} {{1}}, or a group of it is empty",
    "the expression must fit every cell as a whole",
)
ITERATION = Kind(
    "{place}: iteration {0} is not a whole number of at most 15 digits",
    "iterations are counted from 0 or 1 through all runs",
)
_ITERATION = re.compile(r"\d{1,15}", re.ASCII)


def arranged(
    layout: Layout, block: Block, names: Names, find: Finder, options: ReadOptions
) -> Long:
    """The canonical long table of one file.

    Raises
    ------
    InputError : if no row meets a condition, if names cannot be taken apart, or if the file was
        to be one classifier but names several.
    """
    _check_conditions(layout, block, names)
    problems = Problems(list(block.problems))
    keys = {
        role: joined([_filled(layout, block, column) for column in columns])
        for role, columns in layout.columns.items()
    }
    if layout.metric is not None:
        metric, column = layout.metric
        keys["metric"] = block.keys[column].renamed(lambda cell: metric.metric(cell, options.na))
    if layout.failed is not None:
        keys["failed"] = block.keys[layout.failed]
    keys |= _taken_apart(layout, block, names, problems)
    keys, row = _stacked(layout, block, keys)
    for role, part in (("item", "fold"), ("seed", "fold"), ("epoch", "run")):
        if role in keys:
            keys[part] = keys.pop(role)
    if "iteration" in keys and options.folds is not None:
        keys |= _runs_and_folds(keys.pop("iteration"), options.folds, names, problems)
    if problems.found:  # names that are not known cannot be compared
        problems.raise_any()
    rows = block.rows * len(layout.scores)
    by_file = names.label is not None or "classifier" not in keys
    if names.label is not None and "classifier" in keys:
        _check_label(keys.pop("classifier"), names.title, names.label, problems)
    file_keys = {
        "dataset": SHARED_DATASET if by_file and not names.names_dataset else names.dataset,
        "run": "1",
        "fold": "1",
        "classifier": names.label or names.classifier or "",
    }
    keys = {role: Coded.constant(name, rows) for role, name in file_keys.items()} | keys
    keys |= {role: keys[role].renamed(whole_number) for role in ("run", "fold")}
    scores = [block.values[score.column] for score in layout.scores]
    numbers = {
        role: np.tile(block.values[column], len(scores)) for role, column in layout.numbers.items()
    }
    return Long(
        keys=keys,
        numbers=numbers | {"score": scores[0] if len(scores) == 1 else np.concatenate(scores)},
        row=row,
        find=find,
        filtered=block.filtered,
        problems=problems.messages(),
        unread=block.unread,
        unit=layout.unit,
        metric_column=None if layout.metric is None else layout.metric[0],
        failed_column=None if layout.failed is None else layout.header[layout.failed],
        titles={
            role: layout.header[columns[0]]
            for role, columns in layout.columns.items()
            if len(columns) == 1
        },
    )


def _filled(layout: Layout, block: Block, column: int) -> Coded:
    """A column of names, with those of the one that stands in for it where cells are empty."""
    cells = block.keys[column]
    if column not in layout.instead or "" not in cells.names:
        return cells
    other = block.keys[layout.instead[column]]
    empty = cells.codes == cells.names.index("")
    codes = np.where(empty, len(cells.names) + other.codes, cells.codes)
    return Coded.of(codes, cells.names + other.names)


def _check_conditions(layout: Layout, block: Block, names: Names) -> None:
    """Refuse conditions that no row meets."""
    if block.rows or not block.filtered:
        return
    problems = []
    for condition in layout.wanted.where:
        seen = block.seen[condition.column]
        if not any(condition.holds(name) for name in seen):
            column = layout.header[condition.column]
            problems.append(
                f"{names.title}: no row meets {arg('where', [condition.text])}; column "
                f"{quoted(column)} has {named(seen)}"
            )
    texts = [condition.text for condition in layout.wanted.where]
    raise InputError(problems or f"{names.title}: no row meets all of {arg('where', texts)}")


def _taken_apart(
    layout: Layout, block: Block, names: Names, problems: Problems
) -> dict[str, Coded]:
    """The parts that the cells of one column tell."""
    if layout.split is None:
        return {}
    column, expression = layout.split.column, layout.split.expression
    cells = block.keys[column]
    matches = {cell: expression.fullmatch(cell) for cell in cells.names}
    title = clipped(layout.header[column])
    for cell, matched in matches.items():
        if matched is None or not all(matched.values()):
            place = f"{names.title}, column {title}"
            problems.add(SPLIT, quoted(cell), expression.text, place=place)

    def part(role: str) -> Coded:
        def text(cell: str) -> str:
            matched = matches[cell]
            return (matched[role] or "") if matched else ""

        return cells.renamed(text)

    return {role: part(role) for role in expression.groups}


def _stacked(
    layout: Layout, block: Block, keys: dict[str, Coded]
) -> tuple[dict[str, Coded], NDArray[np.int64] | None]:
    """The keys and file rows of all columns of scores, one column after the other."""
    count = len(layout.scores)
    row = block.row
    if count > 1:
        keys = {role: Coded(np.tile(key.codes, count), key.names) for role, key in keys.items()}
        row = np.tile(np.arange(block.rows) if row is None else row, count)
    for role in layout.scores[0].tells:
        names = [score.tells[role] for score in layout.scores]
        keys[role] = Coded.of(np.repeat(np.arange(count), block.rows), names)
    return keys, row


def _runs_and_folds(
    iteration: Coded, folds: int, names: Names, problems: Problems
) -> dict[str, Coded]:
    """Run and fold of iterations that count through all runs, from 0 or from 1."""
    numbers = {name: whole_number(name) for name in iteration.names}
    counted = {name for name, number in numbers.items() if _ITERATION.fullmatch(number)}
    for name in numbers:
        if name not in counted:
            problems.add(ITERATION, quoted(name), place=names.title)
    start = 0 if "0" in numbers.values() else 1

    def count(name: str) -> int:
        return int(numbers[name]) - start if name in counted else 0

    return {
        "run": iteration.renamed(lambda name: str(count(name) // folds + 1)),
        "fold": iteration.renamed(lambda name: str(count(name) % folds + 1)),
    }


def _check_label(classifier: Coded, title: str, label: str, problems: Problems) -> None:
    """A file whose only classifier the user named must not name several itself."""
    if len(classifier.names) > 1:
        label = clipped(label)
        message = (
            f"{title}: all of it cannot be the classifier {label}, because it names "
            f"{len(classifier.names)}: {named(classifier.names)}; drop '{label}=', or choose one "
            f"with {arg('where')}"
        )
        raise InputError([*problems.messages(), message])
