"""How the three regions are filled, and the words for them."""

from dataclasses import dataclass
from typing import Any

from bcompare.data.rope import Rope
from bcompare.plots.number import minus

INK, FAINT = "#222222", "#999999"


@dataclass(frozen=True, slots=True)
class RegionFill:
    """The fill of one region; `ink` is the colour of text on it.

    The colours are of the palette of Okabe and Ito, which the colour-blind can tell apart; in
    grey print they come out dark, light and middle, and two of them are hatched.
    """

    face: str
    hatch: str
    ink: str

    @property
    def fill(self) -> dict[str, Any]:
        """The keywords that make matplotlib fill an area so."""
        return {
            "facecolor": self.face,
            "hatch": self.hatch,
            "edgecolor": "white",
            "linewidth": 0.0,
        }

    @property
    def label(self) -> dict[str, Any]:
        """The keywords for text on such an area, with the hatch kept away from it."""
        box = {"boxstyle": "square,pad=0.15", "facecolor": self.face, "edgecolor": "none"}
        return {"color": self.ink, "bbox": box, "ha": "center", "va": "center"}


LEFT = RegionFill("#0072B2", "////", "white")
ROPE = RegionFill("#D9D9D9", "", INK)
RIGHT = RegionFill("#E69F00", r"\\\\", INK)


def equivalent(rope: Rope) -> str:
    """The meaning of the rope in words."""
    return minus(f"equivalent, from {rope.low:g} to {rope.high:g}")
