"""Two sides that share nothing: posteriors, intervals and p-values, each by a second way."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

import bcompare
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import Sides, SufficientStatistics
from bcompare.data.units import TRIAL
from bcompare.methods.correlated_t import CorrelatedT
from bcompare.methods.suite import SuiteAverage
from bcompare.methods.unpaired import (
    MOST_EXACT,
    boschloo,
    means_above,
    rates_above,
    unpaired_posterior,
)


def statistics(*pairs: tuple[FloatArray, FloatArray], binary: bool = False) -> SufficientStatistics:
    """The statistics of data sets, each of the scores of a left and a right side."""
    n = np.array([[len(left), len(right)] for left, right in pairs])
    mean = np.array([[left.mean(), right.mean()] for left, right in pairs])
    ss = np.array([[left.var() * len(left), right.var() * len(right)] for left, right in pairs])
    return SufficientStatistics.of_sides(
        tuple(map(str, range(len(pairs)))),
        Sides(n, mean, ss),
        mean[:, 1] - mean[:, 0],
        np.full(len(pairs), binary),
        TRIAL,
    )


def trials(successes: int, n: int) -> FloatArray:
    return np.repeat([1.0, 0.0], [successes, n - successes])


RATES = [
    ((14.5, 6.5), (17.5, 3.5)),
    ((0.5, 20.5), (3.5, 7.5)),
    ((20.5, 0.5), (20.5, 0.5)),
    ((1.0, 20.0), (18.0, 2.0)),
    ((150.5, 50.5), (2.5, 1.5)),
]


@pytest.mark.parametrize(("left", "right"), RATES)
@pytest.mark.parametrize("threshold", [-0.3, -0.01, 0.0, 0.01, 0.2])
def test_rates_are_those_of_a_direct_integral(
    left: tuple[float, float], right: tuple[float, float], threshold: float
) -> None:
    one, other = stats.beta(*left), stats.beta(*right)
    ends = [x for x in (threshold, 1 + threshold) if 0 < x < 1]
    expected, _ = integrate.quad(
        lambda a: other.pdf(a) * one.cdf(a - threshold), 0, 1, points=ends or None, limit=300
    )
    alpha, beta = np.array([[left[0], right[0]]]), np.array([[left[1], right[1]]])
    (p,) = rates_above(np.array([threshold]), alpha, beta)
    assert p == pytest.approx(expected, abs=1e-8)


def test_a_side_without_doubt_is_a_point() -> None:
    alpha, beta = np.array([[3.0, 8.0]]), np.array([[5.0, 0.0]])
    (p,) = rates_above(np.array([0.2]), alpha, beta)
    assert p == pytest.approx(stats.beta(3, 5).cdf(0.8))
    (p,) = rates_above(np.array([0.2]), alpha[:, ::-1], beta[:, ::-1])
    assert p == 0
    (p,) = rates_above(np.array([-0.2]), alpha[:, ::-1], beta[:, ::-1])
    assert p == pytest.approx(stats.beta(3, 5).sf(0.8))


@pytest.mark.parametrize(
    ("dof", "scale"), [((19, 4), (0.1, 0.3)), ((2, 1000), (1, 0.5)), ((1, 30), (0.01, 1))]
)
@pytest.mark.parametrize("distance", [-2.0, 0.0, 0.1, 1.0])
def test_means_are_those_of_a_direct_integral(
    dof: tuple[int, int], scale: tuple[float, float], distance: float
) -> None:
    one, other = stats.t(dof[0]), stats.t(dof[1])
    expected, _ = integrate.quad(
        lambda t: one.pdf(t) * other.sf((distance - scale[0] * t) / scale[1]),
        -np.inf,
        np.inf,
        limit=300,
    )
    numbers = np.array([dof], np.float64), np.array([scale], np.float64)
    (p,) = means_above(np.array([distance]), *numbers)
    assert p == pytest.approx(expected, abs=1e-8)


def test_two_cauchy_variables_add_up_to_one() -> None:
    (p,) = means_above(np.array([5.0]), np.ones((1, 2)), np.array([[1.0, 1.0]]))
    assert p == pytest.approx(0.5 - math.atan(2.5) / math.pi, rel=1e-10)


def test_a_mean_without_spread_leaves_a_student() -> None:
    (p,) = means_above(np.array([0.7]), np.array([[4.0, 9.0]]), np.array([[0.0, 0.5]]))
    assert p == pytest.approx(stats.t(9).sf(1.4))


COUNTS = [(14, 20, 17, 20), (0, 20, 3, 10), (20, 20, 19, 20), (60, 80, 40, 70), (0, 5, 0, 7)]


@pytest.mark.parametrize(("won", "n", "other", "m"), COUNTS)
def test_boschloo_is_scipys(won: int, n: int, other: int, m: int) -> None:
    table = [[won, other], [n - won, m - other]]
    p_value, p_right, p_left = boschloo((won, n - won), (other, m - other))
    assert p_right == pytest.approx(stats.boschloo_exact(table, "less").pvalue, abs=1e-6)
    assert p_left == pytest.approx(stats.boschloo_exact(table, "greater").pvalue, abs=1e-6)
    assert p_value == pytest.approx(stats.boschloo_exact(table).pvalue, abs=1e-6)


def test_many_trials_have_the_score_test() -> None:
    n = MOST_EXACT + 1
    p_value, p_right, p_left = boschloo((n // 2, n - n // 2), (n // 2 + 60, n - n // 2 - 60))
    common = (n // 2 + 30) / n
    z = 60 / n / math.sqrt(common * (1 - common) * 2 / n)
    assert p_right == pytest.approx(stats.norm.sf(z))
    assert p_left == pytest.approx(stats.norm.cdf(z))
    assert p_value == pytest.approx(2 * stats.norm.sf(z))
    many = statistics((trials(n // 2, n), trials(n // 2 + 60, n)), binary=True)
    assert CorrelatedT().test(many, Rope.symmetric(0.01)).tests == ("score test of two rates",)
    few = statistics((trials(3, 9), trials(5, 9)), binary=True)
    assert CorrelatedT().test(few, Rope.symmetric(0.01)).tests == ("Boschloo's exact test",)


def test_p_value_of_numbers_is_welchs() -> None:
    rng = np.random.default_rng(1)
    left, right = rng.normal(0, 1, 12), rng.normal(0.5, 3, 7)
    result = CorrelatedT().test(statistics((left, right)), Rope.symmetric(0.1))
    expected = stats.ttest_ind(right, left, equal_var=False)
    assert result.tests == ("Welch's t-test",)
    assert result.datasets.nhst.statistic[0] == pytest.approx(expected.statistic)
    assert result.datasets.nhst.p_value[0] == pytest.approx(expected.pvalue)


def test_regions_and_intervals_are_those_of_draws() -> None:
    rng = np.random.default_rng(2)
    left, right = rng.normal(0, 1, 9), rng.normal(0.5, 2, 6)
    posterior = unpaired_posterior(statistics((left, right)))
    p = posterior.regions(Rope.symmetric(0.3))
    count = 400_000
    draws = np.zeros(count)
    for side, sign in ((left, -1), (right, 1)):
        scale = side.std(ddof=1) / math.sqrt(len(side))
        draws += sign * (side.mean() + scale * rng.standard_t(len(side) - 1, count))
    error = 4 * 0.5 / math.sqrt(count)
    assert p.left[0] == pytest.approx((draws < -0.3).mean(), abs=error)
    assert p.right[0] == pytest.approx((draws > 0.3).mean(), abs=error)
    assert float(p.left[0] + p.rope[0] + p.right[0]) == pytest.approx(1)
    (interval,) = posterior.intervals([0.9])
    inside = (draws > interval.low[0]) & (draws < interval.high[0])
    assert inside.mean() == pytest.approx(0.9, abs=error)


def test_swapping_the_sides_swaps_the_probabilities() -> None:
    rng = np.random.default_rng(3)
    both = statistics((rng.normal(0, 1, 5), rng.normal(1, 2, 8)))
    p = unpaired_posterior(both).regions(Rope.symmetric(0.2))
    mirrored = unpaired_posterior(both.mirrored()).regions(Rope.symmetric(0.2))
    assert p.left[0] == mirrored.right[0]
    assert p.right[0] == mirrored.left[0]


@pytest.mark.parametrize("binary", [True, False])
def test_the_average_is_that_of_draws(binary: bool) -> None:
    rng = np.random.default_rng(4)
    pairs = [(trials(14, 20), trials(17, 20)), (trials(3, 10), trials(9, 30))]
    if not binary:
        pairs = [(rng.normal(0, 1, 6), rng.normal(0.4, 1, 9)) for _ in range(3)]
    posterior = unpaired_posterior(statistics(*pairs, binary=binary))
    average = SuiteAverage.of(posterior)
    count = 400_000
    draws = np.zeros(count)
    for left, right in pairs:
        for side, sign in ((left, -1), (right, 1)):
            own = side.mean() + side.std(ddof=1) / len(side) ** 0.5 * rng.standard_t(
                len(side) - 1, count
            )
            if binary:
                own = rng.beta(side.sum() + 0.5, len(side) - side.sum() + 0.5, count)
            draws += sign * own / len(pairs)
    error = 4 * 0.5 / math.sqrt(count)
    for threshold in (-0.05, 0.0, 0.1):
        assert average.p_above(threshold) == pytest.approx((draws > threshold).mean(), abs=error)
    assert average.error < 1e-6


def test_density_is_the_derivative() -> None:
    posterior = unpaired_posterior(statistics((trials(14, 20), trials(17, 20)), binary=True))
    x, density = posterior.curve(0)
    assert float(np.trapezoid(density, x)) == pytest.approx(1, abs=1e-3)
    step = 1e-4
    at = np.array([0.1])
    slope = (posterior.above(at - step) - posterior.above(at + step)) / (2 * step)
    assert float(np.interp(0.1, x, density)) == pytest.approx(slope[0], rel=1e-3)


def test_a_prior_of_differences_is_refused() -> None:
    both = statistics((trials(14, 20), trials(17, 20)), binary=True)
    prior = bcompare.NormalGamma(k0=1.0)
    with pytest.raises(bcompare.InputError, match="each side has Jeffreys' prior"):
        CorrelatedT(prior=prior).test(both, Rope.symmetric(0.01))
    with pytest.raises(bcompare.InputError, match="have none: leave it out"):
        CorrelatedT(sensitivity=True).test(both, Rope.symmetric(0.01))


def test_sides_that_never_vary_have_no_verdict() -> None:
    result = CorrelatedT().test(
        statistics((np.full(4, 2.0), np.full(5, 3.0))), Rope.symmetric(0.01)
    )
    assert result.datasets.withheld[0]
    assert [note.code for note in result.notes] == ["zero-variance"]


def test_a_point_beside_others_has_its_place_as_interval() -> None:
    varied = (np.array([1.0, 2.0, 4.0]), np.array([2.0, 3.0, 3.5]))
    points = (np.full(4, 2.0), np.full(5, 3.0))
    (both,) = unpaired_posterior(statistics(varied, points)).intervals([0.95])
    assert (both.low[1], both.high[1]) == (1.0, 1.0)
    (alone,) = unpaired_posterior(statistics(varied)).intervals([0.95])
    assert (both.low[0], both.high[0]) == pytest.approx((alone.low[0], alone.high[0]))


def test_a_point_has_no_curve() -> None:
    varied = np.random.default_rng(1).normal(0, 1, 9)
    posterior = unpaired_posterior(
        statistics((np.full(9, 0.3), np.full(9, 0.4)), (varied, varied + 0.1))
    )
    assert [len(part) for part in posterior.curve(0)] == [0, 0]
    assert [len(part) for part in posterior.curve(1)] == [401, 401]
