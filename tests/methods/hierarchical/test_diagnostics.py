"""Diagnostics of Markov chains: what is reported of which quantity, and what is not trusted."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtri

from bcompare.data.rope import FloatArray
from bcompare.methods.hierarchical.diagnostics import SamplerDiagnostics

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


def diagnosed(draws: FloatArray) -> SamplerDiagnostics:
    return SamplerDiagnostics.of({"a": draws}, draws, 0)


@pytest.mark.parametrize(
    ("phi", "power", "expected"),
    [
        (0.5, None, (1.006701483304147, 631.761477089444, 1225.981290251052)),
        (-0.4, None, (1.000259606687125, 4654.24797282274, 2174.1841907784897)),
        (0.3, 3, (1.003592173362291, 1101.499129441259, 1552.7205834824924)),
    ],
)
def test_they_are_vehtaris(phi: float, power: float | None, expected: tuple[float, ...]) -> None:
    """R-hat, bulk and tail size, computed once by an implementation of Vehtari 2021 of our own."""
    draws = congruential_series(phi)
    result = diagnosed(draws if power is None else np.exp(power * draws))
    assert (result.r_hat, result.ess_bulk, result.ess_tail) == pytest.approx(expected, rel=1e-9)


def test_drifting_and_stuck_chains_are_found() -> None:
    """A single chain is compared with itself, by halves."""
    draws = np.random.default_rng(4).normal(size=(1, 1001))
    assert diagnosed(draws).r_hat < 1.01
    assert diagnosed(draws + np.linspace(0, 2, 1001)).r_hat > 1.05
    assert diagnosed(np.repeat(np.arange(4.0)[:, None], 1000, axis=1)).r_hat == math.inf


def test_a_quantity_that_never_moves_is_not_trusted() -> None:
    moving = np.random.default_rng(7).normal(size=(4, 1000))
    result = SamplerDiagnostics.of({"a": moving, "b": np.ones((4, 1000))}, moving, 0)
    assert result.r_hat_of == "b"
    assert result.problems == ("R-hat nan of b is above 1.01",)


GOOD = SamplerDiagnostics(
    r_hat=1.01, r_hat_of="a", ess_bulk=400, ess_bulk_of="b", ess_tail=400, ess_tail_of="c",
    e_bfmi=0.3, divergences=0, draws=4000,
)  # fmt: skip


@pytest.mark.parametrize(
    ("worse", "problems"),
    [
        (GOOD, []),  # the limits themselves are good
        (replace(GOOD, r_hat=1.0101), ["R-hat 1.0101 of a is above 1.01"]),
        (replace(GOOD, ess_bulk=399.4), ["effective sample size 399 of b is below 400"]),
        (replace(GOOD, ess_tail=3), ["effective sample size 3 of the tails of c is below 400"]),
        (replace(GOOD, e_bfmi=0.29), ["E-BFMI 0.29 is below 0.3"]),
        (replace(GOOD, e_bfmi=math.nan), ["E-BFMI nan is below 0.3"]),
        (replace(GOOD, divergences=2), ["2 of 4000 transitions diverged"]),
    ],
)
def test_each_diagnostic_is_judged(worse: SamplerDiagnostics, problems: list[str]) -> None:
    assert list(worse.problems) == problems


def test_the_worst_quantity_and_chain_are_reported() -> None:
    rng = np.random.default_rng(8)
    good, energy = rng.normal(size=(2, CHAINS, LENGTH))
    slow = congruential_series(0.95)
    energy[2] = congruential_series(0.9)[0]
    result, alone = SamplerDiagnostics.of({"good": good, "slow": slow}, energy, 3), diagnosed(slow)
    assert result.r_hat_of == result.ess_bulk_of == result.ess_tail_of == "slow"
    assert (result.r_hat, result.ess_bulk, result.ess_tail) == pytest.approx(
        (alone.r_hat, alone.ess_bulk, alone.ess_tail), rel=1e-12
    )
    assert result.e_bfmi == pytest.approx(diagnosed(energy[2:3]).e_bfmi, rel=1e-12)
    assert (result.divergences, result.draws) == (3, CHAINS * LENGTH)
