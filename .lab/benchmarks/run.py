"""`make bench`: how long things take, next to what one would use instead, measured in one run.

    python .lab/benchmarks/run.py [part …] > .lab/benchmarks/figures.txt

Parts: compare, commands, reading, items, tests, hier, scale, waits. Without any, all of them.
`waits` also measures an earlier state next to this one, if BEFORE names a folder with a checkout.
It prints tables, and asserts nothing. The figures of one run stand next to it, with their commit.
"""

import importlib
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

PARTS = ("compare", "commands", "reading", "items", "tests", "hier", "scale", "waits")

# One core, unless a part says otherwise: a figure should not depend on what else is running.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def show(title: str, rows: Iterable[tuple[str, ...]]) -> None:
    """Print rows as a table; the first is the header."""
    cells = list(rows)
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    print(f"\n{title}\n")
    for number, row in enumerate(cells):
        first, *rest = (
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  ".join([first, *rest]))
        if number == 0:
            print("  ".join("-" * width for width in widths))


def main(chosen: list[str]) -> None:
    """Run the chosen parts."""
    commit = subprocess.check_output(["git", "log", "-1", "--format=%h, %cs"], text=True).strip()
    print(f"{commit}; {os.cpu_count()} cores, Python {platform.python_version()}")
    sys.path.insert(0, str(Path(__file__).parents[1]))
    for part in chosen or PARTS:
        module, start = importlib.import_module(f"benchmarks.bench_{part}"), time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            for title, rows in module.tables(Path(folder)):
                show(title, rows)
        print(f"\n{part}: {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
