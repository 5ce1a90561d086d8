"""The rope and its borders."""

import math
from typing import Any

import numpy as np
import pytest

from bcompare import InputError, Rope


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (-0.01, math.inf, "must be numbers below"),
        (math.nan, 0.01, "must be numbers below"),
        (-1e300, 1e300, "must be numbers below"),
        (0.02, -0.02, "above the upper"),
        (0.01, 0.02, "does not contain 0"),
    ],
)
def test_bad_borders_are_refused(low: float, high: float, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Rope(low, high)


def test_what_callers_may_give() -> None:
    assert Rope.of(0.02) == Rope.of((-0.02, 0.02)) == Rope.of(Rope(-0.02, 0.02))
    with pytest.raises(InputError, match="negative"):
        Rope.of(-0.01)
    several: list[Any] = [(0, 0.01, 0.02), None, "wide", [[0.01]]]
    for wrong in several:
        with pytest.raises(InputError):
            Rope.of(wrong)


def test_borders_belong_to_the_rope_also_in_decimals() -> None:
    shares = Rope.symmetric(0.01).shares(np.array([-0.010000000001, 0.85 - 0.84, 0.0100001]))
    assert shares.rope.tolist() == [1, 1, 0]
    assert shares.right.tolist() == [0, 0, 1]


def test_without_a_rope_zero_counts_half() -> None:
    shares = Rope(0, 0).shares(np.array([-1e-9, 0.0, 1e-9]))
    assert shares.left.tolist() == [1, 0.5, 0]
    assert shares.right.tolist() == [0, 0.5, 1]
    assert shares.rope.tolist() == [0, 0, 0]
