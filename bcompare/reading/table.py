"""The fast reader: pieces of the file, parsed in threads; names become codes at once.

It reads regular files only. Where a piece is not regular, the exact reader takes over.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from bcompare.data.rope import FloatArray
from bcompare.reading.block import Block, Wanted
from bcompare.reading.columns import Coded, Coder, Codes
from bcompare.reading.dialect import Dialect
from bcompare.reading.exact import LONGEST_FIELD, read_exactly
from bcompare.reading.piece import Piece
from bcompare.reading.sources import Source

PIECE_BYTES = 1 << 21
SMALL_BYTES = 1 << 21  # read exactly sooner than pandas is imported
THREADS = min(4, os.cpu_count() or 1)

Parser = Callable[[bytes, Dialect, Wanted], Piece | None]


def read_table(source: Source, dialect: Dialect, wanted: Wanted) -> Block:
    """The wanted columns of a file; problems are in the block."""
    both = set(wanted.names) & set(wanted.values)
    usual = not (dialect.escape or both or wanted.grades)
    parse = fast_parser(source.size) if usual else None
    block = None if parse is None else _read_fast(source, dialect, wanted, parse)
    return read_exactly(source, dialect, wanted) if block is None else block


def fast_parser(size: int) -> Parser | None:
    """The parser of pyarrow where it is installed, else that of pandas; for small files none."""
    try:
        from bcompare.reading import parse_arrow
    except ImportError:
        if size <= SMALL_BYTES:
            return None
        from bcompare.reading import parse_pandas

        return parse_pandas.parse
    return parse_arrow.parse


def _read_fast(source: Source, dialect: Dialect, wanted: Wanted, parse: Parser) -> Block | None:
    """The wanted columns, or None if the file is not regular."""
    gathered = _Gathered(wanted)
    with source.open() as stream:
        stream.seek(dialect.header_bytes, os.SEEK_CUR)
        for piece in _parsed(
            _pieces(stream), lambda piece: _regular(piece, dialect, wanted, parse)
        ):
            if piece is None or not gathered.add(piece):
                return None
    return gathered.block()


def _regular(piece: bytes, dialect: Dialect, wanted: Wanted, parse: Parser) -> Piece | None:
    """The columns of a piece; None if it is not regular, or may hold a field that is too long."""
    return parse(piece, dialect, wanted) if len(piece) <= LONGEST_FIELD else None


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

    def add(self, piece: Piece) -> bool:
        """Take one more piece; False if a name is empty where one is needed."""
        kept: Any = slice(None)
        if self._wanted.where:
            kept = self._meeting(piece)
            self._row.append(self._rows + kept)
        for key in self._wanted.keys:
            codes, names = piece.names[key]
            if "" in names and key not in self._wanted.blank:
                return False
            codes = codes[kept]
            ordered = piece.ordered and not self._wanted.where
            self._codes[key].append((self._coders[key].table(codes, names, ordered), codes))
        for value in self._wanted.values:
            self._values[value].append(piece.values[value][kept])
        self._rows += piece.rows
        self._kept += len(kept) if self._wanted.where else piece.rows
        return True

    def _meeting(self, piece: Piece) -> NDArray[np.intp]:
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
        """All of them; what was gathered is given up on the way, to spare memory."""
        return Block(
            rows=self._kept,
            keys={
                key: Coded(_translated(codes, self._kept), self._coders[key].names)
                for key, codes in self._codes.items()
            },
            values={value: _joined(parts, np.float64) for value, parts in self._values.items()},
            row=_joined(self._row, np.int64) if self._wanted.where else None,
            seen={column: tuple(sorted(names)) for column, names in self._seen.items()},
            filtered=self._rows - self._kept,
        )


def _translated(pieces: list[tuple[Codes, NDArray[Any]]], rows: int) -> Codes:
    """The codes of all pieces, each translated by its table."""
    codes = np.empty(rows, dtype=np.int32)
    end = rows
    while pieces:
        table, part = pieces.pop()
        np.take(table, part, out=codes[end - len(part) : end], mode="clip")
        end -= len(part)
    return codes


def _joined(arrays: list[NDArray[Any]], dtype: type) -> Any:
    """The arrays one after the other."""
    joined = np.concatenate([np.empty(0, dtype=dtype), *arrays])
    arrays.clear()
    return joined


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    """The bytes in pieces that end with a line."""
    while piece := stream.read(PIECE_BYTES):
        yield piece + stream.readline()


def _parsed(
    pieces: Iterator[bytes], parse: Callable[[bytes], Piece | None]
) -> Iterator[Piece | None]:
    """The pieces parsed, in order; a few at a time are held in memory."""
    begin = [piece for piece in (next(pieces, None), next(pieces, None)) if piece]
    if len(begin) < 2:  # not worth a thread
        yield from (parse(piece) for piece in begin)
        return
    with ThreadPoolExecutor(THREADS) as pool:
        pending: deque[Future[Piece | None]] = deque()
        for piece in chain(begin, pieces):
            pending.append(pool.submit(parse, piece))
            if len(pending) > THREADS:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
