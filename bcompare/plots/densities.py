"""One pair: the densities of the differences of single scores, a row a data set.

Benavoli et al. 2017, Tutorial, figs 1 to 3, there of one data set each.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.units import ROWS
from bcompare.plots.density import Curve, estimated, smooth, thinned
from bcompare.plots.figure import drawing
from bcompare.plots.head import Head
from bcompare.plots.look import FAINT, INK, Pair
from bcompare.plots.page import check_rows
from bcompare.plots.rows import Rows, draw_rows, side_legend
from bcompare.plots.sheet import Sheet
from bcompare.plots.subject import names_of, pair_of, score_differences, title_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW_HEIGHT, LONE_HEIGHT = 0.42, 1.6
# Heights as shares of a row: of a curve's peak above its line, of the ticks below it.
PEAK, TICK = 0.72, 0.16
# What a curve may be off without being seen, as a share of its peak; a tick's width, in points.
UNSEEN, THIN = 0.003, 0.5
FILL = (FAINT, 0.45)
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
            _draw_curve(rows.axes, at, estimated(values))
        for at, values in zip(rows.at, differences, strict=True):
            _draw_ticks(rows, at, values)
    return rows.page.figure


def _draw_curve(axes: "Axes", row: float, curve: Curve) -> None:
    """A density above the row's line, as high as any other's."""
    if curve.point is None:
        x, density = thinned(*smooth(curve.grid, curve.density), UNSEEN * curve.peak)
        heights = row - PEAK * density / curve.peak
        look: dict[str, Any] = {"facecolor": FILL, "edgecolor": INK, "linewidth": 0.9}
        axes.fill([x[0], *x, x[-1]], [row, *heights, row], **look)
    else:
        axes.vlines([curve.point], row - PEAK, row, color=INK, linewidth=2.0)


def _draw_ticks(rows: Rows, row: float, values: FloatArray) -> None:
    """A tick for each value, but one for those that it would hide; all of them one line."""
    low, high = rows.axes.get_xlim()
    hidden = THIN / (72 * rows.width) * (high - low)
    _, first = np.unique(np.rint(values / hidden), return_index=True)
    x = np.repeat(values[first], 3)
    y = np.tile([row + TICK, row, np.nan], len(first))
    rows.axes.plot(x, y, color=INK, linewidth=THIN)
