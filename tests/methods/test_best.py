"""Which classifier is best: the joint posterior against second ways of computing it."""

import math
from typing import Any

import numpy as np
import pytest

from bcompare.data.rope import FloatArray, Rope
from bcompare.methods.best import MANY, Best, BestResult, best_of
from bcompare.methods.correlated_t import correlated_t_test
from bcompare.methods.joint_means import AccuracyMeans, JointMeans, joint_means
from bcompare.methods.midranks import midranks
from bcompare.methods.paired_binary import PairedBinaryPosterior

NAMES = ("a", "b", "c", "d", "e", "f", "g", "h")
# Standard errors that a Monte Carlo figure may be off by: one in 15,000 is further.
FAR = 4.0


def posteriors(tables: list[FloatArray], rho: float = 0.1) -> list[JointMeans]:
    """Each table (n, c) as a posterior; a column of NaN is a classifier that is absent."""
    return [
        joint_means(table, np.flatnonzero(~np.isnan(table[0])), rho, right_or_wrong=False)
        for table in tables
    ]


def family(tables: list[FloatArray], rope: float = 0.01, **options: Any) -> BestResult:
    chosen = Best(**options)
    return best_of(posteriors(tables), NAMES[: tables[0].shape[1]], rope=rope, options=chosen)


def folds(q: int, c: int, n: int = 20, seed: int = 0) -> list[FloatArray]:
    rng = np.random.default_rng(seed)
    skill = rng.normal(0.75, 0.01, c)
    return [
        (skill + rng.normal(0, 0.02, c) + rng.normal(0, 0.04, (n, c))).round(4) for _ in range(q)
    ]


def brute_force(tables: list[FloatArray], rope: float, draws: int) -> dict[str, FloatArray]:
    """The definitions, a draw at a time, with a factorisation of the scale matrix."""
    rng = np.random.default_rng(12345)
    q, c = len(tables), tables[0].shape[1]
    result = {name: np.zeros((draws, c)) for name in ("theta", "phi", "rank", "regret")}
    for d in range(draws):
        w = rng.dirichlet([0.5, *[1.0] * q])
        result["rank"][d] = w[0] * (c + 1) / 2
        for weight, table in zip(w[1:], tables, strict=True):
            n = len(table)
            scale = np.cov(table.T) * (1 / n + 0.1 / 0.9)
            normal = rng.multivariate_normal(np.zeros(c), scale)
            mu = table.mean(axis=0) + normal / math.sqrt(rng.chisquare(n - 1) / (n - 1))
            result["theta"][d, mu.argmax()] += weight
            result["phi"][d] += weight * (mu >= mu.max() - rope)
            result["rank"][d] += weight * midranks(-mu)
            result["regret"][d] += weight * (mu.max() - mu)
        result["theta"][d] /= 1 - w[0]
        result["phi"][d] /= 1 - w[0]
    return result


def test_agrees_with_a_plain_loop_over_dirichlet_and_student_draws() -> None:
    tables = folds(6, 4)
    draws = 4_000
    slow = brute_force(tables, 0.01, draws)
    fast = family(tables, draws=40_000)
    expected = {
        "theta": fast.p_best,
        "phi": fast.p_practically_best,
        "rank": fast.rank,
        "regret": fast.regret,
    }
    for name, ours in expected.items():
        error = slow[name].std(axis=0) * math.sqrt(1 / draws + 1 / 40_000)
        np.testing.assert_array_less(np.abs(ours - slow[name].mean(axis=0)), FAR * error)
    for ours, theirs in (
        (fast.p_most_often, slow["theta"].argmax(axis=1)),
        (fast.p_least_regret, slow["regret"].argmin(axis=1)),
    ):
        share = np.bincount(theirs, minlength=4) / draws
        error = np.sqrt(0.25 * (1 / draws + 1 / 40_000))
        np.testing.assert_array_less(np.abs(ours - share), FAR * error)
    for ends, draws_of in (
        (fast.regret_interval, slow["regret"]),
        (fast.rank_interval, slow["rank"]),
    ):
        inside = ((draws_of > ends.low) & (draws_of < ends.high)).mean(axis=0)
        np.testing.assert_allclose(inside, 0.95, atol=FAR * math.sqrt(0.05 * 0.95 / 4_000))


@pytest.mark.parametrize("n", [5, 20, 100])
def test_two_classifiers_on_one_data_set_are_the_correlated_t_test(n: int) -> None:
    table = folds(1, 2, n)[0]
    result = family([table], draws=60_000)
    t = correlated_t_test(table[:, 1] - table[:, 0], rho=0.1, rope=0.01).datasets
    pairs = zip((p[0, 1] for p in result.pairs), (p[0] for p in t.probabilities), strict=True)
    for ours, exact in (
        *pairs,
        (result.p_best[1], t.p_better[0]),
        (result.p_least_regret[1], t.p_better[0]),
        (result.p_practically_best[0], 1 - t.probabilities.right[0]),
    ):
        assert abs(ours - exact) < FAR * math.sqrt(exact * (1 - exact) / 60_000)


@pytest.mark.parametrize(("n", "c"), [(4, 8), (20, 4)])
def test_every_pair_has_the_margins_of_the_correlated_t_test(n: int, c: int) -> None:
    (table,) = folds(1, c, n)
    (posterior,) = posteriors([table])
    draws, copies = posterior.draw(np.random.default_rng(3), 40_000)
    assert (copies == 1).all()
    means = draws[:, posterior.expand]
    for left, right in ((0, 1), (1, c - 1), (0, c - 1)):
        t = correlated_t_test(table[:, right] - table[:, left], rho=0.1, rope=0.0).datasets
        difference = means[:, right] - means[:, left]
        for interval in t.posterior.intervals([0.5, 0.9, 0.99]):
            rest = (1 - interval.level) / 2
            for outside in (difference < interval.low[0], difference > interval.high[0]):
                assert abs(outside.mean() - rest) < FAR * math.sqrt(rest * (1 - rest) / 40_000)


@pytest.mark.parametrize("q", [4, MANY])  # means as observed, and drawn towards one another
@pytest.mark.parametrize("seed", range(3))
def test_reordering_permutes_exactly_and_equal_classifiers_share_everything(
    q: int, seed: int
) -> None:
    tables = [np.column_stack([table, table[:, 1]]) for table in folds(q, 4, seed=seed)]
    order = np.random.default_rng(seed).permutation(5)
    one = family(tables, draws=500)
    other = family([table[:, order] for table in tables], draws=500)
    assert one.shrunken == (q == MANY)
    for name in ("p_best", "p_practically_best", "p_most_often", "p_least_regret", "regret",
                 "rank", "loss"):  # fmt: skip
        values = getattr(one, name)
        np.testing.assert_array_equal(getattr(other, name), values[order])
        assert values[1] == values[4]
    np.testing.assert_array_equal(other.places.joint.high, one.places.joint.high[order])
    np.testing.assert_array_equal(other.places.within, one.places.within[order])
    np.testing.assert_array_equal(other.pairs.left, one.pairs.left[np.ix_(order, order)])
    assert one.pairs.rope[1, 4] == 1
    assert one.p_best.sum() == pytest.approx(1)
    assert one.p_least_regret.sum() == pytest.approx(1)


def test_one_mean_a_data_set_is_the_dirichlet_process_of_the_wins() -> None:
    means = np.array([[0.8, 0.7, 0.6], [0.7, 0.7, 0.5], [0.9, 0.6, 0.895]])
    result = family([row[None] for row in means], draws=50_000)
    # Shares of being best: 1, a half of a tie, 1; the prior's data set is left out.
    expected = np.array([2.5, 0.5, 0]) / 3
    np.testing.assert_allclose(result.p_best, expected, atol=FAR * 0.5 / math.sqrt(50_000))
    close = np.array([3, 1, 1]) / 3
    np.testing.assert_allclose(result.p_practically_best, close, atol=0.01)
    regret = (means.max(axis=1, keepdims=True) - means).sum(axis=0) / 3.5
    np.testing.assert_allclose(result.regret, regret, rtol=0.02)
    ranks = (midranks(-means).sum(axis=0) + 0.5 * 2) / 3.5
    np.testing.assert_allclose(result.rank, ranks, rtol=0.01)


def test_a_classifier_is_judged_on_the_data_sets_that_it_has() -> None:
    tables = folds(6, 4)
    for table in tables[:2]:
        table[:, 3] = np.nan
    result = family(tables, draws=20_000)
    assert result.n_datasets.tolist() == [6, 6, 6, 4]
    own = family([table[:, [0, 1, 2, 3]] for table in tables[2:]], draws=20_000)
    # On its own data sets the absent one is judged as if there were no others.
    assert result.regret[3] == pytest.approx(own.regret[3], rel=0.05)
    assert result.p_best[3] == pytest.approx(own.p_best[3], abs=0.02)
    apart = [np.column_stack([t, t[:, 0]]) for t in folds(4, 2)]
    for i, table in enumerate(apart):
        table[:, 1 + i % 2] = np.nan
    assert np.isnan(family(apart, draws=200).pairs.left[1, 2])


@pytest.mark.parametrize(("left", "right"), [(0, 0), (3, 1)])
def test_few_right_or_wrong_items_have_the_exact_posterior_of_each_pair(
    left: int, right: int
) -> None:
    table = np.ones((30, 2))
    table[:right, 0] = 0
    table[30 - left :, 1] = 0
    posterior = joint_means(table, np.arange(2), 0.0, right_or_wrong=True)
    assert isinstance(posterior, AccuracyMeans)
    result = best_of([posterior], NAMES[:2], options=Best(draws=40_000))
    counts = (left + 1.0, 30 - left - right + 2.0, right + 1.0)
    exact = PairedBinaryPosterior(*map(np.atleast_1d, counts)).regions(Rope.symmetric(0.01))
    for ours, (p,) in zip(result.pairs, exact, strict=True):
        assert abs(ours[0, 1] - p) < FAR * math.sqrt(p * (1 - p) / 40_000)
