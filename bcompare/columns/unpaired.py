"""Readings of sides that share nothing, and columns by which they share numbers only."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bcompare.basis.messages import Record
from bcompare.columns.features import FILE, ColumnTable
from bcompare.columns.roles import Reading
from bcompare.columns.scored import Scored
from bcompare.columns.search import Search
from bcompare.columns.vocabulary import plain

# Names of columns, in letters and digits only, that number what each side has drawn for itself.
DRAWN_APART = {
    f"{name}{end}"
    for name in ("episode", "rollout", "trial")
    for end in ("", "s", "id", "idx", "index", "no", "number", "num")
}
# The fewest items that can be compared.
LEAST_ITEMS = 3


def numbered_apart(table: ColumnTable, reading: Reading) -> str:
    """Return the column that pairs rows by numbers that each side gave for itself; "" if none.

    Rows that name a test item are paired by it, however its answers are numbered; but fewer items
    than a test takes are data sets.
    """
    units = {r: n for r, n in reading.roles.items() if r not in ("dataset", "classifier", "score")}
    if "item" in units and table.count(units["item"]) >= LEAST_ITEMS:
        units = {"item": units["item"]}
    for names in units.values():
        for name in names:
            if name in table and plain(name) in DRAWN_APART and table[name].is_whole:
                return name
    return ""


def asked_about(search: Search, readings: Sequence[Reading]) -> list[Reading]:
    """Return the readings where sides share nothing, or only numbers of their own.

    readings : those in which rows are paired.
    """
    if search.options.shares_nothing:
        return [*readings_apart(search)]
    by_number = [r for r in readings if numbered_apart(search.table, r)]
    if readings and not by_number:
        return [*readings]
    others = [r for r in readings if r not in by_number]
    seeds = {repr(r.rows): r for r in _as_seeds(search.table, by_number)}
    return [*others, *seeds.values(), *readings_apart(search)]


def _as_seeds(table: ColumnTable, readings: Sequence[Reading]) -> Iterator[Reading]:
    """Yield the readings in which a column of such numbers alone tells rows apart, as seeds."""
    for reading in readings:
        name = numbered_apart(table, reading)
        units = {*reading.roles} - {"dataset", "classifier", "score"}
        if len(units) == 1:
            kept = {k: v for k, v in reading.rows.items() if k in ("dataset_col", "where")}
            roles = {r: columns for r, columns in reading.roles.items() if r not in units}
            yield replace(
                reading,
                rows={**kept, "seed_col": name},
                roles={**roles, "seed": (name,)},
                by_names=False,
            )


def readings_apart(search: Search) -> Iterator[Reading]:
    """Yield the readings in which no row is paired, with each choice of the data sets."""
    said = search.options.shares_nothing
    for scored in search.scores():
        rows: Record = {}
        if not (said or "successes_col" in scored.changes):
            rows = {"unpaired": True}
        for models in search.model_columns(scored):
            # names of one column, and of no part of it
            classifiers = [who for who in models if len(who) < 2 and not any(map(_is_part, who))]
            for who in classifiers:
                datasets = _datasets(search, scored, who)
                for dataset in datasets:
                    if rows and search.table.fewest_rows([*who, *dataset]) < FEWEST:
                        continue  # a side of one row is no sample
                    yield Reading(
                        scored=scored,
                        models=_said(search, "classifier", who),
                        metric={},
                        rows={**_said(search, "dataset", dataset), **rows},
                        roles=_roles(who, dataset),
                        by_names=not rows and len(classifiers) == len(datasets) == 1,
                        fill=1.0,
                    )
            if classifiers:
                break


def _is_part(name: str) -> bool:
    """Return whether a name is that of a part of a column's cells."""
    return "\0" in name


def _datasets(search: Search, scored: Scored, who: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the columns that may name the data sets; one of none, if there are none."""
    if "dataset" in search.given:
        return [search.given["dataset"]]
    known: list[tuple[str, ...]] = []
    for name in search.varied:
        is_other = name not in who and name not in scored.columns and not _is_part(name)
        if not is_other or "dataset" not in search.known[name] or not who:
            continue
        table = search.table
        pairs = table.count(who) * table.count([name])
        if table.count([*who, name]) > LEAST_SHARED * pairs:
            known.append((name,))
    return known or [()]


# The share of pairs of a classifier and a data set that have a score, and the rows of each.
LEAST_SHARED, FEWEST = 0.5, 2


def _said(search: Search, role: str, names: tuple[str, ...]) -> Record:
    """Return the option that names a column, unless its own name does."""
    if not names or names == (FILE,) or search.given.get(role) == names:
        return {}
    return {f"{role}_col": ",".join(names)}


def _roles(who: tuple[str, ...], dataset: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    roles = {}
    if who:
        roles["classifier"] = who
    if dataset:
        roles["dataset"] = dataset
    return roles
