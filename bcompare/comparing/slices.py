"""Pairs compared on all items and in each slice, such as a category or a language."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Unpack

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.basis.showable import Showable
from bcompare.comparing.compare import Settings, compare
from bcompare.comparing.comparison import ComparisonSet
from bcompare.comparing.decision import Decision
from bcompare.data.rope import RegionProbabilities, Rope
from bcompare.data.scores import Scores
from bcompare.methods.base import Method
from bcompare.methods.correction import holm


@dataclass(frozen=True, slots=True)
class Slice:
    """One slice of a pair.

    items : their number. p : of the slice by itself. shrunken : by the hierarchical model, which
    learns from the other slices how much slices differ; decision : by these. p_value : of the slice
    by itself; holm : corrected for the number of slices.
    """

    left: str
    right: str
    name: str
    items: int
    mean_difference: float
    p: RegionProbabilities[float]
    shrunken: RegionProbabilities[float]
    decision: Decision
    p_value: float
    holm: float


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Slices(Showable):
    """Comparisons overall, and in slices.

    by : the column of slices. overall : by the chosen test. alone, shrunken : with slices as data
    sets, by the correlated t-test and by the hierarchical model.
    """

    by: str
    overall: ComparisonSet
    alone: ComparisonSet
    shrunken: ComparisonSet

    def __iter__(self) -> Iterator[Slice]:
        for alone, shrunken in zip(self.alone.comparisons, self.shrunken.comparisons, strict=True):
            statistics, decisions = alone.differences.statistics, shrunken.dataset_decisions
            by_holm = holm(alone.p_values)
            for i, name in enumerate(statistics.names):
                yield Slice(
                    left=alone.left,
                    right=alone.right,
                    name=name,
                    items=int(statistics.n[i]),
                    mean_difference=float(statistics.mean[i]),
                    p=alone.dataset_probabilities(i),
                    shrunken=shrunken.dataset_probabilities(i),
                    decision=decisions[i],
                    p_value=float(alone.p_values[i]),
                    holm=float(by_holm[i]),
                )

    def __repr__(self) -> str:
        return f"<Slices by {self.by}: {len(self.alone.scores.datasets)}>"


def slices(
    scores: Scores,
    sliced: Scores,
    by: str,
    test: Method | str | None = None,
    *,
    rope: Rope | float | tuple[float, float] = 0.01,
    **settings: Unpack[Settings],
) -> Slices:
    """Compare overall, and in each slice.

    Parameters
    ----------
    scores, sliced : as `bcompare.reading.read.read_slices` returns them, by the column `by`.
    test : overall; by default as for `compare`, which has the other settings, too.

    Raises
    ------
    InputError : no pair shares anything, or fewer slices than the hierarchical model needs.
    ComputationError : no pair at all could be computed.

    Examples
    --------
    >>> import bcompare, pandas, tempfile, pathlib
    >>> pairs = [(i, k) for i in range(12) for k in range(2)]
    >>> rows = [(f"q{i}", "ab"[k], i % 3 == k, "xy"[i % 2]) for i, k in pairs]
    >>> answers = pandas.DataFrame(rows, columns=["item", "classifier", "score", "topic"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "answers.csv")
    ...     answers.to_csv(file, index=False)
    ...     whole, sliced = bcompare.read_slices(file, by="topic", item_col="item")
    >>> [(s.name, s.items) for s in bcompare.slices(whole, sliced, "topic")]
    [('x', 6), ('y', 6)]
    """
    if len(sliced.datasets) < 2:
        raise InputError(
            f"{arg('by', by)} leaves one slice, {sliced.datasets[0].name}: name a column with "
            "several, or leave it out"
        )
    overall, alone, shrunken = (
        compare(part, method, rope=rope, **settings)
        for part, method in ((scores, test), (sliced, "ttest"), (sliced, "hier"))
    )
    return Slices(by, overall, alone, shrunken)
