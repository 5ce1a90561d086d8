"""Whole commands from a cold start, next to pandas reading the same file."""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.commands import BCOMPARE, MIB, Measured, measure
from benchmarks.large import write_large_csv

SAMPLE = Path(__file__).parents[2] / "sample_data" / "results.csv"
READ_CSV = """
import sys, time, pandas
start = time.perf_counter()
frame = pandas.read_csv(sys.argv[1])
"""

# What a test on one pair imports: of others numpy, scipy.special, and typer with what it brings.
IMPORTS = """
import typer._adapters, typer.main, bcompare.cli.compare, bcompare.comparing.compare
import bcompare.reading.read, bcompare.methods.hierarchical.quadrature.integrate
import bcompare.methods.hierarchical.method, bcompare.report.pair_report, rich.table
"""

Rows = list[tuple[str, ...]]


def undecided(folder: Path) -> Path:
    """Three data sets of three runs of five folds, on which a gate cannot tell."""
    rng = np.random.default_rng(1)
    lines = ["dataset,run,fold,classifier,score"]
    for name in "abc":
        for k in range(15):
            base, change = 0.8 + 0.02 * rng.standard_normal(), 0.02 * rng.standard_normal()
            where = f"{name},{k // 5},{k % 5}"
            lines += [f"{where},main,{base}", f"{where},pr,{base - 0.004 + change}"]
    path = folder / "undecided.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def row(name: str, measured: Measured, reference: Measured | None = None) -> tuple[str, ...]:
    """A line of a table of commands."""
    ratio = "" if reference is None else f"{measured.seconds / reference.seconds:.1f}"
    return (name, f"{measured.seconds:.2f} s", f"{measured.memory / MIB:.0f} MiB", ratio)


def tables(folder: Path) -> Iterator[tuple[str, Rows]]:
    """Start-up and the sample data; then a million rows next to `pandas.read_csv`."""
    header = ("command", "median", "peak memory", "× read_csv")
    bare = measure([sys.executable, "-c", "pass"])
    rows = [header, row("python -c pass", bare)]
    commands: dict[str, list[str | Path]] = {
        "bcompare --help": ["--help"],
        "bcompare ttest sample_data/results.csv": ["ttest", SAMPLE],
        "bcompare sign sample_data/results.csv": ["sign", SAMPLE],
        "bcompare signrank sample_data/results.csv": ["signrank", SAMPLE],
        "bcompare hier sample_data/results.csv": ["hier", SAMPLE],
        "the same, one pair": ["hier", SAMPLE, "--left", "tree", "--right", "forest"],
        "the imports of one pair alone": [],
        "bcompare gate, undecided, 3 data sets": ["gate", undecided(folder), "--baseline", "main"],
    }
    rows += [
        row(name, measure([*BCOMPARE, *options] if options else [sys.executable, "-c", IMPORTS]))
        for name, options in commands.items()
    ]
    yield "Commands, from a cold start", rows

    large = folder / "large.csv"
    write_large_csv(large)
    importing = measure([sys.executable, "-c", "import pandas"])
    reading = measure([sys.executable, "-c", READ_CSV, large], runs=3)
    testing = measure([*BCOMPARE, "ttest", large], runs=3)
    yield (
        "1,000,000 rows: 200 data sets × 10 × 10 × 50 classifiers, all 1,225 pairs",
        [
            header,
            row("import pandas", importing),
            row("pandas.read_csv alone", reading, reading),
            row("bcompare ttest", testing, reading),
        ],
    )
