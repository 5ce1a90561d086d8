"""Frequentist tests of "no difference" over data sets: Wilcoxon signed-rank, and the sign test.

Sources: Wilcoxon 1945; Demšar 2006 (JMLR 7), §3.1.3 and §3.1.4; Benavoli et al. 2017 (JMLR 18),
"Tutorial", eq. 8 and Table 8.
"""

import math

import numpy as np
from scipy.special import bdtr, ndtr

from bcompare.basis.messages import InputError
from bcompare.data.rope import FloatArray
from bcompare.methods.result_parts import PairedNhst

# Values within this relative difference are tied: scores are decimals, so two means that are equal
# on paper may differ in their last binary digits.
TIE_SLACK = 1e-9


def midranks(values: FloatArray) -> FloatArray:
    """Ranks from 1 (lowest) along the last axis; tied values share the mean of their ranks.

    Decimals that are equal on paper are tied, too.

    Parameters
    ----------
    values : (..., n) in any unit.

    Returns
    -------
    (..., n), whole or half numbers.
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=-1)
    low = ascending[..., :-1]
    high = ascending[..., 1:]
    starts = np.ones(values.shape, dtype=bool)
    starts[..., 1:] = high - low > TIE_SLACK * np.maximum(np.abs(low), np.abs(high))
    group = np.cumsum(starts.ravel()) - 1  # of tied values
    first = np.flatnonzero(starts) % values.shape[-1]
    shared = first + (np.bincount(group) + 1) / 2
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, shared[group].reshape(values.shape), axis=-1)
    return ranks


# The smallest exact probability is 2^-n: beyond this it leaves the range of floating point.
MOST_EXACT = 1000
# Up to this number of differences the exact p-value is the usual one (Demšar §3.1.3).
SMALL = 25


EXACT = "wilcoxon-exact"


def wilcoxon(differences: FloatArray, *, exact: bool | None = None) -> PairedNhst:
    """Wilcoxon signed-rank test on the mean differences of q data sets.

    Exact zeros are dropped and ties share their ranks. The statistic is the smaller of the rank
    sums of the positive and of the negative differences, so that swapping left and right changes
    nothing.

    Parameters
    ----------
    differences : (q,) mean differences, in any unit.
    exact : the exact p-value given the ranks, ties included, or the normal approximation with
        tie-corrected variance and continuity correction. By default exact for at most 25
        differences that are not zero: the approximation may fall below the least exact one.

    Returns
    -------
    The test named ``wilcoxon`` or ``wilcoxon-exact``; with no difference but zeros, p = 1. Its
    z is w of Tutorial eq. 8, without the continuity correction that the p-values have.

    Raises
    ------
    InputError : `exact` with more than 1000 differences that are not zero.
    """
    counted = differences[differences != 0]
    n = len(counted)
    ranks = midranks(np.abs(counted))
    if exact is None:
        exact = n <= SMALL
    name, how = (EXACT, "exact") if exact else ("wilcoxon", "normal approximation")
    title = f"Wilcoxon ({how})"
    if n == 0:
        return PairedNhst(name, 0.0, 1.0, 1.0, 1.0, 0.0, title)
    positive = float(ranks[counted > 0].sum())
    distance = positive - n * (n + 1) / 4
    statistic = n * (n + 1) / 4 - abs(distance)
    # Given the ranks, each adds itself with probability ½: the sum's variance is Σ rank²/4, which
    # is the textbook's n(n+1)(2n+1)/24 less its tie correction.
    deviation = math.sqrt(float((ranks**2).sum()) / 4)
    if exact:
        towards, against = _exact_p(ranks, statistic)
    else:
        # with continuity correction, on the side that the data favour and on the other
        towards = float(ndtr((0.5 - abs(distance)) / deviation))
        against = float(ndtr((0.5 + abs(distance)) / deviation))
    if distance == 0:  # neither side is favoured, to the last digit
        against = towards
    p_left, p_right = (against, towards) if distance > 0 else (towards, against)
    return PairedNhst(
        test=name,
        statistic=statistic,
        p_value=min(1.0, 2 * towards),
        p_left_better=p_left,
        p_right_better=p_right,
        z=distance / deviation,
        title=title,
    )


def _exact_p(ranks: FloatArray, statistic: float) -> tuple[float, float]:
    """Return P(rank sum ≤ statistic) and P(rank sum ≥ statistic) over all 2^n signs."""
    n = len(ranks)
    if n > MOST_EXACT:
        raise InputError(
            f"the exact Wilcoxon p-value needs at most {MOST_EXACT} data sets with a difference, "
            f"and there are {n}: leave the option out; at that size the normal approximation "
            "is within 0.001 of it unless many differences are tied"
        )
    # Twice a midrank is a whole number. Only sums up to the statistic are followed.
    steps = np.rint(2 * ranks).astype(np.int64)
    lower_tail = np.zeros(round(2 * statistic) + 1)
    lower_tail[0] = 1.0
    for step in steps:
        lower_tail *= 0.5
        if step < len(lower_tail):
            # the right-hand side is a new array, so each rank is added once; ×½ is exact
            lower_tail[step:] = lower_tail[step:] + lower_tail[:-step]
    return float(lower_tail.sum()), float(1 - lower_tail[:-1].sum())


def binomial_sign_test(differences: FloatArray) -> PairedNhst:
    """Exact sign test on the mean differences of q data sets (Demšar §3.1.4).

    Under the null hypothesis either classifier wins a data set with probability ½; data sets
    without a difference are dropped.

    Parameters
    ----------
    differences : (q,) mean differences, in any unit.

    Returns
    -------
    The test named ``binomial-sign``; its statistic is the number of wins of the classifier with
    fewer of them. With no difference but zeros, p = 1.
    """
    counted = differences[differences != 0]
    right = int((counted > 0).sum())
    left = len(counted) - right
    p_left = float(bdtr(right, len(counted), 0.5))
    p_right = float(bdtr(left, len(counted), 0.5))
    return PairedNhst(
        test="binomial-sign",
        title="sign test (exact)",
        statistic=float(min(left, right)),
        p_value=min(1.0, 2 * min(p_left, p_right)),
        p_left_better=p_left,
        p_right_better=p_right,
    )
