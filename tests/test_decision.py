"""Decisions: the threshold, the loss matrix, and that the default loss is the threshold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcompare.comparing.decision import ExpectedLoss, Threshold, decide_one
from bcompare.data.rope import RegionProbabilities


def probabilities(left: float, rope: float) -> RegionProbabilities[float]:
    return RegionProbabilities(left, rope, 1 - left - rope)


@pytest.mark.parametrize(
    ("left", "rope", "expected"),
    [(0.96, 0.02, "left"), (0.02, 0.96, "rope"), (0.01, 0.01, "right"), (0.95, 0.05, "none")],
)
def test_threshold(left: float, rope: float, expected: str) -> None:
    assert decide_one(Threshold(0.05), probabilities(left, rope)) == expected


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_default_loss_is_the_default_threshold(u: float, v: float) -> None:
    """Tutorial §3.2: 0.05 x 20 = 1, so that the loss 0/20/1 is the rule of 0.95."""
    p = probabilities(min(u, v), max(u, v) - min(u, v))
    if min(abs(x - 0.95) for x in (p.left, p.rope, p.right)) > 1e-9:
        assert decide_one(ExpectedLoss.simple(), p) == decide_one(Threshold(0.05), p)


def test_an_asymmetric_loss_prefers_the_cheap_mistake() -> None:
    """Wrongly choosing the right classifier costs a hundredfold: left is decided at 0.6."""
    losses = np.array([[0, 1, 100, 50], [1, 0, 100, 50], [1, 1, 0, 50]], dtype=float)
    assert decide_one(ExpectedLoss(losses), probabilities(0.6, 0.1)) == "left"


def test_equal_losses_decide_nothing() -> None:
    assert decide_one(ExpectedLoss.simple(1, 1), probabilities(0.5, 0.0)) == "none"
