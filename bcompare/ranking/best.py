"""Which of c classifiers is best: the joint posterior of all of them over q data sets.

What is said of the average over data sets comes from the classifiers' effects a of
`bcompare.ranking.effects`: places, pairs, and what another choice loses, a_j - a_k.

Where a classifier is much further behind the leader than usual, as after a crash, the excess is set
apart: the model is that of the means without it. It comes back with the weights that a draw gives
to the data sets, on these, and on a new data set as on a random one of them. So another's collapse
costs the leader next to nothing, unless collapses are as frequent as scores.

What is said of a further data set mixes that model's normal distribution with the data sets that
have been seen, a Dirichlet process around the model. With μ_i the means on data set i, drawn
without their noise,

    p(k is best) = (Σ_i P(k is best by μ_i) + M P(k is best by N(a, S)) + s/c) / (q + M + s),

and the same of being within the rope of the best; s is the weight of a data set on which all tie,
the prior of the sign test, since a new data set may be unlike all that the model knows. In each
draw the regret, the expected maximum less a_k, weighs the q data sets, shifted so that their
average is a, and the normal distribution by Dirichlet(1, …, 1). On a single data set all is about
that data set.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from bcompare.basis.messages import InputError, arg, counted
from bcompare.data.rope import (
    DEFAULT_ROPE,
    FloatArray,
    IntArray,
    RegionProbabilities,
    Rope,
    RopeLike,
)
from bcompare.methods.interface import Progress, no_progress
from bcompare.methods.result_parts import Interval
from bcompare.ranking.effects import BANKS, NEW, Effects, excess_of, fillings, normal_banks
from bcompare.ranking.joint_means import JointMeans

# The most draws of all classifiers, and the most pairs, to keep.
MOST_CLASSIFIERS = 2_000

DRAWS, SEED, LEVEL = 10_000, 0, 0.95

# The distance from a border, in Monte Carlo errors, within which a verdict depends on the draws.
FAR = 4.0

# What the model counts for in p(best), in data sets: chosen by the log score on real results.
MODEL_COUNTS = 10.0
# What a data set on which all tie counts for there: no p(best) is 0.
TIE_COUNTS = 0.5

# Numbers kept for each draw and classifier, and the most bytes for them.
HELD, MOST_BYTES = 3, 4_000_000_000

# Numbers in a block of draws: enough that loops cost little, few enough for the processor's cache.
BLOCK = 200_000
# A row of so many numbers is short.
SHORT = 20
# Numbers drawn for further data sets; with many classifiers fewer draws are taken there.
MOST_NEW, LEAST_DRAWS = 40_000_000, 500


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
    n_datasets : (c,) on how many data sets each has scores.
    p_best : (c,) probability of being the best on the next data set; sums to 1.
    p_practically_best : (c,) probability of being within the rope of the best there.
    p_least_regret : (c,) probability that no regret is smaller.
    regret : (c,) expected, in the scores' unit; 0 is best. regret_interval : of the regret.
    loss : (c,) what is expected to be lost by taking a classifier instead of the `leader`: the
        difference of their regrets. loss_interval : of that difference.
    places : the order of the regrets.
    pairs : (c, c) probabilities that on average over data sets the row's classifier is
        practically better (left), equivalent (rope), or the column's is (right); NaN where two
        share no data set.
    error : Monte Carlo standard error of the probabilities, at most. draws : how many.
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

    draws : Monte Carlo draws. seed : the same seed, the same numbers.
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
    at = alike if several else datasets[0].expand
    copies = np.bincount(at).astype(np.float64)
    half, rng = rope.high + rope.slack, np.random.default_rng(options.seed)
    how = copies, half, options.draws, rng, progress
    drawn = _over_several(datasets, at, *how) if several else _on_one(datasets[0], *how)

    def shared(values: FloatArray) -> FloatArray:
        return np.asarray((np.bincount(alike, values[at]) / np.bincount(alike))[alike])

    effects = drawn.effects[:, at]
    leader = int(np.argmax(shared(drawn.effects.mean(axis=0))))
    loss = drawn.effects[:, at[leader], None] - drawn.effects
    expected = shared(loss.mean(axis=0))

    def interval(draws: FloatArray) -> Interval[FloatArray]:
        ends = (1 - options.level) / 2
        low, high = np.quantile(draws, [ends, 1 - ends], axis=0)
        return Interval(options.level, shared(low), shared(high))

    return BestResult(
        classifiers=tuple(classifiers),
        n_datasets=present.sum(axis=0).astype(np.int64),
        p_best=shared(drawn.best / copies),
        p_practically_best=shared(drawn.close),
        p_least_regret=shared(_best(drawn.effects, copies).mean(axis=0) / copies),
        regret=shared(drawn.regret.mean(axis=0))[leader] + expected,
        regret_interval=interval(drawn.regret),
        loss=expected,
        loss_interval=interval(loss),
        places=Places.of(-effects, alike, options.level),
        pairs=_pairs(-effects, rope, present),
        error=0.5 / len(drawn.regret) ** 0.5,
        draws=options.draws,
    )


@dataclass(frozen=True, eq=False, slots=True)
class _Drawn:
    """Draws of what is said of the u different classifiers.

    effects : (draws, u) average scores, up to a number that all share.
    regret : (b, u), of as many draws or fewer.
    best, close : (u,) probabilities of being the best on a data set, together with all that have
        the same scores, and within the rope of it.
    """

    effects: FloatArray
    regret: FloatArray
    best: FloatArray
    close: FloatArray


def _on_one(
    dataset: JointMeans,
    copies: FloatArray,
    half: float,
    draws: int,
    rng: np.random.Generator,
    progress: Progress,
) -> _Drawn:
    """Judge on a single data set."""
    means = np.empty((draws, len(copies)))
    for rows in _blocks(draws, min(1_000, max(1, BLOCK // len(copies)))):
        means[rows] = dataset.draw(rng, rows.stop - rows.start)
        progress(rows.stop, draws)
    regret = _largest(means) - means
    return _Drawn(
        effects=means,
        regret=regret,
        best=_best(means, copies).mean(axis=0),
        close=(regret <= half).mean(axis=0),
    )


def _over_several(
    datasets: Sequence[JointMeans],
    at: IntArray,
    copies: FloatArray,
    half: float,
    draws: int,
    rng: np.random.Generator,
    progress: Progress,
) -> _Drawn:
    """Judge on average over data sets, and on the next one."""
    q, u = len(datasets), len(copies)
    if u == 1:  # all are equal
        alone = np.zeros((draws, 1))
        return _Drawn(alone, alone, np.ones(1), np.ones(1))
    means, noise = np.full((q, u), np.nan), np.empty(q)
    for i, dataset in enumerate(datasets):
        numbers, first = np.unique(at[dataset.columns], return_index=True)
        means[i, numbers], noise[i] = dataset.contrasts(first)
    further = min(draws, max(LEAST_DRAWS, MOST_NEW // (u * (2 * NEW + q))))
    effects, regret = np.empty((draws, u)), np.empty((further, u))
    # How often each is the best or close to it, on the data sets that are seen and on new ones.
    best, close = np.zeros((2, u)), np.zeros((2, u))
    banks = cycle(normal_banks(u - 1))
    complete = list(fillings(means, ~np.isnan(means), rng))
    parts = (np.array_split(array, len(complete)) for array in (effects, regret))
    done = 0
    for filled, own_effects, own_regret in zip(complete, *parts, strict=True):
        excess = excess_of(filled, noise)
        model = Effects.of(filled - excess, noise)
        along, interaction = model.draw(rng, len(own_effects))
        own_effects[:] = along @ model.axes
        size = max(1, min(BLOCK // (u * q), len(own_regret) // BANKS))
        for rows in _blocks(len(own_effects), size):
            weights = rng.dirichlet(np.ones(q + 1), len(own_effects[rows]))
            known, of_model = weights[:, :q], weights[:, q:]
            own_effects[rows] += known @ excess / (1 - of_model)
            if not (b := len(own_regret[rows])):
                continue
            known, of_model = known[:b], of_model[:b]
            drawn, a = (along[rows][:b], interaction[rows][:b]), own_effects[rows, None][:b]
            seen = model.seen(rng, *drawn) + excess
            new = model.new(*drawn, next(banks))
            if excess.any():
                new += excess[rng.integers(q, size=new.shape[:2])]
            # the data sets that are seen, with the drawn effects as their average
            average = known[:, None] @ seen / (1 - of_model)[:, None]
            top = (known[:, :, None] * _largest(seen - average + a)).sum(axis=1)
            top += of_model * _largest(new).mean(axis=1)
            own_regret[rows] = np.maximum(top - a[:, 0], 0.0)
            for k, drawn_means in enumerate((seen, new)):
                best[k] += _best(drawn_means, copies).sum(axis=(0, 1))
                near = drawn_means >= _largest(drawn_means) - half
                close[k] += np.count_nonzero(near, axis=(0, 1))
            done += len(a)
            progress(done, further)

    def mixed(counts: FloatArray, tied: FloatArray) -> FloatArray:
        by_model = counts[1] / (2 * NEW)
        of_data = (counts[0] + MODEL_COUNTS * by_model) / further
        return np.asarray((of_data + TIE_COUNTS * tied) / (q + MODEL_COUNTS + TIE_COUNTS))

    return _Drawn(effects, regret, mixed(best, copies / copies.sum()), mixed(close, np.ones(u)))


def _blocks(draws: int, size: int) -> Iterator[slice]:
    """Yield slices of `size` draws."""
    for start in range(0, draws, size):
        yield slice(start, min(start + size, draws))


def check_memory(draws: int, classifiers: int) -> None:
    """Refuse more draws than fit into memory."""
    each = 8 * HELD * classifiers
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
    groups, group = connected_components(csr_array(present.T @ present))
    if groups > 1:
        one, other = (
            counted([n for n, g in zip(classifiers, group, strict=True) if g == k], "classifier")
            for k in (0, 1)
        )
        raise InputError(
            f"no data set joins {one} and {other}: nothing tells who is better; rank them apart, "
            f"chosen by {arg('classifiers')}"
        )
    return present


def _best(means: FloatArray, copies: FloatArray) -> FloatArray:
    """Return (..., u) the share of each in being the best; those that tie share it."""
    tied = (means >= _largest(means)) * copies
    return np.asarray(tied / (tied @ np.ones_like(copies))[..., None])


def _largest(values: FloatArray) -> FloatArray:
    """Return (..., 1) the largest of each row; column by column, as short rows are slow."""
    if values.shape[-1] > SHORT:
        return np.asarray(values.max(axis=-1, keepdims=True))
    top = values[..., 0].copy()
    for k in range(1, values.shape[-1]):
        np.maximum(top, values[..., k], out=top)
    return top[..., None]


def _alike(datasets: Sequence[JointMeans], c: int) -> IntArray:
    """Return (c,) numbers of groups of classifiers with the same scores on all data sets."""
    group = np.zeros((len(datasets), c), dtype=np.int64)
    for row, dataset in zip(group, datasets, strict=True):
        row[dataset.columns] = dataset.group + 1
    return np.unique(group, axis=1, return_inverse=True)[1].ravel()


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
