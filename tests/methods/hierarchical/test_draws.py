"""The answer from draws of the posterior, on draws whose distribution is known."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from bcompare.basis.errors import ComputationError
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.canonical import Canonical, canonical
from bcompare.methods.hierarchical.diagnostics import share_error
from bcompare.methods.hierarchical.model import HierarchicalResult, ModelData, model_data
from bcompare.methods.hierarchical.priors import nu_prior
from bcompare.methods.hierarchical.sampling.stan import Draws, answer, slots
from tests.methods.hierarchical.examples import statistics_of

CHAINS, LENGTH = 4, 2000
SIZE = CHAINS * LENGTH
ROPE = Rope(-0.01, 0.01)
MEANS = np.array([0.004, 0.012, -0.003, 0.012, 0.03, 0.0])


def statistics(means: FloatArray = MEANS) -> SufficientStatistics:
    return statistics_of(means, 0.02)


def problem(
    given: SufficientStatistics, rope: Rope = ROPE, prior: str = "corani"
) -> tuple[ModelData, Canonical]:
    data = model_data(given, rope, nu_prior=nu_prior(prior))
    return data, canonical(data, rope)


def independent_draws(form: Canonical, seed: int = 0) -> Draws:
    """Independent draws, not from the model's posterior, but from distributions that are known.

    In the scores' unit: δ0 ~ N(0.008, 0.004), log σ0 ~ N(log 0.01, 0.3), log(ν - 1) ~ N(1, 0.5),
    δ_k ~ N(0.002 k, 0.01) for the k-th data set sampled.
    """
    rng = np.random.default_rng(seed)
    shape, q = (CHAINS, LENGTH), len(form.place)
    sign = -1 if form.lean < 0 else 1
    return Draws(
        delta0=sign * rng.normal(0.008, 0.004, shape) / form.unit,
        sigma0=0.01 * np.exp(rng.normal(0, 0.3, shape)) / form.unit,
        nu=1 + np.exp(rng.normal(1, 0.5, shape)),
        delta=sign * (0.002 * np.arange(q) + rng.normal(0, 0.01, (*shape, q))) / form.unit,
        energy=rng.normal(size=shape),
        divergent=np.zeros(shape),
    )


def test_probabilities_are_shares_of_the_draws_in_which_a_region_is_the_largest() -> None:
    """The definition (Corani 2017, §3.1), a draw at a time with SciPy's Student."""
    rope = Rope(-0.005, 0.012)
    data, form = problem(statistics(), rope)
    draws = independent_draws(form)
    result = answer(data, form, draws)
    sign = -1 if form.lean < 0 else 1
    assert draws.nu is not None
    student = stats.t(draws.nu, sign * draws.delta0 * form.unit, draws.sigma0 * form.unit)
    wins, thetas = np.zeros(3), np.zeros(3)
    for low, high in zip(
        np.ravel(student.cdf(rope.low)), np.ravel(student.cdf(rope.high)), strict=True
    ):
        theta = np.array([low, high - low, 1 - high])
        wins[theta.argmax()] += 1 / SIZE
        thetas += theta / SIZE
    p, theta_mean = result.probabilities, result.theta_mean
    assert (p.left, p.rope, p.right) == pytest.approx(wins, abs=1e-9)
    assert (theta_mean.left, theta_mean.rope, theta_mean.right) == pytest.approx(thetas)


@pytest.fixture(scope="module")
def result() -> HierarchicalResult:
    data, form = problem(statistics())
    return answer(data, form, independent_draws(form))


def test_summaries_of_the_parameters(result: HierarchicalResult) -> None:
    """Against the distributions that the draws come from, within four Monte Carlo errors."""
    assert result.delta0.mean == pytest.approx(0.008, abs=4 * 0.004 / math.sqrt(SIZE))
    assert result.delta0.sd == pytest.approx(0.004, rel=4 / math.sqrt(2 * SIZE))
    p = stats.norm.sf(0, 0.008, 0.004)
    assert result.p_delta0_positive == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / SIZE))
    assert result.nu is not None
    for marginal, exact in (
        (result.delta0, stats.norm(0.008, 0.004)),
        (result.sigma0, stats.lognorm(0.3, scale=0.01)),
        (result.nu, stats.lognorm(0.5, loc=1, scale=math.e)),
    ):
        for level, ends in marginal.intervals.items():
            for p, end in zip(((1 - level) / 2, (1 + level) / 2), ends, strict=True):
                assert exact.cdf(end) == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / SIZE))
        assert exact.cdf(marginal.median) == pytest.approx(0.5, abs=2 / math.sqrt(SIZE))


def test_curves_of_the_parameters(result: HierarchicalResult) -> None:
    assert result.nu is not None
    for marginal, exact in (
        (result.delta0, stats.norm(0.008, 0.004)),
        (result.sigma0, stats.lognorm(0.3, scale=0.01)),
        (result.nu, stats.lognorm(0.5, loc=1, scale=math.e)),
    ):
        curve = marginal.density
        assert (np.diff(curve.grid) > 0).all()
        assert (np.diff(curve.cdf) >= 0).all()
        assert np.trapezoid(curve.density, curve.grid) == pytest.approx(1, abs=1e-3)
        # the CDF is one smoothed by 0.15 standard deviations (Silverman's bandwidth for so many
        # draws): off by b² max|f'|/2 < 0.15² 0.25/2, and by the draws' own noise
        assert curve.cdf == pytest.approx(exact.cdf(curve.grid), abs=0.003 + 2 / math.sqrt(SIZE))
        integral = np.concatenate(
            [[0], np.cumsum(np.diff(curve.grid) * (curve.density[1:] + curve.density[:-1]) / 2)]
        )
        assert curve.cdf == pytest.approx(integral, abs=2e-3)


def test_the_next_data_set_is_a_mixture_of_students() -> None:
    """Against direct averages over the draws that the curve uses, every eighth one."""
    data, form = problem(statistics())
    draws = independent_draws(form)
    curve = answer(data, form, draws).next_delta
    assert draws.nu is not None
    sign = -1 if form.lean < 0 else 1
    student = stats.t(
        draws.nu.ravel()[::8],
        sign * draws.delta0.ravel()[::8] * form.unit,
        draws.sigma0.ravel()[::8] * form.unit,
    )
    for k in range(0, curve.grid.size, 20):
        assert curve.cdf[k] == pytest.approx(student.cdf(curve.grid[k]).mean(), abs=1e-12)
        assert curve.density[k] == pytest.approx(student.pdf(curve.grid[k]).mean(), rel=1e-9)
    assert curve.cdf[0] < 0.01
    assert curve.cdf[-1] > 0.99
    assert curve.grid[0] < MEANS.min()
    assert curve.grid[-1] > MEANS.max()


def test_data_sets_are_read_from_their_own_draws() -> None:
    data, form = problem(statistics())
    draws = independent_draws(form)
    found = answer(data, form, draws).datasets
    order, place = slots(form)
    sign = -1 if form.lean < 0 else 1
    assert sorted(MEANS[order]) == sorted(MEANS)
    for i in range(6):
        assert data.statistics.mean[order[place[i]]] == MEANS[i]
        delta = sign * form.unit * draws.delta[:, :, place[i]].ravel()
        assert found.delta_mean[i] == pytest.approx(delta.mean(), abs=1e-15)
        assert found.delta_sd[i] == pytest.approx(delta.std(ddof=1))
        assert found.probabilities.left[i] == pytest.approx(np.mean(delta < -0.01))
        assert found.probabilities.right[i] == pytest.approx(np.mean(delta > 0.01))
        assert found.delta_intervals[0.9][i] == pytest.approx(np.quantile(delta, [0.05, 0.95]))
    p = found.probabilities
    assert p.left + p.rope + p.right == pytest.approx(np.ones(6))
    assert (found.mean_difference == MEANS).all()


def test_equal_data_sets_have_equal_answers() -> None:
    data, form = problem(statistics())
    found = answer(data, form, independent_draws(form)).datasets
    assert found.delta_mean[1] == found.delta_mean[3]  # both have mean 0.012
    assert len(set(found.delta_mean)) == 5


def as_numbers(result: HierarchicalResult) -> list[float]:
    p, d = result.probabilities, result.datasets
    return [p.left, p.rope, p.right, result.delta0.mean, *d.delta_mean, *d.probabilities.right]


def test_order_of_the_data_sets_changes_no_bit() -> None:
    order = np.array([3, 5, 0, 4, 2, 1])
    straight, shuffled = problem(statistics()), problem(statistics(MEANS[order]))
    one = answer(*straight, independent_draws(straight[1]))
    other = answer(*shuffled, independent_draws(shuffled[1]))
    assert as_numbers(one)[:4] == as_numbers(other)[:4]
    assert (one.datasets.delta_mean[order] == other.datasets.delta_mean).all()


def test_swapping_left_and_right_mirrors_every_bit() -> None:
    straight, swapped = problem(statistics()), problem(statistics(0.0 - MEANS))
    assert straight[1].lean == -swapped[1].lean != 0
    # one sampler run serves both: they are one problem in canonical form
    draws = independent_draws(straight[1])
    one, other = answer(*straight, draws), answer(*swapped, draws)
    assert one.probabilities.left == other.probabilities.right
    assert one.probabilities.rope == other.probabilities.rope
    assert one.delta0.mean == -other.delta0.mean
    assert (one.datasets.delta_mean == -other.datasets.delta_mean).all()
    assert (one.datasets.probabilities.left == other.datasets.probabilities.right).all()
    assert one.sampler == other.sampler


def test_data_that_are_their_own_mirror_image_favour_no_side() -> None:
    data, form = problem(statistics(np.array([-0.02, 0.02, 0.0])))
    result = answer(data, form, independent_draws(form))
    assert result.probabilities.left == result.probabilities.right
    assert result.datasets.delta_mean[0] == -result.datasets.delta_mean[1]


def test_without_a_rope_left_and_right_share_all() -> None:
    data, form = problem(statistics(), Rope(0, 0))
    result = answer(data, form, independent_draws(form))
    assert result.probabilities.rope == 0
    # without a rope the side of δ0 decides
    assert result.probabilities.right == result.p_delta0_positive
    assert (result.datasets.probabilities.rope == 0).all()


def test_the_gaussian_prior_has_no_nu() -> None:
    data, form = problem(statistics(), prior="gaussian")
    draws = replace(independent_draws(form), nu=None)
    result = answer(data, form, draws)
    assert result.nu is None
    sign = -1 if form.lean < 0 else 1
    normal = stats.norm(sign * draws.delta0 * form.unit, draws.sigma0 * form.unit)
    assert result.theta_mean.right == pytest.approx(np.mean(normal.sf(0.01)))


def test_the_error_of_a_share() -> None:
    rng = np.random.default_rng(1)
    won = (rng.random((4, 5000)) < 0.3).astype(np.float64)
    p = won.mean()
    # the effective size of independent draws is estimated to a few percent: Sokal 1997
    assert share_error(won) == pytest.approx(math.sqrt(p * (1 - p) / won.size), rel=0.1)
    blocks = np.repeat(won, 25, axis=1)  # 25 times as many draws, but no more information
    assert share_error(blocks) == pytest.approx(share_error(won), rel=0.15)
    assert 0 < share_error(np.ones((4, 5000))) < 1 / 20_000


def test_good_draws_give_a_verdict_and_the_error_of_the_least_certain_region(
    result: HierarchicalResult,
) -> None:
    assert result.error is not None
    assert result.error.kind == "monte-carlo"
    p = result.probabilities
    largest = max(math.sqrt(x * (1 - x) / SIZE) for x in (p.left, p.rope, p.right))
    assert result.error.value == pytest.approx(largest, rel=0.1)
    assert (result.withheld, result.notes) == (None, ())
    assert result.sampler is not None
    assert result.sampler.draws == SIZE


def test_bad_draws_withhold_the_verdict_and_say_why() -> None:
    data, form = problem(statistics())
    draws = independent_draws(form)
    divergent = draws.divergent.copy()
    divergent[1, 5:8] = 1
    stuck = draws.delta.copy()
    stuck[0, :, 0] += 1
    result = answer(data, form, replace(draws, divergent=divergent, delta=stuck))
    assert result.sampler is not None
    name = data.statistics.names[slots(form)[0][0]]
    assert result.sampler.r_hat_of == f"δ of data set {name}"
    assert result.withheld is not None
    assert "R-hat" in result.withheld
    assert "3 of 8000 transitions diverged" in result.withheld
    (note,) = result.notes
    assert (note.code, note.severity) == ("sampler", "warning")
    assert "take more draws (draws)" in note.message
    assert result.withheld in note.message


def test_draws_that_say_nothing_are_refused() -> None:
    data, form = problem(statistics())
    draws = independent_draws(form)
    delta = draws.delta.copy()
    delta[0, 0, 0] = math.nan
    with pytest.raises(ComputationError, match="not numbers"):
        answer(data, form, replace(draws, delta=delta))
    with pytest.raises(ComputationError, match="do not move"):
        answer(data, form, replace(draws, sigma0=np.ones_like(draws.sigma0)))
