"""LaTeX tables (booktabs), for papers."""

from bcompare.report.build import Report
from bcompare.report.number import RIGHT_ALIGNED, text
from bcompare.report.table import Table

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


def render(report: Report) -> str:
    """Return tables to paste into a document that loads booktabs."""
    blocks = [_table(table, report.settings) for table in report.tables]
    blocks += [f"{_escaped(line)}." for line in report.sentences]
    blocks += [
        "\n".join(f"% {note.severity}: {' '.join(note.message.split())}" for note in report.notes)
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _table(table: Table, settings: str) -> str:
    layout = "".join("r" if column.kind in RIGHT_ALIGNED else "l" for column in table.columns)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_escaped(table.title)}. {_escaped(settings)}.}}",
        rf"\begin{{tabular}}{{{layout}}}",
        r"\toprule",
        " & ".join(_escaped(column.header) for column in table.columns) + r" \\",
        r"\midrule",
    ]
    for row in table.rows:
        cells = [
            _escaped(text(cell, column)) for cell, column in zip(row, table.columns, strict=True)
        ]
        largest = table.emphasised(row)
        if largest is not None:
            cells[largest] = rf"\textbf{{{cells[largest]}}}"
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"])


def _escaped(words: str) -> str:
    escaped = "".join(SPECIAL.get(letter, letter) for letter in " ".join(words.split()))
    return escaped.replace("--", "-{}-") if "--" in words else escaped
