"""Clusters of test items of different sizes, as rows whose usual statistics are those of CR2.

Items with weights are clusters, too, each of as many items as its weight says: then the mean is a
rate of sums, and the variance that of a ratio estimator (linearised; Cochran 1977, Sampling
Techniques, eq. 6.13), corrected as for clusters.

With N items in C clusters, S the sum of a cluster's m items, h = m/N, x̄ the mean over all items and
e = S - m x̄, the variance of x̄ is Σ e²/(1 - h) / N² (CR2: Bell & McCaffrey 2002, Survey Methodology
28:169), which is unbiased if items are as good as independent, and little biased if not. So
w = e/√(1 - h) are as good as C deviations, if their unit is chosen; but they need not add up to 0:
what does is Σ w √(1 - h). A rotation in the plane of both directions makes them add up.
"""

import numpy as np

from bcompare.data.rope import FloatArray, Sizes


def differ(sizes: Sizes) -> bool:
    """Return whether the clusters are of different sizes; not without clusters."""
    return bool((sizes[1:] != sizes[:-1]).any())


def rows_of(sums: FloatArray, sizes: Sizes) -> FloatArray:
    """Return (C, k) rows, whose mean is that over items and whose standard error is that of CR2.

    Of clusters of one size they are simply the means. The rows are linear in the scores, so those
    of a difference are the differences of the rows.

    sums : (C, k) of the scores of each cluster. sizes : (C,) numbers of items.
    """
    if not differ(sizes):
        return np.asarray(sums / sizes[0])
    mean = sums.sum(axis=0) / sizes.sum()
    left = _left(sizes)
    w = (sums - sizes[:, None] * mean) / np.sqrt(left)[:, None]
    return np.asarray(mean + _unit(sizes) * _rotated(w, np.sqrt(left), np.ones(len(sizes))))


def means_of(rows: FloatArray, sizes: Sizes) -> FloatArray:
    """Return the (C, k) means of the clusters, of which these are the rows."""
    if not differ(sizes):
        return rows
    mean = rows.mean(axis=0)
    left = _left(sizes)
    w = _rotated((rows - mean) / _unit(sizes), np.ones(len(sizes)), np.sqrt(left))
    return np.asarray(mean + w * (np.sqrt(left) / sizes)[:, None])


def lost_dof(sizes: Sizes) -> float:
    """Return by how much the degrees of freedom of CR2 are below C - 1; 0 for equal sizes.

    Satterthwaite's, of independent items (Bell & McCaffrey 2002): (Σ λ)²/Σ λ² with λ the
    eigenvalues of the covariance of the w, which has h on its diagonal and otherwise the products
    of h/√(1 - h). There are more than 1 degree of freedom, however large one cluster is.
    """
    if not differ(sizes):
        return 0.0
    squares = (1 - _left(sizes)) ** 2
    products = squares / _left(sizes)
    total = squares.sum() + products.sum() ** 2 - (products**2).sum()
    return float(len(sizes) - 1 - 1 / total)


def _left(sizes: Sizes) -> FloatArray:
    """Return the (C,) shares of all items that are not in the cluster."""
    return np.asarray(1 - sizes / sizes.sum())


def _unit(sizes: Sizes) -> float:
    """Return what makes the variance of a mean of C rows from the w."""
    return float(np.sqrt(len(sizes) * (len(sizes) - 1)) / sizes.sum())


def _rotated(z: FloatArray, start: FloatArray, end: FloatArray) -> FloatArray:
    """Rotate (C, k) columns that are orthogonal to `start` so that they are orthogonal to `end`.

    In the plane of both, which leaves the rest as it is.
    """
    u = start / np.linalg.norm(start)
    v = end / np.linalg.norm(end)
    return np.asarray(z - np.outer(u + v, v @ z) / (1 + u @ v))
