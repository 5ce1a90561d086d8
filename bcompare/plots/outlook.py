"""The probability of each verdict against the amount of data, a panel for each kind of data."""

import math
from itertools import groupby

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bcompare.basis.names import shown_by
from bcompare.planning.outlook import Plan, Prospect
from bcompare.plots.fills import INK, REGIONS, Entry, select_labels, width_of
from bcompare.plots.page import OVERHANG, Page
from bcompare.plots.sheet import USUAL_TEXT, Sheet, text_width
from bcompare.report.claims import verdict

HEIGHT, LEAST_PANEL, SCALE = 2.2, 2.0, 0.4
# Smaller shares of a panel are invisible.
VISIBLE = 0.005


def draw_outlook(plan: Plan, sheet: Sheet) -> Figure:
    """Draw bands of left better, equivalent and right better; undecided stays white."""
    (outlook,) = plan.outlooks
    show = shown_by(plan.study.scores.classifiers)
    one, other = show(outlook.case.left), show(outlook.case.right)
    known = [p for p in outlook.prospects if p.amount.count is not None]
    panels = [
        (name, [(p.amount.count or 0, p) for p in several])
        for name, several in groupby(known, key=lambda p: f"{p.amount.of} in all")
    ]
    legend: list[Entry] = [(look, verdict(name, one, other)) for name, look in REGIONS.items()]
    title = (one, f"– {other}:", "how probable each verdict is with more data")
    page = Page(sheet, title, (*legend, ("□", verdict("none", one, other))))
    largest = [f"{count:,}" for _, several in panels for count, _ in several]
    beyond = max(OVERHANG, text_width(max(largest, key=len), USUAL_TEXT) / 2)
    labels = [[name] for name, _ in panels]
    left = OVERHANG + SCALE
    all_axes = page.panels(LEAST_PANEL, sheet.tall(HEIGHT), labels, left=left, right=beyond)
    start = all_axes[0].get_position().x0
    for axes, (_, steps) in zip(all_axes, panels, strict=True):
        _draw_panel(axes, sorted(steps, key=lambda step: step[0]), sheet)
        if axes.get_position().x0 == start:
            axes.set_ylabel("probability of the verdict", color=INK)
    return page.finish()


def _draw_panel(axes: Axes, steps: list[tuple[int, Prospect]], sheet: Sheet) -> None:
    """Draw the bands, and below them the counts that fit."""
    words = [f"{n:,}" for n, _ in steps]
    if len(steps) == 1:  # a band needs two ends
        steps, words = [steps[0], (steps[0][0] + 1, steps[0][1])], [*words, ""]
    counts, prospects = zip(*steps, strict=True)
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
    whole = math.log(counts[-1] / counts[0])
    at = [width_of(axes) * math.log(n / counts[0]) / whole for n in counts]
    shown = select_labels(at, words, sheet.text)
    axes.set_xticks(counts, [word if k in shown else "" for k, word in enumerate(words)])
    axes.minorticks_off()
