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


def is_plain(piece: bytes, dialect: Dialect) -> bool:
    """Whether all parsers agree on the piece: no NUL, and quotes around whole fields only."""
    if b"\0" in piece:
        return False
    sep, quote = dialect.sep.encode(), dialect.quote.encode()
    if quote not in piece:
        return True
    beside = re.escape(sep + quote + b"\r\n")
    inside = rb"%b(?![%b])(?<![%b]%b)" % (quote, beside, beside, quote)
    after_blank = re.escape(sep) + b" +" + quote
    return not (re.search(inside, piece) or re.search(after_blank, piece))
