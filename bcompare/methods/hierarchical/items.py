"""The likelihood of δ_i from 0/1 test items, as a mixture of normals.

An item is left's alone, both's or neither's, or right's alone, with the probabilities (s - δ)/2,
1 - s and (s + δ)/2. The discordance s ≥ |δ| is integrated out:

    L(δ) = ∫ ((s - δ)/2)^left (1 - s)^neither ((s + δ)/2)^right π(s | s ≥ |δ|) ds

Its prior π is a beta distribution around the share of discordant items in all data sets, and counts
like `STRENGTH` items: with the uniform one of a single data set, (1, 2, 1), many small data sets
together would draw δ0 towards 0.

The mixture is fitted by expectation and maximisation of the weights (Richardson 1972, JOSA 62:55;
Lucy 1974, AJ 79:745), which leaves them positive.
"""

import numpy as np
from scipy.special import betainc

from bcompare.data.rope import FloatArray

STRENGTH = 10.0
# The least share of discordant items in it; with less the likelihood of ties has too sharp a peak.
LEAST_SHARE = 0.1
# Points of s, and of δ for each normal; the normals; and steps of the fit.
NODES, POINTS, NORMALS, STEPS = 120, 5, 32, 300
# The likelihood is left out this many e-folds below its greatest value.
DEPTH = 14.0
# The spacing of normals, in standard deviations of the likelihood, where it is the least; their
# width over the spacing; their greatest width in those standard deviations.
CORE, WIDTH, WIDEST = 0.7, 0.8, 0.6
# The logarithm of a likelihood of 0.
NEVER = -1e6
# Data sets computed together.
BLOCK = 50


def log_likelihood(counts: FloatArray, share: float, delta: FloatArray) -> FloatArray:
    """Return (d, points) log L, up to a constant for each data set.

    counts : (d, 3) of items that are left's alone, both's or neither's, right's alone. share : of
    discordant items in all data sets. delta : (d, points) from -1 to 1.
    """
    left = counts[:, 0, None, None]
    neither = counts[:, 1, None, None]
    right = counts[:, 2, None, None]
    a = STRENGTH * share
    b = STRENGTH * (1 - share)
    size = np.abs(delta)[:, :, None]
    apart = left + right
    longest = (apart + 12 * np.sqrt(apart + 1) + 30) / (neither + 1)
    node, weight = np.polynomial.legendre.leggauss(NODES)
    y = (node + 1) / 2
    reach = np.minimum(1 - size, longest)
    beyond = np.maximum(reach * y**3, 1e-300)  # close to s = |δ| are the most points
    s = size + beyond
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(left > 0, left * np.log((s - delta[:, :, None]) / 2), 0.0)
        logs += np.where(right > 0, right * np.log((s + delta[:, :, None]) / 2), 0.0)
        logs += (neither + b - 1) * np.log1p(-s) + (a - 1) * np.log(s)
        logs += np.log(weight * y**2) + np.log(reach)
        top = logs.max(axis=2, keepdims=True)
        integral = np.log(np.exp(logs - np.where(np.isfinite(top), top, 0)).sum(axis=2))
        logs = integral + top[:, :, 0] - np.log(betainc(b, a, 1 - size[:, :, 0]))
    return np.asarray(np.nan_to_num(logs, nan=NEVER, neginf=NEVER))


def share_of(counts: FloatArray) -> float:
    """Return the share of discordant items in the (q, 3) counts of all data sets."""
    return max(LEAST_SHARE, float((counts[:, [0, 2]].sum() + 2) / (counts.sum() + 4)))


def normals(counts: FloatArray, share: float) -> FloatArray:
    """Return (d, 3, `NORMALS`) means, standard deviations and weights of the mixtures for L."""
    parts = [
        _fitted(counts[start : start + BLOCK], share) for start in range(0, len(counts), BLOCK)
    ]
    return np.concatenate(parts)


def _fitted(counts: FloatArray, share: float) -> FloatArray:
    """Return the mixtures of some data sets."""
    centre, sd, low, high = _window(counts, share)
    # even in arcsinh of the distance from the centre
    core = CORE * NORMALS / 8 * sd
    ends = np.arcsinh((low - centre) / core), np.arcsinh((high - centre) / core)
    k = (np.arange(NORMALS) + 0.5) / NORMALS
    u = ends[0] + (ends[1] - ends[0]) * k
    mean = centre + core * np.sinh(u)
    spacing = core * np.cosh(u) * (ends[1] - ends[0]) / NORMALS
    width = np.minimum(WIDTH * spacing, WIDEST * sd)
    fine = ends[0] + (ends[1] - ends[0]) * (np.arange(POINTS * NORMALS) + 0.5) / (POINTS * NORMALS)
    delta = centre + core * np.sinh(fine)
    logs = log_likelihood(counts, share, delta)
    f = np.exp(logs - logs.max(axis=1, keepdims=True)) * np.cosh(fine)
    f /= f.sum(axis=1, keepdims=True)
    z = (delta[:, :, None] - mean[:, None]) / width[:, None]
    kernel = np.exp(-0.5 * z**2) / width[:, None] * np.cosh(fine)[:, :, None]
    kernel /= kernel.sum(axis=1, keepdims=True)
    weight = np.full_like(mean, 1 / NORMALS)
    for _ in range(STEPS):
        mixed = np.einsum("dpk,dk->dp", kernel, weight)
        weight *= np.einsum("dpk,dp->dk", kernel, f / np.maximum(mixed, 1e-300))
    return np.stack([mean, width, weight / weight.sum(axis=1, keepdims=True)], axis=1)


def _window(
    counts: FloatArray, share: float
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the mode, the standard deviation and the ends of the likelihoods, (d, 1) each."""
    left, _, right = counts.T
    n = counts.sum(axis=1)
    centre = (right - left) / n
    apart = left + right
    reach = (8 * np.sqrt(apart + 1) + 20) / n
    low = np.maximum(centre - reach, -1.0)
    high = np.minimum(centre + reach, 1.0)
    for _ in range(2):
        delta = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, 161)
        logs = log_likelihood(counts, share, delta)
        logs -= logs.max(axis=1, keepdims=True)
        kept = logs > -DEPTH
        first = np.maximum(kept.argmax(axis=1) - 1, 0)
        last = np.minimum(160 - kept[:, ::-1].argmax(axis=1) + 1, 160)
        row = np.arange(len(n))
        low = delta[row, first]
        high = delta[row, last]
    mass = np.exp(logs)
    mass /= mass.sum(axis=1, keepdims=True)
    mean = (mass * delta).sum(axis=1)
    sd = np.sqrt((mass * (delta - mean[:, None]) ** 2).sum(axis=1))
    mode = delta[row, logs.argmax(axis=1)]
    return mode[:, None], sd[:, None], low[:, None], high[:, None]
