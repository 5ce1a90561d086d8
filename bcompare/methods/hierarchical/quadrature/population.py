"""The next data set's δ under the posterior, and draws of the population's parameters.

Draws are from the grid: log densities interpolated to a finer one, with a random position within
its steps.
"""

import math
from collections.abc import Callable
from functools import cached_property, partial

import numpy as np
from scipy.special import ndtr

from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.methods.hierarchical.quadrature.axes import (
    STENCIL,
    Axis,
    Chart,
    cdf_weights,
    density_weights,
    interpolation,
)
from bcompare.methods.hierarchical.quadrature.mixtures import mixing_matrix, normal_rule
from bcompare.methods.hierarchical.quadrature.posterior import GridPosterior, regions_of

# A normal of a width, in steps of the δ0 grid, between the first two numbers is convolved with
# the interpolated density of δ0 by a Gauss-Hermite rule, whose nodes are the third. A wider one
# is summed over the points of the grid.
TIERS = ((0.0, 0.02, 1), (0.02, 0.3, 3), (0.3, 1.5, 10))

# Steps beyond which the sinc of the interpolation is damped: a data set's likelihood may give
# weight to a density 1e-6 of the highest, where an undamped one would still ring.
RINGING = 3.2

# The normals for σ0 below its grid: how far, in logs, their scales reach down, and their steps.
BELOW, COARSE = 1.5, 0.4

# The population's distribution is tabulated this many standard errors beyond all the means.
BEYOND = 50.0

# For draws: steps of the finer grid in one of the grid, at most, and points that it may have.
FINER, MOST_POINTS = 4, 4_000_000
# What has less than this share of the greatest density is left out of them.
NEGLIGIBLE = 1e-8


Convolved = Callable[[FloatArray], FloatArray]


class Population:
    """The mixture of normals of the data sets' δ, and its density on a grid.

    s_below, below : scales of the normals for σ0 below the grid, and their masses (δ0, s).
    s, mass : of the posterior's own normals.
    axis : grid of δ, (k,).
    """

    def __init__(self, post: GridPosterior) -> None:
        problem = post.problem
        prior = post.prior
        res = post.resolution
        self.delta0, self.s = post.grid.delta0, prior.s
        continued, mass = post.parts()
        self.mass = mass[:, post.cells]
        # for the next data set, unlike those at hand, even a tiny σ0 matters
        sigma0 = post.whole.sigma0.value[: continued.shape[1]]
        self.s_below, self.below = sigma0, continued[:, :, 0]
        if prior.weights is not None and post.grid.nu is not None:
            self.mass = self.mass @ prior.weights
            if sigma0.size:
                ends = math.log(sigma0[0]) - BELOW, math.log(prior.s[-1])
                log_s = np.linspace(*ends, math.ceil((ends[1] - ends[0]) / COARSE) + STENCIL)
                nu = 1 + post.grid.nu.value
                weights = mixing_matrix(np.log(sigma0), nu, log_s, res.mix_step, res.gauss_nodes)
                self.s_below = np.exp(log_s)
                self.below = continued.reshape(continued.shape[0], -1) @ weights
        first, last = self.delta0.value[[0, -1]]
        margin = BEYOND * float(problem.scale.max())
        low = min(float(first), float(problem.mean.min()) - margin)
        high = max(float(last), float(problem.mean.max()) + margin)
        chart = Chart("sinh", self.delta0.chart.centre, self.delta0.chart.width)
        first, last = chart.inverse(np.array([low, high]))
        count = math.ceil((last - first) / res.delta_step) + 1
        self.axis = Axis(chart, float(first), res.delta_step, count)

    @cached_property
    def weights(self) -> FloatArray:
        """(k, δ0·s) of masses of δ0 and of the posterior's own s, in the density at the grid."""
        return self._density_weights(self.s)

    @cached_property
    def density(self) -> FloatArray:
        """(k,) of the next data set's δ."""
        density = self._density_weights(self.s_below) @ self.below.ravel()
        density += self.weights @ self.mass.ravel()
        return np.asarray(np.maximum(density, 0.0), dtype=np.float64)

    def _density_weights(self, s: FloatArray) -> FloatArray:
        """(k, δ0·s) weights of the masses of δ0 in the density of δ0 + s Z, Z ~ N(0, 1)."""
        delta0 = self.delta0
        x = self.axis.value

        def convolved(position: FloatArray) -> FloatArray:
            inside = np.isfinite(position)
            position = np.where(inside, position, 0.0)
            log_slope = delta0.chart.log_slope(delta0.start + delta0.step * position)
            height = np.where(inside, np.exp(-log_slope), 0.0) / delta0.step
            distance = position[..., None] - np.arange(delta0.count)
            distance *= distance
            distance *= -0.5 / RINGING**2
            near = np.exp(distance, out=distance)
            near *= height[..., None]
            near *= density_weights(position, delta0.count)
            return near

        # in place, as these are millions of numbers
        weights = (x[:, None, None] - delta0.value[:, None]) / s
        weights *= weights
        weights *= -0.5
        np.exp(weights, out=weights)
        weights /= math.sqrt(2 * math.pi) * s
        self._replace_narrow(weights, s, x, convolved)
        return weights.reshape(x.size, -1)

    def regions(self, rope: Rope) -> RegionProbabilities[FloatArray]:
        """Return the probability of each region for the next data set's δ."""
        below, up_to = self.cdf(np.array([rope.low, rope.high]))
        return regions_of(below, up_to, rope)

    def cdf(self, x: FloatArray) -> FloatArray:
        """Return the (x,) probabilities that the next data set's δ is at most x."""
        s = np.concatenate([self.s_below, self.s])
        mass = np.concatenate([self.below, self.mass], axis=1)
        weights = ndtr((x[:, None, None] - self.delta0.value[:, None]) / s)
        self._replace_narrow(weights, s, x, partial(cdf_weights, count=self.delta0.count))
        # a normal too wide for the table of s has half its mass on either side of x
        too_wide = 1 - float(mass.sum())
        below = weights.reshape(x.size, -1) @ mass.ravel() + too_wide / 2
        return np.asarray(np.clip(below, 0.0, 1.0))

    def _replace_narrow(
        self, weights: FloatArray, s: FloatArray, x: FloatArray, convolved: Convolved
    ) -> None:
        """Where a normal is narrow for the grid of δ0, average over it what δ0 alone would give.

        weights : (x, δ0, s), changed in place. convolved : the weights (…, δ0) of δ0 alone, for x
        at positions on its grid. The narrower the normal, the fewer nodes average well.
        """
        position = self.delta0.position(x)
        inside = np.flatnonzero((position > -1) & (position < self.delta0.count))
        spacings = self.delta0.spacing(position[inside])
        for narrowest, widest, nodes in TIERS:
            width = s / spacings[:, None]
            node_place, which = np.nonzero((width >= narrowest) & (width < widest))
            node, weight = normal_rule(nodes)
            y = x[inside[node_place], None] + s[which, None] * node
            of_delta0 = np.einsum("h,mhd->md", weight, convolved(self.delta0.position(y)))
            weights[inside[node_place], :, which] = of_delta0

    def cdf_on_axis(self) -> FloatArray:
        """(k,) the same at the grid of δ, by integrating the density from point to point."""
        spacing = self.axis.spacing(np.arange(self.axis.count, dtype=np.float64))
        f = np.pad(self.density * spacing, 1, mode="edge")
        steps = (13 * (f[1:-2] + f[2:-1]) - f[:-3] - f[3:]) / 24
        first = self.cdf(self.axis.value[:1])
        cdf = np.cumsum(np.concatenate([first, np.maximum(steps, 0.0)]))
        return np.asarray(np.minimum(cdf, 1.0), dtype=np.float64)


def draw_parameters(
    post: GridPosterior, draws: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Draw (draws,) δ0, σ0 in the posterior's unit, and ν, infinite for a normal δ."""
    axes = post.whole.axes
    factor = FINER
    while factor > 1 and post.whole.points * factor ** len(axes) > MOST_POINTS:
        factor -= 1
    mass = post.mass if post.whole.nu is not None else post.mass.reshape(post.mass.shape[:2])
    for k in range(len(axes)):
        mass = finer(mass, k, factor)
    mass[mass < NEGLIGIBLE * mass.max()] = 0
    cumulated = np.cumsum(mass.ravel())
    cells = np.searchsorted(cumulated, rng.random(draws) * cumulated[-1], side="right")
    drawn = []
    for axis, cell in zip(axes, np.unravel_index(cells, mass.shape), strict=True):
        # The sum of two uniform numbers has the triangular density of linear interpolation.
        within = rng.random(draws) + rng.random(draws) - 1
        drawn.append(axis.at((cell + within) / factor))
    delta0, sigma0 = drawn[:2]
    nu = 1 + drawn[2] if len(drawn) > 2 else np.full(draws, math.inf)
    return delta0, sigma0, nu


def finer(mass: FloatArray, k: int, factor: int) -> FloatArray:
    """Return masses with more points along one axis, interpolated on the log scale."""
    logs = np.moveaxis(np.log(np.maximum(mass, NEGLIGIBLE**2 * mass.max())), k, 0)
    position = np.arange((len(logs) - 1) * factor + 1) / factor
    first, weights = interpolation(position, len(logs))
    points = logs[first + np.arange(STENCIL)[:, None]]
    return np.moveaxis(np.exp(np.einsum("sp,sp...->p...", weights, points)), 0, k)
