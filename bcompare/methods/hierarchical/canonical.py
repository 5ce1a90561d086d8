"""One form of the problem for all data that say the same.

Scores in another unit, data sets in another order and left and right swapped must not change
the answer, not in its last digit. So the engine only ever sees distinct data sets in a fixed
order, in a unit made from them, and of the two directions always the same one.
"""

from dataclasses import dataclass

import numpy as np

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import IntArray, SufficientStatistics
from bcompare.methods.hierarchical.model import (
    SIGMA0_REACH,
    Bounds,
    ModelData,
    NuPrior,
    default_sigma0_bound,
)


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


@dataclass(frozen=True, eq=False, slots=True)
class Canonical:
    """A problem in canonical form, and the way back.

    problem, rope : in `unit`, which is in the scores' unit.
    mirrored : whether left and right were swapped.
    place : (q,) where each data set is among the distinct ones of the problem.
    image : (d,) for each of these its mirror image among them, where the data equal their own
        mirror image; otherwise None.
    """

    problem: Problem
    rope: Rope
    unit: float
    mirrored: bool
    place: IntArray
    image: IntArray | None


def canonical(data: ModelData, rope: Rope, *, known_sigma: bool) -> Canonical:
    """Bring the data of a pair into canonical form.

    known_sigma : fix each σ_i at its maximum-likelihood value, σ̂_i² = SS_i/(n_i (1 - ρ_i))
        (CB 2015, appendix; Corani 2017, §7), instead of integrating over it.
    """
    rows, place, count = _distinct(data.statistics)
    image_rows, image_place, image_count = _distinct(data.statistics.mirrored())
    bounds, image_bounds = data.delta0_bounds, None
    if bounds is not None:
        image_bounds = (0.0 - bounds[1], 0.0 - bounds[0])
    image_rope = rope.mirrored()
    key = (rows.tolist(), count.tolist(), rope.low, rope.high, bounds)
    image_key = (
        image_rows.tolist(),
        image_count.tolist(),
        image_rope.low,
        image_rope.high,
        image_bounds,
    )
    mirrored = image_key < key
    image = None
    if image_key == key:
        image = np.empty(len(rows), dtype=np.int64)
        image[place] = image_place
    if mirrored:
        rows, place, count = image_rows, image_place, image_count
        rope, bounds = image_rope, image_bounds
    unit = default_sigma0_bound(data.statistics) / SIGMA0_REACH
    n, mean, ss, rho = rows.T
    factor = 1 / n + rho / (1 - rho)
    problem = Problem(
        mean=mean / unit,
        scale=np.sqrt(ss / (n if known_sigma else n - 2) * factor) / unit,
        shape=np.full(n.size, np.inf) if known_sigma else (n - 2) / 2,
        count=count.astype(np.float64),
        sigma0_bound=data.sigma0_bound / unit,
        delta0_bounds=None if bounds is None else (bounds[0] / unit, bounds[1] / unit),
        nu_prior=data.nu_prior,
    )
    return Canonical(
        problem=problem,
        rope=Rope(rope.low / unit, rope.high / unit),
        unit=unit,
        mirrored=mirrored,
        place=place,
        image=image,
    )


def _distinct(statistics: SufficientStatistics) -> tuple[FloatArray, IntArray, IntArray]:
    """Distinct (n, mean, ss, ρ), sorted; each data set's place among them; how many there are."""
    table = np.stack([statistics.n, statistics.mean, statistics.ss, statistics.rho], axis=1)
    rows, place, count = np.unique(table + 0.0, axis=0, return_inverse=True, return_counts=True)
    return rows, place.ravel(), count
