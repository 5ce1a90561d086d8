"""Tables in a terminal, by rich: within its width, the largest probability bold."""

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from bcompare.render.plain import table_lines
from bcompare.report.build import Report
from bcompare.report.number import RIGHT_ALIGNED, text
from bcompare.report.table import Table

# How narrow a column of words may become: a name is broken anywhere, "equivalent" never.
NARROWEST = {"name": 8, "verdict": 10}


def print_report(report: Report, console: Console) -> None:
    """Print tables, sentences and settings to a console, within its width."""
    for table in report.tables:
        console.print(Text(table.title, style="bold"))
        print_table(table, console)
    for line in (*report.sentences, *report.hints):
        console.print(Text(line))
    if report.sentences or report.hints:
        console.print()
    console.print(Text(report.settings, style="dim"))


def print_table(table: Table, console: Console) -> None:
    """Print a table as it fits: columns closer together where the terminal is narrow.

    Where it is too narrow even so, rich would cut columns off; the terminal then wraps whole
    lines instead, and nothing is lost.
    """
    for padding in (1, 0):
        laid_out = _rich(table, padding)
        least = sum((column.min_width or 0) + 1 + padding for column in laid_out.columns)
        if least <= console.width:
            console.print(laid_out)
            return
    console.print("\n".join(table_lines(table)), soft_wrap=True, markup=False)
    console.print()


def _rich(table: Table, padding: int) -> RichTable:
    rich_table = RichTable(
        box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, padding, 0, 0), header_style=""
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
            min_width=widest if numeric else min(widest, NARROWEST[column.kind]),
            overflow="fold",
        )
    for row, cells in zip(table.rows, rows, strict=True):
        texts = [Text(cell) for cell in cells]
        largest = table.emphasised(row)
        if largest is not None:
            texts[largest].stylize("bold")
        rich_table.add_row(*texts)
    return rich_table
