"""Which classifier is best: options, limits and small answers, computed a second way."""

import math
import re

import numpy as np
import pytest
from scipy import stats

from bcompare.basis.messages import InputError
from bcompare.data.rope import FloatArray
from bcompare.methods.correlated_t import correlated_t_test
from bcompare.ranking.best import HELD, MOST_BYTES, Best, BestResult, best_of, check_memory
from bcompare.ranking.joint_means import JointMeans, joint_means

NAMES = ("a", "b", "c", "d")
# Standard errors that a Monte Carlo figure may be off by: one in 15,000 is further.
FAR = 4.0
DRAWS = 40_000


def folds(seed: int = 0) -> FloatArray:
    """Scores of two classifiers on 12 folds, the second a little better."""
    rng = np.random.default_rng(seed)
    level = rng.normal(0.7, 0.05, (12, 1))
    return np.asarray(level + rng.normal([0.0, 0.01], 0.02, (12, 2)))


def on_one(table: FloatArray, rope: float = 0.01, level: float = 0.95) -> BestResult:
    """Judge the columns of a table, the folds of one data set."""
    c = table.shape[1]
    posterior = joint_means(table, np.arange(c), 0.1, right_or_wrong=False)
    return best_of([posterior], NAMES[:c], rope=rope, options=Best(draws=DRAWS, level=level))


def test_a_hundred_draws_are_the_fewest() -> None:
    assert Best(draws=100).draws == 100
    with pytest.raises(InputError, match="give at least 100"):
        Best(draws=99)


@pytest.mark.parametrize("c", [2, 3, 7])
def test_draws_that_do_not_fit_into_memory_are_refused(c: int) -> None:
    each = np.dtype(np.float64).itemsize * HELD * c
    fit = MOST_BYTES // each
    check_memory(fit, c)
    with pytest.raises(InputError, match=f"give at most {fit},"):
        check_memory(fit + 1, c)
    with pytest.raises(InputError, match=f"about {10 * MOST_BYTES / 10**9:.0f} GB") as refusal:
        check_memory(10 * fit, c)
    match = re.search(r"Monte Carlo error is about (\S+)$", str(refusal.value))
    assert match
    largest = stats.binom.std(fit, 0.5) / fit
    assert float(match[1]) == pytest.approx(largest, rel=0.05)


def test_the_error_is_that_of_a_probability_of_a_half() -> None:
    assert on_one(folds()).error == pytest.approx(stats.binom.std(DRAWS, 0.5) / DRAWS)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95])
def test_the_interval_of_a_loss_leaves_equal_tails_of_students_posterior(level: float) -> None:
    table = folds()
    result = on_one(table, level=level)
    assert result.leader == 1
    posterior = correlated_t_test(table[:, 1] - table[:, 0], rho=0.1).datasets.posterior
    location = float(posterior.location[0])
    scale = float(posterior.scale[0])
    loss = stats.t(len(table) - 1, location, scale)
    tail = (1 - level) / 2
    spare = FAR * math.sqrt(tail * (1 - tail) / DRAWS)
    interval = result.loss_interval
    assert interval.level == level
    assert abs(loss.cdf(interval.low[0]) - tail) < spare
    assert abs(loss.sf(interval.high[0]) - tail) < spare


def test_without_a_rope_those_that_tie_are_better_by_the_toss_of_a_coin() -> None:
    table = folds()
    with_twin = table[:, [0, 1, 1]]
    pairs = on_one(with_twin, rope=0.0).pairs
    assert (pairs.left[1, 2], pairs.rope[1, 2], pairs.right[1, 2]) == (0.5, 0.0, 0.5)
    better = correlated_t_test(table[:, 1] - table[:, 0], rho=0.1).datasets.p_better[0]
    spare = FAR * math.sqrt(better * (1 - better) / DRAWS)
    for twin in (1, 2):
        assert abs(pairs.left[twin, 0] - better) < spare
        assert pairs.left[twin, 0] + pairs.left[0, twin] == pytest.approx(1)


def on(*present: str) -> list[JointMeans]:
    """Data sets that each have the classifiers of these letters."""
    rng = np.random.default_rng(0)
    tables = rng.normal(0.7, 0.02, (len(present), 10, 4))
    columns = [np.array([NAMES.index(letter) for letter in letters]) for letters in present]
    return [
        joint_means(table, of_set, 0.1, right_or_wrong=False)
        for table, of_set in zip(tables, columns, strict=True)
    ]


def test_the_data_sets_of_each_classifier_are_counted() -> None:
    result = best_of(on("abcd", "abd", "ab"), NAMES, options=Best(draws=100))
    assert result.n_datasets.tolist() == [3, 3, 1, 2]


def test_of_groups_that_no_data_set_joins_that_of_the_first_classifier_is_named_first() -> None:
    said = "no data set joins 2 classifiers (a, c) and 2 classifiers (b, d): "
    with pytest.raises(InputError, match=re.escape(said)):
        best_of(on("bd", "ac"), NAMES)
