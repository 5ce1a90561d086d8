"""Tables in a terminal, by rich: within its width, the largest probability bold."""

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from bcompare.report.build import Report
from bcompare.report.number import RIGHT_ALIGNED, text
from bcompare.report.table import Table


def print_report(report: Report, console: Console) -> None:
    """Print tables, sentences and settings to a console, within its width."""
    for table in report.tables:
        console.print(Text(table.title, style="bold"))
        console.print(_rich(table))
    for line in (*report.sentences, *report.hints):
        console.print(Text(line))
    if report.sentences or report.hints:
        console.print()
    console.print(Text(report.settings, style="dim"))


def _rich(table: Table) -> RichTable:
    rich_table = RichTable(
        box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), header_style=""
    )
    rows = [
        [text(cell, column) for cell, column in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]
    for i, column in enumerate(table.columns):
        numeric = column.kind in RIGHT_ALIGNED
        # A figure's header stands on a line a word, and is never broken within one; where the
        # terminal is too narrow, names are.
        words = column.header.split() if numeric else [column.header]
        widest = max(map(cell_len, [*words, *(row[i] for row in rows)]))
        rich_table.add_column(
            Text("\n".join(words)),
            justify="right" if numeric else "left",
            min_width=widest if numeric else None,
            overflow="fold",
        )
    for row, cells in zip(table.rows, rows, strict=True):
        texts = [Text(cell) for cell in cells]
        largest = table.emphasised(row)
        if largest is not None:
            texts[largest].stylize("bold")
        rich_table.add_row(*texts)
    return rich_table
