"""Contrasts of classifiers: coordinates of their scores in which what all share does not count."""

import numpy as np

from bcompare.data.rope import FloatArray


def helmert_contrasts(count: int) -> FloatArray:
    """Return (count - 1, count) orthonormal contrasts, each of one classifier with those before it.

    They are Helmert's: rows of norm 1 that sum to 0 and are orthogonal. SciPy has them, too, in a
    module that takes longer to import than they take to compute.
    """
    before = np.arange(1, count)
    rows = np.tri(count - 1, count)
    rows[before - 1, before] = -before
    return np.asarray(rows / np.sqrt(before * (before + 1))[:, None], dtype=np.float64)
