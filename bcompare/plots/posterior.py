"""One data set: the posterior of the mean difference, cut into the three regions."""

from typing import TYPE_CHECKING

from bcompare.data.rope import RegionProbabilities, Rope
from bcompare.plots.density import Curve, draw_regions_under, write_probabilities
from bcompare.plots.figure import drawing
from bcompare.plots.head import Head, region_legend
from bcompare.plots.look import Pair
from bcompare.plots.sheet import Sheet
from bcompare.plots.subject import title_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CURVE_HEIGHT = 2.6


def draw_posterior(
    pair: Pair,
    dataset: str,
    curve: Curve,
    rope: Rope,
    probabilities: RegionProbabilities[float],
    sheet: Sheet,
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
    with drawing(sheet.text):
        head = Head(title_of(pair, [dataset]), region_legend(pair, rope, probabilities))
        note: list[str] = []
        if curve.summary:
            mean, *intervals = curve.summary.words
            pairs = zip(intervals[::2], intervals[1::2], strict=True)
            parts = [mean, *(f"{level} {ends}" for level, ends in pairs)]
            note = [*(f"{part}," for part in parts[:-1]), parts[-1]]
        page, axes = head.lone_axes(sheet, CURVE_HEIGHT, pair.difference, note=note)
        draw_regions_under(axes, curve, rope)
        write_probabilities(axes, curve, rope, probabilities, sheet)
    return page.figure
