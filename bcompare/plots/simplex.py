"""The tests that count data sets: draws of the three regions' probabilities.

Benavoli et al. 2017, Tutorial, figs 10 to 13. A draw is a point in a triangle: the nearer to a
corner, the more probable that region is on the next data set. The share of the draws in each third
of the triangle is the probability that this region is the likeliest.
"""

import math
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bcompare.comparison import ComparisonSet
from bcompare.methods.base import DrawsTheta
from bcompare.plots.figure import drawing
from bcompare.plots.head import Head, region_legend
from bcompare.plots.look import FAINT, INK, LEFT, RIGHT, ROPE, Pair, RegionLook
from bcompare.plots.page import (
    LINE,
    MARGIN,
    OVERHANG,
    axes_at,
    label_axis,
    label_height,
    page,
    widest,
)
from bcompare.plots.spread import density_in_triangle
from bcompare.plots.subject import likeliest_of, pair_of, title_of
from bcompare.rope import FloatArray, RegionProbabilities, Rope

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, SIDE = 6.4, 4.2
PANEL_HEIGHT, GAP, BINS = 0.8, 0.35, 40
LONE_HEIGHT = 2.2
# How far the names of the corners stand from them, in lines.
APART = 0.75
TOP = math.sqrt(3) / 2
CORNERS = np.array([[0.0, 0.0], [0.5, TOP], [1.0, 0.0]])  # left, rope, right
LOOKS = (LEFT, ROPE, RIGHT)
# How much of the draws each shade holds, and its grey.
SHADES = ((0.99, "#E6E6E6"), (0.9, "#BDBDBD"), (0.5, "#858585"))


def draw_simplex_of(study: ComparisonSet) -> "Figure":
    """The draws of one pair."""
    (comparison,) = study.comparisons
    likeliest = likeliest_of(comparison)
    theta = cast("DrawsTheta", study.method).draw_theta(
        comparison.differences.statistics, study.rope
    )
    count = len(comparison.dataset_decisions)
    return draw_simplex(pair_of(study, comparison), count, theta, study.rope, likeliest)


def draw_simplex(
    pair: Pair,
    datasets: int,
    theta: FloatArray,
    rope: Rope,
    probabilities: RegionProbabilities[float],
) -> "Figure":
    """Picture of the draws in their triangle, and of each region; a histogram without a rope.

    Parameters
    ----------
    pair : the classifiers.
    datasets : how many.
    theta : (draws, 3) probabilities of left, rope, right on the next data set.
    rope : where there is none, θ_left = 1 - θ_right is all that there is.
    probabilities : that each region is the likeliest one.

    Raises
    ------
    ComputationError : matplotlib is not installed.
    """
    with drawing():
        legend = [*region_legend(pair, rope, probabilities)]
        legend.append(("", "above: probability that the region is the likeliest one"))
        title = title_of(pair, datasets, WIDTH - 2 * MARGIN)
        if rope.is_empty:
            return _histogram(pair, theta, Head(title, tuple(legend)))
        held = ", ".join(f"{100 * share:g} %" for share, _ in reversed(SHADES))
        words = f"from dark to light {held} of the draws of the regions' probabilities"
        legend += [("", words), ("●", "their mean")]
        return _triangle(theta, Head(title, tuple(legend)))


def _triangle(theta: FloatArray, head: Head) -> "Figure":
    """The triangle, and below it a panel for each region."""
    width = max(WIDTH, head.width)
    labels = [("θ left",), ("θ equivalent",), ("θ right",)]
    height = TOP * SIDE
    corner = (APART + 0.5) * LINE
    below = head.height + corner + height + corner + GAP
    figure = page(width, below + PANEL_HEIGHT + label_height(labels[0]))
    head.draw(figure)
    axes = axes_at(figure, (width - SIDE) / 2, head.height + corner, SIDE, height)
    _draw_triangle(axes, theta)
    left = MARGIN + OVERHANG
    panel = (width - 2 * left + GAP) / len(LOOKS) - GAP
    for i, look in enumerate(LOOKS):
        axes = axes_at(figure, left + i * (panel + GAP), below, panel, PANEL_HEIGHT)
        _draw_bars(axes, theta[:, i], [(0.0, 1.0, look)])
        label_axis(axes, labels[i])
    return figure


def _draw_triangle(axes: "Axes", theta: FloatArray) -> None:
    from matplotlib.patches import Polygon

    axes.set_xlim(0, 1)
    axes.set_ylim(0, TOP)
    axes.set_axis_off()
    grid = density_in_triangle(theta @ CORNERS)
    levels = grid.levels([share for share, _ in SHADES])
    colors = [color for _, color in SHADES]
    axes.contourf(*grid.at, grid.density, levels=[*levels, np.inf], colors=colors)
    axes.contour(*grid.at, grid.density, levels=levels, colors=INK, linewidths=0.5)
    # What lies beyond an edge is covered: not every matplotlib repeats the bytes of a clipping.
    for x in (0, 1):
        beyond = [(x, 0), (0.5, TOP), (x, TOP)]
        axes.add_patch(Polygon(beyond, facecolor="white", linewidth=0, zorder=3))
    outline: dict[str, Any] = {"facecolor": "none", "edgecolor": INK, "zorder": 3}
    axes.add_patch(Polygon(CORNERS, linewidth=1.0, clip_on=False, **outline))
    centre = CORNERS.mean(axis=0)
    for k in range(3):
        middle = (CORNERS[k] + CORNERS[(k + 1) % 3]) / 2
        axes.plot(*zip(centre, middle, strict=True), color=INK, linewidth=0.9, linestyle="--")
    mean: dict[str, Any] = {"marker": "o", "markersize": 5.5, "color": INK, "clip_on": False}
    axes.plot(*theta.mean(axis=0) @ CORNERS, markeredgecolor="white", zorder=4, **mean)
    gap = APART * LINE / SIDE
    for corner, look, name, turn in zip(
        CORNERS, LOOKS, ("left better", "equivalent", "right better"), (-1, 1, -1), strict=True
    ):
        words: dict[str, Any] = {**look.label, "weight": "bold"}
        axes.text(corner[0], corner[1] + turn * gap, name, **words)


def _histogram(pair: Pair, theta: FloatArray, head: Head) -> "Figure":
    """Without a rope: the probability that right is better on the next data set."""
    label = [f"probability that {pair.right} is better on the next data set"]
    width = max(WIDTH, head.width, widest(label) + 2 * MARGIN)
    figure = page(width, head.height + LONE_HEIGHT + label_height(label))
    head.draw(figure)
    left = MARGIN + OVERHANG
    axes = axes_at(figure, left, head.height, width - 2 * left, LONE_HEIGHT)
    _draw_bars(axes, theta[:, 2], [(0.0, 0.5, LEFT), (0.5, 1.0, RIGHT)])
    axes.axvline(0.5, color=INK, linewidth=0.9, linestyle="--")
    label_axis(axes, label)
    return figure


def _draw_bars(
    axes: "Axes", values: FloatArray, regions: list[tuple[float, float, RegionLook]]
) -> None:
    """A histogram of numbers from 0 to 1, filled by regions."""
    counts, edges = np.histogram(values, np.linspace(0, 1, BINS + 1))
    for low, high, look in regions:
        own = (edges[:-1] >= low) & (edges[1:] <= high)
        ends = np.append(edges[:-1][own], high)
        axes.stairs(counts[own], ends, fill=True, **look.fill)
    axes.stairs(counts, edges, color=INK, linewidth=0.8)
    axes.axhline(0, color=FAINT, linewidth=0.7)
    axes.set_xlim(0, 1)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.locator_params(axis="x", nbins=5)
