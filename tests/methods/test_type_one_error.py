"""How often the correlated t-test rejects where there is nothing to find, by simulation."""

import numpy as np
import pytest

from bcompare.methods.correlated_t import correlated_t_test
from tests.methods.common import FOUR_ERRORS, REPLICATES


@pytest.mark.parametrize(("n", "rho"), [(100, 0.1), (10, 0.1), (20, 0.5), (30, 0.0)])
def test_differences_of_one_correlation_reject_in_five_percent(n: int, rho: float) -> None:
    """x_j = √ρ a + √(1 - ρ) b_j, a and b_j standard normal: equally correlated by ρ."""
    rng = np.random.default_rng(n)
    shared = rng.normal(size=(REPLICATES, 1))
    x = np.sqrt(rho) * shared + np.sqrt(1 - rho) * rng.normal(size=(REPLICATES, n))
    nhst = correlated_t_test(x, rho=rho).datasets.nhst
    for p_value in (nhst.p_value, nhst.p_right_better, nhst.p_left_better):
        assert abs(np.mean(p_value <= 0.05) - 0.05) < FOUR_ERRORS


def test_without_the_correction_far_too_many_are_rejected() -> None:
    rng = np.random.default_rng(1)
    x = np.sqrt(0.1) * rng.normal(size=(REPLICATES, 1)) + np.sqrt(0.9) * rng.normal(
        size=(REPLICATES, 100)
    )
    p_value = correlated_t_test(x, rho=0.1).datasets.nhst_uncorrected.p_value
    assert np.mean(p_value <= 0.05) > 0.5
