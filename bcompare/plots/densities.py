"""One pair: the densities of the differences of single scores, a row a data set.

Benavoli et al. 2017, Tutorial, figs 1 to 3, there of one data set each.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bcompare.comparison import ComparisonSet
from bcompare.plots.density import estimated
from bcompare.plots.figure import drawing
from bcompare.plots.forest import PLOT_WIDTH, ROWS_WITH_TICKS_ABOVE, draw_rows, side_legend
from bcompare.plots.head import Head
from bcompare.plots.look import FAINT, INK, Pair
from bcompare.plots.page import (
    MARGIN,
    OVERHANG,
    TICKS,
    axes_at,
    check_rows,
    label_axis,
    label_height,
    lines_within,
    names_width,
    page,
    widest,
)
from bcompare.plots.subject import names_of, pair_of, score_differences, title_of
from bcompare.rope import FloatArray, Rope
from bcompare.units import ROWS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW_HEIGHT, LONE_HEIGHT = 0.42, 1.6
# Of a curve as small as these.
POINTS = 81
# Heights as shares of a row: of a curve's peak above its line, of the ticks below it.
PEAK, TICK = 0.72, 0.16
# How far the axes reach above the first row and below the last.
ABOVE, BELOW = 1.0, 0.4


def draw_densities_of(study: ComparisonSet) -> "Figure":
    """The differences of one pair on each of its data sets."""
    (comparison,) = study.comparisons
    return draw_densities(
        pair_of(study, comparison),
        names_of(comparison),
        list(score_differences(study, comparison)),
        study.rope,
        ROWS[study.scores.unit],
    )


def draw_densities(
    pair: Pair, datasets: Sequence[str], differences: Sequence[FloatArray], rope: Rope, rows: str
) -> "Figure":
    """Picture of one pair on q data sets.

    Parameters
    ----------
    pair : the classifiers.
    datasets : q names.
    differences : q arrays of any length, right - left.
    rope : drawn as a band.
    rows : what the differences are of, such as "folds".

    Raises
    ------
    InputError : no data set, or more than a page can hold.
    ComputationError : matplotlib is not installed.
    """
    check_rows(len(datasets))
    with drawing():
        legend = [*side_legend(pair, rope), ("|", f"single differences: {rows}")]
        head = Head(title_of(pair, list(datasets), PLOT_WIDTH), tuple(legend))
        label = lines_within(PLOT_WIDTH, ("difference", *pair.difference[1:]))
        left = MARGIN + names_width(datasets)
        width = max(PLOT_WIDTH, widest(label), head.width - left - OVERHANG - MARGIN)
        top = head.height + (TICKS if len(datasets) >= ROWS_WITH_TICKS_ABOVE else 0)
        height = (len(datasets) + ABOVE + BELOW - 1) * (
            ROW_HEIGHT if len(datasets) > 1 else LONE_HEIGHT
        )
        figure = page(left + width + OVERHANG + MARGIN, top + height + label_height(label))
        head.draw(figure)
        axes = axes_at(figure, left, top, width, height)
        draw_rows(axes, datasets, rope)
        axes.set_ylim(len(datasets) - 1 + BELOW, -ABOVE)
        for row, values in enumerate(differences):
            _draw_row(axes, row, values)
        label_axis(axes, label)
    return figure


def _draw_row(axes: "Axes", row: int, values: FloatArray) -> None:
    """A density above the row's line, as high as any other's, and a tick for each value."""
    axes.vlines(values, row + TICK, row, color=INK, linewidth=0.5)
    curve = estimated(values, POINTS)
    if curve.grid.size:
        heights = row - PEAK * curve.density / curve.peak
        axes.fill_between(curve.grid, heights, row, facecolor=FAINT, alpha=0.45, linewidth=0)
        axes.plot(curve.grid, heights, color=INK, linewidth=0.9)
    else:
        axes.vlines([values.mean()], row - PEAK, row, color=INK, linewidth=2.0)
