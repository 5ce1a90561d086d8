"""Many pairs: box plots of the mean differences on the data sets, with the rope.

Corani et al. 2017, fig. 5.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bcompare.comparison import ComparisonSet
from bcompare.plots.figure import drawing
from bcompare.plots.forest import PLOT_WIDTH, ROWS_WITH_TICKS_ABOVE, draw_rows
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import INK, ROPE, equivalent
from bcompare.plots.page import (
    MARGIN,
    TICKS,
    TITLE_SIZE,
    axes_at,
    check_rows,
    label_axis,
    label_height,
    lines_within,
    name_rows_on_the_right,
    names_width,
    page,
    widest,
)
from bcompare.report.table import printable
from bcompare.rope import FloatArray, Rope

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW_HEIGHT, BOX = 0.32, 0.5
# How far a whisker may reach, in lengths of the box; and a data set beyond.
WHISKER = 1.5
OUTLIER: dict[str, Any] = {"marker": "o", "markersize": 3.5, "markerfacecolor": "white"}


def draw_boxplot_of(study: ComparisonSet) -> "Figure":
    """The mean differences of every pair."""
    pairs = [(printable(c.left), printable(c.right)) for c in study.comparisons]
    means = [comparison.differences.statistics.mean for comparison in study.comparisons]
    return draw_boxplot(pairs, means, study.rope, lower_is_better=study.scores.lower_is_better)


def draw_boxplot(
    pairs: Sequence[tuple[str, str]],
    means: Sequence[FloatArray],
    rope: Rope,
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
    with drawing():
        words = ["Mean differences", "on the data sets"]
        title = lines_within(PLOT_WIDTH, words, TITLE_SIZE, "bold")
        legend: list[Entry] = [
            ("▭", "the middle half of the data sets, and their median"),
            ("⊢", "up to 1.5 times as far as the box is long"),
            ("○", "a data set beyond"),
        ]
        if not rope.is_empty:
            legend.append((ROPE, equivalent(rope)))
        head = Head(tuple(title), tuple(legend))
        order = "left − right" if lower_is_better else "right − left"
        label = ["◀ left better     right better ▶", f"mean difference {order}"]
        left, right = (MARGIN + names_width(names) for names in (lefts, rights))
        width = max(PLOT_WIDTH, widest(label), head.width - left - right)
        top = head.height + (TICKS if len(pairs) >= ROWS_WITH_TICKS_ABOVE else 0)
        height = (len(pairs) + 1) * ROW_HEIGHT
        figure = page(left + width + right, top + height + label_height(label))
        head.draw(figure)
        axes = axes_at(figure, left, top, width, height)
        draw_rows(axes, lefts, rope)
        _draw_boxes(axes, means)
        name_rows_on_the_right(axes, rights)
        label_axis(axes, label)
    return figure


def _draw_boxes(axes: "Axes", means: Sequence[FloatArray]) -> None:
    rows = np.arange(len(means))
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
