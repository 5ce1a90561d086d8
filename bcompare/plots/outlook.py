"""How probable each verdict is, against how much data there is: a panel a kind of data."""

from itertools import groupby
from typing import TYPE_CHECKING

from bcompare.planning.outlook import Plan, Prospect
from bcompare.plots.figure import drawing
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import INK, LEFT, RIGHT, ROPE
from bcompare.plots.page import MARGIN, axes_at, page
from bcompare.report.table import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT, GAP = 2.9, 2.2, 0.75
BELOW, BESIDE = 0.6, 0.65
BANDS = (("left", LEFT), ("rope", ROPE), ("right", RIGHT))


def draw_outlook_of(plan: Plan) -> "Figure":
    """Stacked bands: left better, equivalent, right better; what is left white is undecided."""
    (outlook,) = plan.outlooks
    panels = [
        (of, [p for p in several if p.amount.count is not None])
        for of, several in groupby(outlook.prospects, key=lambda p: p.amount.of)
    ]
    left, right = printable(outlook.case.left), printable(outlook.case.right)
    names = (f"{left} better", "equivalent", f"{right} better")
    legend: list[Entry] = [(look, name) for name, (_, look) in zip(names, BANDS, strict=True)]
    title = (f"{left} – {right}", "How probable each verdict is with more data")
    with drawing():
        head = Head(title, (*legend, ("□", "undecided")))
        count = len(panels)
        width = BESIDE + count * WIDTH + (count - 1) * GAP + MARGIN
        figure = page(max(width, head.width), head.height + HEIGHT + BELOW)
        head.draw(figure)
        for i, (of, prospects) in enumerate(panels):
            axes = axes_at(figure, BESIDE + i * (WIDTH + GAP), head.height, WIDTH, HEIGHT)
            _panel(axes, of, prospects)
            if i == 0:
                axes.set_ylabel("probability of the verdict", color=INK)
    return figure


def _panel(axes: "Axes", of: str, prospects: list[Prospect]) -> None:
    counts = [p.amount.count or 0 for p in prospects]
    below = [0.0] * len(prospects)
    for name, look in BANDS:
        above = [b + getattr(p, name) for b, p in zip(below, prospects, strict=True)]
        axes.fill_between(counts, below, above, **look.fill)
        below = above
    axes.plot(counts, below, color=INK, linewidth=0.7)
    axes.set_xscale("log")
    axes.set_xticks(counts, [f"{n:,}" for n in counts])
    axes.minorticks_off()
    axes.set_xlim(counts[0], counts[-1])
    axes.set_ylim(0, 1)
    axes.set_xlabel(f"{of} in all", color=INK)
