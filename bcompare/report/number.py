"""Rounding, in one place: the text of each kind of number."""

import math
from collections.abc import Sequence

LARGE = 1e5


def probability(p: float, *levels: float) -> str:
    """Return three decimals; <0.001 and >0.999 unless the value is exactly 0 or 1.

    levels : what verdicts take; close to one there are more, to show on which side p is.
    """
    rounded = f"{p:.3f}"
    if rounded == "0.000" and p > 0:
        return "<0.001"
    if rounded == "1.000" and p < 1:
        return ">0.999"
    texts = (f"{p:.{decimals}f}" for decimals in range(3, 10))
    sides = _sides(p, levels)
    return next((text for text in texts if _sides(float(text), levels) == sides), rounded)


def _sides(p: float, levels: Sequence[float]) -> list[int]:
    """Return on which side of each level a probability is."""
    return [(p > level) - (p < level) for level in levels]


def percent(p: float) -> str:
    """Return a chance in per cent, without the sign; never quite 0 or 100."""
    return "<1" if p < 0.005 else ">99" if p > 0.995 else f"{100 * p:.0f}"


def difference(value: float, decimals: int) -> str:
    """Return a number with its sign, and no minus before a zero."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "-∞" if value < 0 else "–"
    if abs(value) >= LARGE or decimals > 8:
        return f"{value:+.3e}"
    rounded = f"{value:+.{decimals}f}"
    return rounded if float(rounded) else f"{0:.{decimals}f}"


def unsigned(value: float, decimals: int) -> str:
    """Return a number like `difference`, without a plus."""
    return difference(value, decimals).removeprefix("+")


def decimals_for(scale: float) -> int:
    """Return the decimals that show three digits of a number of size `scale`; 4 for 0.01."""
    if scale <= 0 or not math.isfinite(scale):
        return 4
    return max(0, 2 - math.floor(math.log10(scale)))
