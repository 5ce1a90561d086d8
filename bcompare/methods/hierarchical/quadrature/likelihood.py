"""The marginal likelihood of (δ0, σ0, ν): everything else is integrated out.

Given δ_i, data set i enters through its mean and sum of squares; with σ_i integrated out its
likelihood is a Student density in δ_i with n_i - 2 degrees of freedom, centred at x̄_i, with
scale τ_i² = SS_i/(n_i - 2)·(1/n_i + ρ_i/(1 - ρ_i)). It and the prior t(δ_i; δ0, σ0, ν) are both
mixtures of normals, so that m_i(δ0, σ0, ν) = ∫ L_i(δ) t(δ; δ0, σ0, ν) dδ is a weighted sum of
normal densities: over the likelihood's mixing variable κ for each scale s of the prior's
normals, then over s, which for all (σ0, ν) at once is one matrix product.

A two-piece Student (Fernández & Steel 1998, JASA 93:359) has the scale σ0 k above δ0, with the mass
k²/(1 + k²), and σ0/k below. It is a mixture of halves of normals. With T = N(x̄; δ0, s² + v) and
E = T erf((x̄ - δ0) s/√(2 v (s² + v))), the upper half of a normal of scale s gives T + E, the lower
one T - E.
"""

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

from bcompare.data.rope import FloatArray, read_only
from bcompare.methods.hierarchical.canonical import Problem
from bcompare.methods.hierarchical.quadrature.axes import interpolation
from bcompare.methods.hierarchical.quadrature.mixtures import (
    Rule,
    gamma_rule,
    gauss_gamma_rule,
    lower_end,
    mixing_matrix,
)

# The numbers in a block, which fits into the processor's cache.
BLOCK = 50_000

# The grid of s begins this factor below the smallest scale of a data set, or below σ0 if that is
# larger, and ends this factor above all distances.
BELOW_SCALES, BELOW_SIGMA0, ABOVE = 150.0, 4.5, 20.0

# The points of interpolation on the thinned grid of s.
THINNED_STENCIL = 10

# With at least this shape a Gauss rule of few nodes handles κ even for outliers.
GAUSS_SHAPE = 30.0

# The depth of the tails of κ in e-folds.
TAIL_FOLDS = 14.0

# The likelihoods of all data sets are kept if there are at most this many.
MOST_KEPT = 4_000_000

Block = tuple[slice, FloatArray]
# Arrays whose first dimension is a slice of the data sets.
Blocks = list[Block]

# A negligible likelihood, of which four may be multiplied.
LEAST = 1e-70


@dataclass(frozen=True, slots=True)
class Resolution:
    """The resolution of the mixtures.

    s_step : of the grid of log s.
    mix_step : between nodes of log λ and log κ, at most.
    gauss_nodes : of the tight mixtures.
    delta_step : of the grids of δ, in u.
    node_step : of the grid on which many data sets are condensed, in log τ.
    depth : additional e-folds of all tails, for small tolerances.
    """

    s_step: float
    mix_step: float
    gauss_nodes: int
    delta_step: float
    node_step: float = 0.3
    depth: float = 0.0


@dataclass(frozen=True, eq=False, slots=True)
class Prior:
    """The normals whose mixtures are the Students t(δ; 0, σ0, ν) of a grid.

    s : (k,) their scales.
    weights : (cells, k) for the cells of (σ0, ν); None if the Students are those normals
        themselves, ν = ∞.
    tilt : (cells, k) weights of E for two-piece Students; None for Students.
    """

    s: FloatArray
    weights: FloatArray | None
    tilt: FloatArray | None = None

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.s.size if self.weights is None else self.weights.shape[0]

    def thinned(self) -> "Prior":
        """Return the same Students from every other normal.

        The others are interpolated, by a wider stencil than the grid's own. That is accurate enough
        for a single data set, but not for the likelihood, which multiplies the errors of all.
        """
        if self.weights is None:
            return self
        return Prior(self.s[::2], self.weights @ _on_every_other(self.s.size))


@lru_cache(maxsize=256)
def _on_every_other(count: int) -> FloatArray:
    """Return (count, half) weights that express `count` points by 0, 2, 4, and so on."""
    half = (count + 1) // 2
    first, basis = interpolation(np.arange(count) / 2, half, THINNED_STENCIL)
    on = np.zeros((count, half))
    for j in range(THINNED_STENCIL):
        on[np.arange(count), first + j] += basis[j]
    return read_only(on)


def prior_normals(
    problem: Problem,
    delta0: FloatArray,
    sigma0: FloatArray,
    nu: FloatArray | None,
    cells: NDArray[np.bool_],
    res: Resolution,
) -> Prior:
    """Return the normals for cells of (σ0, ν), up to the distances of the data from δ0."""
    if nu is None:
        return Prior(sigma0[cells[:, 0]], None)
    farthest = float(np.abs(problem.mean[:, None] - delta0[[0, -1]]).max())
    high = ABOVE * max(farthest, float(problem.scale.max()))
    narrowest = float(sigma0[0]) * min(problem.skew, 1 / problem.skew)
    low = max(float(problem.scale.min()) / BELOW_SCALES, narrowest / BELOW_SIGMA0)
    low = min(low, high / BELOW_SCALES)
    count = 2 * math.ceil((math.log(high / low) / res.s_step + 1) / 2) + 1  # odd: see `thinned`
    log_s = math.log(low) + res.s_step * np.arange(count, dtype=np.float64)
    if problem.skew == 1:
        weights = mixing_matrix(np.log(sigma0), nu, log_s, res.mix_step, res.gauss_nodes)
        return Prior(np.exp(log_s), weights[cells.ravel()])
    # the half above δ0, then the one below
    widths = np.concatenate([sigma0 * problem.skew, sigma0 / problem.skew])
    halves = mixing_matrix(np.log(widths), nu, log_s, res.mix_step, res.gauss_nodes)
    mass_above, mass_below = masses(problem.skew)
    above = mass_above * halves[: cells.size]
    below = mass_below * halves[cells.size :]
    used = cells.ravel()
    return Prior(np.exp(log_s), (above + below)[used], (above - below)[used])


def masses(skew: float) -> tuple[float, float]:
    """Return the masses above and below the mode of a two-piece distribution."""
    return skew**2 / (1 + skew**2), 1 / (1 + skew**2)


def log_likelihood(
    problem: Problem, delta0: FloatArray, prior: Prior, res: Resolution
) -> tuple[FloatArray, Blocks | None]:
    """Return (δ0, cells) Σ log m_i over data sets, and all m_i unless they need much memory."""
    total = np.zeros((delta0.size, prior.cells))
    small = problem.mean.size * total.size <= MOST_KEPT
    kept: Blocks = []
    for rows, m in marginals(problem, delta0, prior, res):
        count = problem.count[rows]
        total += np.tensordot(count, m, 1) if prior.weights is None else _log_product(m, count)
        if small:
            kept.append((rows, m))
    return total, kept if small else None


def _log_product(m: FloatArray, count: FloatArray) -> FloatArray:
    """Return Σ_i count_i log m_i; for counts of 1 by one logarithm for a product of four."""
    if (count != 1).any():
        return np.asarray(np.tensordot(count, np.log(m), 1))
    fours = m.shape[0] // 4
    product = m[:fours] * m[fours : 2 * fours]
    product *= m[2 * fours : 3 * fours]
    product *= m[3 * fours : 4 * fours]
    rest = np.log(m[4 * fours :]).sum(axis=0)
    return np.asarray(np.log(product, out=product).sum(axis=0) + rest)


def marginals(
    problem: Problem, delta0: FloatArray, prior: Prior, res: Resolution
) -> Iterator[Block]:
    """Yield (rows, δ0, cells) m_i up to one factor, or its log if ν = ∞, block by block."""
    size = max(1, BLOCK // (delta0.size * max(prior.s.size, prior.cells // 8)))
    blocks = (
        slice(first, min(first + size, same.stop))
        for same in problem.of_one_n
        for first in range(same.start, same.stop, size)
    )
    for rows in blocks:
        mean, square, log_weight = likelihood_rule(problem, rows, delta0, prior, res)
        away = mean[:, :, None] - delta0
        if prior.weights is None:
            yield rows, _log_normal_mixture(away, prior.s, square, log_weight)
            continue
        if prior.tilt is None:
            normals = _normal_mixture(away, prior.s, square, log_weight)
            m = normals.reshape(-1, prior.s.size) @ prior.weights.T
        else:
            halves = _half_mixture(away, prior.s, square, log_weight)
            of_halves = np.concatenate([prior.weights, prior.tilt], axis=1)
            m = halves.reshape(-1, 2 * prior.s.size) @ of_halves.T
        yield rows, np.maximum(m, LEAST, out=m).reshape(*away.shape[1:], -1)


def likelihood_rule(
    problem: Problem, rows: slice, delta0: FloatArray, prior: Prior, res: Resolution
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return means (κ, rows), variances, and log weights of the normals of a block's likelihoods.

    Those of 0/1 items are given. A Student's have one mean, variances τ²/κ, and equal weights for
    all rows, (κ, 1).
    """
    items = problem.items(rows)
    if items is not None:
        mean, sd, weight = np.moveaxis(items, [1, 2], [0, 1])
        return mean, sd**2, np.log(np.maximum(weight, LEAST))
    node, log_weight = _student_rule(problem, rows, delta0, prior, res)
    variance = problem.scale[rows] ** 2 / node[:, None]
    return np.broadcast_to(problem.mean[rows], variance.shape), variance, log_weight[:, None]


def _student_rule(
    problem: Problem, rows: slice, delta0: FloatArray, prior: Prior, res: Resolution
) -> Rule:
    """Return nodes and log weights of κ for the Student, or normal, likelihoods of a block.

    With a prior of normals (ν = ∞) the likelihood's far tail may matter, which a Gauss rule
    does not follow; the trapezoidal one does if it reaches down to that tail's κ.
    """
    shape = float(problem.shape[rows.start])
    if math.isinf(shape):
        return np.ones(1), np.zeros(1)
    if shape >= GAUSS_SHAPE and prior.weights is not None:
        count = res.gauss_nodes + math.ceil(60 / shape) - 2
        return gauss_gamma_rule(shape, count)
    far = np.abs(problem.mean[rows, None] - delta0[[0, -1]]).max(axis=1) / problem.scale[rows]
    # the tail so far away has its peak around κ = 1/(1 + farthest²/n), and d e-folds of κ below it
    # the integrand has fallen by (shape + ½)(d - 1 + e^-d) e-folds
    power = shape + 0.5
    folds = TAIL_FOLDS + res.depth
    reach = math.log1p(float(far.max()) ** 2 / (2 * shape))
    reach += folds / power + min(1.0, math.sqrt(2 * folds / power))
    low = -reach if prior.weights is None else lower_end(shape, reach)
    return gamma_rule(shape, res.mix_step, low)


def _normal_mixture(
    away: FloatArray, s: FloatArray, square: FloatArray, log_weight: FloatArray
) -> FloatArray:
    """Return (rows, δ0, s) Σ_κ w_κ N(away; 0, s² + square) without its 1/√2π.

    away : (κ, rows, δ0) means less δ0. square : (κ, rows) variances. log_weight : (κ, rows or 1).
    """
    variance = s**2 + square[:, :, None]
    height = np.exp(log_weight)[:, :, None] / np.sqrt(variance)
    rate = -0.5 / variance
    total = np.zeros((*away.shape[1:], s.size))
    term = np.empty_like(total)
    for k in range(len(square)):
        np.multiply((away[k] ** 2)[:, :, None], rate[k][:, None], out=term)
        np.exp(term, out=term)
        term *= height[k][:, None]
        total += term
    return total


def _half_mixture(
    away: FloatArray, s: FloatArray, square: FloatArray, log_weight: FloatArray
) -> FloatArray:
    """Return (rows, δ0, 2, s) the same sums of T and of E."""
    variance = s**2 + square[:, :, None]
    height = np.exp(log_weight)[:, :, None] / np.sqrt(variance)
    rate = np.sqrt(0.5 / variance)
    slope = s / np.sqrt(2 * variance * square[:, :, None])
    both = np.zeros((*away.shape[1:], 2, s.size))
    term, sign = np.empty((2, *away.shape[1:], s.size))
    for k in range(len(square)):
        far = away[k][:, :, None]
        np.multiply(far, rate[k][:, None], out=term)
        np.multiply(term, term, out=term)
        np.negative(term, out=term)
        np.exp(term, out=term)
        term *= height[k][:, None]
        both[:, :, 0] += term
        np.multiply(far, slope[k][:, None], out=sign)
        term *= erf(sign, out=sign)
        both[:, :, 1] += term
    return both


def _log_normal_mixture(
    away: FloatArray, s: FloatArray, square: FloatArray, log_weight: FloatArray
) -> FloatArray:
    """Return the log of the first of these, without underflow."""
    variance = s**2 + square[:, :, None]
    height = log_weight[:, :, None] - 0.5 * np.log(variance)
    rate = -0.5 / variance

    def terms() -> Iterator[FloatArray]:
        for k in range(len(square)):
            yield (away[k] ** 2)[:, :, None] * rate[k][:, None] + height[k][:, None]

    greatest = functools.reduce(np.maximum, terms())
    total = sum(np.exp(term - greatest) for term in terms())
    return np.asarray(greatest + np.log(total), dtype=np.float64)
