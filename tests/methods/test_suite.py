"""The average over these data sets: against closed forms, and against draws."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import gammaln, kve

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.correlated_t import CorrelatedT
from bcompare.methods.paired_binary import PRIOR, ItemPosterior, PairedBinaryPosterior
from bcompare.methods.student import StudentPosterior
from bcompare.methods.suite import ERRORS, TABLE, SuiteAverage, _log_student

ROPE = Rope(-0.01, 0.01)
DRAWS = 200_000


def student(dof: FloatArray, location: FloatArray, scale: FloatArray) -> StudentPosterior:
    return StudentPosterior(*(np.asarray(x, dtype=np.float64) for x in (dof, location, scale)))


def some(q: int, dof: float, seed: int) -> StudentPosterior:
    rng = np.random.default_rng(seed)
    scale = 0.02 * np.exp(rng.normal(0, 0.5, q))
    return student(np.full(q, dof), rng.normal(0.003, 0.01, q), scale)


@pytest.mark.parametrize("dof", [2, 3, 4, 9, 99, 5000])
def test_of_one_data_set_it_is_the_student_itself(dof: int) -> None:
    posterior = some(1, dof, seed=dof)
    average = SuiteAverage.of(posterior)
    own = posterior.regions(ROPE)
    result = average.regions(ROPE)
    allowed = 1.1 * average.error
    assert result.left == pytest.approx(own.left[0], abs=allowed)
    assert result.rope == pytest.approx(own.rope[0], abs=2 * allowed)
    assert result.right == pytest.approx(own.right[0], abs=allowed)
    (interval,) = posterior.intervals([0.95])
    estimate = average.estimate()
    assert (estimate.low, estimate.high) == pytest.approx((interval.low[0], interval.high[0]))


def test_of_many_degrees_of_freedom_it_is_normal() -> None:
    posterior = some(7, 1e7, seed=2)
    average = SuiteAverage.of(posterior)
    sd = np.sqrt((posterior.scale**2).sum()) / 7
    for x in (-0.02, -0.01, 0.0, 0.01, 0.02):
        assert average.p_above(x) == pytest.approx(
            stats.norm.sf(x, posterior.location.mean(), sd), abs=1e-7
        )


@pytest.mark.parametrize(("q", "dof"), [(2, 4), (6, 2), (20, 99), (100, 9)])
def test_it_agrees_with_draws(q: int, dof: float) -> None:
    posterior = some(q, dof, seed=q)
    rng = np.random.default_rng(3)
    draws = np.zeros(DRAWS)
    for location, scale in zip(posterior.location, posterior.scale, strict=True):
        draws += location + scale * rng.standard_t(dof, DRAWS)
    draws /= q
    result = SuiteAverage.of(posterior).regions(ROPE)
    for p, share in ((result.left, (draws < -0.01).mean()), (result.right, (draws > 0.01).mean())):
        assert p == pytest.approx(share, abs=4.5 * np.sqrt(max(p * (1 - p), 1e-5) / DRAWS))
    assert result.left + result.rope + result.right == pytest.approx(1)


def items(q: int, seed: int) -> ItemPosterior:
    """Posteriors of 40 items each, of which a few are answered by one of the two alone."""
    rng = np.random.default_rng(seed)
    left: FloatArray = np.asarray(rng.integers(1, 7, q), np.float64)
    right: FloatArray = np.asarray(rng.integers(1, 10, q), np.float64)
    neither: FloatArray = 44 - left - right
    exact = PairedBinaryPosterior(left, neither, right)
    return ItemPosterior(np.full(q, np.nan), exact.mean, exact.sd, left, neither, right)


def test_of_few_items_on_one_data_set_it_is_the_exact_posterior() -> None:
    posterior = items(1, seed=1)
    average = SuiteAverage.of(posterior)
    result, own = average.regions(ROPE), posterior.regions(ROPE)
    assert result.left == pytest.approx(own.left[0], abs=1e-9)
    assert result.right == pytest.approx(own.right[0], abs=1e-9)


@pytest.mark.parametrize(
    "parameters",
    [
        *((1, 5, 1), (1, 2, 1), (1, 40, 1), (2, 40, 1), (1.2, 30, 1.1), (3, 3, 3)),
        (24, 5, 0),  # mean + 12 sd is exactly 0
    ],
)
def test_its_stated_error_is_a_bound_also_where_the_density_has_a_kink(
    parameters: tuple[float, float, float],
) -> None:
    left, neither, right = (np.array([float(x)]) for x in parameters)
    exact = PairedBinaryPosterior(left, neither, right)
    nothing = np.full(1, np.nan)
    average = SuiteAverage.of(ItemPosterior(nothing, exact.mean, exact.sd, left, neither, right))
    assert average.error < 2e-4
    for width in (0.0, 0.01, 0.05, 0.2):
        rope = Rope(-width, width)
        result, own = average.regions(rope), exact.regions(rope)
        assert abs(result.left - own.left[0]) <= average.error
        assert abs(result.right - own.right[0]) <= average.error


def test_items_and_folds_mix_as_their_draws_do() -> None:
    """The items share one prior (1, 2, 1), and the variance of few is corrected for."""
    exact, folds = items(4, seed=2), some(3, 9, seed=4)
    nothing = np.full(3, np.nan)
    posterior = ItemPosterior(
        np.concatenate([exact.dof, folds.dof]),
        np.concatenate([exact.location, folds.location]),
        np.concatenate([exact.scale, folds.scale]),
        np.concatenate([exact.left, nothing]),
        np.concatenate([exact.neither, nothing]),
        np.concatenate([exact.right, nothing]),
    )
    rng = np.random.default_rng(5)
    draws = folds.location.sum() + (folds.scale * rng.standard_t(9, (DRAWS, 3))).sum(axis=1)
    for parameters in zip(exact.left, exact.neither, exact.right, strict=True):
        shared = np.array(parameters) - 0.75 * np.array([1, 2, 1])
        theta = rng.dirichlet(shared, DRAWS)
        own = theta[:, 2] - theta[:, 0]
        mean = (shared[2] - shared[0]) / shared.sum()
        draws += mean + np.sqrt(1 + 1.5 / (sum(parameters) - 5)) * (own - mean)
    result = SuiteAverage.of(posterior).regions(ROPE)
    share = (draws / 7 > 0.01).mean()
    assert result.right == pytest.approx(share, abs=4.5 * np.sqrt(share * (1 - share) / DRAWS))


@pytest.mark.parametrize(
    ("q", "n", "truth", "discordant"),
    [
        (300, 20, -0.05, 0.2),
        (300, 5, 0.1, 0.3),
        (25, 20, -0.05, 0.2),
        (10, 50, -0.05, 0.06),
    ],
)
def test_averages_over_small_data_sets_of_items_cover(
    q: int, n: int, truth: float, discordant: float
) -> None:
    """In 93 to 97 % of 4,000 cases; its Monte Carlo error is 0.35 points."""
    rng = np.random.default_rng([q, n])
    shares = (discordant - truth) / 2, 1 - discordant, (discordant + truth) / 2
    counts = rng.multinomial(n, shares, size=(4_000, q)) + np.array(PRIOR)
    every = [PairedBinaryPosterior(*case.T).averaged(PRIOR) for case in counts]
    averages = PairedBinaryPosterior(
        *(
            np.concatenate([getattr(one, name) for one in every])
            for name in ("left", "neither", "right")
        )
    )
    above = averages.above(np.full(len(counts), truth))
    assert 0.93 <= ((above > 0.025) & (above < 0.975)).mean() <= 0.97


def test_points_only_shift_it() -> None:
    spread = student(np.array([9.0, 9.0]), np.array([0.01, 0.03]), np.array([0.02, 0.0]))
    average = SuiteAverage.of(spread)
    assert average.p_above(0.01) == pytest.approx(stats.t.sf((0.01 - 0.02) / 0.01, 9), abs=1e-9)
    point = SuiteAverage.of(student(np.array([9.0]), np.array([0.02]), np.array([0.0])))
    assert point.regions(ROPE).right == 1
    assert point.estimate().low == point.estimate().high == 0.02


@given(st.integers(2, 12), st.sampled_from([2.0, 4.0, 9.0, 50.0]), st.integers(0, 1000))
def test_swapping_the_sides_swaps_the_answer(q: int, dof: float, seed: int) -> None:
    posterior = some(q, dof, seed)
    mirrored = student(posterior.dof, -posterior.location, posterior.scale)
    one, other = (SuiteAverage.of(p).regions(ROPE) for p in (posterior, mirrored))
    assert one.left == pytest.approx(other.right, abs=1e-12)
    assert one.rope == pytest.approx(other.rope, abs=1e-12)


def test_without_any_spread_only_many_equal_scores_have_an_answer() -> None:
    few, many, worse, right = (
        SufficientStatistics.from_differences([np.full(10, difference)] * count, 0.1)
        for difference, count in ((0.0, 2), (0.0, 3), (-0.05, 3), (0.0, 3))
    )
    right = replace(right, binary=np.ones(3, np.bool_))
    pairs = (few, many, worse, right)
    answers = [CorrelatedT().test(pair, ROPE).over_these(pair) for pair in pairs]
    assert [answer is None for answer in answers] == [True, False, True, True]
    assert answers[1] is not None
    assert answers[1].regions(ROPE).rope == 1


@pytest.mark.parametrize("dof", [2.0, 3.0, 9.0, 99.0])
@pytest.mark.parametrize("top", [1.0, 30.0, 3000.0])
def test_the_characteristic_function_is_that_of_bessel(dof: float, top: float) -> None:
    """Many values come from a table; to a tenth of the smallest error that an average states."""
    u = top * np.linspace(1e-4, 1, TABLE + 5)
    z = np.sqrt(dof) * u
    expected = kve(dof / 2, z) * np.exp(
        dof / 2 * np.log(z) - z - gammaln(dof / 2) - (dof / 2 - 1) * np.log(2)
    )
    result = np.exp(_log_student(dof, u))
    np.testing.assert_allclose(result, expected, rtol=0, atol=ERRORS[0] / 10)
    few = np.exp(_log_student(dof, u[:: TABLE // 100]))
    np.testing.assert_allclose(result[:: TABLE // 100], few, rtol=0, atol=ERRORS[0] / 10)
