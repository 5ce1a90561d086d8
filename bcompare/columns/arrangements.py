"""The ways to give columns their roles, from those that names say to those that only kinds allow.

Each function is a stage of the search for readings: it yields those that the keys allow. A later
stage is tried only where no earlier one has a reading.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, permutations, product

import numpy as np

from bcompare.basis.messages import Record
from bcompare.columns.features import FILE, FileColumn
from bcompare.columns.keys import Keys, search_roles
from bcompare.columns.roles import (
    FEWEST_FOLDS,
    LEAST_FILLED,
    LEAST_SHARED,
    Reading,
    Roles,
    are_splits,
)
from bcompare.columns.scored import HOW_MANY, MOST_FOLDS, SHARE_OF_TEST
from bcompare.columns.vocabulary import (
    TRAINING,
    core_of,
    is_about,
    is_counter,
    is_summary,
    plain,
    roles_of,
    usual_name,
    words_of,
)
from bcompare.data.rope import BoolArray
from bcompare.files.cells import number_in
from bcompare.files.options import JOINED, KEYS, ROW_NUMBERS
from bcompare.files.presets import MEANS

# The most values of a setting, such as the horizon of a forecast, and of one to choose.
MOST_SETTINGS, MOST_CHOSEN = 8, 6
MOST_EXTRA = 12
FEWEST_ITEMS, FEW_ITEMS = 5, 10
# Fewer iterations are hardly those of several runs.
FEWEST_THROUGH = 10
# Repetitions that, alone, count a training, the trials of a search, or draws of the data.
OF_CURVES = {*TRAINING, "iteration", "iter", "trial", "trialid", "trialindex", "attempt", "try"}
DRAWN = {"resample", "shuffle", "bootstrap"}


def _assignments(keys: Keys, names: Sequence[str], *, some: bool) -> Iterator[dict[str, list[str]]]:
    """Yield the roles of columns by their known names. some : may be left out, or joined."""
    choices = []
    for name in names:
        possible = sorted(search_roles(keys.search, name))
        choices.append([*possible, ""] if some else possible)
    if np.prod([float(len(options)) for options in choices]) > 3000:
        return
    for choice in product(*choices):
        roles: dict[str, list[str]] = {role: [*options] for role, options in keys.given.items()}
        fits = True
        for name, role in zip(names, choice, strict=True):
            if role in keys.in_names:
                fits = False
            elif role:
                fits &= role not in roles or (some and role in JOINED and not keys.is_said(role))
                roles.setdefault(role, []).append(name)
        if fits and _is_consistent(roles, keys.in_names):
            yield roles


def _is_consistent(roles: Mapping[str, Sequence[str]], in_names: Iterable[str]) -> bool:
    """Return whether clusters have items, and items no folds."""
    there = {*roles, *in_names}
    if "cluster" in there and "item" not in there:
        return False
    in_columns = {"fold", "seed", "iteration", "run"} & {*in_names}
    return not ("item" in there and ("fold" in there or in_columns))


def _with_names(keys: Keys) -> Iterator[Reading]:
    """Yield the readings that give every column of a known name a role of its own."""
    assigned = [_without_lone(keys, roles) for roles in _assignments(keys, keys.known, some=False)]
    told_apart = [roles for roles in assigned if keys.shared(_frozen(roles)) > LEAST_SHARED]
    for fixed in told_apart:
        fill = keys.fill(_frozen(fixed))
        if fill > LEAST_SHARED:
            by_names = len(told_apart) == 1 and len(keys.models) < 2
            by_names &= not keys.leaves_models(_frozen(fixed))
            yield from _expanded(keys, fixed, by_names=by_names, fill=fill)
            yield from _as_datasets(keys, fixed, fill)


def _as_datasets(keys: Keys, roles: Mapping[str, Sequence[str]], fill: float) -> Iterator[Reading]:
    """Yield the reading of a few items as data sets."""
    items = roles.get("item", ())
    few = len(items) == 1 and len(keys.table[items[0]].distinct) < FEW_ITEMS
    few_runs = [n for n in roles.get("run", ()) if len(keys.table[n].distinct) < FEWEST_FOLDS]
    if not few or few_runs or keys.is_said("item") or {"dataset"} & {*roles, *keys.in_names}:
        return
    rest = {role: names for role, names in roles.items() if role not in ("item", "cluster")}
    yield from _expanded(keys, {**rest, "dataset": items}, by_names=False, fill=fill)


def _with_some_names(keys: Keys) -> Iterator[Reading]:
    """Yield the readings that use as many columns of known names as tell rows apart."""
    fixed_roles: list[tuple[dict[str, list[str]], float]] = []
    for roles in _assignments(keys, keys.known, some=True):
        fixed = _without_lone(keys, roles)
        fill = keys.fill(_frozen(fixed))
        if fill > LEAST_SHARED:
            fixed_roles.append((fixed, fill))
    used_columns = [set(chain.from_iterable(roles.values())) for roles, _ in fixed_roles]
    for (roles, fill), used in zip(fixed_roles, used_columns, strict=True):
        if not any(used < others for others in used_columns):
            yield from _expanded(keys, roles, by_names=False, fill=fill)


def _with_one_more(keys: Keys) -> Iterator[Reading]:
    """Yield the readings with one column of an unknown name, or the numbers of the rows."""
    extra = _extra(keys)
    for roles in [*_assignments(keys, keys.known, some=False)] or [
        {r: [*n] for r, n in keys.given.items()}
    ]:
        fixed = _without_lone(keys, roles)
        for name in extra:
            yield from _added(keys, fixed, name)
    if not extra and not keys.models:
        yield from _by_row_numbers(keys)


def _with_two_more(keys: Keys) -> Iterator[Reading]:
    """Yield the readings with two columns of unknown names, or the numbers of the rows."""
    roles: dict[str, list[str]] = {role: [*names] for role, names in keys.given.items()}
    extra = _extra(keys)
    if "dataset" not in roles and "dataset" not in keys.in_names:
        for name in extra:
            column = keys.table[name]
            if column.is_name and not are_splits(column):
                for other in extra:
                    if other != name:
                        yield from _added(keys, {**roles, "dataset": [name]}, other)
    counting = [name for name in extra if keys.table[name].counts_on]
    units = {"item", "fold", "run", "seed", "iteration"}
    if not units & {*roles, *keys.in_names}:
        for one, other in permutations(counting, 2):
            more = {**roles, "run": [one], "fold": [other]}
            fill = keys.fill(_frozen(more))
            if fill > LEAST_SHARED:
                yield from _expanded(keys, more, by_names=False, fill=fill)
    if not keys.models:
        yield from _by_row_numbers(keys)


def _frozen(roles: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    return {role: tuple(names) for role, names in roles.items()}


def _without_lone(keys: Keys, roles: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return roles without a run or fold that each classifier has once on a data set or item."""
    kept = {role: [*names] for role, names in roles.items()}
    for role in ("run", "fold"):
        others = [n for r in ("dataset", "item") for n in kept.get(r, ())]
        columns = kept.get(role)
        is_free = columns and role not in keys.given and others
        if columns and is_free and keys.table.follows(columns[0], [*keys.models, *others]):
            del kept[role]
    return kept


def _extra(keys: Keys) -> list[str]:
    """Return the columns of unknown names that may tell rows apart."""
    names = []
    for name in keys.free:
        column = keys.table[name]
        roles = search_roles(keys.search, name)
        is_score = name in keys.scored.columns or (
            column.is_fractional and len(column.distinct) > MOST_SETTINGS
        )
        follows = keys.models and keys.table.follows(name, keys.models)
        is_index = not name and column.is_whole  # of the rows of a frame
        other = is_index or column.is_date or (keys.search.known[name] and not roles) or follows
        if not (roles or is_score or other or is_summary(name)):
            names.append(name)
    return names[:MOST_EXTRA]


def _added(keys: Keys, roles: dict[str, list[str]], name: str) -> Iterator[Reading]:
    """Yield the readings in which one more column has a role."""
    column = keys.table[name]
    table = keys.table
    by_name = may_name(column)
    if keys.models and keys.models != (FILE,) and by_name and not keys.is_said("classifier"):
        who = (*keys.models, name)
        fill = table.filled(who, _places(roles), keys.rows)
        if fill > LEAST_FILLED and roles:
            yield from _expanded(keys, roles, by_names=False, fill=fill, models=who)
    has_role = False
    for more in (*_as_dataset(keys, roles, column), *_as_unit(keys, roles, column)):
        as_unit = {("run" if role == "count" else role): names for role, names in more.items()}
        fill = keys.fill(_frozen(as_unit))
        if fill > LEAST_SHARED:
            has_role = True
            yield from _expanded(keys, more, by_names=False, fill=fill)
    is_text = column.is_name and has_role  # names are rather compared than chosen from
    few = len(column.distinct) <= MOST_CHOSEN and not is_text
    if few or plain(core_of(name)) in TRAINING:
        yield from _chosen(keys, roles, column)


def may_name(column: FileColumn) -> bool:
    """Return whether a column may be a part of a name: texts, or few numbers that count nothing."""
    is_setting = column.is_number and len(column.distinct) <= MOST_SETTINGS
    if plain(core_of(column.name)) in TRAINING or are_splits(column):
        return False
    return column.is_name or (is_setting and not column.counts_on)


Added = dict[str, list[str]]


def _as_dataset(keys: Keys, roles: Added, column: FileColumn) -> Iterator[Added]:
    """Yield roles with a column as the data sets, or as a part of their names."""
    if "dataset" in keys.in_names or not may_name(column):
        return
    if "dataset" not in roles:
        yield {**roles, "dataset": [column.name]}
    elif not keys.is_said("dataset"):
        yield {**roles, "dataset": [*roles["dataset"], column.name]}


def _as_unit(keys: Keys, roles: Added, column: FileColumn) -> Iterator[Added]:
    """Yield roles with a column as items, folds or seeds, or as the runs or answers of these."""
    name = column.name
    there = {*roles, *keys.in_names}
    if are_splits(column) or plain(core_of(name)) in TRAINING or column.is_fractional:
        return
    may_be_item = len(column.distinct) >= FEWEST_ITEMS
    if "item" in there:
        yield from _as_answer(roles, column)
    elif "fold" in there:
        if "run" not in there and column.counts_on:
            yield {**roles, "run": [name]}
    elif not there & {"seed", "iteration"}:
        if may_be_item:
            yield {**roles, "item": [name]}
        if column.counts_on and len(column.distinct) >= FEWEST_FOLDS and not is_about(name):
            yield {**roles, ("fold" if "run" in there else "count"): [name]}


def _as_answer(roles: Added, column: FileColumn) -> Iterator[Added]:
    """Yield roles with a column that numbers the answers to an item, or names a part of it."""
    if "run" not in roles and (column.is_whole or column.is_name):
        yield {**roles, "run": [column.name]}
    items = roles.get("item", [])
    is_cluster = len(items) == 1 and "cluster" in roles_of(items[0])
    if is_cluster and may_name(column):
        yield {**roles, "item": [*items, column.name], "cluster": [items[0]]}


def _places(roles: Mapping[str, Sequence[str]]) -> list[str]:
    return [n for role, names in roles.items() if role != "cluster" for n in names]


def _chosen(keys: Keys, roles: dict[str, list[str]], column: FileColumn) -> Iterator[Reading]:
    """Yield the readings of the rows with one value of a column."""
    values = column.distinct if column.name else ()
    if len(values) > MOST_CHOSEN:  # of a training, whose last step counts
        values = tuple(sorted(values, key=_as_number))[-1:]
    for value in values:
        rows = keys.rows & np.array([cell == value for cell in column.cells], dtype=np.bool_)
        places = _places(roles)
        units = {*roles, *keys.in_names} & {"dataset", "item", "fold", "run", "seed"}
        fill = keys.table.filled(keys.models, places, rows) if units else 0.0
        if fill > LEAST_SHARED and _vary(keys, rows):
            before = keys.metric.get("where", keys.search.options.where)
            where = {"where": (*before, f"{column.name}={value}")}
            yield from _expanded(keys, roles, by_names=False, fill=fill, where=where)


def _as_number(cell: str) -> float:
    written = number_in(cell)
    return written.number if written else math.inf


def _vary(keys: Keys, rows: BoolArray) -> bool:
    """Return whether the scores of some rows differ."""
    cells = (keys.table[name].codes[rows] for name in keys.scored.columns)
    return len(np.unique(np.concatenate([*cells]))) > 1


def _by_row_numbers(keys: Keys) -> Iterator[Reading]:
    """Yield the readings in which rows count by their numbers."""
    if {*keys.given, *keys.in_names} & {"item", "fold", "seed", "run", "iteration"}:
        return
    roles: Roles = _frozen(keys.given)
    count = keys.table.rows
    datasets = [name for name in keys.known if "dataset" in search_roles(keys.search, name)]
    rows: Record = {}
    if len(datasets) == 1 and "dataset" not in roles:
        roles = {**roles, "dataset": (datasets[0],)}
        rows = _named(keys, roles)
    units = ["item", "fold", "seed"] if count <= MOST_FOLDS else ["item"]
    for unit in units:
        changes = rows | {f"{unit}_col": ROW_NUMBERS}
        yield keys.reading(roles, changes, by_names=False, fill=1.0)
    if count > MOST_FOLDS:
        changes = rows | {"iteration_col": ROW_NUMBERS, "folds": HOW_MANY}
        yield keys.reading(roles, changes, by_names=False, fill=1.0)


def _named(keys: Keys, roles: Roles) -> Record:
    """Return the options that name the columns of data sets, items, runs, folds and clusters."""
    changes: Record = {}
    there = {*roles, *keys.in_names}
    for role, names in roles.items():
        if role == "classifier" or names == (FILE,) or not names:
            continue
        option = role
        if role == "run" and "item" in there:
            option = "epoch"
        elif role == "run" and "fold" not in there:
            option = "seed"
        if names != keys.search.given.get(role) or option != role:
            by_itself = option in KEYS and (option,) == tuple(name.casefold() for name in names)
            if not by_itself:
                changes[f"{option}_col"] = ",".join(names)
    return changes


def _expanded(
    keys: Keys,
    roles: Mapping[str, Sequence[str]],
    *,
    by_names: bool,
    fill: float,
    models: tuple[str, ...] | None = None,
    where: Record | None = None,
) -> Iterator[Reading]:
    """Yield the readings of what the rows count: folds, seeds, or splits drawn anew."""
    frozen = _frozen(roles)
    sure = {
        role: column_roles
        for role, column_roles in frozen.items()
        if role not in ("fold", "run", "count")
    }
    counted = [(role, frozen[role][0]) for role in ("fold", "run", "count") if role in frozen]
    rest = where or {}
    lone = len(counted) == 1 and not {"item", "fold", "seed", "iteration"} & {*sure, *keys.in_names}
    if not lone or counted[0][0] in keys.given:
        changes = rest | _named(keys, frozen) | _as_means(keys, frozen)
        yield keys.reading(frozen, changes, by_names=by_names, fill=fill, models=models)
        return
    ((role, name),) = counted
    options = _counted(keys.table[name], role)
    for option in options:
        changes = rest | _named(keys, sure) | option
        column_role = next(iter(option)).removesuffix("_col")
        column_roles = {**sure, column_role: (name,)}
        yield keys.reading(
            column_roles, changes, by_names=by_names and len(options) == 1, fill=fill, models=models
        )


def _counted(column: FileColumn, role: str) -> list[Record]:
    """Return what a column that alone tells rows apart may count, as options.

    role : fold or run, by its name; count, if its name does not say.
    """
    name = column.name
    count = len(column.distinct)
    folds: Record = {"fold_col": name}
    anew: Record = {"fold_col": name, "rho": SHARE_OF_TEST}
    seeds: Record = {"seed_col": name}
    through: Record = {"iteration_col": name, "folds": HOW_MANY}
    many = count > MOST_FOLDS
    words = {*words_of(core_of(name))}
    if role == "fold":
        if not many:
            return [anew, folds] if words & DRAWN else [folds]
        return [through, anew] if column.counts_on else [anew]
    if role == "run":
        if plain(core_of(name)) not in OF_CURVES:
            return [seeds]
        numbers_on = column.counts_on and count >= FEWEST_THROUGH
        return [through, anew, seeds] if numbers_on else [seeds, anew]
    if many:
        return [through, anew, seeds]
    return [folds, seeds, anew]


def _as_means(keys: Keys, roles: Roles) -> Record:
    """Return the options for means, where other columns would be missed; none for others."""
    there = {*roles, *keys.in_names}
    if there & {"item", "fold", "run", "seed", "iteration"} or "dataset" not in roles:
        return {}
    used = {name for names in roles.values() for name in names} | {*keys.models}
    left = [name for name in keys.search.free if name not in used]
    clashes = any(name.casefold() in ("run", "fold") for name in used)
    if (
        clashes
        or usual_name("item", left)
        or usual_name("fold", left)
        or any(map(is_counter, left))
    ):
        if roles["dataset"] == (FILE,):
            return {}
        return {"preset": MEANS, "dataset_col": ",".join(roles["dataset"])}
    return {}


# Yields the readings of one stage of the search.
Stage = Callable[[Keys], Iterator[Reading]]

STAGES: tuple[Stage, ...] = (_with_names, _with_some_names, _with_one_more, _with_two_more)
"""The stages of the search, in order."""
