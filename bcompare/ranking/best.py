"""Which of c classifiers is best: the joint posterior of all of them over q data sets.

On several data sets (`bcompare.ranking.several`) places, pairs and what another choice loses are
about the averages over data sets like these; p(best) is about the next data set, and the regret
about what each loses there to the best of it. On a single data set (`bcompare.ranking.one`) all is
about that data set.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.messages import InputError, arg, counted
from bcompare.basis.progress import Progress, no_progress
from bcompare.data.rope import (
    DEFAULT_ROPE,
    BoolArray,
    FloatArray,
    IntArray,
    RegionProbabilities,
    Rope,
    RopeLike,
)
from bcompare.methods.result_parts import Interval
from bcompare.ranking.draws import share_of_best
from bcompare.ranking.joint_means import JointMeans
from bcompare.ranking.one import judge_one
from bcompare.ranking.places import Places
from bcompare.ranking.several import judge_several

# The most draws of all classifiers, and the most pairs, to keep.
MOST_CLASSIFIERS = 2_000

DRAWS, SEED, LEVEL = 10_000, 0, 0.95

# The distance from a border, in Monte Carlo errors, within which a verdict depends on the draws.
FAR = 4.0

# Numbers held at once for each draw and classifier, and the most bytes for them.
HELD, MOST_BYTES = 9, 4_000_000_000


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class BestResult:
    """The joint answer on c classifiers; all (c,) fields are in the order of `classifiers`.

    classifiers : names.
    n_datasets : (c,) on how many data sets each has scores.
    p_best : (c,) probability of being the best on the next data set; sums to 1.
    p_practically_best : (c,) probability of being within the rope of the best there.
    p_least_regret : (c,) probability that no regret is smaller.
    regret : (c,) expected, in the scores' unit; 0 is best.
    regret_interval : of the regret.
    loss : (c,) what is expected to be lost by taking a classifier instead of the `leader`: the
        difference of their regrets.
    loss_interval : of that difference.
    places : the order of the regrets.
    pairs : (c, c) probabilities that on average over data sets the row's classifier is practically
        better (left), equivalent (rope), or the column's is (right); NaN where two share no data
        set.
    error : Monte Carlo standard error of the probabilities, at most.
    draws : how many.
    """

    classifiers: tuple[str, ...]
    n_datasets: IntArray
    p_best: FloatArray
    p_practically_best: FloatArray
    p_least_regret: FloatArray
    regret: FloatArray
    regret_interval: Interval[FloatArray]
    loss: FloatArray
    loss_interval: Interval[FloatArray]
    places: Places
    pairs: RegionProbabilities[FloatArray]
    error: float
    draws: int

    @property
    def order(self) -> tuple[int, ...]:
        """The classifiers by increasing expected regret."""
        return tuple(np.argsort(self.regret, kind="stable").tolist())

    @property
    def leader(self) -> int:
        """The best choice: the smallest expected regret."""
        return self.order[0]

    def near(self, p: FloatArray | float, border: float) -> NDArray[np.bool_]:
        """Return whether probabilities are so close to a border that other draws could cross it."""
        error = math.sqrt(border * (1 - border) / self.draws)
        return np.abs(np.asarray(p) - border) < FAR * error


@dataclass(frozen=True, slots=True)
class Best:
    """Options of the joint posterior.

    draws : Monte Carlo draws.
    seed : the same seed, the same numbers.
    level : of the intervals.

    Raises
    ------
    InputError : a value outside its range.
    """

    draws: int = DRAWS
    seed: int = SEED
    level: float = LEVEL

    def __post_init__(self) -> None:
        if self.draws < 100:
            raise InputError(f"draws {self.draws}: give at least 100; {DRAWS:,} are usual")
        if not 0 < self.level < 1:
            raise InputError(f"interval {self.level:g}: give a probability, such as 0.95")


def best_of(
    datasets: Sequence[JointMeans],
    classifiers: Sequence[str],
    *,
    rope: RopeLike = DEFAULT_ROPE,
    options: Best | None = None,
    progress: Progress = no_progress,
) -> BestResult:
    """Judge all classifiers together.

    Parameters
    ----------
    datasets : the posterior of the mean scores on each, higher better; on a single one the answer
        is about that data set.
    classifiers : c names.
    rope : half-width in the scores' unit, or a symmetric Rope.

    Raises
    ------
    InputError : fewer than two classifiers, no data set, a classifier without any, groups of
        classifiers that no data set joins, or a rope that is not symmetric: in a family there is
        no left and no right.
    """
    options = options or Best()
    rope = Rope.of(rope)
    present = _check(datasets, classifiers, rope)
    check_memory(options.draws, len(classifiers))
    # Classifiers with equal scores are equal, whatever their draws.
    alike = _alike(datasets, len(classifiers))
    several = len(datasets) > 1
    # Which draws are whose; on several data sets those that are equal share them.
    columns = alike if several else datasets[0].expand
    copies = np.bincount(columns).astype(np.float64)
    half = rope.high + rope.slack
    rng = np.random.default_rng(options.seed)
    how = copies, half, options.draws, rng, progress
    drawn = judge_several(datasets, columns, *how) if several else judge_one(datasets[0], *how)

    def shared(values: FloatArray) -> FloatArray:
        return np.asarray((np.bincount(alike, values[columns]) / np.bincount(alike))[alike])

    effects = drawn.effects[:, columns]
    leader = int(np.argmax(shared(drawn.effects.mean(axis=0))))
    loss = drawn.effects[:, columns[leader], None] - drawn.effects
    expected = shared(loss.mean(axis=0))

    def interval(draws: FloatArray) -> Interval[FloatArray]:
        ends = (1 - options.level) / 2
        low, high = np.quantile(draws, [ends, 1 - ends], axis=0)
        return Interval(options.level, shared(low), shared(high))

    least_regret = share_of_best(drawn.effects, copies).mean(axis=0)
    regret = shared(drawn.regret.mean(axis=0))
    return BestResult(
        classifiers=tuple(classifiers),
        n_datasets=present.sum(axis=0).astype(np.int64),
        p_best=shared(drawn.best / copies),
        p_practically_best=shared(drawn.close),
        p_least_regret=shared(least_regret / copies),
        regret=regret[leader] + expected,
        regret_interval=interval(drawn.regret),
        loss=expected,
        loss_interval=interval(loss),
        places=Places.of(-effects, alike, options.level),
        pairs=_pairs(-effects, rope, present),
        error=0.5 / len(drawn.regret) ** 0.5,
        draws=options.draws,
    )


def check_memory(draws: int, classifiers: int) -> None:
    """Refuse more draws than fit into memory."""
    each = 8 * HELD * classifiers
    most = MOST_BYTES // each
    if draws > most:
        raise InputError(
            f"{arg('draws', draws)}: they would take about {draws * each / 1e9:,.0f} GB; give at "
            f"most {most}, with which the Monte Carlo error is about {0.5 / math.sqrt(most):.2g}"
        )


def _check(datasets: Sequence[JointMeans], classifiers: Sequence[str], rope: Rope) -> FloatArray:
    """Return the (q, c) mask of data sets of classifiers, if the family can be judged."""
    if len(classifiers) < 2:
        raise InputError(f"{len(classifiers)} classifiers cannot be ranked: give at least two")
    if len(classifiers) > MOST_CLASSIFIERS:
        raise InputError(
            f"{len(classifiers):,} classifiers are too many to judge at once, at most "
            f"{MOST_CLASSIFIERS:,}: choose some by {arg('classifiers')}"
        )
    if not datasets:
        raise InputError("no data set that two classifiers have: nothing to rank")
    if not rope.is_symmetric:
        raise InputError(
            f"rope [{rope.low:g}, {rope.high:g}]: a family has no left and no right classifier; "
            "give one half-width, such as 0.01"
        )
    present = np.zeros((len(datasets), len(classifiers)))
    for row, dataset in zip(present, datasets, strict=True):
        row[dataset.columns] = 1
    without = [name for name, n in zip(classifiers, present.sum(axis=0), strict=True) if not n]
    if without:
        raise InputError(f"no data set to judge {', '.join(without)} on")
    joined = _joined_to(0, present > 0)
    if not joined.all():
        apart = _joined_to(int(joined.argmin()), present > 0)
        one = counted([*compress(classifiers, joined)], "classifier")
        other = counted([*compress(classifiers, apart)], "classifier")
        raise InputError(
            f"no data set joins {one} and {other}: nothing tells who is better; rank them apart, "
            f"chosen by {arg('classifiers')}"
        )
    return present


def _joined_to(classifier: int, present: BoolArray) -> BoolArray:
    """Return (c,) which classifiers data sets join to one of them, directly or through others.

    present : (q, c) whether a classifier has a data set; each has one.
    """
    joined = np.arange(present.shape[1]) == classifier
    while True:
        shared = present[:, joined].any(axis=1)
        further = present[shared].any(axis=0)
        if np.array_equal(further, joined):
            return np.asarray(joined, dtype=np.bool_)
        joined = further


def _alike(datasets: Sequence[JointMeans], c: int) -> IntArray:
    """Return (c,) numbers of groups of classifiers with the same scores on all data sets."""
    group = np.zeros((len(datasets), c), dtype=np.int64)
    for row, dataset in zip(group, datasets, strict=True):
        row[dataset.columns] = dataset.group + 1
    return np.unique(group, axis=1, return_inverse=True)[1].ravel()


def _pairs(regret: FloatArray, rope: Rope, present: FloatArray) -> RegionProbabilities[FloatArray]:
    """Return (c, c) probabilities of the regions of regret_column - regret_row, row being left."""
    c = regret.shape[1]
    left = np.zeros((c, c))
    right = np.zeros((c, c))
    half = rope.high + rope.slack
    columns = np.ascontiguousarray(regret.T)
    for k in range(c - 1):
        ahead = columns[k + 1 :] - columns[k]
        left[k, k + 1 :] = (ahead > half).mean(axis=1)
        right[k, k + 1 :] = (ahead < -half).mean(axis=1)
        if rope.is_empty:
            tied = (ahead == 0).mean(axis=1) / 2
            left[k, k + 1 :] += tied
            right[k, k + 1 :] += tied
    left, right = left + right.T, right + left.T
    apart = present.T @ present == 0
    for table in (left, right):
        table[apart] = np.nan
        np.fill_diagonal(table, np.nan)
    return RegionProbabilities(left=left, rope=np.maximum(1 - left - right, 0.0), right=right)
