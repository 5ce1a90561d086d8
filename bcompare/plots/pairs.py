"""A family of classifiers: how probably each is practically better than each other one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bcompare.family import Family
from bcompare.plots.figure import drawing
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import FAINT, INK
from bcompare.plots.page import (
    MARGIN,
    TITLE_SIZE,
    axes_at,
    check_rows,
    lines_within,
    name_rows,
    names_width,
    page,
)
from bcompare.plots.registry import MOST_IN_MATRIX
from bcompare.plots.regret import where
from bcompare.report.number import probability
from bcompare.report.table import printable
from bcompare.rope import FloatArray, Rope

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The side of a cell, and of one that holds its number; how many rows are so large.
CELL, LARGE_CELL, MOST_LARGE = 0.21, 0.46, 20
NUMBER_SIZE = 7.0
# On cells darker than this text is white.
DARK = 0.55
# The mark of a pair that is decided: for the row's classifier, for neither, for the column's.
MARKS = {"left": "<", "rope": "$=$", "right": "^"}
LEAST_WIDTH = 4.6
CERTAIN = (1e-9, 1 - 1e-9)


def draw_pairs_of(family: Family) -> "Figure":
    """Every pair of classifiers, those with the smallest regret first."""
    best = family.best
    order = list(best.order)
    names = [printable(best.classifiers[k]) for k in order]
    # None of so many draws is rare, and not known to be impossible.
    better = np.clip(best.pairs.left, *CERTAIN)[np.ix_(order, order)]
    decisions = family.decisions[np.ix_(order, order)]
    return draw_pairs(names, better, decisions, family.rope, where(family))


def draw_pairs(
    names: Sequence[str],
    better: FloatArray,
    decisions: NDArray[np.object_],
    rope: Rope,
    on: str,
) -> "Figure":
    """Picture of c × c pairs: the darker, the more probably the row's classifier is better.

    Parameters
    ----------
    names : of the c classifiers.
    better : (c, c) probability that the row's classifier is practically better than the column's;
        NaN where nothing is known.
    decisions : (c, c) what is decided of each pair, the row's classifier being left.
    rope : said in the legend.
    on : what the probabilities are about, such as "on 25 data sets".

    Raises
    ------
    InputError : no classifier, or more than a page can hold.
    ComputationError : matplotlib is not installed.
    """
    check_rows(len(names), MOST_IN_MATRIX)
    with drawing():
        cell = LARGE_CELL if len(names) <= MOST_LARGE else CELL
        room = max(LEAST_WIDTH, len(names) * cell)
        words = ["How probably the row's classifier is", "practically better", on]
        title = lines_within(room, words, TITLE_SIZE, "bold")
        more = "at all" if rope.is_empty else f"by more than {rope.high:g}"
        legend: list[Entry] = [("■", f"the darker, the more probably better {more}")]
        legend += [
            ("◀", "decided: the row's classifier is better"),
            ("▲", "decided: the column's classifier is better"),
        ]
        if not rope.is_empty:
            legend.append(("=", "decided: the two are equivalent"))
        head = Head(tuple(title), tuple(legend))
        beside = names_width(names)
        side = len(names) * cell
        left = MARGIN + beside
        width = max(left + side + MARGIN, head.width)
        figure = page(width, head.height + beside + side + MARGIN)
        head.draw(figure)
        axes = axes_at(figure, left, head.height + beside, side, side)
        _draw_cells(axes, better, decisions, with_numbers=cell == LARGE_CELL)
        name_rows(axes, names)
        axes.xaxis.tick_top()
        axes.set_xticks(range(len(names)), names, rotation=90)
        axes.tick_params(axis="x", length=0)
    return figure


def _draw_cells(
    axes: "Axes", better: FloatArray, decisions: NDArray[np.object_], *, with_numbers: bool
) -> None:
    c = len(better)
    edges = np.arange(c + 1) - 0.5
    shade = np.ma.masked_invalid(better)
    axes.pcolormesh(edges, edges, shade, cmap="Greys", vmin=0, vmax=1, edgecolors="white", lw=0.3)
    axes.set_xlim(-0.5, c - 0.5)
    axes.set_ylim(c - 0.5, -0.5)
    for spine in axes.spines.values():
        spine.set_visible(False)
    dark = np.nan_to_num(better) > DARK
    for decision, marker in MARKS.items():
        for is_dark, color in ((False, INK), (True, "white")):
            rows, columns = np.nonzero((decisions == decision) & (dark == is_dark))
            at = rows + (0.27 if with_numbers else 0.0)
            look: dict[str, Any] = {
                "marker": marker,
                "markersize": 4.0,
                "color": color,
                "markeredgewidth": 0.0,
            }
            axes.plot(columns, at, linestyle="none", **look)
    if not with_numbers:
        return
    for row, column in np.argwhere(~np.isnan(better)):
        color = "white" if dark[row, column] else INK
        at = row - (0.12 if decisions[row, column] != "none" else 0.0)
        words = probability(float(better[row, column]))
        axes.text(column, at, words, ha="center", va="center", size=NUMBER_SIZE, color=color)
    for k in range(c):
        axes.plot([k - 0.5, k + 0.5], [k - 0.5, k + 0.5], color=FAINT, linewidth=0.6)
