"""`make reproduce`: how often equal models are told apart, by what a row is taken for.

Two models of one accuracy answer the same items, right or wrong; 5 % of the 95 % intervals of
their difference should miss 0. Three ways: the tool's own, with the columns of items, epochs and
clusters named; all rows as folds of one run (ρ = 1/k); all rows as independent (ρ = 0).
"""

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import bcompare
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.correlated_t import CorrelatedT

BATCH = 50  # replicates read at once, as so many data sets
METHOD = CorrelatedT(interval_levels=(0.95,))
ROPE = Rope.of(0.01)
NOMINAL = 0.05


@dataclass(frozen=True)
class Design:
    """What was asked.

    clusters : passages, of the smallest to the largest number of items each. epochs : answers to
    each item. sd : of the models' own strength on a passage and on an item, on the logit scale.
    exact : items so few that their posterior is the exact one, which errs on the safe side.
    """

    name: str
    clusters: int
    items: tuple[int, int] = (1, 1)
    epochs: int = 1
    sd: tuple[float, float] = (0.0, 1.5)
    exact: bool = False


DESIGNS = (
    Design("500 items", 500),
    Design("30 items", 30, exact=True),
    Design("100 items × 20 epochs", 100, epochs=20),
    Design("10 passages × 20 items", 10, (20, 20), sd=(1.0, 0.5)),
    Design("60 passages × 2 to 30 items", 60, (2, 30), sd=(1.0, 0.5)),
    Design("40 passages × 5 to 15 items × 4 epochs", 40, (5, 15), 4, sd=(1.0, 1.0)),
)


def answers(design: Design, rng: np.random.Generator) -> tuple[pd.DataFrame, FloatArray]:
    """One replicate: a row an answer, with its keys; and the differences of all its rows."""
    sizes = rng.integers(design.items[0], design.items[1], design.clusters, endpoint=True)
    cluster = np.repeat(np.arange(design.clusters), sizes)
    items = len(cluster)
    ease = rng.normal(1.0, 1.0, design.clusters)[cluster] + rng.normal(0, 1, items)
    by_cluster, by_item = design.sd
    shape = (items, design.epochs)
    frames, scores = [], []
    for model in ("a", "b"):
        strength = rng.normal(0, by_cluster, design.clusters)[cluster]
        logit = ease + strength + rng.normal(0, by_item, items)
        right = rng.random(shape) < 1 / (1 + np.exp(-logit))[:, None]
        scores.append(right.astype(np.float64).ravel())
        frames.append(
            pd.DataFrame({
                "classifier": model,
                "item": np.repeat(np.arange(items), design.epochs),
                "passage": np.repeat(cluster, design.epochs),
                "epoch": np.tile(np.arange(design.epochs), items),
                "score": scores[-1],
            })
        )  # fmt: skip
    return pd.concat(frames), scores[1] - scores[0]


def missed(statistics: SufficientStatistics) -> Any:
    """(q,) whether the interval of a data set misses 0."""
    (interval,) = METHOD.test(statistics, ROPE).datasets.intervals
    return (interval.low > 0) | (interval.high < 0)


def own_way(design: Design, frames: list[pd.DataFrame]) -> Any:
    """(q,) whether the interval misses 0, with the rows named for what they are."""
    frame = pd.concat([part.assign(dataset=str(i)) for i, part in enumerate(frames)])
    scores = bcompare.from_items(
        frame,
        "item",
        epoch="epoch" if design.epochs > 1 else None,
        cluster="passage" if design.items != (1, 1) else None,
    )
    return missed(bcompare.paired_differences(scores, [("a", "b")])[0].statistics)


def rates(design: Design, replicates: int, rng: np.random.Generator) -> FloatArray:
    """(3,) shares of intervals that miss 0: the tool's own way, all rows as folds, with ρ 0."""
    counts = np.zeros(3)
    for _ in range(replicates // BATCH):
        drawn = [answers(design, rng) for _ in range(BATCH)]
        differences = [difference for _, difference in drawn]
        rows = [len(difference) for difference in differences]
        counts[0] += own_way(design, [frame for frame, _ in drawn]).sum()
        for i, rho in enumerate((1 / np.array(rows), 0.0), 1):
            statistics = SufficientStatistics.from_differences(differences, np.asarray(rho))
            counts[i] += missed(statistics).sum()
    return counts / (replicates // BATCH * BATCH)


def main(replicates: int = 1000) -> None:
    """Print a line per design."""
    rng = np.random.default_rng(1)
    error = np.sqrt(NOMINAL * (1 - NOMINAL) / replicates)
    print(f"equal models told apart at 5 % (± {100 * error:.1f}), in {replicates:,} replicates")
    print(f"{'design':40} named as they are  as folds  as independent rows")
    for design in DESIGNS:
        own, folds, rows = 100 * rates(design, replicates, rng)
        note = "  (exact)" if design.exact else ""
        print(f"{design.name:40} {own:15.1f} % {folds:7.1f} % {rows:18.1f} %{note}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
