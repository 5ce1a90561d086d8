"""Which classifier is best: joint posteriors, shrunken means and places, computed a second way."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import multivariate_normal, norm
from scipy.stats import t as student

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import IntArray
from bcompare.methods.best import MANY, Best, BestResult, Places, best_of
from bcompare.methods.correlated_t import correlated_t_test
from bcompare.methods.joint_means import AccuracyMeans, JointMeans, joint_means
from bcompare.methods.midranks import midranks
from bcompare.methods.paired_binary import PairedBinaryPosterior
from bcompare.methods.shrunken_means import DOF, GRID, ShrunkenMeans, _Effects

NAMES = ("a", "b", "c", "d", "e", "f", "g", "h")
# Standard errors that a Monte Carlo figure may be off by: one in 15,000 is further.
FAR = 4.0


def posteriors(tables: list[FloatArray]) -> list[JointMeans]:
    """Each table (n, c) as a posterior; a column of NaN is a classifier that is absent."""
    return [
        joint_means(table, np.flatnonzero(~np.isnan(table[0])), 0.1, right_or_wrong=False)
        for table in tables
    ]


def family(tables: list[FloatArray], **options: Any) -> BestResult:
    names = NAMES[: tables[0].shape[1]]
    return best_of(posteriors(tables), names, rope=0.01, options=Best(**options))


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
    expected = {  # without the prior's data set, of weight 1/2, on which all four tie
        "theta": (6.5 * fast.p_best - 0.5 / 4) / 6,
        "phi": (6.5 * fast.p_practically_best - 0.5) / 6,
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
    for name in (
        "p_best",
        "p_practically_best",
        "p_most_often",
        "p_least_regret",
        "regret",
        "rank",
        "loss",
    ):
        values = getattr(one, name)
        np.testing.assert_array_equal(getattr(other, name), values[order])
        assert values[1] == values[4]
    np.testing.assert_array_equal(other.places.joint.high, one.places.joint.high[order])
    np.testing.assert_array_equal(other.places.within, one.places.within[order])
    np.testing.assert_array_equal(other.pairs.left, one.pairs.left[np.ix_(order, order)])
    assert one.pairs.rope[1, 4] == 1
    assert one.p_best.sum() == pytest.approx(1)
    assert one.p_least_regret.sum() == pytest.approx(1)


def test_without_a_rope_nothing_is_left_for_it() -> None:
    best = best_of(posteriors(folds(q=5, c=8)), NAMES, rope=0.0)
    rope = best.pairs.rope
    between = rope[~np.isnan(rope)]
    assert ((between >= 0) & (between < 1e-12)).all()


def test_one_mean_a_data_set_is_the_dirichlet_process_of_the_wins() -> None:
    means = np.array([[0.8, 0.7, 0.6], [0.7, 0.7, 0.5], [0.9, 0.6, 0.895]])
    result = family([row[None] for row in means], draws=50_000)
    # Shares of being best: 1, a half of a tie, 1; and on the prior's data set, where all tie.
    expected = (np.array([2.5, 0.5, 0]) + 0.5 / 3) / 3.5
    np.testing.assert_allclose(result.p_best, expected, atol=FAR * 0.5 / math.sqrt(50_000))
    close = (np.array([3, 1, 1]) + 0.5) / 3.5
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
    many, few = (
        best_of(posteriors(tables[:q]), NAMES[:3], options=Best(draws=200))
        for q in (MANY, MANY - 1)
    )
    assert (many.shrunken, few.shrunken) == (True, False)
    assert (many.strength, few.strength) == (0.0, 0.5)
    means = [table.mean(axis=0)[None] for table in tables]
    assert not best_of(posteriors(means), NAMES[:3], options=Best(draws=200)).shrunken
    plain = best_of(posteriors(tables), NAMES[:3], options=Best(draws=200, shrink=False))
    assert not plain.shrunken


@pytest.mark.parametrize("score", [0.7, 0.1])
def test_where_all_tie_they_share_being_best_also_among_many(score: float) -> None:
    scores = np.random.default_rng(3).normal(score, 0.1, (20, 1))
    tied, constant = np.repeat(scores, 3, axis=1), np.tile([score, score, score / 2], (20, 1))
    tables = [*folds(MANY, 3), tied, tied / 3, constant]
    result = best_of(posteriors(tables), NAMES[:3], options=Best(draws=400))
    assert result.shrunken
    assert result.p_best.sum() == pytest.approx(1)
    assert result.rank.sum() == pytest.approx(6)


def test_hopeless_classifiers_are_not_lifted() -> None:
    """On no data set is the last one near the best: only the prior's data set says it could be."""
    tables = [np.column_stack([t, t[:, 0] - 0.5]) for t in folds(MANY, 3)]
    result = best_of(posteriors(tables), NAMES[:4], options=Best(draws=2_000))
    assert result.p_practically_best[3] == pytest.approx(0.5 / (MANY + 0.5))
    assert result.p_best[3] == pytest.approx(0.5 / (MANY + 0.5) / 4)
    assert result.rank_interval.low[3] == pytest.approx(4)


LEVEL = 0.95


def costs(draws: int, alike: IntArray, seed: int) -> FloatArray:
    rng = np.random.default_rng(seed)
    different = rng.normal(rng.normal(0, 1.5, alike.max() + 1), 1, (draws, alike.max() + 1))
    return different[:, alike]


def taken(row: FloatArray, k: int) -> tuple[int, int]:
    """The first and the last place of the k-th in one draw, counted one by one."""
    better = sum(other < row[k] for other in row)
    return better + 1, better + sum(other == row[k] for other in row)


ALIKE = [np.arange(4), np.array([0, 1, 1, 2, 3, 1]), np.array([1, 0]), np.zeros(3, dtype=int)]


@pytest.mark.parametrize("alike", ALIKE, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_places_are_those_of_a_loop_over_the_draws(alike: IntArray, seed: int) -> None:
    draws = costs(400, alike, seed)
    result = Places.of(draws, alike, LEVEL)
    c = len(alike)
    places = np.array([[taken(row, k) for k in range(c)] for row in draws])
    for k in range(c):
        first, last = places[:, k].T
        low, high = result.interval.low[k], result.interval.high[k]
        assert (first < low).mean() <= 0.025 < (first <= low).mean()
        assert (last > high).mean() <= 0.025 < (last >= high).mean()
        for top in range(1, c + 1):
            by_lot = [np.mean([p <= top for p in range(a, b + 1)]) for a, b in places[:, k]]
            assert result.within[k, top - 1] == pytest.approx(np.mean(by_lot))
    np.testing.assert_allclose(result.within.sum(axis=0), np.arange(1, c + 1))


def widened(places: FloatArray, rest: float) -> FloatArray:
    """(2, c) the intervals that leave at most `rest` outside at either end."""
    first, last = places[..., 0], places[..., 1]
    every = range(1, places.shape[1] + 1)
    low = [min(p for p in every if (f <= p).mean() > rest) for f in first.T]
    high = [max(p for p in every if (f >= p).mean() > rest) for f in last.T]
    return np.array([low, high])


def inside(places: FloatArray, ends: FloatArray) -> float:
    own = (places[..., 0] >= ends[0]) & (places[..., 1] <= ends[1])
    return float(own.all(axis=1).mean())


@pytest.mark.parametrize("seed", range(5))
def test_joint_intervals_are_the_pointwise_ones_widened_no_more_than_needed(seed: int) -> None:
    draws = costs(400, np.arange(7), seed)
    result = Places.of(draws, np.arange(7), LEVEL)
    places = np.array([[taken(row, k) for k in range(7)] for row in draws])
    # Step by step, by one draw fewer outside at either end.
    wider = (widened(places, rest / 400) for rest in np.arange(10, -1, -1))
    expected = next(ends for ends in wider if inside(places, ends) >= LEVEL)
    np.testing.assert_array_equal([result.joint.low, result.joint.high], expected)
    np.testing.assert_array_equal(
        [result.interval.low, result.interval.high], widened(places, 0.025)
    )
    assert inside(places, np.array([result.interval.low, result.interval.high])) < LEVEL


def test_joint_intervals_of_a_pair_are_no_narrower_than_the_pointwise_ones() -> None:
    draws = np.column_stack([np.zeros(1000), np.where(np.arange(1000) < 30, -1.0, 1.0)])
    result = Places.of(draws, np.arange(2), LEVEL)
    for interval in (result.interval, result.joint):
        assert interval.low.tolist() == [1, 1]
        assert interval.high.tolist() == [2, 2]
