"""Many pairs: box plots of the mean differences on the data sets, with the rope.

Corani et al. 2017, fig. 5.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.rope import FloatArray, Rope
from bcompare.plots.figure import drawing
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import INK, ROPE, equivalent
from bcompare.plots.page import check_rows
from bcompare.plots.rows import Column, Rows, draw_rows
from bcompare.plots.sheet import Sheet
from bcompare.report.table import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW_HEIGHT, BOX = 0.32, 0.5
# How far a whisker may reach, in lengths of the box; and a data set beyond.
WHISKER = 1.5
OUTLIER: dict[str, Any] = {"marker": "o", "markersize": 3.5, "markerfacecolor": "white"}


def draw_boxplot_of(study: ComparisonSet, sheet: Sheet) -> "Figure":
    """The mean differences of every pair."""
    pairs = [(printable(c.left), printable(c.right)) for c in study.comparisons]
    means = [comparison.differences.statistics.mean for comparison in study.comparisons]
    lower_is_better = study.scores.lower_is_better
    return draw_boxplot(pairs, means, study.rope, sheet, lower_is_better=lower_is_better)


def draw_boxplot(
    pairs: Sequence[tuple[str, str]],
    means: Sequence[FloatArray],
    rope: Rope,
    sheet: Sheet,
    *,
    lower_is_better: bool = False,
) -> "Figure":
    """Picture of m pairs: a box each.

    Parameters
    ----------
    pairs : m names (left, right), in the order of the rows.
    means : m arrays of mean differences, positive where right is better.
    rope : drawn as a band.
    lower_is_better : scores are errors, so the differences drawn are left - right.

    Raises
    ------
    InputError : no pair, or more than a page can hold.
    ComputationError : matplotlib is not installed.
    """
    check_rows(len(pairs))
    lefts, rights = zip(*pairs, strict=True)
    with drawing(sheet.text):
        legend: list[Entry] = [
            ("←", "left better"),
            ("→", "right better"),
            ("▭", "the middle half of the data sets, and their median"),
            ("⊢", "up to 1.5 times as far as the box is long"),
            ("○", "a data set beyond"),
        ]
        if not rope.is_empty:
            legend.insert(2, (ROPE, equivalent(rope)))
        head = Head(["Mean differences", "on the data sets"], legend)
        label = ["mean difference", "left − right" if lower_is_better else "right − left"]
        beside = [Column(rights)]
        rows = draw_rows(sheet, head, lefts, label, row=ROW_HEIGHT, columns=beside, rope=rope)
        _draw_boxes(rows, means)
    return rows.page.figure


def _draw_boxes(place: Rows, means: Sequence[FloatArray]) -> None:
    axes, rows = place.axes, place.at
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
