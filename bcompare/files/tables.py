"""A table of results as it is stored: named columns of texts or numbers; names as codes."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.messages import InputError, Note
from bcompare.data.rope import FloatArray, IntArray
from bcompare.files.options import ReadOptions
from bcompare.files.problems import Problems

DENSE = 1 << 24  # the largest range of codes for a lookup table of any density
CHUNK = 1 << 20  # rows at a time, to save memory
MANY = 10_000  # names
PIECES = 64  # of a sample

WHOLE_NUMBER = re.compile(r"[+-]?(\d+)(?:\.0*)?", re.ASCII)


@dataclass(frozen=True, eq=False, slots=True)
class Coded:
    """A column of names: row i holds ``names[codes[i]]``; names are distinct."""

    codes: NDArray[np.int32]
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> str:
        return self.names[int(self.codes[row])]

    @classmethod
    def constant(cls, name: str, rows: int) -> "Coded":
        """Return a column with the same name in every row."""
        return cls(np.zeros(rows, dtype=np.int32), (name,) if rows else ())

    @classmethod
    def of(cls, codes: NDArray[Any], names: Sequence[str]) -> "Coded":
        """Return a column from codes into names, of which some may be equal or have no row.

        The names come in the order of their first appearance.
        """
        first = np.full(len(names), len(codes))
        for start in reversed(range(0, len(codes), CHUNK)):
            chunk = codes[start : start + CHUNK]
            first[chunk[::-1]] = np.arange(start, start + len(chunk))[::-1]  # the last one wins
        table = np.zeros(len(names), dtype=np.int32)
        code_of: dict[str, int] = {}
        for i in np.argsort(first)[: np.count_nonzero(first < len(codes))].tolist():
            table[i] = code_of.setdefault(names[i], len(code_of))
        return cls(np.take(table, codes), tuple(code_of))

    def renamed(self, rename: Callable[[str], str]) -> "Coded":
        """Change each name; names that become equal become one."""
        names = tuple(map(rename, self.names))
        return self if names == self.names else Coded.of(self.codes, names)

    def rows(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> "Coded":
        """Return some of the rows, by mask or by index; the names stay."""
        return Coded(self.codes[chosen], self.names)

    def which(self, holds: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Return the rows for whose name something holds, as a mask."""
        return np.array([holds(name) for name in self.names], dtype=np.bool_)[self.codes]

    def used(self) -> tuple[tuple[str, ...], NDArray[np.int32]]:
        """Return the names that have a row, in order, and codes into them."""
        has_row = np.bincount(self.codes, minlength=len(self.names)) > 0
        if has_row.all():
            return self.names, self.codes
        names = tuple(self.names[i] for i in np.flatnonzero(has_row))
        return names, (np.cumsum(has_row, dtype=np.int32) - 1)[self.codes]

    def in_natural_order(self) -> tuple[tuple[str, ...], NDArray[np.int32]]:
        """Return the names that have a row, with numbers inside them in numerical order, and codes.

        Very many names are sorted in plain order, which is faster.
        """
        names, codes = self.used()
        key = _natural_key if len(names) <= MANY else str
        order = sorted(range(len(names)), key=lambda i: key(names[i]))
        rank = np.zeros(len(names), dtype=np.int32)
        rank[order] = np.arange(len(names))
        return tuple(names[i] for i in order), rank[codes]


def _natural_key(name: str) -> tuple[list[tuple[str, int, str]], str]:
    """Return a key that sorts numbers by value; names without a number come first."""
    pieces = re.findall(r"(\D*)(\d*)", name, re.ASCII)
    numbers = [(text, digits, digits.lstrip("0")) for text, digits in pieces]
    return [(text, len(number) if digits else -1, number) for text, digits, number in numbers], name


def whole_number(name: str) -> str:
    """Return the plain form of a whole number: "01" and "1.0" become "1". Other names stay."""
    matched = WHOLE_NUMBER.fullmatch(name)
    if matched is None:
        return name
    digits = matched[1].lstrip("0") or "0"
    return f"-{digits}" if name.startswith("-") and digits != "0" else digits


def concatenate(parts: Sequence[Coded]) -> Coded:
    """Concatenate columns."""
    code_of: dict[str, int] = {}
    tables = []
    for part in parts:
        codes = [code_of.setdefault(name, len(code_of)) for name in part.names]
        tables.append(np.array(codes, np.int32))
    return Coded(stacked([part.codes for part in parts], tables), tuple(code_of))


def stacked(
    parts: Sequence[NDArray[Any]], tables: Sequence[NDArray[np.int32]]
) -> NDArray[np.int32]:
    """Return the codes of several parts, each by its own table, in one array."""
    codes = np.empty(sum(map(len, parts)), dtype=np.int32)
    end = 0
    for part, table in zip(parts, tables, strict=True):
        start = end
        end = end + len(part)
        np.take(table, part, out=codes[start:end], mode="clip")  # without a copy of them
    return codes


def join(columns: Sequence[Coded], between: str = " ") -> Coded:
    """Return several columns as one, with their names joined."""
    first, *others = columns
    for other in others:
        pairs, codes = distinct(first.codes, other.codes, len(other.names))
        names = []
        for pair in pairs.tolist():
            i, j = divmod(pair, len(other.names))
            names.append(f"{first.names[i]}{between}{other.names[j]}")
        first = Coded.of(codes, names)
    return first


def distinct(
    major: NDArray[Any], minor: NDArray[Any], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct values of ``major * size + minor``, sorted, and each row's position.

    Dense values, as in every regular design, need no sorting.
    """
    keys = major * np.int64(size)
    keys += minor
    span = (int(major.max(initial=-1)) + 1) * size
    if span > 4 * len(keys) + DENSE:
        return np.unique(keys, return_inverse=True)
    occurs = np.zeros(span, dtype=np.bool_)
    occurs[keys] = True
    rank = np.cumsum(occurs, dtype=np.int64)
    rank -= 1
    for start in range(0, len(keys), CHUNK):  # in place, to save memory
        chunk = keys[start : start + CHUNK]
        chunk[:] = rank[chunk]
    return np.flatnonzero(occurs).astype(np.int64), keys


# Row of a file → its place for messages, and its cells by column.
Located = dict[int, tuple[str, dict[str, str]]]
Finder = Callable[[Sequence[int]], Located]


@dataclass(frozen=True, eq=False, slots=True)
class Cells:
    """The cells of some columns, by their positions, before they are understood.

    rows : their number.
    texts, numbers : of each column either; NaN where a number is marked as missing.
    problems : of rows that could not be read, and are left out.
    """

    rows: int
    texts: dict[int, Coded]
    numbers: dict[int, FloatArray]
    problems: Problems = field(default_factory=Problems)


@dataclass(frozen=True, slots=True)
class Sample:
    """The cells of rows. is_whole : whether these are all rows."""

    rows: list[list[str]]
    is_whole: bool


def spread_rows(count: int, most: int) -> IntArray:
    """Return the numbers of rows in pieces that are spread evenly over all.

    Single rows at equal steps would be of one classifier, where classifiers take turns.
    """
    if count <= most:
        return np.arange(count)
    each = max(most // PIECES, 1)
    starts = np.linspace(0, count - each, PIECES).astype(np.int64)
    return np.unique(starts[:, None] + np.arange(each))


class CellTable(ABC):
    """A text file or a frame.

    title : its name in messages.
    header : the names of its columns.
    decimal : the decimal mark.
    preset : of the program that wrote it, if its content tells.
    """

    title: str
    header: tuple[str, ...]
    decimal: str
    preset: str | None

    @abstractmethod
    def cells(self, texts: Sequence[int], numbers: Sequence[int], na: Sequence[str]) -> Cells:
        """Return columns of texts, and others of numbers, as texts if some cell is of another kind.

        na : cells that stand for a missing number.
        """

    @abstractmethod
    def find(self, rows: Sequence[int]) -> Located:
        """Return the places of rows for messages, and their cells; some if the file changed."""

    @abstractmethod
    def first_rows(self, most: int) -> list[list[str]]:
        """Return the cells of the first rows as texts, with decimal points."""

    @abstractmethod
    def sample(self, most: int) -> Sample:
        """Return the cells of rows as texts, with decimal points: all, or spread evenly."""

    def name(self, cell: str) -> str:
        """Return a cell as a name."""
        return cell

    @abstractmethod
    def notes(self, options: ReadOptions) -> tuple[Note, ...]:
        """Return notes on what was detected or chosen, and not said by the options."""


def located(find: Finder, rows: Sequence[int]) -> Located:
    """Return the places of all these rows.

    Raises
    ------
    InputError : some are not there any more.
    """
    there = find(rows)
    if not there.keys() >= {*rows}:
        raise InputError("a file changed while it was read: run the command again")
    return there
