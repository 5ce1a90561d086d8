"""Diagnostics of Markov chains: against ArviZ, theory, and slower ways to the same number."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import rankdata

from bcompare.data.rope import FloatArray
from bcompare.methods.hierarchical.sampling.diagnostics import (
    diagnose,
    e_bfmi,
    ess_bulk,
    ess_mean,
    ess_tail,
    mcse_mean,
    r_hat,
)
from bcompare.methods.hierarchical.trust import SamplerDiagnostics

CHAINS, LENGTH = 4, 500


def congruential_series(phi: float) -> FloatArray:
    """AR(1) chains from a 64-bit linear congruential generator: the same on every machine."""
    state = 12345
    chains = np.empty((CHAINS, LENGTH))
    for chain in chains:
        x = 0.0
        for t in range(LENGTH):
            state = (6364136223846793005 * state + 1442695040888963407) % 2**64
            x = phi * x + float(ndtri(((state >> 11) + 0.5) / 2**53))
            chain[t] = x
    return chains


def ar1(phi: float, chains: int, length: int, seed: int) -> FloatArray:
    """AR(1) chains of variance 1, stationary from the start."""
    noise = np.random.default_rng(seed).normal(size=(length, chains))
    noise[1:] *= math.sqrt(1 - phi**2)
    for t in range(1, length):
        noise[t] += phi * noise[t - 1]
    return noise.T


def slow_ess(draws: FloatArray) -> float:
    """Vehtari 2021, eq. 10-13, a lag at a time, each autocovariance a direct sum."""
    half = draws.shape[1] // 2
    chains = [*draws[:, :half], *draws[:, -half:]]
    n, m = half, len(chains)
    means = [sum(chain) / n for chain in chains]
    within = (
        sum(
            sum((x - mean) ** 2 for x in chain) / (n - 1)
            for chain, mean in zip(chains, means, strict=True)
        )
        / m
    )
    grand = sum(means) / m
    between = n / (m - 1) * sum((mean - grand) ** 2 for mean in means)
    pooled = (n - 1) / n * within + between / n

    def correlation(lag: int) -> float:
        if lag == 0:
            return 1.0
        covariance = (
            sum(
                sum((chain[t] - mean) * (chain[t + lag] - mean) for t in range(n - lag)) / n
                for chain, mean in zip(chains, means, strict=True)
            )
            / m
        )
        return float(1 - (within - covariance) / pooled)

    time, lowest, lag = -1.0, math.inf, 0
    while lag + 1 < n:
        even, pair = correlation(lag), correlation(lag) + correlation(lag + 1)
        if pair < 0:
            time += max(even, 0.0)
            break
        lowest = min(lowest, pair)
        time += 2 * lowest
        lag += 2
    return float(n * m / time)


@pytest.mark.parametrize(
    ("phi", "transform", "expected"),
    [
        (
            0.5,
            "none",
            (1.006701483304147, 631.761477089444, 1225.981290251052, 629.3440238919985,
             0.04663788188648222),
        ),
        (
            -0.4,
            "none",
            (1.000259606687125, 4654.24797282274, 2174.1841907784897, 4680.992898541993,
             0.01573605081762759),
        ),
        (
            0.3,
            "exp",
            (1.003592173362291, 1101.499129441259, 1552.7205834824924, 2002.812849594935,
             30.10053725487822),
        ),
    ],
)  # fmt: skip
def test_against_arviz_stats_0_8(phi: float, transform: str, expected: tuple[float, ...]) -> None:
    """rhat, ess (bulk, tail at 0.05, mean) and mcse (mean) of arviz_stats.base.array_stats."""
    draws = congruential_series(phi)
    if transform == "exp":
        draws = np.exp(3 * draws)
    found = (r_hat(draws), ess_bulk(draws), ess_tail(draws), ess_mean(draws), mcse_mean(draws))
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("phi", [-0.5, 0.0, 0.5, 0.9])
def test_effective_sample_size_of_an_autoregression_is_known(phi: float) -> None:
    """An AR(1) series of N draws is worth N (1 - φ)/(1 + φ) independent ones."""
    chains, length = 4, 10_000
    size = chains * length
    draws = ar1(phi, chains, length, seed=1)
    exact = size * (1 - phi) / (1 + phi)
    # Sokal 1997, eq. 3.19: relative variance 2 (2 M + 1)/N when M lags are summed; here they
    # end where the correlation, like φ^M, is lost in noise of size 1/√N.
    lags = 2 + (math.log(size) / 2 / -math.log(abs(phi)) if phi else 0)
    tolerance = 4 * math.sqrt(2 * (2 * lags + 1) / size)
    assert ess_mean(draws) == pytest.approx(exact, rel=tolerance)
    assert ess_bulk(draws) == pytest.approx(exact, rel=tolerance)


@pytest.mark.parametrize("phi", [-0.6, 0.0, 0.8])
@pytest.mark.parametrize("length", [100, 101])
def test_effective_sample_size_equals_direct_sums(phi: float, length: int) -> None:
    draws = ar1(phi, 3, length, seed=2)
    capped = min(slow_ess(draws), (draws.shape[1] // 2 * 6) * math.log10(length // 2 * 6))
    assert ess_mean(draws) == pytest.approx(capped, rel=1e-10)


def test_standard_error_of_the_mean_is_the_spread_of_means() -> None:
    """Means of independent runs vary as much as the standard error says."""
    runs = 400
    draws = ar1(0.7, 4 * runs, 500, seed=3).reshape(runs, 4, 500)
    spread = float(draws.mean(axis=(1, 2)).std(ddof=1))
    claimed = float(np.mean([mcse_mean(run) for run in draws]))
    # the relative standard error of a standard deviation from 400 values is 1/√800, and the
    # claims' bias is that of ESS, a few lags in 500
    assert claimed == pytest.approx(spread, rel=4 / math.sqrt(2 * runs) + 5 / 500)


def test_r_hat_equals_its_definition_on_ranks() -> None:
    draws = np.round(congruential_series(0.5), 1)  # with ties
    halves = draws.reshape(2 * CHAINS, LENGTH // 2)

    def plain(values: FloatArray) -> float:
        z = ndtri((rankdata(values).reshape(values.shape) - 3 / 8) / (values.size + 1 / 4))
        n = z.shape[1]
        within, between = z.var(axis=1, ddof=1).mean(), z.mean(axis=1).var(ddof=1)
        return math.sqrt((n - 1) / n + between / within)

    folded = np.abs(halves - np.median(halves))
    assert r_hat(draws) == pytest.approx(max(plain(halves), plain(folded)), rel=1e-12)


def test_r_hat_sees_what_it_should() -> None:
    good = np.random.default_rng(4).normal(size=(4, 1000))
    assert r_hat(good) < 1.01
    moved = good.copy()
    moved[0] += 1
    assert r_hat(moved) > 1.05
    wide = good.copy()
    wide[0] *= 3  # the same centre: only the folded draws tell
    assert r_hat(wide) > 1.05
    drifting = good + np.linspace(0, 2, 1000)  # all alike, but not stationary: only halves tell
    assert r_hat(drifting) > 1.05
    cauchy = np.random.default_rng(5).standard_cauchy((4, 1000))  # no variance: only ranks cope
    assert r_hat(cauchy) < 1.01


def test_bulk_and_r_hat_do_not_depend_on_the_scale_of_measurement() -> None:
    draws = congruential_series(0.5)
    assert ess_bulk(np.exp(draws)) == ess_bulk(draws)
    assert r_hat(100 * draws) == pytest.approx(r_hat(draws), rel=1e-12)


def test_tail_size_is_that_of_the_rarer_indicator() -> None:
    draws = congruential_series(0.5)
    low, high = np.quantile(draws, [0.05, 0.95])
    sizes = [slow_ess((draws <= q).astype(np.float64)) for q in (low, high)]
    assert ess_tail(draws) == pytest.approx(min(sizes), rel=1e-10)


def test_energy_fraction_of_an_autoregression_is_known() -> None:
    """E-BFMI of an AR(1) series is 2 (1 - φ)."""
    length = 20_000
    for phi in (0.0, 0.9):
        found = e_bfmi(ar1(phi, 4, length, seed=6))
        assert found.shape == (4,)
        # a lag-1 autocorrelation has standard error √((1 - φ²)/n): Bartlett
        assert found == pytest.approx(2 * (1 - phi), abs=8 * math.sqrt((1 - phi**2) / length))


def test_a_quantity_that_never_moves_is_not_trusted() -> None:
    moving = np.random.default_rng(7).normal(size=(4, 1000))
    found = diagnose({"a": moving, "b": np.ones((4, 1000))}, moving, 0)
    assert found.r_hat_of == found.ess_bulk_of == found.ess_tail_of == "b"
    assert math.isnan(found.r_hat)
    assert len(found.problems) == 3


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_single_draw_that_is_not_a_number_is_not_trusted(value: float) -> None:
    draws = np.random.default_rng(11).normal(size=(4, 1000))
    energy = draws.copy()
    draws[2, 500] = value
    found = diagnose({"a": draws}, energy, 0)
    assert math.isnan(found.r_hat)
    assert math.isnan(found.ess_bulk)
    assert len(found.problems) >= 2


def test_chains_stuck_at_different_values_are_not_trusted() -> None:
    stuck = np.repeat(np.arange(4.0)[:, None], 1000, axis=1)
    assert r_hat(stuck) == math.inf


GOOD = SamplerDiagnostics(
    r_hat=1.01, r_hat_of="a", ess_bulk=400, ess_bulk_of="b", ess_tail=400, ess_tail_of="c",
    e_bfmi=0.3, divergences=0, draws=4000,
)  # fmt: skip


def test_the_thresholds_themselves_are_good() -> None:
    assert GOOD.problems == ()


@pytest.mark.parametrize(
    ("worse", "problem"),
    [
        (replace(GOOD, r_hat=1.0101), "R-hat 1.0101 of a is above 1.01"),
        (replace(GOOD, ess_bulk=399.4), "effective sample size 399 of b is below 400"),
        (replace(GOOD, ess_tail=3), "effective sample size 3 of the tails of c is below 400"),
        (replace(GOOD, e_bfmi=0.29), "E-BFMI 0.29 is below 0.3"),
        (replace(GOOD, e_bfmi=math.nan), "E-BFMI nan is below 0.3"),
        (replace(GOOD, divergences=2), "2 of 4000 transitions diverged"),
    ],
)
def test_each_diagnostic_is_judged(worse: SamplerDiagnostics, problem: str) -> None:
    assert worse.problems == (problem,)


def test_diagnose_reports_the_worst_quantity_and_chain() -> None:
    rng = np.random.default_rng(8)
    good, slow = rng.normal(size=(4, 1000)), ar1(0.95, 4, 1000, seed=9)
    energy = rng.normal(size=(4, 1000))
    energy[2] = ar1(0.9, 1, 1000, seed=10)[0]
    found = diagnose({"good": good, "slow": slow}, energy, 3)
    assert (found.r_hat, found.r_hat_of) == (r_hat(slow), "slow")
    assert (found.ess_bulk, found.ess_bulk_of) == (ess_bulk(slow), "slow")
    assert (found.ess_tail, found.ess_tail_of) == (ess_tail(slow), "slow")
    assert found.e_bfmi == e_bfmi(energy)[2]
    assert (found.divergences, found.draws) == (3, 4000)
