"""The command takes one thread for linear algebra; programs of others keep theirs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bcompare.basis.threads import THREAD_LIMITS
from tests.results import small_csv


def seen_after(imported: str, **given: str) -> list[str]:
    """The limits that NumPy would find."""
    env = {name: value for name, value in os.environ.items() if name not in THREAD_LIMITS}
    shown = f"import os, {imported}; print(*(os.environ.get(n, '-') for n in {THREAD_LIMITS}))"
    run = [sys.executable, "-c", shown]
    return subprocess.run(
        run, env=env | given, capture_output=True, text=True, check=True
    ).stdout.split()


def test_the_command_takes_one_thread() -> None:
    assert seen_after("bcompare.cli.main") == ["1"] * len(THREAD_LIMITS)


def test_the_number_of_threads_changes_no_byte(tmp_path: Path) -> None:
    assert seen_after("bcompare.cli.main", OPENBLAS_NUM_THREADS="2")[0] == "1"
    gains = {f"m{i}": 0.01 * i for i in range(4)}
    path = small_csv(tmp_path / "results.csv", gains, tuple(f"d{i}" for i in range(40)))
    command = [sys.executable, "-m", "bcompare", "hier", str(path), "--format", "json"]
    answers = {
        subprocess.run(
            command, env=os.environ | {"OPENBLAS_NUM_THREADS": n}, capture_output=True, check=True
        ).stdout
        for n in ("1", "2")
    }
    assert len(answers) == 1


@pytest.mark.parametrize("imported", ["bcompare", "bcompare.comparing.comparison"])
def test_programs_of_others_keep_their_threads(imported: str) -> None:
    assert seen_after(imported) == ["-"] * len(THREAD_LIMITS)
