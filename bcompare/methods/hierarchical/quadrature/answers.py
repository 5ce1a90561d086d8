"""Answers about the population of data sets, from the posterior of (δ0, σ0, ν)."""

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, gammaln, stdtr, stdtrit

from bcompare.data.rope import FloatArray, IntArray, RegionProbabilities, Rope
from bcompare.methods.hierarchical.quadrature.axes import (
    STENCIL,
    Axis,
    cdf_weights,
    density_weights,
    interpolation,
    quantile_positions,
)
from bcompare.methods.hierarchical.quadrature.population import Population
from bcompare.methods.hierarchical.quadrature.posterior import GridPosterior, regions_of
from bcompare.methods.hierarchical.result import TAILS, Density, Marginal

if TYPE_CHECKING:
    from bcompare.methods.hierarchical.quadrature.datasets import DatasetAnswers

# The distance, in steps of σ0's grid, within which nodes approach the kink in the rope's reach.
SHARPNESS = 2

# Beyond this multiple of that distance the kink no longer matters.
ROUNDING = 14.0

# Cells of (σ0, ν) with less mass than this in total do not change a probability.
NEGLIGIBLE = 3e-6

# The ν that stands for a normal distribution in the Student's functions.
NORMAL_NU = 1e10

HALLEY_STEPS = 3

# Bisections of the range of the σ0 of a reach, 60 e-folds.
BISECTIONS = 55

# Points of a plotted curve for each step of the grid; the smallest density, in e-folds.
CURVE_REFINEMENT = 4
LEAST_DENSITY = 1e-9


class Answers:
    """All printed probabilities, from one grid; each part is computed on demand."""

    def __init__(self, post: GridPosterior, rope: Rope) -> None:
        self.post, self.rope = post, rope
        nu = post.whole.nu
        self._nu = np.array([NORMAL_NU]) if nu is None else 1 + nu.value
        self._centre, self._half_width = (rope.high + rope.low) / 2, (rope.high - rope.low) / 2

    @cached_property
    def probabilities(self) -> RegionProbabilities[FloatArray]:
        """Probability that each region is the next data set's most probable: Corani 2017, §3.1.

        For given (σ0, ν) the rope is the most probable region if δ0 lies within its reach of the
        rope's centre; otherwise the side of δ0 is.
        """
        ends = self.post.whole.delta0.chart.ends
        if not np.isfinite(ends).any():
            within = self._within_reach((-1.0, 1.0), math.inf, 0.0)
        else:  # on either side the bound ends the reach, with a kink
            low = self._centre - ends[0]
            high = ends[1] - self._centre
            left = self._within_reach((-1.0,), low, max(-high, 0.0))
            right = self._within_reach((1.0,), high, max(-low, 0.0))
            within = np.concatenate([left, right])
        at_centre = float((self._below_centre @ self.delta0_mass)[0])
        return regions_of(at_centre - within[0], at_centre + within[1], self.rope)

    @cached_property
    def delta0_mass(self) -> FloatArray:
        """(δ0,) masses."""
        return np.asarray(self.post.mass.sum(axis=(1, 2)))

    def delta0_cdf(self, *values: float) -> FloatArray:
        """Return P(δ0 ≤ value) for some values."""
        return np.asarray(np.clip(self._below(np.array(values)) @ self.delta0_mass, 0.0, 1.0))

    @cached_property
    def delta0_regions(self) -> RegionProbabilities[FloatArray]:
        """The probabilities of the regions of δ0."""
        below, up_to = self.delta0_cdf(self.rope.low, self.rope.high)
        return regions_of(below, up_to, self.rope)

    @cached_property
    def positive(self) -> float:
        """P(δ0 > 0)."""
        return 1 - float(self.delta0_cdf(0.0)[0])

    @cached_property
    def people(self) -> Population:
        """The distribution of the next data set's δ."""
        return Population(self.post)

    @cached_property
    def datasets(self) -> "DatasetAnswers":
        """The distributions of the δ_i; a table of many pairs does not need them."""
        from bcompare.methods.hierarchical.quadrature.datasets import DatasetAnswers

        return DatasetAnswers(self.post, self.rope)

    @property
    def deciding(self) -> FloatArray:
        """(3,) the probabilities that decide."""
        return np.array([*self.probabilities])

    @cached_property
    def of_pair(self) -> FloatArray:
        """Return all probabilities of the pair in one row, the deciding ones first."""
        groups = self.probabilities, self.people.regions(self.rope), self.delta0_regions
        return np.array([*(p for group in groups for p in group), self.positive])

    @property
    def of_datasets(self) -> FloatArray:
        """Return the probabilities of the data sets in one row."""
        return np.ravel([*self.datasets.probabilities])

    def _below(self, values: FloatArray) -> FloatArray:
        """Return (values, δ0) weights of the masses of δ0 in P(δ0 < value)."""
        axis = self.post.whole.delta0
        return cdf_weights(axis.position(values), axis.count)

    @cached_property
    def _below_centre(self) -> FloatArray:
        return self._below(np.array([self._centre]))

    def _within_reach(
        self, sides: tuple[float, ...], farthest: float, nearest: float
    ) -> FloatArray:
        """Return the probability that δ0 lies on a side of the rope's centre and within its reach.

        side : -1 or 1. There δ0 is between `nearest` and `farthest` from the centre. So the
        probability is that of σ0 alone if the reach exceeds `farthest`, and 0 if it is less than
        `nearest`.
        """
        if farthest <= 0:
            return np.zeros(len(sides))
        post = self.post
        axis = self.post.whole.sigma0
        start = axis.start - ROUNDING * SHARPNESS * axis.step
        stop = axis.stop + SHARPNESS * axis.step
        borders = []
        for distance in (farthest, nearest):
            sigma0 = sigma0_of_reach(distance, self._half_width, self._nu)
            borders.append(np.clip(axis.chart.inverse(sigma0), start, stop))
        sigma0, mass = _between(post, *borders)
        of_cells = np.abs(mass).sum(axis=2)
        used = of_cells > NEGLIGIBLE * math.exp(-post.resolution.depth) / of_cells.size
        at_nu = np.nonzero(used)[0]
        mass = mass[used]
        reach = rope_reach(self._half_width, sigma0[used], self._nu, at_nu)
        all_within = cdf_weights((borders[0] - axis.start) / axis.step, axis.count)
        within = np.empty(len(sides))
        for k, side in enumerate(sides):
            beyond = self._below(self._centre + side * reach) - self._below_centre
            within[k] = side * np.einsum("cd,cd->", beyond, mass)
            if math.isfinite(farthest):
                of_side = (side > 0) - side * self._below_centre[0]
                within[k] += np.einsum("d,vs,dsv->", of_side, all_within, post.mass)
        return within


def _between(
    post: GridPosterior, low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return (ν, k) σ0 between two borders (ν,) in its u, and the (ν, k, δ0) masses there.

    The rope's reach has a kink at either border. So the integral between them is taken in a
    variable w that approaches both exponentially, on an even grid, with the masses interpolated.
    """
    axis = post.whole.sigma0
    sharp = SHARPNESS * axis.step
    first = max(axis.start, float(low.min())) - ROUNDING * sharp
    if float(low.max()) <= axis.start - ROUNDING * sharp:
        first = axis.start
    last = float(high.max()) + ROUNDING * sharp
    w = first + axis.step * np.arange(max(math.ceil((last - first) / axis.step), 1))
    from_low = (w - low[:, None]) / sharp
    from_high = (w - high[:, None]) / sharp
    u = low[:, None] + sharp * (np.logaddexp(0.0, from_low) - np.logaddexp(0.0, from_high))
    slope = expit(from_low) - expit(from_high)
    blend = density_weights((u - axis.start) / axis.step, axis.count) * slope[..., None]
    mass = np.einsum("vks,dsv->vkd", blend, post.mass, optimize=True)
    return axis.chart.value(u), mass


def sigma0_of_reach(distance: float, half_width: float, nu: FloatArray) -> FloatArray:
    """Return the (ν,) σ0 at which the rope has this reach; 0 if it never has; see `rope_reach`."""
    if distance >= half_width:
        return np.zeros_like(nu)
    widest = half_width / np.asarray(stdtrit(nu, 2 / 3), dtype=np.float64)
    if distance == 0:
        return widest
    low = np.full_like(nu, -60.0)
    high = np.zeros_like(nu)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        sigma0 = widest * np.exp(middle)
        wins = stdtr(nu, (distance + half_width) / sigma0) > 2 * stdtr(
            nu, (distance - half_width) / sigma0
        )
        low = np.where(wins, middle, low)
        high = np.where(wins, high, middle)
    return np.asarray(widest * np.exp(high))


def rope_reach(
    half_width: float, sigma0: FloatArray, nu: FloatArray, at_nu: IntArray
) -> FloatArray:
    """Return the largest distance of δ0 from the rope's centre at which the rope is likeliest.

    At that distance b left and rope are equally probable, 2 T((b - r)/σ0; ν) = T((b + r)/σ0; ν)
    with T the Student CDF and r half the rope's width. If the rope has less than a third even at
    its centre, it is never the likeliest, and its reach is 0.

    sigma0 : (c,). nu : (v,); at_nu : (c,) positions in `nu` for each σ0.
    """
    reach = np.zeros_like(sigma0)
    r = half_width / sigma0
    wins = r > stdtrit(nu, 2 / 3)[at_nu]
    r = r[wins]
    at_nu = at_nu[wins]
    height = np.exp(gammaln((nu + 1) / 2) - gammaln(nu / 2)) / np.sqrt(np.pi * nu)
    height = height[at_nu]
    nu = nu[at_nu]
    power = -(nu + 1) / 2
    # the difference decreases and is concave between 0 and r: Halley's method descends from r
    y = r
    for _ in range(HALLEY_STEPS):
        above = y + r
        below = y - r
        at_above = 1 + above**2 / nu
        at_below = 1 + below**2 / nu
        density = at_above**power
        density_below = 2 * at_below**power
        slope = density - density_below
        bend = 2 * power / nu * (above * density / at_above - below * density_below / at_below)
        step = (stdtr(nu, above) - 2 * stdtr(nu, below)) / (height * slope)
        y = y - step / (1 - step * bend / (2 * slope))
    reach[wins] = np.maximum(y, 0.0) * sigma0[wins]
    return reach


def marginal(axis: Axis, mass: FloatArray, offset: float, unit: float) -> Marginal:
    """Summarise one parameter, offset + its value on the axis, from its masses there."""
    value = axis.value
    mean = float(mass @ value)
    sd = math.sqrt(float(mass @ (value - mean) ** 2))
    fine = axis.refined(CURVE_REFINEMENT)
    position = np.arange(fine.count) / CURVE_REFINEMENT
    # in logs, so that far tails keep their shape
    logs = np.log(np.maximum(mass, LEAST_DENSITY * mass.max()))
    first, weights = interpolation(position, axis.count)
    density = np.exp((weights * logs[first + np.arange(STENCIL)[:, None]]).sum(axis=0))
    cdf = np.clip(cdf_weights(position, axis.count) @ mass, 0.0, 1.0)
    cdf = np.maximum.accumulate(cdf)
    positions = quantile_positions(cdf, density / CURVE_REFINEMENT, np.array([0.5, *TAILS]))
    return Marginal.of(
        offset + unit * mean,
        unit * sd,
        (offset + unit * fine.at(positions)).tolist(),
        Density(offset + unit * fine.value, density / axis.spacing(position) / unit, cdf),
    )
