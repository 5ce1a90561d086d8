"""Tables for files and pipes: plain text at full width, with no name wrapped or cut."""

from bcompare.render.layout import laid_out
from bcompare.report.build import Report
from bcompare.report.table import Table


def render(report: Report) -> str:
    """Return the report as plain text."""
    if report.brief:
        return f"{report.brief}\n"
    first, *others = [f"{table.title}\n{_lines(table)}" for table in report.tables] or [""]
    words = "\n".join((*report.sentences, *report.hints))
    lead = "\n".join(report.lead)
    first = "\n".join(part for part in (first, report.reading) if part)
    # one blank line less keeps short answers compact
    end = "\n" if report.reading and not others else "\n\n"
    answer = "\n\n".join(block for block in (lead, first, words, *others) if block)
    return f"{answer}{end if answer else ''}{report.settings}\n"


def _lines(table: Table) -> str:
    return "\n".join("".join(line).rstrip() for _, line in laid_out(table))
