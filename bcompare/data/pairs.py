"""The choice of pairs of classifiers."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from bcompare.basis.messages import InputError, arg, nearest

Pair = tuple[str, str]


class AllPairs(Collection[Pair]):
    """All pairs of names, the earlier one on the left: one at a time, as there may be millions."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)

    def __len__(self) -> int:
        return math.comb(len(self._names), 2)

    def __iter__(self) -> Iterator[Pair]:
        return combinations(self._names, 2)

    def __contains__(self, pair: object) -> bool:
        return any(here == pair for here in self)


def as_pairs(pairs: Iterable[Any]) -> Sequence[Pair]:
    """Return pairs of names in a list.

    Raises
    ------
    InputError : something else, or a pair of a classifier with itself.
    """
    chosen = list(pairs)
    for pair in chosen:
        if isinstance(pair, str) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise InputError(f"{pair!r} is no pair: give a list such as [('knn', 'forest')]")
        if pair[0] == pair[1]:
            raise InputError(f"{pair[0]} cannot be compared with itself: give two classifiers")
    return chosen


def choose_pairs(
    classifiers: Sequence[str], *, left: str | None = None, right: str | None = None
) -> Collection[Pair]:
    """Return the (left, right) pairs: a single one, those of one classifier, or all.

    left : alone, it is compared with each other classifier; right : likewise, from the other side.
    All pairs are in the order of `classifiers`.

    Raises
    ------
    InputError : an unknown classifier, or twice the same.
    """
    for name in (left, right):
        if name is not None and name not in classifiers:
            near = nearest(str(name), classifiers)  # a number, in Python, is no name
            hint = f"did you mean {near[0]!r}? The" if near else "the"
            raise InputError(
                f"there is no classifier {name!r}; {hint} results have {', '.join(classifiers)}"
            )
    if left is None and right is None:
        return AllPairs(classifiers)
    if left == right:
        raise InputError(f"{arg('left')} and {arg('right')} are both {left}: name two classifiers")
    if left is not None and right is not None:
        return [(left, right)]
    return [(left or other, right or other) for other in classifiers if other not in (left, right)]
