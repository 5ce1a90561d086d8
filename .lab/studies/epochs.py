"""`make reproduce`: how often the interval of a mean difference holds the truth, by item and epoch.

Two models answer the same items K times; the first solves item i with probability p_i, drawn from
a beta distribution, and the second makes four fifths of its errors. What is compared is the mean,
pass@5 or pass^5 of each item, by Student's posterior over items.
"""

import sys
from dataclasses import dataclass

import numpy as np

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import ITEM
from bcompare.methods.correlated_t import CorrelatedT
from bcompare.reading.score_grid import EpochEstimate

LEVEL = 0.95
METHOD = CorrelatedT(interval_levels=(LEVEL,))
ROPE = Rope.of(0.01)
ERRORS = 0.8  # of the second model, as a share of the first's
ITEMS = (20, 50, 100, 500)
SUITES = {"half solved": (1.0, 1.0), "nearly all solved": (8.0, 0.8)}
"""Beta distributions of an item's probability of success."""


@dataclass(frozen=True)
class Design:
    """What is asked of an item: an estimate, from so many answers."""

    estimate: str
    epochs: int

    def __str__(self) -> str:
        return f"{self.estimate} of {self.epochs}"


DESIGNS = (
    Design("mean", 1),
    Design("mean", 5),
    Design("pass@5", 5),
    Design("pass@5", 10),
    Design("pass^5", 10),
)


def truth(p: FloatArray, estimate: EpochEstimate) -> FloatArray:
    """An item's value if it were answered for ever."""
    if estimate.kind == "mean":
        return p
    if estimate.kind == "pass@":
        return np.asarray(1 - (1 - p) ** estimate.k)
    return np.asarray(p**estimate.k)


def coverage(
    design: Design,
    items: int,
    shape: tuple[float, float],
    replicates: int,
    rng: np.random.Generator,
) -> float:
    """The share of suites whose 95 % interval holds the true mean difference over such items."""
    estimate = EpochEstimate.parse(design.estimate)
    p = rng.beta(*shape, (replicates, items))
    better = 1 - ERRORS * (1 - p)
    drawn = []
    for q in (p, better):
        right = np.asarray(rng.binomial(design.epochs, q), dtype=np.float64)
        drawn.append(estimate.of(right, np.full(p.shape, design.epochs)))
    difference = drawn[1] - drawn[0]
    statistics = SufficientStatistics(
        names=("",) * replicates,
        n=np.full(replicates, items),
        mean=difference.mean(axis=1),
        ss=items * difference.var(axis=1),
        rho=np.zeros(replicates),
        binary=np.all([np.isin(values, (0, 1)).all(axis=1) for values in drawn], axis=0),
        unit=ITEM,
    )
    (interval,) = METHOD.test(statistics, ROPE).datasets.intervals
    many = rng.beta(*shape, 1_000_000)
    expected = (truth(1 - ERRORS * (1 - many), estimate) - truth(many, estimate)).mean()
    return float(((interval.low <= expected) & (expected <= interval.high)).mean())


def main(replicates: int = 2000) -> None:
    """Print a table a suite."""
    rng = np.random.default_rng(1)
    for name, shape in SUITES.items():
        print(f"{name}: items {ITEMS}")
        for design in DESIGNS:
            shares = (coverage(design, items, shape, replicates, rng) for items in ITEMS)
            print(f"{design!s:14}", *(f"{100 * share:6.1f}" for share in shares))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
