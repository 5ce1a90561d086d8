"""The posterior of a mean difference: a Student distribution, in each of three regions.

Sources: Corani & Benavoli 2015 (Machine Learning 100:285), "CB 2015"; Benavoli, Corani, Demšar &
Zaffalon 2017 (JMLR 18), "Tutorial".
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

import numpy as np
from scipy.special import stdtr, stdtrit

from bcompare.basis.messages import InputError
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope, read_only
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.result_parts import Estimate, Interval, prior_term

# The number of initial bisections, and the most steps in total.
HALVINGS, MOST_STEPS = 9, 90
# A value this near to zero is close enough.
CLOSE = 1e-10
# Nodes of `double_exponential`.
DOUBLE_EXPONENTIAL_NODES = 241


def crossing(
    excess: Callable[[FloatArray], FloatArray], low: FloatArray, high: FloatArray
) -> FloatArray:
    """Return the (k,) roots in intervals, by bisection, then by false position.

    excess : increasing in each of its k arguments; at most 0 at `low` and at least 0 at `high`.
    """
    below = excess(low)
    over = excess(high)
    for step in range(MOST_STEPS):
        halve = step < HALVINGS or step % 3 == 0
        share = 0.5 if halve else -below / (over - below)
        middle = low + share * (high - low)
        value = excess(middle)
        rises = value < 0
        low = np.where(rises, middle, low)
        below = np.where(rises, value, below)
        high = np.where(rises, high, middle)
        over = np.where(rises, over, value)
        if np.abs(value).max(initial=0.0) < CLOSE:
            break
    return np.where(-below < over, low, high)


# Left is better, or right is.
Side = Literal[-1, 1]


# The largest shape of the prior: beyond it the Student density loses its digits.
FIRMEST = 1e9


@dataclass(frozen=True, slots=True)
class NormalGamma:
    """Conjugate prior of the mean difference and its precision: CB 2015, Theorem 2.

    mean : μ0, prior mean of the difference, in the scores' unit.
    k0 : prior variance of the mean in units of the differences' variance; inf leaves it flat.
    a, b : shape and rate of the Gamma prior on the precision; b in the squared unit.

    The default is the matching prior (CB 2015, Corollary 1), under which the posterior
    agrees with the frequentist correlated t-test.

    Raises
    ------
    InputError : k0 ≤ 0, a < -1/2 or very large, b < 0 or a value that is not a number.
    """

    mean: float = field(default=0.0, metadata=prior_term("mean"))
    k0: float = field(default=math.inf, metadata=prior_term("k0"))
    a: float = field(default=-0.5, metadata=prior_term("a"))
    b: float = field(default=0.0, metadata=prior_term("b"))

    def __post_init__(self) -> None:
        if self.mean != 0 and math.isinf(self.k0):
            raise InputError(
                "the prior's mean has no effect while the prior is flat: say by k0 how firm it "
                "is, such as k0=1"
            )
        if not math.isfinite(self.mean):
            raise InputError(f"prior mean {self.mean}: give a finite number")
        if not self.k0 > 1e-100:
            raise InputError(
                f"prior k0 {self.k0:g}: give a positive number, or inf for a flat prior"
            )
        if not -0.5 <= self.a <= FIRMEST:
            raise InputError(
                f"prior a {self.a:g}: give a number from -0.5 to {FIRMEST:g}; it counts like twice "
                "as many scores"
            )
        if not (self.b >= 0 and math.isfinite(self.b)):
            raise InputError(f"prior b {self.b:g}: give a number of at least 0")


# The matching prior, under which posterior and frequentist tests agree.
MATCHING = NormalGamma()


@dataclass(frozen=True, eq=False, slots=True)
class StudentPosterior:
    """Posterior of the mean difference: a Student distribution for each data set, (q,) each.

    dof : degrees of freedom.
    location : mean and median, in the scores' unit.
    scale : in the scores' unit; 0 where the posterior is a point.
    """

    dof: FloatArray
    location: FloatArray
    scale: FloatArray

    def p_better(self, side: Side) -> FloatArray:
        """(q,) P(μ < 0) for side -1, P(μ > 0) for side 1; ½ for a point at 0."""
        return stdtr(self.dof, side * standardised(self.location, self.scale))

    def regions(self, rope: Rope) -> RegionProbabilities[FloatArray]:
        """Probability of each region; a point posterior is whole in the region that holds it.

        Tutorial §3.2. Each tail is computed as a lower tail, so that small ones keep their
        digits and swapping left and right swaps the numbers exactly. No region has all of a
        distribution that has tails: 1 is kept for points.
        """
        below = standardised(rope.low - self.location, self.scale)
        above = standardised(self.location - rope.high, self.scale)
        left, not_left = tails(self.dof, below)
        right, not_right = tails(self.dof, above)
        if rope.is_empty:
            middle = np.zeros_like(left)
        else:
            # Between two lower tails on the far side of the rope, or what both leave over.
            far = np.where(above > 0, not_right - left, 1 - (left + right))
            middle = np.where(below > 0, not_left - right, far)
            middle = np.maximum(middle, 0.0)
        point = rope.shares(self.location)
        is_point = self.scale == 0
        most = np.nextafter(1.0, 0.0)
        return RegionProbabilities(
            left=np.where(is_point, point.left, np.minimum(left, most)),
            rope=np.where(is_point, point.rope, np.minimum(middle, most)),
            right=np.where(is_point, point.right, np.minimum(right, most)),
        )

    def curve(self, i: int, points: int = 401) -> tuple[FloatArray, FloatArray]:
        """Grid and density of the i-th data set's posterior, (points,) each; empty for a point."""
        if self.scale[i] == 0:
            return np.empty(0), np.empty(0)
        dof = float(self.dof[i])
        scale = float(self.scale[i])
        # Equal steps of the angle are dense about the peak and reach far into the tails.
        reach = math.atan(-float(stdtrit(dof, 5e-5)) / math.sqrt(dof))
        z = math.sqrt(dof) * np.tan(np.linspace(-reach, reach, points))
        logarithm = -(dof + 1) / 2 * np.log1p(z**2 / dof)
        norm = math.lgamma((dof + 1) / 2) - math.lgamma(dof / 2) - math.log(dof * math.pi) / 2
        return self.location[i] + scale * z, np.exp(logarithm + norm) / scale

    def intervals(self, levels: Sequence[float]) -> tuple[Interval[FloatArray], ...]:
        """Highest-density intervals, which are equal-tailed for a Student; one a level."""
        dof, where = np.unique(self.dof, return_inverse=True)  # few differ, and stdtrit is slow
        halves = [-stdtrit(dof, (1 - level) / 2)[where] * self.scale for level in levels]
        return tuple(
            Interval(level=level, low=self.location - half, high=self.location + half)
            for level, half in zip(levels, halves, strict=True)
        )


def estimate_of(values: FloatArray) -> Estimate | None:
    """Estimate the mean of the population that values are drawn from, under a flat prior.

    values : (q,) mean differences of data sets. None for fewer than two.
    """
    q = len(values)
    if q < 2:
        return None
    mean = float(values.mean())
    half = float(-stdtrit(q - 1, 0.025) * values.std(ddof=1) / math.sqrt(q))
    return Estimate(mean, mean - half, mean + half)


def quantile(dof: float, p: float) -> float:
    """Return the quantile of Student's distribution."""
    return float(stdtrit(dof, p))


def mean_square_rule(dof: float) -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights of V = χ²/dof, which mixes normals of variance 1/V to a Student.

    By trapezoids in log V, of which the density is analytic, so that they converge exponentially.
    """
    step = 0.25 * min(1.0, math.sqrt(2 / dof))
    # beyond these the density of V is less than e^-40 of its peak
    reach = 80 / dof + math.sqrt(160 / dof)
    logs = np.arange(-min(1 + 80 / dof, reach), math.log1p(reach) + step, step)
    density = np.exp(dof / 2 * (logs - np.expm1(logs)))
    return np.exp(logs), density / density.sum()


def tails(dof: FloatArray, t: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return P(T < t) and P(T > t) of Student's T, shaped like `t`; a small one keeps its digits.

    The smaller tail is computed, and the other is what it leaves over: half the calls of stdtr.
    """
    smaller = stdtr(dof, -np.abs(t))
    larger = 1 - smaller
    return np.where(t > 0, larger, smaller), np.where(t > 0, smaller, larger)


def standardised(deviation: FloatArray, scale: FloatArray) -> FloatArray:
    """Return deviation / scale; where the scale is 0, an infinity of the same sign, or 0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = deviation / scale
    return np.where((scale > 0) | (deviation != 0), ratio, 0.0)


def student_posterior(statistics: SufficientStatistics, prior: NormalGamma) -> StudentPosterior:
    """Posterior of the mean difference under a Normal-Gamma prior: CB 2015, Theorem 2.

    With c = n/(1+(n-1)ρ) and A = c + 1/k0 the posterior is St(2ã, μ̃, b̃/(ãA)). The paper prints
    b̃ with its last three signs turned; completing the square gives the form used here.
    """
    statistics = statistics.in_equal_rows
    n = statistics.n
    mean = statistics.mean
    ss = statistics.ss
    rho = statistics.rho
    c = n / (1 + (n - 1) * rho)
    weight = 1 / prior.k0
    precision = c + weight
    location = mean + weight / precision * (prior.mean - mean)
    shape = prior.a + n / 2
    rate = prior.b + ss / (1 - rho) / 2
    if weight > 0:
        # half of c x̄² + μ0²/k0 - A μ̃², written so that nothing cancels
        with np.errstate(over="ignore"):
            rate = rate + c * weight / precision * (mean - prior.mean) ** 2 / 2
    scale = np.sqrt(rate / (shape * precision))
    if not np.isfinite(scale).all():
        raise InputError(
            f"prior mean {prior.mean:g} is too far from the data to compute with: give one of "
            "the size of the differences"
        )
    return StudentPosterior(dof=2 * shape, location=location, scale=scale)


@cache
def double_exponential() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Nodes on (0, 1) as distances from either end, and their weights: Takahasi & Mori 1974."""
    t = np.linspace(-5, 5, DOUBLE_EXPONENTIAL_NODES)
    exponent = math.pi * np.sinh(t)
    near = 1 / (1 + np.exp(-exponent))
    far = 1 / (1 + np.exp(exponent))
    weight = math.pi * np.cosh(t) * near * far * (t[1] - t[0])
    return read_only(near), read_only(far), read_only(weight)
