"""The formats, one file each in `render`, or in `gating` those that only a gate has.

`FORMATS` is the registry: the name of a format, and the location of its `render(report) -> str`;
Parquet is no text. To add a format, write its file and one line here (and a suffix, if its files
have one).
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bcompare.report.pair_report import Report

FORMATS = {
    "table": "bcompare.render.plain:render",
    "json": "bcompare.render.json:render",
    "csv": "bcompare.render.csv:render",
    "parquet": "bcompare.render.parquet:write",
    "markdown": "bcompare.render.markdown:render",
    "latex": "bcompare.render.latex:render",
    "sentence": "bcompare.render.plain:render_sentences",
    "changed": "bcompare.render.csv:render_changed",
    "comment": "bcompare.render.markdown:render_comment",
    "github": "bcompare.gating.github:render",
    "junit": "bcompare.gating.junit:render",
    "ids": "bcompare.gating.item_report:render_ids",
}

# The formats for continuous integration, for gates only.
GATE_FORMATS = ("github", "junit", "comment", "ids")

# The formats for papers, for tests and families only.
PAPER_FORMATS = ("sentence",)

# The formats that list test items, for tests only.
ITEM_FORMATS = ("changed",)

# The formats that take flat rows block by block, for any number of pairs.
ROW_FORMATS = ("csv", "parquet")

SUFFIXES = {
    ".txt": "table",
    ".json": "json",
    ".csv": "csv",
    ".parquet": "parquet",
    ".md": "markdown",
    ".markdown": "markdown",
    ".tex": "latex",
    ".xml": "junit",
}


def format_of(path: str) -> str | None:
    """Return the format of a file's suffix, if any; changed.csv lists the items that changed."""
    file = PurePath(path)
    if file.suffix.lower() == ".csv" and file.stem in ITEM_FORMATS:
        return file.stem
    return SUFFIXES.get(file.suffix.lower())


def load_renderer(name: str) -> "Callable[[Report], str]":
    """Return the render function of a registered format."""
    module, _, attribute = FORMATS[name].partition(":")
    renderer: Callable[[Report], str] = getattr(import_module(module), attribute)
    return renderer
