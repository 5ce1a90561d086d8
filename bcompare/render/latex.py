r"""LaTeX tables, for papers; they need booktabs and nothing else.

A table is set in the largest size in which it fits an article's page; where none does, its names
are broken over lines. A long table is cut into several, for `table` does not break over pages.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bcompare.report.build import Report
from bcompare.report.table import Column, Table

Row = tuple[list[str], int | None]
"""The texts of a row, and the one to emphasise."""

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

# The text of a one-column article, in points.
TEXT_WIDTH, TEXT_HEIGHT = 345.0, 550.0
# A caption's letters and lines, and what it and the rules of a table take beside them.
CAPTION_LETTER, CAPTION_LINE, AROUND = 4.8, 12.0, 36.0


class _Size(NamedTuple):
    """A size of type: the width of a letter, the height of a line, the gap between columns."""

    name: str
    letter: float
    line: float
    gap: float


SIZES = (
    _Size("normalsize", 5.3, 12.0, 6.0),
    _Size("small", 4.9, 11.0, 5.0),
    _Size("footnotesize", 4.4, 9.5, 4.0),
    _Size("scriptsize", 3.9, 8.0, 2.5),
    _Size("tiny", 3.4, 6.0, 2.0),
)
# The last ones are for tables whose names are broken over lines.
UNBROKEN = 4

# The letters that pdflatex has without further packages.
LATIN = re.compile(r"[\x20-\x7e\xa1-\u017f]")

# Where a name may be broken: after a mark, and before a capital letter.
_BREAK = re.compile(r"(?<=[_\-;=,(./:])(?=\w)|(?<=[a-z])(?=[A-Z])")
_NEGATIVE = re.compile(r"-(?=[\d\\$])")


def render(report: Report) -> str:
    """Return tables to paste into a document that loads booktabs."""
    needs = [r"% These tables need \usepackage{booktabs}."]
    foreign = _foreign(report)
    if foreign:
        needs.append(
            f"% pdflatex has no letters for {' '.join(foreign)}: set them by lualatex or xelatex, "
            "in a font that has them."
        )
    blocks = ["\n".join(needs)]
    for number, table in enumerate(report.tables):
        caption = table.title
        if number == 0:  # the line of settings may begin with the title
            caption += f". {report.settings.removeprefix(f'{table.title} · ')}"
        blocks += _table(table, caption, f"tab:bcompare-{_slug(table.title)}")
    blocks += [
        "\n".join(f"% {' '.join(line.split())}." for line in (*report.lead, *report.sentences))
    ]
    blocks += [f"% {report.reading}"] if report.reading else []
    blocks += [
        "\n".join(f"% {note.severity}: {' '.join(note.text.split())}" for note in report.notes)
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _foreign(report: Report) -> list[str]:
    """The letters that need another TeX."""
    words = [cell for table in report.tables for row in table.rows for cell in row]
    words += [table.title for table in report.tables]
    letters = {letter for word in words if isinstance(word, str) for letter in word}
    return sorted(x for x in letters if x not in SPECIAL and x.isprintable() and not LATIN.match(x))


def _table(table: Table, caption: str, label: str) -> Iterator[str]:
    """The table, cut where it is longer than a page."""
    layout = _layout(table)
    header = " & ".join(_header(column) for column in table.columns)
    for part, rows in enumerate(_pages(table, layout, caption)):
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
            rf"\{layout.size.name}\setlength{{\tabcolsep}}{{{layout.size.gap / 2:g}pt}}",
            rf"\begin{{tabular}}{{{layout.columns}}}",
            r"\toprule",
            header + r" \\",
            r"\midrule",
            *(_row(table, row) for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ])  # fmt: skip


def _pages(table: Table, layout: "_Layout", caption: str) -> Iterator[Sequence[Row]]:
    """The rows that stand on each page."""
    headed = max(len(column.header.split()) for column in table.columns) * layout.size.line
    captioned = -(-len(caption) * CAPTION_LETTER // TEXT_WIDTH) * CAPTION_LINE
    room = left = TEXT_HEIGHT - AROUND - headed - captioned
    page: list[Row] = []
    for row in table.texts():
        height = layout.lines(row[0]) * layout.size.line
        if height > left and page:
            yield page
            page, left = [], room
        page.append(row)
        left -= height
    yield page


def _row(table: Table, row: Row) -> str:
    texts, largest = row
    cells = [_cell(text, column) for text, column in zip(texts, table.columns, strict=True)]
    if largest is not None:
        cells[largest] = rf"\textbf{{{cells[largest]}}}"
    return " & ".join(cells) + r" \\"


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a table is set.

    size : of its type. widths : of each column in points, None for one as wide as its cells.
    columns : the same for `tabular`.
    """

    size: _Size
    widths: tuple[float | None, ...]
    columns: str

    def lines(self, texts: Sequence[str]) -> int:
        """The number of lines that a row takes."""
        return max(
            1 if width is None else _lines(text, width / self.size.letter)
            for text, width in zip(texts, self.widths, strict=True)
        )


def _layout(table: Table) -> _Layout:
    """The largest size in which the table fits the page; with broken names where none does."""
    numeric = [column.is_numeric for column in table.columns]
    texts = [row for row, _ in table.texts()]
    cells = [[row[i] for row in texts] for i in range(len(table.columns))]
    lengths = [
        max(map(len, [*column.header.split(), *own]))
        for column, own in zip(table.columns, cells, strict=True)
    ]
    for size in SIZES[:UNBROKEN]:
        if size.letter * sum(lengths) + size.gap * len(lengths) <= TEXT_WIDTH:
            plain = "".join("r" if is_numeric else "l" for is_numeric in numeric)
            return _Layout(size, (None,) * len(lengths), plain)
    least = [
        length if is_numeric else max(len(part) for cell in (column.header, *own)
                                      for part in _parts(cell))
        for length, is_numeric, column, own in zip(
            lengths, numeric, table.columns, cells, strict=True
        )
    ]  # fmt: skip
    for size in SIZES[UNBROKEN - 1 :]:
        room = TEXT_WIDTH - size.gap * len(lengths) - size.letter * sum(least)
        if room >= 0:
            break
    named = sum(n for n, is_numeric in zip(lengths, numeric, strict=True) if not is_numeric)
    widths = tuple(
        None if is_numeric else size.letter * short + max(room, 0.0) * long / max(named, 1)
        for is_numeric, short, long in zip(numeric, least, lengths, strict=True)
    )
    columns = "".join("r" if width is None else rf"p{{{width:.0f}pt}}" for width in widths)
    return _Layout(size, widths, columns)


def _parts(words: str) -> list[str]:
    """The pieces of a name that stay whole."""
    return [part for word in words.split() for part in _BREAK.split(word)] or [""]


def _lines(words: str, letters: float) -> int:
    """How many lines of so many letters a name takes."""
    lines, used = 1, 0.0
    for word in words.split():
        used += 1 if used else 0
        for part in _BREAK.split(word):
            if used and used + len(part) > letters:
                lines, used = lines + 1, 0.0
            used += len(part)
    return lines


def _header(column: Column) -> str:
    """A header, a word a line over figures."""
    words = [_escaped(word) for word in column.header.split()]
    if not column.is_numeric or len(words) < 2:
        return _escaped(column.header)
    stacked = r"\\".join(words)
    return rf"\shortstack[r]{{{stacked}}}"


def _cell(words: str, column: Column) -> str:
    """A cell: a figure with a true minus, or a name that may be broken after its marks."""
    if column.is_numeric:
        return _NEGATIVE.sub("$-$", _escaped(words))
    return r"\allowbreak{}".join(map(_escaped, _BREAK.split(" ".join(words.split()))))


def _slug(title: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", title.casefold())[:6])


def _escaped(words: str) -> str:
    escaped = "".join(SPECIAL.get(letter, letter) for letter in " ".join(words.split()))
    return escaped.replace("--", "-{}-") if "--" in words else escaped
