"""A page measured in inches: where things stand on it.

What needs room is measured before anything is drawn, so that nothing is ever cut.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bcompare.plots.fills import INK
from bcompare.plots.sheet import Sheet
from bcompare.plots.ticks import Numbers, WhereNumbersFit

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
        """Axes at a distance from the page's left edge and from its top; sizes in inches.

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
        """Write lines under one another, of which the last ends so far below the page's top."""
        for k, line in enumerate(lines, start=1 - len(lines)):
            y = end - self.sheet.line / 2 + k * self.sheet.label_line
            self.write(left, y, line, **look)

    def write(self, left: float, below: float, text: str, **look: Any) -> None:
        """Write text, its middle so far below the page's top; distances in inches."""
        width, height = self.figure.get_size_inches()
        at = left / width, 1 - (self.top + below) / height
        self.figure.text(*at, text, **{"va": "center", "color": INK, **look})


@dataclass(frozen=True, slots=True)
class Grid:
    """Panels in as many columns as have room.

    columns : how many. left : where the first begins. panel : how wide each is. gap : between
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
    ) -> "Grid":
        """Of `count` panels, each `least` inches wide or more, with room for what stands out."""
        gap = sheet.scaled(GAP + left + right - 2 * OVERHANG)
        room = sheet.inner - sheet.scaled(left + right) + gap
        columns = max(1, min(count, int(room / (least + gap))))
        return cls(columns, sheet.margin + sheet.scaled(left), room / columns - gap, gap)

    def place(self, i: int) -> tuple[int, float]:
        """The row of a panel, and its left edge."""
        row, column = divmod(i, self.columns)
        return row, self.left + column * (self.panel + self.gap)

    def rows(self, count: int) -> int:
        """How many rows of panels there are."""
        return -(-count // self.columns)
