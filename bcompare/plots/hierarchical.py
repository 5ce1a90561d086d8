"""The hierarchical test: the next data set, and the parameters of the distribution it is from."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bcompare.plots.density import Curve, draw_borders, draw_curve, draw_regions_under
from bcompare.plots.figure import drawing
from bcompare.plots.head import Head, region_legend
from bcompare.plots.look import Pair
from bcompare.plots.page import (
    MARGIN,
    OVERHANG,
    TITLE_SIZE,
    axes_at,
    label_axis,
    label_height,
    lines_within,
    page,
    widest,
)
from bcompare.rope import RegionProbabilities, Rope

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, NEXT_HEIGHT = 6.4, 2.4
PANEL_HEIGHT, GAP = 1.1, 0.45
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
    with drawing():
        room = WIDTH - 2 * MARGIN
        parts = [pair.left, f"and {pair.right}", "on the next data set"]
        title = lines_within(room, parts, TITLE_SIZE, "bold")
        head = Head(tuple(title), (*region_legend(pair, rope, probabilities), *EXPLANATION))
        label = lines_within(room, pair.difference)
        width = max(WIDTH, head.width, widest(label) + 2 * MARGIN)
        panels = _panels(parameters)
        left = MARGIN + OVERHANG
        panel_width = (width - 2 * left + GAP) / len(panels) - GAP
        labels = [(name, *(curve.summary.words if curve.summary else ())) for name, curve in panels]
        top = head.height + NEXT_HEIGHT + label_height(label)
        figure = page(width, top + PANEL_HEIGHT + max(label_height(lines) for lines in labels))
        head.draw(figure)
        axes = axes_at(figure, left, head.height, width - 2 * left, NEXT_HEIGHT)
        draw_regions_under(axes, next_delta, rope, theta)
        label_axis(axes, label)
        for i, (_, curve) in enumerate(panels):
            axes = axes_at(figure, left + i * (panel_width + GAP), top, panel_width, PANEL_HEIGHT)
            draw_curve(axes, curve)
            if curve is parameters.delta0:
                draw_borders(axes, curve, rope)
            axes.locator_params(axis="x", nbins=TICKS)
            label_axis(axes, labels[i])
    return figure


def _panels(parameters: ParameterCurves) -> list[tuple[str, Curve]]:
    panels = [("centre δ₀", parameters.delta0), ("scale σ₀", parameters.sigma0)]
    if parameters.nu is not None:
        panels.append(("degrees of freedom ν", parameters.nu))
    return panels
