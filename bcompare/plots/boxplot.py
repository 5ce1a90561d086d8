"""Many pairs: box plots of the mean differences on the data sets, with the rope.

Corani et al. 2017, fig. 5.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.rope import FloatArray
from bcompare.plots.fills import INK, Entry, side_legend
from bcompare.plots.names import lefts_and_rights
from bcompare.plots.page import Page
from bcompare.plots.rows import draw_rows
from bcompare.plots.sheet import Sheet

ROW_HEIGHT, BOX = 0.32, 0.5
# How far a whisker may reach, in lengths of the box; and a data set beyond.
WHISKER = 1.5
OUTLIER: dict[str, Any] = {"marker": "o", "markersize": 3.5, "markerfacecolor": "white"}


def draw_boxplot(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw a box for each pair, of its mean differences."""
    lefts, rights = lefts_and_rights(study)
    legend: list[Entry] = [
        *side_legend(study.rope, "left", "right"),
        ("▭", "the middle half of the data sets, and their median"),
        ("⊢", "up to 1.5 times as far as the box is long"),
        ("○", "a data set beyond"),
    ]
    page = Page(sheet, ["Mean differences", "on the data sets"], legend)
    lower_is_better = study.scores.lower_is_better
    label = ["mean difference", "left − right" if lower_is_better else "right − left"]
    columns = [("", rights)]
    axes, at = draw_rows(page, lefts, label, row=ROW_HEIGHT, columns=columns, rope=study.rope)
    means = [comparison.differences.statistics.mean for comparison in study.comparisons]
    _draw_boxes(axes, at, means)
    return page.finish()


def _draw_boxes(axes: Axes, rows: FloatArray, means: Sequence[FloatArray]) -> None:
    low, median, high = np.array([np.quantile(values, [0.25, 0.5, 0.75]) for values in means]).T
    reach = WHISKER * (high - low)
    far = [(x < a) | (x > b) for x, a, b in zip(means, low - reach, high + reach, strict=True)]
    ends = np.array([
        (x[~beyond].min(), x[~beyond].max()) for x, beyond in zip(means, far, strict=True)
    ]).T  # fmt: skip
    for start, end in ((ends[0], low), (high, ends[1])):
        axes.hlines(rows, start, end, color=INK, linewidth=1.0)
    for end in ends:
        axes.vlines(end, rows - BOX / 4, rows + BOX / 4, color=INK, linewidth=1.0)
    box: dict[str, Any] = {"facecolor": "white", "edgecolor": INK, "linewidth": 1.0, "zorder": 2}
    axes.barh(rows, high - low, BOX, left=low, **box)
    axes.vlines(median, rows - BOX / 2, rows + BOX / 2, color=INK, linewidth=2.2, zorder=3)
    beyond = np.concatenate([x[outside] for x, outside in zip(means, far, strict=True)])
    of_row = np.repeat(rows, [outside.sum() for outside in far])
    axes.plot(beyond, of_row, linestyle="none", zorder=3, color=INK, **OUTLIER)
