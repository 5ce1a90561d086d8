"""The canonical long table: one row a score, whatever the file looked like."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note
from bcompare.data.rope import FloatArray
from bcompare.data.units import ROWS, Unit
from bcompare.reading.columns import Coded, concatenated
from bcompare.reading.metrics import MetricColumn

Cells = dict[str, str]
Finder = Callable[[Sequence[int]], dict[int, tuple[str, Cells]]]
"""Rows of a file → for each, the place in words and its cells by column."""


@dataclass(frozen=True, eq=False, slots=True)
class Long:
    """Scores with their keys; every column has one entry a row.

    Attributes
    ----------
    keys : dataset, run, fold and classifier; where they are known, the cluster that a row's item
        belongs to, the metric of its score, and the errors of its fit ("" where it has none).
        Items stand in the place of folds, and their epochs in that of runs.
    numbers : score, as in the file, NaN if it is missing, infinite if it could not be read; where
        they are known, train and test, how many cases its classifier was trained and tested on,
        and cost, what the classifier costs.
    row : the row of the file that each score is from, or None if row i is score i.
    find : names rows of the file for messages.
    notes : on how the file was understood.
    filtered : how many rows of the file are not here, because of conditions.
    problems : what is already known to be wrong with the file.
    unread : whether rows are missing because of these problems.
    unit : what a row is.
    metric_column, failed_column : where the metric and the errors are told.
    titles : role → the name of its column, for roles that one column of a file plays.
    """

    keys: dict[str, Coded]
    numbers: dict[str, FloatArray]
    row: NDArray[np.int64] | None
    find: Finder
    filtered: int = 0
    notes: tuple[Note, ...] = ()
    problems: tuple[str, ...] = ()
    unread: bool = False
    unit: Unit = "fold"
    metric_column: MetricColumn | None = None
    failed_column: str | None = None
    titles: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.numbers["score"])

    def chosen(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> "Long":
        """Some of the rows, by mask or by index."""
        if rows.dtype == np.bool_ and rows.all():
            return self
        return replace(
            self,
            keys={role: names.rows(rows) for role, names in self.keys.items()},
            numbers={role: numbers[rows] for role, numbers in self.numbers.items()},
            row=np.arange(len(self))[rows] if self.row is None else self.row[rows],
        )

    def with_keys(self, **keys: Coded) -> "Long":
        """The same rows with other keys."""
        return replace(self, keys=self.keys | keys)

    def by_classifier(self, rows: NDArray[np.bool_]) -> dict[str, int]:
        """How many of some rows each classifier has, of those that have any."""
        codes, names = self.keys["classifier"].codes, self.keys["classifier"].names
        counts = np.bincount(codes[rows], minlength=len(names)).tolist()
        return {name: count for name, count in zip(names, counts, strict=True) if count}

    def places(self, scores: Sequence[int]) -> list[tuple[str, Cells]]:
        """Where some of the scores are from."""
        rows = [i if self.row is None else int(self.row[i]) for i in scores]
        located = self.find(rows)
        return [located[row] for row in rows]


def merged(parts: Sequence[Long]) -> Long:
    """The tables of several files as one.

    Raises
    ------
    InputError : if their rows are not the same kind of thing.
    """
    if len(parts) == 1:
        return parts[0]
    units = tuple(dict.fromkeys(part.unit for part in parts))
    if len(units) > 1:
        raise InputError(
            f"the rows of the files differ: {' and '.join(ROWS[unit] for unit in units)}; give all "
            "files the same columns, or compare them apart"
        )
    ends = np.cumsum([len(part) for part in parts]).tolist()

    def find(scores: Sequence[int]) -> dict[int, tuple[str, Cells]]:
        located: dict[int, tuple[str, Cells]] = {}
        for part, end in zip(parts, ends, strict=True):
            here = [i for i in scores if end - len(part) <= i < end]
            places = part.places([i - end + len(part) for i in here])
            located |= dict(zip(here, places, strict=True))
        return located

    roles = dict.fromkeys(role for part in parts for role in part.keys)
    columns = dict.fromkeys(column for part in parts for column in part.numbers)
    nothing = np.full(max(map(len, parts)), np.nan)  # for files that do not tell some number
    return Long(
        keys={
            role: concatenated(
                [part.keys.get(role) or Coded.constant("", len(part)) for part in parts]
            )
            for role in roles
        },
        numbers={
            column: np.concatenate(
                [part.numbers.get(column, nothing[: len(part)]) for part in parts]
            )
            for column in columns
        },
        row=None,
        find=find,
        notes=tuple(note for part in parts for note in part.notes),
        filtered=sum(part.filtered for part in parts),
        problems=tuple(problem for part in parts for problem in part.problems),
        unread=any(part.unread for part in parts),
        unit=units[0],
        metric_column=next((part.metric_column for part in parts if part.metric_column), None),
        failed_column=next((part.failed_column for part in parts if part.failed_column), None),
        titles=parts[0].titles,
    )
