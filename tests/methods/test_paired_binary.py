"""The exact posterior of items that are right or wrong, and McNemar's test."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import betainc, betaln

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import ITEM
from bcompare.methods.correlated_t import CorrelatedT
from bcompare.methods.paired_binary import (
    CAUTIOUS,
    PRIOR,
    PairedBinaryPosterior,
    discordant,
    mcnemar,
)

PARAMETERS = [
    (1.0, 32.0, 1.0),
    (3.0, 20.0, 9.0),
    (1.0, 2.0, 1.0),
    (0.1, 0.2, 0.1),
    (0.3, 40.0, 7.0),
    (40.0, 900.0, 80.0),
    (300.0, 2.0, 500.0),
    (1.0, 1e6, 1.0),
]
ROPES = [(0.0, 0.0), (-0.001, 0.001), (-0.01, 0.01), (-0.02, 0.1), (-0.5, 0.3)]


def posterior(*parameters: float) -> PairedBinaryPosterior:
    return PairedBinaryPosterior(*(np.array([parameter]) for parameter in parameters))


def statistics(left: int, neither: int, right: int) -> SufficientStatistics:
    """So many items that left alone, both or neither, right alone got right."""
    differences = [-1.0] * left + [0.0] * neither + [1.0] * right
    result = SufficientStatistics.from_differences(differences, 0.0)
    return SufficientStatistics(
        result.names, result.n, result.mean, result.ss, result.rho, np.array([True]), ITEM
    )


EACH_COUNT = [(b, w, n - b - w) for n in range(13) for b in range(n + 1) for w in range(n + 1 - b)]


def by_log_odds(threshold: float, better: float, worse: float, neither: float) -> float:
    """P(θ_better - θ_worse > threshold), over the logarithm of the odds of θ_better + θ_worse."""
    if neither == 0:
        return float(betainc(worse, better, (1 - threshold) / 2))
    a, b = better + worse, neither
    low = math.log(threshold / (1 - threshold))

    def integrand(x: FloatArray) -> FloatArray:
        density = np.exp(-a * np.logaddexp(0, -x) - b * np.logaddexp(0, x) - betaln(a, b))
        share = (1 - threshold * (1 + np.exp(-x))) / 2
        return np.asarray(density * betainc(worse, better, np.maximum(share, 0)))

    middle, spread = math.log(a / b), math.sqrt(1 / a + 1 / b)
    last = max(low, middle) + 60 / b + 40
    inside = [middle + k * spread for k in (-9, -6, -4, -2, -1, 0, 1, 2, 4, 8, 16)]
    ends = [low, *(low + np.geomspace(1e-6, last - low, 60)), *inside, *np.linspace(low, last, 40)]
    edges = np.unique(np.clip(ends, low, last))
    nodes, weights = np.polynomial.legendre.leggauss(16)
    half = np.diff(edges)[:, None] / 2
    x = (edges[1:, None] + edges[:-1, None]) / 2 + half * nodes
    return float((integrand(x) * half * weights).sum())


@pytest.mark.parametrize("prior", [PRIOR, *CAUTIOUS])
def test_all_counts_of_a_few_items(prior: tuple[float, float, float]) -> None:
    """Also those without a concordant item, where a prior leaves a weight of 0 for neither."""
    rng = np.random.default_rng(7)
    random = (rng.multinomial(rng.integers(13, 41), rng.dirichlet([0.4] * 3)) for _ in range(500))
    counts = np.array([*EACH_COUNT, *random], dtype=float)
    thresholds = rng.choice([1e-4, 0.01, 0.05, 0.3], len(counts))
    better, worse, neither = counts.T
    given = PairedBinaryPosterior(worse + prior[0], neither + prior[1], better + prior[2])
    expected = [
        by_log_odds(*one)
        for one in zip(thresholds, given.right, given.left, given.neither, strict=True)
    ]
    np.testing.assert_allclose(given.above(thresholds), expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize("weight", [0.0, 1e-9, 1e-4, 1e-3, 1e-2, 0.1])
@pytest.mark.parametrize(("left", "right"), [(951.0, 50.0), (51.0, 950.0), (3.0, 0.0), (0.0, 3.0)])
def test_next_to_no_weight_for_neither(left: float, right: float, weight: float) -> None:
    for threshold in (0.001, 0.01, 0.3):
        p = posterior(left, weight, right).above(np.array([threshold]))[0]
        assert p == pytest.approx(by_log_odds(threshold, right, left, weight), abs=1e-8)


@pytest.mark.parametrize("prior", [PRIOR, *CAUTIOUS])
@pytest.mark.parametrize("border", [-0.3, -0.01, 0.0, 0.05])
def test_a_further_loss_never_speaks_for_the_candidate(
    prior: tuple[float, float, float], border: float
) -> None:
    table = {
        (better, worse, neither): posterior(*np.add((worse, neither, better), prior)).above(
            np.array([border])
        )[0]
        for better, worse, neither in EACH_COUNT
    }
    for (better, worse, neither), p in table.items():
        others = [(better, worse + 1, neither)]
        others += [(better - 1, worse, neither + 1)] if better else []
        others += [(better, worse + 1, neither - 1)] if neither else []
        for other in others:
            assert table.get(other, 0.0) <= p + 1e-9, (better, worse, neither)


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_swapping_left_and_right_mirrors_exactly(parameters: tuple[float, float, float]) -> None:
    for low, high in ROPES:
        one = posterior(*parameters).regions(Rope(low, high))
        other = posterior(*parameters[::-1]).regions(Rope(-high, -low))
        assert [*one] == [*other][::-1]
        assert one.left + one.rope + one.right == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("count", [5, 50, 2000])
def test_what_cannot_happen_leaves_one_share(count: int) -> None:
    share, edges = posterior(0.0, 1.0, float(count)), np.array([0.2, 0.9, 0.999])
    for edge in edges:
        expected = stats.beta.sf(edge, count, 1)
        assert share.above(np.array([edge]))[0] == pytest.approx(expected, rel=1e-9)
        assert share.above(np.array([-edge]))[0] == pytest.approx(1, abs=1e-8)


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_intervals_hold_what_they_say(parameters: tuple[float, float, float]) -> None:
    result = posterior(*parameters)
    for interval in result.intervals([0.5, 0.95, 0.999]):
        tail = (1 - interval.level) / 2
        if interval.low[0] > -1:
            assert 1 - result.above(interval.low)[0] == pytest.approx(tail, abs=1e-8)
        if interval.high[0] < 1:
            assert result.above(interval.high)[0] == pytest.approx(tail, abs=1e-8)


def test_the_curve_is_the_density() -> None:
    grid, density = posterior(3.0, 20.0, 9.0).curve(0)
    assert np.trapezoid(density, grid) == pytest.approx(0.9999, abs=1e-4)
    draws = np.random.default_rng(1).dirichlet((3, 20, 9), 400_000)
    heights, edges = np.histogram(draws[:, 2] - draws[:, 0], bins=30, density=True)
    assert np.interp((edges[1:] + edges[:-1]) / 2, grid, density) == pytest.approx(
        heights, abs=0.06
    )


@pytest.mark.parametrize("mid", [False, True])
@pytest.mark.parametrize(("left", "right"), [(0, 0), (1, 0), (3, 9), (40, 12), (7, 7)])
def test_mcnemar_counts_every_outcome(left: int, right: int, mid: bool) -> None:
    n = left + right
    chance = [math.comb(n, k) / 2**n for k in range(n + 1)]
    of_this_one = chance[right] * (0.5 if mid else 1)
    right_better = sum(chance[right + 1 :]) + of_this_one
    left_better = sum(chance[:right]) + of_this_one
    expected = (min(1, 2 * min(right_better, left_better)), right_better, left_better)
    result = mcnemar(np.array([left]), np.array([right]), mid=mid)
    assert tuple(float(p[0]) for p in result) == pytest.approx(expected)


@pytest.mark.parametrize(("left", "neither", "right"), [(3, 50, 9), (0, 3, 0), (12, 0, 8)])
def test_the_counts_come_back_from_mean_and_sum_of_squares(
    left: int, neither: int, right: int
) -> None:
    counts = discordant(statistics(left, neither, right))
    assert [count[0] for count in counts] == [left, right]


def outcomes(n: int, left: float, right: float) -> tuple[SufficientStatistics, FloatArray]:
    """All that n items can come to, as data sets, and how probable each is."""
    pairs = [(i, j) for i in range(n + 1) for j in range(n + 1 - i)]
    lefts, rights = np.array(pairs).T
    weights = stats.multinomial(n, [left, 1 - left - right, right]).pmf(
        np.stack([lefts, n - lefts - rights, rights], axis=1)
    )
    kept = weights > 1e-9
    lefts, rights, weights = lefts[kept], rights[kept], weights[kept]
    mean = (rights - lefts) / n
    size = np.full(len(mean), n)
    ss = np.maximum(lefts + rights - n * mean**2, 0.0)
    names = tuple(map(str, range(len(mean))))
    binary = np.full(len(mean), True)
    return SufficientStatistics(names, size, mean, ss, 0.0 * mean, binary, ITEM), weights


@pytest.mark.parametrize(
    ("discordant", "by_t"),
    # the share of items that only one gets right: as of two independent models, and of models
    # that mostly fail on the same items
    [(0.113, 0.94), (0.045, 0.75)],
)
def test_coverage_with_thirty_items(discordant: float, by_t: float) -> None:
    """Accuracies 0.95 and 0.93, intervals of 95 %, over all that may come out."""
    every, weights = outcomes(30, (discordant + 0.02) / 2, (discordant - 0.02) / 2)

    def coverage(given: SufficientStatistics) -> float:
        result = CorrelatedT(interval_levels=(0.95,)).test(given, Rope.of(0.01)).datasets
        (interval,) = result.intervals
        return float(weights @ ((interval.low <= -0.02) & (interval.high >= -0.02)))

    folds = SufficientStatistics(every.names, every.n, every.mean, every.ss, every.rho)
    assert coverage(folds) < by_t
    assert coverage(every) > 0.98


@pytest.mark.parametrize(("apart", "exact"), [(99, True), (100, False)])
def test_which_items_have_the_exact_posterior(apart: int, exact: bool) -> None:
    result = CorrelatedT().test(statistics(3, 5_000, apart - 3), Rope.of(0.01))
    assert bool(np.isnan(result.datasets.posterior.dof[0])) == exact
    assert result.datasets.nhst.p_value[0] == pytest.approx(stats.binomtest(3, apart).pvalue)


def test_tied_items_never_have_a_student_posterior() -> None:
    assert CorrelatedT().test(statistics(0, 500, 0), Rope.of(0.01)).probabilities.rope < 1
    tied = SufficientStatistics.from_differences([0.0] * 50, 0.0)
    scored = SufficientStatistics(tied.names, tied.n, tied.mean, tied.ss, tied.rho, unit=ITEM)
    assert CorrelatedT().test(scored, Rope.of(0.01)).datasets.withheld.all()
    assert not CorrelatedT().test(tied, Rope.of(0.01)).datasets.withheld.any()


@pytest.mark.parametrize("parameters", PARAMETERS[:6])
@pytest.mark.parametrize("threshold", [1e-4, 0.01, 0.2])
def test_against_the_integral_over_the_other_variable(
    parameters: tuple[float, float, float], threshold: float
) -> None:
    left, neither, right = parameters
    share, size = stats.beta(right, left), stats.beta(left + right, neither)

    def integrand(u: float) -> float:
        return float(share.pdf(u) * size.sf(threshold / (2 * u - 1)))

    peak = float(np.clip(share.mean(), 0.5 + threshold / 2 + 1e-9, 1 - 1e-9))
    near = [0.5 + threshold * factor for factor in (0.5, 5, 50, 500) if threshold * factor < 0.5]
    bounds = sorted([*near, peak, 1.0])
    expected = sum(
        integrate.quad(integrand, a, b, epsabs=1e-11, limit=500)[0] for a, b in pairwise(bounds)
    )
    assert posterior(*parameters).above(np.array([threshold]))[0] == pytest.approx(
        expected, abs=1e-8
    )


def test_the_average_has_the_variance_of_independent_data_sets() -> None:
    left = np.array([3.0, 1.0, 20.0])
    neither = np.array([10.0, 40.0, 500.0])
    right = np.array([7.0, 2.0, 60.0])
    average = PairedBinaryPosterior(left, neither, right).averaged((0.0, 0.0, 0.0))
    means = []
    variances = []
    for parameters in zip(left, neither, right, strict=True):
        n = sum(parameters)
        covariance = stats.dirichlet(parameters).cov()
        contrast = np.array([-1.0, 0.0, 1.0])
        means.append((parameters[2] - parameters[0]) / n)
        # of 3 data sets two thirds of the way to the unbiased variance of few items
        variances.append(contrast @ covariance @ contrast * (1 + 4 / 3 / (n - 1)))
    assert average.mean.tolist() == pytest.approx([np.mean(means)])
    assert average.sd[0] ** 2 == pytest.approx(sum(variances) / 9)


def test_where_no_item_can_tell_them_apart_the_average_is_a_point() -> None:
    average = PairedBinaryPosterior(np.zeros(2), np.array([10.0, 30.0]), np.zeros(2)).averaged(
        (0.0, 0.0, 0.0)
    )
    assert (average.left[0], average.neither[0], average.right[0]) == (0.0, 40.0, 0.0)
