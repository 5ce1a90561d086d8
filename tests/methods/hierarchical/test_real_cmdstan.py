"""What a user with a real CmdStan sees (`make stan-test`): results, their repetition, failures."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from bcompare.data.rope import Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.model import HierarchicalResult, model_data
from bcompare.methods.hierarchical.priors import nu_prior
from bcompare.methods.hierarchical.sampling.cmdstan import Sampling, cache_directory
from bcompare.methods.hierarchical.sampling.stan import sample_posterior
from tests.command import run
from tests.methods.hierarchical.examples import statistics_of
from tests.results import small_csv

pytestmark = [pytest.mark.cmdstan, pytest.mark.usefixtures("cmdstan")]

ROPE = Rope(-0.01, 0.01)
FEW = Sampling(chains=2, warmup=100, draws=150, seed=3)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    names = ("iris", "wine", "zoo", "glass", "vote", "heart")
    return small_csv(tmp_path / "results.csv", {"tree": 0.0, "forest": 0.04}, names)


def statistics(q: int = 5) -> SufficientStatistics:
    return statistics_of(0.01 * np.arange(q), np.sqrt(0.02 / 49), n=50)


def sampled(given: SufficientStatistics, sampling: Sampling = FEW) -> HierarchicalResult:
    data = model_data(given, ROPE, nu_prior=nu_prior("corani"))
    return sample_posterior(data, ROPE, sampling)


def test_a_comparison_and_nothing_beside_it(
    results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    command = ("hier", results, "--format", "json")
    quadrature = run(*command)
    monkeypatch.setenv("BCOMPARE_ENGINE", "stan")
    monkeypatch.setenv("BCOMPARE_DRAWS", "2000")
    stan = run(*command)
    assert (stan.code, stan.err) == (0, quadrature.err)
    (found,), (exact,) = (json.loads(each.out)["comparisons"] for each in (stan, quadrature))
    error = found["error"]["value"]
    for name in ("p_left", "p_rope", "p_right"):
        assert found[name] == pytest.approx(exact[name], abs=4 * error)
    # what the chains say goes nowhere, and their files are gone
    assert capfd.readouterr() == ("", "")
    assert list(temporary.iterdir()) == []
    assert list((tmp_path / "here").iterdir()) == []


def test_chains_that_do_not_converge_give_no_verdict() -> None:
    """Two data sets let δ0 and σ0 go far, and a hundred iterations do not find out how far."""
    result = sampled(statistics(2), Sampling(chains=4, warmup=100, draws=100, seed=1))
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
    monkeypatch.setenv("BCOMPARE_ENGINE", "stan")
    outcome = run("hier", results)
    assert (outcome.code, outcome.out) == (3, "")
    assert "needs make and a C++ compiler, such as g++ or clang++" in outcome.err
    assert "g++: " in outcome.err
    assert len(outcome.err.splitlines()) <= 6
    assert list(cache_directory().iterdir()) == []
