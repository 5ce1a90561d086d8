"""Embed pictures in a page: SVG elements with unique ids."""

import re
from html import escape
from typing import TYPE_CHECKING

from bcompare.basis.printable import printable
from bcompare.plots.figure import picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_REFERENCE = re.compile(r'(?:url\(#|href="#)([^)"]+)')
# Attributes that the style of the page makes superfluous.
_SPARE = re.compile(r' font-family: [^;"]+;| transform="rotate\(-0 [^"]*"|^ +', re.MULTILINE)
_ID = re.compile(r' id="([^"]+)"')
# Line breaks inside tags.
_COLOR = re.compile(r"#([0-9a-f]{6})(?=[^<>]*>)")


def inline(figure: "Figure", name: str, description: str) -> str:
    """Return a figure as an SVG element; the style of the page may redefine its colours.

    name : unique on the page. description : for screen readers.
    """
    _, _, text = picture(figure, "svg").decode().partition("<svg ")
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = _SPARE.sub("", text)
    needed = set(_REFERENCE.findall(text))
    text = _ID.sub(lambda m: f' id="{name}-{m[1]}"' if m[1] in needed else "", text)
    text = _REFERENCE.sub(lambda m: m[0].replace(f"#{m[1]}", f"#{name}-{m[1]}"), text)
    text = _COLOR.sub(r"var(--c\1, #\1)", text)
    return f'<svg role="img" aria-label="{escape(printable(description))}" {text.strip()}'
