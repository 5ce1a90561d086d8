"""Exact symmetry: swapping left and right mirrors an answer to the last bit.

A pair of classifiers and its mirror image are the same question. A test computes only one of the
two, the one that leans to a certain side, and mirrors the answer for the other. Where the two are
equal, the answer is the mean of the computed one and its mirror image.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import TypeVar, cast

import numpy as np

from bcompare.data.rope import RegionProbabilities, Value, read_only

Answer = TypeVar("Answer")


def swapped(regions: RegionProbabilities[Value]) -> RegionProbabilities[Value]:
    """Return the probabilities after left and right are swapped."""
    return RegionProbabilities(left=regions.right, rope=regions.rope, right=regions.left)


def restored(answer: Answer, lean: float, mirrored: Callable[[Answer], Answer]) -> Answer:
    """Return the answer for a pair in its original orientation.

    answer : for the one of the pair and its mirror image that was computed. lean : positive where
        that is the pair itself, negative where it is the image, 0 where the two are equal.
    mirrored : mirrors an answer.
    """
    if lean > 0:
        return answer
    image = mirrored(answer)
    return image if lean < 0 else mean(answer, image)


def mean(one: Answer, other: Answer) -> Answer:
    """Return the mean of the floating-point numbers of two answers; the rest is from the first."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return cast("Answer", read_only((one + other) / 2)) if one.dtype.kind == "f" else one
    if isinstance(one, float) and isinstance(other, float):
        return cast("Answer", (one + other) / 2)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return cast("Answer", tuple(map(mean, one, other)))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return cast("Answer", {key: mean(value, other[key]) for key, value in one.items()})
    if is_dataclass(one) and not isinstance(one, type):
        names = [field.name for field in fields(one)]
        return type(one)(**{name: mean(getattr(one, name), getattr(other, name)) for name in names})
    return one
