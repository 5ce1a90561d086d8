"""What stands for what: the fill of the three regions, and the words for them."""

from dataclasses import dataclass
from typing import Any

from bcompare.data.rope import Rope
from bcompare.plots.number import minus

INK, FAINT = "#222222", "#999999"


@dataclass(frozen=True, slots=True)
class RegionLook:
    """How one region is filled; `ink` is the colour of text on it.

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


LEFT = RegionLook("#0072B2", "////", "white")
ROPE = RegionLook("#D9D9D9", "", INK)
RIGHT = RegionLook("#E69F00", r"\\\\", INK)


@dataclass(frozen=True, slots=True)
class Pair:
    """The names of two classifiers, and the sign of their differences.

    lower_is_better : scores are errors, so the differences drawn are left - right.
    """

    left: str
    right: str
    lower_is_better: bool = False

    @property
    def difference(self) -> tuple[str, str, str]:
        """The name of the axis of differences, in parts between which a line may break."""
        names = (self.right, self.left)
        first, second = reversed(names) if self.lower_is_better else names
        return ("mean difference", first, f"− {second}")


def equivalent(rope: Rope) -> str:
    """The meaning of the rope in words."""
    return minus(f"equivalent, from {rope.low:g} to {rope.high:g}")
