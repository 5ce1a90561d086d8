"""The engine against the slow, plain integration of `plain.py`, on small random problems.

The plain integration is good to about 1e-5; with more panels it moves closer, not away.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from bcompare.data.rope import Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.method import Hierarchical
from tests.methods.hierarchical.examples import error_of, simulated, triple
from tests.methods.hierarchical.plain import PlainModel, integrate_plainly

pytestmark = pytest.mark.slow

# What the plain integration leaves open.
PLAIN_ERROR = 5e-5

ROPE = Rope.symmetric(0.01)


@dataclass(frozen=True)
class Case:
    statistics: SufficientStatistics
    rope: Rope = ROPE
    options: dict[str, Any] = field(default_factory=dict)
    nu_range: tuple[float, float] = (-7.0, 8.0)
    nu_panels: int = 2
    panels: dict[str, Any] = field(default_factory=lambda: {"folds": 1.5, "delta0_panels": 8})


CASES = {
    "normal-prior": Case(simulated(3), options={"prior": "gaussian"}),
    "normal-prior-and-likelihood": Case(
        simulated(4), options={"prior": "gaussian", "empirical_bayes": True}
    ),
    "5-scores-asymmetric-rope": Case(
        simulated(4, n=5, sigma0=0.0), Rope(-0.005, 0.03), {"prior": "gaussian"}
    ),
    "no-rope": Case(simulated(3, n=10, seed=3), Rope(0.0, 0.0), {"prior": "gaussian"}),
    "hard-bounds": Case(
        simulated(3, n=20),
        options={"prior": "gaussian", "delta0_bounds": (-0.02, 0.03), "sigma0_bound": 0.05},
    ),
    # ν between 4.7 and 5.3: so narrow a prior that two nodes of ν are enough
    "heavy-tails": Case(
        simulated(3, n=[5, 30, 100], seed=1),
        options={"alpha_bounds": (1600.0, 1600.0), "beta_bounds": (400.0, 400.0)},
        nu_range=(np.log(3.55), np.log(4.5)),
        nu_panels=1,
        panels={"folds": 2.5, "delta0_panels": 5},
    ),
    "two-data-sets": Case(
        simulated(2, n=10, seed=1),
        options={"prior": "juarez-steel"},
        nu_range=(-4.0, 5.5),
        panels={"folds": 2.5, "delta0_panels": 5},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_all_answers(name: str) -> None:
    case = CASES[name]
    method = Hierarchical(tol=1e-4, **case.options)
    result = method.test(case.statistics, case.rope)
    plain = integrate_plainly(
        PlainModel.of(method.data(case.statistics, case.rope), method.empirical_bayes),
        case.rope,
        nu_range=case.nu_range,
        nu_panels=case.nu_panels,
        **case.panels,
    )
    close = PLAIN_ERROR + error_of(result)
    np.testing.assert_allclose(
        triple(result.probabilities), plain.probabilities, rtol=0, atol=close
    )
    np.testing.assert_allclose(triple(result.theta_mean), plain.theta_mean, rtol=0, atol=close)
    assert result.p_delta0_positive == pytest.approx(plain.p_delta0_positive, abs=close)
    for parameter, (mean, sd) in (("delta0", plain.delta0), ("sigma0", plain.sigma0)):
        found = getattr(result, parameter)
        assert found.mean == pytest.approx(mean, abs=5e-3 * sd)
        # with few data sets it comes from tails that reach the bounds of σ0
        assert found.sd == pytest.approx(sd, rel=0.02)
    if result.nu is not None:
        assert result.nu.mean == pytest.approx(plain.nu[0], rel=5e-3)
    datasets = result.datasets
    np.testing.assert_allclose(
        datasets.delta_mean, plain.delta_mean, rtol=0, atol=1e-3 * plain.delta_sd.max()
    )
    np.testing.assert_allclose(datasets.delta_sd, plain.delta_sd, rtol=2e-3)
    np.testing.assert_allclose(
        datasets.probabilities.left, plain.delta_below, rtol=0, atol=2e-4 + close
    )
    np.testing.assert_allclose(
        datasets.probabilities.right, plain.delta_above, rtol=0, atol=2e-4 + close
    )
