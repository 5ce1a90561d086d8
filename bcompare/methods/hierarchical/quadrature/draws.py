"""Draws from the posterior of the population (δ0, σ0, ν), for pictures and for what may come.

They are drawn from the grid: its logs, interpolated to a finer one, and a little chance within the
finer one's steps. Given them the next data set's δ is Student, so that they determine θ_left,
θ_rope and θ_right.
"""

import math

import numpy as np
from scipy.special import stdtr

from bcompare.data.rope import FloatArray, Rope
from bcompare.methods.hierarchical.quadrature.answers import NORMAL_NU
from bcompare.methods.hierarchical.quadrature.axes import STENCIL, interpolation
from bcompare.methods.hierarchical.quadrature.posterior import Posterior

# Steps of the finer grid in one of the grid, at the most, and points that it may have.
FINER, MOST_POINTS = 4, 4_000_000
# What has less than this share of the greatest density is left out.
NEGLIGIBLE = 1e-8


def draw_parameters(
    post: Posterior, draws: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(draws,) each of δ0, σ0 in the posterior's unit and ν, infinite where δ is normal."""
    axes = post.whole.axes
    factor = FINER
    while factor > 1 and post.whole.points * factor ** len(axes) > MOST_POINTS:
        factor -= 1
    mass = post.mass if post.whole.nu is not None else post.mass.reshape(post.mass.shape[:2])
    for k in range(len(axes)):
        mass = _finer(mass, k, factor)
    mass[mass < NEGLIGIBLE * mass.max()] = 0
    cumulated = np.cumsum(mass.ravel())
    cells = np.searchsorted(cumulated, rng.random(draws) * cumulated[-1], side="right")
    drawn = []
    for axis, at in zip(axes, np.unravel_index(cells, mass.shape), strict=True):
        # Two even numbers in sum fall off as straight lines do between the points.
        within = rng.random(draws) + rng.random(draws) - 1
        drawn.append(axis.at((at + within) / factor))
    delta0, sigma0 = drawn[:2]
    nu = 1 + drawn[2] if len(drawn) > 2 else np.full(draws, math.inf)
    return delta0, sigma0, nu


def theta_of(delta0: FloatArray, sigma0: FloatArray, nu: FloatArray, rope: Rope) -> FloatArray:
    """(draws, 3) of θ_left, θ_rope, θ_right on the next data set (Corani 2017, §3.1)."""
    nu = np.minimum(nu, NORMAL_NU)
    left = stdtr(nu, (rope.low - delta0) / sigma0)
    right = stdtr(nu, (delta0 - rope.high) / sigma0)
    middle = np.maximum(1 - (left + right), 0.0)
    return np.stack([left, middle, right], axis=1)


def _finer(mass: FloatArray, k: int, factor: int) -> FloatArray:
    """Masses with more points along one axis, interpolated in logs, in which they are smooth."""
    logs = np.moveaxis(np.log(np.maximum(mass, NEGLIGIBLE**2 * mass.max())), k, 0)
    position = np.arange((len(logs) - 1) * factor + 1) / factor
    first, weights = interpolation(position, len(logs))
    points = logs[first + np.arange(STENCIL)[:, None]]
    return np.moveaxis(np.exp(np.einsum("sp,sp...->p...", weights, points)), 0, k)
