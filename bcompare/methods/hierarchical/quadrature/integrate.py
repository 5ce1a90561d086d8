"""The posterior of the hierarchical model by deterministic integration, with its error.

The posterior of (δ0, σ0, ν) is a smooth function of three variables: it is located, summed on grids
of increasing resolution until all probabilities agree, and read off.
"""

import math
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np

from bcompare.basis.messages import PairError, arg
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.methods.hierarchical.canonical import Canonical
from bcompare.methods.hierarchical.model import ModelData
from bcompare.methods.hierarchical.quadrature.answers import Answers, marginal
from bcompare.methods.hierarchical.quadrature.population import draw_parameters
from bcompare.methods.hierarchical.quadrature.posterior import GridPosterior
from bcompare.methods.hierarchical.quadrature.search import (
    MOST_POINTS,
    grid_of,
    locate,
    resolution,
    too_sharp,
)
from bcompare.methods.hierarchical.result import (
    NO_DATASETS,
    DeferredDatasets,
    Density,
    HierarchicalDatasets,
    HierarchicalResult,
)
from bcompare.methods.result_parts import ErrorEstimate, restored, swapped
from bcompare.methods.wilcoxon import wilcoxon

# The last level of refinement.
MOST_LEVELS = 12
# By this number of levels the mixtures are finer for data sets that do not settle, such as one of
# ten thousand that is far from all others: it needs no finer grid of the population.
FINER = 2

# The tolerance for the depths of `search.py`; smaller ones need longer tails.
USUAL_TOLERANCE = 5e-4

# The mass left out by all grids at the depths of `search.py`: about e^-11 of the highest density at
# each end of δ0 and at the upper end of σ0.
FLOOR = 5e-5

# The probabilities of `Answers` that must agree.
Watched = Literal["deciding", "of_pair", "of_datasets"]


def integrate(data: ModelData, rope: Rope, tol: float, *, keep: bool = True) -> HierarchicalResult:
    """The hierarchical test of one pair by quadrature.

    Answers on data sets are computed on demand, on grids that may be finer, so that the answers on
    the pair do not depend on them.

    Parameters
    ----------
    data : checked statistics, and priors.
    rope : in the scores' unit.
    tol : the largest error of any probability, including those of the data sets.
    keep : keep the pair's grids for the data sets; else, with many pairs, they are made again.

    Raises
    ------
    PairError : if the probabilities do not settle within `tol`.
    """
    grids = _Grids(data, rope, tol)
    result = grids.result()
    again = partial(_datasets, data, rope, tol)
    return grids.form.restored(result, DeferredDatasets(grids.datasets if keep else again, again))


def _datasets(data: ModelData, rope: Rope, tol: float) -> HierarchicalDatasets:
    """Return the answers on the data sets of a pair whose grids were not kept."""
    grids = _Grids(data, rope, tol)
    grids.settled("of_pair")
    return grids.datasets()


def next_dataset(data: ModelData, rope: Rope, tol: float) -> RegionProbabilities[float]:
    """Return only the probabilities of `integrate`."""
    grids = _Grids(data, rope, tol)
    answers, _ = grids.settled("deciding")
    return restored(floats(answers.probabilities), grids.form.lean, swapped)


def population_draws(
    data: ModelData, rope: Rope, tol: float, count: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Draw δ0, σ0 and ν from their joint posterior, (count,) each."""
    grids = _Grids(data, rope, tol)
    answers, _ = grids.settled("deciding")
    delta0, sigma0, nu = draw_parameters(answers.post, count, rng)
    unit = grids.form.unit
    lean = grids.form.lean
    if lean == 0:  # the data equal their mirror image, so every second draw is mirrored
        delta0[::2] *= -1
    return (-unit if lean < 0 else unit) * delta0, unit * sigma0, nu


class _Grids:
    """The posterior of a pair on grids of increasing resolution; the last two are kept."""

    def __init__(self, data: ModelData, rope: Rope, tol: float) -> None:
        self.data = data
        self.tol = tol
        self.form = Canonical(data, rope)
        self.depth = max(0.0, math.log(USUAL_TOLERANCE / tol))
        self.location, self.coarsest = locate(self.form.problem, self.depth)
        self.known = {(0, 0): Answers(self.coarsest, self.form.rope)}
        # without ν a finer grid is cheap
        self.level = 2 if data.nu_prior is None else 1

    def on_level(self, level: int, finer: int = 0) -> Answers:
        """Return the answers on a grid, and with the mixtures of one that is finer by so much."""
        if (level, finer) not in self.known:
            grid = grid_of(self.location, level)
            cells = self.coarsest.cells_that_matter(grid)
            s_step = resolution(level + finer, self.depth).s_step
            mixtures = replace(resolution(level, self.depth), s_step=s_step)
            post = GridPosterior(self.form.problem, grid, mixtures, cells)
            kept = (level - 1, finer)
            self.known = {k: answers for k, answers in self.known.items() if k == kept}
            self.known[level, finer] = Answers(post, self.form.rope)
        return self.known[level, finer]

    def settled(self, watched: Watched, *, must: bool = True) -> tuple[Answers, float]:
        """Refine, from the current level, until the watched probabilities agree.

        must : raise an error if they do not; else the stated error shows it.

        Returns the answers and a bound of their error: the distance from the answers on the coarser
        grid before, which is much larger than the true error, and the mass outside all grids.

        Raises
        ------
        PairError : they do not agree.
        """
        error = math.inf
        steps = [(level, 0) for level in range(self.level, MOST_LEVELS)]
        if watched == "of_datasets":
            steps[1:] = [(level, FINER) for level, _ in steps]
        for level, finer in steps:
            if grid_of(self.location, level).points > MOST_POINTS:
                break
            before = self.on_level(level - 1, finer)
            answers = self.on_level(level, finer)
            self.level = level
            left_out = answers.post.left_out() + FLOOR * math.exp(-self.depth)
            error = _apart("deciding", answers, before) + left_out
            if error <= self.tol:
                error = _apart(watched, answers, before) + left_out
            if error <= self.tol:
                return answers, error
        if math.isinf(error):
            raise too_sharp()
        if not must:
            return answers, _apart(watched, answers, before) + left_out
        raise PairError(
            "the probabilities of the hierarchical test did not settle: on its last two grids they "
            f"differ by {error:.1e}, and {self.tol:g} is allowed; allow more with "
            f"{arg('tol')}, or sample the posterior with {arg('engine', 'stan')}"
        )

    def result(self) -> HierarchicalResult:
        """Return the answers on the pair in the scores' unit, in the canonical direction."""
        answers, error = self.settled("of_pair")
        unit = self.form.unit
        post = answers.post
        people = answers.people
        grid = post.whole
        probabilities = floats(answers.probabilities)

        # the marginals in the unit of the scores, where they have one
        sigma0_mass = post.mass.sum(axis=(0, 2))
        nu = None
        if grid.nu is not None:
            nu = marginal(grid.nu, post.mass.sum(axis=(0, 1)), 1.0, 1.0)
        value = unit * people.axis.value
        next_delta = Density(value, people.density / unit, people.cdf_on_axis())
        return HierarchicalResult(
            probabilities=probabilities,
            next_dataset=probabilities,
            error=ErrorEstimate("numerical", error),
            nhst=wilcoxon(self.data.statistics.mean),
            notes=self.data.notes,
            datasets=NO_DATASETS,
            delta0=marginal(grid.delta0, answers.delta0_mass, 0.0, unit),
            sigma0=marginal(grid.sigma0, sigma0_mass, 0.0, unit),
            nu=nu,
            theta_mean=floats(people.regions(self.form.rope)),
            delta0_regions=floats(answers.delta0_regions),
            p_delta0_positive=answers.positive,
            next_delta=next_delta,
        )

    def datasets(self) -> HierarchicalDatasets:
        """Return the answers on the data sets, on the pair's grid or a finer one."""
        from bcompare.methods.hierarchical.quadrature.datasets import dataset_quantiles

        answers, error = self.settled("of_datasets", must=False)
        datasets = answers.datasets
        quantiles, sigma_mean, sigma_interval = dataset_quantiles(answers.post, answers.people)
        return self.form.datasets(
            self.form.place,
            probabilities=tuple(datasets.probabilities),
            delta_mean=datasets.mean,
            delta_sd=datasets.sd,
            quantiles=quantiles,
            sigma_mean=sigma_mean,
            sigma_interval=sigma_interval,
            shrinkage=datasets.shrinkage,
            error=error,
        )


def _apart(watched: Watched, one: Answers, other: Answers) -> float:
    return float(np.abs(getattr(one, watched) - getattr(other, watched)).max())


def floats(regions: RegionProbabilities[FloatArray]) -> RegionProbabilities[float]:
    """Return three numbers."""
    return RegionProbabilities(*map(float, regions))
