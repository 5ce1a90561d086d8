"""The note that data sets do not look as the model expects: silent on its own data only."""

import numpy as np
import pytest

from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.rope import FloatArray, Rope
from bcompare.sufficient import SufficientStatistics

ROPE = Rope.symmetric(0.01)
FOLDS, RHO = 20, 0.1


def codes(delta: FloatArray, seed: int) -> list[str]:
    """The notes on folds around these true differences."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(0, 0.01, (len(delta), FOLDS)) * np.sqrt(1 - RHO)
    shared = rng.normal(0, 0.01, (len(delta), 1)) * np.sqrt(RHO)
    statistics = SufficientStatistics.from_differences(delta[:, None] + shared + noise, RHO)
    return [note.code for note in Hierarchical().test(statistics, ROPE).notes]


@pytest.mark.parametrize("seed", range(12))
def test_silent_where_the_model_holds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    q, nu = (8, 25, 60)[seed % 3], (2.5, 5.0, 100.0)[seed // 4]
    delta = rng.normal(0, 0.02) + 0.03 * rng.standard_t(nu, q)
    assert "misfit" not in codes(delta, seed)


@pytest.mark.parametrize(
    "delta",
    [
        np.repeat([-0.05, 0.0], [42, 58]),  # two groups, one of them equivalent
        np.repeat([0.03, -0.25], [17, 8]),  # many small ones against a few large ones
    ],
)
def test_told_where_it_does_not(delta: FloatArray) -> None:
    assert "misfit" in codes(delta, 0)
