"""Pandas frames and Parquet files: the same columns, the same checks, rows instead of lines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from io import BytesIO
from typing import Any
from zipfile import BadZipFile

import numpy as np
import pandas as pd

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.data.rope import FloatArray
from bcompare.reading.block import Block, Wanted
from bcompare.reading.columns import Coded
from bcompare.reading.exact import EMPTY_NAME, why_not_a_number
from bcompare.reading.long import Cells
from bcompare.reading.problems import Problems, clipped, quoted
from bcompare.reading.sources import Source


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """A table in memory, or in a file that gives single columns.

    title : what messages call it. header : the names of its columns as text. load : the
    frame of some columns, by position. first_row : the number of its first row in messages;
    None takes the labels of the frame's index. places : of the rows, where they have others.
    """

    title: str
    header: tuple[str, ...]
    load: Callable[[Sequence[int]], pd.DataFrame]
    first_row: int | None = None
    places: Sequence[str] | None = None

    @classmethod
    def of(cls, frame: pd.DataFrame) -> "Frame":
        """A frame in memory."""
        return cls(
            title="the frame",
            header=tuple(str(name).strip() for name in frame.columns),
            load=lambda columns: frame.iloc[:, list(columns)],
        )

    @classmethod
    def of_log(cls, source: Source) -> "Frame":
        """A log of Inspect, read by Inspect itself.

        Raises
        ------
        InputError : if Inspect is not installed, or cannot read it.
        """
        try:
            from inspect_ai.analysis import EvalModel, EvalTask, SampleSummary, samples_df
        except ImportError:
            raise InputError(
                f"{source.title}: a log of Inspect, which only Inspect reads: pip install "
                "'bcompare[inspect]'; or save its samples by samples_df(LOGS, columns=EvalTask + "
                "EvalModel + SampleSummary).to_csv(NEW) and read that with "
                f"{arg('preset', 'inspect')}"
            ) from None
        columns = EvalTask + EvalModel + SampleSummary
        try:
            frame = samples_df(str(source.path), columns=columns, quiet=True)
        except (OSError, ValueError, KeyError, BadZipFile):
            raise InputError(
                f"{source.title}: Inspect cannot read this log; was it copied whole?"
            ) from None
        return replace(cls.of(frame), title=source.title, first_row=1)

    @classmethod
    def of_parquet(cls, source: Source) -> "Frame":
        """A Parquet file.

        Raises
        ------
        InputError : if pyarrow is not installed, or the file is damaged.
        """
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError:
            raise InputError(
                f"{source.title}: a Parquet file, which needs pyarrow: pip install "
                "'bcompare[parquet]'; or save the results as CSV"
            ) from None
        place = source.path or BytesIO(source.content or b"")
        errors = (pa.ArrowException, OSError, ValueError, LookupError, TypeError)
        damaged = f"{source.title}: damaged Parquet file; write or copy it again"
        try:
            schema = pq.read_schema(place)
            names, header = schema.names, tuple(name.strip() for name in schema.names)
            texts = [field.name for field in schema if pa.types.is_string(field.type)]
        except errors:
            raise InputError(damaged) from None

        def load(columns: Sequence[int]) -> pd.DataFrame:
            wanted = [names[column] for column in columns]
            try:
                table = pq.read_table(place, columns=wanted, read_dictionary=texts)
                table = table.select(wanted).replace_schema_metadata(None)
                frame: pd.DataFrame = table.to_pandas(ignore_metadata=True)
            except errors:
                raise InputError(damaged) from None
            return frame

        return cls(title=source.title, header=header, load=load, first_row=1)

    def find(self, rows: Sequence[int]) -> dict[int, tuple[str, Cells]]:
        """Name rows for messages, with their cells."""
        frame = self.load(range(len(self.header)))
        return {
            row: (
                self.place(frame, row),
                dict(zip(self.header, map(_text, frame.iloc[row]), strict=True)),
            )
            for row in rows
        }

    def place(self, frame: pd.DataFrame, row: int) -> str:
        """A row in words."""
        if self.places is not None:
            return f"{self.title}, {self.places[row]}"
        label = frame.index[row] if self.first_row is None else row + self.first_row
        return f"{self.title}, row {label}"


def read_frame(source: Frame, wanted: Wanted) -> Block:
    """The wanted columns of a frame, and what is wrong with them."""
    columns = list(dict.fromkeys([*wanted.names, *wanted.values]))
    frame = source.load(columns)
    series = {column: frame.iloc[:, i] for i, column in enumerate(columns)}
    names = {column: _names(series[column]) for column in wanted.names}
    values = {column: _numbers(series[column], wanted) for column in wanted.values}
    block = Block.of(len(frame), names, values, wanted)
    rows = np.arange(len(frame)) if block.row is None else block.row
    problems = Problems()
    readable = np.ones(len(rows), dtype=np.bool_)
    for key in set(wanted.keys) - set(wanted.blank):
        empty = block.keys[key].which(lambda name: not name)
        for i in rows[empty].tolist():
            problems.add(EMPTY_NAME, clipped(source.header[key]), place=source.place(frame, i))
        readable &= ~empty
    for column, numbers in block.values.items():
        for i in rows[np.isinf(numbers)].tolist():
            text = _text(series[column].iloc[i])
            problems.add(
                why_not_a_number(text),
                clipped(source.header[column]),
                quoted(text),
                place=source.place(frame, i),
            )
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
    return cell if is_number and not isinstance(cell, (bool, np.timedelta64)) else None


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
