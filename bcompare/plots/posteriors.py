"""Posteriors of one pair, by the correlated t-test and by the hierarchical test.

The mean difference on each data set: a large curve, small ones (Benavoli et al. 2017, Tutorial,
fig. 8), or rows. The hierarchical test's parameters and the next data set, and each data set at
hand (Corani et al. 2017, §3.1 and §4): they borrow from one another, less the more data they have.
"""

from typing import cast

import numpy as np
from matplotlib.figure import Figure
from scipy.interpolate import Akima1DInterpolator

from bcompare.basis.messages import Record, number_of
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.comparing.decision import Decision
from bcompare.methods.correlated_t import CorrelatedTDatasets
from bcompare.methods.hierarchical.result import HierarchicalDatasets, HierarchicalResult, Marginal
from bcompare.methods.result_parts import Interval
from bcompare.methods.student import StudentPosterior
from bcompare.plots.density import (
    LEVEL,
    Curve,
    draw_borders,
    draw_curve,
    draw_regions_under,
    write_in_regions,
    write_probabilities,
)
from bcompare.plots.fills import (
    FAINT,
    INK,
    LEFT,
    RIGHT,
    Entry,
    region_legend,
    side_legend,
    width_of,
    written,
)
from bcompare.plots.page import GAP, OnePair, Page, draw_estimates, draw_rows
from bcompare.plots.sheet import Sheet
from bcompare.report.sentences import verdict

# Heights and numbers of points of a large curve and of a small one.
HEIGHT, SMALL_HEIGHT = 2.6, 0.8
POINTS, FEW_POINTS = 241, 101
LEAST_CELL = 1.6
# Positions of the regions' numbers in a small curve, as shares of its width and height.
PLACES = (0.14, 0.5, 0.86)
ABOVE = 1.0


def draw_posterior(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the posterior of one pair on one data set, cut into the three regions."""
    pair = OnePair(study)
    posterior = _posterior(pair)
    rope = pair.rope
    (interval,) = posterior.intervals([LEVEL])
    curve = Curve.of_dataset(posterior, 0, interval, POINTS)
    answer = pair.comparison.dataset_probabilities(0)
    legend = region_legend(rope, pair.left, pair.right, written(answer))
    page = Page(sheet, pair.title(by_name=True), legend)
    mean, level, ends = curve.words
    note = [f"{mean},", f"{level} {ends}"]
    axes = page.wide_axes(sheet.tall(HEIGHT), pair.difference, note=note)
    draw_regions_under(axes, curve, rope)
    write_probabilities(axes, curve, rope, answer, sheet)
    return page.finish()


def draw_posteriors(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the posteriors of one pair on its data sets, each on its own scale."""
    pair = OnePair(study)
    posterior = _posterior(pair)
    rope = pair.rope
    legend = region_legend(rope, pair.left, pair.right)
    words = f"{' '.join(pair.difference)}, with its {100 * LEVEL:g} % interval"
    page = Page(sheet, pair.title(by_name=True), [*legend, ("●", words)])
    # At least two side by side.
    least = min(sheet.scaled(LEAST_CELL), sheet.inner / 2 - sheet.scaled(GAP))
    no_labels: list[list[str]] = [[] for _ in pair.datasets]
    panels = page.panels(least, sheet.scaled(SMALL_HEIGHT), no_labels, titles=pair.datasets)
    (interval,) = posterior.intervals([LEVEL])
    for i, axes in enumerate(panels):
        draw_regions_under(axes, Curve.of_dataset(posterior, i, interval, FEW_POINTS), rope)
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


NEXT_HEIGHT, PANEL_HEIGHT, BELOW_NEXT = 2.0, 0.9, 0.1
# The least width of a panel, and its ticks.
LEAST_PANEL, TICKS = 0.6, 3
# Points of the large curve for each known one.
BETWEEN = 4

ROW_HEIGHT = 0.22
# The shortest arrow, in inches.
SHORTEST = 0.11
ARROW: dict[str, object] = {
    "arrowstyle": "-|>,head_width=0.12,head_length=0.25",
    "color": INK,
    "linewidth": 0.9,
    "shrinkA": 2.5,
    "shrinkB": 3.0,
}
# The mark, the colour and the legend's entry of each verdict.
VERDICTS: dict[Decision, tuple[str, str, str]] = {
    "left": ("<", LEFT.face, "◀"),
    "right": (">", RIGHT.face, "▶"),
    "rope": ("s", INK, "■"),
    "none": ("D", "white", "◇"),
}


def draw_parameters(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the next data set's difference, and below it the parameters' posteriors."""
    pair = OnePair(study)
    rope = pair.rope
    result = cast("HierarchicalResult", pair.comparison.result)
    curves = {"centre δ₀": _curve(result.delta0), "scale σ₀": _curve(result.sigma0)}
    if result.nu is not None:
        curves["degrees of freedom ν"] = _curve(result.nu)
    labels = [[name, *curve.words] for name, curve in curves.items()]
    least = sheet.widest_of([curve.words for curve in curves.values()])
    legend = region_legend(rope, pair.left, pair.right)
    legend.append(("", "below: area of the curve in each region, by this model alone"))
    if len(curves) * (least + sheet.scaled(GAP)) > sheet.inner:
        # If panels are too narrow for the values, a note explains the marks once.
        legend.append(("●", f"mean, and {100 * LEVEL:g} % interval"))
        least = sheet.scaled(LEAST_PANEL)
        labels = [[name.split()[-1]] for name in curves]
    page = Page(sheet, [pair.left, f"and {pair.right}", "on the next data set"], legend)
    axes = page.wide_axes(sheet.tall(NEXT_HEIGHT), pair.difference)
    # Interpolated, since the grid is coarse in long tails.
    next_delta = result.next_delta
    steps = np.arange(len(next_delta.grid))
    grid = np.interp(np.arange(0, steps[-1] + 1 / BETWEEN, 1 / BETWEEN), steps, next_delta.grid)
    heights = Akima1DInterpolator(next_delta.grid, next_delta.density)(grid)
    ahead = Curve(grid, np.maximum(heights, 0.0))
    draw_regions_under(axes, ahead, rope)
    write_probabilities(axes, ahead, rope, result.theta_mean, sheet)
    page.end += sheet.scaled(BELOW_NEXT)
    panels = page.panels(least, sheet.tall(PANEL_HEIGHT), labels)
    for axes, curve in zip(panels, curves.values(), strict=True):
        draw_curve(axes, curve)
        axes.locator_params(axis="x", nbins=TICKS)
    draw_borders(panels[0], curves["centre δ₀"], rope)
    return page.finish()


def _curve(marginal: Marginal) -> Curve:
    interval = Interval(LEVEL, *marginal.intervals[LEVEL])
    return Curve(marginal.density.grid, marginal.density.density, marginal.mean, interval)


def draw_shrinkage(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the estimates on each data set, observed and by the hierarchical model."""
    pair = OnePair(study)
    result = cast("HierarchicalDatasets", pair.comparison.result.datasets)
    # The largest shrunken difference is on top, so that the shift is visible at a glance.
    order = np.argsort(-result.delta_mean, kind="stable").tolist()
    names = [pair.datasets[i] for i in order]
    each = pair.comparison.dataset_decisions
    decisions = [each[i] for i in order]
    raw = result.mean_difference[order]
    shrunken = result.delta_mean[order]
    low, high = result.delta_intervals[LEVEL][order].T
    interval = f"{100 * LEVEL:g} % interval"
    legend: list[Entry] = [
        *side_legend(pair.rope, pair.left, pair.right)[2:],
        ("○", "observed mean difference"),
        ("→", f"shrunken: informed by the other data sets, with its {interval}, and its verdict:"),
    ]
    for decision, (_, _, character) in VERDICTS.items():
        if count := decisions.count(decision):
            words = verdict(decision, pair.left, pair.right)
            legend.append((character, f"{words}: {number_of(count, 'data set')}"))
    page = Page(sheet, pair.title(), legend)
    axes, middles = draw_rows(page, names, pair.difference, row=ROW_HEIGHT, rope=pair.rope)
    marks: Record = {"linestyle": "none", "color": INK, "markeredgewidth": 0.8}
    axes.hlines(middles, low, high, color=FAINT, linewidth=1.2)
    axes.plot(raw, middles, marker="o", markersize=4.5, markerfacecolor="white", **marks)
    shortest = SHORTEST * float(np.ptp(axes.get_xlim())) / width_of(axes)
    for row, start, end in zip(middles, raw, shrunken, strict=True):
        if abs(end - start) > shortest:  # no room for an arrow's head between closer marks
            axes.annotate("", (end, row), (start, row), arrowprops=ARROW)
    for decision, (marker, color, _) in VERDICTS.items():
        rows = [i for i, other in enumerate(decisions) if other == decision]
        marks |= {"marker": marker, "markersize": 5.5, "markerfacecolor": color}
        axes.plot(shrunken[rows], middles[rows], **marks)
    return page.finish()
