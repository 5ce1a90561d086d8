"""A family of classifiers: how probably each is the best one, and practically as good."""

import numpy as np
from matplotlib.figure import Figure

from bcompare.basis.printable import printable
from bcompare.comparing.family import Family
from bcompare.data.rope import uncertain
from bcompare.plots.fills import INK, LEFT, ROPE, Entry
from bcompare.plots.names import domain
from bcompare.plots.page import Page
from bcompare.plots.rows import draw_rows
from bcompare.plots.sheet import Sheet
from bcompare.report.family import P_BEST, WITHIN
from bcompare.report.number import probability

ROW_HEIGHT, BAR, INNER = 0.26, 0.72, 0.36


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
    axes, at = draw_rows(page, names, label, row=ROW_HEIGHT, columns=columns, ends=(0.0, 0.0))
    if has_rope:
        look = {**ROPE.fill, "edgecolor": INK, "linewidth": 0.5}
        axes.barh(at, within, BAR, **look)
    axes.barh(at, best, INNER, **LEFT.fill)
    axes.set_xlim(0, 1)
    return page.finish()
