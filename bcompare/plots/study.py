"""Which picture shows a set of comparisons best."""

from typing import TYPE_CHECKING

import numpy as np

from bcompare.comparison import Comparison, ComparisonSet
from bcompare.errors import InputError
from bcompare.methods.base import Interval, PopulationResult
from bcompare.methods.correlated_t import CorrelatedTDatasets
from bcompare.plots.density import Curve, Summary
from bcompare.plots.forest import Estimates, draw_forest
from bcompare.plots.look import Pair
from bcompare.plots.posterior import draw_posterior
from bcompare.plots.regions import draw_regions
from bcompare.rope import RegionProbabilities

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_study(study: ComparisonSet) -> "Figure":
    """Picture of the comparisons.

    One pair: its posterior, or its data sets. Several pairs: their probabilities.

    Raises
    ------
    InputError : several pairs on several data sets each, of a test that has no answer over
        data sets.
    ComputationError : matplotlib is not installed.
    """
    if len(study.comparisons) == 1:
        return _draw_pair(study, study.comparisons[0])
    answers = [_only_answer(comparison) for comparison in study.comparisons]
    pairs = [(comparison.left, comparison.right) for comparison in study.comparisons]
    probabilities = RegionProbabilities(
        left=np.array([p.left for p in answers]),
        rope=np.array([p.rope for p in answers]),
        right=np.array([p.right for p in answers]),
    )
    return draw_regions(study.method.title, pairs, probabilities, study.rope)


def _draw_pair(study: ComparisonSet, comparison: Comparison) -> "Figure":
    pair = Pair(comparison.left, comparison.right, study.scores.lower_is_better)
    datasets = comparison.result.datasets
    names = comparison.differences.statistics.names
    if not isinstance(datasets, CorrelatedTDatasets):
        p = _only_answer(comparison)
        values = RegionProbabilities(*(np.array([part]) for part in (p.left, p.rope, p.right)))
        return draw_regions(study.method.title, [(pair.left, pair.right)], values, study.rope)
    (interval,) = datasets.posterior.intervals([0.95])
    mean = datasets.posterior.location
    if len(names) > 1:
        return draw_forest(pair, names, Estimates(mean, interval), study.rope)
    only = Interval(interval.level, float(interval.low[0]), float(interval.high[0]))
    curve = Curve(*datasets.posterior.curve(0), Summary(float(mean[0]), only))
    return draw_posterior(pair, names[0], curve, study.rope, _only_answer(comparison))


def _only_answer(comparison: Comparison) -> RegionProbabilities[float]:
    result = comparison.result
    if isinstance(result, PopulationResult):
        return result.probabilities
    p = result.datasets.probabilities
    if len(p.left) > 1:
        raise InputError(
            "--plot shows one pair, or one data set, of this test: choose by --left NAME --right "
            "NAME, or by --dataset NAME"
        )
    return RegionProbabilities(float(p.left[0]), float(p.rope[0]), float(p.right[0]))
