"""Starting is cheap: help, version and reading load nothing that they do not need."""

import subprocess
import sys
from pathlib import Path

import pytest

from bcompare.cli.main import COMMANDS
from bcompare.methods import METHODS
from tests.results import small_csv

HEAVY = ["scipy.stats", "pandas", "matplotlib", "cmdstanpy", "pyarrow"]
# The options of a test's command are those of its class, which computes with these.
COMPUTING = ["numpy", "scipy"]

# Runs commands one after the other, and says after each what it has loaded.
PROGRAM = """
import sys
import bcompare
from bcompare.cli.main import main
for command in sys.argv[2:]:
    sys.argv[1:] = command.split()
    try:
        main()
    except SystemExit as end:
        assert not end.code
    print("loaded:", [name for name in {heavy!r} if name in sys.modules])
"""


def loaded(heavy: list[str], *commands: str, folder: Path | None = None) -> list[str]:
    """What the commands print, line by line."""
    program = [sys.executable, "-c", PROGRAM.format(heavy=heavy), "", *commands]
    done = subprocess.run(program, capture_output=True, text=True, check=True, cwd=folder)
    lines = done.stdout.splitlines()
    result = [line for line in lines if line.startswith("loaded:")]
    assert result == ["loaded: []"] * len(commands), dict(zip(commands, result, strict=True))
    return lines


@pytest.mark.parametrize(
    ("commands", "heavy"),
    [(["", *(c for c in COMMANDS if c not in METHODS)], [*HEAVY, *COMPUTING]), (METHODS, HEAVY)],
    ids=["others", "tests"],
)
def test_help_loads_nothing_heavy(commands: list[str], heavy: list[str]) -> None:
    lines = loaded(heavy, *(f"{command} --help" for command in commands))
    assert len([line for line in lines if "Usage" in line]) == len(commands)


def test_a_test_of_a_file_loads_neither_pandas_nor_stan(tmp_path: Path) -> None:
    small_csv(tmp_path / "r.csv", {"a": 0.0, "b": 0.1}, ("one", "two", "three"))
    loaded(["pandas", "matplotlib", "cmdstanpy", "pyarrow"], "hier r.csv -q", folder=tmp_path)
