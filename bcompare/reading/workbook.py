"""A sheet of an Excel workbook as CSV, so that all else reads it like any file.

A row of the sheet is a line of the text: messages name the right one.
"""

import csv
from io import BytesIO, StringIO
from typing import Any
from zipfile import BadZipFile

from bcompare.errors import InputError
from bcompare.reading import mistakes


def sheet_as_csv(name: str, content: bytes, sheet: str | None) -> bytes:
    """The only sheet of a workbook, or the one that was chosen.

    Raises
    ------
    InputError : openpyxl is not installed, the file is no workbook, or the sheet is not clear.
    """
    try:
        from openpyxl import load_workbook
        from openpyxl.utils.exceptions import InvalidFileException
    except ImportError:
        raise InputError(mistakes.no_openpyxl(name)) from None
    try:
        workbook = load_workbook(BytesIO(content), read_only=True, data_only=True)
    except (BadZipFile, InvalidFileException, KeyError, ValueError, OSError):
        raise InputError(mistakes.is_workbook(name)) from None
    sheets = [page.title for page in workbook.worksheets]
    if sheet not in sheets and (sheet is not None or len(sheets) != 1):
        raise InputError(mistakes.no_sheet(name, sheets, sheet))
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in workbook[sheet or sheets[0]].iter_rows(values_only=True):
        writer.writerow(map(_cell, row))
    return text.getvalue().encode()


def _cell(value: Any) -> str:
    """A cell as it would stand in a CSV file; line ends become blanks."""
    return "" if value is None else " ".join(str(value).splitlines())
