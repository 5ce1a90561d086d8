"""One pair: the densities of the differences of single scores, a row a data set.

Benavoli et al. 2017, Tutorial, figs 1 to 3, there of one data set each.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bcompare.comparison import ComparisonSet
from bcompare.plots.density import estimated
from bcompare.plots.figure import drawing
from bcompare.plots.head import Head
from bcompare.plots.look import FAINT, INK, Pair
from bcompare.plots.page import check_rows
from bcompare.plots.rows import draw_rows, side_legend
from bcompare.plots.sheet import Sheet
from bcompare.plots.subject import names_of, pair_of, score_differences, title_of
from bcompare.rope import FloatArray, Rope
from bcompare.units import ROWS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW_HEIGHT, LONE_HEIGHT = 0.42, 1.6
# Heights as shares of a row: of a curve's peak above its line, of the ticks below it.
PEAK, TICK = 0.72, 0.16
# How far the axes reach above the first row and below the last.
ENDS = 0.5, -0.1


def draw_densities_of(study: ComparisonSet, sheet: Sheet) -> "Figure":
    """The differences of one pair on each of its data sets."""
    (comparison,) = study.comparisons
    return draw_densities(
        pair_of(study, comparison),
        names_of(comparison),
        list(score_differences(study, comparison)),
        study.rope,
        ROWS[study.scores.unit],
        sheet,
    )


def draw_densities(
    pair: Pair,
    datasets: Sequence[str],
    differences: Sequence[FloatArray],
    rope: Rope,
    kind: str,
    sheet: Sheet,
) -> "Figure":
    """Picture of one pair on q data sets.

    Parameters
    ----------
    pair : the classifiers.
    datasets : q names.
    differences : q arrays of any length, right - left.
    rope : drawn as a band.
    kind : what the differences are of, such as "folds".

    Raises
    ------
    InputError : no data set, or more than a page can hold.
    ComputationError : matplotlib is not installed.
    """
    check_rows(len(datasets))
    with drawing(sheet.text):
        legend = [*side_legend(pair, rope), ("|", f"single differences: {kind}")]
        head = Head(title_of(pair, list(datasets)), legend)
        row = ROW_HEIGHT if len(datasets) > 1 else sheet.tall(LONE_HEIGHT)
        label = ["difference", *pair.difference[1:]]
        rows = draw_rows(sheet, head, datasets, label, row=row, ends=ENDS, rope=rope)
        for at, values in zip(rows.at, differences, strict=True):
            _draw_row(rows.axes, at, values)
    return rows.page.figure


def _draw_row(axes: "Axes", row: float, values: FloatArray) -> None:
    """A density above the row's line, as high as any other's, and a tick for each value."""
    axes.vlines(values, row + TICK, row, color=INK, linewidth=0.5)
    curve = estimated(values)
    if curve.point is None:
        heights = row - PEAK * curve.density / curve.peak
        axes.fill_between(curve.grid, heights, row, facecolor=FAINT, alpha=0.45, linewidth=0)
        axes.plot(curve.grid, heights, color=INK, linewidth=0.9)
    else:
        axes.vlines([curve.point], row - PEAK, row, color=INK, linewidth=2.0)
