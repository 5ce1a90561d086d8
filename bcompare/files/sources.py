"""The sources that the user named: files, ``LABEL=FILE``, standard input, open files."""

import codecs
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from os import PathLike, fspath
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from bcompare.basis.messages import InputError, nearest, spelled
from bcompare.files.conversion import JSON, START_BYTES, ZIP, as_text, is_packed
from bcompare.files.folders import SUFFIXES, are_runs, kind_of, open_folder
from bcompare.files.problems import clipped, named, shell_word

Readable: TypeAlias = "str | PathLike[str] | BinaryIO"

DEFAULT_FILE = "results.csv"
STANDARD_INPUT = "-"
# The suffix of Inspect's logs, which are archives.
LOG = ".eval"

_PARQUET, _FEATHER = b"PAR1", b"ARROW1"
_PATTERN = re.compile(r"[*?\[]")


@dataclass(frozen=True, eq=False, slots=True)
class Source:
    """One file of results, which can be read more than once.

    name : as the user named it.
    argument : the place of the argument that names it.
    label : the classifier's name in ``LABEL=FILE``, or None.
    part : a part of the file, in ``FILE#PART``, or None: the sheet of an Excel workbook, the keys
        of a list in JSON joined by dots, or the number of a table in Markdown or LaTeX.
    path : where to read it, or None.
    content : its bytes unless it is a plain file: decompressed, or read from a stream.
    one_of_many : whether it is one of several files of a pattern with a label, whose names are
        those of data sets.
    preset : the preset by which it was found in a folder.
    """

    name: str
    label: str | None
    part: str | None = None
    path: Path | None = None
    content: bytes | None = None
    one_of_many: bool = False
    preset: str | None = None
    argument: int = 0

    @property
    def title(self) -> str:
        """The name in messages."""
        name = "standard input" if self.name == STANDARD_INPUT else self.name
        return name if self.part is None else f"{name}#{self.part}"

    @property
    def stem(self) -> str:
        """The file's name without its folder and suffixes, or the sheet."""
        if self.part is not None:
            return self.part
        stem = "results" if self.name == STANDARD_INPUT else Path(self.name).name
        for suffix in SUFFIXES:
            if stem.casefold().endswith(suffix):
                stem = stem[: -len(suffix)]
        return stem

    @property
    def size(self) -> int:
        """The size in bytes."""
        return len(self.content or b"") if self.path is None else self.path.stat().st_size

    @property
    def format(self) -> str:
        """The format: ``parquet``, ``feather``, ``log`` (of Inspect), ``json`` or ``text``."""
        with self.open() as stream:
            start = stream.read(START_BYTES)
        if start.startswith(_PARQUET):
            return "parquet"
        if start.startswith(_FEATHER):
            return "feather"
        if self.name.endswith(LOG) and self.path is not None:
            return "log"
        return "json" if JSON.match(start) else "text"

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the bytes after a byte order mark, if any."""
        if self.path is None:
            stream: BinaryIO = BytesIO(self.content or b"")
        else:
            stream = self.path.open("rb")
        with stream:
            if stream.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
                stream.seek(0)
            yield stream


def find_sources(results: Sequence[Readable], preset: str | None = None) -> list[Source]:
    """Return the sources that the arguments name; none means results.csv.

    preset : by whose names to search folders.

    Raises
    ------
    InputError : with a message for every one that cannot be read or is named twice.
    """
    if not results and not Path(DEFAULT_FILE).exists():
        neighbours = _neighbours(Path())
        there = f" This folder has {named(neighbours)}." if neighbours else ""
        raise InputError(
            f"there is no {DEFAULT_FILE} in this folder; name the file of results (bcompare "
            f"explain layouts says which are read), or - to pipe it in.{there}"
        )
    sources: list[Source] = []
    problems: list[str] = []
    seen: set[tuple[Path | str, str | None]] = set()
    for place, argument in enumerate(results or (DEFAULT_FILE,)):
        files = _named(argument, preset)
        if not files:
            problems.append(
                f"{clipped(str(argument))}: no file fits this pattern; check it, and the folder"
            )
        for file in files:
            try:
                sources.append(replace(_opened(file, argument), argument=place))
            except InputError as error:
                problems += error.messages
                continue
            if isinstance(argument, (str, PathLike)):
                path = file.name if file.name == STANDARD_INPUT else Path(file.name).resolve()
                identity = (path, file.part)
                if identity in seen:
                    itself = f"bcompare self-check {shell_word(file.name)}"
                    itself = spelled(itself, "self_check(read_scores(FILE, lone=True))")
                    problems.append(
                        f"{file.title}: named twice; its rows would count double. To judge it "
                        f"against itself, say {itself}"
                    )
                seen.add(identity)
    if problems:
        raise InputError(problems)
    return sources


def label_of(argument: str) -> str | None:
    """Return the label of ``LABEL=FILE``, if there is one."""
    return _apart(argument)[0]


def runs_in(argument: str) -> dict[str, str]:
    """Return the files of ``LABEL=FOLDER``, each of a whole run, by names for these.

    Empty if it is none, or a folder whose files are read together.

    Raises
    ------
    InputError : its files cannot go together.
    """
    label, name = _apart(argument)
    folder = Path(name)
    if not label or not name or not folder.is_dir():
        return {}
    content = open_folder(folder)
    if content.program or not are_runs(folder, content.files):
        return {}
    return {f"{label}/{_run_name(folder, path)}": str(path) for path in content.files}


def _run_name(folder: Path, path: Path) -> str:
    """Return the name of a run: that of its file, below the folder, without suffixes."""
    below = path.relative_to(folder).parent
    return (below / Source(path.name, None).stem).as_posix()


def files_named(arguments: Sequence[str]) -> list[str]:
    """Return all files that arguments may name, so that none of them is written.

    Each with and without a label and a part; and all that fit a pattern, or are in a folder.
    """
    names = [*arguments, *(text.partition("=")[2] for text in arguments if "=" in text)]
    names += [name.rpartition("#")[0] for name in names if "#" in name]
    files = [name for name in names if name]
    for name in [*files]:
        path = Path(name)
        if _exists(path) and path.is_dir():
            files += [str(file) for file in path.rglob("*") if file.is_file()]
        elif _PATTERN.search(name):
            files += map(str, _fitting(name))
    return files


def _fitting(pattern: str) -> list[Path]:
    """Return the files that fit a pattern; none if it is no pattern."""
    anchor = Path(pattern).anchor
    try:
        return sorted(Path(anchor).glob(pattern[len(anchor) :]), key=str)
    except ValueError:
        return []


def skipped_in(arguments: Sequence[Readable], preset: str | None) -> list[Path]:
    """Return the files without results in the folders that the arguments name.

    preset : by whose names to search folders.
    """
    folders = dict.fromkeys(filter(None, map(_folder_of, arguments)))
    return [path for folder in folders for path in open_folder(folder, preset).skipped]


def _folder_of(argument: Readable) -> Path | None:
    """Return the folder that an argument names, or that of a run, ``LABEL/RUN=FOLDER/FILE``."""
    if not isinstance(argument, (str, PathLike)):
        return None
    label, name = _apart(argument)
    path = Path(name)
    if name and _exists(path) and path.is_dir():
        return path
    depth = (label or "").count("/")
    return path.parents[depth - 1] if depth and depth <= len(path.parents) else None


def _named(argument: Readable, preset: str | None) -> list[Source]:
    """Return the files, yet to be opened, that an argument names: one, or those of a pattern.

    A folder with files of results stands for them. A pattern may fit no file.
    """
    if not isinstance(argument, (str, PathLike)):
        if not hasattr(argument, "read"):
            raise InputError(
                f"{type(argument).__name__} is no file: give files one by one, and a frame to "
                "from_frame"
            )
        return [Source(str(getattr(argument, "name", "<file>")), None)]
    label, name = _apart(argument)
    program: str | None = None
    files: list[Path] = []
    if name and _exists(name) and Path(name).is_dir():
        content = open_folder(Path(name), preset)
        if content.program or content.kind == "JSON":
            program = content.program
            files = [*content.files]
    is_pattern = isinstance(argument, str) and _PATTERN.search(argument) and not _exists(argument)
    if not files and is_pattern:
        if label is not None and _PATTERN.search(label):
            label = None
            name = str(argument)
        files = _fitting(name)
    elif not files:
        file, _, sheet = name.rpartition("#")
        is_book = file and sheet and not _exists(name) and (file == STANDARD_INPUT or _exists(file))
        return [Source(file, label, sheet) if is_book else Source(name, label)]
    several = bool(label) and len(files) > 1
    return [Source(str(file), label, one_of_many=several, preset=program) for file in files]


def _apart(argument: "str | PathLike[str]") -> tuple[str | None, str]:
    """Return the label and the file of ``LABEL=FILE``."""
    name = fspath(argument)
    if isinstance(argument, str) and "=" in name and not _exists(name):
        label, _, name = name.partition("=")
        return label, name
    return None, name


def _opened(source: Source, argument: Readable) -> Source:
    """Return a source with its path, or with its content unless it is a plain file."""
    name = source.name
    label = source.label
    stream: Any = argument
    if isinstance(argument, (str, PathLike)):
        if label == "" or not name:
            given = name if label is None else f"{label}={name}"
            raise InputError(
                f"{given}: write LABEL=FILE with a name on either side, such as old=results.csv"
            )
        if name != STANDARD_INPUT:
            return _file(source)
        # A replaced standard input, as in notebooks or tests, may have no buffer of bytes.
        stream = getattr(sys.stdin, "buffer", sys.stdin)
    content: bytes | str = stream.read()
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogateescape")
    return replace(source, content=as_text(name, content, source.part))


def _exists(name: str | Path) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # not a valid file name
        return False


def _file(source: Source) -> Source:
    name = source.name
    path = Path(source.name)
    try:
        with path.open("rb") as stream:
            start = stream.read(START_BYTES)
            if name.endswith(LOG) and start.startswith(ZIP):
                return replace(source, path=path)
            whole = is_packed(start) or not path.is_file()
            content = start + stream.read() if whole else start
    except IsADirectoryError:
        neighbours = _neighbours(path)
        inside = (
            f": it has {named(neighbours)}" if neighbours else ", with no file of results in it"
        )
        raise InputError(
            f"{name} is a folder{inside}; name a file, or the files by a pattern in quotes"
        ) from None
    except FileNotFoundError:
        near = nearest(name.replace("\\", "/").rpartition("/")[2], _neighbours(path.parent))
        advice = f"did you mean {near[0]}?" if near else "check the path"
        raise InputError(f"{name}: there is no such file; {advice}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(
            f"{clipped(name)}: cannot be opened ({reason}); check its permissions and name"
        ) from None
    text = as_text(name, content, source.part)  # refuses binary content
    return replace(source, content=text) if whole else replace(source, path=path)


def _neighbours(folder: Path) -> list[str]:
    """Return the files in a folder that may have been meant."""
    try:
        return sorted(p.name for p in folder.iterdir() if kind_of(p))
    except OSError:
        return []
