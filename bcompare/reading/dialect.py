"""How a file is written: its separator, decimal mark and quotes, from its first rows."""

import csv
import re
from contextlib import suppress
from dataclasses import dataclass

from bcompare.errors import InputError
from bcompare.reading import messages
from bcompare.reading.sources import Source

SEPARATORS = (",", ";", "\t", "|")
SAMPLE_BYTES = 1 << 16
SAMPLE_ROWS = 100

_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+(?:[eE][+-]?\d+)?\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a file is written.

    sep : between fields. decimal : the decimal mark. escape : whether a backslash takes the
    meaning from a quote. header : the names of the columns, stripped of blanks.
    header_bytes : where the rows begin.
    """

    sep: str
    decimal: str
    escape: bool
    header: tuple[str, ...]
    header_bytes: int


def sniff(source: Source) -> Dialect:
    """The dialect of a file, from its header and first rows.

    Raises
    ------
    InputError : if the file is empty or its header is not text.
    """
    with source.open() as stream:
        sample = stream.read(SAMPLE_BYTES)
        sample += stream.readline() if sample and b"\n" not in sample else b""
        blank = len(sample) - len(sample.lstrip(b"\r\n"))
    if not sample.strip():
        raise InputError(messages.empty_file(source.title))
    lines = sample[blank:].splitlines(keepends=True)
    if b"\0" in lines[0]:
        raise InputError(messages.not_text(source.title))
    try:
        lines[0].decode()
    except UnicodeDecodeError as error:
        raise InputError(messages.bad_encoding(source.title, 1, lines[0][error.start])) from None
    if lines[0].count(b'"') % 2:
        raise InputError(messages.bad_quotes(source.title))
    text = [line.decode(errors="replace") for line in lines[: SAMPLE_ROWS + 1]]
    escape = any('\\"' in line for line in text)
    sep = _separator(text, escape=escape)
    rows = parsed(text, sep, escape=escape)
    if not rows:
        raise InputError(messages.bad_quotes(source.title))
    commas = sep != "," and any(_DECIMAL_COMMA.fullmatch(cell) for row in rows[1:] for cell in row)
    return Dialect(
        sep=sep,
        decimal="," if commas else ".",
        escape=escape,
        header=tuple(name.strip() for name in rows[0]),
        header_bytes=blank + len(lines[0]),
    )


def parsed(lines: list[str], sep: str, *, escape: bool) -> list[list[str]]:
    """The rows of some lines, up to the first that is not well-formed."""
    rows: list[list[str]] = []
    reader = csv.reader(
        lines, delimiter=sep, escapechar="\\" if escape else None, skipinitialspace=True
    )
    with suppress(csv.Error):
        rows.extend(reader)
    return rows


def _separator(lines: list[str], *, escape: bool) -> str:
    """The separator that makes most columns of the header, if the rows agree with it."""

    def merit(sep: str) -> tuple[bool, int]:
        rows = [row for row in parsed(lines, sep, escape=escape) if row]
        if not rows:
            return False, 0
        agree = sum(len(row) == len(rows[0]) for row in rows[1:])
        return 2 * agree >= len(rows) - 1, len(rows[0])

    return max(SEPARATORS, key=merit)
