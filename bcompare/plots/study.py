"""A set of comparisons as the arrays that the pictures draw; see `bcompare.plots.PICTURES`."""

from typing import TYPE_CHECKING, cast

import numpy as np

from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.rope import RegionProbabilities
from bcompare.methods.base import Interval
from bcompare.methods.correlated_t import CorrelatedT, CorrelatedTDatasets
from bcompare.methods.hierarchical.model import HierarchicalResult, Marginal
from bcompare.plots.density import Curve, Summary
from bcompare.plots.forest import Estimates, draw_forest
from bcompare.plots.hierarchical import ParameterCurves, draw_hierarchical
from bcompare.plots.posterior import draw_posterior
from bcompare.plots.regions import draw_regions
from bcompare.plots.sheet import Sheet
from bcompare.plots.subject import LEVEL, likeliest_of, names_of, pair_of
from bcompare.report.table import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# Of a curve that is made smooth between them.
POINTS = 121


def draw_regions_of(study: ComparisonSet, sheet: Sheet) -> "Figure":
    """The three probabilities of every pair; each has an answer of its own."""
    answers = [p for c in study.comparisons if (p := c.shown) is not None]
    probabilities = RegionProbabilities(
        left=np.array([p.left for p in answers]),
        rope=np.array([p.rope for p in answers]),
        right=np.array([p.right for p in answers]),
    )
    pairs = [(printable(c.left), printable(c.right)) for c in study.comparisons]
    return draw_regions(study.method.title, pairs, probabilities, study.rope, sheet)


def draw_posterior_of(study: ComparisonSet, sheet: Sheet) -> "Figure":
    """The posterior of one pair on one data set, by the correlated t-test."""
    (comparison,) = study.comparisons
    posterior = cast("CorrelatedTDatasets", comparison.result.datasets).posterior
    levels = cast("CorrelatedT", study.method).interval_levels
    intervals = tuple(
        Interval(found.level, float(found.low[0]), float(found.high[0]))
        for found in posterior.intervals(levels)
    )
    curve = Curve(*posterior.curve(0, POINTS), Summary(float(posterior.location[0]), intervals))
    (name,) = names_of(comparison)
    probabilities = comparison.dataset_probabilities(0)
    return draw_posterior(pair_of(study, comparison), name, curve, study.rope, probabilities, sheet)


def draw_forest_of(study: ComparisonSet, sheet: Sheet) -> "Figure":
    """The mean differences of one pair on its data sets, by the correlated t-test."""
    (comparison,) = study.comparisons
    posterior = cast("CorrelatedTDatasets", comparison.result.datasets).posterior
    (interval,) = posterior.intervals([LEVEL])
    estimates = Estimates(posterior.location, interval)
    return draw_forest(
        pair_of(study, comparison), names_of(comparison), estimates, study.rope, sheet
    )


def draw_parameters_of(study: ComparisonSet, sheet: Sheet) -> "Figure":
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
        pair_of(study, comparison),
        study.rope,
        likeliest_of(comparison),
        ahead,
        result.theta_mean,
        curves,
        sheet,
    )


def _marginal_curve(marginal: Marginal) -> Curve:
    low, high = marginal.intervals[LEVEL]
    summary = Summary(marginal.mean, (Interval(LEVEL, low, high),))
    return Curve(marginal.density.grid, marginal.density.density, summary)
