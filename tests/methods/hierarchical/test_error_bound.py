"""The stated numerical error bounds the true one, of every probability that is printed."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from bcompare.data.rope import FloatArray, Rope
from bcompare.methods.hierarchical.method import Hierarchical
from tests.methods.hierarchical.examples import error_of, statistics_of, triple
from tests.methods.hierarchical.family import SIZE, answers, problem
from tests.methods.hierarchical.second import settled

pytestmark = pytest.mark.slow


@cache
def known() -> list[dict[str, FloatArray]]:
    return list(answers())


def batch(first: int) -> Any:
    """Eight problems; those of every second batch are for the full run only."""
    return pytest.param(first, marks=[pytest.mark.long] if first // 8 % 2 else [])


@pytest.mark.parametrize("first", [batch(first) for first in range(0, SIZE, 8)])
def test_stated_error_bounds_the_true_one(first: int) -> None:
    """Judged by the second integration, whose two passes agree within `apart`."""
    for k in range(first, first + 8):
        case, exact = problem(k), known()[k]
        result = case.method.test(case.statistics, case.rope)
        found = {
            "probabilities": triple(result.probabilities),
            "theta_mean": triple(result.theta_mean),
            "delta0_regions": triple(result.delta0_regions),
            "datasets": triple(result.datasets.probabilities),
            "positive": np.array([result.p_delta0_positive]),
        }
        assert error_of(result) <= case.method.tol
        for name, value in found.items():
            off = float(np.abs(value - exact[name]).max())
            assert off <= error_of(result) + exact["apart"], f"problem {k}, {name}"


def test_a_data_set_that_may_be_drawn_to_the_rest_or_not() -> None:
    """Its δ has two peaks; the probabilities are those of the second integration (a minute)."""
    mean = np.r_[0.05, np.linspace(-0.0005, 0.0005, 11)]
    result = Hierarchical(prior="juarez-steel").test(
        statistics_of(mean, 0.03, n=10, rho=0.0), Rope.symmetric(0.01)
    )
    apart = 1e-5
    of_it = triple(result.datasets.probabilities).reshape(3, -1)[:, 0]
    off = np.abs(of_it - [0.003221, 0.761601, 0.235179]).max()
    assert off <= error_of(result) + apart
    off = np.abs(triple(result.probabilities) - [0.003570, 0.973385, 0.023045]).max()
    assert off <= error_of(result) + apart


@pytest.mark.parametrize("k", [2, 54, 84])
def test_answers_are_those_of_the_second_integration(k: int) -> None:
    """The committed answers of a few quick problems, made again."""
    case = problem(k)
    made = settled(case.method.data(case.statistics, case.rope), case.rope)
    for name, value in made.items():
        np.testing.assert_allclose(known()[k][name], value, rtol=0, atol=2e-8)


def test_the_second_integration_converges() -> None:
    assert len(known()) == SIZE
    assert max(float(one["apart"]) for one in known()) < 1e-5
