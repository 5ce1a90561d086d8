"""The slow reader: Python's csv module, which knows the line of every row.

It reads what the fast reader gives up on, and says what is wrong with it.
"""

import csv
import math
import re
from array import array
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import islice
from typing import NamedTuple

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.reading.block import Block, Wanted
from bcompare.reading.columns import Coded
from bcompare.reading.dialect import BAD_QUOTES, ENCODING, Dialect
from bcompare.reading.problems import Kind, Problems, clipped, number, place, quoted
from bcompare.reading.sources import Source

NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)

RAGGED = Kind(
    "{place}: {0}, but the header has {1}",
    "make every row as long as the header (a name that holds the separator needs quotes)",
)
HUGE_FIELD = Kind(
    "{place}: a field of more than 16 million characters",
    "is there a quote that is not closed?",
)
NUL = Kind(
    "{place}, column {0}: a NUL byte",
    "the file is damaged or not text: export it again as CSV",
)
EMPTY_NAME = Kind("{place}, column {0}: empty", "every row needs a name there")
NOT_FINITE = Kind("{place}, column {0}: {1} is not a finite number", "correct it or delete the row")
DECIMAL_POINT = Kind(
    "{place}, column {0}: {1} has a decimal point among decimal commas",
    f"say {arg('decimal', '.')} if points are right",
)
NOT_NUMBERS = {
    Kind(
        "{place}, column {0}: empty",
        f"fill it in, or say {arg('na', '')} to count empty scores as missing",
    ): re.compile(""),
    Kind(
        "{place}, column {0}: {1} is no score",
        f"fill it in, or name that text with {arg('na')} to count such scores as missing",
    ): re.compile(r"[+-]?nan|#?n/?a|null|none|missing|\?|-+|\.", re.IGNORECASE),
    NOT_FINITE: re.compile(rf"[+-]?inf(?:inity)?|{NUMBER.pattern}", re.IGNORECASE | re.ASCII),
    Kind(
        "{place}, column {0}: {1} has a percent sign",
        f"remove it and say {arg('percent', True)}",
    ): re.compile(NUMBER.pattern + r"\s*%", re.ASCII),
    Kind(
        "{place}, column {0}: {1} has a decimal comma",
        f"say {arg('decimal', ',')}",
    ): re.compile(r"[+-]?\d*,\d+", re.ASCII),
    Kind(
        "{place}, column {0}: {1} is not a number",
        f"correct it, or name the right column ({arg('score_col')}, {arg('prefer')})",
    ): re.compile(".*", re.DOTALL),
}
"""What is wrong with a cell that is no number, by what it looks like: the first that fits."""

_UNDECODED = re.compile("[\udc80-\udcff]")
# In the place of codes
_NEW, _UNREADABLE = -1, -2

LONGEST_FIELD = 1 << 24
_SWAPPED_MARKS = str.maketrans(".,", ",.")


class Row(NamedTuple):
    """A row of a file: the line on which it begins, and its cells, one for each column."""

    line: int
    cells: list[str]


def rows_of(source: Source, dialect: Dialect, problems: Problems) -> Iterator[Row]:
    """The rows behind the header, without blank ones; those that are malformed are problems."""
    columns = len(dialect.header)
    with source.open() as stream:
        text = TextIOWrapper(stream, "utf-8", errors="surrogateescape", newline="")
        for _ in range(dialect.blank_lines):
            text.readline()
        reader = csv.reader(
            text,
            delimiter=dialect.sep,
            quotechar=dialect.quote,
            escapechar="\\" if dialect.escape else None,
            skipinitialspace=True,
            strict=True,
        )
        header_seen = False
        while True:
            line = dialect.blank_lines + reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                kind = HUGE_FIELD if "limit" in str(error) else BAD_QUOTES
                problems.add(kind, place=place(source.title, line))
                return
            if not (cells and cells[0]) and not any(map(str.strip, cells)):
                continue
            if not header_seen:
                header_seen = True
            elif len(cells) == columns:
                yield Row(line, cells)
            else:
                problems.add(
                    RAGGED,
                    number(len(cells), "field"),
                    columns,
                    place=place(source.title, line),
                )


def find_rows(source: Source, dialect: Dialect, wanted: Collection[int]) -> dict[int, Row]:
    """Some rows by their number, counted as `rows_of` does."""
    chosen, last = set(wanted), max(wanted, default=-1)
    with _long_fields():
        rows = islice(rows_of(source, dialect, Problems()), last + 1)
        return {number: row for number, row in enumerate(rows) if number in chosen}


def read_exactly(source: Source, dialect: Dialect, wanted: Wanted) -> Block:
    """The wanted columns, and what is wrong with them."""
    problems = Problems()
    cells = _Cells(source.title, dialect, wanted, problems)
    names: dict[int, list[str]] = {key: [] for key in wanted.keys}
    known: dict[int, dict[str, int]] = {key: {} for key in wanted.keys}  # cells as they stand
    seen: dict[int, set[str]] = {condition.column: set() for condition in wanted.where}
    codes = array("i")
    values = array("d")
    read = array("q")
    filtered = 0

    def code(row: Row, key: int) -> int:
        name = cells.name(row, key)
        if name is None:
            return _UNREADABLE
        if row.cells[key] not in known[key]:
            names[key].append(name)
        return known[key].setdefault(row.cells[key], len(known[key]))

    lookups = [(key, known[key].get) for key in wanted.keys]
    with _long_fields():
        for number, row in enumerate(rows_of(source, dialect, problems)):
            if wanted.where:
                for column, names_seen in seen.items():
                    names_seen.add(dialect.name(row.cells[column]))
                if not all(c.holds(dialect.name(row.cells[c.column])) for c in wanted.where):
                    filtered += 1
                    continue
            row_codes = [look_up(row.cells[key], _NEW) for key, look_up in lookups]
            if _NEW in row_codes:
                row_codes = [code(row, key) for key in wanted.keys]
            numbers = [cells.number(row, value) for value in wanted.values]
            if _UNREADABLE not in row_codes:
                codes.extend(row_codes)
                values.extend(numbers)
                read.append(number)
    code_table = np.array(codes, dtype=np.int32).reshape(len(read), len(wanted.keys))
    value_table = np.array(values, dtype=np.float64).reshape(len(read), len(wanted.values))
    return Block(
        rows=len(read),
        keys={
            key: Coded.of(column, names[key])
            for key, column in zip(wanted.keys, code_table.T, strict=True)
        },
        values={
            value: column.copy() for value, column in zip(wanted.values, value_table.T, strict=True)
        },
        row=np.array(read, dtype=np.int64),
        seen={column: tuple(sorted(names_seen)) for column, names_seen in seen.items()},
        filtered=filtered,
        problems=problems.messages(),
        unread=bool(problems.counts.keys() - {*NOT_NUMBERS, DECIMAL_POINT}),
    )


@contextmanager
def _long_fields() -> Iterator[None]:
    """Let the csv module read long fields, for as long as it is ours."""
    limit = csv.field_size_limit(LONGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def why_not_a_number(text: str, decimal: str = ".") -> Kind:
    """What is wrong with a cell that cannot be read as a finite number."""
    if decimal == "," and "." in text and NUMBER.fullmatch(text):
        return DECIMAL_POINT
    return next(kind for kind, pattern in NOT_NUMBERS.items() if pattern.fullmatch(text))


@dataclass(slots=True)
class _Cells:
    """Reads single cells of a file and notes what is wrong with them."""

    title: str
    dialect: Dialect
    wanted: Wanted
    problems: Problems

    def name(self, row: Row, column: int) -> str | None:
        """The name in a cell, or None if there is none to be read."""
        text = self.dialect.name(row.cells[column])
        undecoded = _UNDECODED.search(text)
        if undecoded:
            byte = f"byte 0x{ord(undecoded[0]) - 0xDC00:02x}"
            self._problem(ENCODING, row, column, byte)
            return None
        if "\0" in text:
            self._problem(NUL, row, column)
            return None
        if not text and column not in self.wanted.blank:
            self._problem(EMPTY_NAME, row, column)
            return None
        return text

    def number(self, row: Row, column: int) -> float:
        """The number in a cell; NaN if it is missing, infinite if it cannot be read."""
        text = row.cells[column].strip()
        if text in self.wanted.na:
            return math.nan
        if text in self.wanted.grades:
            return self.wanted.grades[text]
        decimal = text.translate(_SWAPPED_MARKS) if self.dialect.decimal == "," else text
        number = float(decimal) if NUMBER.fullmatch(decimal) else math.inf
        if number in (math.inf, -math.inf):
            kind = why_not_a_number(text, self.dialect.decimal)
            self._problem(kind, row, column, quoted(text))
        return number

    def _problem(self, kind: Kind, row: Row, column: int, *details: str) -> None:
        name = clipped(self.dialect.header[column])
        self.problems.add(kind, name, *details, place=place(self.title, row.line))
