"""JSON Lines at full precision, a line a record; see `bcompare.report.rows`."""

import json
from collections.abc import Iterator
from io import StringIO
from typing import TextIO

from bcompare.report.build import Report
from bcompare.report.rows import Rows, lines


def render(report: Report) -> str:
    """Return the lines."""
    out = StringIO()
    write(iter([report.rows()]), out)
    return out.getvalue()


def write(blocks: Iterator[Rows], out: TextIO) -> None:
    """Write blocks of rows, a line a row."""
    dumps = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    for rows in blocks:
        for values in lines(rows):
            out.write(dumps(dict(zip(rows, values, strict=True))) + "\n")
