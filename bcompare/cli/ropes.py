"""The rope as it is written on the command line."""

from typing import TYPE_CHECKING

from bcompare.basis.errors import InputError

if TYPE_CHECKING:
    from bcompare.data.rope import Rope


def parse_ropes(text: str) -> "tuple[Rope, ...]":
    """Return one rope as it is written on the command line, or several: three half-widths or more.

    Raises
    ------
    InputError : not numbers, or several of which one is negative.
    """
    from bcompare.data.rope import Rope

    try:
        borders = [float(border) for border in text.split(",")]
    except ValueError:
        borders = []
    if "_" in text or not text.isascii():  # Python's float takes these too
        borders = []
    if len(borders) == 2:
        return (Rope(*borders),)
    if borders:
        return tuple(Rope.symmetric(border) for border in dict.fromkeys(borders))
    raise InputError(
        f"--rope {text}: give a half-width such as 0.01, both borders as --rope=-0.01,0.02, or "
        "three or more half-widths as --rope 0,0.005,0.01"
    )


def parse_rope(text: str) -> "Rope":
    """Return the only rope; see `parse_ropes`.

    Raises
    ------
    InputError : also for several.
    """
    ropes = parse_ropes(text)
    if len(ropes) > 1:
        raise InputError(
            f"--rope {text}: several ropes are for ttest, hier, signrank, sign and poisson; "
            "give one here"
        )
    return ropes[0]
