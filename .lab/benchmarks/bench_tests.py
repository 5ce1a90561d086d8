"""The tests over data sets inside one process, next to baycomp where it has the same test.

The data are simulated: 54 data sets as in the papers, and a family of 100 classifiers on 100
data sets.
"""

import statistics
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import baycomp
import numpy as np

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.poisson_binomial import PoissonBinomial
from bcompare.methods.sign import Sign
from bcompare.methods.signed_rank import SignedRank
from bcompare.ranking.best import best_of
from bcompare.ranking.joint_means import joint_means
from bcompare.ranking.ranks import rank_family
from benchmarks.timing import seconds

Rows = list[tuple[str, ...]]

ROPE = Rope.symmetric(0.01)
FOLDS = 100


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


def row(label: str, time_taken: float, reference: float | None = None) -> tuple[str, ...]:
    """A line of a table; `reference` is how long the same takes elsewhere."""
    times_faster = "" if reference is None else f"{reference / time_taken:.0f}"
    return (label, f"{1000 * time_taken:.1f} ms", times_faster)


def small_rows() -> Rows:
    """54 data sets: one pair next to baycomp, and ten pairs."""
    scores = accuracies(54, 5)
    pairs = all_pairs(scores)
    left, right = scores[:, 0].mean(axis=1), scores[:, 1].mean(axis=1)
    few, full = SignedRank(draws=50_000), SignedRank()

    def elsewhere() -> object:
        return baycomp.SignedRankTest.probs(left, right, 0.01, nsamples=50_000, random_state=1)

    # In turn, so that whatever else the machine does meets both.
    ours, theirs = [], []
    for _ in range(3):
        ours.append(seconds(lambda: few.test(pairs[0], ROPE)))
        theirs.append(seconds(elsewhere, runs=1))
    reference = statistics.median(theirs)
    return [
        row("signrank, one pair, 50,000 draws", statistics.median(ours), reference),
        row("the same, baycomp", reference),
        row("signrank, ten pairs, 150,000 draws", seconds(lambda: full.test_all(pairs, ROPE))),
        row("sign, one pair", seconds(lambda: Sign().test(pairs[0], ROPE), runs=9)),
        row("poisson, one pair", seconds(lambda: PoissonBinomial().test(pairs[0], ROPE), runs=9)),
    ]


def which_is_best(c: int, q: int) -> None:
    """The joint posterior of c classifiers on q data sets of 100 folds."""
    rng = np.random.default_rng(0)
    tables = rng.normal(0.8, 0.02, (q, 1, c)) + rng.normal(0, 0.03, (q, 100, c))
    best_of(
        [joint_means(table, np.arange(c), 0.1, right_or_wrong=False) for table in tables],
        [str(k) for k in range(c)],
    )


def family_rows() -> Rows:
    """100 classifiers on 100 data sets: all 4,950 pairs."""
    scores = accuracies(100, 100)
    pairs = all_pairs(scores)
    means, names = scores.mean(axis=2), [str(i) for i in range(100)]
    return [
        row("sign", seconds(lambda: Sign().test_all(pairs, ROPE), runs=1)),
        row("poisson", seconds(lambda: PoissonBinomial().test_all(pairs, ROPE), runs=1)),
        row("rank: 5 classifiers, 54 data sets", seconds(lambda: which_is_best(5, 54))),
        row(
            "rank: 200 classifiers, 100 data sets", seconds(lambda: which_is_best(200, 100), runs=1)
        ),
        row("ranks", seconds(lambda: rank_family(means, names), runs=1)),
    ]


def tables(_: Path) -> Iterator[tuple[str, Rows]]:
    """The figures of 54 data sets, then those of a large family."""
    header = ("test", "median", "times faster")
    yield "Tests over 54 data sets, in a process", [header, *small_rows()]
    yield "All 4,950 pairs of 100 classifiers on 100 data sets", [header, *family_rows()]
