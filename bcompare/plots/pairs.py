"""A family of classifiers: how probably each is practically better than each other one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bcompare.family import Family
from bcompare.plots.figure import drawing
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import FAINT, INK
from bcompare.plots.page import check_rows
from bcompare.plots.registry import MOST_IN_MATRIX, most_in_matrix
from bcompare.plots.regret import where
from bcompare.plots.rows import NAMES_GAP, name_rows
from bcompare.plots.sheet import LEAST_TEXT, Sheet
from bcompare.report.number import probability
from bcompare.report.table import printable
from bcompare.rope import FloatArray, Rope

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The side of a cell that has room, and of one that holds its number; how many rows are so large.
CELL, LARGE_CELL, MOST_LARGE = 0.21, 0.46, 20
# How much wider a cell is than its number, in inches; how much higher a row than its text.
BESIDE_NUMBER, LEADING = 0.06, 1.04
# How much of the width names may take; how many columns have upright numbers.
NAMES, MOST_UPRIGHT = 0.27, 20
# On cells darker than this text is white.
DARK = 0.55
# The mark of a pair that is decided: for the row's classifier, for neither, for the column's.
MARKS = {"left": "<", "rope": "$=$", "right": "^"}
CERTAIN = (1e-9, 1 - 1e-9)


def draw_pairs_of(family: Family, sheet: Sheet) -> "Figure":
    """Every pair of classifiers, those with the smallest regret first."""
    best = family.best
    order = list(best.order)
    names = [printable(best.classifiers[k]) for k in order]
    # None of so many draws is rare, and not known to be impossible.
    better = np.clip(best.pairs.left, *CERTAIN)[np.ix_(order, order)]
    decisions = family.decisions[np.ix_(order, order)]
    return draw_pairs(names, better, decisions, family.rope, where(family), sheet)


def draw_pairs(
    names: Sequence[str],
    better: FloatArray,
    decisions: NDArray[np.object_],
    rope: Rope,
    on: str,
    sheet: Sheet,
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
    c = len(names)
    check_rows(c, most_in_matrix(sheet), MOST_IN_MATRIX)
    with drawing(sheet.text):
        more = "at all" if rope.is_empty else f"by more than {rope.high:g}"
        legend: list[Entry] = [
            ("■", f"the darker, the more probably better {more}"),
            ("◀", "decided: the row's classifier is better"),
            ("▲", "decided: the column's classifier is better; columns are numbered as rows are"),
        ]
        if not rope.is_empty:
            legend.append(("=", "decided: the two are equivalent"))
        numbers = [str(k) for k in range(1, c + 1)]
        room = NAMES * sheet.width
        full = LARGE_CELL if c <= MOST_LARGE else CELL
        sheet = sheet.at_least(2 * sheet.margin + room + c * sheet.scaled(full))
        smallest = (sheet.inner - room) / c
        text = min(sheet.text, max(LEAST_TEXT, 72 * smallest / LEADING))
        gap = sheet.scaled(NAMES_GAP)
        named = [sheet.lines(f"{number} {name}", room - gap, text)
                 for number, name in zip(numbers, names, strict=True)]  # fmt: skip
        beside = gap + sheet.widest([line for lines in named for line in lines], text)
        side = min(sheet.scaled(full), (sheet.inner - beside) / c)
        lines = max(map(len, named)) * sheet.label_line * text / sheet.text
        high = max(side, lines if max(map(len, named)) > 1 else 0.0)
        above = NAMES_GAP + sheet.widest(numbers, text)
        title = ["How probably the row's classifier is", "practically better", on]
        page = Head(title, legend).page(sheet, above + c * high + sheet.margin)
        axes = page.axes(sheet.margin + beside, above, c * side, c * high)
        axes.set_xlim(-0.5, c - 0.5)
        axes.set_ylim(c - 0.5, -0.5)
        with_numbers = side >= sheet.widest(["0.000"], sheet.small) + BESIDE_NUMBER
        _draw_cells(axes, better, decisions, sheet.small if with_numbers else None)
        name_rows(axes, np.arange(c, dtype=float), named, gap)
        axes.xaxis.tick_top()
        axes.set_xticks(range(c), numbers, rotation=90 if c > MOST_UPRIGHT else 0)
        axes.tick_params(length=0, labelsize=text)
    return page.figure


def _draw_cells(
    axes: "Axes", better: FloatArray, decisions: NDArray[np.object_], size: float | None
) -> None:
    """Draw the cells, with numbers of `size` points, or without where that is None."""
    c = len(better)
    # One image, not a shape a cell: of many classifiers a file would be large.
    axes.imshow(
        np.ma.masked_invalid(better), cmap="Greys", vmin=0, vmax=1, aspect="auto",
        interpolation="none", zorder=0,
    )  # fmt: skip
    borders = np.arange(c + 1) - 0.5
    axes.hlines(borders, -0.5, c - 0.5, color="white", linewidth=0.3)
    axes.vlines(borders, -0.5, c - 0.5, color="white", linewidth=0.3)
    for spine in axes.spines.values():
        spine.set_visible(False)
    dark = np.nan_to_num(better) > DARK
    for decision, marker in MARKS.items():
        for is_dark, color in ((False, INK), (True, "white")):
            rows, columns = np.nonzero((decisions == decision) & (dark == is_dark))
            at = rows + (0.27 if size else 0.0)
            look: dict[str, Any] = {
                "marker": marker,
                "markersize": 4.0,
                "color": color,
                "markeredgewidth": 0.0,
            }
            axes.plot(columns, at, linestyle="none", **look)
    if size is None:
        return
    for row, column in np.argwhere(~np.isnan(better)):
        color = "white" if dark[row, column] else INK
        at = row - (0.12 if decisions[row, column] != "none" else 0.0)
        words = probability(float(better[row, column]))
        axes.text(column, at, words, ha="center", va="center", size=size, color=color)
    for k in range(c):
        axes.plot([k - 0.5, k + 0.5], [k - 0.5, k + 0.5], color=FAINT, linewidth=0.6)
