"""Weights of the pairs of mean differences whose sum lies below a border, for many weightings.

The Bayesian signed-rank test (Tutorial eq. 11) asks for Σ_ij w_i w_j 1[z_i + z_j < c] under
thousands of weight vectors w. With z ascending, the pairs (i, j) that count form a staircase:
row i holds the first k_i columns, and k never rises. With the cumulated weights C one row is
then w_i C[k_i], so a draw costs O(q) instead of O(q²). Many pairs of classifiers have most of
these products in common, and each is computed once for all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import IntArray
from bcompare.methods.midranks import TIE_SLACK

# Products held at once, so many that they stay in the processor's cache.
PRODUCTS = 2**17
# Of fewer draws together the bookkeeping would cost more than the products.
LEAST_DRAWS = 64


@dataclass(frozen=True, eq=False, slots=True)
class Border:
    """Pair sums below a border, which is twice one end of the rope.

    A sum on the border counts half: the answer is the mean over the pairs strictly below it and
    those below or on it, of which only one is kept where they are the same.

    products, counts : (g, 3) and (g,) the weight of these pairs as products (C[b] - C[a]) C[k],
        given as a, b, k, and how often each counts.
    at_zero : how many values lie below the border, strictly, and on it too: the same for the
        sums with a pseudo-observation at 0.
    zero : share of the pseudo-observation's sum with itself that lies below.
    """

    products: IntArray
    counts: FloatArray
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
        products = [_products(widths[:-1]) for widths in kept]
        counts = [np.append(1.0, np.full(len(own) - 1, 2.0)) for own in products]
        return cls(
            products=np.concatenate(products),
            counts=np.concatenate(counts) / len(kept),
            at_zero=tuple(int(widths[-1]) for widths in kept),
            zero=zero,
        )

    def prior_weight(self, cumulated: FloatArray, prior: FloatArray) -> FloatArray:
        """Weight that a pseudo-observation at 0, of weight `prior`, adds: (draws,)."""
        first, *second = (cumulated[count] for count in self.at_zero)
        data = (first + second[0]) / 2 if second else first
        weight: FloatArray = prior * (2 * data + self.zero * prior)
        return weight


def _products(widths: IntArray) -> IntArray:
    """The products of a staircase with row widths k_0 ≥ k_1 ≥ …, equal to its transpose.

    The first is the largest square in it; the others are the rows below that, where the widths
    are equal together. By symmetry each of these stands also for its column next to the square.
    """
    square = int(np.count_nonzero(widths > np.arange(len(widths))))
    bottom = int(np.count_nonzero(widths))
    below = widths[square:bottom]
    start = square + np.flatnonzero(np.diff(below, prepend=-1))
    rows = np.column_stack([start, np.append(start[1:], bottom)[: len(start)], widths[start]])
    return np.vstack([[0, square, square], rows])


@dataclass(frozen=True, eq=False, slots=True)
class PairSums:
    """The weights below several borders of q values each.

    products : (u, 3) those of all borders, each once; see `Border`.
    counts : (borders, u) how often each counts.
    """

    products: IntArray
    counts: csr_array

    @classmethod
    def of(cls, borders: Sequence[Border]) -> "PairSums":
        """The products of these borders."""
        every = np.concatenate([border.products for border in borders])
        products, place = np.unique(every, axis=0, return_inverse=True)
        ends = np.cumsum([0, *(len(border.products) for border in borders)])
        counts = np.concatenate([border.counts for border in borders])
        shape = len(borders), len(products)
        return cls(products, csr_array((counts, place.ravel(), ends), shape=shape))

    def weights(self, cumulated: FloatArray) -> FloatArray:
        """Weight of the pairs of values whose sum lies below, for each border and draw.

        cumulated : (q + 1, draws) sums of the first 0, 1, …, q weights of each draw.
        Returns (borders, draws), in the precision of `cumulated`.
        """
        first, last, width = np.ascontiguousarray(self.products.T)
        draws = cumulated.shape[1]
        counts = self.counts.astype(cumulated.dtype)
        weights = np.empty((counts.shape[0], draws), cumulated.dtype)
        step = min(draws, max(LEAST_DRAWS, PRODUCTS // len(first)))
        rows, other = np.empty((2, len(first), step), cumulated.dtype)
        for start in range(0, draws, step):
            part = cumulated[:, start : start + step]
            size = part.shape[1]
            if size < step:
                rows, other = np.empty((2, len(first), size), cumulated.dtype)
            # `take` into memory at hand is ten times as fast as indexing
            part.take(last, axis=0, out=rows, mode="clip")
            rows -= part.take(first, axis=0, out=other, mode="clip")
            rows *= part.take(width, axis=0, out=other, mode="clip")
            weights[:, start : start + step] = counts @ rows
        return weights
