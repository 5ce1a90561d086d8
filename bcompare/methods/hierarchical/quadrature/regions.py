"""In which region each data set's δ_i lies, and how far it is drawn towards δ0.

Given κ_i, δ0 and s all is normal: with v = τ_i²/κ_i and w = v/(v + s²), δ_i has mean
x̄_i + w (δ0 - x̄_i) and variance w s². So its distribution function is an average of normal ones over
the posterior masses of these three, and no grid of δ_i is needed.

For given κ_i and s it is the probability that a normal of width s/√w around δ0 lies below a pivot.
Where that is wide for the distribution of δ0, four moments of the latter are enough: the sum of
the two is nearly normal, and Edgeworth's series says how nearly (Hall 1992, "The Bootstrap and
Edgeworth Expansion", §2.2). Elsewhere the average is taken over the points of δ0.
"""

import math
from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import IntArray
from bcompare.methods.hierarchical.quadrature.axes import Axis, cdf_at_points, interpolated
from bcompare.methods.hierarchical.quadrature.likelihood import Prior, likelihood_rule, marginals
from bcompare.methods.hierarchical.quadrature.mixtures import normal_rule
from bcompare.methods.hierarchical.quadrature.posterior import Posterior, regions_of

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
BLOCK = 4000


class Shares:
    """Posterior masses of (κ, data set, δ0, s) for a block of data sets, each up to a factor.

    Given these δ_i is normal. v : (κ, rows) of τ_i²/κ_i. square : (δ0, rows) of (x̄_i - δ0)².
    s : (s,) scales. height : (κ, rows, s) and rate, of the exponential. others : (δ0, rows, s)
    masses without data set i. offset : (δ0, rows, s) to be added in the exponent, or None.
    """

    def __init__(
        self, post: Posterior, prior: Prior, rows: slice, m: FloatArray, mass: FloatArray
    ) -> None:
        problem, delta0 = post.problem, post.grid.delta0.value
        node, log_weight = likelihood_rule(problem, rows, delta0, prior, post.resolution)
        self.rows, self.s = rows, prior.s
        self.v = problem.scale[rows] ** 2 / node[:, None]
        variance = self.v[:, :, None] + prior.s**2
        self.square = (problem.mean[rows] - delta0[:, None]) ** 2
        self.height = log_weight[:, None, None] - 0.5 * np.log(variance)
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
            np.multiply(self.square[:, :, None], self.rate[k], out=share)
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
        logs = self.square[:, row] * self.rate[node, row, at_s] + self.height[node, row, at_s]
        if self.offset is not None:
            logs += self.offset[:, row, at_s]
        return np.asarray(np.exp(logs) * self.others[:, row, at_s])


def shares(post: Posterior) -> Iterator[Shares]:
    """The posterior's masses (δ0, cells), shared out block by block.

    Without the cells of (σ0, ν) that matter to no data set.
    """
    prior, mass, kept = post.prior, post.cell_mass(), post.marginals
    if prior.weights is not None:
        of_cells = mass.sum(axis=0)
        order = np.argsort(of_cells)
        negligible = LITTLE * math.exp(-post.resolution.depth)
        used = np.sort(order[np.searchsorted(np.cumsum(of_cells[order]), negligible) :])
        mass, prior = mass[:, used], Prior(prior.s, prior.weights[used])
        if kept is not None:
            kept = [(rows, m.take(used, axis=2)) for rows, m in kept]
    blocks = kept or marginals(post.problem, post.grid.delta0.value, prior, post.resolution)
    for rows, m in blocks:
        yield Shares(post, prior, rows, m, mass)


class DatasetAnswers:
    """What can be said of the d data sets without a grid of their δ_i; (d,) each.

    probabilities : of the regions. mean, sd : of δ_i. shrinkage : posterior mean of w.
    """

    def __init__(self, post: Posterior, rope: Rope) -> None:
        problem, axis = post.problem, post.grid.delta0
        borders = np.array([[rope.low]] if rope.is_empty else [[rope.low], [rope.high]])
        below = np.empty((borders.size, problem.mean.size))
        self.shrinkage, shift, square = np.empty((3, problem.mean.size))
        precision = math.exp(-post.resolution.depth)
        of_delta0 = post.cell_mass().sum(axis=1)
        centre = float(of_delta0 @ axis.value)
        unit = math.sqrt(float(of_delta0 @ (axis.value - centre) ** 2))
        powers = ((axis.value - centre) / unit) ** np.arange(5)[:, None]
        for part in shares(post):
            rows, mean = part.rows, problem.mean[part.rows]
            moments = part.sums(powers)
            moments /= moments[0].sum(axis=(0, 2))[:, None]
            # of δ_i - x̄_i: w (δ0 - x̄_i), and its square with the variance w s² added
            way = centre - mean
            weight = part.v[:, :, None] / (part.v[:, :, None] + part.s**2)
            once, twice = moments[:3] * weight, moments[:3] * weight**2
            of_w, of_way = once[:2].sum(axis=(1, 3))
            self.shrinkage[rows] = of_w
            shift[rows] = of_w * way + of_way * unit
            of_w, of_way, of_square = twice.sum(axis=(1, 3))
            spread = np.einsum("krs,s->r", once[0], part.s**2)
            square[rows] = of_w * way**2 + 2 * way * of_way * unit + of_square * unit**2 + spread
            cells = _Cells(moments, centre, unit, NEGLIGIBLE * precision)
            weight = weight[cells.node, cells.row, cells.at_s]
            width = part.s[cells.at_s] / np.sqrt(weight)
            # δ_i is below a border with the probability that a normal around δ0 is below its pivot
            pivot = mean[cells.row] + (borders - mean[cells.row]) / weight
            share = cells.mass * _below(part, axis, cells, pivot, width, SERIES_ERROR * precision)
            for k in range(borders.size):
                below[k, rows] = np.bincount(cells.row, share[k], mean.size)
        self.probabilities = regions_of(below[0], below[-1], rope)
        self.mean = problem.mean + shift
        self.sd = np.sqrt(np.maximum(square - shift**2, 0.0))


def priors_from_others(post: Posterior, density: FloatArray) -> FloatArray:
    """(d, k) H_i, see `datasets.py`, at k points, each up to a factor a data set.

    density : (k, δ0·s) weights of the masses of δ0 and s in a density at these points.
    """
    priors = np.empty((post.problem.mean.size, density.shape[0]))
    for part in shares(post):
        priors[part.rows] = part.of_others() @ density.T
    return priors


class _Cells:
    """The cells (κ, row, s) that matter, and the distribution of δ0 in each; (m,) all.

    mass : of the cell, among those of its row. mean, variance, third, fourth : cumulants of δ0.
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
    skew, excess = cells.third / (6 * scale**3), cells.fourth / (24 * scale**4)
    z2 = z**2
    series = skew * (z2 - 1) + z * excess * (z2 - 3) + skew**2 / 2 * z * (z2 * (z2 - 10) + 15)
    p: FloatArray = ndtr(z) - np.exp(-0.5 * z2) / math.sqrt(2 * math.pi) * series
    skew, excess = np.abs(skew), np.abs(excess)
    wrong = NEXT_TERMS * np.abs(cells.mass) * (skew * excess + skew**3 + excess**2)
    spread = cells.variance / width**2
    # Hermite's polynomials times the normal density fall at least like this (Cramér's inequality)
    wrong *= np.exp(-0.25 * z2.min(axis=0))
    exact = (wrong > allowed) | (spread < 0) | (spread > 1)
    bad = np.flatnonzero(exact)
    for first in range(0, bad.size, BLOCK):
        some = bad[first : first + BLOCK]
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
