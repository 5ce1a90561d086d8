"""Which picture shows a set of comparisons best."""

from typing import TYPE_CHECKING

import numpy as np

from bcompare.comparison import Comparison, ComparisonSet
from bcompare.errors import InputError
from bcompare.methods.base import Interval, PopulationResult
from bcompare.methods.correlated_t import CorrelatedTDatasets
from bcompare.methods.hierarchical.model import HierarchicalResult, Marginal
from bcompare.plots.density import Curve, Summary
from bcompare.plots.forest import Estimates, draw_forest
from bcompare.plots.hierarchical import ParameterCurves, draw_hierarchical
from bcompare.plots.look import Pair
from bcompare.plots.posterior import draw_posterior
from bcompare.plots.regions import draw_regions
from bcompare.report.table import printable
from bcompare.rope import RegionProbabilities

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEVEL = 0.95


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
    pairs = [(printable(c.left), printable(c.right)) for c in study.comparisons]
    probabilities = RegionProbabilities(
        left=np.array([p.left for p in answers]),
        rope=np.array([p.rope for p in answers]),
        right=np.array([p.right for p in answers]),
    )
    return draw_regions(study.method.title, pairs, probabilities, study.rope)


def _draw_pair(study: ComparisonSet, comparison: Comparison) -> "Figure":
    pair = Pair(
        printable(comparison.left), printable(comparison.right), study.scores.lower_is_better
    )
    datasets = comparison.result.datasets
    names = [printable(name) for name in comparison.differences.statistics.names]
    if isinstance(comparison.result, HierarchicalResult):
        return _draw_hierarchical(study, pair, comparison.result)
    if not isinstance(datasets, CorrelatedTDatasets):
        p = _only_answer(comparison)
        values = RegionProbabilities(*(np.array([part]) for part in (p.left, p.rope, p.right)))
        return draw_regions(study.method.title, [(pair.left, pair.right)], values, study.rope)
    (interval,) = datasets.posterior.intervals([LEVEL])
    mean = datasets.posterior.location
    if len(names) > 1:
        return draw_forest(pair, names, Estimates(mean, interval), study.rope)
    only = Interval(interval.level, float(interval.low[0]), float(interval.high[0]))
    curve = Curve(*datasets.posterior.curve(0), Summary(float(mean[0]), only))
    return draw_posterior(pair, names[0], curve, study.rope, _only_answer(comparison))


def _draw_hierarchical(study: ComparisonSet, pair: Pair, result: HierarchicalResult) -> "Figure":
    curves = ParameterCurves(
        delta0=_marginal_curve(result.delta0),
        sigma0=_marginal_curve(result.sigma0),
        nu=None if result.nu is None else _marginal_curve(result.nu),
    )
    ahead = Curve(result.next_delta.grid, result.next_delta.density, None)
    return draw_hierarchical(
        pair, study.rope, result.probabilities, ahead, result.theta_mean, curves
    )


def _marginal_curve(marginal: Marginal) -> Curve:
    low, high = marginal.intervals[LEVEL]
    summary = Summary(marginal.mean, Interval(LEVEL, low, high))
    return Curve(marginal.density.grid, marginal.density.density, summary)


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
