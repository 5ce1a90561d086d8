"""Two classifiers on test items that each gets right or wrong: the exact posterior, and McNemar.

An item is one of three things: left alone is right, both or neither are, right alone is. With a
Dirichlet prior on the three probabilities the posterior is Dirichlet. The prior (1, 2, 1) is the
uniform one on the 2 × 2 table of outcomes. The difference of the accuracies is θ_right - θ_left.

With S = θ_left + θ_right ~ Beta(a_left + a_right, a_neither) and, independent of it,
U = θ_right / S ~ Beta(a_right, a_left), the difference is S (2U - 1), so that

    P(difference > r) = ∫ P(U > (1 + r/s)/2) f_S(s) ds

is one integral over a Beta density, done here by double exponential quadrature: no sampling.
Frequentist contrast: McNemar's exact test, the binomial test on the items that tell the two apart.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import betainc, betaincinv, betaln

from bcompare.basis.messages import InputError, Note, arg, counted
from bcompare.data.rope import BoolArray, FloatArray, IntArray, RegionProbabilities, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.result_parts import Interval, part_of, prior_term
from bcompare.methods.student import (
    MATCHING,
    NormalGamma,
    Side,
    StudentPosterior,
    crossing,
    double_exponential,
    student_posterior,
)
from bcompare.methods.unpaired import unpaired_posterior

PRIOR = (1.0, 2.0, 1.0)
# The number of items that the default prior counts like.
PRIOR_STRENGTH = sum(PRIOR)
WEAKEST, STRONGEST = 0.1, 1e6

# With fewer items that only one model got right, the t interval of 0/1 items is too narrow: it
# covers 0.75 for 0.95 at 30 items, and calls one loss in 300 items equivalent (0.977 for 0.880).
FEW_DISCORDANT = 100

# Priors of the two tails of a gate: one more item, which speaks for the tail. A gate reads the one
# that is less probable. With losses alone the tails are those of Clopper and Pearson 1934.
CAUTIOUS = ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))

# Mass of S left out at either end.
NEGLIGIBLE = 1e-20
# Within this angle of either end S is 0 or 1, whose share may be all that there is.
END = 1e-8


@dataclass(frozen=True, slots=True)
class PairedBinary:
    """When 0/1 items get their exact posterior, and under which prior.

    strength : of the Dirichlet prior (1, 2, 1), in items.

    Raises
    ------
    InputError : a strength that is not positive, or very large or small.
    """

    strength: float = field(default=PRIOR_STRENGTH, metadata=prior_term("strength"))

    def __post_init__(self) -> None:
        if not WEAKEST <= self.strength <= STRONGEST:
            raise InputError(
                f"prior strength {self.strength:g}: give a number from {WEAKEST:g} to "
                f"{STRONGEST:g}, such as 4; it counts like that many items"
            )

    @property
    def prior(self) -> tuple[float, ...]:
        """The parameters of the Dirichlet prior."""
        return tuple(share * self.strength / PRIOR_STRENGTH for share in PRIOR)

    def describe(self) -> str:
        """Return those parameters in words."""
        return f"({', '.join(f'{part:g}' for part in self.prior)})"

    def applies(self, statistics: SufficientStatistics) -> BoolArray:
        """(q,) which data sets have their exact posterior."""
        scored = scored_01(statistics)
        if not scored.any():
            return scored
        left, right = discordant(statistics)
        return np.asarray(scored & (left + right < FEW_DISCORDANT))

    def notes(self, statistics: SufficientStatistics) -> tuple[Note, ...]:
        """Say where the posterior is exact."""
        exact = self.applies(statistics)
        if not exact.any():
            return ()
        names = [statistics.names[i] for i in np.flatnonzero(exact)]
        return (
            Note(
                "exact-posterior",
                "info",
                f"fewer than {FEW_DISCORDANT} answers differ on {counted(names, 'data set')}, so "
                "the posterior is exact",
            ),
        )


# The default: where fewer than 100 of 0/1 items are discordant.
FEW_BINARY_ITEMS = PairedBinary()


def scored_01(statistics: SufficientStatistics) -> BoolArray:
    """(q,) which data sets are test items that are right or wrong."""
    return np.asarray(statistics.binary & statistics.unit.has_answers)


def discordant(statistics: SufficientStatistics) -> tuple[IntArray, IntArray]:
    """(q,) the number of items that left alone got right, and that right alone did.

    Derived from the mean and the sum of squares of differences that are -1, 0 or 1.
    """
    total = statistics.n * statistics.mean
    squares = statistics.ss + total * statistics.mean
    left = np.rint((squares - total) / 2)
    right = np.rint((squares + total) / 2)
    return np.maximum(left, 0).astype(np.int64), np.maximum(right, 0).astype(np.int64)


@dataclass(frozen=True, eq=False, slots=True)
class PairedBinaryPosterior:
    """Posterior of (θ_left, θ_neither, θ_right) on q data sets: Dirichlet parameters, (q,) each."""

    left: FloatArray
    neither: FloatArray
    right: FloatArray

    @classmethod
    def of(
        cls, statistics: SufficientStatistics, prior: Sequence[float] = PRIOR
    ) -> "PairedBinaryPosterior":
        """The posterior of test items under a Dirichlet prior."""
        left, right = discordant(statistics)
        counts = left, statistics.n - left - right, right
        return cls(*(np.asarray(count + p) for count, p in zip(counts, prior, strict=True)))

    @property
    def mean(self) -> FloatArray:
        """(q,) posterior mean of the difference."""
        return (self.right - self.left) / (self.left + self.neither + self.right)

    @property
    def sd(self) -> FloatArray:
        """(q,) posterior standard deviation of the difference."""
        total = self.left + self.neither + self.right
        second = (self.left + self.right) / total
        return np.sqrt((second - self.mean**2) / (total + 1))

    def averaged(self, prior: Sequence[float]) -> "PairedBinaryPosterior":
        """The average of the q differences, as that of one Dirichlet with its mean and variance.

        prior : that of each parameter, of which the average has one alone, an equal part in each
            data set; else many small data sets would draw it to 0. The variance of few items is
            (n - 1)/(n + 1) of the unbiased one, for which many are corrected and one is not.
        """
        q = len(self.left)
        pseudo_counts = np.array(prior)[:, None]
        parameters = np.stack([self.left, self.neither, self.right])
        n = (parameters - pseudo_counts).sum(axis=0)
        parameters = parameters - (1 - 1 / q) * pseudo_counts
        one = PairedBinaryPosterior(*parameters)
        left, _, right = mean = (parameters / parameters.sum(axis=0)).mean(axis=1)
        corrected = one.sd**2 * (1 + 2 * (1 - 1 / q) / (n - 1))
        variance = corrected.sum() / q**2
        total = parameters.sum()  # where no data set leaves any other possibility
        if variance > 0:
            total = (left + right - (right - left) ** 2) / variance - 1
        return PairedBinaryPosterior(*(total * mean)[:, None])

    def p_better(self, side: Side) -> FloatArray:
        """(q,) P(θ_left > θ_right) for side -1, P(θ_right > θ_left) for side 1."""
        worse, better = (self.left, self.right)[::side]
        return np.asarray(betainc(worse, better, 0.5))

    def regions(self, rope: Rope) -> RegionProbabilities[FloatArray]:
        """Probability of each region of the difference."""
        low = np.full(len(self.left), abs(rope.low))
        high = np.full(len(self.left), abs(rope.high))
        left = _ahead_by(low, self.left, self.right, self.neither)
        right = _ahead_by(high, self.right, self.left, self.neither)
        middle = np.zeros_like(left) if rope.is_empty else np.maximum(1 - (left + right), 0.0)
        return RegionProbabilities(left=left, rope=middle, right=right)

    def above(self, threshold: FloatArray) -> FloatArray:
        """(q,) P(difference > threshold), for a threshold of either sign for each data set."""
        ahead = threshold >= 0
        better = np.where(ahead, self.right, self.left)
        worse = np.where(ahead, self.left, self.right)
        p = _ahead_by(np.abs(threshold), better, worse, self.neither)
        return np.where(ahead, p, 1 - p)

    def intervals(self, levels: Sequence[float]) -> tuple[Interval[FloatArray], ...]:
        """Equal-tailed intervals of the difference, one a level."""
        return tuple(
            Interval(level, self._quantile((1 - level) / 2), self._quantile((1 + level) / 2))
            for level in levels
        )

    def curve(self, i: int, points: int = 201) -> tuple[FloatArray, FloatArray]:
        """Grid and density of the i-th data set's difference, (points,) each."""
        one = np.array([i])
        edge = np.full(points + 1, i)
        (span,) = part_of(self, one).intervals([0.9999])
        edges = np.linspace(span.low[0], span.high[0], points + 1)
        density = -np.diff(part_of(self, edge).above(edges)) / np.diff(edges)
        return (edges[1:] + edges[:-1]) / 2, density

    def _quantile(self, p: float) -> FloatArray:
        """(q,) quantiles of the difference.

        The search is over u, where the difference is mean + sd sinh u: fine about the middle,
        and far out all the same.
        """
        mean = self.mean
        sd = self.sd

        def difference(u: FloatArray) -> FloatArray:
            return np.clip(mean + sd * np.sinh(u), -1.0, 1.0)

        high = np.arcsinh(2 / sd)
        return difference(crossing(lambda u: 1 - p - self.above(difference(u)), -high, high))


@dataclass(frozen=True, eq=False, slots=True)
class ItemPosterior(StudentPosterior):
    """Student posteriors, but exact ones where 0/1 items are few.

    There `dof` is NaN, `location` the posterior mean and `scale` the posterior standard deviation;

    left, neither, right : (q,) parameters of the Dirichlet posterior, NaN elsewhere.
    prior : the part of these three that is the prior's.
    """

    left: FloatArray
    neither: FloatArray
    right: FloatArray
    prior: tuple[float, ...] = field(default=PRIOR, repr=False)

    @property
    def exact(self) -> BoolArray:
        """(q,) where the posterior is the exact one."""
        return np.isnan(self.dof)

    def p_better(self, side: Side) -> FloatArray:
        """(q,) P(difference < 0) for side -1, P(difference > 0) for side 1."""
        p = StudentPosterior.p_better(self, side)
        p[self.exact] = self._dirichlet().p_better(side)
        return p

    def regions(self, rope: Rope) -> RegionProbabilities[FloatArray]:
        """Probability of each region."""
        student = StudentPosterior.regions(self, rope)
        exact = self._dirichlet().regions(rope)
        for name in ("left", "rope", "right"):
            getattr(student, name)[self.exact] = getattr(exact, name)
        return student

    def curve(self, i: int, points: int = 401) -> tuple[FloatArray, FloatArray]:
        """Grid and density of the i-th data set's posterior."""
        if not self.exact[i]:
            return StudentPosterior.curve(self, i, points)
        return self._dirichlet().curve(int(self.exact[:i].sum()), points)

    def intervals(self, levels: Sequence[float]) -> tuple[Interval[FloatArray], ...]:
        """Credible intervals: equal-tailed, which for a Student are those of highest density."""
        student = StudentPosterior.intervals(self, levels)
        parameters = np.stack([self.left, self.neither, self.right])[:, self.exact]
        distinct, where = np.unique(parameters, axis=1, return_inverse=True)
        exact = PairedBinaryPosterior(*distinct).intervals(levels)
        for ours, theirs in zip(student, exact, strict=True):
            ours.low[self.exact] = theirs.low[where.ravel()]
            ours.high[self.exact] = theirs.high[where.ravel()]
        return student

    def items_average(self) -> PairedBinaryPosterior:
        """The average over the exact data sets."""
        return self._dirichlet().averaged(self.prior)

    def _dirichlet(self) -> PairedBinaryPosterior:
        """Of the exact data sets only."""
        parts = (part[self.exact] for part in (self.left, self.neither, self.right))
        return PairedBinaryPosterior(*parts)


def item_posterior(
    student: StudentPosterior,
    statistics: SufficientStatistics,
    exact: BoolArray,
    prior: tuple[float, ...] = PRIOR,
) -> StudentPosterior:
    """The posteriors, exact where `exact` says so."""
    if not exact.any():
        return student
    items = PairedBinaryPosterior.of(statistics, prior)
    return ItemPosterior(
        dof=np.where(exact, np.nan, student.dof),
        location=np.where(exact, items.mean, student.location),
        scale=np.where(exact, items.sd, student.scale),
        left=np.where(exact, items.left, np.nan),
        neither=np.where(exact, items.neither, np.nan),
        right=np.where(exact, items.right, np.nan),
        prior=prior,
    )


def matching_posterior(
    statistics: SufficientStatistics,
    prior: NormalGamma = MATCHING,
    binary: PairedBinary = FEW_BINARY_ITEMS,
) -> StudentPosterior:
    """The posteriors, exact for few 0/1 items; by default under the matching prior.

    Raises
    ------
    InputError : another prior, where both sides share nothing.
    """
    if statistics.sides is not None:
        if prior != MATCHING or binary != FEW_BINARY_ITEMS:
            raise InputError(
                "the prior is one of differences, and sides that share nothing have none: each "
                f"side has Jeffreys' prior; leave out {arg('prior')}"
            )
        return unpaired_posterior(statistics)
    exact = binary.applies(statistics)
    return item_posterior(student_posterior(statistics, prior), statistics, exact, binary.prior)


def _ahead_by(
    threshold: FloatArray, better: FloatArray, worse: FloatArray, neither: FloatArray
) -> FloatArray:
    """(q,) P(θ_better - θ_worse > threshold) for thresholds of at least 0; all (q,).

    A parameter may be 0: its θ is then 0. A threshold may be above 1.
    """
    a = better + worse
    b = neither
    # With s = sin²φ the density has no worse ends than its parameters make it. Nothing is ahead
    # below the angle of the threshold. Angles are kept as distances from both ends, so that none
    # cancels.
    border = np.arcsin(np.sqrt(np.minimum(threshold, 1.0)))
    low = np.arcsin(np.sqrt(_quantile_of_little(a, b)))
    rest = np.arcsin(np.sqrt(_quantile_of_little(b, a)))
    low = np.maximum(low, border)
    width = np.maximum(math.pi / 2 - rest - low, 0.0)[:, None]
    near, far, weight = double_exponential()
    angle = low[:, None] + width * near
    sine = np.sin(angle)
    cosine = np.sin(rest[:, None] + width * far)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        logarithm = (2 * a[:, None] - 1) * np.log(sine) + (2 * b[:, None] - 1) * np.log(cosine)
        density = 2 * np.exp(logarithm - betaln(a, b)[:, None])
        ahead = np.sin((low - border)[:, None] + width * near) * np.sin(angle + border[:, None])
        share = np.where(sine > 0, ahead / sine**2 / 2, 0.0)  # (1 - threshold/s) / 2
    inside = betainc(worse[:, None], better[:, None], np.clip(share, 0.0, 0.5))
    terms = np.where(np.isfinite(density), density, 0.0) * inside * width * weight
    at_one = betainc(b, a, np.sin(rest) ** 2) * betainc(
        worse, better, np.maximum(1 - threshold, 0) / 2
    )
    p = np.minimum(terms.sum(axis=1) + at_one, 1.0)
    p = np.where(threshold == 0, betainc(worse, better, 0.5), p)
    return np.where((a == 0) | (threshold >= 1), 0.0, p)


def _quantile_of_little(a: FloatArray, b: FloatArray) -> FloatArray:
    """(q,) how close to 0 there is next to nothing of a Beta (a, b), or no number left."""
    usual = betaincinv(a, b, NEGLIGIBLE)
    return np.clip(np.where(a == 0, 0.0, np.where(b == 0, 1.0, usual)), math.sin(END) ** 2, 1.0)


def mcnemar(
    left: IntArray, right: IntArray, *, mid: bool = False
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Two-sided p-values, and those against right and against left being better; (q,) each.

    The exact binomial test that of the items only one classifier got right half are the left's: its
    distribution function is a Beta integral, P(X ≤ k of n) = I_½(n - k, k + 1). It rejects far less
    than its level where items are few. Lancaster's mid-p values, with half the probability of the
    very numbers seen, come closer to it, and hardly ever exceed it (Fagerland, Lydersen & Laake
    2013, BMC Med. Res. Methodol. 13:91).
    """
    p_right = np.where(right == 0, 1.0, betainc(np.maximum(right, 1), left + 1, 0.5))
    p_left = np.where(left == 0, 1.0, betainc(np.maximum(left, 1), right + 1, 0.5))
    if mid:
        half = (p_right + p_left - 1) / 2  # the two sides together count what was seen twice
        p_right = p_right - half
        p_left = p_left - half
    return np.minimum(2 * np.minimum(p_left, p_right), 1.0), p_right, p_left
