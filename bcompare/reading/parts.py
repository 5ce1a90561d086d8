"""The parts of a layout, and the names of the roles that columns play."""

from dataclasses import dataclass

from bcompare.basis.notes import Note
from bcompare.data.units import Unit
from bcompare.reading.block import Wanted
from bcompare.reading.metrics import MetricColumn
from bcompare.reading.patterns import Pattern

KEYS = ("dataset", "run", "fold", "classifier")
GROUPS = (*KEYS, "iteration", "seed", "item")
NAMED = ("item", "epoch", "cluster", "seed")
"""Keys that a column plays only if it is named."""
ROLES = tuple(dict.fromkeys((*GROUPS, *NAMED)))


@dataclass(frozen=True, slots=True)
class Names:
    """What a file is called, and what stands in for a column that is not there.

    title : what messages call the file. dataset : its data set. classifier : its classifier,
    or None if the file must name it. label : the classifier as the user named it, or None.
    names_dataset : the file's name tells the data set, also where it tells the classifier.
    """

    title: str
    dataset: str
    classifier: str | None = None
    label: str | None = None
    names_dataset: bool = False


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A column of scores, and the parts that its header tells: role → name."""

    column: int
    tells: dict[str, str]


@dataclass(frozen=True, slots=True)
class Split:
    """A column whose cells tell several parts, and the expression that takes them apart."""

    column: int
    expression: Pattern


@dataclass(frozen=True, slots=True)
class Layout:
    """Where each part is.

    Attributes
    ----------
    header : the names of all columns.
    columns : role → its columns; several are joined. Roles without a column are not in it.
    scores : at least one column of scores.
    split : a column to be taken apart, or None.
    numbers : the columns of n_train and n_test, as train and test, and of costs, if there are any.
    instead : column → the one that stands in where its cell is empty.
    metric : what tells the metric of a score, and its column; or None.
    failed : the column that counts the errors of a fit, or None.
    wanted : what must be read of the file.
    unit : what a row is.
    notes : on columns taken though their names are not quite the usual ones.
    """

    header: tuple[str, ...]
    columns: dict[str, tuple[int, ...]]
    scores: tuple[ScoreColumn, ...]
    split: Split | None
    numbers: dict[str, int]
    instead: dict[int, int]
    metric: tuple[MetricColumn, int] | None
    failed: int | None
    wanted: Wanted
    unit: Unit
    notes: tuple[Note, ...] = ()
