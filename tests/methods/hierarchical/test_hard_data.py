"""Data and bounds that make a careless integration fail: it must hold, or say that it cannot.

Where nothing can be computed a second way, the same problem is solved on a finer grid, or the
answer is known from the limit that the data approach.
"""

from typing import Any

import numpy as np
import pytest
from scipy.integrate import dblquad
from scipy.stats import gamma
from scipy.stats import t as student_t

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.canonical import Canonical
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.model import NuPrior
from bcompare.methods.hierarchical.quadrature.posterior import log_prior_density
from bcompare.methods.hierarchical.quadrature.search import grid_of, locate
from bcompare.methods.hierarchical.result import HierarchicalResult
from tests.methods.hierarchical.examples import error_of, simulated, statistics_of, triple

pytestmark = pytest.mark.usefixtures("one_population")

ROPE = Rope.symmetric(0.01)
# Standard error of a mean with sd 0.03, n = 100, rho = 0.1.
STANDARD_ERROR = 0.03 * (0.01 + 1 / 9) ** 0.5


def outliers(q: int, which: int, n: int = 100) -> SufficientStatistics:
    """Data sets at about 0.005, some of them 50 standard errors away."""
    mean = 0.005 + 0.005 * np.random.default_rng(q).standard_normal(q)
    mean[:which] += 50 * STANDARD_ERROR
    return statistics_of(mean, 0.03, n)


def noise(q: int, scale: float, seed: int = 0) -> Any:
    return scale * np.random.default_rng(seed).standard_normal(q)


def some_constant(constant: int, others: int) -> SufficientStatistics:
    """Data sets without any difference, and others."""
    spread = np.r_[np.zeros(constant), np.full(others, 0.02)]
    return statistics_of(np.r_[np.zeros(constant), noise(others, 0.02)], spread)


N = np.random.default_rng(3).integers(3, 10_000, 30)
CASES: dict[str, tuple[SufficientStatistics, Rope]] = {
    "two-data-sets": (simulated(2, seed=1), ROPE),
    "three-scores-three-data-sets": (simulated(3, n=3, seed=3), ROPE),
    "10000-scores": (simulated(20, n=10_000, seed=3), ROPE),
    "mixed-n": (simulated(30, n=N, seed=3), ROPE),
    "one-outlier-of-5": (outliers(5, 1), ROPE),
    "two-outliers-of-20-three-scores": (outliers(20, 2, n=3), ROPE),
    "eight-outliers-of-20": (outliers(20, 8), ROPE),
    "nearly-equal": (statistics_of(0.003 + noise(20, 1e-9), 0.03), ROPE),
    "equal": (statistics_of(np.full(10, 0.003), 0.03), ROPE),
    "all-constant": (statistics_of(noise(20, 0.01), 0.0), ROPE),
    "most-constant": (some_constant(34, 20), ROPE),
    "half-constant-tiny-rope": (some_constant(27, 27), Rope.symmetric(1e-6)),
    "some-constant-no-rope": (some_constant(10, 20), Rope(0.0, 0.0)),
    "two-clusters": (
        statistics_of(np.r_[-0.1 + noise(10, 1e-4), 0.1 + noise(10, 1e-4, 1)], 1e-4),
        ROPE,
    ),
    "precisions-six-decades-apart": (
        statistics_of(noise(30, 0.02), 0.03 * 10.0 ** np.linspace(-6, 0, 30)),
        ROPE,
    ),
    "almost-identical-scores": (statistics_of(noise(30, 0.02), 0.03, rho=0.99), ROPE),
    # settles by finer mixtures on the same grid
    "one-far-of-a-hundred": (statistics_of(np.r_[-0.3, noise(99, 0.05)], 0.05, 10), ROPE),
    "tiny-rope": (simulated(15, seed=5), Rope.symmetric(1e-12)),
    "huge-rope": (simulated(15, seed=5), Rope.symmetric(1e9)),
}


def assert_sound(result: HierarchicalResult) -> None:
    of = (result.probabilities, result.theta_mean, result.datasets.probabilities)
    triples = np.column_stack([triple(each) for each in of])
    assert ((triples >= 0) & (triples <= 1)).all()
    np.testing.assert_allclose(triples.sum(axis=0), 1, rtol=0, atol=1e-14)
    assert np.isfinite(result.datasets.delta_mean).all()
    assert (result.datasets.delta_sd > 0).all()
    assert (np.diff(result.datasets.delta_intervals[0.9], axis=1) > 0).all()
    assert result.delta0.sd > 0
    assert result.sigma0.intervals[0.95][0] > 0


@pytest.mark.parametrize("name", CASES)
def test_holds_and_moves_less_than_its_error_when_refined(name: str) -> None:
    statistics, rope = CASES[name]
    result = Hierarchical().test(statistics, rope)
    assert_sound(result)
    assert error_of(result) <= 5e-4
    finer = Hierarchical(tol=1e-4).test(statistics, rope)
    difference = np.abs(triple(result.probabilities) - triple(finer.probabilities))
    assert difference.max() <= error_of(result) + error_of(finer)
    near = np.abs(result.datasets.delta_mean - finer.datasets.delta_mean)
    assert (near <= 5e-3 * finer.datasets.delta_sd).all()
    mine, theirs = triple(result.datasets.probabilities), triple(finer.datasets.probabilities)
    np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-3)


def test_outliers_do_not_hide_the_peak_of_the_rest() -> None:
    """Among 20 data sets two at 50 standard errors: the others still decide.

    A grid scaled by the standard deviation of the means steps over their peak.
    """
    result = Hierarchical().test(outliers(20, 2), ROPE)
    assert abs(result.delta0.median - 0.005) < 0.005
    assert result.probabilities.rope > 0.9
    without = Hierarchical().test(outliers(20, 0), ROPE)
    assert abs(result.delta0.median - without.delta0.median) < 0.002


def test_the_first_grid_of_many_data_sets_is_no_finer_than_the_next() -> None:
    """The answers on each of them take as long as it has points."""
    rng = np.random.default_rng(1)
    sd = rng.uniform(0.02, 0.1, 8000)
    data = statistics_of(rng.normal(0, np.hypot(0.1, sd / 3)), sd, 5)
    form = Canonical(Hierarchical().data(data, ROPE), ROPE)
    location, coarsest = locate(form.problem, 0.0)
    assert coarsest.grid.points < grid_of(location, 1).points


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


@pytest.mark.parametrize(("spread", "seed"), [(0.05, 0), (1e-3, 1)])
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


@pytest.mark.parametrize("mean", [20.0, 1e4, 1e8])
def test_bounds_on_the_average_may_lie_far_from_the_data(mean: float) -> None:
    rng = np.random.default_rng(3)
    data = [mean + 0.02 * rng.normal(size=10) for _ in range(6)]
    statistics = SufficientStatistics.from_differences(data, 0.1)
    p = Hierarchical(delta0_bounds=(-1.0, 1.0)).test(statistics, ROPE).probabilities
    assert sum(p) == pytest.approx(1)
    assert p.right >= p.left - 0.001
