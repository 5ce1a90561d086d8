"""Speed of the hierarchical test inside one process, on one core: the quadrature."""

import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.rope import Rope
from bcompare.sufficient import SufficientStatistics

ROPE = Rope.symmetric(0.01)


def problem(q: int, n: int) -> SufficientStatistics:
    """Statistics of q data sets of n scores each that look like those of the papers."""
    rng = np.random.default_rng(q)
    sigma2 = rng.uniform(0.01, 0.06, q) ** 2
    delta = 0.01 + 0.012 * rng.standard_t(3, q)
    return SufficientStatistics(
        names=tuple(str(i + 1) for i in range(q)),
        n=np.full(q, n),
        mean=rng.normal(delta, np.sqrt(sigma2 * (1 / n + 0.1 / 0.9))),
        ss=sigma2 * rng.chisquare(n - 1, q),
        rho=np.full(q, 0.1),
    )


def seconds(work: Callable[[], object], runs: int = 7) -> float:
    """Median wall time of a few runs, after one that warms up."""
    times = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


def tables(folder: Path) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """One pair of more and more data sets; the figures of sampling are quoted, not measured."""
    rows: list[tuple[str, ...]] = [("one pair", "median", "numerical error")]
    for q in (5, 54, 200, 1000, 5000):
        data = problem(q, 100)
        method = Hierarchical()
        result = method.test(data, ROPE)
        error = result.error.value if result.error else 0.0
        took = seconds(lambda method=method, data=data: method.test(data, ROPE))
        rows.append((f"{q} data sets × 100 scores", f"{1000 * took:.0f} ms", f"{error:.0e}"))
    yield "Hierarchical test by quadrature, error control included", rows
