"""Comparisons as flat rows, for CSV, JSON Lines and Parquet: columns of values, chunk by chunk.

A row is a pair, or a pair and data set where a test answers there. The columns are the JSON's
keys, joined by underscores where they nest; in a list of records, such as intervals, the first
field of each becomes part of the name. Lists of numbers stay in the JSON.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bcompare.answers import Comparison
from bcompare.decision import Rule
from bcompare.methods.base import PopulationResult
from bcompare.report.document import Record, comparison_record, dataset_columns
from bcompare.rope import Rope

Kind = Literal["text", "bool", "int", "float", "nothing"]


@dataclass(frozen=True, eq=False, slots=True)
class Column:
    """Values of one kind, one a row.

    values : (n,) floats (NaN: none), whole numbers, truth values, or positions in `names`.
    missing : (n,) where there is none; None where there is everywhere one, and for floats.
    """

    kind: Kind
    values: NDArray[Any]
    names: tuple[str, ...] = ()
    missing: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, values: Sequence[Any]) -> "Column":
        """A column of text, numbers or truth values, each of which may be None."""
        kinds = set(map(type, values)) - {type(None)}
        gaps = np.array([value is None for value in values]) if None in values else None
        if not kinds:
            return cls("nothing", np.zeros(len(values), dtype=np.bool_))
        if kinds == {str}:
            names = tuple(dict.fromkeys(value for value in values if value is not None))
            codes = {name: code for code, name in enumerate(names)} | {None: 0}
            return cls("text", np.array([codes[v] for v in values], dtype=np.int32), names, gaps)
        if float in kinds:
            return cls("float", np.array(values, dtype=np.float64))
        kind: Kind = "bool" if kinds == {bool} else "int"
        filled = [value or 0 for value in values] if gaps is not None else values
        return cls(kind, np.array(filled, dtype=np.bool_ if kind == "bool" else np.int64), (), gaps)

    def tolist(self) -> list[Any]:
        """The values as Python knows them."""
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


Rows = dict[str, Column]
"""Name → column; all of the same length."""

Lists = dict[str, list[Any]]

# Lists of records that have a table of their own, in the JSON.
TOO_LONG = frozenset({"datasets", "notes", "also"})
# The corrected p-values, which are known when all pairs are.
CORRECTED = ("p_bonferroni", "p_holm")


def comparison_rows(comparisons: Sequence[Comparison], rule: Rule, rope: Rope) -> Rows:
    """The rows of some comparisons by one test."""
    if comparisons and not isinstance(comparisons[0].result, PopulationResult):
        return _columns(_joined(_dataset_rows(comparison, rule) for comparison in comparisons))
    return record_rows([comparison_record(c, rule, rope) for c in comparisons])


def record_rows(records: Sequence[Record]) -> Rows:
    """The rows of nested records, one each."""
    flat = [dict(_flat(record)) for record in records]
    names = dict.fromkeys(name for row in flat for name in row)
    return _columns({name: [row.get(name) for row in flat] for name in names})


def lines(rows: Rows) -> Iterator[tuple[Any, ...]]:
    """The rows one by one."""
    return zip(*(column.tolist() for column in rows.values()), strict=True)


def _columns(lists: Lists) -> Rows:
    return {name: Column.of(values) for name, values in lists.items()}


def _dataset_rows(comparison: Comparison, rule: Rule) -> Lists:
    columns = dict(_flat(dataset_columns(comparison, rule), lists=False))
    q = len(comparison.dataset_decisions)
    pair = {"left": [comparison.left] * q, "right": [comparison.right] * q}
    return pair | {
        name: values if isinstance(values, list) else [values] * q
        for name, values in columns.items()
    }


def _joined(parts: Iterable[Lists]) -> Lists:
    """One block of rows after the other; all have the same columns."""
    joined: Lists = {}
    for part in parts:
        for name, values in part.items():
            joined.setdefault(name, []).extend(values)
    return joined


def _flat(record: Record, prefix: str = "", *, lists: bool = True) -> Iterator[tuple[str, Any]]:
    """The entries of a nested record; lists of values are left out where `lists`, else kept."""
    for key, value in record.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}_", lists=lists)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for item in value if key not in TOO_LONG else ():
                (_, label), *rest = item.items()
                name = f"{label:.15g}" if isinstance(label, float) else label
                yield from _flat(dict(rest), f"{prefix}{key}_{name}_", lists=lists)
        elif not (lists and isinstance(value, list)):
            yield prefix + key, value
