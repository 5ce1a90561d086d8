"""A family of classifiers: what it costs to take each, with its interval."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bcompare.family import Family
from bcompare.plots.figure import drawing
from bcompare.plots.forest import (
    PLOT_WIDTH,
    ROW_HEIGHT,
    ROWS_WITH_TICKS_ABOVE,
    Estimates,
    draw_estimates,
    draw_rows,
)
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import INK, ROPE
from bcompare.plots.page import (
    LINE,
    MARGIN,
    OVERHANG,
    TEXT_SIZE,
    TICKS,
    TITLE_SIZE,
    axes_at,
    check_rows,
    label_axis,
    label_height,
    lines_within,
    names_width,
    page,
    widest,
)
from bcompare.report.table import printable
from bcompare.rope import Rope

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEADING = "p(best)"
LABEL = ("regret: mean score lost", "against the best of each data set")


def draw_regret_of(family: Family) -> "Figure":
    """The regret of every classifier, and its probability of being best."""
    best = family.best
    order = list(best.order)
    estimates = Estimates(best.regret[order], best.regret_interval.chosen(order))
    names = [printable(best.classifiers[k]) for k in order]
    probabilities = [f"{best.p_best[k]:.2f}" for k in order]
    return draw_regret(names, estimates, probabilities, family.rope, where(family))


def where(family: Family) -> str:
    """What a family's answers are about, in words."""
    lone = family.lone
    return f"on {len(family.datasets)} data sets" if lone is None else f"on {printable(lone.name)}"


def draw_regret(
    names: Sequence[str],
    regret: Estimates,
    probabilities: Sequence[str],
    rope: Rope,
    on: str,
) -> "Figure":
    """Picture of c classifiers, one row each in the order given.

    Parameters
    ----------
    names : of the classifiers.
    regret : with its intervals.
    probabilities : of being best, written.
    rope : drawn as a band: what costs no more is practically as good as the best.
    on : what the regret is about, such as "on 25 data sets".

    Raises
    ------
    InputError : no classifier, or more than a page can hold.
    ComputationError : matplotlib is not installed.
    """
    check_rows(len(names))
    with drawing():
        title = lines_within(PLOT_WIDTH, ["What it costs to take each", f"classifier {on}"],
                             TITLE_SIZE, "bold")  # fmt: skip
        interval = f"{100 * regret.interval.level:g} % interval"
        legend: list[Entry] = [("●", f"expected regret, {interval}")]
        if not rope.is_empty:
            legend.append((ROPE, f"within the rope: up to {rope.high:g}"))
        head = Head(tuple(title), tuple(legend))
        label = lines_within(PLOT_WIDTH, LABEL)
        left = MARGIN + names_width(names)
        right = MARGIN + OVERHANG + widest([HEADING, *probabilities])
        width = max(PLOT_WIDTH, widest(label), head.width - left - right)
        top = head.height + LINE + (TICKS if len(names) >= ROWS_WITH_TICKS_ABOVE else 0)
        height = (len(names) + 1) * ROW_HEIGHT
        figure = page(left + width + right, top + height + label_height(label))
        head.draw(figure)
        axes = axes_at(figure, left, top, width, height)
        band = Rope(0.0, rope.high)
        draw_rows(axes, names, band)
        draw_estimates(axes, regret, color=INK, marker="o")
        _write_beside(axes, probabilities)
        label_axis(axes, label)
    return figure


def _write_beside(axes: "Axes", probabilities: Sequence[str]) -> None:
    """The probability of being best, right of each row."""
    across = axes.get_yaxis_transform()
    look: dict[str, Any] = {"va": "center", "color": INK, "fontsize": TEXT_SIZE}
    axes.text(1.02, -1.0, HEADING, transform=across, **look)
    for row, probability in enumerate(probabilities):
        axes.text(1.02, row, probability, transform=across, **look)
