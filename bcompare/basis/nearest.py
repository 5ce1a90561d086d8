"""The name that was probably meant: "did you mean" is said only where one is near."""

from collections.abc import Iterable
from difflib import get_close_matches

# How alike two names must be, from 0 to 1, and how long one that stands within another.
ALIKE, SHORTEST = 0.7, 3


def nearest(name: str, names: Iterable[str], most: int = 1) -> list[str]:
    """Return the names nearest to one that is not among them, the nearest first.

    Names that differ only in case come first, then similar ones, then those that one of the two
    is a part of.

    most : how many names.
    """
    wanted = name.casefold()
    known = {other: other.casefold() for other in names}
    same = [other for other, folded in known.items() if folded == wanted]
    folded_names = {folded: other for other, folded in reversed(known.items())}
    close = [folded_names[f] for f in get_close_matches(wanted, folded_names, most, ALIKE)]
    within = [
        other
        for other, folded in known.items()
        if min(len(folded), len(wanted)) >= SHORTEST and (folded in wanted or wanted in folded)
    ]
    return list(dict.fromkeys([*same, *close, *within]))[:most]
