"""The test items that one model of a pair lost and won: what to look at next."""

from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from bcompare.basis.messages import InputError, Record, number_of
from bcompare.comparing.comparison import Comparison
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.data.scores import Scores
from bcompare.report.fields import Rows, record_rows
from bcompare.report.table import Column, Row, Table

# The most items of each kind in a table, and on each of several data sets; the JSON of a single
# pair has all.
MOST_SHOWN, MOST_OF_EACH = 10, 4


@dataclass(frozen=True, slots=True)
class Change:
    """An item, or a cluster of them, with the scores of both; they have the sign of the file.

    gain : right - left, where higher is better.
    """

    dataset: str
    item: str
    left: float
    right: float
    gain: float


def changes_of(comparison: Comparison, scores: Scores) -> list[Change]:
    """Return the items on which the two differ, the largest changes first."""
    columns = [scores.classifiers.index(name) for name in (comparison.left, comparison.right)]
    sign = -1 if scores.lower_is_better else 1
    changes = []
    for dataset in scores.datasets:
        both = dataset.means[:, columns]
        gain = both[:, 1] - both[:, 0]
        for i in np.flatnonzero(np.abs(np.nan_to_num(gain)) > 0).tolist():
            left, right = (sign * both[i]).tolist()
            changes.append(Change(dataset.name, dataset.keys[i], left, right, float(gain[i])))
    return sorted(changes, key=lambda change: -abs(change.gain))


def check_changed(scores: Scores) -> None:
    """Check that there are test items to list.

    Raises
    ------
    InputError : the scores are not those of items.
    """
    if not scores.unit.has_answers:
        raise InputError(
            f"the format changed lists test items, and these scores are of {scores.unit.plural}; "
            "-o csv=changed.csv writes the answers under that name"
        )


def changed_rows(study: ComparisonSet) -> Rows:
    """Return flat rows of the items on which the models of each pair differ.

    Raises
    ------
    InputError : the scores are not those of items.
    """
    check_changed(study.scores)
    rows: list[Record] = []
    for pair in study.comparisons:
        rows += [
            {
                "left": pair.left,
                "right": pair.right,
                "dataset": change.dataset,
                "item": change.item,
                "change": "won" if change.gain > 0 else "lost",
                "score_left": change.left,
                "score_right": change.right,
            }
            for change in changes_of(pair, study.scores)
        ]
    return record_rows(rows)


def changed_table(comparison: Comparison, scores: Scores) -> Table | None:
    """Return the items that the right model lost, then those that it won; None without items."""
    if not scores.unit.has_answers:
        return None
    changes = changes_of(comparison, scores)
    lost = [change for change in changes if change.gain < 0]
    won = [change for change in changes if change.gain > 0]
    noun = "cluster" if scores.is_clustered else "item"
    several = len(scores.datasets) > 1
    most = MOST_OF_EACH if several else MOST_SHOWN
    names = [dataset.name for dataset in scores.datasets]
    rows: list[Row] = []
    for word, changed in (("lost", lost), ("won", won)):
        for name in names:
            of_dataset = [change for change in changed if change.dataset == name]
            rows += [(name, c.item, word, c.left, c.right) for c in of_dataset[:most]]
    columns = [
        Column("data set"),
        Column(noun),
        Column("change"),
        Column(comparison.left, "number", 3),
        Column(comparison.right, "number", 3),
    ]
    if not several:
        rows = [row[1:] for row in rows]
        columns = columns[1:]
    on_each = " on each data set" if several else ""
    some = f"; the first {most} of each{on_each}" if len(rows) < len(changes) else ""
    title = (
        f"What changed: {comparison.right} lost {number_of(len(lost), noun)} and won {len(won):,}, "
        f"against {comparison.left}{some}"
    )
    return Table(title, tuple(columns), rows, by_test=False)


def changed_record(comparison: Comparison, scores: Scores) -> list[Record]:
    """Return all changes for the JSON document."""
    names = ("dataset", "item", "left", "right")
    return [
        dict(zip(names, attrgetter(*names)(change), strict=True))
        for change in changes_of(comparison, scores)
    ]
