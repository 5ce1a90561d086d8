"""Posterior of each data set: its region, its shrinkage, and quantiles of δ_i and σ_i.

Given κ_i, δ0 and s all is normal: with v = τ_i²/κ_i and w = v/(v + s²), δ_i has mean
x̄_i + w (δ0 - x̄_i) and variance w s². So its distribution function is an average of normal ones over
the posterior masses of these three, and the regions need no grid of δ_i.

For given κ_i and s it is the probability that a normal of width s/√w around δ0 lies below a pivot.
Where that is wide for the distribution of δ0, four moments of the latter are enough: the sum of
the two is nearly normal, and Edgeworth's series says how nearly (Hall 1992, "The Bootstrap and
Edgeworth Expansion", §2.2). Elsewhere the average is taken over the points of δ0.

The quantiles are read off a grid. The posterior of δ_i is proportional to L_i(δ) H_i(δ). L_i is the
likelihood of its own data. H_i is the prior t(δ; δ0, σ0, ν) averaged over what the other data sets
say of (δ0, σ0, ν), which is the posterior divided by m_i(δ0, σ0, ν); it is smooth on the scale of
the population.

Given δ_i, the prior of σ_i being flat, 1/σ_i² ~ Gamma((n_i - 1)/2, A_i/2) with
A_i = SS_i/(1 - ρ_i) + n_i (x̄_i - δ_i)²/(1 + (n_i - 1) ρ_i). That is n_i σ̂_i², with the
maximum-likelihood value σ̂_i, times 1 + (x̄_i - δ_i)²/((n_i - 2) τ_i²): all is known up to σ̂_i.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincc, gammainccinv, ndtr, ndtri

from bcompare.data.rope import FloatArray, IntArray, Rope
from bcompare.methods.hierarchical.quadrature.axes import (
    Axis,
    cdf_at_points,
    interpolated,
    quantile_positions,
)
from bcompare.methods.hierarchical.quadrature.likelihood import Prior, likelihood_rule, marginals
from bcompare.methods.hierarchical.quadrature.mixtures import normal_rule
from bcompare.methods.hierarchical.quadrature.population import Population
from bcompare.methods.hierarchical.quadrature.posterior import GridPosterior, regions_of
from bcompare.methods.hierarchical.result import SHOWN_LEVEL, TAILS

# A normal narrower than this number of steps of the grid of δ0 is averaged over these nodes.
NARROW, NODES = 1.0, 6

# Cells of (κ, s) with so little mass, all of them together, do not change a probability.
NEGLIGIBLE = 3e-6

# Cells of (σ0, ν) with so little mass, all of them together, change no probability of a data set.
LITTLE = 1e-6

# Edgeworth's series is used where its next terms, by this bound of their factors, change a
# probability by less than this.
NEXT_TERMS, SERIES_ERROR = 20.0, 1e-7

# Cells in one block of work.
CELLS = 4000

# Step of the grid of one δ_i, in u, over that of the population's, and how far below the peak, in
# e-folds, its ends are.
STEP = 0.75
DEPTH = 13.0
FEWEST_POINTS = 33

# Points around each of the two centres from which the grid is found.
SCAN = 40

# Data sets in one block of work.
ROWS = 300

LEAST = 1e-300

# The logarithm of a smooth density rises between two points by less than this.
OVERSHOOT = 0.5

# Points of the table of one Gamma distribution, and the mass left out at its ends.
POINTS, TAIL = 1000, 1e-12

# Newton's method on the normal scale, where distribution functions are nearly straight; a step as
# short as the last number doubles the digits once more.
NEWTON_STEPS, LONGEST, CLOSE = 8, 1.5, 1e-5
LEAST_SLOPE = 1e-12


class Shares:
    """Posterior masses of (κ, data set, δ0, s) for a block of data sets, each up to a factor.

    Given these δ_i is normal.

    mean, v : (κ, rows) means and variances of the normals whose mixture is the likelihood; x̄_i and
        τ_i²/κ_i for a Student.
    delta0 : (δ0,).
    s : (s,) scales.
    height : (κ, rows, s) and rate, of the exponential.
    others : (δ0, rows, s) masses without data set i.
    offset : (δ0, rows, s) to be added in the exponent, or None.
    """

    def __init__(
        self, post: GridPosterior, prior: Prior, rows: slice, m: FloatArray, mass: FloatArray
    ) -> None:
        problem = post.problem
        delta0 = post.grid.delta0.value
        rule = likelihood_rule(problem, rows, delta0, prior, post.resolution)
        self.mean, self.v, log_weight = rule
        self.rows, self.s, self.delta0 = rows, prior.s, delta0
        variance = self.v[:, :, None] + prior.s**2
        self.height = log_weight[:, :, None] - 0.5 * np.log(variance)
        self.rate = -0.5 / variance
        self.offset = None
        if prior.weights is None:
            self.offset = -m.swapaxes(0, 1)
            others = np.broadcast_to(mass[:, None], self.offset.shape)
        else:
            flat = (mass / m).reshape(-1, prior.cells) @ prior.weights
            others = flat.reshape(*m.shape[:2], -1).swapaxes(0, 1)
        self.others = np.ascontiguousarray(others)

    def sums(self, weights: FloatArray) -> FloatArray:
        """(w, κ, rows, s) sums over δ0 with each of some weights (w, δ0)."""
        out = np.empty((weights.shape[0], *self.height.shape))
        share = np.empty_like(self.others)
        for k in range(self.height.shape[0]):
            square = (self.mean[k] - self.delta0[:, None]) ** 2
            np.multiply(square[:, :, None], self.rate[k], out=share)
            share += self.height[k]
            if self.offset is not None:
                share += self.offset
            np.exp(share, out=share)
            share *= self.others
            of_k = weights @ share.reshape(share.shape[0], -1)
            out[:, k] = of_k.reshape(-1, *share.shape[1:])
        return out

    def of_others(self) -> FloatArray:
        """(rows, δ0·s) masses that the other data sets alone would give, up to a factor a row."""
        masses = self.others
        if self.offset is not None:
            greatest = np.where(masses > 0, self.offset, -np.inf).max(axis=(0, 2), keepdims=True)
            masses = masses * np.exp(np.minimum(self.offset - greatest, 0.0))
        return masses.swapaxes(0, 1).reshape(masses.shape[1], -1)

    def at(self, node: IntArray, row: IntArray, at_s: IntArray) -> FloatArray:
        """(δ0, m) masses of m cells (κ, row, s)."""
        square = (self.mean[node, row] - self.delta0[:, None]) ** 2
        logs = square * self.rate[node, row, at_s] + self.height[node, row, at_s]
        if self.offset is not None:
            logs += self.offset[:, row, at_s]
        return np.asarray(np.exp(logs) * self.others[:, row, at_s])


def shares(post: GridPosterior) -> Iterator[Shares]:
    """The posterior's masses (δ0, cells), shared out block by block.

    Without the cells of (σ0, ν) that matter to no data set.
    """
    prior = post.prior
    mass = post.cell_mass()
    kept = post.marginals
    if prior.weights is not None:
        of_cells = mass.sum(axis=0)
        order = np.argsort(of_cells)
        negligible = LITTLE * math.exp(-post.resolution.depth)
        used = np.sort(order[np.searchsorted(np.cumsum(of_cells[order]), negligible) :])
        mass = mass[:, used]
        prior = Prior(prior.s, prior.weights[used])
        if kept is not None:
            kept = [(rows, m.take(used, axis=2)) for rows, m in kept]
    blocks = kept or marginals(post.problem, post.grid.delta0.value, prior, post.resolution)
    for rows, m in blocks:
        yield Shares(post, prior, rows, m, mass)


class DatasetAnswers:
    """What can be said of the d data sets without a grid of their δ_i; (d,) each.

    probabilities : of the regions.
    mean, sd : of δ_i.
    shrinkage : posterior mean of w.
    """

    def __init__(self, post: GridPosterior, rope: Rope) -> None:
        problem = post.problem
        axis = post.grid.delta0
        borders = np.array([[rope.low]] if rope.is_empty else [[rope.low], [rope.high]])
        below = np.empty((borders.size, problem.mean.size))
        self.shrinkage, shift, square = np.empty((3, problem.mean.size))
        precision = math.exp(-post.resolution.depth)
        of_delta0 = post.cell_mass().sum(axis=1)
        centre = float(of_delta0 @ axis.value)
        unit = math.sqrt(float(of_delta0 @ (axis.value - centre) ** 2))
        powers = ((axis.value - centre) / unit) ** np.arange(5)[:, None]
        for part in shares(post):
            rows = part.rows
            mean = part.mean
            moments = part.sums(powers)
            moments /= moments[0].sum(axis=(0, 2))[:, None]
            # of δ_i - x̄_i: away + w (δ0 - mean), and its square with the variance w s² added
            way = centre - mean
            away = mean - problem.mean[rows]
            weight = part.v[:, :, None] / (part.v[:, :, None] + part.s**2)
            once = moments[:3] * weight
            twice = moments[:3] * weight**2
            of_w, of_way = once[:2].sum(axis=3)
            self.shrinkage[rows] = of_w.sum(axis=0)
            drawn = of_w * way + of_way * unit
            mass = moments[0].sum(axis=2)
            shift[rows] = (mass * away + drawn).sum(axis=0)
            of_w, of_way, of_square = twice.sum(axis=3)
            squares = of_w * way**2 + 2 * way * of_way * unit + of_square * unit**2
            squares += away * (mass * away + 2 * drawn)
            spread = np.einsum("krs,s->r", once[0], part.s**2)
            square[rows] = squares.sum(axis=0) + spread
            cells = _Cells(moments, centre, unit, NEGLIGIBLE * precision)
            weight = weight[cells.node, cells.row, cells.at_s]
            width = part.s[cells.at_s] / np.sqrt(weight)
            # δ_i is below a border with the probability that a normal around δ0 is below its pivot
            mean_there = mean[cells.node, cells.row]
            pivot = mean_there + (borders - mean_there) / weight
            share = cells.mass * _below(part, axis, cells, pivot, width, SERIES_ERROR * precision)
            for k in range(borders.size):
                below[k, rows] = np.bincount(cells.row, share[k], mean.shape[1])
        self.probabilities = regions_of(below[0], below[-1], rope)
        self.mean = problem.mean + shift
        self.sd = np.sqrt(np.maximum(square - shift**2, 0.0))


class _Cells:
    """The cells (κ, row, s) that matter, and the distribution of δ0 in each; (m,) all.

    mass : of the cell, among those of its row.
    mean, variance, third, fourth : cumulants of δ0.
    """

    def __init__(self, moments: FloatArray, centre: float, unit: float, negligible: float) -> None:
        """From the moments (5, κ, rows, s) of (δ0 - centre)/unit, masses the first."""
        # interpolation between the s makes some masses negative
        greatest = np.abs(moments[:3]).max(axis=0)
        used = np.flatnonzero((greatest > negligible / greatest[:, 0].size) & (moments[0] != 0))
        self.node, self.row, self.at_s = np.unravel_index(used, moments.shape[1:])
        self.mass, *raw = moments.reshape(5, -1)[:, used]
        first, second, third, fourth = (moment / self.mass for moment in raw)
        variance = second - first**2
        third = third - first * (3 * second - 2 * first**2)
        fourth = fourth - first * (4 * third + first * (6 * variance + first**2))
        self.mean = centre + unit * first
        self.variance = unit**2 * variance
        self.third = unit**3 * third
        self.fourth = unit**4 * (fourth - 3 * variance**2)


def _below(
    part: Shares,
    axis: Axis,
    cells: _Cells,
    pivot: FloatArray,
    width: FloatArray,
    allowed: float,
) -> FloatArray:
    """(b, m) P(δ0 + width Z ≤ pivot), Z ~ N(0, 1), in each cell; pivot (b, m), width (m,)."""
    scale = np.sqrt(np.maximum(cells.variance, 0.0) + width**2)
    z = (pivot - cells.mean) / scale
    skew = cells.third / (6 * scale**3)
    excess = cells.fourth / (24 * scale**4)
    z2 = z**2
    series = skew * (z2 - 1) + z * excess * (z2 - 3) + skew**2 / 2 * z * (z2 * (z2 - 10) + 15)
    p: FloatArray = ndtr(z) - np.exp(-0.5 * z2) / math.sqrt(2 * math.pi) * series
    skew = np.abs(skew)
    excess = np.abs(excess)
    wrong = NEXT_TERMS * np.abs(cells.mass) * (skew * excess + skew**3 + excess**2)
    spread = cells.variance / width**2
    # Hermite's polynomials times the normal density fall at least like this (Cramér's inequality)
    wrong *= np.exp(-0.25 * z2.min(axis=0))
    exact = (wrong > allowed) | (spread < 0) | (spread > 1)
    bad = np.flatnonzero(exact)
    for first in range(0, bad.size, CELLS):
        some = bad[first : first + CELLS]
        share = part.at(cells.node[some], cells.row[some], cells.at_s[some])
        share /= share.sum(axis=0)
        for k in range(pivot.shape[0]):
            p[k, some] = _average(axis, share, pivot[k, some], width[some])
    return p


def _average(axis: Axis, share: FloatArray, pivot: FloatArray, width: FloatArray) -> FloatArray:
    """(m,) the same for one border, from masses (δ0, m) that sum to 1 in each cell."""
    position = axis.position(pivot)
    inside = np.clip(position, 0.0, axis.count - 1.0)
    narrow = (width < NARROW * axis.spacing(inside)) & (np.abs(position - inside) <= NARROW)
    wide = ~narrow
    z = (pivot[wide] - axis.value[:, None]) / width[wide]
    p = np.empty_like(pivot)
    p[wide] = np.einsum("dm,dm->m", share[:, wide], ndtr(z, out=z))
    node, weight = normal_rule(NODES)
    position = axis.position(pivot[narrow, None] + width[narrow, None] * node)
    position = np.clip(position, -1.0, axis.count)
    cdf = np.pad(cdf_at_points(share[:, narrow].T), ((0, 0), (3, 3)), mode="edge")
    p[narrow] = interpolated(cdf, position + 3.0) @ weight
    return p


def dataset_quantiles(
    post: GridPosterior, people: Population
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Quantiles of δ_i at `TAILS`, (d, 6), mean (d,) and 95 % interval (d, 2) of σ_i.

    Those of σ_i are over its maximum-likelihood value.
    """
    problem = post.problem
    axis = people.axis
    others = np.empty((problem.mean.size, axis.count))
    for part in shares(post):
        others[part.rows] = part.of_others() @ people.weights.T
    log_h = np.log(np.maximum(others, LEAST))
    share = np.cumsum(people.density * np.exp(axis.chart.log_slope(axis.u)))
    quarter, median, three = np.interp([0.25, 0.5, 0.75], share / share[-1], axis.value)
    longest = STEP * post.resolution.delta_step
    depth = DEPTH + post.resolution.depth
    parts = []
    first_item = problem.mean.size - len(problem.normals)
    for start in range(0, problem.mean.size, ROWS):
        rows = slice(start, start + ROWS)
        mean = problem.mean[rows, None]
        scale = problem.scale[rows, None]
        shape = problem.shape[rows, None]
        items = problem.normals[max(start - first_item, 0) : max(rows.stop - first_item, 0)]
        posterior = _Own(
            mean, scale, shape, items, log_h[rows], axis, float(median), float(three - quarter)
        )
        x = posterior.even_grid(posterior.scan(), longest, depth)
        logs = posterior.log_density(x)
        mass = np.exp(logs - logs.max(axis=1, keepdims=True))
        mass /= mass.sum(axis=1, keepdims=True)
        positions = quantile_positions(cdf_at_points(mass), mass, np.array(TAILS))
        parts.append((interpolated(x, positions), *_sigma(posterior, x, mass)))
    quantiles, sigma_mean, sigma_interval = map(np.concatenate, zip(*parts, strict=True))
    return quantiles, sigma_mean, sigma_interval


@dataclass(frozen=True, eq=False, slots=True)
class _Own:
    """The posteriors of some δ_i, each on a grid of its own.

    The grid is even in a map x → u that is linear around the data set's own mean and around the
    population's median: the mean of two arcsinh's, one for each centre and its width.

    mean, scale, shape : (d, 1) each, of the likelihoods.
    normals : of the last ones; see Problem.
    log_h : (d, k) log H_i on the population's axis.
    median, width : of the population.
    """

    mean: FloatArray
    scale: FloatArray
    shape: FloatArray
    normals: FloatArray
    log_h: FloatArray
    axis: Axis
    median: float
    width: float

    def log_density(self, x: FloatArray) -> FloatArray:
        """Log L_i H_i over u, at x (d, points) and up to a constant for each data set."""
        square = ((x - self.mean) / self.scale) ** 2
        student = np.isfinite(self.shape[:, 0]) & (self.shape[:, 0] > 0)
        shape = self.shape[student]
        log_l = -0.5 * square
        log_l[student] = -(shape + 0.5) * np.log1p(square[student] / (2 * shape))
        if len(self.normals):
            mean, sd, weight = np.moveaxis(self.normals, 1, 0)[:, :, None]
            z = (x[len(x) - len(mean) :, :, None] - mean) / sd
            mixed = (weight / sd * np.exp(-0.5 * z**2)).sum(axis=2)
            log_l[len(x) - len(mean) :] = np.log(np.maximum(mixed, LEAST))
        position = np.clip(self.axis.position(x), 0, self.axis.count - 1)
        return log_l + _between_neighbours(self.log_h, position) + np.log(self.slope(x))

    def u(self, x: FloatArray) -> FloatArray:
        of_dataset = np.arcsinh((x - self.mean) / (2 * self.scale))
        return (of_dataset + np.arcsinh((x - self.median) / self.width)) / 2

    def slope(self, x: FloatArray) -> FloatArray:
        """dx/du."""
        of_dataset = 1 / np.sqrt((x - self.mean) ** 2 + (2 * self.scale) ** 2)
        return 2 / (of_dataset + 1 / np.sqrt((x - self.median) ** 2 + self.width**2))

    def scan(self) -> FloatArray:
        """(d, points) x in ascending order along the axis, dense around both centres."""
        ends = self.axis.value[[0, -1]]
        first, last = np.arcsinh((ends[:, None, None] - self.mean) / (2 * self.scale))
        points = first + (last - first) * np.linspace(0.0, 1.0, SCAN)
        first, last = np.arcsinh((ends - self.median) / self.width)
        common = np.linspace(float(first), float(last), SCAN)
        x = np.empty((self.mean.size, 2 * SCAN))
        x[:, :SCAN] = self.mean + 2 * self.scale * np.sinh(points)
        x[:, SCAN:] = self.median + self.width * np.sinh(common)
        x.sort(axis=1)
        return x

    def even_grid(self, x: FloatArray, longest: float, depth: float) -> FloatArray:
        """(d, points) an even grid of u where the density, seen at x, matters."""
        u = self.u(x)
        slope = self.slope(x)
        log_density = self.log_density(x)
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
        points = start + step * np.arange(steps + 1)
        # rows set far apart are searched as one; cubic Hermite interpolation of x(u) between
        # the neighbours, then one step of Newton's method
        apart = 2 * (np.abs(u).max() + 1) * row[:, None]
        low = np.searchsorted((u + apart).ravel(), points + apart) - 1 - u.shape[1] * row[:, None]
        low = np.clip(low, 0, u.shape[1] - 2)
        u0 = np.take_along_axis(u, low, axis=1)
        x0 = np.take_along_axis(x, low, axis=1)
        s0 = np.take_along_axis(slope, low, axis=1)
        u1 = np.take_along_axis(u, low + 1, axis=1)
        x1 = np.take_along_axis(x, low + 1, axis=1)
        s1 = np.take_along_axis(slope, low + 1, axis=1)
        width = np.maximum(u1 - u0, LEAST)
        t = np.clip((points - u0) / width, 0.0, 1.0)
        guess = x0 + t * t * (3 - 2 * t) * (x1 - x0)
        guess += width * t * (1 - t) * ((1 - t) * s0 - t * s1)
        return np.asarray(guess - (self.u(guess) - points) * self.slope(guess))


def _between_neighbours(values: FloatArray, position: FloatArray) -> FloatArray:
    """Interpolation that hardly leaves the range of the two neighbours.

    A polynomial would, where the logarithm of a density falls into the void.
    """
    low = np.minimum(position.astype(np.int64), values.shape[1] - 2)
    ends = [np.take_along_axis(values, low + k, axis=1) for k in (0, 1)]
    least = np.minimum(*ends) - OVERSHOOT
    most = np.maximum(*ends) + OVERSHOOT
    return np.clip(interpolated(values, position), least, most)


def _sigma(posterior: _Own, x: FloatArray, mass: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean (d,) and 95 % interval (d, 2) of σ_i, over its maximum-likelihood value.

    Both are 1 if that is fixed, as it is for 0/1 items.

    x, mass : (d, points) δ_i, and their masses, which sum to 1.
    """
    square = ((x - posterior.mean) / posterior.scale) ** 2
    shape = posterior.shape[:, 0]
    mean = np.ones(shape.size)
    interval = np.ones((shape.size, 2))
    for value in np.unique(shape[np.isfinite(shape) & (shape > 0)]).tolist():
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
            difference = growth - r[:, None]
            reached = (mass * np.interp(difference, z, above)).sum(axis=1)
            slope = (mass * np.interp(difference, z, density, 0.0, 0.0)).sum(axis=1)
            normal = ndtri(np.clip(reached, LEAST_SLOPE, 1 - LEAST_SLOPE))
            height = np.exp(-0.5 * normal**2) / math.sqrt(2 * math.pi)
            step = (normal - ndtri(level)) * height / np.maximum(slope, LEAST_SLOPE)
            r = r - np.clip(step, -LONGEST, LONGEST)
            if np.abs(step).max() < CLOSE:
                break
        quantiles[:, k] = r
    return quantiles
