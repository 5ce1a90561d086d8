"""The 21 populations of the data sets' true differences, each fitted to the data.

The papers' model says that the true differences δ_i of the data sets come from one Student
distribution. Real collections are often skewed, and where scores are noisier differences are often
larger, too. So here δ_i = h_i^γ u_i, where h_i is the noise of data set i over the median one, γ is
0, ½ or 1, and u comes from a two-piece Student with the scale σ0 k above its mode δ0 and σ0/k below
(Fernández & Steel 1998, JASA 93:359). k = 1 with γ = 0 is the papers' model. Each of the 3 × 7
populations has the same prior weight, and its posterior weight is in proportion to its evidence
(Hoeting, Madigan, Raftery & Volinsky 1999, Statistical Science 14:382).

Evidences compare, as δ0 and σ0 have the same flat prior in each, in units of the spread of the u,
and the densities of the u are turned into those of the differences by Π h_i^-γ.
"""

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from bcompare.data.rope import FloatArray
from bcompare.methods.hierarchical.canonical import Problem
from bcompare.methods.hierarchical.model import SIGMA0_REACH
from bcompare.methods.hierarchical.quadrature.posterior import GridPosterior
from bcompare.methods.hierarchical.quadrature.search import (
    USUAL,
    Fineness,
    Location,
    follow,
    locate,
)

# γ, and k on one side of 1 from there outwards; on the other side are their inverses.
SCALINGS = (0.0, 0.5, 1.0)
SKEWS = (0.8, 0.6, 0.4)
POPULATIONS = len(SCALINGS) * (2 * len(SKEWS) + 1)

# The least noise of a data set, over the median.
LEAST_NOISE = 0.05

# The noise of the next data set is represented by at most so many values.
NOISES = 6

# The mean and the mean square of half a Student distribution, roughly: to guess a window.
HALF_MEAN, HALF_SQUARE = 0.8, 1.0

THREADS = 2


@dataclass(frozen=True, eq=False, slots=True)
class FittedPopulation:
    """One of the populations, fitted.

    skew, scaling : k and γ.
    noise : (m,) values of h^γ, with their shares (m,).
    unit : of δ0 and σ0, in that of the canonical problem.
    post : their posterior, in that unit.
    jacobian : log of that of the u, over all data sets.
    location : the windows of `post`.
    """

    skew: float
    scaling: float
    noise: FloatArray
    share: FloatArray
    unit: float
    jacobian: float
    location: Location
    post: GridPosterior

    @property
    def log_evidence(self) -> float:
        """The log evidence, up to a constant that all populations share."""
        return self.post.log_evidence - self.jacobian


def populations(problem: Problem, level: int, fineness: Fineness = USUAL) -> list[FittedPopulation]:
    """Fit the populations on grids of a level, each from the windows of one next to it.

    Those without weight are left out. fineness : of the grids of level 0.
    """
    near = locate(problem, 0.0)[0]
    symmetric = []
    for scaling in SCALINGS:
        fitted = _symmetric(problem, scaling, near, level, fineness)
        symmetric.append(fitted)
        near = fitted.location
    best = max(population.log_evidence for population in symmetric)
    to_left = [1 / skew for skew in SKEWS]
    sides = [(start, side) for start in symmetric for side in (SKEWS, to_left)]
    with ThreadPoolExecutor(THREADS) as threads:  # arrays are most of the work
        skewed = threads.map(
            lambda start: _skewed(start[0], start[1], best, level, fineness), sides
        )
        every = [*symmetric, *(population for side in skewed for population in side)]
    least = max(population.log_evidence for population in every) - fineness.hopeless
    return [population for population in every if population.log_evidence > least]


def _symmetric(
    problem: Problem, scaling: float, near: Location, level: int, fineness: Fineness
) -> FittedPopulation:
    """Fit the population without skew, from windows close to its own."""
    scaled, noise, unit = _scaled(problem, scaling)
    count = problem.count
    jacobian = float(count @ np.log(noise)) + float(count.sum()) * math.log(unit)
    location, post = follow(scaled, near, level, fineness)
    return FittedPopulation(1.0, scaling, *condensed(noise, count), unit, jacobian, location, post)


def _skewed(
    start: FittedPopulation, skews: Sequence[float], best: float, level: int, fineness: Fineness
) -> list[FittedPopulation]:
    """Fit populations of increasing skew to one side, until they have no weight."""
    fitted = [start]
    for skew in skews:
        problem = replace(start.post.problem, skew=skew)
        near = _extrapolated(fitted, skew, fineness.margin)
        location, post = follow(problem, near, level, fineness)
        fitted.append(replace(start, skew=skew, location=location, post=post))
        best = max(best, fitted[-1].log_evidence)
        if fitted[-1].log_evidence < best - fineness.hopeless:
            break  # still more skew explains the data still less
    return fitted[1:]


def noise_of(problem: Problem) -> FloatArray:
    """Return (d,) h, the noise of each data set over the median one."""
    order = np.argsort(problem.scale)
    middle = np.searchsorted(np.cumsum(problem.count[order]), problem.count.sum() / 2)
    noise = np.maximum(problem.scale / problem.scale[order][middle], LEAST_NOISE)
    return np.asarray(noise, dtype=np.float64)


def _scaled(problem: Problem, scaling: float) -> tuple[Problem, FloatArray, float]:
    """Return the problem of the u in units of their spread, h^γ, and that unit."""
    noise = noise_of(problem) ** scaling
    scaled = problem.over(noise)
    centre = np.average(scaled.mean, weights=problem.count)
    squares = float(problem.count @ (scaled.mean - centre) ** 2)
    spread = math.sqrt(squares / (float(problem.count.sum()) - 1))
    unit = max(spread, float(np.average(scaled.scale, weights=problem.count)))
    return replace(scaled.over(unit), sigma0_bound=SIGMA0_REACH), noise, unit


def condensed(noise: FloatArray, count: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return at most `NOISES` values of the noise and their shares: means of equal parts."""
    if np.ptp(noise) == 0:
        return noise[:1], np.ones(1)
    order = np.argsort(noise)
    noise = noise[order]
    share = count[order] / count.sum()
    if noise.size <= NOISES:
        return noise, share
    groups = np.minimum((np.cumsum(share) - share / 2) * NOISES, NOISES - 1).astype(np.int64)
    of_part = np.bincount(groups, share, NOISES).astype(np.float64)
    used = of_part > 0
    logs = np.bincount(groups, share * np.log(noise), NOISES).astype(np.float64)
    return np.exp(logs[used] / of_part[used]), of_part[used]


def _extrapolated(fitted: Sequence[FittedPopulation], skew: float, margin: float) -> Location:
    """Return windows for the next skew: those of the last one, moved, and widened as before.

    They move so that mean and variance of the population stay about the same.

    margin : by how much they are made wider besides, in widths of the posterior.
    """
    last = fitted[-1].skew
    post = fitted[-1].post
    location = fitted[-1].location
    ratio = _spread(last) / _spread(skew)
    sigma0 = math.exp(float(post.mass.sum(axis=(0, 2)) @ np.log(post.whole.sigma0.value)))
    shift = HALF_MEAN * sigma0 * ((last - 1 / last) - ratio * (skew - 1 / skew))
    widened = []
    for window, old in zip(location, fitted[max(len(fitted) - 2, 0)].location, strict=True):
        more = margin * window.width
        low = window.low - max(old.low - window.low, 0.0) - more
        high = window.high + max(window.high - old.high, 0.0) + more
        widened.append(replace(window, low=low, high=high))
    delta0, log_sigma0, nu = widened
    moved = math.log(ratio)
    chart = replace(delta0.chart, centre=delta0.chart.centre + shift)
    log_sigma0 = replace(log_sigma0, low=log_sigma0.low + moved, high=log_sigma0.high + moved)
    return replace(delta0, chart=chart), log_sigma0, nu


def _spread(skew: float) -> float:
    """Return about the standard deviation of a two-piece distribution of scale 1."""
    return math.sqrt(HALF_SQUARE * (skew**2 - 1 + skew**-2) - (HALF_MEAN * (skew - 1 / skew)) ** 2)
