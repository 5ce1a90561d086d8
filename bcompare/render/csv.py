"""CSV at full precision, a row a record; see `bcompare.report.rows`."""

import csv
from collections.abc import Iterator
from io import StringIO
from typing import TextIO

from bcompare.report.build import Report
from bcompare.report.rows import Rows, lines


def render(report: Report) -> str:
    """Return the CSV text."""
    out = StringIO()
    write(iter([report.rows()]), out)
    return out.getvalue()


def write(blocks: Iterator[Rows], out: TextIO) -> None:
    """Write blocks of rows, which all have the same columns."""
    writer = csv.writer(out, lineterminator="\n")
    # Python's writer leaves a lone carriage return bare, which readers take for the end of a row.
    careful = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    for number, rows in enumerate(blocks):
        if number == 0:
            writer.writerow(rows)
        returns = any("\r" in name for column in rows.values() for name in column.names)
        (careful if returns else writer).writerows(lines(rows))
