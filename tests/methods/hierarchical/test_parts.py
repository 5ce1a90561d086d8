"""The engine's parts, each against a second way of computing it."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri
from scipy.stats import t as student_t

from bcompare.data.rope import FloatArray
from bcompare.methods.hierarchical.quadrature.answers import rope_reach
from bcompare.methods.hierarchical.quadrature.axes import (
    Chart,
    cdf_at_points,
    cdf_weights,
    density_weights,
    quantile_positions,
)
from bcompare.methods.hierarchical.quadrature.mixtures import (
    gamma_rule,
    gauss_gamma_rules,
    lower_end,
    mixing_matrix,
)

CHARTS = {
    "sinh": Chart("sinh", 0.3, 0.1),
    "exp": Chart("exp", 1.0, 2.0),
    "sinh-bounded": Chart("sinh", 0.3, 0.1, -1.5, 2.0),
    "sinh-bounded-below": Chart("sinh", 0.0, 1.0, low=-0.5),
    "exp-bounded-above": Chart("exp", high=1.0),
}


@pytest.mark.parametrize("name", CHARTS)
def test_chart_slope_is_its_derivative_and_inverse_undoes_it(name: str) -> None:
    chart = CHARTS[name]
    u = np.linspace(-4, 4, 33)
    h = 1e-5
    derivative = (chart.value(u + h) - chart.value(u - h)) / (2 * h)
    np.testing.assert_allclose(np.exp(chart.log_slope(u)), derivative, rtol=1e-6)
    np.testing.assert_allclose(chart.inverse(chart.value(u)), u, rtol=0, atol=1e-8)


def normal_masses(step: float) -> tuple[FloatArray, FloatArray]:
    """An even grid in standard deviations, and the masses of a normal on it."""
    z = np.arange(-8, 8 + step, step) + 0.123
    mass = np.exp(-0.5 * z * z)
    return z, mass / mass.sum()


def test_sinc_sums_interpolate_and_integrate_a_normal_density() -> None:
    step = 0.5
    z, mass = normal_masses(step)
    at = np.array([-2.0, -0.3, 0.0, 1.7])
    position = (at - z[0]) / step
    density = density_weights(position, z.size) @ mass / step
    np.testing.assert_allclose(density, np.exp(-0.5 * at**2) / math.sqrt(2 * math.pi), atol=1e-8)
    np.testing.assert_allclose(cdf_weights(position, z.size) @ mass, ndtr(at), atol=1e-8)
    np.testing.assert_allclose(cdf_at_points(mass), ndtr(z), atol=1e-8)


def test_quantiles_of_a_normal_density() -> None:
    step = 0.2
    z, mass = normal_masses(step)
    levels = np.array([0.025, 0.25, 0.5, 0.9])
    position = quantile_positions(cdf_at_points(mass), mass, levels)
    np.testing.assert_allclose(z[0] + step * position, ndtri(levels), rtol=0, atol=1e-4)


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


@pytest.mark.parametrize("nu", [1.0, 2.5, 30.0, 1e10])
def test_reach_of_the_rope_is_where_left_and_rope_are_equally_probable(nu: float) -> None:
    def excess(delta0: float, half_width: float) -> float:
        left = student_t.cdf(-half_width - delta0, nu)
        return float(student_t.cdf(half_width - delta0, nu) - 2 * left)

    half_widths = np.array([0.0, 0.2, 0.43, 0.6, 1.0, 3.0, 40.0])
    at_nu = np.zeros(1, dtype=np.int64)
    for half_width in half_widths:
        result = rope_reach(float(half_width), np.ones(1), np.array([nu]), at_nu)[0]
        if excess(0.0, half_width) <= 0:
            assert result == 0
        else:
            expected = -brentq(excess, -half_width, 0.0, args=(half_width,), xtol=1e-12)
            assert result == pytest.approx(expected, abs=1e-6)
