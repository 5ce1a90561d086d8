"""A set of comparisons as the arrays that the pictures draw; see `bcompare.plots.PICTURES`."""

from typing import TYPE_CHECKING, cast

import numpy as np

from bcompare.answers import Comparison
from bcompare.comparison import ComparisonSet
from bcompare.methods.base import Interval
from bcompare.methods.correlated_t import CorrelatedTDatasets, NormalGamma, student_posterior
from bcompare.methods.hierarchical.model import (
    HierarchicalDatasets,
    HierarchicalResult,
    Marginal,
)
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


def draw_regions_of(study: ComparisonSet) -> "Figure":
    """The three probabilities of every pair; each has an answer of its own."""
    answers = [p for c in study.comparisons if (p := c.probabilities) is not None]
    probabilities = RegionProbabilities(
        left=np.array([p.left for p in answers]),
        rope=np.array([p.rope for p in answers]),
        right=np.array([p.right for p in answers]),
    )
    pairs = [(printable(c.left), printable(c.right)) for c in study.comparisons]
    return draw_regions(study.method.title, pairs, probabilities, study.rope)


def draw_posterior_of(study: ComparisonSet) -> "Figure":
    """The posterior of one pair on one data set, by the correlated t-test."""
    (comparison,) = study.comparisons
    posterior = cast("CorrelatedTDatasets", comparison.result.datasets).posterior
    (interval,) = posterior.intervals([LEVEL])
    only = Interval(interval.level, float(interval.low[0]), float(interval.high[0]))
    curve = Curve(*posterior.curve(0), Summary(float(posterior.location[0]), only))
    name = printable(comparison.differences.statistics.names[0])
    probabilities = comparison.dataset_probabilities(0)
    return draw_posterior(_pair(study, comparison), name, curve, study.rope, probabilities)


def draw_forest_of(study: ComparisonSet) -> "Figure":
    """The mean differences of one pair on its data sets, by the correlated t-test."""
    (comparison,) = study.comparisons
    posterior = cast("CorrelatedTDatasets", comparison.result.datasets).posterior
    (interval,) = posterior.intervals([LEVEL])
    names = [printable(name) for name in comparison.differences.statistics.names]
    estimates = Estimates(posterior.location, interval)
    return draw_forest(_pair(study, comparison), names, estimates, study.rope)


def draw_parameters_of(study: ComparisonSet) -> "Figure":
    """What the hierarchical model knows of one pair."""
    (comparison,) = study.comparisons
    result = cast("HierarchicalResult", comparison.result)
    curves = ParameterCurves(
        delta0=_marginal_curve(result.delta0),
        sigma0=_marginal_curve(result.sigma0),
        nu=None if result.nu is None else _marginal_curve(result.nu),
    )
    ahead = Curve(result.next_delta.grid, result.next_delta.density, None)
    return draw_hierarchical(
        _pair(study, comparison),
        study.rope,
        result.probabilities,
        ahead,
        result.theta_mean,
        curves,
    )


def draw_shrinkage_of(study: ComparisonSet) -> "Figure":
    """One pair on its data sets, each by itself and as the hierarchical model has it."""
    (comparison,) = study.comparisons
    result = cast("HierarchicalDatasets", comparison.result.datasets)
    statistics = comparison.differences.statistics
    posterior = student_posterior(statistics, NormalGamma())
    (own,) = posterior.intervals([LEVEL])
    low, high = result.delta_intervals[LEVEL].T
    # The largest shrunken difference on top, so that the shift is seen at a glance.
    order = np.argsort(-result.delta_mean, kind="stable").tolist()
    names = [printable(statistics.names[i]) for i in order]
    raw = Estimates(statistics.mean[order], own.chosen(order))
    shrunken = Estimates(result.delta_mean[order], Interval(LEVEL, low, high).chosen(order))
    return draw_forest(_pair(study, comparison), names, raw, study.rope, shrunken)


def _pair(study: ComparisonSet, comparison: Comparison) -> Pair:
    return Pair(
        printable(comparison.left), printable(comparison.right), study.scores.lower_is_better
    )


def _marginal_curve(marginal: Marginal) -> Curve:
    low, high = marginal.intervals[LEVEL]
    summary = Summary(marginal.mean, Interval(LEVEL, low, high))
    return Curve(marginal.density.grid, marginal.density.density, summary)
