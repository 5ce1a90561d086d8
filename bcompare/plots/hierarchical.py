"""The hierarchical test: the next data set, and the parameters of the distribution it is from."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bcompare.data.rope import RegionProbabilities, Rope
from bcompare.plots.density import (
    Curve,
    draw_borders,
    draw_curve,
    draw_regions_under,
    write_probabilities,
)
from bcompare.plots.figure import drawing
from bcompare.plots.head import Head, region_legend
from bcompare.plots.look import Pair
from bcompare.plots.page import Grid
from bcompare.plots.sheet import Sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NEXT_HEIGHT, PANEL_HEIGHT = 2.4, 1.1
# The least width of a panel, and the room below each.
LEAST_PANEL, MARGIN = 1.2, 0.2
TICKS = 3
EXPLANATION = (
    ("", "above: probability that the region is the likeliest one"),
    ("", "in the picture: probability that the next data set falls in the region"),
)


@dataclass(frozen=True, eq=False, slots=True)
class ParameterCurves:
    """Posterior densities of the hierarchical model's parameters.

    delta0, sigma0 : centre and scale of the mean differences over data sets.
    nu : their degrees of freedom; None where the prior fixes them at infinity.
    """

    delta0: Curve
    sigma0: Curve
    nu: Curve | None


def draw_hierarchical(
    pair: Pair,
    rope: Rope,
    probabilities: RegionProbabilities[float],
    next_delta: Curve,
    theta: RegionProbabilities[float],
    parameters: ParameterCurves,
    sheet: Sheet,
) -> "Figure":
    """Picture of the hierarchical test: Corani et al. 2017, §3.1.

    Parameters
    ----------
    pair : the classifiers.
    rope : its borders are drawn, and cut the density.
    probabilities : that each region is the most probable one on the next data set.
    next_delta : density of the mean difference on the next data set.
    theta : probability that this difference falls in each region.
    parameters : their posteriors.

    Raises
    ------
    ComputationError : matplotlib is not installed.
    """
    with drawing(sheet.text):
        parts = [pair.left, f"and {pair.right}", "on the next data set"]
        head = Head(parts, (*region_legend(pair, rope, probabilities), *EXPLANATION))
        panels = _panels(parameters)
        words = [curve.summary.words if curve.summary else () for _, curve in panels]
        least = max(LEAST_PANEL, sheet.widest([line for lines in words for line in lines]))
        grid = Grid.of(sheet, len(panels), least)
        labels = [
            [*sheet.lines(name, grid.panel), *lines]
            for (name, _), lines in zip(panels, words, strict=True)
        ]
        whole = sheet.width - 2 * grid.left
        label = sheet.lines(pair.difference, whole)
        tall, low = sheet.tall(NEXT_HEIGHT), sheet.tall(PANEL_HEIGHT)
        below = tall + sheet.label_height(label)
        step = low + max(map(sheet.label_height, labels)) + MARGIN - sheet.margin
        page = head.page(sheet, below + grid.rows(len(panels)) * step - MARGIN + sheet.margin)
        axes = page.axes(grid.left, 0.0, whole, tall, label)
        draw_regions_under(axes, next_delta, rope)
        write_probabilities(axes, next_delta, rope, theta, sheet)
        for i, (_, curve) in enumerate(panels):
            row, left = grid.place(i)
            axes = page.axes(left, below + row * step, grid.panel, low, labels[i])
            draw_curve(axes, curve)
            if curve is parameters.delta0:
                draw_borders(axes, curve, rope)
            axes.locator_params(axis="x", nbins=TICKS)
    return page.figure


def _panels(parameters: ParameterCurves) -> list[tuple[str, Curve]]:
    panels = [("centre δ₀", parameters.delta0), ("scale σ₀", parameters.sigma0)]
    if parameters.nu is not None:
        panels.append(("degrees of freedom ν", parameters.nu))
    return panels
