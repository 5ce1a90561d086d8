"""The correlated t-test: published figures, brute-force integration, degenerate data."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import trapezoid
from scipy.special import comb
from scipy.stats import t as student

from bcompare import InputError, NormalGamma, Rope, SufficientStatistics, correlated_t_test
from bcompare.data.rope import FloatArray
from bcompare.data.units import ITEM
from bcompare.methods.correlated_t import CorrelatedT, CorrelatedTDatasets
from tests.methods.hierarchical.examples import statistics_of


def run(statistics: SufficientStatistics) -> CorrelatedTDatasets:
    return CorrelatedT().test(statistics, Rope.symmetric(0.01)).datasets


def test_tutorial_section_2_first_data_set() -> None:
    """Tutorial §2: x̄ = -0.0194, σ̂ = 0.01583, t = -3.52, p = 0.00065 for nbc - aode on anneal."""
    result = run(statistics_of([-0.0194], 0.01583))
    assert round(float(result.nhst.statistic[0]), 2) == -3.52
    assert round(float(result.nhst.p_value[0]), 5) == 0.00065


def brute_force(x: FloatArray, rho: float, rope: Rope, prior: NormalGamma) -> FloatArray:
    """Regions' probabilities from the multivariate normal likelihood times the prior density.

    Sums over a grid of (μ, log precision); nothing is integrated out by hand.
    """
    n = len(x)
    inverse = np.linalg.inv((1 - rho) * np.eye(n) + rho * np.ones((n, n)))
    centre, spread = x.mean(), x.std(ddof=1) + abs(x.mean() - prior.mean) + 1e-3
    borders = np.array([rope.low, rope.high])
    edges = np.concatenate([[centre - 400 * spread], borders, [centre + 400 * spread]])
    pieces = []
    for low, high in pairwise(edges):
        # sinh spacing: dense about the centre, reaching far into the Student's tails
        a, b = np.arcsinh((np.array([low, high]) - centre) / (0.01 * spread))
        u = np.linspace(a, b, 4001)
        mu = centre + 0.01 * spread * np.sinh(u)
        deviations = x[None, :] - mu[:, None]
        q = np.einsum("ij,jk,ik->i", deviations, inverse, deviations)
        log_precision = np.linspace(-25, 40, 1301)
        precision = np.exp(log_precision)
        exponent = (
            (n / 2 + 0.5 + prior.a) * log_precision[None, :]  # d precision = precision d log
            - precision[None, :] * (q[:, None] / 2 + prior.b)
            - precision[None, :] * ((mu - prior.mean) ** 2)[:, None] / (2 * prior.k0)
        )
        pieces.append((u, 0.01 * spread * np.cosh(u), exponent, log_precision))
    top = max(exponent.max() for _, _, exponent, _ in pieces)
    masses = [
        trapezoid(trapezoid(np.exp(exponent - top), log_precision, axis=1) * jacobian, u)
        for u, jacobian, exponent, log_precision in pieces
    ]
    masses_array = np.array(masses)
    return np.asarray(masses_array / masses_array.sum(), dtype=np.float64)


@pytest.mark.parametrize(
    "prior",
    [
        NormalGamma(),
        NormalGamma(mean=0.02, k0=0.5, a=2.0, b=0.001),
        NormalGamma(mean=-0.05, k0=3.0, a=0.5, b=0.0),
        NormalGamma(mean=0.0, k0=0.01, a=1.0, b=0.01),
    ],
)
@pytest.mark.parametrize(("n", "rho"), [(5, 0.2), (20, 0.0)])
def test_posterior_against_brute_force_integration(prior: NormalGamma, n: int, rho: float) -> None:
    x = np.random.default_rng(n).normal(0.015, 0.03, n)
    rope = Rope(-0.01, 0.02)
    closed = [*correlated_t_test(x, rho=rho, rope=rope, prior=prior).probabilities]
    np.testing.assert_allclose(closed, brute_force(x, rho, rope, prior), rtol=0, atol=1e-6)


def test_intervals_are_the_shortest_and_hold_their_probability() -> None:
    x = np.random.default_rng(1).normal(0.02, 0.03, 10)
    result = correlated_t_test(x, rho=0.1, interval_levels=[0.5, 0.9]).datasets
    scale = x.std(ddof=1) * np.sqrt(1 / 10 + 0.1 / 0.9)
    for interval in result.intervals:
        low, high = float(interval.low[0]), float(interval.high[0])
        distribution = student(9, loc=x.mean(), scale=scale)
        assert distribution.cdf(high) - distribution.cdf(low) == pytest.approx(interval.level)
        assert distribution.pdf(low) == pytest.approx(distribution.pdf(high))


def test_nhst_against_scipy() -> None:
    """With ρ = 0 the corrected test is the ordinary paired t-test."""
    from scipy.stats import ttest_1samp

    x = np.random.default_rng(2).normal(0.01, 0.03, 30)
    result = correlated_t_test(x, rho=0).datasets
    scipy = [ttest_1samp(x, 0, alternative=side) for side in ("two-sided", "greater", "less")]
    ours = (result.nhst.p_value, result.nhst.p_right_better, result.nhst.p_left_better)
    for p_value, reference in zip(ours, scipy, strict=True):
        assert float(p_value[0]) == pytest.approx(reference.pvalue)
    assert result.nhst.p_value[0] == result.nhst_uncorrected.p_value[0]


@given(st.floats(-0.5, 0.5), st.floats(1e-4, 0.2), st.integers(3, 200))
def test_the_matching_prior_agrees_with_the_one_sided_test(mean: float, sd: float, n: int) -> None:
    """CB 2015, Corollary 1: P(μ > 0) is the one-sided p-value of "left is better"."""
    result = run(statistics_of([mean], sd, n))
    assert float(result.p_better[0]) == pytest.approx(float(result.nhst.p_left_better[0]))


@pytest.mark.parametrize(
    ("constant", "rope", "expected", "p_value"),
    [
        (0.0, 0.01, (0, 1, 0), 1.0),
        (0.0, 0.0, (0.5, 0, 0.5), 1.0),
        (0.25, 0.01, (0, 0, 1), 0.0),
        (-0.25, 0.01, (1, 0, 0), 0.0),
        (0.01, 0.01, (0, 1, 0), 0.0),
    ],
)
def test_a_constant_difference_is_a_point(
    constant: float, rope: float, expected: tuple[float, ...], p_value: float
) -> None:
    result = correlated_t_test(np.full(100, constant), rho=0.1, rope=rope)
    assert (tuple(result.probabilities), result.datasets.nhst.p_value[0]) == (expected, p_value)
    assert [note.code for note in result.notes] == ["zero-variance"]


def test_a_proper_prior_leaves_no_point() -> None:
    """With b > 0 the prior itself says that differences vary."""
    prior = NormalGamma(k0=1.0, a=1.0, b=0.01)
    p = correlated_t_test(np.full(10, 0.02), rho=0.1, prior=prior).datasets.probabilities
    assert 0 < p.rope[0] < 1


def test_small_probabilities_keep_their_digits() -> None:
    """The rope's share far out in the tail is small, not zero by cancellation."""
    p = run(statistics_of([0.3], 0.01)).probabilities
    assert 0 < float(p.rope[0]) < 1e-20
    assert 0 < float(p.left[0]) < 1e-20


@pytest.mark.parametrize("mean", [0.0, 1e308])
@pytest.mark.parametrize("k0", [1.1e-100, 1e308])
@pytest.mark.parametrize("a", [-0.5, 1e-300, 1e9])
@pytest.mark.parametrize("b", [0.0, 5e-324, 1e308])
def test_extreme_priors_give_probabilities_or_are_refused(
    mean: float, k0: float, a: float, b: float
) -> None:
    method = CorrelatedT(prior=NormalGamma(mean=mean, k0=k0, a=a, b=b))
    for differences in ([0.01, 0.02, 0.04], [0.0, 0.0, 0.0], [1e100, -2e100, 3e100]):
        statistics = SufficientStatistics.from_differences(differences, 0.1)
        try:
            p = method.test(statistics, Rope(-0.01, 0.01)).probabilities
        except InputError:
            continue
        assert p.left + p.rope + p.right == pytest.approx(1)


def test_sensitivity_is_the_test_with_that_correlation() -> None:
    x = np.random.default_rng(4).normal(0.01, 0.03, (3, 100))
    statistics = SufficientStatistics.from_differences(x, [0.1, 0.2, 0.5])
    result = CorrelatedT(sensitivity=True).test(statistics, Rope.of(0.01)).datasets.sensitivity
    assert [other.factor for other in result] == [0.5]  # twice 0.5 is no correlation
    statistics = SufficientStatistics.from_differences(x, [0.1, 0.2, 0.4])
    result = CorrelatedT(sensitivity=True).test(statistics, Rope.of(0.01)).datasets.sensitivity
    assert {other.name: other.factor for other in result} == {"ρ/2": 0.5, "2ρ": 2.0}
    for other in result:
        rho = other.factor * statistics.rho
        expected = correlated_t_test(x, rho=rho, rope=0.01).datasets.probabilities
        np.testing.assert_array_equal([other.p_left, other.p_rope, other.p_right], [*expected])


def test_a_frame_has_its_numbers_and_not_its_labels() -> None:
    rows = np.random.default_rng(0).normal(0, 0.001, (2, 10))
    frame = pd.DataFrame(rows, columns=[f"fold {i}" for i in range(10)])
    for table, plain in ((frame, rows), (frame.iloc[0], rows[0])):
        one, other = (correlated_t_test(x, rho=0.1).datasets for x in (table, plain))
        np.testing.assert_array_equal([*one.probabilities], [*other.probabilities])


def solved(
    rates: tuple[float, float], items: int, answers: int, rng: np.random.Generator
) -> FloatArray:
    """Differences of pass@5 of two models; the second makes a fifth more errors."""
    wrong = 1 - rng.beta(*rates, items)
    values = []
    for rate in (wrong, np.minimum(1.2 * wrong, 1)):
        count = rng.binomial(answers, rate)
        values.append(1 - comb(count, 5) / comb(answers, 5))
    return np.asarray(values[1] - values[0])


@pytest.mark.parametrize("answers", [10, 20])
@pytest.mark.parametrize("items", [200, 500])
def test_a_note_says_where_few_items_decide(items: int, answers: int) -> None:
    rng = np.random.default_rng([items, answers])

    def speaks(rates: tuple[float, float]) -> float:
        codes = []
        for _ in range(60):
            statistics = replace(
                SufficientStatistics.from_differences(solved(rates, items, answers, rng), 0.0),
                unit=ITEM,
                binary=np.zeros(1, np.bool_),
            )
            codes.append(
                {note.code for note in CorrelatedT().test(statistics, Rope.symmetric(0.01)).notes}
            )
        return float(np.mean(["few-decisive" in own for own in codes]))

    assert speaks((9.0, 1.0)) >= 0.95  # where the interval covers 76 to 87 %
    assert speaks((1.0, 1.0)) == 0  # where it covers 94 %
