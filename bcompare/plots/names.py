"""The names of classifiers and data sets, as pictures show them."""

from dataclasses import dataclass

from bcompare.basis.printable import printable
from bcompare.comparing.answers import Comparison
from bcompare.comparing.comparison import ComparisonSet
from bcompare.comparing.family import Family


@dataclass(frozen=True, slots=True)
class PairNames:
    """The names of two classifiers, and the sign of their differences.

    lower_is_better : scores are errors, so the differences drawn are left - right.
    """

    left: str
    right: str
    lower_is_better: bool = False

    @property
    def difference(self) -> tuple[str, str, str]:
        """The name of the axis of differences, in parts between which a line may break."""
        names = (self.right, self.left)
        first, second = reversed(names) if self.lower_is_better else names
        return ("mean difference", first, f"− {second}")

    def title(self, datasets: list[str] | int) -> list[str]:
        """Return the title of a picture, in parts between which a line may break.

        datasets : their names, or their number.
        """
        count = datasets if isinstance(datasets, int) else len(datasets)
        on = f"on {count} data sets"
        if count == 1:
            on = "on 1 data set" if isinstance(datasets, int) else f"on {datasets[0]}"
        return [self.left, f"and {self.right}", on]


def only_pair(study: ComparisonSet) -> tuple[Comparison, PairNames]:
    """Return the only comparison of a set, and its names."""
    (comparison,) = study.comparisons
    left, right = printable(comparison.left), printable(comparison.right)
    return comparison, PairNames(left, right, study.scores.lower_is_better)


def dataset_names(comparison: Comparison) -> list[str]:
    """Return the names of a pair's data sets."""
    return [printable(name) for name in comparison.differences.statistics.names]


def lefts_and_rights(study: ComparisonSet) -> tuple[list[str], list[str]]:
    """Return the names of all pairs."""
    pairs = study.comparisons
    return [printable(c.left) for c in pairs], [printable(c.right) for c in pairs]


def domain(family: Family) -> str:
    """Return the data sets of a family in words, such as "on 25 data sets"."""
    lone = family.lone
    return f"on {len(family.datasets)} data sets" if lone is None else f"on {printable(lone.name)}"
