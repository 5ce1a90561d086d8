"""The command takes one thread for linear algebra, and leaves others' settings alone."""

import os
import subprocess
import sys

import pytest

from bcompare.threads import THREAD_LIMITS


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


def test_what_the_user_says_stays() -> None:
    assert seen_after("bcompare.cli.main", OPENBLAS_NUM_THREADS="2")[0] == "2"


@pytest.mark.parametrize("imported", ["bcompare", "bcompare.comparison"])
def test_programs_of_others_keep_their_threads(imported: str) -> None:
    assert seen_after(imported) == ["-"] * len(THREAD_LIMITS)
