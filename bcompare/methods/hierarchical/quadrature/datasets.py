"""What the posterior says of single data sets: those at hand, and the next one.

The posterior of δ_i is proportional to L_i(δ) H_i(δ). L_i is the likelihood of its own data.
H_i is the prior t(δ; δ0, σ0, ν) averaged over what the other data sets say of (δ0, σ0, ν),
which is the posterior divided by m_i(δ0, σ0, ν); it is smooth on the scale of the population.
For the next data set, which has no data yet, L = m = 1.
"""

import math
from dataclasses import dataclass

import numpy as np

from bcompare.data.rope import FloatArray
from bcompare.methods.hierarchical.model import INTERVAL_LEVELS, TAILS
from bcompare.methods.hierarchical.quadrature.axes import (
    cdf_at_points,
    interpolation,
    quantile_positions,
)
from bcompare.methods.hierarchical.quadrature.population import Population
from bcompare.methods.hierarchical.quadrature.posterior import Posterior
from bcompare.methods.hierarchical.quadrature.sigma import sigma_posteriors

# Step of the grid of one δ_i, in u, over that of the population's, and how far below the peak, in
# e-folds, its ends are.
STEP = 0.75
DEPTH = 13.0
FEWEST_POINTS = 33

# Points around each of the two centres from which the grid is found.
SCAN = 40

# Data sets in one block of work.
BLOCK = 300

LEAST = 1e-300

# The logarithm of a smooth density rises between two points by less than this.
OVERSHOOT = 0.5


@dataclass(frozen=True, eq=False, slots=True)
class DatasetSummaries:
    """What is told of each data set's posterior beside its probabilities; arrays of d.

    intervals : credible level → (d, 2) of δ_i.
    sigma_mean, sigma_interval : (d,) and (d, 2) of σ_i, over its maximum-likelihood value.
    """

    intervals: dict[float, FloatArray]
    sigma_mean: FloatArray
    sigma_interval: FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class _Own:
    """The likelihoods of some data sets, (d, 1) each; see Problem."""

    mean: FloatArray
    scale: FloatArray
    shape: FloatArray

    def log_likelihood(self, x: FloatArray) -> FloatArray:
        """Log L_i at x (d, points), up to a constant."""
        square = ((x - self.mean) / self.scale) ** 2
        student = np.isfinite(self.shape[:, 0])
        shape = self.shape[student]
        log_l = -0.5 * square
        log_l[student] = -(shape + 0.5) * np.log1p(square[student] / (2 * shape))
        return log_l


@dataclass(frozen=True, eq=False, slots=True)
class DatasetPosteriors:
    """The posterior of δ_i of some data sets, on a grid for each.

    x : (d, points) δ, at even steps of the chart's u. mass : of the points; rows sum to 1.
    start, step : (d, 1) in u.
    """

    own: _Own
    chart: "_TwoCentres"
    x: FloatArray
    mass: FloatArray
    start: FloatArray
    step: FloatArray


def dataset_posteriors(
    post: Posterior, people: Population, others: FloatArray
) -> list[DatasetPosteriors]:
    """Posterior of δ_i for each data set of the problem, in blocks of them.

    others : (d, k) H_i on the population's grid, up to a factor.
    """
    problem = post.problem
    log_h = np.log(np.maximum(others, LEAST))
    parts = []
    for start in range(0, problem.mean.size, BLOCK):
        rows = slice(start, start + BLOCK)
        own = _Own(problem.mean[rows, None], problem.scale[rows, None], problem.shape[rows, None])
        parts.append(_on_grids(own, people, log_h[rows], post))
    return parts


def dataset_summaries(parts: list[DatasetPosteriors]) -> DatasetSummaries:
    """Everything else about the data sets."""
    tails = np.array(TAILS)
    quantiles, sigmas = [], []
    for part in parts:
        x, mass = part.x, part.mass
        at = quantile_positions(cdf_at_points(mass), mass, tails)
        quantiles.append(_interpolated(x, at))
        square = ((x - part.own.mean) / part.own.scale) ** 2
        sigmas.append(sigma_posteriors(square, mass, part.own.shape[:, 0]))
    quantile = np.concatenate(quantiles)
    return DatasetSummaries(
        intervals={
            level: quantile[:, 2 * k : 2 * k + 2] for k, level in enumerate(INTERVAL_LEVELS)
        },
        sigma_mean=np.concatenate([mean for mean, _ in sigmas]),
        sigma_interval=np.concatenate([interval for _, interval in sigmas]),
    )


def _on_grids(
    own: _Own, people: Population, log_h: FloatArray, post: Posterior
) -> DatasetPosteriors:
    """Posterior of δ_i for some data sets, from log H_i (d, k) on the population's grid."""
    chart = _TwoCentres.of(own, people)

    def log_density(x: FloatArray) -> FloatArray:
        """Over u, up to a constant for each data set."""
        position = np.clip(people.axis.position(x), 0, people.axis.count - 1)
        others = _between_neighbours(log_h, position)
        return own.log_likelihood(x) + others + np.log(chart.slope(x))

    x = chart.scan(people.axis.value[[0, -1]])
    longest = STEP * post.resolution.delta_step
    start, step, x = chart.even_grid(x, log_density(x), longest, DEPTH + post.resolution.depth)
    logs = log_density(x)
    mass = np.exp(logs - logs.max(axis=1, keepdims=True))
    mass /= mass.sum(axis=1, keepdims=True)
    return DatasetPosteriors(own, chart, x, mass, start, step)


def _between_neighbours(values: FloatArray, position: FloatArray) -> FloatArray:
    """Interpolation that hardly leaves the range of the two neighbours.

    A polynomial would, where the logarithm of a density falls into the void.
    """
    low = np.minimum(position.astype(np.int64), values.shape[1] - 2)
    ends = [np.take_along_axis(values, low + k, axis=1) for k in (0, 1)]
    least, most = np.minimum(*ends) - OVERSHOOT, np.maximum(*ends) + OVERSHOOT
    return np.clip(_interpolated(values, position), least, most)


@dataclass(frozen=True, eq=False, slots=True)
class _TwoCentres:
    """For each data set a map x → u that is linear around its own mean and the population's.

    u is the mean of two arcsinh's, one for each centre and width, (d, 1) each.
    """

    own: FloatArray
    own_width: FloatArray
    common: float
    common_width: float

    @classmethod
    def of(cls, own: _Own, people: Population) -> "_TwoCentres":
        slope = np.exp(people.axis.chart.log_slope(people.axis.u))
        share = np.cumsum(people.density * slope)
        quarter, half, three = np.interp([0.25, 0.5, 0.75], share / share[-1], people.axis.value)
        return cls(own.mean, 2 * own.scale, float(half), float(three - quarter))

    def u(self, x: FloatArray) -> FloatArray:
        own = np.arcsinh((x - self.own) / self.own_width)
        return (own + np.arcsinh((x - self.common) / self.common_width)) / 2

    def slope(self, x: FloatArray) -> FloatArray:
        """dx/du."""
        own = 1 / np.sqrt((x - self.own) ** 2 + self.own_width**2)
        return 2 / (own + 1 / np.sqrt((x - self.common) ** 2 + self.common_width**2))

    def scan(self, ends: FloatArray) -> FloatArray:
        """(d, points) x in ascending order between two ends, dense around both centres."""
        first, last = np.arcsinh((ends[:, None, None] - self.own) / self.own_width)
        own = first + (last - first) * np.linspace(0.0, 1.0, SCAN)
        first, last = np.arcsinh((ends - self.common) / self.common_width)
        common = np.linspace(float(first), float(last), SCAN)
        x = np.empty((self.own.size, 2 * SCAN))
        x[:, :SCAN] = self.own + self.own_width * np.sinh(own)
        x[:, SCAN:] = self.common + self.common_width * np.sinh(common)
        x.sort(axis=1)
        return x

    def even_grid(
        self, x: FloatArray, log_density: FloatArray, longest: float, depth: float
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """An even grid of u where the density, known at x, matters: start, step (d, 1), x."""
        u, slope = self.u(x), self.slope(x)
        row = np.arange(x.shape[0])
        peak = log_density.argmax(axis=1)
        far = np.abs(x - x[row, peak][:, None]) / slope[row, peak][:, None]
        # a heavy tail that adds little to the probabilities may still add to the variance
        for_variance = log_density + 2 * np.log(np.maximum(far, 1.0))
        kept = for_variance > for_variance.max(axis=1, keepdims=True) - depth
        kept |= log_density > log_density.max(axis=1, keepdims=True) - depth
        first = np.maximum(kept.argmax(axis=1) - 1, 0)
        last = x.shape[1] - 1 - np.maximum(kept[:, ::-1].argmax(axis=1) - 1, 0)
        start = u[row, first][:, None]
        length = u[row, last][:, None] - start
        steps = max(math.ceil(float(length.max()) / longest), FEWEST_POINTS - 1)
        step = length / steps
        at = start + step * np.arange(steps + 1)
        # rows set far apart are searched as one; cubic Hermite interpolation of x(u) between
        # the neighbours, then one step of Newton's method
        apart = 2 * (np.abs(u).max() + 1) * row[:, None]
        low = np.searchsorted((u + apart).ravel(), at + apart) - 1 - u.shape[1] * row[:, None]
        low = np.clip(low, 0, u.shape[1] - 2)
        u0, x0, s0 = (np.take_along_axis(values, low, axis=1) for values in (u, x, slope))
        u1, x1, s1 = (np.take_along_axis(values, low + 1, axis=1) for values in (u, x, slope))
        width = np.maximum(u1 - u0, LEAST)
        t = np.clip((at - u0) / width, 0.0, 1.0)
        found = x0 + t * t * (3 - 2 * t) * (x1 - x0)
        found += width * t * (1 - t) * ((1 - t) * s0 - t * s1)
        return start, step, found - (self.u(found) - at) * self.slope(found)


def _interpolated(values: FloatArray, position: FloatArray) -> FloatArray:
    """Rows of values at 0, 1, …, interpolated at each row's positions."""
    first, weights = interpolation(position, values.shape[1])
    total = np.zeros_like(position)
    for j in range(weights.shape[0]):
        total += weights[j] * np.take_along_axis(values, first + j, axis=1)
    return total
