"""In which region each data set's δ_i lies, and how far it is drawn towards δ0.

Given κ_i, δ0 and s all is normal: with v = τ_i²/κ_i and w = v/(v + s²), δ_i has mean
x̄_i + w (δ0 - x̄_i) and variance w s². So its distribution function is an average of normal ones over
the posterior masses of these three, and no grid of δ_i is needed.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.special import ndtr

from bcompare.methods.hierarchical.quadrature.answers import regions_of
from bcompare.methods.hierarchical.quadrature.axes import Axis, cdf_at_points, interpolation
from bcompare.methods.hierarchical.quadrature.likelihood import shares
from bcompare.methods.hierarchical.quadrature.posterior import Posterior
from bcompare.rope import FloatArray, RegionProbabilities, Rope
from bcompare.sufficient import read_only

# A normal narrower than so many steps of the grid of δ0 is averaged over by so many nodes.
NARROW, NODES = 1.0, 6

# Cells of (κ, δ0, s) with so little mass, all of them together, do not change a probability.
NEGLIGIBLE = 1e-6


@dataclass(frozen=True, eq=False, slots=True)
class DatasetAnswers:
    """What can be said of the d data sets without a grid of their δ_i; (d,) each.

    probabilities : of the regions. mean, sd : of δ_i. shrinkage : posterior mean of w.
    """

    probabilities: RegionProbabilities[FloatArray]
    mean: FloatArray
    sd: FloatArray
    shrinkage: FloatArray


def dataset_answers(post: Posterior, rope: Rope) -> DatasetAnswers:
    """For each data set of the problem."""
    problem, axis, s = post.problem, post.grid.delta0, post.prior.s
    borders = (rope.low,) if rope.is_empty else (rope.low, rope.high)
    below = np.empty((len(borders), problem.mean.size))
    shrinkage, shift, square = np.empty((3, problem.mean.size))
    negligible = NEGLIGIBLE * math.exp(-post.resolution.depth)
    for rows, v, share in shares(
        problem, axis.value, post.prior, post.resolution, post.cell_mass(), post.marginals
    ):
        # of δ_i - x̄_i: w (δ0 - x̄_i), and its square with the variance w s² added
        way = axis.value - problem.mean[rows, None]
        powers = np.stack([np.ones_like(way), way, way**2], axis=1)
        of_s, of_way, of_square = np.moveaxis(np.matmul(powers, share), 2, 0)
        total = of_s.sum(axis=(0, 2))
        weight = v / (v + s**2)
        shrinkage[rows] = np.einsum("krs,rks->r", of_s, weight) / total
        mean = problem.mean[rows, None, None]
        shift[rows] = np.einsum("krs,rks->r", of_way, weight) / total
        spread = np.einsum("krs,rks->r", of_s, weight * s**2)
        square[rows] = (np.einsum("krs,rks->r", of_square, weight**2) + spread) / total
        width = s / np.sqrt(weight)
        for k, border in enumerate(borders):
            # δ_i is below the border with the probability that a normal around δ0 is below this
            pivot = mean + (border - mean) / weight
            below[k, rows] = _average(axis, share, total, pivot, width, negligible) / total
    return DatasetAnswers(
        probabilities=regions_of(below[0], below[-1], rope),
        mean=problem.mean + shift,
        sd=np.sqrt(square - shift**2),
        shrinkage=shrinkage,
    )


def _average(
    axis: Axis,
    share: FloatArray,
    total: FloatArray,
    pivot: FloatArray,
    width: FloatArray,
    negligible: float,
) -> FloatArray:
    """(rows,) of Σ share · P(δ0 + width Z ≤ pivot), Z ~ N(0, 1); share (κ, rows, δ0, s).

    pivot, width : (rows, κ, s).
    """
    position = axis.position(pivot)
    inside = np.clip(position, 0.0, axis.count - 1.0)
    spacing = axis.step * np.exp(axis.chart.log_slope(axis.start + axis.step * inside))
    narrow = (width < NARROW * spacing) & (np.abs(position - inside) <= NARROW)
    least = negligible * total / share[:, 0].size
    used = (share > least[:, None, None]).any(axis=(0, 1, 2))
    rate = 1 / width
    out = np.zeros(total.size)
    for k in range(share.shape[0]):
        wide = np.flatnonzero(used & ~narrow[:, k].all(axis=0))
        z = pivot[:, k][:, None, wide] - axis.value[:, None]
        z *= rate[:, k][:, None, wide]
        chosen = share[k][:, :, wide] * ~narrow[:, k][:, None, wide]
        out += np.einsum("rds,rds->r", chosen, ndtr(z, out=z))
    row, node, at_s = np.nonzero(narrow & used)
    if row.size:
        mass = share[node, row, :, at_s]
        found = _narrow(axis, mass, pivot[row, node, at_s], width[row, node, at_s])
        out += np.bincount(row, found, total.size)
    return out


def _narrow(axis: Axis, mass: FloatArray, pivot: FloatArray, width: FloatArray) -> FloatArray:
    """(m,) the same for rows of masses (m, δ0) and one narrow normal each."""
    node, weight = _hermite_rule()
    position = axis.position(pivot[:, None] + width[:, None] * node)
    position = np.clip(position, -1.0, axis.count)
    cdf = np.pad(cdf_at_points(mass), ((0, 0), (3, 3)), mode="edge")
    first, basis = interpolation(position + 3.0, cdf.shape[1])
    flat = first + cdf.shape[1] * np.arange(mass.shape[0])[:, None]
    value = np.zeros_like(position)
    for j in range(basis.shape[0]):
        value += basis[j] * cdf.ravel()[flat + j]
    return np.asarray(value @ weight)


@cache
def _hermite_rule() -> tuple[FloatArray, FloatArray]:
    node, weight = np.polynomial.hermite_e.hermegauss(NODES)
    return read_only(node), read_only(weight / weight.sum())
