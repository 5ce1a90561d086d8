"""A few classifiers on one data set: their scores side by side, and how they are correlated.

After scikit-learn's example "Statistical comparison of models using grid search".
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bcompare.family import Family, OneDataset
from bcompare.plots.figure import drawing
from bcompare.plots.head import Head
from bcompare.plots.look import FAINT, INK, LEFT, RIGHT
from bcompare.plots.page import (
    MARGIN,
    OVERHANG,
    TITLE_SIZE,
    axes_at,
    label_height,
    lines_within,
    name_rows,
    names_width,
    page,
    widest,
)
from bcompare.report.table import printable
from bcompare.rope import FloatArray
from bcompare.units import ROWS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT, SCALE = 6.4, 2.8, 0.5
CORRELATION = "correlation of the scores"
CELL, CELL_WIDTH, HEADING = 0.24, 0.5, 0.5
# Each classifier's line: its mark, its character in the legend and its style.
LINES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("●", {"marker": "o", "color": LEFT.face, "linestyle": "-"}),
    ("▲", {"marker": "^", "color": RIGHT.face, "linestyle": "--"}),
    ("■", {"marker": "s", "color": "#009E73", "linestyle": ":"}),
    ("◆", {"marker": "D", "color": "#CC79A7", "linestyle": "-."}),
    ("▼", {"marker": "v", "color": "#56B4E9", "linestyle": "-"}),
    ("✕", {"marker": "x", "color": INK, "linestyle": "--"}),
    ("✚", {"marker": "P", "color": "#D55E00", "linestyle": ":"}),
)


def draw_folds_of(family: Family) -> "Figure":
    """The scores of all classifiers on the only data set."""
    lone = cast("OneDataset", family.lone)
    names = [printable(name) for name in family.best.classifiers]
    rows = ROWS[family.scores.unit]
    return draw_folds(names, printable(lone.name), lone.scores, lone.correlation, rows)


def draw_folds(
    names: Sequence[str], dataset: str, scores: FloatArray, correlation: FloatArray, rows: str
) -> "Figure":
    """Picture of c classifiers on one data set.

    Parameters
    ----------
    names : of the classifiers, as many as there are marks at the most.
    dataset : its name.
    scores : (n, c).
    correlation : (c, c) of the scores; NaN where there is none.
    rows : what the scores are of, such as "folds".

    Raises
    ------
    ComputationError : matplotlib is not installed.
    """
    with drawing():
        room = WIDTH - 2 * MARGIN
        title = lines_within(room, ["Scores", f"on {dataset}"], TITLE_SIZE, "bold")
        legend = [(LINES[k][0], name) for k, name in enumerate(names)]
        head = Head(tuple(title), tuple(legend))
        label = (f"{rows}, from the hardest to the easiest",)
        beside = MARGIN + names_width(names)
        table = max(len(names) * CELL_WIDTH, widest([CORRELATION], weight="bold"))
        matrix = beside + table + MARGIN
        left = MARGIN + SCALE
        width = max(WIDTH, head.width, matrix)
        below = head.height + HEIGHT + label_height(label) + HEADING
        figure = page(width, below + len(names) * CELL + MARGIN)
        head.draw(figure)
        axes = axes_at(figure, left, head.height, width - left - MARGIN - OVERHANG, HEIGHT)
        _draw_lines(axes, scores)
        axes.set_xlabel(label[0], color=INK)
        size = len(names) * CELL_WIDTH, len(names) * CELL
        _draw_matrix(axes_at(figure, beside, below, *size), names, correlation)
    return figure


def _draw_lines(axes: "Axes", scores: FloatArray) -> None:
    """A line a classifier; the rows by their mean score, so that lines that go together show."""
    order = np.argsort(scores.mean(axis=1), kind="stable")
    at = np.arange(1, len(scores) + 1)
    for k, (_, look) in enumerate(LINES[: scores.shape[1]]):
        every = max(1, len(scores) // 25)
        axes.plot(at, scores[order, k], linewidth=0.9, markersize=4.5, markevery=every, **look)
    axes.set_xlim(0.5, len(scores) + 0.5)
    axes.locator_params(axis="x", integer=True)
    axes.set_ylabel("score", color=INK)


def _draw_matrix(axes: "Axes", names: Sequence[str], correlation: FloatArray) -> None:
    """The correlations as numbers, a column headed by the mark of its classifier."""
    c = len(names)
    axes.set_xlim(-0.5, c - 0.5)
    axes.set_ylim(c - 0.5, -0.5)
    axes.set_xticks([])
    name_rows(axes, names)
    axes.spines["bottom"].set_visible(False)
    axes.text(-0.5, -2.0 + 0.5, CORRELATION, color=INK, weight="bold", va="center")
    look: dict[str, Any] = {"ha": "center", "va": "center"}
    for column in range(c):
        axes.text(column, -0.8, LINES[column][0], color=INK, **look)
        for row in range(c):
            value = correlation[row, column]
            words = "–" if np.isnan(value) else f"{value:.2f}".replace("-", "−")
            color = FAINT if row == column else INK
            axes.text(column, row, words, color=color, **look)
