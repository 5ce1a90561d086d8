"""A result seen from the other side: left and right swapped."""

from dataclasses import replace

import numpy as np

from bcompare.data.rope import FloatArray, RegionProbabilities, Value
from bcompare.data.sufficient import IntArray, read_only
from bcompare.methods.hierarchical.model import (
    Bounds,
    Density,
    HierarchicalDatasets,
    HierarchicalResult,
    Marginal,
)


def mirrored(result: HierarchicalResult) -> HierarchicalResult:
    """The result for the two classifiers in the other order."""
    datasets = result.datasets
    return replace(
        result,
        probabilities=_swapped(result.probabilities),
        next_dataset=_swapped(result.next_dataset),
        datasets=HierarchicalDatasets(
            probabilities=_swapped(datasets.probabilities),
            mean_difference=read_only(0.0 - datasets.mean_difference),
            delta_mean=read_only(0.0 - datasets.delta_mean),
            delta_sd=datasets.delta_sd,
            delta_intervals={
                level: read_only(0.0 - interval[:, ::-1])
                for level, interval in datasets.delta_intervals.items()
            },
            sigma_mean=datasets.sigma_mean,
            sigma_interval=datasets.sigma_interval,
            sigma_ml=datasets.sigma_ml,
            shrinkage=datasets.shrinkage,
        ),
        delta0=Marginal(
            mean=0.0 - result.delta0.mean,
            sd=result.delta0.sd,
            median=0.0 - result.delta0.median,
            intervals={
                level: (0.0 - high, 0.0 - low)
                for level, (low, high) in result.delta0.intervals.items()
            },
            density=_reversed(result.delta0.density),
        ),
        theta_mean=_swapped(result.theta_mean),
        delta0_regions=_swapped(result.delta0_regions),
        p_delta0_positive=1 - result.p_delta0_positive,
        next_delta=_reversed(result.next_delta),
    )


def balanced(result: HierarchicalResult, image: IntArray) -> HierarchicalResult:
    """The result for data that are their own mirror image, made as symmetric as they are.

    image : (q,) for each data set one that is its mirror image.
    """
    other = mirrored(result)
    mine, theirs = result.datasets, other.datasets
    return replace(
        result,
        probabilities=_mean_regions(result.probabilities, other.probabilities),
        next_dataset=_mean_regions(result.next_dataset, other.next_dataset),
        datasets=HierarchicalDatasets(
            probabilities=_mean_regions(
                mine.probabilities,
                RegionProbabilities(
                    left=theirs.probabilities.left[image],
                    rope=theirs.probabilities.rope[image],
                    right=theirs.probabilities.right[image],
                ),
            ),
            mean_difference=mine.mean_difference,
            delta_mean=read_only((mine.delta_mean + theirs.delta_mean[image]) / 2),
            delta_sd=read_only((mine.delta_sd + theirs.delta_sd[image]) / 2),
            delta_intervals={
                level: read_only((interval + theirs.delta_intervals[level][image]) / 2)
                for level, interval in mine.delta_intervals.items()
            },
            sigma_mean=read_only((mine.sigma_mean + theirs.sigma_mean[image]) / 2),
            sigma_interval=read_only((mine.sigma_interval + theirs.sigma_interval[image]) / 2),
            sigma_ml=mine.sigma_ml,
            shrinkage=read_only((mine.shrinkage + theirs.shrinkage[image]) / 2),
        ),
        delta0=replace(
            result.delta0,
            mean=0.0,
            median=0.0,
            intervals={
                level: _mean_bounds(bounds, other.delta0.intervals[level])
                for level, bounds in result.delta0.intervals.items()
            },
        ),
        theta_mean=_mean_regions(result.theta_mean, other.theta_mean),
        delta0_regions=_mean_regions(result.delta0_regions, other.delta0_regions),
        p_delta0_positive=0.5,
    )


def _swapped(regions: RegionProbabilities[Value]) -> RegionProbabilities[Value]:
    return RegionProbabilities(left=regions.right, rope=regions.rope, right=regions.left)


def _mean_regions(
    one: RegionProbabilities[Value], other: RegionProbabilities[Value]
) -> RegionProbabilities[Value]:
    return RegionProbabilities(
        left=(one.left + other.left) / 2,
        rope=(one.rope + other.rope) / 2,
        right=(one.right + other.right) / 2,
    )


def _mean_bounds(one: Bounds, other: Bounds) -> Bounds:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _reversed(density: Density) -> Density:
    def turned(values: FloatArray) -> FloatArray:
        return read_only(np.ascontiguousarray(values[::-1]))

    return Density(
        grid=turned(0.0 - density.grid),
        density=turned(density.density),
        cdf=turned(1 - density.cdf),
    )
