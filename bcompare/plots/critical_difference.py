"""A family of classifiers: mean ranks on a line, joined where they do not differ significantly.

Demšar 2006, fig. 1: Nemenyi's critical difference.
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bcompare.basis.printable import printable
from bcompare.comparing.family import Family
from bcompare.data.rope import FloatArray
from bcompare.methods.ranks import Ranks
from bcompare.plots.fills import INK, Entry
from bcompare.plots.names import domain
from bcompare.plots.page import Page
from bcompare.plots.rows import EACH_SIDE, NAMES_GAP, space_rows
from bcompare.plots.sheet import Sheet

ABOVE, ROW, BAR_STEP = 0.6, 0.2, 0.1
# Height of the bar of the critical difference above the scale, in inches.
OF_DIFFERENCE = 0.38
# Bars begin and end a little beyond the ranks that they join, in inches.
BEYOND = 0.04
# The least from a tick to the next, in inches.
TICKS_APART = 0.3


def draw_critical_difference(family: Family, sheet: Sheet) -> Figure:
    """Draw the mean ranks of all classifiers; the best is on the left."""
    result = cast("Ranks", family.ranks)
    order = np.argsort(result.mean_rank, kind="stable").tolist()
    ranks, difference = result.mean_rank[order], cast("float", result.critical_difference)
    half = -(-len(order) // 2)
    legend: list[Entry] = [
        ("▬", f"joined: not significantly different at level {family.alpha:g} (Nemenyi)"),
    ]
    room, row, gap = EACH_SIDE * sheet.width, sheet.scaled(ROW), sheet.scaled(NAMES_GAP)
    labels = [
        sheet.lines([printable(result.classifiers[k]), f"{result.mean_rank[k]:.2f}"], room)
        for k in order
    ]
    sides = labels[:half], labels[half:][::-1]  # the last classifier stands on top
    left, right = (sheet.margin + gap + sheet.widest_of(side) for side in sides)
    width = sheet.width - left - right
    inch = (len(ranks) - 1) / width
    bars = [(ranks[i] - BEYOND * inch, ranks[j] + BEYOND * inch)
            for i, j in cliques(ranks, difference)]  # fmt: skip
    lines = stacked(bars)
    above, below = sheet.scaled(ABOVE), (max(lines, default=-1) + 2) * BAR_STEP
    places = [space_rows(sheet, row, side) for side in sides if side]
    height = above + below + (max(total for _, total in places) + 0.5) * row
    page = Page(sheet, ["Mean ranks", domain(family)], legend)
    axes = page.axes(left, width, height)
    page.end += height
    axes.set_xlim(1, len(ranks))
    axes.set_ylim(height - above, -above)  # inches below the scale
    axes.set_axis_off()
    _draw_scale(axes, len(ranks), difference, sheet, width)
    for (start, end), line in zip(bars, lines, strict=True):
        y = [(line + 1) * BAR_STEP] * 2
        axes.plot([start, end], y, color=INK, linewidth=3.0, solid_capstyle="butt")
    thin = min(0.7, 72 / inch / 3)  # many lines leave each other's width free between them
    of_sides = (ranks[:half], ranks[half:][::-1])
    for end, sign, side, own, (at, _) in zip(
        (1, len(ranks)), (-1, 1), sides, of_sides, places, strict=False
    ):
        for rank, words, y in zip(own, side, below + (at + 0.5) * row, strict=True):
            axes.plot([rank, rank, end], [0, y, y], color=INK, linewidth=thin, zorder=1)
            look: dict[str, Any] = {"ha": "right" if sign < 0 else "left", "va": "center"}
            axes.text(end + sign * gap / 2 * inch, y, "\n".join(words), color=INK, **look)
    return page.finish()


def cliques(ranks: FloatArray, difference: float) -> list[tuple[int, int]]:
    """Return the first and last of each longest group of ascending ranks within the difference."""
    groups: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks):
        last = int(np.flatnonzero(ranks - rank < difference)[-1])
        if last > first and (not groups or last > groups[-1][1]):
            groups.append((first, last))
    return groups


def stacked(bars: Sequence[tuple[float, float]]) -> list[int]:
    """Return the line of each bar, from left to right: the first that is free there."""
    reached: list[float] = []
    lines = []
    for start, end in bars:
        line = next((k for k, last in enumerate(reached) if last < start), len(reached))
        reached[line : line + 1] = [end]
        lines.append(line)
    return lines


def _draw_scale(axes: Axes, count: int, difference: float, sheet: Sheet, width: float) -> None:
    """The line with its ticks, and above it how long the critical difference is."""
    axes.plot([1, count], [0, 0], color=INK, linewidth=1.0)
    step = -(-count // max(1, int(width / sheet.scaled(TICKS_APART))))
    for tick in sorted({1, *range(step, count + 1, step)} - ({2} if step == 2 else set())):
        axes.plot([tick, tick], [-0.06, 0], color=INK, linewidth=1.0)
        axes.text(tick, -0.15, str(tick), ha="center", va="center", color=INK)
    if difference <= count - 1:  # a longer one has no place, and joins all
        ends = [1, 1 + difference]
        axes.plot(ends, [-OF_DIFFERENCE] * 2, color=INK, linewidth=1.2)
        for end in ends:
            y = [-OF_DIFFERENCE - 0.04, -OF_DIFFERENCE + 0.04]
            axes.plot([end, end], y, color=INK, linewidth=1.2)
        words = f"critical difference {difference:.2f}"
        axes.text(
            1, -OF_DIFFERENCE - sheet.line / 2 - 0.02, words, ha="left", va="center", color=INK
        )
