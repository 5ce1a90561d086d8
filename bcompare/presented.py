"""How results show themselves, in a notebook and to other code: the words are found when needed.

Results stand below the rooms that lay them out; so they name the room, and do not know it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


class Presented:
    """What every result of a comparison can do for whoever holds it."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return the tables and sentences, for a notebook."""
        return str(_presenter().as_html(self))

    def to_frame(self) -> "pd.DataFrame":
        """Return the flat rows as a pandas frame: the columns of ``--format csv``."""
        frame: pd.DataFrame = _presenter().as_frame(self)
        return frame

    def plot(
        self, picture: str | None = None, *, width: str | None = None, style: str | None = None
    ) -> "Figure":
        """Draw a picture; the result's own, or the one of that name.

        width : of the file: "column", 3.5 inches, or "page", 7 inches. style : "screen", or
        "paper" for under it a caption. See ``bcompare explain pictures``.

        Raises
        ------
        InputError : no such picture, width or style, or a picture that does not fit the result.
        ComputationError : matplotlib is not installed.
        """
        figure: Figure = _presenter().as_figure(self, picture, width, style)
        return figure


def _presenter() -> Any:
    return import_module("bcompare.presenting")
