"""A family of classifiers: the probability that each is practically better than another."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bcompare.basis.messages import Record
from bcompare.data.rope import FloatArray
from bcompare.plots.fills import FAINT, INK, Entry
from bcompare.plots.page import NAMES_GAP, Page, classifiers, domain, evened, name_rows
from bcompare.plots.sheet import LEAST_TEXT, Sheet
from bcompare.ranking.family import Family
from bcompare.report.table import probability

# The side of a cell, and of one with a number; the most rows with numbers.
CELL, LARGE_CELL, MOST_LARGE = 0.21, 0.46, 20
# Fewer rows have larger cells, up to this side, to fill the sheet.
LARGEST_CELL = 0.8
# The margin of a number in its cell, in inches; the height of a row relative to its text.
NUMBER_GAP, LEADING = 0.06, 1.04
# The rounding error of sums of lengths, in inches.
ROUNDING = 1e-9
# The largest share of the width for names, and the same with few columns; the most columns with
# upright numbers.
NAMES, MOST_NAMES, MOST_UPRIGHT = 0.27, 0.5, 20
# The reach of a stroke beyond the middle of its last cell.
STROKE = 0.3
# Text is white on cells darker than this.
DARK = 0.55
# Marks in large cells of pairs decided for the row's classifier, and for the column's; half the
# length of the strokes of equivalent pairs, in cells.
MARKS = {"left": "<", "right": "^"}
EQUAL = 0.15
CERTAIN = (1e-9, 1 - 1e-9)


@dataclass(frozen=True, eq=False, slots=True)
class _Matrix:
    """The measures of a matrix of c classifiers, in inches unless they say otherwise.

    sheet : at least as wide as the matrix needs.
    text : size of the names, in points.
    labels : the names with their numbers, each as lines.
    names_width : of the names, and the gap between them and the cells.
    side : of a cell.
    borders : (c + 1,) of the rows, in sides from the middle of the first.
    has_numbers : whether a cell has room for a probability.
    """

    sheet: Sheet
    text: float
    labels: list[list[str]]
    names_width: float
    side: float
    borders: FloatArray
    has_numbers: bool

    @property
    def height(self) -> float:
        """The height of all rows."""
        return float(self.borders[-1] - self.borders[0]) * self.side


def _matrix(names: Sequence[str], sheet: Sheet) -> _Matrix:
    """Return how a matrix of these names stands on a sheet, which is made wider if need be."""
    c = len(names)
    gap = sheet.scaled(NAMES_GAP)
    number_cell = sheet.widest([">0.999"], sheet.small) + NUMBER_GAP
    numbered = sheet.widest([f"{c} {c}"]) - sheet.widest([f"{c}"])  # what a number adds
    longest = min(numbered + sheet.widest(names), MOST_NAMES * sheet.width)

    # the width for names, and that of a cell
    room = min(max(NAMES * sheet.width, sheet.inner - c * number_cell), MOST_NAMES * sheet.width)
    full = sheet.scaled(CELL)
    if c <= MOST_LARGE:
        fills = min(sheet.scaled(LARGEST_CELL), (sheet.inner - gap - longest) / c)
        full = max(sheet.scaled(LARGE_CELL), number_cell, fills)
    else:
        room = max(room, gap + longest)
    sheet = sheet.at_least(2 * sheet.margin + room + c * full)

    # the size of the names
    text = sheet.text
    if sheet.inner - room < c * number_cell:
        # rows are as low as a line, so the size of text is chosen such that names fit on a line
        text = (sheet.inner - gap) / (c * LEADING / 72 + longest / sheet.text)
        text = min(sheet.text, max(LEAST_TEXT, text))
        room = min(gap + longest * text / sheet.text, sheet.inner - c * LEADING * text / 72)
    most = room - gap - numbered * text / sheet.text + ROUNDING
    labels = [sheet.lines(name, most, text) for name in names]
    for number, lines in enumerate(labels, 1):
        lines[0] = f"{number} {lines[0]}"

    # the cells, higher where a name has several lines
    names_width = gap + sheet.widest_of(labels, text)
    side = min(full, (sheet.inner - names_width) / c)
    line = sheet.label_line * text / sheet.text
    high = [math.ceil(len(lines) * line / side) if len(lines) > 1 else 1 for lines in labels]
    borders = np.cumsum([0, *evened(np.array(high), labels)]) - 0.5
    return _Matrix(sheet, text, labels, names_width, side, borders, side >= number_cell)


def draw_pairs(family: Family, sheet: Sheet) -> Figure:
    """Draw every pair of classifiers, those with the smallest regret first.

    The darker a cell, the more probable it is that the row's classifier is better.
    """
    best = family.best
    order = list(family.best.order)
    names = classifiers(family, order)
    c = len(names)
    # An event without a draw is rare, but possible.
    better = np.clip(best.pairs.left, *CERTAIN)[np.ix_(order, order)]
    decisions = family.decisions[np.ix_(order, order)]
    matrix = _matrix(names, sheet)
    sheet = matrix.sheet

    more = "at all" if family.rope.is_empty else f"by more than {family.rope.high:g}"
    row_mark, column_mark = ("◀", "▲") if matrix.has_numbers else ("─", "│")
    column = "decided: the column's classifier is better; columns have the rows' numbers"
    legend: list[Entry] = [
        ("■", f"the darker, the more probably better {more}"),
        (row_mark, "decided: the row's classifier is better"),
        (column_mark, column),
    ]
    if not family.rope.is_empty:
        legend.append(("=", "decided: the two are equivalent"))
    title = [
        "How probably the row's classifier is",
        "practically better",
        domain(family, others=True),
    ]

    numbers = [str(k) for k in range(1, c + 1)]
    page = Page(sheet, title, legend)
    page.end += NAMES_GAP + sheet.widest(numbers, matrix.text)
    axes = page.axes(sheet.margin + matrix.names_width, c * matrix.side, matrix.height)
    axes.set_xlim(-0.5, c - 0.5)
    borders = matrix.borders
    axes.set_ylim(borders[-1], borders[0])
    _draw_cells(axes, better, decisions, borders, sheet.small if matrix.has_numbers else None)
    name_rows(axes, (borders[:-1] + borders[1:]) / 2, matrix.labels, sheet.scaled(NAMES_GAP))
    axes.xaxis.tick_top()
    axes.set_xticks(range(c), numbers, rotation=90 if c > MOST_UPRIGHT else 0)
    axes.tick_params(length=0, labelsize=matrix.text)
    return page.finish()


def _draw_cells(
    axes: Axes,
    better: FloatArray,
    decisions: NDArray[np.object_],
    borders: FloatArray,
    size: float | None,
) -> None:
    """Draw the cells, with numbers of `size` points unless that is None.

    borders : (c + 1,) of the rows, multiples of the cells' side apart.
    """
    c = len(better)
    columns_at = np.arange(c + 1) - 0.5

    def down(row: FloatArray | NDArray[np.intp]) -> FloatArray:
        """Return the vertical position of a row, counted from 0."""
        return np.interp(row, columns_at, borders)

    # One image instead of a shape for each cell keeps the file small.
    high = np.rint(np.diff(borders)).astype(int)
    axes.imshow(
        np.ma.masked_invalid(np.repeat(better, high, axis=0)),
        cmap="Greys",
        vmin=0,
        vmax=1,
        aspect="auto",
        interpolation="none",
        zorder=0,
    )
    for spine in axes.spines.values():
        spine.set_visible(False)
    dark = np.nan_to_num(better) > DARK
    for is_dark, color in ((False, INK), (True, "white")):
        cells = {
            name: (decisions == name) & (dark == is_dark) for name in ("left", "right", "rope")
        }
        line: Record = {"color": color, "linewidth": 0.8, "solid_capstyle": "butt"}
        below = 0.0 if size is None else 0.27
        for name, marker in MARKS.items():
            if size is None:
                is_column = name == "right"
                along, across = strokes(cells[name].T if is_column else cells[name])
                x, y = (across, along) if is_column else (along, across)
                axes.plot(x, down(y), **line)
            else:
                rows, columns = np.nonzero(cells[name])
                look: Record = {"marker": marker, "markersize": 4.0}
                look |= {"markeredgewidth": 0.0, "linestyle": "none", "color": color}
                axes.plot(columns, down(rows) + below, **look)
        rows, columns = np.nonzero(cells["rope"])
        ends = np.column_stack([columns - EQUAL, columns + EQUAL, np.full(len(rows), np.nan)])
        for apart in (-EQUAL / 2, EQUAL / 2):
            axes.plot(ends.ravel(), np.repeat(down(rows) + below + apart, 3), **line)
    if size is None:
        return
    axes.hlines(borders, -0.5, c - 0.5, color="white", linewidth=0.3)
    axes.vlines(columns_at, borders[0], borders[-1], color="white", linewidth=0.3)
    middle = down(np.arange(c))
    for row, column in np.argwhere(~np.isnan(better)):
        color = "white" if dark[row, column] else INK
        height = middle[row] - (0.12 if decisions[row, column] != "none" else 0.0)
        words = probability(float(better[row, column]))
        axes.text(column, height, words, ha="center", va="center", size=size, color=color)
    for k in range(c):
        axes.plot([k - 0.5, k + 0.5], borders[k : k + 2], color=FAINT, linewidth=0.6)


def strokes(cells: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
    """Return a single line with a stroke through each run of true cells.

    Its coordinates are along the rows and across them, NaN between strokes.
    """
    ends = np.diff(np.pad(cells, ((0, 0), (1, 1))).astype(int), axis=1)
    rows, first = np.nonzero(ends == 1)
    beyond = np.nonzero(ends == -1)[1]
    along = np.column_stack([first - STROKE, beyond - 1 + STROKE, np.full(len(rows), np.nan)])
    return along.ravel(), np.repeat(rows.astype(float), 3)
