"""Read the cells of text: by pandas, piece by piece, or by Python's csv module.

Pandas reads large files, and never guesses: every row must have as many fields as the header. All
other files, and the lines of rows in messages, are left to the csv module.
"""

import csv
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from bcompare.basis.messages import InputError, Note, arg, number_of, spelled
from bcompare.data.rope import FloatArray, IntArray
from bcompare.files.options import ReadOptions
from bcompare.files.problems import SAVE_AS_UTF8, Problems, clipped, place
from bcompare.files.sources import Source
from bcompare.files.tables import (
    MANY,
    PIECES,
    Cells,
    CellTable,
    Coded,
    Located,
    Sample,
    spread_rows,
    stacked,
)

if TYPE_CHECKING:
    import _csv

TAB = "\t"
SEPARATORS = (",", ";", TAB, "|")
_SINGLE_QUOTED = re.compile(r"(?:^|[,;\t|])'(?:[^'\\]|\\.)*'(?:[,;\t|\s]|$)")

Form = tuple[str, str, bool]  # separator, quote, and whether a backslash escapes quotes
Rows = list[list[str]]


def split_rows(lines: Iterable[str], sep: str, quote: str, escape: bool) -> "_csv.Reader":
    """Split lines into fields; the returned reader raises csv.Error for bad quotes."""
    return csv.reader(
        lines,
        delimiter=sep,
        quotechar=quote,
        escapechar="\\" if escape else None,
        skipinitialspace=True,
        strict=True,
    )


def detect(lines: list[str], sep: str | None) -> tuple[Form, Rows]:
    """Return the form in which most lines have as many fields as the first, and their rows.

    sep : the separator, if it is known.
    """
    forms = [_best_form(lines, *quoting, sep) for quoting in _quotings(lines)]
    return max(forms, key=lambda form: _agreeing(form[1]))


def _quotings(lines: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield possible quotes, and whether a backslash escapes them.

    Single quotes, as written by WEKA, enclose whole fields and may be escaped.
    """
    if any(_SINGLE_QUOTED.search(line) for line in lines):
        yield "'", any("\\'" in line or '\\"' in line for line in lines)
    yield '"', False
    if any('\\"' in line for line in lines):
        yield '"', True


def _best_form(lines: list[str], quote: str, escape: bool, sep: str | None) -> tuple[Form, Rows]:
    """Return the best separator for some quotes, and the rows that it yields.

    Most rows then have as many fields as the header, and the header has many.
    """
    forms = [(mark, quote, escape) for mark in ((sep,) if sep else SEPARATORS)]
    tables = [(form, _well_formed(lines, form) or [lines[0].split(form[0])]) for form in forms]
    return max(tables, key=lambda t: (2 * _agreeing(t[1]) >= len(t[1]) - 1, len(t[1][0])))


def _agreeing(rows: Rows) -> int:
    """Return the number of rows with as many fields as the header."""
    return sum(len(row) == len(rows[0]) for row in rows[1:])


def _well_formed(lines: list[str], form: Form) -> Rows:
    """Return the rows, header first, up to the first one that is malformed."""
    rows: Rows = []
    with suppress(csv.Error):
        rows.extend(row for row in split_rows(lines, *form) if row)
    return rows


LONGEST_FIELD = 1 << 24
SAME_LENGTH = "make every row as long as the header (a name that holds the separator needs quotes)"
SMALL_BYTES = 1 << 21  # smaller files are read before pandas is even imported
PIECE_BYTES = 1 << 22
SAMPLE_BYTES = 1 << 16
SAMPLE_ROWS = 100
WHOLE_BYTES = 1 << 24  # larger files are looked at in pieces

BAD_QUOTES = "a quote that is not closed or not doubled"
CLOSE_QUOTES = 'close the quote; a quote inside quotes is written twice, as in "5"" disk"'
_DOUBLE_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_BLANK_LINES = re.compile(rb"(?:[,;\t| ]*[\r\n])*")
# The first line by which Excel says what separates columns.
_SEP_LINE = re.compile(rb"sep=([^\r\n])\r?\n", re.IGNORECASE)
# Lines without a separator above the header.
_TITLES = re.compile(rb"(?:[^,;\t|\r\n]*\r?\n){1,9}(?=[^\r\n]*[,;\t|])")
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+(?:[eE][+-]?\d+)?\s*", re.ASCII)


@dataclass(frozen=True)
class Text(CellTable):
    """A text file and its dialect.

    sep : between fields.
    quote : around fields.
    escape : whether a backslash escapes a quote.
    decimal : the decimal mark.
    header : the names of the columns, stripped of blanks.
    header_bytes : where the rows begin.
    blank_lines : the number of lines before the header that hold nothing but separators.
    """

    source: Source
    title: str
    header: tuple[str, ...]
    decimal: str
    sep: str
    quote: str
    escape: bool
    header_bytes: int
    blank_lines: int = 0
    preset: None = None

    def name(self, cell: str) -> str:
        """Return a cell as a name, without surrounding blanks, or quotes of the other kind.

        Another program may have added double quotes to a file with WEKA's single ones.
        """
        text = cell.strip()
        if self.quote == "'" and _DOUBLE_QUOTED.fullmatch(text):
            return text[1:-1].replace('""', '"').strip()
        return text

    def notes(self, options: ReadOptions) -> tuple[Note, ...]:
        """Return a note on an unusual dialect that was detected."""
        unusual = []
        if options.sep is None and self.sep != SEPARATORS[0]:
            separator = "tab" if self.sep == TAB else repr(self.sep)
            unusual.append(f"the separator {separator}")
        if options.decimal is None and self.decimal != ".":
            unusual.append(f"the decimal mark {self.decimal!r}")
        if not unusual:
            return ()
        message = (
            f"{self.title}: read with {' and '.join(unusual)}; if that is wrong, set "
            f"{arg('sep')} or {arg('decimal')}"
        )
        return (Note("dialect", "info", message),)

    def first_rows(self, most: int) -> Rows:
        """Return the cells of the first rows."""
        return self._named(cells for _, cells in islice(_rows(self, Problems()), most))

    def sample(self, most: int) -> Sample:
        """Return the cells of rows: all of a small file, else of pieces spread evenly over it."""
        if self.source.size > WHOLE_BYTES:
            return Sample(self._named(_spread(self, most)), is_whole=False)
        rows = [cells for _, cells in _rows(self, Problems())]
        chosen = spread_rows(len(rows), most).tolist()
        return Sample(self._named(rows[i] for i in chosen), is_whole=len(rows) <= most)

    def _named(self, rows: Iterable[list[str]]) -> Rows:
        """Return the cells of rows as names, with decimal points."""
        swap = str.maketrans(".,", ",.") if self.decimal == "," else {}
        return [[self.name(cell).translate(swap) for cell in cells] for cells in rows]

    def find(self, rows: Sequence[int]) -> Located:
        """Return the lines of rows, counted without blank and malformed ones, and their cells."""
        chosen = set(rows)
        last = max(rows, default=-1)
        located: Located = {}
        for number, (line, cells) in enumerate(islice(_rows(self, Problems()), last + 1)):
            if number in chosen:
                by_header = dict(zip(self.header, cells, strict=True))
                located[number] = place(self.title, line), by_header
        return located

    def cells(self, texts: Sequence[int], numbers: Sequence[int], na: Sequence[str]) -> Cells:
        """Return columns of texts and of numbers."""
        cells = None
        every = [*texts, *numbers]
        if self.source.size > SMALL_BYTES and not self.escape:
            # cells of an unusual kind make a column one of texts
            cells = by_pandas(self, texts, numbers, na)
            if cells is None and numbers:
                cells = by_pandas(self, every, (), na)
        return cells or by_csv(self, every)


def open_text(source: Source, options: ReadOptions) -> Text:
    """Return a text file with its dialect, by the options, its header and its first rows.

    Raises
    ------
    InputError : if the file is empty, its header is not text, or its rows are columns.
    """
    with source.open() as stream:
        sample = stream.read(SAMPLE_BYTES)
        sample += stream.readline() if sample and b"\n" not in sample else b""
    separator = options.separator
    blank = 0
    if (said := _SEP_LINE.match(sample)) and separator is None:
        separator = said[1].decode(errors="replace")
        blank = said.end()
    patterns = (_BLANK_LINES, _TITLES, _BLANK_LINES) if separator in (None, *SEPARATORS) else ()
    for pattern in patterns or (_BLANK_LINES,):
        matched = pattern.match(sample, blank)
        blank = matched.end() if matched else blank
    if not sample[blank:].strip():
        each = options.item_col or options.seed_col or "run,fold"
        raise InputError(
            f"{source.title}: empty; it needs a header (dataset,{each},classifier,score) and a row "
            "for each score"
        )
    lines = sample[blank:].splitlines(keepends=True)
    if b"\0" in lines[0]:
        raise InputError(f"{source.title}: not a text file; export the results as CSV")
    try:
        lines[0].decode()
    except UnicodeDecodeError as error:
        raise InputError(
            f"{place(source.title, 1)}: byte 0x{lines[0][error.start]:02x} is not UTF-8 text; "
            f"{SAVE_AS_UTF8}"
        ) from None
    text = [line.decode(errors="replace") for line in lines[: SAMPLE_ROWS + 1]]
    form, (header, *rows) = detect(text, separator)
    sep, quote, escape = form
    if not _well_formed(text, form) or text[0].count(quote) % 2:  # the first line is no row
        raise InputError(f"{place(source.title, 1)}: {BAD_QUOTES}; {CLOSE_QUOTES}")
    if any(re.match(r"split\d+_test_", row[0].strip()) for row in rows):
        turned = "turned.csv"
        raise InputError(
            f"{source.title}: cv_results_ with a row, not a column, for each of its keys; turn it "
            f'over: python -c "import pandas; pandas.read_csv({clipped(source.title)!r}, '
            f"index_col=0).T.to_csv('{turned}', index=False)\", and read {turned} with "
            f"{arg('preset', 'sklearn-cv-results')} {spelled('--folds N', 'folds=N')} (N: the "
            "folds of one run)"
        )
    commas = sep != "," and any(_DECIMAL_COMMA.fullmatch(cell) for row in rows for cell in row)
    return Text(
        source=source,
        title=source.title,
        header=tuple(name.strip() for name in header),
        decimal=options.decimal or ("," if commas else "."),
        sep=sep,
        quote=quote,
        escape=escape,
        header_bytes=blank + len(lines[0]),
        blank_lines=len(sample[:blank].splitlines()),
    )


def _rows(file: Text, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line of each row and its cells; malformed rows are problems.

    The header and blank rows are left out.

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
                yield line, cells
            else:
                fields = f"{number_of(len(cells), 'field')}, but the header has {columns}"
                problems.add(f"{place(file.source.title, line)}: {fields}", SAME_LENGTH)


def _spread(file: Text, most: int) -> Rows:
    """Return whole rows from pieces that are spread evenly over a large file."""
    rows: Rows = []
    length = file.source.size - file.header_bytes
    each = max(most // PIECES, 1)
    form = (file.sep, file.quote, file.escape)
    with file.source.open() as stream:
        for i in range(PIECES):
            stream.seek(file.header_bytes + length * i // PIECES)
            if i:
                stream.readline()  # the rest of a row
            end = file.header_bytes + length * (i + 1) // PIECES
            lines: list[str] = []
            while len(lines) < each and stream.tell() < end:
                lines.append(stream.readline().decode("utf-8", errors="replace"))
            lines_read = _well_formed(lines, form)
            rows += [row for row in lines_read if len(row) == len(file.header)]
    return rows


def by_csv(file: Text, chosen: Sequence[int]) -> Cells:
    """Return columns of texts of any file."""
    problems = Problems()
    codes_of: dict[int, dict[str, int]] = {i: {} for i in chosen}
    codes: dict[int, list[int]] = {i: [] for i in chosen}
    columns = [(i, codes_of[i], codes[i].append) for i in chosen]
    for _, cells in _rows(file, problems):
        for i, names, append in columns:
            append(names.setdefault(cells[i], len(names)))
    texts = {i: Coded(np.array(codes[i], np.int32), tuple(codes_of[i])) for i in chosen}
    return Cells(len(next(iter(texts.values()))), texts, {}, problems)


def by_pandas(
    file: Text, texts: Sequence[int], numbers: Sequence[int], na: Sequence[str]
) -> Cells | None:
    """Return the columns of a regular file; None if it is not, or has no rows.

    One piece of the file at a time is in memory as text.
    """
    pieces: list[dict[int, Any]] = []
    with file.source.open() as stream:
        stream.seek(file.header_bytes, os.SEEK_CUR)
        while piece := stream.read(PIECE_BYTES):
            many = [i for i in texts if pieces and len(pieces[0][i][1]) > MANY]
            columns = _parsed(piece + stream.readline(), file, texts, numbers, na, many)
            if columns is None:
                return None
            pieces.append(columns)
    if not pieces:
        return None
    names = {i: _joined([piece[i] for piece in pieces]) for i in texts}
    values = {i: np.concatenate([piece[i] for piece in pieces]) for i in numbers}
    if any(map(_may_have_thousands, values.values())):
        return None
    return Cells(len(next(iter((names | values).values()))), names, values)


def _joined(parts: Sequence[tuple[IntArray, Any]]) -> Coded:
    """Return one column from the codes of its pieces and the index of the names of each."""
    import pandas as pd

    (_, first), *others = parts
    table, names = pd.factorize(first.append([index for _, index in others]))
    ends = np.cumsum([len(index) for _, index in parts])[:-1]
    codes = stacked([part for part, _ in parts], np.split(table.astype(np.int32), ends))
    return Coded(codes, tuple(names.tolist()))


def _may_have_thousands(numbers: FloatArray) -> bool:
    """Return whether numbers such as 1.017 beside 973 may have marks between thousands."""
    size = np.abs(numbers)
    if not np.nanmax(size, initial=0) >= 100:
        return False
    size = size[size < 1000]
    is_whole = size % 1 == 0
    rest = size[~is_whole]
    is_marked = (rest >= 1) & (np.abs(rest * 1000 % 1 - 0.5) > 0.49)
    return bool((size[is_whole] >= 100).any() and len(rest) and is_marked.all())


def _parsed(
    piece: bytes,
    file: Text,
    texts: Sequence[int],
    numbers: Sequence[int],
    na: Sequence[str],
    many: Sequence[int],
) -> dict[int, Any] | None:
    """Return the columns of texts and of numbers in complete lines; None if they are irregular.

    Texts come as codes and the index of their names. many : those with very many names, which
    pandas would sort for a long time.
    """
    import pandas as pd

    rows = _regular_rows(piece, file) if len(piece) <= LONGEST_FIELD else None
    if rows is None:
        return None
    columns = list(map(str, range(len(file.header))))
    dtypes = {columns[i]: "str" if i in many else "category" for i in texts}
    dtypes |= {columns[i]: "float64" for i in numbers}
    try:
        frame = pd.read_csv(
            BytesIO(_first_row(file, numbers) + piece),
            sep=file.sep,
            decimal=file.decimal,
            quotechar=file.quote,
            header=None,
            names=columns,
            usecols=list(dtypes),
            dtype=dtypes,
            na_filter=bool(na),
            na_values={columns[i]: list(na) for i in numbers},
            keep_default_na=False,
            skipinitialspace=file.sep.encode() + b" " in piece,  # else it is slow
            engine="c",
            low_memory=False,
            **_exact_floats(pd.__version__),
        )[1:]
    except (ValueError, OverflowError):
        return None
    columns_read: dict[int, Any] = {i: frame[columns[i]].to_numpy() for i in numbers}
    unreadable = np.isinf if na else lambda values: ~np.isfinite(values)
    if len(frame) != rows or any(unreadable(values).any() for values in columns_read.values()):
        return None
    for i in texts:
        codes, index = pd.factorize(frame[columns[i]])
        columns_read[i] = codes.astype(np.min_scalar_type(len(index))), index
    return columns_read


def _exact_floats(version: str) -> dict[str, Any]:
    """Return how to round to the nearest float, which pandas before 3.1 does only on request."""
    is_new = tuple(map(int, version.split(".")[:2])) >= (3, 1)
    return {} if is_new else {"float_precision": "round_trip"}


def _first_row(file: Text, plain: Sequence[int]) -> bytes:
    """Return a row to put before a piece, so that pandas infers the right types.

    Otherwise names that all look like numbers would become numbers, and True and False 1 and 0.
    """
    number = "0.5".replace(".", file.decimal)
    if file.sep in number:
        number = file.quote + number + file.quote
    cells = [number if i in plain else "name" for i in range(len(file.header))]
    return (file.sep.join(cells) + "\n").encode()


def _regular_rows(piece: bytes, file: Text) -> int | None:
    """Return the number of rows if all have as many fields as the header, else None.

    Quotes must enclose whole fields, or be doubled inside them: parsers disagree on others. Blank
    lines at the end do not count; elsewhere they make the piece irregular.
    """
    sep = file.sep.encode()
    quote = file.quote.encode()
    if b"\0" in piece or len(file.header) == 1:
        return None
    if quote in piece:
        # From quote to quote; a doubled quote ends one match and begins the next.
        around = re.escape(sep + quote + b"\r\n")
        piece = re.sub(
            rb"(?<![^%b])%b[^%b]*%b(?![^%b])" % (around, quote, quote, quote, around), b"", piece
        )
        if quote in piece:
            return None
    marks = piece.translate(None, delete=bytes(set(range(256)) - set(sep + b"\n")))
    marks = marks.rstrip(b"\n") + b"\n"
    row = sep * (len(file.header) - 1) + b"\n"
    rows = len(marks) // len(row)
    return rows if marks == row * rows else None
