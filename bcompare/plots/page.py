"""A page that grows downwards, in inches: title and legend, then axes.

Text is measured before it is drawn, so that nothing is cut. Matplotlib's layouts divide a page of a
given height; here the height follows from the content.
"""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.transforms import BboxTransformTo, ScaledTranslation

from bcompare.plots.fills import INK, Entry, RegionFill
from bcompare.plots.numbers import WhereNumbersFit, at_tick
from bcompare.plots.sheet import TITLE_LINE, Sheet

SWATCH_WIDTH, SWATCH_HEIGHT, SWATCH_GAP = 0.24, 0.13, 0.08
# The gap between entries of the legend.
LEGEND_GAP = 0.2
# The gap below the legend.
BELOW = 0.12
# The room for half a tick label at either end of an axis.
OVERHANG = 0.15
# The gaps between panels side by side, and between rows of panels.
GAP, ROW_GAP = 0.35, 0.1


class Page:
    """A picture in progress; a new one has title and legend.

    title : in parts between which a line may break. legend : entries with the fill or the character
    that they explain. end : the position of the next element, in inches below the upper edge.
    """

    def __init__(self, sheet: Sheet, title: Sequence[str], legend: Sequence[Entry]) -> None:
        self.sheet, self.end = sheet, sheet.margin
        self._figure = Figure(figsize=(sheet.width, 1.0), dpi=sheet.pixels)
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
        sheet, middle = self.sheet, self.sheet.line / 2
        swatch, indent = sheet.scaled(SWATCH_WIDTH), sheet.scaled(SWATCH_WIDTH + SWATCH_GAP)
        left = sheet.margin
        for mark, text in legend:
            lines = sheet.lines(text, sheet.inner - indent)
            right = left + indent + sheet.widest(lines)
            if left > sheet.margin and (len(lines) > 1 or right > sheet.width - sheet.margin):
                self.end += sheet.line
                left, right = sheet.margin, right - left + sheet.margin
            if isinstance(mark, RegionFill):
                height = sheet.scaled(SWATCH_HEIGHT)
                at = left, -(self.end + middle + height / 2)
                look = {**mark.fill, "transform": self._inches}
                self._figure.add_artist(Rectangle(at, swatch, height, **look))
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
        width, height = self.sheet.width, self.end + self.sheet.margin
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
        sheet, left = self.sheet, self.sheet.margin + self.sheet.scaled(scale)
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
        sheet, count = self.sheet, len(labels)
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
