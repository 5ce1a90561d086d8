"""How draws spread over a triangle, as a smooth density on a grid."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bcompare.data.rope import FloatArray

# Cells of the grid along either side, around the triangle's box with a margin for smoothing.
CELLS, BEYOND = 150, 0.04
# The narrowest kernel, in cells.
NARROWEST = 1.0
# Where less of a kernel is inside the triangle nothing is known.
LEAST_INSIDE = 0.02
# Points of a cell that say how much of it is inside.
FINE = 5

TOP = 3**0.5 / 2


@dataclass(frozen=True, eq=False, slots=True)
class Spread:
    """A density on a grid over the triangle with corners (0, 0), (1, 0) and (½, √3/2).

    at : the grid's values of x and y. density : (y, x), at most 1. counts : (y, x) how many draws
    are in each cell.
    """

    at: tuple[FloatArray, FloatArray]
    density: FloatArray
    counts: FloatArray

    def levels(self, shares: Sequence[float]) -> list[float]:
        """The densities above which such shares of the draws lie; shares descending."""
        order = np.argsort(-self.density, axis=None)
        cumulated = np.cumsum(self.counts.ravel()[order])
        ends = np.searchsorted(cumulated, np.array(shares) * cumulated[-1])
        levels = self.density.ravel()[order][np.minimum(ends, len(order) - 1)]
        # Strictly ascending also where many cells are equal.
        return list(np.maximum.accumulate(levels + 1e-9 * np.arange(len(levels)) * levels.max()))


def density_in_triangle(points: FloatArray) -> Spread:
    """The density of (m, 2) points in the triangle, by Gaussian kernels.

    Their width is Scott's for two dimensions. What a kernel loses over the triangle's edge is made
    up for: the density is divided by the share of the kernel that is inside.
    """
    x_edges = np.linspace(-BEYOND, 1 + BEYOND, CELLS + 1)
    y_edges = np.linspace(-BEYOND, TOP + BEYOND, CELLS + 1)
    x, y = (edges[:-1] + np.diff(edges) / 2 for edges in (x_edges, y_edges))
    counts = np.histogram2d(points[:, 1], points[:, 0], (y_edges, x_edges))[0]
    factor = len(points) ** (-1 / 6)
    over_x = _kernel(x, factor * float(points[:, 0].std()))
    over_y = _kernel(y, factor * float(points[:, 1].std()))
    inside = _inside(x_edges, y_edges)
    known = over_y @ inside @ over_x.T
    smoothed = over_y @ counts @ over_x.T
    density = np.where(known > LEAST_INSIDE, smoothed / np.maximum(known, LEAST_INSIDE), 0.0)
    density /= density.max()
    return Spread((x, y), density, counts)


def _kernel(centre: FloatArray, width: float) -> FloatArray:
    """(cells, cells) weights with which cells look at one another."""
    width = max(width, NARROWEST * float(centre[1] - centre[0]))
    weights = np.exp(-(((centre[:, None] - centre) / width) ** 2) / 2)
    return np.asarray(weights / weights[len(centre) // 2].sum())


def _inside(x_edges: FloatArray, y_edges: FloatArray) -> FloatArray:
    """(y, x) the share of each cell that is in the triangle."""
    parts = (np.arange(FINE) + 0.5) / FINE
    x = (x_edges[:-1, None] + np.diff(x_edges)[:, None] * parts).ravel()
    y = (y_edges[:-1, None] + np.diff(y_edges)[:, None] * parts).ravel()[:, None]
    within = (y >= 0) & (y <= 2 * TOP * np.minimum(x, 1 - x))
    return np.asarray(within.reshape(CELLS, FINE, CELLS, FINE).mean(axis=(1, 3)))
