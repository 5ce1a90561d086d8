"""Which pairs of classifiers to compare."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import overload

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.basis.nearest import nearest

Pair = tuple[str, str]


class AllPairs(Sequence[Pair]):
    """All pairs of names, the earlier one left: a lazy sequence."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        c = len(self._names)
        # where the pairs of each left name begin
        self._starts = np.concatenate([[0], np.cumsum(np.arange(c - 1, -1, -1))])

    def __len__(self) -> int:
        return int(self._starts[-1])

    @overload
    def __getitem__(self, at: int) -> Pair: ...
    @overload
    def __getitem__(self, at: slice) -> list[Pair]: ...
    def __getitem__(self, at: int | slice) -> Pair | list[Pair]:
        """Return one pair, or a slice of pairs."""
        if isinstance(at, slice):
            start, stop, step = at.indices(len(self))
            return list(islice(self._from(start), 0, max(stop - start, 0), step))
        position = range(len(self))[at]  # also checks it
        return next(self._from(position))

    def __iter__(self) -> Iterator[Pair]:
        return self._from(0)

    def _from(self, start: int) -> Iterator[Pair]:
        names = self._names
        left = int(np.searchsorted(self._starts, start, side="right")) - 1
        right = left + 1 + start - int(self._starts[left])
        for i in range(left, len(names)):
            for j in range(right if i == left else i + 1, len(names)):
                yield names[i], names[j]


def choose_pairs(
    classifiers: Sequence[str], *, left: str | None = None, right: str | None = None
) -> Sequence[Pair]:
    """Return the (left, right) pairs to compare: one, one classifier against the others, or all.

    left : alone, it is compared with each other classifier; right : likewise, from the other side.
    In all pairs the order is that of `classifiers`.

    Raises
    ------
    InputError : an unknown classifier, or twice the same.
    """
    for name in (left, right):
        if name is not None and name not in classifiers:
            near = nearest(name, classifiers)
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
