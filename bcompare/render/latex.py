r"""LaTeX tables, for papers; they need booktabs and graphicx.

A table that is wider than the text, or than its column, is scaled down. A long table is split,
since `table` does not break across pages.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from bcompare.report.pair_report import WHAT_TO_DO, Report
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
    "“": "``",
    "”": "''",
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
    "−": "$-$",
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

# The number of rows that fit on a page with caption and header.
MOST_ROWS = 32

# The letters that pdflatex knows without further packages.
LATIN = re.compile(r"[\x20-\x7e\xa1-\u017f]")

# The most characters of a line that spare columns may lengthen: pages are narrow.
WIDTH = 100

# A word of a header; a sign stays with the word that follows it.
_WORD = re.compile(r"± \S+|\S+")
_NEGATIVE = re.compile(r"-(?=[\d\\$])")
# What the columns mean, without the words that lead to it and the command that explains more.
_READING = re.compile(r" · bcompare explain .*$")
_QUOTED = re.compile('"([^"]*)"')
QUOTES = r"“\1”"


def render(report: Report) -> str:
    """Return tables to paste into a document."""
    report = report.for_pasting().fitted(WIDTH)
    what, how = report.context()
    needs = [r"% These tables need \usepackage{booktabs,graphicx}."]
    foreign = _foreign(report.tables, what, how)
    if foreign:
        needs.append(
            f"% pdflatex has no letters for {' '.join(foreign)}: set them by lualatex or xelatex, "
            "in a font that has them."
        )
    blocks = ["\n".join(needs)]
    for i, table in enumerate(report.tables):
        caption = _caption(table.title, what + how if table.by_test else what)
        if table.by_test and report.reading and i in report.explained:
            reading = _QUOTED.sub(QUOTES, _READING.sub("", report.reading))
            is_symbol = "(" in reading[:2] or not reading[:1].isascii()  # such as p(right), ρ
            if not is_symbol:
                reading = reading[:1].upper() + reading[1:]
            caption += f" {reading}."
        blocks += _table(table, caption, f"tab:bcompare-{_slug(table.title)}")
    blocks.append(_comment(report.settings))
    words = [*report.lead, *report.sentences]
    if report.next_step:
        words.append(f"{WHAT_TO_DO} {report.next_step}")
    blocks.append("\n".join(f"{_comment(line)}." for line in words))
    if report.reading:
        blocks.append(f"% {report.reading}")
    notes = [_comment(f"{note.severity}: {note.text}") for note in report.notes]
    blocks.append("\n".join(notes))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _comment(text: str) -> str:
    """Return text as a comment of one line."""
    return f"% {' '.join(text.split())}"


def _foreign(tables: Sequence[Table], *texts: str) -> list[str]:
    """Return the letters in tables and texts that pdflatex lacks."""
    words = [cell for table in tables for row in table.rows for cell in row]
    words += [*texts, *(table.title for table in tables)]
    letters = {letter for word in words if isinstance(word, str) for letter in word}
    return sorted(x for x in letters if x not in SPECIAL and x.isprintable() and not LATIN.match(x))


def _table(table: Table, caption: str, label: str) -> Iterator[str]:
    """Yield the lines of a table, split if it is longer than a page."""
    header = " & ".join(_header(column) for column in table.columns)
    columns = "".join("r" if column.is_numeric else "l" for column in table.columns)
    lines = [_row(table, *row) for row in table.texts()]
    for start in range(0, len(lines), MOST_ROWS):
        words = caption
        name = label
        if start:
            words = f"{table.title}, continued."
            name = f"{label}-{start // MOST_ROWS + 1}"
        part = [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_escaped(words)}}}",
            rf"\label{{{name}}}",
            r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            header + r" \\",
            r"\midrule",
            *lines[start : start + MOST_ROWS],
            r"\bottomrule",
            r"\end{tabular}}",
            r"\end{table}",
        ]
        yield "\n".join(part)


def _row(table: Table, texts: Sequence[str], strong: Collection[int]) -> str:
    cells = [
        _NEGATIVE.sub("$-$", _escaped(text)) if column.is_numeric else _escaped(text)
        for text, column in zip(texts, table.columns, strict=True)
    ]
    for i in strong:
        cells[i] = rf"\textbf{{{cells[i]}}}"
    return " & ".join(cells) + r" \\"


def _header(column: Column) -> str:
    """Return a header; over figures with each word on its own line."""
    words = [_escaped(word) for word in _WORD.findall(column.header)]
    if not column.is_numeric or len(words) < 2:
        return _escaped(column.header)
    stacked = r"\\".join(words)
    return rf"\shortstack[r]{{{stacked}}}"


def _caption(title: str, context: str) -> str:
    """Return the caption: the context, and what the title adds to it."""
    first, _, rest = title.partition(": ")
    if first in context:
        title = "" if rest in context else rest[:1].upper() + rest[1:]
    parts = filter(None, (title, context))
    return " ".join(part if part.endswith("?") else f"{part}." for part in parts)


def _slug(title: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", title.casefold())[:6])


def _escaped(words: str) -> str:
    escaped = "".join(SPECIAL.get(letter, letter) for letter in " ".join(words.split()))
    return escaped.replace("--", "-{}-") if "--" in words else escaped
