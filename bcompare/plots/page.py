"""A page measured in inches: where things stand on it.

What needs room is measured before anything is drawn, so that nothing is ever cut.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.plots.look import INK
from bcompare.plots.sheet import LEAST_TEXT, Sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Tick labels at either end of an axis stand out by half their width.
OVERHANG = 0.15
GAP = 0.35
MOST_ROWS = 400
# More cells than those of so many classifiers are no picture any more; and the least height of a
# row in a matrix, and the share of the width that its rows have, beside their names.
MOST_IN_MATRIX, LEAST_ROW, OF_MATRIX = 150, 1.04 * LEAST_TEXT / 72, 0.73


@dataclass(frozen=True, slots=True)
class Page:
    """A picture that is being drawn.

    top : how far below its upper edge things begin, in inches.
    """

    figure: "Figure"
    sheet: Sheet
    top: float

    def axes(
        self,
        left: float,
        below: float,
        width: float,
        height: float,
        label: Sequence[str] = (),
    ) -> "Axes":
        """Axes at a distance from the page's left edge and from its top; sizes in inches.

        label : the lines of the name of the horizontal axis.
        """
        from bcompare.plots.ticks import Numbers, WhereNumbersFit

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


def check_rows(rows: int, most: int = MOST_ROWS, most_at_all: int = 0) -> None:
    """Refuse what no reader could take in and no page could hold.

    most_at_all : where the picture may be as wide as it needs.

    Raises
    ------
    InputError : no row at all, or more than `most`.
    """
    if not 0 < rows <= most:
        wider = (
            " at this width: ask for a wider one, or none," if most < rows <= most_at_all else ":"
        )
        or_choose = " or choose" if most < rows <= most_at_all else " choose"
        raise InputError(
            f"a picture of {rows} rows cannot be drawn; it holds 1 to {most}{wider}{or_choose} "
            f"some with {arg('datasets')}, {arg('classifiers')} or {arg('baseline')}"
        )


def most_in_matrix(sheet: Sheet) -> int:
    """How many classifiers a matrix can hold whose names can be read."""
    return int(OF_MATRIX * sheet.inner / LEAST_ROW) if sheet.is_asked else MOST_IN_MATRIX
