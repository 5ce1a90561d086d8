"""Write results to standard output or files, and warnings and progress to standard error.

Destinations of results and pictures are checked early, so that no work is lost.
"""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from bcompare.basis.messages import ON_THE_RULE, InputError, Note, as_options, printable
from bcompare.basis.progress import Progress, bar, no_progress
from bcompare.cli.input import Input
from bcompare.cli.options import Drawn, Output
from bcompare.cli.streams import discard_output
from bcompare.formats import (
    FORMATS,
    GATE_FORMATS,
    ITEM_FORMATS,
    PAPER_FORMATS,
    ROW_FORMATS,
    SUFFIXES,
    format_of,
    load_renderer,
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
    if len(destinations) > 1 and len(files) == len(destinations) and output.format is not None:
        raise InputError(
            "--format with several --output: leave it out; each file's suffix says its format, or "
            "its name as in -o json=results.txt"
        )
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
    read = _files_read(results)
    written = list[Path]()
    named = [("--history", history)] if history is not None else []
    named += [*(("--output", name) for name in files), *(("--plot", name) for name in plots)]
    for option, name in named:
        _check_file(option, Path(name), read, written)


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
    _check_file("--output", Path(path), _files_read(results), [])


def _check_file(option: str, path: Path, read: Sequence[str], written: list[Path]) -> None:
    """Check that a file can be written, and add it to those that will be."""
    from bcompare.basis.atomic import resolved

    if path.is_dir():
        raise InputError(f"{option} {path}: that is a folder; name a file in it")
    if not path.parent.is_dir():
        raise InputError(f"{option} {path}: there is no folder {path.parent}; make it first")
    file = resolved(path)
    if file in map(resolved, read):
        raise InputError(f"{option} {path}: that file is read; name another one to write")
    if file in written:
        raise InputError(f"{option} {path}: that file is written already; name two files")
    written.append(file)


def _files_read(results: Input) -> list[str]:
    """Return all files that the arguments may name."""
    from bcompare.files.sources import DEFAULT_FILE, files_named

    return files_named(results.files() or (DEFAULT_FILE,))


# The width of a pipe with colours: wider than any table, so that nothing is wrapped.
UNLIMITED = 10_000

# Seconds after which a pipe or a log is told that the work goes on.
SILENCE = 20.0

if TYPE_CHECKING:
    from bcompare.basis.showable import Showable
    from bcompare.report.pair_report import Report
    from bcompare.report.spool import Spool


def write(report: "Report", output: Output, spool: "Spool | None" = None) -> None:
    """Write the report in the wanted formats, and its notes to standard error.

    spool : the rows of all pairs, if the report does not hold them all.

    Raises
    ------
    InputError : the output file cannot be written.
    """
    at_table = (STANDARD_OUTPUT, "table") in targets(output)
    print_notes(
        tuple(
            note
            for note in report.notes
            # a gate's rule is printed even if quiet, but not twice: the table has it
            if (not at_table if note.code in ON_THE_RULE else not output.quiet)
        )
    )
    for path, chosen in targets(output):
        write_one(report, path, chosen, spool)


def write_one(
    report: "Report",
    path: str,
    chosen: str,
    spool: "Spool | None" = None,
) -> None:
    """Write the report to a file or to standard output, in the chosen format.

    If the reader of standard output has gone, the other files and the exit code remain.

    Raises
    ------
    InputError : the file cannot be written.
    """
    at_output = path == STANDARD_OUTPUT
    try:
        if chosen in ROW_FORMATS:
            _write_rows(path, chosen, report, spool)
        elif at_output and chosen == "table" and (console := _console()) is not None:
            from bcompare.render.plain import print_report

            print_report(report, console)
        elif at_output:
            sys.stdout.write(as_options(load_renderer(chosen)(report)))
        else:
            from bcompare.basis.atomic import write_atomically

            text = as_options(load_renderer(chosen)(report))
            write_atomically(path, text.encode("utf-8", errors="replace"))  # names may be no text
    except BrokenPipeError:
        discard_output()


def _write_rows(path: str, chosen: str, report: "Report", spool: "Spool | None") -> None:
    """Write flat rows, block by block."""
    from bcompare.basis.atomic import atomic_file

    if spool is None:
        lone = report.rows()
        blocks = iter([lone])
        kinds = {name: column.kind for name, column in lone.items()}
    else:
        blocks = spool.rows()
        kinds = spool.kinds
    if chosen == "parquet":
        from bcompare.render.parquet import write as write_parquet

        at_output = path == STANDARD_OUTPUT
        with nullcontext(sys.stdout.buffer) if at_output else atomic_file(path) as file:
            write_parquet(blocks, kinds, file)
        return
    from bcompare.render.csv import write as write_csv

    if path == STANDARD_OUTPUT:
        write_csv(blocks, sys.stdout)
        return
    with atomic_file(path) as file:
        text = TextIOWrapper(file, "utf-8", errors="replace", newline="", write_through=True)
        write_csv(blocks, text)
        text.flush()
        text.detach()


def draw_pictures(result: "Showable", output: Drawn) -> None:
    """Draw the requested pictures of a result."""
    if output.plot:
        from bcompare.plots.figure import save
        from bcompare.show import draw

        for picture in output.pictures():
            notes = save(draw(result, picture.name, picture.sheet()), picture.file)
            if not output.quiet:
                print_notes(notes)


def print_notes(notes: tuple[Note, ...]) -> None:
    """Print warnings and information to standard error."""
    console = Console(stderr=True, soft_wrap=True)
    for note in notes:
        style = "yellow" if note.severity == "warning" else "cyan"
        console.print(
            f"[{style}]{note.word}:[/]",
            escape(printable(as_options(f"{note.text} [{note.code}]"))),
            highlight=False,
        )


@contextmanager
def progress_bar(output: Output, doing: str = "comparing pairs") -> Iterator[Progress]:
    """Show a progress bar on standard error, if the work takes a while; lines, if it is a file."""
    if output.quiet:
        yield no_progress
        return
    start = time.monotonic()
    if not sys.stderr.isatty():
        silent = SILENCE

        def said(done: int, total: int) -> None:
            nonlocal silent
            seconds = time.monotonic() - start
            if seconds > silent:
                silent = 2 * seconds
                words = f"{doing}: {100 * done / total:.0f} % after {seconds:.0f} s"
                sys.stderr.write(f"{words}\n")
                sys.stderr.flush()

        yield said
        return
    with bar(Console(stderr=True), doing) as steps:
        yield steps


def _console() -> Console | None:
    """Return a console for a terminal, or for a pipe with colours; None for plain text."""
    if sys.stdout.isatty():
        return Console(highlight=False)
    if os.environ.get("FORCE_COLOR"):
        return Console(force_terminal=True, width=UNLIMITED, highlight=False)
    return None
