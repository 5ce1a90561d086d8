"""The fast reader: pandas, on pieces of the file, in threads; names become codes at once.

It reads regular files only and never guesses: wherever a piece is not exactly rows of as many
fields as the header has, with numbers where numbers belong, the exact reader takes over.
"""

import os
import re
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bcompare.reading.block import Block, Wanted
from bcompare.reading.columns import Coded, Coder
from bcompare.reading.dialect import Dialect
from bcompare.reading.exact import read_exactly
from bcompare.reading.sources import Source
from bcompare.rope import FloatArray

PIECE_BYTES = 1 << 23
THREADS = min(4, os.cpu_count() or 1)

# Before 3.1 pandas rounds to the nearest float only when asked to.
_EXACT_FLOATS: dict[str, Any] = (
    {}
    if tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1)
    else {"float_precision": "round_trip"}
)


def read_table(source: Source, dialect: Dialect, wanted: Wanted) -> Block:
    """The wanted columns of a file; problems are in the block."""
    unusual = dialect.escape or set(wanted.names) & set(wanted.values)
    block = None if unusual else _read_fast(source, dialect, wanted)
    return read_exactly(source, dialect, wanted) if block is None else block


@dataclass(frozen=True, eq=False, slots=True)
class _Piece:
    """The wanted columns of some rows: codes with the names they stand for, and numbers."""

    rows: int
    names: dict[int, tuple[NDArray[Any], list[str]]]
    values: dict[int, FloatArray]


def _read_fast(source: Source, dialect: Dialect, wanted: Wanted) -> Block | None:
    """The wanted columns, or None if the file is not regular."""
    gathered = _Gathered(wanted)
    with source.open() as stream:
        stream.seek(dialect.header_bytes, os.SEEK_CUR)
        for piece in _parsed(_pieces(stream), dialect, wanted):
            if piece is None or not gathered.add(piece):
                return None
    return gathered.block()


class _Gathered:
    """The rows of the pieces so far that meet the conditions."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._coders = {key: Coder() for key in wanted.keys}
        self._codes: dict[int, list[Any]] = {key: [] for key in wanted.keys}
        self._values: dict[int, list[FloatArray]] = {value: [] for value in wanted.values}
        self._row: list[Any] = []
        self._seen: dict[int, set[str]] = {c.column: set() for c in wanted.where}
        self._rows = 0
        self._kept = 0

    def add(self, piece: _Piece) -> bool:
        """Take one more piece; False if a name is empty where one is needed."""
        kept: Any = slice(None)
        if self._wanted.where:
            kept = self._meeting(piece)
            self._row.append(self._rows + kept)
        for key in self._wanted.keys:
            codes, names = piece.names[key]
            if "" in names:
                return False
            self._codes[key].append(self._coders[key].recode(codes[kept], names))
        for value in self._wanted.values:
            self._values[value].append(piece.values[value][kept])
        self._rows += piece.rows
        self._kept += len(kept) if self._wanted.where else piece.rows
        return True

    def _meeting(self, piece: _Piece) -> NDArray[np.intp]:
        """The rows of a piece that meet all conditions."""
        meets = np.ones(piece.rows, dtype=np.bool_)
        for condition in self._wanted.where:
            codes, names = piece.names[condition.column]
            counts = np.bincount(codes, minlength=len(names)).tolist()
            seen = (name for name, count in zip(names, counts, strict=True) if count)
            self._seen[condition.column].update(seen)
            meets &= np.array([condition.holds(name) for name in names], dtype=np.bool_)[codes]
        return np.flatnonzero(meets)

    def block(self) -> Block:
        """All of them."""
        return Block(
            rows=self._kept,
            keys={
                key: Coded(_joined(codes, np.int32), self._coders[key].names)
                for key, codes in self._codes.items()
            },
            values={value: _joined(parts, np.float64) for value, parts in self._values.items()},
            row=_joined(self._row, np.int64) if self._wanted.where else None,
            seen={column: tuple(sorted(names)) for column, names in self._seen.items()},
            filtered=self._rows - self._kept,
        )


def _joined(arrays: list[Any], dtype: type) -> Any:
    """The arrays one after the other; they are given up one by one, to spare memory."""
    joined: NDArray[Any] = np.empty(sum(map(len, arrays)), dtype=dtype)
    end = len(joined)
    while arrays:
        part = arrays.pop()
        joined[end - len(part) : end] = part
        end -= len(part)
    return joined


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    """The bytes in pieces that end with a line."""
    while piece := stream.read(PIECE_BYTES):
        piece = (piece + stream.readline()).rstrip(b"\r\n")
        if piece:
            yield piece + b"\n"


def _parsed(pieces: Iterator[bytes], dialect: Dialect, wanted: Wanted) -> Iterator[_Piece | None]:
    """The pieces parsed, in order; a few at a time are held in memory."""
    begin = [piece for piece in (next(pieces, None), next(pieces, None)) if piece]
    if len(begin) < 2:  # not worth a thread
        yield from (_parse(piece, dialect, wanted) for piece in begin)
        return
    with ThreadPoolExecutor(THREADS) as pool:
        pending: deque[Future[_Piece | None]] = deque()
        for piece in chain(begin, pieces):
            pending.append(pool.submit(_parse, piece, dialect, wanted))
            if len(pending) > THREADS:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def _parse(piece: bytes, dialect: Dialect, wanted: Wanted) -> _Piece | None:
    rows = _regular_rows(piece, dialect)
    if rows is None:
        return None
    columns = [str(column) for column in range(len(dialect.header))]
    dtypes: dict[str, Any] = dict.fromkeys([columns[key] for key in wanted.names], "category")
    dtypes |= dict.fromkeys([columns[value] for value in wanted.values], "float64")
    try:
        frame = pd.read_csv(
            BytesIO(_first_row(dialect, wanted) + piece),
            sep=dialect.sep,
            decimal=dialect.decimal,
            quotechar=dialect.quote,
            header=None,
            names=columns,
            usecols=list(dtypes),
            dtype=dtypes,
            na_filter=bool(wanted.na),
            na_values={columns[value]: list(wanted.na) for value in wanted.values},
            keep_default_na=False,
            skipinitialspace=True,
            engine="c",
            low_memory=False,
            **_EXACT_FLOATS,
        )
    except (ValueError, OverflowError):
        return None
    values = {value: frame[columns[value]].to_numpy()[1:] for value in wanted.values}
    if len(frame) != rows + 1 or not all(_are_numbers(v, wanted) for v in values.values()):
        return None
    names = {}
    for key in wanted.names:
        column = frame[columns[key]].cat
        names[key] = column.codes.to_numpy()[1:], [name.strip() for name in column.categories]
    return _Piece(rows=rows, names=names, values=values)


def _first_row(dialect: Dialect, wanted: Wanted) -> bytes:
    """A row to put before a piece, so that pandas takes names for names and numbers for numbers.

    Names that all look like numbers would become numbers, and True and False 1 and 0.
    """
    number = "0.5".replace(".", dialect.decimal)
    if dialect.sep in number:
        number = dialect.quote + number + dialect.quote
    cells = [number if i in wanted.values else "name" for i in range(len(dialect.header))]
    return (dialect.sep.join(cells) + "\n").encode()


def _regular_rows(piece: bytes, dialect: Dialect) -> int | None:
    """How many rows the piece has, if all have as many fields as the header, else None."""
    sep, quote = dialect.sep.encode(), dialect.quote.encode()
    if b"\0" in piece:
        return None
    marks = piece.translate(None, delete=bytes(set(range(256)) - set(sep + quote + b"\n")))
    if quote in marks:
        neighbours = re.escape(sep + quote + b" \r\n")
        inside = rb"%b(?![%b])(?<![%b]%b)" % (quote, neighbours, neighbours, quote)
        if re.search(inside, piece):
            return None
        marks = re.sub(rb"%b[^%b]*%b" % (quote, quote, quote), b"", marks)
    row = sep * (len(dialect.header) - 1) + b"\n"
    rows = len(marks) // len(row)
    return rows if marks == row * rows else None


def _are_numbers(numbers: FloatArray, wanted: Wanted) -> bool:
    """Whether all are finite, or marked as missing."""
    return bool(np.isfinite(numbers).all() or (wanted.na and not np.isinf(numbers).any()))
