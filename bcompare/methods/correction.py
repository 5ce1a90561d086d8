"""p-values corrected for the number of pairs tested: Bonferroni and Holm (Demšar 2006, §3.2)."""

import numpy as np

from bcompare.data.rope import FloatArray


def bonferroni(p_values: FloatArray) -> FloatArray:
    """Bonferroni-adjusted p-values: each times the number of tests, at most 1.

    Parameters
    ----------
    p_values : (m, ...) p-values of m tests along the first axis; every further axis is a family
        of its own. NaN marks a test that was not made: it does not count.

    Returns
    -------
    (m, ...) adjusted p-values, NaN where the p-value is.
    """
    tests = np.count_nonzero(~np.isnan(p_values), axis=0)
    adjusted: FloatArray = np.minimum(p_values * tests, 1.0)
    return adjusted


def holm(p_values: FloatArray) -> FloatArray:
    """Holm-adjusted p-values: the i-th smallest times (m - i + 1), never falling, at most 1.

    Parameters
    ----------
    p_values : (m, ...) as for `bonferroni`.

    Returns
    -------
    (m, ...) adjusted p-values, NaN where the p-value is.
    """
    tests = np.count_nonzero(~np.isnan(p_values), axis=0)
    order = np.argsort(p_values, axis=0)  # NaN last
    ascending = np.take_along_axis(p_values, order, axis=0)
    place = np.arange(len(p_values)).reshape(-1, *[1] * (p_values.ndim - 1))
    stepped = np.maximum.accumulate(ascending * (tests - place), axis=0)
    adjusted = np.empty_like(ascending)
    np.put_along_axis(adjusted, order, np.minimum(stepped, 1.0), axis=0)
    return adjusted
