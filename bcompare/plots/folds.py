"""A few classifiers on one data set: their scores side by side, and their correlations.

After scikit-learn's example "Statistical comparison of models using grid search". Lines in one
frame would hide one another, so each classifier has its own frame with the mean of all: a frame
shows whether classifiers move together, and the frames side by side which one is better.
"""

from collections.abc import Sequence
from typing import cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bcompare.basis.messages import Record
from bcompare.data.rope import FloatArray
from bcompare.data.scores import DatasetScores
from bcompare.plots.fills import FAINT, INK, minus
from bcompare.plots.page import (
    NAMES_GAP,
    OVERHANG,
    Page,
    classifiers,
    domain,
    name_rows,
    space_rows,
)
from bcompare.plots.sheet import Sheet
from bcompare.ranking.family import Family, correlations
from bcompare.report.table import decimals_for

HEIGHT, SCALE = 0.75, 0.5
CORRELATION = "correlation of the scores"
CELL, CELL_WIDTH, BETWEEN, HEADING = 0.24, 0.44, 0.04, 0.5
# The largest share of the sheet's width for names next to the correlations.
NAMES = 0.4
# The sizes of markers, in points.
SMALLEST, LARGEST = 1.4, 2.6
# With more points than this, each is the mean of several, since they would overlap.
MOST_POINTS = 120


def draw_folds(family: Family, sheet: Sheet) -> Figure:
    """Draw the scores of all classifiers on the only data set, and their correlations."""
    lone, order = cast("DatasetScores", family.lone), list(family.best.order)
    names = classifiers(family, order)
    scores, correlated = (
        family.signed(lone.table)[:, order],
        correlations(lone)[np.ix_(order, order)],
    )
    c = len(names)
    ordered = _ordered(scores, lower_is_better=family.scores.lower_is_better)
    at = np.linspace(1, len(scores), len(ordered))
    each = "each a score"
    if len(ordered) < len(scores):
        each = f"each the mean of about {round(len(scores) / len(ordered))} scores"
    page = Page(
        sheet,
        ["Scores", domain(family)],
        [
            ("●", f"{each}; above the mean of all classifiers"),
            ("○", f"{each}; not above it"),
            ("━", "the mean of all classifiers"),
        ],
    )
    left = sheet.margin + sheet.scaled(SCALE)
    width = sheet.width - left - sheet.margin - sheet.scaled(OVERHANG)
    label = sheet.lines(f"{family.scores.unit.rows}, from the hardest to the easiest", width)
    numbers = [str(k) for k in range(1, c + 1)]
    tall, gap = sheet.tall(HEIGHT), sheet.scaled(NAMES_GAP)
    for k, mean in enumerate(scores.mean(axis=0).tolist()):
        written = minus(f"mean {mean:.{decimals_for(abs(mean))}f}")
        title = sheet.lines([numbers[k], f"{names[k]}:", written], sheet.inner)
        page.write_lines(sheet.margin, title)
        top, is_last = page.end, k == c - 1
        axes = page.axes(left, width, tall, label if is_last else ())
        _draw_scores(axes, at, ordered, k, 72 * width / len(at))
        axes.tick_params(axis="x", labelbottom=is_last)
        page.end = top + (tall + gap)
    page.end += sheet.ticks + sheet.height(label) + sheet.margin - gap
    page.write(sheet.margin, sheet.scaled(HEADING) - 2 * sheet.line, CORRELATION, weight="bold")
    page.end += sheet.scaled(HEADING)
    words = [
        ["–" if np.isnan(value) else minus(f"{value:.2f}") for value in row] for row in correlated
    ]
    least = sheet.widest_of(words, sheet.small) + BETWEEN
    room = min(NAMES * sheet.width, sheet.inner - gap - c * least)
    named = [sheet.lines(f"{k} {name}", room) for k, name in zip(numbers, names, strict=True)]
    cell = sheet.scaled(CELL)
    rows, total = space_rows(sheet, cell, named)
    start = sheet.margin + gap + sheet.widest_of(named)
    wide = min(sheet.scaled(CELL_WIDTH), (sheet.width - sheet.margin - start) / c)
    axes = page.axes(start, c * wide, total * cell)
    axes.set_xlim(-0.5, c - 0.5)
    axes.set_ylim(total - 0.5, -0.5)
    name_rows(axes, rows, named, gap)
    _draw_matrix(axes, numbers, rows, words, sheet.small)
    return page.finish()


def _ordered(scores: FloatArray, *, lower_is_better: bool) -> FloatArray:
    """Return (m, c) scores from the hardest row to the easiest; many rows are grouped."""
    hardest = (-1 if lower_is_better else 1) * scores.mean(axis=1)
    parts = np.array_split(
        scores[np.argsort(hardest, kind="stable")], min(len(scores), MOST_POINTS)
    )
    return np.array([part.mean(axis=0) for part in parts])


def _draw_scores(axes: Axes, at: FloatArray, scores: FloatArray, k: int, apart: float) -> None:
    """Draw the scores of one classifier, `apart` points apart, each joined to the mean of all."""
    mean, own = scores.mean(axis=1), scores[:, k]
    nothing = np.full(len(at), np.nan)
    x, y = (np.column_stack(ends).ravel() for ends in ((at, at, nothing), (mean, own, nothing)))
    axes.plot(x, y, color=INK, linewidth=0.6)
    axes.plot(at, mean, color=FAINT, linewidth=1.6, zorder=1.5)
    look: Record = {
        "markersize": min(LARGEST, max(SMALLEST, apart)),
        "markeredgewidth": 0.6,
    }
    for is_above, face in ((own > mean, INK), (own <= mean, "white")):
        axes.plot(at[is_above], own[is_above], "o", color=INK, markerfacecolor=face, **look)
    axes.set_xlim(at[0] - 0.5, at[-1] + 0.5)
    low, high = float(scores.min()), float(scores.max())
    room = 0.08 * (high - low or 1.0)
    axes.set_ylim(low - room, high + room)
    axes.locator_params(axis="x", integer=True)
    axes.locator_params(axis="y", nbins=3)


def _draw_matrix(
    axes: Axes, numbers: Sequence[str], at: FloatArray, words: list[list[str]], size: float
) -> None:
    """Draw the correlations as numbers; headings are the numbers of the classifiers."""
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    look: Record = {"ha": "center", "va": "center", "size": size}
    for column, number in enumerate(numbers):
        axes.text(column, -0.9, number, color=INK, **look)
        for row, y in enumerate(at):
            axes.text(column, y, words[row][column], color=FAINT if row == column else INK, **look)
