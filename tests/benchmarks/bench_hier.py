"""The hierarchical test inside one process: time of one pair by the number of data sets.

The data are simulated from the model, 100 scores a data set.
"""

import statistics
import time
from collections.abc import Iterator

import numpy as np

from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.rope import Rope
from bcompare.sufficient import SufficientStatistics

ROPE = Rope.symmetric(0.01)
FOLDS, RHO = 100, 0.1


def pair(q: int, seed: int = 1) -> SufficientStatistics:
    """Statistics of one pair of classifiers that look like those of the papers."""
    rng = np.random.default_rng(seed)
    sigma = rng.uniform(0.02, 0.1, q)
    delta = 0.008 + 0.015 * rng.standard_t(3, q)
    mean = delta + sigma * np.sqrt((1 - RHO) / FOLDS + RHO) * rng.standard_normal(q)
    ss = sigma**2 * (1 - RHO) * rng.chisquare(FOLDS - 1, q)
    names = tuple(f"set-{i}" for i in range(q))
    return SufficientStatistics(names, np.full(q, FOLDS), mean, ss, np.full(q, RHO))


def seconds(method: Hierarchical, q: int, runs: int) -> float:
    """Median wall time of a pair, over different pairs, after one that warms up."""
    times = []
    for seed in range(runs + 1):
        data = pair(q, seed)
        start = time.perf_counter()
        method.test(data, ROPE)
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


def rows() -> Iterator[tuple[str, float]]:
    """(label, seconds) of each measurement."""
    for q, runs in ((5, 10), (54, 30), (1000, 3), (5000, 1)):
        yield f"hier, one pair of {q} data sets x {FOLDS} scores", seconds(Hierarchical(), q, runs)
    yield "hier, 54 data sets, tolerance 1e-5", seconds(Hierarchical(tol=1e-5), 54, 5)
    yield "hier, 54 data sets, gaussian prior", seconds(Hierarchical(prior="gaussian"), 54, 10)


if __name__ == "__main__":
    for label, time_taken in rows():
        print(f"{label:60} {1000 * time_taken:8.1f} ms")
