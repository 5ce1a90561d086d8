"""Detect the separator and the quotes of text from its first lines."""

import csv
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

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


def is_well_formed(lines: list[str], form: Form) -> bool:
    """Return whether the first line is a row, and all of its quotes are closed."""
    return bool(_well_formed(lines, form)) and lines[0].count(form[1]) % 2 == 0


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
