"""Destinations of results and pictures, checked early so that no work is lost."""

import sys
from collections.abc import Sequence
from pathlib import Path

from bcompare.basis.atomic import resolved
from bcompare.basis.errors import InputError
from bcompare.cli.combinations import check_destination
from bcompare.cli.input import Input
from bcompare.cli.output import Drawn, Output
from bcompare.render import (
    FORMATS,
    GATE_FORMATS,
    ITEM_FORMATS,
    PAPER_FORMATS,
    SUFFIXES,
    format_of,
)

STANDARD_OUTPUT = "-"
# The format that GitHub reads from the log.
ANNOTATIONS = "github"


def targets(output: Output) -> list[tuple[str, str]]:
    """Return the destinations of the results, with their formats.

    ``FORMAT=FILE`` names the format of a file, else its suffix does. `--format` is for standard
    output and for a lone file; annotations are read from standard output only.
    """
    paths = output.output or [STANDARD_OUTPUT]
    if output.format == ANNOTATIONS and STANDARD_OUTPUT not in paths:
        paths = [*paths, STANDARD_OUTPUT]
    destinations = []
    for path in paths:
        name, equals, file = path.partition("=")
        if equals and name in FORMATS:
            destinations.append((file, name))
            continue
        asked = output.format if len(paths) == 1 or path == STANDARD_OUTPUT else None
        destinations.append((path, asked or format_of(path) or "table"))
    return destinations


def check_destinations(
    results: Input,
    output: Output,
    *,
    refused: Sequence[str] = (*GATE_FORMATS, *PAPER_FORMATS, *ITEM_FORMATS),
    history: str | None = None,
) -> None:
    """Refuse destinations that cannot be written, or that would overwrite the input.

    refused : formats that the command lacks. history : of a gate, which is written, too.

    Raises
    ------
    InputError : an unknown suffix, format or picture, no such folder, one file for two things.
    """
    destinations = targets(output)
    files = [path for path, _ in destinations if path != STANDARD_OUTPUT]
    check_destination(output.format, len(files), len(destinations))
    for path in output.output or ():
        name, equals, _ = path.partition("=")
        if equals and name not in FORMATS and "/" not in name and not _is_there(Path(path)):
            raise InputError(
                f"--output {path}: there is no format {name}; choose from {', '.join(FORMATS)}, "
                f"or write ./{path} for a file of that name"
            )
    for path in output.output or () if output.format is None else ():
        file = Path(path)
        suffixes = [suffix for suffix, form in SUFFIXES.items() if form not in refused]
        if file.suffix and format_of(path) is None and path.partition("=")[0] not in FORMATS:
            raise InputError(
                f"--output {file}: the suffix {file.suffix} stands for no format; say which by "
                f"--format, or end the name in {', '.join(suffixes)}"
            )
    for path, chosen in destinations:
        if chosen in refused:
            raise InputError(f"the format {chosen} is for {_owner(chosen)} only")
        if chosen == "parquet" and path == STANDARD_OUTPUT and sys.stdout.isatty():
            raise InputError("Parquet is not text: name a file, such as -o pairs.parquet")
    plots = _checked_pictures(output) if isinstance(output, Drawn) else ()
    read = [resolved(name) for name in _files_read(results)]
    written: list[Path] = []
    named = [("--history", history)] if history is not None else []
    named += [*(("--output", name) for name in files), *(("--plot", name) for name in plots)]
    for option, name in named:
        _check_file(option, Path(name), read, written)
        written.append(resolved(name))


def _is_there(path: Path) -> bool:
    """Return whether the path exists, or its folder exists and has a = in its name."""
    return path.exists() or ("=" in str(path.parent) and path.parent.is_dir())


def _owner(chosen: str) -> str:
    """Return the commands that have a format."""
    if chosen in ITEM_FORMATS:
        return "the tests"
    return "gates" if chosen in GATE_FORMATS else "the tests and for rank"


def _checked_pictures(output: Drawn) -> Sequence[str]:
    """Return the files of the pictures, after a check of their names and formats."""
    if not output.plot:
        return ()
    from bcompare.plots import check_name
    from bcompare.plots.figure import picture_format

    for picture in output.pictures():
        if picture.name is not None:
            check_name(picture.name)
        picture_format(picture.file)
    return [picture.file for picture in output.pictures()]


def check_page(results: Input, path: str) -> None:
    """Refuse a page that cannot be written, or that would overwrite the input.

    Raises
    ------
    InputError : no name of a page, no such folder, a file that is read.
    """
    if Path(path).suffix.lower() not in (".html", ".htm"):
        raise InputError(f"--output {path}: a report is a page; end the name in .html")
    read = [resolved(name) for name in _files_read(results)]
    _check_file("--output", Path(path), read, [])


def _check_file(option: str, path: Path, read: Sequence[Path], written: Sequence[Path]) -> None:
    if path.is_dir():
        raise InputError(f"{option} {path}: that is a folder; name a file in it")
    if not path.parent.is_dir():
        raise InputError(f"{option} {path}: there is no folder {path.parent}; make it first")
    if resolved(path) in read:
        raise InputError(f"{option} {path}: that file is read; name another one to write")
    if resolved(path) in written:
        raise InputError(f"{option} {path}: that file is written already; name two files")


def _files_read(results: Input) -> list[str]:
    """Return all files that the arguments may name, with and without a label and a sheet."""
    named = results.files() or ("results.csv",)
    files = [*named, *(name.partition("=")[2] for name in named if "=" in name)]
    return [*files, *(name.rpartition("#")[0] for name in files if "#" in name)]
