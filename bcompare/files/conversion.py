"""Convert compressed files, UTF-16, workbooks and other formats of text to CSV in UTF-8."""

import codecs
import re
import zlib
from collections.abc import Callable
from importlib import import_module
from io import BytesIO
from types import ModuleType

from bcompare.basis.messages import InputError
from bcompare.files.problems import shell_word

START_BYTES = 1 << 12
# The most bytes that a compressed file or a workbook may hold: they are kept in memory.
MOST_UNPACKED = 1 << 29
ZIP = b"PK\x03\x04"
# The start of compressed data → Python's module for it, and the program.
_PACKED: dict[bytes, tuple[str, str]] = {
    b"\x1f\x8b": ("gzip", "gunzip"),
    b"\xfd7zXZ\0": ("lzma", "unxz"),
    b"BZh": ("bz2", "bunzip2"),
    b"\x28\xb5\x2f\xfd": ("compression.zstd", "unzstd"),
}
JSON = re.compile(rb'\s*(?:\{\s*["}]|\[\s*[{\[\]])')
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"
_GO = re.compile(rb"^Benchmark\S*[ \t]+\d+[ \t]+[\d.e+]+ ns/op", re.MULTILINE)
# The names of measures are padded to 22 characters.
_TREC_EVAL = re.compile(rb"\A(?:(?=[^\t\r\n]{22}\t)\S+ +\t[^\t\r\n]+\t *[^\t\s]+ *(?:\r?\n|\Z)){2}")
# The header of a list of evaluations, with or without a column of row numbers before it.
_OPENML = re.compile(
    rb"\A,?run_id,task_id,setup_id,flow_id,flow_name,data_id,data_name,function,[^\r\n]*\bvalues\b"
)
_ARFF = re.compile(rb"\A\s*(?:%[^\r\n]*[\r\n]\s*)*@relation\b", re.IGNORECASE)
_MARKDOWN = re.compile(
    rb"\A(?:[^|\r\n]*\r?\n){0,50}?\s*\|?[^\r\n]*\|[^\r\n]*\r?\n\s*\|?\s*:?-+:?\s*\|[-:|\s]*[\r\n]"
)
_LATEX = re.compile(rb"\\begin\{(?:tabular|longtable|array)")
# What texts begin with → the function of `markup` that turns them into CSV.
_MARKED = (
    (_ARFF, "arff_as_csv"),
    (_GO, "go_as_csv"),
    (_TREC_EVAL, "trec_eval_as_csv"),
    (_OPENML, "openml_as_csv"),
)
# The same of texts that may have several tables.
_TABLES = ((_MARKDOWN, "markdown_tables"), (_LATEX, "latex_tables"))


def is_packed(start: bytes) -> bool:
    """Return whether a file with this start must be converted before it is read."""
    marked = start.startswith((*_PACKED, ZIP, *_UTF16_MARKS))
    return marked or any(pattern.search(start) for pattern, _ in (*_MARKED, *_TABLES))


def as_text(name: str, content: bytes, part: str | None = None) -> bytes:
    """Return the content of a file as UTF-8 text without compression.

    part : the sheet of an Excel workbook, the number of a table in Markdown or LaTeX, or the keys
    that lead to a list in JSON.

    Raises
    ------
    InputError : the file is damaged or of a format that is not read, or has no such part.
    """
    for mark, tool in _PACKED.items():
        if content.startswith(mark):
            content = _unpacked(name, content, *tool)
    if content.startswith(_UTF16_MARKS):
        try:
            return content.decode("utf-16").encode()
        except UnicodeError:
            raise InputError(f"{name}: damaged UTF-16 text; save the file as UTF-8") from None
    if content.startswith((ZIP, _OLD_WORKBOOK)):
        from bcompare.files.workbook import sheet_as_csv

        return sheet_as_csv(name, content, part, MOST_UNPACKED)
    return _converted(name, content, part)


def _converted(name: str, content: bytes, part: str | None) -> bytes:
    """Return text as CSV if it has a table in another form, else as it is."""
    start = content[:START_BYTES]
    for pattern, function in _TABLES:
        if pattern.search(start):
            return _only_table(name, content, function, part)
    if part is not None and not JSON.match(content):
        raise InputError(
            f"{name}: only workbooks, and files with several lists or tables, have parts to "
            f"choose; leave #{part} out"
        )
    for pattern, function in _MARKED:
        if pattern.search(start):
            convert: Callable[[str, bytes], bytes] = getattr(_markup(), function)
            return convert(name, content)
    return content


def _only_table(name: str, content: bytes, function: str, part: str | None) -> bytes:
    """Return the only table of a text as CSV, or the one chosen by its number.

    Raises
    ------
    InputError : there are several, and none is chosen.
    """
    markup = _markup()
    tables: list[list[list[str]]] = getattr(markup, function)(name, content)
    numbers = [str(i + 1) for i in range(len(tables))]
    chosen = part if part is not None or len(tables) > 1 else "1"
    if chosen not in numbers:
        choices = " or ".join(shell_word(f"{name}#{number}") for number in numbers)
        wrong = f"has {len(tables)} tables" if part is None else f"has no table {part}"
        raise InputError(f"{name}: {wrong}; choose {choices}")
    converted: bytes = markup.as_csv(tables[int(chosen) - 1])
    return converted


def _markup() -> ModuleType:
    return import_module("bcompare.files.markup")


def _unpacked(name: str, content: bytes, module: str, program: str) -> bytes:
    unpack = f"unpack it first, as {program} -k {shell_word(name)} does"
    try:
        library = import_module(module)
    except ModuleNotFoundError:
        raise InputError(f"{name}: compressed, which this Python does not read; {unpack}") from None
    errors = [getattr(library, error, OSError) for error in ("LZMAError", "ZstdError")]
    try:
        with library.open(BytesIO(content)) as stream:
            unpacked: bytes = stream.read(MOST_UNPACKED + 1)
    except (OSError, EOFError, zlib.error, *errors):
        kind = module.rpartition(".")[2]
        raise InputError(f"{name}: damaged {kind} data; copy or compress the file again") from None
    if len(unpacked) > MOST_UNPACKED:
        raise InputError(
            f"{name}: holds more than {MOST_UNPACKED >> 20:,} MB when unpacked; {unpack}: a plain "
            "file is read piece by piece"
        )
    return unpacked
