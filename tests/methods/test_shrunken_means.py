"""Means drawn towards one another: the model by dense matrices and by quadrature."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import multivariate_normal, norm
from scipy.stats import t as student

from bcompare.data.rope import FloatArray
from bcompare.methods.best import MANY, Best, best_of
from bcompare.methods.correlated_t import correlated_t_test
from bcompare.methods.joint_means import JointMeans, joint_means
from bcompare.methods.shrunken_means import DOF, GRID, ShrunkenMeans, _Effects
from tests.methods.test_best import FAR, NAMES, folds, posteriors

DRAWS = 40_000


def model_of(datasets: list[JointMeans], c: int) -> _Effects:
    """What `ShrunkenMeans.of` makes of classifiers that all differ."""
    own = [dataset.contrasts(np.arange(len(dataset.columns))) for dataset in datasets]
    at, noise = [dataset.columns for dataset in datasets], np.array([v for _, v in own])
    return _Effects.of(at, [y for y, _ in own], noise, c)


def test_the_size_of_the_interaction_has_the_posterior_of_a_quadrature() -> None:
    """Two classifiers: a difference a data set, normal around an unknown one."""
    datasets = posteriors(folds(8, 2, 5))
    model = model_of(datasets, 2)
    differences = model.means[:, 1] - model.means[:, 0]
    scatter = model.scatter()

    def direct(tau: float) -> float:
        sd = np.sqrt(2 * (tau**2 + model.noise))
        centre = differences.mean()

        def likelihood(effect: float) -> float:
            return float(np.exp(np.sum(norm.logpdf(differences, effect, sd))))

        mass = quad(likelihood, centre - 0.3, centre + 0.3, points=[centre], epsabs=0)[0]
        return math.log(mass) + math.log(tau) + float(student.logpdf(tau / scatter, DOF))

    sizes = [0.05 * scatter, 0.3 * scatter, scatter, 3 * scatter]
    ours = [model.given(tau)[0] for tau in sizes]
    np.testing.assert_allclose(np.diff(ours), np.diff([direct(tau) for tau in sizes]), rtol=1e-6)


def dense(model: _Effects, tau: float, wide: float = 10.0) -> tuple[float, FloatArray, FloatArray]:
    """Log density of the means, and mean and covariance of all a_k + γ_ik, with wide priors."""
    q, c = model.present.shape
    n = q * c
    a = np.kron(np.ones((q, 1)), np.eye(c))
    level = np.kron(np.eye(q), np.ones((c, 1)))
    truth = wide**2 * a @ a.T + tau**2 * np.eye(n)
    seen = model.present.ravel() > 0
    noise = np.repeat(model.noise, c)
    cov = (truth + wide**2 * level @ level.T + np.diag(noise))[np.ix_(seen, seen)]
    y = model.means.ravel()[seen]
    gain = np.linalg.solve(cov, truth[seen]).T
    density = float(multivariate_normal.logpdf(y, np.zeros(len(y)), cov))
    return density, gain @ y, truth - gain @ truth[seen]


def test_draws_have_the_moments_of_dense_matrices_also_with_gaps() -> None:
    tables = folds(7, 4, 6, seed=3)
    tables[0][:, 3] = tables[4][:, 0] = np.nan
    datasets = posteriors(tables)
    model = model_of(datasets, 4)
    rng = np.random.default_rng(1)
    drawn = ShrunkenMeans.of(datasets, np.arange(4), DRAWS, rng)
    assert drawn is not None
    grid = GRID * model.scatter()
    parts = [dense(model, tau) for tau in grid]
    ours = np.array([model.given(tau)[0] for tau in grid])
    prior = np.log(grid) + student.logpdf(grid / model.scatter(), DOF)
    log = np.array([density for density, _, _ in parts]) + prior
    np.testing.assert_allclose(ours - ours[40], log - log[40], atol=1e-3)
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    for i, (left, right) in ((0, (0, 2)), (3, (1, 3)), (4, (1, 2))):
        contrast = np.zeros(28)
        contrast[4 * i + left], contrast[4 * i + right] = -1, 1
        means = np.array([contrast @ mean for _, mean, _ in parts])
        variances = np.array([contrast @ cov @ contrast for _, _, cov in parts])
        mean = weight @ means
        sd = math.sqrt(weight @ (variances + means**2) - mean**2)
        columns = datasets[i].columns.tolist()
        draws = drawn.draw(rng, i, slice(0, DRAWS))
        result = draws[:, columns.index(right)] - draws[:, columns.index(left)]
        assert abs(result.mean() - mean) < FAR * sd / math.sqrt(DRAWS)
        squares = (result - mean) ** 2
        assert abs(squares.mean() - sd**2) < FAR * squares.std() / math.sqrt(DRAWS)


def test_the_noise_of_two_is_half_that_of_the_t_test() -> None:
    (table,) = folds(1, 2, 12)
    own, noise = posteriors([table])[0].contrasts(np.arange(2))
    posterior = correlated_t_test(table[:, 1] - table[:, 0], rho=0.1).datasets.posterior
    assert 2 * noise == pytest.approx(posterior.scale[0] ** 2)
    assert own[1] - own[0] == pytest.approx(posterior.location[0])


def test_the_noise_of_few_right_or_wrong_items_is_that_of_their_posterior() -> None:
    rng = np.random.default_rng(0)
    table = (rng.random((20, 4)) < [0.9, 0.8, 0.8, 0.4]).astype(np.float64)
    dataset = joint_means(table, np.arange(4), 0.0, right_or_wrong=True)
    own, noise = dataset.contrasts(np.arange(4))
    means = dataset.draw(rng, DRAWS)[0][:, dataset.expand]
    means -= means.mean(axis=1, keepdims=True)
    sd = means.std(axis=0)
    np.testing.assert_array_less(np.abs(means.mean(axis=0) - own), FAR * sd / math.sqrt(DRAWS))
    assert noise == pytest.approx((sd**2).sum() / 3, rel=FAR / math.sqrt(DRAWS))


def test_from_many_data_sets_on_and_only_with_noise_means_are_shrunken() -> None:
    tables = folds(MANY, 3)
    many, few = (best_of(posteriors(tables[:q]), NAMES[:3], options=Best(draws=200))
                 for q in (MANY, MANY - 1))  # fmt: skip
    assert (many.shrunken, few.shrunken) == (True, False)
    assert (many.strength, few.strength) == (0.0, 0.5)
    means = [table.mean(axis=0)[None] for table in tables]
    assert not best_of(posteriors(means), NAMES[:3], options=Best(draws=200)).shrunken
    plain = best_of(posteriors(tables), NAMES[:3], options=Best(draws=200, shrink=False))
    assert not plain.shrunken


def test_hopeless_classifiers_are_not_lifted() -> None:
    """On no data set is the last one near the best: nothing that is printed says it could be."""
    tables = [np.column_stack([t, t[:, 0] - 0.5]) for t in folds(MANY, 3)]
    result = best_of(posteriors(tables), NAMES[:4], options=Best(draws=2_000))
    assert result.p_practically_best[3] == result.p_best[3] == 0
    assert result.rank_interval.low[3] == 4
