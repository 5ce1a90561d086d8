"""A family of classifiers: how probably each is the best one, and practically as good."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bcompare.family import Family
from bcompare.plots.figure import drawing
from bcompare.plots.forest import HAIRLINE, PLOT_WIDTH, ROWS_WITH_TICKS_ABOVE
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import INK, LEFT, ROPE
from bcompare.plots.page import (
    LINE,
    MARGIN,
    OVERHANG,
    TEXT_SIZE,
    TICKS,
    TITLE_SIZE,
    axes_at,
    check_rows,
    label_axis,
    label_height,
    lines_within,
    name_rows,
    names_width,
    page,
    widest,
)
from bcompare.plots.regret import where
from bcompare.report.number import probability
from bcompare.report.table import printable
from bcompare.rope import FloatArray, Rope

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW_HEIGHT, BAR, INNER = 0.26, 0.72, 0.36
LABEL = ("probability on the next data set",)
HEADINGS = ("best", "within")
COLUMN_GAP = 0.12


def draw_family_of(family: Family) -> "Figure":
    """The probabilities of being best and practically best of every classifier."""
    best = family.best
    order = np.argsort(-best.p_best, kind="stable")
    names = [printable(best.classifiers[k]) for k in order]
    within = best.p_practically_best[order]
    alone = family.lone is not None
    return draw_family(names, best.p_best[order], within, family.rope, where(family), alone=alone)


def draw_family(
    names: Sequence[str],
    best: FloatArray,
    within: FloatArray,
    rope: Rope,
    on: str,
    *,
    alone: bool = False,
) -> "Figure":
    """Picture of c classifiers, one row each in the order given.

    Parameters
    ----------
    names : of the classifiers.
    best : (c,) probability of being the best.
    within : (c,) probability of being within the rope of the best.
    rope : said in the legend.
    on : what the probabilities are about, such as "on 25 data sets".
    alone : they are about one data set, not about the next.

    Raises
    ------
    InputError : no classifier, or more than a page can hold.
    ComputationError : matplotlib is not installed.
    """
    check_rows(len(names))
    with drawing():
        words = ["Which classifier", "is best", on]
        title = lines_within(PLOT_WIDTH, words, TITLE_SIZE, "bold")
        legend: list[Entry] = [(LEFT, "best")]
        if not rope.is_empty:
            legend.append((ROPE, f"within {rope.high:g} of the best, or best"))
        head = Head(tuple(title), tuple(legend))
        label = ("probability",) if alone else LABEL
        columns = [[HEADINGS[0], *map(probability, best.tolist())]]
        if not rope.is_empty:
            columns.append([HEADINGS[1], *map(probability, within.tolist())])
        widths = [widest(column) + COLUMN_GAP for column in columns]
        left = MARGIN + names_width(names)
        right = MARGIN + sum(widths) + OVERHANG
        width = max(PLOT_WIDTH, widest(label), head.width - left - right)
        top = head.height + LINE + (TICKS if len(names) >= ROWS_WITH_TICKS_ABOVE else 0)
        height = len(names) * ROW_HEIGHT
        figure = page(left + width + right, top + height + label_height(label))
        head.draw(figure)
        axes = axes_at(figure, left, top, width, height)
        _draw_bars(axes, best, None if rope.is_empty else within)
        name_rows(axes, names)
        starts = (OVERHANG, OVERHANG + widths[0])
        for start, column in zip(starts, columns, strict=False):
            _write_column(axes, column, 1 + start / width)
        label_axis(axes, label)
    return figure


def _draw_bars(axes: "Axes", best: FloatArray, within: FloatArray | None) -> None:
    """A broad bar for practically best, a narrow one in it for best."""
    rows = np.arange(len(best))
    axes.hlines(rows, 0, 1, color=HAIRLINE, linewidth=0.5, zorder=0)
    if within is not None:
        axes.barh(rows, within, BAR, **{**ROPE.fill, "edgecolor": INK, "linewidth": 0.5})
    axes.barh(rows, best, INNER, **LEFT.fill)
    axes.set_xlim(0, 1)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    if len(rows) >= ROWS_WITH_TICKS_ABOVE:
        axes.tick_params(axis="x", top=True, labeltop=True)
        axes.spines["top"].set_visible(True)


def _write_column(axes: "Axes", column: Sequence[str], at: float) -> None:
    """A heading above the first row, and a number beside each."""
    for row, words in enumerate(column, start=-1):
        axes.text(
            at, row, words, transform=axes.get_yaxis_transform(), va="center", color=INK,
            fontsize=TEXT_SIZE,
        )  # fmt: skip
