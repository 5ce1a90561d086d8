"""A canonical form of the problem, and the way back.

Another unit of the scores, another order of the data sets, or left and right swapped must not
change the answer, not even in its last digit. So the engines only see distinct data sets in a fixed
order, in a unit derived from them, and always in the same of the two directions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from bcompare.data.rope import FloatArray, IntArray, RegionProbabilities, Rope, read_only
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.model import (
    SIGMA0_REACH,
    Bounds,
    ModelData,
    NuPrior,
    default_sigma0_bound,
    ml_sigma,
)
from bcompare.methods.hierarchical.result import (
    INTERVAL_LEVELS,
    Density,
    HierarchicalDatasets,
    HierarchicalResult,
    Marginal,
)
from bcompare.methods.paired_binary import FEW_BINARY_ITEMS, discordant
from bcompare.methods.result_parts import part_of, restored, swapped


@dataclass(frozen=True, eq=False, slots=True)
class Problem:
    """Distinct data sets, in their own unit.

    mean : (d,) x̄_i.
    scale : (d,) τ_i.
    shape : (d,) (n_i - 2)/2, inf for a normal likelihood.
    count : (d,) the number of equal data sets.
    normals : (items, 3, k) means, standard deviations and weights of the normals whose mixtures are
        the likelihoods of the last data sets, 0/1 items with a shape of 0; the mean and the
        standard deviation of the mixture are the mean and the scale of such a data set.
    sigma0_bound, delta0_bounds, nu_prior : the priors, as in ModelData.
    skew : k of a two-piece Student, with σ0 k as its scale above δ0 and σ0/k below; 1 for the
        Student itself.
    """

    mean: FloatArray
    scale: FloatArray
    shape: FloatArray
    count: FloatArray
    sigma0_bound: float
    delta0_bounds: Bounds | None
    nu_prior: NuPrior | None
    normals: FloatArray
    skew: float = 1.0

    def items(self, rows: slice) -> FloatArray | None:
        """Return the normals of a block of data sets of one n; None for Student likelihoods."""
        first = self.shape.size - len(self.normals)
        return self.normals[rows.start - first : rows.stop - first] if rows.start >= first else None

    def over(self, unit: FloatArray | float) -> "Problem":
        """Return the problem with the data in another unit, which may be one for each data set."""
        units = np.broadcast_to(unit, self.mean.shape)[self.shape.size - len(self.normals) :]
        normals = self.normals.copy()
        normals[:, :2] /= units[:, None, None]
        return replace(self, mean=self.mean / unit, scale=self.scale / unit, normals=normals)

    @property
    def of_one_n(self) -> list[slice]:
        """The data sets with the same number of scores; they are sorted by it."""
        edges = np.flatnonzero(self.shape[1:] != self.shape[:-1]) + 1
        return [slice(*ends) for ends in pairwise([0, *edges.tolist(), self.shape.size])]


class Canonical:
    """A problem in canonical form, and the way back.

    data : the original.
    problem, rope : in units of `unit`, which is in the scores' unit.
    lean : -1 if left and right were swapped, 0 if the data equal their mirror image.
    place : (q,) position of each data set among the distinct ones of the problem.
    image : (q,) position of a mirror image of each data set if lean is 0; else None.
    """

    def __init__(self, data: ModelData, rope: Rope) -> None:
        bounds = data.delta0_bounds
        image_bounds = None if bounds is None else (0.0 - bounds[1], 0.0 - bounds[0])
        both = data.statistics, data.given
        given = *_distinct(*both), rope, bounds
        mirrored = (statistics.mirrored() for statistics in both)
        other = *_distinct(*mirrored), rope.mirrored(), image_bounds
        key, other_key = (
            (rows.tolist(), count.tolist(), rope.low, rope.high, bounds)
            for rows, _, count, rope, bounds in (given, other)
        )
        self.data = data
        self.lean = (key < other_key) - (other_key < key)
        rows, self.place, count, rope, bounds = other if self.lean < 0 else given
        self.image: IntArray | None = None
        if self.lean == 0:
            distinct = np.empty(len(rows), dtype=np.int64)
            distinct[self.place] = other[1]
            self.image = np.unique(self.place, return_index=True)[1][distinct[self.place]]
        self.unit = unit = default_sigma0_bound(data.statistics) / SIGMA0_REACH
        is_item, n, mean, ss, rho = rows.T
        # a known σ_i is σ̂_i² = SS_i/(n_i (1 - ρ_i)) (CB 2015, appendix; Corani 2017, §7)
        folds = np.flatnonzero(is_item == 0).size  # items are the last
        n = n[:folds]
        mean = mean[:folds]
        ss = ss[:folds]
        rho = rho[:folds]
        factor = 1 / n + rho / (1 - rho)
        scale = np.sqrt(ss / (n if data.known_sigma else n - 2) * factor)
        shape = np.full(n.size, np.inf) if data.known_sigma else (n - 2) / 2
        normal_counts = np.empty((0, 3, 1))
        if folds < len(rows):
            from bcompare.methods.hierarchical.items import normals, share_of

            counts = rows[folds:, 1:4]
            normal_counts = normals(counts, share_of(np.repeat(counts, count[folds:], axis=0)))
            m, sd, weight = np.moveaxis(normal_counts, 1, 0)
            centre = (weight * m).sum(axis=1)
            spread = np.sqrt((weight * (sd**2 + (m - centre[:, None]) ** 2)).sum(axis=1))
            mean = np.append(mean, centre)
            scale = np.append(scale, spread)
            shape = np.append(shape, np.zeros(len(normal_counts)))
        if bounds is not None:
            bounds = (bounds[0] / unit, bounds[1] / unit)
        problem = Problem(
            mean=mean,
            scale=scale,
            shape=shape,
            count=count.astype(np.float64),
            sigma0_bound=data.sigma0_bound / unit,
            delta0_bounds=bounds,
            nu_prior=data.nu_prior,
            normals=normal_counts,
        )
        self.problem = problem.over(unit)
        self.rope = Rope(rope.low / unit, rope.high / unit)

    def datasets(
        self,
        place: IntArray,
        *,
        probabilities: Sequence[FloatArray],
        delta_mean: FloatArray,
        delta_sd: FloatArray,
        quantiles: FloatArray,
        sigma_mean: FloatArray,
        sigma_interval: FloatArray,
        shrinkage: FloatArray,
        error: float = 0.0,
    ) -> HierarchicalDatasets:
        """Return the answers for the data sets in their original order, sides and unit.

        place : (q,) position of each data set in the other arrays, see `HierarchicalDatasets`.
        probabilities : of left, rope and right. quantiles : (…, 6) of δ_i at `TAILS`.
        sigma_mean, sigma_interval : over the maximum-likelihood value.
        """
        unit = self.unit
        statistics = self.data.statistics
        sigma = ml_sigma(statistics)
        mean = statistics.mean
        regions = [read_only(p[place]) for p in probabilities]
        intervals = {}
        for k, level in enumerate(INTERVAL_LEVELS):
            ends = quantiles[place, 2 * k : 2 * k + 2]
            intervals[level] = read_only(unit * ends)
        datasets = HierarchicalDatasets(
            probabilities=RegionProbabilities(*regions),
            mean_difference=read_only(0.0 - mean if self.lean < 0 else mean.copy()),
            delta_mean=read_only(unit * delta_mean[place]),
            delta_sd=read_only(unit * delta_sd[place]),
            delta_intervals=intervals,
            sigma_mean=read_only(sigma * sigma_mean[place]),
            sigma_interval=read_only(sigma[:, None] * sigma_interval[place]),
            sigma_ml=read_only(sigma),
            shrinkage=read_only(shrinkage[place]),
            error=error,
        )

        return restored(datasets, self.lean, self._mirrored)

    def _mirrored(self, datasets: HierarchicalDatasets) -> HierarchicalDatasets:
        """Return the answers for the data sets with the two classifiers swapped."""
        intervals = {}
        for level, ends in datasets.delta_intervals.items():
            intervals[level] = read_only(0.0 - ends[:, ::-1])
        image = replace(
            datasets,
            probabilities=swapped(datasets.probabilities),
            mean_difference=read_only(0.0 - datasets.mean_difference),
            delta_mean=read_only(0.0 - datasets.delta_mean),
            delta_intervals=intervals,
        )
        return image if self.image is None else part_of(image, self.image)

    def restored(
        self, result: HierarchicalResult, datasets: HierarchicalDatasets
    ) -> HierarchicalResult:
        """Return the result for the two classifiers in their original order.

        datasets : in that order already; they replace those of the result.
        """
        answer = restored(result, self.lean, mirrored)
        if not self.lean:
            delta0 = replace(answer.delta0, density=result.delta0.density)
            answer = replace(answer, delta0=delta0, next_delta=result.next_delta)
        return replace(answer, datasets=datasets)


def _distinct(
    statistics: SufficientStatistics, given: SufficientStatistics
) -> tuple[FloatArray, IntArray, IntArray]:
    """Return distinct (0, n, mean, ss, ρ), sorted; the position of each data set; the counts.

    Of 0/1 items with few discordant ones it is (1, left, neither, right, 0): the numbers of items.
    """
    q = len(statistics)
    s = statistics
    table = np.stack([np.zeros(q), s.n, s.mean, s.ss, s.rho], axis=1)
    items = FEW_BINARY_ITEMS.applies(given)
    if items.any():
        left, right = discordant(given)
        counts = np.stack([np.ones(q), left, s.n - left - right, right, np.zeros(q)], axis=1)
        table = np.where(items[:, None], counts, table)
    rows, place, count = np.unique(table + 0.0, axis=0, return_inverse=True, return_counts=True)
    return rows, place.ravel(), count


def mirrored(result: HierarchicalResult) -> HierarchicalResult:
    """Return the result for the two classifiers swapped, except for the data sets."""
    delta0 = result.delta0
    return replace(
        result,
        probabilities=swapped(result.probabilities),
        next_dataset=swapped(result.next_dataset),
        delta0=Marginal(
            mean=0.0 - delta0.mean,
            sd=delta0.sd,
            median=0.0 - delta0.median,
            intervals={
                level: (0.0 - high, 0.0 - low) for level, (low, high) in delta0.intervals.items()
            },
            density=_mirrored_density(delta0.density),
        ),
        theta_mean=swapped(result.theta_mean),
        delta0_regions=swapped(result.delta0_regions),
        p_delta0_positive=1 - result.p_delta0_positive,
        next_delta=_mirrored_density(result.next_delta),
    )


def _mirrored_density(density: Density) -> Density:
    grid = 0.0 - density.grid
    height = density.density
    cdf = 1 - density.cdf
    return Density(*(np.ascontiguousarray(values[::-1]) for values in (grid, height, cdf)))
