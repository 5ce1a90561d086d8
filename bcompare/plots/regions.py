"""Many pairs: the three probabilities of each as one bar."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bcompare.plots.figure import drawing
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import LEFT, RIGHT, ROPE, equivalent
from bcompare.plots.page import (
    MARGIN,
    TITLE_SIZE,
    axes_at,
    check_rows,
    label_axis,
    label_height,
    lines_within,
    name_rows,
    name_rows_on_the_right,
    names_width,
    page,
)
from bcompare.report.number import probability
from bcompare.rope import FloatArray, RegionProbabilities, Rope

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PLOT_WIDTH, ROW_HEIGHT, BAR = 4.6, 0.3, 0.72
LABEL = ("probability",)
# A narrower part of a bar holds no number; the table does.
NARROWEST_WITH_NUMBER = 0.1


def draw_regions(
    title: str,
    pairs: Sequence[tuple[str, str]],
    probabilities: RegionProbabilities[FloatArray],
    rope: Rope,
) -> "Figure":
    """Picture of m pairs: a bar each, the left classifier's share on the left.

    Parameters
    ----------
    title : what was compared, and how.
    pairs : m names (left, right), in the order of the rows.
    probabilities : arrays of shape (m,).
    rope : what counted as equivalent.

    Raises
    ------
    InputError : no pair, or more than a page can hold.
    ComputationError : matplotlib is not installed.
    """
    check_rows(len(pairs))
    lefts, rights = zip(*pairs, strict=True)
    with drawing():
        head = _head(title, rope)
        left, right = (MARGIN + names_width(names) for names in (lefts, rights))
        width = max(PLOT_WIDTH, head.width - left - right)
        height = len(pairs) * ROW_HEIGHT
        figure = page(left + width + right, head.height + height + label_height(LABEL))
        head.draw(figure)
        axes = axes_at(figure, left, head.height, width, height)
        _draw_bars(axes, probabilities)
        name_rows(axes, lefts)
        name_rows_on_the_right(axes, rights)
        label_axis(axes, LABEL)
    return figure


def _head(title: str, rope: Rope) -> Head:
    lines = lines_within(PLOT_WIDTH, title.split(), TITLE_SIZE, "bold")
    legend: list[Entry] = [(LEFT, "left better"), (RIGHT, "right better")]
    if not rope.is_empty:
        legend.insert(1, (ROPE, equivalent(rope)))
    return Head(tuple(lines), tuple(legend))


def _draw_bars(axes: "Axes", probabilities: RegionProbabilities[FloatArray]) -> None:
    rows = np.arange(len(probabilities.left))
    start = np.zeros(len(rows))
    for look, share in (
        (LEFT, probabilities.left),
        (ROPE, probabilities.rope),
        (RIGHT, probabilities.right),
    ):
        axes.barh(rows, share, BAR, left=start, **look.fill)
        for row, (middle, p) in enumerate(zip(start + share / 2, share, strict=True)):
            if p >= NARROWEST_WITH_NUMBER:
                axes.text(middle, row, probability(p), **look.label)
        start = start + share
    axes.set_xlim(0, 1)
    axes.set_ylim(len(rows) - 0.5, -0.5)
