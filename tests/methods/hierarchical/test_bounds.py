"""Bounds of the priors that are far from the data, tight or extreme: right answers, or refused."""

import numpy as np
import pytest
from scipy.integrate import dblquad
from scipy.stats import gamma
from scipy.stats import t as student_t

from bcompare.data.rope import FloatArray, Rope
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.priors import NuPrior
from bcompare.methods.hierarchical.quadrature.posterior import log_prior_density
from tests.methods.hierarchical.examples import error_of, simulated, statistics_of, triple

ROPE = Rope.symmetric(0.01)
BOUNDS = (-0.05, 0.05)


def means(spread: float, seed: int) -> FloatArray:
    return -0.3 + spread * np.random.default_rng(seed).standard_normal(5)


def regions_of_exact_means(mean: FloatArray, sigma0_bound: float) -> FloatArray:
    """P(δ0 in each region) where each δ_i is known, by a plain sum over (δ0, σ0, ν)."""
    delta0 = (np.arange(200) + 0.5) / 200 * 0.1 - 0.05
    log_sigma0 = np.log(sigma0_bound) - (np.arange(200) + 0.5) * 0.05
    log_excess = np.linspace(-8, 8, 80)
    prior = np.exp(log_prior_density(NuPrior((1.0, 2.0), (0.01, 0.1)), np.exp(log_excess)))
    total = np.zeros(delta0.size)
    for u, density in zip(log_excess, prior, strict=True):
        sigma0 = np.exp(log_sigma0)
        z = (mean[:, None, None] - delta0[:, None]) / sigma0
        logs = (student_t.logpdf(z, 1 + np.exp(u)) - log_sigma0).sum(axis=0) + log_sigma0
        total += density * np.exp(u) * np.exp(logs).sum(axis=1)
    total /= total.sum()
    return np.array([total[:80].sum(), total[80:120].sum(), total[120:].sum()])


@pytest.mark.parametrize("spread", [0.05, 1e-3])
@pytest.mark.parametrize("seed", range(4))
def test_tight_bounds_far_from_very_precise_data(spread: float, seed: int) -> None:
    statistics = statistics_of(means(spread, seed), 1e-9, n=10)
    method = Hierarchical(delta0_bounds=BOUNDS)
    result = method.test(statistics, ROPE)
    expected = regions_of_exact_means(statistics.mean, method.data(statistics, ROPE).sigma0_bound)
    outcome = triple(result.delta0_regions)
    np.testing.assert_allclose(outcome, expected, rtol=0, atol=error_of(result) + 2e-4)


@pytest.mark.parametrize("bounds", [(-1e-9, 1e-9), (-0.3, -0.3 + 1e-6), (1e6, 2e6), (-1e308, 0.0)])
def test_any_bounds_that_can_be_computed_with(bounds: tuple[float, float]) -> None:
    statistics = statistics_of(means(0.05, 0), 1e-9, n=10)
    result = Hierarchical(delta0_bounds=bounds).test(statistics, ROPE)
    assert bounds[0] <= result.delta0.mean <= bounds[1]
    assert triple(result.probabilities).sum() == pytest.approx(1)
    if bounds == (-1e-9, 1e-9):  # δ0 is 0: left and right are then equally probable by symmetry
        assert result.probabilities.left == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize(
    ("alpha", "beta"),
    [
        ((1.0, 2.0), (0.01, 0.1)),
        *(((0.1, 20.0), beta) for beta in ((0.01, 1.0), (0.001, 10.0), (0.05, 0.050001))),
    ],
)
def test_prior_of_nu_against_a_double_integral(
    alpha: tuple[float, float], beta: tuple[float, float]
) -> None:
    for excess in (0.03, 3.0, 40.0):
        expected = dblquad(
            lambda b, a, x=excess: gamma.pdf(x, a, scale=1 / b), *alpha, *beta, epsrel=1e-9
        )[0] / ((alpha[1] - alpha[0]) * (beta[1] - beta[0]))
        result = np.exp(log_prior_density(NuPrior(alpha, beta), np.array([excess])))
        assert result[0] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_delta0_prior_of_the_papers_makes_no_visible_difference(seed: int) -> None:
    """They take unif(-1, 1) for scores in 0…1; here it is flat unless bounds are given."""
    statistics = simulated(54, seed=seed)
    bounded, free = (
        triple(Hierarchical(delta0_bounds=bounds).test(statistics, ROPE).probabilities)
        for bounds in ((-1.0, 1.0), None)
    )
    np.testing.assert_allclose(bounded, free, rtol=0, atol=5e-4)
