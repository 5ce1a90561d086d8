"""A family of classifiers: mean ranks on a line, joined where they do not differ significantly.

Demšar 2006, fig. 1: Nemenyi's critical difference.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from bcompare.family import Family
from bcompare.methods.ranks import FamilyResult
from bcompare.plots.figure import drawing
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import INK
from bcompare.plots.page import (
    LINE,
    MARGIN,
    NAMES_GAP,
    TITLE_SIZE,
    axes_at,
    check_rows,
    lines_within,
    page,
    widest,
)
from bcompare.plots.regret import where
from bcompare.report.table import printable
from bcompare.rope import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SCALE_WIDTH, ABOVE = 4.6, 0.6
ROW, BAR_STEP = 0.2, 0.1
# The bar of the critical difference stands so far above the scale, in inches.
OF_DIFFERENCE = 0.38
# Bars begin and end a little beyond the ranks that they join, in inches.
BEYOND = 0.04
MOST_TICKS = 12


def draw_critical_difference_of(family: Family) -> "Figure":
    """The mean ranks of all classifiers."""
    ranks = cast("FamilyResult", family.ranks)
    names = [printable(name) for name in ranks.classifiers]
    difference = ranks.critical_difference
    return draw_critical_difference(names, ranks.mean_rank, difference, family.alpha, where(family))


def draw_critical_difference(
    names: Sequence[str], mean_rank: FloatArray, difference: float, alpha: float, on: str
) -> "Figure":
    """Picture of c mean ranks on a line; the best on the left.

    Parameters
    ----------
    names : of the classifiers.
    mean_rank : (c,); 1 is the best.
    difference : from which on mean ranks differ significantly. alpha : at this level.
    on : what the ranks are about, such as "on 25 data sets".

    Raises
    ------
    InputError : no classifier, or more than a page can hold.
    ComputationError : matplotlib is not installed.
    """
    check_rows(len(names))
    order = np.argsort(mean_rank, kind="stable").tolist()
    ranks = mean_rank[order]
    labels = [f"{names[k]}  {mean_rank[k]:.2f}" for k in order]
    half = -(-len(labels) // 2)
    bars = cliques(ranks, difference)
    with drawing():
        title = lines_within(SCALE_WIDTH, ["Mean ranks", on], TITLE_SIZE, "bold")
        legend: tuple[Entry, ...] = (
            ("▬", f"joined: not significantly different at level {alpha:g} (Nemenyi)"),
        )
        head = Head(tuple(title), legend)
        left = MARGIN + widest(labels[:half]) + NAMES_GAP
        right = MARGIN + widest(labels[half:]) + NAMES_GAP
        width = max(SCALE_WIDTH, head.width - left - right)
        inch = (len(names) - 1) / width
        ends = [(ranks[i] - BEYOND * inch, ranks[j] + BEYOND * inch) for i, j in bars]
        lines = stacked(ends)
        below = (max(lines, default=-1) + 2) * BAR_STEP
        height = ABOVE + below + (half + 0.5) * ROW
        figure = page(left + width + right, head.height + height + MARGIN)
        head.draw(figure)
        axes = axes_at(figure, left, head.height, width, height)
        axes.set_xlim(1, len(names))
        axes.set_ylim(height - ABOVE, -ABOVE)  # inches below the scale
        axes.set_axis_off()
        _draw_scale(axes, len(names), difference)
        for x, line in zip(ends, lines, strict=True):
            y = (line + 1) * BAR_STEP
            axes.plot(x, [y, y], color=INK, linewidth=3.0, solid_capstyle="butt")
        _draw_names(axes, ranks, labels, half, (below, NAMES_GAP * inch))
    return figure


def cliques(ranks: FloatArray, difference: float) -> list[tuple[int, int]]:
    """First and last of each longest group of ascending ranks nearer than the difference."""
    found: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks):
        last = int(np.flatnonzero(ranks - rank < difference)[-1])
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found


def stacked(bars: Sequence[tuple[float, float]]) -> list[int]:
    """The line that each bar, from left to right, stands on: the first where it is free."""
    reached: list[float] = []
    found = []
    for start, end in bars:
        line = next((k for k, taken in enumerate(reached) if taken < start), len(reached))
        reached[line : line + 1] = [end]
        found.append(line)
    return found


def _draw_scale(axes: "Axes", count: int, difference: float) -> None:
    """The line with its ticks, and above it how long the critical difference is."""
    axes.plot([1, count], [0, 0], color=INK, linewidth=1.0)
    step = -(-count // MOST_TICKS)
    for tick in sorted({1, *range(step, count + 1, step)}):
        axes.plot([tick, tick], [-0.06, 0], color=INK, linewidth=1.0)
        axes.text(tick, -0.15, str(tick), ha="center", va="center", color=INK)
    if difference <= count - 1:  # a longer one has no place, and joins all
        ends = [1, 1 + difference]
        axes.plot(ends, [-OF_DIFFERENCE] * 2, color=INK, linewidth=1.2)
        for end in ends:
            y = [-OF_DIFFERENCE - 0.04, -OF_DIFFERENCE + 0.04]
            axes.plot([end, end], y, color=INK, linewidth=1.2)
        words = f"critical difference {difference:.2f}"
        axes.text(1, -OF_DIFFERENCE - LINE / 2 - 0.02, words, ha="left", va="center", color=INK)


def _draw_names(
    axes: "Axes",
    ranks: FloatArray,
    labels: Sequence[str],
    half: int,
    place: tuple[float, float],
) -> None:
    """A line from each rank down and aside to its name: the better half on the left."""
    below, gap = place
    low, high = 1.0, float(len(labels))
    for k, (rank, words) in enumerate(zip(ranks, labels, strict=True)):
        is_left = k < half
        row = k if is_left else len(labels) - 1 - k
        y = below + (row + 0.5) * ROW
        end = low if is_left else high
        axes.plot([rank, rank, end], [0, y, y], color=INK, linewidth=0.7)
        at, side = (end - gap / 2, "right") if is_left else (end + gap / 2, "left")
        axes.text(at, y, words, ha=side, va="center", color=INK)
