"""The effects over data sets: weights, shrinkage and gaps, by formulas and SciPy."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr

from bcompare.data.rope import FloatArray
from bcompare.ranking.effects import BANKS, NEW, SHRINKAGE, Effects, fillings, normal_banks


def uneven() -> tuple[FloatArray, FloatArray]:
    """Return (7, 4) means of data sets with very different noise, and the noise."""
    rng = np.random.default_rng(3)
    noise = np.array([0.0, 1e-4, 1e-4, 4e-4, 9e-4, 16e-4, 36e-4])
    means = 0.7 + rng.normal(0, 0.03, (7, 4))
    means += np.sqrt(noise)[:, None] * rng.standard_normal((7, 4))
    return means, noise


def test_data_sets_weigh_by_their_scatter_and_noise() -> None:
    means, noise = uneven()
    row_free = means - means.mean(axis=1, keepdims=True)
    # of three contrasts, as the four columns of each row have one sum
    total = row_free.var(axis=0, ddof=1).sum() / 3
    tau2 = total - noise.mean()
    assert tau2 > 0.05 * total  # not at its bound
    weights = 1 / (tau2 + noise)
    weights /= weights.sum()
    model = Effects.of(means, noise)
    np.testing.assert_allclose(model.centre @ model.axes, weights @ row_free)
    assert model.pooled == pytest.approx(weights @ noise)
    assert model.effective == pytest.approx(1 / (weights**2).sum())
    assert model.count == pytest.approx(model.effective - 1)
    covariance = model.axes.T @ np.diag(model.scatter / model.count) @ model.axes
    np.testing.assert_allclose(covariance, np.cov(row_free.T, aweights=weights), atol=1e-12)


def test_two_data_sets_leave_one_degree_of_freedom_however_they_weigh() -> None:
    means, _ = uneven()
    model = Effects.of(means[:2], np.array([0.0, 0.1]))
    assert model.effective < 1.9
    assert model.count == 1


def test_the_covariance_is_drawn_towards_a_sphere_by_shares_that_are_evenly_spread() -> None:
    """The mean of an inverse Wishart posterior is one of the prior's mean and the scatter's."""
    means, noise = uneven()
    model = Effects.of(means, noise)
    p = len(model.scatter)
    shares = []
    for dof, size in zip(model.dof, model.size, strict=True):
        degrees = dof + p - 1
        prior_mean = size / (degrees - p - 1)
        posterior_mean = (size + model.scatter) / (degrees + model.count - p - 1)
        observed = model.scatter / model.count
        share = (posterior_mean - observed) / (prior_mean - observed)
        assert np.ptp(share) < 1e-9
        shares.append(share[0])
    np.testing.assert_allclose(np.unique(np.round(shares, 9)), SHRINKAGE)


def test_within_its_strata_each_bank_is_random() -> None:
    places = ndtr(normal_banks(5)[:, :NEW]) * NEW
    within = (places % 1).mean(axis=1)
    # the mean of so many uniform numbers, 160 times
    assert within.shape == (BANKS, 5)
    assert np.abs(within - 0.5).max() < 4 * math.sqrt(1 / 12 / NEW)


def test_the_numbers_of_all_banks_are_symmetric_without_their_mirrors() -> None:
    numbers = np.sort(normal_banks(3)[:, :NEW].reshape(-1, 3), axis=0)
    np.testing.assert_allclose(numbers, -numbers[::-1], atol=1e-9)


def test_what_is_lacking_has_students_distribution_of_the_least_squares() -> None:
    """Of two data sets and three classifiers: one degree of freedom, and one of the prior."""
    means = np.array([[0.70, 0.80, 0.90], [0.60, 0.71, np.nan]])
    present = ~np.isnan(means)
    rng = np.random.default_rng(1)
    drawn = np.array([table[1, 2] for _ in range(500) for table in fillings(means, present, rng)])
    # the residuals of rows and columns without the gap, by the sum of the two classifiers
    interaction = (means[1, 1] - means[1, 0]) - (means[0, 1] - means[0, 0])
    squares = interaction**2 / 4
    rows = [means[0], means[1, :2]]
    scatter = np.concatenate([row - row.mean() for row in rows])
    variance = (squares + (scatter**2).mean()) / 2
    # the second level, by two, and the third effect, by the first data set
    fit = means[1, :2].mean() + means[0, 2] - means[0, :2].mean()
    expected = stats.t(2, fit, math.sqrt(variance * (1 + 1 / 2 + 1 + 1 / 2)))
    assert stats.kstest(drawn, expected.cdf).statistic < 2 / math.sqrt(len(drawn))
