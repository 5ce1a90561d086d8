"""Sheets of Excel workbooks as CSV."""

import warnings
import zlib
from io import BytesIO
from zipfile import BadZipFile, ZipFile

from bcompare.basis.messages import InputError
from bcompare.files.cells import NUMBER
from bcompare.files.markup import as_csv
from bcompare.files.problems import quoted, shell_word
from bcompare.version import install_command

MOST_CELLS = 20_000_000
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


def _not_a_workbook(name: str) -> InputError:
    return InputError(
        f"{name}: not a readable Excel workbook: save the sheet as CSV, or, if this is a ZIP "
        "archive, unpack it first"
    )


def sheet_as_csv(name: str, content: bytes, sheet: str | None, most: int) -> bytes:
    """Return the only sheet of a workbook, or the chosen one, without empty columns on the left.

    most : the most bytes that the workbook may hold.
    """
    if not content.startswith(b"PK"):  # of Excel 2003 or older
        raise _not_a_workbook(name)
    try:
        rows = _sheet_rows(name, content, sheet, most)
    except ModuleNotFoundError:
        raise InputError(
            f"{name}: an Excel workbook, which needs openpyxl: {install_command('excel')}; "
            "or save the sheet as CSV"
        ) from None
    except InputError:
        raise
    except _DAMAGED:
        raise _not_a_workbook(name) from None
    left = min((_first_filled(row) for row in rows if any(row)), default=0)
    return as_csv(_with_one_header([row[left:] for row in rows]))


def _first_filled(row: list[str]) -> int:
    """Return the position of the first cell with content."""
    return next(i for i, cell in enumerate(row) if cell)


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


def _sheet_rows(name: str, content: bytes, sheet: str | None, most: int) -> list[list[str]]:
    from openpyxl import load_workbook

    with ZipFile(BytesIO(content)) as archive:
        if sum(part.file_size for part in archive.infolist()) > most:
            raise InputError(
                f"{name}: holds more than {most >> 20:,} MB when unpacked; save the sheet as CSV"
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
