"""Fills and marks of the three regions, and entries of legends."""

from collections.abc import Sequence
from dataclasses import dataclass

from bcompare.basis.records import Record
from bcompare.data.rope import Region, RegionProbabilities, Rope
from bcompare.plots.numbers import minus
from bcompare.report.claims import verdict
from bcompare.report.number import probability

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
