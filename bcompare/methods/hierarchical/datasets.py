"""What the posterior says of single data sets: those at hand, and the next one.

The posterior of δ_i is proportional to L_i(δ) H_i(δ). L_i is the likelihood of its own data.
H_i is the prior t(δ; δ0, σ0, ν) averaged over what the other data sets say of (δ0, σ0, ν),
which is the posterior divided by m_i(δ0, σ0, ν); it is smooth on the scale of the population.
For the next data set, which has no data yet, L = m = 1.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from bcompare.methods.hierarchical.answers import regions_of
from bcompare.methods.hierarchical.axes import (
    Axis,
    Chart,
    cdf_weights,
    density_weights,
    quantile_positions,
)
from bcompare.methods.hierarchical.likelihood import Problem, likelihoods
from bcompare.methods.hierarchical.mixtures import interpolation
from bcompare.methods.hierarchical.model import INTERVAL_LEVELS
from bcompare.methods.hierarchical.posterior import Posterior
from bcompare.rope import FloatArray, RegionProbabilities, Rope

# A normal at least this many steps of the δ0 grid wide is summed over its points; a narrower
# one is convolved with the interpolated density of δ0 by a Gauss-Hermite rule.
WIDE = 1.5
HERMITE_NODES = 12

# The population's distribution is tabulated this many standard errors beyond all the means.
BEYOND = 50.0

# Points of the grid of one δ_i, and how far below the peak, in e-folds, its ends are.
POINTS = 65
DEPTH = 16.0

NEWTON_STEPS = 30


@dataclass(frozen=True, eq=False, slots=True)
class Population:
    """The mixture of normals that the δ of data sets follow, and its density on a grid.

    mass : (δ0, s) of the normals with centre δ0 and scale s, for the next data set.
    axis : grid of δ, (k,). weights : (k, δ0·s) of `mass` in the density there.
    density : (k,) of the next data set's δ.
    """

    delta0: Axis
    s: FloatArray
    mass: FloatArray
    axis: Axis
    weights: FloatArray
    density: FloatArray

    def regions(self, rope: Rope) -> RegionProbabilities[FloatArray]:
        """Probability that the next data set's δ falls in each region."""
        below, up_to = self.cdf(np.array([rope.low, rope.high]))
        return regions_of(below, up_to, rope)

    def cdf(self, x: FloatArray) -> FloatArray:
        """(x,) probability that the next data set's δ is at most x."""
        weights = ndtr((x[:, None, None] - self.delta0.value[:, None]) / self.s)
        at, which = np.nonzero(_narrow(self.delta0, self.s, x))
        y, hermite = _around(x[at], self.s[which])
        of_delta0 = cdf_weights(self.delta0.position(y), self.delta0.count)
        weights[at, :, which] = np.einsum("h,mhd->md", hermite, of_delta0)
        return np.clip(weights.reshape(x.size, -1) @ self.mass.ravel(), 0.0, 1.0)


def population(post: Posterior) -> Population:
    """The next data set's δ under the posterior."""
    problem, delta0 = post.problem, post.grid.delta0
    mass = _evaluated_mass(post)
    mass = mass if post.prior.weights is None else mass @ post.prior.weights
    ends = delta0.value[[0, -1]]
    margin = BEYOND * float(problem.scale.max())
    low = min(float(ends[0]), float(problem.mean.min()) - margin)
    high = max(float(ends[1]), float(problem.mean.max()) + margin)
    chart = Chart("sinh", delta0.chart.centre, delta0.chart.width)
    first, last = chart.inverse(np.array([low, high]))
    step = min(delta0.step, 0.25)
    axis = Axis(chart, float(first), step, math.ceil((last - first) / step) + 1)
    weights = _density_weights(delta0, post.prior.s, axis.value).reshape(axis.count, -1)
    density = weights @ mass.ravel()
    return Population(delta0, post.prior.s, mass, axis, weights, np.maximum(density, 0.0))


def _evaluated_mass(post: Posterior) -> FloatArray:
    """(δ0, (σ0, ν)) masses, those of continued points put on the nearest that was evaluated."""
    sigma0, nu = post.continued
    mass = post.mass[:, sigma0:].copy()
    mass[:, 0] += post.mass[:, :sigma0].sum(axis=1)
    lowest = mass[:, :, :nu].sum(axis=2)
    mass = mass[:, :, nu:]
    mass[:, :, 0] += lowest
    return mass.reshape(mass.shape[0], -1)


def _density_weights(delta0: Axis, s: FloatArray, x: FloatArray) -> FloatArray:
    """(x, δ0, s) weights of the masses of δ0 in the density of δ0 + s Z, Z ~ N(0, 1)."""
    z = (x[:, None, None] - delta0.value[:, None]) / s
    weights = np.exp(-0.5 * z * z) / (math.sqrt(2 * math.pi) * s)
    at, which = np.nonzero(_narrow(delta0, s, x))
    y, hermite = _around(x[at], s[which])
    position = delta0.position(y)
    inside = np.isfinite(position)
    position = np.where(inside, position, 0.0)
    slope = delta0.step * np.exp(delta0.chart.log_slope(delta0.start + delta0.step * position))
    weights[at, :, which] = np.einsum(
        "mh,mhd->md", hermite * inside / slope, density_weights(position, delta0.count)
    )
    return weights


def _narrow(delta0: Axis, s: FloatArray, x: FloatArray) -> FloatArray:
    """(x, s) whether a normal of scale s is too narrow for the grid of δ0 around x."""
    position = delta0.position(x)
    inside = (position > -1) & (position < delta0.count)
    u = delta0.start + delta0.step * np.where(inside, position, 0.0)
    spacing = delta0.step * np.exp(delta0.chart.log_slope(u))
    return inside[:, None] & (s < WIDE * spacing[:, None])


def _around(x: FloatArray, s: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Gauss-Hermite nodes (x, h) of N(x, s²), and their weights (h,)."""
    node, weight = np.polynomial.hermite_e.hermegauss(HERMITE_NODES)
    return x[:, None] + s[:, None] * node, weight / weight.sum()


@dataclass(frozen=True, eq=False, slots=True)
class DatasetPosteriors:
    """The posterior of each data set's δ_i; arrays of d.

    intervals : credible level → (d, 2).
    """

    probabilities: RegionProbabilities[FloatArray]
    mean: FloatArray
    sd: FloatArray
    intervals: dict[float, FloatArray]


def dataset_posteriors(post: Posterior, people: Population, rope: Rope) -> DatasetPosteriors:
    """Posterior of δ_i for each data set of the problem."""
    problem = post.problem
    log_h = np.log(np.maximum(_others_density(post, people), 1e-300))
    chart = _TwoCentres.of(problem, people)
    ends = people.axis.value[[0, -1]]
    u = np.linspace(chart.u(ends[0]), chart.u(ends[1]), POINTS, axis=-1)[:, 0]
    _, log_density = _log_density(problem, people, log_h, chart, u)
    u = _inner(u, log_density)
    x, log_density = _log_density(problem, people, log_h, chart, u)
    mass = np.exp(log_density - log_density.max(axis=1, keepdims=True))
    mass /= mass.sum(axis=1, keepdims=True)
    mean = (mass * x).sum(axis=1)
    sd = np.sqrt((mass * (x - mean[:, None]) ** 2).sum(axis=1))
    start, step = u[:, 0], u[:, 1] - u[:, 0]
    below, up_to = (
        (cdf_weights((chart.u(np.float64(border))[:, 0] - start) / step, POINTS) * mass).sum(axis=1)
        for border in (rope.low, rope.high)
    )
    tails = [(1 + sign * level) / 2 for level in INTERVAL_LEVELS for sign in (-1, 1)]
    position = quantile_positions(mass, np.array(tails))
    first, weights = interpolation(position, POINTS)
    quantile = sum(
        weights[j] * np.take_along_axis(x, first + j, axis=1) for j in range(weights.shape[0])
    )
    return DatasetPosteriors(
        probabilities=regions_of(below, up_to, rope),
        mean=mean,
        sd=sd,
        intervals={
            level: quantile[:, 2 * k : 2 * k + 2] for k, level in enumerate(INTERVAL_LEVELS)
        },
    )


def _others_density(post: Posterior, people: Population) -> FloatArray:
    """(d, k) H_i on the population's grid, up to a factor."""
    mass = _evaluated_mass(post)
    delta0, prior = post.grid.delta0.value, post.prior
    density = np.empty((post.problem.mean.size, people.axis.count))
    for rows, m in likelihoods(post.problem, delta0, prior, post.resolution):
        np.divide(mass, m, out=m)
        normals = m if prior.weights is None else m.reshape(-1, mass.shape[1]) @ prior.weights
        density[rows] = normals.reshape(m.shape[0], -1) @ people.weights.T
    return density


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
    def of(cls, problem: Problem, people: Population) -> "_TwoCentres":
        slope = np.exp(people.axis.chart.log_slope(people.axis.u))
        share = np.cumsum(people.density * slope)
        quarter, half, three = np.interp([0.25, 0.5, 0.75], share / share[-1], people.axis.value)
        return cls(
            problem.mean[:, None], 2 * problem.scale[:, None], float(half), float(three - quarter)
        )

    def u(self, x: FloatArray) -> FloatArray:
        own = np.arcsinh((x - self.own) / self.own_width)
        return (own + np.arcsinh((x - self.common) / self.common_width)) / 2

    def slope(self, x: FloatArray) -> FloatArray:
        """dx/du."""
        own = 1 / np.hypot(x - self.own, self.own_width)
        return 2 / (own + 1 / np.hypot(x - self.common, self.common_width))

    def x(self, u: FloatArray) -> FloatArray:
        """The inverse of u, between where either arcsinh alone has that value."""
        sinh = np.sinh(u)
        ends = self.own + self.own_width * sinh, self.common + self.common_width * sinh
        low, high = np.minimum(*ends), np.maximum(*ends)
        x = (low + high) / 2
        for _ in range(NEWTON_STEPS):
            excess = self.u(x) - u
            low, high = np.where(excess < 0, x, low), np.where(excess < 0, high, x)
            x = x - excess * self.slope(x)
            x = np.where((x > low) & (x < high), x, (low + high) / 2)
        return x


def _log_density(problem, people, log_h, chart, u):
    """x, and log of L_i H_i dx/du at it, up to a constant."""
    x = chart.x(u)
    z = (x - problem.mean[:, None]) / problem.scale[:, None]
    shape = problem.shape[:, None]
    with np.errstate(invalid="ignore"):
        log_l = np.where(
            np.isinf(shape), -0.5 * z * z, -(shape + 0.5) * np.log1p(z * z / (2 * shape))
        )
    position = np.clip(people.axis.position(x), 0, people.axis.count - 1)
    first, weights = interpolation(position, people.axis.count)
    for j in range(weights.shape[0]):
        log_l += weights[j] * np.take_along_axis(log_h, first + j, axis=1)
    return x, log_l + np.log(chart.slope(x))


def _inner(u: FloatArray, log_density: FloatArray) -> FloatArray:
    """The grid narrowed to where the density matters."""
    kept = log_density > log_density.max(axis=1, keepdims=True) - DEPTH
    first = np.maximum(kept.argmax(axis=1) - 1, 0)
    last = np.minimum(POINTS - kept[:, ::-1].argmax(axis=1), POINTS - 1)
    row = np.arange(u.shape[0])
    return np.linspace(u[row, first], u[row, last], POINTS, axis=-1)
