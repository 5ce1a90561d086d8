"""Pictures inside a page: SVG elements that take their font and colours from its style."""

from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, TreeBuilder, tostring
from xml.parsers.expat import ParserCreate

from bcompare.basis.messages import printable
from bcompare.plots.figure import picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The beginning of a transformation that changes nothing.
NO_TURN = "rotate(-0 "


def inline(figure: "Figure", name: str, description: str) -> str:
    """Return a figure as an SVG element; the style of the page may redefine its colours.

    name : unique on the page; the names of elements begin with it. description : for screen
    readers.
    """
    svg = _parsed(picture(figure, "svg"))
    for metadata in svg.findall("metadata"):
        svg.remove(metadata)
    used: set[str] = set()
    for element in svg.iter():
        element.tail = ""
        if element.tag != "text":
            element.text = (element.text or "").strip()
        for key, value in list(element.attrib.items()):
            if value.startswith(NO_TURN):
                del element.attrib[key]
            elif key == "style":
                element.set(key, _style(value, name, used))
            else:
                element.set(key, _value(key, value, name, used))
    for element in svg.iter():
        identifier = f"{name}-{element.attrib.pop('id', '')}"
        if identifier in used:
            element.set("id", identifier)
    svg.set("role", "img")
    svg.set("aria-label", printable(description))
    return tostring(svg, encoding="unicode")


def _parsed(document: bytes) -> Element:
    """Return the elements of a document by their local names: HTML needs no namespaces."""
    builder = TreeBuilder()
    parser = ParserCreate()

    def start(tag: str, attributes: dict[str, str]) -> None:
        kept = {key: value for key, value in attributes.items() if not key.startswith("xmlns")}
        builder.start(tag, {key.rpartition(":")[2]: value for key, value in kept.items()})

    parser.StartElementHandler = start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.Parse(document, True)
    return builder.close()


def _style(style: str, name: str, used: set[str]) -> str:
    """Return the declarations of a style for the page, without the font."""
    pairs = (declaration.strip().partition(":")[::2] for declaration in style.split(";"))
    return "; ".join(
        f"{key}: {_value(key, value.strip(), name, used)}"
        for key, value in pairs
        if key not in ("", "font-family")
    )


def _value(key: str, value: str, name: str, used: set[str]) -> str:
    """Return the value of an attribute for the page, and note the element that it refers to."""
    start, _, target = value.partition("#")
    if key == "href" or start == "url(":
        used.add(f"{name}-{target.removesuffix(')')}")
        return f"{start}#{name}-{target}"
    return f"var(--c{target}, {value})" if value.startswith("#") else value
