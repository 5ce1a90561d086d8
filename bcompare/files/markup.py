"""Tables in ARFF, Markdown and LaTeX, and the text of some programs, as CSV.

Each row of a table becomes a line of text, so that messages name the right one; programs' texts
have no header, which is put above them. (`scipy.io.arff` refuses text attributes, which the
Experimenter writes.)
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from io import StringIO
from itertools import groupby

from bcompare.basis.messages import InputError
from bcompare.files.problems import place
from bcompare.files.programs import openml

_BENCHMARK = re.compile(rb"^(Benchmark\S*?)(?:-\d+)?[ \t]+(\d+)[ \t]+([\d.e+]+) ns/op")
_ATTRIBUTE = re.compile(
    rb"""@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s{'"]+))""", re.IGNORECASE
)
_TABLE = re.compile(
    r"\\begin\{(tabular[*x]?|longtable|array)\}(?:\[[^\]]*\])?(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})+"
    r"(.*?)\\end\{\1\}",
    re.DOTALL,
)
_RULES = re.compile(
    r"\\(?:top|mid|bottom)rule|\\hline|\\c(?:mid)?(?:line|rule)(?:\([^)]*\))?\{[^}]*\}"
    r"|(?<!\\)%[^\n]*"
)
_SPANNED = re.compile(r"\\multicolumn\{(\d+)\}\{[^{}]*\}\{(.*)\}", re.DOTALL)
_WRAPPED = re.compile(r"\\(?:text\w*|emph|mathrm|mathbf|underline|bm)\s*\{([^{}]*)\}")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_ESCAPED = re.compile(rb"\\(.)")
_SPECIAL = re.compile(rb"[\s,'\"\\%{}]")


def arff_as_csv(title: str, content: bytes) -> bytes:
    """Return the header and the rows of an ARFF file."""
    lines = content.splitlines()
    texts = [line.strip() for line in lines]
    data = next((i for i, text in enumerate(texts) if text[:5].lower() == b"@data"), 0)
    names = [_name_of(match) for match in map(_ATTRIBUTE.match, texts[:data]) if match]
    if not names:
        raise InputError(
            f"{title}: an ARFF file without @attribute or @data lines; save it again as CSV"
        )
    for i in range(data + 1, len(lines)):
        if texts[i].startswith(b"{"):
            raise InputError(
                f"{place(title, i + 1)}: a sparse row; turn the file into a plain one by WEKA's "
                "filter SparseToNonSparse, or save it as CSV"
            )
        lines[i] = b"" if texts[i].startswith(b"%") else lines[i]
    return b"\n".join([*[b""] * data, b",".join(names), *lines[data + 1 :], b""])


def _name_of(attribute: re.Match[bytes]) -> bytes:
    """Return the name of an attribute, quoted like the names in rows if it must be."""
    single, double, name = attribute.groups()
    if name is None:
        name = _ESCAPED.sub(rb"\1", double if single is None else single)
    quoted_name = re.sub(rb"(['\"\\])", rb"\\\1", name)
    return b"'" + quoted_name + b"'" if _SPECIAL.search(name) else name


def markdown_tables(_: str, content: bytes) -> list[list[list[str]]]:
    """Return the rows of each table of a Markdown text, without marks around its names.

    Each begins with an empty row for each line above it, so that rows are lines.
    """
    lines = content.decode(errors="replace").splitlines()
    blocks = [[*block] for is_row, block in groupby(enumerate(lines), _is_row) if is_row]
    tables = []
    for block in blocks:
        rows = [_cells_of(line) for _, line in block]
        rules = [_is_rule(row) for row in rows]
        if not any(rules):  # text with a bar in it
            continue
        table: list[list[str]] = [[] for _ in range(block[0][0])]
        for row, is_rule in zip(rows, rules, strict=True):
            names = [_LINK.sub(r"\1", cell).strip("*_` ") for cell in row]
            table.append([] if is_rule else names)
        tables.append(table)
    return tables


def _is_row(numbered: tuple[int, str]) -> bool:
    """Return whether a numbered line may be a row of a Markdown table."""
    return "|" in numbered[1]


def _cells_of(line: str) -> list[str]:
    """Return the cells of a row of a Markdown table."""
    inside = line.strip().strip("|")
    return [cell.strip() for cell in inside.split("|")]


def _is_rule(cells: Sequence[str]) -> bool:
    """Return whether cells are the rule below a header, such as `:---`."""
    return all(cell and not cell.strip(":-") for cell in cells)


def go_as_csv(_: str, content: bytes) -> bytes:
    """Return the seconds of each run of each benchmark of Go, below a header."""
    runs: Counter[str] = Counter()
    rows: list[list[str]] = []
    for line in content.splitlines():
        match = _BENCHMARK.match(line)
        row: list[str] = []
        if match:
            name = match[1].decode(errors="replace")
            runs[name] += 1
            row = [name, str(runs[name]), f"{float(match[3]) * 1e-9:.12g}", match[2].decode()]
        rows.append(row)
    # in the place of the first line, which tells the system
    above = [] if rows and rows[0] else rows[:1]
    return as_csv([["benchmark", "seed", "seconds", "of Go"], *rows[len(above) :]])


def trec_eval_as_csv(title: str, content: bytes) -> bytes:
    """Return the values of each query in trec_eval's output, below a header.

    Raises
    ------
    InputError : it has only values of all queries together, or a line of another form.
    """
    rows: list[list[str]] = []
    for number, line in enumerate(content.decode(errors="replace").splitlines(), 1):
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != 3 and line.strip():
            raise InputError(
                f"{place(title, number)}: not what trec_eval writes, a measure, a query and a "
                "value between tabs; write the file again"
            )
        is_value = len(fields) == 3 and fields[1] != "all"
        rows.append(fields if is_value else [])
    if not any(rows):
        raise InputError(f"{title}: means only, of trec_eval; let it write each query, by -q")
    return as_csv([["metric", "query", "trec_eval"], *rows])


def openml_as_csv(title: str, content: bytes) -> bytes:
    """Return a row for each score in a list of OpenML's evaluations.

    Raises
    ------
    InputError : it has means only, or something else in place of the scores.
    """
    evaluations = csv.DictReader(StringIO(content.decode(errors="replace")))
    try:
        rows = list(openml([*evaluations]))
    except InputError as error:
        raise InputError(f"{title}: {error.text}") from None
    except csv.Error as error:
        raise InputError(f"{title}: damaged CSV ({error}); save it again") from None
    if not rows:
        raise InputError(f"{title}: a list of OpenML without any evaluation")
    header = [*rows[0]]
    cells = [[str(cell) for cell in row.values()] for row in rows]
    return as_csv([header, *cells])


def latex_tables(title: str, content: bytes) -> list[list[list[str]]]:
    """Return the rows of each table of a LaTeX text, without commands around its names."""
    tables = [_latex_rows(match[2]) for match in _TABLE.finditer(content.decode(errors="replace"))]
    if not tables:
        raise InputError(f"{title}: a LaTeX table that does not end; save it as CSV")
    return tables


def _latex_rows(body: str) -> list[list[str]]:
    """Return the rows of a table's body."""
    rows = []
    for line in re.split(r"\\\\(?:\[[^\]]*\])?", _RULES.sub("", body)):
        cells = []
        for cell in re.split(r"(?<!\\)&", line):
            text = " ".join(cell.split())
            spanned = _SPANNED.fullmatch(text)
            text = _WRAPPED.sub(r"\1", spanned[2] if spanned else text)
            cells.append(re.sub(r"\\([%_&#$])", r"\1", text).strip())
            if spanned:
                cells += [""] * (int(spanned[1]) - 1)
        rows.append(cells if any(cells) else [])
    return rows


def as_csv(rows: Iterable[Sequence[str]]) -> bytes:
    """Return rows as CSV."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
