"""Frequentist tests of the ranks of several classifiers, and what their mean ranks must differ by.

Sources: Demšar 2006 (JMLR 7), "Demšar", §3.2; Iman & Davenport 1980; Skillings & Mack 1981;
Nemenyi 1963.
"""

import math

import numpy as np
from scipy.special import chdtrc, fdtrc, ndtr

from bcompare.data.rope import FloatArray
from bcompare.methods.base import Nhst
from bcompare.methods.midranks import TIE_SLACK
from bcompare.methods.roots import crossing


def skillings_mack_test(ranks: FloatArray) -> Nhst:
    """Skillings and Mack's test that all classifiers rank equally (1981, Technometrics 23).

    ranks : (q, c) ranks of the classifiers that a data set has, at least two; NaN for the others.

    With A_k = Σ_i √(12/(m_i + 1)) (r_ik - (m_i + 1)/2) over the data sets that k has, of which
    each has m_i classifiers, the statistic is A' Σ⁻ A: under the null hypothesis the A_k have mean
    0, covariance minus the number of shared data sets, and sum to 0.
    """
    has = ~np.isnan(ranks)
    m = has.sum(axis=1, keepdims=True)
    deviation = np.where(has, ranks - (m + 1) / 2, 0.0)
    adjusted = (np.sqrt(12 / (m + 1)) * deviation).sum(axis=0)
    shared = has.astype(np.float64).T @ has
    covariance = -shared
    np.fill_diagonal(covariance, shared.sum(axis=1) - np.diag(shared))
    values, vectors = np.linalg.eigh(covariance)
    # One direction is lost to the sum, and one more to each group that shares no data set.
    kept = values > 1e-9 * values.max()
    statistic = float((((vectors.T @ adjusted)[kept]) ** 2 / values[kept]).sum())
    return Nhst("skillings-mack", statistic, float(chdtrc(int(kept.sum()), statistic)))


def friedman_test(ranks: FloatArray) -> Nhst:
    """Friedman's test that all classifiers rank equally (Demšar §3.2.1), not corrected for ties.

    ranks : (q, c) ranks of the c classifiers on each data set.
    """
    q, c = ranks.shape
    spread = float(((ranks.mean(axis=0) - (c + 1) / 2) ** 2).sum())
    statistic = 12 * q / (c * (c + 1)) * spread
    return Nhst("friedman", statistic, float(chdtrc(c - 1, statistic)))


def critical_difference(n_classifiers: int, n_datasets: int, alpha: float) -> float:
    """Nemenyi's critical difference of mean ranks (Demšar §3.2.2)."""
    c = n_classifiers
    return _studentized_range(1 - alpha, c) * math.sqrt(c * (c + 1) / (12 * n_datasets))


def tie_corrected_test(friedman: Nhst, ranks: FloatArray) -> Nhst:
    """Divide Friedman's statistic by the variance of the ranks relative to ranks without ties."""
    c = ranks.shape[1]
    variance = float(((ranks - (c + 1) / 2) ** 2).mean())
    statistic = friedman.statistic * (c * c - 1) / 12 / variance if variance else 0.0
    return Nhst("friedman-tie-corrected", statistic, float(chdtrc(c - 1, statistic)))


def iman_davenport_test(friedman: Nhst, q: int, c: int) -> Nhst:
    """Iman & Davenport's F = (q - 1)χ² / (q(c - 1) - χ²), from Friedman's χ² (Demšar §3.2.1).

    q, c : data sets and classifiers. Infinite, with p = 0, where all data sets agree on the ranks
    and none has ties.
    """
    rest = q * (c - 1) - friedman.statistic
    # Rounding must not decide whether they all agree.
    if rest <= TIE_SLACK * q * (c - 1):
        return Nhst("iman-davenport", math.inf, 0.0)
    statistic = (q - 1) * friedman.statistic / rest
    return Nhst("iman-davenport", statistic, float(fdtrc(c - 1, (c - 1) * (q - 1), statistic)))


def _studentized_range(probability: float, c: int) -> float:
    """Quantile of the range of c standard normal variables."""
    ends = np.array([0.0]), np.array([50.0])
    return float(crossing(lambda width: _range_cdf(width, c) - probability, *ends)[0])


def _range_cdf(width: FloatArray, c: int) -> FloatArray:
    """(k,) P(range ≤ width) = c ∫ φ(z) (Φ(z) - Φ(z - width))^(c - 1) dz, z the largest of the c.

    The trapezoidal rule converges exponentially on this integrand.
    """
    z = np.linspace(-9, 9, 361)
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    below = (ndtr(z) - ndtr(z - width[:, None])) ** (c - 1) @ density
    return np.asarray(c * (z[1] - z[0]) * below)
