"""JSON at full precision for programs: a document on one line, or a line for each row."""

import json
from collections.abc import Iterator
from typing import TextIO

from bcompare.basis.printable import printable_json
from bcompare.report.build import Report
from bcompare.report.rows import Rows, lines

_dumps = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def render(report: Report) -> str:
    """Return the JSON document."""
    return printable_json(_dumps(report.document())) + "\n"


def write(blocks: Iterator[Rows], out: TextIO) -> None:
    """Write blocks of rows as JSON Lines; see `bcompare.report.rows`."""
    for rows in blocks:
        for values in lines(rows):
            out.write(printable_json(_dumps(dict(zip(rows, values, strict=True)))) + "\n")
