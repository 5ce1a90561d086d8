"""Speed of the hierarchical test inside one process, on one core: the quadrature."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from bcompare.basis.errors import ComputationError
from bcompare.data.rope import Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.method import Hierarchical
from benchmarks.timing import seconds

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


def shape(k: int) -> tuple[SufficientStatistics, Rope, str]:
    """The k-th of many shapes: 2 to 1,000 data sets, 3 to 100 scores, near-constant ones too."""
    rng = np.random.default_rng([8, k])
    q = int(np.exp(rng.uniform(np.log(2), np.log(1000))))
    n = int(np.exp(rng.uniform(np.log(3), np.log(100))))
    sd = 0.02 * 10.0 ** rng.choice([0.0, 0.0, -1.0, -3.0]) * rng.uniform(0.3, 2, q)
    centre, spread = rng.normal(0, 0.01), 10.0 ** rng.uniform(-4, -1)
    statistics = SufficientStatistics(
        names=tuple(str(i + 1) for i in range(q)),
        n=np.full(q, n),
        mean=centre + spread * rng.standard_t(2, q),
        ss=(n - 1) * sd**2,
        rho=np.full(q, rng.choice([0.0, 0.1])),
    )
    prior = ("corani", "tutorial", "kruschke", "juarez-steel", "gaussian")[k % 5]
    return statistics, Rope.symmetric(float(rng.choice([0.01, 0.001, 1e-5]))), prior


def scan(shapes: int = 300) -> tuple[list[float], int]:
    """Seconds of processor time for each of so many shapes, and how many were refused."""
    times, refused = [], 0
    for k in range(shapes):
        data, rope, prior = shape(k)
        start = time.process_time()
        try:
            Hierarchical(prior=prior).test(data, rope)
        except ComputationError:
            refused += 1
        times.append(time.process_time() - start)
    return sorted(times), refused


def tables(folder: Path) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """One pair of more and more data sets; the figures of sampling are quoted, not measured."""
    rows: list[tuple[str, ...]] = [("one pair", "median", "numerical error")]
    for q in (5, 54, 200, 1000, 5000):
        data = problem(q, 100)
        method = Hierarchical()
        result = method.test(data, ROPE)
        error = result.error.value if result.error else 0.0
        took = seconds(partial(method.test, data, ROPE))
        rows.append((f"{q} data sets × 100 scores", f"{1000 * took:.0f} ms", f"{error:.0e}"))
    yield "Hierarchical test by quadrature, error control included", rows
    times, refused = scan()
    found = (times[len(times) // 2], times[int(0.99 * len(times))], times[-1])
    yield (
        f"Hierarchical test, {len(times)} random shapes, processor time",
        [
            ("median", "99 %", "worst", "refused"),
            (*(f"{1000 * value:.0f} ms" for value in found), str(refused)),
        ],
    )
