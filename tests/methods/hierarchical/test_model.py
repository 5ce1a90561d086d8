"""The priors, the checks of the data, and the note that they do not look as the model expects."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from bcompare.basis.messages import ComputationError
from bcompare.data.rope import Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.misfit import anderson_darling, pit_values, unevenness
from bcompare.methods.hierarchical.model import PRIORS, ModelData, default_sigma0_bound
from bcompare.methods.hierarchical.quadrature import integrate
from tests.methods.hierarchical.examples import error_of, simulated, statistics_of, triple

ROPE = Rope.symmetric(0.01)
NO_ROPE = Rope(0.0, 0.0)


@pytest.mark.parametrize(("q", "warned"), [(2, True), (4, True), (5, False)])
def test_fewer_than_five_data_sets_bring_a_warning(q: int, warned: bool) -> None:
    notes = Hierarchical().test(simulated(q), ROPE).notes
    assert [note.code for note in notes] == ["few-datasets"] * warned


def test_constant_data_sets_get_the_spread_of_a_uniform_over_the_rope_and_keep_their_mean() -> None:
    statistics = statistics_of([0.02, 0.0, 0.01], [0.0, 0.0, 0.04], n=10)
    data = ModelData(statistics, ROPE, nu_prior=PRIORS["corani"])
    np.testing.assert_allclose(data.statistics.ss[:2], 9 * 0.01**2 / 3, rtol=1e-12)
    np.testing.assert_array_equal(data.statistics.mean, statistics.mean)
    assert data.statistics.ss[2] == statistics.ss[2]
    note = data.notes[0]
    assert (note.code, note.severity) == ("zero-variance", "warning")
    assert "2 data sets (set-0, set-1)" in note.message
    wide = ModelData(statistics, Rope(-0.01, 0.03), nu_prior=None).statistics
    np.testing.assert_allclose(wide.ss[:2], 9 * 0.04**2 / 12, rtol=1e-12)


def test_without_a_rope_constant_data_sets_get_the_smallest_spread_of_the_others() -> None:
    statistics = statistics_of([0.02, 0.0, 0.01, 0.0], [0.0, 0.03, 0.04, 0.05], n=10)
    data = ModelData(statistics, NO_ROPE, nu_prior=None)
    assert data.statistics.ss[0] == pytest.approx(9 * 0.03**2)


def test_bound_of_sigma0_is_1000_times_the_spread_of_the_means_or_their_standard_error() -> None:
    """Corani 2017, §3; the second where the means happen to lie closer together."""
    apart = statistics_of([0.0, 0.1, 0.3], 0.01)
    assert default_sigma0_bound(apart) == pytest.approx(1000 * np.std([0, 0.1, 0.3], ddof=1))
    equal = statistics_of(np.zeros(3), 0.02, n=10, rho=0.1)
    assert default_sigma0_bound(equal) == pytest.approx(1000 * 0.02 * math.sqrt(0.1 + 1 / 9))


def test_a_tolerance_that_is_not_reached_is_an_error_and_no_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(integrate, "MOST_LEVELS", 2)
    with pytest.raises(
        ComputationError, match=r"did not settle.*1e-12 is allowed; allow more"
    ) as e:
        Hierarchical(tol=1e-12).test(simulated(8), ROPE)
    assert e.value.exit_code == 3


def test_sensitivity_names_priors_and_correlations_and_agrees_with_the_test_under_each() -> None:
    statistics = simulated(20, seed=5)
    method = Hierarchical(alpha_bounds=(1.0, 1.5))
    result = dict(replace(method, sensitivity=True).test(statistics, ROPE).sensitivity)
    assert list(result) == [*PRIORS, "ρ/2", "2ρ"]
    for name, factor in (("ρ/2", 0.5), ("2ρ", 2.0)):
        given = replace(statistics, rho=factor * statistics.rho)
        expected = method.test(given, ROPE)
        np.testing.assert_array_equal(triple(result.pop(name)), triple(expected.probabilities))
    for name, probabilities in result.items():
        expected = Hierarchical(prior=name).test(statistics.mirrored(), ROPE)
        np.testing.assert_array_equal(triple(probabilities), triple(expected.probabilities)[::-1])


def test_degrees_of_freedom_near_infinity_are_the_gaussian_prior() -> None:
    statistics = simulated(15, n=20, seed=2)
    gaussian = Hierarchical(prior="gaussian").test(statistics, ROPE)
    heavy = Hierarchical(alpha_bounds=(1e4, 1e4), beta_bounds=(0.1, 0.1)).test(statistics, ROPE)
    error = error_of(gaussian) + error_of(heavy) + 1e-5
    np.testing.assert_allclose(
        triple(gaussian.probabilities), triple(heavy.probabilities), rtol=0, atol=error
    )
    assert gaussian.nu is None
    assert heavy.nu is not None
    assert heavy.nu.median == pytest.approx(1e5, rel=0.01)


@pytest.mark.parametrize("seed", range(5))
def test_no_shape_is_noted_where_the_means_are_closer_than_their_errors(seed: int) -> None:
    """Independent folds under a correlation that they do not have: cautious, and of no shape."""
    differences = np.random.default_rng(seed).normal(0.02, 0.014, (12, 10))
    statistics = SufficientStatistics.from_differences(differences, 0.1)
    result = Hierarchical().test(statistics, ROPE)
    assert unevenness(result, statistics) == 0
    assert anderson_darling(pit_values(result, statistics)) > 0
    assert "misfit" not in [note.code for note in result.notes]


@pytest.mark.parametrize("n", [1, 7, 54])
def test_anderson_darling_is_scipys(n: int) -> None:
    u = np.random.default_rng(n).uniform(0.02, 0.9, n)
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


@pytest.mark.parametrize(("shape", "noted"), [("normal", False), ("two halves", True)])
def test_a_shape_that_the_model_does_not_expect_is_noted(shape: str, noted: bool) -> None:
    """How often is a study of its own, of which tests/studies has a short version."""
    rng = np.random.default_rng(0)
    delta = rng.normal(0, 0.03, 54) if shape == "normal" else np.repeat([-0.03, 0.03], 27)
    folds = delta[:, None] + rng.normal(0, 0.01, (54, 20))
    statistics = SufficientStatistics.from_differences(folds, 0.1)
    notes = Hierarchical().test(statistics, ROPE).notes
    assert ("misfit" in [note.code for note in notes]) == noted
