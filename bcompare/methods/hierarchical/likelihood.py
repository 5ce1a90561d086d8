"""The marginal likelihood of (δ0, σ0, ν): everything else is integrated out.

Given δ_i, data set i enters through its mean and sum of squares; with σ_i integrated out its
likelihood is a Student density in δ_i with n_i - 2 degrees of freedom, centred at x̄_i, with
scale τ_i² = SS_i/(n_i - 2)·(1/n_i + ρ_i/(1 - ρ_i)). It and the prior t(δ_i; δ0, σ0, ν) are both
mixtures of normals, so that m_i(δ0, σ0, ν) = ∫ L_i(δ) t(δ; δ0, σ0, ν) dδ is a weighted sum of
normal densities: over the likelihood's mixing variable κ for each scale s of the prior's
normals, then over s, which for all (σ0, ν) at once is one matrix product.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bcompare.methods.hierarchical.mixtures import (
    TIGHT_SHAPE,
    Rule,
    gamma_rule,
    gauss_gamma_rule,
    mixing_matrix,
)
from bcompare.methods.hierarchical.model import Bounds, NuPrior
from bcompare.rope import FloatArray

# Numbers in one block of work: it stays in the processor's cache.
BLOCK = 100_000

# The grid of s reaches this far below the least, and above the greatest, scale that matters.
S_BELOW, S_ABOVE = 50.0, 20.0

# Stands for a likelihood that is 0 in floating point, far from all posterior mass.
LEAST = 1e-300


@dataclass(frozen=True, eq=False, slots=True)
class Problem:
    """Distinct data sets, in a unit of their own.

    mean : (d,) x̄_i. scale : (d,) τ_i. shape : (d,) (n_i - 2)/2, inf for a normal likelihood.
    count : (d,) how many data sets are alike.
    sigma0_bound, delta0_bounds, nu_prior : the priors, as in ModelData.
    """

    mean: FloatArray
    scale: FloatArray
    shape: FloatArray
    count: FloatArray
    sigma0_bound: float
    delta0_bounds: Bounds | None
    nu_prior: NuPrior | None


@dataclass(frozen=True, slots=True)
class Resolution:
    """How finely the mixtures are resolved.

    s_step : of the grid of log s. mix_step : between nodes of log λ and log κ, at most.
    gauss_nodes : of the tight mixtures.
    """

    s_step: float
    mix_step: float
    gauss_nodes: int


@dataclass(frozen=True, eq=False, slots=True)
class Prior:
    """The normals that mix to the Students t(δ; 0, σ0, ν) of a grid.

    s : (k,) their scales. weights : (g, k) for the g grid points of (σ0, ν); None if the
    Students are those normals themselves, ν = ∞.
    """

    s: FloatArray
    weights: FloatArray | None


def prior_normals(
    problem: Problem, delta0: FloatArray, sigma0: FloatArray, nu: FloatArray | None, res: Resolution
) -> Prior:
    """The normals for the grid of (σ0, ν), reaching as far as the data and δ0 lie apart."""
    if nu is None:
        return Prior(sigma0, None)
    farthest = float(np.abs(problem.mean[:, None] - delta0[[0, -1]]).max())
    high = S_ABOVE * max(farthest, float(problem.scale.max()))
    low = max(float(problem.scale.min()) / S_BELOW, float(sigma0[0]) / 3)
    low = min(low, high / S_BELOW)
    log_s = np.arange(math.log(low), math.log(high) + res.s_step, res.s_step)
    weights = mixing_matrix(np.log(sigma0), nu, log_s, res.mix_step, res.gauss_nodes)
    return Prior(np.exp(log_s), weights)


def likelihoods(
    problem: Problem, delta0: FloatArray, prior: Prior, res: Resolution
) -> Iterator[tuple[slice, FloatArray]]:
    """m_i (rows, δ0, (σ0, ν)) of one block of data sets after another, each up to a factor."""
    for rows, rule in _blocks(problem, delta0, prior, res):
        square = (problem.mean[rows, None] - delta0) ** 2
        variance = prior.s**2 + problem.scale[rows, None, None] ** 2 / rule[0][:, None]
        if prior.weights is None:
            log_m = _log_normal_mixture(square, variance, rule[1])
            m = np.exp(log_m - log_m.max(axis=(1, 2), keepdims=True))
        else:
            normals = _normal_mixture(square, variance, rule[1])
            m = normals.reshape(-1, prior.s.size) @ prior.weights.T
        yield rows, np.maximum(m, LEAST, out=m).reshape(*square.shape, -1)


def _blocks(
    problem: Problem, delta0: FloatArray, prior: Prior, res: Resolution
) -> Iterator[tuple[slice, Rule]]:
    """Blocks of data sets with one n (the problem is sorted by it), and their rule for κ."""
    farthest = np.abs(problem.mean[:, None] - delta0[[0, -1]]).max(axis=1) / problem.scale
    edges = np.flatnonzero(np.diff(problem.shape)) + 1
    starts, stops = [0, *edges.tolist()], [*edges.tolist(), problem.shape.size]
    width = delta0.size * max(prior.s.size, 1)
    size = max(1, BLOCK // width)
    for start, stop in zip(starts, stops, strict=True):
        rule = _likelihood_rule(
            float(problem.shape[start]), float(farthest[start:stop].max()), prior, res
        )
        for first in range(start, stop, size):
            yield slice(first, min(first + size, stop)), rule


def _likelihood_rule(shape: float, farthest: float, prior: Prior, res: Resolution) -> Rule:
    """Nodes of κ for the Student likelihood (an infinite shape is a normal one).

    A prior of normals (ν = ∞) may leave the likelihood's far tail to matter, which a Gauss
    rule does not follow; the trapezoidal one does if it reaches down to that tail's κ.
    """
    if TIGHT_SHAPE <= shape < math.inf and prior.weights is not None:
        return gauss_gamma_rule(shape, res.gauss_nodes + math.ceil(60 / shape) - 2)
    reach = math.log1p(farthest**2 / (2 * shape)) + 8 / math.sqrt(shape)
    return gamma_rule(shape, res.mix_step * min(1.0, 2 / math.sqrt(shape)), reach + 4)


def _normal_mixture(square: FloatArray, variance: FloatArray, weight: FloatArray) -> FloatArray:
    """Σ_κ w_κ N(x̄; δ0, variance) without its 1/√2π: (rows, δ0, s)."""
    height = weight[:, None] / np.sqrt(variance)
    rate = -0.5 / variance
    total = np.zeros((*square.shape, variance.shape[-1]))
    term = np.empty_like(total)
    for k in range(weight.size):
        np.multiply(square[:, :, None], rate[:, None, k], out=term)
        np.exp(term, out=term)
        term *= height[:, None, k]
        total += term
    return total


def _log_normal_mixture(square: FloatArray, variance: FloatArray, weight: FloatArray) -> FloatArray:
    """The log of the same, however small it is."""
    height = weight[:, None] / np.sqrt(variance)
    rate = -0.5 / variance
    least = rate.max(axis=1)
    total = np.zeros((*square.shape, variance.shape[-1]))
    for k in range(weight.size):
        excess = rate[:, k] - least
        total += height[:, None, k] * np.exp(square[:, :, None] * excess[:, None])
    return np.log(total) + square[:, :, None] * least[:, None]
