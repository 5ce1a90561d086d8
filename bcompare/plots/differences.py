"""Differences of single scores, and mean differences of data sets.

Benavoli et al. 2017, Tutorial, figs 1 to 3 (each for one data set) and fig. 9; box plots as in
Corani et al. 2017, fig. 5.
"""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bcompare.basis.messages import Record
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.data.rope import FloatArray
from bcompare.plots.density import draw_regions_under, estimated
from bcompare.plots.fills import FAINT, INK, Entry, region_legend, side_legend, width_of
from bcompare.plots.page import OnePair, Page, draw_rows, lefts_and_rights
from bcompare.plots.sheet import Sheet

ROW_HEIGHT, LONE_HEIGHT = 0.42, 1.6
# Heights of a curve's peak and of the ticks below it, as shares of a row.
PEAK, TICK = 0.72, 0.16
# Grid steps of a small curve for each bandwidth; the width of a tick in points.
STEPS, THIN = 5, 0.5
FILL = (FAINT, 0.45)
# Margins of the axes above the first row and below the last.
ENDS = 0.5, -0.1

CURVE_HEIGHT = 2.4
# The height of ticks below the curve of means, as a share of its peak.
TICK_TOP, TICK_END = -0.03, -0.1

BOX_ROW, BOX = 0.32, 0.5
# The longest whisker, in lengths of the box.
WHISKER = 1.5


def draw_densities(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the densities of the differences of one pair on each of its data sets."""
    pair = OnePair(study)
    scores = study.scores
    differences = [pair.statistics.differences(i) for i in range(len(pair.statistics))]
    kind = scores.unit.rows
    legend = [*side_legend(pair.rope, pair.left, pair.right), ("|", f"single differences: {kind}")]
    row = ROW_HEIGHT if len(differences) > 1 else sheet.tall(LONE_HEIGHT)
    label = ["difference", *pair.difference[1:]]
    page = Page(sheet, pair.title(by_name=True), legend)
    axes, rows = draw_rows(page, pair.datasets, label, row=row, ends=ENDS, rope=pair.rope)
    steps = {"steps": STEPS} if len(differences) > 1 else {}
    for height, values in zip(rows, differences, strict=True):
        curve = estimated(values, **steps)
        if curve.point is None:  # all curves have the same height
            x = curve.grid
            heights = height - PEAK * curve.density / curve.peak
            look: Record = {"facecolor": FILL, "edgecolor": INK, "linewidth": 0.9}
            axes.fill([x[0], *x, x[-1]], [height, *heights, height], **look)
        else:
            axes.vlines([curve.point], height - PEAK, height, color=INK, linewidth=2.0)
    for height, values in zip(rows, differences, strict=True):
        _draw_ticks(axes, height, values)
    return page.finish()


def _draw_ticks(axes: Axes, row: float, values: FloatArray) -> None:
    """Draw ticks as a single line, one for all values that would overlap."""
    low, high = axes.get_xlim()
    hidden = THIN / (72 * width_of(axes)) * (high - low)
    _, first = np.unique(np.rint(values / hidden), return_index=True)
    x = np.repeat(values[first], 3)
    y = np.tile([row + TICK, row, np.nan], len(first))
    axes.plot(x, y, color=INK, linewidth=THIN)


def draw_means(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the mean differences of one pair; the legend counts the data sets in each region."""
    pair = OnePair(study)
    means = pair.statistics.mean
    rope = pair.rope
    numbers = [float(share.sum()) for share in rope.shares(means)]
    counts = [f"{n:g} data set" if n == 1 else f"{n:g} data sets" for n in numbers]
    legend = region_legend(rope, pair.left, pair.right, counts)
    page = Page(sheet, pair.title(), [*legend, ("|", "a data set")])
    axes = page.wide_axes(sheet.tall(CURVE_HEIGHT), pair.difference)
    curve = estimated(means)
    draw_regions_under(axes, curve, rope)
    axes.vlines(means, TICK_END * curve.peak, TICK_TOP * curve.peak, color=INK, linewidth=0.9)
    return page.finish()


def draw_boxplot(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw a box plot of the mean differences of each pair."""
    lefts, rights = lefts_and_rights(study)
    legend: list[Entry] = [
        *side_legend(study.rope, "left", "right"),
        ("▭", "the middle half of the data sets, and their median"),
        ("⊢", "within 1.5 lengths of the box"),
        ("○", "a data set beyond"),
    ]
    page = Page(sheet, ["Mean differences", "on the data sets"], legend)
    label = ["mean difference", "left − right" if study.scores.lower_is_better else "right − left"]
    columns = [("", rights)]
    axes, rows = draw_rows(page, lefts, label, row=BOX_ROW, columns=columns, rope=study.rope)
    means = [comparison.differences.statistics.mean for comparison in study.comparisons]
    low, median, high = np.array([np.quantile(values, [0.25, 0.5, 0.75]) for values in means]).T
    reach = WHISKER * (high - low)
    far = [(x < a) | (x > b) for x, a, b in zip(means, low - reach, high + reach, strict=True)]
    near = [x[~beyond] for x, beyond in zip(means, far, strict=True)]
    ends = [np.array([x.min() for x in near]), np.array([x.max() for x in near])]
    for start, end in ((ends[0], low), (high, ends[1])):
        axes.hlines(rows, start, end, color=INK, linewidth=1.0)
    for end in ends:
        axes.vlines(end, rows - BOX / 4, rows + BOX / 4, color=INK, linewidth=1.0)
    box: Record = {"facecolor": "white", "edgecolor": INK, "linewidth": 1.0, "zorder": 2}
    axes.barh(rows, high - low, BOX, left=low, **box)
    axes.vlines(median, rows - BOX / 2, rows + BOX / 2, color=INK, linewidth=2.2, zorder=3)
    beyond = np.concatenate([x[outside] for x, outside in zip(means, far, strict=True)])
    of_row = np.repeat(rows, [outside.sum() for outside in far])
    axes.plot(beyond, of_row, "o", markersize=3.5, markerfacecolor="white", color=INK, zorder=3)
    return page.finish()
