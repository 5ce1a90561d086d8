"""p-values corrected for the number of pairs tested: Bonferroni and Holm (Demšar 2006, §3.2)."""

import numpy as np
from scipy.special import ndtr, stdtrit

from bcompare.data.rope import FloatArray
from bcompare.methods.student import mean_square_rule


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


# Steps of the shared deviate: at most, for a correlation of ½, and at least. The least p-value.
WIDEST, AT_HALF, NARROWEST, LEAST = 0.4, 0.6, 0.005, 1e-12


def smallest_of_alike(p_values: FloatArray, dof: int, correlation: float) -> FloatArray:
    """Return the probability that the smallest of all these p-values is as small as each.

    Equicorrelated Student statistics share a deviate of the correlation, and the spread (Dunnett
    1955, J. Amer. Statist. Assoc. 50:1096, eq. 3). Trapezoids over both are exact to seven digits.

    Parameters
    ----------
    p_values : (m,) one-sided p-values. dof, correlation : of their statistics; below 1.

    Returns
    -------
    (m,) adjusted p-values, from p to about m p.
    """
    v, of_spread = mean_square_rule(dof)
    rest = 1 - correlation
    step = max(min(WIDEST, AT_HALF * np.sqrt(rest / max(correlation, LEAST))), NARROWEST)
    shared = np.arange(-8.0, 8.0 + step, step)
    of_shared = np.exp(-(shared**2) / 2)
    t = -stdtrit(dof, np.clip(p_values, LEAST, 1 - LEAST))[:, None, None]
    own = ndtr((t * np.sqrt(v)[:, None] - np.sqrt(correlation) * shared) / np.sqrt(rest))
    largest = 1 - of_spread @ (own ** len(p_values)) @ (of_shared / of_shared.sum())
    return np.asarray(np.maximum(largest, p_values))
