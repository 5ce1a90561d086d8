"""What a shell sees: streams, exit codes, colour, closed pipes, interrupts, threads."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bcompare.basis.threads import THREAD_LIMITS
from tests.command import run
from tests.results import small_csv

BCOMPARE = [sys.executable, "-m", "bcompare"]
PROJECT = Path(__file__).parents[2]
THREE = {"tree": 0.0, "forest": 0.04, "bayes": -0.05}
LONG = "a-classifier-with-a-name-of-more-than-eighty-letters-that-no-table-in-a-pipe-may-ever-cut"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return small_csv(tmp_path / "results.csv", THREE, ("iris", "wine", "zoo"))


def environment(**extra: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(PROJECT), **extra}


def test_a_dash_reads_standard_input(results: Path) -> None:
    piped = run("ttest", "-", "--format", "csv", stdin=results.read_bytes())
    assert piped.code == 0
    assert piped.out == run("ttest", results, "--format", "csv").out


@pytest.mark.parametrize("suffix", [".txt", ".json", ".csv", ".md", ".tex", ".html"])
def test_the_suffix_of_the_output_chooses_the_format(results: Path, suffix: str) -> None:
    formats = {
        ".txt": "table", ".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex",
        ".html": "html",
    }  # fmt: skip
    written = results.with_name(f"answer{suffix}")
    outcome = run("ttest", results, "--output", written)
    assert (outcome.code, outcome.out) == (0, "")
    named = run("ttest", results, "--format", formats[suffix])
    assert written.read_text(encoding="utf-8") == named.out


def test_an_explicit_format_beats_the_suffix(results: Path) -> None:
    written = results.with_name("answer.txt")
    run("ttest", results, "--output", written, "--format", "json")
    assert json.loads(written.read_text(encoding="utf-8"))["command"] == "ttest"


def test_nothing_is_written_to_the_working_directory(results: Path) -> None:
    before = sorted(path.name for path in results.parent.iterdir())
    for command in ("ttest", "sign", "signrank"):
        assert run(command, folder=results.parent).code == 0
    assert sorted(path.name for path in results.parent.iterdir()) == before


def test_a_pipe_loses_no_letter_of_a_long_name(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "results.csv", {LONG: 0.1, "short": 0.0})
    for form in ("table", "json", "csv", "markdown", "latex", "html"):
        assert LONG in run("ttest", path, "--format", form).out


def test_a_pipe_has_no_colour_unless_asked(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in run("ttest", results).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    forced = run("ttest", results, "--dataset", "iris").out
    assert "\x1b[1m" in forced


@pytest.mark.parametrize("lower", [False, True])
def test_the_name_printed_as_better_has_the_better_scores(tmp_path: Path, lower: bool) -> None:
    path = small_csv(tmp_path / "results.csv", {"low": 0.0, "high": 0.3})
    outcome = run("ttest", path, *(["--lower-is-better"] if lower else []))
    better = "low" if lower else "high"
    assert f"{better} is practically better" in outcome.out


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals: run it on Linux or macOS")
def test_an_interrupt_exits_130_without_a_traceback() -> None:
    with subprocess.Popen(
        [*BCOMPARE, "ttest", "-"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        time.sleep(2)  # by then it waits for standard input
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in err


def seen_after(imported: str, **given: str) -> list[str]:
    """The limits that NumPy would find."""
    env = {name: value for name, value in os.environ.items() if name not in THREAD_LIMITS}
    shown = f"import os, {imported}; print(*(os.environ.get(n, '-') for n in {THREAD_LIMITS}))"
    command = [sys.executable, "-c", shown]
    return subprocess.run(
        command, env=env | given, capture_output=True, text=True, check=True
    ).stdout.split()


def test_the_number_of_threads_changes_no_byte(tmp_path: Path) -> None:
    assert seen_after("bcompare.cli.main", OPENBLAS_NUM_THREADS="2")[0] == "1"
    gains = {f"m{i}": 0.01 * i for i in range(4)}
    path = small_csv(tmp_path / "results.csv", gains, tuple(f"d{i}" for i in range(40)))
    command = [*BCOMPARE, "hier", str(path), "--format", "json"]
    answers = {
        subprocess.run(
            command, env=environment(OPENBLAS_NUM_THREADS=n), capture_output=True, check=True
        ).stdout
        for n in ("1", "2")
    }
    assert len(answers) == 1


@pytest.mark.parametrize(
    ("imported", "limit"),
    [("bcompare.cli.main", "1"), ("bcompare", "-"), ("bcompare.comparing.comparison", "-")],
)
def test_the_command_takes_one_thread_and_leaves_other_programs_theirs(
    imported: str, limit: str
) -> None:
    assert seen_after(imported) == [limit] * len(THREAD_LIMITS)
