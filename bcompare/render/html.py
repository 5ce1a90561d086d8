"""A report inside an HTML page, such as a notebook."""

import re
from html import escape

from bcompare.report.pair_report import WHAT_TO_DO, Report
from bcompare.report.table import Table


def body(report: Report) -> str:
    """Return tables and sentences, to be embedded."""
    tables = [_table(table) for table in report.tables]
    lead = "".join(f"<p><strong>{escape(line)}.</strong></p>\n" for line in report.lead)
    sentences = "".join(f"<p>{escape(line)}.</p>\n" for line in report.sentences)
    notes = "".join(
        f'<p class="{note.severity}">{note.severity.title()}: {unbroken(note.text)}</p>\n'
        for note in report.notes
    )
    reading = f"<p>{escape(report.reading)}</p>\n" if report.reading else ""
    step = ""
    if report.next_step:
        step = f"<p><strong>{WHAT_TO_DO}</strong> {unbroken(report.next_step)}.</p>\n"
    parts = (lead, *tables[:1], sentences, step, *tables[1:], reading, notes)
    return f"<main>\n{''.join(parts)}</main>\n<footer>{escape(report.settings)}</footer>\n"


def unbroken(words: str) -> str:
    """Return text as HTML whose options are not broken after their dashes."""
    return re.sub(
        r"--[a-z][a-z-]*", r'<span style="white-space: nowrap">\g<0></span>', escape(words)
    )


def _table(table: Table) -> str:
    css = [' class="number"' if c.is_numeric else "" for c in table.columns]
    head = "".join(
        f'<th scope="col"{kind}>{escape(column.header)}</th>'
        for column, kind in zip(table.columns, css, strict=True)
    )
    rows = []
    for row, strong in table.texts():
        cells = [escape(cell) for cell in row]
        for i in strong:
            cells[i] = f"<strong>{cells[i]}</strong>"
        rows.append(
            "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(cells, css, strict=True))
        )
    body = "".join(f"<tr>{row}</tr>\n" for row in rows)
    return (
        f"<table>\n<caption>{escape(table.title)}</caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"
    )
