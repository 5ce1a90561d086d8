"""p-values corrected for the number of pairs tested: Bonferroni and Holm (Demšar 2006, §3.2)."""

import numpy as np
from scipy.special import chdtri, ndtr, ndtri, stdtrit

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


# Quantiles of a sum, and the least p-value.
NODES, LEAST = 200, 1e-12


def smallest_of_alike(p_values: FloatArray, dof: int, correlation: float) -> FloatArray:
    """Return the probability that the smallest of all these p-values is as small as each.

    Equicorrelated Student statistics share a deviate of the correlation, and the spread (Dunnett
    1955, J. Amer. Statist. Assoc. 50:1096, eq. 3); here a sum over quantiles of both.

    Parameters
    ----------
    p_values : (m,) one-sided p-values. dof, correlation : of their statistics; below 1.

    Returns
    -------
    (m,) adjusted p-values, from p to about m p.
    """
    at = (np.arange(NODES) + 0.5) / NODES
    spread = np.sqrt(chdtri(dof, at) / dof)[:, None]
    shared = np.sqrt(correlation) * ndtri(at)
    t = -stdtrit(dof, np.clip(p_values, LEAST, 1 - LEAST))[:, None, None]
    own = ndtr((t * spread - shared) / np.sqrt(1 - correlation))
    largest = 1 - (own ** len(p_values)).mean(axis=(1, 2))
    return np.asarray(np.maximum(largest, p_values))
