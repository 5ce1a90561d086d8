"""One pair on several data sets: a small posterior each, cut into the three regions.

Benavoli et al. 2017, Tutorial, fig. 8.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from bcompare.comparison import ComparisonSet
from bcompare.methods.base import Interval
from bcompare.methods.correlated_t import CorrelatedTDatasets
from bcompare.plots.density import Curve, Summary, draw_regions_under
from bcompare.plots.figure import drawing
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import LEFT, RIGHT, ROPE, Pair, equivalent
from bcompare.plots.page import (
    LINE,
    MARGIN,
    OVERHANG,
    axes_at,
    check_rows,
    label_axis,
    page,
    text_at,
    widest,
)
from bcompare.plots.subject import LEVEL, names_of, pair_of, title_of
from bcompare.report.number import probability
from bcompare.rope import RegionProbabilities, Rope

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS, CELL_WIDTH, GAP = 3, 2.05, 0.35
CURVE_HEIGHT, TICKS_HEIGHT, BELOW = 0.8, 0.2, 0.18
NUMBER_SIZE, TICK_SIZE = 7.5, 7.5
# Where the numbers of the regions stand, as shares of a cell's width, and how high.
PLACES, ABOVE = (0.14, 0.5, 0.86), 1.0


def draw_posteriors_of(study: ComparisonSet) -> "Figure":
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
    return draw_posteriors(pair_of(study, comparison), names, curves, study.rope, answers)


def draw_posteriors(
    pair: Pair,
    datasets: Sequence[str],
    curves: Sequence[Curve],
    rope: Rope,
    probabilities: Sequence[RegionProbabilities[float]],
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
    with drawing():
        legend: list[Entry] = [
            (LEFT, f"{pair.left} better"),
            (RIGHT, f"{pair.right} better"),
            ("", f"● {' '.join(pair.difference)}, with its {100 * LEVEL:g} % interval"),
        ]
        if not rope.is_empty:
            legend.insert(1, (ROPE, equivalent(rope)))
        room = COLUMNS * (CELL_WIDTH + GAP) - GAP
        head = Head(title_of(pair, list(datasets), room), tuple(legend))
        cell = max(CELL_WIDTH, widest(datasets, weight="bold"))
        most = max(1, int((room + GAP) / (cell + GAP)))
        columns = min(most, len(datasets))
        left = MARGIN + OVERHANG
        rows = -(-len(datasets) // columns)
        width = max(columns * (cell + GAP) - GAP + 2 * left, head.width)
        row_height = LINE + CURVE_HEIGHT + TICKS_HEIGHT + BELOW
        figure = page(width, head.height + rows * row_height + MARGIN - BELOW)
        head.draw(figure)
        for i, (name, curve, p) in enumerate(zip(datasets, curves, probabilities, strict=True)):
            x = left + (i % columns) * (cell + GAP)
            y = head.height + (i // columns) * row_height
            text_at(figure, x, y + LINE / 2, name, weight="bold")
            axes = axes_at(figure, x, y + LINE, cell, CURVE_HEIGHT)
            _draw_cell(axes, curve, rope, p)
    return figure


def _draw_cell(
    axes: "Axes", curve: Curve, rope: Rope, probabilities: RegionProbabilities[float]
) -> None:
    draw_regions_under(axes, curve, rope, None)
    label_axis(axes, ())
    axes.locator_params(axis="x", nbins=4)
    axes.tick_params(axis="x", labelsize=TICK_SIZE)
    across = axes.transAxes
    for place, look, p in (
        (PLACES[0], LEFT, probabilities.left),
        (PLACES[1], ROPE, probabilities.rope),
        (PLACES[2], RIGHT, probabilities.right),
    ):
        if look is not ROPE or not rope.is_empty:
            words: dict[str, Any] = {**look.label, "va": "top", "size": NUMBER_SIZE}
            axes.text(place, ABOVE, probability(p), transform=across, **words)
