"""The answer from draws of the posterior, and their diagnostics, on draws that are known."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtri

from bcompare.basis.messages import ComputationError
from bcompare.data.rope import FloatArray, Rope
from bcompare.methods.hierarchical.canonical import Canonical
from bcompare.methods.hierarchical.diagnostics import SamplerDiagnostics, share_error
from bcompare.methods.hierarchical.model import ModelData, nu_prior
from bcompare.methods.hierarchical.result import HierarchicalResult
from bcompare.methods.hierarchical.sampling.stan import Draws, answer, slots
from tests.methods.hierarchical.examples import statistics_of, triple

CHAINS, LENGTH = 4, 2000
SIZE = CHAINS * LENGTH
ROPE = Rope(-0.01, 0.01)
MEANS = np.array([0.004, 0.012, -0.003, 0.012, 0.03, 0.0])


def problem(means: FloatArray = MEANS, rope: Rope = ROPE, prior: str = "corani") -> Canonical:
    data = ModelData(statistics_of(means, 0.02), rope, nu_prior=nu_prior(prior))
    return Canonical(data, rope)


def known_draws(form: Canonical) -> Draws:
    """Independent draws, not from the model's posterior, but from distributions that are known.

    In the scores' unit: δ0 ~ N(0.008, 0.004), log σ0 ~ N(log 0.01, 0.3), log(ν - 1) ~ N(1, 0.5),
    δ_k ~ N(0.002 k, 0.01) for the k-th data set sampled.
    """
    rng = np.random.default_rng(0)
    shape, q = (CHAINS, LENGTH), len(form.place)
    return Draws(
        delta0=rng.normal(0.008, 0.004, shape),
        sigma0=0.01 * np.exp(rng.normal(0, 0.3, shape)),
        nu=1 + np.exp(rng.normal(1, 0.5, shape)),
        delta=0.002 * np.arange(q) + rng.normal(0, 0.01, (*shape, q)),
        energy=rng.normal(size=shape),
        divergent=np.zeros(shape),
    )


def sampled(form: Canonical, known: Draws) -> Draws:
    """The same as a sampler has them: in the unit and the direction of the canonical form."""
    unit = -form.unit if form.lean < 0 else form.unit
    return replace(
        known, delta0=known.delta0 / unit, sigma0=known.sigma0 / form.unit, delta=known.delta / unit
    )


def solved(
    means: FloatArray = MEANS, rope: Rope = ROPE, prior: str = "corani", **changed: Any
) -> tuple[Draws, HierarchicalResult]:
    """Known draws, some of them changed, and the answer from them."""
    form = problem(means, rope, prior)
    known = replace(known_draws(form), **changed)
    return known, answer(form, sampled(form, known))


EXACT = {
    "delta0": stats.norm(0.008, 0.004),
    "sigma0": stats.lognorm(0.3, scale=0.01),
    "nu": stats.lognorm(0.5, loc=1, scale=math.e),
}


def test_probabilities_are_shares_of_the_draws_in_which_a_region_is_the_largest() -> None:
    """The definition (Corani 2017, §3.1), a draw at a time with SciPy's Student."""
    rope = Rope(-0.005, 0.012)
    draws, result = solved(rope=rope)
    assert draws.nu is not None
    student = stats.t(draws.nu, draws.delta0, draws.sigma0)
    low, high = np.ravel(student.cdf(rope.low)), np.ravel(student.cdf(rope.high))
    theta = np.stack([low, high - low, 1 - high])
    wins = np.bincount(theta.argmax(axis=0), minlength=3) / SIZE
    assert triple(result.probabilities) == pytest.approx(wins, abs=1e-9)
    assert triple(result.theta_mean) == pytest.approx(theta.mean(axis=1))


@pytest.fixture(scope="module")
def result() -> HierarchicalResult:
    return solved()[1]


@pytest.mark.parametrize("name", EXACT)
def test_summaries_and_curve_of_a_parameter(result: HierarchicalResult, name: str) -> None:
    """Against the distribution that the draws come from, within four Monte Carlo errors."""
    marginal, exact = getattr(result, name), EXACT[name]
    assert marginal.mean == pytest.approx(exact.mean(), abs=4 * exact.std() / math.sqrt(SIZE))
    for level, ends in marginal.intervals.items():
        for p, end in zip(((1 - level) / 2, (1 + level) / 2), ends, strict=True):
            assert exact.cdf(end) == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / SIZE))
    assert exact.cdf(marginal.median) == pytest.approx(0.5, abs=2 / math.sqrt(SIZE))
    curve = marginal.density
    assert (np.diff(curve.grid) > 0).all()
    assert (np.diff(curve.cdf) >= 0).all()
    assert np.trapezoid(curve.density, curve.grid) == pytest.approx(1, abs=1e-3)
    # the CDF is one smoothed by 0.15 standard deviations (Silverman's bandwidth for so many
    # draws): off by b² max|f'|/2 < 0.15² 0.25/2, and by the draws' own noise
    assert curve.cdf == pytest.approx(exact.cdf(curve.grid), abs=0.003 + 2 / math.sqrt(SIZE))
    steps = np.diff(curve.grid) * (curve.density[1:] + curve.density[:-1]) / 2
    assert curve.cdf == pytest.approx(np.concatenate([[0], np.cumsum(steps)]), abs=2e-3)


@pytest.mark.parametrize("prior", ["corani", "gaussian"])
def test_the_next_data_set_is_a_mixture_of_students_or_normals(prior: str) -> None:
    """Against direct averages over the draws that the curve uses, every eighth one."""
    changed: dict[str, Any] = {"nu": None} if prior == "gaussian" else {}
    draws, result = solved(prior=prior, **changed)
    assert (result.nu is None) == (prior == "gaussian")
    curve = result.next_delta
    nu, delta0, sigma0 = (
        np.array(math.inf) if x is None else x.ravel()[::8]
        for x in (draws.nu, draws.delta0, draws.sigma0)
    )
    student = stats.t(nu, delta0, sigma0)
    for k in range(0, curve.grid.size, 20):
        assert curve.cdf[k] == pytest.approx(student.cdf(curve.grid[k]).mean(), abs=1e-12)
        assert curve.density[k] == pytest.approx(student.pdf(curve.grid[k]).mean(), rel=1e-9)
    assert curve.cdf[0] < 0.01
    assert curve.cdf[-1] > 0.99
    assert curve.grid[0] < MEANS.min()
    assert curve.grid[-1] > MEANS.max()


def test_data_sets_are_read_from_their_own_draws() -> None:
    draws, result = solved()
    outcome = result.datasets
    form = problem()
    order, place = slots(form)
    assert form.data.statistics.mean[order[place]] == pytest.approx(MEANS, abs=0)
    delta = draws.delta[:, :, place].reshape(SIZE, 6)
    assert outcome.delta_mean == pytest.approx(delta.mean(axis=0), abs=1e-15)
    assert outcome.delta_sd == pytest.approx(delta.std(axis=0, ddof=1))
    assert outcome.probabilities.left == pytest.approx((delta < -0.01).mean(axis=0))
    assert outcome.probabilities.right == pytest.approx((delta > 0.01).mean(axis=0))
    assert pytest.approx(np.quantile(delta, [0.05, 0.95], axis=0)) == outcome.delta_intervals[0.9].T
    assert triple(outcome.probabilities).sum(axis=0) == pytest.approx(np.ones(6))
    assert (outcome.mean_difference == MEANS).all()
    assert outcome.delta_mean[1] == outcome.delta_mean[3]  # both have mean 0.012
    assert len(set(outcome.delta_mean)) == 5


def test_order_and_sides_change_no_bit() -> None:
    """One run of the sampler serves all three: they are one problem in canonical form."""
    order = np.array([3, 5, 0, 4, 2, 1])
    forms = [problem(means) for means in (MEANS, MEANS[order], 0.0 - MEANS)]
    assert forms[0].lean == -forms[2].lean != 0
    draws = sampled(forms[0], known_draws(forms[0]))
    one, other, mirrored = (answer(form, draws) for form in forms)
    np.testing.assert_array_equal(triple(other.probabilities), triple(one.probabilities))
    np.testing.assert_array_equal(triple(mirrored.probabilities), triple(one.probabilities)[::-1])
    assert one.delta0.mean == other.delta0.mean == -mirrored.delta0.mean
    assert (one.datasets.delta_mean[order] == other.datasets.delta_mean).all()
    assert (one.datasets.delta_mean == -mirrored.datasets.delta_mean).all()
    assert (one.datasets.probabilities.left == mirrored.datasets.probabilities.right).all()
    assert one.sampler == mirrored.sampler


def test_the_error_of_a_share() -> None:
    rng = np.random.default_rng(1)
    won = (rng.random((4, 5000)) < 0.3).astype(np.float64)
    p = won.mean()
    # the effective size of independent draws is estimated to a few percent: Sokal 1997
    assert share_error(won) == pytest.approx(math.sqrt(p * (1 - p) / won.size), rel=0.1)
    blocks = np.repeat(won, 25, axis=1)  # 25 times as many draws, but no more information
    assert share_error(blocks) == pytest.approx(share_error(won), rel=0.15)
    assert 0 < share_error(np.ones((4, 5000))) < 1 / 20_000


def test_good_draws_give_a_verdict_and_the_error_of_the_least_certain_region(
    result: HierarchicalResult,
) -> None:
    assert result.error is not None
    assert result.error.kind == "monte-carlo"
    p = triple(result.probabilities)
    assert result.error.value == pytest.approx(np.sqrt(p * (1 - p) / SIZE).max(), rel=0.1)
    assert (result.withheld, result.notes) == (None, ())
    assert result.sampler is not None
    assert result.sampler.draws == SIZE


def test_bad_draws_withhold_the_verdict_and_say_why() -> None:
    form = problem()
    draws = known_draws(form)
    draws.divergent[1, 5:8] = 1
    draws.delta[0, :, 0] += 0.01
    result = answer(form, sampled(form, draws))
    assert result.sampler is not None
    name = form.data.statistics.names[slots(form)[0][0]]
    assert result.sampler.r_hat_of == f"δ of data set {name}"
    assert result.withheld is not None
    assert "R-hat" in result.withheld
    assert "3 of 8000 transitions diverged" in result.withheld
    (note,) = result.notes
    assert (note.code, note.severity) == ("sampler", "warning")
    assert "take more draws (draws)" in note.message
    assert result.withheld in note.message


@pytest.mark.parametrize(("value", "message"), [(math.nan, "not numbers"), (0.01, "do not move")])
def test_draws_that_say_nothing_are_refused(value: float, message: str) -> None:
    with pytest.raises(ComputationError, match=message):
        solved(sigma0=np.full((CHAINS, LENGTH), value))


SHORT_CHAINS, SHORT_LENGTH = 4, 500


def congruential_series(phi: float) -> FloatArray:
    """AR(1) chains from a 64-bit linear congruential generator: the same on every machine."""
    state = 12345
    chains = np.empty((SHORT_CHAINS, SHORT_LENGTH))
    for chain in chains:
        x = 0.0
        for t in range(SHORT_LENGTH):
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
    assert (result.r_hat_of, result.problems) == ("b", ("R-hat nan of b is above 1.01",))


GOOD = SamplerDiagnostics(
    r_hat=1.01,
    r_hat_of="a",
    ess_bulk=400,
    ess_bulk_of="b",
    ess_tail=400,
    ess_tail_of="c",
    e_bfmi=0.3,
    divergences=0,
    draws=4000,
)


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
    good, energy = rng.normal(size=(2, SHORT_CHAINS, SHORT_LENGTH))
    slow = congruential_series(0.95)
    energy[2] = congruential_series(0.9)[0]
    result, alone = SamplerDiagnostics.of({"good": good, "slow": slow}, energy, 3), diagnosed(slow)
    assert result.r_hat_of == result.ess_bulk_of == result.ess_tail_of == "slow"
    assert (result.r_hat, result.ess_bulk, result.ess_tail) == pytest.approx(
        (alone.r_hat, alone.ess_bulk, alone.ess_tail), rel=1e-12
    )
    assert result.e_bfmi == pytest.approx(diagnosed(energy[2:3]).e_bfmi, rel=1e-12)
    assert (result.divergences, result.draws) == (3, SHORT_CHAINS * SHORT_LENGTH)
