"""The deciding probabilities of thousands of simulated suites, to 0.01 where `integrate` has 5e-4.

A suite is one simulated result on q data sets. Integrated by itself, each suite would compute its
own marginal likelihoods. But these are one function: in units of σ0, and of the distance from δ0,

    m_i(δ0, σ0, ν) = f(|x̄_i - δ0|/w, τ_i/σ0; ν, n_i)/w,    w² = σ0² + τ_i².

So a table of log f over its first two arguments, for each node of ν and each n, serves all suites,
wherever they are and in whatever unit. The log-likelihood of a suite is a weighted sum of entries
of the table: one sparse matrix for all suites and points, times the table.

Each suite has its own grid: of log σ0, where a scan along the modes of δ0 finds mass, and of δ0
around its mode for each σ0. The nodes of ν are the same for all. Below the first σ0 and ν the
masses fall like geometric series, as in `posterior`.

A grid must resolve its posterior: sums over every other point have to agree with those over all,
and the ends must hold little. Where they do not, the suite is left to `integrate`.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from bcompare.data.rope import BoolArray, FloatArray, Rope, read_only
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.model import SIGMA0_REACH, NuPrior
from bcompare.methods.hierarchical.quadrature.answers import NORMAL_NU, rope_reach
from bcompare.methods.hierarchical.quadrature.axes import cdf_weights, interpolation
from bcompare.methods.hierarchical.quadrature.mixtures import Rule, gamma_rule, lower_end
from bcompare.methods.hierarchical.quadrature.posterior import log_prior_density

# The nodes of log(ν - 1): at most so far apart, and all but this share of the prior between them.
NU_STEP, NU_TAIL = 0.9, 5e-4
NU_SCAN = np.linspace(-12.0, 14.0, 1301)
# Priors with α and β between these have their mass there.
LEAST_HYPER, MOST_HYPER = 0.01, 100.0

# The table of log f: the ends and the step of log(τ/σ0), the end and the step of v with
# |x̄ - δ0| = w sinh v, and how much finer both become by interpolation.
RATIO_LOW, RATIO_HIGH, RATIO_STEP = -4.0, 4.7, 0.3
LAST_V, V_STEP = 9.0, 0.15
FINER = 6

# The mixtures: the step between nodes, how far they reach down, and the shape from which a Student
# likelihood is taken as normal.
MIX_STEP = 0.5
MIX_REACH = 2 * (LAST_V + RATIO_HIGH)
ALMOST_NORMAL = 1000.0

# Up to so many different n have tables of their own; more are interpolated between the tables of
# these shapes, even in 1/(shape + 1), in which log f is nearly linear.
MOST_TABLES = 6
SHAPES = 1 / np.linspace(2 / 3, 0.0, 9)[:-1] - 1

# The centres of δ0 are modes under a population of these degrees of freedom, by so many steps of
# iteratively reweighted means.
CENTRE_NU, CENTRE_STEPS = 4.0, 8

# The scan of σ0: its points, and its ends as factors of the smallest noise and of the spread. The
# noise counts as at least this share of the spread.
SCAN_POINTS, SCAN_BELOW, SCAN_ABOVE, LEAST_NOISE = 21, 0.02, 50.0, 1e-3

# How far below its highest, in e-folds, the density is at the ends of the grid of σ0, and how fast
# it falls at least beyond the scan.
LOW_DEPTH, HIGH_DEPTH, LEAST_FALL = 5.0, 9.0, 0.3

# The grid of δ0 is even in v, with δ0 = centre + width · BULGE sinh(v/BULGE).
BULGE = 2.0

# Points of the grids of σ0 and δ0, and the largest v of δ0, for up to so many data sets.
FINENESS = ((3, 22, 19, 5.6), (7, 19, 15, 5.0), (15, 16, 13, 5.0), (35, 14, 12, 4.8))
FINENESS_OF_MANY = (13, 11, 4.5)

# Points of σ0 in one step between those at which masses are computed; how far below the highest, in
# e-folds, a mass is negligible.
BETWEEN, NEGLIGIBLE = 3, 60.0

# When a grid holds a posterior. Probabilities that are read off at every other node of ν, or only
# at the computed points of σ0, are at most so far from those at all.
MOST_APART = 0.05
# Masses at every other point sum to half of all, up to so much: with half the step a sum over a
# smooth density errs by about the fourth power. Less along δ0, which may have more than one mode.
MOST_ROUGH_NU, MOST_ROUGH_SIGMA0, MOST_ROUGH_DELTA0 = 0.35, 0.2, 0.08
# The most mass at the first σ0, with what is below, and at the other ends.
MOST_AT_FIRST, MOST_AT_ENDS = 0.08, 2e-3
# No data set is beyond the table at a σ0 below which lies more than this mass.
LITTLE = 0.01
# The mass at the bound of σ0, where the prior ends, is no sign of a grid that is too short.
AT_BOUND = 1e-9

# A density that falls by less than this from point to point is not continued as a series.
LEAST_SERIES_FALL = 0.01

# Interpolated entries of the table in one block, and the widest rope of the table of its reach.
BLOCK = 400_000
REACH_POINTS, WIDEST_ROPE = 4000, 1e4

LEAST = np.finfo(np.float64).tiny

Places: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True, eq=False, slots=True)
class Suites:
    """R suites of q data sets, all in the scores' unit.

    mean, scale, shape : (R, q) x̄_i, τ_i and (n_i - 2)/2, as of a `Problem`.
    bound : (R,) of σ0.
    """

    mean: FloatArray
    scale: FloatArray
    shape: FloatArray
    bound: FloatArray

    @classmethod
    def of(
        cls, statistics: SufficientStatistics, shape: tuple[int, ...], *, known_sigma: bool
    ) -> "Suites":
        """Return (R, q) suites from the statistics of all their data sets, suite after suite.

        known_sigma : whether each σ_i is fixed at its maximum-likelihood value.
        """
        n = statistics.n.reshape(shape)
        mean = statistics.mean.reshape(shape)
        ss = statistics.ss.reshape(shape)
        rho = statistics.rho.reshape(shape)
        factor = 1 / n + rho / (1 - rho)
        scale = np.sqrt(ss / (n if known_sigma else n - 2) * factor)
        degrees = np.full(shape, np.inf) if known_sigma else np.asarray((n - 2) / 2)
        # the default bound, see `default_sigma0_bound`
        error = statistics.standard_error.reshape(shape).mean(axis=1)
        bound = SIGMA0_REACH * np.maximum(mean.std(axis=1, ddof=1), error)
        return cls(mean, scale, degrees, bound)

    def part(self, rows: slice) -> "Suites":
        """Return some of the suites."""
        return Suites(self.mean[rows], self.scale[rows], self.shape[rows], self.bound[rows])


def batch_probabilities(
    suites: Suites, rope: Rope, prior: NuPrior | None, *, average: bool = False
) -> tuple[FloatArray, BoolArray]:
    """Return (3, R) probabilities of left, rope and right, and (R,) whether the grids hold them.

    Suites whose means have a negative sum are mirrored first, so that swapping left and right
    swaps the answers to the last digit.

    prior : of ν; None for ν = ∞. average : whether the probabilities are those of δ0, not those of
    the next data set's likeliest region.
    """
    table = _table(_table_shapes(suites.shape), prior)
    sign = np.where(suites.mean.sum(axis=1) < 0, -1.0, 1.0)
    upright = Suites(sign[:, None] * suites.mean, suites.scale, suites.shape, suites.bound)
    middle = sign * ((rope.high + rope.low) / 2)
    half_width = (rope.high - rope.low) / 2
    count, q = suites.mean.shape
    fineness = Fineness.of(q)
    points = fineness.sigma0 * fineness.delta0
    size = max(1, BLOCK // (points * max(q, BETWEEN * table.nu.size)))
    probabilities = np.empty((3, count))
    held = np.empty(count, np.bool_)
    for first in range(0, count, size):
        rows = slice(first, first + size)
        grid = SuiteGrids(upright.part(rows), table, fineness)
        probabilities[:, rows], held[rows] = grid.answers(middle[rows], half_width, average)
    swapped = probabilities[::-1]
    return np.where(sign < 0, swapped, probabilities), held


def has_table(prior: NuPrior | None) -> bool:
    """Return whether the nodes of ν hold a prior."""
    if prior is None:
        return True
    bounds = (*prior.alpha_bounds, *prior.beta_bounds)
    return min(bounds) >= LEAST_HYPER and max(bounds) <= MOST_HYPER


@dataclass(frozen=True, slots=True)
class Fineness:
    """The numbers of points of σ0 and of δ0, and the largest v of the latter."""

    sigma0: int
    delta0: int
    last: float

    @classmethod
    def of(cls, datasets: int) -> "Fineness":
        """Return it for a number of data sets: few of them leave wide, skewed posteriors."""
        for most, *points in FINENESS:
            if datasets <= most:
                return cls(int(points[0]), int(points[1]), points[2])
        return cls(*FINENESS_OF_MANY)


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """log f at (n, log τ/σ0, v), and the nodes of ν.

    values : (n · ratios · distances, ν) in single precision.
    shapes : (n,) ascending.
    nu : (ν,) nodes.
    log_prior : (ν,) logs of their prior masses.
    """

    values: FloatArray
    shapes: FloatArray
    ratios: int
    distances: int
    nu: FloatArray
    log_prior: FloatArray


def _table_shapes(shape: FloatArray) -> tuple[float, ...]:
    """Return the shapes that have a table, ascending: those of the data, or some around them."""
    shapes = np.unique(shape)
    if shapes.size > MOST_TABLES:
        common = np.append(SHAPES, np.inf)
        first = np.searchsorted(common, shapes[0], side="right") - 1
        last = np.searchsorted(common, shapes[-1])
        shapes = common[max(first, 0) : last + 1]
    return tuple(shapes.tolist())


@lru_cache(maxsize=8)
def _table(shapes: tuple[float, ...], prior: NuPrior | None) -> Table:
    """Return the table for some shapes and a prior of ν."""
    nu, log_prior = _nu_nodes(prior)
    values = np.stack([_layer(shape, prior) for shape in shapes])
    return Table(
        values=values.reshape(-1, nu.size),
        shapes=np.array(shapes),
        ratios=values.shape[1],
        distances=values.shape[2],
        nu=nu,
        log_prior=log_prior,
    )


@lru_cache(maxsize=32)
def _layer(shape: float, prior: NuPrior | None) -> FloatArray:
    """Return (ratios, distances, ν) log f for one n, in single precision."""
    log_ratio = np.arange(RATIO_LOW, RATIO_HIGH + RATIO_STEP / 2, RATIO_STEP)
    v = np.arange(0.0, LAST_V + V_STEP / 2, V_STEP)
    coarse = _log_f(shape, np.exp(log_ratio), v, _nu_nodes(prior)[0])
    return read_only(_finer(_finer(coarse, 0, FINER), 1, FINER).astype(np.float32))


def _nu_nodes(prior: NuPrior | None) -> tuple[FloatArray, FloatArray]:
    """Return (ν,) nodes, even in log(ν - 1), and the logs of their prior masses."""
    if prior is None:
        return np.array([NORMAL_NU]), np.zeros(1)
    density = np.exp(log_prior_density(prior, np.exp(NU_SCAN)) + NU_SCAN)
    below = np.cumsum(density) / density.sum()
    low, high = np.interp([NU_TAIL, 1 - NU_TAIL], below, NU_SCAN)
    u = np.linspace(low, high, math.ceil((high - low) / NU_STEP) + 1)
    log_mass = log_prior_density(prior, np.exp(u)) + u
    return 1 + np.exp(u), log_mass


def _log_f(shape: float, ratio: FloatArray, v: FloatArray, nu: FloatArray) -> FloatArray:
    """Return (ratio, v, ν) log f for one n, without underflow.

    Given λ and κ it is the density of N(0, σ0²/λ + τ²/κ) at w sinh v, times w, without its 1/√2π.
    """
    kappa, kappa_log_weight = _mixing(shape)
    square = np.sinh(v) ** 2
    width2 = 1 + ratio**2
    logs = np.empty((ratio.size, v.size, nu.size))
    for k, degrees in enumerate(nu.tolist()):
        lambda_, lambda_log_weight = _mixing(degrees / 2)
        log_weight = (lambda_log_weight[:, None] + kappa_log_weight).ravel()
        for j in range(ratio.size):
            variance = (1 / lambda_[:, None] + ratio[j] ** 2 / kappa).ravel() / width2[j]
            terms = log_weight - 0.5 * np.log(variance) - 0.5 * square[:, None] / variance
            greatest = terms.max(axis=1)
            total = np.exp(terms - greatest[:, None]).sum(axis=1)
            logs[j, :, k] = greatest + np.log(total)
    return logs


def _mixing(shape: float) -> Rule:
    """Return nodes and log weights of Gamma(shape, shape); one node where it is nearly a point."""
    if shape > ALMOST_NORMAL:
        return np.ones(1), np.zeros(1)
    return gamma_rule(shape, MIX_STEP, lower_end(shape, MIX_REACH))


def _finer(values: FloatArray, axis: int, factor: int) -> FloatArray:
    """Return interpolated values with `factor` times as many steps along an axis."""
    lines = np.moveaxis(values, axis, 0)
    position = np.arange((len(lines) - 1) * factor + 1) / factor
    first, weights = interpolation(position, len(lines))
    neighbours = lines[first + np.arange(weights.shape[0])[:, None]]
    return np.moveaxis(np.einsum("jp,jp...->p...", weights, neighbours), 0, axis)


class SuiteGrids:
    """The posteriors of R suites of q data sets, each on a grid of its own.

    The rope is the likeliest region only up to some σ0. So masses are interpolated between the
    points of σ0 at which they were computed, each at the same place in units of the width of δ0.

    v : (d,) the grid of δ0.
    sigma0 : (R, s).
    centre, width : (R, s) of δ0.
    mass : (R, s, ν, d) posterior masses, which sum to 1 for each suite.
    """

    def __init__(self, suites: Suites, table: Table, fineness: Fineness) -> None:
        self.suites, self.table = suites, table
        low, high = self._window()
        log_sigma0 = np.linspace(low, high, fineness.sigma0, axis=1)
        sigma0 = np.exp(log_sigma0)
        centre, width = self._modes(sigma0)
        self.v = np.linspace(-fineness.last, fineness.last, fineness.delta0)
        away = BULGE * np.sinh(self.v / BULGE)
        delta0 = centre[..., None] + width[..., None] * away
        log_mass = self._log_likelihood(sigma0, delta0) + table.log_prior
        log_mass += np.log(np.cosh(self.v / BULGE))[:, None]
        log_mass += (np.log(width) + log_sigma0)[..., None, None]
        log_mass -= log_mass.max(axis=(1, 2, 3), keepdims=True)
        fine = _finer(np.maximum(log_mass, -NEGLIGIBLE), 1, BETWEEN)
        mass = np.moveaxis(np.exp(fine), 2, 3)
        self.is_bounded = np.log(suites.bound) - high < AT_BOUND
        mass[self.is_bounded, -1] /= 2  # the trapezoidal sum ends there
        _add_series(np.moveaxis(mass, 1, 0))
        if table.nu.size > 1:
            _add_series(np.moveaxis(mass, 2, 0))
        self.mass = mass / mass.sum(axis=(1, 2, 3), keepdims=True)
        self.sigma0 = np.exp(_finer(log_sigma0, 1, BETWEEN))
        self.centre = _finer(centre, 1, BETWEEN)
        self.width = _finer(width, 1, BETWEEN)

    def answers(
        self, middle: FloatArray, half_width: float, average: bool
    ) -> tuple[FloatArray, BoolArray]:
        """Return (3, R) probabilities of the regions, and (R,) whether the grids hold them.

        middle : (R,) centres of the ropes.
        """
        reach = np.full((*self.sigma0.shape, self.table.nu.size), half_width)
        if not average:
            reach = _reach(half_width, self.sigma0, self.table)
        below = self._below(middle[:, None, None] - reach)
        up_to = self._below(middle[:, None, None] + reach)
        both = np.stack([below, up_to])
        low, high = both.sum(axis=(2, 3))
        probabilities = np.maximum(np.stack([low, high - low, 1 - high]), 0.0)
        return probabilities / probabilities.sum(axis=0), self._held(both)

    def _held(self, both: FloatArray) -> BoolArray:
        """Return (R,) whether the grids resolve the posteriors and end where little is left.

        both : (2, R, s, ν) masses below the rope's reach and up to its end.
        """
        of_sigma0 = self.mass.sum(axis=(2, 3))
        of_nu = self.mass.sum(axis=(1, 3))
        of_delta0 = self.mass.sum(axis=(1, 2))
        whole = both.sum(axis=(2, 3))
        computed = both[:, :, ::BETWEEN].sum(axis=(2, 3)) / of_sigma0[:, ::BETWEEN].sum(axis=1)
        apart = np.abs(computed - whole).max(axis=0)
        if of_nu.shape[1] > 1:
            every_other = both[..., ::2].sum(axis=(2, 3)) / of_nu[:, ::2].sum(axis=1)
            apart = np.maximum(apart, np.abs(every_other - whole).max(axis=0))
        held = apart <= MOST_APART
        held &= _halved(of_sigma0[:, ::BETWEEN]) <= MOST_ROUGH_SIGMA0
        held &= _halved(of_delta0) <= MOST_ROUGH_DELTA0
        if of_nu.shape[1] > 1:
            held &= _halved(of_nu) <= MOST_ROUGH_NU
        last = np.where(self.is_bounded, 0.0, of_sigma0[:, -1])
        ends = of_delta0[:, 0] + of_delta0[:, -1] + last
        held &= (of_sigma0[:, 0] <= MOST_AT_FIRST) & (ends <= MOST_AT_ENDS)
        return np.asarray(held & (self._farthest(of_sigma0) <= LAST_V))

    def _farthest(self, of_sigma0: FloatArray) -> FloatArray:
        """Return (R,) the largest v of a data set at the least σ0 that matters."""
        matters = np.cumsum(of_sigma0, axis=1) > LITTLE
        first = matters.argmax(axis=1)[:, None]
        sigma0 = np.take_along_axis(self.sigma0, first, axis=1)
        centre = np.take_along_axis(self.centre, first, axis=1)
        width = np.hypot(sigma0, self.suites.scale)
        return np.asarray(np.arcsinh(np.abs(self.suites.mean - centre) / width).max(axis=1))

    def _below(self, border: FloatArray) -> FloatArray:
        """Return (R, s, ν) masses of δ0 below borders (R, s, ν)."""
        away = (border - self.centre[..., None]) / self.width[..., None]
        v = BULGE * np.arcsinh(away / BULGE)
        position = np.clip((v - self.v[0]) / (self.v[1] - self.v[0]), -1.0, self.v.size)
        weights = cdf_weights(position, self.v.size)
        below = np.einsum("rsnd,rsnd->rsn", weights, self.mass)
        return np.asarray(np.clip(below, 0.0, self.mass.sum(axis=3)))

    def _modes(self, sigma0: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return (R, s) modes of δ0 for each σ0, and the widths around them."""
        mean = self.suites.mean[:, None]
        variance = sigma0[:, :, None] ** 2 + self.suites.scale[:, None] ** 2
        centre = np.broadcast_to(np.median(self.suites.mean, axis=1)[:, None], sigma0.shape)
        for _ in range(CENTRE_STEPS):
            square = (mean - centre[..., None]) ** 2
            weight = (CENTRE_NU + 1) / (CENTRE_NU * variance + square)
            total = weight.sum(axis=2)
            centre = (weight * mean).sum(axis=2) / total
        return centre, 1 / np.sqrt(total)

    def _window(self) -> tuple[FloatArray, FloatArray]:
        """Return (R,) ends of log σ0, by Laplace's approximation of the marginal density."""
        suites = self.suites
        spread = np.maximum(np.ptp(suites.mean, axis=1), suites.scale.max(axis=1))
        noise = np.maximum(suites.scale.min(axis=1), LEAST_NOISE * spread)
        bound = np.log(suites.bound)
        first = np.log(SCAN_BELOW * noise)
        last = np.minimum(np.log(SCAN_ABOVE * spread), bound)
        log_sigma0 = np.linspace(first, last, SCAN_POINTS, axis=1)
        sigma0 = np.exp(log_sigma0)
        centre, width = self._modes(sigma0)
        logs = self._log_likelihood(sigma0, centre[..., None])[:, :, 0] + self.table.log_prior
        logs += (np.log(width) + log_sigma0)[..., None]
        density = np.exp(logs - logs.max(axis=(1, 2), keepdims=True)).sum(axis=2)
        profile = np.log(np.maximum(density / density.max(axis=1, keepdims=True), LEAST))
        step = log_sigma0[:, 1] - log_sigma0[:, 0]
        low = first + step * np.maximum(_crossing(profile, LOW_DEPTH, step), 0.0)
        high = last - step * _crossing(profile[:, ::-1], HIGH_DEPTH, step)
        return low, np.minimum(high, bound)

    def _log_likelihood(self, sigma0: FloatArray, delta0: FloatArray) -> FloatArray:
        """Return (R, s, d, ν) Σ log m_i, up to a constant, at σ0 (R, s) and δ0 (R, s, d).

        By interpolation between two neighbours in the table for each argument of log f.
        """
        suites = self.suites
        table = self.table
        width = np.hypot(sigma0[:, :, None], suites.scale[:, None])
        log_ratio = np.log(suites.scale[:, None] / sigma0[:, :, None])
        # beyond either end f no longer depends on the ratio
        line, of_line = _neighbours((log_ratio - RATIO_LOW) * (FINER / RATIO_STEP), table.ratios)
        away = (suites.mean[:, None, None] - delta0[..., None]) / width[:, :, None]
        v = np.arcsinh(np.abs(away).astype(np.float32))
        point, of_point = _neighbours(v * np.float32(FINER / V_STEP), table.distances)
        start = point + (line * table.distances)[:, :, None]
        of_line = of_line[:, :, None]
        corners = (
            (0, (1 - of_line) * (1 - of_point)),
            (1, (1 - of_line) * of_point),
            (table.distances, of_line * (1 - of_point)),
            (table.distances + 1, of_line * of_point),
        )
        layers = _layers(suites.shape, table)
        entries = 4 * len(layers)
        column = np.empty((*start.shape, entries), np.int32)
        weight = np.empty(column.shape, np.float32)
        for k, (layer, of_layer) in enumerate(layers):
            layer_start = start + (layer * (table.ratios * table.distances))[:, None, None]
            for j, (offset, share) in enumerate(corners):
                column[..., 4 * k + j] = layer_start + offset
                weight[..., 4 * k + j] = share * of_layer[:, None, None]
        row = suites.mean.shape[1] * entries
        ends = np.arange(0, column.size + 1, row, dtype=np.int32)
        weights = csr_array(
            (weight.ravel(), column.ravel(), ends), shape=(delta0.size, len(table.values))
        )
        total = (weights @ table.values).reshape(*delta0.shape, -1).astype(np.float64)
        total -= np.log(width).sum(axis=2)[:, :, None, None]
        return np.asarray(total)


def _halved(mass: FloatArray) -> FloatArray:
    """Return (R,) the distance of sums over every other point of (R, points) masses from half."""
    return np.asarray(np.abs(2 * mass[:, ::2].sum(axis=1) / mass.sum(axis=1) - 1))


def _layers(shape: FloatArray, table: Table) -> list[tuple[Places, FloatArray]]:
    """Return the numbers (R, q) of the tables for each data set, with weights (R, q)."""
    count = table.shapes.size
    position = np.interp(-1 / (shape + 1), -1 / (table.shapes + 1), np.arange(count))
    nearest = np.rint(position).astype(np.int32)
    if np.array_equal(table.shapes[nearest], shape):
        return [(nearest, np.ones(shape.shape, np.float32))]
    layer, of_next = _neighbours(position, count)
    of_this = np.asarray(1 - of_next)
    return [(layer, of_this), (layer + np.int32(1), of_next)]


def _neighbours(position: FloatArray, count: int) -> tuple[Places, FloatArray]:
    """Return the point before each position among `count`, and the weight of the one after it."""
    inside = np.clip(position, 0, count - 1)
    before = np.minimum(inside.astype(np.int32), np.int32(count - 2))
    return before, (inside - before.astype(inside.dtype)).astype(np.float32, copy=False)


def _crossing(profile: FloatArray, depth: float, step: FloatArray) -> FloatArray:
    """Return (R,) where profiles (R, s) rise above -depth, in points from the first.

    A profile that begins higher is continued by its slope there, to positions below 0.
    """
    row = np.arange(len(profile))
    after = (profile > -depth).argmax(axis=1)
    begins_higher = after == 0
    after = np.maximum(after, 1)
    high = profile[row, after]
    rise = high - profile[row, after - 1]
    rise = np.where(begins_higher, np.maximum(rise, LEAST_FALL * step), rise)
    start = np.where(begins_higher, 0.0, after - 1.0)
    return np.asarray(start + (-depth - profile[row, after - 1]) / rise)


def _add_series(mass: FloatArray) -> None:
    """Add to the first masses, along the first axis, those of a geometric series below them.

    mass : (points, R, …), changed in place. The ratio of the series is that of the first two.
    """
    others = tuple(range(1, mass.ndim - 1))
    first = np.maximum(mass[0].sum(axis=others), LEAST)
    second = np.maximum(mass[1].sum(axis=others), LEAST)
    fall = np.log(second) - np.log(first)
    continued = fall > LEAST_SERIES_FALL
    factor = np.where(continued, -1 / np.expm1(-np.maximum(fall, LEAST_SERIES_FALL)), 1.0)
    mass[0] *= factor[:, None, None]


def _reach(half_width: float, sigma0: FloatArray, table: Table) -> FloatArray:
    """Return (R, s, ν) reaches of the rope, see `rope_reach`, interpolated for each ν."""
    log_width, in_sigma0 = _reach_table(tuple(table.nu.tolist()))
    reach = np.zeros((*sigma0.shape, table.nu.size))
    if half_width > 0:
        position = np.log(half_width / sigma0)
        for k in range(table.nu.size):
            reach[..., k] = half_width * np.interp(position, log_width, in_sigma0[k])
    return reach


@lru_cache(maxsize=8)
def _reach_table(nu: tuple[float, ...]) -> tuple[FloatArray, FloatArray]:
    """Return (k,) logs of the rope's half width over σ0, and (ν, k) reaches over half width."""
    log_width = np.linspace(math.log(0.2), math.log(WIDEST_ROPE), REACH_POINTS)
    sigma0 = np.exp(-log_width)
    nodes = np.array(nu)
    lines = [rope_reach(1.0, sigma0, nodes, np.full(sigma0.size, k)) for k in range(nodes.size)]
    return log_width, np.stack(lines)
