"""A pandas frame instead of a file: the same columns, the same checks, rows instead of lines."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bcompare.reading import messages
from bcompare.reading.block import Block, Wanted
from bcompare.reading.columns import Coded, Coder
from bcompare.reading.exact import why_not_a_number
from bcompare.reading.long import Cells, Finder
from bcompare.reading.problems import Problems
from bcompare.rope import FloatArray

TITLE = "the frame"


def frame_header(frame: pd.DataFrame) -> tuple[str, ...]:
    """The names of the columns as text."""
    return tuple(str(name).strip() for name in frame.columns)


def read_frame(frame: pd.DataFrame, wanted: Wanted) -> Block:
    """The wanted columns of a frame, and what is wrong with them."""
    names = {column: _names(frame.iloc[:, column]) for column in wanted.names}
    kept = np.ones(len(frame), dtype=np.bool_)
    for condition in wanted.where:
        kept &= _by_name(names[condition.column], condition.holds)
    rows = np.flatnonzero(kept)
    problems = Problems()
    named = np.ones(len(rows), dtype=np.bool_)
    for key in wanted.keys:
        empty = _by_name(names[key], lambda name: not name)[rows]
        for i in rows[empty].tolist():
            problems.add(messages.EMPTY_NAME, frame.columns[key], place=_place(frame, i))
        named &= ~empty
    values = {}
    for column in wanted.values:
        numbers = _numbers(frame.iloc[:, column], wanted.na)[rows]
        for i in rows[np.isinf(numbers)].tolist():
            text = _text(frame.iloc[i, column])
            kind = why_not_a_number(text)
            problems.add(kind, frame.columns[column], messages.quoted(text), place=_place(frame, i))
        values[column] = numbers[named]
    return Block(
        rows=int(named.sum()),
        keys={key: names[key].rows(rows[named]) for key in wanted.keys},
        values=values,
        row=rows[named],
        seen={c.column: names[c.column].names for c in wanted.where},
        filtered=len(frame) - len(rows),
        problems=problems.messages(),
        unread=not named.all(),
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


def _text(cell: Any) -> str:
    """A cell as text; "" where pandas has none."""
    missing = pd.api.types.is_scalar(cell) and pd.isna(cell)
    return "" if missing else str(cell).strip()


def _names(column: "pd.Series[Any]") -> Coded:
    """Names as text; "" where there is none."""
    codes, distinct = pd.factorize(column, use_na_sentinel=True)
    coder = Coder()
    recoded = coder.recode(
        np.asarray(codes + 1, dtype=np.int64), ["", *(str(name).strip() for name in distinct)]
    )
    return Coded(recoded, coder.names)


def _by_name(column: Coded, holds: Callable[[str], bool]) -> NDArray[np.bool_]:
    """For each row, whether something holds for its name."""
    return np.array([holds(name) for name in column.names], dtype=np.bool_)[column.codes]


def _numbers(column: "pd.Series[Any]", na: Sequence[str]) -> FloatArray:
    """Numbers; NaN where they are marked as missing, infinite where there is none.

    Truth values are not numbers.
    """
    if pd.api.types.is_bool_dtype(column):
        return np.full(len(column), np.inf)
    converted = pd.to_numeric(column, errors="coerce")
    numbers = np.array(converted.to_numpy(np.float64, na_value=np.nan))
    for i in np.flatnonzero(~np.isfinite(numbers)).tolist():
        numbers[i] = np.nan if _text(column.iloc[i]) in na else np.inf
    return numbers
