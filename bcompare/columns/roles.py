"""What a file may be read as: the role of each column, and the options that say so."""

from collections.abc import Mapping
from dataclasses import dataclass

from bcompare.basis.messages import Record
from bcompare.columns.features import FileColumn
from bcompare.columns.scored import Scored
from bcompare.columns.vocabulary import SPLITS, core_of, plain

FEWEST_FOLDS = 3
# The share of pairs of a classifier and a place that have a score: in a reading that is sure, and
# in one that is asked about.
LEAST_FILLED, LEAST_SHARED = 0.5, 0.02
# Names of columns that say which part of the data a score is of.
OF_PARTS = {"split", "partition", "subset", "set", "phase", "part"}
# Role → its columns.
Roles = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Reading:
    """What a file may be read as, by the parts that may be asked about.

    scored : the scores.
    models, metric, rows : options for classifiers, for the choice of rows of one metric, and for
        what a row is.
    roles : role → columns.
    by_names : whether names alone say it.
    fill : the share of pairs of a classifier and a place that have a score.
    """

    scored: Scored
    models: Record
    metric: Record
    rows: Record
    roles: Roles
    by_names: bool
    fill: float


def are_splits(column: FileColumn) -> bool:
    """Return whether a column says which part of the data a score is of, such as test."""
    if all(plain(cell) in SPLITS for cell in column.distinct):
        return True
    is_called = column.is_name and plain(core_of(column.name)) in OF_PARTS
    return is_called and any(plain(cell) in SPLITS for cell in column.distinct)
