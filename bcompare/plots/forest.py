"""One pair on many data sets: the mean difference on each, with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bcompare.methods.base import Interval
from bcompare.plots.figure import drawing
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import INK, ROPE, Pair, equivalent
from bcompare.plots.page import (
    MARGIN,
    OVERHANG,
    TICKS,
    axes_at,
    check_rows,
    label_axis,
    label_height,
    lines_within,
    name_rows,
    names_width,
    page,
    widest,
)
from bcompare.plots.subject import title_of
from bcompare.rope import FloatArray, Rope

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PLOT_WIDTH = 4.6
ROW_HEIGHT = 0.2
HAIRLINE = "#EEEEEE"
ROWS_WITH_TICKS_ABOVE = 25


@dataclass(frozen=True, eq=False, slots=True)
class Estimates:
    """What is known of the mean difference on each of q data sets.

    mean : (q,) points. interval : credible intervals, their ends (q,) each.
    """

    mean: FloatArray
    interval: Interval[FloatArray]


def draw_forest(
    pair: Pair,
    datasets: Sequence[str],
    raw: Estimates,
    rope: Rope,
) -> "Figure":
    """Picture of one pair on q data sets, one row each in the order given.

    Parameters
    ----------
    pair : the classifiers.
    datasets : q names.
    raw : from each data set by itself.
    rope : drawn as a band.

    Raises
    ------
    InputError : no data set, or more than a page can hold.
    ComputationError : matplotlib is not installed.
    """
    check_rows(len(datasets))
    with drawing():
        head = _head(pair, len(datasets), raw, rope)
        label = lines_within(PLOT_WIDTH, pair.difference)
        left = MARGIN + names_width(datasets)
        width = max(PLOT_WIDTH, widest(label), head.width - left - OVERHANG - MARGIN)
        top = head.height + (TICKS if len(datasets) >= ROWS_WITH_TICKS_ABOVE else 0)
        height = (len(datasets) + 1) * ROW_HEIGHT
        figure = page(left + width + OVERHANG + MARGIN, top + height + label_height(label))
        head.draw(figure)
        axes = axes_at(figure, left, top, width, height)
        draw_rows(axes, datasets, rope)
        draw_estimates(axes, raw, color=INK, marker="o")
        label_axis(axes, label)
    return figure


def _head(pair: Pair, rows: int, raw: Estimates, rope: Rope) -> Head:
    interval = f"{100 * raw.interval.level:g} % interval"
    legend = [*side_legend(pair, rope), ("●", f"mean difference, {interval}")]
    return Head(title_of(pair, rows, PLOT_WIDTH), tuple(legend))


def side_legend(pair: Pair, rope: Rope) -> list[Entry]:
    """Who is better on which side, and the band between."""
    legend: list[Entry] = [("◀", f"{pair.left} better"), ("▶", f"{pair.right} better")]
    if not rope.is_empty:
        legend.append((ROPE, equivalent(rope)))
    return legend


def draw_rows(axes: "Axes", datasets: Sequence[str], rope: Rope) -> None:
    """Draw the names, a hairline for each row, and the rope."""
    rows = range(len(datasets))
    axes.set_ylim(len(datasets), -1)
    name_rows(axes, datasets)
    axes.hlines(rows, 0, 1, transform=axes.get_yaxis_transform(), color=HAIRLINE, linewidth=0.5)
    if not rope.is_empty:
        axes.axvspan(rope.low, rope.high, color=ROPE.face, linewidth=0, zorder=0)
    axes.axvline(0, color=INK, linewidth=0.7)
    if len(datasets) >= ROWS_WITH_TICKS_ABOVE:
        axes.tick_params(axis="x", top=True, labeltop=True)
        axes.spines["top"].set_visible(True)


def draw_estimates(axes: "Axes", estimates: Estimates, **look: Any) -> None:
    """Draw a point with its interval in each row."""
    rows = np.arange(len(estimates.mean))
    axes.hlines(
        rows, estimates.interval.low, estimates.interval.high, color=look["color"], linewidth=1.4
    )
    axes.plot(estimates.mean, rows, linestyle="none", markersize=4.5, **look)
