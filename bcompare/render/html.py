"""One self-contained HTML page."""

import re
from html import escape

from bcompare.report.build import Report
from bcompare.report.table import Table

STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em;
       color: #222; background: #fff }
table { border-collapse: collapse; margin: 0 0 2em; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 600; padding: .4em 0 }
th, td { padding: .25em .8em; text-align: left; border-bottom: 1px solid #ddd }
thead th { border-bottom: 2px solid #888 }
.number { text-align: right; white-space: nowrap }
.warning { border-left: .3em solid #b36b00; padding-left: .8em }
.info { border-left: .3em solid #888; padding-left: .8em }
footer { color: #555; font-size: .85em }
@media (max-width: 50em) { main { overflow-x: auto } }
"""


def render(report: Report) -> str:
    """Return the page."""
    title = escape(report.tables[0].title if report.tables else "bcompare")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title} – bcompare</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
        f"{body(report)}</body>\n</html>\n"
    )


def body(report: Report) -> str:
    """Return the body of the page, to be embedded, as in a notebook."""
    tables = [_table(table) for table in report.tables]
    lead = "".join(f"<p><strong>{escape(line)}.</strong></p>\n" for line in report.lead)
    sentences = "".join(f"<p>{escape(line)}.</p>\n" for line in report.sentences)
    notes = "".join(
        f'<p class="{note.severity}">{note.severity.title()}: {unbroken(note.text)}</p>\n'
        for note in report.notes
    )
    reading = f"<p>{escape(report.reading)}</p>\n" if report.reading else ""
    parts = (lead, *tables[:1], sentences, *tables[1:], reading, notes)
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
