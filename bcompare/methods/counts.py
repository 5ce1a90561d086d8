"""How many of q independent data sets are in each region: exact distributions of the counts.

The number of data sets on which right is better is Poisson-binomial (CB 2015 eq. 10); the three
numbers of data sets that are left's, the rope's and right's are Poisson-multinomial.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.fft import next_fast_len

from bcompare.data.rope import FloatArray
from bcompare.data.sufficient import IntArray
from bcompare.methods.symmetry import restored

# Probabilities of counts held at once: pairs go together as long as they stay in the cache.
BLOCK = 2**18


@dataclass(frozen=True, eq=False, slots=True)
class RegionCounts:
    """What is asked of the counts of q data sets; the regions are left, rope, right.

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
    q = each.shape[2]
    turned, leans = _turned(each)
    won = _number_won(turned[:, 3:])
    holders = _holders(q)
    block = max(1, BLOCK // (q + 1) ** 2)
    counts = []
    for start in range(0, len(each), block):
        stop = start + block
        joints = _joints(turned[start:stop, :3])
        for lean, joint, own in zip(leans[start:stop], joints, won[start:stop], strict=True):
            mass = np.bincount(holders, joint.ravel(), minlength=8) / joint.sum()
            count = restored(_counts(mass, own), lean, RegionCounts.mirrored)
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


def _joints(each: FloatArray) -> FloatArray:
    """Return (m, q + 1, q + 1) probabilities of how many of q data sets are left's and right's.

    Data sets are counted in ever larger groups: the distribution of the sum of two groups' counts
    is the convolution of theirs.
    """
    m, _, q = each.shape
    grids = np.zeros((m, q, 2, 2))
    grids[..., 1, 0], grids[..., 0, 0], grids[..., 0, 1] = each.transpose(1, 0, 2)
    while grids.shape[1] > 1:
        if grids.shape[1] % 2:  # a group without a data set
            grids = np.pad(grids, ((0, 0), (0, 1), (0, 0), (0, 0)))
            grids[:, -1, 0, 0] = 1.0
        size = min(2 * grids.shape[2] - 1, q + 1)
        padded = (next_fast_len(size, real=True),) * 2
        one, other = grids[:, ::2], grids[:, 1::2]
        product = np.fft.rfft2(one, padded) * np.fft.rfft2(other, padded)
        grids = np.fft.irfft2(product, padded)[..., :size, :size]
        # What rounding in the transforms leaves of 0, so that what cannot be has probability 0.
        rounding = np.finfo(float).eps * math.log2(math.prod(padded))
        norms = (np.linalg.norm(group, axis=(2, 3), keepdims=True) for group in (one, other))
        grids = np.where(grids > rounding * math.prod(norms), grids, 0.0)
    return grids[:, 0]


def _holders(q: int) -> IntArray:
    """((q + 1)²,) which regions hold the most: 1 left, 2 the rope, 4 right, added up."""
    left, right = np.indices((q + 1, q + 1)).reshape(2, -1)
    rope = q - left - right
    most = np.maximum(np.maximum(left, right), rope)
    holders: IntArray = 1 * (left == most) + 2 * (rope == most) + 4 * (right == most)
    return holders


def _counts(mass: FloatArray, distribution: FloatArray) -> RegionCounts:
    """Return the answer from the (8,) probabilities of what `_holders` tells apart."""
    left_rope, left_right, rope_right, all_three = mass[3], mass[5], mass[6], mass[7]
    strict = mass[np.array([1, 2, 4])]
    two = np.stack([left_rope + left_right, left_rope + rope_right, left_right + rope_right])
    shared = _normalised(strict + two / 2 + all_three / 3)
    p_tie = float(left_rope + left_right + rope_right + all_three)
    return RegionCounts(strict, shared, p_tie, distribution)


def _normalised(p: FloatArray) -> FloatArray:
    total: float = (p[0] + p[2]) + p[1]
    return np.array(p / total)
