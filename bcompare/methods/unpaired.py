"""Two sides that share nothing: rollouts of two policies, other seeds or items, k of n successes.

Each side has a posterior of its own mean, independent of the other's. The difference of means is
what the rope is about.

*Right or wrong*: k of n successes under Jeffreys' prior leave θ ~ Beta(k + 1/2, n - k + 1/2). With
A the right side's θ and B the left's,

    P(A - B > x) = ∫ P(B < a - x) f_A(a) da,

over the side with the smaller spread, by double exponential quadrature.

*Numbers*: each mean has its Student posterior (n - 1 degrees of freedom, scale s/√n), and their
difference the distribution of Behrens and Fisher (Fisher 1935, Annals of Eugenics 6:391). With T
the mean of smaller scale, t = √ν sinh u has a density that falls like cosh(u)^-ν, and its
convolution with the other's distribution function converges exponentially by trapezoids.

Frequentist contrasts: Boschloo's exact test (1970, Statistica Neerlandica 24:1), Welch's t-test
(1947, Biometrika 34:28).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy.special import betainc, betaincc, betaincinv, betaln, gammaln, ndtr, stdtr

from bcompare.basis.messages import InputError
from bcompare.data.rope import BoolArray, FloatArray, IntArray, RegionProbabilities, Rope
from bcompare.data.sufficient import Sides, SufficientStatistics
from bcompare.methods.result_parts import Interval, part_of
from bcompare.methods.student import Side, StudentPosterior, crossing, double_exponential

# What Jeffreys' prior adds to the successes, and to the others.
JEFFREYS = 0.5
# The same with half a trial moved, for the two tails of a gate: those of the limits of Clopper and
# Pearson 1934.
MORE, LESS = (1.0, 0.0), (0.0, 1.0)
# What a prior adds to the scores of 1, and to those of 0.
Prior = tuple[float, float]
# The mass of a side that is left out at either end.
NEGLIGIBLE = 1e-20
# Nodes of a Student side, more where one has few degrees of freedom and its tails are long; and how
# far the density falls at the last one.
NODES, MORE_NODES, FEW, LEAST = 401, 2401, 6.0, 1e-17
# With more trials of a side Boschloo's test is as good as the score test, which takes its place.
MOST_EXACT = 2000
# Rates at which its level is looked for, before the best one is refined.
RATES, REFINEMENTS = 300, 3
# Numbers that are held at once.
AT_ONCE = 2**22


def counts(sides: Sides) -> tuple[FloatArray, FloatArray]:
    """Return the (q, 2) numbers of the higher and the lower score where there are only two."""
    ones: FloatArray = np.rint(sides.n * (sides.mean - sides.lowest))
    return ones, np.asarray(sides.n - ones, np.float64)


@dataclass(frozen=True, eq=False, slots=True)
class SidePosterior:
    """Posteriors of the mean score of one side on q data sets, (q,) each.

    n : scores.
    mean : of the posterior.
    dof, scale : of Student's posterior; NaN where scores are right or wrong.
    alpha, beta : of the Beta posterior of its distance from the score of what is wrong; NaN
        elsewhere.
    """

    n: IntArray
    mean: FloatArray
    dof: FloatArray
    scale: FloatArray
    alpha: FloatArray
    beta: FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class UnpairedPosterior(StudentPosterior):
    """Posteriors of the differences of two independent means on q data sets.

    dof : of Welch's test; NaN where scores are right or wrong.
    location : the mean.
    scale : of Welch's test, or the standard deviation.
    left, right : the posteriors of the sides.
    """

    left: SidePosterior
    right: SidePosterior

    @property
    def exact(self) -> BoolArray:
        """(q,) where scores are right or wrong."""
        return np.isnan(self.dof)

    def above(self, threshold: FloatArray) -> FloatArray:
        """(q,) P(difference > threshold); ½ for a point at the threshold."""
        p = np.empty(len(self.location))
        left, right = self.left, self.right
        exact = self.exact
        if exact.any():
            alpha = np.stack([left.alpha[exact], right.alpha[exact]], axis=1)
            beta = np.stack([left.beta[exact], right.beta[exact]], axis=1)
            p[exact] = rates_above(threshold[exact], alpha, beta)
        rest = ~exact
        if rest.any():
            dof = np.stack([left.dof[rest], right.dof[rest]], axis=1)
            scale = np.stack([left.scale[rest], right.scale[rest]], axis=1)
            p[rest] = means_above(threshold[rest] - self.location[rest], dof, scale)
        return p

    def below(self, threshold: FloatArray) -> FloatArray:
        """(q,) P(difference < threshold), which keeps the digits of small probabilities."""
        return self.mirrored().above(-threshold)

    def mirrored(self) -> "UnpairedPosterior":
        """Return the posteriors with the sides swapped."""
        return replace(self, location=-self.location, left=self.right, right=self.left)

    def p_better(self, side: Side) -> FloatArray:
        """(q,) P(difference < 0) for side -1, P(difference > 0) for side 1."""
        zero = np.zeros(len(self.location))
        return self.above(zero) if side == 1 else self.below(zero)

    def regions(self, rope: Rope) -> RegionProbabilities[FloatArray]:
        """Probability of each region; a point is whole in the region that holds it."""
        q = len(self.location)
        left = self.below(np.full(q, rope.low))
        right = self.above(np.full(q, rope.high))
        middle = np.zeros(q)
        if not rope.is_empty:
            middle = self._within(rope, left, right)
        is_point = self.scale == 0
        point = rope.shares(self.location)
        most = np.nextafter(1.0, 0.0)
        return RegionProbabilities(
            left=np.where(is_point, point.left, np.minimum(left, most)),
            rope=np.where(is_point, point.rope, np.minimum(middle, most)),
            right=np.where(is_point, point.right, np.minimum(right, most)),
        )

    def _within(self, rope: Rope, left: FloatArray, right: FloatArray) -> FloatArray:
        """Return the probability of the rope, between two small tails where it is on one side."""
        middle = 1 - left - right
        above = np.flatnonzero(self.location > rope.high)
        low = part_of(self, above).below(np.full(len(above), rope.high))
        middle[above] = low - left[above]
        beneath = np.flatnonzero(self.location < rope.low)
        high = part_of(self, beneath).above(np.full(len(beneath), rope.low))
        middle[beneath] = high - right[beneath]
        return np.maximum(middle, 0.0)

    def intervals(self, levels: Sequence[float]) -> tuple[Interval[FloatArray], ...]:
        """Equal-tailed intervals of the difference, one a level."""
        return tuple(
            Interval(level, self._quantile((1 - level) / 2), self._quantile((1 + level) / 2))
            for level in levels
        )

    def _quantile(self, p: float) -> FloatArray:
        """(q,) quantiles; the search is over u, where the difference is mean + scale sinh u.

        Those of a point are at u = 0.
        """
        location, scale = self.location, self.scale

        def difference(u: FloatArray) -> FloatArray:
            return np.asarray(location + scale * np.sinh(u))

        def excess(u: FloatArray) -> FloatArray:
            return np.where(scale > 0, 1 - p - self.above(difference(u)), u)

        end = np.full(len(location), 30.0)
        return difference(crossing(excess, -end, end))

    def curve(self, i: int, points: int = 401) -> tuple[FloatArray, FloatArray]:
        """Grid and density of the i-th data set's difference; empty for a point."""
        if self.scale[i] == 0:
            return np.empty(0), np.empty(0)
        one = part_of(self, np.array([i]))
        (span,) = one.intervals([0.9999])
        edges = np.linspace(float(span.low[0]), float(span.high[0]), points + 1)
        above = part_of(self, np.full(points + 1, i)).above(edges)
        return (edges[1:] + edges[:-1]) / 2, -np.diff(above) / np.diff(edges)


def unpaired_posterior(
    statistics: SufficientStatistics,
    *,
    left: Prior = (JEFFREYS, JEFFREYS),
    right: Prior = (JEFFREYS, JEFFREYS),
) -> UnpairedPosterior:
    """Return the posteriors of a pair whose sides share nothing.

    left, right : the priors of right-or-wrong sides, what they add to ones and to zeros.

    Raises
    ------
    InputError : a pair whose sides are not known.
    """
    sides = statistics.sides
    if sides is None:
        raise InputError("the scores of both sides are needed, and only differences are known")
    exact = statistics.binary
    both = [_side(sides, k, exact, prior) for k, prior in enumerate((left, right))]
    one, other = both
    error = np.sqrt(sides.variance.sum(axis=1))
    spread = np.sqrt(_variance(one) + _variance(other))
    return UnpairedPosterior(
        dof=np.where(exact, np.nan, sides.dof),
        location=np.where(exact, other.mean - one.mean, statistics.mean),
        scale=np.where(exact, spread, error),
        left=one,
        right=other,
    )


def _side(sides: Sides, k: int, exact: BoolArray, prior: Prior) -> SidePosterior:
    """Return the posteriors of the left side, 0, or the right one, 1. exact : right or wrong."""
    ones, zeros = counts(sides)
    alpha = np.where(exact, ones[:, k] + prior[0], np.nan)
    beta = np.where(exact, zeros[:, k] + prior[1], np.nan)
    rate = alpha / (alpha + beta)
    return SidePosterior(
        n=sides.n[:, k],
        mean=np.where(exact, rate + sides.lowest, sides.mean[:, k]),
        dof=np.where(exact, np.nan, sides.n[:, k] - 1.0),
        scale=np.where(exact, np.nan, np.sqrt(sides.variance[:, k])),
        alpha=alpha,
        beta=beta,
    )


def _variance(side: SidePosterior) -> FloatArray:
    """Return the variances of Beta posteriors."""
    total = side.alpha + side.beta
    return np.asarray(side.alpha * side.beta / total**2 / (total + 1))


# Numbers


def means_above(distance: FloatArray, dof: FloatArray, scale: FloatArray) -> FloatArray:
    """(k,) P(T_1 s_1 + T_2 s_2 > distance) of independent Student variables.

    dof, scale : (k, 2). A scale may be 0; if both are, a point at the distance counts half.
    """
    order = np.argsort(scale, axis=1)
    (narrow, wide) = np.take_along_axis(scale, order, axis=1).T
    (of_narrow, of_wide) = np.take_along_axis(dof, order, axis=1).T
    p = np.where(distance == 0, 0.5, np.where(distance < 0, 1.0, 0.0))
    varies = wide > 0
    few = np.minimum(of_narrow, of_wide) < FEW
    for chosen, nodes in ((varies & few, MORE_NODES), (varies & ~few, NODES)):
        places = np.flatnonzero(chosen)
        step = AT_ONCE // nodes
        for start in range(0, len(places), step):
            block = places[start : start + step]
            t, weight = _student_nodes(of_narrow[block], nodes)
            rest = (distance[block, None] - narrow[block, None] * t) / wide[block, None]
            p[block] = (weight * stdtr(of_wide[block, None], -rest)).sum(axis=1)
    return p


def _student_nodes(dof: FloatArray, nodes: int) -> tuple[FloatArray, FloatArray]:
    """Return (k, nodes) values of standard Student variables and their weights."""
    end = np.arccosh(np.exp(np.minimum(-math.log(LEAST) / dof, 700.0)))
    u = end[:, None] * np.linspace(-1, 1, nodes)
    logarithm = -dof[:, None] * np.log(np.cosh(u))
    weight = np.exp(logarithm)
    return np.sqrt(dof)[:, None] * np.sinh(u), weight / weight.sum(axis=1, keepdims=True)


# Right or wrong


def rates_above(threshold: FloatArray, alpha: FloatArray, beta: FloatArray) -> FloatArray:
    """(k,) P(θ_right - θ_left > threshold) of independent Beta variables, left first.

    alpha, beta : (k, 2). A parameter may be 0: its θ is then 0, or 1.
    """
    total = alpha + beta
    variance = alpha * beta / total**2 / (total + 1)
    by_right = variance[:, 1] <= variance[:, 0]
    # P(A - B > x) = P((1 - B) - (1 - A) > x): the other side's failures in place of successes
    own_a = np.where(by_right, alpha[:, 1], beta[:, 0])
    own_b = np.where(by_right, beta[:, 1], alpha[:, 0])
    other_a = np.where(by_right, alpha[:, 0], beta[:, 1])
    other_b = np.where(by_right, beta[:, 0], alpha[:, 1])
    return _beta_above(threshold, own_a, own_b, other_a, other_b)


def _beta_above(
    x: FloatArray, a: FloatArray, b: FloatArray, other_a: FloatArray, other_b: FloatArray
) -> FloatArray:
    """(k,) P(X - Y > x) of X ~ Beta(a, b) and Y ~ Beta(other_a, other_b), integrated over X."""
    point = (a == 0) | (b == 0)
    safe_a, safe_b = np.where(point, 1.0, a), np.where(point, 1.0, b)
    low = np.maximum(np.where(safe_a >= 1, betaincinv(safe_a, safe_b, NEGLIGIBLE), 0.0), x)
    rest = np.where(safe_b >= 1, betaincinv(safe_b, safe_a, NEGLIGIBLE), 0.0)
    # the distance of the upper end from 1; beyond 1 + x all is added below, as Y < X - x there
    rest = np.maximum(rest, -x)
    width = np.maximum(1 - rest - low, 0.0)[:, None]
    near, far, weight = double_exponential()
    left = low[:, None] + width * near
    right = rest[:, None] + width * far
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        logarithm = (safe_a[:, None] - 1) * np.log(left) + (safe_b[:, None] - 1) * np.log(right)
        density = np.exp(logarithm - betaln(safe_a, safe_b)[:, None])
    # the distance from the border is exact where the interval begins there
    gap = (low - x)[:, None] + width * near
    inside = _beta_below(other_a[:, None], other_b[:, None], np.clip(gap, 0.0, 1.0))
    terms = np.where(np.isfinite(density), density, 0.0) * inside * width * weight
    beyond = np.where(x < 0, betaincc(safe_a, safe_b, np.clip(1 + x, 0.0, 1.0)), 0.0)
    p = np.minimum(terms.sum(axis=1) + beyond, 1.0)
    where = np.where(a == 0, 0.0, 1.0)
    alone = _beta_below(other_a, other_b, np.clip(where - x, 0.0, 1.0))
    alone = np.where(where - x <= 0, 0.0, np.where(where - x >= 1, 1.0, alone))
    return np.where(x >= 1, 0.0, np.where(x <= -1, 1.0, np.where(point, alone, p)))


def _beta_below(a: FloatArray, b: FloatArray, x: FloatArray) -> FloatArray:
    """P(Y < x) of Y ~ Beta(a, b); a parameter of 0 leaves a point at 0 or 1."""
    usual = betainc(np.where(a == 0, 1.0, a), np.where(b == 0, 1.0, b), x)
    return np.where(a == 0, np.where(x > 0, 1.0, 0.0), np.where(b == 0, 0.0, usual))


# Frequentist tests


def boschloo(left: tuple[int, int], right: tuple[int, int]) -> tuple[float, float, float]:
    """Return Boschloo's two-sided p-value, and those against right and against left being better.

    left, right : successes and failures. The two-sided one is twice the smaller, at most 1.
    """
    p_right = _boschloo_greater(*right, *left)
    p_left = _boschloo_greater(*left, *right)
    return min(2 * min(p_left, p_right), 1.0), p_right, p_left


@lru_cache(maxsize=4096)
def _boschloo_greater(won: int, lost: int, other_won: int, other_lost: int) -> float:
    """Return the p-value of equal rates against the first one being larger.

    The statistic is Fisher's exact p-value; its level is the largest over the common rate. Of
    tables with x successes of n, those as extreme have at most c(x) successes of m.
    """
    n, m = won + lost, other_won + other_lost
    if max(n, m) > MOST_EXACT:
        return _score_greater(won, n, other_won, m)
    highest = _as_extreme(won, n, other_won, m)
    x = np.arange(n + 1)
    usual = highest >= 0
    x, highest = x[usual], highest[usual]

    def level(rate: FloatArray) -> FloatArray:
        ways = gammaln(n + 1) - gammaln(x + 1) - gammaln(n - x + 1)
        with np.errstate(divide="ignore"):
            chance = np.exp(ways + np.outer(np.log(rate), x) + np.outer(np.log1p(-rate), n - x))
        below = np.where(
            highest >= m, 1.0, betaincc(highest + 1.0, np.maximum(m - highest, 1), rate[:, None])
        )
        return np.asarray((chance * below).sum(axis=1))

    angles = np.linspace(0, math.pi / 2, RATES + 2)[1:-1]
    for _ in range(REFINEMENTS):
        levels = level(np.sin(angles) ** 2)
        best = int(levels.argmax())
        angles = np.linspace(
            angles[max(best - 1, 0)], angles[min(best + 1, len(angles) - 1)], RATES // 6
        )
    return min(float(level(np.sin(angles) ** 2).max()), 1.0)


def _as_extreme(won: int, n: int, other_won: int, m: int) -> FloatArray:
    """Return for x = 0 … n the most successes of m with Fisher's p-value at most that seen; or -1.

    The p-value falls in x and rises in the other, so that the border is a staircase.
    """
    factorial = gammaln(np.arange(max(n, m, n + m) + 2) + 1.0)

    def fisher(x: int, y: int) -> float:
        total = x + y
        i = np.arange(x, min(n, total) + 1)
        ways = (
            factorial[n] - factorial[i] - factorial[n - i]
            + factorial[m] - factorial[total - i] - factorial[m - total + i]
        )  # fmt: skip
        all_ways = factorial[n + m] - factorial[total] - factorial[n + m - total]
        return float(np.exp(ways - all_ways).sum())

    seen = fisher(won, other_won) * (1 + 1e-9)
    highest = np.full(n + 1, -1)
    y = 0
    for x in range(n + 1):
        while y <= m and fisher(x, y) <= seen:
            y += 1
        highest[x] = y - 1
    return highest


def _score_greater(won: int, n: int, other_won: int, m: int) -> float:
    """Return the same by the score test, with the variance under a common rate."""
    common = (won + other_won) / (n + m)
    error = math.sqrt(common * (1 - common) * (1 / n + 1 / m))
    difference = won / n - other_won / m
    return float(ndtr(-difference / error)) if error > 0 else 1.0
