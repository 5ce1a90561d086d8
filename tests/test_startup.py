"""Starting is cheap: help and version load nothing that computes."""

import subprocess
import sys

import pytest

from bcompare.cli.main import COMMANDS
from bcompare.methods import METHODS

HEAVY = ["scipy.stats", "pandas", "matplotlib", "cmdstanpy", "pyarrow"]
# The options of a test's command are those of its class, which computes with these.
COMPUTING = ["numpy", "scipy"]

PROGRAM = """
import sys
from bcompare.cli.main import main
try:
    main()
except SystemExit as end:
    code = end.code
print("loaded:", *(name for name in {heavy!r} if name in sys.modules), file=sys.stderr)
"""

STARTS = ["", *COMMANDS]


@pytest.mark.parametrize("command", STARTS)
def test_help_loads_nothing_heavy(command: str) -> None:
    arguments = [*command.split(), "--help"]
    heavy = HEAVY if command in METHODS else [*HEAVY, *COMPUTING]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(heavy=heavy), *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Usage" in done.stdout
    assert done.stderr.splitlines()[-1] == "loaded:"


def test_importing_bcompare_loads_nothing_heavy() -> None:
    program = (
        f"import sys, bcompare; print([n for n in {[*HEAVY, *COMPUTING]!r} if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
