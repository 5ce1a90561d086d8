"""The Stan engine at its border: without CmdStan, and with a stand-in for it."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from bcompare.basis.messages import ComputationError
from bcompare.data.rope import Rope
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.result import HierarchicalResult
from bcompare.methods.hierarchical.sampling.cmdstan import Sampling, cache_directory, compiled
from bcompare.methods.hierarchical.sampling.stan import PROGRAM
from tests.methods.hierarchical.examples import rising, sampled
from tests.methods.hierarchical.stand_in import chains_started, compilations, set_version

posix = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in's scripts need POSIX")

ROPE = Rope(-0.01, 0.01)


def test_without_cmdstan_one_message_says_how_to_install_it(
    no_cmdstan: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ComputationError) as caught:
        sampled(4)
    assert caught.value.exit_code == 3
    message = str(caught.value)
    assert "needs CmdStan 2.27 or later, and none is installed. Install it with" in message
    assert f"{sys.executable} -m cmdstanpy.install_cmdstan" in message
    assert "engine='quadrature'" in message
    # cmdstanpy logs that it found nothing; its lines would stand beside ours
    assert capfd.readouterr() == ("", "")


def test_a_variable_that_names_no_cmdstan_is_told(
    no_cmdstan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for wrong in (no_cmdstan / "gone", no_cmdstan):  # no folder, and one that is no CmdStan
        monkeypatch.setenv("CMDSTAN", str(wrong))
        with pytest.raises(ComputationError, match=f"environment variable CMDSTAN names {wrong}"):
            sampled(4)


@posix
@pytest.mark.usefixtures("stand_in", "leaves_nothing")
def test_draws_become_a_result_and_nothing_else_happens() -> None:
    result = sampled(4)
    assert result.sampler is not None
    assert result.sampler.draws == 2 * 150
    # the stand-in's δ_k is N(k, 1) in the problem's unit, k from 0 in the order of the means
    unit = float(rising(4).mean.std(ddof=1))
    mirrored = result.datasets.delta_mean.sum() < 0
    exact = unit * (np.arange(-3, 1) if mirrored else np.arange(4))
    assert result.datasets.delta_mean == pytest.approx(exact, abs=4 * unit / np.sqrt(300))


@posix
def test_the_method_samples_with_its_options_and_progress_covers_all_pairs(stand_in: Path) -> None:
    seen: list[tuple[int, int]] = []
    method = Hierarchical(engine="stan", chains=2, draws=150, seed=3)
    results = method.test_all(
        [rising(4), rising(5)], ROPE, lambda done, total: seen.append((done, total))
    )
    done = [step for step, _ in seen]
    assert {total for _, total in seen} == {2 * 2 * 1150}
    assert done == sorted(done)
    assert done[-1] == 2 * 2 * 1150
    assert len(done) > 2 * 2 * 1150 // 50  # the stand-in tells of every 50th iteration
    again = method.test(rising(4), ROPE)
    assert isinstance(results[0], HierarchicalResult)
    assert results[0].delta0.mean == again.delta0.mean
    assert again.sampler is not None
    assert again.sampler.draws == 2 * 150


@posix
def test_the_program_is_compiled_once_for_a_cmdstan(
    stand_in: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    first = compiled(PROGRAM)
    assert (first.parent, compiled(PROGRAM)) == (tmp_path / "a cache" / "bcompare", first)
    assert compilations(stand_in) == 1
    set_version(stand_in, "2.37.0")
    assert compiled(PROGRAM) != first
    changed = tmp_path / PROGRAM.name
    changed.write_text(PROGRAM.read_text("utf-8") + "// changed\n", "utf-8")
    assert compiled(changed) not in {first, compiled(PROGRAM)}
    assert compilations(stand_in) == 3
    assert sorted(path.name for path in first.parent.iterdir()) == sorted(
        {first.name, compiled(PROGRAM).name, compiled(changed).name}
    )


@posix
@pytest.mark.parametrize(
    ("version", "make", "says"),
    [
        ("2.36.0", "", ["could not compile", "C++ compiler", "g++: not found"]),
        ("2.26.1", "", ["is 2.26, and too old", "2.27 or later", "cmdstanpy.install_cmdstan"]),
        ("2.36.0", "no-such-make", ["needs make", "'no-such-make'"]),
    ],
)
def test_a_program_that_does_not_compile_is_reported(
    version: str,
    make: str,
    says: list[str],
    stand_in: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    set_version(stand_in, version)
    if make:
        monkeypatch.setenv("MAKE", make)
    broken = tmp_path / "broken.stan"
    broken.write_text("broken", "utf-8")
    with pytest.raises(ComputationError) as caught:
        compiled(broken)
    message = str(caught.value)
    assert all(words in message for words in says), message
    assert len(message.splitlines()) <= 6
    assert list(cache_directory().iterdir()) == []


@posix
@pytest.mark.parametrize(
    ("q", "message"), [(2, "too few for the stand-in"), (3, "is not whole; is the disk full")]
)
def test_a_chain_that_fails_or_writes_half_is_reported(
    stand_in: Path, monkeypatch: pytest.MonkeyPatch, q: int, message: str
) -> None:
    """The second chain fails and ends the first, which would take minutes; or all write half."""
    monkeypatch.setenv("STAND_IN_PAUSE", "100" if q == 2 else "0")
    with pytest.raises(ComputationError, match=message):
        sampled(q)


@posix
def test_no_more_chains_at_once_than_processors(
    stand_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one processor the second chain, which fails, starts after the first has ended."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    seen: list[int] = []
    with pytest.raises(ComputationError):
        sampled(2, Sampling(chains=3, warmup=100, draws=150), lambda i, _: seen.append(i))
    assert (seen[-1], chains_started(stand_in)) == (250, 2)


@posix
def test_a_cache_that_cannot_be_written_is_reported(
    stand_in: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(ComputationError, match="XDG_CACHE_HOME"):
        compiled(PROGRAM)


@pytest.mark.parametrize(
    ("platform", "variable", "expected"),
    [
        ("linux", None, "home/.cache/bcompare"),
        ("linux", "XDG_CACHE_HOME", "given/bcompare"),
        ("darwin", None, "home/Library/Caches/bcompare"),
        ("darwin", "XDG_CACHE_HOME", "given/bcompare"),
        ("win32", "LOCALAPPDATA", "given/bcompare"),
    ],
)
def test_the_cache_is_where_the_platform_keeps_caches(
    platform: str,
    variable: str | None,
    expected: str,
    no_cmdstan: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(sys, "platform", platform)
    if variable is not None:
        monkeypatch.setenv(variable, str(no_cmdstan / "given"))
    assert cache_directory() == no_cmdstan / expected
