"""The posterior of (δ0, σ0, ν) on a grid."""

import math
from dataclasses import dataclass, replace

import numpy as np

from bcompare.methods.hierarchical.axes import Axis
from bcompare.methods.hierarchical.likelihood import (
    Prior,
    Problem,
    Resolution,
    likelihoods,
    prior_normals,
)
from bcompare.methods.hierarchical.model import NuPrior
from bcompare.methods.hierarchical.prior_nu import log_prior_density
from bcompare.rope import FloatArray

# The grid of u = log(ν - 1) never goes higher: beyond it ν is as good as infinite.
NU_HIGH = 8.0

# How far below their grids σ0 and ν are continued: in e-folds of the density, and in points.
TAIL_FOLDS, TAIL_POINTS = 9.0, 60


@dataclass(frozen=True, slots=True)
class Grid:
    """The grid of (δ0, σ0, ν); without ν where it is infinite."""

    delta0: Axis
    sigma0: Axis
    nu: Axis | None

    @property
    def points(self) -> int:
        """How many grid points there are."""
        return self.delta0.count * self.sigma0.count * (1 if self.nu is None else self.nu.count)


@dataclass(frozen=True, eq=False, slots=True)
class Posterior:
    """The posterior on a grid.

    grid : its axes; the lowest points of σ0 and ν were not evaluated but continued.
    continued : how many, of σ0 and of ν.
    log_density : (δ0, σ0, ν) over the grid's u, up to a constant, of the evaluated points.
    mass : (δ0, σ0, ν) posterior probability of all points; they sum to 1.
    prior : the normals behind the Students of the evaluated points of (σ0, ν).
    """

    problem: Problem
    resolution: Resolution
    grid: Grid
    continued: tuple[int, int]
    log_density: FloatArray
    mass: FloatArray
    prior: Prior


def posterior(problem: Problem, grid: Grid, resolution: Resolution) -> Posterior:
    """Evaluate the posterior on a grid."""
    delta0, sigma0 = grid.delta0.value, grid.sigma0.value
    nu = None if grid.nu is None else 1 + grid.nu.value
    prior = prior_normals(problem, delta0, sigma0, nu, resolution)
    total = np.zeros((delta0.size, sigma0.size * (1 if nu is None else nu.size)))
    for rows, m in likelihoods(problem, delta0, prior, resolution):
        total += np.tensordot(problem.count[rows], np.log(m, out=m), 1)
    log_density = total.reshape(delta0.size, sigma0.size, -1)
    log_density += grid.delta0.chart.log_slope(grid.delta0.u)[:, None, None]
    log_density += grid.sigma0.chart.log_slope(grid.sigma0.u)[:, None]
    if grid.nu is not None and problem.nu_prior is not None:
        log_density += _log_nu_prior(problem.nu_prior, grid.nu)
    log_density -= log_density.max()
    mass, longer_sigma0 = _continued(np.exp(log_density), grid.sigma0, 1)
    longer_nu = grid.nu
    if longer_nu is not None:
        mass, longer_nu = _continued(mass, longer_nu, 2)
    return Posterior(
        problem=problem,
        resolution=resolution,
        grid=Grid(grid.delta0, longer_sigma0, longer_nu),
        continued=(
            mass.shape[1] - log_density.shape[1],
            mass.shape[2] - log_density.shape[2],
        ),
        log_density=log_density,
        mass=mass / mass.sum(),
        prior=prior,
    )


def _continued(density: FloatArray, axis: Axis, k: int) -> tuple[FloatArray, Axis]:
    """Continue a density below the grid, along its k-th dimension.

    Where σ0 or ν - 1 are small the likelihood no longer depends on them, and the density over
    their logarithm falls like a geometric series; its ratio is that at the end of the grid.
    """
    sums = density.sum(axis=tuple(j for j in range(3) if j != k))
    if sums[0] <= 0 or sums[1] <= sums[0]:
        return density, axis
    fall = math.log(sums[1] / sums[0])
    count = min(math.ceil(TAIL_FOLDS / fall), TAIL_POINTS)
    factor = np.exp(-fall * np.arange(count, 0, -1))
    factor[0] /= -math.expm1(-fall)  # and all that is left
    first = density.take([0], axis=k)
    tail = first * factor.reshape([-1 if j == k else 1 for j in range(3)])
    longer = replace(axis, start=axis.start - count * axis.step, count=axis.count + count)
    return np.concatenate([tail, density], axis=k), longer


def _log_nu_prior(prior: NuPrior, axis: Axis) -> FloatArray:
    """Log prior density over u = log ν′; the last point of the whole range holds all above."""
    above = math.ceil(10 / axis.step) if axis.stop > NU_HIGH - 0.01 else 0
    u = axis.start + axis.step * np.arange(axis.count + above)
    log_prior = log_prior_density(prior, np.exp(u)) + u
    inside = log_prior[: axis.count].copy()
    inside[-1] = np.logaddexp.reduce(log_prior[axis.count - 1 :])
    return inside
