"""One pair: the density of its data sets' mean differences.

Benavoli et al. 2017, Tutorial, fig. 9.
"""

from typing import TYPE_CHECKING

from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.rope import FloatArray, Rope
from bcompare.plots.density import draw_regions_under, estimated
from bcompare.plots.figure import drawing
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import INK, LEFT, RIGHT, ROPE, Pair, equivalent
from bcompare.plots.sheet import Sheet
from bcompare.plots.subject import pair_of, title_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CURVE_HEIGHT = 2.4
# The ticks below the curve, as shares of its peak.
TICK_TOP, TICK_END = -0.03, -0.1


def draw_means_of(study: ComparisonSet, sheet: Sheet) -> "Figure":
    """The mean differences of one pair."""
    (comparison,) = study.comparisons
    means = comparison.differences.statistics.mean
    return draw_means(pair_of(study, comparison), means, study.rope, sheet)


def draw_means(pair: Pair, means: FloatArray, rope: Rope, sheet: Sheet) -> "Figure":
    """Picture of the (q,) mean differences right - left of one pair.

    Raises
    ------
    ComputationError : matplotlib is not installed.
    """
    with drawing(sheet.text):
        head = Head(title_of(pair, len(means)), _legend(pair, means, rope))
        page, axes = head.lone_axes(sheet, CURVE_HEIGHT, pair.difference)
        curve = estimated(means)
        draw_regions_under(axes, curve, rope)
        axes.vlines(means, TICK_END * curve.peak, TICK_TOP * curve.peak, color=INK, linewidth=0.9)
    return page.figure


def _legend(pair: Pair, means: FloatArray, rope: Rope) -> tuple[Entry, ...]:
    """On how many data sets the mean is in each region."""
    inside = rope.shares(means)

    def counted(share: FloatArray) -> str:
        number = float(share.sum())
        return f"{number:g} data set{'' if number == 1 else 's'}"

    left = (LEFT, f"{pair.left} better: {counted(inside.left)}")
    middle = (ROPE, f"{equivalent(rope)}: {counted(inside.rope)}")
    right = (RIGHT, f"{pair.right} better: {counted(inside.right)}")
    mark = ("|", "a data set")
    return (left, right, mark) if rope.is_empty else (left, middle, right, mark)
