"""The formats, one file each: a report in, text out.

`FORMATS` is the registry: a format's name, and where its `render(report) -> str` is. Add a
format by writing its file and one line here (and a suffix, if files of it have one).
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, TextIO

from bcompare.errors import InputError

if TYPE_CHECKING:
    from bcompare.report.build import Report
    from bcompare.report.results import Answer
    from bcompare.report.rows import Rows

FORMATS = {
    "table": "bcompare.render.plain:render",
    "json": "bcompare.render.json:render",
    "csv": "bcompare.render.csv:render",
    "jsonl": "bcompare.render.jsonl:render",
    "markdown": "bcompare.render.markdown:render",
    "latex": "bcompare.render.latex:render",
    "html": "bcompare.render.html:render",
    "comment": "bcompare.render.comment:render",
    "github": "bcompare.render.github:render",
    "gitlab": "bcompare.render.gitlab:render",
    "junit": "bcompare.render.junit:render",
}

GATE_FORMATS = ("comment", "github", "gitlab", "junit")
"""The formats of continuous integration, which only a gate has."""

ROW_FORMATS = ("csv", "jsonl", "parquet")
"""The formats that take flat rows block by block, and so hold any number of pairs."""

SUFFIXES = {
    ".txt": "table",
    ".json": "json",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
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


def row_writer(name: str) -> "Callable[[Iterator[Rows], TextIO], None]":
    """Return the function that writes rows in a format of `ROW_FORMATS` that is text."""
    module, _, _ = FORMATS[name].partition(":")
    writer: Callable[[Iterator[Rows], TextIO], None] = import_module(module).write
    return writer


def as_text(study: "Answer", format: str = "table", *, details: bool = False) -> str:
    """Return any result of bcompare as a table, JSON, CSV, Markdown or in another format.

    Raises
    ------
    InputError : a format that there is not, or that only a gate has.
    """
    from bcompare.report.results import report_of

    if format not in FORMATS:
        raise InputError(f"there is no format {format!r}; choose from {', '.join(FORMATS)}")
    report = report_of(study, details=details)
    if format in GATE_FORMATS and report.document()["command"] != "gate":
        raise InputError(f"the format {format} is for gates only")
    return load_renderer(format)(report)
