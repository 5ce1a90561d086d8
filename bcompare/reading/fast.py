"""The fast reader: pandas parses the file piece by piece.

It never guesses: every row must have as many fields as the header, with numbers where they belong.
All other files are left to the exact reader.
"""

import os
import re
from dataclasses import replace
from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd

from bcompare.data.rope import FloatArray
from bcompare.reading.columns import Block, Coded, concatenate
from bcompare.reading.dialect import TextFile
from bcompare.reading.exact import LONGEST_FIELD
from bcompare.reading.layout import Layout

Columns = tuple[int, dict[int, Coded], dict[int, FloatArray]]
"""The number of rows, and their names and numbers."""

PIECE_BYTES = 1 << 21

# Before version 3.1 pandas rounds to the nearest float only on request.
_EXACT_FLOATS: dict[str, Any] = (
    {}
    if tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1)
    else {"float_precision": "round_trip"}
)


def read_fast(file: TextFile, layout: Layout) -> Block | None:
    """Return the requested columns, or None if the file is not regular or has no rows.

    One piece of the file at a time is in memory as text.
    """
    pieces = []
    with file.source.open() as stream:
        stream.seek(file.header_bytes, os.SEEK_CUR)
        while piece := stream.read(PIECE_BYTES):
            columns = _parse(piece + stream.readline(), file, layout)
            if columns is None:
                return None
            pieces.append(columns)
    if not pieces:
        return None
    rows, names, values = zip(*pieces, strict=True)
    block = Block.of(
        sum(rows),
        {key: concatenate([columns[key] for columns in names]) for key in layout.names},
        {value: np.concatenate([columns[value] for columns in values]) for value in layout.values},
        layout,
    )
    return replace(block, seen={key: tuple(sorted(seen)) for key, seen in block.seen.items()})


def _parse(piece: bytes, file: TextFile, layout: Layout) -> Columns | None:
    """Return the requested columns of complete lines; None if they are not regular."""
    rows = _regular_rows(piece, file) if len(piece) <= LONGEST_FIELD else None
    if rows is None:
        return None
    columns = list(map(str, range(len(file.header))))
    dtypes: dict[str, Any] = {columns[key]: "category" for key in layout.names}
    dtypes |= {columns[value]: "float64" for value in layout.values}
    try:
        frame = pd.read_csv(
            BytesIO(_first_row(file, layout) + piece),
            sep=file.sep,
            decimal=file.decimal,
            quotechar=file.quote,
            header=None,
            names=columns,
            usecols=list(dtypes),
            dtype=dtypes,
            na_filter=bool(layout.na),
            na_values={columns[value]: list(layout.na) for value in layout.values},
            keep_default_na=False,
            skipinitialspace=True,
            engine="c",
            low_memory=False,
            **_EXACT_FLOATS,
        )[1:]
    except (ValueError, OverflowError):
        return None
    values = {value: frame[columns[value]].to_numpy() for value in layout.values}
    unreadable = np.isinf if layout.na else lambda numbers: ~np.isfinite(numbers)
    if len(frame) != rows or any(unreadable(numbers).any() for numbers in values.values()):
        return None
    names = {}
    for key in layout.names:
        column = frame[columns[key]].cat
        names[key] = Coded.of(column.codes.to_numpy(), list(map(file.name, column.categories)))
    if any("" in names[key].names for key in layout.filled):
        return None
    return rows, names, values


def _first_row(file: TextFile, layout: Layout) -> bytes:
    """Return a row to put before a piece, so that pandas infers the right types.

    Otherwise names that all look like numbers would become numbers, and True and False 1 and 0.
    """
    number = "0.5".replace(".", file.decimal)
    if file.sep in number:
        number = file.quote + number + file.quote
    cells = [number if i in layout.values else "name" for i in range(len(file.header))]
    return (file.sep.join(cells) + "\n").encode()


def _regular_rows(piece: bytes, file: TextFile) -> int | None:
    """Return the number of rows if all have as many fields as the header, else None.

    Quotes must enclose whole fields, or be doubled inside them: parsers disagree on others. Blank
    lines at the end do not count; elsewhere they make the piece irregular.
    """
    sep, quote = file.sep.encode(), file.quote.encode()
    if b"\0" in piece or len(file.header) == 1:
        return None
    if quote in piece:
        # From quote to quote; a doubled quote ends one match and begins the next.
        around = re.escape(sep + quote + b"\r\n")
        piece = re.sub(
            rb"(?<![^%b])%b[^%b]*%b(?![^%b])" % (around, quote, quote, quote, around), b"", piece
        )
        if quote in piece:
            return None
    marks = piece.translate(None, delete=bytes(set(range(256)) - set(sep + b"\n")))
    marks = marks.rstrip(b"\n") + b"\n"
    row = sep * (len(file.header) - 1) + b"\n"
    rows = len(marks) // len(row)
    return rows if marks == row * rows else None
