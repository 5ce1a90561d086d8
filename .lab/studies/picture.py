"""The picture of a study: its series over x, with their errors, and the paper's points."""

from collections.abc import Sequence
from pathlib import Path

from bcompare.plots.figure import drawing, save
from studies.study import Line, Study

MARKS = "osD^vP*X<>hpd"


def save_picture(study: Study, lines: Sequence[Line], path: Path) -> None:
    """Draw the lines that have a place in a picture, one panel a kind of figure; else nothing."""
    placed = [line for line in lines if line.series]
    if not study.axis or not placed:
        return
    panels: dict[str, dict[str, list[Line]]] = {}
    for line in placed:
        first, _, kind = line.series.rpartition(", ")
        panels.setdefault(kind, {}).setdefault(first, []).append(line)
    from matplotlib.figure import Figure

    with drawing():
        figure = Figure(figsize=(3.2 * len(panels), 2.9), layout="constrained")
        axes = figure.subplots(1, len(panels), squeeze=False)[0]
        for panel, (kind, series) in zip(axes, panels.items(), strict=True):
            for mark, (name, points) in zip(MARKS, series.items(), strict=False):
                panel.errorbar(
                    [line.x for line in points],
                    [line.ours for line in points],
                    [line.error for line in points],
                    marker=mark, markersize=3.5, linewidth=1, label=name,
                )  # fmt: skip
                paper = [line for line in points if line.paper and line.paper.value is not None]
                panel.plot(
                    [line.x for line in paper],
                    [line.paper.value for line in paper if line.paper],
                    linestyle="none", marker="x", color="black", markersize=7,
                )  # fmt: skip
            panel.set_title(kind, fontsize=9)
            panel.set_xlabel(study.axis)
            panel.legend(fontsize=6, frameon=False)
        figure.suptitle(f"{study.source} (× is the paper's)", fontsize=9)
        save(figure, path)
