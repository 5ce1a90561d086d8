"""The places 1 … c of classifiers on a leaderboard, from the draws of a posterior."""

from dataclasses import dataclass

import numpy as np

from bcompare.data.rope import FloatArray, IntArray
from bcompare.methods.result_parts import Interval


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
    counts = np.arange(c + 1)
    shares = []
    for of_group, m in zip(at_most, copies, strict=True):
        of_ties = [of_group[np.minimum(counts + j, c)] for j in range(m)]
        shares.append(np.mean(of_ties, axis=0))
    return np.array(shares)
