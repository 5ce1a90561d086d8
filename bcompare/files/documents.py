"""Find the records of results in a JSON document, by its structure. Imports nothing heavy."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from bcompare.basis.messages import Record
from bcompare.data.direction import direction_of
from bcompare.data.vocabulary import plain, sums_up

# The column of the keys in an object of records.
KEY = "key"
# The column of the places in lists of numbers.
REPETITION = "repetition"
# Keys, in letters only, of the name of an aggregate.
AGGREGATES = ("aggregate", "aggregatename")

_HALVES = re.compile("[\\ud800-\\udfff]")


def records_in(document: object) -> list[Record]:
    """Return the records in a document; empty if it has none.

    They are the longest list of objects, of those with scores if any has; else the document's
    columns of equal length; else the numbers in objects inside objects, with the keys that lead to
    them, also next to other entries if they are deep inside; else the entries of an object of
    objects, whose keys are a column; else columns inside. A document without any list is one
    record.

    Examples
    --------
    >>> records_in({"about": "x", "runs": [{"model": "a", "acc": 0.5}]})
    [{'model': 'a', 'acc': 0.5}]
    >>> records_in({"svm": {"f1": 0.7, "auc": 0.9}, "knn": {"f1": 0.8, "auc": 0.7}})[1]
    {'level 1': 'knn', 'f1': 0.8, 'auc': 0.7}
    >>> seeds = {"1": {"acc": 0.5}, "2": {"acc": 0.6}, "3": {"acc": 0.4}}
    >>> records_in({"commit": "a1", "results": {"iris": seeds}})[0]
    {'level 1': 'iris', 'level 2': '1', 'acc': 0.5}
    """
    objects = [*_objects(document)]
    lists = [x for x in objects if isinstance(x, list) and _are_objects(x)]
    if lists:
        return max(
            lists, key=lambda rows: (any(map(direction_of, dict(_flat(rows[0])))), len(rows))
        )
    if isinstance(document, dict) and (rows := _of_columns(document) or _nested(document)):
        return rows
    mappings = [x for x in objects if isinstance(x, dict)]
    for rows in map(_nested, mappings):
        if rows and "level 2" in rows[0]:
            return rows
    tables = [x for x in mappings if _is_table(x)]
    if tables:
        return [{KEY: key, **row} for key, row in max(tables, key=len).items()]
    for rows in filter(None, map(_of_columns, mappings)):
        return rows
    alone = isinstance(document, dict) and not any(isinstance(v, list) for v in document.values())
    return mappings[:1] if alone else []


def _objects(value: object) -> Iterator[object]:
    """Yield objects and lists, from the outside in, but not those in lists."""
    yield value
    for inner in value.values() if isinstance(value, dict) else ():
        yield from _objects(inner)


def _are_objects(values: Collection[object]) -> bool:
    return len(values) > 0 and all(isinstance(value, dict) for value in values)


def _is_table(value: Mapping[str, Any]) -> bool:
    """Return whether an object's values are objects with a key in common."""
    rows = [*value.values()]
    return len(rows) > 1 and _are_objects(rows) and bool(set.intersection(*map(set, rows)))


def _of_columns(value: Mapping[str, Any]) -> list[Record]:
    """Return the rows of lists of one length, some of them of texts or named after a metric."""
    columns = [*value.values()]
    if not (len(columns) > 1 and all(isinstance(column, list) for column in columns)):
        return []
    texts = any(isinstance(cell, str) for column in columns for cell in column[:1])
    if len({*map(len, columns)}) > 1 or not (texts or any(map(direction_of, value))):
        return []
    return [dict(zip(value, row, strict=True)) for row in zip(*columns, strict=True)]


def _nested(document: Record) -> list[Record]:
    """Return a row for each number in objects inside objects; columns of metrics if they name such.

    Empty unless all are numbers, equally deep inside.
    """
    leaves = [*_leaves(document)]
    depths = {len(path) for path, _ in leaves}
    if len(leaves) < 3 or len(depths) > 1 or max(depths) < 2:
        return []
    listed = all(isinstance(path[-1], int) for path, _ in leaves)
    last = max(depths) - 1 - listed
    metrics = {path[last] for path, _ in leaves}
    levels = [f"level {i + 1}" for i in range(last + 1)]
    if last < 1 or not any(map(direction_of, metrics)):
        names = levels + [REPETITION] * listed
        return [dict(zip(names, path, strict=True)) | {"score": leaf} for path, leaf in leaves]
    place = "fold" if any(name.startswith("test_") for name in metrics) else REPETITION
    rows: dict[tuple[object, ...], Record] = {}
    for path, leaf in leaves:
        keys = (*path[:last], *path[last + 1 :])
        names = levels[:last] + [place] * listed
        rows.setdefault(keys, dict(zip(names, keys, strict=True)))[path[last]] = leaf
    return [*rows.values()]


def _leaves(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], object]]:
    """Yield the numbers in objects inside objects and lists, with the keys that lead to them.

    Anything else among them says that this is no nested table of scores.
    """
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value, 1)
        for key, inner in pairs:
            yield from _leaves(inner, (*path, key))
    elif isinstance(value, int | float):
        yield path, value
    else:
        yield (), 0.0


def flat_rows(records: Sequence[Record]) -> list[Record]:
    """Return records with the keys of nested objects joined by dots, and a row for each repetition.

    The repetitions are the first list of numbers that is as long in every record, and varies, and
    the lists of its length; unless a record has a score of its own.
    """
    rows = [dict(_flat(record)) for record in records]
    names = dict.fromkeys(name for row in rows for name in row)
    single = (n for n in names if not any(isinstance(row.get(n), list) for row in rows))
    scored = any(map(direction_of, single))
    repeated = next((name for name in names if _repeats(rows, name)), None)
    if repeated is None or scored:
        return [{name: _as_cell(value) for name, value in row.items()} for row in rows]
    more: list[Record] = []
    for row in rows:
        count = len(row[repeated])
        lists = [k for k, v in row.items() if isinstance(v, list) and len(v) == count]
        rest = {k: _as_cell(v) for k, v in row.items() if k not in lists}
        more += [
            rest | {REPETITION: i + 1} | {k: _as_cell(row[k][i]) for k in lists}
            for i in range(count)
        ]
    return more


def _repeats(rows: Sequence[Record], name: str) -> bool:
    """Return whether a column holds lists of several numbers, equally many, that vary."""
    lists = [row.get(name) for row in rows]
    return (
        all(isinstance(own, list) and len(own) > 1 for own in lists)
        and len({len(own or ()) for own in lists}) == 1
        and all(type(x) in (int, float) for own in lists for x in own or ())
        and any(x != own[0] for own in lists if own for x in own)
    )


def without_aggregates(records: Sequence[Record]) -> tuple[Sequence[Record], int]:
    """Return the records without those that an aggregate's name marks, and the number of these."""
    left = [
        record
        for record in records
        if not any(plain(k) in AGGREGATES and sums_up(str(v)) for k, v in record.items())
    ]
    return (left, len(records) - len(left)) if left else (records, 0)


def _flat(row: Record, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield keys and values; true and false count as 1 and 0."""
    for key, value in row.items():
        name = _whole_text(f"{prefix}{key}").strip()
        if isinstance(value, dict):
            yield from _flat(value, f"{name}.")
        elif isinstance(value, str):
            yield name, _whole_text(value)
        elif isinstance(value, bool):
            yield name, int(value)
        else:
            yield name, value


def _as_cell(value: object) -> object:
    return json.dumps(value) if isinstance(value, list) else value


def _whole_text(text: str) -> str:
    """Return text without lone surrogates, which JSON can express but UTF-8 cannot."""
    return _HALVES.sub("\N{REPLACEMENT CHARACTER}", text)
