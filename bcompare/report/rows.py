"""Flat rows for CSV and Parquet: columns of values, chunk by chunk.

A row is a pair, or a pair and data set where a test answers there. The columns are the JSON's
keys, joined by underscores where they nest; in a list of records, such as intervals, the first
field of each becomes part of the name. Lists of numbers stay in the JSON.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import NoneType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.messages import Record
from bcompare.data.rope import IntArray
from bcompare.report.fields import Path, flat_name

ColumnType = Literal["text", "bool", "int", "float", "nothing"]


@dataclass(frozen=True, eq=False, slots=True)
class RowColumn:
    """Values of one kind, one for each row.

    values : (n,) floats (NaN: missing), integers, booleans, or positions in `names`.
    missing : (n,) mask of missing values; None if there are none, and for floats.
    """

    kind: ColumnType
    values: NDArray[Any]
    names: tuple[str, ...] = ()
    missing: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, values: Sequence[Any]) -> "RowColumn":
        """Return a column of text, numbers or booleans, each of which may be None."""
        kinds = set(map(type, values))
        gaps = np.array([value is None for value in values]) if NoneType in kinds else None
        kinds -= {NoneType}
        if not kinds:
            return cls("nothing", np.zeros(len(values), dtype=np.bool_))
        if kinds == {str}:
            names = tuple(name for name in dict.fromkeys(values) if name is not None)
            codes = {name: code for code, name in enumerate(names)} | {None: 0}
            positions = np.fromiter(map(codes.__getitem__, values), np.int32, len(values))
            return cls("text", positions, names, gaps)
        if float in kinds:
            return cls("float", np.array(values, dtype=np.float64))
        kind: ColumnType = "bool" if kinds == {bool} else "int"
        filled = [value or 0 for value in values] if gaps is not None else values
        return cls(kind, np.array(filled, dtype=np.bool_ if kind == "bool" else np.int64), (), gaps)

    @classmethod
    def joined(cls, parts: Sequence[Any]) -> "RowColumn":
        """Return one column of several lists or arrays; values that JSON lacks are missing."""
        if not isinstance(parts[0], np.ndarray):
            return cls.of(list(chain.from_iterable(parts)))
        values = np.concatenate(parts)
        if values.dtype.kind != "f":
            return cls("int", values)
        return cls("float", np.where(np.isfinite(values), values, np.nan))

    def repeated(self, counts: IntArray) -> "RowColumn":
        """Return the column with the i-th value repeated counts[i] times."""
        missing = None if self.missing is None else np.repeat(self.missing, counts)
        return replace(self, values=np.repeat(self.values, counts), missing=missing)

    def tolist(self) -> list[object]:
        """Return the values as Python objects."""
        if self.kind == "nothing":
            return [None] * len(self.values)
        if self.kind == "float":
            return [None if value != value else value for value in self.values.tolist()]
        values: list[Any] = self.values.tolist()
        if self.kind == "text":
            values = [self.names[code] for code in values]
        if self.missing is not None:
            values = [None if m else v for v, m in zip(values, self.missing.tolist(), strict=True)]
        return values


# Columns of equal length, by name.
Rows = dict[str, RowColumn]

# Lists of records that stay in the JSON.
TOO_LONG = frozenset({"datasets", "notes", "also"})


def record_rows(records: Sequence[Record]) -> Rows:
    """Return the flat rows of nested records."""
    flat = [dict(_flat(record)) for record in records]
    names = dict.fromkeys(name for row in flat for name in row)
    return {name: RowColumn.of([row.get(name) for row in flat]) for name in names}


def lines(rows: Rows) -> Iterator[tuple[object, ...]]:
    """Yield the rows as tuples."""
    return zip(*(column.tolist() for column in rows.values()), strict=True)


def _flat(record: Record, path: Path = ()) -> Iterator[tuple[str, object]]:
    """Yield the entries of a nested record, without lists of values."""
    for key, value in record.items():
        if isinstance(value, dict):
            yield from _flat(value, (*path, key))
        elif not isinstance(value, list):
            yield flat_name((*path, key)), value
        elif key not in TOO_LONG:
            for item in value:
                if isinstance(item, dict):
                    label, *rest = item.items()
                    yield from _flat(dict(rest), (*path, key, label))
