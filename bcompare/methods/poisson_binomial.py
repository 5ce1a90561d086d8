"""The Poisson-binomial test: who is better on more of these data sets.

Source: Corani & Benavoli 2015 (Machine Learning 100:285), "CB 2015", eq. 10, for the number of
data sets on which right is better; its extension to three regions counts the data sets that
are left's, the rope's and right's.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import irfft2, next_fast_len, rfft2

from bcompare.basis.progress import Progress, no_progress
from bcompare.basis.threads import in_one_thread
from bcompare.data.rope import (
    DEFAULT_ROPE,
    BoolArray,
    FloatArray,
    IntArray,
    RegionProbabilities,
    Rope,
    RopeLike,
    read_only,
)
from bcompare.data.simulated import SimulatedResults
from bcompare.data.sufficient import SufficientStatistics, differences_of
from bcompare.methods.correlated_t import NO_SPREAD, CorrelatedT
from bcompare.methods.interface import DatasetsResult, Method, PopulationResult, same_size
from bcompare.methods.mean_differences import mean_differences, tie_notes
from bcompare.methods.paired_binary import FEW_BINARY_ITEMS
from bcompare.methods.result_parts import Contrast, Fact, PairedNhst, Shown, restored
from bcompare.methods.wilcoxon import binomial_sign_test, wilcoxon

# Less probable counts are dropped: together they are below 1e-15.
NEGLIGIBLE = 1e-20
# The number of data sets between two searches for negligible counts.
TRIM_EVERY = 8
# The number of parts of the data sets, which are counted separately.
PARTS = 4
# The most probabilities in memory at once, so that pairs computed together stay in the cache.
BLOCK = 2**15

# (m, a, b) probabilities; the counts of left in the first row and of right in the first column.
Grids = tuple[FloatArray, int, int]


@dataclass(frozen=True, eq=False, slots=True)
class RegionCounts:
    """Answers about the counts of q independent data sets; the regions are left, rope, right.

    The number on which right is better is Poisson-binomial (CB 2015 eq. 10); the three numbers that
    are left's, the rope's and right's are Poisson-multinomial.

    strict : (3,) probability that a region holds more data sets than either other.
    shared : (3,) the same where regions that hold equally many share the probability equally;
        sums to 1.
    p_tie : that several regions hold the most.
    distribution : (q + 1,) probability that right is better on exactly 0, 1, …, q of them.
    """

    strict: FloatArray
    shared: FloatArray
    p_tie: float
    distribution: FloatArray

    def mirrored(self) -> "RegionCounts":
        """The counts after left and right are swapped."""
        return RegionCounts(
            self.strict[::-1], self.shared[::-1], self.p_tie, self.distribution[::-1].copy()
        )


def count_regions(each: FloatArray) -> list[RegionCounts]:
    """Count over q data sets, for m pairs of classifiers.

    The order of the data sets changes nothing, and swapping left and right mirrors the answer,
    both to the last bit: the data sets are put in order, and the pair of classifiers is turned
    the way that its mirror image is turned as well.

    Parameters
    ----------
    each : (m, 5, q) for each data set the probabilities of the left, the rope's and the right
        region, and those of left and of right being better by any amount.
    """
    turned, leans = _turned(each)
    won = _number_won(turned[:, 3:])
    counts = []
    for lean, joint, distribution in zip(leans, _joints(turned[:, :3]), won, strict=True):
        count = RegionCounts(*_holders(*joint, each.shape[2]), distribution)
        count = restored(count, lean, RegionCounts.mirrored)
        counts.append(count if lean else replace(count, shared=_normalised(count.shared)))
    return counts


def _turned(each: FloatArray) -> tuple[FloatArray, list[float]]:
    """Return of each pair and its mirror image the greater one, and its lean: see `restored`.

    The most certain data sets come first, which keeps the counts few.
    """
    given = _in_order(each)
    image = _in_order(each[:, [2, 1, 0, 4, 3]])
    leans = []
    for rows, mirrored in zip(given, image, strict=True):
        uneven = np.flatnonzero(rows != mirrored)
        leans.append(float(rows.flat[uneven[0]] - mirrored.flat[uneven[0]]) if uneven.size else 0.0)
    return np.where((np.array(leans) >= 0)[:, None, None], given, image), leans


def _in_order(each: FloatArray) -> FloatArray:
    by_row = each.transpose(1, 0, 2)
    order = np.lexsort((*by_row, -by_row[:3].max(axis=0)), axis=-1)
    return np.take_along_axis(each, order[:, None, :], axis=2)


def _number_won(each: FloatArray) -> FloatArray:
    """Return Poisson-binomial distributions, (m, q + 1), for (m, 2, q) p of losing and winning."""
    m, _, q = each.shape
    distribution = np.zeros((m, q + 1))
    distribution[:, 0] = 1.0
    for i in range(q):
        won = each[:, 1, i, None] * distribution[:, : i + 1]
        distribution[:, : i + 1] *= each[:, 0, i, None]
        distribution[:, 1 : i + 2] += won
    return distribution


def _joints(each: FloatArray) -> Iterator[tuple[FloatArray, IntArray, IntArray]]:
    """Yield for m pairs the distribution of how many of q data sets are left's and right's.

    A part of the data sets at a time, as the work grows with the cube of their number, and the
    parts joined by a convolution. Yields (a, b) probabilities, and the (a,) counts of left and
    the (b,) counts of right that they stand for; counts of negligible probability are missing.
    """
    m, _, q = each.shape
    size = -(-q // PARTS)
    parts = np.zeros((m, PARTS, 3, size))
    parts[:, :, 1] = 1.0  # padding: certainly in the rope, which is not counted
    for part in range(PARTS):
        cells = each[:, :, part::PARTS]
        parts[:, part, :, : cells.shape[2]] = cells
    block = max(1, BLOCK // (PARTS * (size + 1) ** 2))
    for start in range(0, m, block):
        grids, left, right = _grids(parts[start : start + block].reshape(-1, 3, size))
        for k in range(0, len(grids), PARTS):
            yield _joined([_trimmed(grids[i : i + 1], left, right) for i in range(k, k + PARTS)])


def _grids(each: FloatArray) -> Grids:
    """Return joint distributions, (m, a, b), for (m, 3, q), by adding one data set at a time."""
    grids = np.ones((len(each), 1, 1))
    left = right = 0
    for i in range(each.shape[2]):
        p_left, p_rope, p_right = each[:, :, i].T[:, :, None, None]
        m, a, b = grids.shape
        grown = np.zeros((m, a + 1, b + 1))
        np.multiply(grids, p_rope, out=grown[:, :-1, :-1])
        grown[:, 1:, :-1] += p_left * grids
        grown[:, :-1, 1:] += p_right * grids
        grids = grown
        if (i + 1) % TRIM_EVERY == 0:
            grids, left, right = _trimmed(grids, left, right)
    return grids, left, right


def _trimmed(grids: FloatArray, left: int, right: int) -> Grids:
    """Set negligible probabilities to 0, and leave out what is 0 all along an edge.

    So the numbers of a pair do not depend on other pairs computed with it.
    """
    grids = np.where(grids > NEGLIGIBLE, grids, 0.0)
    rows = np.flatnonzero(grids.any(axis=(0, 2)))
    columns = np.flatnonzero(grids.any(axis=(0, 1)))
    kept = grids[:, rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return kept, left + int(rows[0]), right + int(columns[0])


def _joined(parts: Sequence[Grids]) -> tuple[FloatArray, IntArray, IntArray]:
    """Return the distribution of the summed counts of single grids."""
    shapes = np.array([grid.shape[1:] for grid, _, _ in parts])
    rows, columns = ((shapes - 1).sum(axis=0) + 1).tolist()
    padded = next_fast_len(rows, real=True), next_fast_len(columns, real=True)
    stacked = np.zeros((len(parts), *shapes.max(axis=0)))
    for place, (grid, _, _) in zip(stacked, parts, strict=True):
        place[: grid.shape[1], : grid.shape[2]] = grid[0]
    joint = irfft2(rfft2(stacked, padded).prod(axis=0), padded)[:rows, :columns]
    # What rounding in the transforms leaves of 0, so that what cannot be has probability 0.
    rounding = np.finfo(float).eps * math.log2(padded[0] * padded[1])
    noise = rounding * np.linalg.norm(stacked, axis=(1, 2)).prod()
    return (
        np.where(joint > noise, joint, 0.0),
        sum(left for _, left, _ in parts) + np.arange(rows),
        sum(right for _, _, right in parts) + np.arange(columns),
    )


def _holders(
    joint: FloatArray, n_left: IntArray, n_right: IntArray, q: int
) -> tuple[FloatArray, FloatArray, float]:
    """Return `strict`, `shared` and `p_tie` of `RegionCounts` from the joint distribution."""
    left = n_left[:, None]
    right = n_right[None, :]
    rope = q - left - right
    # Which regions hold the most: 1 for left, 2 for the rope, 4 for right, added up.
    who = 1 * ((left >= rope) & (left >= right)) + 2 * ((rope >= left) & (rope >= right))
    who += 4 * ((right >= left) & (right >= rope))
    mass = np.bincount(who.ravel(), joint.ravel(), minlength=8) / joint.sum()
    left_rope = mass[3]
    left_right = mass[5]
    rope_right = mass[6]
    all_three = mass[7]
    strict = mass[np.array([1, 2, 4])]
    two = np.stack([left_rope + left_right, left_rope + rope_right, left_right + rope_right])
    shared = _normalised(strict + two / 2 + all_three / 3)
    return strict, shared, float(left_rope + left_right + rope_right + all_three)


def _normalised(p: FloatArray) -> FloatArray:
    total: float = (p[0] + p[2]) + p[1]
    return np.array(p / total)


# Pairs computed together: progress is reported between such blocks.
PAIRS = 64


@dataclass(frozen=True, eq=False, kw_only=True)
class PoissonBinomialDatasets(DatasetsResult):
    """The answers of the Bayesian correlated t-test on each of the q data sets.

    p_better : (q,) P(μ > 0), the probability that right is better by any amount.
    """

    p_better: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class PoissonBinomialResult(PopulationResult):
    """Answer of the Poisson-binomial test; exact, and about these q data sets only.

    Each data set is in the left, the rope's or the right region with its posterior
    probabilities, independently of the others.

    probabilities : that the left, the rope's, the right region holds the most data sets; where
        several hold the most they share the probability equally, so that the three sum to 1.
    strict : left, rope, right: that the region holds more data sets than either other.
    p_tie : that several hold the most: 1 less the sum of `strict`.
    distribution : (q + 1,) probability that right is better by any amount, rope or not, on exactly
        0, 1, …, q data sets (CB 2015 eq. 10).
    p_left_majority, p_even, p_right_majority : by the same count, that left is better on more than
        half of the data sets, either on exactly half, right on more than half.
    datasets : the probabilities that are counted.
    nhst : the binomial sign test.
    wilcoxon : the signed-rank test, the contrast of CB 2015 §4.
    """

    about_these: ClassVar[bool] = True
    scope = " on the largest share of these data sets"
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
    def contrasts(self) -> tuple[Contrast, ...]:
        """The sign test, and Wilcoxon's in a column of its own."""
        return Contrast.of(self.nhst), Contrast.of(self.wilcoxon)

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
    paper: ClassVar[str] = "Corani and Benavoli 2015"

    view: ClassVar[str] = "is about these data sets only"

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
        each = _of_each(SufficientStatistics.concatenated(pairs), rope)
        ends = np.cumsum([len(pair) for pair in pairs])
        results: dict[int, PoissonBinomialResult] = {}
        for chunk in same_size(pairs, PAIRS):
            stacked = np.stack([each[:, ends[i] - len(pairs[i]) : ends[i]] for i in chunk])
            for i, of_pair, count in zip(chunk, stacked, count_regions(stacked), strict=True):
                results[i] = _result(pairs[i], of_pair, count)
            progress(len(results), len(pairs))
        return [results[i] for i in range(len(pairs))]

    def test_simulated(self, results: SimulatedResults, rope: Rope) -> FloatArray:
        """Return (3, R) probabilities of simulated results, without the rest of the answers."""
        count, q = results.mean.shape
        flat = results.flat()
        each = np.moveaxis(_of_each(flat, rope).reshape(5, count, q), 1, 0)
        blocks = [each[first : first + PAIRS] for first in range(0, count, PAIRS)]
        shared = [counts.shared for block in blocks for counts in count_regions(block)]
        withheld = _lacks_spread(flat).reshape(count, q).all(axis=1)
        return np.where(withheld, np.nan, np.stack(shared, axis=1))


@in_one_thread
def poisson_binomial_test(
    x: Iterable[object],
    y: Iterable[object] | None = None,
    *,
    rho: ArrayLike,
    rope: RopeLike = DEFAULT_ROPE,
) -> PoissonBinomialResult:
    """Poisson-binomial test on the paired differences of several data sets.

    The probabilities of the three regions on each data set are those of the Bayesian correlated
    t-test under the matching prior.

    Parameters
    ----------
    x, y : q arrays each of shape (n_i,), the scores of left and right on the folds of data set i.
        Without y, x are the differences y - x already.
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
    statistics = SufficientStatistics.from_differences(differences_of(x, y), rho)
    return PoissonBinomial().test(statistics, Rope.of(rope))


def _of_each(statistics: SufficientStatistics, rope: Rope) -> FloatArray:
    """Return (5, q) probabilities of left, rope and right, and of left and right being better."""
    posterior = CorrelatedT().posterior(statistics)
    better = posterior.p_better(-1), posterior.p_better(1)
    return np.stack([*posterior.regions(rope), *better])


def _lacks_spread(statistics: SufficientStatistics) -> BoolArray:
    """Return (q,) whether a data set has no verdict, as its differences are all equal."""
    return np.asarray(statistics.lacks_spread & ~FEW_BINARY_ITEMS.applies(statistics))


def _result(
    pair: SufficientStatistics, each: FloatArray, count: RegionCounts
) -> PoissonBinomialResult:
    q = len(pair)
    no_spread = _lacks_spread(pair)
    left, middle, right = count.strict.tolist()
    notes = (*tie_notes(pair.mean), *CorrelatedT().notes(pair))
    datasets = PoissonBinomialDatasets(
        probabilities=RegionProbabilities(left=each[0], rope=each[1], right=each[2]),
        withheld=no_spread,
        p_better=each[4],
    )

    # the numbers of data sets won: a majority from either end, and what is between
    majority = (q + 1) // 2
    won = count.distribution
    p_left_majority = float(won[:majority].sum())
    p_even = float(won[majority:-majority].sum())
    p_right_majority = float(won[::-1][:majority].sum())
    return PoissonBinomialResult(
        probabilities=RegionProbabilities(*count.shared.tolist()),
        error=None,
        nhst=binomial_sign_test(pair.mean),
        wilcoxon=wilcoxon(pair.mean),
        withheld=NO_SPREAD if q and no_spread.all() else None,
        datasets=datasets,
        notes=tuple({note.code: note for note in notes}.values()),
        strict=(left, middle, right),
        p_tie=count.p_tie,
        distribution=read_only(count.distribution),
        p_left_majority=p_left_majority,
        p_even=p_even,
        p_right_majority=p_right_majority,
    )
