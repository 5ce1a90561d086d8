"""The Stan engine at its border: CmdStan missing, a stand-in for it, and CmdStan itself.

The stand-in is a folder that looks like CmdStan and a `make` that "compiles" by copying a
script, which answers as a compiled Stan program would, with random numbers for draws. So
cmdstanpy is the real one here: it compiles, starts processes and reads their files.
"""

import os
import re
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from bcompare.errors import ComputationError, InputError
from bcompare.methods.base import Progress, no_progress
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.model import HierarchicalResult, model_data, nu_prior
from bcompare.methods.hierarchical.quadrature.integrate import integrate
from bcompare.methods.hierarchical.sampling.cmdstan import (
    Sampling,
    by_variable,
    cache_directory,
    compiled,
    sample,
)
from bcompare.methods.hierarchical.sampling.stan import PROGRAM, sample_posterior
from bcompare.rope import Rope
from bcompare.sufficient import SufficientStatistics

posix = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in's scripts need POSIX")

ROPE = Rope(-0.01, 0.01)
FEW = Sampling(chains=2, warmup=100, draws=150, seed=3)

COMPILED = '''#!{python}
"""Stand-in for a compiled Stan program: writes the files that one would write."""
import json, random, sys

arguments = dict(a.split("=", 1) for a in sys.argv[1:] if "=" in a)
if sys.argv[1] == "info":
    print("stan_version_major = 2\\nstan_version_minor = 36\\nSTAN_THREADS=false")
    sys.exit()
files = [a.split("=", 1)[1] for a in sys.argv if a.startswith("file=")]
data, output = json.load(open(files[0])), files[1]
if data["q"] == 2:
    print("Exception: the data sets are too few for the stand-in")
    sys.exit(1)
warmup, draws = int(arguments["num_warmup"]), int(arguments["num_samples"])
rng = random.Random(int(arguments["seed"]) * 100 + int(arguments["id"]))
names = ["lp__", "accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__",
         "energy__", "sigma0", "nu", "delta0"] + [f"delta.{{i + 1}}" for i in range(data["q"])]
with open(output, "w") as file:
    print("# stan_version_major = 2\\n# stan_version_minor = 36\\n# stan_version_patch = 0",
          f"# num_samples = {{draws}}\\n# num_warmup = {{warmup}}\\n# save_warmup = false",
          "# thin = 1\\n# algorithm = hmc\\n# engine = nuts\\n# max_depth = 10",
          "# metric = diag_e", ",".join(names), "# Adaptation terminated\\n# Step size = 1",
          "# Diagonal elements of inverse mass matrix:\\n# 1", sep="\\n", file=file)
    for i in range(1, warmup + draws + 1):
        if i % 50 == 0:
            print(f"Iteration: {{i:4d}} / {{warmup + draws}} [ 10%]  (Sampling)", flush=True)
        if i > warmup:
            row = [0, 1, 1, 3, 7, 0, rng.gauss(0, 1), rng.expovariate(1), 1 + rng.expovariate(1),
                   rng.gauss(0, 1)] + [rng.gauss(k, 1) for k in range(data["q"])]
            print(*row, sep=",", file=file)
    print("# \\n#  Elapsed Time: 1 seconds (Warm-up)\\n#                1 seconds (Sampling)",
          "#                2 seconds (Total)\\n# ", sep="\\n", file=file)
'''

MAKE = '''#!{python}
"""Stand-in for make: copies the stand-in program, and counts how often it was called."""
import pathlib, shutil, sys

with open({calls!r}, "a") as file:
    file.write("called\\n")
if "broken" in pathlib.Path(sys.argv[-1] + ".stan").read_text():
    print("g++: not found")
    sys.exit(2)
shutil.copy({compiled!r}, sys.argv[-1])
'''


def script(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def no_cmdstan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without CmdStan and with an empty home, in an empty working directory."""
    home, here = tmp_path / "home", tmp_path / "here"
    home.mkdir()
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("CMDSTAN", "")
    return tmp_path


@pytest.fixture
def stand_in(no_cmdstan: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same user with the stand-in for CmdStan."""
    folder = no_cmdstan / "cmdstan"
    folder.mkdir()
    (folder / "makefile").write_text("CMDSTAN_VERSION := 2.36.0\n")
    program, make = folder / "compiled", folder / "make"
    script(program, COMPILED.format(python=sys.executable))
    calls = str(folder / "calls")
    script(make, MAKE.format(python=sys.executable, calls=calls, compiled=str(program)))
    monkeypatch.setenv("CMDSTAN", str(folder))
    monkeypatch.setenv("MAKE", str(make))
    monkeypatch.setenv("STAN_NUM_THREADS", "1")  # cmdstanpy sets it for good
    return folder


def compilations(cmdstan: Path) -> int:
    calls = cmdstan / "calls"
    return calls.read_text().count("called") if calls.exists() else 0


def statistics(q: int = 4) -> SufficientStatistics:
    return SufficientStatistics(
        names=tuple(f"set {i}" for i in range(q)),
        n=np.full(q, 50),
        mean=0.01 * np.arange(q, dtype=np.float64),
        ss=np.full(q, 0.02),
        rho=np.full(q, 0.1),
    )


def run(
    given: SufficientStatistics,
    sampling: Sampling = FEW,
    progress: Progress = no_progress,
) -> HierarchicalResult:
    data = model_data(given, ROPE, nu_prior=nu_prior("corani"))
    return sample_posterior(data, ROPE, sampling, progress=progress)


def test_without_cmdstan_one_message_says_how_to_install_it(
    no_cmdstan: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ComputationError) as caught:
        run(statistics())
    assert caught.value.exit_code == 3
    message = str(caught.value)
    assert "needs CmdStan, and none is installed. Install it with" in message
    assert f"{sys.executable} -m cmdstanpy.install_cmdstan" in message
    assert "--engine quadrature" in message
    # cmdstanpy logs that it found nothing; its lines would stand beside ours
    assert capfd.readouterr() == ("", "")


def test_a_variable_that_names_no_cmdstan_is_told(
    no_cmdstan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CMDSTAN", str(no_cmdstan / "gone"))
    with pytest.raises(ComputationError, match=r"environment variable CMDSTAN names .*gone"):
        run(statistics())


@posix
def test_draws_become_a_result_and_nothing_else_happens(
    stand_in: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    result = run(statistics())
    assert capfd.readouterr() == ("", "")
    assert list((tmp_path / "here").iterdir()) == []
    assert list(temporary.iterdir()) == []
    assert result.sampler is not None
    assert result.sampler.draws == 2 * 150
    # the stand-in's δ_k is N(k, 1) in the problem's unit, k from 0 in the order of the means
    unit = float(statistics().mean.std(ddof=1))
    mirrored = result.datasets.delta_mean.sum() < 0
    exact = unit * (np.arange(-3, 1) if mirrored else np.arange(4))
    assert result.datasets.delta_mean == pytest.approx(exact, abs=4 * unit / np.sqrt(300))


@posix
def test_same_seed_same_bytes_and_another_seed_others(stand_in: Path) -> None:
    def numbers(seed: int) -> list[float]:
        result = run(statistics(), Sampling(chains=2, warmup=100, draws=150, seed=seed))
        return [result.probabilities.left, result.delta0.mean, *result.datasets.delta_mean]

    assert numbers(1) == numbers(1)
    assert numbers(1) != numbers(2)


@posix
def test_progress_counts_the_iterations_of_all_chains(stand_in: Path) -> None:
    seen: list[tuple[int, int]] = []
    run(statistics(), progress=lambda done, total: seen.append((done, total)))
    done = [step for step, _ in seen]
    assert {total for _, total in seen} == {2 * 250}
    assert done == sorted(done)
    assert done[0] == 0
    assert done[-1] == 500
    assert len(done) == 1 + 2 * 5  # the stand-in tells of every 50th of 250 iterations


@posix
def test_the_method_samples_with_its_options_and_progress_covers_all_pairs(stand_in: Path) -> None:
    seen: list[tuple[int, int]] = []
    method = Hierarchical(engine="stan", chains=2, draws=150, seed=3)
    results = method.test_all(
        [statistics(), statistics(q=5)], ROPE, lambda done, total: seen.append((done, total))
    )
    assert {total for _, total in seen} == {2 * 2 * 1150}
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1][0] == 2 * 2 * 1150
    again = method.test(statistics(), ROPE)
    assert isinstance(results[0], HierarchicalResult)
    assert results[0].delta0.mean == again.delta0.mean
    assert again.sampler is not None
    assert again.sampler.draws == 2 * 150


@posix
def test_the_program_is_compiled_once_for_a_cmdstan(
    stand_in: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    first = compiled(PROGRAM)
    assert first.parent == tmp_path / "cache" / "bcompare"
    assert compiled(PROGRAM) == first
    assert compilations(stand_in) == 1
    (stand_in / "makefile").write_text("CMDSTAN_VERSION := 2.37.0\n")
    assert compiled(PROGRAM) != first
    changed = tmp_path / PROGRAM.name
    changed.write_text(PROGRAM.read_text("utf-8") + "// changed\n", "utf-8")
    assert compiled(changed) not in {first, compiled(PROGRAM)}
    assert compilations(stand_in) == 3
    assert sorted(path.name for path in first.parent.iterdir()) == sorted(
        {first.name, compiled(PROGRAM).name, compiled(changed).name}
    )


@posix
def test_a_program_that_does_not_compile_is_reported(stand_in: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.stan"
    broken.write_text("broken", "utf-8")
    with pytest.raises(ComputationError) as caught:
        compiled(broken)
    message = str(caught.value)
    assert "could not compile" in message
    assert "C++ compiler" in message
    assert "g++: not found" in message
    assert len(message.splitlines()) <= 6
    assert list(cache_directory().iterdir()) == []


@posix
def test_a_program_that_fails_is_reported(stand_in: Path) -> None:
    with pytest.raises(ComputationError, match="too few for the stand-in"):
        run(statistics(q=2))


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


def test_columns_are_sorted_by_variable() -> None:
    values = np.arange(2 * 3 * 4.0).reshape(2, 3, 4)  # 2 draws of 3 chains
    found = by_variable(["lp__", "x[1]", "x[2]", "y[1]"], values)
    assert list(found) == ["lp__", "x", "y"]
    assert found["lp__"].tolist() == values[:, :, 0].T.tolist()
    assert found["x"].shape == (3, 2, 2)
    assert found["x"][2, 1].tolist() == [values[1, 2, 1], values[1, 2, 2]]
    assert found["y"].shape == (3, 2, 1)  # a vector of one is a vector


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"chains": 0}, "0 chains"),
        ({"draws": 99}, "99 draws a chain: give at least 100"),
        ({"warmup": 0}, "0 warm-up iterations a chain"),
        ({"seed": -1}, "seed -1"),
        ({"seed": 2**32}, "seed 4294967296"),
    ],
)
def test_sampling_that_cannot_be_is_refused(options: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        Sampling(**options)


@pytest.fixture(scope="module")
def cmdstan() -> None:
    """A real CmdStan; its compiled program goes to the cache of the user who runs the tests."""
    import cmdstanpy

    with cmdstanpy.disable_logging():
        try:
            cmdstanpy.cmdstan_path()
        except ValueError:
            pytest.skip("needs CmdStan: make stan")


@pytest.mark.cmdstan
@pytest.mark.usefixtures("cmdstan")
def test_cmdstan_agrees_with_the_quadrature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STAN_NUM_THREADS", os.environ.get("STAN_NUM_THREADS", "1"))
    monkeypatch.chdir(tmp_path)
    given = statistics(q=8)
    result = run(given, Sampling(draws=1000, seed=1))
    assert capfd.readouterr() == ("", "")
    assert list(tmp_path.iterdir()) == []
    data = model_data(given, ROPE, nu_prior=nu_prior("corani"))
    exact = integrate(data, ROPE, tol=1e-4)
    assert result.error is not None
    for region in ("left", "rope", "right"):
        found, expected = (
            getattr(result.probabilities, region),
            getattr(exact.probabilities, region),
        )
        assert found == pytest.approx(expected, abs=4 * result.error.value)
    assert result.withheld is None


@pytest.mark.cmdstan
@pytest.mark.usefixtures("cmdstan")
def test_cmdstan_repeats_itself_mirrored_and_reordered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAN_NUM_THREADS", os.environ.get("STAN_NUM_THREADS", "1"))
    given = statistics(q=5)
    backwards = SufficientStatistics(
        given.names[::-1], given.n, given.mean[::-1], given.ss, given.rho
    )
    first = run(given)
    again, mirrored, reordered = run(given), run(given.mirrored()), run(backwards)
    assert first.probabilities.left == again.probabilities.left == mirrored.probabilities.right
    assert (first.datasets.delta_mean == again.datasets.delta_mean).all()
    assert (first.datasets.delta_mean == -mirrored.datasets.delta_mean).all()
    assert (first.datasets.delta_mean == reordered.datasets.delta_mean[::-1]).all()
    assert run(given, Sampling(2, 100, 150, seed=4)).delta0.mean != first.delta0.mean


@posix
def test_any_program_can_be_sampled(stand_in: Path) -> None:
    output = sample(PROGRAM, {"q": 3, "x": np.zeros(3)}, FEW)
    assert output["delta"].shape == (2, 150, 3)
    assert output["energy__"].shape == (2, 150)
