"""A report as lines: for files and pipes at full width, in a terminal within its own."""

from collections.abc import Callable, Collection, Iterator

from rich.console import Console
from rich.text import Text

from bcompare.basis.arguments import as_options
from bcompare.basis.errors import InputError
from bcompare.basis.notes import ON_THE_RULE
from bcompare.render.layout import Line, laid_out
from bcompare.report.build import Report


def render(report: Report) -> str:
    """Return the report as plain text, with no name wrapped or cut."""
    return "".join(f"{line.plain}\n" for line in lines_of(report))


def render_sentences(report: Report) -> str:
    """Return methods and results in sentences, to paste into a paper.

    Raises
    ------
    InputError : the report is of something else than comparisons or a family.
    """
    if not report.paper:
        raise InputError("the format sentence is for the tests, under one rope, and for rank")
    return f"{report.paper}\n"


def print_report(report: Report, console: Console) -> None:
    """Print a report, with the largest probability in bold; lines of tables are never cut."""
    for line in lines_of(report, console.width, as_options):
        console.print(line, soft_wrap=bool(line.no_wrap))


def lines_of(
    report: Report, width: int | None = None, spell: Callable[[str], str] = str
) -> Iterator[Text]:
    """Yield the lines of a report, with their styles; text, unlike tables, may be wrapped.

    width : of the terminal; None for full width. spell : how to write the arguments in messages.
    """

    def text(line: str, style: str = "") -> Text:
        return Text(spell(line), style)

    said = [text(note.line) for note in report.notes if note.code in ON_THE_RULE]
    if report.brief:
        yield Text(spell(report.brief), no_wrap=True)
        yield from said
        return
    tables = [
        [text(table.title, "bold"), *(_line(*line) for line in laid_out(table, width))]
        for table in (table if width else table.starred() for table in report.tables)
    ] or [[]]
    reading = report.reading if width or report.detailed else ""
    if reading:
        tables[_explained(report)].append(text(reading))
    lead = [text(line, "bold") for line in report.lead]
    words = [*(text(line) for line in (*report.sentences, *report.hints)), *said]
    blocks = [block for block in (lead, tables[0], words, *tables[1:]) if block]
    for i, block in enumerate(blocks):
        yield from block
        # one blank line less keeps short answers compact
        if i < len(blocks) - 1 or len(tables) > 1 or not reading:
            yield Text()
    yield text(report.settings, "dim")


def _explained(report: Report) -> int:
    """Return the index of the first table with a heading that is explained."""
    return next(
        (
            i
            for i, table in enumerate(report.tables)
            if any(f"{column.header}: " in report.reading for column in table.columns)
        ),
        0,
    )


def _line(strong: Collection[int], cells: Line) -> Text:
    """Return a line of a table; if the table cannot fit, the terminal wraps it."""
    line = Text(no_wrap=True)
    for i, cell in enumerate(cells):
        line.append(cell, "bold" if i in strong else None)
    line.rstrip()
    return line
