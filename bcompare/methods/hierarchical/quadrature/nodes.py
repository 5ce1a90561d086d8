"""The likelihood of thousands of data sets, by a few hundred nodes.

Of a data set with a given number of scores the engine knows x̄_i and τ_i alone, and the log of its
m_i is a smooth function of the two. So the sum of these logs over the data sets is, by
interpolation on a grid of (x̄, log τ), a sum over the points of the grid, with weights. How much
that is off shows between two levels of refinement, which have grids of their own.
"""

from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np

from bcompare.data.rope import FloatArray
from bcompare.data.sufficient import IntArray
from bcompare.methods.hierarchical.canonical import Problem
from bcompare.methods.hierarchical.quadrature.axes import STENCIL, interpolation

# Nodes pay if they are so many times fewer than the data sets.
WORTHWHILE = 3

# The grid of x̄ is even within so many τ of the median, or within the spread of the means where
# that is more; logarithmic beyond.
LINEAR = 3.0

Table = tuple[FloatArray, FloatArray, FloatArray, FloatArray]
"""mean, scale, shape and count of data sets or nodes; see Problem."""


@lru_cache(maxsize=2)  # while a problem is solved, it is asked for at two steps
def condensed(problem: Problem, step: float) -> Problem:
    """The problem with nodes for its data sets, whose counts may be negative; or as it is.

    step : of the grid, in log τ, and along x̄ in τ.
    """
    if problem.mean.size < WORTHWHILE * STENCIL**2:
        return problem
    changes = np.flatnonzero(problem.shape[1:] != problem.shape[:-1]) + 1
    edges = [0, *changes.tolist(), problem.shape.size]
    parts = [_of_one_n(problem, slice(*ends), step) for ends in pairwise(edges)]
    mean, scale, shape, count = (np.concatenate(column) for column in zip(*parts, strict=True))
    if WORTHWHILE * mean.size > problem.mean.size:
        return problem
    return replace(problem, mean=mean, scale=scale, shape=shape, count=count)


def _of_one_n(problem: Problem, rows: slice, step: float) -> Table:
    """Nodes for the data sets of one n."""
    mean, scale, count = problem.mean[rows], problem.scale[rows], problem.count[rows]
    centre = float(np.median(mean))
    spread = float(np.median(np.abs(mean - centre)))

    def axis(line: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The τ of a line, and width and step of its grid of x̄ = centre + width·sinh."""
        tau = np.exp(step * line)
        width = np.maximum(LINEAR * tau, spread)
        return tau, width, step * tau / width

    line, of_line = _around(np.log(scale) / step)
    places, counts = [], []
    for j in range(STENCIL):
        _, width, spacing = axis(line + j)
        point, of_point = _around(np.arcsinh((mean - centre) / width) / spacing)
        for k in range(STENCIL):
            places.append(np.stack([line + j, point + k]))
            counts.append(count * of_line[j] * of_point[k])
    (line, point), at = np.unique(np.concatenate(places, axis=1), axis=1, return_inverse=True)
    tau, width, spacing = axis(line)
    total = np.bincount(at.ravel(), np.concatenate(counts), tau.size).astype(np.float64)
    of_all = np.full(tau.size, problem.shape[rows.start])
    return centre + width * np.sinh(spacing * point), tau, of_all, total


def _around(position: FloatArray) -> tuple[IntArray, FloatArray]:
    """The first of the whole numbers around each position (d,), and their weights (points, d)."""
    first = np.floor(position).astype(np.int64) - (STENCIL // 2 - 1)
    return first, interpolation(position - first, STENCIL)[1]
