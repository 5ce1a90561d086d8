"""A piece of a file, parsed: what the fast parsers give."""

import re
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from bcompare.data.rope import FloatArray
from bcompare.reading.dialect import Dialect


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


def regular_rows(piece: bytes, dialect: Dialect) -> int | None:
    """How many rows the piece has, if all have as many fields as the header, else None.

    Quotes must be around whole fields, or doubled inside such: not all parsers read others in the
    same way. Blank lines at the end do not count; elsewhere they make the piece irregular.
    """
    sep, quote = dialect.sep.encode(), dialect.quote.encode()
    if b"\0" in piece or len(dialect.header) == 1:
        return None
    if quote in piece:
        # From quote to quote; where one is doubled, two such stretches meet.
        beside = re.escape(sep + quote + b"\r\n")
        piece = re.sub(
            rb"(?<![^%b])%b[^%b]*%b(?![^%b])" % (beside, quote, quote, quote, beside), b"", piece
        )
        if quote in piece:
            return None
    marks = piece.translate(None, delete=bytes(set(range(256)) - set(sep + b"\n")))
    marks = marks.rstrip(b"\n") + b"\n"
    row = sep * (len(dialect.header) - 1) + b"\n"
    rows = len(marks) // len(row)
    return rows if marks == row * rows else None
