"""Judge classifiers over several data sets: their averages, and what happens on the next data set.

A draw of the averages θ is

    θ = a + κ Σ_i w_i e_i,      w ~ Dirichlet(1, …, 1),

with a the effects of the usual means (`bcompare.ranking.effects`), e_i the excess of the unusual
means on data set i, and κ the share of it that counts (`bcompare.ranking.unusual`).

The next data set is one of those seen, or a new one of the model. With μ_i the means on data set i
without their noise, and N(a, S) those on a new data set to which the excess of a random data set is
added,

    p(k is best) = (Σ_i P(k is best by μ_i) + M P(k is best by the model) + s/c) / (q + M + s),

and the same of being within the rope of the best. s is the weight of a data set on which all tie,
the prior of the sign test, since a new data set may be unlike all that the model knows.

The leader's regret, what it loses against the best of each data set, weighs the q data sets and the
model by Dirichlet(1, …, 1). There an excess counts in full: it has happened. Another classifier's
regret is the leader's and what it scores less than the leader on average, θ_L - θ_k.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from bcompare.basis.progress import Progress
from bcompare.data.rope import BoolArray, FloatArray, IntArray
from bcompare.ranking.draws import Drawn, blocks, largest_of, share_of_best
from bcompare.ranking.effects import BANKS, NEW, Effects, fillings, normal_banks
from bcompare.ranking.joint_means import JointMeans
from bcompare.ranking.unusual import draw_share, excess_of

# What the model counts for in p(best), in data sets: chosen by the log score on real results.
MODEL_COUNTS = 10.0
# What a data set on which all tie counts for there: no p(best) is 0.
TIE_COUNTS = 0.5
# Numbers in a block of draws: enough that loops cost little, few enough for the processor's cache.
BLOCK = 200_000
# Numbers drawn for further data sets; with many classifiers fewer draws are taken there.
MOST_NEW, LEAST_DRAWS = 40_000_000, 500


def judge_several(
    datasets: Sequence[JointMeans],
    column_of: IntArray,
    copies: FloatArray,
    half: float,
    draws: int,
    rng: np.random.Generator,
    progress: Progress,
) -> Drawn:
    """Return draws of the averages of u different classifiers, and what is said of the next set.

    column_of : (c,) which of the u each classifier is. copies : (u,) how many are the same.
    half : the half-width of the rope.
    """
    q = len(datasets)
    u = len(copies)
    if u == 1:
        equal = np.zeros((draws, 1))
        return Drawn(effects=equal, regret=equal, best=np.ones(1), close=np.ones(1))
    means, noise = _means_of(datasets, column_of, u)
    completed = list(fillings(means, ~np.isnan(means), rng))
    further = min(draws, max(LEAST_DRAWS, MOST_NEW // (u * (2 * NEW + q))))
    banks = cycle(normal_banks(u - 1))
    next_dataset = NextDataset(copies, half)
    averages = []
    for filled, number in zip(completed, _parts(draws, len(completed)), strict=True):
        model = AverageModel.of(filled, noise)
        further_here = -(-number * further // draws)
        for block in model.draw(rng, number, further_here):
            averages.append(block.averages)
            if block.is_followed:
                seen = model.seen(rng, block)
                new = model.new(rng, block, next(banks))
                next_dataset.add(block, seen, new)
                progress(min(next_dataset.draws, further), further)
    effects = np.concatenate(averages)
    return Drawn(
        effects=effects,
        regret=next_dataset.regret(leader=int(effects.mean(axis=0).argmax())),
        best=next_dataset.p_best(q),
        close=next_dataset.p_close(q),
    )


def _means_of(
    datasets: Sequence[JointMeans], column_of: IntArray, u: int
) -> tuple[FloatArray, FloatArray]:
    """Return (q, u) means, NaN where a data set lacks a classifier, and (q,) their noise."""
    means = np.full((len(datasets), u), np.nan)
    noise = np.empty(len(datasets))
    for i, dataset in enumerate(datasets):
        columns, first = np.unique(column_of[dataset.columns], return_index=True)
        means[i, columns], noise[i] = dataset.contrasts(first)
    return means, noise


def _parts(total: int, count: int) -> list[int]:
    """Return the sizes of `count` nearly equal parts of a total."""
    whole, rest = divmod(total, count)
    return [whole + 1] * rest + [whole] * (count - rest)


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """Some draws of the averages of u classifiers over q data sets.

    effects, interaction : (n, p) of the usual means, along the axes of their model.
    weights : (n, q + 1) of the data sets and of the model.
    averages : (n, u) θ.
    in_full : (n, u) the same if every excess counts in full.
    is_followed : whether data sets are drawn with these averages.
    """

    effects: FloatArray
    interaction: FloatArray
    weights: FloatArray
    averages: FloatArray
    in_full: FloatArray
    is_followed: bool


@dataclass(frozen=True, eq=False, slots=True)
class AverageModel:
    """The averages of u classifiers, by their usual means and the excess of unusual ones.

    usual : the model of the usual means.
    excess : (q, u).
    """

    usual: Effects
    excess: FloatArray

    @classmethod
    def of(cls, means: FloatArray, noise: FloatArray) -> "AverageModel":
        """From complete (q, u) means and (q,) variances of their noise."""
        excess = excess_of(means, noise)
        return cls(Effects.of(means - excess, noise), excess)

    def draw(self, rng: np.random.Generator, draws: int, further: int) -> Iterator[Block]:
        """Yield draws in blocks; at least the first `further` are followed by data sets."""
        q, u = self.excess.shape
        effects, interaction = self.usual.draw(rng, draws)
        share = draw_share(self.excess, rng, draws) if self.excess.any() else None
        size = max(1, min(BLOCK // (u * q), further // BANKS))
        for rows in blocks(draws, size):
            averages = in_full = effects[rows] @ self.usual.axes
            weights = rng.dirichlet(np.ones(q + 1), len(averages))
            if share is not None:
                mean_excess = weights[:, :q] @ self.excess / (1 - weights[:, q:])
                in_full = averages + mean_excess
                averages = averages + share[rows] * mean_excess
            yield Block(
                effects=effects[rows],
                interaction=interaction[rows],
                weights=weights,
                averages=averages,
                in_full=in_full,
                is_followed=rows.start < further,
            )

    def seen(self, rng: np.random.Generator, block: Block) -> FloatArray:
        """Return (n, q, u) draws of the means on the data sets seen, without their noise."""
        return self.usual.seen(rng, block.effects, block.interaction) + self.excess

    def new(self, rng: np.random.Generator, block: Block, normal: FloatArray) -> FloatArray:
        """Return (n, z, u) draws of the means on new data sets, of (z, p) standard normals."""
        new = self.usual.new(block.effects, block.interaction, normal)
        if self.excess.any():
            new += self.excess[rng.integers(len(self.excess), size=new.shape[:2])]
        return new


class NextDataset:
    """What is said of a data set, collected from draws of those seen and of new ones.

    copies : (u,) how many classifiers are the same.
    half : the half-width of the rope.
    draws : how many were collected.
    """

    def __init__(self, copies: FloatArray, half: float) -> None:
        self.copies, self.half, self.draws = copies, half, 0
        u = len(copies)
        # Expected numbers of data sets on which each is the best, and close to it: of those seen,
        # and of one new data set.
        self.best_seen, self.best_new = np.zeros(u), np.zeros(u)
        self.close_seen, self.close_new = np.zeros(u), np.zeros(u)
        # (n, u) what each loses to the best of a data set, and the averages: a pair for each block.
        self.losses: list[FloatArray] = []
        self.averages: list[FloatArray] = []

    def add(self, block: Block, seen: FloatArray, new: FloatArray) -> None:
        """Collect (n, q, u) means on the data sets seen, and (n, z, u) on new ones."""
        self.draws += len(seen)
        self.best_seen += share_of_best(seen, self.copies).sum(axis=(0, 1))
        self.best_new += share_of_best(new, self.copies).mean(axis=1).sum(axis=0)
        self.close_seen += np.count_nonzero(self._is_close(seen), axis=(0, 1))
        self.close_new += np.count_nonzero(self._is_close(new), axis=(0, 1)) / new.shape[1]
        self.losses.append(expected_best(block, seen, new) - block.in_full)
        self.averages.append(block.averages)

    def _is_close(self, means: FloatArray) -> BoolArray:
        return np.asarray(means >= largest_of(means) - self.half)

    def p_best(self, q: int) -> FloatArray:
        """Return (u,) probabilities of being the best, of all that are the same together."""
        by_lot = self.copies / self.copies.sum()
        return self._mixed(self.best_seen, self.best_new, by_lot, q)

    def p_close(self, q: int) -> FloatArray:
        """Return (u,) probabilities of being within the rope of the best."""
        return self._mixed(self.close_seen, self.close_new, np.ones(len(self.copies)), q)

    def _mixed(self, seen: FloatArray, new: FloatArray, tied: FloatArray, q: int) -> FloatArray:
        """Mix q data sets, the model, and a data set on which all tie."""
        counts = (seen + MODEL_COUNTS * new) / self.draws + TIE_COUNTS * tied
        return np.asarray(counts / (q + MODEL_COUNTS + TIE_COUNTS))

    def regret(self, leader: int) -> FloatArray:
        """Return (n, u) draws of the regret: the leader's, and what another loses to the leader."""
        averages = np.concatenate(self.averages)
        of_leader = np.concatenate(self.losses)[:, [leader]]
        # rounding, and a draw in which another is better by more than the leader's regret
        return np.maximum(of_leader + averages[:, [leader]] - averages, 0.0)


def expected_best(block: Block, seen: FloatArray, new: FloatArray) -> FloatArray:
    """Return (n, 1) the expected score of the best, with `block.in_full` as the averages.

    The data sets seen are shifted so that their weighted mean is the average.
    """
    weights = block.weights[:, :-1]
    of_model = block.weights[:, -1:]
    weighted = (weights[:, None, :] @ seen)[:, 0] / (1 - of_model)
    shifted = seen + (block.in_full - weighted)[:, None, :]
    best_seen = (weights[:, :, None] * largest_of(shifted)).sum(axis=1)
    best_new = of_model * largest_of(new).mean(axis=1)
    return np.asarray(best_seen + best_new)
