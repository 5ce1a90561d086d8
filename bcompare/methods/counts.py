"""Exact distributions of the number of data sets in each region, for q independent data sets.

The number of data sets on which right is better is Poisson-binomial (CB 2015 eq. 10); the three
numbers of data sets that are left's, the rope's and right's are Poisson-multinomial.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.fft import irfft2, next_fast_len, rfft2

from bcompare.data.rope import FloatArray
from bcompare.data.sufficient import IntArray
from bcompare.methods.symmetry import restored

# Less probable counts are dropped: together they are below 1e-15.
NEGLIGIBLE = 1e-20
# The number of data sets between two searches for negligible counts.
TRIM_EVERY = 8
# The number of parts of the data sets, which are counted separately.
PARTS = 4
# The most probabilities in memory at once, so that pairs computed together stay in the cache.
BLOCK = 2**15

Grids = tuple[FloatArray, int, int]
"""(m, a, b) probabilities; the counts of left in the first row and of right in the first column."""


@dataclass(frozen=True, eq=False, slots=True)
class RegionCounts:
    """Answers about the counts of q data sets; the regions are left, rope, right.

    strict : (3,) probability that a region holds more data sets than either other.
    shared : (3,) the same where regions that hold equally many share the probability equally;
        sums to 1.
    p_tie : that several regions hold the most.
    distribution : (q + 1,) probability that right is better on exactly 0, 1, …, q of them.
    """

    strict: FloatArray
    shared: FloatArray
    p_tie: float
    distribution: FloatArray

    def mirrored(self) -> "RegionCounts":
        """The counts after left and right are swapped."""
        return RegionCounts(
            self.strict[::-1], self.shared[::-1], self.p_tie, self.distribution[::-1].copy()
        )


def count_regions(each: FloatArray) -> list[RegionCounts]:
    """Count over q data sets, for m pairs of classifiers.

    The order of the data sets changes nothing, and swapping left and right mirrors the answer,
    both to the last bit: the data sets are put in order, and the pair of classifiers is turned
    the way that its mirror image is turned as well.

    Parameters
    ----------
    each : (m, 5, q) for each data set the probabilities of the left, the rope's and the right
        region, and those of left and of right being better by any amount.
    """
    turned, leans = _turned(each)
    won = _number_won(turned[:, 3:])
    counts = []
    for lean, joint, distribution in zip(leans, _joints(turned[:, :3]), won, strict=True):
        count = RegionCounts(*_holders(*joint, each.shape[2]), distribution)
        count = restored(count, lean, RegionCounts.mirrored)
        counts.append(count if lean else replace(count, shared=_normalised(count.shared)))
    return counts


def _turned(each: FloatArray) -> tuple[FloatArray, list[float]]:
    """Return of each pair and its mirror image the greater one, and its lean: see `restored`.

    The most certain data sets come first, which keeps the counts few.
    """
    given, image = _in_order(each), _in_order(each[:, [2, 1, 0, 4, 3]])
    leans = []
    for rows, mirrored in zip(given, image, strict=True):
        uneven = np.flatnonzero(rows != mirrored)
        leans.append(float(rows.flat[uneven[0]] - mirrored.flat[uneven[0]]) if uneven.size else 0.0)
    return np.where((np.array(leans) >= 0)[:, None, None], given, image), leans


def _in_order(each: FloatArray) -> FloatArray:
    by_row = each.transpose(1, 0, 2)
    order = np.lexsort((*by_row, -by_row[:3].max(axis=0)), axis=-1)
    return np.take_along_axis(each, order[:, None, :], axis=2)


def _number_won(each: FloatArray) -> FloatArray:
    """Return Poisson-binomial distributions, (m, q + 1), for (m, 2, q) p of losing and winning."""
    m, _, q = each.shape
    distribution = np.zeros((m, q + 1))
    distribution[:, 0] = 1.0
    for i in range(q):
        won = each[:, 1, i, None] * distribution[:, : i + 1]
        distribution[:, : i + 1] *= each[:, 0, i, None]
        distribution[:, 1 : i + 2] += won
    return distribution


def _joints(each: FloatArray) -> Iterator[tuple[FloatArray, IntArray, IntArray]]:
    """Yield for m pairs the distribution of how many of q data sets are left's and right's.

    A part of the data sets at a time, as the work grows with the cube of their number, and the
    parts joined by a convolution. Yields (a, b) probabilities, and the (a,) counts of left and
    the (b,) counts of right that they stand for; counts of negligible probability are missing.
    """
    m, _, q = each.shape
    size = -(-q // PARTS)
    parts = np.zeros((m, PARTS, 3, size))
    parts[:, :, 1] = 1.0  # padding: certainly in the rope, which is not counted
    for part in range(PARTS):
        own = each[:, :, part::PARTS]
        parts[:, part, :, : own.shape[2]] = own
    block = max(1, BLOCK // (PARTS * (size + 1) ** 2))
    for start in range(0, m, block):
        grids, left, right = _grids(parts[start : start + block].reshape(-1, 3, size))
        for k in range(0, len(grids), PARTS):
            yield _joined([_trimmed(grids[i : i + 1], left, right) for i in range(k, k + PARTS)])


def _grids(each: FloatArray) -> Grids:
    """Return joint distributions, (m, a, b), for (m, 3, q), by adding one data set at a time."""
    grids = np.ones((len(each), 1, 1))
    left = right = 0
    for i in range(each.shape[2]):
        p_left, p_rope, p_right = each[:, :, i].T[:, :, None, None]
        m, a, b = grids.shape
        grown = np.zeros((m, a + 1, b + 1))
        np.multiply(grids, p_rope, out=grown[:, :-1, :-1])
        grown[:, 1:, :-1] += p_left * grids
        grown[:, :-1, 1:] += p_right * grids
        grids = grown
        if (i + 1) % TRIM_EVERY == 0:
            grids, left, right = _trimmed(grids, left, right)
    return grids, left, right


def _trimmed(grids: FloatArray, left: int, right: int) -> Grids:
    """Set negligible probabilities to 0, and leave out what is 0 all along an edge.

    So the numbers of a pair do not depend on other pairs computed with it.
    """
    grids = np.where(grids > NEGLIGIBLE, grids, 0.0)
    rows = np.flatnonzero(grids.any(axis=(0, 2)))
    columns = np.flatnonzero(grids.any(axis=(0, 1)))
    kept = grids[:, rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return kept, left + int(rows[0]), right + int(columns[0])


def _joined(parts: Sequence[Grids]) -> tuple[FloatArray, IntArray, IntArray]:
    """Return the distribution of the summed counts of single grids."""
    shapes = np.array([grid.shape[1:] for grid, _, _ in parts])
    rows, columns = (int(length) for length in (shapes - 1).sum(axis=0) + 1)
    padded = next_fast_len(rows, real=True), next_fast_len(columns, real=True)
    stacked = np.zeros((len(parts), *shapes.max(axis=0)))
    for own, (grid, _, _) in zip(stacked, parts, strict=True):
        own[: grid.shape[1], : grid.shape[2]] = grid[0]
    joint = irfft2(rfft2(stacked, padded).prod(axis=0), padded)[:rows, :columns]
    # What rounding in the transforms leaves of 0, so that what cannot be has probability 0.
    rounding = np.finfo(float).eps * math.log2(padded[0] * padded[1])
    noise = rounding * np.linalg.norm(stacked, axis=(1, 2)).prod()
    return (
        np.where(joint > noise, joint, 0.0),
        sum(left for _, left, _ in parts) + np.arange(rows),
        sum(right for _, _, right in parts) + np.arange(columns),
    )


def _holders(
    joint: FloatArray, n_left: IntArray, n_right: IntArray, q: int
) -> tuple[FloatArray, FloatArray, float]:
    """Return `strict`, `shared` and `p_tie` of `RegionCounts` from the joint distribution."""
    left, right = n_left[:, None], n_right[None, :]
    rope = q - left - right
    # Which regions hold the most: 1 for left, 2 for the rope, 4 for right, added up.
    who = 1 * ((left >= rope) & (left >= right)) + 2 * ((rope >= left) & (rope >= right))
    who += 4 * ((right >= left) & (right >= rope))
    mass = np.bincount(who.ravel(), joint.ravel(), minlength=8) / joint.sum()
    left_rope, left_right, rope_right, all_three = mass[3], mass[5], mass[6], mass[7]
    strict = mass[np.array([1, 2, 4])]
    two = np.stack([left_rope + left_right, left_rope + rope_right, left_right + rope_right])
    shared = _normalised(strict + two / 2 + all_three / 3)
    return strict, shared, float(left_rope + left_right + rope_right + all_three)


def _normalised(p: FloatArray) -> FloatArray:
    total: float = (p[0] + p[2]) + p[1]
    return np.array(p / total)
