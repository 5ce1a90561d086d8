"""Parse the rope and other borders on the command line."""

from typing import TYPE_CHECKING

from bcompare.basis.errors import InputError

if TYPE_CHECKING:
    from bcompare.data.rope import Rope


def parse_rope(text: str) -> "Rope":
    """Return the rope from a half-width, or from both borders separated by a comma.

    Raises
    ------
    InputError : not one number or two.
    """
    from bcompare.data.rope import Rope

    borders = _numbers(text)
    if len(borders) == 2:
        return Rope(*borders)
    if len(borders) == 1:
        return Rope.symmetric(borders[0])
    raise InputError(
        f"--rope {text}: give a half-width such as 0.01, or both borders as --rope=-0.01,0.02; for "
        "several ropes repeat the option"
    )


def parse_range(text: str) -> tuple[float, float]:
    """Return the least and the largest score from two numbers separated by a comma.

    Raises
    ------
    InputError : not two numbers.
    """
    ends = _numbers(text)
    if len(ends) != 2:
        raise InputError(f"--range {text}: give the least and the largest score, as in --range 0,1")
    return ends[0], ends[1]


def _numbers(text: str) -> list[float]:
    """Return the numbers separated by commas; empty if one of them is not a number."""
    if "_" in text or not text.isascii():  # float() accepts these, too
        return []
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        return []
