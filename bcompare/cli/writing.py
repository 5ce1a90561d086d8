"""Write results to standard output or files, and warnings and progress to standard error."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from io import TextIOWrapper
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from bcompare.basis.arguments import as_options
from bcompare.basis.atomic import atomic_file, write_atomically
from bcompare.basis.notes import ON_THE_RULE, Note
from bcompare.basis.printable import printable
from bcompare.cli.destinations import STANDARD_OUTPUT, targets
from bcompare.cli.output import Drawn, Output
from bcompare.cli.streams import discard_output
from bcompare.render import ROW_FORMATS, load_renderer, row_writer

# The width of a pipe with colours: wider than any table, so that nothing is wrapped.
UNLIMITED = 10_000

# Seconds of silence before a progress bar appears.
PATIENCE = 0.5
# Seconds after which a pipe or a log is told that the work goes on.
SILENCE = 20.0

if TYPE_CHECKING:
    from bcompare.basis.showable import Showable
    from bcompare.methods.base import Progress
    from bcompare.report.build import Report
    from bcompare.streaming.spool import Spool


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
    try:
        _write_one(report, path, chosen, spool)
    except BrokenPipeError:
        discard_output()


def _write_one(report: "Report", path: str, chosen: str, spool: "Spool | None") -> None:
    if chosen in ROW_FORMATS:
        _write_rows(path, chosen, report, spool)
        return
    if path == STANDARD_OUTPUT and chosen == "table" and (console := _console()) is not None:
        from bcompare.render.plain import print_report

        print_report(report, console)
        return
    text = as_options(load_renderer(chosen)(report))
    if path == STANDARD_OUTPUT:
        sys.stdout.write(text)
    else:
        write_atomically(
            path, text.encode("utf-8", errors="replace")
        )  # names may hold what is no text


def _write_rows(path: str, chosen: str, report: "Report", spool: "Spool | None") -> None:
    """Write flat rows, block by block."""
    if spool is None:
        lone = report.rows()
        blocks, kinds = iter([lone]), {name: column.kind for name, column in lone.items()}
    else:
        blocks, kinds = spool.rows(), spool.kinds
    if chosen == "parquet":
        from bcompare.render.parquet import write as write_parquet

        at_output = path == STANDARD_OUTPUT
        with nullcontext(sys.stdout.buffer) if at_output else atomic_file(path) as file:
            write_parquet(blocks, kinds, file)
        return
    write_lines = row_writer(chosen)
    if path == STANDARD_OUTPUT:
        write_lines(blocks, sys.stdout)
        return
    with atomic_file(path) as file:
        text = TextIOWrapper(file, "utf-8", errors="replace", newline="", write_through=True)
        write_lines(blocks, text)
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
def progress_bar(output: Output, doing: str = "comparing pairs") -> Iterator["Progress"]:
    """Show a progress bar on standard error, if the work takes a while; lines, if it is a file."""
    from bcompare.methods.base import no_progress

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
    from rich import progress as rich

    with ExitStack() as stack:
        bar = rich.Progress(
            rich.TextColumn("{task.description}"),
            rich.BarColumn(),
            rich.TaskProgressColumn(),
            rich.TextColumn("{task.fields[speed]}"),
            rich.TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        task = bar.add_task(doing, total=None, speed="")

        def progress(done: int, total: int) -> None:
            seconds = time.monotonic() - start
            if not bar.live.is_started and seconds > PATIENCE:
                stack.enter_context(bar)
            bar.update(task, completed=done, total=total, speed=f"{done / seconds:,.0f}/s")

        yield progress


def _console() -> Console | None:
    """Return a console for a terminal, or for a pipe with colours; None for plain text."""
    if sys.stdout.isatty():
        return Console(highlight=False)
    if os.environ.get("FORCE_COLOR"):
        return Console(force_terminal=True, width=UNLIMITED, highlight=False)
    return None
