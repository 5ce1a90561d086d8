"""The fast parser that is always there: pandas.

It never guesses: a piece must be exactly rows of as many fields as the header has, with numbers
where numbers belong.
"""

from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd

from bcompare.data.rope import FloatArray
from bcompare.reading.block import Wanted
from bcompare.reading.dialect import Dialect
from bcompare.reading.piece import Piece, regular_rows

# Before 3.1 pandas rounds to the nearest float only when asked to.
_EXACT_FLOATS: dict[str, Any] = (
    {}
    if tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1)
    else {"float_precision": "round_trip"}
)


def parse(piece: bytes, dialect: Dialect, wanted: Wanted) -> Piece | None:
    """The wanted columns of whole lines; None if they are not regular."""
    rows = regular_rows(piece, dialect)
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
        names[key] = column.codes.to_numpy()[1:], dialect.names(column.categories)
    return Piece(rows=rows, names=names, ordered=False, values=values)


def _first_row(dialect: Dialect, wanted: Wanted) -> bytes:
    """A row to put before a piece, so that pandas takes names for names and numbers for numbers.

    Names that all look like numbers would become numbers, and True and False 1 and 0.
    """
    number = "0.5".replace(".", dialect.decimal)
    if dialect.sep in number:
        number = dialect.quote + number + dialect.quote
    cells = [number if i in wanted.values else "name" for i in range(len(dialect.header))]
    return (dialect.sep.join(cells) + "\n").encode()


def _are_numbers(numbers: FloatArray, wanted: Wanted) -> bool:
    """Whether all are finite, or marked as missing."""
    return bool(np.isfinite(numbers).all() or (wanted.na and not np.isinf(numbers).any()))
