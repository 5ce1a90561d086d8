"""One pair under several ropes: how the three probabilities depend on what counts as equal."""

from typing import Any, cast

from matplotlib.figure import Figure

from bcompare.comparing.decision import Decision, Threshold
from bcompare.comparing.sweep import Sweep
from bcompare.data.rope import RegionProbabilities
from bcompare.plots.fills import FAINT, INK, LEFT, RIGHT, Entry
from bcompare.plots.names import dataset_names, only_pair
from bcompare.plots.page import Page
from bcompare.plots.sheet import Sheet
from bcompare.report.words import verdict

HEIGHT, SCALE = 2.8, 0.55
# Of each region its character in the legend, and its line, mark and colours.
LINES: dict[Decision, tuple[str, dict[str, Any]]] = {
    "left": ("◀", {"marker": "<", "linestyle": "--", "color": LEFT.face}),
    "rope": ("□", {"marker": "s", "linestyle": "-", "color": INK, "markerfacecolor": "white"}),
    "right": ("▶", {"marker": ">", "linestyle": ":", "color": RIGHT.face}),
}


def draw_ropes(sweep: Sweep, sheet: Sheet) -> Figure:
    """Draw the probabilities of the only pair under each rope."""
    comparison, pair = only_pair(sweep.studies[0])
    answers = [
        cast("RegionProbabilities[float]", study.comparisons[0].shown) for study in sweep.studies
    ]
    legend: list[Entry] = [
        (mark, verdict(region, pair.left, pair.right)) for region, (mark, _) in LINES.items()
    ]
    rule = sweep.studies[0].rule
    if isinstance(rule, Threshold):
        legend.append(("┄", f"decided above {1 - rule.alpha:.10g}"))
    page = Page(sheet, pair.title(dataset_names(comparison)), legend)
    axes = page.wide_axes(sheet.tall(HEIGHT), ["half-width of the rope"], scale=SCALE)
    half_widths = [study.rope.high for study in sweep.studies]
    for region, (_, look) in LINES.items():
        p = [getattr(answer, region) for answer in answers]
        axes.plot(half_widths, p, linewidth=1.6, markersize=6, markeredgecolor=INK, **look)
    axes.set_ylabel("probability", color=INK)
    axes.set_ylim(-0.03, 1.03)
    axes.spines["left"].set_bounds(0, 1)
    if isinstance(rule, Threshold):
        dots = (0, (1, 1.5))
        axes.axhline(1 - rule.alpha, color=FAINT, linewidth=0.9, linestyle=dots, zorder=1)
    return page.finish()
