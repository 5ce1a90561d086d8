"""The style of all pictures, and saving them."""

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bcompare.basis.atomic import write_atomically
from bcompare.basis.messages import ComputationError, InputError, Note
from bcompare.plots.sheet import USUAL_TEXT
from bcompare.version import install_command

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("svg", "png", "pdf")
# The most characters without a glyph to name.
MOST_SHOWN = 20
# Without dates and versions, so that equal pictures are equal files.
METADATA = {
    "svg": {"Date": None, "Creator": "bcompare"},
    "png": {"Software": "bcompare"},
    "pdf": {"CreationDate": None, "Creator": "bcompare", "Producer": None},
}


@contextmanager
def drawing(text: float = USUAL_TEXT) -> Iterator[None]:
    """Use bcompare's style temporarily, whatever the user's settings are.

    text : its size, in points.

    Raises
    ------
    ComputationError : matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise ComputationError(
            f"pictures need matplotlib, which is not installed: {install_command('plot')}"
        ) from error
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)  # see `save`
        mpl.rcdefaults()
        mpl.rc("font", size=text)
        mpl.rc("axes", linewidth=0.7)
        mpl.rc("axes.spines", top=False, right=False)
        mpl.rc("hatch", linewidth=0.7)
        # Names are not formulas. Hinting would make text wider than measured.
        mpl.rc("text", parse_math=False, hinting="no_hinting")
        # Text stays text, for search and screen readers.
        mpl.rc("pdf", fonttype=42)
        mpl.rc("svg", fonttype="none", hashsalt="bcompare")
        yield


def picture_format(path: str | Path) -> str:
    """Return the format of a file's suffix: ``svg``, ``png`` or ``pdf``.

    Raises
    ------
    InputError : another suffix, or none.
    """
    suffix = Path(path).suffix
    kind = suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        given = f"the suffix {suffix!r} does not say" if suffix else "no suffix says"
        raise InputError(
            f"{path}: {given} which format the picture is to have; end the name in "
            ".svg, .png or .pdf"
        )
    return kind


def picture(figure: "Figure", kind: str) -> bytes:
    """Return the picture as a file of a format; the same picture gives the same bytes."""
    buffer = io.BytesIO()
    with drawing():
        figure.savefig(buffer, format=kind, dpi="figure", metadata=METADATA[kind])
    return buffer.getvalue()


def without_glyph(figure: "Figure") -> str:
    """Return the characters in a picture that its font lacks."""
    from matplotlib.font_manager import FontProperties, findfont, get_font
    from matplotlib.text import Text

    with drawing():
        glyphs = get_font(findfont(FontProperties())).get_charmap()
    texts = "".join(text.get_text() for text in figure.findobj(Text))
    return "".join(dict.fromkeys(c for c in texts if c != "\n" and ord(c) not in glyphs))


def save(figure: "Figure", *paths: str | Path) -> tuple[Note, ...]:
    """Write the picture to files, in the formats of their suffixes.

    Returns a note on characters that come out as boxes.

    Raises
    ------
    InputError : a suffix other than .svg, .png and .pdf, or a file that cannot be written.
    """
    notes = []
    for path in paths:
        kind = picture_format(path)
        write_atomically(path, picture(figure, kind))
        if kind != "svg" and (missing := without_glyph(figure)):  # viewers of SVG choose a font
            notes.append(
                Note(
                    "glyphs",
                    "warning",
                    f"{path}: the font of pictures has no glyphs for {missing[:MOST_SHOWN]}: end "
                    "the name in .svg, whose viewer chooses a font",
                )
            )
    return tuple(notes)
