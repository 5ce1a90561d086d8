"""What is known of the scores of a metric: which are better, and on what scale they are."""

from dataclasses import dataclass
from typing import Literal

Direction = Literal["lower", "higher"]
Kind = Literal["bounded", "amount", "number"]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a metric's name says.

    direction : which scores are better.
    kind : bounded if 1 or 0 is the best or worst score, an amount such as a time or a cost, or any
        other number; None if the name does not say.
    low, high : the ends of the scale, None where it is open.
    is_time, is_size : whether it is one.
    """

    direction: Direction
    kind: Kind | None
    low: float | None = None
    high: float | None = None
    is_time: bool = False
    is_size: bool = False

    @property
    def is_share(self) -> bool:
        """Whether the scores are shares or rates, from 0 to 1."""
        return (self.low, self.high) == (0.0, 1.0)
