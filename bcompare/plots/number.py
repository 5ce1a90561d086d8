"""How numbers are written in pictures: with a true minus, and as many digits as tell them apart."""

import math

from bcompare.report.number import LARGE, decimals_for, difference

# Digits of a number at a tick, and of one too large or too small for decimals; and no more than
# floating-point numbers have.
USUAL, FEW, MOST = 6, 4, 15
MOST_DECIMALS = 8


def minus(words: str) -> str:
    """The same with minus signs in place of hyphens."""
    return words.replace("-", "−")


def at_tick(x: float, low: float, high: float) -> str:
    """A number of an axis from `low` to `high`: a round one, so zeros at its end are left out."""
    return minus(f"{x:.{max(USUAL, _digits(low, high))}g}")


def in_interval(x: float, low: float, high: float) -> str:
    """A number in or at an end of an interval, to three digits of its width."""
    size = max(abs(low), abs(high))
    decimals = decimals_for(high - low if high > low else size)
    if size >= LARGE or decimals > MOST_DECIMALS:
        return minus(f"{x:.{max(FEW, _digits(low, high))}g}")
    return minus(difference(x, decimals).removeprefix("+"))


def _digits(low: float, high: float) -> int:
    """How many digits show a hundredth of the distance between two numbers, whatever its place."""
    size = max(abs(low), abs(high))
    if not low < high or not math.isfinite(size):
        return 0
    return min(MOST, math.floor(math.log10(size)) - math.floor(math.log10(high - low)) + 3)
