"""Where things are on a drawn page, and what is written there, as a reader of the file finds it."""

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bcompare.plots.figure import drawing, picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.text import Text
    from matplotlib.transforms import BboxBase


def words_of(figure: "Figure") -> list[str]:
    """All pieces of text in the picture, as a reader of the SVG file finds them."""
    root = ET.fromstring(picture(figure, "svg"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    return [text.strip() for text in root.itertext() if text.strip()]


def squeezed(words: Sequence[str] | str) -> str:
    """Text without the white space at which it may be broken."""
    return "".join("".join(words).split())


@dataclass(frozen=True)
class Layout:
    """Where things are on the page, in pixels: what is drawn at all, headings, axes, text."""

    page: "BboxBase"
    drawn: "BboxBase"
    headings: "Sequence[BboxBase]"
    axes: "Sequence[BboxBase]"
    texts: "Sequence[tuple[Text, BboxBase]]"

    @property
    def overlapping(self) -> set[tuple[str, str]]:
        """The pieces of text that lie on another."""
        edges = np.array([box.extents for _, box in self.texts])
        # Letters keep a pixel from the edge of their line's box.
        low, high = edges[:, :2] + 1, edges[:, 2:] - 1
        apart = (low[:, None] >= high) | (low >= high[:, None])
        return {
            (self.texts[i][0].get_text(), self.texts[j][0].get_text())
            for i, j in np.argwhere(~apart.any(axis=2))
            if i < j
        }

    @property
    def outside(self) -> list[str]:
        """The pieces of text that leave the page."""
        return [
            text.get_text()
            for text, box in self.texts
            if not (box.x0 >= 0 <= box.y0 and box.x1 <= self.page.x1 and box.y1 <= self.page.y1)
        ]


def layout_of(figure: "Figure") -> Layout:
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.transforms import Bbox

    # Without a canvas of its own every measuring would make one as large as the picture.
    agg: Any = RendererAgg
    ruler = agg(1, 1, figure.dpi)
    with drawing():
        figure.draw_without_rendering()
        headings = [text.get_window_extent(ruler) for text in figure.texts]
        boxes = (axes.get_tightbbox(ruler) for axes in figure.axes)
        axes = [box for box in boxes if box is not None]
        texts = [(text, text.get_window_extent(ruler)) for text in _seen(figure)]
    assert len(axes) == len(figure.axes)
    return Layout(figure.bbox, Bbox.union([*headings, *axes]), headings, axes, texts)


def _seen(figure: "Figure") -> "list[Text]":
    """Every piece of text that is seen, once it has its place."""
    from matplotlib.text import Text

    unseen = set()
    for axes in figure.axes:
        for axis, view in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not min(view) <= tick.get_loc() <= max(view):
                    unseen |= {tick.label1, tick.label2}
    return [
        text
        for text in figure.findobj(Text)
        if isinstance(text, Text)
        if text.get_visible() and text.get_text().strip() and text not in unseen
    ]
