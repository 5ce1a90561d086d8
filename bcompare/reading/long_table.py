"""The canonical long table: one row for each score, whatever the layout of the files."""

import re
from ast import literal_eval
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.messages import InputError, Note, arg
from bcompare.columns.vocabulary import sums_up
from bcompare.data.rope import FloatArray
from bcompare.data.units import FOLD, ITEM, Unit
from bcompare.files.options import ReadOptions
from bcompare.files.problems import Problems, clipped, named, quoted
from bcompare.files.tables import (
    CellTable,
    Coded,
    Finder,
    Located,
    concatenate,
    distinct,
    join,
    located,
    whole_number,
)
from bcompare.reading.header import Layout, Names
from bcompare.reading.parsing import TRUTH_VALUES, WRITE_TRUTH, CellReader

# What keys begin with that are columns on how scores came about.
ABOUT = "about "
# The data set of files without one, if the files' names are those of the classifiers.
SHARED_DATASET = "results"


@dataclass(frozen=True, eq=False, slots=True)
class Long:
    """Scores with their keys; every column has one entry for each row.

    keys : dataset, run, fold and classifier; where they are known, the cluster that a row's item
        belongs to, the metric of its score, the errors of its fit ("" where it has none), the
        state in which its run ended, and the name that a labelled file gives its classifier; and
        `ABOUT` with the name of a column, of those that say how a score came about.
        Items stand in the place of folds, and their epochs in that of runs.
    numbers : score, as in the file, NaN if missing, infinite if unreadable; if known, train and
        test, the numbers of cases for training and testing, and the cost of the classifier.
    row : the row of the file of each score.
    find : names rows of the file for messages.
    notes : on how the file was understood.
    filtered : the number of rows left out by conditions.
    problems : those of the file.
    unread : whether rows are missing because of problems.
    unit : what a row is.
    metrics : columns of metrics; see `Layout`.
    titles : role → the name of its column, for roles with a single column.
    written : how scores are written, such as numbers, or true and false.
    """

    keys: dict[str, Coded]
    numbers: dict[str, FloatArray]
    row: NDArray[np.int64]
    find: Finder
    filtered: int = 0
    notes: tuple[Note, ...] = ()
    problems: Problems = field(default_factory=Problems)
    unread: bool = False
    unit: Unit = FOLD
    metrics: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    written: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.numbers["score"])

    def chosen(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> "Long":
        """Return some of the rows, by mask or by index."""
        if rows.dtype == np.bool_ and rows.all():
            return self
        return replace(
            self,
            keys={role: names.rows(rows) for role, names in self.keys.items()},
            numbers={role: numbers[rows] for role, numbers in self.numbers.items()},
            row=self.row[rows],
        )

    def with_scores(self, scores: FloatArray) -> "Long":
        """Return the rows with other scores."""
        return replace(self, numbers=self.numbers | {"score": scores})

    def codes(self, *roles: str) -> NDArray[np.int32]:
        """Return a number for each row, the same for rows with the same keys."""
        return join([self.keys[role] for role in roles], between="\0").codes

    def on_dataset(self, name: str) -> "Long":
        """Return the rows as those of one data set."""
        return replace(self, keys=self.keys | {"dataset": Coded.constant(name, len(self))})

    def of(self, classifiers: Collection[str]) -> NDArray[np.bool_]:
        """Return which rows are of these classifiers."""
        return self.keys["classifier"].which({*classifiers}.__contains__)

    def by_classifier(self, rows: NDArray[np.bool_]) -> dict[str, int]:
        """Return the number of these rows for each classifier that has any."""
        codes = self.keys["classifier"].codes
        names = self.keys["classifier"].names
        counts = np.bincount(codes[rows], minlength=len(names)).tolist()
        return {name: count for name, count in zip(names, counts, strict=True) if count}

    def places(self, scores: Sequence[int]) -> list[tuple[str, dict[str, str]]]:
        """Return the places of some scores, and the cells of their rows."""
        rows = self.row[[*scores]].tolist()
        there = located(self.find, rows)
        return [there[row] for row in rows]


def to_long(table: CellTable, layout: Layout, options: ReadOptions) -> Long:
    """Return the canonical long table of one file.

    Raises
    ------
    InputError : if no row meets a condition, if names cannot be taken apart, or if the file was
        to be one classifier but names several.
    """
    # the rows that meet the conditions
    cells = table.cells(layout.texts, layout.numbers, layout.na)
    named_columns = dict.fromkeys([*layout.keys, *layout.where.values(), *layout.about.values()])
    texts = {i: cells.texts[i].renamed(table.name) for i in named_columns}
    wanted = np.ones(cells.rows, dtype=np.bool_)
    for condition, i in layout.where.items():
        wanted &= texts[i].which(condition.test())
    if cells.rows and not wanted.any():
        raise _no_row(layout, texts)
    row = np.flatnonzero(wanted)

    # their names and numbers
    reader = CellReader(table, layout)
    names = {i: _chosen(texts[i], row) for i in layout.keys}
    readable = np.ones(len(row), dtype=np.bool_)
    for i, column in names.items():
        readable &= reader.check_names(i, column)
    values = {i: numbers[row] for i, numbers in cells.numbers.items()}
    for i in layout.values:
        if i not in values:
            sums = [names[k].which(sums_up) for k in layout.columns.get("dataset", ())]
            left_out = np.any([~readable, *sums], axis=0)
            values[i] = reader.numbers(i, _chosen(cells.texts[i], row), left_out)
    problems = reader.report(row, cells.problems)
    if not readable.all():
        row = row[readable]
        kept = np.flatnonzero(readable)
        names = {i: _chosen(column, kept) for i, column in names.items()}
        values = {i: numbers[kept] for i, numbers in values.items()}

    # what each score is of; the scores of a row may stand in several columns
    count = len(layout.scores)
    wrong = Problems()
    keys = _keys(layout, names, options.na_values, wrong)
    if layout.numbered:
        keys[layout.numbered] = _numbered(_positions(_codes(layout, texts, cells.rows))[row])
    keys = _of_scores(keys, len(row), layout, options.folds, wrong)
    if wrong.first:  # names in unread rows cannot be compared
        problems.include(wrong).raise_any()
    _check_label(keys, layout.names, problems)
    for name, i in layout.about.items():
        column = _chosen(texts[i], row)
        keys[f"{ABOUT}{name}"] = Coded(np.tile(column.codes, count), column.names)
    numbers = {role: np.tile(values[i], count) for role, i in layout.sizes.items()}
    numbers["score"] = np.concatenate([values[i] for i in layout.scores])
    return Long(
        keys=keys,
        numbers=numbers,
        row=np.tile(row, count),
        find=table.find,
        filtered=cells.rows - len(readable),
        notes=(*layout.notes, *reader.notes()),
        problems=problems,
        unread=bool(cells.problems.counts) or not readable.all(),
        unit=layout.unit,
        metrics=layout.metrics,
        written=reader.written,
        titles=_titles(layout),
    )


def _titles(layout: Layout) -> dict[str, str]:
    """Return the headers of the roles that have one column."""
    columns = {**layout.columns, "score": tuple(layout.scores)}
    if "weight" in layout.sizes:
        columns["weight"] = (layout.sizes["weight"],)
    return {role: layout.header[places[0]] for role, places in columns.items() if len(places) == 1}


def _chosen(column: Coded, rows: NDArray[np.intp]) -> Coded:
    """Return some rows of a column, with the names that they have."""
    return column if len(rows) == len(column) else Coded.of(column.codes[rows], column.names)


def candidate_names(params: Sequence[Mapping[str, object]]) -> list[str]:
    """Return names of candidates: the parameters in which they differ."""
    varied = []
    for key in dict.fromkeys(key for candidate in params for key in candidate):
        values = {repr(candidate[key]) if key in candidate else "" for candidate in params}
        if len(values) > 1:
            varied.append(key)
    names = []
    for candidate in params:
        parts = [f"{key}={candidate[key]}" for key in varied if key in candidate]
        names.append(", ".join(parts))
    return names


def _by_parameters(classifier: Coded) -> Coded:
    """Return classifiers that are written as dictionaries of parameters by those that differ."""
    names = classifier.names
    if len(names) < 2 or not all(name.startswith("{") for name in names):
        return classifier
    try:
        params = [literal_eval(name) for name in names]
    except (ValueError, SyntaxError, MemoryError, RecursionError):  # objects, or no dictionary
        return classifier
    if not all(isinstance(candidate, dict) for candidate in params):
        return classifier
    shorter = dict(zip(names, candidate_names(params), strict=True))
    distinct_names = len({*shorter.values()}) == len(names)
    return classifier.renamed(shorter.__getitem__) if distinct_names else classifier


def _keys(
    layout: Layout,
    columns: Mapping[int, Coded],
    na: Sequence[str],
    problems: Problems,
) -> dict[str, Coded]:
    """Return the keys of rows, from columns of names; na : cells for a missing score."""
    keys = {}
    for role, places in layout.columns.items():
        joined = join([columns[i] for i in places])
        keys[role] = joined.renamed(str.strip)
    if layout.metrics:
        keys["metric"] = keys["metric"].renamed(
            lambda cell: "another metric" if cell in ("", *na) else layout.metrics[0]
        )
    if layout.split is not None:
        column, expression = layout.split
        place = f"{layout.names.title}, column {clipped(layout.header[column])}"
        keys |= _taken_apart(columns[column], expression, place, problems)
    return keys


def _of_scores(
    keys: dict[str, Coded], rows: int, layout: Layout, folds: int | None, problems: Problems
) -> dict[str, Coded]:
    """Return the keys of scores, from those of their rows, their headers and the file's name."""
    names = layout.names
    headers = tuple(layout.scores.values())
    count = len(headers)
    # columns of scores are stacked
    keys = {role: Coded(np.tile(key.codes, count), key.names) for role, key in keys.items()}
    for role in headers[0]:
        column = np.repeat(np.arange(count), rows)
        keys[role] = Coded.of(column, [roles[role] for roles in headers])
    for role, part in (("item", "fold"), ("seed", "fold"), ("epoch", "run")):
        if role in keys:
            keys[part] = keys.pop(role)
    if "iteration" in keys and folds is not None:
        keys |= _runs_and_folds(keys.pop("iteration"), folds, names, problems)
    by_file = names.label is not None or "classifier" not in keys
    of_file = {
        "dataset": SHARED_DATASET if by_file and not names.names_dataset else names.dataset,
        "run": "1",
        "fold": "1",
        "classifier": names.label or names.classifier or "",
    }
    if names.label is not None and "classifier" in keys:
        keys["named"] = keys.pop("classifier")
    if "classifier" in keys:
        keys["classifier"] = _by_parameters(keys["classifier"])
    keys = {role: Coded.constant(name, rows * count) for role, name in of_file.items()} | keys
    return keys | {role: keys[role].renamed(whole_number) for role in ("run", "fold")}


class NoRowError(InputError):
    """No row of a file meets the conditions."""


def _no_row(layout: Layout, texts: Mapping[int, Coded]) -> NoRowError:
    """Return an error on conditions that no row meets, or not all of them."""
    title = layout.names.title
    conditions = [*map("".join, layout.where)]
    problems = []
    for condition, i in layout.where.items():
        values = texts[i].names
        if not any(map(condition.test(), values)):
            option = arg("where", ["".join(condition)])
            problems.append(
                f"{title}: no row meets {option}; column {quoted(condition.column)} has "
                f"{named(sorted(values))}"
            )
    return NoRowError(problems or f"{title}: no row meets all of {arg('where', conditions)}")


def _taken_apart(
    cells: Coded, expression: re.Pattern[str], place: str, problems: Problems
) -> dict[str, Coded]:
    """Return the keys that an expression finds in the cells of one column."""
    parts: dict[str, dict[str, str]] = {}  # of each cell, by role
    for cell in cells.names:
        matched = expression.fullmatch(cell)
        parts[cell] = matched.groupdict(default="") if matched else {}
        if not (matched and all(parts[cell].values())):
            problems.add(
                f"{place}: {quoted(cell)} does not fit {arg('split')} {expression.pattern}, or a "
                "group of it is empty",
                "the expression must fit every cell as a whole",
            )
    keys = {}
    for role in expression.groupindex:
        part_of = {cell: groups.get(role, "") for cell, groups in parts.items()}
        keys[role] = cells.renamed(part_of.__getitem__)
    return keys


def _runs_and_folds(
    iteration: Coded, folds: int, names: Names, problems: Problems
) -> dict[str, Coded]:
    """Return run and fold of iterations that count through all runs, from 0 or 1."""
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


def _check_label(keys: Mapping[str, Coded], names: Names, problems: Problems) -> None:
    """Check that a file with a label has only one classifier."""
    named_here = keys["named"].names if "named" in keys else ()
    if len(named_here) > 1:
        label = clipped(names.label or "")
        message = (
            f"{names.title}: all of it cannot be the classifier {label}, because it names "
            f"{len(named_here)}: {named(named_here)}; "
            f"drop '{label}=', or choose one with {arg('where')}"
        )
        raise InputError([*problems.messages(), message])


def with_epochs(long: Long) -> Long:
    """Return the rows with a classifier's answers to each item numbered in order."""
    epoch = _numbered(_positions(long.codes("dataset", "fold", "classifier")))
    return replace(long, keys=long.keys | {"run": epoch})


def numbered_within(codes: NDArray[Any]) -> Coded:
    """Return the number of each row among those with its code, from 1."""
    return _numbered(_positions(codes))


def with_equal_rounds(long: Long) -> Long:
    """Return as many rows of each classifier on a data set as all have there, evenly over its own.

    The first ones would be those of a cold start. Where one has no score all stay, and are refused.
    """
    dataset = long.keys["dataset"]
    who = long.keys["classifier"]
    pairs, pair = distinct(dataset.codes, who.codes, len(who.names))
    count = np.bincount(pair)
    dataset_of = pairs // len(who.names)
    least = np.full(len(dataset.names), len(long))
    np.minimum.at(least, dataset_of, count)
    n = count[pair]
    m = least[dataset.codes]
    position = _positions(pair)
    kept = ((position + 1) * m + n // 2) // n > (position * m + n // 2) // n  # the middle of n / m
    kept |= np.isin(dataset.codes, dataset.codes[np.isnan(long.numbers["score"])])
    if kept.all():
        return long
    message = (
        "each file gives as many times of a benchmark as all files have, evenly spread; left out: "
        f"{int((~kept).sum()):,}"
    )
    numbers = _numbered(_positions(pair[kept]))
    chosen = long.chosen(kept)
    notes = (*long.notes, Note("recognised", "info", message))
    return replace(chosen, keys=chosen.keys | {"fold": numbers}, notes=notes)


def _codes(layout: Layout, texts: Mapping[int, Coded], rows: int) -> NDArray[np.int32]:
    """Return a number for each row of a file, the same for those of a classifier on a data set."""
    columns = [texts[i] for role in ("dataset", "classifier") for i in layout.columns.get(role, ())]
    return join(columns, between="\0").codes if columns else np.zeros(rows, np.int32)


def _positions(codes: NDArray[Any]) -> NDArray[np.int64]:
    """Return the position of each row among those with its code, from 0."""
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
    return position


def _numbered(positions: NDArray[np.int64]) -> Coded:
    """Return positions as names, from 1."""
    return Coded.of(positions, [*map(str, range(1, int(positions.max(initial=-1)) + 2))])


def in_slices(long: Long, least: int) -> tuple[Long, tuple[Note, ...]]:
    """Return the rows with slices as data sets, and test items, or data sets, as items.

    A slice with fewer items, or clusters of them, than `least` is left out, and named in a note.

    Raises
    ------
    InputError : every slice has fewer.
    """
    keys = long.keys | {"slice": long.keys["slice"].renamed(lambda name: name or "(empty)")}
    several = len(keys["dataset"].names) > 1
    if long.unit.has_answers:
        item = join([keys["dataset"], keys["fold"]], between=", ") if several else keys["fold"]
        epoch = keys["run"]
    else:
        item = keys["dataset"]
        epoch = join([keys["run"], keys["fold"]], between=", ")
    counted = keys.get("cluster", item)
    if "" in counted.names:  # items that are clusters of their own
        counted = item
    slice_of, _ = distinct(keys["slice"].codes, counted.codes, len(counted.names))
    sizes = np.bincount(slice_of // len(counted.names), minlength=len(keys["slice"].names))
    small = [name for name, n in zip(keys["slice"].names, sizes.tolist(), strict=True) if n < least]
    sliced = replace(
        long,
        keys=keys | {"dataset": keys["slice"], "fold": item, "run": epoch},
        unit=ITEM,
    )
    if len(small) == len(keys["slice"].names):
        raise InputError(
            f"no slice of {quoted(long.titles['slice'])} has at least {least} test items, or data "
            f"sets; name another column with {arg('by')}"
        )
    message = f"left out, with fewer than {least} of their own: slices {named(small)}"
    note = (Note("small-slices", "warning", message),) if small else ()
    return sliced.chosen(~keys["slice"].which(small.__contains__)), note


def merge(parts: Sequence[Long]) -> Long:
    """Return the tables of several files as one.

    Raises
    ------
    InputError : if their rows are not the same kind of thing.
    """
    if len(parts) == 1:
        return parts[0]
    units = tuple(dict.fromkeys(part.unit for part in parts))
    if len(units) > 1:
        raise InputError(
            f"the rows of the files differ: {' and '.join(unit.rows for unit in units)}; give all "
            "files the same columns, or compare them apart"
        )
    written = frozenset[str]().union(*(part.written for part in parts))
    if len(written) > 1 and TRUTH_VALUES in written:
        raise InputError(
            f"the scores are {' in one file and '.join(sorted(written))} in another: {WRITE_TRUTH}"
        )
    ends = np.cumsum([len(part) for part in parts]).tolist()

    def find(scores: Sequence[int]) -> Located:
        located: Located = {}
        for part, end in zip(parts, ends, strict=True):
            here = [i for i in scores if end - len(part) <= i < end]
            places = part.places([i - end + len(part) for i in here])
            located |= dict(zip(here, places, strict=True))
        return located

    unknown = np.full(max(map(len, parts)), np.nan)  # for files without this column
    keys = {}
    for role in dict.fromkeys(role for part in parts for role in part.keys):
        of_parts = [part.keys.get(role) or Coded.constant("", len(part)) for part in parts]
        keys[role] = concatenate(of_parts)
    numbers = {}
    for column in dict.fromkeys(column for part in parts for column in part.numbers):
        arrays = [part.numbers.get(column, unknown[: len(part)]) for part in parts]
        numbers[column] = np.concatenate(arrays)
    problems = Problems()
    titles: dict[str, str] = {}
    for part in parts:
        problems = problems.include(part.problems)
        titles = {**part.titles, **titles}  # the first file that has a column names it
    metrics = next((part.metrics for part in parts if "metric" in part.titles), ())
    return Long(
        keys=keys,
        numbers=numbers,
        row=np.arange(sum(map(len, parts))),
        find=find,
        filtered=sum(part.filtered for part in parts),
        notes=tuple(note for part in parts for note in part.notes),
        problems=problems,
        unread=any(part.unread for part in parts),
        unit=units[0],
        written=written,
        metrics=metrics,
        titles=titles,
    )
