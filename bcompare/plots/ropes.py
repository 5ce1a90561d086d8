"""One pair under several ropes: how the three probabilities depend on what counts as equal."""

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bcompare.comparing.decision import Threshold
from bcompare.comparing.sweep import Sweep
from bcompare.data.rope import FloatArray, RegionProbabilities
from bcompare.plots.figure import drawing
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import FAINT, INK, LEFT, RIGHT, Pair
from bcompare.plots.sheet import Sheet
from bcompare.plots.subject import names_of, pair_of, title_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT, SCALE = 2.8, 0.4
# Of each region its mark, its character in the legend, its line and its colours.
LINES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("left", "◀", {"marker": "<", "linestyle": "--", "color": LEFT.face}),
    ("rope", "□", {"marker": "s", "linestyle": "-", "color": INK, "markerfacecolor": "white"}),
    ("right", "▶", {"marker": ">", "linestyle": ":", "color": RIGHT.face}),
)


def draw_ropes_of(sweep: Sweep, sheet: Sheet) -> "Figure":
    """The probabilities of the only pair under each rope."""
    first = sweep.studies[0]
    comparisons = [study.comparisons[0] for study in sweep.studies]
    answers = [cast("RegionProbabilities[float]", c.shown) for c in comparisons]
    return draw_ropes(
        pair_of(first, comparisons[0]),
        names_of(comparisons[0]),
        np.array([study.rope.high for study in sweep.studies]),
        RegionProbabilities(
            left=np.array([p.left for p in answers]),
            rope=np.array([p.rope for p in answers]),
            right=np.array([p.right for p in answers]),
        ),
        1 - first.rule.alpha if isinstance(first.rule, Threshold) else None,
        sheet,
    )


def draw_ropes(
    pair: Pair,
    datasets: list[str],
    half_widths: FloatArray,
    probabilities: RegionProbabilities[FloatArray],
    threshold: float | None,
    sheet: Sheet,
) -> "Figure":
    """Picture of one pair under m ropes.

    Parameters
    ----------
    pair : the classifiers.
    datasets : their names.
    half_widths : (m,) ascending, of the ropes.
    probabilities : arrays of shape (m,).
    threshold : above it a region is decided for; None where the rule has none.

    Raises
    ------
    ComputationError : matplotlib is not installed.
    """
    with drawing(sheet.text):
        meaning = {"left": f"{pair.left} better", "rope": "equivalent",
                   "right": f"{pair.right} better"}  # fmt: skip
        legend: list[Entry] = [(mark, meaning[region]) for region, mark, _ in LINES]
        if threshold is not None:
            legend.append(("┄", f"decided above {threshold:.10g}"))
        head = Head(title_of(pair, datasets), legend)
        page, axes = head.lone_axes(sheet, HEIGHT, ["half-width of the rope"], scale=SCALE)
        _draw_lines(axes, half_widths, probabilities)
        if threshold is not None:
            axes.axhline(threshold, color=FAINT, linewidth=0.9, linestyle=(0, (1, 1.5)), zorder=1)
    return page.figure


def _draw_lines(
    axes: "Axes", half_widths: FloatArray, probabilities: RegionProbabilities[FloatArray]
) -> None:
    for region, _, look in LINES:
        p = getattr(probabilities, region)
        axes.plot(half_widths, p, linewidth=1.6, markersize=6, markeredgecolor=INK, **look)
    axes.set_ylim(-0.03, 1.03)
    axes.spines["left"].set_bounds(0, 1)
