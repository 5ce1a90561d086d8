"""Which classifier is best: joint posteriors, the mix and places, computed a second way."""

import math
import re
from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components
from scipy.stats import halfcauchy

from bcompare.basis.messages import InputError, counted
from bcompare.data.rope import FloatArray, IntArray, Rope
from bcompare.methods.correlated_t import correlated_t_test
from bcompare.methods.paired_binary import PairedBinaryPosterior
from bcompare.ranking.best import Best, BestResult, best_of
from bcompare.ranking.effects import Effects
from bcompare.ranking.joint_means import AccuracyMeans, JointMeans, StudentMeans, joint_means
from bcompare.ranking.places import Places
from bcompare.ranking.several import MODEL_COUNTS, TIE_COUNTS
from bcompare.ranking.unusual import excess_of

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


def shares(excess: FloatArray, rng: np.random.Generator, draws: int) -> FloatArray:
    """Draws of the share of the mean excess that counts, by densities on a fine grid of τ."""
    q, c = excess.shape
    mean = excess.mean(axis=0) - excess.mean()
    row_free = excess - excess.mean(axis=1, keepdims=True)
    error = ((row_free - mean) ** 2).sum() / (c - 1) / (q - 1) / q
    tau = np.sqrt(error) * np.geomspace(1e-4, 1e4, 40_001)
    # c - 1 contrasts of the mean excess, each normal
    density = halfcauchy.pdf(tau, scale=2 * np.sqrt(error)) * (tau**2 + error) ** (-(c - 1) / 2)
    density *= np.exp(-(mean**2).sum() / 2 / (tau**2 + error))
    mass = density * np.gradient(tau)
    chosen = rng.choice(tau, draws, p=mass / mass.sum())
    return np.asarray(chosen**2 / (chosen**2 + error))


def brute_force(tables: list[FloatArray], rope: float, draws: int) -> dict[str, FloatArray]:
    """The definitions, a draw at a time, from draws of the effects and their interaction."""
    rng = np.random.default_rng(12345)
    q, c = len(tables), tables[0].shape[1]
    own = [dataset.contrasts(np.arange(c)) for dataset in posteriors(tables)]
    means, noise = np.array([y for y, _ in own]), np.array([v for _, v in own])
    excess = excess_of(means, noise)
    model = Effects.of(means - excess, noise)
    counted = shares(excess, rng, draws)
    result = {name: np.zeros((draws, c)) for name in ("effects", "lost")}
    counts = {f"{what} {where}": np.zeros(c) for what in ("best", "close") for where in "sn"}
    for d in range(draws):
        along, interaction = model.draw(rng, 1)
        a = (along @ model.axes)[0]
        covariance = model.axes.T @ np.diag(interaction[0] ** 2) @ model.axes
        seen = model.seen(rng, along, interaction)[0] + excess
        new = rng.multivariate_normal(a, covariance, 10, method="eigh")
        new = new + excess[rng.integers(q, size=10)]
        w = rng.dirichlet(np.ones(q + 1))
        mean_excess = w[:q] @ excess / (1 - w[q])
        average = sum(w[i] * seen[i] for i in range(q)) / (1 - w[q])
        result["effects"][d] = a + counted[d] * mean_excess
        a = a + mean_excess
        for weight, mu in ((w[i], seen[i]) for i in range(q)):
            result["lost"][d] += weight * ((mu - average + a).max() - a)
            counts["best s"][mu.argmax()] += 1 / draws
            counts["close s"] += (mu >= mu.max() - rope) / draws
        for mu in new:
            result["lost"][d] += w[q] / 10 * (mu.max() - a)
            counts["best n"][mu.argmax()] += 0.1 / draws
            counts["close n"] += 0.1 * (mu >= mu.max() - rope) / draws
    for what, tied in (("best", 1 / c), ("close", 1.0)):
        mixed = counts[f"{what} s"] + MODEL_COUNTS * counts[f"{what} n"] + TIE_COUNTS * tied
        result[what] = mixed / (q + MODEL_COUNTS + TIE_COUNTS)
    leader = result["effects"].mean(axis=0).argmax()
    behind = result["effects"][:, [leader]] - result["effects"]
    result["regret"] = np.maximum(result["lost"][:, [leader]] + behind, 0)
    return result


def test_agrees_with_a_plain_loop_over_the_draws() -> None:
    tables = folds(6, 4)
    tables[2][:, 1] -= 0.3
    draws = 2_000
    slow = brute_force(tables, 0.01, draws)
    fast = family(tables, draws=40_000)
    lost = slow["regret"]
    error = lost.std(axis=0) * math.sqrt(1 / draws + 1 / 40_000)
    np.testing.assert_array_less(np.abs(fast.regret - lost.mean(axis=0)), FAR * error)
    for ours, share in ((fast.p_best, slow["best"]), (fast.p_practically_best, slow["close"])):
        np.testing.assert_allclose(ours, share, atol=FAR * 0.5 / math.sqrt(draws))
    share = np.bincount(slow["effects"].argmax(axis=1), minlength=4) / draws
    error = np.sqrt(0.25 * (1 / draws + 1 / 40_000))
    np.testing.assert_array_less(np.abs(fast.p_least_regret - share), FAR * error)
    left = (slow["effects"][:, 0] > slow["effects"][:, 1] + 0.01).mean()
    assert abs(fast.pairs.left[0, 1] - left) < FAR * error
    ends = fast.regret_interval
    inside = ((lost > ends.low) & (lost < ends.high)).mean(axis=0)
    # ten new data sets in the loop make its regrets a little wider
    np.testing.assert_allclose(inside, 0.95, atol=FAR * math.sqrt(0.05 * 0.95 / draws) + 0.01)


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


@pytest.mark.parametrize("q", [1, 2, 4, 20])
@pytest.mark.parametrize("seed", range(3))
def test_reordering_permutes_exactly_and_equal_classifiers_share_everything(
    q: int, seed: int
) -> None:
    tables = [np.column_stack([table, table[:, 1]]) for table in folds(q, 4, seed=seed)]
    order = np.random.default_rng(seed).permutation(5)
    one = family(tables, draws=500)
    other = family([table[:, order] for table in tables], draws=500)
    for name in (
        "p_best",
        "p_practically_best",
        "p_least_regret",
        "regret",
        "loss",
    ):
        values = getattr(one, name)
        np.testing.assert_array_equal(getattr(other, name), values[order])
        assert values[1] == values[4]
    np.testing.assert_array_equal(other.places.joint.high, one.places.joint.high[order])
    np.testing.assert_array_equal(other.places.within, one.places.within[order])
    np.testing.assert_array_equal(other.pairs.left, one.pairs.left[np.ix_(order, order)])
    assert (one.pairs.rope[1, 4], one.p_best.sum()) == (1, pytest.approx(1))
    assert one.p_least_regret.sum() == pytest.approx(1)


def test_without_a_rope_nothing_is_left_for_it() -> None:
    best = best_of(posteriors(folds(q=5, c=8)), NAMES, rope=0.0)
    rope = best.pairs.rope
    between = rope[~np.isnan(rope)]
    assert ((between >= 0) & (between < 1e-12)).all()


def test_of_one_mean_a_data_set_wins_and_ties_are_exact() -> None:
    means = np.array([[0.8, 0.7, 0.6], [0.7, 0.7, 0.5], [0.9, 0.6, 0.895]])
    result = family([row[None] for row in means], draws=50_000)
    # What is not said by the model: shares of being best are 1, a half of a tie, 1.
    total = 3 + MODEL_COUNTS + TIE_COUNTS
    by_model = result.p_best * total - TIE_COUNTS / 3 - np.array([2.5, 0.5, 0])
    assert by_model.sum() == pytest.approx(MODEL_COUNTS)
    close = result.p_practically_best * total - TIE_COUNTS - np.array([3, 1, 1])
    assert (by_model > 0).all()
    assert (by_model < close).all()
    assert (close < MODEL_COUNTS).all()
    assert result.order == (0, 1, 2)


def test_what_a_classifier_lacks_makes_it_less_certain() -> None:
    tables = folds(16, 4)
    whole = family(tables, draws=20_000)
    for table in tables[:8]:
        table[:, 3] = np.nan
    result = family(tables, draws=20_000)
    assert (result.n_datasets.tolist(), result.p_best.sum()) == ([16, 16, 16, 8], pytest.approx(1))

    def wide(of: BestResult) -> FloatArray:
        return of.loss_interval.high - of.loss_interval.low

    # half of the data sets: the error of its own effect grows by √2, that of a difference by √1.5
    k = 3 if whole.leader != 3 else whole.order[1]
    more = wide(result)[k] / wide(whole)[k]
    assert 1.1 < more < 1.5


def test_two_that_share_no_data_set_have_no_regions_and_two_groups_are_refused() -> None:
    apart = [np.column_stack([t, t[:, 0]]) for t in folds(4, 2)]
    for i, table in enumerate(apart):
        table[:, 1 + i % 2] = np.nan
    assert np.isnan(family(apart, draws=200).pairs.left[1, 2])
    groups = folds(4, 4)
    for i, table in enumerate(groups):
        table[:, [0, 1] if i % 2 else [2, 3]] = np.nan
    with pytest.raises(InputError):
        family(groups, draws=200)


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


def test_the_noise_of_two_is_half_that_of_the_t_test() -> None:
    (table,) = folds(1, 2, 12)
    own, noise = posteriors([table])[0].contrasts(np.arange(2))
    posterior = correlated_t_test(table[:, 1] - table[:, 0], rho=0.1).datasets.posterior
    assert 2 * noise == pytest.approx(posterior.scale[0] ** 2)
    assert own[1] - own[0] == pytest.approx(posterior.location[0])


def test_the_noise_of_right_or_wrong_items_is_a_little_more_than_that_of_their_mean() -> None:
    table = (np.random.default_rng(0).random((200, 4)) < [0.9, 0.8, 0.8, 0.4]).astype(np.float64)
    own, noise = joint_means(table, np.arange(4), 0.0, right_or_wrong=True).contrasts(np.arange(4))
    row_free = table - table.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(own, row_free.mean(axis=0))
    # four items of the prior among 200
    assert noise == pytest.approx(row_free.var(axis=0).sum() / 3 / 200, rel=0.05)
    tied = np.ones((12, 2))
    assert joint_means(tied, np.arange(2), 0.0, right_or_wrong=True).contrasts(np.arange(2))[1] > 0


def test_items_with_more_patterns_than_can_be_weighed_are_a_student(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = (np.random.default_rng(0).random((400, 3)) < 0.5).astype(np.float64)
    exact = joint_means(table, np.arange(3), 0.0, right_or_wrong=True)
    monkeypatch.setattr("bcompare.ranking.joint_means.MOST_PATTERNS", 7)
    normal = joint_means(table, np.arange(3), 0.0, right_or_wrong=True)
    assert isinstance(exact, AccuracyMeans)
    assert isinstance(normal, StudentMeans)
    one, other = (
        dataset.draw(np.random.default_rng(1), DRAWS)[:, dataset.expand]
        for dataset in (exact, normal)
    )
    np.testing.assert_allclose(one.mean(axis=0), other.mean(axis=0), atol=0.002)
    np.testing.assert_allclose(np.cov(one.T), np.cov(other.T), atol=0.03 / 400)


def test_means_that_all_data_sets_share_leave_no_doubt() -> None:
    tables = [np.array([[0.9, 0.8, 0.7]]) + 0.01 * i for i in range(5)]
    result = family(tables, draws=400)
    assert result.p_least_regret[0] == 1
    np.testing.assert_allclose(result.loss, [0, 0.1, 0.2], atol=1e-6)


def test_hopeless_classifiers_have_the_chance_of_a_data_set_on_which_all_tie() -> None:
    tables = [np.column_stack([t, t[:, 0] - 0.5]) for t in folds(20, 3)]
    result = best_of(posteriors(tables), NAMES[:4], options=Best(draws=2_000))
    assert result.p_best[3] == pytest.approx(TIE_COUNTS / (20 + MODEL_COUNTS + TIE_COUNTS) / 4)


def test_one_data_set_fewer_changes_little() -> None:
    tables = folds(20, 6)
    more, fewer = (
        best_of(posteriors(tables[:q]), NAMES[:6], options=Best(draws=4_000)) for q in (20, 19)
    )
    np.testing.assert_allclose(fewer.regret, more.regret, rtol=0.15)
    np.testing.assert_allclose(fewer.p_best, more.p_best, atol=0.05)


def of_means(means: FloatArray) -> BestResult:
    names = NAMES[: means.shape[1]]
    return best_of(posteriors([*means[:, None]]), names, options=Best(draws=2_000))


def test_a_leader_on_every_data_set_leads_whatever_collapses() -> None:
    means = 0.8 + 0.002 * np.random.default_rng(1).standard_normal((8, 3))
    means[:, 0] += 0.02
    steady = of_means(means)
    means[2, 1] = means[5, 2] = 0.3
    result = of_means(means)
    assert steady.p_least_regret[0] > 0.999
    assert result.p_least_regret[0] > 0.999
    assert result.p_best[0] == pytest.approx(steady.p_best[0], abs=0.001)
    assert result.p_best[0] > 0.97
    assert result.regret[0] < 1e-4
    assert result.places.joint.high[0] == 1
    # what others lose counts for something, and may count in full, in what they cost
    in_full = steady.loss[1:] + 0.5 / 8
    assert (result.loss[1:] > steady.loss[1:] + 0.01).all()
    assert (result.loss[1:] < in_full - 0.01).all()
    assert (result.loss_interval.high[1:] > in_full).all()


def test_collapses_of_others_never_cost_the_leader() -> None:
    """On fewer than half of six data sets or more; of few the spread is too uncertain.

    If no collapse were set apart, two of three families would lose more than the bound.
    """
    rng = np.random.default_rng(59)
    for _ in range(24):
        q, c = int(rng.choice([6, 8, 12, 20])), int(rng.integers(2, 7))
        level, skill = rng.normal(0.8, 0.05, (q, 1)), rng.normal(0, 0.012, c)
        means = level + skill + rng.normal(0, 0.02, (q, c))
        leader, worse = means.mean(axis=0).argmax(), means.copy()
        for k in np.delete(np.arange(c), leader):
            lost = rng.permutation(q)[: rng.integers((q - 1) // 2 + 1)]
            worse[lost, k] -= rng.uniform(0.3, 0.8, len(lost))
        before, after = of_means(means), of_means(worse)
        for p in ("p_least_regret", "p_best"):
            fall = getattr(before, p)[leader] - getattr(after, p)[leader]
            assert fall < 0.02 + after.error, p  # the bound, and the draws' own error


def test_on_two_data_sets_nothing_is_a_collapse() -> None:
    """Else places would hold in 0.72 of these families."""
    rng = np.random.default_rng(2)
    a = np.array([0.02, 0.01, 0.0])
    held = [of_means(a + rng.normal(0, 0.02, (2, 3))).places.joint for _ in range(40)]
    inside = [((one.low <= [1, 2, 3]) & (one.high >= [1, 2, 3])).all() for one in held]
    assert np.mean(inside) > 0.85


def test_a_collapse_of_the_leader_stays_in_the_model() -> None:
    means = 0.8 + 0.002 * np.random.default_rng(1).standard_normal((8, 3))
    means[:, 0] += 0.02
    means[4, 0] -= 0.1
    assert 0.5 < of_means(means).p_least_regret[0] < 0.95


def test_places_and_regrets_hold_as_often_as_they_say() -> None:
    """Of ten classifiers with effects half as large as the interaction.

    It would be seen if 0.75 held; the study of places measures families of all sizes.
    """
    rng, count, q = np.random.default_rng(2024), 25, 10
    held, inside, off = [], [], []
    for _ in range(count):
        a = rng.normal(0, 0.01, 10)
        seen, new = (a + rng.normal(0, 0.02, (n, 10)) for n in (q, 10_000))
        errors = rng.normal(0, 0.02 * math.sqrt(10), (q, 10, 10))  # folds of ρ = 0
        result = best_of(
            [
                joint_means(mu + e, np.arange(10), 0.0, right_or_wrong=False)
                for mu, e in zip(seen, errors, strict=True)
            ],
            [str(k) for k in range(10)],
            options=Best(draws=1_000),
        )
        place, joint, regret = np.argsort(np.argsort(-a)) + 1, result.places.joint, new.max(axis=1)
        held.append(((joint.low <= place) & (place <= joint.high)).all())
        lost, ends = (regret[:, None] - new).mean(axis=0), result.regret_interval
        inside.append(((ends.low <= lost) & (lost <= ends.high)).mean())
        leader = result.p_best.argmax()
        off.append(result.p_best[leader] - (new.argmax(axis=1) == leader).mean())
    assert np.mean(held) > 0.93 - 2 * math.sqrt(0.93 * 0.07 / count)
    assert np.mean(inside) > 0.92 - 2 * float(np.std(inside)) / math.sqrt(count)
    assert abs(np.mean(off)) < 0.04 + 2 * float(np.std(off)) / math.sqrt(count)


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
        assert (interval.low.tolist(), interval.high.tolist()) == ([1, 1], [2, 2])


def test_all_equal_classifiers_share_everything() -> None:
    tables = [np.repeat(table[:, :1], 3, axis=1) for table in folds(5, 2)]
    result = family(tables, draws=200)
    np.testing.assert_allclose(result.p_best, 1 / 3)
    np.testing.assert_allclose(result.regret, 0)
    assert result.pairs.rope[0, 1] == 1


@pytest.mark.parametrize("q", [8, 20])
def test_a_leader_of_five_leads_though_each_other_collapses_once(q: int) -> None:
    rng = np.random.default_rng(q)
    means = 0.8 + rng.normal(0, 0.05, (q, 1)) + rng.normal(0, 0.01, (q, 5))
    means[:, 0] += 0.03
    means[rng.integers(q, size=4), np.arange(1, 5)] -= 0.4
    assert of_means(means).p_least_regret[0] > 0.999


def on(*present: str) -> list[FloatArray]:
    """Data sets that each have the classifiers of these letters, of six."""
    tables = folds(len(present), 6)
    for table, letters in zip(tables, present, strict=True):
        table[:, [name not in letters for name in NAMES[:6]]] = np.nan
    return tables


def test_classifiers_may_be_joined_through_others() -> None:
    """a to f in a chain whose links are not in order."""
    assert family(on("ef", "ab", "cd", "bd", "ce"), draws=200).p_best.sum() == pytest.approx(1)


@pytest.mark.parametrize("seed", range(4))
def test_groups_that_no_data_set_joins_are_named(seed: int) -> None:
    rng = np.random.default_rng(seed)
    while True:
        present = rng.random((4, 6)) < 0.35
        groups, group = connected_components(present.T.astype(int) @ present)
        if groups > 1 and present.any(axis=0).all() and (present.sum(axis=1) > 1).all():
            break
    tables = on(*("".join(np.array(NAMES[:6])[row]) for row in present))
    names = [[n for n, g in zip(NAMES[:6], group, strict=True) if g == k] for k in (0, 1)]
    one, other = (counted(own, "classifier") for own in names)
    with pytest.raises(InputError, match=re.escape(f"no data set joins {one} and {other}:")):
        family(tables)
