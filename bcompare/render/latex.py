r"""LaTeX tables, for papers; they need booktabs and nothing else.

A table is set in the largest size in which it fits an article's page; where none does, its names
are broken over lines. A long table is cut into several, for `table` does not break over pages.
"""

import re
from collections.abc import Iterator

from bcompare.report.build import Report
from bcompare.report.number import RIGHT_ALIGNED, text
from bcompare.report.table import Column, Table

SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    '"': r"\char34{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "[": "{[}",  # after a line break it would begin an argument
    "]": "{]}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "ρ": r"$\rho$",
    "δ": r"$\delta$",
    "σ": r"$\sigma$",
    "ν": r"$\nu$",
    "μ": r"$\mu$",
    "θ": r"$\theta$",
    "χ": r"$\chi$",
    "₀": r"$_0$",
    "²": r"$^2$",
    "∞": r"$\infty$",
    "·": r"$\cdot$",
    "±": r"$\pm$",
    "–": r"\textendash{}",
}

# The text of a one-column article, in points; a character's width in each size, at the most and
# on average, and the gap between columns.
TEXT_WIDTH = 345.0
SIZES = (("normalsize", 5.3, 6.0), ("small", 4.9, 5.0), ("footnotesize", 4.4, 4.0),
         ("scriptsize", 3.9, 2.5))  # fmt: skip
# So many rows of the smallest line height stand on a page beside its caption.
MOST_ROWS = 45

# Where a name may be broken: after a mark, and before a capital letter.
_BREAK = re.compile(r"(?<=[_\-;=,(./:])(?=\w)|(?<=[a-z])(?=[A-Z])")
_NEGATIVE = re.compile(r"-(?=[\d\\$])")


def render(report: Report) -> str:
    """Return tables to paste into a document that loads booktabs."""
    blocks = [r"% These tables need \usepackage{booktabs}."]
    for number, table in enumerate(report.tables):
        caption = table.title
        if number == 0:  # the line of settings may begin with the title
            caption += f". {report.settings.removeprefix(f'{table.title} · ')}"
        blocks += _table(table, caption, f"tab:bcompare-{_slug(table.title)}")
    blocks += [
        "\n".join(f"% {' '.join(line.split())}." for line in (*report.lead, *report.sentences))
    ]
    blocks += [
        "\n".join(f"% {note.severity}: {' '.join(note.message.split())}" for note in report.notes)
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _table(table: Table, caption: str, label: str) -> Iterator[str]:
    """The table, cut where it is longer than a page."""
    size, gap, columns = _layout(table)
    header = " & ".join(_header(column) for column in table.columns)
    for start in range(0, len(table.rows), MOST_ROWS):
        part = start // MOST_ROWS
        words = (
            rf"\caption{{{_escaped(caption)}.}}"
            if not part
            else (rf"\caption{{{_escaped(table.title)}, continued.}}")
        )
        yield "\n".join([
            r"\begin{table}",
            r"\centering",
            words,
            rf"\label{{{label}{f'-{part + 1}' if part else ''}}}",
            rf"\{size}\setlength{{\tabcolsep}}{{{gap / 2:g}pt}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            header + r" \\",
            r"\midrule",
            *(_row(table, row) for row in table.rows[start : start + MOST_ROWS]),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ])  # fmt: skip


def _row(table: Table, row: tuple[str | int | float | None, ...]) -> str:
    cells = [
        _cell(text(cell, column), column) for cell, column in zip(row, table.columns, strict=True)
    ]
    largest = table.emphasised(row)
    if largest is not None:
        cells[largest] = rf"\textbf{{{cells[largest]}}}"
    return " & ".join(cells) + r" \\"


def _layout(table: Table) -> tuple[str, float, str]:
    """The size, the gap between columns, and the columns' own layout."""
    numeric = [column.kind in RIGHT_ALIGNED for column in table.columns]
    lengths = [
        max([*map(len, column.header.split()), *(len(text(row[i], column)) for row in table.rows)])
        for i, column in enumerate(table.columns)
    ]
    for size, letter, gap in SIZES:
        if letter * sum(lengths) + gap * len(lengths) <= TEXT_WIDTH:
            return size, gap, "".join("r" if is_numeric else "l" for is_numeric in numeric)
    fixed = sum(n for n, is_numeric in zip(lengths, numeric, strict=True) if is_numeric)
    room = TEXT_WIDTH - letter * fixed - gap * len(lengths)
    named = sum(lengths) - fixed
    widths = [max(room * n / max(named, 1), 8 * letter) for n in lengths]
    columns = [
        "r" if is_numeric else rf"p{{{width:.0f}pt}}"
        for width, is_numeric in zip(widths, numeric, strict=True)
    ]
    return size, gap, "".join(columns)


def _header(column: Column) -> str:
    """A header, a word a line over figures."""
    words = [_escaped(word) for word in column.header.split()]
    if column.kind not in RIGHT_ALIGNED or len(words) < 2:
        return _escaped(column.header)
    stacked = r"\\".join(words)
    return rf"\shortstack[r]{{{stacked}}}"


def _cell(words: str, column: Column) -> str:
    """A cell: a figure with a true minus, or a name that may be broken after its marks."""
    if column.kind in RIGHT_ALIGNED:
        return _NEGATIVE.sub("$-$", _escaped(words))
    return r"\allowbreak{}".join(map(_escaped, _BREAK.split(" ".join(words.split()))))


def _slug(title: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", title.casefold())[:6])


def _escaped(words: str) -> str:
    escaped = "".join(SPECIAL.get(letter, letter) for letter in " ".join(words.split()))
    return escaped.replace("--", "-{}-") if "--" in words else escaped
