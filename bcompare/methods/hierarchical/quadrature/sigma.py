"""The posterior of each data set's σ_i, from that of its δ_i.

Given δ_i, the prior of σ_i being flat, 1/σ_i² ~ Gamma((n_i - 1)/2, A_i/2) with
A_i = SS_i/(1 - ρ_i) + n_i (x̄_i - δ_i)²/(1 + (n_i - 1) ρ_i). That is n_i σ̂_i², with the
maximum-likelihood value σ̂_i, times 1 + (x̄_i - δ_i)²/((n_i - 2) τ_i²): all is known up to σ̂_i.
"""

import math

import numpy as np
from scipy.special import gammaincc, gammainccinv, ndtri

from bcompare.data.rope import FloatArray
from bcompare.methods.hierarchical.model import SHOWN_LEVEL

# Points of the table of one Gamma distribution, and the mass left out at its ends.
POINTS, TAIL = 1000, 1e-12

# Newton's method on the normal scale, where distribution functions are nearly straight; a step as
# short as the last number doubles the digits once more.
STEPS, LONGEST, CLOSE = 8, 1.5, 1e-5
LEAST = 1e-12


def sigma_posteriors(
    square: FloatArray, mass: FloatArray, shape: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Mean (d,) and 95 % interval (d, 2) of σ_i, over its maximum-likelihood value.

    square : (d, points) of ((x̄_i - δ_i)/τ_i)², and their masses, which sum to 1.
    shape : (d,) (n_i - 2)/2; infinite where σ_i is known.
    """
    mean, interval = np.ones(shape.size), np.ones((shape.size, 2))
    for value in np.unique(shape[np.isfinite(shape)]).tolist():
        rows = np.flatnonzero(shape == value)
        growth = np.log1p(square[rows] / (2 * value))
        half_n = value + 1
        factor = math.exp(math.lgamma(value) - math.lgamma(value + 0.5)) * math.sqrt(half_n)
        mean[rows] = factor * (mass[rows] * np.exp(growth / 2)).sum(axis=1)
        table = _Gamma(value + 0.5)
        for k, level in enumerate(((1 - SHOWN_LEVEL) / 2, (1 + SHOWN_LEVEL) / 2)):
            log_variance = _quantile(table, growth, mass[rows], level)
            interval[rows, k] = np.sqrt(half_n * np.exp(log_variance))
    return mean, interval


class _Gamma:
    """P(X > e^z) for X ~ Gamma(shape): its values, and slopes downwards, in a table over z."""

    def __init__(self, shape: float) -> None:
        ends = np.log(np.maximum(gammainccinv(shape, [1 - TAIL, TAIL]), 1e-300))
        self.shape = shape
        self.z = np.linspace(ends[0], ends[1], POINTS)
        self.above = gammaincc(shape, np.exp(self.z))
        log_slope = shape * self.z - np.exp(self.z) - math.lgamma(shape)
        self.slope = np.exp(log_slope)

    def exceeded(self, level: float) -> float:
        """The z above which X lies with that probability."""
        return float(np.log(gammainccinv(self.shape, level)))


def _quantile(table: _Gamma, growth: FloatArray, mass: FloatArray, level: float) -> FloatArray:
    """The log variance at a quantile, over n/2: r where E[P(X > exp(growth - r))] = level.

    growth : (d, points), with their masses.
    """
    r: FloatArray = (mass * growth).sum(axis=1) - table.exceeded(level)
    for _ in range(STEPS):
        z = growth - r[:, None]
        reached = (mass * np.interp(z, table.z, table.above)).sum(axis=1)
        slope = (mass * np.interp(z, table.z, table.slope, 0.0, 0.0)).sum(axis=1)
        normal = ndtri(np.clip(reached, LEAST, 1 - LEAST))
        height = np.exp(-0.5 * normal**2) / math.sqrt(2 * math.pi)
        step = (normal - ndtri(level)) * height / np.maximum(slope, LEAST)
        r = r - np.clip(step, -LONGEST, LONGEST)
        if np.abs(step).max() < CLOSE:
            break
    return r
