"""The claims about the average of several data sets, step by step."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import ITEM, RUN
from bcompare.gating import monotone
from bcompare.gating.suites import Suite
from bcompare.methods.paired_binary import matching_posterior

ROPE = Rope(-0.01, 0.01)


def suite(*differences: FloatArray, rho: float = 0.0) -> Suite:
    """The claims on data sets with these differences."""
    statistics = SufficientStatistics.from_differences(list(differences), rho)
    return Suite.of(matching_posterior(statistics), statistics)


def average(judged: Suite, rope: Rope = ROPE) -> RegionProbabilities[float]:
    p, withheld = judged.average(rope)
    assert withheld is None
    return p


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(-0.05, -0.03, "left"), (-0.02, 0.02, "rope"), (0.01, 0.05, "right")],
)
def test_equal_differences_on_all_data_sets_have_the_evidence_of_signs(
    low: float, high: float, expected: str
) -> None:
    judged = suite(np.full(6, low), np.full(3, high))
    tail = 0.5 ** (9 / math.sqrt(2))
    if expected == "rope":
        assert tuple(average(judged)) == pytest.approx((tail, 1 - 2 * tail, tail))
        none = tuple(average(judged, Rope(0.0, 0.0)))
        assert none == pytest.approx((0.5, 0.0, 0.5))
        return
    p = average(judged)
    left = 1 - tail
    if expected == "left":  # these losses may be so by chance, and are then none
        chance = 0.5**6 + 0.5**3
        left = (1 - chance) * (1 - tail)
        assert tuple(p) == pytest.approx((left, (1 - left) / 2, (1 - left) / 2))
        empty = average(judged, Rope(0.0, 0.0))
        assert empty.rope == 0
        assert empty.right == pytest.approx(1 - empty.left)
    else:
        assert tuple(p) == pytest.approx((tail, 0.0, left), abs=1e-9)


@pytest.mark.parametrize("spread", [0.001, 0.2])
def test_losses_that_may_be_equal_by_chance_count_as_none_with_that_chance(spread: float) -> None:
    noise = np.random.default_rng(1).normal(0, spread, 10)
    varied = -0.02 + noise - noise.mean()
    judged = suite(np.full(3, -0.05), varied)
    before = monotone.cut(judged._sides(ROPE.low), judged._sides(ROPE.high), ROPE)
    assert (before.left > 0.9) == (spread < 0.01)
    # without the first data set's losses the average is on the border: half of it is below
    expected = 0.125 * 0.5 + 0.875 * before.left
    assert average(judged).left == pytest.approx(expected)


def test_equal_gains_are_no_losses_by_chance() -> None:
    noise = np.random.default_rng(1).normal(0, 0.1, 10)
    judged = suite(np.full(3, 0.09), -0.13 + noise - noise.mean())
    p = monotone.cut(judged._sides(ROPE.low), judged._sides(ROPE.high), ROPE)
    assert 0.5 < p.left < 0.99
    assert tuple(average(judged)) == tuple(p)


def test_losses_on_many_small_data_sets_may_all_be_by_chance() -> None:
    losses = [np.full(3, -0.05)] * 9  # the chance of one is ⅛
    noise = np.random.default_rng(1).normal(0, 0.001, 10)
    judged = suite(*losses, -0.9 + noise)
    alone = suite(*[np.zeros(3)] * 9, -0.9 + noise)
    expected = monotone.cut(alone._sides(ROPE.low), alone._sides(ROPE.high), ROPE).left
    assert average(judged).left == pytest.approx(max(expected, 0.5), abs=1e-3)


def test_data_sets_without_correlation_have_one_error() -> None:
    rng = np.random.default_rng(2)
    one = suite(rng.normal(0, 1, 10), rho=0.1)
    two = suite(rng.normal(0, 1, 10), rng.normal(0, 1, 10), rho=0.1)
    assert one.allowance.spread == 0
    assert two.allowance.spread == monotone.SPREAD


def test_the_average_of_whole_runs_is_students_of_their_averages() -> None:
    rng = np.random.default_rng(3)
    runs = rng.normal(0.02, 0.01, (3, 6))
    folds = SufficientStatistics.from_differences(list(runs), 0.0)
    statistics = SufficientStatistics(
        folds.names, folds.n, folds.mean, folds.ss, folds.rho, folds.binary, RUN, folds.source
    )
    judged = Suite.of(matching_posterior(statistics), statistics)
    of_runs = runs.mean(axis=0)
    error = of_runs.std(ddof=1) / math.sqrt(6)
    p = average(judged)
    assert p.left == pytest.approx(stats.t.cdf((-0.01 - of_runs.mean()) / error, 5))
    assert p.right == pytest.approx(stats.t.sf((0.01 - of_runs.mean()) / error, 5))


def tails(judged: Suite, border: float) -> tuple[float, float]:
    """The smaller side of the sample at hand, and of the best one, with one error."""
    student = judged.student
    statistics = judged.statistics
    (errors,), _ = judged.allowance.errors(statistics.n[student], statistics.rho[student])
    return judged._tails(border, errors)


def test_to_the_best_samples_tail_is_added_what_the_search_for_it_costs() -> None:
    judged = suite(np.array([-0.3, -0.05, -0.06]), np.array([-0.04, -0.05, -0.045]))
    of_sample, best = tails(judged, ROPE.low)
    cost = 4 / 2**7  # of six values
    assert best + cost < of_sample
    assert judged._sides(ROPE.low) == pytest.approx((1 - best - cost, best + cost))


def test_beside_items_the_best_sample_is_found_that_a_scan_of_all_finds() -> None:
    right_alone = np.repeat([1.0, -1.0, 0.0], [3, 6, 31])
    graded = np.array([-0.9, -0.2, -0.25, -0.3, -0.28, -0.22])

    def judged(differences: FloatArray) -> Suite:
        folds = SufficientStatistics.from_differences([right_alone, differences], 0.0)
        statistics = replace(folds, binary=np.array([True, False]), unit=ITEM)
        return Suite.of(matching_posterior(statistics), statistics)

    def z(sample: Suite) -> float:
        """How far the average is below the border, in its standard errors."""
        error = math.sqrt((sample.posterior.scale**2).sum()) / 2
        return float(ROPE.low - sample.posterior.location.mean()) / error

    samples = [judged(np.maximum(graded, least)) for least in np.linspace(-0.9, -0.21, 200)]
    furthest = max(samples, key=z)
    of_sample, best = tails(judged(graded), ROPE.low)
    assert best == pytest.approx(tails(furthest, ROPE.low)[0], rel=0.02)
    assert best < 0.1 * of_sample
