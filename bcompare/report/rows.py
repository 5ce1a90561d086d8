"""Comparisons as flat rows, for CSV, JSON Lines and Parquet: columns of values, chunk by chunk.

A row is a pair, or a pair and data set where a test answers there. The columns are the JSON's
keys, joined by underscores where they nest; in a list of records, such as intervals, the first
field of each becomes part of the name. Lists of numbers stay in the JSON.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bcompare.comparing.answers import Comparison
from bcompare.comparing.decision import ACTIONS, Rule
from bcompare.data.rope import Rope
from bcompare.methods.base import PopulationResult
from bcompare.report.document import Record, comparison_record

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

    def repeated(self, counts: Sequence[int]) -> "Column":
        """The i-th value counts[i] times."""
        missing = None if self.missing is None else np.repeat(self.missing, counts)
        return replace(self, values=np.repeat(self.values, counts), missing=missing)

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


def comparison_rows(comparisons: Sequence[Comparison], rule: Rule, rope: Rope) -> Rows:
    """The rows of some comparisons by one test."""
    if comparisons and not isinstance(comparisons[0].result, PopulationResult):
        return _dataset_rows(comparisons, rule)
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


def _dataset_rows(comparisons: Sequence[Comparison], rule: Rule) -> Rows:
    """The rows of a test that answers per data set: whole columns at once, as there are many."""
    results = [c.result.datasets for c in comparisons]
    counts = [len(c.dataset_decisions) for c in comparisons]
    statistics = [c.differences.statistics for c in comparisons]
    p = [result.probabilities for result in results]
    rows = {
        "left": _text([c.left for c in comparisons]).repeated(counts),
        "right": _text([c.right for c in comparisons]).repeated(counts),
        "dataset": _text([name for s in statistics for name in s.names]),
        "n": _numbers([s.n for s in statistics]),
        "rho": _numbers([s.rho for s in statistics]),
        "mean_difference": _numbers([s.mean for s in statistics]),
        "p_left": _numbers([regions.left for regions in p]),
        "p_rope": _numbers([regions.rope for regions in p]),
        "p_right": _numbers([regions.right for regions in p]),
        "decision": _text([d for c in comparisons for d in c.dataset_decisions]),
        "withheld": _text([c.dataset_withheld(i) for c in comparisons
                           for i in range(len(c.dataset_decisions))]),
    }  # fmt: skip
    losses = [rule.expected(regions) for regions in p]
    if losses[0] is None:
        rows["expected_loss"] = Column("nothing", np.zeros(sum(counts), dtype=np.bool_))
    else:
        together = np.concatenate([loss for loss in losses if loss is not None])
        rows |= {
            f"expected_loss_{a}": Column("float", together[:, k]) for k, a in enumerate(ACTIONS)
        }
    for name, get in _arrays(results[0]):
        rows[name] = _numbers([get(result) for result in results])
        if name == "nhst_p_left_better":  # the last of the NHST's own
            rows["nhst_p_bonferroni"] = _numbers([c.adjusted.bonferroni for c in comparisons])
            rows["nhst_p_holm"] = _numbers([c.adjusted.holm for c in comparisons])
    return rows


def _arrays(value: Any, prefix: str = "") -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """The arrays in a result's own fields, by the names that they have in the JSON.

    Found once and taken from every result: there is one for each pair.
    """
    for own in fields(value):
        inner, name = getattr(value, own.name), f"{prefix}{own.name}"
        if not prefix and own.name in ("probabilities", "withheld"):
            continue
        get = attrgetter(own.name)
        if isinstance(inner, np.ndarray):
            yield name, get
        elif isinstance(inner, tuple):
            for i, item in enumerate(inner):
                label, *_ = (getattr(item, f.name) for f in fields(item))
                for field_name, of_item in _arrays(item, f"{name}_{label:.15g}_"):
                    yield field_name, partial(_item, get, i, of_item)
        elif is_dataclass(inner):
            for field_name, of_inner in _arrays(inner, f"{name}_"):
                yield field_name, partial(_inner, get, of_inner)


def _item(get: Callable[[Any], Any], i: int, of_item: Callable[[Any], Any], value: Any) -> Any:
    return of_item(get(value)[i])


def _inner(get: Callable[[Any], Any], of_inner: Callable[[Any], Any], value: Any) -> Any:
    return of_inner(get(value))


def _numbers(parts: Sequence[NDArray[Any]]) -> Column:
    """Numbers of all pairs; what JSON has no word for is none."""
    values = np.concatenate(parts)
    if values.dtype.kind != "f":
        return Column("int", values)
    return Column("float", np.where(np.isfinite(values), values, np.nan))


def _text(values: Sequence[str | None]) -> Column:
    return Column.of(values)


def _flat(record: Record, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The entries of a nested record, without its lists of values."""
    for key, value in record.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}_")
        elif isinstance(value, list):
            for item in value if key not in TOO_LONG else ():
                if isinstance(item, dict):
                    (_, label), *rest = item.items()
                    name = f"{label:.15g}" if isinstance(label, float) else label
                    yield from _flat(dict(rest), f"{prefix}{key}_{name}_")
        else:
            yield prefix + key, value
