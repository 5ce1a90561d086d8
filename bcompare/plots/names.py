"""Names of classifiers and data sets in pictures."""

from collections.abc import Sequence

from bcompare.basis.names import shown_by
from bcompare.basis.printable import printable
from bcompare.comparing.comparison import ComparisonSet
from bcompare.comparing.family import Family


class OnePair:
    """The only pair of a set of comparisons, with the names of classifiers and data sets.

    lower_is_better : scores are errors, so the differences drawn are left - right.
    """

    def __init__(self, study: ComparisonSet) -> None:
        (self.comparison,) = study.comparisons
        (self.left,), (self.right,) = lefts_and_rights(study)
        self.statistics = self.comparison.differences.statistics
        self.datasets = [printable(name) for name in self.statistics.names]
        self.rope, self.lower_is_better = study.rope, study.scores.lower_is_better

    @property
    def difference(self) -> tuple[str, str, str]:
        """The label of the axis of differences, in parts between which a line may break."""
        names = (self.right, self.left)
        first, second = reversed(names) if self.lower_is_better else names
        return ("mean difference", first, f"− {second}")

    def title(self, *, by_name: bool = False) -> list[str]:
        """Return the title of a picture, in parts between which a line may break.

        by_name : whether it names a single data set.
        """
        count = len(self.datasets)
        on = f"on {count} data set{'' if count == 1 else 's'}"
        if by_name and count == 1:
            on = f"on {self.datasets[0]}"
        return [self.left, f"and {self.right}", on]


def lefts_and_rights(study: ComparisonSet) -> tuple[list[str], list[str]]:
    """Return the names of all pairs."""
    pairs, show = study.comparisons, shown_by(study.scores.classifiers)
    return [show(c.left) for c in pairs], [show(c.right) for c in pairs]


def classifiers(family: Family, order: Sequence[int]) -> list[str]:
    """Return the names of some classifiers of a family, in an order."""
    show = shown_by(family.names)
    return [show(family.best.classifiers[k]) for k in order]


def domain(family: Family, *, others: bool = False) -> str:
    """Return the data sets of a family as text, such as "on 25 data sets".

    others : whether what is shown is an estimate for others like them.
    """
    if family.lone is not None:
        return f"on {printable(family.lone.name)}"
    q = len(family.datasets)
    return f"on data sets like these {q}" if others else f"on {q} data sets"
