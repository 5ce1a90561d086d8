"""Detect the separator, decimal mark and quotes of a file from its first rows."""

import csv
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bcompare.basis.arguments import arg, setting, spelled
from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note
from bcompare.reading.options import ReadOptions
from bcompare.reading.problems import clipped, place
from bcompare.reading.sources import Source

if TYPE_CHECKING:
    import _csv

TAB = "\t"
SEPARATORS = (",", ";", TAB, "|")
SAMPLE_BYTES = 1 << 16
SAMPLE_ROWS = 100

BAD_QUOTES = "a quote that is not closed or not doubled"
CLOSE_QUOTES = 'close the quote; a quote inside quotes is written twice, as in "5"" disk"'
SAVE_AS_UTF8 = "save the file as UTF-8, for example: iconv -f latin1 -t utf-8 OLD.csv > NEW.csv"
_DOUBLE_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_BLANK_LINES = re.compile(rb"(?:[,;\t| ]*[\r\n])*")
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+(?:[eE][+-]?\d+)?\s*", re.ASCII)
_SINGLE_QUOTED = re.compile(r"(?:^|[,;\t|])'(?:[^'\\]|\\.)*'(?:[,;\t|\s]|$)")


@dataclass(frozen=True, slots=True)
class TextFile:
    """A CSV file and its dialect.

    sep : between fields. quote : around fields. escape : whether a backslash escapes a quote.
    decimal : the decimal mark. header : the names of the columns, stripped of blanks.
    header_bytes : where the rows begin. blank_lines : the number of lines before the header that
    hold nothing but separators.
    """

    source: Source
    sep: str
    quote: str
    escape: bool
    decimal: str
    header: tuple[str, ...]
    header_bytes: int
    blank_lines: int = 0

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
            unusual.append(f"the separator {'tab' if self.sep == TAB else repr(self.sep)}")
        if options.decimal is None and self.decimal != ".":
            unusual.append(f"the decimal mark {self.decimal!r}")
        message = (
            f"{self.source.title}: read with {' and '.join(unusual)}; if that is wrong, set "
            f"{setting('sep')} or {setting('decimal')}"
        )
        return (Note("dialect", "info", message),) if unusual else ()


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


def sniff(source: Source, options: ReadOptions) -> TextFile:
    """Return a file with its dialect, by the options, its header and its first rows.

    Raises
    ------
    InputError : if the file is empty, its header is not text, or its rows are columns.
    """
    with source.open() as stream:
        sample = stream.read(SAMPLE_BYTES)
        sample += stream.readline() if sample and b"\n" not in sample else b""
    matched = _BLANK_LINES.match(sample)
    blank = matched.end() if matched else 0
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
    forms = [_best_form(text, *quoting, options.separator) for quoting in _quotings(text)]
    form, (header, *rows) = max(forms, key=lambda form: _agreeing(form[1]))
    sep, quote, escape = form
    if not _well_formed(text, form) or text[0].count(quote) % 2:
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
    return TextFile(
        source=source,
        sep=sep,
        quote=quote,
        escape=escape,
        decimal=options.decimal or ("," if commas else "."),
        header=tuple(name.strip() for name in header),
        header_bytes=blank + len(lines[0]),
        blank_lines=len(sample[:blank].splitlines()),
    )


Form = tuple[str, str, bool]  # separator, quote, and whether a backslash escapes quotes
Rows = list[list[str]]


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
