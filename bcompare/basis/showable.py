"""The methods that show a result; `bcompare.show` implements them."""

from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, cast

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


class Showable:
    """A result that shows itself in a notebook, as a frame and as a picture."""

    __slots__ = ()

    # Loads what implements the methods, `bcompare.show`; the package sets it.
    implementation: ClassVar[Callable[[], Any]]

    def __repr__(self) -> str:
        values = {field.name: getattr(self, field.name) for field in fields(cast("Any", self))}
        short = (k for k, v in values.items() if isinstance(v, str | int | float))
        shown = (f"{k}={values[k]!r}" for k in short if len(str(values[k])) < 50)
        return f"<{type(self).__name__}: {', '.join(shown)}>"

    def _repr_html_(self) -> str:
        """Return the tables and sentences, for a notebook."""
        return str(type(self).implementation().html_of(self))

    def to_frame(self) -> "pd.DataFrame":
        """Return the flat rows as a pandas frame: the columns of ``--format csv``."""
        frame: pd.DataFrame = type(self).implementation().frame_of(self)
        return frame

    def plot(
        self, picture: str | None = None, *, width: str | None = None, style: str | None = None
    ) -> "Figure":
        """Draw the result's own picture, or the one of that name.

        width : of the file: "column", 3.5 inches, or "page", 7 inches. style : "screen", or
        "paper" for under it a caption. See ``bcompare explain pictures``.

        Raises
        ------
        InputError : no such picture, width or style, or a picture that does not fit the result.
        ComputationError : matplotlib is not installed.
        """
        show = type(self).implementation()
        figure: Figure = show.draw(self, picture, show.Sheet.of(width, style))
        return figure
