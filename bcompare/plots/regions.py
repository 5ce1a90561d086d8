"""Many pairs: the three probabilities of each as one bar."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.plots.figure import drawing
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import LEFT, RIGHT, ROPE, equivalent
from bcompare.plots.page import check_rows
from bcompare.plots.rows import Column, Rows, draw_rows
from bcompare.plots.sheet import Sheet
from bcompare.report.number import probability

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW_HEIGHT, BAR = 0.3, 0.72
# A part of a bar that is not so much wider than its number, in inches, holds none.
BESIDE_NUMBER = 0.12


def draw_regions(
    title: str,
    pairs: Sequence[tuple[str, str]],
    probabilities: RegionProbabilities[FloatArray],
    rope: Rope,
    sheet: Sheet,
) -> "Figure":
    """Picture of m pairs: a bar each, the left classifier's share on the left.

    Parameters
    ----------
    title : what was compared, and how.
    pairs : m names (left, right), in the order of the rows.
    probabilities : arrays of shape (m,).
    rope : what counted as equivalent.

    Raises
    ------
    InputError : no pair, or more than a page can hold.
    ComputationError : matplotlib is not installed.
    """
    check_rows(len(pairs))
    lefts, rights = zip(*pairs, strict=True)
    with drawing(sheet.text):
        legend: list[Entry] = [(LEFT, "left better"), (RIGHT, "right better")]
        if not rope.is_empty:
            legend.insert(1, (ROPE, equivalent(rope)))
        head = Head(title.split(), legend)
        rows = draw_rows(
            sheet, head, lefts, ["probability"], row=ROW_HEIGHT, columns=[Column(rights)],
            ends=(0.0, 0.0),
        )  # fmt: skip
        _draw_bars(rows, probabilities)
    return rows.page.figure


def _draw_bars(rows: Rows, probabilities: RegionProbabilities[FloatArray]) -> None:
    start = np.zeros(len(rows.at))
    for look, share in (
        (LEFT, probabilities.left),
        (ROPE, probabilities.rope),
        (RIGHT, probabilities.right),
    ):
        rows.axes.barh(rows.at, share, BAR, left=start, **look.fill)
        for at, middle, p in zip(rows.at, start + share / 2, share.tolist(), strict=True):
            words = probability(p)
            if p * rows.width >= rows.page.sheet.widest([words]) + BESIDE_NUMBER:
                rows.axes.text(middle, at, words, **look.label)
        start = start + share
    rows.axes.set_xlim(0, 1)
