"""The engine against the second integration of `second.py`: its answers, and its stated error."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.result import HierarchicalResult
from tests.methods.hierarchical.examples import error_of, simulated, statistics_of, triple
from tests.methods.hierarchical.family import SIZE, answers, problem
from tests.methods.hierarchical.second import Model, mean_and_sd, settled
from tests.methods.hierarchical.second import answers as second_answers

pytestmark = pytest.mark.usefixtures("one_population")


@cache
def known() -> list[dict[str, FloatArray]]:
    return list(answers())


def said(result: HierarchicalResult) -> dict[str, FloatArray]:
    """All probabilities of a result, by the second integration's names."""
    return {
        "probabilities": triple(result.probabilities),
        "theta_mean": triple(result.theta_mean),
        "delta0_regions": triple(result.delta0_regions),
        "datasets": triple(result.datasets.probabilities),
        "positive": np.array([result.p_delta0_positive]),
    }


PART = SIZE // 10


@pytest.mark.parametrize(
    "first", [pytest.param(k, marks=[pytest.mark.long] * (k > 0)) for k in range(0, SIZE, PART)]
)
def test_stated_error_bounds_the_true_one(first: int) -> None:
    """Judged by the second integration, whose two passes agree within `apart`."""
    for k in range(first, min(first + PART, SIZE)):
        case, exact = problem(k), known()[k]
        result = case.method.test(case.statistics, case.rope)
        assert error_of(result) <= case.method.tol
        for name, value in said(result).items():
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


@pytest.mark.parametrize("k", [54, 84])
def test_answers_are_those_of_the_second_integration(k: int) -> None:
    """The committed answers of a few quick problems, made again."""
    case = problem(k)
    made = settled(case.method.data(case.statistics, case.rope), case.rope)
    for name, value in made.items():
        np.testing.assert_allclose(known()[k][name], value, rtol=0, atol=2e-8)


def test_the_second_integration_converges() -> None:
    assert len(known()) == SIZE
    assert max(float(one["apart"]) for one in known()) < 1e-5


# What one pass of the second integration leaves open.
OPEN = 5e-5

ROPE = Rope.symmetric(0.01)

CASES: dict[str, tuple[SufficientStatistics, Rope, dict[str, Any]]] = {
    "normal-prior": (simulated(3), ROPE, {"prior": "gaussian"}),
    "normal-prior-and-likelihood": (
        simulated(4),
        ROPE,
        {"prior": "gaussian", "empirical_bayes": True},
    ),
    "5-scores-asymmetric-rope": (
        simulated(4, n=5, sigma0=0.0),
        Rope(-0.005, 0.03),
        {"prior": "gaussian"},
    ),
    "no-rope": (simulated(3, n=10, seed=3), Rope(0.0, 0.0), {"prior": "gaussian"}),
    "hard-bounds": (
        simulated(3, n=20),
        ROPE,
        {"prior": "gaussian", "delta0_bounds": (-0.02, 0.03), "sigma0_bound": 0.05},
    ),
    "heavy-tails": (simulated(3, n=[5, 30, 100], seed=1), ROPE, {"prior": "kruschke"}),
    "two-data-sets": (simulated(2, n=10, seed=1), ROPE, {"prior": "juarez-steel"}),
}


# Those with an unknown ν take long.
LONG = ("heavy-tails", "two-data-sets")


@pytest.mark.parametrize(
    "case", [pytest.param(c, marks=[pytest.mark.long] * (c in LONG)) for c in CASES]
)
def test_all_answers(case: str) -> None:
    statistics, rope, options = CASES[case]
    method = Hierarchical(tol=1e-4, **options)
    result = method.test(statistics, rope)
    exact = second_answers(Model.of(method.data(statistics, rope)), rope, 1.0)
    close = OPEN + error_of(result)
    for name, value in said(result).items():
        np.testing.assert_allclose(value, exact[name], rtol=0, atol=close)
    for parameter in ("delta0", "sigma0"):
        outcome, (mean, sd) = getattr(result, parameter), mean_and_sd(exact[parameter])
        assert outcome.mean == pytest.approx(mean, abs=5e-3 * sd)
        # with few data sets it comes from tails that reach the bounds of σ0
        assert outcome.sd == pytest.approx(sd, rel=0.02)
    if result.nu is not None:
        assert result.nu.mean == pytest.approx(exact["nu"][0], rel=5e-3)
    mean, square = exact["deltas"]
    sd = np.sqrt(square - mean**2)
    np.testing.assert_allclose(result.datasets.delta_mean, mean, rtol=0, atol=1e-3 * sd.max())
    np.testing.assert_allclose(result.datasets.delta_sd, sd, rtol=2e-3)
