"""How probable each verdict is, against how much data there is: a panel a kind of data."""

import math
from itertools import groupby

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bcompare.basis.printable import printable
from bcompare.planning.outlook import Plan, Prospect
from bcompare.plots.fills import INK, REGIONS, Entry
from bcompare.plots.numbers import select_labels
from bcompare.plots.page import OVERHANG, Head, Panels
from bcompare.plots.sheet import USUAL_TEXT, Sheet, text_width

HEIGHT, LEAST_PANEL, SCALE = 2.2, 2.0, 0.4
# Less than this of a panel cannot be seen.
VISIBLE = 0.005


def draw_outlook(plan: Plan, sheet: Sheet) -> Figure:
    """Draw bands of left better, equivalent and right better; undecided stays white."""
    (outlook,) = plan.outlooks
    left, right = printable(outlook.case.left), printable(outlook.case.right)
    panels = [
        (of, [p for p in several if p.amount.count is not None])
        for of, several in groupby(outlook.prospects, key=lambda p: p.amount.of)
    ]
    names = (f"{left} better", "equivalent", f"{right} better")
    legend: list[Entry] = list(zip(REGIONS.values(), names, strict=True))
    title = (left, f"– {right}:", "how probable each verdict is with more data")
    head = Head(title, (*legend, ("□", "undecided")))
    largest = [f"{p.amount.count:,}" for _, several in panels for p in several]
    beyond = max(OVERHANG, text_width(max(largest, key=len), USUAL_TEXT) / 2)
    grid = Panels.of(sheet, len(panels), LEAST_PANEL, left=OVERHANG + SCALE, right=beyond)
    tall = sheet.tall(HEIGHT)
    step = tall + sheet.label_height([""])
    page = head.page(sheet, grid.rows(len(panels)) * step)
    for i, (of, prospects) in enumerate(panels):
        row, start = grid.place(i)
        axes = page.axes(start, row * step, grid.panel, tall, [f"{of} in all"])
        _draw_panel(axes, prospects, sheet, grid.panel)
        if start == grid.left:
            axes.set_ylabel("probability of the verdict", color=INK)
    return page.figure


def _draw_panel(axes: Axes, prospects: list[Prospect], sheet: Sheet, width: float) -> None:
    """Draw the bands; `width` is that of the axes, in inches."""
    counts = [p.amount.count or 0 for p in prospects]
    below = [0.0] * len(prospects)
    for name, look in REGIONS.items():
        above = [b + getattr(p, name) for b, p in zip(below, prospects, strict=True)]
        axes.fill_between(counts, below, above, **look.fill)
        below = above
    axes.plot(counts, below, color=INK, linewidth=0.7)
    if max(below) < VISIBLE:
        axes.text(
            0.5, 0.5, "undecided throughout", transform=axes.transAxes, ha="center", color=INK
        )
    axes.set_xscale("log")
    axes.set_xlim(counts[0], counts[-1])
    axes.set_ylim(0, 1)
    words = [f"{n:,}" for n in counts]
    whole = math.log(counts[-1] / counts[0])
    at = [width * math.log(n / counts[0]) / whole for n in counts]
    shown = select_labels(at, words, sheet.text)
    axes.set_xticks(counts, [word if k in shown else "" for k, word in enumerate(words)])
    axes.minorticks_off()
