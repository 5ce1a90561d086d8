"""Corani, Benavoli, Demšar, Mangili & Zaffalon 2017, Table 1: shrinkage beats the raw means.

Differences δ_i come from a mixture of two normals (0.005 and 0.02, standard deviation 0.001,
equal weights), or from one normal of the same mean and variance; each data set's mean is δ_i
plus an error of variance 0.00036, that of 100 scores with correlation 0.1. Printed are the
mean squared errors of the raw means and of the posterior means, beside the paper's.

    python -m tests.experiments.shrinkage [experiments]

A cell differs from the exact value by about twice the standard error printed with it; the
paper's cells, from 500 experiments too, do so as well, and are rounded.
"""

import sys
from collections.abc import Callable

import numpy as np

from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.rope import FloatArray, Rope
from bcompare.sufficient import SufficientStatistics

EXPERIMENTS = 500
SEED = 20250101
N, RHO = 100, 0.1
VARIANCE_OF_MEAN = 0.00036

CENTRES, WITHIN = np.array([0.005, 0.02]), 0.001

# Corani 2017, Table 1: of the raw means and of the shrunken ones.
PAPER = {
    ("mixture", 5): (0.00036, 0.00017),
    ("mixture", 10): (0.00036, 0.00014),
    ("mixture", 50): (0.00036, 0.00012),
    ("normal", 5): (0.00036, 0.00020),
    ("normal", 10): (0.00036, 0.00014),
    ("normal", 50): (0.00036, 0.00012),
}

Draw = Callable[[np.random.Generator, int], FloatArray]


def mixture(rng: np.random.Generator, q: int) -> FloatArray:
    return rng.choice(CENTRES, q) + WITHIN * rng.standard_normal(q)


def normal(rng: np.random.Generator, q: int) -> FloatArray:
    spread = np.hypot(WITHIN, CENTRES.std())
    return CENTRES.mean() + spread * rng.standard_normal(q)


def squared_errors(rng: np.random.Generator, draw: Draw, q: int) -> tuple[float, float]:
    """Of the raw and of the posterior means, in one experiment on q data sets."""
    delta = draw(rng, q)
    variance = VARIANCE_OF_MEAN * N / (1 + (N - 1) * RHO)
    mean = delta + np.sqrt(VARIANCE_OF_MEAN) * rng.standard_normal(q)
    ss = variance * (1 - RHO) * rng.chisquare(N - 1, q)
    names = tuple(f"set-{i}" for i in range(q))
    statistics = SufficientStatistics(names, np.full(q, N), mean, ss, np.full(q, RHO))
    shrunken = Hierarchical().test(statistics, Rope.symmetric(0.01)).datasets.delta_mean
    return float(((mean - delta) ** 2).mean()), float(((shrunken - delta) ** 2).mean())


def main() -> None:
    experiments = int(sys.argv[1]) if len(sys.argv) > 1 else EXPERIMENTS
    rng = np.random.default_rng(SEED)
    print(f"{'':12}{'raw means':>24}{'shrunken means':>32}")
    print(f"{'':12}{'paper':>10}{'here':>14}{'paper':>14}{'here':>14}{'±':>10}")
    for (kind, q), (paper_raw, paper_shrunken) in PAPER.items():
        draw = mixture if kind == "mixture" else normal
        errors = np.array([squared_errors(rng, draw, q) for _ in range(experiments)])
        raw, shrunken = errors.mean(axis=0)
        standard_error = errors[:, 1].std(ddof=1) / np.sqrt(experiments)
        print(
            f"{kind:8} {q:>2} {paper_raw:>10.5f}{raw:>14.6f}"
            f"{paper_shrunken:>14.5f}{shrunken:>14.6f}{standard_error:>10.6f}"
        )


if __name__ == "__main__":
    main()
