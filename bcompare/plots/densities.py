"""One pair: the densities of the differences of single scores, a row a data set.

Benavoli et al. 2017, Tutorial, figs 1 to 3, there of one data set each.
"""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.rope import FloatArray
from bcompare.data.units import ROWS
from bcompare.plots.density import Curve, estimated
from bcompare.plots.fills import FAINT, INK, side_legend
from bcompare.plots.names import dataset_names, only_pair
from bcompare.plots.numbers import width_of
from bcompare.plots.page import Page
from bcompare.plots.rows import draw_rows
from bcompare.plots.sheet import Sheet

ROW_HEIGHT, LONE_HEIGHT = 0.42, 1.6
# Heights as shares of a row: of a curve's peak above its line, of the ticks below it.
PEAK, TICK = 0.72, 0.16
# Steps of a low curve in the width of a kernel; a tick's width, in points.
STEPS, THIN = 5, 0.5
FILL = (FAINT, 0.45)
# How far the axes reach above the first row and below the last.
ENDS = 0.5, -0.1


def draw_densities(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the differences of one pair on each of its data sets."""
    comparison, pair = only_pair(study)
    names = dataset_names(comparison)
    index = [study.scores.classifiers.index(name) for name in (comparison.left, comparison.right)]
    tables = {dataset.name: dataset.table[:, index] for dataset in study.scores.datasets}
    sets = comparison.differences.statistics.names
    differences = [tables[name][:, 1] - tables[name][:, 0] for name in sets]
    kind = ROWS[study.scores.unit]
    legend = [*side_legend(study.rope, pair.left, pair.right), ("|", f"single differences: {kind}")]
    row = ROW_HEIGHT if len(names) > 1 else sheet.tall(LONE_HEIGHT)
    label = ["difference", *pair.difference[1:]]
    page = Page(sheet, pair.title(names), legend)
    axes, rows = draw_rows(page, names, label, row=row, ends=ENDS, rope=study.rope)
    steps = {"steps": STEPS} if len(names) > 1 else {}
    for at, values in zip(rows, differences, strict=True):
        _draw_curve(axes, at, estimated(values, **steps))
    for at, values in zip(rows, differences, strict=True):
        _draw_ticks(axes, at, values)
    return page.finish()


def _draw_curve(axes: Axes, row: float, curve: Curve) -> None:
    """A density above the row's line, as high as any other's."""
    if curve.point is None:
        x, heights = curve.grid, row - PEAK * curve.density / curve.peak
        look: dict[str, Any] = {"facecolor": FILL, "edgecolor": INK, "linewidth": 0.9}
        axes.fill([x[0], *x, x[-1]], [row, *heights, row], **look)
    else:
        axes.vlines([curve.point], row - PEAK, row, color=INK, linewidth=2.0)


def _draw_ticks(axes: Axes, row: float, values: FloatArray) -> None:
    """A tick for each value, but one for those that it would hide; all of them one line."""
    low, high = axes.get_xlim()
    hidden = THIN / (72 * width_of(axes)) * (high - low)
    _, first = np.unique(np.rint(values / hidden), return_index=True)
    x = np.repeat(values[first], 3)
    y = np.tile([row + TICK, row, np.nan], len(first))
    axes.plot(x, y, color=INK, linewidth=THIN)
