"""The rope as it is written on the command line."""

from typing import TYPE_CHECKING

from bcompare.basis.errors import InputError

if TYPE_CHECKING:
    from bcompare.data.rope import Rope


def parse_rope(text: str) -> "Rope":
    """Return the rope: a half-width, or both borders with a comma between them.

    Raises
    ------
    InputError : not one number or two.
    """
    from bcompare.data.rope import Rope

    try:
        borders = [float(border) for border in text.split(",")]
    except ValueError:
        borders = []
    if "_" in text or not text.isascii():  # Python's float takes these too
        borders = []
    if len(borders) == 2:
        return Rope(*borders)
    if len(borders) == 1:
        return Rope.symmetric(borders[0])
    raise InputError(
        f"--rope {text}: give a half-width such as 0.01, or both borders as --rope=-0.01,0.02; for "
        "several ropes repeat the option"
    )
