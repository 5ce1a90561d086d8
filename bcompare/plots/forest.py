"""One pair on many data sets: the mean difference on each, with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bcompare.methods.base import Interval
from bcompare.plots.figure import drawing
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import FAINT, INK, ROPE, Pair, equivalent
from bcompare.plots.page import (
    MARGIN,
    OVERHANG,
    TICKS,
    TITLE_SIZE,
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
from bcompare.rope import FloatArray, Rope

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PLOT_WIDTH = 4.6
ROW_HEIGHT, TALL_ROW_HEIGHT = 0.2, 0.28
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
    shrunken: Estimates | None = None,
) -> "Figure":
    """Picture of one pair on q data sets, one row each in the order given.

    Parameters
    ----------
    pair : the classifiers.
    datasets : q names.
    raw : from each data set by itself.
    rope : drawn as a band.
    shrunken : from all data sets together, drawn below the raw ones.

    Raises
    ------
    InputError : no data set, or more than a page can hold.
    ComputationError : matplotlib is not installed.
    """
    check_rows(len(datasets))
    with drawing():
        head = _head(pair, len(datasets), raw, rope, shrunken)
        label = lines_within(PLOT_WIDTH, pair.difference)
        left = MARGIN + names_width(datasets)
        width = max(PLOT_WIDTH, widest(label), head.width - left - OVERHANG - MARGIN)
        top = head.height + (TICKS if len(datasets) >= ROWS_WITH_TICKS_ABOVE else 0)
        height = (len(datasets) + 1) * (ROW_HEIGHT if shrunken is None else TALL_ROW_HEIGHT)
        figure = page(left + width + OVERHANG + MARGIN, top + height + label_height(label))
        head.draw(figure)
        axes = axes_at(figure, left, top, width, height)
        draw_rows(axes, datasets, rope)
        if shrunken is None:
            draw_estimates(axes, raw, 0.0, color=INK, marker="o")
        else:
            draw_estimates(axes, raw, -0.16, color=FAINT, marker="o", markerfacecolor="white")
            draw_estimates(axes, shrunken, 0.16, color=INK, marker="D")
        label_axis(axes, label)
    return figure


def _head(pair: Pair, rows: int, raw: Estimates, rope: Rope, shrunken: Estimates | None) -> Head:
    on = "on 1 data set" if rows == 1 else f"on {rows} data sets"
    title = lines_within(PLOT_WIDTH, [pair.left, f"and {pair.right}", on], TITLE_SIZE, "bold")
    legend: list[Entry] = [("◀", f"{pair.left} better"), ("▶", f"{pair.right} better")]
    if not rope.is_empty:
        legend.append((ROPE, equivalent(rope)))
    interval = f"{100 * raw.interval.level:g} % interval"
    if shrunken is None:
        legend.append(("●", f"mean difference, {interval}"))
    else:
        legend.append(("○", f"from the data set by itself, {interval}"))
        legend.append(("◆", f"shrunken: from all data sets together, {interval}"))
    return Head(tuple(title), tuple(legend))


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


def draw_estimates(axes: "Axes", estimates: Estimates, offset: float, **look: Any) -> None:
    """Draw a point with its interval in each row, `offset` rows below its middle."""
    rows = np.arange(len(estimates.mean)) + offset
    axes.hlines(
        rows, estimates.interval.low, estimates.interval.high, color=look["color"], linewidth=1.4
    )
    axes.plot(estimates.mean, rows, linestyle="none", markersize=4.5, **look)
