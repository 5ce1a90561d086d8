"""The engine's parts, each against a second way of computing it."""

import math

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import t as student_t

from bcompare.data.rope import FloatArray
from bcompare.methods.hierarchical.quadrature.axes import (
    cdf_at_points,
    quantile_positions,
)
from bcompare.methods.hierarchical.quadrature.mixtures import (
    gamma_rule,
    gauss_gamma_rules,
    lower_end,
    mixing_matrix,
)


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
