"""The Stan engine on a real CmdStan (`make stan-test`): its answers, and its failures."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arviz_stats.base.array import array_stats
from scipy.special import ndtr, ndtri

from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.canonical import Canonical
from bcompare.methods.hierarchical.diagnostics import share_error
from bcompare.methods.hierarchical.model import PRIORS, ModelData, nu_prior, theta_of
from bcompare.methods.hierarchical.quadrature.integrate import integrate
from bcompare.methods.hierarchical.result import HierarchicalResult
from bcompare.methods.hierarchical.sampling.cmdstan import Sampling, cache_directory
from bcompare.methods.hierarchical.sampling.stan import answer, posterior_draws, slots
from tests.command import run
from tests.methods.hierarchical.examples import sampled as stan_answer
from tests.methods.hierarchical.examples import scaled, simulated, statistics_of
from tests.results import small_csv

pytestmark = [pytest.mark.cmdstan, pytest.mark.usefixtures("cmdstan")]

ROPE = Rope(-0.01, 0.01)

# Agreement asked of the quadrature.
TOL = 2e-4


@dataclass(frozen=True)
class Sampled:
    """The engine's answer, and the Monte Carlo standard errors of its parts, scores' unit."""

    result: HierarchicalResult
    p_errors: RegionProbabilities[float]
    delta0_error: float
    sigma0_error: float
    delta_errors: FloatArray


def sample(data: ModelData, rope: Rope, draws: int) -> Sampled:
    """Sample a problem as the engine does, and keep the draws."""
    form = Canonical(data, rope)
    sampling = Sampling(draws=draws, seed=1)
    result = posterior_draws(form, sampling)
    nu = np.inf if result.nu is None else result.nu
    theta = theta_of(result.delta0, result.sigma0, nu, form.rope)
    largest = np.argmax(theta, axis=0)
    errors = [share_error((largest == region).astype(np.float64)) for region in range(3)]
    left, middle, right = errors[::-1] if form.lean < 0 else errors
    return Sampled(
        result=answer(form, result),
        p_errors=RegionProbabilities(left=left, rope=middle, right=right),
        delta0_error=form.unit * array_stats.mcse(result.delta0),
        sigma0_error=form.unit * array_stats.mcse(result.sigma0),
        delta_errors=form.unit
        * np.array([array_stats.mcse(result.delta[:, :, i]) for i in slots(form)[1]]),
    )


def probabilities_agree(sampled: Sampled, exact: HierarchicalResult) -> None:
    """Within four Monte Carlo standard errors, and what the quadrature may be off."""
    assert sampled.result.withheld is None
    for region in ("left", "rope", "right"):
        result, expected = (getattr(r.probabilities, region) for r in (sampled.result, exact))
        allowed = 4 * getattr(sampled.p_errors, region) + TOL
        assert result == pytest.approx(expected, abs=allowed), region


def agrees(sampled: Sampled, exact: HierarchicalResult) -> None:
    """Everything within four Monte Carlo standard errors.

    Of q posterior means of δ_i, the one furthest off is expected to be further off than one
    alone; its limit is as unlikely for q of them as four standard errors are for one.
    """
    probabilities_agree(sampled, exact)
    result = sampled.result
    assert result.delta0.mean == pytest.approx(exact.delta0.mean, abs=4 * sampled.delta0_error)
    assert result.sigma0.mean == pytest.approx(exact.sigma0.mean, abs=4 * sampled.sigma0_error)
    off = (result.datasets.delta_mean - exact.datasets.delta_mean) / sampled.delta_errors
    assert np.abs(off).max() < -ndtri(ndtr(-4) / off.size)


def test_usual_data_against_the_quadrature() -> None:
    data = ModelData(simulated(54), ROPE, nu_prior=nu_prior("corani"))
    agrees(sample(data, ROPE, 1500), integrate(data, ROPE, tol=TOL))


def small_problem(q: int) -> SufficientStatistics:
    """Unlike data sets: few and many folds, one outlier, one of no variance, one twice."""
    mean = [0.001, 0.02, -0.004, 0.012, 0.3, 0.012, 0.0, 0.007]
    sd = [0.02, 0.05, 0.01, 0.03, 0.02, 0.03, 0.0, 0.01]
    n = [100, 30, 5, 100, 100, 100, 10, 400]
    rho = [0.1, 0.2, 0.0, 0.1, 0.1, 0.1, 0.1, 0.1]
    return statistics_of(mean[:q], sd[:q], n[:q], rho[:q])


CUT = [((-0.004, 0.01), False), ((-1.0, -0.01), True), ((0.02, 1.0), False)]
PROBLEMS: list[dict[str, Any]] = [
    *({"nu_prior": nu_prior(prior)} for prior in PRIORS),
    *(  # narrow enough to matter: δ0 cut off on either side, or where it does not want to be
        {
            "nu_prior": nu_prior("corani"),
            "delta0_bounds": bounds,
            "sigma0_bound": 0.03,
            "known_sigma": known,
        }
        for bounds, known in CUT
    ),
]


@pytest.mark.parametrize("options", PROBLEMS)
def test_priors_and_bounds_against_the_quadrature(options: dict[str, Any]) -> None:
    rope = Rope(-0.01, 0.02)
    data = ModelData(small_problem(8 if len(options) == 1 else 4), rope, **options)
    agrees(sample(data, rope, 1500), integrate(data, rope, tol=TOL))


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_the_unit_of_the_scores_does_not_matter(scale: float) -> None:
    """Two data sets, whose posterior reaches as far as the priors let it."""
    rope = Rope(-0.01 * scale, 0.01 * scale)
    data = ModelData(scaled(small_problem(2), scale), rope, nu_prior=nu_prior("corani"))
    probabilities_agree(sample(data, rope, 1500), integrate(data, rope, tol=TOL))


@pytest.mark.parametrize("spread", [1e-5, 0.0])
def test_most_data_sets_at_zero_are_sampled_well(spread: float) -> None:
    """As in j48-j48gr, where a sampler that draws δ_i together with σ0 does not converge."""
    rng = np.random.default_rng(0)
    at_zero = rng.random(30) < 0.7
    mean = np.where(at_zero, rng.normal(0, 1, 30) * spread, rng.normal(0, 0.004, 30))
    given = statistics_of(mean, np.where(at_zero, 10 * spread, 0.02))
    data = ModelData(given, ROPE, nu_prior=nu_prior("corani"))
    sampled = sample(data, ROPE, 1000)
    assert sampled.result.sampler is not None
    assert sampled.result.sampler.ess_bulk > 1000
    agrees(sampled, integrate(data, ROPE, tol=TOL))


@pytest.fixture
def results(tmp_path: Path) -> Path:
    names = ("iris", "wine", "zoo", "glass", "vote", "heart")
    return small_csv(tmp_path / "results.csv", {"tree": 0.0, "forest": 0.04}, names)


@pytest.mark.usefixtures("leaves_nothing")
def test_a_comparison_and_nothing_else(results: Path) -> None:
    command = ("hier", results, "--format", "json")
    quadrature = run(*command)
    stan = run(*command, "--engine", "stan", "--draws", "2000")
    assert (stan.code, stan.err) == (0, quadrature.err)
    (result,), (exact,) = (json.loads(each.out)["comparisons"] for each in (stan, quadrature))
    error = result["error"]["value"]
    for name in ("p_left", "p_rope", "p_right"):
        assert result[name] == pytest.approx(exact[name], abs=4 * error)


def test_chains_that_do_not_converge_give_no_verdict() -> None:
    """Two data sets let δ0 and σ0 go far, and a hundred iterations do not find out how far."""
    result = stan_answer(2, Sampling(chains=4, warmup=100, draws=100, seed=1))
    assert result.withheld is not None
    assert result.sampler is not None
    assert result.sampler.r_hat > 1.01
    assert f"R-hat {result.sampler.r_hat:.4f} of {result.sampler.r_hat_of}" in result.withheld
    assert any("cannot be trusted" in note.message for note in result.notes)


def test_no_compiler(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cmdstan: Path
) -> None:
    """All that the machine has, but no compiler, and nothing compiled yet."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for folder in os.environ["PATH"].split(os.pathsep):
        for program in Path(folder).glob("*"):
            here = programs / program.name
            if not here.exists() and not any(c in program.name for c in ("cc", "++", "clang")):
                here.symlink_to(program)
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "a cache"))
    outcome = run("hier", results, "--engine", "stan")
    assert (outcome.code, outcome.out) == (3, "")
    assert "needs make and a C++ compiler, such as g++ or clang++" in outcome.err
    assert "g++: " in outcome.err
    assert len(outcome.err.splitlines()) <= 6
    assert list(cache_directory().iterdir()) == []
