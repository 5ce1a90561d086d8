"""A gate of sides that share nothing: its level, what it allows for skewness, and monotony."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import bcompare
from bcompare.data.rope import FloatArray
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import TRIAL
from bcompare.gating import monotone
from bcompare.gating.unpaired import UnpairedSuite, sides_of
from bcompare.methods.unpaired import LESS, MORE, rates_above

Both = tuple[FloatArray, FloatArray]


def suite(*pairs: Both) -> UnpairedSuite:
    """The claims on data sets, each of the scores of a baseline and a candidate."""
    sides = sides_of(pairs, 0.0)
    binary = [bool(np.isin(np.concatenate(pair), (0, 1)).all()) for pair in pairs]
    statistics = SufficientStatistics.of_sides(
        tuple(map(str, range(len(pairs)))),
        sides,
        sides.mean[:, 1] - sides.mean[:, 0],
        np.array(binary),
        TRIAL,
    )
    result = UnpairedSuite.of(statistics)
    assert result is not None
    return result


def not_worse(n: int, m: int, border: float) -> FloatArray:
    """What counts for "not worse" of each number of successes of n and of m."""
    won, own = np.meshgrid(np.arange(n + 1), np.arange(m + 1), indexing="ij")
    counts = np.stack([won.ravel(), own.ravel()], axis=1)
    sizes = np.array([n, m])
    prior = np.array([LESS, MORE])
    p = rates_above(
        np.full(len(counts), border), counts + prior[:, 0], sizes - counts + prior[:, 1]
    )
    return p.reshape(n + 1, m + 1)


@pytest.mark.parametrize(("n", "m"), [(2, 2), (5, 5), (20, 20), (3, 30), (30, 4)])
@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.01])
def test_rates_on_the_border_fail_no_more_often_than_at_the_level(
    n: int, m: int, alpha: float
) -> None:
    fails = not_worse(n, m, -0.01) < alpha
    rates = np.linspace(0.01, 1, 100)
    base = stats.binom.pmf(np.arange(n + 1), n, rates[:, None])
    own = stats.binom.pmf(np.arange(m + 1), m, rates[:, None] - 0.01)
    assert np.einsum("pi,ij,pj->p", base, fails, own).max() <= alpha


@pytest.mark.parametrize(("n", "m"), [(7, 7), (20, 12)])
def test_without_a_rope_the_limits_are_fishers(n: int, m: int) -> None:
    found = not_worse(n, m, 0.0)
    for won, own in ((5, 2), (3, 3), (7, 0), (6, 6)):
        table = np.array([[won, own], [n - won, m - own]])
        expected = stats.fisher_exact(table, "greater").pvalue
        assert found[won, own] == pytest.approx(expected, rel=1e-6)


def test_a_skewed_candidate_of_few_scores_counts_less() -> None:
    rng = np.random.default_rng(5)
    base, own = rng.lognormal(0, 1, 30), rng.lognormal(0, 1, 10) - 1.2
    skewed = suite((base, own))
    posterior = float(skewed.worse.below(np.array([-0.2]))[0])
    (p,) = skewed.on_each(bcompare.Rope(-0.2, 0.2))
    of_mean = skewed.skewness[1] * (10**-2 - 30**-2) / (1 / 10 + 1 / 30) ** 1.5
    spread = float(np.sqrt(skewed.sides.variance.sum()))
    t = (own.mean() - base.mean() + 0.2) / spread
    moved = t + of_mean * t**2 / 3 + of_mean**2 * t**3 / 27 + of_mean / 6
    expected = skewed.worse.below(np.array([-0.2 - (moved - t) * spread]))[0]
    assert p.left < posterior
    assert p.left == pytest.approx(float(expected), abs=1e-3)


def shape(rng: np.random.Generator, n: int) -> FloatArray:
    kind = rng.integers(3)
    if kind == 0:
        return rng.normal(0, 1, n)
    if kind == 1:
        return rng.lognormal(0, 1, n)
    return -rng.lognormal(0, 1, n)


def worsened(rng: np.random.Generator, own: FloatArray) -> FloatArray:
    """Lower one score, or cut all at their median."""
    if rng.random() < 0.3:
        return np.minimum(own, np.median(own))
    result = own.copy()
    result[rng.integers(len(own))] -= rng.choice([0.1, 2.0, 100.0])
    return result


@pytest.mark.parametrize(("datasets", "least", "slack"), [(1, 2, 0.0005), (3, 3, 0.015)])
def test_a_score_that_gets_worse_never_helps(datasets: int, least: int, slack: float) -> None:
    rng = np.random.default_rng(6)
    for _ in range(60 if datasets == 1 else 25):
        pairs = []
        for _ in range(datasets):
            n, m = rng.integers(least, 12, 2)
            pairs.append((shape(rng, n), shape(rng, m) + rng.choice([-2.0, 0.0, 2.0])))
        changed = list(pairs)
        i = int(rng.integers(datasets))
        changed[i] = (pairs[i][0], worsened(rng, pairs[i][1]))
        before, after = suite(*pairs), suite(*changed)
        rope = bcompare.Rope(-0.2, 0.2)
        if datasets == 1:
            (one,), (other,) = before.on_each(rope), after.on_each(rope)
        else:
            one, other = before.average(rope), after.average(rope)
        n = float(before.sides.n.min(axis=1).sum())
        assert other.left > one.left - monotone.surplus(n) - slack
        if one.left < 0.5:
            assert other.left > one.left - slack


def test_a_score_just_below_right_shows_no_more_than_right() -> None:
    base, own = np.ones(20), np.ones(20)
    slightly = own.copy()
    slightly[0] = 0.999
    (right,) = suite((base, own)).on_each(bcompare.Rope(-0.01, 0.01))
    (almost,) = suite((base, slightly)).on_each(bcompare.Rope(-0.01, 0.01))
    assert almost.left >= right.left - 1e-9
    assert right.left > 0.05


def trials(**sides: tuple[FloatArray, FloatArray]) -> bcompare.Scores:
    """Scores read in Python, of a baseline and a candidate on each data set."""
    parts = []
    for name, pair in sides.items():
        for who, values in zip(("main", "pr"), pair, strict=True):
            parts.append(pd.DataFrame({"dataset": name, "classifier": who, "score": values}))
    return bcompare.from_frame(pd.concat(parts), unpaired=True, failed="drop")


def test_beside_what_counts_stands_the_posterior() -> None:
    rng = np.random.default_rng(1)
    scores = trials(
        a=(rng.lognormal(0, 1, 12), rng.lognormal(0.5, 1, 6)),  # fewer of the candidate
        b=(rng.lognormal(0, 1, 9), rng.lognormal(0.2, 1, 15)),
        c=(np.full(6, 1.5), np.full(6, 2.0)),
    )
    judged = bcompare.gate(scores, baseline="main", rope=0.1)
    (pair,) = bcompare.compare(scores, "ttest", rope=0.1).comparisons
    average = pair.result.over_these(pair.differences.statistics)
    assert average is not None
    shown: dict[str | None, tuple[float, ...]] = {None: tuple(average.regions(pair.rope))}
    for name, *p in zip("abc", *pair.result.datasets.probabilities, strict=True):
        shown[name] = tuple(p)
    shown["c"] = (0.0, 0.0, 1.0)  # two numbers have no posterior
    for verdict in judged.verdicts:
        assert tuple(verdict.posterior) == pytest.approx(shown[verdict.dataset])
        assert verdict.exact == (verdict.dataset == "c")
    assert [v.p != v.posterior for v in judged.verdicts] == [True, True, True, False]


@pytest.mark.parametrize(
    ("base", "own", "exact"),
    [
        ([1.5] * 5, [1.4] * 5, True),
        ([1.5] * 5, [1.4] * 4, False),  # equal by chance
        ([1.5] * 4, [1.4] * 5, False),
        ([1.5] * 5, [1.4] * 4 + [1.5], False),
        ([1.5] * 4 + [1.4], [1.4] * 5, False),
        ([1.0] * 5, [0.0] * 5, False),  # right or wrong
        ([1.0] * 5, [0.5] * 5, True),
    ],
)
def test_sides_that_never_vary_are_two_numbers(
    base: list[float], own: list[float], exact: bool
) -> None:
    scores = trials(a=(np.array(base), np.array(own)))
    (verdict,) = bcompare.gate(scores, baseline="main", rope=0.01).verdicts
    assert verdict.exact == exact


def test_a_candidate_with_fewer_trials_is_judged_but_not_one_with_failed_ones() -> None:
    base = np.linspace(0.1, 0.9, 12)
    assert bcompare.gate(trials(a=(base, base[:7])), baseline="main", rope=0.1).verdicts
    lost = np.where(np.arange(12) == 3, np.nan, base)
    with pytest.raises(bcompare.InputError, match="without a score"):
        bcompare.gate(trials(a=(base, lost)), baseline="main", rope=0.1)
