"""Find the records of results in a JSON document, by its structure. Imports nothing heavy."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bcompare.basis.messages import InputError, Note, Record, counted, listed
from bcompare.columns.direction import direction_of
from bcompare.columns.vocabulary import plain, roles_of, sums_up

# The column of the keys in an object of records.
KEY = "key"
# The column of the places in lists of numbers.
REPETITION = "position"
# Keys, in letters only, of the name of an aggregate.
AGGREGATES = ("aggregate", "aggregatename")

_HALVES = re.compile("[\\ud800-\\udfff]")
# Keys that number runs of one thing, and so name no data sets.
_COUNTED = re.compile(r"(?:[a-z]*[\W_]*)?\d+", re.IGNORECASE)

Path = tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """Records in a document.

    path : the keys that lead to them.
    rows : the records.
    """

    path: Path
    rows: list[Record]

    @property
    def name(self) -> str:
        """The keys, joined by dots; that of the document itself is empty."""
        return ".".join(self.path)

    @property
    def columns(self) -> frozenset[str]:
        """The names of all columns."""
        return frozenset(name for row in self.rows for name, _ in _flat(row))

    @property
    def scores(self) -> frozenset[str]:
        """The columns that are known to be scores."""
        return frozenset(name for name in self.columns if direction_of(name) is not None)


@dataclass(frozen=True, eq=False, slots=True)
class Records:
    """What is read of a document.

    rows : the records.
    notes : on what was joined or not read.
    """

    rows: list[Record]
    notes: tuple[Note, ...] = ()


def read_document(
    document: object, title: str, part: str | None = None, *, labelled: bool = False
) -> Records:
    """Return the records in a document; none if it has none.

    Tables that go together are read as one, with the keys that lead to them as columns: those at
    equal depth with the same scores. Of others, the only one with a score of a known name is read,
    and a note names the rest.

    title : the file's name. part : the only table to read, by its keys joined by dots. labelled :
    whether the user has named the classifier of the file.

    Raises
    ------
    InputError : several tables may be meant, there is no such part, or a list is mixed.

    Examples
    --------
    >>> read_document({"easy": [{"f1": 0.9}], "hard": [{"f1": 0.5}]}, "r.json").rows
    [{'key': 'easy', 'f1': 0.9}, {'key': 'hard', 'f1': 0.5}]
    """
    _check_lists(document, title)
    tables = [*_tables(document)]
    if part is not None:
        chosen = [table for table in tables if table.name == part]
        if not chosen:
            names = listed([f"{title.removesuffix(f'#{part}')}#{table.name}" for table in tables])
            raise InputError(f"{title}: there is no such list in it; choose from {names}")
        return Records(chosen[0].rows)
    groups = _groups(tables)
    if len(groups) < 2:
        return _joined(groups[0], title, labelled=labelled) if groups else Records([])
    scored = [group for group in groups if group[0].scores]
    if len(scored) != 1:
        choices = listed([f"{title}#{table.name}" for table in tables if table.name])
        raise InputError(
            f"{title}: {_described(tables)} that do not go together: choose one as {choices}, or "
            "give all the same columns"
        )
    joined = _joined(scored[0], title, labelled=labelled)
    rest = [table for table in tables if table not in scored[0]]
    message = f"{title}: not read, since they hold no score of a known name: {_described(rest)}"
    return Records(joined.rows, (*joined.notes, Note("other-lists", "info", message)))


def records_in(document: object) -> list[Record]:
    """Return the records in a document; empty if it has none.

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
    return read_document(document, "the document").rows


def _described(tables: Sequence[Table]) -> str:
    """Return the names and sizes of tables in words."""
    names = [f"{table.name or 'the outermost'} ({len(table.rows):,})" for table in tables]
    return counted(names, "list")


def _tables(document: object) -> Iterator[Table]:
    """Yield all tables of a document, each outermost of its kind.

    Kinds, of which an earlier one is looked for before what is around it is taken for a later one:
    lists of objects; columns of equal length, and numbers in objects inside objects; objects of
    objects; a document of single values is one record.
    """
    lists = [*_outermost(document, _list_of_objects)]
    yield from lists
    rest = _without(document, [table.path for table in lists])
    if isinstance(rest, dict) and (rows := _of_columns(rest) or _nested(rest)):
        yield Table((), rows)
        return
    others: list[Table] = []
    for kind in (_deeply_nested, _object_of_objects, _columns):
        tables = [*_outermost(rest, kind)]
        others += tables
        rest = _without(rest, [table.path for table in tables])
    yield from others
    if not lists and not others:
        yield from _single(document)


def _outermost(
    value: object, rows_of: Callable[[object], list[Record]], path: Path = ()
) -> Iterator[Table]:
    """Yield the tables of a kind in a value, from the outside in, but none inside another."""
    rows = rows_of(value)
    if rows:
        yield Table(path, rows)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _outermost(inner, rows_of, (*path, str(key)))


def _without(value: object, paths: Collection[Path]) -> object:
    """Return a document without the values at these paths."""
    if () in paths:
        return None
    if not isinstance(value, dict) or not paths:
        return value
    left = {}
    for key, inner in value.items():
        deeper = [path[1:] for path in paths if path[0] == str(key)]
        if () not in deeper:
            left[key] = _without(inner, deeper)
    return left


def _list_of_objects(value: object) -> list[Record]:
    return value if isinstance(value, list) and _are_objects(value) else []


def _deeply_nested(value: object) -> list[Record]:
    rows = _nested(value) if isinstance(value, dict) else []
    return rows if rows and "level 2" in rows[0] else []


def _object_of_objects(value: object) -> list[Record]:
    if not isinstance(value, dict) or not _is_table(value):
        return []
    return [{KEY: key, **row} for key, row in value.items()]


def _columns(value: object) -> list[Record]:
    return _of_columns(value) if isinstance(value, dict) else []


def _single(document: object) -> Iterator[Table]:
    """Yield a document without any list as its only record."""
    if isinstance(document, dict) and not any(isinstance(v, list) for v in document.values()):
        yield Table((), [document])


def _check_lists(value: object, title: str, path: Path = ()) -> None:
    """Refuse lists, but not those inside lists, of which some entries only are objects.

    Raises
    ------
    InputError : there is one.
    """
    if isinstance(value, dict):
        for key, inner in value.items():
            _check_lists(inner, title, (*path, str(key)))
    elif isinstance(value, list):
        objects = sum(isinstance(entry, dict) for entry in value)
        if 0 < objects < len(value):
            where = f"list {'.'.join(path)}" if path else "its list"
            raise InputError(
                f"{title}: {where} has {objects:,} objects and {len(value) - objects:,} other "
                "entries; each entry must be an object"
            )


def _groups(tables: Sequence[Table]) -> list[list[Table]]:
    """Return tables that go together: at equal depth, with the same scores, else same columns."""
    groups: dict[object, list[Table]] = {}
    for table in tables:
        kind = len(table.path), table.scores or table.columns
        groups.setdefault(kind, []).append(table)
    return [*groups.values()]


def _joined(tables: Sequence[Table], title: str, *, labelled: bool) -> Records:
    """Return the records of tables, with the keys in which their paths differ as columns."""
    if len(tables) == 1:
        return Records(tables[0].rows)
    paths = [table.path for table in tables]
    keys_of_levels = zip(*paths, strict=True)
    levels = [level for level, keys in enumerate(keys_of_levels) if len(set(keys)) > 1]
    taken = {name for table in tables for name in table.columns}
    names = {level: f"level {i}" for i, level in enumerate(levels, 1)}
    if len(levels) == 1:
        keys = [path[levels[0]] for path in paths]
        name = "dataset" if _names_datasets(keys, taken, labelled=labelled) else KEY
        names = {levels[0]: name} if name not in taken else names
    rows = []
    for table in tables:
        columns = {name: table.path[level] for level, name in names.items()}
        rows += [columns | row for row in table.rows]
    which = listed([f"{table.name} ({len(table.rows):,})" for table in tables])
    message = (
        f"{title}: {len(tables)} lists are read as one, {which}; column "
        f"{' and '.join(names.values())} has their names"
    )
    return Records(rows, (Note("several-lists", "info", message),))


def _names_datasets(keys: Sequence[str], columns: Collection[str], *, labelled: bool) -> bool:
    """Return whether the keys of lists can only be the names of data sets.

    So they are if the classifier is named elsewhere, no column has data sets, and the keys do not
    number runs.
    """
    roles = {role for name in columns for role in roles_of(name)}
    has_classifier = labelled or "classifier" in roles
    return has_classifier and "dataset" not in roles and not any(map(_COUNTED.fullmatch, keys))


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
    last = max(depths) - 1
    if listed:
        last -= 1
    metrics = {path[last] for path, _ in leaves}
    levels = [f"level {i + 1}" for i in range(last + 1)]
    if last < 1 or not any(map(direction_of, metrics)):
        names = [*levels, REPETITION] if listed else levels
        return [dict(zip(names, path, strict=True)) | {"score": leaf} for path, leaf in leaves]
    place = "fold" if any(name.startswith("test_") for name in metrics) else REPETITION
    names = [*levels[:last], place] if listed else levels[:last]
    rows: dict[tuple[object, ...], Record] = {}
    for path, leaf in leaves:
        keys = (*path[:last], *path[last + 1 :])
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
    with_lists = {k for row in rows for k, value in row.items() if isinstance(value, list)}
    has_own_score = any(direction_of(name) for name in names if name not in with_lists)
    repeated = next((name for name in names if _repeats(rows, name)), None)
    if repeated is None or has_own_score:
        return [_as_cells(row) for row in rows]
    more: list[Record] = []
    for row in rows:
        count = len(row[repeated])
        lists = [k for k, v in row.items() if isinstance(v, list) and len(v) == count]
        rest = _as_cells({k: v for k, v in row.items() if k not in lists})
        for i in range(count):
            values = _as_cells({k: row[k][i] for k in lists})
            more.append(rest | {REPETITION: i + 1} | values)
    return more


def _as_cells(row: Record) -> Record:
    return {name: _as_cell(value) for name, value in row.items()}


def _repeats(rows: Sequence[Record], name: str) -> bool:
    """Return whether a column holds lists of several numbers, equally many, that vary."""
    lists = []
    for row in rows:
        values = row.get(name)
        if not isinstance(values, list) or len(values) < 2:
            return False
        lists.append(values)
    if len({len(values) for values in lists}) != 1:
        return False
    if not all(type(x) in (int, float) for values in lists for x in values):
        return False
    return any(x != values[0] for values in lists for x in values)


def without_aggregates(records: Sequence[Record]) -> tuple[Sequence[Record], int]:
    """Return the records without those that an aggregate's name marks, and the number of these."""
    left = [record for record in records if not _is_aggregate(record)]
    return (left, len(records) - len(left)) if left else (records, 0)


def _is_aggregate(record: Record) -> bool:
    """Return whether a name in a record says that it sums up others."""
    return any(plain(key) in AGGREGATES and sums_up(str(value)) for key, value in record.items())


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
