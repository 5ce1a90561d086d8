"""A family of classifiers: what it costs to take each, with its interval."""

from matplotlib.figure import Figure

from bcompare.basis.printable import printable
from bcompare.comparing.family import Family
from bcompare.data.rope import Rope, uncertain
from bcompare.plots.fills import ROPE, Entry
from bcompare.plots.forest import ROW_HEIGHT, draw_estimates
from bcompare.plots.names import domain
from bcompare.plots.page import Page
from bcompare.plots.rows import draw_rows
from bcompare.plots.sheet import Sheet
from bcompare.report.family import P_BEST
from bcompare.report.number import probability

LABEL = ("regret: mean score lost", "against the best of each data set")


def draw_regret(family: Family, sheet: Sheet) -> Figure:
    """Draw the regret of every classifier; within the rope one is practically the best."""
    best, rope = family.best, family.rope
    order = list(best.order)
    interval = best.regret_interval.chosen(order)
    legend: list[Entry] = [("●", f"expected regret, {100 * interval.level:g} % interval")]
    if not rope.is_empty:
        legend.append((ROPE, f"within the rope: up to {rope.high:g}"))
    page = Page(sheet, ["What it costs to take each", f"classifier {domain(family)}"], legend)
    names = [printable(best.classifiers[k]) for k in order]
    columns = [(P_BEST.heading, [probability(uncertain(best.p_best[k])) for k in order])]
    above = Rope(0.0, rope.high)
    rows = draw_rows(page, names, LABEL, row=ROW_HEIGHT, columns=columns, rope=above)
    draw_estimates(*rows, best.regret[order], interval)
    return page.finish()
