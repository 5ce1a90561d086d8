"""The engine's parts, each against a second way of computing it."""

import math
from operator import attrgetter

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtri
from scipy.stats import multivariate_normal, norm
from scipy.stats import t as student_t

from bcompare.data.rope import FloatArray, Rope
from bcompare.methods.hierarchical.canonical import Canonical, Problem
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.model import PRIORS, ModelData
from bcompare.methods.hierarchical.quadrature import posterior
from bcompare.methods.hierarchical.quadrature.answers import sigma0_of_reach
from bcompare.methods.hierarchical.quadrature.axes import cdf_at_points, quantile_positions
from bcompare.methods.hierarchical.quadrature.likelihood import Resolution, marginals, prior_normals
from bcompare.methods.hierarchical.quadrature.mixtures import (
    gamma_rule,
    gauss_gamma_rules,
    lower_end,
    mixing_matrix,
)
from bcompare.methods.hierarchical.quadrature.posterior import condensed
from tests.methods.hierarchical.examples import error_of, simulated, statistics_of, triple
from tests.methods.hierarchical.second import Model, moments


def normal_masses(step: float) -> tuple[FloatArray, FloatArray]:
    """An even grid in standard deviations, and the masses of a normal on it."""
    z = np.arange(-8, 8 + step, step) + 0.123
    mass = np.exp(-0.5 * z * z)
    return z, mass / mass.sum()


def test_quantiles_of_a_normal_density() -> None:
    step = 0.2
    z, mass = normal_masses(step)
    levels = np.array([0.025, 0.25, 0.5, 0.9])
    position = quantile_positions(cdf_at_points(mass), mass, levels)
    np.testing.assert_allclose(z[0] + step * position, ndtri(levels), rtol=0, atol=1e-4)


@pytest.mark.parametrize("nu", [1.0, 3.0, 19.0, 25.0, 2000.0])
@pytest.mark.parametrize("scale", [1e-4, 0.2, 300.0])
def test_mixing_matrix_makes_student_densities(nu: float, scale: float) -> None:
    """A normal of variance v seen through t(0, scale, ν); scales beyond both ends of the grid."""
    variance, distance = 0.04, 0.5
    log_s = np.arange(math.log(4e-4), math.log(100.0), 0.1)
    weights = mixing_matrix(np.log([scale]), np.array([nu]), log_s, 0.3, 8)
    total = np.exp(2 * log_s) + variance
    normals = np.exp(-(distance**2) / (2 * total)) / np.sqrt(2 * math.pi * total)
    # the same integral as a mean over the normal, or over the Student if that is narrower
    if scale > 0.1:
        z, w = np.polynomial.hermite_e.hermegauss(120)
        x = distance + math.sqrt(variance) * z
        expected = w @ student_t.pdf(x, nu, 0, scale) / w.sum()
    else:
        x = scale * student_t.ppf((np.arange(20_000) + 0.5) / 20_000, nu)
        density = np.exp(-((x - distance) ** 2) / (2 * variance))
        expected = density.mean() / math.sqrt(2 * math.pi * variance)
    assert (weights @ normals)[0] == pytest.approx(expected, rel=2e-4)


pytestmark = pytest.mark.usefixtures("one_population")

ROPE = Rope.symmetric(0.01)
FINE = Resolution(delta_step=0.1, s_step=0.1, mix_step=0.3, gauss_nodes=8)


def problem(mean: float, scale: float, dof: float) -> Problem:
    return Problem(
        normals=np.empty((0, 3, 1)),
        mean=np.array([mean]),
        scale=np.array([scale]),
        shape=np.array([dof / 2]),
        count=np.ones(1),
        sigma0_bound=1e3,
        delta0_bounds=None,
        nu_prior=PRIORS["corani"],
    )


def marginal(one: Problem, delta0: FloatArray, sigma0: float, nu: float) -> FloatArray:
    """(δ0,) m_i, with the factor 1/√2π that the engine leaves out."""
    cells = np.ones((1, 1), dtype=np.bool_)
    given = None if math.isinf(nu) else np.array([nu])
    prior = prior_normals(one, delta0, np.array([sigma0]), given, cells, FINE)
    ((_, m),) = marginals(one, delta0, prior, FINE)
    return (np.exp(m) if math.isinf(nu) else m)[0, :, 0] / math.sqrt(2 * math.pi)


@pytest.mark.parametrize("nu", [1.02, 7.0, 500.0, math.inf])
@pytest.mark.parametrize(("dof", "scale"), [(1.0, 0.5), (3.0, 0.1), (998.0, 0.02)])
def test_agrees_with_the_second_integration(nu: float, dof: float, scale: float) -> None:
    one = problem(0.3, scale, dof)
    written_down = Model(one.mean, one.scale, np.array([dof]), 1e3, (-1.0, 1.0), None)
    delta0 = np.array([-1.0, 0.0, 0.25, 0.3, 0.9])
    for sigma0 in (0.003, 0.1, 2.0):
        result = marginal(one, delta0, sigma0, nu)
        # the second integration leaves out the likelihood's constant, its density at 0
        expected = moments(written_down, delta0, sigma0, nu, ROPE, nodes=40)[0, 0]
        expected *= student_t.pdf(0, dof)
        # far below the highest value nothing depends on them
        matters = expected > 1e-3 * expected.max()
        np.testing.assert_allclose(result[matters], expected[matters], rtol=1e-4)


def test_far_tail_of_the_likelihood_under_a_normal_prior() -> None:
    """50 standard errors away, where a Gauss rule for κ would be 250 e-folds off."""
    one = problem(0.0, 1.0, 98.0)
    result = np.log(marginal(one, np.array([-50.0, 0.0, 50.0]), 1e-4, math.inf))
    expected = student_t.logpdf([-50.0, 0.0, 50.0], 98)
    np.testing.assert_allclose(result, expected, rtol=1e-6)


def test_known_variances_give_normal_densities() -> None:
    one = problem(0.2, 0.5, math.inf)
    result = marginal(one, np.array([-1.0, 0.2, 3.0]), 1.5, math.inf)
    expected = norm.pdf([-1.0, 0.2, 3.0], 0.2, math.hypot(0.5, 1.5))
    np.testing.assert_allclose(result, expected, rtol=1e-12)


def test_sigma_integrates_out_of_the_multivariate_normal_to_that_student() -> None:
    """The model as the papers write it, n correlated scores: proportional in δ for any data."""
    x, rho = np.array([0.03, -0.01, 0.02, 0.05]), 0.25
    correlation = np.full((4, 4), rho) + (1 - rho) * np.eye(4)

    def likelihood(delta: float) -> float:
        def of_sigma(log_sigma: float) -> float:
            sigma = math.exp(log_sigma)
            density = multivariate_normal.pdf(x, np.full(4, delta), sigma**2 * correlation)
            return float(density * sigma)

        return float(quad(of_sigma, -9, 6, points=[-4, -3], epsrel=1e-10, limit=200)[0])

    sd = float(x.std(ddof=1))
    statistics = statistics_of([x.mean(), 0.0], sd, n=4, rho=rho)
    data = ModelData(statistics, ROPE, nu_prior=None)
    form = Canonical(data, ROPE)
    scale = form.problem.scale[form.place[0]] * form.unit
    at = np.array([-0.2, 0.0, 0.02, 0.1])
    ratios = np.array([likelihood(d) for d in at]) / student_t.pdf(at, 2, x.mean(), scale)
    np.testing.assert_allclose(ratios, ratios[0], rtol=1e-6)


def of_many(q: int, n: int | np.ndarray = 10, prior: str = "corani") -> Problem:
    data = ModelData(simulated(q, n=n, seed=q), ROPE, nu_prior=PRIORS[prior])
    return Canonical(data, ROPE).problem


def test_data_sets_of_many_sizes_or_few_stay_as_they_are() -> None:
    few = of_many(300)
    assert condensed(few, 0.3) is few
    mixed = of_many(2000, np.random.default_rng(1).integers(3, 400, 2000))
    assert condensed(mixed, 0.3) is mixed


@pytest.mark.parametrize(
    ("means", "q"), [("equal", 600), pytest.param("spread", 2500, marks=pytest.mark.long)]
)
def test_answers_are_those_of_all_data_sets(
    means: str, q: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(7)
    mean = 0.0095 + 0.01 * rng.standard_t(3, q) if means == "spread" else np.full(q, 0.01)
    sd = rng.uniform(0.01, 0.03, q) * np.sqrt(rng.chisquare(9, q) / 9)
    data = statistics_of(mean, sd, 10, 0.0)
    whole = Canonical(Hierarchical().data(data, ROPE), ROPE).problem
    assert condensed(whole, 0.3).mean.size < q / 2
    result = Hierarchical().test(data, ROPE)
    monkeypatch.setattr(posterior, "condensed", lambda whole, step: whole)
    known = Hierarchical().test(data, ROPE)
    for name in ("probabilities", "theta_mean", "delta0_regions", "datasets.probabilities"):
        of = attrgetter(name)
        assert np.abs(triple(of(result)) - triple(of(known))).max() <= error_of(result), name


@pytest.mark.parametrize("shape", [0.5, 1.0, 4.0, 10.0, 60.0])
def test_gamma_rules_integrate_powers(shape: float) -> None:
    """E λ = 1, E λ² = 1 + 1/shape, E √λ, to the accuracy of these steps."""
    node, log_weight = gamma_rule(shape, min(0.5, 0.5 / math.sqrt(shape)), lower_end(shape, 60.0))
    rules = [(node, np.exp(log_weight))]
    if shape >= 10:
        nodes, weights = gauss_gamma_rules(np.array([shape, 20.0]), 7)
        rules.append((nodes[0], weights[0]))
    root = math.exp(math.lgamma(shape + 0.5) - math.lgamma(shape)) / math.sqrt(shape)
    for at, weight in rules:
        assert weight.sum() == pytest.approx(1, rel=1e-6)
        assert weight @ at == pytest.approx(1, rel=1e-6)
        assert weight @ at**2 == pytest.approx(1 + 1 / shape, rel=1e-5)
        assert weight @ np.sqrt(at) == pytest.approx(root, rel=1e-6)


def test_the_sigma0_of_a_reach_makes_left_and_rope_equally_probable_there() -> None:
    nu = np.array([2.0, 5.0, 30.0, 400.0])
    half_width = 0.01
    for distance in (0.0, 0.001, 0.006, 0.0099):
        sigma0 = sigma0_of_reach(distance, half_width, nu)
        left = student_t.cdf((distance - half_width) / sigma0, nu)
        not_right = student_t.cdf((distance + half_width) / sigma0, nu)
        np.testing.assert_allclose(left, not_right - left, rtol=1e-6)
    assert sigma0_of_reach(0.01, half_width, nu).tolist() == [0.0] * 4
