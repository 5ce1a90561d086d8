"""CSV at full precision, a row a record; see `bcompare.report.rows`.

Spreadsheets run a cell as a formula that begins with one of a few characters, and names come from
whoever made the results. So `csv` puts an apostrophe before such a name, as OWASP advises, and
replaces control characters; `csv-raw` writes names as they are.
"""

import csv
from collections.abc import Iterator
from dataclasses import replace
from typing import TextIO

from bcompare.basis.printable import printable
from bcompare.report.rows import RowColumn, Rows, lines

# What begins a formula: the usual signs, and those that some spreadsheets take for them.
FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


def write(blocks: Iterator[Rows], out: TextIO) -> None:
    """Write blocks of rows, which all have the same columns, with names that cannot act."""
    write_raw(({key: _harmless(column) for key, column in rows.items()} for rows in blocks), out)


def write_raw(blocks: Iterator[Rows], out: TextIO) -> None:
    """Write blocks of rows, which all have the same columns, with names as they are."""
    writer = csv.writer(out, lineterminator="\n")
    # Python's writer leaves a lone carriage return bare, which readers take for the end of a row.
    careful = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    for number, rows in enumerate(blocks):
        if number == 0:
            writer.writerow(rows)
        returns = any("\r" in name for column in rows.values() for name in column.names)
        (careful if returns else writer).writerows(lines(rows))


def _harmless(column: RowColumn) -> RowColumn:
    """A column whose texts neither a spreadsheet nor a terminal runs."""
    names = (f"'{name}" if name.startswith(FORMULA) else name for name in column.names)
    return replace(column, names=tuple(map(printable, names)))
