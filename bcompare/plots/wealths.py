"""A gate that bets: the differences not refuted yet, and the wealths, over the items."""

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bcompare.basis.names import shown_by
from bcompare.gating.anytime import AnytimeGate, Evidence, Statement
from bcompare.plots.fills import FAINT, INK, ROPE, Entry, RegionFill, at_tick, minus
from bcompare.plots.page import OVERHANG, Page
from bcompare.plots.sheet import Sheet
from bcompare.report.claims import verdict

HEIGHT, LEAST_PANEL, SCALE = 2.2, 2.2, 0.65
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
    one, other = show(evidence.candidate), show(result.gate.baseline)
    rope, alpha = evidence.rope, result.gate.rule.alpha
    legend: list[Entry] = [
        (SEQUENCE, f"{100 * (1 - alpha):g} % at any time"),
        ("↑", verdict("right", other, one)),
        ("↓", verdict("left", other, one)),
        (ROPE, minus(f"equivalent, from {rope.low:g} to {rope.high:g}")),
        *((mark, f"wealth for {name}") for name, (_, mark) in STYLES.items()),
    ]
    title = (one, f"against {other}:", "what bets have not refuted, and their wealths")
    page = Page(sheet, title, legend)
    label = f"{result.observations} so far"
    difference, wealth = page.panels(
        LEAST_PANEL, sheet.tall(HEIGHT), [[label]] * 2, left=OVERHANG + SCALE, right=OVERHANG + 0.1
    )
    at = np.unique(np.linspace(1, evidence.n, MOST_POINTS).astype(int)) - 1
    _draw_difference(difference, result, evidence, at)
    _draw_wealths(wealth, evidence, at)
    for axes in (difference, wealth):
        axes.set_xlim(0, evidence.n)
    return page.finish()


def _draw_difference(axes: Axes, result: AnytimeGate, evidence: Evidence, at: np.ndarray) -> None:
    """Draw the mean so far, the sequence around it, and the rope."""
    low, high = result.sequence(evidence)
    mean = evidence.means_so_far()
    if not evidence.rope.is_empty:
        axes.axhspan(evidence.rope.low, evidence.rope.high, **ROPE.fill)
    axes.fill_between(at + 1, low[at], high[at], color=SEQUENCE.face, alpha=0.6, linewidth=0)
    axes.plot(at + 1, mean[at], color=INK, linewidth=1)
    reach = 1.5 * max(abs(low[at[-1]]), abs(high[at[-1]]), -2 * evidence.rope.low)
    axes.set_ylim(-reach, reach)
    axes.yaxis.set_major_formatter(lambda x, _: at_tick(x, -reach, reach))
    axes.set_ylabel("difference", color=INK)


def _draw_wealths(axes: Axes, evidence: Evidence, at: np.ndarray) -> None:
    """Draw the wealths on a logarithmic scale, and the threshold."""
    most = threshold = math.log10(evidence.threshold)
    for name, (style, _) in STYLES.items():
        wealth = np.clip(evidence.wealths[name][at] / math.log(10), LEAST, MOST)
        axes.plot(at + 1, wealth, linestyle=style, color=INK, linewidth=1)
        most = max(most, float(wealth.max()))
    axes.axhline(threshold, color=FAINT, linewidth=1)
    ticks = range(LEAST, 2 * math.ceil(min(most, MOST) / 2) + 1, 2)
    axes.set_yticks(ticks, [f"{10.0**k:,g}" if k < 5 else "10⁶" for k in ticks])
    axes.set_ylim(LEAST, ticks[-1])
    axes.set_ylabel(f"wealth, {evidence.threshold:,.0f} decides", color=INK)
