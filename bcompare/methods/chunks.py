"""Pairs of classifiers that can go through the same arrays together."""

from collections.abc import Iterator, Sequence, Sized


def same_size(items: Sequence[Sized], most: int) -> Iterator[list[int]]:
    """Where the items of equal length are: lists of at most `most` indices each."""
    by_size: dict[int, list[int]] = {}
    for i, item in enumerate(items):
        by_size.setdefault(len(item), []).append(i)
    for members in by_size.values():
        for start in range(0, len(members), most):
            yield members[start : start + most]
