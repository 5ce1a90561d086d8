"""Fields of results: each is declared once, for every format.

The JSON nests fields at the dots of their keys; flat rows join these by underscores; tables pick
fields and show them under their headings; the JSON Schema follows from the fields' kinds.

Flat rows, for CSV and Parquet, are columns of values, chunk by chunk. A row is a pair, or a pair
and data set where a test answers there. In a list of records, such as intervals, the first field of
each becomes part of the name. Lists of numbers stay in the JSON.
"""

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain, pairwise
from operator import attrgetter, itemgetter
from types import NoneType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.messages import Record
from bcompare.data.rope import REGIONS, IntArray
from bcompare.report.table import Column, Kind, Spare, Table
from bcompare.version import __version__

SCHEMA_VERSION = 1

# An attribute's path, or a function of the row.
Getter = str | Callable[[Any], object]

# The position of a value in a record; a pair stands for a list and its entry's first field.
Path = tuple[str | tuple[str, object], ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Field:
    """A value that each row of a result has.

    key : in the JSON, nested at its dots, or a path; empty for values that only tables have.
    of : how to get it from a row; by default the attribute named by the key.
    kind : its type, which also says how a table formats it.
    heading : of its column in tables.
    printed : how a table gets it, if it shows another value than the JSON.
    decimals : in tables; None where they depend on the data.
    constant, spare : see `Column`.
    nullable : whether it may be null.
    """

    key: str | Path
    of: Getter = ""
    kind: Kind = "name"
    heading: str = ""
    printed: Getter = ""
    decimals: int | None = 4
    constant: str = ""
    nullable: bool = False
    spare: Spare = "no"

    @property
    def path(self) -> Path:
        """The position in a record."""
        return tuple(self.key.split(".")) if isinstance(self.key, str) else self.key

    @property
    def name(self) -> str:
        """The name in flat rows."""
        return flat_name(self.path)

    def raw(self, row: object) -> Any:
        """Return the value for the JSON."""
        return _get(self.of or self.key, row)

    def cell(self, row: object) -> Any:
        """Return the value for a table."""
        return _get(self.printed or self.of or self.key, row)

    def column(self, decimals: int) -> Column:
        """Return the column of a table."""
        digits = decimals if self.decimals is None else self.decimals
        return Column(self.heading, self.kind, digits, self.constant, self.spare)


def _get(getter: Any, row: object) -> object:
    return getter(row) if callable(getter) else attrgetter(getter)(row)


def region_fields(path: str, kind: Kind = "region", *, printed: str = "") -> tuple[Field, ...]:
    """Return the fields of three probabilities.

    path : of the probabilities in a row. printed : of those for tables, if they are others.
    """
    return tuple(
        Field(f"p_{name}", f"{path}.{name}", kind, f"p({name})", printed and f"{printed}.{name}")
        for name in REGIONS
    )


def record(fields: Iterable[Field], row: object) -> Record:
    """Return a row as a record of the JSON."""
    return nested((field.path, plain(field.raw(row))) for field in fields)


def nested(entries: Iterable[tuple[Path, object]]) -> Record:
    """Return a record with each value at its path."""
    result: Record = {}
    for path, value in entries:
        inner: Any = result
        for step, following in pairwise(path):
            if isinstance(step, str):
                inner = inner.setdefault(step, {} if isinstance(following, str) else [])
                continue
            if not inner or inner[-1][step[0]] != step[1]:
                inner.append(dict([step]))
            inner = inner[-1]
        inner[path[-1]] = value
    return result


@cache
def flat_name(path: Path) -> str:
    """Return the name of a value in flat rows."""
    labels = (step if isinstance(step, str) else step[1] for step in path)
    return "_".join(x if isinstance(x, str) else f"{x:.15g}" for x in labels)


def table(title: str, fields: Sequence[Field], rows: Iterable[object], decimals: int = 4) -> Table:
    """Return a table; `decimals` is for fields without a number of decimals of their own."""
    cells = [tuple(field.cell(row) for field in fields) for row in rows]
    columns = tuple(field.column(decimals) for field in fields)
    return Table(title, columns, cells)


def leaves(
    value: Any, without: Sequence[str] = (), path: Path = ()
) -> Iterator[tuple[Path, Callable[[object], object]]]:
    """Yield the path of each array in a dataclass, nested dataclasses and lists of them.

    Each path comes with a function that gets the array from another value of the same class.
    An empty list counts as an array.
    """
    for field in dataclasses.fields(value):
        inner = getattr(value, field.name)
        path_of = (*path, field.name)
        get = attrgetter(field.name)
        if field.name in without or not field.repr:
            continue
        if isinstance(inner, np.ndarray) or inner == ():
            yield path_of, get
        else:
            parts = (
                leaves(inner, (), path_of)
                if dataclasses.is_dataclass(inner)
                else _listed(inner, path_of)
            )
            yield from ((end, composed(get, last)) for end, last in parts)


def _listed(value: object, path: Path) -> Iterator[tuple[Path, Callable[[object], object]]]:
    """Yield the arrays of a list of dataclasses, or of intervals by level."""
    if isinstance(value, dict):
        for level in value:
            for k, name in enumerate(("low", "high")):
                yield (*path, ("level", level), name), partial(_end, level, k)
    elif isinstance(value, tuple):
        for i, item in enumerate(value):
            label = dataclasses.fields(item)[0].name
            for end, last in leaves(item, (label,), (*path, (label, getattr(item, label)))):
                yield end, composed(itemgetter(i), last)


def _end(level: float, k: int, intervals: Any) -> object:
    return intervals[level][..., k]


def composed(
    first: Callable[[Any], object], then: Callable[[object], object]
) -> Callable[[object], object]:
    """Return the composition of two functions."""
    return lambda value: then(first(value))


def head(command: str) -> Record:
    """Return the first keys of every document."""
    return {"schema_version": SCHEMA_VERSION, "bcompare": __version__, "command": command}


def plain(value: object) -> Any:
    """Convert a value to JSON's types: dataclasses to dicts, arrays to lists.

    Values without a form in JSON (infinity, not a number) become null.
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return own_fields(value)
    if isinstance(value, np.ndarray):
        values = value.tolist()
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            return plain(values)
        return values
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict) and value and all(isinstance(key, float) for key in value):
        # intervals by their level; low and high are the last axis
        intervals = []
        for level, pair in value.items():
            ends = np.asarray(pair)
            low = plain(ends[..., 0])
            high = plain(ends[..., 1])
            intervals.append({"level": level, "low": low, "high": high})
        return intervals
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def own_fields(value: Any, without: Sequence[str] = ()) -> Record:
    """Return the fields of a dataclass in JSON's types, but for those that its repr leaves out."""
    names = [field.name for field in dataclasses.fields(value) if field.repr]
    return {name: plain(getattr(value, name)) for name in names if name not in without}


ColumnType = Literal["text", "bool", "int", "float", "nothing"]


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
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
        return dataclasses.replace(self, values=np.repeat(self.values, counts), missing=missing)

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
    columns = {}
    for name in dict.fromkeys(name for row in flat for name in row):
        columns[name] = RowColumn.of([row.get(name) for row in flat])
    return columns


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
