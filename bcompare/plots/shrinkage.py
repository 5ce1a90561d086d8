"""The hierarchical test on each data set: where its mean difference is drawn to, and its verdict.

Corani et al. 2017, §4: each data set borrows from the others, the less the more it knows itself.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bcompare.comparing.comparison import ComparisonSet
from bcompare.comparing.decision import Decision
from bcompare.data.rope import FloatArray, Rope
from bcompare.methods.base import Interval
from bcompare.methods.hierarchical.model import HierarchicalDatasets
from bcompare.plots.figure import drawing
from bcompare.plots.forest import Estimates
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import FAINT, INK, LEFT, RIGHT, Pair
from bcompare.plots.page import check_rows
from bcompare.plots.rows import Rows, draw_rows, side_legend
from bcompare.plots.sheet import Sheet
from bcompare.plots.subject import LEVEL, names_of, pair_of, title_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW_HEIGHT = 0.22
# The shortest arrow, in inches.
SHORTEST = 0.11
# Of each verdict its mark, its colour, and how it is written in the legend.
VERDICTS: dict[Decision, tuple[str, str, str]] = {
    "left": ("<", LEFT.face, "◀"),
    "right": (">", RIGHT.face, "▶"),
    "rope": ("s", INK, "■"),
    "none": ("D", "white", "◇"),
}


def draw_shrinkage_of(study: ComparisonSet, sheet: Sheet) -> "Figure":
    """One pair on its data sets, each by itself and as the hierarchical model has it."""
    (comparison,) = study.comparisons
    result = cast("HierarchicalDatasets", comparison.result.datasets)
    low, high = result.delta_intervals[LEVEL].T
    # The largest shrunken difference on top, so that the shift is seen at a glance.
    order = np.argsort(-result.delta_mean, kind="stable").tolist()
    names = names_of(comparison)
    return draw_shrinkage(
        pair_of(study, comparison),
        [names[i] for i in order],
        result.mean_difference[order],
        Estimates(result.delta_mean[order], Interval(LEVEL, low, high).chosen(order)),
        [comparison.dataset_decisions[i] for i in order],
        study.rope,
        sheet,
    )


def draw_shrinkage(
    pair: Pair,
    datasets: Sequence[str],
    raw: FloatArray,
    shrunken: Estimates,
    verdicts: Sequence[Decision],
    rope: Rope,
    sheet: Sheet,
) -> "Figure":
    """Picture of one pair on q data sets, one row each in the order given.

    Parameters
    ----------
    pair : the classifiers.
    datasets : q names.
    raw : (q,) mean differences, each from the data set by itself.
    shrunken : from all data sets together.
    verdicts : q, of the marks.
    rope : drawn as a band.

    Raises
    ------
    InputError : no data set, or more than a page can hold.
    ComputationError : matplotlib is not installed.
    """
    check_rows(len(datasets))
    with drawing(sheet.text):
        legend = [*side_legend(pair, rope)[2:], *_legend(pair, shrunken, verdicts)]
        head = Head(title_of(pair, len(datasets)), legend)
        rows = draw_rows(sheet, head, datasets, pair.difference, row=ROW_HEIGHT, rope=rope)
        _draw_arrows(rows, raw, shrunken, verdicts)
    return rows.page.figure


def _legend(pair: Pair, shrunken: Estimates, verdicts: Sequence[Decision]) -> list[Entry]:
    """The marks of all verdicts that occur, with their numbers."""
    meaning: dict[Decision, str] = {
        "left": f"{pair.left} better",
        "rope": "equivalent",
        "right": f"{pair.right} better",
        "none": "undecided",
    }
    interval = f"{100 * shrunken.interval.level:g} % interval"
    legend: list[Entry] = [
        ("○", "mean difference of the data set by itself"),
        ("→", f"shrunken: informed by the other data sets, with its {interval}, and its verdict:"),
    ]
    for verdict, (_, _, character) in VERDICTS.items():
        if count := list(verdicts).count(verdict):
            sets = "data set" if count == 1 else "data sets"
            legend.append((character, f"{meaning[verdict]}: {count} {sets}"))
    return legend


def _draw_arrows(
    place: Rows, raw: FloatArray, shrunken: Estimates, verdicts: Sequence[Decision]
) -> None:
    """Draw what each data set says, where it is drawn to, and what is decided there."""
    axes, rows = place.axes, place.at
    ends = shrunken.interval
    axes.hlines(rows, ends.low, ends.high, color=FAINT, linewidth=1.2)
    axes.plot(
        raw, rows, linestyle="none", marker="o", markersize=4.5, color=INK,
        markerfacecolor="white", markeredgewidth=0.8,
    )  # fmt: skip
    low, high = axes.get_xlim()
    inch = (high - low) / place.width
    arrow: dict[str, Any] = {
        "arrowstyle": "-|>,head_width=0.12,head_length=0.25",
        "color": INK,
        "linewidth": 0.9,
    }
    arrow |= {"shrinkA": 2.5, "shrinkB": 3.0}
    for row, start, end in zip(rows, raw, shrunken.mean, strict=True):
        if abs(end - start) > SHORTEST * inch:  # no room for a head between nearer marks
            axes.annotate("", (end, row), (start, row), arrowprops=arrow)
    for verdict, (marker, color, _) in VERDICTS.items():
        at = [i for i, found in enumerate(verdicts) if found == verdict]
        axes.plot(
            shrunken.mean[at], rows[at], linestyle="none", marker=marker, markersize=5.5,
            color=INK, markerfacecolor=color, markeredgewidth=0.8,
        )  # fmt: skip
