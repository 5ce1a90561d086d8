"""A file's columns, in whatever layout, as the canonical long table."""

import re

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.reading.columns import Block, Coded, joined, whole_number
from bcompare.reading.layout import Layout, Names
from bcompare.reading.long import Finder, Long
from bcompare.reading.options import ReadOptions
from bcompare.reading.patterns import Pattern
from bcompare.reading.problems import Problems, clipped, named, quoted

# The data set of files that name none, where the files' names are those of the classifiers.
SHARED_DATASET = "results"


def arranged(
    layout: Layout, block: Block, names: Names, find: Finder, options: ReadOptions
) -> Long:
    """Return the canonical long table of one file.

    Raises
    ------
    InputError : if no row meets a condition, if names cannot be taken apart, or if the file was
        to be one classifier but names several.
    """
    _check_conditions(layout, block, names)
    problems = Problems(list(block.problems))
    keys = _keys(layout, block, names, options, problems)
    count, row = len(layout.scores), block.row
    if count > 1:  # one column of scores below the other
        keys = {role: Coded(np.tile(key.codes, count), key.names) for role, key in keys.items()}
        row = np.tile(np.arange(block.rows) if row is None else row, count)
    tells = tuple(layout.scores.values())
    for role in tells[0]:
        headers = np.repeat(np.arange(count), block.rows)
        keys[role] = Coded.of(headers, [told[role] for told in tells])
    for role, part in (("item", "fold"), ("seed", "fold"), ("epoch", "run")):
        if role in keys:
            keys[part] = keys.pop(role)
    if "iteration" in keys and options.folds is not None:
        keys |= _runs_and_folds(keys.pop("iteration"), options.folds, names, problems)
    if problems.texts:  # names that are not known cannot be compared
        problems.raise_any()
    by_file = names.label is not None or "classifier" not in keys
    if names.label is not None and "classifier" in keys:
        _check_label(keys.pop("classifier"), names.title, names.label, problems)
    file_keys = {
        "dataset": SHARED_DATASET if by_file and not names.names_dataset else names.dataset,
        "run": "1",
        "fold": "1",
        "classifier": names.label or names.classifier or "",
    }
    rows = block.rows * count
    keys = {role: Coded.constant(name, rows) for role, name in file_keys.items()} | keys
    keys |= {role: keys[role].renamed(whole_number) for role in ("run", "fold")}
    scores = [block.values[column] for column in layout.scores]
    numbers = {role: np.tile(block.values[i], count) for role, i in layout.numbers.items()}
    return Long(
        keys=keys,
        numbers=numbers | {"score": scores[0] if count == 1 else np.concatenate(scores)},
        row=row,
        find=find,
        filtered=block.filtered,
        notes=layout.notes,
        problems=problems.messages(),
        unread=block.unread,
        unit=layout.unit,
        metric=layout.metric,
        failed=None if layout.failed is None else layout.header[layout.failed],
        titles={
            role: layout.header[columns[0]]
            for role, columns in layout.columns.items()
            if len(columns) == 1
        },
    )


def _keys(
    layout: Layout, block: Block, names: Names, options: ReadOptions, problems: Problems
) -> dict[str, Coded]:
    """The keys that columns of names tell."""
    keys = {
        role: joined([_filled(layout, block, column) for column in columns])
        for role, columns in layout.columns.items()
    }
    if (metric := layout.metric) is not None:
        cells = block.keys[metric.position]
        keys["metric"] = cells.renamed(lambda cell: metric.metric(cell, options.na))
    if layout.failed is not None:
        keys["failed"] = block.keys[layout.failed]
    if layout.split is not None:
        column, expression = layout.split
        place = f"{names.title}, column {clipped(layout.header[column])}"
        keys |= _taken_apart(block.keys[column], expression, place, problems)
    return keys


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
    problems = [
        f"{names.title}: no row meets {arg('where', [condition.text])}; column "
        f"{quoted(layout.header[condition.column])} has {named(block.seen[condition.column])}"
        for condition in layout.wanted.where
        if not any(condition.holds(name) for name in block.seen[condition.column])
    ]
    texts = [condition.text for condition in layout.wanted.where]
    raise InputError(problems or f"{names.title}: no row meets all of {arg('where', texts)}")


def _taken_apart(
    cells: Coded, expression: Pattern, place: str, problems: Problems
) -> dict[str, Coded]:
    """The parts that the cells of one column tell."""
    matches = {cell: expression.fullmatch(cell) for cell in cells.names}
    for cell, matched in matches.items():
        if matched is None or not all(matched.values()):
            problems.add(
                f"{place}: {quoted(cell)} does not fit {arg('split')} {expression.text}, or a "
                "group of it is empty",
                "the expression must fit every cell as a whole",
            )

    def part(role: str) -> Coded:
        return cells.renamed(lambda cell: (matches[cell] or {}).get(role) or "")

    return {role: part(role) for role in expression.groups}


def _runs_and_folds(
    iteration: Coded, folds: int, names: Names, problems: Problems
) -> dict[str, Coded]:
    """Run and fold of iterations that count through all runs, from 0 or from 1."""
    numbers = {name: whole_number(name) for name in iteration.names}
    for name, number in numbers.items():
        if not re.fullmatch(r"\d{1,15}", number, re.ASCII):
            problems.add(
                f"{names.title}: iteration {quoted(name)} is not a whole number of at most 15 "
                "digits",
                "iterations are counted from 0 or 1 through all runs",
            )
            numbers[name] = "0"
    start = 0 if "0" in numbers.values() else 1
    counts = {name: int(number) - start for name, number in numbers.items()}
    return {
        "run": iteration.renamed(lambda name: str(counts[name] // folds + 1)),
        "fold": iteration.renamed(lambda name: str(counts[name] % folds + 1)),
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
