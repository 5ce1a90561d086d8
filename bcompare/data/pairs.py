"""The choice of pairs of classifiers."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, combinations
from typing import Any, overload

from bcompare.basis.messages import InputError, arg, nearest

Pair = tuple[str, str]


class AllPairs(Sequence[Pair]):
    """A lazy sequence of all pairs of names, the earlier one on the left."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        # where the pairs of each left name begin
        self._starts = list(accumulate(range(len(names) - 1, 0, -1), initial=0))

    def __len__(self) -> int:
        return self._starts[-1]

    @overload
    def __getitem__(self, at: int) -> Pair: ...
    @overload
    def __getitem__(self, at: slice) -> list[Pair]: ...
    def __getitem__(self, at: int | slice) -> Pair | list[Pair]:
        """Return one pair, or a slice of pairs."""
        positions = range(len(self))[at]  # also checks them
        if isinstance(positions, range):
            return [self._pair(position) for position in positions]
        return self._pair(positions)

    def _pair(self, position: int) -> Pair:
        left = bisect_right(self._starts, position) - 1
        right = left + 1 + position - self._starts[left]
        return self._names[left], self._names[right]

    def __iter__(self) -> Iterator[Pair]:
        return combinations(self._names, 2)


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
) -> Sequence[Pair]:
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
