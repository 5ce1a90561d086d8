"""Tables for files and pipes: plain text as wide as it needs to be, no name wrapped or cut.

The same look as in a terminal. Written without rich, whose layout of thousands of rows takes
longer than all the rest.
"""

from collections.abc import Iterator

from rich.cells import cell_len

from bcompare.report.build import Report
from bcompare.report.number import RIGHT_ALIGNED, text
from bcompare.report.table import Table

GAP = "  "


def render(report: Report) -> str:
    """Return the report as plain text."""
    blocks = ["\n".join([table.title, "", *table_lines(table)]) for table in report.tables]
    blocks += ["\n".join((*report.sentences, *report.hints)), report.settings]
    return "\n\n".join(block for block in blocks if block) + "\n"


def table_lines(table: Table) -> Iterator[str]:
    """Yield the lines of a table, header first, each as wide as it needs to be."""
    columns = [
        [column.header, *(text(row[i], column) for row in table.rows)]
        for i, column in enumerate(table.columns)
    ]
    widths = [max(map(cell_len, cells)) for cells in columns]
    for line, cells in enumerate(zip(*columns, strict=True)):
        padded = (
            " " * (width - cell_len(cell)) + cell
            if column.kind in RIGHT_ALIGNED
            else cell + " " * (width - cell_len(cell))
            for cell, width, column in zip(cells, widths, table.columns, strict=True)
        )
        yield f" {GAP.join(padded)}".rstrip()
        if line == 0:
            yield f" {'─' * (sum(widths) + len(GAP) * (len(widths) - 1))}"
