"""A page measured in inches: where things stand on it, and how much room text needs.

Sizes are worked out from the names before anything is drawn, so that none is ever cut.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bcompare.errors import InputError
from bcompare.plots.look import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TEXT_SIZE, TITLE_SIZE = 9.0, 11.0
MARGIN, LINE = 0.2, 0.2
# Tick labels at either end of an axis stand out by half their width.
OVERHANG = 0.15
TICKS, LABEL_LINE, NAMES_GAP = 0.3, 0.155, 0.1
MOST_ROWS = 400


def page(width: float, height: float) -> "Figure":
    """An empty page; sizes in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height))


def axes_at(figure: "Figure", left: float, top: float, width: float, height: float) -> "Axes":
    """Axes at a distance from the page's left and top edges; sizes in inches."""
    page_width, page_height = figure.get_size_inches()
    return figure.add_axes(
        (
            left / page_width,
            1 - (top + height) / page_height,
            width / page_width,
            height / page_height,
        )
    )


def text_at(figure: "Figure", left: float, top: float, text: str, **look: Any) -> None:
    """Text whose middle is `top` inches below the page's upper edge."""
    width, height = figure.get_size_inches()
    figure.text(left / width, 1 - top / height, text, **{"va": "center", "color": INK, **look})


def label_axis(axes: "Axes", lines: Sequence[str]) -> None:
    """Name the horizontal axis, and write its ticks as plain numbers."""
    axes.set_xlabel("\n".join(lines), color=INK)
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:g}".replace("-", "−"))


def label_height(lines: Sequence[str]) -> float:
    """The room below axes with such a label: ticks, label, and the margin of the page."""
    return TICKS + len(lines) * LABEL_LINE + MARGIN


def names_width(names: Sequence[str]) -> float:
    """The room in inches that the names of rows need beside the axes."""
    return widest(names) + NAMES_GAP


def name_rows(axes: "Axes", names: Sequence[str]) -> None:
    """Write the names of rows 0, 1, … on the left of the axes."""
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", length=0, pad=72 * NAMES_GAP)
    axes.spines["left"].set_visible(False)


def name_rows_on_the_right(axes: "Axes", names: Sequence[str]) -> None:
    """A second vertical axis, with nothing but names."""
    twin = axes.twinx()
    twin.set_ylim(axes.get_ylim())
    name_rows(twin, names)


def text_width(text: str, size: float = TEXT_SIZE, weight: str = "normal") -> float:
    """The width of a line of text in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=size, weight=weight)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width) / 72


def widest(texts: Sequence[str], size: float = TEXT_SIZE, weight: str = "normal") -> float:
    """The width in inches of the widest of some lines."""
    return max((text_width(text, size, weight) for text in texts), default=0.0)


def lines_within(
    width: float, parts: Sequence[str], size: float = TEXT_SIZE, weight: str = "normal"
) -> list[str]:
    """Put the parts in as few lines as fit; a part by itself may be wider than `width`."""
    lines: list[str] = []
    for part in parts:
        if lines and text_width(f"{lines[-1]} {part}", size, weight) <= width:
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    return lines


def check_rows(rows: int, most: int = MOST_ROWS) -> None:
    """Refuse what no reader could take in and no page could hold.

    Raises
    ------
    InputError : no row at all, or more than `most`.
    """
    if not 0 < rows <= most:
        raise InputError(
            f"a picture of {rows} rows cannot be drawn; it holds 1 to {most}: choose some "
            "with --dataset, --classifier or --baseline"
        )
