"""The columns of each part of the results in a file, and how to read them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from bcompare.basis.messages import Note
from bcompare.data.units import Unit
from bcompare.files.options import GROUPS, Condition

# Roles of columns of names; only those of `KEYS` are recognised by name.
ROLES_OF_NAMES = (*GROUPS, "epoch", "cluster")
# Roles whose cells may be empty.
MAY_BE_EMPTY = ("cluster", "metric", "failed", "state", "measure", "slice", "split-seed")


@dataclass(frozen=True, slots=True)
class Names:
    """The name of a file, and replacements for missing columns.

    title : its name in messages. dataset : its data set. classifier : its classifier, or None if
    the file must name it. label : the classifier as the user named it, or None. names_dataset :
    whether the file's name is that of the data set even if it is that of the classifier.
    """

    title: str
    dataset: str
    classifier: str | None = None
    label: str | None = None
    names_dataset: bool = False


@dataclass(frozen=True)
class Layout:
    """The position in the header of each part of the results.

    header : the names of all columns. names : those of the file.
    columns : role → its columns; several are joined. In addition to `ROLES_OF_NAMES` there may be
        slice, metric, measure (the name of a trial's score), failed (errors of a fit or a trial),
        state (how a run ended) and split-seed (the seed of the folds).
    scores : column of scores → roles and names from its header; at least one.
    split : a column whose cells hold several roles, and the expression that splits them.
    sizes : the columns of n_train and n_test, as train and test, and of costs, if there are any.
    metrics : columns of metrics, where scores are of the first one's wherever it is filled, as in
        the AutoML Benchmark of 2019; else empty.
    where : conditions on the rows, all of which must hold, with the positions of their columns.
    na : cells that stand for a missing number.
    grades : cells that stand for a number. percent : whether percentages are divided later on.
    unit : what a row is.
    numbered : what rows are by their numbers: item, fold or seed; "" if they are not.
    notes : on columns that were accepted with unusual names.
    """

    header: tuple[str, ...]
    names: Names
    columns: dict[str, tuple[int, ...]]
    scores: dict[int, dict[str, str]]
    split: tuple[int, re.Pattern[str]] | None
    sizes: dict[str, int]
    metrics: tuple[str, ...]
    where: dict[Condition, int]
    na: tuple[str, ...]
    grades: Mapping[str, float]
    percent: bool
    unit: Unit
    numbered: str
    notes: tuple[Note, ...]

    @cached_property
    def keys(self) -> tuple[int, ...]:
        """The columns to be kept as names."""
        columns = [column for columns in self.columns.values() for column in columns]
        return tuple(dict.fromkeys([*columns, *([self.split[0]] if self.split else [])]))

    @cached_property
    def filled(self) -> frozenset[int]:
        """The columns of names of which no cell may be empty: the first of those joined."""
        blank = (i for role in MAY_BE_EMPTY for i in self.columns.get(role, ()))
        more = (i for columns in self.columns.values() for i in columns[1:])
        return frozenset(self.keys) - frozenset(blank) - frozenset(more)

    @property
    def values(self) -> tuple[int, ...]:
        """The columns of numbers."""
        return tuple(dict.fromkeys([*self.scores, *self.sizes.values()]))

    @property
    def texts(self) -> tuple[int, ...]:
        """The columns to be read as texts: names, also for conditions only, and grades."""
        grades = self.values if self.grades else ()
        return tuple(dict.fromkeys([*self.keys, *self.where.values(), *grades]))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The columns of nothing but numbers, unless the file has cells of another kind."""
        texts = self.texts
        return tuple(i for i in self.values if i not in texts)
