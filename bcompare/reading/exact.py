"""The exact reader, by Python's csv module, which knows the line of every row.

It reads files that the fast reader rejects, and reports what is wrong with them.
"""

import csv
import math
import re
from array import array
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from io import TextIOWrapper
from itertools import islice
from typing import NamedTuple

import numpy as np

from bcompare.basis.arguments import arg, setting
from bcompare.basis.notes import Note, number_of
from bcompare.reading.cells import MARKERS, NUMBER, TRUTH, Written, number_in
from bcompare.reading.columns import Block, Coded
from bcompare.reading.dialect import BAD_QUOTES, CLOSE_QUOTES, SAVE_AS_UTF8, TextFile, split_rows
from bcompare.reading.layout import Layout
from bcompare.reading.long import Located
from bcompare.reading.problems import Problems, clipped, place, quoted

LONGEST_FIELD = 1 << 24
SAME_LENGTH = "make every row as long as the header (a name that holds the separator needs quotes)"
FILL_NAME = "every row needs a name there"

_NOT_NUMBERS = (
    (
        "",
        "empty",
        (
            f"fill it in, or say {arg('failed', 'bounds')} if they are of trials that "
            f"failed, or {arg('na_values', [''])} to count empty scores as missing"
        ),
    ),
    (
        r"(?i:[+-]?nan|#?n/?a|null|none|missing|\?|-+|\.)",
        "is no score",
        f"fill it in, or name that text with {arg('na_values')} to count such scores as missing",
    ),
    (
        rf"(?i:[+-]?inf(?:inity)?|{NUMBER.pattern})",
        "is not a finite number",
        "correct it or delete the row",
    ),
    (
        r"[+-]?[1-9]\d{0,2}(?:,\d{3})+",
        "has a comma",
        f"leave it out of thousands; if it is a decimal comma, set {setting('decimal', ',')}",
    ),
    (r"[+-]?\d*,\d+", "has a decimal comma", f"set {setting('decimal', ',')}"),
    (
        rf"(?s:[*_$\s]*{NUMBER.pattern}\s*[*†‡§±(\[$^_↑↓\\].*|\\\w+\{{.*)",
        "has more than a number",
        "write the number alone",
    ),
    (
        "(?i:pass(ed)?|fail(ed)?|yes|no|(in)?correct|right|wrong)",
        "is a word",
        "write 1 for right and 0 for wrong",
    ),
    (r"(?s:\{.*\})", "holds several values", "give one of them a column of its own"),
    (
        "(?s:.*)",
        "is not a number",
        (
            f"correct it, count it as missing by {arg('na_values')}, "
            f"or name another {arg('score_col')}"
        ),
    ),
)
"""The problem and the remedy of a cell that is not a number, by the first pattern that fits."""

_HUNDREDS, _THOUSANDS = re.compile(r"[1-9]\d\d"), re.compile(r"[1-9]\d{0,2}\.\d{3}")
_UNDECODED = re.compile("[\udc80-\udcff]")
_SWAPPED_MARKS = str.maketrans(".,", ",.")
_NEW, _UNREADABLE = -1, -2  # used instead of codes


class Row(NamedTuple):
    """A row of a file: its first line, and its cells, one for each column."""

    line: int
    cells: list[str]


def rows_of(file: TextFile, problems: Problems) -> Iterator[Row]:
    """Yield the rows after the header without blank ones; malformed rows are problems.

    The field size limit of the csv module is `LONGEST_FIELD` while this runs.
    """
    columns = len(file.header)
    with file.source.open() as stream, ExitStack() as stack:
        stack.callback(csv.field_size_limit, csv.field_size_limit(LONGEST_FIELD))
        text = TextIOWrapper(stream, "utf-8", errors="surrogateescape", newline="")
        for _ in range(file.blank_lines):
            text.readline()
        reader = split_rows(text, file.sep, file.quote, file.escape)
        header_seen = False
        while True:
            line = file.blank_lines + reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                what, advice = BAD_QUOTES, CLOSE_QUOTES
                if "limit" in str(error):
                    what = "a field of more than 16 million characters"
                    advice = "is there a quote that is not closed?"
                problems.add(f"{place(file.source.title, line)}: {what}", advice)
                return
            if not (cells and cells[0]) and not any(map(str.strip, cells)):
                continue
            if not header_seen:
                header_seen = True
            elif len(cells) == columns:
                yield Row(line, cells)
            else:
                fields = f"{number_of(len(cells), 'field')}, but the header has {columns}"
                problems.add(f"{place(file.source.title, line)}: {fields}", SAME_LENGTH)


def find_rows(file: TextFile, numbers: Sequence[int]) -> Located:
    """Return the places and cells of some rows by their number, counted as `rows_of` does."""
    chosen, last = set(numbers), max(numbers, default=-1)
    rows = islice(rows_of(file, Problems()), last + 1)
    return {
        number: (place(file.source.title, row.line), dict(zip(file.header, row.cells, strict=True)))
        for number, row in enumerate(rows)
        if number in chosen
    }


def read_exactly(file: TextFile, layout: Layout) -> Block:
    """Return the requested columns, and what is wrong with them."""
    cells = _CellReader(file, layout)
    seen: dict[int, set[str]] = {condition.column: set() for condition in layout.where}
    codes, values, read = array("i"), array("d"), array("q")
    filtered = 0
    lookups = [(key, cells.known[key].get) for key in layout.keys]
    for position, row in enumerate(rows_of(file, cells.problems)):
        if layout.where:
            for column, names_seen in seen.items():
                names_seen.add(file.name(row.cells[column]))
            if not all(c.holds(file.name(row.cells[c.column])) for c in layout.where):
                filtered += 1
                continue
        row_codes = [look_up(row.cells[key], _NEW) for key, look_up in lookups]
        if _NEW in row_codes:
            row_codes = [cells.code(row, key) for key in layout.keys]
        numbers = [cells.number(row, value) for value in layout.values]
        if _UNREADABLE not in row_codes:
            codes.extend(row_codes)
            values.extend(numbers)
            read.append(position)
    cells.check_thousands()
    code_columns = np.array(codes, dtype=np.int32).reshape(len(read), len(layout.keys)).T
    value_columns = np.array(values, dtype=np.float64).reshape(len(read), len(layout.values)).T
    return Block(
        rows=len(read),
        keys={
            key: Coded.of(column, cells.names[key])
            for key, column in zip(layout.keys, code_columns, strict=True)
        },
        values=dict(zip(layout.values, map(np.copy, value_columns), strict=True)),
        row=np.array(read, dtype=np.int64),
        seen={column: tuple(sorted(names_seen)) for column, names_seen in seen.items()},
        filtered=filtered,
        problems=cells.problems,
        unread=cells.problems.counts.total() > cells.not_numbers,
        notes=spread_notes(file.source.title, cells.spreads),
    )


class _CellReader:
    """Reads single cells and collects their problems.

    names : column → its names. known : column → codes by cell.
    not_numbers : the number of problems with numbers.
    """

    def __init__(self, file: TextFile, layout: Layout) -> None:
        self.file, self.layout = file, layout
        self.problems = Problems()
        self.names: dict[int, list[str]] = {key: [] for key in layout.keys}
        self.known: dict[int, dict[str, int]] = {key: {} for key in layout.keys}
        self.not_numbers = 0
        self.kinds: dict[int, str] = {}  # column → what its first cell is
        self.spreads = 0  # cells with a deviation
        # column → its first cell like 1.017, or "" if another shows that points are decimal marks
        self.grouped: dict[int, str] = {}
        self.hundreds: set[int] = set()  # columns with a cell like 973

    def code(self, row: Row, key: int) -> int:
        """Return the code of the name in a cell, or _UNREADABLE."""
        cell, known = row.cells[key], self.known[key]
        name = self.file.name(cell)
        undecoded = _UNDECODED.search(name)
        if undecoded:
            byte = f"byte 0x{ord(undecoded[0]) - 0xDC00:02x}"
            self._problem(row, key, f"{byte} is not UTF-8 text", SAVE_AS_UTF8)
        elif "\0" in name:
            advice = "the file is damaged or not text: export it again as CSV"
            self._problem(row, key, "a NUL byte", advice)
        elif not name and key in self.layout.filled:
            self._problem(row, key, "empty", FILL_NAME)
        else:
            if cell not in known:
                self.names[key].append(name)
            return known.setdefault(cell, len(known))
        return _UNREADABLE

    def number(self, row: Row, column: int) -> float:
        """Return the number in a cell; NaN if it is missing, infinite if it cannot be read."""
        text = row.cells[column].strip()
        if text in self.layout.na:
            return math.nan
        if text in self.layout.grades:
            return self.layout.grades[text]
        decimal = text.translate(_SWAPPED_MARKS) if self.file.decimal == "," else text
        written = number_in(decimal)
        number = written.number if written else TRUTH.get(text.casefold(), math.inf)
        if number in (math.inf, -math.inf):
            self._not_numbers(row, column, *not_a_number(text, self.file.decimal))
            if text.casefold() in MARKERS:
                self.problems.help_by([{"na_values": (text,)}])
            return number
        kind = _kind(written)
        if self.kinds.setdefault(column, kind) != kind:
            other = self.kinds[column]
            advice = "write all scores alike, as numbers: 1 for true and 0 for false"
            if "percentages" in (kind, other):
                advice = "write all scores alike: with a percent sign, or without one"
            self._not_numbers(row, column, f"{quoted(text)} among scores that are {other}", advice)
            return math.inf
        self._see_thousands(column, text, decimal)
        if written is not None:
            self.spreads += written.spread
            if written.percent and not self.layout.percent:
                return number / 100
        return number

    def _see_thousands(self, column: int, text: str, decimal: str) -> None:
        """Note whether marks in a column of numbers may separate thousands."""
        if _HUNDREDS.fullmatch(decimal):
            self.hundreds.add(column)
        elif _THOUSANDS.fullmatch(decimal):
            self.grouped.setdefault(column, text)
        elif "." in decimal:
            self.grouped[column] = ""

    def check_thousands(self) -> None:
        """Refuse numbers such as 1.017 beside 973, whose mark may separate thousands."""
        for column in self.hundreds:
            cell = self.grouped.get(column)
            if cell:
                self.not_numbers += 1
                name = clipped(self.file.header[column])
                self.problems.add(
                    f"{self.file.source.title}, column {name}: {quoted(cell)} beside numbers such "
                    "as 973",
                    "does its mark separate thousands? Leave it out; if not, write all numbers "
                    "with decimals, such as 973.000",
                )

    def _not_numbers(self, row: Row, column: int, what: str, advice: str) -> None:
        self.not_numbers += 1
        self._problem(row, column, what, advice)

    def _problem(self, row: Row, column: int, what: str, advice: str) -> None:
        name = clipped(self.file.header[column])
        self.problems.add(
            f"{place(self.file.source.title, row.line)}, column {name}: {what}", advice
        )


def _kind(written: Written | None) -> str:
    if written is None:
        return "true or false"
    return "percentages" if written.percent else "numbers"


def spread_notes(title: str, cells: int) -> tuple[Note, ...]:
    """Say that the deviations in cells are not used."""
    message = (
        f"{title}: {number_of(cells, 'score')} with a deviation (±, or in brackets), which no test "
        "uses: it is the spread of one classifier, and tests need that of differences"
    )
    return (Note("spread", "info", message),) if cells else ()


def not_a_number(text: str, decimal: str = ".") -> tuple[str, str]:
    """Return the problem and the remedy of a cell without a finite number."""
    if decimal == "," and "." in text and NUMBER.fullmatch(text):
        what, advice = (
            "has a decimal point among decimal commas",
            f"set {setting('decimal', '.')} if points are right",
        )
    else:
        what, advice = next(
            words for pattern, *words in _NOT_NUMBERS if re.fullmatch(pattern, text, re.ASCII)
        )
    return f"{quoted(text)} {what}" if text else what, advice
