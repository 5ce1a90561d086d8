"""The Poisson-binomial test: the number of data sets on which right is better.

Corani & Benavoli 2015, eq. 10.
"""

from typing import cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.rope import FloatArray
from bcompare.methods.poisson_binomial import PoissonBinomialResult
from bcompare.plots.fills import INK, LEFT, RIGHT, ROPE, Entry
from bcompare.plots.names import only_pair
from bcompare.plots.page import Page
from bcompare.plots.sheet import Sheet
from bcompare.report.number import probability

HEIGHT, BAR = 2.4, 0.8
# Room for the scale on the left of the bars.
SCALE = 0.65


def draw_counts(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the distribution of the number of data sets on which right is better."""
    comparison, pair = only_pair(study)
    result = cast("PoissonBinomialResult", comparison.result)
    q = len(result.distribution) - 1
    legend: list[Entry] = [
        (LEFT, f"{pair.left} better on more than half: {probability(result.p_left_majority)}"),
        (RIGHT, f"{pair.right} better on more than half: {probability(result.p_right_majority)}"),
        ("", "better by any amount, within the rope or not"),
    ]
    if q % 2 == 0:
        legend.insert(1, (ROPE, f"each better on half: {probability(result.p_even)}"))
    label = ["number of data sets", f"on which {pair.right}", "is better"]
    page = Page(sheet, pair.title(q), legend)
    axes = page.wide_axes(sheet.tall(HEIGHT), label, scale=SCALE)
    _draw_bars(axes, result.distribution)
    return page.finish()


def _draw_bars(axes: Axes, distribution: FloatArray) -> None:
    """A bar a number, and the half between them."""
    count = np.arange(len(distribution))
    half = (len(distribution) - 1) / 2
    for look, own in ((LEFT, count < half), (ROPE, count == half), (RIGHT, count > half)):
        axes.bar(count[own], distribution[own], BAR, **look.fill)
    axes.axvline(half, color=INK, linewidth=0.9, linestyle="--")
    axes.set_ylabel("probability", color=INK)
    axes.set_xlim(-0.6, len(distribution) - 0.4)
    axes.set_ylim(0, 1.08 * float(distribution.max()))
    axes.locator_params(axis="x", integer=True)
    axes.locator_params(axis="y", nbins=5)
