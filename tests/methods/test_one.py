"""One data set: means drawn together, against plain integrals and simulation."""

import numpy as np
import pytest
from scipy.integrate import quad

from bcompare.data.rope import FloatArray
from bcompare.ranking.best import Best, best_of
from bcompare.ranking.joint_means import joint_means
from bcompare.ranking.one import draw_spread, drawn_together

FAR, DRAWS = 4.0, 40_000


def posterior_draws(mean: FloatArray, covariance: FloatArray, seed: int = 0) -> FloatArray:
    """Draws with exactly these moments."""
    rng = np.random.default_rng(seed)
    normal = rng.standard_normal((DRAWS, len(mean)))
    normal -= normal.mean(axis=0)
    normal = normal @ np.linalg.inv(np.linalg.cholesky(np.cov(normal.T))).T
    return np.asarray(mean + normal @ np.linalg.cholesky(covariance).T)


def test_the_spread_has_the_posterior_of_an_integral() -> None:
    centre, error = np.array([0.02, -0.01, 0.05]), np.array([1e-4, 4e-4, 2e-4])

    def density(tau: float) -> float:
        variance = tau**2 + error
        return float(np.prod(np.exp(-(centre**2) / variance / 2) / np.sqrt(variance)) * 1e-6)

    # the grid ends at eight times what the means show
    end = 8 * float(np.sqrt((centre**2).mean()))
    total, *moments = (
        quad(lambda tau, k=k: density(tau) * tau**k, 0, end, limit=500, epsabs=0)[0]
        for k in range(3)
    )
    mean = moments[0] / total
    sd = np.sqrt(moments[1] / total - mean**2)
    drawn = draw_spread(centre, error, np.random.default_rng(1), DRAWS)
    # the grid has 61 points
    assert abs(drawn.mean() - mean) < FAR * sd / np.sqrt(DRAWS) + 0.01 * mean


def test_of_equal_errors_and_many_rows_means_are_drawn_towards_their_mean() -> None:
    """The covariance is a multiple of I, so that all contrasts are drawn by the same factor."""
    mean, variance = np.array([0.7, 0.72, 0.75, 0.71, 0.69]), 1e-4
    draws = posterior_draws(mean, variance * np.eye(5))
    result = drawn_together(draws, 10**9, np.random.default_rng(2))
    centred = mean - mean.mean()
    squares = float((centred**2).sum())
    tau = np.geomspace(1e-5, 8 * np.sqrt(squares / 4), 20_001)
    density = (tau**2 + variance) ** -2.0 * np.exp(-squares / 2 / (tau**2 + variance))
    mass = density * np.gradient(tau)
    mass /= mass.sum()
    kept = tau**2 / (tau**2 + variance)
    np.testing.assert_allclose(result.mean(axis=0), float(mass @ kept) * centred, atol=2e-4)
    second = float(mass @ (kept * variance * 4 + kept**2 * squares))
    assert float((result**2).sum(axis=1).mean()) == pytest.approx(second, rel=0.03)


def test_near_twins_are_kept_where_a_common_factor_would_hide_them() -> None:
    """The difference of the first two has a hundredth of the variance of others."""
    covariance = 4e-4 * np.eye(6)
    covariance[0, 1] = covariance[1, 0] = 0.995 * 4e-4
    mean = np.array([0.70, 0.68, 0.69, 0.70, 0.68, 0.69])
    draws = posterior_draws(mean, covariance)
    result = drawn_together(draws, 2_000, np.random.default_rng(3))
    twins, others = result[:, 0] - result[:, 1], result[:, 3] - result[:, 4]
    assert twins.mean() > 0.015
    assert (twins > 0.01).mean() > 0.95
    assert others.mean() < 0.01


def test_of_fewer_rows_than_classifiers_no_direction_is_without_doubt() -> None:
    """Six folds of ten classifiers leave four directions in which the posterior has no spread."""
    table = 0.8 + 0.02 * np.random.default_rng(5).standard_normal((6, 10))
    draws = joint_means(table, np.arange(10), 0.1, right_or_wrong=False).draw(
        np.random.default_rng(0), DRAWS
    )
    before = np.linalg.eigvalsh(np.cov(draws.T))
    result = drawn_together(draws, 6, np.random.default_rng(1))
    after = np.linalg.eigvalsh(np.cov(result.T))
    assert (before[:4] < 1e-12).all()
    assert (after[1:] > 1e-6).all()  # the first is the common level


def test_constant_differences_leave_no_doubt() -> None:
    table = np.linspace(0.5, 0.7, 8)[:, None] + np.array([0.0, 0.05, 0.1])
    posterior = joint_means(table, np.arange(3), 0.1, right_or_wrong=False)
    result = best_of([posterior], ["a", "b", "c"], options=Best(draws=500))
    np.testing.assert_allclose(result.loss, [0.1, 0.05, 0.0], atol=1e-12)
    assert result.p_least_regret.tolist() == [0, 0, 1]
