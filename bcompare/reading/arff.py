"""ARFF, which WEKA writes, as CSV: its rows are CSV already, in WEKA's quotes.

A row of the file is a line of the text: messages name the right one. (`scipy.io.arff` refuses
attributes of text, which results of the Experimenter have.)
"""

import re

from bcompare.basis.errors import InputError
from bcompare.reading.problems import place

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
        named = _NAME.match(text)
        if named:
            quoted = named[1] if named[1] is not None else named[2]
            names.append(named[3] if quoted is None else _ESCAPED.sub(rb"\1", quoted))
        data = text[:5].lower() == b"@data"
        lines.append(b",".join(map(_cell, names)) if data else b"")
    if not (names and data):
        raise InputError(
            f"{title}: an ARFF file without @attribute or @data lines; save it again as CSV"
        )
    return b"\n".join([*lines, b""])


def _cell(name: bytes) -> bytes:
    """A name as WEKA writes it among others."""
    if not _SPECIAL.search(name):
        return name
    return b"'" + re.sub(rb"(['\"\\])", rb"\\\1", name) + b"'"
