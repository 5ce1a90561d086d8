"""The engine against the second integration of `second.py`: all answers of small problems."""

from typing import Any

import numpy as np
import pytest

from bcompare.data.rope import Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.method import Hierarchical
from tests.methods.hierarchical.examples import error_of, simulated, triple
from tests.methods.hierarchical.second import Model, answers, mean_and_sd

pytestmark = pytest.mark.slow

# What one pass of the second integration leaves open.
OPEN = 5e-5

ROPE = Rope.symmetric(0.01)

CASES: dict[str, tuple[SufficientStatistics, Rope, dict[str, Any]]] = {
    "normal-prior": (simulated(3), ROPE, {"prior": "gaussian"}),
    "normal-prior-and-likelihood": (
        simulated(4), ROPE, {"prior": "gaussian", "empirical_bayes": True}
    ),
    "5-scores-asymmetric-rope": (
        simulated(4, n=5, sigma0=0.0), Rope(-0.005, 0.03), {"prior": "gaussian"}
    ),
    "no-rope": (simulated(3, n=10, seed=3), Rope(0.0, 0.0), {"prior": "gaussian"}),
    "hard-bounds": (
        simulated(3, n=20),
        ROPE,
        {"prior": "gaussian", "delta0_bounds": (-0.02, 0.03), "sigma0_bound": 0.05},
    ),
    "heavy-tails": (simulated(3, n=[5, 30, 100], seed=1), ROPE, {"prior": "kruschke"}),
    "two-data-sets": (simulated(2, n=10, seed=1), ROPE, {"prior": "juarez-steel"}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_all_answers(name: str) -> None:
    statistics, rope, options = CASES[name]
    method = Hierarchical(tol=1e-4, **options)
    result = method.test(statistics, rope)
    exact = answers(Model.of(method.data(statistics, rope)), rope, 1.0)
    close = OPEN + error_of(result)
    for regions, of in (
        (result.probabilities, "probabilities"),
        (result.theta_mean, "theta_mean"),
        (result.delta0_regions, "delta0_regions"),
        (result.datasets.probabilities, "datasets"),
    ):
        np.testing.assert_allclose(triple(regions), exact[of], rtol=0, atol=close)
    assert result.p_delta0_positive == pytest.approx(float(exact["positive"][0]), abs=close)
    for parameter in ("delta0", "sigma0"):
        found, (mean, sd) = getattr(result, parameter), mean_and_sd(exact[parameter])
        assert found.mean == pytest.approx(mean, abs=5e-3 * sd)
        # with few data sets it comes from tails that reach the bounds of σ0
        assert found.sd == pytest.approx(sd, rel=0.02)
    if result.nu is not None:
        assert result.nu.mean == pytest.approx(exact["nu"][0], rel=5e-3)
    mean, square = exact["deltas"]
    sd = np.sqrt(square - mean**2)
    np.testing.assert_allclose(result.datasets.delta_mean, mean, rtol=0, atol=1e-3 * sd.max())
    np.testing.assert_allclose(result.datasets.delta_sd, sd, rtol=2e-3)
