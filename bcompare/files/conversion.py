"""Convert compressed files, UTF-16, workbooks and other formats of text to CSV in UTF-8."""

import codecs
import re
import zlib
from collections.abc import Callable
from importlib import import_module
from io import BytesIO

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
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"
_GO = re.compile(rb"^Benchmark\S*[ \t]+\d+[ \t]+[\d.e+]+ ns/op", re.MULTILINE)
_ARFF = re.compile(rb"\A\s*(?:%[^\r\n]*[\r\n]\s*)*@relation\b", re.IGNORECASE)
_MARKDOWN = re.compile(
    rb"\A(?:[^|\r\n]*\r?\n){0,50}?\s*\|?[^\r\n]*\|[^\r\n]*\r?\n\s*\|?\s*:?-+:?\s*\|[-:|\s]*[\r\n]"
)
_LATEX = re.compile(rb"\\begin\{(?:tabular|longtable|array)")
# What texts begin with → the function of `markup` that turns them into CSV.
_MARKED = (
    (_ARFF, "arff_as_csv"),
    (_MARKDOWN, "markdown_as_csv"),
    (_LATEX, "latex_as_csv"),
    (_GO, "go_as_csv"),
)


def is_packed(start: bytes) -> bool:
    """Return whether a file with this start must be converted before it is read."""
    marked = start.startswith((*_PACKED, ZIP, *_UTF16_MARKS))
    return marked or any(pattern.search(start) for pattern, _ in _MARKED)


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
    if content.startswith(_UTF16_MARKS):
        try:
            return content.decode("utf-16").encode()
        except UnicodeError:
            raise InputError(f"{name}: damaged UTF-16 text; save the file as UTF-8") from None
    if content.startswith((ZIP, _OLD_WORKBOOK)):
        from bcompare.files.workbook import sheet_as_csv

        return sheet_as_csv(name, content, sheet, MOST_UNPACKED)
    for pattern, function in _MARKED:
        if pattern.search(content[:START_BYTES]):
            from bcompare.files import markup

            convert: Callable[[str, bytes], bytes] = getattr(markup, function)
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
