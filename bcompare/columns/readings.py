"""The readings of a file that its columns allow: what names and kinds leave open.

Kinds rule out, they never rank. A reading gives each part of the results its columns, so that rows
are told apart and the scores of classifiers are paired.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product

import numpy as np

from bcompare.basis.messages import Record
from bcompare.columns.counts import counts_in, scored_counts
from bcompare.columns.direction import meaning_of
from bcompare.columns.features import FILE, ColumnTable, FileColumn
from bcompare.columns.glued import glued
from bcompare.columns.scored import (
    HOW_MANY,
    MOST_FOLDS,
    SHARE_OF_TEST,
    Scored,
    candidates,
    is_cost,
    scored_column,
)
from bcompare.columns.vocabulary import (
    METRICS,
    SPLITS,
    TRAINING,
    core_of,
    is_about,
    is_counter,
    is_summary,
    plain,
    roles_of,
    sums_up,
    usual_name,
    words_of,
)
from bcompare.data.rope import BoolArray
from bcompare.files.cells import number_in
from bcompare.files.options import JOINED, KEYS, ROW_NUMBERS, ReadOptions, parts_of
from bcompare.files.presets import MEANS

MOST_METRICS = 12
MOST_CLASSIFIERS = 30
# The most values of a setting, such as the horizon of a forecast, and of one to choose.
MOST_SETTINGS, MOST_CHOSEN = 8, 6
MOST_EXTRA = 12
FEWEST_ITEMS, FEW_ITEMS = 5, 10
FEWEST_FOLDS = 3
# Fewer iterations are hardly those of several runs.
FEWEST_THROUGH = 10
# The share of pairs of a classifier and a place that have a score: in a reading that is sure, and
# in one that is asked about.
LEAST_FILLED, LEAST_SHARED = 0.5, 0.02
# Repetitions that, alone, count a training, the trials of a search, or draws of the data.
OF_CURVES = {*TRAINING, "iteration", "iter", "trial", "trialid", "trialindex", "attempt", "try"}
# Words of columns that number splits of the data.
OF_SPLITS = {"fold", "folds", "split", "splits", "resample", "cv", "partition", "kfold"}
# Names of columns that say which part of the data a score is of.
OF_PARTS = {"split", "partition", "subset", "set", "phase", "part"}
DRAWN = {"resample", "shuffle", "bootstrap"}
_NUMBERED = re.compile(r".*(?:seed|run|fold|rep|trial|cv|split|resample)[-_ ]?\d+", re.IGNORECASE)
_FOLD = re.compile(r"(?:fold|cv)[-_ ]?\d+", re.IGNORECASE)
_RUN_IDS = {"run", "runid", "experiment", "trial"}

# Role → its columns.
Roles = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Reading:
    """What a file may be read as, by the parts that may be asked about.

    scored : the scores. models, metric, rows : options for classifiers, for the choice of rows of
    one metric, and for what a row is. roles : role → columns. by_names : whether names alone say
    it. fill : the share of pairs of a classifier and a place that have a score.
    """

    scored: Scored
    models: Record
    metric: Record
    rows: Record
    roles: Roles
    by_names: bool
    fill: float


class Search:
    """Finds the readings of one table.

    options : of the user, whose columns keep their roles.
    """

    def __init__(self, table: ColumnTable, options: ReadOptions) -> None:
        self.options = options
        self.glued = {own.column: own for own in map(glued, table.columns.values()) if own}
        if options.split or any(name in options.columns.values() for name in self.glued):
            self.glued = {}
        parts = [part for own in self.glued.values() for part in (own.name, own.number)]
        self.table = table.with_parts(parts)
        self.groups = frozenset(
            group for own in options.expressions.values() for group in own.groupindex
        )
        self.given = self._given()
        self.used = {name for names in self.given.values() for name in names}
        self.used |= {condition.column for condition in options.conditions}
        self.used |= {*filter(None, options.split_parts[:1])}
        self.used |= {name for name in [options.by, options.cost_col] if name}
        if "wide" in options.expressions:
            wide = options.expressions["wide"]
            self.used |= {name for name in table.header if wide.fullmatch(name)}
        self.known = {name: self._roles(self.table[name]) for name in self.free}

    def _given(self) -> dict[str, tuple[str, ...]]:
        """Return the columns whose role an option, or their own name, gives."""
        header = self.table.header
        canonical = {name.casefold(): name for name in reversed(header)}
        given: dict[str, tuple[str, ...]] = {
            role: (canonical[role],)
            for role in (*KEYS, "score")
            if role in canonical and role not in self.groups
        }
        named = self.options.columns
        numbered = {"item", "seed", "iteration"} & (named.keys() | self.groups)
        for role in ("run", "fold"):
            if numbered or (role == "run" and "fold" not in {*given, *named, *self.groups}):
                given.pop(role, None)
        for role in ("run", "fold"):  # what is called fold may number splits, too many for folds
            own = given.get(role)
            if own and role not in named and self._is_open(self.table[own[0]]):
                given.pop(role)
        if "wide" in self.options.expressions:
            given.pop("score", None)
        elif self.options.score_col is None and "score" in given:
            numbers = self.table[given["score"][0]]
            if not (numbers.is_number or numbers.filled):
                given.pop("score")
        for role, name in named.items():
            given[role] = tuple(parts_of(role, name, header)) if name != ROW_NUMBERS else ()
        return given

    def _is_open(self, column: FileColumn) -> bool:
        """Return whether a column that is called fold may be of several runs."""
        if self.options.rho is not None or {*self.given_sizes()} <= {*self.table.header}:
            return False
        return "run" not in {name.casefold() for name in self.table.header} and (
            column.is_whole and len(column.distinct) > MOST_FOLDS
        )

    def given_sizes(self) -> tuple[str, str]:
        """Return the names of the columns that tell the correlation of folds."""
        return ("n_train", "n_test")

    @property
    def free(self) -> list[str]:
        """The columns without a role; of those that are taken apart the parts."""
        used = self.used | self.glued.keys()
        used |= {part for name in self.used for part in (f"{name}\0name", f"{name}\0number")}
        return [name for name in self.table.columns if name not in {*used, FILE}]

    @property
    def varied(self) -> list[str]:
        """Those of them with several values."""
        return [name for name in self.free if len(self.table[name].distinct) > 1]

    def _roles(self, column: FileColumn) -> frozenset[str]:
        """Return the roles that a column may have by its whole name, and its kind allows."""
        if len(column.distinct) < 2 or column.is_date or are_splits(column):
            return frozenset()
        whole, _, part = column.name.partition("\0")
        if part and whole in self.glued:
            return self._roles_of_part(whole, column, is_number=part == "number")
        if all(map(_FOLD.fullmatch, column.distinct)):
            return frozenset({"fold"})
        roles = roles_of(column.name)
        text = plain(core_of(column.name))
        if text in ("params", "config") and column.is_number:
            return frozenset()
        if {*words_of(core_of(column.name))} & OF_SPLITS and roles & {"fold", "run"}:
            roles = {"fold"}  # what is called so is never an item or a seed
        if text in TRAINING:  # steps of a training, unless answers to an item
            roles = roles & {"run"} if self._has_items() else set()
        if roles == {"cluster"} and not self._has_items():
            roles = {"cluster", "item"}
        if "fold" in roles and not column.is_numbered:
            roles = roles - {"fold"}
        return frozenset(_without_systems(roles, column))

    def _roles_of_part(self, whole: str, column: FileColumn, *, is_number: bool) -> frozenset[str]:
        """Return the roles of the name, or the number, in the cells of a column."""
        own = self.glued[whole]
        if is_number:
            return frozenset({own.unit})
        if not own.between:
            return frozenset({"fold"})
        return frozenset(roles_of(whole) & {"classifier", "dataset"}) or self._twin(column)

    def _twin(self, column: FileColumn) -> frozenset[str]:
        """Return the role of data sets for names that a column of data sets says again."""
        table = self.table
        for other in table.header:
            is_twin = table.follows(other, [column.name]) and table.follows(column.name, [other])
            if "dataset" in roles_of(other) and is_twin:
                return frozenset({"dataset"})
        return frozenset()

    def _has_items(self) -> bool:
        """Return whether a column has the name of test items, and of nothing else."""
        return any(roles_of(name) == {"item"} for name in self.table.header)

    # Scores

    def scores(self) -> list[Scored]:
        """Return what may be the scores: one, if its name or its kind leaves one."""
        if self.options.wide is not None:
            columns = tuple(name for name in self.table.header if name in self.used)
            return [Scored(columns, {}, None, False, {}, self.groups)]
        if self.options.successes_col is not None:
            return [scored_counts(self.options.successes_col, {})]
        counts = counts_in(self.table)
        if counts and "score" not in self.given:
            return [scored_counts(counts["successes_col"], counts)]
        if "score" in self.given:
            own = scored_column(self.table[self.given["score"][0]])
            return [replace(own, changes={})]
        free = [name for name in self.free if not self.known[name] - {"metric"}]
        places = {"dataset", "item", "fold", "run", "seed"}
        found = candidates(
            self.table,
            free,
            self._in_headers(),
            has_models=self.has_models(known=True),
            has_places=any(self.known[n] & places for n in self.varied)
            or bool(places & self.given.keys()),
            may_have_models=any(self._may_be_model(self.table[n]) for n in self.varied),
        )
        qualities = [s for s in found if s.group is None and s.direction and self._is_quality(s)]
        amounts = [
            s for s in found if s.group and meaning_of(s.group.metric) and is_cost(s.group.metric)
        ]
        if len(qualities) == 1 and all(s.group is None or s in amounts for s in found):
            return qualities
        return found

    def _is_quality(self, scored: Scored) -> bool:
        return not is_cost(scored.columns[0])

    def has_models(self, *, known: bool) -> bool:
        """Return whether a column, or the files, name classifiers. known : by its name."""
        if "classifier" in self.given or "classifier" in self.groups or FILE in self.table:
            return True
        return any("classifier" in self.known[name] for name in self.free) or not known

    def _in_headers(self) -> list[str]:
        """Return what columns side by side may be: classifiers, or data sets."""
        if self.has_models(known=True):
            return ["dataset"]
        heads = [name for name in self.varied if self.known[name]]
        if heads or "dataset" in self.given or self.given.keys() & {"fold", "item", "seed"}:
            return ["classifier"]
        texts = [name for name in self.varied if self._may_be_model(self.table[name])]
        return ["classifier", "dataset"] if texts else ["classifier"]

    # Readings

    def readings(self) -> list[Reading]:
        """Return all readings that are left, each with one choice for every part."""
        found: list[Reading] = []
        for scored in self.scores():
            if not (self.options.shares_nothing or "successes_col" in scored.changes):
                found += self._of(scored)
        return found

    def _of(self, scored: Scored) -> list[Reading]:
        """Return the readings with these scores."""
        for models in self.model_columns(scored):
            for stage in (_with_names, _with_some_names, _with_one_more, _with_two_more):
                found = [*self._at(stage, scored, models)]
                if found:
                    return found
        return []

    def _at(
        self, stage: "Stage", scored: Scored, models: Iterable[tuple[str, ...]]
    ) -> Iterator[Reading]:
        """Yield the readings of one stage of the search."""
        for own in models:
            for metric in self._metrics(scored):
                keys = _Keys(self, scored, own, metric)
                for reading in stage(keys):
                    whole = keys.unglued(reading)
                    if whole is not None:
                        yield whole

    def model_columns(self, scored: Scored) -> Iterator[list[tuple[str, ...]]]:
        """Yield sets of columns that may name the classifiers, those of one before those of two."""
        if "classifier" in scored.roles or "classifier" in self.groups:
            yield [()]
            return
        if "classifier" in self.given:
            yield [self.given["classifier"]]
            return
        varied = [name for name in self.varied if name not in scored.columns]
        known = [name for name in varied if "classifier" in self.known[name]]
        if FILE in self.table and not known:
            yield [(FILE,)]
            return
        are_named = bool(known)
        if not known:
            known = [name for name in varied if self._may_be_model(self.table[name])]
        if not known:  # numbered systems, if nothing else names any
            known = [name for name in varied if "classifier" in roles_of(name)]
        names = self.apart(known)
        singles: list[tuple[str, ...]] = [(name,) for name in names]
        pairs: list[tuple[str, ...]] = [
            (one, two) for i, one in enumerate(names) for two in names[i + 1 :]
        ]
        if are_named:
            yield [*singles, *pairs]
        else:
            yield singles
            yield pairs

    def apart(self, names: Sequence[str]) -> list[str]:
        """Return the columns that do not say again what one before says."""
        kept: list[str] = []
        for name in sorted(names, key=lambda name: self.table[name].is_number):
            twin = any(self.table.follows(name, [other]) for other in kept
                       if self.table.follows(other, [name]))  # fmt: skip
            if not twin:
                kept.append(name)
        return sorted(kept, key=names.index)

    def _may_be_model(self, column: FileColumn) -> bool:
        """Return whether a column of an unknown name may name classifiers."""
        if not column.is_name or self.known[column.name] or is_about(column.name):
            return False
        few = 2 <= len(column.distinct) <= max(MOST_CLASSIFIERS, self.table.rows // 3)
        return few and not are_splits(column) and "metric" not in roles_of(column.name)

    def _metrics(self, scored: Scored) -> list[Record]:
        """Return the choice of the rows of each metric, where a column names several."""
        name = self.metric_column(scored)
        if name is None:
            return [{}]
        where = self.options.where
        return [{"where": (*where, f"{name}={value}")} for value in self.table[name].distinct]

    def metric_column(self, scored: Scored) -> str | None:
        """Return the column that names several metrics of the scores; None if there is none."""
        if scored.group is None and scored.columns and plain(scored.columns[0]) in METRICS:
            return None
        for name in self.varied:
            column = self.table[name]
            are_metrics = column.is_name and all(map(meaning_of, column.distinct))
            is_metric = ("metric" in roles_of(name) or are_metrics) and name not in scored.columns
            values = {*map(plain, column.distinct)}
            is_task = plain(name) == "type" and METRICS.isdisjoint(values)
            if is_metric and not is_task and len(column.distinct) <= MOST_METRICS:
                return name
        return None


def _without_systems(roles: set[str], column: FileColumn) -> set[str]:
    """Return the roles of a column known for several: numbers are no systems, words no runs."""
    text = plain(core_of(column.name))
    if "classifier" in roles and len(roles) > 1 and column.is_whole:
        return roles - {"classifier"}
    if roles == {"run", "classifier"} and text in _RUN_IDS and not column.is_whole:
        return {"classifier"}
    return roles


def are_splits(column: FileColumn) -> bool:
    """Return whether a column says which part of the data a score is of, such as test."""
    parts = {*map(plain, column.distinct)}
    is_called = column.is_name and plain(core_of(column.name)) in OF_PARTS
    return parts <= SPLITS or (is_called and not parts.isdisjoint(SPLITS))


def are_dates_or_runs(column: FileColumn) -> bool:
    """Return whether names are dates, or most of them end in the number of a run, fold or seed."""
    numbered = sum(map(bool, map(_NUMBERED.fullmatch, column.distinct)))
    return column.is_date or 2 * numbered > len(column.distinct)


class _Keys:
    """What tells the rows of classifiers apart, for some scores, classifiers and a metric."""

    def __init__(
        self, search: Search, scored: Scored, models: tuple[str, ...], metric: Record
    ) -> None:
        table = search.table
        self.search = search
        self.table = table
        self.scored = scored
        self.models = models
        self.metric = metric
        given = {r: n for r, n in search.given.items() if r not in ("score", "classifier")}
        is_one_each = FILE in table and all(table.follows(n, [FILE]) for n in models)
        # files are data sets, unless each holds a classifier
        if FILE in table and models != (FILE,) and "dataset" not in given and not is_one_each:
            given["dataset"] = (FILE,)
        self.given = given
        self.in_names = scored.roles | search.groups
        used = {*scored.columns, *models, *(search.metric_column(scored),)}
        self.free = [name for name in search.varied if name not in used]
        self.known = self._known()
        self.rows = self._rows()

    def _known(self) -> list[str]:
        """Return the free columns with known names that are no mere property of another."""
        named = [name for name in self.free if search_roles(self.search, name)]
        if self.models:  # an ID of each row pairs nothing
            named = [n for n in named if len(self.table[n].distinct) < self.table.rows]
        kept = self.search.apart(named)
        if self.models:
            kept = [name for name in kept if not self.table.follows(name, self.models)]
        return [name for name in kept if not self._is_property(name, kept)]

    def _is_property(self, name: str, others: Sequence[str]) -> bool:
        """Return whether each value of a data set or item has one value of a column, such as of
        its language; clusters of items are meant to be so.
        """
        roles = search_roles(self.search, name)
        places = [n for n in others if search_roles(self.search, n) & {"dataset", "item"}]
        if "cluster" in roles:
            return False
        more = [
            names for role, names in self.given.items() if role in ("dataset", "item") and names
        ]
        keys = [(n,) for n in places if n != name] + more
        return any(
            self.table.follows(name, key) and self.table.count(key) > self.table.count([name])
            for key in keys
        )

    def _rows(self) -> BoolArray:
        """Return the (n,) rows that are looked at: of the metric, and of no sum."""
        rows = np.ones(self.table.rows, dtype=np.bool_)
        for condition in self.metric.get("where", ())[-1:]:
            name, _, value = condition.partition("=")
            rows &= np.array([cell == value for cell in self.table[name].cells], dtype=np.bool_)
        return rows

    def fill(self, roles: Roles) -> float:
        """Return the share of pairs of a classifier and a place that have a score; 0 for no means.

        Single answers, right or wrong, are none.
        """
        units = {*roles, *self.in_names} & {"dataset", "item", "fold", "run", "seed", "iteration"}
        if units == {"dataset"} and self.scored.is_binary:
            return 0.0
        fill = self.shared(roles)
        is_crossed = len(self.models) < 2 or fill > LEAST_FILLED  # as parts of names mostly are
        return fill if is_crossed else 0.0

    def shared(self, roles: Roles) -> float:
        """Return the share of pairs of a classifier and a place that have a score, or 0."""
        places = [n for role, names in roles.items() if role != "cluster" for n in names]
        units = {*roles, *self.in_names} & {"dataset", "item", "fold", "run", "seed", "iteration"}
        if not units or any(self._describes(name) for name in places):
            return 0.0
        rows = self.rows
        if "dataset" in roles:
            sums = np.zeros(self.table.rows, dtype=np.bool_)
            for name in roles["dataset"]:
                sums |= np.array([sums_up(cell) for cell in self.table[name].cells], dtype=np.bool_)
            rows = rows & ~sums
        counted = [n for role in ("item", "fold", "run", "seed") for n in roles.get(role, ())]
        datasets = roles.get("dataset", ())
        is_counted = counted and not self.in_names & {"item", "fold", "seed", "run"}
        few = bool(is_counted) and self.table.fewest(datasets, counted, rows) < FEWEST_FOLDS
        clusters = roles.get("cluster", ())
        few |= bool(clusters) and self.table.count(clusters) < FEWEST_FOLDS
        if few and self.table.is_whole:
            return 0.0
        return self.table.filled(self.models, [*dict.fromkeys(places)], rows)

    def is_said(self, role: str) -> bool:
        """Return whether an option names the columns of a role."""
        return role in self.search.options.columns

    def leaves_models(self, roles: Roles) -> bool:
        """Return whether another column is known for classifiers, too, or numbers are taken for
        them.
        """
        search = self.search
        used = {name for names in roles.values() for name in names} | {*self.models}
        known = [n for n in search.varied if "classifier" in search.known[n]]
        others = [n for n in known if len(self.table[n].distinct) < self.table.rows]
        numbered = [n for n in self.models if n in search.known and n not in known]
        return bool(self.models) and bool(numbered or {*others} - used)

    def _describes(self, name: str) -> bool:
        """Return whether a column is a mere property of classifiers, such as who made them."""
        varied = len(self.table[name].distinct) > 1
        return varied and bool(self.models) and self.table.follows(name, self.models)

    def reading(self, roles: Roles, rows: Record, *, by_names: bool, fill: float,
                models: tuple[str, ...] | None = None) -> Reading:  # fmt: skip
        """Return the reading with these roles and options."""
        who = self.models if models is None else models
        changes: Record = {}
        if who and who != (FILE,) and who != self.search.given.get("classifier"):
            changes = {"classifier_col": ",".join(who)}
        both = {**roles, "classifier": who} if who else roles
        return Reading(self.scored, changes, self.metric, rows, both, by_names, fill)

    def unglued(self, reading: Reading) -> Reading | None:
        """Return a reading with the option that takes cells apart; None if a part is left."""
        options = {**reading.rows, **reading.models}
        parts = {v: k.removesuffix("_col") for k, v in options.items() if "\0" in str(v)}
        if not parts:
            return reading
        columns = {name.partition("\0")[0] for name in parts if "," not in name}
        if len(columns) != 1 or len(parts) != 2 or "rho" in reading.rows:
            return None
        own = self.search.glued[columns.pop()]
        role = parts.get(own.name.name)
        unit = parts.get(own.number.name)
        if role is None or unit is None or (not own.between and (role, unit) != ("fold", "run")):
            return None
        rows = {k: v for k, v in reading.rows.items() if v not in parts}
        models = {k: v for k, v in reading.models.items() if v not in parts}
        rows["split"] = own.split(role, unit)
        roles = {
            r: tuple(n.partition("\0")[0] for n in names) for r, names in reading.roles.items()
        }
        return replace(reading, rows=rows, models=models, roles=roles, by_names=False)


def search_roles(search: Search, name: str) -> frozenset[str]:
    """Return the roles of a column by its name, but for that of classifiers and metrics."""
    return search.known.get(name, frozenset()) - {"classifier", "metric"}


def _assignments(
    keys: _Keys, names: Sequence[str], *, some: bool
) -> Iterator[dict[str, list[str]]]:
    """Yield the roles of columns by their known names. some : may be left out, or joined."""
    choices = []
    for name in names:
        possible = sorted(search_roles(keys.search, name))
        choices.append([*possible, ""] if some else possible)
    if np.prod([float(len(own)) for own in choices]) > 3000:
        return
    for choice in product(*choices):
        roles: dict[str, list[str]] = {role: [*own] for role, own in keys.given.items()}
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


def _with_names(keys: _Keys) -> Iterator[Reading]:
    """Yield the readings that give every column of a known name a role of its own."""
    found = [_without_lone(keys, roles) for roles in _assignments(keys, keys.known, some=False)]
    told_apart = [roles for roles in found if keys.shared(_frozen(roles)) > LEAST_SHARED]
    for fixed in told_apart:
        fill = keys.fill(_frozen(fixed))
        if fill > LEAST_SHARED:
            by_names = len(told_apart) == 1 and len(keys.models) < 2
            by_names &= not keys.leaves_models(_frozen(fixed))
            yield from _expanded(keys, fixed, by_names=by_names, fill=fill)
            yield from _as_datasets(keys, fixed, fill)


def _as_datasets(keys: _Keys, roles: Mapping[str, Sequence[str]], fill: float) -> Iterator[Reading]:
    """Yield the reading of a few items as data sets."""
    items = roles.get("item", ())
    few = len(items) == 1 and len(keys.table[items[0]].distinct) < FEW_ITEMS
    few_runs = [n for n in roles.get("run", ()) if len(keys.table[n].distinct) < FEWEST_FOLDS]
    if not few or few_runs or keys.is_said("item") or {"dataset"} & {*roles, *keys.in_names}:
        return
    rest = {role: names for role, names in roles.items() if role not in ("item", "cluster")}
    yield from _expanded(keys, {**rest, "dataset": items}, by_names=False, fill=fill)


def _with_some_names(keys: _Keys) -> Iterator[Reading]:
    """Yield the readings that use as many columns of known names as tell rows apart."""
    found: list[tuple[dict[str, list[str]], float]] = []
    for roles in _assignments(keys, keys.known, some=True):
        fixed = _without_lone(keys, roles)
        fill = keys.fill(_frozen(fixed))
        if fill > LEAST_SHARED:
            found.append((fixed, fill))
    sizes = [{n for names in roles.values() for n in names} for roles, _ in found]
    for (roles, fill), own in zip(found, sizes, strict=True):
        if not any(own < other for other in sizes):
            yield from _expanded(keys, roles, by_names=False, fill=fill)


def _with_one_more(keys: _Keys) -> Iterator[Reading]:
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


def _with_two_more(keys: _Keys) -> Iterator[Reading]:
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


def _without_lone(keys: _Keys, roles: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return roles without a run or fold that each classifier has once on a data set or item."""
    kept = {role: [*names] for role, names in roles.items()}
    for role in ("run", "fold"):
        others = [n for r in ("dataset", "item") for n in kept.get(r, ())]
        own = kept.get(role)
        is_free = own and role not in keys.given and others
        if own and is_free and keys.table.follows(own[0], [*keys.models, *others]):
            del kept[role]
    return kept


def _extra(keys: _Keys) -> list[str]:
    """Return the columns of unknown names that may tell rows apart."""
    found = []
    for name in keys.free:
        column = keys.table[name]
        known = search_roles(keys.search, name)
        is_score = name in keys.scored.columns or (
            column.is_fractional and len(column.distinct) > MOST_SETTINGS
        )
        follows = keys.models and keys.table.follows(name, keys.models)
        is_index = not name and column.is_whole  # of the rows of a frame
        other = is_index or column.is_date or (keys.search.known[name] and not known) or follows
        if not (known or is_score or other or is_summary(name)):
            found.append(name)
    return found[:MOST_EXTRA]


def _added(keys: _Keys, roles: dict[str, list[str]], name: str) -> Iterator[Reading]:
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


def _as_dataset(keys: _Keys, roles: Added, column: FileColumn) -> Iterator[Added]:
    """Yield roles with a column as the data sets, or as a part of their names."""
    if "dataset" in keys.in_names or not may_name(column):
        return
    if "dataset" not in roles:
        yield {**roles, "dataset": [column.name]}
    elif not keys.is_said("dataset"):
        yield {**roles, "dataset": [*roles["dataset"], column.name]}


def _as_unit(keys: _Keys, roles: Added, column: FileColumn) -> Iterator[Added]:
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


def _chosen(keys: _Keys, roles: dict[str, list[str]], column: FileColumn) -> Iterator[Reading]:
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


def _vary(keys: _Keys, rows: BoolArray) -> bool:
    """Return whether the scores of some rows differ."""
    cells = (keys.table[name].codes[rows] for name in keys.scored.columns)
    return len(np.unique(np.concatenate([*cells]))) > 1


def _by_row_numbers(keys: _Keys) -> Iterator[Reading]:
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


def _named(keys: _Keys, roles: Roles) -> Record:
    """Return the options that name the columns of data sets, items, runs, folds and clusters."""
    changes: Record = {}
    there = {*roles, *keys.in_names}
    for role, names in roles.items():
        if role == "classifier" or names == (FILE,) or not names:
            continue
        own = role
        if role == "run" and "item" in there:
            own = "epoch"
        elif role == "run" and "fold" not in there:
            own = "seed"
        if names != keys.search.given.get(role) or own != role:
            by_itself = own in KEYS and (own,) == tuple(name.casefold() for name in names)
            if not by_itself:
                changes[f"{own}_col"] = ",".join(names)
    return changes


def _expanded(
    keys: _Keys,
    roles: Mapping[str, Sequence[str]],
    *,
    by_names: bool,
    fill: float,
    models: tuple[str, ...] | None = None,
    where: Record | None = None,
) -> Iterator[Reading]:
    """Yield the readings of what the rows count: folds, seeds, or splits drawn anew."""
    frozen = _frozen(roles)
    sure = {role: own for role, own in frozen.items() if role not in ("fold", "run", "count")}
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
        own = {**sure, column_role: (name,)}
        yield keys.reading(
            own, changes, by_names=by_names and len(options) == 1, fill=fill, models=models
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


def _as_means(keys: _Keys, roles: Roles) -> Record:
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
Stage = Callable[[_Keys], Iterator[Reading]]
