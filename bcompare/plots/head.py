"""The head of a picture: its title, and what is drawn how."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from bcompare.comparing.answers import Comparison
from bcompare.data.rope import RegionProbabilities, Rope, inexact
from bcompare.methods.base import PopulationResult
from bcompare.plots.fills import LEFT, RIGHT, ROPE, RegionFill, equivalent
from bcompare.plots.names import PairNames
from bcompare.plots.page import OVERHANG, Page
from bcompare.plots.sheet import TITLE_LINE, Sheet
from bcompare.report.number import probability

SWATCH_WIDTH, SWATCH_HEIGHT, SWATCH_GAP = 0.24, 0.13, 0.08
GAP = 0.12

Entry = tuple[RegionFill | str, str]


@dataclass(frozen=True, slots=True)
class Head:
    """Title and legend.

    title : in parts that are rather not broken. legend : an entry each, with the fill or the
    character that it explains.
    """

    title: Sequence[str]
    legend: Sequence[Entry]

    def page(self, sheet: Sheet, height: float) -> Page:
        """A page with this head, and so many inches below it."""
        beside = sheet.scaled(SWATCH_WIDTH + SWATCH_GAP)
        title, title_line = [], sheet.scaled(TITLE_LINE)
        if sheet.titled:
            title = sheet.lines(self.title, sheet.inner, sheet.large, "bold")
        legend = [(mark, sheet.lines(text, sheet.inner - beside)) for mark, text in self.legend]
        top = sheet.margin + len(title) * title_line + sheet.scaled(GAP)
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
        """A page with this head and, below it, only one axes.

        label : the name of the horizontal axis, in parts; note : what stands under it.
        scale : the room on the left.
        """
        left = sheet.margin + sheet.scaled(scale)
        width = sheet.width - left - sheet.margin - sheet.scaled(OVERHANG)
        lines = sheet.lines(label, width) + sheet.lines(note, width)
        tall = sheet.tall(height)
        page = self.page(sheet, tall + sheet.label_height(lines))
        return page, page.axes(left, 0.0, width, tall, lines)


def region_legend(
    pair: PairNames, rope: Rope, probabilities: RegionProbabilities[float]
) -> tuple[Entry, ...]:
    """A line a region with its probability; without a rope there are two."""
    left = (LEFT, f"{pair.left} better: {probability(probabilities.left)}")
    middle = (ROPE, f"{equivalent(rope)}: {probability(probabilities.rope)}")
    right = (RIGHT, f"{pair.right} better: {probability(probabilities.right)}")
    return (left, right) if rope.is_empty else (left, middle, right)


def likeliest(comparison: Comparison) -> RegionProbabilities[float]:
    """That each region is the likeliest on the next data set; 0 and 1 only where they are exact."""
    result = cast("PopulationResult", comparison.result)
    return result.likeliest if result.error is None else inexact(result.likeliest)


def _draw_swatch(page: Page, y: float, look: RegionFill) -> None:
    sheet, figure = page.sheet, page.figure
    width, height = figure.get_size_inches()
    tall = sheet.scaled(SWATCH_HEIGHT)
    corner = sheet.margin / width, 1 - (page.top + y + tall / 2) / height
    size = sheet.scaled(SWATCH_WIDTH) / width, tall / height
    figure.add_artist(Rectangle(corner, *size, transform=figure.transFigure, **look.fill))
