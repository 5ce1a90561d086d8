"""The posterior of the hierarchical model by deterministic integration, with its error.

The posterior of (δ0, σ0, ν) is a smooth function of three variables: it is located, summed on
grids of rising resolution until the three probabilities agree, and read off.
"""

import math

import numpy as np

from bcompare.errors import ComputationError
from bcompare.methods.base import ErrorEstimate
from bcompare.methods.hierarchical.canonical import Canonical, Problem, canonical
from bcompare.methods.hierarchical.mirror import balanced, mirrored
from bcompare.methods.hierarchical.model import (
    Density,
    HierarchicalDatasets,
    HierarchicalResult,
    ModelData,
    ml_sigma,
)
from bcompare.methods.hierarchical.quadrature.answers import marginal, most_probable, regions_of
from bcompare.methods.hierarchical.quadrature.axes import cdf_weights
from bcompare.methods.hierarchical.quadrature.datasets import DatasetPosteriors, dataset_posteriors
from bcompare.methods.hierarchical.quadrature.population import Population, population
from bcompare.methods.hierarchical.quadrature.posterior import Posterior, posterior
from bcompare.methods.hierarchical.quadrature.search import locate, resolution
from bcompare.methods.wilcoxon import wilcoxon
from bcompare.rope import FloatArray, RegionProbabilities, Rope
from bcompare.sufficient import read_only

# Where to give up: at this level of refinement, or before a grid of so many points.
MOST_LEVELS = 9
MOST_POINTS = 4_000_000


def integrate(
    data: ModelData, rope: Rope, *, tol: float, known_sigma: bool = False
) -> HierarchicalResult:
    """The hierarchical test of one pair by quadrature.

    Parameters
    ----------
    data : checked statistics, and priors.
    rope : in the scores' unit.
    tol : how much the three probabilities may differ between the last two grids.
    known_sigma : empirical Bayes: each σ_i fixed at its maximum-likelihood value.

    Raises
    ------
    ComputationError : if the probabilities do not settle within `tol`.
    """
    form = canonical(data, rope, known_sigma=known_sigma)
    post, probabilities, error = _settled(form.problem, form.rope, tol)
    people = population(post)
    found = dataset_posteriors(post, people, form.rope)
    result = _result(data, form, post, probabilities, people, found, error)
    if form.mirrored:
        result = mirrored(result)
    if form.image is not None:
        first = np.unique(form.place, return_index=True)[1]
        result = balanced(result, first[form.image[form.place]])
    return result


def next_dataset(
    data: ModelData, rope: Rope, *, tol: float, known_sigma: bool = False
) -> RegionProbabilities[float]:
    """The probabilities of `integrate` alone."""
    form = canonical(data, rope, known_sigma=known_sigma)
    found = _floats(_settled(form.problem, form.rope, tol)[1])
    left, right = (found.right, found.left) if form.mirrored else (found.left, found.right)
    if form.image is not None:
        left = right = (left + right) / 2
    return RegionProbabilities(left=left, rope=found.rope, right=right)


def _settled(
    problem: Problem, rope: Rope, tol: float
) -> tuple[Posterior, RegionProbabilities[FloatArray], float]:
    """Refine until the probabilities agree: the posterior, they, and how far they agree."""
    location, coarsest = locate(problem)
    found = most_probable(coarsest, rope)
    change = math.inf
    for level in range(1, MOST_LEVELS):
        grid = location.grid(level)
        if grid.points > MOST_POINTS:
            break
        post = posterior(problem, grid, resolution(level), coarsest)
        previous, found = found, most_probable(post, rope)
        change = max(
            abs(float(found.left - previous.left)),
            abs(float(found.rope - previous.rope)),
            abs(float(found.right - previous.right)),
        )
        if change <= tol:
            return post, found, change
    raise ComputationError(
        "the probabilities of the hierarchical test did not settle: on its last two grids they "
        f"differ by {change:.1e}, and {tol:g} is allowed; allow more with --tol, or sample the "
        "posterior with --engine stan"
    )


def _result(
    data: ModelData,
    form: Canonical,
    post: Posterior,
    probabilities: RegionProbabilities[FloatArray],
    people: Population,
    found: DatasetPosteriors,
    error: float,
) -> HierarchicalResult:
    """The answers in the scores' unit, in the direction of the canonical form."""
    unit, place, grid = form.unit, form.place, post.whole
    delta0_mass = post.mass.sum(axis=(1, 2))
    borders = np.array([form.rope.low, form.rope.high, 0.0])
    below, up_to, negative = np.clip(
        cdf_weights(grid.delta0.position(borders), grid.delta0.count) @ delta0_mass, 0.0, 1.0
    )
    mean_difference = data.statistics.mean
    sigma = ml_sigma(data.statistics)
    return HierarchicalResult(
        probabilities=_floats(probabilities),
        error=ErrorEstimate("numerical", error),
        nhst=wilcoxon(mean_difference),
        notes=data.notes,
        datasets=HierarchicalDatasets(
            probabilities=RegionProbabilities(
                left=read_only(found.probabilities.left[place]),
                rope=read_only(found.probabilities.rope[place]),
                right=read_only(found.probabilities.right[place]),
            ),
            mean_difference=read_only(
                0.0 - mean_difference if form.mirrored else mean_difference.copy()
            ),
            delta_mean=read_only(unit * found.mean[place]),
            delta_sd=read_only(unit * found.sd[place]),
            delta_intervals={
                level: read_only(unit * interval[place])
                for level, interval in found.intervals.items()
            },
            sigma_mean=read_only(sigma * found.sigma_mean[place]),
            sigma_interval=read_only(sigma[:, None] * found.sigma_interval[place]),
            sigma_ml=read_only(sigma),
            shrinkage=read_only(found.shrinkage[place]),
        ),
        delta0=marginal(grid.delta0, delta0_mass, 0.0, unit),
        sigma0=marginal(grid.sigma0, post.mass.sum(axis=(0, 2)), 0.0, unit),
        nu=None if grid.nu is None else marginal(grid.nu, post.mass.sum(axis=(0, 1)), 1.0, 1.0),
        theta_mean=_floats(people.regions(form.rope)),
        delta0_regions=_floats(regions_of(below, up_to, form.rope)),
        p_delta0_positive=1 - float(negative),
        next_delta=Density(
            grid=read_only(unit * people.axis.value),
            density=read_only(people.density / unit),
            cdf=read_only(people.cdf_on_axis()),
        ),
    )


def _floats(regions: RegionProbabilities[FloatArray]) -> RegionProbabilities[float]:
    return RegionProbabilities(
        left=float(regions.left), rope=float(regions.rope), right=float(regions.right)
    )
