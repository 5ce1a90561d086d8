"""What must hold for any data: symmetries, units, order, repeated and pooled data sets."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from bcompare.data.rope import Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.model import HierarchicalResult
from tests.methods.hierarchical.examples import scaled, simulated, statistics_of, taken, triple

pytestmark = pytest.mark.slow

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


@given(problems(), ropes, st.randoms(use_true_random=False), st.sampled_from([1e-6, 0.1, 1e6]))
@settings(max_examples=8)
def test_sides_order_and_unit_change_nothing_else(
    statistics: SufficientStatistics, rope: Rope, random: Random, factor: float
) -> None:
    """The intervals too, which the conformance suite leaves out; sides and order to the bit."""
    one = Hierarchical().test(statistics, rope)
    assert_mirror_images(one, Hierarchical().test(statistics.mirrored(), rope.mirrored()))
    order = list(range(len(statistics)))
    random.shuffle(order)
    moved = Hierarchical().test(taken(statistics, order), rope)
    np.testing.assert_array_equal(triple(one.probabilities), triple(moved.probabilities))
    np.testing.assert_array_equal(one.datasets.delta_mean[order], moved.datasets.delta_mean)
    wide = Rope(rope.low * factor, rope.high * factor)
    other = Hierarchical().test(scaled(statistics, factor), wide)
    for name in ("probabilities", "theta_mean"):
        mine, theirs = triple(getattr(one, name)), triple(getattr(other, name))
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-9)
    mine, theirs = one.datasets.delta_mean * factor, other.datasets.delta_mean
    np.testing.assert_allclose(mine, theirs, rtol=1e-7)
    assert other.sigma0.median == pytest.approx(one.sigma0.median * factor, rel=1e-7)


def assert_mirror_images(one: HierarchicalResult, other: HierarchicalResult) -> None:
    for name in ("probabilities", "theta_mean"):
        np.testing.assert_array_equal(
            triple(getattr(one, name)), triple(getattr(other, name))[::-1]
        )
    mine, theirs = one.datasets, other.datasets
    np.testing.assert_array_equal(triple(mine.probabilities), triple(theirs.probabilities)[::-1])
    np.testing.assert_array_equal(mine.delta_mean, -theirs.delta_mean)
    np.testing.assert_array_equal(mine.mean_difference, -theirs.mean_difference)
    np.testing.assert_array_equal(mine.delta_sd, theirs.delta_sd)
    for level, interval in mine.delta_intervals.items():
        np.testing.assert_array_equal(interval, -theirs.delta_intervals[level][:, ::-1])
    assert one.delta0.mean == -other.delta0.mean
    assert one.delta0.median == -other.delta0.median
    assert one.delta0.sd == other.delta0.sd
    assert one.sigma0.mean == other.sigma0.mean
    assert one.p_delta0_positive == pytest.approx(1 - other.p_delta0_positive, abs=1e-15)


SYMMETRIC = {
    "pairs": statistics_of([0.02, -0.02, 0.003, -0.003, 0.0], [0.05, 0.05, 0.01, 0.01, 0.02]),
    "all-zero": statistics_of(np.zeros(6), 0.0),
    "all-zero-of-differing-n": statistics_of(np.zeros(4), [0.01, 0.03, 0.0, 0.02], [5, 9, 9, 30]),
}


@pytest.mark.parametrize("name", SYMMETRIC)
def test_data_that_are_their_own_mirror_image_favour_neither_side(name: str) -> None:
    statistics = SYMMETRIC[name]
    result = Hierarchical().test(statistics, ROPE)
    assert result.probabilities.left == result.probabilities.right
    assert result.theta_mean.left == result.theta_mean.right
    assert result.delta0.mean == 0
    assert result.p_delta0_positive == 0.5
    p = result.datasets.probabilities
    np.testing.assert_array_equal(p.left[statistics.mean == 0], p.right[statistics.mean == 0])
    assert_mirror_images(result, Hierarchical().test(statistics.mirrored(), ROPE))


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
