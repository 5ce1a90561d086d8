"""The hierarchical test on each data set: its shrunken mean difference, and its verdict.

Corani et al. 2017, §4: each data set borrows from the others, less the more data it has.
"""

from typing import Any, cast

import numpy as np
from matplotlib.figure import Figure

from bcompare.basis.notes import number_of
from bcompare.comparing.comparison import ComparisonSet
from bcompare.comparing.decision import Decision
from bcompare.methods.hierarchical.model import HierarchicalDatasets
from bcompare.plots.density import LEVEL
from bcompare.plots.fills import FAINT, INK, LEFT, RIGHT, Entry, side_legend
from bcompare.plots.names import dataset_names, only_pair
from bcompare.plots.numbers import width_of
from bcompare.plots.page import Page
from bcompare.plots.rows import draw_rows
from bcompare.plots.sheet import Sheet
from bcompare.report.words import verdict

ROW_HEIGHT = 0.22
# The shortest arrow, in inches.
SHORTEST = 0.11
ARROW: dict[str, Any] = {
    "arrowstyle": "-|>,head_width=0.12,head_length=0.25",
    "color": INK, "linewidth": 0.9, "shrinkA": 2.5, "shrinkB": 3.0,
}  # fmt: skip
# Of each verdict its mark, its colour, and how it is written in the legend.
VERDICTS: dict[Decision, tuple[str, str, str]] = {
    "left": ("<", LEFT.face, "◀"),
    "right": (">", RIGHT.face, "▶"),
    "rope": ("s", INK, "■"),
    "none": ("D", "white", "◇"),
}


def draw_shrinkage(study: ComparisonSet, sheet: Sheet) -> Figure:
    """Draw one pair on its data sets, each by itself and as the hierarchical model has it."""
    comparison, pair = only_pair(study)
    result = cast("HierarchicalDatasets", comparison.result.datasets)
    # The largest shrunken difference on top, so that the shift is seen at a glance.
    order = np.argsort(-result.delta_mean, kind="stable").tolist()
    datasets = dataset_names(comparison)
    each = comparison.dataset_decisions
    decisions = [each[i] for i in order]
    raw, shrunken = result.mean_difference[order], result.delta_mean[order]
    low, high = result.delta_intervals[LEVEL][order].T
    interval = f"{100 * LEVEL:g} % interval"
    legend: list[Entry] = [
        *side_legend(study.rope, pair.left, pair.right)[2:],
        ("○", "mean difference of the data set by itself"),
        ("→", f"shrunken: informed by the other data sets, with its {interval}, and its verdict:"),
    ]
    for decision, (_, _, character) in VERDICTS.items():
        if count := decisions.count(decision):
            words = verdict(decision, pair.left, pair.right)
            legend.append((character, f"{words}: {number_of(count, 'data set')}"))
    page = Page(sheet, pair.title(len(datasets)), legend)
    names = [datasets[i] for i in order]
    axes, at = draw_rows(page, names, pair.difference, row=ROW_HEIGHT, rope=study.rope)
    marks: dict[str, Any] = {"linestyle": "none", "color": INK, "markeredgewidth": 0.8}
    axes.hlines(at, low, high, color=FAINT, linewidth=1.2)
    axes.plot(raw, at, marker="o", markersize=4.5, markerfacecolor="white", **marks)
    shortest = SHORTEST * float(np.ptp(axes.get_xlim())) / width_of(axes)
    for row, start, end in zip(at, raw, shrunken, strict=True):
        if abs(end - start) > shortest:  # no room for a head between nearer marks
            axes.annotate("", (end, row), (start, row), arrowprops=ARROW)
    for decision, (marker, color, _) in VERDICTS.items():
        own = [i for i, other in enumerate(decisions) if other == decision]
        marks |= {"marker": marker, "markersize": 5.5, "markerfacecolor": color}
        axes.plot(shrunken[own], at[own], **marks)
    return page.finish()
