"""Ranks with ties at the mean of their places, including ties of decimals."""

import numpy as np

from bcompare.data.rope import FloatArray

# Values within this relative difference are tied: scores are decimals, so two means that are equal
# on paper may differ in their last binary digits.
TIE_SLACK = 1e-9


def midranks(values: FloatArray) -> FloatArray:
    """Ranks from 1 (lowest) along the last axis; tied values share the mean of their ranks.

    Parameters
    ----------
    values : (..., n) in any unit.

    Returns
    -------
    (..., n), whole or half numbers.
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=-1)
    low, high = ascending[..., :-1], ascending[..., 1:]
    starts = np.ones(values.shape, dtype=bool)
    starts[..., 1:] = high - low > TIE_SLACK * np.maximum(np.abs(low), np.abs(high))
    group = np.cumsum(starts.ravel()) - 1  # of tied values
    first = np.flatnonzero(starts) % values.shape[-1]
    shared = first + (np.bincount(group) + 1) / 2
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, shared[group].reshape(values.shape), axis=-1)
    return ranks
