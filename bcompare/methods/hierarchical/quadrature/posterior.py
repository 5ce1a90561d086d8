"""The posterior of (δ0, σ0, ν) on a grid, and the prior of ν in it.

The likelihood of thousands of data sets is condensed to a few hundred nodes. Of a data set with a
given number of scores the engine knows x̄_i and τ_i alone, and the log of its m_i is a smooth
function of the two. So the sum of these logs over the data sets is, by interpolation on a grid of
(x̄, log τ), a sum over the points of the grid, with weights. How much that is off shows between two
levels of refinement, which have grids of their own.
"""

import math
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np
from scipy.special import gammainc, gammaincc, gammaln

from bcompare.data.rope import BoolArray, FloatArray, IntArray, RegionProbabilities, Rope
from bcompare.methods.hierarchical.canonical import Problem
from bcompare.methods.hierarchical.model import Bounds, NuPrior
from bcompare.methods.hierarchical.quadrature.axes import STENCIL, Axis, interpolation
from bcompare.methods.hierarchical.quadrature.likelihood import (
    Resolution,
    log_likelihood,
    prior_normals,
)

# Cells of (σ0, ν) do not matter if their density is this many e-folds below the highest.
DEPTH = 14.0

# How far below their grids σ0 and ν are continued: in e-folds of the density, and in points.
TAIL_FOLDS, TAIL_POINTS = 9.0, 60

# Gauss-Legendre nodes over α: at least, and times √α, as the integrand is about so wide.
NODES, PER_ROOT = 16, 6.0

# β is taken as known where its bounds are this close to each other.
CLOSE = 1e-4

# A density that hardly falls at the end of its grid is taken to fall like this from point to point.
MOST_RATIO = 0.95

# Nodes pay if the data sets are at least this many times as many.
WORTHWHILE = 3

# The grid of x̄ is even within this many τ of the median, or within the spread of the means where
# that is more; logarithmic beyond.
LINEAR = 3.0

# mean, scale, shape and count of data sets or nodes; see Problem.
Table = tuple[FloatArray, FloatArray, FloatArray, FloatArray]


# No region is impossible under the model, whatever rounding makes of its probability.
LEAST_PROBABILITY = 1e-16


@dataclass(frozen=True, slots=True)
class QuadratureGrid:
    """The grid of (δ0, σ0, ν); without ν where it is infinite."""

    delta0: Axis
    sigma0: Axis
    nu: Axis | None = None

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The two or three axes."""
        return (self.delta0, self.sigma0) + (() if self.nu is None else (self.nu,))

    @property
    def points(self) -> int:
        """How many grid points there are."""
        return math.prod(axis.count for axis in self.axes)


class GridPosterior:
    """The posterior on a grid.

    grid : where it was evaluated.
    cells : (σ0, ν) at which of its points for some δ0; elsewhere it is negligible.
    log_density : (δ0, σ0, ν) over the grid's u, relative to its greatest value.
    marginals : m_i (data sets, δ0, cells), unless they take much memory or were not needed.
    prior : normals behind the Students of those cells, to read answers off; see `thinned`.
    whole : the grid with the points of σ0 and ν that continue it to smaller values.
    mass : (δ0, σ0, ν) posterior probability of the points of `whole`; they sum to 1.
    log_evidence : log of the integral of likelihood and prior, up to a constant that all problems
        of the same data sets share; δ0 and σ0 have the density 1 in their prior.
    """

    def __init__(
        self,
        problem: Problem,
        grid: QuadratureGrid,
        resolution: Resolution,
        cells: BoolArray | None = None,
    ) -> None:
        self.problem, self.grid, self.resolution = problem, grid, resolution
        delta0 = grid.delta0.value
        sigma0 = grid.sigma0.value
        nu = None if grid.nu is None else 1 + grid.nu.value
        everywhere = np.ones((sigma0.size, 1 if nu is None else nu.size), dtype=np.bool_)
        self.cells = everywhere if cells is None else cells
        prior = prior_normals(problem, delta0, sigma0, nu, self.cells, resolution)
        self.prior = prior.thinned()
        nodes = condensed(problem, resolution.node_step)
        log_density = np.full((delta0.size, *self.cells.shape), -np.inf)
        log_density[:, self.cells], marginals = log_likelihood(nodes, delta0, prior, resolution)
        self.marginals = marginals if nodes is problem else None
        log_density += grid.delta0.chart.log_slope(grid.delta0.u)[:, None, None]
        log_density += grid.sigma0.chart.log_slope(grid.sigma0.u)[:, None]
        if grid.nu is not None and problem.nu_prior is not None:
            log_density += log_prior_density(problem.nu_prior, grid.nu.value) + grid.nu.u
        highest = float(log_density.max())
        self.log_density = log_density - highest
        folds = TAIL_FOLDS + resolution.depth
        mass, whole_sigma0 = _continued(np.exp(self.log_density), grid.sigma0, 1, folds)
        whole_nu = grid.nu
        if whole_nu is not None:
            mass, whole_nu = _continued(mass, whole_nu, 2, folds)
        self.whole = QuadratureGrid(grid.delta0, whole_sigma0, whole_nu)
        total = float(mass.sum())
        self.mass = mass / total
        steps = sum(math.log(axis.step) for axis in grid.axes)
        self.log_evidence = highest + math.log(total) + steps

    def cells_that_matter(self, grid: QuadratureGrid) -> BoolArray:
        """(σ0, ν) points of a finer grid near which this one has mass."""
        profile = self.log_density.max(axis=0)
        for k, axis in enumerate(grid.axes[1:]):
            coarse = self.grid.axes[k + 1].u
            lines = np.moveaxis(profile, k, -1)
            profile = np.stack([np.interp(axis.u, coarse, line) for line in lines], axis=1 - k)
        return np.asarray(profile > -DEPTH - self.resolution.depth)

    def left_out(self) -> float:
        """About how much mass lies beyond the grid, where its axes end and are not continued.

        There the density is taken to fall on as it does at the end.
        """
        total = 0.0
        for k in range(self.mass.ndim):
            marginal = self.mass.sum(axis=tuple(j for j in range(3) if j != k))
            for end in (marginal[::-1], marginal) if k == 0 else (marginal[::-1],):
                if end.size > 1 and end[0] > 0:
                    ratio = min(float(end[0] / max(end[1], end[0])), MOST_RATIO)
                    total += float(end[0]) * ratio / (1 - ratio)
        return total

    def cell_mass(self) -> FloatArray:
        """(δ0, cells) masses, those of continued points put on the nearest that was evaluated."""
        continued, mass = self.parts()
        mass = mass.copy()
        mass[:, 0] += continued.sum(axis=1)
        return mass[:, self.cells]

    def parts(self) -> tuple[FloatArray, FloatArray]:
        """Masses (δ0, σ0, ν) at the points of σ0 that continue the grid, and at the grid's own.

        Those of continued points of ν are put on the nearest that was evaluated.
        """
        nu = self.mass.shape[2] - self.log_density.shape[2]
        mass = self.mass[:, :, nu:].copy()
        mass[:, :, 0] += self.mass[:, :, :nu].sum(axis=2)
        sigma0 = self.whole.sigma0.count - self.grid.sigma0.count
        return mass[:, :sigma0], mass[:, sigma0:]


def regions_of(below: FloatArray, up_to: FloatArray, rope: Rope) -> RegionProbabilities[FloatArray]:
    """The three regions' probabilities from P(below the rope) and P(not above it)."""
    left = np.maximum(below, LEAST_PROBABILITY)
    right = np.maximum(1 - up_to, LEAST_PROBABILITY)
    middle = np.maximum(up_to - below, 0.0 if rope.is_empty else LEAST_PROBABILITY)
    total = left + right + middle
    return RegionProbabilities(left=left / total, rope=middle / total, right=right / total)


def _continued(density: FloatArray, axis: Axis, k: int, folds: float) -> tuple[FloatArray, Axis]:
    """Continue a density below the grid, along its k-th dimension, for some e-folds.

    Where σ0 or ν - 1 are small the likelihood no longer depends on them, and the density over
    their logarithm falls like a geometric series; its ratio is that at the end of the grid.
    """
    sums = density.sum(axis=tuple(j for j in range(3) if j != k))
    if sums[0] <= 0 or sums[1] <= sums[0]:
        return density, axis
    fall = math.log(sums[1] / sums[0])
    count = min(math.ceil(folds / fall), TAIL_POINTS)
    factor = np.exp(-fall * np.arange(count, 0, -1))
    if count == TAIL_POINTS:
        factor[0] /= -math.expm1(-fall)  # all that is left
    first = density.take([0], axis=k)
    tail = first * factor.reshape([-1 if j == k else 1 for j in range(3)])
    longer = replace(axis, start=axis.start - count * axis.step, count=axis.count + count)
    return np.concatenate([tail, density], axis=k), longer


def log_prior_density(prior: NuPrior, excess: FloatArray) -> FloatArray:
    """Log density of ν′ = ν - 1 at `excess` > 0: the mean of Gamma(ν′; α, β) over α and β.

    Over β, which is uniform between b₁ and b₂, in closed form: with P the regularised incomplete
    gamma function,

        ∫ x^(α-1) e^(-βx) β^α / Γ(α) dβ = α/x² (P(α + 1, b₂ x) - P(α + 1, b₁ x)).
    """
    alpha, weight = _uniform_rule(prior.alpha_bounds)
    x = excess[..., None]
    low, high = prior.beta_bounds
    if high - low <= CLOSE * high:
        beta = (low + high) / 2
        logs = alpha * np.log(beta) - gammaln(alpha) + (alpha - 1) * np.log(x) - beta * x
    else:
        # beyond the median the difference of what is above loses fewer digits
        below = gammainc(alpha + 1, high * x) - gammainc(alpha + 1, low * x)
        above = gammaincc(alpha + 1, low * x) - gammaincc(alpha + 1, high * x)
        mass = np.where(low * x < alpha, below, above)
        logs = np.log(np.maximum(mass, np.finfo(float).tiny) * alpha / (high - low))
        logs = logs - 2 * np.log(x)
    logs = logs + np.log(weight)
    greatest = logs.max(axis=-1, keepdims=True)
    return np.asarray(np.log(np.exp(logs - greatest).sum(axis=-1)) + greatest[..., 0])


@cache
def _uniform_rule(bounds: Bounds) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of the mean over unif(bounds); one node where both bounds are equal."""
    low, high = bounds
    if low == high:
        return np.array([low]), np.array([1.0])
    nodes = max(NODES, math.ceil(PER_ROOT * math.sqrt(high)))
    node, weight = np.polynomial.legendre.leggauss(nodes)
    return (low + high) / 2 + (high - low) / 2 * node, weight / 2


@lru_cache(maxsize=2)  # while a problem is solved, it is asked for at two steps
def condensed(problem: Problem, step: float) -> Problem:
    """The problem with nodes for its data sets, whose counts may be negative; or as it is.

    step : of the grid, in log τ, and along x̄ in τ.
    """
    if problem.mean.size < WORTHWHILE * STENCIL**2:
        return problem
    parts = []
    for rows in problem.of_one_n:
        part = (problem.mean[rows], problem.scale[rows], problem.shape[rows], problem.count[rows])
        if problem.items(rows) is None:
            part = _of_one_n(problem, rows, step)
        parts.append(part)
    mean, scale, shape, count = (np.concatenate(column) for column in zip(*parts, strict=True))
    if WORTHWHILE * mean.size > problem.mean.size:
        return problem
    return replace(problem, mean=mean, scale=scale, shape=shape, count=count)


def _of_one_n(problem: Problem, rows: slice, step: float) -> Table:
    """Nodes for the data sets of one n."""
    mean = problem.mean[rows]
    scale = problem.scale[rows]
    count = problem.count[rows]
    centre = float(np.median(mean))
    spread = float(np.median(np.abs(mean - centre)))

    def axis(line: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The τ of a line, and width and step of its grid of x̄ = centre + width·sinh."""
        tau = np.exp(step * line)
        width = np.maximum(LINEAR * tau, spread)
        return tau, width, step * tau / width

    line, of_line = _around(np.log(scale) / step)
    places = []
    counts = []
    for j in range(STENCIL):
        _, width, spacing = axis(line + j)
        point, of_point = _around(np.arcsinh((mean - centre) / width) / spacing)
        for k in range(STENCIL):
            places.append(np.stack([line + j, point + k]))
            counts.append(count * of_line[j] * of_point[k])
    lines, points = np.concatenate(places, axis=1)
    lowest = points.min()
    many = np.ptp(points) + 1
    keys, place = np.unique(lines * many + points - lowest, return_inverse=True)  # sorts fast
    line = keys // many
    point = keys % many + lowest
    tau, width, spacing = axis(line)
    total = np.bincount(place, np.concatenate(counts), tau.size).astype(np.float64)
    of_all = np.full(tau.size, problem.shape[rows.start])
    return centre + width * np.sinh(spacing * point), tau, of_all, total


def _around(position: FloatArray) -> tuple[IntArray, FloatArray]:
    """The first of the whole numbers around each position (d,), and their weights (points, d)."""
    first = np.floor(position).astype(np.int64) - (STENCIL // 2 - 1)
    return first, interpolation(position - first, STENCIL)[1]
