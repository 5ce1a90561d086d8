"""Markdown tables, for notebooks and pull requests."""

import re
from collections.abc import Iterable

from bcompare.report.pair_report import WHAT_TO_DO, Report
from bcompare.report.table import Table


def render(report: Report) -> str:
    """Return the Markdown text."""
    report = report.for_pasting()
    first, *others = [_table(table) for table in report.tables] or [""]
    lead = "\n\n".join(f"{_escaped(line)}." for line in report.lead)
    sentences = "\n".join(f"- {_escaped(line)}" for line in report.sentences)
    blocks = [lead, first, sentences, _next_step(report), *others]
    blocks += [f"> **{note.severity}**: {_escaped(note.text)}" for note in report.notes]
    blocks += [_escaped(report.reading), f"<sub>{_escaped(report.settings)}</sub>"]
    return "\n\n".join(block for block in blocks if block) + "\n"


def render_comment(report: Report) -> str:
    """Return a comment on a merge request, after a hidden marker by which a bot finds it again.

    The marker depends on the gate's name only. What a hasty reader need not see is folded up.
    """
    name = str(report.document()["name"]).replace("--", "- -").replace(">", "")
    marker = f"<!-- {name} -->\n"
    lead = [f"**{_escaped(line)}**" for line in report.lead]
    blocks = [*lead, *map(_table, report.tables), _next_step(report)]
    folded = [*report.sentences, *(f"{note.word}: {note.text}" for note in report.notes)]
    folded.append(report.settings)
    lines = "\n".join(f"- {_escaped(line)}" for line in folded)
    blocks.append(f"<details><summary>Details</summary>\n\n{lines}\n\n</details>")
    return marker + "\n\n".join(block for block in blocks if block) + "\n"


def _next_step(report: Report) -> str:
    if not report.next_step:
        return ""
    return f"**{WHAT_TO_DO}** {_escaped(report.next_step)}."


def _table(table: Table) -> str:
    lines = [
        f"**{_escaped(table.title)}**",
        "",
        _row(_escaped(column.header) for column in table.columns),
        _row("---:" if column.is_numeric else "---" for column in table.columns),
    ]
    for row, strong in table.texts():
        cells = [_escaped(cell) for cell in row]
        lines.append(_row(f"**{c}**" if i in strong else c for i, c in enumerate(cells)))
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _escaped(words: str) -> str:
    for special in "\\|*_`[]<>&~$#":
        words = words.replace(special, "\\" + special)
    # mentions and addresses cannot be escaped, but they can be divided
    words = re.sub(r"@|:(?=//)|\bwww(?=\.)", r"\g<0><!-- -->", words)
    return words.replace("\n", " ")
