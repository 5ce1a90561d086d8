"""One data set: the posterior of the mean difference, cut into the three regions."""

from typing import TYPE_CHECKING

from bcompare.plots.density import Curve, draw_regions_under
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

WIDTH, CURVE_HEIGHT = 6.4, 2.6


def draw_posterior(
    pair: Pair,
    dataset: str,
    curve: Curve,
    rope: Rope,
    probabilities: RegionProbabilities[float],
) -> "Figure":
    """Picture of the correlated t-test on one data set.

    Parameters
    ----------
    pair : the classifiers.
    dataset : its name.
    curve : posterior density of the mean difference, with its mean and intervals, drawn nested.
    rope : its borders are drawn, and cut the density.
    probabilities : of the three regions.

    Raises
    ------
    ComputationError : matplotlib is not installed.
    """
    with drawing():
        title = lines_within(
            WIDTH - 2 * MARGIN,
            [pair.left, f"and {pair.right}", f"on {dataset}"],
            TITLE_SIZE,
            "bold",
        )
        head = Head(tuple(title), region_legend(pair, rope, probabilities))
        label = lines_within(WIDTH - 2 * MARGIN, pair.difference)
        if curve.summary:
            mean, *intervals = curve.summary.words
            pairs = zip(intervals[::2], intervals[1::2], strict=True)
            parts = [mean, *(f"{level} {ends}" for level, ends in pairs)]
            commas = [*(f"{part}," for part in parts[:-1]), parts[-1]]
            label += lines_within(WIDTH - 2 * MARGIN, commas)
        width = max(WIDTH, head.width, widest(label) + 2 * MARGIN)
        figure = page(width, head.height + CURVE_HEIGHT + label_height(label))
        head.draw(figure)
        left = MARGIN + OVERHANG
        axes = axes_at(figure, left, head.height, width - 2 * left, CURVE_HEIGHT)
        draw_regions_under(axes, curve, rope, probabilities)
        label_axis(axes, label)
    return figure
