"""The Poisson-binomial test: who is better on more of these data sets.

Source: Corani & Benavoli 2015 (Machine Learning 100:285), "CB 2015", eq. 10, for the number of
data sets on which right is better; its extension to three regions counts the data sets that
are left's, the rope's and right's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from bcompare.basis.notes import Note, number_of
from bcompare.data.defaults import DEFAULT_ROPE
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope, RopeLike
from bcompare.data.sufficient import SufficientStatistics, read_only
from bcompare.methods.base import Method, Progress, no_progress, same_size
from bcompare.methods.correlated_t import NO_SPREAD, CorrelatedT, posterior_notes
from bcompare.methods.counts import RegionCounts, count_regions
from bcompare.methods.mean_differences import mean_differences, tie_notes
from bcompare.methods.paired_binary import FEW_BINARY_ITEMS
from bcompare.methods.results import DatasetsResult, PopulationResult
from bcompare.methods.values import Fact, PairedNhst, Shown
from bcompare.methods.wilcoxon import binomial_sign_test, wilcoxon

THESE_ONLY = (
    "the Poisson-binomial test speaks of the {} at hand, not of the population that "
    "they come from: for a further data set use the hierarchical or the signed-rank test"
)

# Pairs computed together: progress is reported between such blocks.
PAIRS = 64


@dataclass(frozen=True, eq=False, kw_only=True)
class PoissonBinomialDatasets(DatasetsResult):
    """The answers of the Bayesian correlated t-test on each of the q data sets.

    p_better : (q,) P(μ > 0), the probability that right is better by any amount.
    """

    p_better: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class PoissonBinomialResult(PopulationResult):
    """Answer of the Poisson-binomial test; exact, and about these q data sets only.

    Each data set is in the left, the rope's or the right region with its posterior
    probabilities, independently of the others.

    probabilities : that the left, the rope's, the right region holds the most data sets; where
        several hold the most they share the probability equally, so that the three sum to 1.
    strict : left, rope, right: that the region holds more data sets than either other.
    p_tie : that several hold the most: 1 less the sum of `strict`.
    distribution : (q + 1,) probability that right is better by any amount, rope or not, on
        exactly 0, 1, …, q data sets (CB 2015 eq. 10).
    p_left_majority, p_even, p_right_majority : by the same count, that left is better on more
        than half of the data sets, either on exactly half, right on more than half.
    datasets : the probabilities that are counted.
    nhst : the binomial sign test. wilcoxon : the signed-rank test, the contrast of CB 2015 §4.
    """

    about_these: ClassVar[bool] = True
    scope = " most often among these data sets"
    shown: ClassVar[tuple[Shown, ...]] = (
        Shown("p_right_majority", "P(X>q/2)", "probability"),
        Shown("wilcoxon.p_value", "Wilcoxon p", "p"),
    )

    datasets: PoissonBinomialDatasets
    wilcoxon: PairedNhst
    strict: tuple[float, float, float]
    p_tie: float
    distribution: FloatArray
    p_left_majority: float
    p_even: float
    p_right_majority: float

    @property
    def nhsts(self) -> tuple[PairedNhst, ...]:
        """The sign test, and Wilcoxon's in a column of its own."""
        return (self.nhst, self.wilcoxon)

    def facts(self) -> tuple[Fact, ...]:
        """Return the probability of a tie, and the answer of the original Poisson-binomial test."""
        return (
            Fact("several regions hold the most data sets", self.p_tie, "probability"),
            Fact("left better on more than half, rope or not", self.p_left_majority, "probability"),
            Fact("each better on exactly half", self.p_even, "probability"),
            Fact("right better on more than half", self.p_right_majority, "probability"),
        )


@dataclass(frozen=True)
class PoissonBinomial(Method):
    """The Poisson-binomial test; see `poisson_binomial_test`."""

    name: ClassVar[str] = "poisson"
    about: ClassVar[str] = "Who wins on more of these data sets? It says nothing about others."
    title: ClassVar[str] = "Poisson-binomial test"
    pictures: ClassVar[tuple[str, ...]] = ("counts",)
    paper: ClassVar[str] = "Corani and Benavoli 2015"

    view: ClassVar[str] = "about these data sets only"

    def describe(self) -> str:
        """Return the prior in words."""
        return "matching prior on each data set"

    def effort(self, datasets: int) -> float:
        """Return the seconds for a pair, which grow with the square of the data sets."""
        return 2e-4 + 6e-7 * datasets**2

    def test(self, statistics: SufficientStatistics, rope: Rope) -> PoissonBinomialResult:
        """Compare one pair of classifiers on q data sets."""
        return self.test_all([statistics], rope)[0]

    def test_all(
        self, pairs: Sequence[SufficientStatistics], rope: Rope, progress: Progress = no_progress
    ) -> list[PoissonBinomialResult]:
        """Compare many pairs, with the posteriors of all their data sets together."""
        for pair in pairs:
            mean_differences(pair.mean)
        together = SufficientStatistics.concatenated(pairs)
        posterior = CorrelatedT().posterior(together)
        regions = posterior.regions(rope)
        better = posterior.p_better(-1), posterior.p_better(1)
        each = np.stack([regions.left, regions.rope, regions.right, *better])
        ends = np.cumsum([len(pair) for pair in pairs])
        results: dict[int, PoissonBinomialResult] = {}
        for chunk in same_size(pairs, PAIRS):
            stacked = np.stack([each[:, ends[i] - len(pairs[i]) : ends[i]] for i in chunk])
            for i, own, count in zip(chunk, stacked, count_regions(stacked), strict=True):
                results[i] = _result(pairs[i], own, count, rope)
            progress(len(results), len(pairs))
        return [results[i] for i in range(len(pairs))]


def poisson_binomial_test(
    differences: Iterable[object], *, rho: ArrayLike, rope: RopeLike = DEFAULT_ROPE
) -> PoissonBinomialResult:
    """Poisson-binomial test on the paired differences of several data sets.

    The probabilities of the three regions on each data set are those of the Bayesian correlated
    t-test under the matching prior.

    Parameters
    ----------
    differences : q arrays of shape (n_i,), score(right) - score(left) of the folds of each
        data set.
    rho : correlation between the differences of one data set: 1/k for k-fold cross-validation,
        however many runs; 0 for independent differences. One number, or (q,).
    rope : half-width, (low, high) or Rope, in the scores' unit.

    Raises
    ------
    InputError : no data set, fewer than 3 differences, a value that is not finite, ρ outside
        [0, 1).

    Examples
    --------
    >>> result = poisson_binomial_test(
    ...     [[0.02, 0.01, 0.03], [0.04, 0.05, 0.04], [0.0, 0.01, 0.0]], rho=1 / 3, rope=0.01
    ... )
    >>> round(result.probabilities.right, 3), round(result.p_tie, 3)
    (0.845, 0.044)
    """
    return PoissonBinomial().test(
        SufficientStatistics.from_differences(differences, rho), Rope.of(rope)
    )


def _result(
    pair: SufficientStatistics, each: FloatArray, count: RegionCounts, rope: Rope
) -> PoissonBinomialResult:
    q = len(pair)
    no_spread = pair.lacks_spread & ~FEW_BINARY_ITEMS.applies(pair)
    left, middle, right = count.strict.tolist()
    majority = (q + 1) // 2
    return PoissonBinomialResult(
        probabilities=RegionProbabilities(*count.shared.tolist()),
        error=None,
        nhst=binomial_sign_test(pair.mean),
        wilcoxon=wilcoxon(pair.mean),
        withheld=NO_SPREAD if q and no_spread.all() else None,
        datasets=PoissonBinomialDatasets(
            probabilities=RegionProbabilities(left=each[0], rope=each[1], right=each[2]),
            withheld=no_spread,
            p_better=each[4],
        ),
        notes=(
            *posterior_notes(pair, FEW_BINARY_ITEMS),
            *tie_notes(pair.mean, rope),
            Note("these-datasets-only", "info", THESE_ONLY.format(number_of(q, "data set"))),
        ),
        strict=(left, middle, right),
        p_tie=count.p_tie,
        distribution=read_only(count.distribution),
        p_left_majority=float(count.distribution[:majority].sum()),
        p_even=float(count.distribution[majority:-majority].sum()),
        p_right_majority=float(count.distribution[::-1][:majority].sum()),
    )
