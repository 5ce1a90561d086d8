"""Unusual means: which they are, by plain loops, and what they count for."""

import numpy as np
import pytest
from scipy.stats import halfcauchy, norm

from bcompare.data.rope import FloatArray
from bcompare.ranking.unusual import draw_share, excess_of

# Standard errors that a Monte Carlo figure may be off by: one in 15,000 is further.
FAR, DRAWS = 4.0, 40_000


def family(q: int, u: int, seed: int = 0) -> FloatArray:
    """Means whose first classifier leads by far, with interactions of 0.01."""
    rng = np.random.default_rng(seed)
    means = 0.7 + 0.05 * rng.standard_normal((q, 1)) + 0.01 * rng.standard_normal((q, u))
    means[:, 0] += 0.1
    return means


def by_loops(means: FloatArray, noise: FloatArray) -> FloatArray:
    """The definition, a mean at a time."""
    q, u = means.shape
    leader = int(np.argmax([means[:, k].mean() for k in range(u)]))
    others = [k for k in range(u) if k != leader]
    usual = {k: np.median([means[i, k] - means[i, leader] for i in range(q)]) for k in range(u)}
    distance = {
        (i, k): means[i, k] - means[i, leader] - usual[k] for i in range(q) for k in range(u)
    }
    squares = [distance[i, k] ** 2 for i in range(q) for k in others]
    chi2_median = norm.ppf(0.75) ** 2
    typical = max(np.median(squares) / chi2_median * q / (q - 1), 2 * noise.mean())
    result = np.zeros((q, u))
    for (i, k), d in distance.items():
        allowed = typical + 2 * max(noise[i] - np.median(noise), 0)
        if abs(d) > 4 * np.sqrt(allowed):
            result[i, k] = d
    return result


@pytest.mark.parametrize("q", [6, 7, 12])
@pytest.mark.parametrize("seed", range(4))
def test_unusual_means_are_those_of_the_definition(q: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    means = family(q, 4, seed)
    means[rng.integers(q), 1] -= 0.3
    means[rng.integers(q), 2] += 0.08
    noise = rng.uniform(0, 4e-4, q)
    excess = excess_of(means, noise)
    assert excess[:, 1].any()
    np.testing.assert_allclose(excess, by_loops(means, noise), rtol=1e-9, atol=1e-15)


def test_means_are_unusual_in_both_directions_and_the_leaders_by_all_others() -> None:
    means = family(9, 4)
    means[1, 1] -= 0.3
    means[2, 2] += 0.3
    means[3, 0] -= 0.3
    excess = excess_of(means, np.zeros(9))
    assert excess[1].nonzero()[0].tolist() == [1]
    assert excess[2].nonzero()[0].tolist() == [2]
    assert excess[3].nonzero()[0].tolist() == [1, 2, 3]
    assert (excess[1, 1] < -0.2, excess[2, 2] > 0.2) == (True, True)
    assert (excess[3, 1:] > 0.2).all()
    assert not excess[[0, 4, 5, 6, 7, 8]].any()


def test_a_noisy_data_set_is_not_unusual_for_its_noise() -> None:
    means = family(9, 4)
    means[4, 1:] += [0.06, -0.07, 0.05]
    noise = np.full(9, 1e-6)
    assert excess_of(means, noise)[4].any()
    noise[4] = 0.04**2
    assert not excess_of(means, noise)[4].any()


def test_of_few_data_sets_none_is_unusual() -> None:
    """With three data sets set apart so, the intervals of "behind" would cover 0.88 in place of
    0.96."""
    for q in (2, 3, 4, 5):
        means = family(q, 3)
        means[0, 1] -= 0.3
        assert not excess_of(means, np.zeros(q)).any()
    assert excess_of(np.vstack([means, family(1, 3, 1)]), np.zeros(6)).any()


def test_means_that_all_data_sets_share_have_no_excess_by_rounding() -> None:
    means = np.tile([0.9, 0.8, 0.7], (8, 1)) + 0.01 * np.arange(8)[:, None]
    assert not excess_of(means, np.zeros(8)).any()
    means[2, 1] -= 0.1
    assert excess_of(means, np.zeros(8)).nonzero() == (np.array([2]), np.array([1]))


@pytest.mark.parametrize("seed", range(3))
def test_the_share_that_counts_has_the_posterior_of_an_integral(seed: int) -> None:
    rng = np.random.default_rng(seed)
    excess = np.where(rng.random((10, 4)) < 0.1, -rng.uniform(0.1, 0.4, (10, 4)), 0.0)
    excess[0, 1] = -0.3
    drawn = draw_share(excess, np.random.default_rng(1), DRAWS)[:, 0]
    row_free = excess - excess.mean(axis=1, keepdims=True)
    mean = row_free.mean(axis=0)
    error = ((row_free - mean) ** 2).sum() / 3 / 9 / 10
    tau = np.sqrt(error) * np.geomspace(1e-4, 1e5, 100_001)
    # three independent contrasts of the mean excess
    density = halfcauchy.pdf(tau, scale=2 * np.sqrt(error)) * (tau**2 + error) ** -1.5
    density *= np.exp(-(mean**2).sum() / 2 / (tau**2 + error))
    mass = density * np.gradient(tau)
    mass /= mass.sum()
    share = tau**2 / (tau**2 + error)
    expected = float(mass @ share)
    spread = float(mass @ share**2) - expected**2
    # and a quantile of the prior's grid, of sixty
    assert abs(drawn.mean() - expected) < FAR * np.sqrt(spread / DRAWS) + 0.002
    assert drawn.var() == pytest.approx(spread, rel=0.05)
    assert ((drawn >= 0) & (drawn < 1)).all()


def test_one_that_often_falls_counts_for_more_than_each_falling_once() -> None:
    each, one = np.zeros((12, 4)), np.zeros((12, 4))
    each[[0, 1, 2], [1, 2, 3]] = -0.3
    one[[0, 1, 2, 3, 4], 1] = -0.3
    rng = np.random.default_rng(0)
    lucky, worse = (draw_share(excess, rng, DRAWS).mean() for excess in (each, one))
    assert lucky < 0.5 < worse
