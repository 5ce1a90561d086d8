"""CSV at full precision, with a row for each record; see `bcompare.report.fields`.

Spreadsheets run cells that begin with certain characters as formulas, and names are not trusted. So
such names get an apostrophe before them, as OWASP recommends, and control characters are replaced.
`changed` has a row for each test item that was lost or won.
"""

import csv
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from typing import TextIO

from bcompare.basis.messages import printable
from bcompare.report.fields import RowColumn, Rows, lines
from bcompare.report.pair_report import Report

# The characters that begin a formula, including those that some spreadsheets treat alike.
FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


def write(blocks: Iterator[Rows], out: TextIO) -> None:
    """Write blocks of rows with the same columns, with harmless names."""
    writer = csv.writer(out, lineterminator="\n")
    for number, rows in enumerate(blocks):
        if number == 0:
            writer.writerow(rows)
        writer.writerows(lines({key: _harmless(column) for key, column in rows.items()}))


def render(report: Report) -> str:
    """Return the rows of a report."""
    return _text(report.rows())


def render_changed(report: Report) -> str:
    """Return the test items that the right models of all pairs lost and won."""
    return _text(report.changed())


def _text(rows: Rows) -> str:
    out = StringIO()
    write(iter([rows]), out)
    return out.getvalue()


def _harmless(column: RowColumn) -> RowColumn:
    """Return the column with texts that neither a spreadsheet nor a terminal executes."""
    names = (f"'{name}" if name.startswith(FORMULA) else name for name in column.names)
    return replace(column, names=tuple(map(printable, names)))
