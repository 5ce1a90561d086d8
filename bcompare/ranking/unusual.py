"""Means far from a classifier's usual place: which they are, and what they say of the average.

A classifier that crashes on one of ten data sets is not a tenth of a crash worse on each. Its usual
place and its unusual means are therefore two things, and `bcompare.ranking.several` models them
apart. With x_ik the mean score of classifier k on data set i less that of the leader L there, the
usual place of k is m_k, the median over data sets of x_ik. A mean is unusual, in either direction,
if

    |x_ik − m_k| > 4 s_i,      s_i² = s² + 2 (v_i − ṽ)⁺,

where s is the robust deviation (from the median of all squared deviations), v_i the noise of data
set i and ṽ its median: a noisy data set is not unusual for being noisy. Its excess is x_ik − m_k.
Where the leader has an unusual mean, all others have one relative to it.

What the mean excess ē says of the classifiers' averages is open. Either each classifier has its own
rate of unusual means, and ē counts in full; or all have the same rate and those without any were
lucky, and ē counts for nothing. Along contrasts of classifiers,

    ē_j ~ N(0, τ² + ε),      κ = τ² / (τ² + ε),

with ε the variance of a mean excess by chance. κ, the share of ē that counts, is drawn from its
posterior under a half-Cauchy prior of scale 2 √ε on τ. As κ is never negative, unusual means of
others that are worse never turn against the leader.
"""

import numpy as np

from bcompare.data.rope import FloatArray
from bcompare.ranking.contrasts import helmert_contrasts

# Of fewer data sets it cannot be told what is usual.
FEWEST = 6
# Robust deviations beyond which a mean is unusual.
UNUSUAL = 4.0
# The median of the square of a standard normal number.
MEDIAN_SQUARE = 0.4549
# A deviation of so little of the largest is rounding.
ROUNDING = 1e-9
# The scale of the prior of τ, in units of the error of a mean excess, and its grid of quantiles.
PRIOR_SCALE = 2.0
QUANTILES = (np.arange(60) + 0.5) / 60


def excess_of(means: FloatArray, noise: FloatArray) -> FloatArray:
    """Return the (q, u) excess of unusual means, relative to the leader; 0 where a mean is usual.

    means : (q, u) mean scores. noise : (q,) variances of their noise. Of fewer than `FEWEST` data
    sets none is unusual.
    """
    q = len(means)
    if q < FEWEST:
        return np.zeros_like(means)
    leader = means.mean(axis=0).argmax()
    behind = means - means[:, [leader]]
    deviations = behind - np.median(behind, axis=0)
    squares = np.delete(deviations, leader, axis=1) ** 2
    robust = float(np.median(squares)) / MEDIAN_SQUARE * q / (q - 1)
    rounding = (ROUNDING * float(np.abs(means).max())) ** 2
    variance = max(robust, 2 * float(noise.mean()), rounding)
    noisier = np.maximum(noise - np.median(noise), 0.0)
    border = UNUSUAL**2 * (variance + 2 * noisier)
    return np.where(deviations**2 > border[:, None], deviations, 0.0)


def draw_share(excess: FloatArray, rng: np.random.Generator, draws: int) -> FloatArray:
    """Return (draws, 1) draws of κ, the share of the mean excess that counts; see the module.

    excess : (q, u), of which one is not 0.
    """
    q, u = excess.shape
    along = excess @ helmert_contrasts(u).T
    mean = along.mean(axis=0)
    error = float(along.var(axis=0, ddof=1).mean()) / q
    spread = PRIOR_SCALE**2 * error * np.tan(np.pi / 2 * QUANTILES) ** 2
    variance = spread + error
    log = -((u - 1) * np.log(variance) + (mean**2).sum() / variance) / 2
    odds = np.exp(log - log.max())
    share = spread / variance
    return rng.choice(share, (draws, 1), p=odds / odds.sum())
