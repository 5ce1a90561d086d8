"""The Bayesian signed-rank test: two classifiers on several data sets, from mean differences.

Source: Benavoli, Corani, Demšar & Zaffalon 2017 (JMLR 18), "Tutorial", eq. 9 and 11.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bcompare.basis.messages import InputError, Note, arg
from bcompare.basis.progress import Progress, no_progress
from bcompare.basis.threads import in_one_thread
from bcompare.data.rope import DEFAULT_ROPE, FloatArray, IntArray, Rope, RopeLike
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.interface import PopulationResult, same_size
from bcompare.methods.mean_differences import (
    PRIOR_PLACES,
    MeansMethod,
    PriorPlace,
    mean_differences,
    mirrored_place,
)
from bcompare.methods.result_parts import ErrorEstimate, option, restored, with_options_of
from bcompare.methods.wilcoxon import TIE_SLACK, wilcoxon


@dataclass(frozen=True, eq=False, slots=True)
class Staircase:
    """A symmetric set of pairs (i, j), of which row i holds the first k_i columns.

    The test (Tutorial eq. 11) asks for Σ_ij w_i w_j 1[z_i + z_j < c] under thousands of weight
    vectors w. With z ascending, the pairs that count form a staircase: k never rises. With the
    cumulated weights C one row is then w_i C[k_i], so a draw costs O(q) instead of O(q²), and the
    cumulated weights are shared by every pair of classifiers.

    square : the largest d for which the first d rows hold the first d columns.
    edges, width : (g + 1,) and (g,) the rows below the square, edges[j] ≤ i < edges[j + 1] together
        for those of equal k_i = width > 0. By symmetry each stands also for its column next to the
        square.
    """

    square: int
    edges: IntArray
    width: IntArray

    @classmethod
    def of_rows(cls, widths: IntArray) -> "Staircase":
        """The staircase with row widths k_0 ≥ k_1 ≥ …, equal to its transpose."""
        q = len(widths)
        square = int(np.count_nonzero(widths > np.arange(q)))
        bottom = int(np.count_nonzero(widths))
        below = widths[square:bottom]
        start = square + np.flatnonzero(np.diff(below, prepend=-1))
        return cls(square, np.append(start, bottom), widths[start])

    def weight(self, cumulated: FloatArray) -> FloatArray:
        """Σ w_i w_j over the pairs, for each column of weights.

        cumulated : (q + 1, draws) sums of the first 0, 1, …, q weights. Returns (draws,).
        """
        edges = cumulated[self.edges]
        rows = edges[1:] - edges[:-1]
        rows *= cumulated[self.width]
        return np.asarray(cumulated[self.square] ** 2 + 2 * rows.sum(axis=0))


@dataclass(frozen=True, eq=False, slots=True)
class Border:
    """Pair sums below a border, which is twice one end of the rope.

    A sum on the border counts half: the answer is the mean over the pairs strictly below it and
    those below or on it, of which only one is kept where they are the same.

    staircases : of those pairs, one or two.
    at_zero : how many values lie below the border, for each staircase: the same for the
        sums with a pseudo-observation at 0.
    zero : share of the pseudo-observation's sum with itself that lies below.
    """

    staircases: tuple[Staircase, ...]
    at_zero: tuple[int, ...]
    zero: float

    @classmethod
    def of(cls, z: FloatArray, rope: Rope, end: float) -> "Border":
        """The border of ascending values `z` at one end of the rope: its low or its high."""
        values = np.append(z, 0.0)
        slack = np.maximum(2 * rope.slack, TIE_SLACK * np.abs(values))
        strict = np.searchsorted(z, 2 * end - values - slack, side="left")
        weak = np.searchsorted(z, 2 * end - values + slack, side="right")
        zero = 0.5 if end == 0 else float(end > 0)
        kept = [strict] if np.array_equal(strict, weak) else [strict, weak]
        if end == 0 and not rope.is_empty:
            # A rope that ends at 0 holds the sums of 0, for no difference does not matter.
            at_low_end = rope.low == 0
            kept, zero = ([strict], 0.0) if at_low_end else ([weak], 1.0)
        return cls(
            staircases=tuple(Staircase.of_rows(widths[:-1]) for widths in kept),
            at_zero=tuple(int(widths[-1]) for widths in kept),
            zero=zero,
        )

    def weight(self, cumulated: FloatArray) -> FloatArray:
        """Weight of the pairs of data sets whose sum lies below, for each column of weights.

        cumulated : (q + 1, draws) sums of the first 0, 1, …, q weights. Returns (draws,).
        """
        return _mean([staircase.weight(cumulated) for staircase in self.staircases])

    def prior_weight(self, cumulated: FloatArray, prior: FloatArray) -> FloatArray:
        """Weight that a pseudo-observation at 0, of weight `prior`, adds to `weight`: (draws,)."""
        data = _mean([cumulated[count] for count in self.at_zero])
        return np.asarray(prior * (2 * data + self.zero * prior))


def _mean(arrays: list[FloatArray]) -> FloatArray:
    return arrays[0] if len(arrays) == 1 else (arrays[0] + arrays[1]) / 2


# Two regions' θ closer than this, relative to their sum, are equal: rounding must not decide
# where they are equal by construction, and by chance they are never so close.
EQUAL = 1e-12
# The share of the pseudo-observation's sums that lies below any border, where its place says so.
BELOW: dict[PriorPlace, float] = {"left": 1.0, "split": 0.5, "right": 0.0}
# Weights held at once, which bounds the memory to a few megabytes whatever q and the draws.
BLOCK = 2**18
# Of fewer data sets a block would be too long for the processor's cache.
LEAST_ROWS = 32
# A Monte Carlo error that could turn a verdict.
LARGE_ERROR = 0.01
# Draws that suffice where the test is run thousands of times.
ENOUGH_DRAWS = 10_000
# More draws than these show nothing, and those of a picture are held all at once.
MOST_DRAWS = 10_000_000
# Pairs that go through the draws together: progress is reported between them.
PAIRS = 512


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SignedRankResult(PopulationResult):
    """Answer of the Bayesian signed-rank test (Tutorial eq. 11).

    probabilities : that the left, the rope's, the right region is the most probable one for
        half the sum of two further data sets' mean differences: the share of the draws in
        which its θ is the largest.
    error : Monte Carlo standard error of the least certain of the three.
    sensitivity : `probabilities` under each place of the prior, by the same draws.
    datasets : which region each data set's mean difference is in, as 0 or 1.
    nhst : the Wilcoxon signed-rank test.
    """

    # Pairs of data sets vote, not single ones.
    scope = " on average over two new data sets"


@dataclass(frozen=True)
class SignedRank(MeansMethod):
    """The Bayesian signed-rank test; see `signed_rank_test`.

    prior_strength : weight of the prior's pseudo-observation, in data sets.
    prior_place : where it is: `rope` at 0, as Tutorial eq. 11 has it; `left` and `right` at
        either infinity (Tables 10 and 11); `split` counts every pair with it half to the left
        and half to the right (Table 9). These three tables were made with strength 0.4, not with
        the 0.5 that the Tutorial states.
    draws : of the Dirichlet weights. More draws continue the same sequence.
    seed : of the draws.
    exact : an exact Wilcoxon p-value also with ties, zeros or more than 25 differences.
    """

    name: ClassVar[str] = "signrank"
    title: ClassVar[str] = "Bayesian signed-rank test"
    paper: ClassVar[str] = "Benavoli et al. 2017"
    about: ClassVar[str] = "Uses the mean difference on each data set, but not how uncertain it is."
    task_seconds: ClassVar[float] = 2.0  # the pairs of a task share the draws

    draws: int = field(
        default=150_000, metadata=option("Monte Carlo draws; more lower the error.", metavar="N")
    )
    seed: int = 0
    exact: bool = field(
        default=False, metadata=option("An exact p-value of Wilcoxon's test, also with ties.")
    )

    def describe(self) -> str:
        """Return prior, draws and seed in words."""
        return f"{super().describe()} · {self.draws:,} draws, seed {self.seed}"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.draws < 1:
            raise InputError(f"{self.draws} draws: give a positive number, such as 150000")
        if self.draws > MOST_DRAWS:
            raise InputError(
                f"{self.draws:,} draws: give at most {MOST_DRAWS}, with which the Monte Carlo "
                "error is below 0.0002"
            )
        if self.seed < 0:
            raise InputError(f"seed {self.seed}: give a whole number of at least 0")

    def effort(self, datasets: int) -> float:
        """Return seconds a pair: every draw goes over every data set."""
        return 1e-3 + self.draws * (1e-8 + 7e-10 * datasets)

    def economical(self) -> "SignedRank":
        """Return the test with draws enough to tell whether a probability is above 0.95."""
        return replace(self, draws=min(self.draws, ENOUGH_DRAWS))

    def from_means(
        self, means: Sequence[ArrayLike], rope: Rope, progress: Progress = no_progress
    ) -> list[SignedRankResult]:
        """Many pairs, each given as its (q,) mean differences."""
        differences = [mean_differences(values) for values in means]
        probabilities = np.empty((len(differences), len(PRIOR_PLACES), 3))
        done = 0
        for chunk in same_size(differences, PAIRS):
            sides = [_Oriented.of(differences[i], rope) for i in chunk]
            wins = np.zeros((len(chunk), len(PRIOR_PLACES), 3))
            even: list[bool] = []
            for weights in self._weights(len(differences[chunk[0]])):
                block = _Block.of(*weights)
                single = _Block.of(*(w.astype("f4") for w in weights))
                even = even or [side.has_ties(block) for side in sides]
                for k, side in enumerate(sides):
                    wins[k] += side.shared_wins(block) if even[k] else side.wins(single)
            for k, side in enumerate(sides):
                probabilities[chunk[k]] = restored(wins[k] / self.draws, side.lean, _mirrored)
            done += len(chunk)
            progress(done, len(differences))
        return [self._result(z, rope, p) for z, p in zip(differences, probabilities, strict=True)]

    def draw_theta(self, statistics: SufficientStatistics, rope: Rope) -> FloatArray:
        """(draws, 3) of θ_left, θ_rope and θ_right; the draws behind the probabilities."""
        z = mean_differences(statistics.mean)
        side = _Oriented.of(z, rope)
        place = mirrored_place(self.prior_place) if side.lean < 0 else self.prior_place
        blocks = (_Block.of(*weights) for weights in self._weights(z.size))
        theta = np.concatenate([(side.masses(b)[place] / b.everything).T for b in blocks])
        return theta[:, ::-1] if side.lean < 0 else theta

    def _weights(self, q: int) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Blocks of draws of the Dirichlet weights, up to their sum, which no question needs.

        Yields the (q + 1, block) cumulated weights of the data sets and the (block,) weights of
        the pseudo-observation. The draws do not depend on the size of the blocks.
        """
        data_stream, prior_stream = np.random.default_rng(self.seed).spawn(2)
        block = max(1, BLOCK // max(q + 1, LEAST_ROWS))
        for start in range(0, self.draws, block):
            size = min(block, self.draws - start)
            cumulated = np.zeros((q + 1, size))
            np.cumsum(data_stream.standard_exponential((size, q)).T, axis=0, out=cumulated[1:])
            yield cumulated, prior_stream.standard_gamma(self.prior_strength, size)

    def _result(self, z: FloatArray, rope: Rope, probabilities: FloatArray) -> SignedRankResult:
        # The standard deviation of the posterior of a share under Jeffreys' prior: unlike
        # √(p(1-p)/draws) it is not 0 where every draw fell in the same region.
        chosen = probabilities[PRIOR_PLACES.index(self.prior_place)]
        share = (chosen * self.draws + 0.5) / (self.draws + 1)
        error = float(np.sqrt(share * (1 - share) / (self.draws + 2)).max())
        common = self.common_fields(z, rope.shares(z), probabilities)
        if error > LARGE_ERROR:
            common["notes"] += (
                Note(
                    "few-draws",
                    "warning",
                    f"the probabilities have a Monte Carlo error of {error:.2g}: take more draws "
                    f"({arg('draws')}) before you rely on a verdict",
                ),
            )
        return SignedRankResult(
            **common,
            error=ErrorEstimate("monte-carlo", error),
            nhst=wilcoxon(z, exact=self.exact or None),
        )


@in_one_thread
@with_options_of(SignedRank)
def signed_rank_test(
    x: ArrayLike, y: ArrayLike | None = None, *, rope: RopeLike = DEFAULT_ROPE, **options: Any
) -> SignedRankResult:
    """Bayesian signed-rank test on the mean differences of several data sets.

    Swapping left and right swaps the probabilities exactly, and the order of the data sets
    changes nothing.

    Parameters
    ----------
    x, y : (q,) mean scores of left and right on each data set. Without y, x are the differences
        y - x already.
    rope : half-width, (low, high) or Rope, in the scores' unit.
    options : of `SignedRank`.

    Raises
    ------
    InputError : no difference, one that is not finite, a prior that cannot be, no draws.

    Examples
    --------
    >>> result = signed_rank_test([0.02, 0.03, 0.0, 0.04, -0.005], rope=0.01)
    >>> round(result.probabilities.right, 2)
    0.77
    """
    differences = x if y is None else np.subtract(y, x)
    return SignedRank(**options).from_means([differences], Rope.of(rope))[0]


@dataclass(frozen=True, eq=False, slots=True)
class _Oriented:
    """Of one pair of classifiers and its mirror image the one that leans to the right.

    low, high : the rope's borders for the sums of the ascending mean differences.
    lean : see `restored`.
    """

    low: Border
    high: Border
    lean: float

    @classmethod
    def of(cls, differences: FloatArray, rope: Rope) -> "_Oriented":
        z = np.sort(differences)
        lean = _lean(z, rope)
        if lean < 0:
            z = 0.0 - z[::-1]
            rope = rope.mirrored()
        return cls(Border.of(z, rope, rope.low), Border.of(z, rope, rope.high), lean)

    def masses(self, block: "_Block") -> dict[PriorPlace, FloatArray]:
        """θ_left, θ_rope, θ_right, times the squared sum of the weights: (3, draws) a place."""
        low = self.low.weight(block.cumulated)
        high = self.high.weight(block.cumulated)
        added = self._added(block)
        masses = {}
        for place in PRIOR_PLACES:
            more, most = added[place]
            left = low + more
            not_right = high + most
            masses[place] = np.stack([left, not_right - left, block.everything - not_right])
        return masses

    def _added(self, block: "_Block") -> dict[PriorPlace, tuple[FloatArray, FloatArray]]:
        """What the pseudo-observation adds below the low and below the high border, by place."""
        weights = block.cumulated, block.prior
        at_zero = self.low.prior_weight(*weights), self.high.prior_weight(*weights)
        return {"rope": at_zero, **block.added}

    def wins(self, block: "_Block") -> FloatArray:
        """How often each region is the largest, (places, 3), where none are equally large.

        With a the mass of left and b that of left and the rope, of 1 in all, left is larger than
        the rope where 2a - b > 0, left than right where a + b > 1, and the rope than right where
        2b - a > 1: sums to which the pseudo-observation adds. Single precision suffices, as it
        turns one draw in a million.
        """
        low = self.low.weight(block.cumulated)
        high = self.high.weight(block.cumulated)
        sums = 2 * low - high, low + high, 2 * high - low
        borders = {"rope": block.to_exceed(*self._added(block)["rope"]), **block.borders}
        wins = []
        for place in PRIOR_PLACES:
            over_rope, left_over_right, over_right = map(np.greater, sums, borders[place])
            left = np.count_nonzero(over_rope & left_over_right)
            rope = np.count_nonzero(over_right > over_rope)
            wins.append((left, rope, over_rope.size - left - rope))
        return np.array(wins, dtype=np.float64)

    def _largest(self, block: "_Block") -> Iterator[NDArray[np.bool_]]:
        """Yield for each place which of the (3, draws) regions are the largest."""
        near = EQUAL * block.everything
        for masses in self.masses(block).values():
            yield masses >= masses.max(axis=0) - near

    def shared_wins(self, block: "_Block") -> FloatArray:
        """How often each region is the largest, (places, 3); equal ones share a draw."""
        shares = (largest / largest.sum(axis=0) for largest in self._largest(block))
        return np.array([share.sum(axis=1) for share in shares])

    def has_ties(self, block: "_Block") -> bool:
        """Whether two regions are the largest together: by construction, so in many draws.

        They hold different pairs of data sets, but for those on a border, of which each has half.
        """
        if len(self.low.at_zero) + len(self.high.at_zero) == 2:
            return False
        draws = len(block.everything)
        return any(np.count_nonzero(largest) > draws for largest in self._largest(block))


@dataclass(frozen=True, eq=False, slots=True)
class _Block:
    """A block of draws of the weights, and what all pairs take from it.

    cumulated, prior : see `SignedRank._weights`.
    everything : (draws,) squared sum of all weights.
    added : of the places that are no data's what the pseudo-observation adds below either border.
    borders : of these what the sums in `_Oriented.wins` must exceed.
    """

    cumulated: FloatArray
    prior: FloatArray
    everything: FloatArray
    added: dict[PriorPlace, tuple[FloatArray, FloatArray]]
    borders: dict[PriorPlace, tuple[FloatArray, FloatArray, FloatArray]]

    @classmethod
    def of(cls, cumulated: FloatArray, prior: FloatArray) -> "_Block":
        everything = (cumulated[-1] + prior) ** 2
        pairs = prior * (2 * cumulated[-1] + prior)
        added = {place: (share * pairs, share * pairs) for place, share in BELOW.items()}
        block = cls(cumulated, prior, everything, added, {})
        block.borders.update({place: block.to_exceed(*cells) for place, cells in added.items()})
        return block

    def to_exceed(
        self, low: FloatArray, high: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The three borders where the pseudo-observation adds so much below the rope's ends."""
        everything = self.everything
        return high - 2 * low, everything - low - high, everything + low - 2 * high


def _mirrored(probabilities: FloatArray) -> FloatArray:
    """The (places, 3) probabilities after left and right are swapped."""
    return probabilities[[PRIOR_PLACES.index(mirrored_place(p)) for p in PRIOR_PLACES], ::-1]


def _lean(z: FloatArray, rope: Rope) -> float:
    """Return a number whose sign turns with left and right; 0 for a pair that is symmetric."""
    sums = z + z[::-1]
    size = np.maximum(np.abs(z), np.abs(z[::-1]))
    uneven = np.flatnonzero(np.abs(sums) > TIE_SLACK * size)
    if uneven.size:
        return float(sums[uneven[0]])
    lean = rope.low + rope.high
    return lean if abs(lean) > rope.slack else 0.0
