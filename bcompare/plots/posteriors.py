"""One pair on several data sets: a small posterior each, cut into the three regions.

Benavoli et al. 2017, Tutorial, fig. 8.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.rope import RegionProbabilities, Rope
from bcompare.methods.base import Interval
from bcompare.methods.correlated_t import CorrelatedTDatasets
from bcompare.plots.density import Curve, Summary, draw_regions_under
from bcompare.plots.figure import drawing
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import LEFT, RIGHT, ROPE, Pair, equivalent
from bcompare.plots.page import GAP, Grid, check_rows
from bcompare.plots.sheet import Sheet
from bcompare.plots.subject import LEVEL, names_of, pair_of, title_of
from bcompare.report.number import probability

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEAST_CELL, CURVE_HEIGHT, BELOW = 1.6, 0.8, 0.18
# Where the numbers of the regions stand, as shares of a cell's width, and how high.
PLACES, ABOVE = (0.14, 0.5, 0.86), 1.0


def draw_posteriors_of(study: ComparisonSet, sheet: Sheet) -> "Figure":
    """The posteriors of one pair on its data sets, by the correlated t-test."""
    (comparison,) = study.comparisons
    posterior = cast("CorrelatedTDatasets", comparison.result.datasets).posterior
    (interval,) = posterior.intervals([LEVEL])
    names = names_of(comparison)
    curves = []
    for i in range(len(names)):
        own = Interval(LEVEL, float(interval.low[i]), float(interval.high[i]))
        summary = Summary(float(posterior.location[i]), (own,))
        curves.append(Curve(*posterior.curve(i, points=101), summary))
    answers = [comparison.dataset_probabilities(i) for i in range(len(names))]
    pair = pair_of(study, comparison)
    return draw_posteriors(pair, names, curves, study.rope, answers, sheet)


def draw_posteriors(
    pair: Pair,
    datasets: Sequence[str],
    curves: Sequence[Curve],
    rope: Rope,
    probabilities: Sequence[RegionProbabilities[float]],
    sheet: Sheet,
) -> "Figure":
    """Picture of one pair on q data sets, each on a scale of its own.

    Parameters
    ----------
    pair : the classifiers.
    datasets : q names.
    curves : q posterior densities of the mean difference.
    rope : cuts them.
    probabilities : q, of the three regions.

    Raises
    ------
    InputError : no data set, or more than a page can hold.
    ComputationError : matplotlib is not installed.
    """
    check_rows(len(datasets))
    with drawing(sheet.text):
        legend: list[Entry] = [
            (LEFT, f"{pair.left} better"),
            (RIGHT, f"{pair.right} better"),
            ("●", f"{' '.join(pair.difference)}, with its {100 * LEVEL:g} % interval"),
        ]
        if not rope.is_empty:
            legend.insert(1, (ROPE, equivalent(rope)))
        head = Head(title_of(pair, list(datasets)), legend)
        # Two side by side at the least.
        least = sheet.scaled(LEAST_CELL)
        grid = Grid.of(sheet, len(datasets), min(least, sheet.inner / 2 - sheet.scaled(GAP)))
        names = [sheet.lines(name, grid.panel, weight="bold") for name in datasets]
        rows = [names[k : k + grid.columns] for k in range(0, len(names), grid.columns)]
        above = [sheet.line + (max(map(len, row)) - 1) * sheet.label_line for row in rows]
        tall = sheet.scaled(CURVE_HEIGHT)
        step = tall + sheet.ticks
        ends = np.cumsum(above) + np.arange(len(rows)) * step
        page = head.page(sheet, float(ends[-1]) + step - BELOW / 2 + sheet.margin)
        for i, (name, curve, p) in enumerate(zip(names, curves, probabilities, strict=True)):
            row, left = grid.place(i)
            page.write_lines(left, float(ends[row]), name, weight="bold")
            axes = page.axes(left, float(ends[row]), grid.panel, tall)
            _draw_cell(axes, curve, rope, p, sheet)
    return page.figure


def _draw_cell(
    axes: "Axes",
    curve: Curve,
    rope: Rope,
    probabilities: RegionProbabilities[float],
    sheet: Sheet,
) -> None:
    draw_regions_under(axes, curve, rope)
    axes.locator_params(axis="x", nbins=4)
    axes.tick_params(axis="x", labelsize=sheet.small)
    across = axes.transAxes
    for place, look, p in (
        (PLACES[0], LEFT, probabilities.left),
        (PLACES[1], ROPE, probabilities.rope),
        (PLACES[2], RIGHT, probabilities.right),
    ):
        if look is not ROPE or not rope.is_empty:
            words: dict[str, Any] = {**look.label, "va": "top", "size": sheet.small}
            axes.text(place, ABOVE, probability(p), transform=across, **words)
