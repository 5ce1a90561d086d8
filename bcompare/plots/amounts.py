"""Pictures over the amount of data: what more would settle, and what bets have not refuted yet."""

import math
from itertools import groupby

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bcompare.basis.names import shown_by
from bcompare.gating.anytime import AnytimeGate, Evidence, Statement
from bcompare.planning.outlook import Plan, Prospect
from bcompare.plots.fills import (
    FAINT,
    INK,
    REGIONS,
    ROPE,
    Entry,
    RegionFill,
    at_tick,
    minus,
    select_labels,
    width_of,
)
from bcompare.plots.page import OVERHANG, Page
from bcompare.plots.sheet import USUAL_TEXT, Sheet, text_width
from bcompare.report.sentences import verdict

HEIGHT, LEAST_PANEL, SCALE = 2.2, 2.0, 0.4
# Smaller shares of a panel are invisible.
VISIBLE = 0.005


def draw_outlook(plan: Plan, sheet: Sheet) -> Figure:
    """Draw bands of left better, equivalent and right better; undecided stays white."""
    (outlook,) = plan.outlooks
    show = shown_by(plan.study.scores.classifiers)
    one = show(outlook.case.left)
    other = show(outlook.case.right)
    counted = [p for p in outlook.prospects if p.amount.count is not None]
    panels = []
    for name, several in groupby(counted, key=lambda p: f"{p.amount.of} in all"):
        panels.append((name, [(p.amount.count or 0, p) for p in several]))
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
        steps = [steps[0], (steps[0][0] + 1, steps[0][1])]
        words = [*words, ""]
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
    positions = [width_of(axes) * math.log(n / counts[0]) / whole for n in counts]
    shown = select_labels(positions, words, sheet.text)
    axes.set_xticks(counts, [word if k in shown else "" for k, word in enumerate(words)])
    axes.minorticks_off()


# The least width of a panel of bets, and the room for the scale on its left.
LEAST_OF_BETS, SCALE_OF_BETS = 2.2, 0.65
SEQUENCE = RegionFill("#9CC4E0", "", INK)
# The points of a line, and the widest range of log wealths.
MOST_POINTS, LEAST, MOST = 500, -2, 6
STYLES: dict[Statement, tuple[str, str]] = {
    "worse": ("-", "—"),
    "not worse": ("--", "- -"),
    "better": (":", "···"),
}


def draw_wealths(result: AnytimeGate, sheet: Sheet) -> Figure:
    """Draw the confidence sequence with the rope, and the wealths with their threshold."""
    (evidence,) = result.verdicts
    show = shown_by(result.gate.study.scores.classifiers)
    one = show(evidence.candidate)
    other = show(result.gate.baseline)
    rope = evidence.rope
    alpha = result.gate.rule.alpha
    legend: list[Entry] = [
        (SEQUENCE, f"{100 * (1 - alpha):g} % at any time"),
        ("↑", verdict("right", other, one)),
        ("↓", verdict("left", other, one)),
        (ROPE, minus(f"equivalent, from {rope.low:g} to {rope.high:g}")),
        *((mark, f"wealth for {name}") for name, (_, mark) in STYLES.items()),
    ]
    title = (one, f"against {other}:", "what no bet has refuted, and the wealths")
    page = Page(sheet, title, legend)
    label = f"{result.observations} so far"
    difference, wealth = page.panels(
        LEAST_OF_BETS,
        sheet.tall(HEIGHT),
        [[label]] * 2,
        left=OVERHANG + SCALE_OF_BETS,
        right=OVERHANG + 0.1,
    )
    positions = np.unique(np.linspace(1, evidence.n, MOST_POINTS).astype(int)) - 1
    _draw_difference(difference, result, evidence, positions)
    _draw_wealths(wealth, evidence, positions, result.threshold)
    for axes in (difference, wealth):
        axes.set_xlim(0, evidence.n)
    return page.finish()


def _draw_difference(
    axes: Axes, result: AnytimeGate, evidence: Evidence, drawn: np.ndarray
) -> None:
    """Draw the mean so far, the sequence around it, and the rope."""
    low, high = result.sequence(evidence)
    mean = evidence.means_so_far()
    if not evidence.rope.is_empty:
        axes.axhspan(evidence.rope.low, evidence.rope.high, **ROPE.fill)
    axes.fill_between(
        drawn + 1, low[drawn], high[drawn], color=SEQUENCE.face, alpha=0.6, linewidth=0
    )
    axes.plot(drawn + 1, mean[drawn], color=INK, linewidth=1)
    reach = 1.5 * max(abs(low[drawn[-1]]), abs(high[drawn[-1]]), -2 * evidence.rope.low)
    axes.set_ylim(-reach, reach)
    axes.yaxis.set_major_formatter(lambda x, _: at_tick(x, -reach, reach))
    axes.set_ylabel("difference", color=INK)


def _draw_wealths(axes: Axes, evidence: Evidence, drawn: np.ndarray, decides: float) -> None:
    """Draw the wealths on a logarithmic scale, and the one that decides."""
    most = threshold = math.log10(decides)
    for name, (style, _) in STYLES.items():
        wealth = np.clip(evidence.wealths[name][drawn] / math.log(10), LEAST, MOST)
        axes.plot(drawn + 1, wealth, linestyle=style, color=INK, linewidth=1)
        most = max(most, float(wealth.max()))
    axes.axhline(threshold, color=FAINT, linewidth=1)
    ticks = range(LEAST, 2 * math.ceil(min(most, MOST) / 2) + 1, 2)
    axes.set_yticks(ticks, [f"{10.0**k:,g}" if k < 5 else "10⁶" for k in ticks])
    axes.set_ylim(LEAST, ticks[-1])
    axes.set_ylabel(f"wealth, {decides:,.0f} decides", color=INK)
