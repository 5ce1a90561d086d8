"""Reading large files, next to pandas' readers on the same file.

`PYTHONPATH=.lab python -m benchmarks.bench_reading 20000` does the same for 20,000 data sets, which
are 20 million rows.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.commands import BCOMPARE, MIB, Measured, measure
from benchmarks.large import write_large_csv
from benchmarks.run import show

DATASETS = 2_000
PAIR = ("classifier-00", "classifier-01")

READ_CSV = "import sys, pandas; pandas.read_csv(sys.argv[1], engine=sys.argv[2])"
READ_SCORES = "import sys, bcompare; bcompare.read_scores(sys.argv[1], classifiers=sys.argv[2:])"

Rows = list[tuple[str, ...]]


def row(name: str, measured: Measured, reference: Measured) -> tuple[str, ...]:
    """A line of the table."""
    ratio = measured.seconds / reference.seconds
    return (name, f"{measured.seconds:.2f} s", f"{measured.memory / MIB:.0f} MiB", f"{ratio:.1f}")


def tables(folder: Path, datasets: int = DATASETS) -> Iterator[tuple[str, Rows]]:
    """Two million rows, or as many as there are in so many data sets."""
    large = folder / "large.csv"
    write_large_csv(large, datasets=datasets, classifiers=10)
    python = [sys.executable, "-c"]
    pandas = {
        f'pandas.read_csv(engine="{engine}")': measure([*python, READ_CSV, large, engine], runs=3)
        for engine in ("c", "pyarrow")
    }
    fastest = min(pandas.values(), key=lambda measured: measured.seconds)
    left, right = PAIR
    ours = {
        "bcompare.read_scores, all": measure([*python, READ_SCORES, large], runs=3),
        "bcompare.read_scores, one pair": measure([*python, READ_SCORES, large, *PAIR], runs=3),
        "bcompare ttest --left --right": measure(
            [*BCOMPARE, "ttest", large, "--left", left, "--right", right, "--quiet"], runs=3
        ),
    }
    yield (
        f"{datasets * 1000:,} rows: {datasets:,} data sets × 10 × 10 × 10 classifiers",
        [
            ("command", "median", "peak memory", "× the faster read_csv"),
            *(row(name, measured, fastest) for name, measured in (pandas | ours).items()),
        ],
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        for title, rows in tables(Path(temporary), int(sys.argv[1])):
            show(title, rows)
