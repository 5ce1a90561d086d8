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
from bcompare.reading.layout import MetricColumn

Located = dict[int, tuple[str, dict[str, str]]]
"""Row of a file → its place in words, and its cells by column."""
Finder = Callable[[Sequence[int]], Located]


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
    metric, failed : the columns that tell the metric and the errors.
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
    metric: MetricColumn | None = None
    failed: str | None = None
    titles: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.numbers["score"])

    def chosen(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> "Long":
        """Return some of the rows, by mask or by index."""
        if rows.dtype == np.bool_ and rows.all():
            return self
        return replace(
            self,
            keys={role: names.rows(rows) for role, names in self.keys.items()},
            numbers={role: numbers[rows] for role, numbers in self.numbers.items()},
            row=np.arange(len(self))[rows] if self.row is None else self.row[rows],
        )

    def by_classifier(self, rows: NDArray[np.bool_]) -> dict[str, int]:
        """Return how many of some rows each classifier has, of those that have any."""
        codes, names = self.keys["classifier"].codes, self.keys["classifier"].names
        counts = np.bincount(codes[rows], minlength=len(names)).tolist()
        return {name: count for name, count in zip(names, counts, strict=True) if count}

    def places(self, scores: Sequence[int]) -> list[tuple[str, dict[str, str]]]:
        """Return where some of the scores are from, and the cells of their rows."""
        rows = [i if self.row is None else int(self.row[i]) for i in scores]
        located = self.find(rows)
        return [located[row] for row in rows]


def merged(parts: Sequence[Long]) -> Long:
    """Return the tables of several files as one.

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

    def find(scores: Sequence[int]) -> Located:
        located: Located = {}
        for part, end in zip(parts, ends, strict=True):
            here = [i for i in scores if end - len(part) <= i < end]
            places = part.places([i - end + len(part) for i in here])
            located |= dict(zip(here, places, strict=True))
        return located

    def all_names(role: str) -> Coded:
        constants = (Coded.constant("", len(part)) for part in parts)
        return concatenated([p.keys.get(role) or c for p, c in zip(parts, constants, strict=True)])

    unknown = np.full(max(map(len, parts)), np.nan)  # for files that do not tell some number
    roles = dict.fromkeys(role for part in parts for role in part.keys)
    columns = dict.fromkeys(column for part in parts for column in part.numbers)
    return Long(
        keys={role: all_names(role) for role in roles},
        numbers={
            column: np.concatenate(
                [part.numbers.get(column, unknown[: len(part)]) for part in parts]
            )
            for column in columns
        },
        row=None,
        find=find,
        filtered=sum(part.filtered for part in parts),
        notes=tuple(note for part in parts for note in part.notes),
        problems=tuple(problem for part in parts for problem in part.problems),
        unread=any(part.unread for part in parts),
        unit=units[0],
        metric=next((part.metric for part in parts if part.metric), None),
        failed=next((part.failed for part in parts if part.failed), None),
        titles=parts[0].titles,
    )
