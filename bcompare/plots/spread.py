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
    from scipy.ndimage import gaussian_filter

    # (y, x): edges of the cells, of the parts of cells, and how many parts are inside.
    edges = [np.linspace(-BEYOND, end + BEYOND, CELLS + 1) for end in (TOP, 1.0)]
    parts = [np.linspace(-BEYOND, end + BEYOND, CELLS * FINE + 1) for end in (TOP, 1.0)]
    y, x = ((ends[1:] + ends[:-1]) / 2 for ends in parts)
    within = (y[:, None] >= 0) & (y[:, None] <= 2 * TOP * np.minimum(x, 1 - x))
    inside = within.reshape(CELLS, FINE, CELLS, FINE).mean(axis=(1, 3))
    counts = np.histogram2d(points[:, 1], points[:, 0], edges)[0]
    cell = np.array([ends[1] - ends[0] for ends in edges])
    widths = points.std(axis=0)[::-1] * len(points) ** (-1 / 6)
    widths = np.maximum(widths / cell, NARROWEST)
    smoothed, known = (gaussian_filter(of, widths, mode="constant") for of in (counts, inside))
    density = np.where(known > LEAST_INSIDE, smoothed / np.maximum(known, LEAST_INSIDE), 0.0)
    at_y, at_x = ((ends[1:] + ends[:-1]) / 2 for ends in edges)
    return Spread((at_x, at_y), density / density.max(), counts)
