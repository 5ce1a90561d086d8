"""Suggest the name that was probably meant."""

from collections.abc import Iterable
from difflib import get_close_matches

# The least similarity of two names, from 0 to 1: one letter of three may be wrong. The least length
# of a name that another one begins or ends with.
ALIKE, ALIKE_IF_SHORT, SHORT = 0.7, 0.6, 3


def nearest(name: str, names: Iterable[str], most: int = 1) -> list[str]:
    """Return the names most similar to an unknown one, the most similar first.

    Names that differ only in case come first, then similar ones, then those of which one begins or
    ends with the other.

    most : how many names.
    """
    folded_name = name.casefold()
    known = {other: other.casefold() for other in names}
    same = [other for other, folded in known.items() if folded == folded_name]
    folded_names = {folded: other for other, folded in reversed(known.items())}
    alike = ALIKE_IF_SHORT if len(folded_name) <= SHORT else ALIKE
    close = [folded_names[f] for f in get_close_matches(folded_name, folded_names, most, alike)]
    within = [
        other for other, folded in known.items() if _within(*sorted((folded, folded_name), key=len))
    ]
    return list(dict.fromkeys([*same, *close, *within]))[:most]


def _within(short: str, long: str) -> bool:
    return len(short) >= SHORT and (long.startswith(short) or long.endswith(short))
