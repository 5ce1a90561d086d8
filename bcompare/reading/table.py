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

_QUOTED = re.compile(rb'"[^"]*"')
_BOOLEAN = re.compile(rb"true|false", re.IGNORECASE)

# Before 3.1 pandas rounds to the nearest float only when asked to.
_EXACT_FLOATS: dict[str, Any] = (
    {}
    if tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1)
    else {"float_precision": "round_trip"}
)


@dataclass(frozen=True, eq=False, slots=True)
class _Piece:
    """The wanted columns of some rows: codes with the names they stand for, and numbers."""

    rows: int
    keys: list[tuple[NDArray[np.signedinteger[Any]], list[str]]]
    values: list[FloatArray]


def read_table(source: Source, dialect: Dialect, wanted: Wanted) -> Block:
    """The wanted columns of a file; problems are in the block."""
    block = None if dialect.escape else _read_fast(source, dialect, wanted)
    return read_exactly(source, dialect, wanted) if block is None else block


def _read_fast(source: Source, dialect: Dialect, wanted: Wanted) -> Block | None:
    """The wanted columns, or None if the file is not regular."""
    coders = {key: Coder() for key in wanted.keys}
    codes: dict[int, list[Any]] = {key: [] for key in wanted.keys}
    values: dict[int, list[FloatArray]] = {value: [] for value in wanted.values}
    rows = 0
    with source.open() as stream:
        stream.seek(dialect.header_bytes, os.SEEK_CUR)
        for piece in _parsed(_pieces(stream), dialect, wanted):
            if piece is None:
                return None
            rows += piece.rows
            for key, (piece_codes, names) in zip(wanted.keys, piece.keys, strict=True):
                stripped = [name.strip() for name in names]
                if "" in stripped:
                    return None
                codes[key].append(coders[key].recode(piece_codes, stripped))
            for value, numbers in zip(wanted.values, piece.values, strict=True):
                values[value].append(numbers)
    return Block(
        rows=rows,
        keys={key: Coded(_joined(codes[key], np.int32), coders[key].names) for key in wanted.keys},
        values={value: _joined(values[value], np.float64) for value in wanted.values},
    )


def _joined(arrays: list[Any], dtype: type) -> Any:
    return np.concatenate(arrays) if arrays else np.empty(0, dtype=dtype)


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    """The bytes in pieces that end with a line."""
    while piece := stream.read(PIECE_BYTES):
        piece = (piece + stream.readline()).rstrip(b"\r\n")
        if piece:
            yield piece + b"\n"


def _parsed(pieces: Iterator[bytes], dialect: Dialect, wanted: Wanted) -> Iterator[_Piece | None]:
    """The pieces parsed, in order; a few at a time are held in memory."""
    first, second = next(pieces, None), next(pieces, None)
    if first is None:
        return
    if second is None:
        yield _parse(first, dialect, wanted)
        return
    with ThreadPoolExecutor(THREADS) as pool:
        pending: deque[Future[_Piece | None]] = deque()
        for piece in (first, second):
            pending.append(pool.submit(_parse, piece, dialect, wanted))
        for piece in pieces:
            pending.append(pool.submit(_parse, piece, dialect, wanted))
            if len(pending) > THREADS:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def _parse(piece: bytes, dialect: Dialect, wanted: Wanted) -> _Piece | None:
    rows = _regular_rows(piece, dialect)
    if rows is None:
        return None
    columns = len(dialect.header)
    dtypes: dict[int, Any] = dict.fromkeys(wanted.keys, "category")
    dtypes |= dict.fromkeys(wanted.values, "float64")
    try:
        frame = pd.read_csv(
            BytesIO(piece),
            sep=dialect.sep,
            decimal=dialect.decimal,
            header=None,
            names=list(range(columns)),
            usecols=[*wanted.keys, *wanted.values],
            dtype=dtypes,
            na_filter=False,
            skipinitialspace=True,
            engine="c",
            low_memory=False,
            **_EXACT_FLOATS,
        )
    except (ValueError, OverflowError):
        return None
    values = [frame[value].to_numpy() for value in wanted.values]
    if len(frame) != rows or not all(_are_scores(numbers, piece) for numbers in values):
        return None
    keys = [frame[key].cat for key in wanted.keys]
    return _Piece(
        rows=rows,
        keys=[(key.codes.to_numpy(), [str(name) for name in key.categories]) for key in keys],
        values=values,
    )


def _regular_rows(piece: bytes, dialect: Dialect) -> int | None:
    """How many rows the piece has, if all have as many fields as the header, else None."""
    sep = dialect.sep.encode()
    if b"\0" in piece:
        return None
    marks = piece.translate(None, delete=bytes(set(range(256)) - set(sep + b'\n"')))
    if b'"' in marks:
        marks = _QUOTED.sub(b"", marks)
    row = sep * (len(dialect.header) - 1) + b"\n"
    rows = len(marks) // len(row)
    return rows if marks == row * rows else None


def _are_scores(numbers: FloatArray, piece: bytes) -> bool:
    """Whether all are finite numbers; pandas reads a column of True and False as 1 and 0."""
    if not np.isfinite(numbers).all():
        return False
    binary = numbers[:1].max(initial=0) in (0, 1) and np.isin(numbers, (0, 1)).all()
    return not (binary and _BOOLEAN.search(piece))
