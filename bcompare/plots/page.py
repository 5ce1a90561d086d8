"""A page that grows downwards, in inches: title and legend, then axes, which may have rows.

Text is measured before it is drawn, so that nothing is cut. Matplotlib's layouts divide a page of a
given height; here the height follows from the content.

Rows have names on the left, and names or numbers on the right. The vertical axis counts them. All
have the height of the highest, except that rows with names of many lines are higher. `OnePair` has
the names of a picture of one pair.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.transforms import BboxTransformTo, ScaledTranslation

from bcompare.basis.messages import Record, printable
from bcompare.basis.names import shown_by
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.data.rope import FloatArray, Rope
from bcompare.methods.result_parts import Interval
from bcompare.plots.figure import picture
from bcompare.plots.fills import INK, ROPE, Entry, RegionFill, WhereNumbersFit, at_tick
from bcompare.plots.sheet import TITLE_LINE, Sheet
from bcompare.ranking.family import Family

SWATCH_WIDTH, SWATCH_HEIGHT, SWATCH_GAP = 0.24, 0.13, 0.08
# The gap between entries of the legend.
LEGEND_GAP = 0.2
# The gap below the legend.
BELOW = 0.12
# The room for half a tick label at either end of an axis.
OVERHANG = 0.15
# The gaps between panels side by side, and between rows of panels.
GAP, ROW_GAP = 0.35, 0.1


class ShownFigure(Figure):
    """A figure that shows itself in a notebook, whether or not pyplot has been imported."""

    def _repr_png_(self) -> bytes:
        return picture(self, "png")


class Page:
    """A picture in progress; a new one has title and legend.

    title : in parts between which a line may break.
    legend : entries with the fill or the character that they explain.
    end : the position of the next element, in inches below the upper edge.
    """

    def __init__(self, sheet: Sheet, title: Sequence[str], legend: Sequence[Entry]) -> None:
        self.sheet, self.end = sheet, sheet.margin
        self._figure = ShownFigure(figsize=(sheet.width, 1.0), dpi=sheet.pixels)
        # Coordinates from the upper left corner, whatever the height; down is negative.
        corner = ScaledTranslation(0, 1, BboxTransformTo(self._figure.bbox))
        self._inches = self._figure.dpi_scale_trans + corner
        self._tops: list[tuple[Axes, float, float]] = []
        title_line = sheet.scaled(TITLE_LINE)
        for line in sheet.lines(title, sheet.inner, sheet.large, "bold") if sheet.titled else ():
            self.write(sheet.margin, title_line / 2, line, size=sheet.large, weight="bold")
            self.end += title_line
        self._write_legend(legend)
        self.end += sheet.scaled(BELOW)

    def _write_legend(self, legend: Sequence[Entry]) -> None:
        """Write the entries, as many on a line as fit, and move the end of the page."""
        sheet = self.sheet
        middle = self.sheet.line / 2
        swatch = sheet.scaled(SWATCH_WIDTH)
        indent = sheet.scaled(SWATCH_WIDTH + SWATCH_GAP)
        left = sheet.margin
        for mark, text in legend:
            lines = sheet.lines(text, sheet.inner - indent)
            right = left + indent + sheet.widest(lines)
            if left > sheet.margin and (len(lines) > 1 or right > sheet.width - sheet.margin):
                self.end += sheet.line
                left, right = sheet.margin, right - left + sheet.margin
            if isinstance(mark, RegionFill):
                height = sheet.scaled(SWATCH_HEIGHT)
                corner = left, -(self.end + middle + height / 2)
                look = {**mark.fill, "transform": self._inches}
                self._figure.add_artist(Rectangle(corner, swatch, height, **look))
            elif isinstance(mark, str):
                self.write(left + swatch / 2, middle, mark, ha="center")
            else:
                y = -(self.end + middle)
                ends = [left, left + swatch / 2, left + swatch]
                look = {**mark, "markevery": [1], "transform": self._inches}
                self._figure.add_artist(Line2D(ends, [y, y, y], **look))
            self.write_lines(left + indent, lines)
            # The next entry follows the last line.
            self.end -= sheet.line
            left = right + sheet.scaled(LEGEND_GAP)
        self.end += sheet.line if legend else 0.0

    def finish(self) -> Figure:
        """Return the figure, with the height of its content."""
        width = self.sheet.width
        height = self.end + self.sheet.margin
        self._figure.set_size_inches(width, height)
        for axes, top, tall in self._tops:
            x, _, share, _ = axes.get_position().bounds
            axes.set_position((x, 1 - (top + tall) / height, share, tall / height))
        return self._figure

    def write(self, left: float, below: float, text: str, **look: Any) -> None:
        """Write text with its middle `below` inches below the end of the page."""
        style = {"va": "center", "color": INK, "transform": self._inches, **look}
        self._figure.text(left, -(self.end + below), text, **style)

    def write_lines(self, left: float, lines: Sequence[str], **look: object) -> None:
        """Write lines, and move the end of the page."""
        for k, line in enumerate(lines):
            self.write(left, self.sheet.line / 2 + k * self.sheet.label_line, line, **look)
        self.end += self.sheet.block(lines)

    def axes(self, left: float, width: float, height: float, label: Sequence[str] = ()) -> Axes:
        """Add axes, and move the end of the page.

        left, width, height : in inches. label : the lines of the horizontal axis's label; without
            one there is no room for ticks.
        """
        sheet = self.sheet
        axes = self._figure.add_axes((left / sheet.width, 0.0, width / sheet.width, 1.0))
        self._tops.append((axes, self.end, height))
        axes.tick_params(labelsize=sheet.text)
        axes.set_xlabel("\n".join(label), color=INK)
        axes.xaxis.set_major_locator(WhereNumbersFit(sheet.text, sheet.scaled(OVERHANG)))
        axes.xaxis.set_major_formatter(lambda x, _: at_tick(x, *sorted(axes.get_xlim())))
        self.end += height + sheet.ticks + sheet.height(label) if label else height
        return axes

    def wide_axes(
        self,
        height: float,
        label: Sequence[str],
        *,
        note: Sequence[str] = (),
        scale: float = OVERHANG,
    ) -> Axes:
        """Add axes as wide as the page.

        label : of the horizontal axis, in parts. note : text below it, in parts. scale : the room
        on the left.
        """
        sheet = self.sheet
        left = self.sheet.margin + self.sheet.scaled(scale)
        width = sheet.width - left - sheet.margin - sheet.scaled(OVERHANG)
        return self.axes(left, width, height, sheet.lines(label, width) + sheet.lines(note, width))

    def panels(
        self,
        least: float,
        height: float,
        labels: Sequence[Sequence[str]],
        *,
        titles: Sequence[str] = (),
        left: float = OVERHANG,
        right: float = OVERHANG,
    ) -> list[Axes]:
        """Add panels in as many columns as fit.

        least : the least width of a panel. labels : the lines of each panel's horizontal label.
        titles : above the panels. left, right : the room on both sides of a panel.
        """
        sheet = self.sheet
        count = len(labels)
        gap = sheet.scaled(GAP + left + right - 2 * OVERHANG)
        room = sheet.inner - sheet.scaled(left + right) + gap
        columns = max(1, min(count, int(room / (least + gap))))
        width = room / columns - gap
        wide = width + sheet.scaled(OVERHANG)
        lines = [[line for name in names for line in sheet.lines(name, wide)] for names in labels]
        headings = [sheet.lines(title, width, weight="bold") for title in titles] or [[]] * count
        below = sheet.ticks + max(map(sheet.height, lines))
        panels = []
        for first in range(0, count, columns):
            row = range(first, min(first + columns, count))
            top = self.end + max(sheet.block(headings[i]) for i in row)
            for column, i in enumerate(row):
                start = sheet.margin + sheet.scaled(left) + column * (width + gap)
                self.end = top - sheet.block(headings[i])
                self.write_lines(start, headings[i], weight="bold")
                panels.append(self.axes(start, width, height, lines[i]))
            self.end = top + height + below + sheet.scaled(ROW_GAP)
        self.end -= sheet.scaled(ROW_GAP)
        return panels


class OnePair:
    """The only pair of a set of comparisons, with the names of classifiers and data sets.

    lower_is_better : scores are errors, so the differences drawn are left - right.
    """

    def __init__(self, study: ComparisonSet) -> None:
        (self.comparison,) = study.comparisons
        (self.left,), (self.right,) = lefts_and_rights(study)
        self.statistics = self.comparison.differences.statistics
        self.datasets = [printable(name) for name in self.statistics.names]
        self.rope, self.lower_is_better = study.rope, study.scores.lower_is_better

    @property
    def difference(self) -> tuple[str, str, str]:
        """The label of the axis of differences, in parts between which a line may break."""
        names = (self.right, self.left)
        first, second = reversed(names) if self.lower_is_better else names
        return ("mean difference", first, f"− {second}")

    def title(self, *, by_name: bool = False) -> list[str]:
        """Return the title of a picture, in parts between which a line may break.

        by_name : whether it names a single data set.
        """
        count = len(self.datasets)
        on = f"on {count} data sets"
        if count == 1:
            on = f"on {self.datasets[0]}" if by_name else "on 1 data set"
        return [self.left, f"and {self.right}", on]


def lefts_and_rights(study: ComparisonSet) -> tuple[list[str], list[str]]:
    """Return the names of all pairs."""
    pairs = study.comparisons
    show = shown_by(study.scores.classifiers)
    return [show(c.left) for c in pairs], [show(c.right) for c in pairs]


def classifiers(family: Family, order: Sequence[int]) -> list[str]:
    """Return the names of some classifiers of a family, in an order."""
    show = shown_by(family.names)
    return [show(family.best.classifiers[k]) for k in order]


def domain(family: Family, *, others: bool = False) -> str:
    """Return the data sets of a family as text, such as "on 25 data sets".

    others : whether what is shown is an estimate for others like them.
    """
    if family.lone is not None:
        return f"on {printable(family.lone.name)}"
    q = len(family.datasets)
    return f"on data sets like these {q}" if others else f"on {q} data sets"


HAIRLINE = "#EEEEEE"
# The height of most rows, in inches on a sheet of ordinary text.
ROW = 0.2
ROWS_WITH_TICKS_ABOVE = 25
# The largest share of the sheet's width for names, on one side or on each of two; and the least
# share for the axes next to numbers.
ONE_SIDE, EACH_SIDE, LEAST_AXES = 0.42, 0.3, 0.3
NAMES_GAP = 0.1
# The most lines of a name for which all rows get its height.
MOST_EVEN = 3
# The margin above and below a name of several lines, in inches.
BETWEEN = 0.03


def space_rows(
    sheet: Sheet, row: float, *names: Sequence[Sequence[str]]
) -> tuple[FloatArray, float]:
    """Return the positions of rows `row` inches high, or higher if a name needs more.

    names : the lines of each row's name, left and right. Returns, in heights of an ordinary row,
    the (n,) middles, with the first row beginning at -0.5, and the total height.
    """

    def needed(lines: Sequence[str]) -> float:
        between = BETWEEN if len(lines) > 1 else 0.0
        return sheet.height(lines) + between

    most = np.array([max(map(needed, of_row)) for of_row in zip(*names, strict=True)])
    high = evened(np.maximum(1.0, most / row), *names)
    return np.cumsum(high) - high / 2 - 0.5, float(high.sum())


def evened(high: FloatArray, *names: Sequence[Sequence[str]]) -> FloatArray:
    """Make rows equally high, unless most of them would be nearly empty."""
    most = max(len(lines) for of_side in names for lines in of_side)
    return np.full_like(high, high.max()) if most <= MOST_EVEN else high


def draw_rows(
    page: Page,
    names: Sequence[str],
    label: Sequence[str],
    *,
    row: float = ROW,
    columns: Sequence[tuple[str, Sequence[str]]] = (),
    ends: tuple[float, float] = (0.5, 0.5),
    rope: Rope | None = None,
) -> tuple[Axes, FloatArray]:
    """Add axes with rows to a page.

    Parameters
    ----------
    names : of the rows. label : of the horizontal axis, in parts.
    row : the height of one, in inches, on a sheet of ordinary text.
    columns : headings, and the names or numbers to the right of the rows; names have no heading.
    ends : the margins of the axes above the first row and below the last, in rows.
    rope : drawn as a band around zero; None if the axis is not of differences.

    Returns
    -------
    The axes, and the (n,) vertical positions of the rows.
    """
    sheet = page.sheet
    row = sheet.scaled(row)
    gap = sheet.scaled(NAMES_GAP)
    is_named = any(not heading for heading, _ in columns)
    overhang = 0.0 if is_named else sheet.scaled(OVERHANG)
    room = EACH_SIDE * sheet.width
    if not is_named:
        numbers = sum(gap + sheet.widest([*heading.split(), *words]) for heading, words in columns)
        most = sheet.inner - numbers - overhang - gap - LEAST_AXES * sheet.width
        room = min(ONE_SIDE * sheet.width, most)
    lefts = [sheet.lines(name, room) for name in names]
    rights = [[sheet.lines(text, room) for text in words] for _, words in columns]
    # A heading breaks between words, so as not to be wider than its column.
    widths = []
    headings = []
    for (words, _), texts in zip(columns, rights, strict=True):
        wide = max(sheet.widest(words.split()), sheet.widest_of(texts))
        widths.append(wide)
        headings.append(sheet.lines(words, wide))
    left = sheet.margin + sheet.widest_of(lefts) + gap
    width = sheet.width - left - sum(gap + wide for wide in widths) - overhang - sheet.margin
    has_ticks_above = len(names) >= ROWS_WITH_TICKS_ABOVE
    page.end += max((sheet.block(lines) for lines in headings if lines != [""]), default=0.0)
    page.end += sheet.ticks if has_ticks_above else 0.0
    middles, total = space_rows(sheet, row, lefts, *rights)
    height = (sum(ends) + total) * row
    lines = sheet.lines(label, width)
    middle = 0.5
    if len(broader := sheet.lines(label, sheet.inner)) < len(lines):  # also below the names
        lines = broader
        middle = (sheet.width / 2 - left) / width
    axes = page.axes(left, width, height, lines)
    axes.xaxis.label.set_x(middle)
    axes.set_ylim(total - 0.5 + ends[1], -0.5 - ends[0])
    name_rows(axes, middles, lefts, gap)
    across = axes.get_yaxis_transform()
    axes.hlines(middles, 0, 1, transform=across, color=HAIRLINE, linewidth=0.5, zorder=0.5)
    if rope is not None:
        if not rope.is_empty:
            axes.axvspan(rope.low, rope.high, color=ROPE.face, linewidth=0, zorder=0)
        axes.axvline(0, color=INK, linewidth=0.7)
    if has_ticks_above:
        axes.tick_params(axis="x", top=True, labeltop=True)
        axes.spines["top"].set_visible(True)
    start = overhang + gap
    for heading, texts, wide in zip(headings, rights, widths, strict=True):
        look: Record = {"transform": across, "color": INK}
        axes.text(1 + start / width, -0.5 - ends[0], "\n".join(heading), va="bottom", **look)
        for y, text in zip(middles, texts, strict=True):
            axes.text(1 + start / width, y, "\n".join(text), va="center", **look)
        start += gap + wide
    return axes, middles


def draw_estimates(
    axes: Axes, rows: FloatArray, mean: FloatArray, interval: Interval[FloatArray]
) -> None:
    """Draw a point with its interval in each row."""
    axes.hlines(rows, interval.low, interval.high, color=INK, linewidth=1.4)
    axes.plot(mean, rows, "o", markersize=4.5, color=INK)


def name_rows(axes: Axes, middles: FloatArray, names: Sequence[Sequence[str]], gap: float) -> None:
    """Write names to the left of the axes, `gap` inches away, instead of the vertical axis."""
    axes.set_yticks(middles, ["\n".join(lines) for lines in names])
    axes.tick_params(axis="y", length=0, pad=72 * gap)
    axes.spines["left"].set_visible(False)
