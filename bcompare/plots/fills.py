"""Fills and marks of the three regions, entries of legends, and numbers at axes.

Numbers have a true minus sign, and enough digits to be distinct.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import Locator, MaxNLocator

from bcompare.basis.messages import Record
from bcompare.data.rope import Region, RegionProbabilities, Rope
from bcompare.plots.sheet import text_width
from bcompare.report.sentences import verdict
from bcompare.report.table import LARGE, decimals_for, difference, probability

# Digits of a number at a tick, of one in scientific notation, and of a floating-point number.
USUAL_DIGITS, FEW_DIGITS, MOST_DIGITS = 6, 4, 15
MOST_DECIMALS = 8
# The most ticks of an axis, and their steps.
MOST = 9
STEPS = (1, 2, 2.5, 5, 10)
# The gap between two numbers, in heights of their text.
APART = 0.6


def minus(words: str) -> str:
    """Replace hyphens by minus signs."""
    return words.replace("-", "−")


def at_tick(x: float, low: float, high: float) -> str:
    """Format a number at a tick of an axis from `low` to `high`, without trailing zeros."""
    return minus(f"{x:.{max(USUAL_DIGITS, _digits(low, high))}g}")


def in_interval(x: float, low: float, high: float) -> str:
    """Format a number in an interval, to three digits of the interval's width."""
    size = max(abs(low), abs(high))
    decimals = decimals_for(high - low if high > low else size)
    if size >= LARGE or decimals > MOST_DECIMALS:
        return minus(f"{x:.{max(FEW_DIGITS, _digits(low, high))}g}")
    return minus(difference(x, decimals).removeprefix("+"))


def _digits(low: float, high: float) -> int:
    """Return the number of digits that show a hundredth of the distance between two numbers."""
    size = max(abs(low), abs(high))
    if not low < high or not math.isfinite(size):
        return 0
    return min(MOST_DIGITS, math.floor(math.log10(size)) - math.floor(math.log10(high - low)) + 3)


def select_labels(middles: Sequence[float], words: Sequence[str], size: float) -> list[int]:
    """Select tick labels that do not overlap, from the first on.

    middles : their centres, in inches. size : of the text, in points. Returns the indices.
    """
    selected: list[int] = []
    end = -float("inf")
    for k, (middle, text) in enumerate(zip(middles, words, strict=True)):
        half = text_width(text, size) / 2
        if middle - half > end:
            selected.append(k)
            end = middle + half + APART * size / 72
    return selected


def width_of(axes: Axes) -> float:
    """The width of axes in inches."""
    return axes.bbox.width / cast("Figure", axes.figure).dpi


class WhereNumbersFit(Locator):
    """Round numbers, as many as fit without overlap.

    size : of the numbers, in points.
    reach : the most that a number may extend beyond the axis, in inches.
    """

    def __init__(self, size: float, reach: float) -> None:
        self._size, self._reach = size, reach
        self._most, self._integer = MOST, False

    def set_params(self, *, nbins: int = MOST, integer: bool = False) -> None:
        """Change settings; for `Axes.locator_params`."""
        self._most, self._integer = nbins, integer

    def __call__(self) -> Any:
        """Return the ticks of the visible range."""
        axis: Any = self.axis
        length = width_of(axis.axes)
        low, high = sorted(axis.get_view_interval())
        alone: list[float] = []
        for most in range(self._most, 0, -1):
            locator = MaxNLocator(most, steps=STEPS, integer=self._integer)
            ticks = []
            places = []
            labels = []
            for x in locator.tick_values(low, high):
                position = (x - low) / (high - low) * length
                label = at_tick(x, low, high)
                room = min(position, length - position) + self._reach
                if low <= x <= high and text_width(label, self._size) / 2 <= room:
                    ticks.append(float(x))
                    places.append(position)
                    labels.append(label)
            if len(select_labels(places, labels, self._size)) == len(ticks) > 1:
                return ticks
            alone = alone or ticks[:1]
        return alone


INK, FAINT = "#222222", "#999999"


@dataclass(frozen=True, slots=True)
class RegionFill:
    """The fill of one region; `ink` is the colour of text on it.

    The colours are from the palette of Okabe and Ito, which colour-blind people can distinguish; in
    grey print they are dark, light and medium, and two of them are hatched.
    """

    face: str
    hatch: str
    ink: str

    @property
    def fill(self) -> Record:
        """The keywords for matplotlib to fill an area."""
        return {
            "facecolor": self.face,
            "hatch": self.hatch,
            "edgecolor": "white",
            "linewidth": 0.0,
        }

    @property
    def label(self) -> Record:
        """The keywords for text on such an area, with a margin in the hatch."""
        box = {"boxstyle": "square,pad=0.15", "facecolor": self.face, "edgecolor": "none"}
        return {"color": self.ink, "bbox": box, "ha": "center", "va": "center"}


LEFT = RegionFill("#0072B2", "////", "white")
ROPE = RegionFill("#D9D9D9", "", INK)
RIGHT = RegionFill("#E69F00", r"\\\\", INK)


REGIONS: dict[Region, RegionFill] = {"left": LEFT, "rope": ROPE, "right": RIGHT}

# An entry of a legend: a fill, the look of a line or a character, and its meaning.
Entry = tuple[RegionFill | Record | str, str]


def _verdicts(rope: Rope, left: str, right: str) -> list[str]:
    """Return the meaning of each region."""
    lefts, equivalent, rights = (verdict(region, left, right) for region in REGIONS)
    return [lefts, minus(f"{equivalent}, from {rope.low:g} to {rope.high:g}"), rights]


def region_legend(rope: Rope, left: str, right: str, values: Sequence[str] = ()) -> list[Entry]:
    """Return an entry for each region, with its value if given; two without a rope."""
    words = _verdicts(rope, left, right)
    if values:
        words = [f"{meaning}: {value}" for meaning, value in zip(words, values, strict=True)]
    entries = zip(REGIONS.values(), words, strict=True)
    return [(fill, text) for fill, text in entries if not (fill is ROPE and rope.is_empty)]


def side_legend(rope: Rope, left: str, right: str) -> list[Entry]:
    """Return entries for the directions of the axis, and for the band of the rope."""
    lefts, equivalent, rights = _verdicts(rope, left, right)
    legend: list[Entry] = [("←", lefts), ("→", rights)]
    return legend if rope.is_empty else [*legend, (ROPE, equivalent)]


def written(p: RegionProbabilities[float]) -> list[str]:
    """Return the three probabilities as text."""
    return [probability(value) for value in (p.left, p.rope, p.right)]
