"""What a gate allows for beyond Student's answer: each step by a second way."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from bcompare.data.clusters import rows_of
from bcompare.data.rope import FloatArray, Rope
from bcompare.gating.monotone import (
    FAR,
    SHOWN,
    SPREAD,
    SYMMETRIC,
    UNSKEWED,
    Allowance,
    _statistics,
    beyond,
    cautious,
    chance,
    common_skewness,
    cut,
    effective_number,
    hall,
    regions,
    skewness_of_sides,
    surplus,
    tempered,
)


@pytest.mark.parametrize(("n", "rho"), [(10, 0.1), (25, 0.3)])
def test_the_mean_over_correlations_is_that_of_lognormal_odds(n: int, rho: float) -> None:
    odds = rho / (1 - rho)

    def weighed(z: float) -> float:
        return stats.norm.pdf(z) * (1 / n + odds * math.exp(SPREAD * z))

    expected, _ = integrate.quad(weighed, -9, 9)
    errors, weights = Allowance(spread=SPREAD).errors(n, rho)
    assert weights.sum() == pytest.approx(1)
    assert weights @ errors**2 == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(("spread", "rho"), [(0.0, 0.2), (SPREAD, 0.0)])
def test_without_a_spread_or_a_correlation_there_is_one_error(spread: float, rho: float) -> None:
    errors, weights = Allowance(spread=spread).errors(10, rho)
    assert weights.tolist() == [1.0]
    assert errors.tolist() == pytest.approx([math.sqrt(0.1 + rho / (1 - rho))])
    assert 1 / errors[0] ** 2 == pytest.approx(effective_number(10, rho))


@pytest.mark.parametrize(
    ("low", "high", "middle"),
    [
        ((0.2, 0.8), (0.6, 0.4), 0.4),
        ((1.0, 3e-20), (1.0, 1e-20), 2e-20),  # far below the rope: as digits, not 0
        ((1e-20, 1.0), (4e-20, 1.0), 3e-20),
        ((0.5, 0.5), (0.75, 0.25), 0.25),
        ((0.3, 0.7), (0.4, 0.6), 0.1),
    ],
)
def test_the_rope_lies_between_its_borders(
    low: tuple[float, float], high: tuple[float, float], middle: float
) -> None:
    p = cut(low, high, Rope(-0.1, 0.1))
    assert p.rope == pytest.approx(middle, rel=1e-9, abs=0)
    assert (p.left, p.right) == (low[0], high[1])
    assert cut(low, low, Rope(0.0, 0.0)).rope == 0


@pytest.mark.parametrize(
    ("below", "above", "sides"),
    [
        (0.3, 0.4, (0.3, 0.7)),
        (0.4, 0.3, (0.7, 0.3)),
        (0.7, 0.3, (0.7, 0.3)),
        (0.6, 0.7, (0.5, 0.5)),
    ],
)
def test_the_smaller_of_two_sides_decides(
    below: float, above: float, sides: tuple[float, float]
) -> None:
    assert cautious(below, above) == pytest.approx(sides)


@pytest.mark.parametrize("skewness", [0.4, 1.3, 4.0])
def test_the_chance_that_all_values_are_on_one_side_is_a_gammas(skewness: float) -> None:
    gamma = stats.gamma(4 / (SHOWN * skewness) ** 2)
    assert gamma.stats(moments="s") == pytest.approx(SHOWN * skewness)
    assert chance(6, skewness) == pytest.approx(gamma.cdf(gamma.mean()) ** 6)
    assert chance(6, skewness) > chance(6, 0.0)


def test_without_skewness_all_values_are_on_one_side_as_coins_fall() -> None:
    nearly_none = 2 / math.sqrt(4 * SYMMETRIC) / SHOWN
    assert chance(6, 0.0) == chance(6, -1.0) == chance(6, nearly_none) == 0.5**6
    assert chance(6, 4 * nearly_none) != 0.5**6


@pytest.mark.parametrize("n", [3, 4, 6, 10])
def test_the_surplus_keeps_the_level_of_the_search(n: int) -> None:
    """Of unchanged candidates on the border fails about the nominal share, and half of it at least.

    By the search alone three values at 0.002 fail up to 60 times as often.
    """
    count = 4_000
    samples = np.random.default_rng(n).standard_normal((count, n))
    samples = samples[samples.mean(axis=1) < 0]  # the others do not fail
    best = np.array([_statistics(y)[1] for y in samples])
    tails = stats.t.cdf(best * math.sqrt(n), n - 1) + surplus(n)
    for level in (0.2, 0.05, 0.02):
        error = 4 * math.sqrt(level / count)
        assert (tails < level).sum() / count <= 1.13 * level + error
    assert (tails < 0.25).sum() / count > 0.05


def test_the_surplus_of_correlated_folds_depends_on_how_many_they_are_worth() -> None:
    assert surplus(10, 10.0) == surplus(10) == 8 / 2**11
    assert surplus(3) == 3 / 2**4
    few = effective_number(100, 0.1)  # 9.2
    assert surplus(100, few) == pytest.approx(0.06 * 0.5 ** (few / 2))
    assert surplus(4, 3.9) == pytest.approx(4 / 2**5)
    assert surplus(4, 3.9, 20.0) == chance(4, 20.0) > 4 / 2**5
    assert surplus(4, None, 20.0) == chance(4, 20.0)


def test_the_skewness_is_the_median_one_with_symmetric_values_added() -> None:
    rng = np.random.default_rng(4)
    samples = [rng.lognormal(0, 1, 8), rng.normal(0, 1, 6), rng.exponential(1, 10)]
    g1 = [float(stats.skew(x, bias=False)) for x in samples]
    assert common_skewness(samples) == pytest.approx(np.median(g1) * 24 / (24 + UNSKEWED))
    three = np.array([0.001, 0.002, 0.005])
    g1_of_three = float(stats.skew(three, bias=False))
    assert common_skewness([three]) == pytest.approx(g1_of_three * 3 / (3 + UNSKEWED))
    assert common_skewness([]) == skewness_of_sides([]) == 0
    equal = [np.full(5, 0.3), np.array([0.1, 0.7])]
    assert common_skewness(equal) == 0
    pairs = [(samples[0], samples[1]), (samples[2], equal[0])]
    means = [(8 * g1[0] + 6 * g1[1]) / 14, 10 * g1[2] / 15]
    assert skewness_of_sides(pairs) == pytest.approx(np.median(means) * 29 / (29 + UNSKEWED))


def test_halls_transformation_rises_up_to_where_it_is_flat() -> None:
    """The statistic of its inverse has the cubic's value, and beyond the end nothing changes."""
    g = 0.4
    end = -3 / g
    t = np.array([-20.0, end, -3.0, -1.0, 0.0])
    changed = hall(t, g)

    def cubic(u: float) -> float:
        return u + g * u**2 / 3 + g**2 * u**3 / 27 + g / 6

    assert changed.tolist() == pytest.approx([cubic(max(x, end)) for x in t[:4]] + [0.0])
    assert changed[0] == changed[1]
    slope = (cubic(end + 1e-4) - cubic(end - 1e-4)) / 2e-4
    assert slope == pytest.approx(0.0, abs=1e-6)
    assert hall(t, -0.4).tolist() == hall(t, 0.0).tolist() == t.tolist()
    assert hall(np.array([-math.inf]), 0.0)[0] == -math.inf


def test_beyond_the_end_a_tail_falls_like_a_power_of_the_distance() -> None:
    of_mean = 0.4
    end = -3 / of_mean
    t = np.array([end, FAR * end, 2 * FAR * end])
    for skewness in (0.5, 3.0):
        power = min((2 / (SHOWN * skewness)) ** 2, 1.0) * 7
        expected = [1.0, 1.0, 0.5**power]
        assert beyond(t, np.array(of_mean), skewness, 7.0).tolist() == pytest.approx(expected)
    assert beyond(t, np.array(of_mean), 0.0, 7.0).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("level", [0.2, 0.0, -0.2])
def test_equal_differences_have_the_evidence_of_their_signs(level: float) -> None:
    x: FloatArray = np.full(6, level)
    p = regions(x, 0.1, Rope(-0.1, 0.1))
    tail = 0.5**6
    expected = {0.2: (tail, 0.0, 1 - tail), -0.2: (1 - tail, 0.0, tail)}
    assert tuple(p) == pytest.approx(expected.get(level, (tail, 1 - 2 * tail, tail)))
    on_the_border = regions(np.full(6, 0.1), 0.1, Rope(-0.1, 0.1))
    assert on_the_border.right == 0.5


def least_by_raising(statistic: Callable[[FloatArray], float], n: int) -> float:
    """The least value of a statistic of n raises of at least 0, from several starts."""
    starts = [np.zeros(n), *np.random.default_rng(1).uniform(0, 0.2, (2, n))]
    ends = [
        optimize.minimize(statistic, start, bounds=[(0, None)] * n, tol=1e-12) for start in starts
    ]
    return min(float(end.fun) for end in ends)


# Of a mean below 0: one value far below, two, and none that keeps the others from showing it.
SAMPLES = [
    [-0.8, -0.1, -0.15, 0.05, -0.12],
    [-0.9, -0.7, -0.1, 0.02, -0.08, -0.05],
    [-0.1, 0.06, -0.08, 0.05],
]


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_best_sample_is_the_best_of_all_that_are_nowhere_below(sample: list[float]) -> None:
    y = np.array(sample)

    def t(raises: FloatArray) -> float:
        raised = y + raises
        mean = float(raised.mean())
        return mean / float(raised.std(ddof=1)) if mean < 0 else 0.0

    of_sample, best = _statistics(y)
    assert of_sample == t(np.zeros(len(y)))
    assert best == pytest.approx(least_by_raising(t, len(y)), rel=1e-5)
    assert (best < of_sample) == (sample != SAMPLES[2])


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_best_sample_of_clusters_of_different_sizes(sample: list[float]) -> None:
    means = np.array(sample)
    sizes = np.arange(len(means)) % 3 + 1

    def t(raises: FloatArray) -> float:
        rows = rows_of((sizes * (means + raises))[:, None], sizes)[:, 0]
        mean = float(rows.mean())
        return mean / float(rows.std(ddof=1)) if mean < 0 else 0.0

    of_sample, best = _statistics(rows_of((sizes * means)[:, None], sizes)[:, 0], sizes)
    assert of_sample == pytest.approx(t(np.zeros(len(means))))
    assert best == pytest.approx(least_by_raising(t, len(means)), rel=1e-3)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("rest", [0.0, 0.002])
def test_the_best_sample_of_several_data_sets(sign: float, rest: float) -> None:
    border = 0.05
    samples = [border + sign * np.array(sample) for sample in SAMPLES]
    error = np.array([1 / math.sqrt(len(x)) for x in samples])
    ends = np.cumsum([0, *map(len, samples)])

    def t(means: FloatArray, squares: FloatArray) -> float:
        dof = np.diff(ends) - 1
        variance = rest + float((error**2 / dof) @ squares)
        return sign * float((means - border).sum()) / math.sqrt(variance)

    def of_raised(raises: FloatArray) -> float:
        moved = [x + sign * r for x, r in zip(samples, np.split(raises, ends[1:-1]), strict=True)]
        means = np.array([x.mean() for x in moved])
        squares = np.array([x.var() * len(x) for x in moved])
        return t(means, squares)

    best = tempered(samples, error, border, rest=rest)
    assert best is not None
    expected = least_by_raising(of_raised, int(ends[-1]))
    assert t(*best) == pytest.approx(expected, rel=1e-4)
    assert expected < of_raised(np.zeros(int(ends[-1])))


def test_values_that_are_all_below_show_most_if_they_are_equal() -> None:
    below = np.array([-0.1, -0.11, -0.09, -0.12])
    assert _statistics(below)[1] == -math.inf
    error = np.array([0.5, 0.5])
    best = tempered([below, below - 0.01], error, 0.0)
    assert best is not None
    assert best[0].tolist() == pytest.approx([-0.09, -0.1])
    assert best[1].tolist() == [0.0, 0.0]
    # beside a data set whose variance no raise makes less, they lose more than they gain
    assert tempered([below, below - 0.01], error, 0.0, rest=0.01) is None


def test_what_no_raise_betters_is_the_best_sample_already() -> None:
    assert tempered([np.array(SAMPLES[2])] * 2, np.array([0.5, 0.5]), 0.0) is None
    on_the_border = np.array([-0.1, 0.1, 0.05, -0.05])
    assert tempered([on_the_border], np.array([0.5]), 0.0) is None
