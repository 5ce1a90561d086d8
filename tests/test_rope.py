"""The rope and its borders."""

from typing import Any

import numpy as np
import pytest

from bcompare import InputError, Rope


def test_what_callers_may_give() -> None:
    assert Rope.of(0.02) == Rope.of((-0.02, 0.02)) == Rope.of(Rope(-0.02, 0.02))

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
