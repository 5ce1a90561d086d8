"""The Poisson-binomial test: on how many of the data sets right is better, any amount.

Corani & Benavoli 2015, eq. 10.
"""

from typing import TYPE_CHECKING, cast

import numpy as np

from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.rope import FloatArray
from bcompare.methods.poisson_binomial import PoissonBinomialResult
from bcompare.plots.figure import drawing
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import INK, LEFT, RIGHT, ROPE, Pair
from bcompare.plots.sheet import Sheet
from bcompare.plots.subject import pair_of, title_of
from bcompare.report.number import probability

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT, BAR = 2.4, 0.8
# A scale left of the bars needs so much room.
SCALE = 0.48


def draw_counts_of(study: ComparisonSet, sheet: Sheet) -> "Figure":
    """The distribution of the count of one pair."""
    (comparison,) = study.comparisons
    result = cast("PoissonBinomialResult", comparison.result)
    majorities = result.p_left_majority, result.p_even, result.p_right_majority
    return draw_counts(pair_of(study, comparison), result.distribution, majorities, sheet)


def draw_counts(
    pair: Pair,
    distribution: FloatArray,
    majorities: tuple[float, float, float],
    sheet: Sheet,
) -> "Figure":
    """Picture of a number from 0 to q.

    Parameters
    ----------
    pair : the classifiers.
    distribution : (q + 1,) probability that right is better on so many data sets.
    majorities : probability that left is better on more than half, each on half, right on more.

    Raises
    ------
    ComputationError : matplotlib is not installed.
    """
    q = len(distribution) - 1
    with drawing(sheet.text):
        head = Head(title_of(pair, q), _legend(pair, q, majorities))
        label = ["number of data sets", f"on which {pair.right}", "is better"]
        page, axes = head.lone_axes(sheet, HEIGHT, label, scale=SCALE)
        _draw_bars(axes, distribution)
    return page.figure


def _legend(pair: Pair, q: int, majorities: tuple[float, float, float]) -> tuple[Entry, ...]:
    left, even, right = (probability(p) for p in majorities)
    legend: list[Entry] = [
        (LEFT, f"{pair.left} better on more than half: {left}"),
        (RIGHT, f"{pair.right} better on more than half: {right}"),
        ("", "better by any amount, within the rope or not"),
    ]
    if q % 2 == 0:
        legend.insert(1, (ROPE, f"each better on half: {even}"))
    return tuple(legend)


def _draw_bars(axes: "Axes", distribution: FloatArray) -> None:
    """A bar a number, and the half between them."""
    count = np.arange(len(distribution))
    half = (len(distribution) - 1) / 2
    for look, own in ((LEFT, count < half), (ROPE, count == half), (RIGHT, count > half)):
        axes.bar(count[own], distribution[own], BAR, **look.fill)
    axes.axvline(half, color=INK, linewidth=0.9, linestyle="--")
    axes.set_xlim(-0.6, len(distribution) - 0.4)
    axes.set_ylim(0, 1.08 * float(distribution.max()))
    axes.locator_params(axis="x", integer=True)
    axes.locator_params(axis="y", nbins=5)
