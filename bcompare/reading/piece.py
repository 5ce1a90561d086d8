"""A piece of a file, parsed: what the fast parsers give."""

import re
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from bcompare.reading.dialect import Dialect
from bcompare.rope import FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class Piece:
    """The wanted columns of some rows.

    Attributes
    ----------
    rows : how many.
    names : column → the code of each row, and the names that the codes stand for.
    ordered : whether the names are in the order of their first appearance.
    values : column → (rows,) numbers, NaN where they are marked as missing.
    """

    rows: int
    names: dict[int, tuple[NDArray[Any], list[str]]]
    ordered: bool
    values: dict[int, FloatArray]


def has_stray_quotes(piece: bytes, dialect: Dialect) -> bool:
    """Whether there are quotes inside fields, which not all parsers read in the same way."""
    sep, quote = dialect.sep.encode(), dialect.quote.encode()
    beside = re.escape(sep + quote + b"\r\n")
    inside = rb"%b(?![%b])(?<![%b]%b)(?<!\A%b)" % (quote, beside, beside, quote, quote)
    after_blank = re.escape(sep) + b" +" + quote
    return bool(re.search(inside, piece) or re.search(after_blank, piece))


def regular_rows(piece: bytes, dialect: Dialect) -> int | None:
    """How many rows the piece has, if all have as many fields as the header, else None.

    Blank lines at its end do not count; elsewhere they make it irregular.
    """
    sep, quote = dialect.sep.encode(), dialect.quote.encode()
    if b"\0" in piece or len(dialect.header) == 1:
        return None
    marks = piece.translate(None, delete=bytes(set(range(256)) - set(sep + quote + b"\n")))
    if quote in marks:
        if has_stray_quotes(piece, dialect):
            return None
        marks = re.sub(rb"%b[^%b]*%b" % (quote, quote, quote), b"", marks)
    marks = marks.rstrip(b"\n") + b"\n"
    row = sep * (len(dialect.header) - 1) + b"\n"
    rows = len(marks) // len(row)
    return rows if marks == row * rows else None
