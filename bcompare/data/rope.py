"""The region of practical equivalence (rope), probabilities of the regions, and types of arrays."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.messages import InputError, arg
from bcompare.data.defaults import DEFAULT_ROPE_TEXT

# The half-width of the rope.
DEFAULT_ROPE = float(DEFAULT_ROPE_TEXT)

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
# Numbers of items in clusters, or weights of items.
Sizes: TypeAlias = NDArray[np.int64] | NDArray[np.float64]
BoolArray: TypeAlias = NDArray[np.bool_]
Value = TypeVar("Value", float, FloatArray, IntArray)


def read_only(array: FloatArray) -> FloatArray:
    """Make an array read-only, so that frozen results cannot change, and return it."""
    array.flags.writeable = False
    return array


# Borders are compared with this slack, relative to the rope: scores are decimals, so
# 0.85 - 0.84 must equal a rope of 0.01 although the two differ in binary.
BORDER_SLACK = 1e-9

# Numbers between these sizes have squares that neither overflow nor underflow.
SMALLEST, LARGEST = 1e-140, 1e140


@dataclass(frozen=True, slots=True)
class Rope:
    """Region of practical equivalence: differences right - left in [low, high] do not matter.

    Unit: that of the scores. ``low == high == 0`` means that there is no rope.

    Raises
    ------
    InputError : if a border is not finite or 0 is not inside.
    """

    low: float
    high: float

    @property
    def borders(self) -> tuple[float, float]:
        """The lower and the upper border."""
        return self.low, self.high

    def __post_init__(self) -> None:
        if not (abs(self.low) < LARGEST and abs(self.high) < LARGEST):  # also if not a number
            raise InputError(
                f"rope [{self.low:g}, {self.high:g}]: both borders must be numbers below "
                f"{LARGEST:g}, in the unit of the scores"
            )
        if self.low > self.high:
            raise InputError(
                f"rope [{self.low:g}, {self.high:g}]: the lower border is above the upper one; "
                f"write {arg('rope', (self.high, self.low))}"
            )
        if not self.low <= 0 <= self.high:
            raise InputError(
                f"rope [{self.low:g}, {self.high:g}] does not contain 0: it must hold the "
                "differences that do not matter, and no difference is one of them"
            )

    @classmethod
    def symmetric(cls, half_width: float) -> "Rope":
        """Return the rope [-half_width, half_width]."""
        if half_width < 0:
            raise InputError(
                f"rope {half_width:g} is negative: give its half-width, such as 0.01, "
                f"or both borders, such as {arg('rope', (-0.01, 0.02))}"
            )
        return cls(-half_width + 0.0, half_width)  # + 0.0: no negative zero

    @classmethod
    def of(cls, value: "Rope | float | tuple[float, float]") -> "Rope":
        """Make a rope from a rope, a half-width, or a (low, high) pair.

        Raises
        ------
        InputError : it is none of these.
        """
        if isinstance(value, Rope):
            return value
        try:
            ends = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            ends = np.empty(0)
        if ends.shape not in ((), (2,)):
            raise InputError(
                f"{arg('rope', value)}: give half its width, or its two borders; several ropes are "
                "for bcompare.sweep"
            )
        return cls.symmetric(float(ends)) if ends.ndim == 0 else cls(*ends.tolist())

    @property
    def is_empty(self) -> bool:
        """True if there is no rope: left and right share all probability."""
        return self.low == self.high

    @property
    def is_symmetric(self) -> bool:
        """True if the rope reaches as far to the left as to the right."""
        return self.low == -self.high

    def describe(self) -> str:
        """Return the rope in words, for the line of settings under a table."""
        if self.is_empty:
            return "no rope"
        ends = f"±{self.high:g}" if self.is_symmetric else f"[{self.low:g}, {self.high:g}]"
        return f"rope {ends}"

    @property
    def slack(self) -> float:
        """The distance that counts as on a border: a tiny share of the smaller nonzero border."""
        return BORDER_SLACK * min((b for b in (-self.low, self.high) if b > 0), default=0.0)

    def mirrored(self) -> "Rope":
        """Return the rope for differences of the opposite sign."""
        return Rope(0.0 - self.high, 0.0 - self.low)

    def shares(self, difference: FloatArray) -> "RegionProbabilities[FloatArray]":
        """Assign each difference to its region, by weights 0 or 1 of the shape of `difference`.

        The borders belong to the rope. Without a rope a difference of 0 counts half for
        either side.
        """
        left = (difference < self.low - self.slack).astype(np.float64)
        right = (difference > self.high + self.slack).astype(np.float64)
        rope = 1.0 - left - right
        if self.is_empty:
            left = left + rope / 2
            right = right + rope / 2
            rope = np.zeros_like(rope)
        return RegionProbabilities(left=left, rope=rope, right=right)


# A rope, a half-width, or both borders.
RopeLike = Rope | float | tuple[float, float]


Region = Literal["left", "rope", "right"]
# The three regions: the left classifier is better, the two are equivalent, the right is better.
REGIONS: tuple[Region, ...] = get_args(Region)

# The regions as a candidate's, which is on the right of its baseline.
OF_CANDIDATE: dict[Region, str] = {"left": "worse", "rope": "equivalent", "right": "better"}


@dataclass(frozen=True, eq=False, slots=True)
class RegionProbabilities(Generic[Value]):
    """Probability of each region: left better, equivalent, right better; iterates over the three.

    Each field is in [0, 1] and the three sum to 1. Floats for one answer, arrays of one
    shape for many.
    """

    left: Value
    rope: Value
    right: Value

    def __iter__(self) -> Iterator[Value]:
        return iter((self.left, self.rope, self.right))

    def record(self) -> dict[str, Value]:
        """Return the probabilities by their names in the JSON."""
        return {f"p_{region}": p for region, p in zip(REGIONS, self, strict=True)}


def uncertain(p: float) -> float:
    """Keep an estimate away from 0 and 1: an event without a draw may still be possible."""
    return min(max(float(p), float(np.finfo(np.float64).tiny)), 1 - float(np.finfo(np.float64).eps))


def inexact(p: RegionProbabilities[float]) -> RegionProbabilities[float]:
    """Apply `uncertain` to three probabilities."""
    return RegionProbabilities(*map(uncertain, p))
