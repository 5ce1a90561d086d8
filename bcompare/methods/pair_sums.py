"""Weights of the pairs of mean differences whose sum lies below a border, for many weightings.

The Bayesian signed-rank test (Tutorial eq. 11) asks for Σ_ij w_i w_j 1[z_i + z_j < c] under
thousands of weight vectors w. With z ascending, the pairs (i, j) that count form a staircase:
row i holds the first k_i columns, and k never rises. With the cumulated weights C one row is
then w_i C[k_i], so a draw costs O(q) instead of O(q²), and the cumulated weights are shared by
every pair of classifiers.
"""

from dataclasses import dataclass

import numpy as np

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import IntArray
from bcompare.methods.midranks import TIE_SLACK


@dataclass(frozen=True, eq=False, slots=True)
class Staircase:
    """A symmetric set of pairs (i, j), of which row i holds the first k_i columns.

    square : the largest d for which the first d rows hold the first d columns.
    edges, width : (g + 1,) and (g,) the rows below the square, edges[j] ≤ i < edges[j + 1] together
        for those of equal k_i = width > 0. By symmetry each stands also for its column next to the
        square.
    """

    square: int
    edges: IntArray
    width: IntArray

    @classmethod
    def of_rows(cls, widths: IntArray) -> "Staircase":
        """The staircase with row widths k_0 ≥ k_1 ≥ …, equal to its transpose."""
        q = len(widths)
        square = int(np.count_nonzero(widths > np.arange(q)))
        bottom = int(np.count_nonzero(widths))
        below = widths[square:bottom]
        start = square + np.flatnonzero(np.diff(below, prepend=-1))
        return cls(square, np.append(start, bottom), widths[start])

    def weight(self, cumulated: FloatArray) -> FloatArray:
        """Σ w_i w_j over the pairs, for each column of weights.

        cumulated : (q + 1, draws) sums of the first 0, 1, …, q weights. Returns (draws,).
        """
        edges = cumulated[self.edges]
        rows = edges[1:] - edges[:-1]
        rows *= cumulated[self.width]
        total: FloatArray = cumulated[self.square] ** 2 + 2 * rows.sum(axis=0)
        return total


@dataclass(frozen=True, eq=False, slots=True)
class Border:
    """Pair sums below a border, which is twice one end of the rope.

    A sum on the border counts half: the answer is the mean over the pairs strictly below it and
    those below or on it, of which only one is kept where they are the same.

    staircases : of those pairs, one or two.
    at_zero : how many values lie below the border, for each staircase: the same for the
        sums with a pseudo-observation at 0.
    zero : share of the pseudo-observation's sum with itself that lies below.
    """

    staircases: tuple[Staircase, ...]
    at_zero: tuple[int, ...]
    zero: float

    @classmethod
    def of(cls, z: FloatArray, rope: Rope, end: float) -> "Border":
        """The border of ascending values `z` at one end of the rope: its low or its high."""
        values = np.append(z, 0.0)
        slack = np.maximum(2 * rope.slack, TIE_SLACK * np.abs(values))
        strict = np.searchsorted(z, 2 * end - values - slack, side="left")
        weak = np.searchsorted(z, 2 * end - values + slack, side="right")
        zero = 0.5 if end == 0 else float(end > 0)
        kept = [strict] if np.array_equal(strict, weak) else [strict, weak]
        if end == 0 and not rope.is_empty:
            # A rope that ends at 0 holds the sums of 0, for no difference does not matter.
            at_low_end = rope.low == 0
            kept, zero = ([strict], 0.0) if at_low_end else ([weak], 1.0)
        return cls(
            staircases=tuple(Staircase.of_rows(widths[:-1]) for widths in kept),
            at_zero=tuple(int(widths[-1]) for widths in kept),
            zero=zero,
        )

    def weight(self, cumulated: FloatArray) -> FloatArray:
        """Weight of the pairs of data sets whose sum lies below, for each column of weights.

        cumulated : (q + 1, draws) sums of the first 0, 1, …, q weights. Returns (draws,).
        """
        return _mean([staircase.weight(cumulated) for staircase in self.staircases])

    def prior_weight(self, cumulated: FloatArray, prior: FloatArray) -> FloatArray:
        """Weight that a pseudo-observation at 0, of weight `prior`, adds to `weight`: (draws,)."""
        data = _mean([cumulated[count] for count in self.at_zero])
        weight: FloatArray = prior * (2 * data + self.zero * prior)
        return weight


def _mean(arrays: list[FloatArray]) -> FloatArray:
    return arrays[0] if len(arrays) == 1 else (arrays[0] + arrays[1]) / 2
