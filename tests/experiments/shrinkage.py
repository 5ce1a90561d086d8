"""`make reproduce`: the shrinkage experiment of Corani et al. 2017 (§5.1, Table 1).

The true differences of q data sets come from two groups, 0.005 and 0.02 (sd 0.001 each), and
the raw mean of each data set estimates its own with variance 0.00036. The hierarchical model
shrinks the means towards each other; its mean squared error is to be smaller.
"""

import sys
import time

import numpy as np

from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.rope import FloatArray, Rope
from bcompare.sufficient import SufficientStatistics

N, RHO = 100, 0.1
VARIANCE_OF_MEAN = 0.00036
SIGMA2 = VARIANCE_OF_MEAN * N / (1 + (N - 1) * RHO)
PAPER = {5: (0.00036, 0.00017), 10: (0.00036, 0.00014), 50: (0.00036, 0.00012)}


def simulate(q: int, rng: np.random.Generator) -> tuple[FloatArray, SufficientStatistics]:
    """True differences (q,), and the statistics of data drawn around them."""
    delta = rng.normal(rng.choice([0.005, 0.02], q), 0.001)
    statistics = SufficientStatistics(
        names=tuple(str(i + 1) for i in range(q)),
        n=np.full(q, N),
        mean=rng.normal(delta, np.sqrt(VARIANCE_OF_MEAN)),
        ss=SIGMA2 * (1 - RHO) * rng.chisquare(N - 1, q),
        rho=np.full(q, RHO),
    )
    return delta, statistics


def errors(q: int, replicates: int, rng: np.random.Generator) -> tuple[float, float, float]:
    """Mean squared errors of raw and shrunken means, and the standard error of the latter."""
    raw, shrunken = [], []
    for _ in range(replicates):
        delta, statistics = simulate(q, rng)
        result = Hierarchical().test(statistics, Rope.symmetric(0.01))
        raw.append(((statistics.mean - delta) ** 2).mean())
        shrunken.append(((result.datasets.delta_mean - delta) ** 2).mean())
    spread = float(np.std(shrunken, ddof=1) / np.sqrt(replicates))
    return float(np.mean(raw)), float(np.mean(shrunken)), spread


def main(replicates: int = 200) -> None:
    """Print our errors beside the paper's."""
    rng = np.random.default_rng(1)
    print("mean squared error × 1e5, of the raw and of the shrunken means")
    print(" q      raw   paper   shrunken  (± s.e.)   paper   seconds")
    for q, (paper_raw, paper_shrunken) in PAPER.items():
        start = time.perf_counter()
        raw, shrunken, spread = errors(q, replicates, rng)
        took = time.perf_counter() - start
        print(
            f"{q:2d}  {1e5 * raw:7.1f} {1e5 * paper_raw:7.1f}   {1e5 * shrunken:8.1f}  "
            f"(± {1e5 * spread:.1f}) {1e5 * paper_shrunken:9.1f}   {took:7.0f}"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
