"""The head of a picture: its title, and what is drawn how."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bcompare.plots.look import LEFT, RIGHT, ROPE, Pair, RegionLook, equivalent
from bcompare.plots.page import LINE, MARGIN, TITLE_SIZE, text_at, widest
from bcompare.report.number import probability
from bcompare.rope import RegionProbabilities, Rope

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE_LINE = 0.23
SWATCH_WIDTH, SWATCH_HEIGHT, SWATCH_GAP = 0.24, 0.13, 0.08
GAP = 0.12

Entry = tuple[RegionLook | str, str]


@dataclass(frozen=True, slots=True)
class Head:
    """Title and legend, and the room that they need.

    title : its lines. legend : a line each, with the fill or the character that it explains.
    """

    title: tuple[str, ...]
    legend: tuple[Entry, ...]

    @property
    def width(self) -> float:
        """In inches, with the margins of the page."""
        legend = SWATCH_WIDTH + SWATCH_GAP + widest([meaning for _, meaning in self.legend])
        return 2 * MARGIN + max(legend, widest(self.title, TITLE_SIZE, "bold"))

    @property
    def height(self) -> float:
        """In inches, with the margin above and a gap below."""
        return MARGIN + len(self.title) * TITLE_LINE + len(self.legend) * LINE + GAP

    def draw(self, figure: "Figure") -> None:
        """Put the head at the top left of the page."""
        y = MARGIN + TITLE_LINE / 2
        for line in self.title:
            text_at(figure, MARGIN, y, line, size=TITLE_SIZE, weight="bold")
            y += TITLE_LINE
        for mark, meaning in self.legend:
            if isinstance(mark, RegionLook):
                _draw_swatch(figure, y, mark)
            else:
                text_at(figure, MARGIN + SWATCH_WIDTH / 2, y, mark, ha="center")
            text_at(figure, MARGIN + SWATCH_WIDTH + SWATCH_GAP, y, meaning)
            y += LINE


def region_legend(
    pair: Pair, rope: Rope, probabilities: RegionProbabilities[float]
) -> tuple[Entry, ...]:
    """A line a region with its probability; without a rope there are two."""
    left = (LEFT, f"{pair.left} better: {probability(probabilities.left)}")
    middle = (ROPE, f"{equivalent(rope)}: {probability(probabilities.rope)}")
    right = (RIGHT, f"{pair.right} better: {probability(probabilities.right)}")
    return (left, right) if rope.is_empty else (left, middle, right)


def _draw_swatch(figure: "Figure", top: float, look: RegionLook) -> None:
    from matplotlib.patches import Rectangle

    width, height = figure.get_size_inches()
    corner = MARGIN / width, 1 - (top + SWATCH_HEIGHT / 2) / height
    size = SWATCH_WIDTH / width, SWATCH_HEIGHT / height
    figure.add_artist(Rectangle(corner, *size, transform=figure.transFigure, **look.fill))
