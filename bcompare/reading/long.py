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
    dataset, run, fold, classifier : the keys.
    score : as in the file; NaN if it is missing, infinite if it could not be read.
    train, test : how many cases each score's classifier was trained and tested on, or None;
        NaN where that is not told.
    cost : what each score's classifier costs, or None; NaN where that is not told.
    row : the row of the file that each score is from, or None if row i is score i.
    find : names rows of the file for messages.
    notes : on how the file was understood.
    filtered : how many rows of the file are not here, because of conditions.
    problems : what is already known to be wrong with the file.
    unread : whether rows are missing because of these problems.
    unit : what a row is. Items stand in the place of folds, and their epochs in that of runs.
    cluster : what each row's item belongs to, or None; "" where that is not told.
    metric : the metric of each score, or None; metric_column : where that is told.
    titles : role → the name of its column, for roles that one column of a file plays.
    failed : whether each score is of a fit that failed, or None; failed_column : where that is
    told.
    """

    dataset: Coded
    run: Coded
    fold: Coded
    classifier: Coded
    score: FloatArray
    row: NDArray[np.int64] | None
    find: Finder
    train: FloatArray | None = None
    test: FloatArray | None = None
    cost: FloatArray | None = None
    filtered: int = 0
    notes: tuple[Note, ...] = ()
    problems: tuple[str, ...] = ()
    unread: bool = False
    unit: Unit = "fold"
    cluster: Coded | None = None
    metric: Coded | None = None
    metric_column: MetricColumn | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    failed: NDArray[np.bool_] | None = None
    failed_column: str | None = None

    def __len__(self) -> int:
        return len(self.score)

    def chosen(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> "Long":
        """Some of the rows, by mask or by index."""
        if rows.dtype == np.bool_ and rows.all():
            return self
        return replace(
            self,
            dataset=self.dataset.rows(rows),
            run=self.run.rows(rows),
            fold=self.fold.rows(rows),
            classifier=self.classifier.rows(rows),
            score=self.score[rows],
            train=None if self.train is None else self.train[rows],
            test=None if self.test is None else self.test[rows],
            cost=None if self.cost is None else self.cost[rows],
            cluster=None if self.cluster is None else self.cluster.rows(rows),
            metric=None if self.metric is None else self.metric.rows(rows),
            failed=None if self.failed is None else self.failed[rows],
            row=np.arange(len(self))[rows] if self.row is None else self.row[rows],
        )

    def with_scores(self, score: FloatArray, run: Coded) -> "Long":
        """The same rows with other scores and runs."""
        return replace(self, score=score, run=run)

    def by_classifier(self, rows: NDArray[np.bool_]) -> dict[str, int]:
        """How many of some rows each classifier has, of those that have any."""
        names = self.classifier.names
        counts = np.bincount(self.classifier.codes[rows], minlength=len(names)).tolist()
        return {name: count for name, count in zip(names, counts, strict=True) if count}

    def places(self, scores: Sequence[int]) -> list[tuple[str, Cells]]:
        """Where some of the scores are from."""
        rows = [i if self.row is None else int(self.row[i]) for i in scores]
        found = self.find(rows)
        return [found[row] for row in rows]


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
        found: dict[int, tuple[str, Cells]] = {}
        for part, end in zip(parts, ends, strict=True):
            here = [i for i in scores if end - len(part) <= i < end]
            places = part.places([i - end + len(part) for i in here])
            found |= dict(zip(here, places, strict=True))
        return found

    return Long(
        dataset=concatenated([part.dataset for part in parts]),
        run=concatenated([part.run for part in parts]),
        fold=concatenated([part.fold for part in parts]),
        classifier=concatenated([part.classifier for part in parts]),
        score=np.concatenate([part.score for part in parts]),
        row=None,
        find=find,
        train=_numbers([(part.train, len(part)) for part in parts]),
        test=_numbers([(part.test, len(part)) for part in parts]),
        cost=_numbers([(part.cost, len(part)) for part in parts]),
        notes=tuple(note for part in parts for note in part.notes),
        filtered=sum(part.filtered for part in parts),
        problems=tuple(problem for part in parts for problem in part.problems),
        unread=any(part.unread for part in parts),
        unit=units[0],
        cluster=_texts([(part.cluster, len(part)) for part in parts]),
        metric=_texts([(part.metric, len(part)) for part in parts]),
        metric_column=next((part.metric_column for part in parts if part.metric_column), None),
        titles=parts[0].titles,
        failed=_marks([(part.failed, len(part)) for part in parts]),
        failed_column=next((part.failed_column for part in parts if part.failed_column), None),
    )


def _texts(parts: Sequence[tuple[Coded | None, int]]) -> Coded | None:
    """A column of names of several files, "" for files that do not have it."""
    if all(names is None for names, _ in parts):
        return None
    return concatenated(
        [Coded.constant("", rows) if names is None else names for names, rows in parts]
    )


def _marks(parts: Sequence[tuple[NDArray[np.bool_] | None, int]]) -> NDArray[np.bool_] | None:
    """A column of truths of several files, false for files that do not have it."""
    if all(marks is None for marks, _ in parts):
        return None
    return np.concatenate(
        [np.zeros(rows, np.bool_) if marks is None else marks for marks, rows in parts]
    )


def _numbers(parts: Sequence[tuple[FloatArray | None, int]]) -> FloatArray | None:
    """A column of numbers of several files, NaN for files that do not have it."""
    if all(numbers is None for numbers, _ in parts):
        return None
    return np.concatenate(
        [np.full(rows, np.nan) if numbers is None else numbers for numbers, rows in parts]
    )
