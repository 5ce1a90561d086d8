"""p-values corrected for the number of pairs tested: Bonferroni and Holm (Demšar 2006, §3.2)."""

from functools import lru_cache

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
    return np.asarray(np.minimum(p_values * tests, 1.0))


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


# p-values that differ by less, relative to their size, are equal.
ROUNDING = 1e-9
# Steps of the shared deviate, and of the logarithm of the spreads: at most, for a correlation of ½,
# and at least. The least p-value, and the least probability of a spread.
WIDEST, AT_HALF, NARROWEST = 0.4, 0.6, 0.02
LEAST, NEGLIGIBLE = 1e-12, 1e-9


def smallest_of_alike(p_values: FloatArray, dof: int, correlation: float) -> FloatArray:
    """Return the probability that the smallest of all these p-values is as small as each.

    The statistics are Student's, of the same dof + 1 runs, whose results are equicorrelated over
    the claims. So are their means, by a deviate z that they share, and so are their spreads: given
    the mean square v of the runs' common part, each is noncentral χ² with the noncentrality
    dof v ρ/(1 - ρ). Given z and v the claims are independent (as in Dunnett 1955, J. Amer. Statist.
    Assoc. 50:1096, eq. 3, where the claims share one spread). By trapezoids over all three.

    Parameters
    ----------
    p_values : (m,) one-sided p-values. dof, correlation : of their statistics; below 1.

    Returns
    -------
    (m,) adjusted p-values, from p to about m p.
    """
    rest = 1 - correlation
    step = max(min(WIDEST, AT_HALF * np.sqrt(rest / max(correlation, LEAST))), NARROWEST)
    shared = np.arange(-8.0, 8.0 + step, step)
    of_shared = np.exp(-(shared**2) / 2)
    square, of_common, of_own = _spreads(dof, correlation)
    t = -stdtrit(dof, np.clip(p_values, LEAST, 1 - LEAST))[:, None, None]
    above = of_own @ ndtr(
        (t * np.sqrt(square)[:, None] - np.sqrt(correlation) * shared) / rest**0.5
    )
    largest = 1 - of_common @ (above ** len(p_values)) @ (of_shared / of_shared.sum())
    return np.asarray(np.maximum(largest, p_values))


@lru_cache(maxsize=16)
def _spreads(dof: int, correlation: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return (s,) mean squares, (a,) weights of the common part, and (a, s) of each given that."""
    from scipy.stats import ncx2  # slow to import, and only gates on whole runs need it

    v, of_common = mean_square_rule(dof)
    usual = of_common > NEGLIGIBLE
    v = v[usual]
    of_common = of_common[usual]
    rest = 1 - correlation
    narrow = AT_HALF * np.sqrt(rest / max(correlation, LEAST))
    step = max(min(0.25 * min(1.0, np.sqrt(2 / dof)), narrow / np.sqrt(dof)), NARROWEST)
    square = np.exp(np.arange(np.log(v[0]), np.log(v[-1]) + step, step))
    given_common = (
        ncx2.pdf(dof * square / rest, dof, dof * correlation / rest * v[:, None]) * square
    )
    return (
        square,
        of_common / of_common.sum(),
        given_common / given_common.sum(axis=1, keepdims=True),
    )


def discrete_step_down(p_values: FloatArray, attainable: FloatArray) -> FloatArray:
    """p-values of discrete tests, corrected for their number.

    Like Holm's method, but a test counts only by the chance that its own p-value is as small: for
    the i-th smallest p-value p these chances are summed over it and all larger ones (Westfall and
    Wolfinger 1997, The American Statistician 51:3). A test that cannot reach p counts nothing.

    Parameters
    ----------
    p_values : (m,) p-values. attainable : (m, k) all p-values that each test can have, ascending.

    Returns
    -------
    (m,) adjusted p-values.
    """
    kinds, kind = np.unique(attainable, axis=0, return_inverse=True)
    kind = kind.reshape(-1)
    order = np.argsort(p_values, kind="stable")
    ascending = p_values[order]
    values, starts = np.unique(ascending, return_index=True)
    adjusted = np.empty(len(values))
    left = np.bincount(kind, minlength=len(kinds))
    largest = 0.0
    for i, (p, start) in enumerate(zip(values, starts.tolist(), strict=True)):
        chances = np.where(kinds <= p * (1 + ROUNDING), kinds, 0.0).max(axis=1)
        largest = max(largest, float(left @ chances))
        adjusted[i] = min(largest, 1.0)
        end = starts[i + 1] if i + 1 < len(values) else len(order)
        left = left - np.bincount(kind[order[start:end]], minlength=len(kinds))
    return adjusted[np.searchsorted(values, p_values)]
