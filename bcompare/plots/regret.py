"""A family of classifiers: what it costs to take each, with its interval."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bcompare.comparing.family import Family
from bcompare.data.rope import Rope
from bcompare.plots.figure import drawing
from bcompare.plots.forest import ROW_HEIGHT, Estimates, draw_estimates
from bcompare.plots.head import Entry, Head
from bcompare.plots.look import INK, ROPE
from bcompare.plots.page import check_rows
from bcompare.plots.rows import Column, draw_rows
from bcompare.plots.sheet import Sheet
from bcompare.report.table import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LABEL = ("regret: mean score lost", "against the best of each data set")


def draw_regret_of(family: Family, sheet: Sheet) -> "Figure":
    """The regret of every classifier, and its probability of being best."""
    best = family.best
    order = list(best.order)
    estimates = Estimates(best.regret[order], best.regret_interval.chosen(order))
    names = [printable(best.classifiers[k]) for k in order]
    probabilities = [f"{best.p_best[k]:.2f}" for k in order]
    return draw_regret(names, estimates, probabilities, family.rope, where(family), sheet)


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
    sheet: Sheet,
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
    with drawing(sheet.text):
        interval = f"{100 * regret.interval.level:g} % interval"
        legend: list[Entry] = [("●", f"expected regret, {interval}")]
        if not rope.is_empty:
            legend.append((ROPE, f"within the rope: up to {rope.high:g}"))
        head = Head(["What it costs to take each", f"classifier {on}"], legend)
        rows = draw_rows(
            sheet, head, names, LABEL, row=ROW_HEIGHT, columns=[Column(probabilities, "p(best)")],
            rope=Rope(0.0, rope.high),
        )  # fmt: skip
        draw_estimates(rows, regret, color=INK, marker="o")
    return rows.page.figure
