"""Wilcoxon's signed-rank test on the mean differences: the frequentist test for contrast."""

import math

import numpy as np
from scipy.special import ndtr

from bcompare.methods.base import Nhst
from bcompare.rope import FloatArray


def wilcoxon(differences: FloatArray) -> Nhst:
    """Two-sided signed-rank test by the normal approximation, as in Corani 2017, Table 2.

    Zeros are dropped, ties share their mean rank and reduce the variance, and the continuity
    correction is half a rank. The statistic is the smaller of the two rank sums.

    Parameters
    ----------
    differences : (q,) mean difference of each data set.
    """
    used = differences[differences != 0]
    values, inverse, counts = np.unique(np.abs(used), return_inverse=True, return_counts=True)
    if values.size == 0:
        return Nhst("wilcoxon", 0.0, 1.0)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    positive, negative = float(ranks[used > 0].sum()), float(ranks[used < 0].sum())
    n = used.size
    variance = n * (n + 1) * (2 * n + 1) / 24 - float((counts**3 - counts).sum()) / 48
    z = max(abs(positive - negative) / 2 - 0.5, 0.0) / math.sqrt(variance)
    return Nhst("wilcoxon", min(positive, negative), float(2 * ndtr(-z)))
