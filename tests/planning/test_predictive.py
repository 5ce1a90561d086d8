"""Predictive draws leave the posterior as it is on average (a martingale)."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy import stats

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.simulated import SimulatedResults
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import ITEM
from bcompare.methods import load_method
from bcompare.methods.correlated_t import CorrelatedT
from bcompare.methods.interface import Method
from bcompare.planning.simulation import ENDLESS, Simulation, Spread, more_datasets, more_scores

ROPE = Rope.of(0.01)
TTEST = CorrelatedT(interval_levels=())
RNG = np.random.default_rng(5)
FOLDS = SufficientStatistics.from_differences([RNG.normal(0.012, 0.03, 30)], 0.1)
CLUSTERS = replace(
    SufficientStatistics.from_differences([RNG.normal(0.02, 0.03, 6)], 0.0), lost=np.array([2.5])
)
WORDS = SufficientStatistics(
    names=("items",),
    n=np.array([60]),
    mean=np.array([0.1]),
    ss=np.array([17.4]),
    rho=np.zeros(1),
    binary=np.ones(1, np.bool_),
    unit=ITEM,
)
SEVERAL = SufficientStatistics.from_differences(
    [RNG.normal(m, 0.03, 20) for m in RNG.normal(0.01, 0.02, 12)], 0.1
)


def present(method: Method, now: SufficientStatistics) -> FloatArray:
    now = now.in_equal_rows
    one = SimulatedResults(
        now.n[None, :],
        now.mean[None, :],
        now.ss[None, :],
        now.rho[None, :],
        now.binary[None, :],
        unit=now.unit,
    )
    return method.test_simulated(one, ROPE)


@pytest.mark.parametrize("now", [FOLDS, WORDS, CLUSTERS], ids=["folds", "0/1 items", "clusters"])
@pytest.mark.parametrize("factor", [1.5, 4.0, 50.0])
def test_more_scores_leave_the_probabilities_as_they_are_on_average(
    now: SufficientStatistics, factor: float
) -> None:
    result = TTEST.test_simulated(more_scores(now, factor, 10_000, np.random.default_rng(1)), ROPE)
    error = result.std(axis=1) / np.sqrt(result.shape[1])
    assert (abs(result.mean(axis=1) - present(TTEST, now)[:, 0]) < 4 * error + 1e-12).all()


def test_planned_verdicts_come_true_as_often_where_truths_are_close() -> None:
    """Without what other data sets say, large differences seen by chance are expected to stay."""
    rng, rho, noise, n = np.random.default_rng(7), 0.1, 0.1, 10
    planned: dict[bool, list[float]] = {False: [], True: []}
    true: list[bool] = []
    for _ in range(25):
        level = rng.normal(0, 0.05, 20) + rng.normal(0, noise * np.sqrt(rho / (1 - rho)), 20)
        first = [rng.normal(m, noise, n) for m in level]
        now = SufficientStatistics.from_differences(first, rho)
        both = [
            np.concatenate([own, rng.normal(m, noise, 2 * n)])
            for own, m in zip(first, level, strict=True)
        ]
        p = TTEST.test(SufficientStatistics.from_differences(both, rho), ROPE).datasets
        true += (np.maximum(p.probabilities.left, p.probabilities.right) > 0.95).tolist()
        for known, stated in planned.items():
            spread = Spread.of(now) if known else None
            for i in range(20):
                futures = more_scores(now.chosen([i]), 3.0, 150, rng, spread)
                result = TTEST.test_simulated(futures, ROPE)
                stated.append(float((np.maximum(result[0], result[2]) > 0.95).mean()))
    happened = np.array(true, dtype=np.float64)
    gaps = {}
    for known, chances in planned.items():
        likely = np.array(chances) > 0.5
        gaps[known] = (np.array(chances) - happened)[likely].mean()
        error = 0.5 / np.sqrt(likely.sum())
    assert abs(gaps[True]) < 3 * error
    assert gaps[False] > 3 * error


def test_more_data_sets_leave_hier_as_it_is_on_average() -> None:
    method = load_method("hier")()
    futures = more_datasets(method, ROPE, SEVERAL, 12, 40, np.random.default_rng(2))
    result = method.test_simulated(futures, ROPE)
    error = result.std(axis=1) / np.sqrt(result.shape[1])
    assert (abs(result.mean(axis=1) - present(method, SEVERAL)[:, 0]) < 4 * error).all()


def test_sign_keeps_its_data_sets_probabilities() -> None:
    """A further data set falls in each region as often as the Dirichlet posterior's mean says."""
    futures = more_datasets(
        load_method("sign")(), ROPE, SEVERAL, 1, 20_000, np.random.default_rng(3)
    )
    further = futures.mean[:, -1]
    counts = np.array([(SEVERAL.mean < -0.01).sum(), 0, (SEVERAL.mean > 0.01).sum()])
    counts[1] = 12 - counts.sum()
    expected = (counts + np.array([0, 0.5, 0])) / 12.5
    seen = [(further < -0.01).mean(), (abs(further) <= 0.01).mean(), (further > 0.01).mean()]
    assert np.abs(seen - expected).max() < 4 * 0.5 / np.sqrt(20_000)


def test_pooled_statistics_are_those_of_all_scores_together() -> None:
    """The second way: added scores drawn one by one, and everything computed from the scores."""
    rng = np.random.default_rng(4)
    scores = np.random.default_rng(6).normal(0.01, 0.02, 12)
    now = SufficientStatistics.from_differences([scores], 0.1)
    drawn = []
    for _ in range(4000):
        variance = now.ss[0] / rng.chisquare(11)
        level = rng.normal(now.mean[0], np.sqrt(variance / 12))
        added = rng.normal(level, np.sqrt(variance), 24)
        both = SufficientStatistics.from_differences([np.concatenate([scores, added])], 0.1)
        drawn.append((both.mean[0], both.ss[0]))
    ours = more_scores(now, 3.0, 4000, np.random.default_rng(7))
    assert (ours.n == 36).all()
    for k, result in enumerate((ours.mean[:, 0], ours.ss[:, 0])):
        assert stats.ks_2samp(result, [row[k] for row in drawn]).pvalue > 1e-3


def test_no_number_of_runs_goes_below_the_floor() -> None:
    endless = more_scores(FOLDS, ENDLESS, 2000, np.random.default_rng(8)).flat()
    spread = endless.standard_error / endless.sd
    assert spread == pytest.approx(np.sqrt(0.1 / 0.9), rel=1e-4)
    # where the mean ends up is a Student about the present one, by the spread of the folds
    z = (endless.mean - FOLDS.mean[0]) / (FOLDS.sd[0] / np.sqrt(30))
    assert stats.kstest(z, stats.t(29).cdf).pvalue > 1e-3


def test_what_has_no_spread_stays_so() -> None:
    now = SufficientStatistics.from_differences([[0.0, 0.0, 0.0], [0.1, 0.1, 0.1]], 0.1)
    futures = more_scores(now, 2.0, 10, np.random.default_rng(9))
    assert (futures.ss == 0).all()
    assert (futures.mean == now.mean).all()


def test_poisson_says_nothing_of_further_data_sets() -> None:
    with pytest.raises(ValueError, match="says nothing about the next data set"):
        more_datasets(load_method("poisson")(), ROPE, SEVERAL, 3, 2, np.random.default_rng(0))


def test_processes_change_no_bit() -> None:
    method = load_method("signrank")().economical()
    draws = (partial(more_scores, SEVERAL, 2.0), partial(more_datasets, method, ROPE, SEVERAL, 6))
    one, two = (Simulation(method, ROPE, 60, 3, jobs).run(draws, 200_000) for jobs in (1, 2))
    for a, b in zip(one, two, strict=True):
        assert np.array_equal(a.left, b.left)
        assert np.array_equal(a.right, b.right)
        assert len(a.left) == 60


@pytest.mark.parametrize("test", ["sign", "poisson"])
@pytest.mark.parametrize("rope", [ROPE, Rope.of((-0.002, 0.02)), Rope.of(0.0)], ids=str)
def test_simulated_results_have_the_answers_of_each_by_itself(test: str, rope: Rope) -> None:
    method = load_method(test)()
    futures = more_scores(SEVERAL, 2.0, 40, np.random.default_rng(12))
    ss = np.where(np.arange(40)[:, None] < 3, 0.0, futures.ss)
    for results in (replace(futures, ss=ss), futures.chosen(np.array([7, 3]))):
        exact = Method.test_simulated(method, results, rope)
        assert np.array_equal(method.test_simulated(results, rope), exact, equal_nan=True)


@pytest.mark.parametrize("factor", [2.0, 4.0, 20.0])
def test_what_a_plan_states_comes_true_after_pilots_of_five(factor: float) -> None:
    """If true differences and logarithms of spreads are equally probable, as a plan assumes.

    Their ranges are wide, and few are near their ends.
    """
    rng = np.random.default_rng(11)
    count, n, rope = 20_000, 5, Rope.of(0.01)
    delta = rng.uniform(-0.2, 0.2, count)
    sd = 0.02 * np.exp(rng.uniform(-2.5, 2.5, (count, 1)))
    pilot = delta[:, None] + sd * rng.standard_normal((count, n))
    now = SufficientStatistics.from_differences([*pilot], 0.0)
    method = CorrelatedT(interval_levels=())

    def decided(statistics: SufficientStatistics) -> FloatArray:
        p = method.test(statistics, rope).datasets.probabilities
        return np.asarray([region > 0.95 for region in p], dtype=np.float64)

    stated = decided(more_scores(now, factor, 1, rng).flat())
    added = round((factor - 1) * n)
    later = np.concatenate([pilot, delta[:, None] + sd * rng.standard_normal((count, added))], 1)
    true = decided(SufficientStatistics.from_differences([*later], 0.0))
    for ours, theirs in zip(stated, true, strict=True):
        share = float(theirs.mean())
        error = float(np.sqrt(2 * share * (1 - share) / count))
        assert float(ours.mean()) == pytest.approx(share, abs=4 * error + 1e-9)
