"""Convert compressed files, UTF-16, ARFF, Excel, Markdown, LaTeX and benchmarks of Go to CSV.

Each row of the file becomes a line of text, so that messages name the right one. (`scipy.io.arff`
refuses text attributes, which the Experimenter writes.)
"""

import codecs
import csv
import re
import warnings
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib import import_module
from io import BytesIO, StringIO
from zipfile import BadZipFile, ZipFile

from bcompare.basis.messages import InputError
from bcompare.files.cells import NUMBER
from bcompare.files.problems import place, quoted, shell_word
from bcompare.version import install_command

START_BYTES = 1 << 12
# The most bytes that a compressed file or a workbook may hold: they are kept in memory.
MOST_UNPACKED = 1 << 29
MOST_CELLS = 20_000_000

ZIP = b"PK\x03\x04"
# The start of compressed data → Python's module for it, and the program.
_PACKED: dict[bytes, tuple[str, str]] = {
    b"\x1f\x8b": ("gzip", "gunzip"),
    b"\xfd7zXZ\0": ("lzma", "unxz"),
    b"BZh": ("bz2", "bunzip2"),
    b"\x28\xb5\x2f\xfd": ("compression.zstd", "unzstd"),
}
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"
# What openpyxl raises on damaged files; a ParseError of XML is a SyntaxError.
_DAMAGED = (
    BadZipFile,
    zlib.error,
    SyntaxError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    OSError,
    EOFError,
    RuntimeError,
)

_GO = re.compile(rb"^(Benchmark\S*?)(?:-\d+)?[ \t]+(\d+)[ \t]+([\d.e+]+) ns/op", re.MULTILINE)
_ARFF = re.compile(rb"\A\s*(?:%[^\r\n]*[\r\n]\s*)*@relation\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rb"""@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s{'"]+))""", re.IGNORECASE
)
_MARKDOWN = re.compile(
    rb"\A(?:[^|\r\n]*\r?\n){0,50}?\s*\|?[^\r\n]*\|[^\r\n]*\r?\n\s*\|?\s*:?-+:?\s*\|[-:|\s]*[\r\n]"
)
_LATEX = re.compile(rb"\\begin\{(?:tabular|longtable|array)")
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


def is_packed(start: bytes) -> bool:
    """Return whether a file with this start must be converted before it is read."""
    marked = start.startswith((*_PACKED, ZIP, *_UTF16_MARKS))
    return marked or any(pattern.search(start) for pattern, _ in _CONVERTERS)


def as_text(name: str, content: bytes, sheet: str | None = None) -> bytes:
    """Return the content of a file as UTF-8 text without compression.

    sheet : of an Excel workbook.

    Raises
    ------
    InputError : the file is damaged or of a format that is not read, or has no such sheet.
    """
    for mark, tool in _PACKED.items():
        if content.startswith(mark):
            content = _unpacked(name, content, *tool)
    if content.startswith(_OLD_WORKBOOK):
        raise _not_a_workbook(name)
    if content.startswith(_UTF16_MARKS):
        try:
            return content.decode("utf-16").encode()
        except UnicodeError:
            raise InputError(f"{name}: damaged UTF-16 text; save the file as UTF-8") from None
    if content.startswith(ZIP):
        return _sheet_as_csv(name, content, sheet)
    for pattern, convert in _CONVERTERS:
        if pattern.search(content[:START_BYTES]):
            return convert(name, content)
    if sheet is not None:
        raise InputError(f"{name}: no Excel workbook, so it has no sheets; leave #{sheet} out")
    return content


def _unpacked(name: str, content: bytes, module: str, program: str) -> bytes:
    unpack = f"unpack it first, as {program} -k {shell_word(name)} does"
    try:
        library = import_module(module)
    except ModuleNotFoundError:
        raise InputError(f"{name}: compressed, which this Python does not read; {unpack}") from None
    own = [getattr(library, error, OSError) for error in ("LZMAError", "ZstdError")]
    try:
        with library.open(BytesIO(content)) as stream:
            unpacked: bytes = stream.read(MOST_UNPACKED + 1)
    except (OSError, EOFError, zlib.error, *own):
        kind = module.rpartition(".")[2]
        raise InputError(f"{name}: damaged {kind} data; copy or compress the file again") from None
    if len(unpacked) > MOST_UNPACKED:
        raise InputError(
            f"{name}: holds more than {MOST_UNPACKED >> 20:,} MB when unpacked; {unpack}: a plain "
            "file is read piece by piece"
        )
    return unpacked


def _arff_as_csv(title: str, content: bytes) -> bytes:
    """Return the header and the rows of an ARFF file."""
    lines = content.splitlines()
    texts = [line.strip() for line in lines]
    data = next((i for i, text in enumerate(texts) if text[:5].lower() == b"@data"), 0)
    names = [_name_of(found) for found in map(_ATTRIBUTE.match, texts[:data]) if found]
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


def _as_csv(rows: Iterable[Sequence[str]]) -> bytes:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _markdown_as_csv(_: str, content: bytes) -> bytes:
    """Return the first table of a Markdown text, without marks around its names."""
    rows: list[list[str]] = []
    for line in content.decode(errors="replace").splitlines():
        above = "|" not in line
        if above and any(rows):
            break
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        rule = all(cell and not cell.strip(":-") for cell in cells)
        rows.append([] if above or rule else [_LINK.sub(r"\1", c).strip("*_` ") for c in cells])
    return _as_csv(rows)


def _go_as_csv(_: str, content: bytes) -> bytes:
    """Return the seconds of each run of each benchmark of Go, below a header."""
    runs: Counter[str] = Counter()
    rows: list[list[str]] = []
    for line in content.splitlines():
        found = _GO.match(line)
        row: list[str] = []
        if found:
            name = found[1].decode(errors="replace")
            runs[name] += 1
            row = [name, str(runs[name]), f"{float(found[3]) * 1e-9:.12g}", found[2].decode()]
        rows.append(row)
    # in the place of the first line, which tells the system
    above = [] if rows and rows[0] else rows[:1]
    return _as_csv([["benchmark", "seed", "seconds", "of Go"], *rows[len(above) :]])


def _latex_as_csv(title: str, content: bytes) -> bytes:
    """Return the first table of a LaTeX text, without commands around its names."""
    found = _TABLE.search(content.decode(errors="replace"))
    if found is None:
        raise InputError(f"{title}: a LaTeX table that does not end; save it as CSV")
    rows = []
    for line in re.split(r"\\\\(?:\[[^\]]*\])?", _RULES.sub("", found[2])):
        cells = []
        for cell in re.split(r"(?<!\\)&", line):
            text = " ".join(cell.split())
            spanned = _SPANNED.fullmatch(text)
            text = _WRAPPED.sub(r"\1", spanned[2] if spanned else text)
            cells += [re.sub(r"\\([%_&#$])", r"\1", text).strip()]
            cells += [""] * (int(spanned[1]) - 1 if spanned else 0)
        rows.append(cells if any(cells) else [])
    return _as_csv(rows)


# What turns texts that begin so into CSV.
_CONVERTERS = (
    (_ARFF, _arff_as_csv),
    (_MARKDOWN, _markdown_as_csv),
    (_LATEX, _latex_as_csv),
    (_GO, _go_as_csv),
)


def _not_a_workbook(name: str) -> InputError:
    return InputError(
        f"{name}: a ZIP archive, whose files must be unpacked first, or an Excel workbook that "
        "cannot be read, whose sheet must be saved as CSV"
    )


def _sheet_as_csv(name: str, content: bytes, sheet: str | None) -> bytes:
    """Return the only sheet of a workbook, or the chosen one, without empty columns on the left."""
    try:
        rows = _sheet_rows(name, content, sheet)
    except ModuleNotFoundError:
        raise InputError(
            f"{name}: an Excel workbook, which needs openpyxl: {install_command('excel')}; "
            "or save the sheet as CSV"
        ) from None
    except InputError:
        raise
    except _DAMAGED:
        raise _not_a_workbook(name) from None
    firsts = (next(i for i, cell in enumerate(row) if cell) for row in rows if any(row))
    left = min(firsts, default=0)
    return _as_csv(_with_one_header([row[left:] for row in rows]))


def _with_one_header(rows: list[list[str]]) -> list[list[str]]:
    """Return rows without titles, whose first two, if both are headers, are one.

    The upper one then has gaps, into which its names go on, and neither has a number. A title
    stands alone in the first cell.
    """
    top = next((i for i, row in enumerate(rows) if any(row[1:])), 0)
    rows = [*([[]] * top), *rows[top:]]
    if len(rows) < top + 3 or all(rows[top]):
        return rows
    above, below = rows[top : top + 2]
    has_numbers = any(map(NUMBER.fullmatch, (*above, *below)))
    if has_numbers or not all(map(any, zip(above, below, strict=True))):
        return rows
    if not any(low and not high for high, low in zip(above[1:], below[1:], strict=True)):
        return rows
    for i in range(1, len(above)):
        above[i] = above[i] or above[i - 1]
    names = [" ".join(filter(None, pair)) for pair in zip(above, below, strict=True)]
    return [*rows[:top], [], names, *rows[top + 2 :]]


def _sheet_rows(name: str, content: bytes, sheet: str | None) -> list[list[str]]:
    from openpyxl import load_workbook

    with ZipFile(BytesIO(content)) as archive:
        if sum(part.file_size for part in archive.infolist()) > MOST_UNPACKED:
            raise InputError(
                f"{name}: holds more than {MOST_UNPACKED >> 20:,} MB when unpacked; save the sheet "
                "as CSV"
            )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on styles and such
        workbook = load_workbook(BytesIO(content), read_only=True, data_only=True)
        sheets = [page.title for page in workbook.worksheets]
        if not sheets:
            raise _not_a_workbook(name)
        if sheet not in sheets and (sheet is not None or len(sheets) != 1):
            wrong = "has several sheets" if sheet is None else f"has no sheet {quoted(sheet)}"
            choices = [shell_word(f"{name}#{title}") for title in sheets]
            raise InputError(f"{name}: {wrong}; choose {' or '.join(choices)}")
        rows: list[list[str]] = []
        cells = 0
        for row in workbook[sheet or sheets[0]].iter_rows(values_only=True):
            cells += len(row)
            if cells > MOST_CELLS:  # one cell in the last corner makes 17,000 million
                raise InputError(
                    f"{name}: the sheet reaches over more than {MOST_CELLS:,} cells; is there "
                    "something in a far corner? Delete it, or save the results as CSV"
                )
            # line breaks become blanks, so that each row is a line
            rows.append(["" if v is None else " ".join(str(v).splitlines()) for v in row])
        return rows
