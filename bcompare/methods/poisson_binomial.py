"""The Poisson-binomial test: on how many of these data sets is each classifier better?

Source: Corani & Benavoli 2015 (Machine Learning 100:285), "CB 2015", eq. 10, for the number of
data sets on which right is better; its extension to three regions counts the data sets that
are left's, the rope's and right's.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from bcompare.methods.base import DatasetsResult, Method, PopulationResult
from bcompare.methods.binomial_sign import binomial_sign_test
from bcompare.methods.correlated_t import CorrelatedT, StudentPosterior
from bcompare.methods.mean_differences import mean_differences, tie_notes
from bcompare.notes import Note
from bcompare.rope import FloatArray, RegionProbabilities, Rope
from bcompare.sufficient import IntArray, SufficientStatistics, read_only

# Counts less probable than this are left out: all of them together are below 1e-15.
NEGLIGIBLE = 1e-20
# Data sets between two searches for negligible counts.
TRIM_EVERY = 8


@dataclass(frozen=True, eq=False, kw_only=True)
class PoissonBinomialDatasets(DatasetsResult):
    """What the Bayesian correlated t-test says of each of the q data sets.

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
    nhst : the binomial sign test.
    """

    datasets: PoissonBinomialDatasets
    strict: tuple[float, float, float]
    p_tie: float
    distribution: FloatArray
    p_left_majority: float
    p_even: float
    p_right_majority: float


@dataclass(frozen=True)
class PoissonBinomial(Method):
    """The Poisson-binomial test; see `poisson_binomial_test`."""

    title: ClassVar[str] = "Poisson-binomial test"

    def test(self, statistics: SufficientStatistics, rope: Rope) -> PoissonBinomialResult:
        """One pair of classifiers on q data sets."""
        z = mean_differences(statistics.mean)
        each = CorrelatedT(interval_levels=()).test(statistics, rope)
        regions, posterior = each.datasets.probabilities, each.datasets.posterior
        mirrored = StudentPosterior(posterior.dof, 0.0 - posterior.location, posterior.scale)
        counts = _count(regions, mirrored.p_positive, posterior.p_positive)
        left, middle, right = counts.strict.tolist()
        majority = (z.size + 1) // 2
        return PoissonBinomialResult(
            probabilities=RegionProbabilities(*counts.shared.tolist()),
            error=None,
            nhst=binomial_sign_test(z),
            datasets=PoissonBinomialDatasets(
                probabilities=regions, p_better=each.datasets.p_better
            ),
            notes=(*each.notes, *tie_notes(z, rope), _these_datasets_only(z.size)),
            strict=(left, middle, right),
            p_tie=counts.p_tie,
            distribution=read_only(counts.distribution),
            p_left_majority=float(counts.distribution[:majority].sum()),
            p_even=float(counts.distribution[majority:-majority].sum()),
            p_right_majority=float(counts.distribution[::-1][:majority].sum()),
        )


def poisson_binomial_test(
    differences: Iterable[Any],
    *,
    rho: ArrayLike,
    rope: Rope | float | tuple[float, float] = 0.01,
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
    (0.885, 0.047)
    """
    return PoissonBinomial().test(
        SufficientStatistics.from_differences(differences, rho), Rope.of(rope)
    )


@dataclass(frozen=True, eq=False, slots=True)
class _Counts:
    """What is asked of the counts: `strict` and `shared` are (3,), left, rope, right."""

    strict: FloatArray
    shared: FloatArray
    p_tie: float
    distribution: FloatArray

    def mirrored(self) -> "_Counts":
        return _Counts(
            self.strict[::-1], self.shared[::-1], self.p_tie, self.distribution[::-1].copy()
        )


def _count(
    regions: RegionProbabilities[FloatArray], p_left: FloatArray, p_right: FloatArray
) -> _Counts:
    """Counts over q data sets; swapping left and right mirrors them to the last bit.

    For that, and so that the order of the data sets does not matter either, the pair is turned
    the way that its mirror image is turned as well.
    """
    given = np.stack([regions.left, regions.rope, regions.right, p_left, p_right])
    rows, image = _sorted(given), _sorted(given[[2, 1, 0, 4, 3]])
    uneven = np.flatnonzero(rows != image)
    lean = float(rows.flat[uneven[0]] - image.flat[uneven[0]]) if uneven.size else 0.0
    left, middle, right, p_left, p_right = rows if lean >= 0 else image
    strict, shared, p_tie = _largest(*_grid(left, middle, right), len(left))
    counts = _Counts(strict, shared, p_tie, _distribution(p_left, p_right))
    if lean == 0:
        other = counts.mirrored()
        return _Counts(
            (strict + other.strict) / 2,
            (shared + other.shared) / 2,
            p_tie,
            (counts.distribution + other.distribution) / 2,
        )
    return counts if lean > 0 else counts.mirrored()


def _sorted(columns: FloatArray) -> FloatArray:
    """Sort data sets, one a column: the most certain first, as they keep the counts few."""
    order = np.lexsort((*columns, -columns[:3].max(axis=0)))
    return columns[:, order]


def _distribution(p_left: FloatArray, p_right: FloatArray) -> FloatArray:
    """Return the Poisson-binomial distribution: P(right wins 0, …, q data sets), CB 2015 eq. 10."""
    q = len(p_left)
    distribution = np.zeros(q + 1)
    distribution[0] = 1.0
    for i in range(q):
        won = p_right[i] * distribution[: i + 1]
        distribution[: i + 1] *= p_left[i]
        distribution[1 : i + 2] += won
    return distribution


def _grid(
    left: FloatArray, middle: FloatArray, right: FloatArray
) -> tuple[FloatArray, IntArray, IntArray]:
    """Joint distribution of how many data sets are left's (rows) and right's (columns).

    Returns the (a, b) probabilities and the counts that its rows and its columns stand for.
    Rows and columns of negligible probability are left out as they arise.
    """
    grid = np.ones((1, 1))
    first_left = first_right = 0
    for i, (p_left, p_middle, p_right) in enumerate(zip(left, middle, right, strict=True)):
        a, b = grid.shape
        grown = np.zeros((a + 1, b + 1))
        np.multiply(grid, p_middle, out=grown[:-1, :-1])
        grown[1:, :-1] += p_left * grid
        grown[:-1, 1:] += p_right * grid
        grid = grown
        if i % TRIM_EVERY == TRIM_EVERY - 1:
            rows = np.flatnonzero(grid.max(axis=1) > NEGLIGIBLE)
            columns = np.flatnonzero(grid.max(axis=0) > NEGLIGIBLE)
            grid = grid[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            first_left += rows[0]
            first_right += columns[0]
    a, b = grid.shape
    return grid, first_left + np.arange(a), first_right + np.arange(b)


def _largest(
    grid: FloatArray, in_left: IntArray, in_right: IntArray, q: int
) -> tuple[FloatArray, FloatArray, float]:
    """Probability that each region holds strictly the most, shares it equally, and of a tie."""
    n_left, n_right = np.broadcast_arrays(in_left[:, None], in_right[None, :])
    counts = np.stack([n_left, q - n_left - n_right, n_right])
    most = counts == counts.max(axis=0)
    holders = most.sum(axis=0)
    total = grid.sum()
    strict = np.where(holders == 1, most * grid, 0.0).sum(axis=(1, 2)) / total
    shared = (most * (grid / holders)).sum(axis=(1, 2)) / total
    return strict, shared, float(grid[holders > 1].sum() / total)


def _these_datasets_only(q: int) -> Note:
    return Note(
        "these-datasets-only",
        "info",
        f"the Poisson-binomial test speaks of these {q} data sets, not of the population that "
        "they come from: for a further data set use the hierarchical or the signed-rank test",
    )
