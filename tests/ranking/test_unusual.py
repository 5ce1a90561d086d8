"""Unusual means: just inside and just outside of the border, by the formula."""

import numpy as np
import pytest
from scipy.stats import norm

from bcompare.data.rope import FloatArray
from bcompare.ranking.unusual import excess_of

Q = 8
# Half of the other data sets is above the median, half below.
USUAL = np.array([-1, 1, -1, 1, -1, 1, 0])


def behind(usual: float, far: float) -> FloatArray:
    """Return means of a leader and another, which is far below its median on the last data set.

    usual : how far from the median it is on the others.
    """
    differences = np.append(usual * USUAL, 0.0)
    differences -= np.median(differences)
    differences[-1] = -far
    assert np.median(differences) == pytest.approx(0, abs=usual)
    return np.column_stack([np.full(Q, 0.9), 0.5 + differences])


def is_unusual(means: FloatArray, noise: FloatArray) -> bool:
    """Return whether the last mean of the second classifier is unusual, and no other."""
    excess = excess_of(means, noise)
    assert not excess[:-1].any()
    return bool(excess[-1, 1])


@pytest.mark.parametrize("times", [0.99, 1.01])
def test_the_border_is_four_robust_deviations(times: float) -> None:
    means = behind(0.01, 1.0)
    deviations = means[:, 1] - np.median(means[:, 1])
    robust = np.median(deviations**2) / norm.ppf(0.75) ** 2 * Q / (Q - 1)
    means[-1, 1] = np.median(means[:, 1]) - times * 4 * np.sqrt(robust)
    assert is_unusual(means, np.zeros(Q)) is (times > 1)


@pytest.mark.parametrize("times", [0.99, 1.01])
def test_the_border_is_four_errors_where_these_are_larger(times: float) -> None:
    noise = np.full(Q, 4e-4)
    far = times * 4 * np.sqrt(2 * 4e-4)
    assert is_unusual(behind(1e-3, far), noise) is (times > 1)


@pytest.mark.parametrize("times", [0.99, 1.01])
def test_a_noisy_data_set_has_a_wider_border(times: float) -> None:
    noise = np.full(Q, 4e-4)
    noise[-1] = 36e-4
    variance = 2 * noise.mean() + 2 * (36e-4 - 4e-4)
    assert is_unusual(behind(1e-3, times * 4 * np.sqrt(variance)), noise) is (times > 1)


@pytest.mark.parametrize("scale", [1.0, 1e6])
@pytest.mark.parametrize("times", [0.99, 1.01])
def test_of_means_that_all_share_rounding_is_not_unusual(scale: float, times: float) -> None:
    means = behind(0.0, times * 4e-9 * 0.9)
    assert is_unusual(scale * means, np.zeros(Q)) is (times > 1)
