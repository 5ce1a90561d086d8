"""Roots of increasing continuous functions."""

from collections.abc import Callable

import numpy as np

from bcompare.data.rope import FloatArray

# The number of initial bisections, and the most steps in total.
HALVINGS, MOST_STEPS = 9, 90
# A value this near to zero is close enough.
CLOSE = 1e-10


def crossing(
    excess: Callable[[FloatArray], FloatArray], low: FloatArray, high: FloatArray
) -> FloatArray:
    """Return the (k,) roots in intervals, by bisection, then by false position.

    excess : increasing in each of its k arguments; at most 0 at `low` and at least 0 at `high`.
    """
    below, over = excess(low), excess(high)
    for step in range(MOST_STEPS):
        halve = step < HALVINGS or step % 3 == 0
        share = 0.5 if halve else -below / (over - below)
        middle = low + share * (high - low)
        value = excess(middle)
        rises = value < 0
        low, below = np.where(rises, middle, low), np.where(rises, value, below)
        high, over = np.where(rises, high, middle), np.where(rises, over, value)
        if np.abs(value).max(initial=0.0) < CLOSE:
            break
    return np.where(-below < over, low, high)
