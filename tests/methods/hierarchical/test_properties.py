"""What must hold for any data; and σ_i, shrinkage and the regions of δ0 and θ, computed again."""

from dataclasses import replace
from operator import attrgetter
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import ndtr

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.canonical import Canonical
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.result import HierarchicalResult
from bcompare.methods.hierarchical.sampling.stan import Draws, answer
from tests.methods.hierarchical.examples import simulated, statistics_of, taken, triple

pytestmark = pytest.mark.usefixtures("one_population")

ROPE = Rope.symmetric(0.01)


@st.composite
def problems(draw: st.DrawFn) -> SufficientStatistics:
    return simulated(
        draw(st.integers(6, 40)),
        draw(st.sampled_from([6, 30, 100])),
        delta0=draw(st.sampled_from([0.0, 0.01, -0.03])),
        sigma0=draw(st.sampled_from([0.0, 0.005, 0.05])),
        nu=draw(st.sampled_from([1.5, 30.0])),
        seed=draw(st.integers(0, 1000)),
    )


ropes = st.sampled_from([ROPE, Rope(0.0, 0.0), Rope(-0.02, 0.005), Rope(-0.2, 0.2)])


@given(problems(), ropes, st.randoms(use_true_random=False))
@settings(max_examples=4)
def test_sides_and_order_change_no_bit(
    statistics: SufficientStatistics, rope: Rope, random: Random
) -> None:
    """The intervals too, which the conformance suite leaves out."""
    one = Hierarchical().test(statistics, rope)
    assert_mirror_images(one, Hierarchical().test(statistics.mirrored(), rope.mirrored()))
    order = list(range(len(statistics)))
    random.shuffle(order)
    moved = Hierarchical().test(taken(statistics, order), rope)
    np.testing.assert_array_equal(triple(one.probabilities), triple(moved.probabilities))
    np.testing.assert_array_equal(one.datasets.delta_mean[order], moved.datasets.delta_mean)


def assert_mirror_images(one: HierarchicalResult, other: HierarchicalResult) -> None:
    for name in ("probabilities", "theta_mean", "datasets.probabilities"):
        mine, theirs = (triple(attrgetter(name)(result)) for result in (one, other))
        np.testing.assert_array_equal(mine, theirs[::-1])
    signs = dict.fromkeys(("datasets.delta_mean", "datasets.mean_difference", "delta0.mean"), -1.0)
    signs |= {"delta0.median": -1.0, "datasets.delta_sd": 1.0, "delta0.sd": 1.0, "sigma0.mean": 1.0}
    for name, sign in signs.items():
        np.testing.assert_array_equal(attrgetter(name)(one), sign * attrgetter(name)(other))
    for level, interval in one.datasets.delta_intervals.items():
        mirrored = -other.datasets.delta_intervals[level][:, ::-1]
        np.testing.assert_array_equal(interval, mirrored)
    assert one.p_delta0_positive == pytest.approx(1 - other.p_delta0_positive, abs=1e-15)


def test_repeated_data_sets_count_as_often_as_they_are_there() -> None:
    """Equal ones are computed once: nudging each a little must change only a little."""
    statistics = taken(simulated(7, seed=3), [0, 1, 1, 2, 3, 3, 3, 4, 5, 6])
    nudged = replace(statistics, mean=statistics.mean + 1e-9 * np.arange(10))
    one = Hierarchical(tol=1e-4).test(statistics, ROPE)
    other = Hierarchical(tol=1e-4).test(nudged, ROPE)
    np.testing.assert_allclose(
        triple(one.probabilities), triple(other.probabilities), rtol=0, atol=1e-5
    )
    np.testing.assert_allclose(
        one.datasets.delta_mean, other.datasets.delta_mean, rtol=0, atol=1e-6
    )


def test_equal_data_sets_without_spread_between_them_are_pooled() -> None:
    """With σ0 held at 0 and known variances, δ0 ~ N(mean, τ²/q) in closed form."""
    q, n, sd, rho = 9, 50, 0.06, 0.1
    statistics = statistics_of(np.full(q, 0.012), sd, n, rho)
    method = Hierarchical(prior="gaussian", empirical_bayes=True, sigma0_bound=1e-7)
    result = method.test(statistics, ROPE)
    tau = sd * np.sqrt((n - 1) / n * (1 / n + rho / (1 - rho)))
    pooled = tau / np.sqrt(q)
    assert result.delta0.mean == pytest.approx(0.012, abs=1e-3 * pooled)
    assert result.delta0.sd == pytest.approx(pooled, rel=1e-3)
    expected = ndtr((0.012 - 0.01) / pooled)
    assert result.probabilities.right == pytest.approx(expected, abs=5e-4)
    assert result.theta_mean.right == pytest.approx(expected, abs=5e-4)
    np.testing.assert_allclose(result.datasets.probabilities.right, expected, atol=5e-4)
    # read off a grid that is fine enough for the probabilities: good to half a percent
    np.testing.assert_allclose(result.datasets.delta_sd, pooled, rtol=5e-3)


def test_curves_are_densities_and_their_integrals() -> None:
    result = Hierarchical().test(simulated(54), ROPE)
    assert result.nu is not None
    marginals = (result.delta0, result.sigma0, result.nu)
    for curve in (*(marginal.density for marginal in marginals), result.next_delta):
        assert (np.diff(curve.grid) > 0).all()
        assert (np.diff(curve.cdf) >= 0).all()
        slope = np.diff(curve.cdf) / np.diff(curve.grid)
        middle = (curve.density[1:] + curve.density[:-1]) / 2
        core = middle > 0.3 * middle.max()
        np.testing.assert_allclose(slope[core], middle[core], rtol=0.05)
        assert curve.cdf[0] < 0.01
        assert curve.cdf[-1] > 0.99
        for array in (curve.grid, curve.density, curve.cdf):
            assert not array.flags.writeable
    following = result.next_delta
    below, above = np.interp([-0.01, 0.01], following.grid, following.cdf)
    assert below == pytest.approx(result.theta_mean.left, abs=2e-3)
    assert 1 - above == pytest.approx(result.theta_mean.right, abs=2e-3)


ASYMMETRIC = Rope(-0.01, 0.02)


def log_likelihood(
    s: SufficientStatistics, i: int, delta: FloatArray, sigma: FloatArray
) -> FloatArray:
    """Log density of data set i's differences under MVN(1 δ, Σ), by the matrix itself.

    The differences are made up: any with this mean and sum of squares will do.
    """
    n, rho = int(s.n[i]), float(s.rho[i])
    x = np.arange(n) - (n - 1) / 2
    x = s.mean[i] + x * np.sqrt(s.ss[i] / (x @ x))
    correlation = np.full((n, n), rho) + (1 - rho) * np.eye(n)
    inverse = np.linalg.inv(correlation)
    residual = x - delta[..., None]
    square = np.einsum("...i,ij,...j->...", residual, inverse, residual)
    return np.asarray(-n * np.log(sigma) - 0.5 * square / sigma**2)


@pytest.mark.parametrize("n", [3, 10, 100])
def test_sigma_of_an_isolated_data_set(n: int) -> None:
    """σ_i integrated directly over a grid of (δ_i, σ_i), the prior of δ_i a known normal.

    With many precise data sets at one spread the others fix δ0 and σ0; data set 0 is the test's.
    """
    rng = np.random.default_rng(1)
    q, spread = 200, 0.02
    means = np.concatenate([[0.05], spread * stats.norm.ppf((np.arange(q) + 0.5) / q)])
    rng.shuffle(means[1:])
    sds = np.concatenate([[0.03], np.full(q, 1e-5)])
    s = statistics_of(means, sds, np.concatenate([[n], np.full(q, 100)]))
    result = Hierarchical(prior="gaussian").test(s, ASYMMETRIC)
    delta0, sigma0 = result.delta0, result.sigma0
    delta = np.linspace(-0.2, 0.2, 401)[:, None]
    edges = np.exp(np.linspace(np.log(1e-4), np.log(5e3), 2001))
    sigma = np.sqrt(edges[1:] * edges[:-1])
    wide = np.hypot(sigma0.mean, delta0.sd)
    log_p = log_likelihood(s, 0, delta, sigma) + stats.norm.logpdf(delta, delta0.mean, wide)
    p = (np.exp(log_p - log_p.max()) * np.diff(edges)).sum(axis=0)
    p /= p.sum()
    outcome = result.datasets
    assert outcome.sigma_mean[0] == pytest.approx(p @ sigma, rel=3e-3)
    cdf = np.cumsum(p)
    ends = np.interp([0.025, 0.975], cdf, edges[1:])
    np.testing.assert_allclose(outcome.sigma_interval[0], ends, rtol=3e-3)
    assert outcome.sigma_ml[0] == pytest.approx(np.sqrt(s.ss[0] / (n * 0.9)))


def gibbs_draws(form: Canonical, nu: float, rounds: int = 400) -> Draws:
    """The ends of many short chains of a plain Gibbs sampler, started at the data, for one ν."""
    rng = np.random.default_rng(3)
    problem, chains = form.problem, (4 * 2000, 1)
    mean, scale, shape = problem.mean, problem.scale, problem.shape
    q = mean.size
    assert (problem.count == 1).all()
    sigma0 = np.full(chains, mean.std())
    delta = np.broadcast_to(mean, (chains[0], q))
    kappa = lam = np.ones((chains[0], q))
    delta0 = np.zeros(chains)
    for _ in range(rounds):
        precision = lam / sigma0**2
        total = precision.sum(axis=1, keepdims=True)
        centre = (precision * delta).sum(axis=1, keepdims=True) / total
        delta0 = centre + rng.standard_normal(chains) / np.sqrt(total)
        squares = (lam * (delta - delta0) ** 2).sum(axis=1, keepdims=True)
        sigma0 = np.sqrt(squares / 2 / rng.standard_gamma((q - 1) / 2, chains))
        if np.isfinite(nu):
            rate = (nu + ((delta - delta0) / sigma0) ** 2) / 2
            lam = rng.standard_gamma((nu + 1) / 2, delta.shape) / rate
        kappa = rng.standard_gamma(shape + 0.5, delta.shape)
        kappa = kappa / (shape + ((delta - mean) / scale) ** 2 / 2)
        own, others = kappa / scale**2, lam / sigma0**2
        delta = (own * mean + others * delta0) / (own + others)
        delta = delta + rng.standard_normal(delta.shape) / np.sqrt(own + others)
    shape_of = (4, -1)
    return Draws(
        delta0=delta0.reshape(shape_of),
        sigma0=sigma0.reshape(shape_of),
        nu=np.full((4, 2000), nu) + rng.normal(0, 1e-6, (4, 2000)) if np.isfinite(nu) else None,
        delta=delta.reshape(4, -1, q),
        energy=rng.normal(size=(4, 2000)),
        divergent=np.zeros((4, 2000)),
    )


@pytest.mark.parametrize("nu", [np.inf, 5.0])
def test_both_engines_say_the_same(nu: float) -> None:
    """Quadrature against draws of the same posterior, within five Monte Carlo errors."""
    s = simulated(6, n=[4, 5, 8, 12, 30, 100], seed=2)
    method = Hierarchical(prior="gaussian")
    if np.isfinite(nu):  # a prior that holds ν where it is
        fixed = (1e4 * (nu - 1), 1e4 * (nu - 1))
        method = Hierarchical(alpha_bounds=fixed, beta_bounds=(1e4, 1e4))
    by_quadrature = method.test(s, ASYMMETRIC)
    data = method.data(s, ASYMMETRIC)
    form = Canonical(data, ASYMMETRIC)
    by_draws = answer(form, gibbs_draws(form, nu))
    mine, theirs = by_quadrature.datasets, by_draws.datasets
    share = 5 * 0.5 / np.sqrt(8000)
    np.testing.assert_allclose(
        triple(by_quadrature.delta0_regions), triple(by_draws.delta0_regions), atol=share
    )
    np.testing.assert_array_equal(mine.sigma_ml, theirs.sigma_ml)
    np.testing.assert_allclose(mine.shrinkage, theirs.shrinkage, atol=5 * 0.35 / np.sqrt(8000))
    half = np.diff(mine.sigma_interval)[:, 0] / 4
    assert (np.abs(mine.sigma_mean - theirs.sigma_mean) <= 8 * half / np.sqrt(8000)).all()
    # quantiles compared as probabilities: the density at the upper one is about a tenth of the peak
    off = np.abs(mine.sigma_interval - theirs.sigma_interval)
    assert (off <= 0.06 * half[:, None] * [1, 4]).all()
    assert (np.abs(mine.delta_mean - theirs.delta_mean) <= 5 * mine.delta_sd / np.sqrt(8000)).all()


def test_shrinkage_is_the_share_of_the_way_to_the_centre() -> None:
    """With σ_i known, ν infinite and σ0 all but known: x̄_i + w (δ0 - x̄_i), w = τ²/(τ² + σ0²)."""
    spread = 0.02 * stats.norm.ppf((np.arange(300) + 0.5) / 300)
    s = statistics_of(spread, np.where(np.arange(300) % 2, 0.01, 0.04), 100)
    result = Hierarchical(prior="gaussian", empirical_bayes=True).test(s, ASYMMETRIC)
    tau2 = s.ss / s.n * (1 / s.n + s.rho / (1 - s.rho))
    expected = tau2 / (tau2 + result.sigma0.mean**2)
    np.testing.assert_allclose(result.datasets.shrinkage, expected, rtol=0.02)
    far = np.abs(spread) > 0.01
    way = (s.mean - result.datasets.delta_mean) / (s.mean - result.delta0.mean)
    np.testing.assert_allclose(result.datasets.shrinkage[far], way[far], atol=0.01)
