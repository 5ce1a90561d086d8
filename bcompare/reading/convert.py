"""WEKA's ARFF and sheets of Excel workbooks as CSV, so that all else reads them like any file.

A row of the file is a line of the text: messages name the right one. (`scipy.io.arff` refuses
attributes of text, which results of the Experimenter have.)
"""

import csv
import re
import warnings
import zlib
from io import BytesIO, StringIO
from typing import Any
from zipfile import BadZipFile, ZipFile

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.reading.problems import named, place, quoted

NOT_A_WORKBOOK = (
    "{}: a ZIP archive, or an Excel workbook that cannot be read; save the sheet as CSV"
)
MOST_UNPACKED = 1 << 29
"""A workbook may hold so many bytes: they are kept in memory."""
MOST_CELLS = 20_000_000
DAMAGED = (
    BadZipFile, zlib.error, SyntaxError, LookupError, ValueError, TypeError, AttributeError,
    OSError, EOFError, RuntimeError,
)  # fmt: skip
"""What openpyxl raises on damaged files; a ParseError of XML is a SyntaxError."""
_BEGINNING = re.compile(rb"\s*(?:%[^\r\n]*[\r\n]\s*)*@relation\b", re.IGNORECASE)
_NAME = re.compile(
    rb"""@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s{'"]+))""", re.IGNORECASE
)
_ESCAPED = re.compile(rb"\\(.)")
_SPECIAL = re.compile(rb"[\s,'\"\\%{}]")


def is_arff(start: bytes) -> bool:
    """Whether a file begins like ARFF."""
    return _BEGINNING.match(start) is not None


def arff_as_csv(title: str, content: bytes) -> bytes:
    """Return the header and the rows of a file.

    Raises
    ------
    InputError : no attributes or no rows, or rows that are sparse.
    """
    names: list[bytes] = []
    lines: list[bytes] = []
    data = False
    for line in content.splitlines():
        text = line.strip()
        if data:
            if text.startswith(b"{"):
                raise InputError(
                    f"{place(title, len(lines) + 1)}: a sparse row; turn the file into a plain one "
                    "by WEKA's filter SparseToNonSparse, or save it as CSV"
                )
            lines.append(b"" if text.startswith(b"%") else line)
            continue
        match = _NAME.match(text)
        if match:
            quotes = match[1] if match[1] is not None else match[2]
            names.append(match[3] if quotes is None else _ESCAPED.sub(rb"\1", quotes))
        data = text[:5].lower() == b"@data"
        lines.append(b",".join(map(_quoted, names)) if data else b"")
    if not (names and data):
        raise InputError(
            f"{title}: an ARFF file without @attribute or @data lines; save it again as CSV"
        )
    return b"\n".join([*lines, b""])


def _quoted(name: bytes) -> bytes:
    """A name as WEKA writes it among others."""
    if not _SPECIAL.search(name):
        return name
    return b"'" + re.sub(rb"(['\"\\])", rb"\\\1", name) + b"'"


def sheet_as_csv(name: str, content: bytes, sheet: str | None) -> bytes:
    """The only sheet of a workbook, or the one that was chosen.

    Raises
    ------
    InputError : openpyxl is not installed, the file is no workbook, or the sheet is not clear.
    """
    try:
        rows = _rows(name, content, sheet)
    except ModuleNotFoundError:
        raise InputError(
            f"{name}: an Excel workbook, which needs openpyxl: pip install 'bcompare[excel]'; or "
            "save the sheet as CSV"
        ) from None
    except InputError:
        raise
    except DAMAGED:
        raise InputError(NOT_A_WORKBOOK.format(name)) from None
    left = min(
        (next(i for i, cell in enumerate(row) if cell) for row in rows if any(row)), default=0
    )
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows(row[left:] for row in rows)
    return text.getvalue().encode()


def _rows(name: str, content: bytes, sheet: str | None) -> list[list[str]]:
    """The rows of a sheet."""
    from openpyxl import load_workbook

    with ZipFile(BytesIO(content)) as archive:
        if sum(part.file_size for part in archive.infolist()) > MOST_UNPACKED:
            raise InputError(
                f"{name}: holds more than {MOST_UNPACKED >> 20:,} MB when unpacked; save the sheet "
                "as CSV"
            )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on styles and the like
        workbook = load_workbook(BytesIO(content), read_only=True, data_only=True)
        sheets = [page.title for page in workbook.worksheets]
        if not sheets:
            raise InputError(NOT_A_WORKBOOK.format(name))
        if sheet not in sheets and (sheet is not None or len(sheets) != 1):
            wrong = "has several sheets" if sheet is None else f"has no sheet {quoted(sheet)}"
            raise InputError(f"{name}: {wrong}; choose one with {arg('sheet')}: {named(sheets)}")
        page = workbook[sheet or sheets[0]]
        rows: list[list[str]] = []
        cells = 0
        for row in page.iter_rows(values_only=True):
            cells += len(row)
            if cells > MOST_CELLS:  # one cell in the last corner of a sheet makes 17,000 million
                raise InputError(
                    f"{name}: the sheet reaches over more than {MOST_CELLS:,} cells; is there "
                    "something in a far corner? Delete it, or save the results as CSV"
                )
            rows.append(list(map(_cell, row)))
        return rows


def _cell(value: Any) -> str:
    """A cell as it would stand in a CSV file; line ends become blanks."""
    return "" if value is None else " ".join(str(value).splitlines())
