"""Draws of what is said of classifiers, and small functions on them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bcompare.data.rope import FloatArray

# A row of so many numbers is short.
SHORT = 20


@dataclass(frozen=True, eq=False, slots=True)
class Drawn:
    """Draws of what is said of the u different classifiers.

    effects : (draws, u) average scores, up to a number that all share.
    regret : (b, u), of as many draws or fewer.
    best, close : (u,) probabilities of being the best on a data set, together with all that have
        the same scores, and within the rope of it.
    """

    effects: FloatArray
    regret: FloatArray
    best: FloatArray
    close: FloatArray


def blocks(draws: int, size: int) -> Iterator[slice]:
    """Yield slices of `size` draws."""
    for start in range(0, draws, size):
        yield slice(start, min(start + size, draws))


def share_of_best(means: FloatArray, copies: FloatArray) -> FloatArray:
    """Return (..., u) the share of each in being the best; those that tie share it."""
    tied = np.where(means >= largest_of(means), copies, 0)
    return np.asarray(tied / (tied @ np.ones_like(copies))[..., None])


def largest_of(values: FloatArray) -> FloatArray:
    """Return (..., 1) the largest of each row; column by column, as short rows are slow."""
    if values.shape[-1] > SHORT:
        return np.asarray(values.max(axis=-1, keepdims=True))
    top = values[..., 0].copy()
    for k in range(1, values.shape[-1]):
        np.maximum(top, values[..., k], out=top)
    return top[..., None]
