"""One pair on many data sets: the mean difference on each, with its interval."""

from typing import cast

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.rope import FloatArray
from bcompare.methods.base import Interval
from bcompare.methods.correlated_t import CorrelatedTDatasets
from bcompare.plots.density import LEVEL
from bcompare.plots.fills import INK, side_legend
from bcompare.plots.names import dataset_names, only_pair
from bcompare.plots.page import Page
from bcompare.plots.rows import draw_rows
from bcompare.plots.sheet import Sheet

ROW_HEIGHT = 0.2


def draw_forest(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the mean differences of one pair on its data sets, by the correlated t-test."""
    comparison, pair = only_pair(study)
    names = dataset_names(comparison)
    posterior = cast("CorrelatedTDatasets", comparison.result.datasets).posterior
    (interval,) = posterior.intervals([LEVEL])
    words = f"mean difference, {100 * LEVEL:g} % interval"
    legend = [*side_legend(study.rope, pair.left, pair.right), ("●", words)]
    page = Page(sheet, pair.title(len(names)), legend)
    rows = draw_rows(page, names, pair.difference, row=ROW_HEIGHT, rope=study.rope)
    draw_estimates(*rows, posterior.location, interval)
    return page.finish()


def draw_estimates(
    axes: Axes, rows: FloatArray, mean: FloatArray, interval: Interval[FloatArray]
) -> None:
    """Draw a point with its interval in each row."""
    axes.hlines(rows, interval.low, interval.high, color=INK, linewidth=1.4)
    axes.plot(mean, rows, linestyle="none", markersize=4.5, color=INK, marker="o")
