"""How a file is written: its separator, decimal mark and quotes, from its first rows."""

import csv
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note
from bcompare.reading import mistakes, notices
from bcompare.reading.options import ReadOptions
from bcompare.reading.sources import Source

SEPARATORS = (",", ";", "\t", "|")
SAMPLE_BYTES = 1 << 16
SAMPLE_ROWS = 100

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
        raise InputError(mistakes.empty_file(source.title))
    lines = sample[blank:].splitlines(keepends=True)
    if b"\0" in lines[0]:
        raise InputError(mistakes.not_text(source.title))
    try:
        lines[0].decode()
    except UnicodeDecodeError as error:
        raise InputError(mistakes.bad_encoding(source.title, 1, lines[0][error.start])) from None
    text = [line.decode(errors="replace") for line in lines[: SAMPLE_ROWS + 1]]
    parsers = [
        _Parser(text, quote, escape=escape, sep=options.separator)
        for quote in _quotes(text)
        for escape in _escapes(text, quote)
    ]
    parser = max(parsers, key=lambda parser: parser.agreeing)
    if not parser.header_is_whole or text[0].count(parser.quote) % 2:
        raise InputError(mistakes.bad_quotes(source.title))
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
    separator = None
    if options.sep is None and dialect.sep != SEPARATORS[0]:
        separator = "tab" if dialect.sep == "\t" else dialect.sep
    decimal = dialect.decimal if options.decimal is None and dialect.decimal != "." else None
    if separator is None and decimal is None:
        return ()
    return (Note("dialect", "info", notices.understood(title, separator, decimal)),)


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
