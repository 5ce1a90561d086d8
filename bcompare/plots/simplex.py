"""Draws of the three regions' probabilities, in a triangle or as a histogram.

Benavoli et al. 2017, Tutorial, figs 10 to 13. A draw is a point in a triangle: the nearer to a
corner, the more probable that region is. The share of draws in each third of the triangle is the
probability that its region is the likeliest.
"""

import math
from collections.abc import Sequence
from typing import cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from scipy.ndimage import gaussian_filter

from bcompare.basis.messages import Record
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.data.pairs import Pair
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope, inexact
from bcompare.methods.interface import DrawsTheta, PopulationResult
from bcompare.plots.fills import (
    FAINT,
    INK,
    LEFT,
    REGIONS,
    RIGHT,
    RegionFill,
    region_legend,
    written,
)
from bcompare.plots.page import OnePair, Page
from bcompare.plots.sheet import Sheet
from bcompare.report.sentences import verdict

SIDE, PANEL_HEIGHT, LEAST_PANEL, BINS = 4.2, 0.8, 0.7, 40
LONE_HEIGHT = 2.2
# The distance of names from the corners, in lines.
APART = 0.75
TOP = math.sqrt(3) / 2
CORNERS = np.array([[0.0, 0.0], [0.5, TOP], [1.0, 0.0]])  # left, rope, right
LOOKS = tuple(REGIONS.values())
# The largest share of the width for the name of a corner.
NAMES = 0.42
# The share of draws in each shade, and its grey.
SHADES = ((0.99, "#E6E6E6"), (0.9, "#BDBDBD"), (0.5, "#858585"))
# Cells along either side of the grid, which covers the triangle with a margin for smoothing.
CELLS, BEYOND = 150, 0.04
# The narrowest kernel, in cells.
NARROWEST = 1.0
# The density is estimated only where this share of a kernel is inside the triangle.
LEAST_INSIDE = 0.02
# Points along a cell's side to measure its share inside.
FINE = 5


def draw_simplex(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the distribution of θ in a triangle; without a rope, a histogram of θ_right."""
    pair = OnePair(study)
    theta = cast("DrawsTheta", study.method).draw_theta(pair.statistics, study.rope)
    result = cast("PopulationResult", pair.comparison.result)
    # 0 or 1 only where that is exact.
    likeliest = result.likeliest if result.error is None else inexact(result.likeliest)
    return draw_theta(theta, likeliest, study.rope, (pair.left, pair.right), pair.title(), sheet)


def draw_theta(
    theta: FloatArray,
    likeliest: RegionProbabilities[float],
    rope: Rope,
    names: Pair,
    title: Sequence[str],
    sheet: Sheet,
) -> Figure:
    """Draw (draws, 3) values of θ; likeliest : the probabilities that each region's is largest."""
    left, right = names
    legend = region_legend(rope, left, right, written(likeliest))
    legend.append(("", "above: probability of being the likeliest"))
    if rope.is_empty:
        page = Page(sheet, title, legend)
        label = ["θ: probability that", right, "is better"]
        axes = page.wide_axes(sheet.tall(LONE_HEIGHT), label)
        _draw_bars(axes, theta[:, 2], [(0.0, 0.5, LEFT), (0.5, 1.0, RIGHT)])
        axes.axvline(0.5, color=INK, linewidth=0.9, linestyle="--")
        return page.finish()
    held = ", ".join(f"{100 * share:g} %" for share, _ in reversed(SHADES))
    words = f"θ: how often each outcome happens; shades hold {held} of its draws"
    legend += [("", words), ("●", "their mean")]
    corners = [verdict(region, left, right) for region in REGIONS]
    return _triangle(theta, corners, Page(sheet, title, legend))


def _triangle(theta: FloatArray, names: Sequence[str], page: Page) -> Figure:
    """Draw the triangle with its corners' names, and below it a panel for each region."""
    sheet = page.sheet
    lines = [sheet.lines(name, NAMES * sheet.inner, weight="bold") for name in names]
    wide = max(sheet.widest(lines_of_label, weight="bold") for lines_of_label in lines)
    side = min(SIDE, sheet.inner - wide - sheet.line / 2)
    corner = (APART + 0.5) * sheet.line
    beyond = [sheet.height(lines_of_label) - sheet.label_line for lines_of_label in lines]
    page.end += corner
    axes = page.axes((sheet.width - side) / 2, side, TOP * side)
    _draw_triangle(axes, theta)
    for i, (x, y) in enumerate(CORNERS):
        turn = 1 if y else -1  # the upper corner's name is above it
        away = turn * (APART * sheet.line + beyond[i] / 2) / side
        words: Record = {**LOOKS[i].label, "weight": "bold"}
        axes.text(x, y + away, "\n".join(lines[i]), **words)
    page.end += corner + max(beyond) + sheet.line
    labels = [[f"θ: {name}"] for name in names]
    panels = page.panels(LEAST_PANEL, sheet.tall(PANEL_HEIGHT), labels)
    for axes, values, look in zip(panels, theta.T, LOOKS, strict=True):
        _draw_bars(axes, values, [(0.0, 1.0, look)])
    return page.finish()


def _draw_triangle(axes: Axes, theta: FloatArray) -> None:
    """Draw the triangle, without its corners' names."""
    axes.set_xlim(0, 1)
    axes.set_ylim(0, TOP)
    axes.set_axis_off()
    *grid, levels = density_in_triangle(theta @ CORNERS, [share for share, _ in SHADES])
    colors = [color for _, color in SHADES]
    axes.contourf(*grid, levels=[*levels, np.inf], colors=colors)
    axes.contour(*grid, levels=levels, colors=INK, linewidths=0.5)
    # White covers the outside, since clipping differs between versions of matplotlib; and a line
    # along the upper edge, half of which would be left.
    for x in (0, 1):
        beyond = [(x, 0), (0.5, TOP), (0.5, 1.02 * TOP), (x, 1.02 * TOP)]
        axes.add_patch(Polygon(beyond, facecolor="white", linewidth=0, zorder=3, clip_on=False))
    outline: Record = {"facecolor": "none", "edgecolor": INK, "zorder": 3}
    axes.add_patch(Polygon(CORNERS, linewidth=1.0, clip_on=False, **outline))
    centre = CORNERS.mean(axis=0)
    for k in range(3):
        middle = (CORNERS[k] + CORNERS[(k + 1) % 3]) / 2
        axes.plot(*zip(centre, middle, strict=True), color=INK, linewidth=0.9, linestyle="--")
    mean: Record = {"marker": "o", "markersize": 5.5, "color": INK, "clip_on": False}
    axes.plot(*theta.mean(axis=0) @ CORNERS, markeredgecolor="white", zorder=4, **mean)


def _draw_bars(
    axes: Axes, values: FloatArray, regions: list[tuple[float, float, RegionFill]]
) -> None:
    """Draw a histogram of numbers from 0 to 1, filled by regions."""
    counts, edges = np.histogram(values, np.linspace(0, 1, BINS + 1))
    for low, high, look in regions:
        inside = (edges[:-1] >= low) & (edges[1:] <= high)
        ends = np.append(edges[:-1][inside], high)
        axes.stairs(counts[inside], ends, fill=True, **look.fill)
    axes.stairs(counts, edges, color=INK, linewidth=0.8)
    axes.axhline(0, color=FAINT, linewidth=0.7)
    axes.set_xlim(0, 1)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.locator_params(axis="x", nbins=5)


def _middles(edges: FloatArray) -> FloatArray:
    return np.asarray((edges[1:] + edges[:-1]) / 2)


def density_in_triangle(
    points: FloatArray, shares: Sequence[float]
) -> tuple[FloatArray, FloatArray, FloatArray, list[float]]:
    """Return the density of (m, 2) points in the triangle, by Gaussian kernels.

    The triangle has corners (0, 0), (1, 0) and (½, √3/2). The width of the kernels is Scott's for
    two dimensions. The part of a kernel outside the triangle is corrected for: the density is
    divided by the share of the kernel that is inside.

    Returns the grid's values of x and y, the (y, x) densities, at most 1, and the levels above
    which these shares of the points lie; shares descending.
    """
    # (y, x): edges of cells, edges of their parts, and the number of parts inside.
    edges = [np.linspace(-BEYOND, end + BEYOND, CELLS + 1) for end in (TOP, 1.0)]
    parts = [np.linspace(-BEYOND, end + BEYOND, CELLS * FINE + 1) for end in (TOP, 1.0)]
    y, x = map(_middles, parts)
    within = (y[:, None] >= 0) & (y[:, None] <= 2 * TOP * np.minimum(x, 1 - x))
    inside = within.reshape(CELLS, FINE, CELLS, FINE).mean(axis=(1, 3))
    counts = np.histogram2d(points[:, 1], points[:, 0], edges)[0]
    cell = np.array([ends[1] - ends[0] for ends in edges])
    widths = points.std(axis=0)[::-1] * len(points) ** (-1 / 6)
    widths = np.maximum(widths / cell, NARROWEST)
    smoothed = gaussian_filter(counts, widths, mode="constant")
    share_inside = gaussian_filter(inside, widths, mode="constant")
    density = np.where(
        share_inside > LEAST_INSIDE, smoothed / np.maximum(share_inside, LEAST_INSIDE), 0.0
    )
    density /= density.max()
    order = np.argsort(-density, axis=None)
    cumulated = np.cumsum(counts.ravel()[order])
    ends = np.searchsorted(cumulated, np.array(shares) * cumulated[-1])
    levels = density.ravel()[order][np.minimum(ends, len(order) - 1)]
    # strictly ascending even if many cells are equal
    levels = np.maximum.accumulate(levels + 1e-9 * np.arange(len(levels)) * levels.max())
    y, x = map(_middles, edges)
    return x, y, density, levels.tolist()
