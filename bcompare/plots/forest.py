"""One pair on many data sets: the mean difference on each, with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bcompare.data.rope import FloatArray, Rope
from bcompare.methods.base import Interval
from bcompare.plots.figure import drawing
from bcompare.plots.head import Head
from bcompare.plots.look import INK, Pair
from bcompare.plots.page import check_rows
from bcompare.plots.rows import Rows, draw_rows, side_legend
from bcompare.plots.sheet import Sheet
from bcompare.plots.subject import title_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW_HEIGHT = 0.2


@dataclass(frozen=True, eq=False, slots=True)
class Estimates:
    """What is known of the mean difference on each of q data sets.

    mean : (q,) points. interval : credible intervals, their ends (q,) each.
    """

    mean: FloatArray
    interval: Interval[FloatArray]


def draw_forest(
    pair: Pair,
    datasets: Sequence[str],
    raw: Estimates,
    rope: Rope,
    sheet: Sheet,
) -> "Figure":
    """Picture of one pair on q data sets, one row each in the order given.

    Parameters
    ----------
    pair : the classifiers.
    datasets : q names.
    raw : from each data set by itself.
    rope : drawn as a band.

    Raises
    ------
    InputError : no data set, or more than a page can hold.
    ComputationError : matplotlib is not installed.
    """
    check_rows(len(datasets))
    with drawing(sheet.text):
        interval = f"{100 * raw.interval.level:g} % interval"
        legend = [*side_legend(pair, rope), ("●", f"mean difference, {interval}")]
        head = Head(title_of(pair, len(datasets)), legend)
        rows = draw_rows(sheet, head, datasets, pair.difference, row=ROW_HEIGHT, rope=rope)
        draw_estimates(rows, raw, color=INK, marker="o")
    return rows.page.figure


def draw_estimates(rows: Rows, estimates: Estimates, **look: Any) -> None:
    """Draw a point with its interval in each row."""
    ends = estimates.interval
    rows.axes.hlines(rows.at, ends.low, ends.high, color=look["color"], linewidth=1.4)
    rows.axes.plot(estimates.mean, rows.at, linestyle="none", markersize=4.5, **look)
