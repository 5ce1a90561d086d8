"""Frequentist tests of "no difference" over data sets: Wilcoxon signed-rank, and the sign test.

Sources: Wilcoxon 1945; Demšar 2006 (JMLR 7), §3.1.3 and §3.1.4; Benavoli et al. 2017 (JMLR 18),
"Tutorial", eq. 8 and Table 8.
"""

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
# Differences of pairs that are ranked together.
BLOCK = 1_000_000


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
    return wilcoxon_of_pairs(differences[None], exact=exact)[0]


def wilcoxon_of_pairs(differences: FloatArray, *, exact: bool | None = None) -> list[PairedNhst]:
    """Wilcoxon signed-rank tests of many pairs; see `wilcoxon`.

    Pairs with the same number of differences are ranked together.

    Parameters
    ----------
    differences : (m, q) mean differences of each pair; NaN where it lacks a data set.
    """
    tests: dict[int, PairedNhst] = {}
    size = max(1, BLOCK // max(differences.shape[1], 1))
    for first in range(0, len(differences), size):
        block = differences[first : first + size]
        is_counted = ~np.isnan(block) & (block != 0)
        counts = is_counted.sum(axis=1)
        for n in np.unique(counts).tolist():
            rows = np.flatnonzero(counts == n)
            counted = block[rows][is_counted[rows]].reshape(len(rows), n)
            of_rows = _tests(counted, exact=n <= SMALL if exact is None else exact)
            tests.update(zip((first + rows).tolist(), of_rows, strict=True))
    return [tests[k] for k in range(len(differences))]


def _tests(counted: FloatArray, *, exact: bool) -> list[PairedNhst]:
    """Return the tests of pairs with n differences each, (m, n), of which none is 0."""
    m, n = counted.shape
    name = EXACT if exact else "wilcoxon"
    title = "Wilcoxon (exact)" if exact else "Wilcoxon (normal approximation)"
    if n == 0:
        return [PairedNhst(name, 0.0, 1.0, 1.0, 1.0, 0.0, title)] * m
    # sums of ranks and of their squares are exact, in whichever order
    ranks = midranks(np.abs(counted))
    distances = np.where(counted > 0, ranks, 0.0).sum(axis=1) - n * (n + 1) / 4
    statistics = n * (n + 1) / 4 - np.abs(distances)
    # Given the ranks, each adds itself with probability ½: the sum's variance is Σ rank²/4, which
    # is the textbook's n(n+1)(2n+1)/24 less its tie correction.
    deviations = np.sqrt((ranks**2).sum(axis=1) / 4)
    if exact:
        tails = [_exact_p(*row) for row in zip(ranks, statistics.tolist(), strict=True)]
        towards, against = np.array(tails).T
    else:
        # with continuity correction, on the side that the data favour and on the other
        towards = ndtr((0.5 - np.abs(distances)) / deviations)
        against = ndtr((0.5 + np.abs(distances)) / deviations)
    # where neither side is favoured they are the same to the last digit
    against = np.where(distances == 0, towards, against)
    p_value = np.minimum(1.0, 2 * towards)
    p_left = np.where(distances > 0, against, towards)
    p_right = np.where(distances > 0, towards, against)
    z = distances / deviations
    rows = np.column_stack([statistics, p_value, p_left, p_right, z])
    results = []
    for statistic, two_sided, left, right, distance in rows.tolist():
        results.append(PairedNhst(name, statistic, two_sided, left, right, distance, title))
    return results


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
