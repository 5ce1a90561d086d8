"""Tables in a terminal, within its width, with the largest probability in bold."""

from rich.console import Console
from rich.text import Text

from bcompare.basis.arguments import as_options
from bcompare.render.layout import laid_out
from bcompare.report.build import Report
from bcompare.report.table import Table


def print_report(report: Report, console: Console) -> None:
    """Print tables, sentences and settings to a console, within its width."""
    if report.brief:
        console.print(_text(report.brief), soft_wrap=True)
        return
    for line in report.lead:
        console.print(_text(line, "bold"))
    if report.lead:
        console.print()
    for i, table in enumerate(report.tables):
        console.print(_text(table.title, "bold"))
        print_table(table, console)
        if i == 0 and report.reading:
            console.print(_text(report.reading))
        # one blank line less keeps short answers compact
        if len(report.tables) > 1 or report.sentences or report.hints or not report.reading:
            console.print()
        if i == 0:
            _print_words(report, console)
    if not report.tables:
        _print_words(report, console)
    console.print(_text(report.settings, "dim"))


def _text(words: str, style: str = "") -> Text:
    return Text(as_options(words), style=style)


def _print_words(report: Report, console: Console) -> None:
    for line in (*report.sentences, *report.hints):
        console.print(_text(line))
    if (report.sentences or report.hints) and not (report.reading and len(report.tables) == 1):
        console.print()


def print_table(table: Table, console: Console) -> None:
    """Print a table within the width; if it cannot fit, the terminal wraps its lines."""
    for strong, cells in laid_out(table, console.width):
        line = Text()
        for i, cell in enumerate(cells):
            line.append(cell, style="bold" if i in strong else None)
        line.rstrip()
        console.print(line, soft_wrap=True)
