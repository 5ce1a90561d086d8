"""One data set: the posterior of the mean difference, cut into the three regions."""

from typing import cast

from matplotlib.figure import Figure

from bcompare.comparing.comparison import ComparisonSet
from bcompare.methods.correlated_t import CorrelatedT, CorrelatedTDatasets
from bcompare.plots.density import Curve, draw_regions_under, write_probabilities
from bcompare.plots.fills import region_legend, written
from bcompare.plots.names import dataset_names, only_pair
from bcompare.plots.page import Page
from bcompare.plots.sheet import Sheet

CURVE_HEIGHT = 2.6
# Points of the curve.
POINTS = 241


def draw_posterior(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the posterior of one pair on one data set, by the correlated t-test."""
    comparison, pair = only_pair(study)
    posterior = cast("CorrelatedTDatasets", comparison.result.datasets).posterior
    levels = cast("CorrelatedT", study.method).interval_levels
    curve = Curve.of_dataset(posterior, 0, posterior.intervals(levels), POINTS)
    answer = comparison.dataset_probabilities(0)
    legend = region_legend(study.rope, pair.left, pair.right, written(answer))
    page = Page(sheet, pair.title(dataset_names(comparison)), legend)
    mean, *intervals = curve.summary.words if curve.summary else ()
    pairs = zip(intervals[::2], intervals[1::2], strict=True)
    note = [mean, *(f"{level} {ends}" for level, ends in pairs)]
    note[:-1] = [f"{part}," for part in note[:-1]]
    axes = page.wide_axes(sheet.tall(CURVE_HEIGHT), pair.difference, note=note)
    draw_regions_under(axes, curve, study.rope)
    write_probabilities(axes, curve, study.rope, answer, sheet)
    return page.finish()
