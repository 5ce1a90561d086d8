"""The effects of classifiers over data sets: each part against plain matrices or an integral."""

import math

import numpy as np
import pytest
from scipy.linalg import helmert
from scipy.special import ndtr
from scipy.stats import chi2, invgamma, multivariate_normal, norm

from bcompare.data.rope import FloatArray
from bcompare.ranking.contrasts import helmert_contrasts
from bcompare.ranking.effects import (
    BANKS,
    FILLINGS,
    NEW,
    SIZES,
    SPREADS,
    Effects,
    fillings,
    normal_banks,
)

# Standard errors that a Monte Carlo figure may be off by: one in 15,000 is further.
FAR, DRAWS = 4.0, 20_000


def scores(q: int, u: int, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    """(q, u) means with effects and interactions of the same size, and (q,) noise, one 0."""
    rng = np.random.default_rng(seed)
    noise = rng.uniform(0, 4e-4, q)
    noise[0] = 0
    means = 0.7 + rng.normal(0, 0.02, u) + rng.normal(0, 0.02, (q, u))
    return means + np.sqrt(noise)[:, None] * rng.standard_normal((q, u)), noise


def close(values: FloatArray, mean: float, sd: float) -> bool:
    return abs(float(values.mean()) - mean) < FAR * sd / math.sqrt(len(values))


def test_of_equal_noise_the_centre_is_the_mean_and_the_scatter_the_covariance() -> None:
    means, _ = scores(9, 4)
    model = Effects.of(means, np.full(9, 1e-4))
    row_free = means - means.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(model.centre @ model.axes, row_free.mean(axis=0))
    covariance = model.axes.T @ np.diag(model.scatter / model.count) @ model.axes
    np.testing.assert_allclose(covariance, np.cov(row_free.T), atol=1e-12)
    np.testing.assert_allclose(model.axes @ model.axes.T, np.eye(3), atol=1e-12)
    assert (model.effective, model.count) == pytest.approx((9, 8))


def test_the_evidence_is_the_integral_over_the_variance_of_two_classifiers() -> None:
    """With p = 1 the scatter is T times a χ², T inverse gamma."""
    means, noise = scores(6, 2)
    model = Effects.of(means, noise)
    n, (scatter,) = model.count, model.scatter
    grid = np.geomspace(1e-9, 1e2, 200_001)
    picked = np.arange(0, len(model.weight), 7)
    masses = []
    for g in picked:
        density = invgamma.pdf(grid, model.dof[g] / 2, scale=model.size[g] / 2)
        masses.append(np.trapezoid(density * chi2.pdf(scatter / grid, n) / grid, grid))
    expected = np.array(masses)
    np.testing.assert_allclose(
        model.weight[picked] / model.weight[picked].sum(), expected / expected.sum(), rtol=1e-4
    )


def test_draws_of_two_classifiers_have_the_posterior_of_a_grid() -> None:
    means, noise = scores(8, 2, seed=4)
    model = Effects.of(means, noise)
    effects, interaction = model.draw(np.random.default_rng(1), 4 * DRAWS)
    # T by its own posterior at each point, then ω and a in closed form
    rng = np.random.default_rng(2)
    at = rng.choice(len(model.weight), 4_000, p=model.weight)
    total = invgamma.rvs(
        (model.dof[at] + model.count) / 2,
        scale=(model.size[at] + model.scatter) / 2,
        random_state=rng,
    )
    (m,) = model.centre
    typical = float(model.scatter[0] / model.count / model.effective)
    spread = SPREADS**2 * max(m**2, typical)
    error = total[:, None] / model.effective
    odds = norm.pdf(m, 0, np.sqrt(error + spread)) * np.gradient(SPREADS)
    odds /= odds.sum(axis=1, keepdims=True)
    kept = spread / (spread + error)
    mean = float((odds * kept * m).sum(axis=1).mean())
    second = (odds * ((kept * m) ** 2 + kept * error)).sum(axis=1)
    sd = math.sqrt(float(second.mean()) - mean**2)
    spare = FAR * sd * math.sqrt(1 / len(effects) + 1 / len(total))
    assert abs(float(effects.mean()) - mean) < spare
    squares = effects[:, 0] ** 2
    wide = FAR * math.sqrt(squares.var() / len(squares) + second.var() / len(second))
    assert abs(float(squares.mean() - second.mean())) < wide
    expected = np.sqrt(np.maximum(total - model.pooled, 1e-3 * total))
    for share in (0.1, 0.5, 0.9):
        below = float((interaction[:, 0] < np.quantile(expected, share)).mean())
        assert abs(below - share) < FAR * math.sqrt(share * (1 - share) / len(total) * 1.1)


def test_means_without_noise_have_the_moments_of_dense_matrices() -> None:
    means, noise = scores(5, 4, seed=2)
    model = Effects.of(means, noise)
    effects, interaction = model.draw(np.random.default_rng(3), 1)
    rng = np.random.default_rng(4)
    many = np.repeat(effects, DRAWS, axis=0), np.repeat(interaction, DRAWS, axis=0)
    seen = model.seen(rng, *many)
    np.testing.assert_allclose(seen[:, 0], np.tile(model.means[0], (DRAWS, 1)))
    s = model.axes.T @ np.diag(interaction[0] ** 2) @ model.axes
    a = effects[0] @ model.axes
    for i in range(1, 5):
        # y = μ + ε of covariance v times the projection on contrasts
        v = noise[i] * (np.eye(4) - 0.25)
        gain = s @ np.linalg.pinv(s + v)
        mean, cov = a + gain @ (model.means[i] - a), s - gain @ s
        for k in range(4):
            assert close(seen[:, i, k], mean[k], math.sqrt(cov[k, k]))
            squares = (seen[:, i, k] - mean[k]) ** 2
            assert close(squares, cov[k, k], float(squares.std()))


def test_new_data_sets_have_the_interaction_around_the_effects() -> None:
    means, noise = scores(7, 4, seed=3)
    model = Effects.of(means, noise)
    effects, interaction = model.draw(np.random.default_rng(5), 2)
    normal = np.random.default_rng(6).standard_normal((DRAWS, 3))
    new = model.new(effects, interaction, normal)
    for t in range(2):
        s = model.axes.T @ np.diag(interaction[t] ** 2) @ model.axes
        drawn = multivariate_normal(effects[t] @ model.axes, s, allow_singular=True)
        np.testing.assert_allclose(new[t].mean(axis=0), drawn.mean, atol=FAR * 0.1 / DRAWS**0.5)
        np.testing.assert_allclose(np.cov(new[t].T), s, atol=0.05 * s.max())


def test_the_banks_of_normal_numbers_are_standard_normal_and_without_mean() -> None:
    banks = normal_banks(5)
    np.testing.assert_allclose(banks.mean(axis=1), 0, atol=1e-12)
    flat = banks.reshape(-1, 5)
    np.testing.assert_allclose(np.cov(flat.T), np.eye(5), atol=FAR / math.sqrt(NEW * BANKS))
    strata = np.floor(ndtr(banks[:, :NEW]) * NEW)
    assert (np.sort(strata, axis=1) == np.arange(NEW)[:, None]).all()
    finer = np.floor(ndtr(banks[:, :NEW].reshape(-1, 5)) * NEW * BANKS)
    assert (np.sort(finer, axis=0) == np.arange(NEW * BANKS)[:, None]).all()


@pytest.mark.parametrize("count", [2, 3, 7, 40])
def test_contrasts_are_those_of_scipy(count: int) -> None:
    assert (helmert_contrasts(count) == helmert(count)).all()


def test_what_a_data_set_lacks_is_drawn_from_least_squares() -> None:
    means, _ = scores(6, 4, seed=8)
    present = np.ones_like(means, dtype=np.bool_)
    present[1, 2] = present[4, 0] = present[4, 3] = False
    rng = np.random.default_rng(0)
    drawn = np.array([f for _ in range(200) for f in fillings(means, present, rng)])
    assert len(drawn) == 200 * FILLINGS
    assert (drawn[:, present] == means[present]).all()
    rows, columns = np.nonzero(present)
    design = np.zeros((len(rows), 10))
    design[np.arange(len(rows)), rows] = design[np.arange(len(rows)), 6 + columns] = 1
    fit, *_ = np.linalg.lstsq(design, means[present], rcond=None)
    left = means[present] - design @ fit
    dof = len(rows) - 6 - 4 + 1
    row_free = np.where(present, means, 0) - np.where(present, means, 0).sum(
        axis=1, keepdims=True
    ) / present.sum(axis=1, keepdims=True)
    variance = ((left**2).sum() + (row_free[present] ** 2).mean()) / (dof - 1)
    inverse = np.linalg.pinv(design.T @ design)
    for i, k in ((1, 2), (4, 0), (4, 3)):
        cell = np.zeros(10)
        cell[i] = cell[6 + k] = 1
        sd = math.sqrt(variance * (1 + cell @ inverse @ cell))
        assert close(drawn[:, i, k], float(cell @ fit), sd)
        assert drawn[:, i, k].std() == pytest.approx(sd, rel=0.1)
    (whole,) = fillings(means, np.ones_like(present), rng)
    assert whole is means


def test_the_grid_reaches_over_what_data_say() -> None:
    """At its ends the evidence is small, of data whose spread differs much between classifiers."""
    means, noise = scores(40, 6)
    means[:, 0] += np.random.default_rng(1).normal(0, 0.2, 40)
    weight = Effects.of(means, noise).weight.reshape(-1, len(SIZES)).sum(axis=0)
    assert max(weight[0], weight[-1]) < 0.01 * weight.max()


def test_data_sets_that_agree_by_chance_keep_their_noise() -> None:
    """Three data sets with the same means: their average is no surer than its noise allows."""
    means = np.tile([0.0, 0.05], (3, 1))
    noise = np.full(3, 0.04**2 / 2)  # of one classifier; of a difference 0.04²
    model = Effects.of(means, noise)
    effects, interaction = model.draw(np.random.default_rng(3), 20_000)
    difference = (effects @ model.axes) @ [-1.0, 1.0]
    assert difference.std() > 0.85 * 0.04 / np.sqrt(3)  # the prior of ω draws it together
    assert (interaction >= 0).all()
