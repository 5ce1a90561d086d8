"""The columns in a sample of the rows: what is known of them, and which roles they may have."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from bcompare.advice.features import Column, Numbered, find_numbered, literal
from bcompare.basis.errors import nearest
from bcompare.basis.records import Record
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
from bcompare.files.options import KEYS, ROLES, Pattern, ReadOptions, parts_of
from bcompare.files.presets import MEANS

MOST_OF_A_ROLE = 3
MOST_SETTINGS = 8
"""The most values of a setting, such as the horizon of a forecast."""
_FOLD = re.compile(r"(?:fold|cv)[-_ ]?\d+", re.IGNORECASE)
_SEED = re.compile(r"(?:seed|run|rep|trial)[-_ ]?\d+", re.IGNORECASE)
_GLUED = re.compile(
    r".+?([-_. /:]*[-_. /:])(fold|cv|split|seed|run|rep|trial|resample)[-_ ]?\d+", re.IGNORECASE
)


@dataclass(frozen=True)
class Candidate:
    """Changes of the options of reading, and how likely they are meant.

    columns : those that get a role by them, in the sample. counts : whether they number the folds
    or seeds, too.
    """

    changes: Record
    likelihood: float
    columns: tuple[str, ...] = ()
    counts: bool = False

    def __add__(self, other: "Candidate") -> "Candidate":
        """Return the candidate with the changes of both."""
        return Candidate(
            self.changes | other.changes,
            self.likelihood + other.likelihood,
            self.columns + other.columns,
            self.counts or other.counts,
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
        self.first = columns[0].name if columns else ""
        self.header = [column.name for column in columns]
        self.reset: Record = {}
        if options.wide is not None and not any(
            map(Pattern(options.wide, "wide").fullmatch, self.header)
        ):
            self.reset["wide"] = None
        if options.split is not None and options.split_parts[0] not in self.header:
            self.reset["split"] = None
        self.wanted: dict[str, str] = {}
        self.given: dict[str, str] = {}
        for role in ROLES:
            name = getattr(options, f"{role}_col")
            if name is not None and not all(p in self.columns for p in self.parts_of(role, name)):
                self.wanted[role] = name
                self.reset[f"{role}_col"] = None
        self.options, self.several = replace(options, **self.reset), several
        column, expression = self.options.split_parts
        self.groups = _groups(self.options.wide) | _groups(expression)
        for role in ROLES:
            name = getattr(self.options, f"{role}_col")
            if name is not None:
                self.given[role] = name
            elif role in (*KEYS, "score") and role not in self.groups:
                own = [column for column in self.columns if column.casefold() == role]
                self.given |= {role: own[0]} if own else {}
        self.used = {p for role, name in self.given.items() for p in self.parts_of(role, name)}
        self.used |= {condition.column for condition in options.conditions}
        self.used |= {column} if column else set()

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

    def known_keys(self) -> list[str]:
        """Return the columns of keys that are known."""
        roles = ("dataset", "run", "fold", "classifier", "iteration", "item", "epoch", "seed")
        known = [
            p for role in roles if role in self.given for p in self.parts_of(role, self.given[role])
        ]
        return [*known, *filter(None, self.options.split_parts[:1])]

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
        options = self.options
        found = dict.fromkeys(marker for column in columns for marker in column.markers)
        new = [marker for marker in found if marker not in options.na_values]
        if options.failed is not None:
            new = [marker for marker in new if marker]
        return {"na_values": (*options.na_values, *new)} if new else {}

    def names(self, role: str, *, of_answers: bool, joined: bool = False) -> list[Candidate]:
        """Return the columns that may name classifiers, or data sets.

        of_answers : whether scores are of single answers. joined : whether two columns name one.
        """
        if self.knows(role) and not (joined and role in self.given):
            return [Candidate({}, 4.0)]
        found = []
        if role in self.given:
            found.append(Candidate({}, 4.0, (self.given[role],)))
        for column in self.free if not found else ():
            value = column.as_names_of(role)
            lone = role == "classifier" and len(column.distinct) < 2 and not self.several
            if value and not lone:
                likelihood = value + self.near(role, column.name)
                if role == "dataset" and of_answers and plain(column.name) in TASKS:
                    likelihood -= 3.0
                found.append(Candidate({f"{role}_col": column.name}, likelihood, (column.name,)))
            found += [*self._glued(role, column)]
        found = sorted(found, key=lambda part: -part.likelihood)
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
        best = found[:MOST_OF_A_ROLE]
        if role == "dataset" or self.several:
            best.append(Candidate({}, -1.0 if named else 1.2))
        return best

    def _is_setting(self, column: Column) -> bool:
        """Return whether a column holds a few numbers that count nothing."""
        few = 1 < len(column.distinct) <= MOST_SETTINGS
        return few and column.is_whole and not roles_of(column.name)

    def _glued(self, role: str, column: Column) -> Iterator[Candidate]:
        """Yield a column whose cells are names with the number of a fold or seed."""
        matches = [*map(_GLUED.fullmatch, column.distinct)]
        if all(map(FOLD_OF_RUN.fullmatch, column.distinct)):
            return
        words = {found[2].casefold() for found in matches if found}
        between = {(found[1], found[2]) for found in matches if found}
        if self.options.split or None in matches or len(words) != 1 or len(column.distinct) < 4:
            return
        ((mark, word),) = between if len(between) == 1 else {("", "")}
        unit = "seed" if word.casefold() in ("seed", "run", "rep", "trial") else "fold"
        if word:
            named = f"(?P<{role}>.+){literal(mark + word)}[-_ ]?(?P<{unit}>\\d+)"
            likelihood = 2.5 + 0.5 * likeness(role, column.name)
            yield Candidate(
                {"split": f"{column.name}={named}"}, likelihood, (column.name,), counts=True
            )

    def repetitions(
        self, taken: set[str], *, has_dataset: bool, of_answers: bool
    ) -> Iterator[Candidate]:
        """Yield what may tell the scores of a classifier on a data set apart.

        taken : columns with another role. of_answers : whether scores are of single answers.
        """
        own = next((r for r in ("item", "seed", "iteration", "fold") if self.knows(r)), None)
        free = [column for column in self.free if column.name not in taken]
        runs = [c for c in free if likeness("run", c.name)] if not self.knows("run") else []
        if own == "iteration" and self.options.folds is None:
            count = len(self.columns[self.given[own]].distinct) if own in self.given else 10
            for folds in likely_folds(count):
                yield Candidate({"folds": folds}, 4.0)
            return
        if own is not None:
            yield Candidate({}, 4.0)
            for run in runs if own == "fold" else ():
                yield Candidate({"run_col": run.name}, 4.2, (run.name,))
            if own == "item" and not self.knows("epoch"):
                yield from (
                    Candidate({"epoch_col": c.name}, 3.8, (c.name,))
                    for c in free
                    if likeness("epoch", c.name) or is_counter(c.name)
                )
            return
        if self.knows("run"):
            free = [*free, self.columns[self.given["run"]]] if "run" in self.given else free
        for column in free:
            yield from self._of(column, [c for c in [*runs, *free] if c is not column], of_answers)
        if has_dataset:
            names = [column.name for column in free]
            counts = usual_name("item", names) or usual_name("fold", names)
            changes: Record = {}
            if counts or any(map(is_counter, names)):  # else these would be missed
                changes = {"preset": MEANS, "dataset_col": self.given.get("dataset")}
            yield Candidate({k: v for k, v in changes.items() if v}, 1.3)
        yield from self._in_clusters(free)

    def _in_clusters(self, free: Sequence[Column]) -> Iterator[Candidate]:
        """Yield test items that a cluster, such as a subject, and a number or name in it tell."""
        for cluster, part in product(free, free):
            if part is cluster or not likeness("cluster", cluster.name):
                continue
            if not roles_of(part.name):
                names = (cluster.name, part.name)
                both = {"item_col": ",".join(names), "cluster_col": cluster.name}
                if 1 < len(part.distinct) <= MOST_SETTINGS and not self.is_key(names[:1]):
                    yield Candidate(both, 1.5, names)

    def _of(
        self, column: Column, others: Sequence[Column], of_answers: bool
    ) -> Iterator[Candidate]:
        """Yield the readings of one column as folds, seeds or test items."""
        name = column.name
        if len(column.distinct) == 1 or column.is_date:
            return
        if all(map(FOLD_OF_RUN.fullmatch, column.distinct)):
            yield Candidate({"split": f"{name}={FOLD_AND_RUN}"}, 3.5, (name,))
            return
        fold = likeness("fold", name) or 2.5 * all(map(_FOLD.fullmatch, column.distinct))
        fold += self.near("fold", name)
        words_only = not any(map(str.isdigit, "".join(column.distinct)))
        if fold and not (words_only and len(column.distinct) <= 3):
            yield from self._folds(column, others, fold)
        elif is_counter(name) or all(map(_SEED.fullmatch, column.distinct)):
            is_seed = "seed" in f"{name} {column.distinct[0]}".casefold()
            yield Candidate({"seed_col": name}, 2.6 + 0.3 * is_seed, (name,))
            if not is_seed:
                usual = len(column.distinct) in USUAL_FOLDS
                yield Candidate({"fold_col": name}, 1.8 + 0.3 * usual, (name,))
            yield Candidate({"fold_col": name, "rho": 0.1}, 1.9, (name,))
        item = self._as_items(column, of_answers) if not fold else 0.0
        if item:
            yield Candidate({"item_col": name}, item, (name,))
            for epoch in others if not is_counter(name) else ():
                if likeness("epoch", epoch.name) and len(epoch.distinct) > 1:
                    both = {"item_col": name, "epoch_col": epoch.name}
                    yield Candidate(both, item - 0.1, (name, epoch.name))

    def _folds(
        self, column: Column, others: Sequence[Column], likelihood: float
    ) -> Iterator[Candidate]:
        """Yield the readings of a column of folds, of one run or several."""
        name = column.name
        runs = [c for c in others if likeness("run", c.name) and len(c.distinct) > 1]
        if plain(name) == "id2":  # of tidymodels, whose runs are in the column id
            runs = [c for c in others if plain(c.name) == "id"]
        for run in runs:
            both = {"fold_col": name, "run_col": run.name}
            yield Candidate(both, likelihood + 0.5, (name, run.name))
        yield Candidate({"fold_col": name}, likelihood + 0.2, (name,))
        yield Candidate({"fold_col": name, "rho": 0.1}, likelihood - 1.5, (name,))

    def _as_items(self, column: Column, of_answers: bool) -> float:
        """Return how likely a column names test items."""
        name = column.name
        if plain(name) in TRAINING or column.is_fractional:
            return 0.0
        if is_counter(name):
            return 1.2
        if of_answers and plain(name) in TASKS:
            return 3.2
        known = likeness("item", name) or 0.8 * likeness("key", name)
        if any(likeness(role, name) for role in ("dataset", "classifier", "metric")):
            return known
        if known or column.as_score() > 1 or is_about(name) or self._is_setting(column):
            return known
        many = not column.is_number and len(column.distinct) > 10
        return 0.3 + (0.9 if of_answers else 0.2) * many


def likely_folds(count: int) -> list[int]:
    """Return how many folds a run may have of this many iterations, the likelier first."""
    return [10, count] if count > 10 and count % 10 == 0 else [count]


def _groups(expression: str | None) -> frozenset[str]:
    return Pattern(expression, "wide").groups if expression else frozenset()
