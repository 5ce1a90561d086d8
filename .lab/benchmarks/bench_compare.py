"""`bcompare.compare` as a whole, as a user calls it.

Times depend on the machine: the first row is a loop of ten million steps in plain Python.
"""

from collections.abc import Iterator
from pathlib import Path

import bcompare
from benchmarks.bench_scale import made
from benchmarks.timing import seconds

Rows = list[tuple[str, ...]]

STEPS = 10_000_000
# Classifiers, data sets, folds; the test; processes; runs.
CASES = (
    (2, 54, 100, "hier", 1, 7),
    (2, 1000, 100, "hier", 1, 3),
    (2, 5000, 100, "hier", 1, 1),
    (20, 54, 100, "signrank", 1, 1),
    (30, 54, 100, "hier", 1, 1),
    (30, 54, 100, "hier", 2, 1),
)


def loop() -> None:
    """A plain loop, by which machines compare."""
    for _ in range(STEPS):
        pass


def case(
    classifiers: int, datasets: int, folds: int, test: str, jobs: int, runs: int
) -> tuple[str, ...]:
    """The time of a comparison, with each data set's own answers where there is one pair."""
    scores = made(classifiers, datasets, folds)
    pairs = classifiers * (classifiers - 1) // 2

    def work() -> object:
        study = bcompare.compare(scores, test, jobs=jobs)
        return study.comparisons[0].result.datasets.probabilities if pairs == 1 else study

    taken = seconds(work, runs)
    what = f"{test}, {pairs} pairs, {datasets} data sets × {folds} scores, {jobs} workers"
    return (what, f"{1000 * taken:.0f} ms", f"{1000 * taken / pairs:.1f} ms")


def tables(_: Path) -> Iterator[tuple[str, Rows]]:
    """Comparisons of few and of many data sets, of one pair and of many."""
    plain = f"{1000 * seconds(loop, 3):.0f} ms"
    header = ("compare(scores, test)", "median", "a pair")
    rows = [(f"a loop of {STEPS:,} steps", plain, ""), *(case(*one) for one in CASES)]
    yield "A comparison as a whole", [header, *rows]
