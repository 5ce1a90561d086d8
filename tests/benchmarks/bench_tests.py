"""Speed of the tests over data sets inside one process, beside baycomp where it has the same.

Each function returns rows of a label and the median wall seconds of a few runs. The data are
simulated: 54 data sets as in the papers, and a family of 100 classifiers on 100 data sets.
"""

import statistics
import time
from collections.abc import Callable
from itertools import combinations

import baycomp
import numpy as np

from bcompare.methods.poisson_binomial import PoissonBinomial
from bcompare.methods.ranks import rank_family
from bcompare.methods.sign import Sign
from bcompare.methods.signed_rank import SignedRank
from bcompare.rope import FloatArray, Rope
from bcompare.sufficient import SufficientStatistics

Row = tuple[str, float]

ROPE = Rope.symmetric(0.01)
FOLDS = 100


def seconds(work: Callable[[], object], runs: int = 3) -> float:
    """Median wall time of a few runs, after one that warms up."""
    times = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


def accuracies(datasets: int, classifiers: int) -> FloatArray:
    """(data sets, classifiers, folds) scores whose differences look like those of the papers."""
    rng = np.random.default_rng(1)
    level = rng.uniform(0.6, 0.95, (datasets, 1, 1))
    effect = rng.normal(0, 0.02, (datasets, classifiers, 1))
    return level + effect + rng.normal(0, 0.03, (datasets, classifiers, FOLDS))


def all_pairs(scores: FloatArray) -> list[SufficientStatistics]:
    """Statistics of every pair of classifiers."""
    return [
        SufficientStatistics.from_differences(scores[:, right] - scores[:, left], 0.1)
        for left, right in combinations(range(scores.shape[1]), 2)
    ]


def signed_rank_rows() -> list[Row]:
    """Bayesian signed-rank test on 54 data sets: one pair beside baycomp, then ten pairs."""
    scores = accuracies(54, 5)
    pairs = all_pairs(scores)
    left, right = scores[:, 0].mean(axis=1), scores[:, 1].mean(axis=1)
    few, full = SignedRank(draws=50_000), SignedRank()

    def beside() -> object:
        return baycomp.SignedRankTest.probs(left, right, 0.01, nsamples=50_000, random_state=1)

    return [
        ("signrank, 54 data sets, 50,000 draws", seconds(lambda: few.test(pairs[0], ROPE))),
        ("signrank, the same, baycomp", seconds(beside, runs=1)),
        ("signrank, ten pairs, 150,000 draws", seconds(lambda: full.test_all(pairs, ROPE))),
    ]


def one_pair_rows() -> list[Row]:
    """The exact tests on one pair and 54 data sets."""
    (pair,) = all_pairs(accuracies(54, 2))
    return [
        ("sign, 54 data sets", seconds(lambda: Sign().test(pair, ROPE), runs=9)),
        ("poisson, 54 data sets", seconds(lambda: PoissonBinomial().test(pair, ROPE), runs=9)),
    ]


def family_rows() -> list[Row]:
    """100 classifiers on 100 data sets: all 4,950 pairs."""
    scores = accuracies(100, 100)
    pairs = all_pairs(scores)
    means, names = scores.mean(axis=2), [str(i) for i in range(100)]
    return [
        ("sign, 4,950 pairs", seconds(lambda: Sign().test_all(pairs, ROPE), runs=1)),
        ("poisson, 4,950 pairs", seconds(lambda: PoissonBinomial().test_all(pairs, ROPE), runs=1)),
        ("rank, 100 classifiers", seconds(lambda: rank_family(means, names), runs=1)),
    ]


def rows() -> list[Row]:
    """Everything above."""
    return [*signed_rank_rows(), *one_pair_rows(), *family_rows()]


if __name__ == "__main__":
    for label, time_taken in rows():
        print(f"{label:40s} {time_taken:9.4f} s")
