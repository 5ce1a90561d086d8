"""Tables in a terminal, by rich: within its width, the largest probability bold."""

from rich import box
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
    rich_table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, header_style="")
    for column in table.columns:
        numeric = column.kind in RIGHT_ALIGNED
        rich_table.add_column(
            Text(column.header),
            justify="right" if numeric else "left",
            no_wrap=numeric,
            overflow="fold",
        )
    for row in table.rows:
        cells = [Text(text(cell, column)) for cell, column in zip(row, table.columns, strict=True)]
        largest = table.emphasised(row)
        if largest is not None:
            cells[largest].stylize("bold")
        rich_table.add_row(*cells)
    return rich_table
