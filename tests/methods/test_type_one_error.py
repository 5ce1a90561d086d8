"""How often the frequentist tests reject where there is nothing to find, by simulation."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from bcompare.methods.correlated_t import correlated_t_test
from bcompare.methods.wilcoxon import binomial_sign_test, midranks, wilcoxon
from bcompare.ranking.ranks import critical_difference, friedman_test, iman_davenport_test

REPLICATES = 2000
# Four standard errors of a rejection rate of 5 % in so many replicates.
FOUR_ERRORS = 4 * (0.05 * 0.95 / REPLICATES) ** 0.5


@pytest.mark.parametrize(("n", "rho"), [(100, 0.1), (10, 0.1), (20, 0.5), (30, 0.0)])
def test_differences_of_one_correlation_reject_in_five_percent(n: int, rho: float) -> None:
    """x_j = √ρ a + √(1 - ρ) b_j, a and b_j standard normal: equally correlated by ρ."""
    rng = np.random.default_rng(n)
    shared = rng.normal(size=(REPLICATES, 1))
    x = np.sqrt(rho) * shared + np.sqrt(1 - rho) * rng.normal(size=(REPLICATES, n))
    nhst = correlated_t_test(x, rho=rho).datasets.nhst
    for p_value in (nhst.p_value, nhst.p_right_better, nhst.p_left_better):
        assert abs(np.mean(p_value <= 0.05) - 0.05) < FOUR_ERRORS


RANKS = midranks(np.random.default_rng(13).normal(size=(REPLICATES, 30, 4)))
NORMAL = np.random.default_rng(5).normal(size=(REPLICATES, 54))
P_VALUES: dict[str, Callable[[], list[float]]] = {
    "wilcoxon": lambda: [wilcoxon(z, exact=False).p_value for z in NORMAL],
    "wilcoxon-exact": lambda: [wilcoxon(z, exact=True).p_value for z in NORMAL],
    "friedman": lambda: [friedman_test(r).p_value for r in RANKS],
    "iman-davenport": lambda: [iman_davenport_test(friedman_test(r), 30, 4).p_value for r in RANKS],
}


@pytest.mark.parametrize("name", P_VALUES)
def test_five_percent_of_equal_classifiers_are_told_apart(name: str) -> None:
    rejected = np.mean(np.array(P_VALUES[name]()) <= 0.05)
    assert abs(rejected - 0.05) < FOUR_ERRORS


def test_the_binomial_sign_test_rejects_as_its_discreteness_allows() -> None:
    """With 54 data sets the largest attainable size up to 5 % is P(min ≤ 19) = 0.0402."""
    size = 2 * stats.binom.cdf(19, 54, 0.5)
    assert size < 0.05 < 2 * stats.binom.cdf(20, 54, 0.5)
    rejected = np.mean([binomial_sign_test(z).p_value <= 0.05 for z in NORMAL])
    assert abs(rejected - size) < 4 * (size * (1 - size) / REPLICATES) ** 0.5


def test_nemenyi_keeps_the_family_wise_error() -> None:
    """The largest difference of mean ranks exceeds the critical one in 5 % of families."""
    tables = np.random.default_rng(17).normal(size=(REPLICATES, 50, 5))
    mean_ranks = midranks(tables).mean(axis=1)
    rejected = np.mean(np.ptp(mean_ranks, axis=1) >= critical_difference(5, 50, 0.05))
    assert abs(rejected - 0.05) < FOUR_ERRORS
