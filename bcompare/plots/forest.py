"""One pair on many data sets: the mean difference on each, with its interval."""

from typing import cast

from matplotlib.figure import Figure

from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.rope import FloatArray
from bcompare.methods.base import Interval
from bcompare.methods.correlated_t import CorrelatedTDatasets
from bcompare.plots.density import LEVEL
from bcompare.plots.fills import INK, side_legend
from bcompare.plots.names import dataset_names, only_pair
from bcompare.plots.page import Head
from bcompare.plots.rows import Rows, draw_rows
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
    head = Head(pair.title(len(names)), legend)
    rows = draw_rows(sheet, head, names, pair.difference, row=ROW_HEIGHT, rope=study.rope)
    draw_estimates(rows, posterior.location, interval)
    return rows.page.figure


def draw_estimates(rows: Rows, mean: FloatArray, interval: Interval[FloatArray]) -> None:
    """Draw a point with its interval in each row."""
    rows.axes.hlines(rows.at, interval.low, interval.high, color=INK, linewidth=1.4)
    rows.axes.plot(mean, rows.at, linestyle="none", markersize=4.5, color=INK, marker="o")
