"""The hierarchical test: the next data set, and the parameters of the distribution it is from.

Corani et al. 2017, §3.1.
"""

from typing import cast

import numpy as np
from matplotlib.figure import Figure
from scipy.interpolate import Akima1DInterpolator

from bcompare.comparing.comparison import ComparisonSet
from bcompare.methods.base import Interval
from bcompare.methods.hierarchical.model import Density, HierarchicalResult, Marginal
from bcompare.plots.density import (
    LEVEL,
    Curve,
    Summary,
    draw_borders,
    draw_curve,
    draw_regions_under,
    write_probabilities,
)
from bcompare.plots.fills import Entry, region_legend, written
from bcompare.plots.names import only_pair
from bcompare.plots.page import Head, Panels
from bcompare.plots.sheet import Sheet
from bcompare.plots.simplex import likeliest

NEXT_HEIGHT, PANEL_HEIGHT = 2.4, 1.1
# The least width of a panel, and the room below each.
LEAST_PANEL, MARGIN = 1.2, 0.2
TICKS = 3
# Points of the large curve for each that is known.
BETWEEN = 4
EXPLANATION: tuple[Entry, ...] = (
    ("", "above: probability that the region is the likeliest one"),
    ("", "in the picture: probability that the next data set falls in the region"),
)


def draw_parameters(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the next data set's difference; below it the parameters' posteriors."""
    comparison, pair = only_pair(study)
    rope, result = study.rope, cast("HierarchicalResult", comparison.result)
    parts = [pair.left, f"and {pair.right}", "on the next data set"]
    legend = region_legend(rope, pair.left, pair.right, written(likeliest(comparison)))
    head = Head(parts, (*legend, *EXPLANATION))
    marginals = {"centre δ₀": result.delta0, "scale σ₀": result.sigma0}
    if result.nu is not None:
        marginals["degrees of freedom ν"] = result.nu
    curves = [_curve(marginal) for marginal in marginals.values()]
    words = [curve.summary.words if curve.summary else () for curve in curves]
    least = max(LEAST_PANEL, sheet.widest([line for lines in words for line in lines]))
    grid = Panels.of(sheet, len(curves), least)
    labels = [
        [*sheet.lines(name, grid.panel), *lines]
        for name, lines in zip(marginals, words, strict=True)
    ]
    whole = sheet.width - 2 * grid.left
    label = sheet.lines(pair.difference, whole)
    tall, low = sheet.tall(NEXT_HEIGHT), sheet.tall(PANEL_HEIGHT)
    below = tall + sheet.label_height(label)
    step = low + max(map(sheet.label_height, labels)) + MARGIN - sheet.margin
    page = head.page(sheet, below + grid.rows(len(curves)) * step - MARGIN + sheet.margin)
    axes = page.axes(grid.left, 0.0, whole, tall, label)
    ahead = _smooth(result.next_delta)
    draw_regions_under(axes, ahead, rope)
    write_probabilities(axes, ahead, rope, result.theta_mean, sheet)
    for i, curve in enumerate(curves):
        row, left = grid.place(i)
        axes = page.axes(left, below + row * step, grid.panel, low, labels[i])
        draw_curve(axes, curve)
        if i == 0:
            draw_borders(axes, curve, rope)
        axes.locator_params(axis="x", nbins=TICKS)
    return page.figure


def _smooth(density: Density) -> Curve:
    """A curve without the corners that the density's grid has where the tails are long."""
    steps = np.arange(len(density.grid))
    grid = np.interp(np.arange(0, steps[-1] + 1 / BETWEEN, 1 / BETWEEN), steps, density.grid)
    heights = Akima1DInterpolator(density.grid, density.density)(grid)
    return Curve(grid, np.maximum(heights, 0.0), None)


def _curve(marginal: Marginal) -> Curve:
    summary = Summary(marginal.mean, (Interval(LEVEL, *marginal.intervals[LEVEL]),))
    return Curve(marginal.density.grid, marginal.density.density, summary)
