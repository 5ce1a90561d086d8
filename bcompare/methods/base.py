"""What every test has in common: the shape of a method and of its result."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from bcompare.notes import Note
from bcompare.rope import FloatArray, RegionProbabilities, Rope
from bcompare.sufficient import SufficientStatistics

Progress = Callable[[int, int], None]
"""Called with (pairs done, pairs in all) while a test works."""


def no_progress(done: int, total: int) -> None:
    """Report progress to nobody."""


@dataclass(frozen=True, slots=True)
class ErrorEstimate:
    """How far the printed probabilities may be from the exact ones.

    kind : ``numerical`` for the agreement of a deterministic computation with a finer one,
        ``monte-carlo`` for one standard error of the largest uncertainty by sampling.
    value : on the probability scale.
    """

    kind: Literal["numerical", "monte-carlo"]
    value: float


@dataclass(frozen=True, slots=True)
class Nhst:
    """A null-hypothesis test of "no difference", for contrast.

    test : its name, such as ``wilcoxon``.
    statistic : its test statistic.
    p_value : two-sided.
    """

    test: str
    statistic: float
    p_value: float


@dataclass(frozen=True, eq=False, kw_only=True)
class DatasetsResult:
    """A test's answer for each of q data sets; every array field has q as first dimension.

    probabilities : p(left), p(rope), p(right), arrays of shape (q,).
    """

    probabilities: RegionProbabilities[FloatArray]


@dataclass(frozen=True, eq=False, kw_only=True)
class Result:
    """What every test returns for one pair of classifiers.

    datasets : the answer for each data set.
    notes : what a reader must know of this result.
    """

    datasets: DatasetsResult
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class PopulationResult(Result):
    """The answer of a test that speaks of several data sets at once.

    probabilities : p(left), p(rope), p(right).
    error : how exact they are; None if exact to rounding.
    nhst : the frequentist test shown beside it.
    withheld : why there is no verdict although there are numbers, such as a sampler that did
        not converge; None if the numbers can be trusted.
    """

    probabilities: RegionProbabilities[float]
    error: ErrorEstimate | None
    nhst: Nhst
    withheld: str | None = None


@dataclass(frozen=True)
class Method(ABC):
    """A test with its options: a subclass's fields are the options, and go into the output.

    Class attributes
    ----------------
    title : the test's name in words, such as "Bayesian signed-rank test".
    """

    title: ClassVar[str]

    @abstractmethod
    def test(self, statistics: SufficientStatistics, rope: Rope) -> Result:
        """The result for one pair of classifiers."""

    def test_all(
        self,
        pairs: Sequence[SufficientStatistics],
        rope: Rope,
        progress: Progress = no_progress,
    ) -> list[Result]:
        """The results for many pairs, in order; override where pairs can share work."""
        results = []
        for statistics in pairs:
            results.append(self.test(statistics, rope))
            progress(len(results), len(pairs))
        return results
