"""Corani et al. 2017, Table 1: shrunken estimates are closer to the truth than the raw means.

The true differences are drawn from two groups, ½N(0.005, 0.001) + ½N(0.02, 0.001), or from one
normal of the same mean and variance; the mean squared error × 1e5 of the raw means of q data sets
and of the hierarchical model's.
"""

import numpy as np

from bcompare.data.rope import FloatArray, Rope
from bcompare.methods.hierarchical.method import Hierarchical
from studies.equivalence import GENERATORS, PORTION
from studies.generators import made_by
from studies.study import Line, Paper, in_parallel, portions

CENTRES, SD = (0.005, 0.02), 0.001
PRINTED = {"mixture": {5: 17, 10: 14, 50: 12}, "Gaussian": {5: 20, 10: 14, 50: 12}}
RAW = 36
# Of the mean squared errors in the paper, whose repetitions are 500: our own spread, as there.
UNIT = 1e5


def true_differences(kind: str, rng: np.random.Generator, q: int) -> FloatArray:
    """(q,) true differences."""
    if kind == "mixture":
        return rng.normal(rng.choice(CENTRES, q), SD)
    mean, spread = np.mean(CENTRES), np.hypot(np.ptp(CENTRES) / 2, SD)
    return rng.normal(mean, spread, q)


def repeat(
    rng: np.random.Generator, kind: str, generator: str, q: int, repetitions: int
) -> FloatArray:
    """(r, 2) mean squared errors × 1e5 of raw and shrunken means."""
    errors = []
    for _ in range(repetitions):
        delta = true_differences(kind, rng, q)
        statistics = made_by(generator, rng, delta)
        result = Hierarchical().test(statistics, Rope.symmetric(0.01))
        estimates = np.array([statistics.mean, result.datasets.delta_mean])
        errors.append(UNIT * ((estimates - delta) ** 2).mean(axis=1))
    return np.array(errors)


def lines(repetitions: int, seed: int) -> tuple[Line, ...]:
    """Raw and shrunken errors of both halves of the table, by both generators."""
    result = []
    for kind, shrunken in PRINTED.items():
        for generator in GENERATORS:
            for q, printed in shrunken.items():
                tasks = [(kind, generator, q, r) for r in portions(repetitions, PORTION)]
                errors = np.concatenate(in_parallel(repeat, tasks, seed + q))
                means = errors.mean(axis=0)
                spread = errors.std(axis=0, ddof=1)
                own, papers = spread / np.sqrt(len(errors)), spread / np.sqrt(500)
                note = "" if generator == "normal" else NETWORK
                for name, i, value in (("raw", 0, RAW), ("shrunken", 1, printed)):
                    result.append(
                        Line(
                            what=f"{kind}, {generator}, q = {q}: MSE × 1e5, {name}",
                            ours=float(means[i]),
                            error=float(own[i]),
                            paper=Paper(value, digits=0, error=float(papers[i])),
                            series=f"{kind}, {generator}, {name}",
                            x=q,
                            note=note,
                        )
                    )
    return tuple(result)


NETWORK = (
    "the paper does not state the size of its data sets; 2,500 cases give its raw error nearly"
)
