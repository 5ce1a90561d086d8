"""The average over these data sets: the posterior of Δ = Σ δ_i / q for independent δ_i.

Each δ_i has its Student posterior, or the exact one of few 0/1 items, of which the average is one
Dirichlet (`PairedBinaryPosterior.averaged`). Where both sides share nothing, it is the difference
of two means with a posterior each (`bcompare.methods.unpaired`). The distribution function of
Δ comes from the product of their characteristic functions φ_i by the inversion formula (Gil-Pelaez
1951, Biometrika 38:481), at midpoints as in Davies 1973 (Biometrika 60:415):

    P(Δ > x) = 1/2 + Σ_k Im(exp(-i t_k x) Π φ_i(t_k / q)) / (π (k + 1/2)),   t_k = (k + 1/2) h.

With c the centre, the error of the sum is at most P(|Δ - c| > 2π/h - |x - c|); h is chosen so
that a bound of this, by the union of single tails or by Bernstein's inequality, stays below the
stated error.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isqrt
from typing import TypeAlias

import numpy as np
from numpy.polynomial.chebyshev import Chebyshev
from numpy.typing import NDArray
from scipy.special import betainc, stdtr, stdtrit

from bcompare.data.rope import FloatArray, RegionProbabilities, Rope, read_only
from bcompare.data.sufficient import TELLING, SufficientStatistics
from bcompare.methods.paired_binary import ItemPosterior, PairedBinaryPosterior
from bcompare.methods.result_parts import Estimate
from bcompare.methods.student import StudentPosterior, crossing, mean_square_rule
from bcompare.methods.unpaired import UnpairedPosterior

ComplexArray: TypeAlias = NDArray[np.complex128]

# Target errors, the next if the one before needs too many terms; and the most terms, times data
# sets.
ERRORS = (1e-10, 1e-8, 1e-6, 1e-5)
MOST_TERMS, MOST_VALUES = 40_000, 2_000_000
# The product of the characteristic functions is 0 below this.
NEGLIGIBLE = 1e-13
# Where only one outcome is possible the cells reach this far, and all is in the first or last one.
NARROWEST = 1e-9
# The points of a table of one characteristic function, and where it ends: beyond, the function is
# negligible, whatever the degrees of freedom.
TABLE, TABLE_END = 4_000, 40.0
# P(Δ > end) at either end of the 95 % interval.
TAILS = np.array([0.975, 0.025])
# Cells of the exact posterior of 0/1 items; the degree of the polynomials, on either side of 0,
# from which they have their probabilities: to 1e-12, or to 1e-8 of fewer than ten items.
CELLS, DEGREE = 960, 64
# How many standard deviations cells reach.
REACH = 12


@dataclass(frozen=True, eq=False, slots=True)
class SuiteAverage:
    """The posterior of the average difference over these data sets, in the scores' unit.

    mean : of the posterior.
    error : bound on that of a probability.
    """

    mean: float
    error: float
    _reach: float
    _t: FloatArray
    _weights: ComplexArray

    @classmethod
    def of(cls, posterior: StudentPosterior) -> "SuiteAverage":
        """Return the average from the posteriors of q data sets; a point only shifts it."""
        parts = _Parts.of(posterior)
        mean = parts.mean
        if not len(parts):
            return cls(mean, 0.0, 0.0, np.empty(0), np.empty(0, np.complex128))
        places: FloatArray = np.arange(0.5, min(MOST_TERMS, MOST_VALUES // len(parts)))
        for error in ERRORS:
            reach = parts.reach(error)
            steps: FloatArray = places * (np.pi / reach)
            last = parts.last(steps)
            if last:
                break
        places = places[: last or None]
        t = steps[: last or None]
        product = parts.characteristic(t, even=True)
        # the truncation of the sum counts if it is not negligible
        error += float(np.abs(product[-1]))
        if len(parts.p):  # estimated by cells of twice the width
            coarse = parts.coarser().characteristic(t, even=True)
            error += float((np.abs(product - coarse) / (np.pi * places)).sum())
        return cls(mean, error, reach, t, product / (np.pi * places))

    @classmethod
    def known(
        cls, posterior: StudentPosterior, statistics: SufficientStatistics
    ) -> "SuiteAverage | None":
        """Return the average; None if it is unknown.

        It is unknown for a single data set, and if no data set has any spread, which may happen by
        chance: only many scores, not just 0 or 1, that never differ show that two classifiers are
        alike.
        """
        if len(statistics) < 2:
            return None
        average = cls.of(posterior)
        alike = not statistics.mean.any() and not statistics.binary.any()
        telling = not statistics.unit.has_answers and int(statistics.n.sum()) >= TELLING and alike
        return average if len(average._t) or telling else None

    def p_above(self, threshold: float) -> float:
        """P(Δ > threshold); ½ for a point at the threshold."""
        z = threshold - self.mean
        if not abs(z) < self._reach:
            return float(1 - np.sign(z)) / 2
        return float(self._above(np.array([z]))[0])

    def sides(self, threshold: float) -> tuple[float, float]:
        """P(Δ < threshold) and P(Δ > threshold); ½ each for a point there."""
        above = self.p_above(threshold)
        return 1 - above, above

    def _above(self, z: FloatArray) -> FloatArray:
        """(k,) P(Δ > mean + z) within reach."""
        waves = np.exp(np.multiply.outer(z, -1j * self._t)) * self._weights
        return np.asarray(np.clip(0.5 + waves.imag.sum(axis=1), 0.0, 1.0))

    def regions(self, rope: Rope) -> RegionProbabilities[float]:
        """Probability that the average is in each region."""
        if not len(self._t):
            point = rope.shares(np.array(self.mean))
            return RegionProbabilities(float(point.left), float(point.rope), float(point.right))
        left = 1 - self.p_above(rope.low)
        right = self.p_above(rope.high)
        return RegionProbabilities(left, 0.0 if rope.is_empty else max(1 - left - right, 0), right)

    def estimate(self) -> Estimate:
        """The mean, with the equal-tailed 95 % interval."""
        if not len(self._t):
            return Estimate(self.mean, self.mean, self.mean)
        ends = np.full(2, self._reach)
        low, high = self.mean + crossing(lambda z: TAILS - self._above(z), -ends, ends)
        return Estimate(self.mean, float(low), float(high))


@dataclass(frozen=True, eq=False, slots=True)
class _Parts:
    """The average as a mean and a sum of deviations: Student's, and others as cells.

    dof, scale : (a,) each.
    middle, p : (b, cells) the middles and the probabilities of cells: of all items together, or of
        each rate of sides that share nothing.
    """

    mean: float
    dof: FloatArray
    scale: FloatArray
    middle: FloatArray
    p: FloatArray

    @classmethod
    def of(cls, posterior: StudentPosterior) -> "_Parts":
        if isinstance(posterior, UnpairedPosterior):
            return cls._of_sides(posterior)
        location = posterior.location
        q = len(posterior.location)
        student = ~np.isnan(posterior.dof) & (posterior.scale > 0)
        mean = location.mean()
        middle = p = np.empty((0, 0))
        if isinstance(posterior, ItemPosterior) and posterior.exact.any():
            items = posterior.items_average()
            share = posterior.exact.mean()
            middle, p = _cells(
                *(float(part[0]) for part in (items.left, items.neither, items.right))
            )
            mean = location[~posterior.exact].sum() / q + share * items.mean[0]
            middle, p = share * middle[None], p[None]
        return cls(float(mean), posterior.dof[student], posterior.scale[student] / q, middle, p)

    @classmethod
    def _of_sides(cls, posterior: UnpairedPosterior) -> "_Parts":
        """Return the parts of both sides of each data set."""
        q = len(posterior.location)
        dof, scale, middle, p = [], [], [], []
        for sign, side in ((-1.0, posterior.left), (1.0, posterior.right)):
            student = side.scale > 0
            dof.append(side.dof[student])
            scale.append(side.scale[student] / q)
            for i in np.flatnonzero(posterior.exact).tolist():
                cells = _rate_cells(float(side.alpha[i]), float(side.beta[i]))
                middle.append(sign * cells[0] / q)
                p.append(cells[1])
        return cls(
            float(posterior.location.mean()),
            np.concatenate(dof),
            np.concatenate(scale),
            np.array(middle).reshape(len(middle), CELLS),
            np.array(p).reshape(len(p), CELLS),
        )

    def __len__(self) -> int:
        return len(self.dof) + len(self.p)

    def reach(self, error: float) -> float:
        """Return a distance with at most this probability beyond it, on both sides."""
        dof, where = np.unique(self.dof, return_inverse=True)  # few differ
        standard = np.asarray(-stdtrit(dof, error / (4 * len(self))), np.float64)
        bounded = np.abs(self.middle).max(axis=1, initial=0.0)
        singles = np.append(standard[where] * self.scale, bounded)
        # Bernstein: of variables cut at the largest single reach, with their variance
        variance = float(_cut_variance(dof, standard)[where] @ self.scale**2)
        variance += float((self.p * self.middle**2).sum())
        third = float(singles.max()) / 3
        logarithm = np.log(4 / error)
        bernstein = third * logarithm + np.sqrt((third * logarithm) ** 2 + 2 * logarithm * variance)
        return float(min(singles.sum(), bernstein))

    def coarser(self) -> "_Parts":
        """Return the same with pairs of cells merged."""
        pairs = len(self.p), -1, 2
        middle = self.middle.reshape(pairs).mean(axis=2)
        p = self.p.reshape(pairs).sum(axis=2)
        return replace(self, middle=middle, p=p)

    def last(self, t: FloatArray) -> int:
        """Return the number of terms until the product is negligible; 0 if there are not enough."""
        positions = np.unique(np.geomspace(1, len(t), 40).astype(np.int64)) - 1
        small = np.abs(self.characteristic(t[positions], even=False)) < NEGLIGIBLE
        return int(positions[small.argmax()]) + 1 if small.any() else 0

    def characteristic(self, t: FloatArray, *, even: bool) -> ComplexArray:
        """(k,) the characteristic function of the sum; even : whether t is evenly spaced."""
        product = np.ones(len(t), np.complex128)
        for dof in np.unique(self.dof):
            u = np.outer(self.scale[self.dof == dof], t)
            product *= np.exp(_log_student(float(dof), u).sum(axis=0))
        for middle, p in zip(self.middle, self.p, strict=True):
            # of cells: that of the density smoothed by a cell; beyond half a cycle it is 0
            cycles = t * abs(middle[1] - middle[0]) / (2 * np.pi)
            # in blocks of t, each of which is the first one turned
            block = isqrt(len(t)) if even else len(t)
            first = np.exp(1j * np.outer(t[:block], middle)) * p
            turns = np.exp(1j * np.outer(middle, t[::block] - t[0]))
            wave = (first @ turns).T.ravel()[: len(t)] / np.sinc(np.minimum(cycles, 0.5))
            product *= np.where(cycles < 0.5, wave, 0.0)
        return product


@lru_cache(maxsize=512)
def _cells(left: float, neither: float, right: float) -> tuple[FloatArray, FloatArray]:
    """Return an exact posterior's probabilities of many cells around its mean."""
    parameters = np.array([left, neither, right])[:, None]
    one = PairedBinaryPosterior(*parameters)
    reach = max(REACH * float(one.sd[0]), NARROWEST)
    edges = np.linspace(max(one.mean[0] - reach, -1), min(one.mean[0] + reach, 1), CELLS + 1)

    def above_of(x: FloatArray) -> FloatArray:
        return PairedBinaryPosterior(*np.repeat(parameters, len(x), axis=1)).above(x)

    above = np.empty(CELLS + 1)
    for side in (edges < 0, edges >= 0):
        x = edges[side]
        is_smooth = reach > NARROWEST and len(x) > 1
        above_it = Chebyshev.interpolate(above_of, DEGREE, x[[0, -1]]) if is_smooth else above_of
        above[side] = above_it(x)
    p = np.maximum(-np.diff(above), 0)
    p /= p.sum()
    middle = (edges[1:] + edges[:-1]) / 2
    return middle - p @ middle, p


@lru_cache(maxsize=4096)
def _rate_cells(alpha: float, beta: float) -> tuple[FloatArray, FloatArray]:
    """Return a rate's distances from its mean in the middle of cells, and their probabilities."""
    total = alpha + beta
    mean = alpha / total
    sd = math.sqrt(alpha * beta / total**2 / (total + 1))
    if sd == 0:
        return np.zeros(CELLS), np.eye(1, CELLS)[0]
    low = max(-REACH * sd, -mean)
    high = min(REACH * sd, 1 - mean)
    edges = np.linspace(low, high, CELLS + 1)
    p = np.diff(betainc(alpha, beta, np.clip(mean + edges, 0.0, 1.0)))
    p = np.maximum(p, 0) / p.sum()
    middle = (edges[1:] + edges[:-1]) / 2
    return middle - p @ middle, p


def _cut_variance(dof: FloatArray, reach: FloatArray) -> FloatArray:
    """(a,) variances of Student variables that are 0 beyond their reach: ∫ 2 x P(|X| > x) dx."""
    x = np.sinh(np.multiply.outer(np.linspace(0, 1, 400), np.arcsinh(reach)))
    return np.asarray(np.trapezoid(4 * x * stdtr(dof, -x), x, axis=0))


def _log_student(dof: float, u: FloatArray) -> FloatArray:
    """The logarithm of a standard Student variable's characteristic function.

    By cubic Hermite interpolation, even in asinh(50 u), with an error of 2e-12.
    """
    step, value, slope = _table(dof)
    positions = np.arcsinh(50 * np.minimum(u, TABLE_END)) / step
    first = np.minimum(positions.astype(np.int64), TABLE - 2)
    t = positions - first
    rise = np.diff(value)[first]
    start = slope[first]
    end = slope[first + 1]
    bend = start + end - 2 * rise
    return np.asarray(value[first] + t * (start + t * (rise - start - bend + t * bend)))


@lru_cache(maxsize=64)
def _table(dof: float) -> tuple[float, FloatArray, FloatArray]:
    """Return the step of asinh(50 u) from point to point, and there the logarithm and its slope."""
    step = float(np.arcsinh(50 * TABLE_END)) / (TABLE - 1)
    knots = step * np.arange(TABLE)
    value, slope = _log_mixture(dof, np.sinh(knots) / 50)
    return step, read_only(value), read_only(slope * np.cosh(knots) / 50 * step)


def _log_mixture(dof: float, u: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The same and its derivative, from the mixture of normal variables over V = χ²/dof."""
    v, weight = mean_square_rule(dof)
    normal = np.exp(np.multiply.outer(u**2, -0.5 / v))
    mixed: FloatArray = np.maximum(normal @ weight, np.finfo(np.float64).tiny)
    return np.log(mixed), -u * (normal @ (weight / v)) / mixed
