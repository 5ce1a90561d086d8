"""Betting on the mean of a bounded variable: wealths, and a confidence sequence, valid at any time.

Waudby-Smith & Ramdas 2024, "Estimating means of bounded random variables by betting", JRSS B 86:
1-27 ("WSR"). Against "the mean of x in [0, 1] is at most m" the wealth Π (1 + λ_t (x_t - m)) is a
supermartingale for any λ_t in [0, 1/m] that is chosen before x_t (WSR, Proposition 2): it ever
reaches 1/α with probability at most α (Ville's inequality), whenever one looks. To bet that the
mean is below m, give 1 - x and 1 - m.

An observation may have a weight w in [0, 1], known before it, and then counts as m + w (x - m):
clusters of unequal sizes, whose mean over *items* is asked for, have w = size / largest size.
"""

import math
from collections.abc import Callable

import numpy as np

from bcompare.data.rope import FloatArray

# Of the largest bet that cannot lose everything (c in WSR, section 4).
TRUNCATION = 0.5

# Sums of decimals are trusted to this.
TOLERANCE = 1e-9
HALVINGS, BORDERS = 26, 80


def log_wealth(
    x: FloatArray,
    border: float,
    level: float,
    *,
    budget: int | None = None,
    growth: bool = True,
    weights: FloatArray | None = None,
    of: int | None = None,
    closed: bool = False,
) -> FloatArray:
    """Logarithms of the wealth after each observation, from bets that the mean is above a border.

    Parameters
    ----------
    x : (…, n) observations in [0, 1], in random order. border : in (0, 1).
    level : at which the bets aim, such as 0.05.
    budget : with n declared the bets are √(2 log(1/level) / (σ̂²_{t-1} n)), which pays best by then
        (WSR, section 3.2, of a fixed sample size).
    growth : without a budget they aim at the growth of the wealth, (μ̂ - m) / (σ̂² + (μ̂ - m)²)
        (WSR, appendix B.3, aGRAPA); or are the plug-in √(2 log(1/level) / (σ̂² t log(1 + t)))
        (WSR, section 3.2), which do not depend on the border.
    weights : (…, n) in [0, 1].
    of : observations in all, drawn without replacement: m is then what the mean of those left must
        be (WSR, section 5). Once they cannot make up for it any more the wealth is
        infinite; after the last of them that is so, or never.
    closed : whether a mean of all that is exactly on the border counts as above it.
    """
    excess = x - border if weights is None else weights * (x - border)
    t = np.arange(1, x.shape[-1] + 1)
    seen = excess + border
    mean = (0.5 + np.cumsum(seen, axis=-1)) / (t + 1)
    variance = (0.25 + np.cumsum((seen - mean) ** 2, axis=-1)) / (t + 1)
    mean = _before(mean, 0.5)
    variance = _before(variance, 0.25)
    total = np.cumsum(excess, axis=-1)
    m = np.float64(border) if of is None else border - _before(total, 0.0) / (of - t + 1)
    if budget is not None:
        bets = np.sqrt(2 * math.log(1 / level) / (variance * budget))
    elif growth:
        bets = np.maximum((mean - m) / (variance + (mean - m) ** 2), 0.0)
    else:
        bets = np.sqrt(2 * math.log(1 / level) / (variance * t * np.log1p(t)))
    bets = np.minimum(bets, TRUNCATION / np.maximum(m, TOLERANCE))
    wealth = np.cumsum(np.log1p(bets * (seen - m)), axis=-1)
    if of is not None:
        slack = -TOLERANCE if closed else TOLERANCE
        certain = np.logical_or.accumulate(total > border * (of - t) + slack, axis=-1)
        wealth = np.where(certain, np.inf, wealth)
    return np.asarray(wealth)


# `log_wealth`, of which the budget, the weights and the number in all may be given already.
Wealth = Callable[..., FloatArray]


def confidence_sequence(
    x: FloatArray, alpha: float, wealth: Wealth = log_wealth
) -> tuple[float, float]:
    """The means that no bet has refuted so far: with probability 1 - alpha the true one, always.

    The running intersection of the sets of WSR, Theorem 3, by one-sided bets at alpha/2 each that
    do not depend on the border, so that the sets are intervals (WSR, Theorem 3) and halving finds
    their ends. If none is left, as where the order is not random, both ends are NaN.
    """

    def lowest(x: FloatArray) -> float:
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            refuted = first_reached(x, middle, alpha / 2, wealth)
            low, high = (middle, high) if refuted <= len(x) else (low, middle)
        return low

    low = lowest(x)
    high = 1 - lowest(1 - x)
    return (low, high) if low <= high else (math.nan, math.nan)


def confidence_path(
    x: FloatArray, alpha: float, wealth: Wealth = log_wealth
) -> tuple[FloatArray, FloatArray]:
    """(n,) both ends of the confidence sequence after each observation, for a picture.

    A border joins the refuted ones when its wealth has reached 2/alpha; of those tried, which are
    the closer together the nearer they are to the last end.
    """

    def lowest(x: FloatArray, end: float) -> FloatArray:
        ends = np.zeros(len(x))
        for border in (end * (1 - np.geomspace(1e-3, 1, BORDERS)))[::-1]:
            first = first_reached(x, border, alpha / 2, wealth)
            ends[first - 1 :] = border
        return ends

    low, high = confidence_sequence(x, alpha, wealth)
    return lowest(x, low), 1 - lowest(1 - x, 1 - high)


def first_reached(x: FloatArray, border: float, level: float, wealth: Wealth = log_wealth) -> int:
    """After how many of (n,) observations such bets refute a mean of at most this; n + 1: never."""
    return time_of(wealth(x, border, level, growth=False), level)


def time_of(wealth: FloatArray, level: float) -> int:
    """After how many observations a wealth (n,) of this logarithm is 1/level; n + 1: never."""
    reached = wealth >= math.log(1 / level)
    return int(reached.argmax()) + 1 if reached.any() else len(wealth) + 1


def _before(values: FloatArray, first: float) -> FloatArray:
    """Each value one step later: what is known before an observation."""
    start = np.full((*values.shape[:-1], 1), first)
    return np.concatenate([start, values[..., :-1]], axis=-1)
