"""The joint posterior of the means on one data set: its parts against formulas of pairs."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from bcompare.data.rope import FloatArray
from bcompare.methods.correlated_t import correlated_t_test
from bcompare.ranking.joint_means import AccuracyMeans, JointMeans, StudentMeans, joint_means

RHO = 0.1
DRAWS = 10_000
# The distance between a distribution and so many draws is larger once in 1,500 times.
FAR = 2 / math.sqrt(DRAWS)


def folds(n: int, c: int) -> FloatArray:
    """Return scores of c classifiers on n folds."""
    return np.random.default_rng(0).normal(0.7, 0.03, (n, c))


def answers(n: int, c: int) -> FloatArray:
    """Return answers of c models to n items, 1 where right."""
    return (np.random.default_rng(0).random((n, c)) < 0.7).astype(np.float64)


def posterior(table: FloatArray, *, right_or_wrong: bool = False) -> JointMeans:
    """Return the joint posterior of all columns."""
    return joint_means(table, np.arange(table.shape[1]), RHO, right_or_wrong=right_or_wrong)


@pytest.mark.parametrize("n", [2, 3, 12])
def test_the_difference_of_two_is_students_of_all_folds_but_one(n: int) -> None:
    table = folds(n, 3)
    joint = posterior(table)
    assert joint.rows == n
    draws = joint.draw(np.random.default_rng(1), DRAWS)[:, joint.expand]
    difference = table[:, 1] - table[:, 0]
    error = difference.std(ddof=1) * math.sqrt(1 / n + RHO / (1 - RHO))
    expected = stats.t(n - 1, difference.mean(), error)
    assert stats.kstest(draws[:, 1] - draws[:, 0], expected.cdf).statistic < FAR


def test_of_one_row_the_draws_are_its_scores() -> None:
    row = np.array([[0.7, 0.9, 0.8]])
    joint = posterior(row)
    draws = joint.draw(np.random.default_rng(1), 5)
    assert draws.shape == (5, 3)
    np.testing.assert_array_equal(draws[:, joint.expand], row.repeat(5, axis=0))


@pytest.mark.parametrize("n", [3, 10, 30])
def test_scores_that_never_vary_leave_no_noise_of_rounding(n: int) -> None:
    constant = np.tile([0.7, 0.1, 0.3], (n, 1))
    _, noise = posterior(constant).contrasts(np.arange(3))
    assert noise == 0


@pytest.mark.parametrize("c", [2, 3, 4])
def test_the_noise_of_folds_is_half_the_mean_variance_of_a_difference(c: int) -> None:
    table = folds(12, c)
    _, noise = posterior(table).contrasts(np.arange(c))
    variances = []
    for i, j in combinations(range(c), 2):
        pair = correlated_t_test(table[:, j] - table[:, i], rho=RHO).datasets.posterior
        variances.append(float(pair.scale[0]) ** 2)
    assert 2 * noise == pytest.approx(np.mean(variances))


@pytest.mark.parametrize("c", [2, 3, 4])
def test_the_noise_of_answers_counts_two_of_four_further_items_that_tell_two_apart(c: int) -> None:
    n = 40
    table = answers(n, c)
    _, noise = posterior(table, right_or_wrong=True).contrasts(np.arange(c))
    variances = []
    for i, j in combinations(range(c), 2):
        difference = table[:, j] - table[:, i]
        second = (np.abs(difference).sum() + 2) / (n + 4)
        variances.append((second - difference.mean() ** 2) / n)
    assert 2 * noise == pytest.approx(np.mean(variances))


@pytest.mark.parametrize("lost", [0.0, 1.0])
def test_accuracies_and_losses_count_two_of_four_further_items_right(lost: float) -> None:
    n = 6
    table = answers(n, 2) - lost
    joint = posterior(table, right_or_wrong=True)
    drawn = joint.draw(np.random.default_rng(1), DRAWS)[:, joint.expand]
    right = (table + lost).sum(axis=0)
    for k in range(2):
        # Beta of the right and the wrong answers, and of two of each
        accuracy = stats.beta(right[k] + 2, n - right[k] + 2)
        assert stats.kstest(drawn[:, k] + lost, accuracy.cdf).statistic < FAR


def test_those_that_are_the_same_have_no_contrasts() -> None:
    """Of folds without noise; of answers they could still differ on other items."""
    twins = folds(10, 1)[:, [0, 0, 0]]
    contrasts, noise = posterior(twins).contrasts(np.arange(3))
    assert (contrasts.tolist(), noise) == ([0, 0, 0], 0)
    lone = np.array([1])
    contrasts, noise = posterior(answers(10, 2), right_or_wrong=True).contrasts(lone)
    assert contrasts == [0]
    assert math.isfinite(noise)


def test_answers_are_weighed_exactly_as_long_as_their_patterns_are_few(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many items there are: three models have eight patterns."""
    table = answers(400, 3)
    monkeypatch.setattr("bcompare.ranking.joint_means.MOST_PATTERNS", 8)
    assert isinstance(posterior(table, right_or_wrong=True), AccuracyMeans)
    monkeypatch.setattr("bcompare.ranking.joint_means.MOST_PATTERNS", 7)
    assert isinstance(posterior(table, right_or_wrong=True), StudentMeans)
