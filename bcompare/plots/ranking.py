"""A family of classifiers, a row each: its regret, its place, its probability of being best."""

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bcompare.basis.printable import printable
from bcompare.comparing.family import Family
from bcompare.data.rope import Rope, uncertain
from bcompare.plots.figure import drawing
from bcompare.plots.fills import FAINT, INK, LEFT, ROPE, Entry
from bcompare.plots.names import domain
from bcompare.plots.page import Page
from bcompare.plots.rows import ROW, draw_estimates, draw_rows
from bcompare.plots.sheet import WIDTHS, Sheet
from bcompare.report.family import P_BEST, SPAN, TIER, WITHIN, standings
from bcompare.report.number import probability

REGRET = ("regret: mean score lost", "against the best of each data set")
# A row with a bar, the bar and the one in it.
BAR_ROW, BAR, INNER = 0.26, 0.72, 0.36
# More rows than this are as low as their text, and that is smaller, to be seen at once on a page.
MOST_HIGH, LOW, SMALLER = 40, 0.155, 7.5


def draw_regret(family: Family, sheet: Sheet) -> Figure:
    """Draw what it costs to take each classifier; within the rope one is practically the best."""
    best, rope = family.best, family.rope
    order = list(best.order)
    interval = best.regret_interval.chosen(order)
    legend: list[Entry] = [("●", f"expected regret, {100 * interval.level:g} % interval")]
    if not rope.is_empty:
        legend.append((ROPE, f"within the rope: up to {rope.high:g}"))
    page = Page(sheet, ["What it costs to take each", f"classifier {domain(family)}"], legend)
    names = [printable(best.classifiers[k]) for k in order]
    columns = [(P_BEST.heading, [probability(uncertain(best.p_best[k])) for k in order])]
    rows = draw_rows(page, names, REGRET, columns=columns, rope=Rope(0.0, rope.high))
    draw_estimates(*rows, best.regret[order], interval)
    return page.finish()


def draw_places(family: Family, sheet: Sheet) -> Figure:
    """Draw the 95 % interval of each place, the one that holds with all others, and the tiers."""
    places, rows = family.best.places, standings(family)
    legend: list[Entry] = [
        ("●", f"place, {100 * places.interval.level:g} % interval"),
        ("─", "all places at once are in these"),
    ]
    if family.tiers.max() > 1:
        legend.append((ROPE, "every other tier"))
    page = Page(sheet, ["Places by average score", domain(family)], legend)
    columns = [(field.heading, [str(field.cell(row)) for row in rows]) for field in (TIER, SPAN)]
    names = [printable(row.classifier) for row in rows]
    is_long = len(rows) > MOST_HIGH
    if is_long and sheet.width >= WIDTHS["page"]:
        page.sheet = replace(sheet, text=min(sheet.text, SMALLER))
    with drawing(page.sheet.text):
        axes, at = draw_rows(page, names, ["place"], row=LOW if is_long else ROW, columns=columns)
    order = [row.k for row in rows]
    even = np.diff(np.pad(family.tiers[order] % 2 == 0, 1).astype(int))
    edges = [-0.5]
    for y in at.tolist():  # the middles of rows, which may be of different height
        edges.append(2 * y - edges[-1])
    for first, last in zip(*(np.flatnonzero(even == side) for side in (1, -1)), strict=True):
        axes.axhspan(edges[first], edges[last], color=ROPE.face, linewidth=0, zorder=0)
    for interval, color, width in ((places.joint, FAINT, 0.8), (places.interval, INK, 2.0)):
        axes.hlines(at, interval.low[order], interval.high[order], color=color, linewidth=width)
    axes.plot([row.place for row in rows], at, "o", markersize=4.0, color=INK, clip_on=False)
    axes.set_xlim(0.5, len(rows) + 0.5)
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))
    return page.finish()


def draw_family(family: Family, sheet: Sheet) -> Figure:
    """Draw for each classifier a narrow bar for best in a broad one for practically best."""
    order = np.argsort(-family.best.p_best, kind="stable")
    names = [printable(family.best.classifiers[k]) for k in order]
    best, within = family.best.p_best[order], family.best.p_practically_best[order]
    has_rope = not family.rope.is_empty
    legend: list[Entry] = [(LEFT, "best")]
    columns = [(P_BEST.heading, [probability(uncertain(p)) for p in best])]
    if has_rope:
        legend.append((ROPE, f"best, or within the rope of it: {family.rope.high:g}"))
        columns.append((WITHIN.heading, [probability(uncertain(p)) for p in within]))
    page = Page(sheet, ["Which classifier", "is best", domain(family)], legend)
    label = ["probability"] if family.lone is not None else ["probability", "on the next data set"]
    axes, at = draw_rows(page, names, label, row=BAR_ROW, columns=columns, ends=(0.0, 0.0))
    if has_rope:
        axes.barh(at, within, BAR, **{**ROPE.fill, "edgecolor": INK, "linewidth": 0.5})
    axes.barh(at, best, INNER, **LEFT.fill)
    axes.set_xlim(0, 1)
    return page.finish()
