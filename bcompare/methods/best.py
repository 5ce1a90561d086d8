"""Which of c classifiers is best: the joint posterior of all of them over q data sets.

Data sets are weighted by a Dirichlet process, as in the sign test (Benavoli et al. 2015, "A
Bayesian nonparametric procedure for comparing algorithms", has the case of one mean per data set):

    w ~ Dirichlet(s, 1, …, 1),

where the first weight belongs to the prior's data set, on which all classifiers tie. The c mean
scores on each data set have a joint posterior: `bcompare.methods.joint_means` has that of a data
set by itself; from twenty data sets on, `bcompare.methods.shrunken_means` has that of all of them
together. A draw of the weights and the means gives for each classifier k

    θ_k = Σ_i w_i [k is best on i]          φ_k = Σ_i w_i [k within the rope of the best on i]
    R_k = Σ_i w_i rank of k on i            L_k = Σ_i w_i (max_j μ_ij - μ_ik), the regret of k.

θ and φ leave out the prior's data set: all classifiers are best on it, so it would lift those
without any evidence for them. The ranks, the regrets and the pairs include it, which draws them
together if data sets are few; from twenty data sets on it is left out altogether.

L_k - L_j is the average difference of j and k over data sets: the three probabilities of each pair
are those of its regions, and the order of the L_k is that of the average scores: the place of k is
its place there. A data set's best is sought among those that it has; a classifier is
judged on the data sets that it has, their weights scaled to sum to 1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.data.defaults import DEFAULT_ROPE
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope, RopeLike
from bcompare.data.sufficient import IntArray
from bcompare.methods.base import Progress, no_progress
from bcompare.methods.joint_means import JointMeans
from bcompare.methods.mean_differences import check_strength
from bcompare.methods.shrunken_means import ShrunkenMeans
from bcompare.methods.values import Interval

# The most draws of all classifiers, and the most pairs, to keep.
MOST_CLASSIFIERS = 2_000

DRAWS, SEED, STRENGTH, LEVEL = 10_000, 0, 0.5, 0.95

# The distance from a border, in Monte Carlo errors, within which a verdict depends on the draws.
FAR = 4.0

# With this many data sets means are shrunken and no prior is needed: see the study `shrink`.
MANY = 20

# Numbers kept for each draw and classifier, and the most bytes for them.
HELD, MOST_BYTES = 11, 4_000_000_000

# Numbers in a block of draws: enough that loops cost little, few enough for the processor's cache.
BLOCK = 100_000


@dataclass(frozen=True, eq=False, slots=True)
class Places:
    """The places 1 … c of c classifiers on a leaderboard, over the draws of a posterior.

    interval : (c,) of each place; each end is a place that leaves no more than its half of the
        rest outside.
    joint : (c,) the same, widened until the draws in which all places are inside make up the level.
    within : (c, c) probability that the row's classifier is among the first 1, 2, …, c.
    """

    interval: Interval[IntArray]
    joint: Interval[IntArray]
    within: FloatArray

    @classmethod
    def of(cls, costs: FloatArray, alike: IntArray, level: float) -> "Places":
        """From (draws, c) costs, the smallest first; classifiers of one number in `alike` tie.

        Those that tie have all the places that they take up together: their intervals reach over
        these, and they are among the first k as probably as a draw by lot has it.
        """
        first, copies = np.unique(alike, return_index=True, return_counts=True)[1:]
        draws, c = costs.shape
        order = np.argsort(costs[:, first], axis=1, kind="stable")
        last = np.empty_like(order)
        np.put_along_axis(last, order, copies[order].cumsum(axis=1), axis=1)  # of their places
        u = np.arange(len(first))
        counts = np.zeros((len(first), c + 1))
        for k in u:
            counts[k] = np.bincount(last[:, k], minlength=c + 1)
        at_most = counts.cumsum(axis=1) / draws  # that the last of its places is at most 0, 1, …
        at_least = 1 - at_most + counts / draws
        # How far outside a draw is: for each the probability of a place at least so extreme.
        tail = np.minimum(at_most, at_least)
        depth = tail[u, last].min(axis=1)
        rest = (1 - level) / 2
        together = np.sort(depth)[int((1 - level) * draws)]
        ends: list[Interval[IntArray]] = []
        for inside in (tail > rest, tail > min(rest, np.nextafter(together, 0))):
            high = c - inside[:, ::-1].argmax(axis=1)
            low = inside.argmax(axis=1) - copies + 1
            ends.append(Interval(level, low[alike], high[alike]))
        return cls(ends[0], ends[1], _by_lot(at_most, copies)[alike, 1:])


def _by_lot(at_most: FloatArray, copies: IntArray) -> FloatArray:
    """(u, c + 1) probability of each of some equal ones to be among the first 0, 1, …, c.

    Of m that tie for the places up to k + j one is among the first k with probability 1 - j/m.
    """
    c = at_most.shape[1] - 1
    at = np.arange(c + 1)
    shares = [
        np.mean([own[np.minimum(at + j, c)] for j in range(m)], axis=0)
        for own, m in zip(at_most, copies, strict=True)
    ]
    return np.array(shares)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class BestResult:
    """The joint answer on c classifiers; all (c,) fields are in the order of `classifiers`.

    classifiers : names.
    n_datasets : (c,) on how many data sets each is judged.
    p_best : (c,) probability of being the best on the next data set, E θ, with the prior's data
        set, on which all tie; sums to 1 where all have all data sets.
    p_practically_best : (c,) probability of being within the rope of the best there, E φ, likewise.
    p_most_often : (c,) probability that no θ is larger.
    p_least_regret : (c,) probability that no regret is smaller.
    regret : (c,) expected, in the scores' unit; 0 is best. regret_interval : of the regret.
    rank : (c,) expected mean rank; 1 is best. Of a data set with m of the c classifiers it is
        stretched to their number: (rank - ½) c/m + ½. rank_interval : of the mean rank.
    loss : (c,) what is expected to be lost by taking a classifier instead of the `leader`: the
        difference of their regrets. loss_interval : of that difference.
    places : the order of the regrets.
    pairs : (c, c) probabilities that on average over data sets the row's classifier is
        practically better (left), equivalent (rope), or the column's is (right); NaN where two
        share no data set.
    shrunken : whether each data set's means were drawn towards what the others say.
    strength : weight of the prior's data set.
    error : Monte Carlo standard error of the probabilities, at most. draws : how many.
    """

    classifiers: tuple[str, ...]
    n_datasets: IntArray
    p_best: FloatArray
    p_practically_best: FloatArray
    p_most_often: FloatArray
    p_least_regret: FloatArray
    regret: FloatArray
    regret_interval: Interval[FloatArray]
    rank: FloatArray
    rank_interval: Interval[FloatArray]
    loss: FloatArray
    loss_interval: Interval[FloatArray]
    places: Places
    pairs: RegionProbabilities[FloatArray]
    shrunken: bool
    strength: float
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

    strength : weight of the prior's data set, on which all tie (s); by default ½, but 0 for regret
        and ranks from `MANY` data sets on; without effect on one data set, which is judged alone.
    shrink : whether to draw each data set's means towards what the others say; by default from
        `MANY` data sets on. Means without folds, seeds or items have no noise to shrink.
    draws : Monte Carlo draws. seed : the same seed, the same numbers.
    level : of the intervals.

    Raises
    ------
    InputError : a value outside its range.
    """

    strength: float | None = None
    draws: int = DRAWS
    seed: int = SEED
    level: float = LEVEL
    shrink: bool | None = None

    def __post_init__(self) -> None:
        if self.strength is not None:
            check_strength(self.strength)
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
    datasets : the posterior of the mean scores on each, higher better; on a single one there is
        no weight to draw, and the answer is about that data set.
    classifiers : c names.
    rope : half-width in the scores' unit, or a symmetric Rope.

    Raises
    ------
    InputError : fewer than two classifiers, no data set, a classifier without any, or a rope that
        is not symmetric: in a family there is no left and no right.
    """
    options = options or Best()
    rope = Rope.of(rope)
    present = _check(datasets, classifiers, rope)
    q, c = present.shape
    check_memory(options.draws, q, c)
    theta, phi, rank, regret = (np.zeros((options.draws, c)) for _ in range(4))
    rng = np.random.default_rng(options.seed)
    # the weight of the prior's data set, then of the others
    weights = np.tile([0.0, 1.0], (options.draws, 1))
    strength = options.strength
    if strength is None:
        strength = 0.0 if q >= MANY else STRENGTH
    if q > 1:
        weights = rng.dirichlet([strength, *[1.0] * q], options.draws)
    # Classifiers with equal scores are equal, whatever their draws.
    alike = _alike(datasets, c)
    shrink = options.shrink if options.shrink is not None else q >= MANY
    shrunken = ShrunkenMeans.of(datasets, alike, options.draws, rng) if shrink else None
    size = max(1, BLOCK // c)
    for start in range(0, options.draws, size):
        block = slice(start, min(start + size, options.draws))
        for i, dataset in enumerate(datasets):
            m, expand, w = len(dataset.columns), dataset.expand, weights[block, i + 1, None]
            if shrunken is None or not shrunken.noise[i]:  # without noise, ties are exact
                means, copies = dataset.draw(rng, w.shape[0])
            else:
                means = shrunken.draw(rng, i, block)
                expand = np.searchsorted(shrunken.at[i], alike[dataset.columns])
                copies = np.bincount(expand).astype(np.float64)
            gap, share, place = _judged(means, copies)
            if m < c:  # on the scale of ranks among all
                place = (place - 0.5) * (c / m) + 0.5
            at = (block, slice(None) if m == c else dataset.columns)
            theta[at] += w * share[:, expand]
            phi[at] += w * (gap <= rope.high + rope.slack)[:, expand]
            rank[at] += w * place[:, expand]
            regret[at] += w * gap[:, expand]
        progress(block.stop, options.draws)
    prior, known = weights[:, :1], weights[:, 1:] @ present
    own = prior + known
    theta, phi, regret = theta / known, phi / known, regret / own
    # The prior's data set, on which all tie, leaves no classifier without a chance on the next one.
    seen = present.sum(axis=0)
    tie = 0.0 if q == 1 else (STRENGTH if options.strength is None else options.strength)
    chances = (tie / c + seen * theta.mean(axis=0)) / (tie + seen)
    within = (tie + seen * phi.mean(axis=0)) / (tie + seen)
    rank = (rank + prior * (c + 1) / 2) / own
    expected = _shared(regret.mean(axis=0), alike)
    loss = regret - regret[:, [int(np.argsort(expected, kind="stable")[0])]]

    def interval(draws: FloatArray) -> Interval[FloatArray]:
        ends = (1 - options.level) / 2
        low, high = np.quantile(draws, [ends, 1 - ends], axis=0)
        return Interval(options.level, _shared(low, alike), _shared(high, alike))

    return BestResult(
        classifiers=tuple(classifiers),
        n_datasets=present.sum(axis=0).astype(np.int64),
        p_best=_shared(chances, alike),
        p_practically_best=_shared(within, alike),
        p_most_often=_shared(_largest(theta), alike),
        p_least_regret=_shared(_largest(-regret), alike),
        regret=expected,
        regret_interval=interval(regret),
        rank=_shared(rank.mean(axis=0), alike),
        rank_interval=interval(rank),
        loss=_shared(loss.mean(axis=0), alike),
        loss_interval=interval(loss),
        places=Places.of(regret, alike, options.level),
        pairs=_pairs(regret, rope, present),
        shrunken=shrunken is not None,
        strength=strength if q > 1 else 0.0,
        error=0.5 / options.draws**0.5,
        draws=options.draws,
    )


def check_memory(draws: int, datasets: int, classifiers: int) -> None:
    """Refuse more draws than fit into memory."""
    each = 8 * (HELD * classifiers + datasets + 1)
    if draws * each > MOST_BYTES:
        raise InputError(
            f"{arg('draws', draws)}: they would take about {draws * each / 1e9:,.0f} GB; give at "
            f"most {MOST_BYTES // each}, with which the Monte Carlo error is below "
            f"{0.51 / math.sqrt(MOST_BYTES // each):.1g}"
        )


def _check(datasets: Sequence[JointMeans], classifiers: Sequence[str], rope: Rope) -> FloatArray:
    """Return the (q, c) mask of data sets of classifiers, if the family can be judged."""
    if len(classifiers) < 2:
        raise InputError(f"{len(classifiers)} classifiers cannot be ranked: give at least two")
    if len(classifiers) > MOST_CLASSIFIERS:
        raise InputError(
            f"{len(classifiers):,} classifiers are more than can be judged at once, which is "
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
    return present


def _judged(means: FloatArray, copies: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Of (b, u) means: how far each is below the best, its share of being best, its rank.

    copies : (u,) how many classifiers have these scores: they tie, and share.
    """
    gap = means.max(axis=1, keepdims=True) - means
    order, place = np.argsort(gap, axis=1), np.empty_like(means)
    if (copies == 1).all():
        place[np.arange(len(means))[:, None], order] = np.arange(1.0, means.shape[1] + 1)
    else:
        ordered = copies[order]
        np.put_along_axis(place, order, ordered.cumsum(axis=1) - (ordered - 1) / 2, axis=1)
    return gap, (gap == 0) / copies, place


# Of sums that differ by less than this, relative to the largest, none is larger.
TIE = 1e-12


def _largest(draws: FloatArray) -> FloatArray:
    """Return the (c,) shares of draws in which each is the largest; ties are shared."""
    best = draws.max(axis=1, keepdims=True)
    tied = draws >= best - TIE * np.abs(draws).max(axis=1, keepdims=True)
    return np.asarray((tied / tied.sum(axis=1, keepdims=True)).mean(axis=0))


def _alike(datasets: Sequence[JointMeans], c: int) -> IntArray:
    """Return (c,) numbers of groups of classifiers with the same scores on all data sets."""
    group = np.zeros((len(datasets), c), dtype=np.int64)
    for row, dataset in zip(group, datasets, strict=True):
        row[dataset.columns] = dataset.group + 1
    return np.unique(group, axis=1, return_inverse=True)[1].ravel()


def _shared(values: FloatArray, alike: IntArray) -> FloatArray:
    """Return the means over groups of equal classifiers."""
    return np.asarray((np.bincount(alike, values) / np.bincount(alike))[alike])


def _pairs(regret: FloatArray, rope: Rope, present: FloatArray) -> RegionProbabilities[FloatArray]:
    """Return (c, c) probabilities of the regions of regret_column - regret_row, row being left."""
    c = regret.shape[1]
    left, right, half = np.zeros((c, c)), np.zeros((c, c)), rope.high + rope.slack
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
