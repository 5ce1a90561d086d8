"""The columns in a sample of the rows: what is known of them, and which roles they may have."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, permutations

from bcompare.advice.features import Column, Numbered, find_numbered, literal
from bcompare.basis.messages import Record, nearest
from bcompare.data.vocabulary import (
    FOLD_AND_RUN,
    FOLD_OF_RUN,
    TASKS,
    TRAINING,
    USUAL_FOLDS,
    is_about,
    is_counter,
    likeness,
    plain,
    roles_of,
    usual_name,
)
from bcompare.files.options import KEYS, ReadOptions, parts_of
from bcompare.files.presets import MEANS

MOST_OF_A_ROLE = 3
MOST_COUNTED = 20
# The most values of a setting, such as the horizon of a forecast.
MOST_SETTINGS = 8
_FOLD = re.compile(r"(?:fold|cv)[-_ ]?\d+", re.IGNORECASE)
_SEED = re.compile(r"(?:seed|run|rep|trial)[-_ ]?\d+", re.IGNORECASE)
_GLUED = re.compile(
    r".+?([-_. /:]*[-_. /:])(fold|cv|split|seed|run|rep|trial|resample)[-_ ]?\d+", re.IGNORECASE
)


@dataclass(frozen=True)
class Candidate:
    """Changes of the options of reading, and how likely they are meant.

    columns : those that get a role by them, in the sample.
    """

    changes: Record
    likelihood: float
    columns: tuple[str, ...] = ()

    def __add__(self, other: "Candidate") -> "Candidate":
        """Return the candidate with the changes of both."""
        return Candidate(
            self.changes | other.changes,
            self.likelihood + other.likelihood,
            self.columns + other.columns,
        )

    def likelier(self, by: float) -> "Candidate":
        """Return the candidate with more likelihood, or less."""
        return replace(self, likelihood=self.likelihood + by)


class Sample:
    """The columns in a sample of the rows, those with a role, and the roles that others may have.

    columns : by name. given, wanted : role → the column that has it, or is said to and is not
    there. reset : options of the user that fit nothing.
    """

    def __init__(self, columns: Sequence[Column], options: ReadOptions, several: bool) -> None:
        self.columns = {column.name: column for column in columns}
        self.header, self.several = [*self.columns], several
        patterns, split_column = options.expressions, options.split_parts[0]
        named = options.columns
        self.wanted = {
            role: name
            for role, name in named.items()
            if not self.columns.keys() >= {*self.parts_of(role, name)}
        }
        self.reset: Record = {f"{role}_col": None for role in self.wanted}
        if "wide" in patterns and not any(map(patterns["wide"].fullmatch, self.header)):
            self.reset["wide"] = None
        if "split" in patterns and split_column not in self.columns:
            self.reset["split"] = None
        self.options = replace(options, **self.reset)
        self.groups = {group for own in self.options.expressions.values() for group in own.groups}
        canonical = {name.casefold(): name for name in reversed(self.header)}
        self.given = {
            role: canonical[role]
            for role in (*KEYS, "score")
            if role in canonical and role not in self.groups
        } | {role: name for role, name in named.items() if role not in self.wanted}
        self.used = {*chain(*map(self.with_role, self.given))}
        self.used |= {condition.column for condition in options.conditions}
        self.used |= {*filter(None, self.options.split_parts[:1])}

    def parts_of(self, role: str, name: str) -> list[str]:
        """Return the columns that an option names for a role."""
        return parts_of(role, name, self.columns)

    @property
    def has_scores(self) -> bool:
        """Whether the columns of scores are known."""
        return "score" in self.given or self.options.wide is not None

    @cached_property
    def free(self) -> list[Column]:
        """The columns without a role."""
        return [column for name, column in self.columns.items() if name not in self.used]

    @cached_property
    def numbered(self) -> Numbered | None:
        """The columns whose names differ in a running number."""
        named = any(likeness("classifier", column.name) for column in self.free)
        numbers = [c.name for c in self.free if c.is_number or c.name.isdecimal()]
        return find_numbered(numbers, named=named or self.knows("classifier"))

    def knows(self, role: str) -> bool:
        """Return whether a column or an expression gives a role."""
        return role in self.given or role in self.groups

    def near(self, role: str, name: str) -> float:
        """Return how much a column's name is like the one that the user gave a role."""
        return 3.0 * (role in self.wanted and [name] == nearest(self.wanted[role], self.columns))

    def has(self, data: Candidate) -> bool:
        """Return whether rows have data sets, by these columns or others."""
        return bool(data.columns) or self.knows("dataset")

    def with_role(self, role: str, changes: Record | None = None) -> list[str]:
        """Return the columns that have a role, by changes of the options or already."""
        name = (changes or {}).get(f"{role}_col", self.given.get(role))
        return [] if name is None else self.parts_of(role, str(name))

    def known_keys(self) -> list[str]:
        """Return the columns of keys that are known."""
        known = [self.with_role(role) for role in self.given if role not in ("score", "cluster")]
        return [*chain(*known), *filter(None, self.options.split_parts[:1])]

    def is_key(self, key: Sequence[str]) -> bool:
        """Return whether columns tell all rows apart."""
        cells = [self.columns[name].cells for name in dict.fromkeys(key)]
        return len({*zip(*cells, strict=True)}) == len(cells[0]) if cells else False

    def filled(self, classifier: Sequence[str], key: Iterable[str], rows: Sequence[int]) -> float:
        """Return the share of all pairs of a classifier and a place that have a row.

        0 if two rows have the same, or no two classifiers a place in common.
        classifier, key : the columns that name them.
        """

        def cells(names: Iterable[str]) -> list[tuple[str, ...]]:
            chosen = [self.columns[name].cells for name in names]
            return [tuple(own[i] for own in chosen) for i in rows]

        who, where = cells(classifier), cells(name for name in key if name not in classifier)
        people, places = len({*who}), len({*where})
        unique = len({*zip(who, where, strict=True)}) == len(rows)
        paired = unique and not (people > 1 and places == len(rows))
        return len(rows) / (people * places) if paired and rows else 0.0

    def markers(self, columns: Iterable[Column]) -> Record:
        """Return the option for the missing numbers in columns of scores."""
        known = {*self.options.na_values, *([] if self.options.failed is None else [""])}
        found = dict.fromkeys(marker for column in columns for marker in column.markers)
        new = [marker for marker in found if marker not in known]
        return {"na_values": (*self.options.na_values, *new)} if new else {}

    def names(self, role: str, *, of_answers: bool, joined: bool = False) -> list[Candidate]:
        """Return the columns that may name classifiers, or data sets.

        of_answers : whether scores are of single answers. joined : whether two columns name one.
        """
        given = Candidate({}, 4.0, (self.given[role],) if joined and role in self.given else ())
        found = [given] if self.knows(role) else self._named(role, of_answers)
        if found == [given] and not given.columns:
            return found
        named = bool(found) and found[0].likelihood >= 2
        if joined:
            # the settings of classifiers have names, those of data sets numbers, such as horizons
            more = [part for part in found[:4] if part.columns]
            if role == "dataset":
                more = [Candidate({}, 1.0, (c.name,)) for c in self.free if self._is_setting(c)]
            found = [
                Candidate(
                    {f"{role}_col": f"{one.columns[0]},{other.columns[0]}"},
                    (one.likelihood + other.likelihood) / 2 - 0.5,
                    one.columns + other.columns,
                )
                for i, one in enumerate(found[:2])
                for other in more
                if one.columns and other not in found[: i + 1]
            ]
        anonymous = Candidate({}, -1.0 if named else 1.2)
        return [*found[:MOST_OF_A_ROLE], *[anonymous] * (role == "dataset" or self.several)]

    def _named(self, role: str, of_answers: bool) -> list[Candidate]:
        """Return the columns without a role that may have this one, the likeliest first."""
        found = []
        for column in self.free:
            value = column.as_names_of(role)
            if value and (role != "classifier" or len(column.distinct) > 1 or self.several):
                value += self.near(role, column.name)
                value -= 3.0 * (role == "dataset" and of_answers and plain(column.name) in TASKS)
                found.append(Candidate({f"{role}_col": column.name}, value, (column.name,)))
            found += self._glued(role, column)
        return sorted(found, key=lambda part: -part.likelihood)

    def _is_setting(self, column: Column) -> bool:
        """Return whether a column holds a few numbers that count nothing."""
        few = 1 < len(column.distinct) <= MOST_SETTINGS
        return few and column.is_whole and not roles_of(column.name)

    def _glued(self, role: str, column: Column) -> list[Candidate]:
        """Return the reading of cells that are names with the number of a fold or seed."""
        matches = [*map(_GLUED.fullmatch, column.distinct)]
        ends = {(found[1], found[2]) for found in matches if found}
        enough = None not in matches and len(matches) >= 4 and len(ends) == 1
        if self.options.split or not enough or all(map(FOLD_OF_RUN.fullmatch, column.distinct)):
            return []
        ((mark, word),) = ends
        unit = "seed" if word.casefold() in ("seed", "run", "rep", "trial") else "fold"
        named = f"(?P<{role}>.+){literal(mark + word)}[-_ ]?(?P<{unit}>\\d+)"
        likelihood = 2.5 + 0.5 * likeness(role, column.name)
        changes = {"split": f"{column.name}={named}"}
        return [Candidate(changes, likelihood, (column.name,))]

    def repetitions(
        self, taken: set[str], *, has_dataset: bool, of_answers: bool
    ) -> Iterator[Candidate]:
        """Yield what may tell the scores of a classifier on a data set apart.

        taken : columns with another role. of_answers : whether scores are of single answers.
        """
        own = next((r for r in ("item", "seed", "iteration", "fold") if self.knows(r)), None)
        free = [column for column in self.free if column.name not in taken]
        if own is not None:
            yield from self._further(own, free)
            return
        free += [self.columns[self.given["run"]]] if "run" in self.given else []
        for column in free:
            yield from self._of(column, [c for c in free if c is not column], of_answers)
        if has_dataset:
            names = [column.name for column in free]
            counts = usual_name("item", names) or usual_name("fold", names)
            changes: Record = {}
            if counts or any(map(is_counter, names)):  # else these would be missed
                changes = {"preset": MEANS, "dataset_col": self.given.get("dataset")}
            yield Candidate({k: v for k, v in changes.items() if v}, 1.3)
        yield from self._in_clusters(free)

    def _further(self, own: str, free: Sequence[Column]) -> Iterator[Candidate]:
        """Yield what may tell rows apart next to a known role: folds in runs, runs, or epochs."""
        if own == "iteration" and self.options.folds is None:
            count = len(self.columns[self.given[own]].distinct) if own in self.given else 10
            yield from (Candidate({"folds": folds}, 4.0) for folds in likely_folds(count))
            return
        yield Candidate({}, 4.0)
        for name in (column.name for column in free):
            if own == "fold" and not self.knows("run") and self._may_number("run", name):
                yield Candidate({"run_col": name}, 4.2, (name,))
            is_epoch = likeness("epoch", name) or is_counter(name)
            if own == "item" and not self.knows("epoch") and is_epoch:
                yield Candidate({"epoch_col": name}, 3.8, (name,))

    def _in_clusters(self, free: Sequence[Column]) -> Iterator[Candidate]:
        """Yield test items that a cluster, such as a subject, and a number or name in it tell."""
        for cluster, part in permutations(free, 2):
            names = (cluster.name, part.name)
            is_few = 1 < len(part.distinct) <= MOST_SETTINGS and not roles_of(part.name)
            if likeness("cluster", cluster.name) and is_few and not self.is_key(names[:1]):
                both = {"item_col": ",".join(names), "cluster_col": cluster.name}
                yield Candidate(both, 1.5, names)

    def _of(
        self, column: Column, others: Sequence[Column], of_answers: bool
    ) -> Iterator[Candidate]:
        """Yield the readings of one column as folds, seeds or test items."""
        name = column.name
        if not name or len(column.distinct) == 1 or column.is_date:
            return
        if all(map(FOLD_OF_RUN.fullmatch, column.distinct)):
            yield Candidate({"split": f"{name}={FOLD_AND_RUN}"}, 3.5, (name,))
            return
        fold = likeness("fold", name) or 2.5 * all(map(_FOLD.fullmatch, column.distinct))
        fold += self.near("fold", name)
        words_only = not any(map(str.isdigit, "".join(column.distinct)))
        item = self._as_items(column, of_answers) if not fold else 0.0
        anew = {"fold_col": name, "rho": 0.1}
        units: list[tuple[Record, float]] = []
        if fold and not (words_only and len(column.distinct) <= 3):
            units = [({"fold_col": name}, fold + 0.2), (anew, fold - 1.5)]
        elif not of_answers and _counts(column):
            fold = 2.0
            units = [({"fold_col": name}, fold), (anew, 0.5)]
        elif is_counter(name) or all(map(_SEED.fullmatch, column.distinct)):
            is_seed = "seed" in f"{name} {column.distinct[0]}".casefold()
            usual = len(column.distinct) in USUAL_FOLDS
            as_folds = [({"fold_col": name}, 1.8 + 0.3 * usual)] * (not is_seed)
            units = [({"seed_col": name}, 2.6 + 0.3 * is_seed), *as_folds, (anew, 1.9)]
        for run in self._numbering("run", column, others) if units and fold else ():
            both, order = {"fold_col": name, "run_col": run.name}, [*self.columns]
            is_inner = order.index(run.name) > order.index(name)  # runs mostly stand before folds
            yield Candidate(both, fold + 0.5 - 0.1 * is_inner, (name, run.name))
        yield from (Candidate(changes, likelihood, (name,)) for changes, likelihood in units)
        if item:
            yield Candidate({"item_col": name}, item, (name,))
        for epoch in (
            self._numbering("epoch", column, others) if item and not is_counter(name) else ()
        ):
            both = {"item_col": name, "epoch_col": epoch.name}
            yield Candidate(both, item - 0.1, (name, epoch.name))

    def _numbering(self, role: str, column: Column, others: Sequence[Column]) -> list[Column]:
        """Return the columns that may number the runs of folds, or the epochs of items."""
        if plain(column.name) == "id2" and role == "run":  # of tidymodels, with its runs in id
            return [other for other in others if plain(other.name) == "id"]
        return [o for o in others if self._may_number(role, o.name) and len(o.distinct) > 1]

    def _may_number(self, role: str, name: str) -> bool:
        """Return whether a column numbers runs, or epochs, by its name.

        Runs also by its values, which count from 0 or 1: data sets with numbers would be more data.
        """
        return likeness(role, name) > 0 or (role == "run" and _counts(self.columns[name]))

    def _as_items(self, column: Column, of_answers: bool) -> float:
        """Return how likely a column names test items."""
        name = column.name
        if plain(name) in TRAINING or column.is_fractional:
            return 0.0
        if is_counter(name) or (of_answers and plain(name) in TASKS):
            return 1.2 if is_counter(name) else 3.2
        known = likeness("item", name) or 0.8 * likeness("key", name)
        others = any(likeness(role, name) for role in ("dataset", "classifier", "metric"))
        others = others or column.as_score() > 1 or is_about(name) or self._is_setting(column)
        many = not column.is_number and len(column.distinct) > 10
        return known if known or others else 0.3 + (0.9 if of_answers else 0.2) * many


def _counts(column: Column) -> bool:
    """Return whether a column of unknown name counts from 0 or 1, to 20 at most; no flag does."""
    if not 1 < len(column.distinct) <= MOST_COUNTED or not column.is_whole or roles_of(column.name):
        return False
    values, count = {*column.numbers.tolist()}, len(column.distinct)
    return values == {*range(1, count + 1)} or (count > 2 and values == {*range(count)})


def likely_folds(count: int) -> list[int]:
    """Return how many folds a run may have of this many iterations, the likelier first."""
    return [*(k for k in (10, 5) if count > 10 and count % k == 0), count]
