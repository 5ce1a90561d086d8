"""How a file is written: its separator, decimal mark and quotes, from its first rows."""

import csv
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note
from bcompare.reading.options import ReadOptions
from bcompare.reading.problems import Kind, place
from bcompare.reading.sources import Source

TAB = "\t"
SEPARATORS = (",", ";", TAB, "|")
SAMPLE_BYTES = 1 << 16
SAMPLE_ROWS = 100

BAD_QUOTES = Kind(
    "{place}: a quote that is not closed or not doubled",
    'close the quote; a quote inside quotes is written twice, as in "5"" disk"',
)
ENCODING = Kind(
    "{place}, column {0}: {1} is not UTF-8 text",
    "save the file as UTF-8, for example: iconv -f latin1 -t utf-8 OLD.csv > NEW.csv",
)
_DOUBLE_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_BLANK_LINES = re.compile(rb"(?:[,;\t| ]*[\r\n])*")
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+(?:[eE][+-]?\d+)?\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a file is written.

    sep : between fields. decimal : the decimal mark. quote : around fields. escape : whether a
    backslash takes the meaning from a quote. header : the names of the columns, stripped of
    blanks. header_bytes : where the rows begin. blank_lines : how many lines without anything but
    separators stand before the header. labels : the first cells of the first rows.
    """

    sep: str
    decimal: str
    quote: str
    escape: bool
    header: tuple[str, ...]
    header_bytes: int
    blank_lines: int = 0
    labels: tuple[str, ...] = ()

    def name(self, cell: str) -> str:
        """A cell as a name: without blanks around it, or quotes of the other kind.

        A file in WEKA's single quotes may have gone through a program that writes double ones.
        """
        text = cell.strip()
        if self.quote == "'" and _DOUBLE_QUOTED.fullmatch(text):
            return text[1:-1].replace('""', '"').strip()
        return text

    def names(self, cells: Sequence[str]) -> list[str]:
        """Cells as names."""
        return list(map(self.name if self.quote == "'" else str.strip, cells))


def sniff(source: Source, options: ReadOptions) -> Dialect:
    """The dialect of a file, from its header and first rows; what the options say is taken.

    Raises
    ------
    InputError : if the file is empty or its header is not text.
    """
    with source.open() as stream:
        sample = stream.read(SAMPLE_BYTES)
        sample += stream.readline() if sample and b"\n" not in sample else b""
    matched = _BLANK_LINES.match(sample)
    blank = matched.end() if matched else 0
    if not sample[blank:].strip():
        raise InputError(
            f"{source.title}: empty; it needs a header (dataset,run,fold,classifier,score) and a "
            "row for each score"
        )
    lines = sample[blank:].splitlines(keepends=True)
    if b"\0" in lines[0]:
        raise InputError(f"{source.title}: not a text file; export the results as CSV")
    try:
        lines[0].decode()
    except UnicodeDecodeError as error:
        raise InputError(
            f"{place(source.title, 1)}: byte 0x{lines[0][error.start]:02x} is not UTF-8 text; "
            f"{ENCODING.advice}"
        ) from None
    text = [line.decode(errors="replace") for line in lines[: SAMPLE_ROWS + 1]]
    parsers = [
        _Parser(text, quote, escape=escape, sep=options.separator)
        for quote in _quotes(text)
        for escape in _escapes(text, quote)
    ]
    parser = max(parsers, key=lambda parser: parser.agreeing)
    if not parser.header_is_whole or text[0].count(parser.quote) % 2:
        where = BAD_QUOTES.text.format(place=place(source.title, 1))
        raise InputError(f"{where}; {BAD_QUOTES.advice}")
    commas = parser.sep != "," and any(
        _DECIMAL_COMMA.fullmatch(cell) for row in parser.rows for cell in row
    )
    return Dialect(
        sep=parser.sep,
        decimal=options.decimal or ("," if commas else "."),
        quote=parser.quote,
        escape=parser.escape,
        header=tuple(name.strip() for name in parser.header),
        header_bytes=blank + len(lines[0]),
        blank_lines=len(sample[:blank].splitlines()),
        labels=tuple(row[0].strip() for row in parser.rows),
    )


def dialect_notes(title: str, dialect: Dialect, options: ReadOptions) -> tuple[Note, ...]:
    """What was found out about the dialect and is not the usual."""
    unusual = []
    if options.sep is None and dialect.sep != SEPARATORS[0]:
        unusual.append(f"the separator {'tab' if dialect.sep == TAB else dialect.sep}")
    if options.decimal is None and dialect.decimal != ".":
        unusual.append(f"the decimal mark {dialect.decimal}")
    if not unusual:
        return ()
    message = (
        f"{title}: read with {' and '.join(unusual)}; if that is wrong, say {arg('sep')} or "
        f"{arg('decimal')}"
    )
    return (Note("dialect", "info", message),)


def _quotes(lines: list[str]) -> tuple[str, ...]:
    """The quotes that there may be: single ones, as WEKA writes them, only around whole fields."""
    seps = "".join(SEPARATORS)
    whole = re.compile(rf"(?:^|[{seps}])'(?:[^'\\]|\\.)*'(?:[{seps}\s]|$)")
    return ("'", '"') if any(whole.search(line) for line in lines) else ('"',)


def _escapes(lines: list[str], quote: str) -> tuple[bool, ...]:
    """Whether a backslash may take the meaning from a quote; with WEKA's quotes it does."""
    if quote == "'":
        return (any("\\'" in line or '\\"' in line for line in lines),)
    return (False, True) if any(f"\\{quote}" in line for line in lines) else (False,)


class _Parser:
    """The sample as it is with some quotes, and the separator that suits it best."""

    def __init__(self, lines: list[str], quote: str, *, escape: bool, sep: str | None) -> None:
        self.quote = quote
        self.escape = escape
        self._lines = lines
        self.sep = sep or max(SEPARATORS, key=self._merit)
        parsed = self._parsed(self.sep)
        self.header_is_whole = bool(parsed)
        self.header, *self.rows = parsed or [lines[0].split(self.sep)]

    @property
    def agreeing(self) -> int:
        """How many rows have as many fields as the header."""
        return sum(len(row) == len(self.header) for row in self.rows)

    def _merit(self, sep: str) -> tuple[bool, int]:
        """Whether most rows have as many fields as the header, and how many that are."""
        header, *rows = self._parsed(sep) or [self._lines[0].split(sep)]
        agreeing = sum(len(row) == len(header) for row in rows)
        return 2 * agreeing >= len(rows), len(header)

    def _parsed(self, sep: str) -> list[list[str]]:
        """The rows, the header first, up to the first that is not well-formed."""
        rows: list[list[str]] = []
        reader = csv.reader(
            self._lines,
            delimiter=sep,
            quotechar=self.quote,
            escapechar="\\" if self.escape else None,
            skipinitialspace=True,
            strict=True,
        )
        with suppress(csv.Error):
            rows.extend(row for row in reader if row)
        return rows
