"""Fields of results: each is declared once, for every format.

The JSON nests fields at the dots of their keys; flat rows join these by underscores; tables pick
fields and show them under their headings; the JSON Schema follows from the fields' kinds.
"""

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import pairwise
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np

from bcompare.basis.messages import Record
from bcompare.comparing.decision import ACTIONS
from bcompare.data.rope import REGIONS
from bcompare.report.table import Column, Kind, Table
from bcompare.version import __version__

SCHEMA_VERSION = 1

Schema = Record

# An attribute's path, or a function of the row.
Getter = str | Callable[[Any], object]

# The position of a value in a record; a pair stands for a list and its entry's first field.
Path = tuple[str | tuple[str, object], ...]

_PROBABILITY: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_SCHEMAS: dict[Kind, Schema] = {
    "name": {"type": "string"},
    "verdict": {"type": "string"},
    "figure": {"type": "string"},
    "count": {"type": "integer", "minimum": 0},
    "difference": {"type": "number"},
    "number": {"type": "number"},
    "probability": _PROBABILITY,
    "region": _PROBABILITY,
    "p": _PROBABILITY,
    "truth": {"type": "boolean"},
    "decision": {"enum": list(ACTIONS)},
    "names": {"type": "array", "items": {"type": "string"}},
    "object": {"type": "object"},
    "records": {"type": "array", "items": {"type": "object"}},
}


@dataclasses.dataclass(frozen=True, slots=True)
class Field:
    """A value that each row of a result has.

    key : in the JSON, nested at its dots, or a path; empty for values that only tables have.
    of : how to get it from a row; by default the attribute named by the key.
    kind : its type, which also says how a table formats it.
    heading : of its column in tables.
    printed : how a table gets it, if it shows another value than the JSON.
    decimals : in tables; None where they depend on the data. constant : see `Column`.
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
        own = decimals if self.decimals is None else self.decimals
        return Column(self.heading, self.kind, own, self.constant)

    def schema(self) -> Schema:
        """Return the JSON Schema of the value."""
        own = _SCHEMAS[self.kind]
        return {"anyOf": [own, {"type": "null"}]} if self.nullable else own


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
    return Table(title, tuple(field.column(decimals) for field in fields), cells)


def schema_of(fields: Iterable[Field], **more: Schema) -> Schema:
    """Return the JSON Schema of a record with these fields and more properties."""
    record_schema = _object()
    for field in fields:
        *outer, last = map(str, field.path)
        inner = record_schema
        for name in outer:
            inner = _require(inner, name, _object())
        about = {"description": f"bcompare explain '{field.heading}'"} if field.heading else {}
        _require(inner, last, field.schema() | about)
    for name, schema in more.items():
        _require(record_schema, name, schema)
    return record_schema


def _object() -> Schema:
    return {"type": "object", "properties": {}, "required": []}


def _require(schema: Schema, name: str, inner: Schema) -> Schema:
    if name not in schema["properties"]:
        schema["required"].append(name)
    nested_schema: Schema = schema["properties"].setdefault(name, inner)
    return nested_schema


def leaves(
    value: Any, without: Sequence[str] = (), path: Path = ()
) -> Iterator[tuple[Path, Callable[[object], object]]]:
    """Yield the path of each array in a dataclass, nested dataclasses and lists of them.

    Each path comes with a function that gets the array from another value of the same class.
    An empty list counts as an array.
    """
    for own in dataclasses.fields(value):
        inner, at, get = getattr(value, own.name), (*path, own.name), attrgetter(own.name)
        if own.name in without or not own.repr:
            continue
        if isinstance(inner, np.ndarray) or inner == ():
            yield at, get
        else:
            parts = leaves(inner, (), at) if dataclasses.is_dataclass(inner) else _listed(inner, at)
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
        return [
            {"level": level, "low": plain(ends[..., 0]), "high": plain(ends[..., 1])}
            for level, ends in ((level, np.asarray(pair)) for level, pair in value.items())
        ]
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
