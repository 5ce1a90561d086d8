"""Doubt by the spread of both sides: Welch's test of whole runs (Biometrika 34, 1947)."""

import numpy as np
from scipy.special import stdtr

from bcompare.data.rope import FloatArray, Rope


def by_spread_of_both(
    base: FloatArray, own: FloatArray, rope: Rope, factors: tuple[float, float]
) -> tuple[float, float]:
    """Return the least p(worse), and the most p(better), that the candidate's own runs allow.

    They raise doubt, and so neither says more than ½. By Welch's test of (m,) runs of the baseline
    and (k,) of the candidate, each the larger of all samples in which some of the candidate's runs
    are worse: one that is much better than the others raises their spread, and must not cost it
    the verdict that it would have without.

    Where no run differs from another of its side, runs say nothing, and leave no doubt.

    rope : between their means; factors : of the baseline at its borders.
    """
    if not (np.ptp(base) or np.ptp(own)):
        return 0.0, 1.0
    own = np.sort(own)
    steps = np.linspace(0, 1, 9)
    caps = np.unique(own[:-1, None] + np.diff(own)[:, None] * steps)
    lowered = np.minimum(own, caps[:, None])
    parts = lowered.var(axis=1, ddof=1) / len(own)
    above = []
    for border, factor in zip(rope.borders, factors, strict=True):
        part = factor**2 * base.var(ddof=1) / len(base)
        with np.errstate(divide="ignore", invalid="ignore"):
            dof = (parts + part) ** 2 / (parts**2 / (len(own) - 1) + part**2 / (len(base) - 1))
            t = (lowered.mean(axis=1) - factor * base.mean() - border) / np.sqrt(parts + part)
        above.append(float(np.nanmax(stdtr(dof, t), initial=0.5)))
    return 1 - above[0], above[1]
