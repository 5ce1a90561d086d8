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
from bcompare.plots.fills import Entry, region_legend
from bcompare.plots.names import only_pair
from bcompare.plots.page import GAP as PANELS_GAP
from bcompare.plots.page import Page
from bcompare.plots.sheet import Sheet

NEXT_HEIGHT, PANEL_HEIGHT, GAP = 2.0, 0.9, 0.1
# The least width of a panel, and its ticks.
LEAST_PANEL, TICKS = 0.6, 3
# On a sheet too narrow for their values, the panels' marks are explained once.
MARKS: tuple[Entry, ...] = (("●", f"mean, and {100 * LEVEL:g} % interval"),)
# Points of the large curve for each that is known.
BETWEEN = 4


def draw_parameters(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the next data set's difference; below it the parameters' posteriors."""
    comparison, pair = only_pair(study)
    rope, result = study.rope, cast("HierarchicalResult", comparison.result)
    marginals = {"centre δ₀": result.delta0, "scale σ₀": result.sigma0}
    if result.nu is not None:
        marginals["degrees of freedom ν"] = result.nu
    curves = [_curve(marginal) for marginal in marginals.values()]
    words = [curve.summary.words if curve.summary else () for curve in curves]
    least = sheet.widest_of(words)
    is_narrow = len(curves) * (least + sheet.scaled(PANELS_GAP)) > sheet.inner
    parts = [pair.left, f"and {pair.right}", "on the next data set"]
    legend = region_legend(rope, pair.left, pair.right)
    legend.append(("", "below: probability on the next data set"))
    page = Page(sheet, parts, [*legend, *MARKS] if is_narrow else legend)
    axes = page.wide_axes(sheet.tall(NEXT_HEIGHT), pair.difference)
    ahead = _smooth(result.next_delta)
    draw_regions_under(axes, ahead, rope)
    write_probabilities(axes, ahead, rope, result.theta_mean, sheet)
    page.end += sheet.scaled(GAP)
    if is_narrow:
        least, labels = sheet.scaled(LEAST_PANEL), [[name.split()[-1]] for name in marginals]
    else:
        labels = [[name, *lines] for name, lines in zip(marginals, words, strict=True)]
    panels = page.panels(least, sheet.tall(PANEL_HEIGHT), labels)
    for axes, curve in zip(panels, curves, strict=True):
        draw_curve(axes, curve)
        axes.locator_params(axis="x", nbins=TICKS)
    draw_borders(panels[0], curves[0], rope)
    return page.finish()


def _smooth(density: Density) -> Curve:
    """A curve without the corners that the density's grid has where the tails are long."""
    steps = np.arange(len(density.grid))
    grid = np.interp(np.arange(0, steps[-1] + 1 / BETWEEN, 1 / BETWEEN), steps, density.grid)
    heights = Akima1DInterpolator(density.grid, density.density)(grid)
    return Curve(grid, np.maximum(heights, 0.0), None)


def _curve(marginal: Marginal) -> Curve:
    summary = Summary(marginal.mean, (Interval(LEVEL, *marginal.intervals[LEVEL]),))
    return Curve(marginal.density.grid, marginal.density.density, summary)
