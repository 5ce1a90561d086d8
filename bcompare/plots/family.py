"""A family of classifiers: how probably each is the best one, and practically as good."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bcompare.comparing.family import Family
from bcompare.data.rope import FloatArray, Rope
from bcompare.plots.figure import drawing
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import INK, LEFT, ROPE
from bcompare.plots.page import check_rows
from bcompare.plots.regret import where
from bcompare.plots.rows import Column, Rows, draw_rows
from bcompare.plots.sheet import Sheet
from bcompare.report.number import probability
from bcompare.report.table import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW_HEIGHT, BAR, INNER = 0.26, 0.72, 0.36


def draw_family_of(family: Family, sheet: Sheet) -> "Figure":
    """The probabilities of being best and practically best of every classifier."""
    best = family.best
    order = np.argsort(-best.p_best, kind="stable")
    names = [printable(best.classifiers[k]) for k in order]
    within = best.p_practically_best[order]
    alone = family.lone is not None
    found = best.p_best[order]
    return draw_family(names, found, within, family.rope, where(family), sheet, alone=alone)


def draw_family(
    names: Sequence[str],
    best: FloatArray,
    within: FloatArray,
    rope: Rope,
    on: str,
    sheet: Sheet,
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
    with drawing(sheet.text):
        legend: list[Entry] = [(LEFT, "best")]
        columns = [Column([probability(p) for p in best.tolist()], "best")]
        if not rope.is_empty:
            legend.append((ROPE, f"within {rope.high:g} of the best, or best"))
            columns.append(Column([probability(p) for p in within.tolist()], "within"))
        head = Head(["Which classifier", "is best", on], legend)
        label = ["probability"] if alone else ["probability", "on the next data set"]
        rows = draw_rows(
            sheet, head, names, label, row=ROW_HEIGHT, columns=columns, ends=(0.0, 0.0)
        )
        _draw_bars(rows, best, None if rope.is_empty else within)
    return rows.page.figure


def _draw_bars(rows: Rows, best: FloatArray, within: FloatArray | None) -> None:
    """A broad bar for practically best, a narrow one in it for best."""
    if within is not None:
        look = {**ROPE.fill, "edgecolor": INK, "linewidth": 0.5}
        rows.axes.barh(rows.at, within, BAR, **look)
    rows.axes.barh(rows.at, best, INNER, **LEFT.fill)
    rows.axes.set_xlim(0, 1)
