"""What the posterior of (δ0, σ0, ν) says of the population of data sets."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, stdtr, stdtrit

from bcompare.methods.hierarchical.axes import (
    Axis,
    cdf_weights,
    density_weights,
    quantile_positions,
)
from bcompare.methods.hierarchical.model import INTERVAL_LEVELS, Density, Marginal
from bcompare.methods.hierarchical.posterior import Posterior
from bcompare.rope import FloatArray, RegionProbabilities, Rope
from bcompare.sufficient import read_only

# The reach of the rope has a kink in σ0: it is summed over a grid so many times finer.
REFINEMENT = 3

# Cells of (σ0, ν) with less mass than this do not change a probability.
NEGLIGIBLE = 1e-7

# ν of a normal distribution, for the Student's functions.
NORMAL_NU = 1e10

NEWTON_STEPS = 4

# Points of a plotted curve between two points of the grid.
CURVE_REFINEMENT = 4

# Probabilities that are not certain are kept this far from 0 and 1.
LEAST_PROBABILITY = 1e-16


def regions_of(below: FloatArray, up_to: FloatArray, rope: Rope) -> RegionProbabilities[FloatArray]:
    """The three regions' probabilities from P(below the rope) and P(not above it)."""
    least, most = LEAST_PROBABILITY, 1 - LEAST_PROBABILITY
    left = np.clip(below, least, most)
    right = 1 - left if rope.is_empty else np.clip(1 - up_to, least, np.maximum(1 - left, least))
    return RegionProbabilities(left=left, rope=np.maximum(1 - left - right, 0.0), right=right)


def most_probable(post: Posterior, rope: Rope) -> RegionProbabilities[FloatArray]:
    """Probability that each region is the next data set's most probable: Corani 2017, §3.1.

    For given (σ0, ν) that is the left one where δ0 lies further below the rope's centre than
    the rope reaches, the right one where it lies further above, and the rope between.
    """
    axis, delta0 = post.grid.sigma0, post.grid.delta0
    fine = axis.refined(REFINEMENT)
    blend = density_weights(np.arange(fine.count) / REFINEMENT, axis.count) / REFINEMENT
    # (σ0, ν, δ0); interpolation makes some cells slightly negative, and they count as well
    mass = np.tensordot(blend, post.mass, (1, 1)).transpose(0, 2, 1)
    used = np.abs(mass.sum(axis=2)) > NEGLIGIBLE
    nu = np.array([NORMAL_NU]) if post.grid.nu is None else 1 + post.grid.nu.value
    half_width = (rope.high - rope.low) / 2
    reach = rope_reach(half_width, fine.value, nu, used)
    centre = (rope.high + rope.low) / 2
    mass = mass[used]
    position = delta0.position(centre + np.stack([-reach, reach]))
    below, up_to = np.einsum("bcd,cd->b", cdf_weights(position, delta0.count), mass)
    return regions_of(below, up_to, rope)


def rope_reach(
    half_width: float, sigma0: FloatArray, nu: FloatArray, used: NDArray[np.bool_]
) -> FloatArray:
    """How far from the rope's centre δ0 may lie for the rope to be the most probable region.

    At that distance b left and rope are equally probable, 2 T((b - r)/σ0; ν) = T((b + r)/σ0; ν)
    with T the Student CDF and r half the rope's width. Where the rope has less than a third
    even at its centre it cannot win, and its reach is 0.

    sigma0 : (s,), nu : (v,), used : (s, v) for which cells to answer, in the scan's order.
    """
    at_sigma0, at_nu = np.nonzero(used)
    reach = np.zeros(at_nu.size)
    r = half_width / sigma0[at_sigma0]
    wins = r > stdtrit(nu, 2 / 3)[at_nu]
    r, nu_ = r[wins], nu[at_nu[wins]]
    height = np.exp(gammaln((nu + 1) / 2) - gammaln(nu / 2)) / np.sqrt(np.pi * nu)
    height, power = height[at_nu[wins]], -(nu_ + 1) / 2
    # the difference falls and is concave between 0 and r: Newton's method descends from r
    y = r
    for _ in range(NEWTON_STEPS):
        excess = stdtr(nu_, y + r) - 2 * stdtr(nu_, y - r)
        slope = (1 + (y + r) ** 2 / nu_) ** power - 2 * (1 + (y - r) ** 2 / nu_) ** power
        y = y - excess / (height * slope)
    reach[wins] = np.maximum(y, 0.0) * sigma0[at_sigma0[wins]]
    return reach


def marginal(axis: Axis, mass: FloatArray, offset: float, unit: float) -> Marginal:
    """Summaries of one parameter, offset + its value on the axis, from its masses there."""
    value = axis.value
    mean = float(mass @ value)
    sd = math.sqrt(float(mass @ (value - mean) ** 2))
    tails = [(1 + sign * level) / 2 for level in INTERVAL_LEVELS for sign in (-1, 1)]
    quantiles = axis.at(quantile_positions(mass, np.array([0.5, *tails])))
    quantiles = offset + unit * quantiles
    fine = axis.refined(CURVE_REFINEMENT)
    position = np.arange(fine.count) / CURVE_REFINEMENT
    slope = axis.step * np.exp(axis.chart.log_slope(fine.u))
    density = np.maximum(density_weights(position, axis.count) @ mass, 0.0) / slope
    cdf = np.clip(cdf_weights(position, axis.count) @ mass, 0.0, 1.0)
    return Marginal(
        mean=offset + unit * mean,
        sd=unit * sd,
        median=float(quantiles[0]),
        intervals={
            level: (float(low), float(high))
            for level, (low, high) in zip(
                INTERVAL_LEVELS, quantiles[1:].reshape(-1, 2), strict=True
            )
        },
        density=Density(
            grid=read_only(offset + unit * fine.value),
            density=read_only(density / unit),
            cdf=read_only(np.maximum.accumulate(cdf)),
        ),
    )
