"""Quantiles of δ_i and of σ_i of each data set at hand.

The posterior of δ_i is proportional to L_i(δ) H_i(δ). L_i is the likelihood of its own data.
H_i is the prior t(δ; δ0, σ0, ν) averaged over what the other data sets say of (δ0, σ0, ν),
which is the posterior divided by m_i(δ0, σ0, ν); it is smooth on the scale of the population.

Given δ_i, the prior of σ_i being flat, 1/σ_i² ~ Gamma((n_i - 1)/2, A_i/2) with
A_i = SS_i/(1 - ρ_i) + n_i (x̄_i - δ_i)²/(1 + (n_i - 1) ρ_i). That is n_i σ̂_i², with the
maximum-likelihood value σ̂_i, times 1 + (x̄_i - δ_i)²/((n_i - 2) τ_i²): all is known up to σ̂_i.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincc, gammainccinv, ndtri

from bcompare.data.rope import FloatArray
from bcompare.methods.hierarchical.model import SHOWN_LEVEL, TAILS
from bcompare.methods.hierarchical.quadrature.axes import (
    Axis,
    cdf_at_points,
    interpolated,
    quantile_positions,
)
from bcompare.methods.hierarchical.quadrature.population import Population
from bcompare.methods.hierarchical.quadrature.posterior import Posterior
from bcompare.methods.hierarchical.quadrature.regions import priors_from_others

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

# Points of the table of one Gamma distribution, and the mass left out at its ends.
POINTS, TAIL = 1000, 1e-12

# Newton's method on the normal scale, where distribution functions are nearly straight; a step as
# short as the last number doubles the digits once more.
NEWTON_STEPS, LONGEST, CLOSE = 8, 1.5, 1e-5
LEAST_SLOPE = 1e-12


def dataset_quantiles(
    post: Posterior, people: Population
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Quantiles of δ_i at `TAILS`, (d, 6), mean (d,) and 95 % interval (d, 2) of σ_i.

    Those of σ_i are over its maximum-likelihood value.
    """
    problem, axis = post.problem, people.axis
    log_h = np.log(np.maximum(priors_from_others(post, people.weights), LEAST))
    share = np.cumsum(people.density * np.exp(axis.chart.log_slope(axis.u)))
    quarter, median, three = np.interp([0.25, 0.5, 0.75], share / share[-1], axis.value)
    longest, depth = STEP * post.resolution.delta_step, DEPTH + post.resolution.depth
    parts = []
    for start in range(0, problem.mean.size, BLOCK):
        rows = slice(start, start + BLOCK)
        mean, scale, shape = (
            values[rows, None] for values in (problem.mean, problem.scale, problem.shape)
        )
        own = _Own(mean, scale, shape, log_h[rows], axis, float(median), float(three - quarter))
        x = own.even_grid(own.scan(), longest, depth)
        logs = own.log_density(x)
        mass = np.exp(logs - logs.max(axis=1, keepdims=True))
        mass /= mass.sum(axis=1, keepdims=True)
        at = quantile_positions(cdf_at_points(mass), mass, np.array(TAILS))
        parts.append((interpolated(x, at), *_sigma(own, x, mass)))
    quantiles, sigma_mean, sigma_interval = map(np.concatenate, zip(*parts, strict=True))
    return quantiles, sigma_mean, sigma_interval


@dataclass(frozen=True, eq=False, slots=True)
class _Own:
    """The posteriors of some δ_i, each on a grid of its own.

    The grid is even in a map x → u that is linear around the data set's own mean and around the
    population's median: the mean of two arcsinh's, one for each centre and its width.

    mean, scale, shape : (d, 1) each, of the likelihoods; see Problem.
    log_h : (d, k) log H_i on the population's axis. median, width : of the population.
    """

    mean: FloatArray
    scale: FloatArray
    shape: FloatArray
    log_h: FloatArray
    axis: Axis
    median: float
    width: float

    def log_density(self, x: FloatArray) -> FloatArray:
        """Log L_i H_i over u, at x (d, points) and up to a constant for each data set."""
        square = ((x - self.mean) / self.scale) ** 2
        student = np.isfinite(self.shape[:, 0])
        shape = self.shape[student]
        log_l = -0.5 * square
        log_l[student] = -(shape + 0.5) * np.log1p(square[student] / (2 * shape))
        position = np.clip(self.axis.position(x), 0, self.axis.count - 1)
        return log_l + _between_neighbours(self.log_h, position) + np.log(self.slope(x))

    def u(self, x: FloatArray) -> FloatArray:
        own = np.arcsinh((x - self.mean) / (2 * self.scale))
        return (own + np.arcsinh((x - self.median) / self.width)) / 2

    def slope(self, x: FloatArray) -> FloatArray:
        """dx/du."""
        own = 1 / np.sqrt((x - self.mean) ** 2 + (2 * self.scale) ** 2)
        return 2 / (own + 1 / np.sqrt((x - self.median) ** 2 + self.width**2))

    def scan(self) -> FloatArray:
        """(d, points) x in ascending order along the axis, dense around both centres."""
        ends = self.axis.value[[0, -1]]
        first, last = np.arcsinh((ends[:, None, None] - self.mean) / (2 * self.scale))
        own = first + (last - first) * np.linspace(0.0, 1.0, SCAN)
        first, last = np.arcsinh((ends - self.median) / self.width)
        common = np.linspace(float(first), float(last), SCAN)
        x = np.empty((self.mean.size, 2 * SCAN))
        x[:, :SCAN] = self.mean + 2 * self.scale * np.sinh(own)
        x[:, SCAN:] = self.median + self.width * np.sinh(common)
        x.sort(axis=1)
        return x

    def even_grid(self, x: FloatArray, longest: float, depth: float) -> FloatArray:
        """(d, points) an even grid of u where the density, seen at x, matters."""
        u, slope, log_density = self.u(x), self.slope(x), self.log_density(x)
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
        guess = x0 + t * t * (3 - 2 * t) * (x1 - x0)
        guess += width * t * (1 - t) * ((1 - t) * s0 - t * s1)
        return np.asarray(guess - (self.u(guess) - at) * self.slope(guess))


def _between_neighbours(values: FloatArray, position: FloatArray) -> FloatArray:
    """Interpolation that hardly leaves the range of the two neighbours.

    A polynomial would, where the logarithm of a density falls into the void.
    """
    low = np.minimum(position.astype(np.int64), values.shape[1] - 2)
    ends = [np.take_along_axis(values, low + k, axis=1) for k in (0, 1)]
    least, most = np.minimum(*ends) - OVERSHOOT, np.maximum(*ends) + OVERSHOOT
    return np.clip(interpolated(values, position), least, most)


def _sigma(own: _Own, x: FloatArray, mass: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean (d,) and 95 % interval (d, 2) of σ_i, over its maximum-likelihood value; 1 if known.

    x, mass : (d, points) δ_i, and their masses, which sum to 1.
    """
    square, shape = ((x - own.mean) / own.scale) ** 2, own.shape[:, 0]
    mean, interval = np.ones(shape.size), np.ones((shape.size, 2))
    for value in np.unique(shape[np.isfinite(shape)]).tolist():
        rows = np.flatnonzero(shape == value)
        growth = np.log1p(square[rows] / (2 * value))
        half_n = value + 1
        factor = math.exp(math.lgamma(value) - math.lgamma(value + 0.5)) * math.sqrt(half_n)
        mean[rows] = factor * (mass[rows] * np.exp(growth / 2)).sum(axis=1)
        log_variance = _log_variance_quantiles(value + 0.5, growth, mass[rows])
        interval[rows] = np.sqrt(half_n * np.exp(log_variance))
    return mean, interval


def _log_variance_quantiles(shape: float, growth: FloatArray, mass: FloatArray) -> FloatArray:
    """(d, 2) ends r of the 95 % interval of the log variance, over n/2.

    There E[P(X > exp(growth - r))] is the level, X ~ Gamma(shape), which is read off a table of
    P(X > e^z). growth : (d, points), with their masses.
    """
    low, high = np.log(np.maximum(gammainccinv(shape, [1 - TAIL, TAIL]), LEAST))
    z = np.linspace(low, high, POINTS)
    above = gammaincc(shape, np.exp(z))
    density = np.exp(shape * z - np.exp(z) - math.lgamma(shape))
    quantiles = np.empty((growth.shape[0], 2))
    for k, level in enumerate(((1 - SHOWN_LEVEL) / 2, (1 + SHOWN_LEVEL) / 2)):
        r = (mass * growth).sum(axis=1) - float(np.log(gammainccinv(shape, level)))
        for _ in range(NEWTON_STEPS):
            at = growth - r[:, None]
            reached = (mass * np.interp(at, z, above)).sum(axis=1)
            slope = (mass * np.interp(at, z, density, 0.0, 0.0)).sum(axis=1)
            normal = ndtri(np.clip(reached, LEAST_SLOPE, 1 - LEAST_SLOPE))
            height = np.exp(-0.5 * normal**2) / math.sqrt(2 * math.pi)
            step = (normal - ndtri(level)) * height / np.maximum(slope, LEAST_SLOPE)
            r = r - np.clip(step, -LONGEST, LONGEST)
            if np.abs(step).max() < CLOSE:
                break
        quantiles[:, k] = r
    return quantiles
