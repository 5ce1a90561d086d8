"""The note that data sets do not look as the model expects: silent on its own data only."""

import numpy as np
import pytest
from scipy import stats

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.misfit import anderson_darling, pit_values, unevenness

ROPE = Rope.symmetric(0.01)
FOLDS, RHO = 20, 0.1


def codes(delta: FloatArray, seed: int) -> list[str]:
    """The notes on folds around these true differences."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(0, 0.01, (len(delta), FOLDS)) * np.sqrt(1 - RHO)
    shared = rng.normal(0, 0.01, (len(delta), 1)) * np.sqrt(RHO)
    statistics = SufficientStatistics.from_differences(delta[:, None] + shared + noise, RHO)
    return [note.code for note in Hierarchical().test(statistics, ROPE).notes]


@pytest.mark.parametrize("seed", range(6))
def test_silent_where_the_model_holds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    q, nu = (8, 25, 60)[seed % 3], (2.5, 100.0)[seed // 3]
    delta = rng.normal(0, 0.02) + 0.03 * rng.standard_t(nu, q)
    assert "misfit" not in codes(delta, seed)


@pytest.mark.parametrize(
    "delta",
    [
        np.repeat([-0.05, 0.0], [42, 58]),  # two groups, one of them equivalent
        np.repeat([0.03, -0.25], [17, 8]),  # many small ones against a few large ones
        np.repeat([-0.03, 0.03], [27, 27]),  # two halves
    ],
)
def test_told_where_it_does_not(delta: FloatArray) -> None:
    assert "misfit" in codes(delta, 0)


@pytest.mark.parametrize("seed", range(5))
def test_silent_where_the_means_are_closer_than_their_errors(seed: int) -> None:
    """Independent folds under a correlation that they do not have: cautious, and of no shape."""
    differences = np.random.default_rng(seed).normal(0.02, 0.014, (12, 10))
    statistics = SufficientStatistics.from_differences(differences, RHO)
    result = Hierarchical().test(statistics, ROPE)
    assert unevenness(result, statistics) == 0
    assert anderson_darling(pit_values(result, statistics)) > 0
    assert "misfit" not in [note.code for note in result.notes]


@pytest.mark.parametrize("n", [1, 7, 54])
def test_anderson_darling_is_the_weighted_distance_of_the_distribution_functions(n: int) -> None:
    """Against scipy, and against its definition n ∫ (F_n(u) - u)² / (u (1 - u)) du."""
    u = np.random.default_rng(n).uniform(0.02, 0.9, n)
    grid = (np.arange(400_000) + 0.5) / 400_000
    empirical = np.searchsorted(np.sort(u), grid) / n
    integral = n * float(((empirical - grid) ** 2 / (grid * (1 - grid))).mean())
    assert anderson_darling(u) == pytest.approx(integral, rel=1e-3)
    fitted = {"loc": 0.0, "scale": 1.0}
    result = stats.goodness_of_fit(
        stats.uniform, u, known_params=fitted, statistic="ad", n_mc_samples=1
    )
    assert anderson_darling(u) == pytest.approx(float(result.statistic), rel=1e-9)


def test_pit_values_are_shares_of_simulated_data_sets_with_a_smaller_mean() -> None:
    rng = np.random.default_rng(5)
    statistics = SufficientStatistics.from_differences(
        rng.normal(0.01, 0.03, (8, 1)) + rng.normal(0, 0.05, (8, 10)), 0.1
    )
    result = Hierarchical().test(statistics, ROPE)
    draws = 200_000
    known = result.next_delta
    delta = np.interp(rng.uniform(0, 1, draws), known.cdf, known.grid)
    for i, value in enumerate(pit_values(result, statistics)):
        noise = statistics.standard_error[i] * rng.standard_t(9, draws)
        share = float(np.mean(delta + noise < statistics.mean[i]))
        assert value == pytest.approx(share, abs=0.006)
