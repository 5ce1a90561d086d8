"""The formats, one file each: a report in, text out.

`FORMATS` is the registry: a format's name, and where its `render(report) -> str` is. Add a
format by writing its file and one line here (and a suffix, if files of it have one).
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING

from bcompare.errors import InputError

if TYPE_CHECKING:
    from bcompare.comparison import ComparisonSet
    from bcompare.family import Family
    from bcompare.report.build import Report

FORMATS = {
    "table": "bcompare.render.plain:render",
    "json": "bcompare.render.json:render",
    "csv": "bcompare.render.csv:render",
    "markdown": "bcompare.render.markdown:render",
    "latex": "bcompare.render.latex:render",
    "html": "bcompare.render.html:render",
}

SUFFIXES = {
    ".txt": "table",
    ".json": "json",
    ".csv": "csv",
    ".md": "markdown",
    ".markdown": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".htm": "html",
}


def format_of(path: str) -> str | None:
    """Return the format that a file's suffix stands for, if any."""
    return SUFFIXES.get(PurePath(path).suffix.lower())


def load_renderer(name: str) -> "Callable[[Report], str]":
    """Return the render function of a registered format."""
    module, _, attribute = FORMATS[name].partition(":")
    renderer: Callable[[Report], str] = getattr(import_module(module), attribute)
    return renderer


def as_text(
    study: "ComparisonSet | Family", format: str = "table", *, details: bool = False
) -> str:
    """Return a comparison or a family as a table, JSON, CSV, Markdown, LaTeX or HTML.

    Raises
    ------
    InputError : a format that there is not.
    """
    from bcompare.report.results import report_of

    if format not in FORMATS:
        raise InputError(f"there is no format {format!r}; choose from {', '.join(FORMATS)}")
    return load_renderer(format)(report_of(study, details=details))
