"""A pandas frame instead of a file: the same columns, the same checks, rows instead of lines."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from bcompare.reading import messages
from bcompare.reading.block import Block, Wanted
from bcompare.reading.columns import Coded, Coder
from bcompare.reading.long import Cells, Finder
from bcompare.reading.problems import Problems
from bcompare.rope import FloatArray

TITLE = "the frame"


def frame_header(frame: pd.DataFrame) -> tuple[str, ...]:
    """The names of the columns as text."""
    return tuple(str(name).strip() for name in frame.columns)


def read_frame(frame: pd.DataFrame, wanted: Wanted) -> Block:
    """The wanted columns of a frame, and what is wrong with them."""
    problems = Problems()
    keys = {key: _names(frame.iloc[:, key]) for key in wanted.keys}
    named = np.ones(len(frame), dtype=np.bool_)
    for key, column in keys.items():
        empty = np.array([not name for name in column.names], dtype=np.bool_)[column.codes]
        for i in np.flatnonzero(empty).tolist():
            problems.add(messages.EMPTY_NAME, frame.columns[key], place=_place(frame, i))
        named &= ~empty
    values = {}
    for value in wanted.values:
        values[value] = _numbers(frame.iloc[:, value])
        for row in np.flatnonzero(~np.isfinite(values[value])).tolist():
            cell: Any = frame.iloc[row, value]
            number = cell is None or cell is pd.NA or isinstance(cell, float)
            problems.add(
                messages.NOT_FINITE if number else messages.NOT_A_NUMBER,
                frame.columns[value],
                messages.quoted(str(cell)),
                place=_place(frame, row),
            )
    return Block(
        rows=int(named.sum()),
        keys={key: column.rows(named) for key, column in keys.items()},
        values={value: numbers[named] for value, numbers in values.items()},
        row=None if named.all() else np.flatnonzero(named),
        problems=problems.messages(),
    )


def frame_finder(frame: pd.DataFrame) -> Finder:
    """Names rows of a frame by their index."""

    def find(rows: Sequence[int]) -> dict[int, tuple[str, Cells]]:
        header = frame_header(frame)
        return {
            row: (
                _place(frame, row),
                dict(zip(header, map(str, frame.iloc[row]), strict=True)),
            )
            for row in rows
        }

    return find


def _place(frame: pd.DataFrame, row: int) -> str:
    return f"{TITLE}, row {frame.index[row]}"


def _names(column: "pd.Series[Any]") -> Coded:
    """Names as text; "" where there is none."""
    codes, distinct = pd.factorize(column, use_na_sentinel=True)
    names = ["", *(str(name).strip() for name in distinct)]
    coder = Coder()
    recoded = coder.recode(np.asarray(codes + 1, dtype=np.int64), names)
    return Coded(recoded, coder.names)


def _numbers(column: "pd.Series[Any]") -> FloatArray:
    """Numbers; NaN where there is none. Truth values are not numbers."""
    if pd.api.types.is_bool_dtype(column):
        return np.full(len(column), np.nan)
    numbers = pd.to_numeric(column, errors="coerce")
    return np.asarray(numbers.to_numpy(dtype=np.float64, na_value=np.nan))
