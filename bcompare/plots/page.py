"""A page measured in inches: where things stand on it.

What needs room is measured before anything is drawn, so that nothing is ever cut.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from bcompare.plots.fills import INK, Entry, RegionFill
from bcompare.plots.numbers import Numbers, WhereNumbersFit
from bcompare.plots.sheet import TITLE_LINE, Sheet

SWATCH_WIDTH, SWATCH_HEIGHT, SWATCH_GAP = 0.24, 0.13, 0.08
# Below the head.
BELOW = 0.12
# Tick labels at either end of an axis stand out by half their width.
OVERHANG = 0.15
GAP = 0.35


@dataclass(frozen=True, slots=True)
class Page:
    """A picture that is being drawn.

    top : how far below its upper edge things begin, in inches.
    """

    figure: Figure
    sheet: Sheet
    top: float

    def axes(
        self,
        left: float,
        below: float,
        width: float,
        height: float,
        label: Sequence[str] = (),
    ) -> Axes:
        """Add axes at a distance from the page's left edge and from its top; sizes in inches.

        label : the lines of the name of the horizontal axis.
        """
        page_width, page_height = self.figure.get_size_inches()
        bottom = page_height - self.top - below - height
        place = (left / page_width, bottom / page_height, width / page_width, height / page_height)
        axes = self.figure.add_axes(place)
        axes.tick_params(labelsize=self.sheet.text)
        axes.set_xlabel("\n".join(label), color=INK)
        reach = self.sheet.scaled(OVERHANG)
        axes.xaxis.set_major_locator(WhereNumbersFit(self.sheet.text, reach))
        axes.xaxis.set_major_formatter(Numbers())
        return axes

    def write_lines(self, left: float, end: float, lines: Sequence[str], **look: Any) -> None:
        """Write lines under one another; the last ends `end` inches below the page's top."""
        for k, line in enumerate(lines, start=1 - len(lines)):
            y = end - self.sheet.line / 2 + k * self.sheet.label_line
            self.write(left, y, line, **look)

    def write(self, left: float, below: float, text: str, **look: Any) -> None:
        """Write text, its middle `below` inches below the page's top."""
        width, height = self.figure.get_size_inches()
        at = left / width, 1 - (self.top + below) / height
        self.figure.text(*at, text, **{"va": "center", "color": INK, **look})


@dataclass(frozen=True, slots=True)
class Head:
    """Title and legend.

    title : in parts between which a line may break. legend : an entry each, with the fill or the
    character that it explains.
    """

    title: Sequence[str]
    legend: Sequence[Entry]

    def page(self, sheet: Sheet, height: float) -> Page:
        """Return a page with this head, and `height` inches below it."""
        beside = sheet.scaled(SWATCH_WIDTH + SWATCH_GAP)
        title, title_line = [], sheet.scaled(TITLE_LINE)
        if sheet.titled:
            title = sheet.lines(self.title, sheet.inner, sheet.large, "bold")
        legend = [(mark, sheet.lines(text, sheet.inner - beside)) for mark, text in self.legend]
        top = sheet.margin + len(title) * title_line + sheet.scaled(BELOW)
        top += sum(sheet.line + (len(lines) - 1) * sheet.label_line for _, lines in legend)
        size = (sheet.width, top + height)
        page = Page(Figure(figsize=size, dpi=sheet.pixels), sheet, top)
        y = sheet.margin - top + title_line / 2
        for line in title:
            page.write(sheet.margin, y, line, size=sheet.large, weight="bold")
            y += title_line
        y += (sheet.line - title_line) / 2
        for mark, lines in legend:
            if isinstance(mark, RegionFill):
                _draw_swatch(page, y, mark)
            else:
                middle = sheet.margin + sheet.scaled(SWATCH_WIDTH) / 2
                page.write(middle, y, mark, ha="center")
            for line in lines:
                page.write(sheet.margin + beside, y, line)
                y += sheet.label_line
            y += sheet.line - sheet.label_line
        return page

    def lone_axes(
        self,
        sheet: Sheet,
        height: float,
        label: Sequence[str],
        *,
        note: Sequence[str] = (),
        scale: float = OVERHANG,
    ) -> tuple[Page, Axes]:
        """Return a page with this head and, below it, one axes.

        label : the name of the horizontal axis, in parts; note : what stands under it.
        scale : the room on the left.
        """
        left = sheet.margin + sheet.scaled(scale)
        width = sheet.width - left - sheet.margin - sheet.scaled(OVERHANG)
        lines = sheet.lines(label, width) + sheet.lines(note, width)
        tall = sheet.tall(height)
        page = self.page(sheet, tall + sheet.label_height(lines))
        return page, page.axes(left, 0.0, width, tall, lines)


@dataclass(frozen=True, slots=True)
class Panels:
    """Panels in as many columns as have room.

    columns : their number. left : left edge of the first. panel : width of each. gap : between
    two. All in inches.
    """

    columns: int
    left: float
    panel: float
    gap: float

    @classmethod
    def of(
        cls,
        sheet: Sheet,
        count: int,
        least: float,
        *,
        left: float = OVERHANG,
        right: float = OVERHANG,
    ) -> "Panels":
        """Return the place of `count` panels, each at least `least` inches wide.

        left, right : room for what stands out of a panel.
        """
        gap = sheet.scaled(GAP + left + right - 2 * OVERHANG)
        room = sheet.inner - sheet.scaled(left + right) + gap
        columns = max(1, min(count, int(room / (least + gap))))
        return cls(columns, sheet.margin + sheet.scaled(left), room / columns - gap, gap)

    def place(self, i: int) -> tuple[int, float]:
        """Return the row of a panel, and its left edge."""
        row, column = divmod(i, self.columns)
        return row, self.left + column * (self.panel + self.gap)

    def rows(self, count: int) -> int:
        """Return the number of rows of panels."""
        return -(-count // self.columns)


def _draw_swatch(page: Page, y: float, look: RegionFill) -> None:
    sheet, figure = page.sheet, page.figure
    width, height = figure.get_size_inches()
    tall = sheet.scaled(SWATCH_HEIGHT)
    corner = sheet.margin / width, 1 - (page.top + y + tall / 2) / height
    size = sheet.scaled(SWATCH_WIDTH) / width, tall / height
    figure.add_artist(Rectangle(corner, *size, transform=figure.transFigure, **look.fill))
