"""The Bayesian sign test and the binomial sign test."""

from fractions import Fraction
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from scipy.special import betainc

from bcompare.data.rope import FloatArray, Rope
from bcompare.methods.mean_differences import PRIOR_PLACES
from bcompare.methods.sign import probability_of_largest, sign_test
from bcompare.methods.wilcoxon import binomial_sign_test

decimals = st.lists(st.integers(-5, 5).map(lambda i: i / 100), min_size=1, max_size=9).map(np.array)
ropes = st.sampled_from([Rope(0, 0), Rope(-0.01, 0.01), Rope(-0.01, 0.03), Rope(0, 0.02)])


def largest_of_integers(a: int, b: int, c: int) -> float:
    """P(Gamma(a) exceeds Gamma(b) and Gamma(c)), whole parameters, in exact fractions.

    For a whole b, P(Gamma(b) < x) = 1 - Σ_{j<b} e^-x x^j/j!, so every term is a gamma integral.
    """
    p = Fraction(1)
    for other in (b, c):
        p -= sum((Fraction(comb(a + j - 1, j), 2 ** (a + j)) for j in range(other)), Fraction(0))
    for j in range(b):
        for k in range(c):
            ways = factorial(a + j + k - 1) // (factorial(a - 1) * factorial(j) * factorial(k))
            p += Fraction(ways, 3 ** (a + j + k))
    return float(p)


@pytest.mark.parametrize(
    "triple", [(1, 1, 1), (1, 2, 3), (5, 1, 9), (20, 21, 13), (40, 7, 1), (60, 55, 58)]
)
def test_whole_parameters_agree_with_exact_fractions(triple: tuple[int, int, int]) -> None:
    a, b, c = triple
    expected = [
        largest_of_integers(a, b, c),
        largest_of_integers(b, a, c),
        largest_of_integers(c, a, b),
    ]
    computed = probability_of_largest(np.array(triple, dtype=float))
    np.testing.assert_allclose(computed, expected, rtol=1e-10, atol=1e-16)


@pytest.mark.parametrize(
    ("a", "b"), [(0.5, 1.0), (1.0, 1e-3), (3.0, 4.5), (31.0, 23.5), (2500.5, 2499.0), (5000.0, 0.5)]
)
def test_two_components_agree_with_the_beta_distribution(a: float, b: float) -> None:
    """A component with parameter 0 is identically 0; the rest is P(Beta(a, b) > 1/2)."""
    expected = np.array([float(betainc(b, a, 0.5)), 0.0, float(betainc(a, b, 0.5))])
    computed = probability_of_largest(np.array([a, 0.0, b]))
    np.testing.assert_allclose(computed, expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize(
    "triple", [(1.5, 1.0, 2.0), (3.5, 3.0, 2.0), (1700.0, 1650.5, 1650.0), (480.0, 500.0, 4020.0)]
)
def test_fractions_and_large_counts_agree_with_adaptive_integration(
    triple: tuple[float, float, float],
) -> None:
    def largest_first(a: float, b: float, c: float) -> float:
        def integrand(x: float) -> float:
            return float(stats.gamma.pdf(x, a) * stats.gamma.cdf(x, b) * stats.gamma.cdf(x, c))

        width = 12 * a**0.5
        ends = max(a - width, 0.0), a + max(width, 30)
        return float(integrate.quad(integrand, *ends, epsabs=1e-12, limit=200)[0])

    a, b, c = triple
    expected = np.array([largest_first(a, b, c), largest_first(b, a, c), largest_first(c, a, b)])
    np.testing.assert_allclose(probability_of_largest(np.array(triple)), expected, atol=1e-10)


@given(st.lists(st.integers(0, 5000), min_size=3, max_size=3).filter(any), st.floats(0, 3))
def test_any_counts_give_probabilities_that_mirror(counts: list[int], prior: float) -> None:
    a = np.array(counts, dtype=float) + np.array([0, prior, 0])
    p = probability_of_largest(a)
    assert np.all((p >= 0) & (p <= 1))
    assert p.sum() == pytest.approx(1, abs=1e-15)
    np.testing.assert_array_equal(probability_of_largest(a[::-1]), p[::-1])
    assert np.all(p[a == 0] == 0)


def test_dirichlet_parameters_of_a_worked_example() -> None:
    z = [0.02, 0.03, 0.0, 0.04, -0.005, 0.85 - 0.84, -0.5]
    result = sign_test(z, rope=0.01)
    assert result.parameters == (1.0, 3.5, 3.0)
    assert sign_test(z, rope=0.01, prior_place="left").parameters == (1.5, 3.0, 3.0)
    assert sign_test(z, rope=0.01, prior_place="right").parameters == (1.0, 3.0, 3.5)
    assert sign_test(z, prior_strength=2, prior_place="split").parameters == (2.0, 3.0, 4.0)
    assert sign_test(z, rope=0).parameters == (2.75, 0.0, 4.75)
    assert [*result.theta_mean] == pytest.approx([1 / 7.5, 3.5 / 7.5, 3 / 7.5])
    assert result.error is None


@given(decimals, ropes)
def test_sensitivity_is_the_answer_under_each_place(z: FloatArray, rope: Rope) -> None:
    sensitivity = sign_test(z, rope=rope).sensitivity
    assert tuple(sensitivity) == PRIOR_PLACES
    for place in PRIOR_PLACES:
        p = sign_test(z, rope=rope, prior_place=place).probabilities
        assert [*sensitivity[place]] == [*p]


@pytest.mark.parametrize("q", [1, 2, 7, 54, 1001])
def test_binomial_sign_test_agrees_with_scipy(q: int) -> None:
    z = np.random.default_rng(q).normal(0.02, 0.05, q)
    reference = stats.binomtest(int((z > 0).sum()), q).pvalue
    assert binomial_sign_test(np.append(z, [0, 0])).p_value == pytest.approx(reference, rel=1e-10)
    assert binomial_sign_test(-z).p_value == binomial_sign_test(z).p_value


@pytest.mark.parametrize(("q", "warned"), [(4, True), (5, False)])
def test_few_data_sets_are_said(q: int, warned: bool) -> None:
    notes = sign_test(np.linspace(0.01, 0.05, q)).notes
    assert ("few-datasets" in {note.code for note in notes}) == warned
