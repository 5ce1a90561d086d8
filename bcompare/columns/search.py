"""What the columns of a file may be, by options, names and kinds.

Kinds rule out, they never rank.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bcompare.basis.messages import Record
from bcompare.columns.counts import counts_in, scored_counts
from bcompare.columns.direction import meaning_of
from bcompare.columns.features import FILE, ColumnTable, FileColumn
from bcompare.columns.glued import glued
from bcompare.columns.roles import are_splits
from bcompare.columns.scored import MOST_FOLDS, Scored, candidates, is_cost, scored_column
from bcompare.columns.vocabulary import (
    METRICS,
    TRAINING,
    core_of,
    is_about,
    plain,
    roles_of,
    words_of,
)
from bcompare.files.options import KEYS, ROW_NUMBERS, ReadOptions, parts_of

MOST_METRICS = 12
MOST_CLASSIFIERS = 30
# Words of columns that number splits of the data.
OF_SPLITS = {"fold", "folds", "split", "splits", "resample", "cv", "partition", "kfold"}
_NUMBERED = re.compile(r".*(?:seed|run|fold|rep|trial|cv|split|resample)[-_ ]?\d+", re.IGNORECASE)
_FOLD = re.compile(r"(?:fold|cv)[-_ ]?\d+", re.IGNORECASE)
_RUN_IDS = {"run", "runid", "experiment", "trial"}


class Search:
    """What is looked for in one table: the roles that its columns may have.

    options : of the user, whose columns keep their roles.
    """

    def __init__(self, table: ColumnTable, options: ReadOptions) -> None:
        self.options = options
        self.glued = {
            column.column: column for column in map(glued, table.columns.values()) if column
        }
        if options.split or any(name in options.columns.values() for name in self.glued):
            self.glued = {}
        parts = [part for column in self.glued.values() for part in (column.name, column.number)]
        self.table = table.with_parts(parts)
        self.groups = frozenset(
            group for column in options.expressions.values() for group in column.groupindex
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
            columns = given.get(role)
            if columns and role not in named and self._is_open(self.table[columns[0]]):
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
        glued_column = self.glued[whole]
        if is_number:
            return frozenset({glued_column.unit})
        if not glued_column.between:
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
            column = scored_column(self.table[self.given["score"][0]])
            return [replace(column, changes={})]
        free = [name for name in self.free if not self.known[name] - {"metric"}]
        places = {"dataset", "item", "fold", "run", "seed"}
        has_known_place = any(self.known[name] & places for name in self.varied)
        may_have_models = any(self._may_be_model(self.table[name]) for name in self.varied)
        possible = candidates(
            self.table,
            free,
            self._in_headers(),
            has_models=self.has_models(known=True),
            has_places=has_known_place or bool(places & self.given.keys()),
            may_have_models=may_have_models,
        )
        alone = [scored for scored in possible if scored.group is None]
        qualities = [scored for scored in alone if scored.direction and self._is_quality(scored)]
        metrics = [scored.group.metric for scored in possible if scored.group is not None]
        are_amounts = all(meaning_of(metric) and is_cost(metric) for metric in metrics)
        if len(qualities) == 1 and are_amounts:
            return qualities
        return possible

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

    def metrics(self, scored: Scored) -> list[Record]:
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
            is_task = plain(name) == "type" and METRICS.isdisjoint(map(plain, column.distinct))
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


def are_dates_or_runs(column: FileColumn) -> bool:
    """Return whether names are dates, or most of them end in the number of a run, fold or seed."""
    numbered = sum(map(bool, map(_NUMBERED.fullmatch, column.distinct)))
    return column.is_date or 2 * numbered > len(column.distinct)
