"""What the user named as results: files, ``LABEL=FILE``, standard input, open files."""

import codecs
import gzip
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from os import PathLike, fspath
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, cast

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.reading.convert import NOT_A_WORKBOOK, arff_as_csv, is_arff, sheet_as_csv
from bcompare.reading.problems import clipped, named, nearest, shell_word

Readable: TypeAlias = "str | PathLike[str] | BinaryIO"

DEFAULT_FILE = "results.csv"
STANDARD_INPUT = "-"
SUFFIXES = (".gz", ".csv", ".tsv", ".txt", ".parquet", ".jsonl", ".json", ".arff", ".xlsx")

START_BYTES = 1 << 12
MOST_UNPACKED = 1 << 29
"""A compressed file may hold so many bytes: they are kept in memory."""

LOG = ".eval"
"""The suffix of Inspect's logs, which are archives."""

_PARQUET = b"PAR1"
_JSON = re.compile(rb'\s*(?:\{\s*["}]|\[\s*[{\[\]])')
_GZIP = b"\x1f\x8b"
_OF_R = {
    **dict.fromkeys((b"X\n\0\0", b"A\n2\n", b"A\n3\n", b"B\n\2\0", b"B\n\3\0"), "readRDS({})"),
    **dict.fromkeys((b"RDX2", b"RDX3", b"RDA2", b"RDA3"), "get(load({}))"),
}
_OTHER_PACKINGS = {b"\xfd7zX": "xz", b"BZh": "bzip2"}
_ZIP, _OLD_WORKBOOK = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_PATTERN = re.compile(r"[*?\[]")
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, eq=False, slots=True)
class Source:
    """One file of results, which can be read more than once.

    Attributes
    ----------
    name : as the user named it.
    label : the classifier's name in ``LABEL=FILE``, or None.
    path : where to read it, or None.
    content : what it holds where it is not a plain file: decompressed, or read from a stream.
    one_of_many : whether it is one of several files that a pattern with a label fits: then its
        name is that of a data set.
    """

    name: str
    label: str | None
    path: Path | None
    content: bytes | None
    one_of_many: bool = False

    @property
    def folder(self) -> str:
        """The name of the folder that it is in."""
        return Path(self.name).resolve().parent.name if self.path is not None else ""

    @property
    def title(self) -> str:
        """What messages call it."""
        return "standard input" if self.name == STANDARD_INPUT else self.name

    @property
    def stem(self) -> str:
        """The file's name without its folder and suffixes: it names what the file holds."""
        stem = "results" if self.name == STANDARD_INPUT else Path(self.name).name
        for suffix in SUFFIXES:
            stem = stem.removesuffix(suffix)
        return stem

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return len(self.content or b"") if self.path is None else self.path.stat().st_size

    @property
    def is_parquet(self) -> bool:
        """Whether it is a Parquet file."""
        with self.open() as stream:
            return stream.read(len(_PARQUET)) == _PARQUET

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes from their beginning, without a byte order mark."""
        if self.path is None:
            stream: BinaryIO = BytesIO(self.content or b"")
        else:
            stream = self.path.open("rb")
        with stream:
            if stream.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
                stream.seek(0)
            yield stream


def is_json(source: Source) -> bool:
    """Whether a file begins like JSON."""
    with source.open() as stream:
        return _JSON.match(stream.read(4096)) is not None


def find_sources(results: Sequence[Readable], sheet: str | None = None) -> list[Source]:
    """The sources that the arguments name; none means results.csv.

    sheet : of an Excel workbook.

    Raises
    ------
    InputError : with a message for every one that cannot be read or is named twice.
    """
    if not results and not Path(DEFAULT_FILE).exists():
        neighbours = _neighbours(Path())
        there = f" This folder has {named(neighbours)}." if neighbours else ""
        raise InputError(
            f"there is no {DEFAULT_FILE} in this folder; name the file of results, or - to pipe it "
            f"in.{there}"
        )
    sources: list[Source] = []
    problems: list[str] = []
    seen: set[Path | str] = set()
    for argument, several in _expanded(results or (DEFAULT_FILE,), problems):
        try:
            source = replace(_source(argument, sheet), one_of_many=several)
        except InputError as error:
            problems += error.messages
            continue
        sources.append(source)
        if isinstance(argument, (str, PathLike)):
            identity = source.name if source.name == STANDARD_INPUT else Path(source.name).resolve()
            if identity in seen:
                problems.append(f"{source.title}: named twice; its rows would count double")
            seen.add(identity)
    if problems:
        raise InputError(problems)
    return sources


def _expanded(results: Sequence[Readable], problems: list[str]) -> Iterator[tuple[Readable, bool]]:
    """The arguments, patterns as the files that fit them.

    With each: whether it is one of several files of one label.
    """
    for argument in results:
        if not isinstance(argument, str) or not _PATTERN.search(argument) or _exists(argument):
            yield argument, False
            continue
        label, equals, pattern = argument.partition("=")
        if not equals or _PATTERN.search(label):
            label, equals, pattern = "", "", argument
        names = _fitting(pattern)
        if not names:
            problems.append(
                f"{clipped(argument)}: no file fits this pattern; check it, and the folder"
            )
        for name in names:
            yield f"{label}{equals}{name}", bool(label) and len(names) > 1


def _fitting(pattern: str) -> list[str]:
    """The files that fit a pattern, in order."""
    anchor = Path(pattern).anchor
    try:
        return sorted(str(path) for path in Path(anchor).glob(pattern[len(anchor) :]))
    except ValueError:  # no pattern at all
        return []


def _source(argument: Readable, sheet: str | None) -> Source:
    if isinstance(argument, (str, PathLike)):
        label, name = None, fspath(argument)
        if isinstance(argument, str) and "=" in name and not _exists(name):
            label, _, name = name.partition("=")
            if not label or not name:
                raise InputError(
                    f"{argument}: write LABEL=FILE with a name on either side, such as "
                    "old=results.csv"
                )
        if name == STANDARD_INPUT:
            return Source(name, label, None, _text(name, _all_of(_standard_input()), sheet))
        return _file(name, label, sheet)
    name = str(getattr(argument, "name", "<file>"))
    return Source(name, None, None, _text(name, _all_of(argument), sheet))


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _standard_input() -> BinaryIO:
    # A replaced standard input (a notebook's, a test's) may have no bytes behind its text.
    stream: Any = sys.stdin
    return cast(BinaryIO, getattr(stream, "buffer", stream))


def _all_of(stream: BinaryIO) -> bytes:
    content: bytes | str = stream.read()
    return content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content


def _file(name: str, label: str | None, sheet: str | None) -> Source:
    path = Path(name)
    try:
        with path.open("rb") as stream:
            start = stream.read(START_BYTES)
            if name.endswith(LOG) and start.startswith(_ZIP):
                return Source(name, label, path, None)
            packed = start.startswith((_GZIP, *_UTF16_MARKS, _ZIP)) or is_arff(start)
            whole = packed or not path.is_file()
            content = start + stream.read() if whole else None
    except IsADirectoryError:
        neighbours = _neighbours(path)
        inside = f": it has {named(neighbours)}" if neighbours else ", which has no CSV file in it"
        raise InputError(f"{name} is a folder{inside}; name a file") from None
    except FileNotFoundError:
        guess = nearest(name.replace("\\", "/").rpartition("/")[2], _neighbours(path.parent))
        advice = f"did you mean {guess}?" if guess else "check the path"
        raise InputError(f"{name}: there is no such file; {advice}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(
            f"{clipped(name)}: cannot be opened ({reason}); check its permissions and name"
        ) from None
    if content is None:
        _text(name, start, sheet)
        return Source(name, label, path, None)
    return Source(name, label, None, _text(name, content, sheet))


def _text(name: str, content: bytes, sheet: str | None) -> bytes:
    """The content as UTF-8 text without compression; other formats are refused by name."""
    if content.startswith(_GZIP):
        content = _unpacked(name, content)
    _refuse_formats(name, content)
    if is_arff(content[:START_BYTES]):
        return arff_as_csv(name, content)
    if content.startswith(_UTF16_MARKS):
        try:
            return content.decode("utf-16").encode()
        except UnicodeError:
            raise InputError(f"{name}: damaged UTF-16 text; save the file as UTF-8") from None
    if content.startswith(_ZIP):
        return sheet_as_csv(name, content, sheet)
    if sheet is not None:
        raise InputError(f"{name}: no Excel workbook, so it has no sheets; drop {arg('sheet')}")
    return content


def _unpacked(name: str, content: bytes) -> bytes:
    """The content of a gzip file, if it can be kept in memory."""
    try:
        with gzip.open(BytesIO(content)) as stream:
            unpacked = stream.read(MOST_UNPACKED + 1)
    except (OSError, EOFError, zlib.error):
        raise InputError(f"{name}: damaged gzip data; copy or compress the file again") from None
    if len(unpacked) > MOST_UNPACKED:
        raise InputError(
            f"{name}: holds more than {MOST_UNPACKED >> 20:,} MB when unpacked; unpack it first, "
            f"as gunzip -k {shell_word(name)} does: a plain file is read piece by piece"
        )
    return unpacked


def _refuse_formats(name: str, content: bytes) -> None:
    """Other formats are refused by name, with what turns them into one that is read."""
    if content.startswith(_OLD_WORKBOOK):
        raise InputError(NOT_A_WORKBOOK.format(name))
    of_r = next((read for start, read in _OF_R.items() if content.startswith(start)), None)
    packing = next((tool for start, tool in _OTHER_PACKINGS.items() if content.startswith(start)),
                   None)  # fmt: skip
    if packing is not None and name.lower().endswith((".rds", ".rda", ".rdata")):
        of_r = "readRDS({})" if name.lower().endswith(".rds") else "get(load({}))"
    if of_r is not None:
        old, new = (
            repr(clipped(path)) for path in (name, f"{name.rpartition('.')[0] or name}.csv")
        )
        line = f"write.csv({of_r.format(old)}, {new}, row.names = FALSE)"
        raise InputError(f'{name}: a file of R; save it as CSV: Rscript -e "{line}"')
    if packing is not None:
        raise InputError(
            f"{name}: compressed by {packing}; unpack it first: {packing} -dk {shell_word(name)}"
        )


def _neighbours(folder: Path) -> list[str]:
    """The files in a folder that may have been meant."""
    try:
        return sorted(p.name for p in folder.iterdir() if p.name.endswith(SUFFIXES[:-1]))
    except OSError:
        return []
