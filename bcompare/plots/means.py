"""One pair: the density of its data sets' mean differences.

Benavoli et al. 2017, Tutorial, fig. 9.
"""

from matplotlib.figure import Figure

from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.rope import FloatArray
from bcompare.plots.density import draw_regions_under, estimated
from bcompare.plots.fills import INK, region_legend
from bcompare.plots.names import only_pair
from bcompare.plots.page import Page
from bcompare.plots.sheet import Sheet

CURVE_HEIGHT = 2.4
# The ticks below the curve, as shares of its peak.
TICK_TOP, TICK_END = -0.03, -0.1


def draw_means(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the mean differences of one pair; the legend counts the data sets in each region."""
    comparison, pair = only_pair(study)
    means, rope = comparison.differences.statistics.mean, study.rope
    shares = rope.shares(means)

    def count(share: FloatArray) -> str:
        number = float(share.sum())
        return f"{number:g} data set{'' if number == 1 else 's'}"

    counts = [count(share) for share in (shares.left, shares.rope, shares.right)]
    legend = region_legend(rope, pair.left, pair.right, counts)
    page = Page(sheet, pair.title(len(means)), [*legend, ("|", "a data set")])
    axes = page.wide_axes(sheet.tall(CURVE_HEIGHT), pair.difference)
    curve = estimated(means)
    draw_regions_under(axes, curve, rope)
    axes.vlines(means, TICK_END * curve.peak, TICK_TOP * curve.peak, color=INK, linewidth=0.9)
    return page.finish()
