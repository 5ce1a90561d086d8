"""Many pairs: the three probabilities of each as one bar."""

import numpy as np
from matplotlib.figure import Figure

from bcompare.comparing.comparison import ComparisonSet
from bcompare.plots.fills import REGIONS, region_legend
from bcompare.plots.names import lefts_and_rights
from bcompare.plots.numbers import width_of
from bcompare.plots.page import Page
from bcompare.plots.rows import draw_rows
from bcompare.plots.sheet import Sheet
from bcompare.report.number import probability

ROW_HEIGHT, BAR = 0.3, 0.72
# A part of a bar must be wider than its number by this, in inches.
NUMBER_GAP = 0.12


def draw_regions(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw a bar for each pair, the left classifier's share on the left."""
    lefts, rights = lefts_and_rights(study)
    page = Page(sheet, study.method.title.split(), region_legend(study.rope, "left", "right"))
    columns, ends = [("", rights)], (0.0, 0.0)
    axes, rows = draw_rows(page, lefts, ["probability"], row=ROW_HEIGHT, columns=columns, ends=ends)
    width = width_of(axes)
    answers = [p for c in study.comparisons if (p := c.shown) is not None]
    start = np.zeros(len(answers))
    for name, fill in REGIONS.items():
        share = np.array([getattr(p, name) for p in answers])
        axes.barh(rows, share, BAR, left=start, **fill.fill)
        for at, middle, p in zip(rows, start + share / 2, share.tolist(), strict=True):
            words = probability(p)
            if p * width >= sheet.widest([words]) + NUMBER_GAP:
                axes.text(middle, at, words, **fill.label)
        start = start + share
    axes.set_xlim(0, 1)
    return page.finish()
