"""Pandas frames: the same columns, the same checks as in files, rows instead of lines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from bcompare.data.rope import FloatArray
from bcompare.reading.columns import Block, Coded, Wanted
from bcompare.reading.exact import FILL_NAME, not_a_number
from bcompare.reading.long import Located
from bcompare.reading.problems import Problems, clipped


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """A table in memory, or in a file that gives single columns.

    title : what messages call it. header : the names of its columns as text. load : the
    frame of some columns, by position. place : what messages call a row, from its position and its
    label in the frame's index.
    """

    title: str
    header: tuple[str, ...]
    load: Callable[[Sequence[int]], pd.DataFrame]
    place: Callable[[int, Any], str]

    @classmethod
    def of(cls, frame: pd.DataFrame) -> "Frame":
        """Return a frame in memory."""
        return cls(
            title="the frame",
            header=tuple(str(name).strip() for name in frame.columns),
            load=lambda columns: frame.iloc[:, list(columns)],
            place=lambda _, label: f"row {label}",
        )

    def find(self, rows: Sequence[int]) -> Located:
        """Name rows for messages, with their cells."""
        frame = self.load(range(len(self.header)))
        return {
            row: (
                self.located(row, frame),
                dict(zip(self.header, map(_text, frame.iloc[row]), strict=True)),
            )
            for row in rows
        }

    def located(self, row: int, frame: pd.DataFrame) -> str:
        """Return a row in words."""
        return f"{self.title}, {self.place(row, frame.index[row])}"


def read_frame(source: Frame, wanted: Wanted) -> Block:
    """Return the wanted columns of a frame, and what is wrong with them."""
    columns = list(dict.fromkeys([*wanted.names, *wanted.values]))
    frame = source.load(columns)
    series = {column: frame.iloc[:, i] for i, column in enumerate(columns)}
    names = {column: _names(series[column]) for column in wanted.names}
    values = {column: _numbers(series[column], wanted) for column in wanted.values}
    block = Block.of(len(frame), names, values, wanted)
    rows = np.arange(len(frame)) if block.row is None else block.row
    problems = Problems()

    def add(row: int, column: int, what: str, advice: str) -> None:
        name = clipped(source.header[column])
        problems.add(f"{source.located(row, frame)}, column {name}: {what}", advice)

    readable = np.ones(len(rows), dtype=np.bool_)
    for key in set(wanted.keys) - set(wanted.blank):
        empty = block.keys[key].which(lambda name: not name)
        for row in rows[empty].tolist():
            add(row, key, "empty", FILL_NAME)
        readable &= ~empty
    for column, numbers in block.values.items():
        for row in rows[np.isinf(numbers)].tolist():
            add(row, column, *not_a_number(_text(series[column].iloc[row])))
    return replace(
        block,
        rows=int(readable.sum()),
        keys={key: names.rows(readable) for key, names in block.keys.items()},
        values={column: numbers[readable] for column, numbers in block.values.items()},
        row=rows[readable],
        problems=problems.messages(),
        unread=not readable.all(),
    )


def _text(cell: Any) -> str:
    """A cell as text; "" where pandas has none."""
    missing = pd.api.types.is_scalar(cell) and pd.isna(cell)
    try:
        return "" if missing else str(cell).strip()
    except ValueError:  # Python writes no integers of thousands of digits
        return f"{float('inf')}"


def _names(column: "pd.Series[Any]") -> Coded:
    """Names as text; "" where there is none."""
    try:
        codes, distinct = pd.factorize(column, use_na_sentinel=True)
    except TypeError:  # cells that cannot be hashed, such as the parameters of a search
        texts = pd.Series([_text(cell) for cell in column], dtype=object)
        codes, distinct = pd.factorize(texts, use_na_sentinel=True)
    return Coded.of(codes + 1, ["", *map(_text, distinct)])


def _parsable(cell: Any) -> Any:
    """A cell that is a number or text; None for others, and for integers that no float holds."""
    if isinstance(cell, int) and not isinstance(cell, bool):
        try:
            return float(cell)
        except OverflowError:
            return None
    is_number = isinstance(cell, (str, float, Decimal, np.number))
    return cell if is_number and not isinstance(cell, np.timedelta64) else None


def _numbers(column: "pd.Series[Any]", wanted: Wanted) -> FloatArray:
    """Numbers; NaN where they are marked as missing, infinite where there is none.

    Truth values are not numbers, and neither are dates and times.
    """
    cells = column
    if getattr(column.dtype, "kind", "O") not in "iuf":
        column = pd.Series([_parsable(cell) for cell in column], dtype=object)
    converted = pd.to_numeric(column, errors="coerce")
    numbers = np.array(converted.to_numpy(np.float64, na_value=np.nan))
    for i in np.flatnonzero(~np.isfinite(numbers)).tolist():
        text = _text(cells.iloc[i])
        numbers[i] = np.nan if text in wanted.na else wanted.grades.get(text, np.inf)
    return numbers
