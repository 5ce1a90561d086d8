"""`make reproduce`: a gate that is looked at again and again, by bets.

Streams under fixed truths; how often is "worse" ever said (on the border of the rope at most α of
the time), and after how many items? Test items, clusters, a finite suite without replacement.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from bcompare.data.rope import BoolArray, FloatArray, IntArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import ITEM
from bcompare.methods.betting import log_wealth
from bcompare.methods.correlated_t import CorrelatedT
from bcompare.planning.power import draw
from studies.study import Line, Paper, in_parallel, portions, share

ALPHA, R, LOOKS, BATCH = 0.05, 0.01, 50, 100
ITEMS = LOOKS * BATCH
DISCORDANT, PORTION = 0.2, 50
TRUTHS = (-0.01, -0.03, -0.05)
METHOD, ROPE = CorrelatedT(interval_levels=()), Rope.of(R)
PROMISED = Paper(below=ALPHA)
SUITE = 2000
CLUSTERS, LARGEST = 500, 9


def posterior(x: FloatArray, at: IntArray) -> FloatArray:
    """(R, looks) p(worse) at every look at streams of items (R, n)."""
    total, squares = (np.cumsum(y, axis=1)[:, at - 1] for y in (x, x**2))
    mean = total / at
    n = np.broadcast_to(at, mean.shape).ravel()
    statistics = SufficientStatistics(
        names=("",) * mean.size, n=n, mean=mean.ravel(), ss=(squares - at * mean**2).ravel(),
        rho=np.zeros(mean.size), unit=ITEM, binary=np.ones(mean.size, np.bool_),
    )  # fmt: skip
    return METHOD.test(statistics, ROPE).datasets.probabilities.left.reshape(mean.shape)


def first(reached: BoolArray) -> FloatArray:
    """(R,) the first place, from 1 on; infinite for none."""
    return np.where(reached.any(axis=1), reached.argmax(axis=1) + 1.0, np.inf)


def bet(
    x: FloatArray,
    at: IntArray | None = None,
    aim: float = ALPHA,
    *,
    level: float = ALPHA,
    low: float = -R,
    **how: Any,
) -> FloatArray:
    """(R,) the first look at which bets say that differences (R, n) in -1…1 are below a border."""
    wealth: FloatArray = log_wealth(1 - (x + 1) / 2, 1 - (low + 1) / 2, aim, **how)
    wealth = wealth if at is None else np.maximum.accumulate(wealth, axis=1)[:, at - 1]
    return first(wealth >= math.log(1 / level))


def of_items(rng: np.random.Generator, truth: float, count: int) -> dict[str, FloatArray]:
    """Of each way the (count,) number of items until it says worse; 50 looks at 100 items each."""
    x = draw(truth, math.sqrt(DISCORDANT - truth**2), (count, ITEMS), rng)
    at: IntArray = np.arange(BATCH, ITEMS + 1, BATCH)
    p = posterior(x, at)
    result = {
        "plain posterior": first(1 - p < ALPHA),
        "one look at the end": np.where(1 - p[:, -1] < ALPHA, LOOKS, np.inf),
        "bets by plug-in": bet(x, at, ALPHA / 2, growth=False),
        "bets for growth": bet(x, at),
        "bets for a budget of 5,000": bet(x, at, budget=ITEMS),
    }
    return {name: BATCH * look for name, look in result.items()}


def of_clusters(rng: np.random.Generator, truth: float, count: int) -> dict[str, FloatArray]:
    """The number of clusters until worse is said; items of a cluster share a difference."""
    sizes = rng.integers(1, LARGEST + 1, (count, CLUSTERS))
    usual = np.arange(1, LARGEST + 1)
    lean = 0.01 * (sizes - (usual**2).sum() / usual.sum())  # larger ones are better; 0 over items
    level = truth + lean + rng.uniform(-0.15, 0.15, sizes.shape)
    up, down = (DISCORDANT + level) / 2, (DISCORDANT - level) / 2
    wins = rng.binomial(sizes, np.clip(up, 0, 1))
    losses = rng.binomial(sizes - wins, np.clip(down / (1 - up), 0, 1))
    mean = (wins - losses) / sizes
    return {
        "clusters of 1 to 9 items, a budget": bet(mean, budget=CLUSTERS, weights=sizes / LARGEST),
        "clusters of 1 to 9 items, growth": bet(mean, weights=sizes / LARGEST),
    }


def of_a_suite(rng: np.random.Generator, truth: float, count: int) -> dict[str, FloatArray]:
    """The number of items until worse is said, of a suite of 2,000 looked at in random order."""
    apart, lean = round(DISCORDANT * SUITE), round(truth * SUITE)
    own = np.repeat([1.0, -1.0, 0.0], [(apart + lean) // 2, (apart - lean) // 2, SUITE - apart])
    x = rng.permuted(np.tile(own, (count, 1)), axis=1)
    return {
        "a suite of 2,000, without replacement": bet(x, budget=SUITE, of=SUITE),
        "a suite of 2,000, as if with replacement": bet(x, budget=SUITE),
    }


# What is looked at, its truths, and how far it goes.
DESIGNS = (
    (of_items, TRUTHS, ITEMS),
    (of_clusters, (-0.01, -0.05), CLUSTERS),
    (of_a_suite, (-0.01, -0.03, -0.05), SUITE),
)
# These promise nothing of repeated looks.
UNPROMISED = ("plain", "one look")


def _portion(
    rng: np.random.Generator, design: int, truth: float, count: int
) -> dict[str, FloatArray]:
    return DESIGNS[design][0](rng, truth, count)


def lines(repetitions: int, seed: int) -> tuple[Line, ...]:
    """Shares that ever say worse, and how long it takes on average, to the end for never."""
    return tuple(_lines(repetitions, seed))


def _lines(repetitions: int, seed: int) -> Iterator[Line]:
    cases = [(i, truth) for i, (_, truths, _) in enumerate(DESIGNS) for truth in truths]
    sizes = portions(repetitions, PORTION)
    parts = iter(in_parallel(_portion, [(*case, size) for case in cases for size in sizes], seed))
    for design, truth in cases:
        own = [next(parts) for _ in sizes]
        end = DESIGNS[design][2]
        for name in own[0]:
            when = np.concatenate([part[name] for part in own])
            ours, error = share(np.isfinite(when))
            known = truth >= -R and not any(word in name for word in UNPROMISED)
            yield Line(f"{name}, {truth:g}: ever said", ours, error, PROMISED if known else None)
            stopped = np.minimum(when, end)
            spread = float(stopped.std() / math.sqrt(len(stopped)))
            yield Line(f"{name}, {truth:g}: stops after", float(stopped.mean()), spread)
