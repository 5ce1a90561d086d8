"""Draws of θ are from the posterior whose probabilities are printed."""

import numpy as np
import pytest

from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.method import TOLERANCE, Hierarchical
from bcompare.methods.hierarchical.model import HierarchicalResult

pytestmark = pytest.mark.slow


def statistics(seed: int, q: int, centre: float, spread: float) -> SufficientStatistics:
    rng = np.random.default_rng(seed)
    folds = [rng.normal(rng.normal(centre, spread), 0.03, 20) for _ in range(q)]
    return SufficientStatistics.from_differences(folds, 0.1)


def agrees(share: FloatArray, p: RegionProbabilities[float], draws: int) -> bool:
    """Whether shares of draws are within five standard errors, and what the engine allows."""
    expected = np.array([p.left, p.rope, p.right])
    error = np.sqrt(np.maximum(expected * (1 - expected), 1e-5) / draws)
    return bool((np.abs(share - expected) <= 5 * error + TOLERANCE).all())


@pytest.mark.parametrize(
    ("prior", "centre", "spread", "rope"),
    [
        ("corani", 0.0, 0.01, Rope.of(0.01)),
        ("gaussian", 0.01, 0.02, Rope.of((-0.005, 0.02))),
        ("corani", -0.03, 0.005, Rope.of(0.0)),
    ],
)
def test_shares_and_means_are_those_of_the_answer(
    prior: str, centre: float, spread: float, rope: Rope
) -> None:
    data, method = statistics(3, 9, centre, spread), Hierarchical(prior=prior)
    theta, result = method.draw_theta(data, rope), method.test(data, rope)
    assert isinstance(result, HierarchicalResult)
    assert theta.sum(axis=1) == pytest.approx(np.ones(len(theta)))
    largest = np.bincount(theta.argmax(axis=1), minlength=3) / len(theta)
    assert agrees(largest, result.next_dataset, len(theta))
    assert agrees(theta.mean(axis=0), result.theta_mean, len(theta))
