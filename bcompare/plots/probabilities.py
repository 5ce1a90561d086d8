"""The probabilities of the three regions: of each pair, under several ropes; and of counts."""

from typing import cast

import numpy as np
from matplotlib.figure import Figure

from bcompare.basis.messages import Record
from bcompare.comparing.compare import Sweep
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.comparing.decision import Decision, Threshold
from bcompare.methods.poisson_binomial import PoissonBinomialResult
from bcompare.plots.fills import (
    FAINT,
    INK,
    LEFT,
    REGIONS,
    RIGHT,
    ROPE,
    Entry,
    region_legend,
    width_of,
)
from bcompare.plots.page import OnePair, Page, draw_rows, lefts_and_rights
from bcompare.plots.sheet import Sheet
from bcompare.report.sentences import verdict
from bcompare.report.table import probability

ROW_HEIGHT, BAR = 0.3, 0.72
# A part of a bar must be wider than its number by this, in inches.
NUMBER_GAP = 0.12

# Of the lines, and the room for the scale on their left.
HEIGHT, SCALE = 2.8, 0.55
# Of each region its line, mark and colours.
LINE: Record = {"linewidth": 1.6, "markersize": 6, "markeredgecolor": INK}
LINES: dict[Decision, Record] = {
    "left": {**LINE, "marker": "<", "linestyle": "--", "color": LEFT.face},
    "rope": {**LINE, "marker": "s", "linestyle": "-", "color": INK, "markerfacecolor": "white"},
    "right": {**LINE, "marker": ">", "linestyle": ":", "color": RIGHT.face},
}
BORDER: Record = {"color": FAINT, "linewidth": 0.9, "linestyle": (0, (1, 1.5))}

COUNTS_HEIGHT, COUNTS_SCALE, COUNT_BAR = 2.4, 0.65, 0.8


def draw_regions(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw a bar for each pair, the left classifier's share on the left."""
    lefts, rights = lefts_and_rights(study)
    legend = region_legend(study.rope, "the one on the left", "the one on the right")
    page = Page(sheet, study.method.title.split(), legend)
    columns = [("", rights)]
    ends = (0.0, 0.0)
    label = ["probability", *_of_what(study)]
    axes, rows = draw_rows(page, lefts, label, row=ROW_HEIGHT, columns=columns, ends=ends)
    width = width_of(axes)
    answers = [p for c in study.comparisons if (p := c.printed) is not None]
    start = np.zeros(len(answers))
    for name, fill in REGIONS.items():
        share = np.array([getattr(p, name) for p in answers])
        axes.barh(rows, share, BAR, left=start, **fill.fill)
        for row, middle, p in zip(rows, start + share / 2, share.tolist(), strict=True):
            words = probability(p)
            if p * width >= sheet.widest([words]) + NUMBER_GAP:
                axes.text(middle, row, words, **fill.label)
        start = start + share
    axes.set_xlim(0, 1)
    return page.finish()


def _of_what(study: ComparisonSet) -> list[str]:
    """Return what the probabilities of a test are of, in parts."""
    result = study.comparisons[0].result
    if result.about_likeliest:
        return ["that this is the likeliest", f"outcome{result.scope}"]
    return [result.scope.strip()] if result.scope else []


def draw_ropes(sweep: Sweep, sheet: Sheet) -> Figure:
    """Draw the probabilities of the only pair under each rope."""
    first = sweep.studies[0]
    pair = OnePair(first)
    answers = [study.comparisons[0].printed for study in sweep.studies]
    legend: list[Entry] = [
        (look, verdict(region, pair.left, pair.right)) for region, look in LINES.items()
    ]
    border = 1 - first.rule.alpha if isinstance(first.rule, Threshold) else None
    if border is not None:
        legend.append((BORDER, f"decided above {border:.10g}"))
    page = Page(sheet, pair.title(by_name=True), legend)
    axes = page.wide_axes(sheet.tall(HEIGHT), ["half-width of the rope"], scale=SCALE)
    half_widths = [study.rope.high for study in sweep.studies]
    for region, look in LINES.items():
        axes.plot(half_widths, [getattr(answer, region) for answer in answers], **look)
    axes.set_ylabel("probability", color=INK)
    axes.set_ylim(-0.03, 1.03)
    axes.spines["left"].set_bounds(0, 1)
    if border is not None:
        axes.axhline(border, zorder=1, **BORDER)
    return page.finish()


def draw_counts(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw the probability of each number of data sets on which right is better.

    Corani & Benavoli 2015, eq. 10.
    """
    pair = OnePair(study)
    result = cast("PoissonBinomialResult", pair.comparison.result)
    p = result.distribution
    half = (len(p) - 1) / 2
    legend: list[Entry] = [
        (LEFT, f"{pair.left} better on more than half: {probability(result.p_left_majority)}"),
        (RIGHT, f"{pair.right} better on more than half: {probability(result.p_right_majority)}"),
        ("", "better by any amount, within the rope or not"),
    ]
    if half == int(half):
        legend.insert(1, (ROPE, f"each better on half: {probability(result.p_even)}"))
    label = ["number of data sets", f"on which {pair.right}", "is better"]
    page = Page(sheet, pair.title(), legend)
    axes = page.wide_axes(sheet.tall(COUNTS_HEIGHT), label, scale=COUNTS_SCALE)
    count = np.arange(len(p))
    for look, counted in ((LEFT, count < half), (ROPE, count == half), (RIGHT, count > half)):
        axes.bar(count[counted], p[counted], COUNT_BAR, **look.fill)
    axes.axvline(half, color=INK, linewidth=0.9, linestyle="--")
    axes.set_ylabel("probability", color=INK)
    axes.set_xlim(-0.6, len(p) - 0.4)
    axes.set_ylim(0, 1.08 * float(p.max()))
    axes.locator_params(axis="x", integer=True)
    axes.locator_params(axis="y", nbins=5)
    return page.finish()
