"""The correlated t-test: the posterior of the mean difference on each data set.

A large curve, small ones for the data sets (Benavoli et al. 2017, Tutorial, fig. 8), or rows.
"""

from typing import cast

from matplotlib.figure import Figure

from bcompare.comparing.run import ComparisonSet
from bcompare.methods.correlated_t import CorrelatedT, CorrelatedTDatasets
from bcompare.methods.student import StudentPosterior
from bcompare.plots.density import (
    LEVEL,
    Curve,
    draw_regions_under,
    write_in_regions,
    write_probabilities,
)
from bcompare.plots.fills import region_legend, side_legend, written
from bcompare.plots.page import GAP, OnePair, Page, draw_estimates, draw_rows
from bcompare.plots.sheet import Sheet

# Heights and numbers of points of a large curve and of a small one.
HEIGHT, SMALL_HEIGHT = 2.6, 0.8
POINTS, FEW_POINTS = 241, 101
LEAST_CELL = 1.6
# Positions of the regions' numbers in a small curve, as shares of its width and height.
PLACES, ABOVE = (0.14, 0.5, 0.86), 1.0


def draw_posterior(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the posterior of one pair on one data set, cut into the three regions."""
    pair = OnePair(study)
    posterior, rope = _posterior(pair), pair.rope
    levels = cast("CorrelatedT", study.method).interval_levels
    curve = Curve.of_dataset(posterior, 0, posterior.intervals(levels), POINTS)
    answer = pair.comparison.dataset_probabilities(0)
    legend = region_legend(rope, pair.left, pair.right, written(answer))
    page = Page(sheet, pair.title(by_name=True), legend)
    mean, *intervals = curve.words
    pairs = zip(intervals[::2], intervals[1::2], strict=True)
    note = [mean, *(f"{level} {ends}" for level, ends in pairs)]
    note[:-1] = [f"{part}," for part in note[:-1]]
    axes = page.wide_axes(sheet.tall(HEIGHT), pair.difference, note=note)
    draw_regions_under(axes, curve, rope)
    write_probabilities(axes, curve, rope, answer, sheet)
    return page.finish()


def draw_posteriors(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the posteriors of one pair on its data sets, each on its own scale."""
    pair = OnePair(study)
    posterior, rope = _posterior(pair), pair.rope
    legend = region_legend(rope, pair.left, pair.right)
    words = f"{' '.join(pair.difference)}, with its {100 * LEVEL:g} % interval"
    page = Page(sheet, pair.title(by_name=True), [*legend, ("●", words)])
    # At least two side by side.
    least = min(sheet.scaled(LEAST_CELL), sheet.inner / 2 - sheet.scaled(GAP))
    no_labels: list[list[str]] = [[] for _ in pair.datasets]
    panels = page.panels(least, sheet.scaled(SMALL_HEIGHT), no_labels, titles=pair.datasets)
    intervals = posterior.intervals([LEVEL])
    for i, axes in enumerate(panels):
        draw_regions_under(axes, Curve.of_dataset(posterior, i, intervals, FEW_POINTS), rope)
        axes.locator_params(axis="x", nbins=4)
        axes.tick_params(axis="x", labelsize=sheet.small)
        look = {"va": "top", "size": sheet.small, "transform": axes.transAxes}
        answer = pair.comparison.dataset_probabilities(i)
        write_in_regions(axes, PLACES, ABOVE, rope, answer, **look)
    return page.finish()


def draw_forest(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the mean differences of one pair on its data sets, each with its interval."""
    pair = OnePair(study)
    posterior = _posterior(pair)
    (interval,) = posterior.intervals([LEVEL])
    words = f"estimated mean difference, {100 * LEVEL:g} % interval"
    legend = [*side_legend(pair.rope, pair.left, pair.right), ("●", words)]
    page = Page(sheet, pair.title(), legend)
    rows = draw_rows(page, pair.datasets, pair.difference, rope=pair.rope)
    draw_estimates(*rows, posterior.location, interval)
    return page.finish()


def _posterior(pair: OnePair) -> StudentPosterior:
    return cast("CorrelatedTDatasets", pair.comparison.result.datasets).posterior
