"""Results to standard output or a file; warnings and progress to standard error."""

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from bcompare.cli.destinations import STANDARD_OUTPUT
from bcompare.cli.options import Color, Format, Output
from bcompare.notes import Note
from bcompare.render import format_of, load_renderer
from bcompare.whole import write_whole

# Colour in a pipe: wider than any table, so that nothing is wrapped.
UNLIMITED = 10_000

# Seconds of silence before a progress bar appears.
PATIENCE = 0.5

if TYPE_CHECKING:
    from bcompare.methods.base import Progress
    from bcompare.report.build import Report


def write(report: "Report", output: Output) -> None:
    """Write the report in the wanted format, and its notes to standard error.

    Raises
    ------
    InputError : the output file cannot be written.
    """
    if not output.quiet:
        print_notes(report.notes)
    for path in output.output or (STANDARD_OUTPUT,):
        chosen = _format_for(path, output)
        if path != STANDARD_OUTPUT:
            content = load_renderer(chosen)(report).encode("utf-8", errors="replace")
            write_whole(path, content)  # a file's name in it may not be text
            continue
        console = _console(output.color) if chosen == Format.TABLE else None
        if console is not None:
            from bcompare.render.terminal import print_report

            print_report(report, console)
        else:
            sys.stdout.write(load_renderer(chosen)(report))


def _format_for(path: str, output: Output) -> str:
    """Return the format asked for, or that of the output file's suffix, or a table."""
    if output.format is not None:
        return output.format.value
    return format_of(path) or Format.TABLE.value


def print_notes(notes: tuple[Note, ...]) -> None:
    """Print warnings and information to standard error."""
    console = Console(stderr=True, soft_wrap=True)
    for note in notes:
        style = "yellow" if note.severity == "warning" else "cyan"
        word = "warning" if note.severity == "warning" else "note"
        console.print(f"[{style}]{word}:[/] {escape(note.message)}", highlight=False)


@contextmanager
def progress_bar(output: Output) -> Iterator["Progress"]:
    """Show a bar on standard error, on a terminal only, and only of work that takes a while."""
    from bcompare.methods.base import no_progress

    if output.quiet or not sys.stderr.isatty():
        yield no_progress
        return
    from rich.progress import Progress as Bar

    start = time.monotonic()
    with ExitStack() as stack:
        bar = Bar(console=Console(stderr=True), transient=True)
        task = bar.add_task("comparing pairs", total=None)

        def progress(done: int, total: int) -> None:
            if not bar.live.is_started and time.monotonic() - start > PATIENCE:
                stack.enter_context(bar)
            bar.update(task, completed=done, total=total)

        yield progress


def _console(color: Color) -> Console | None:
    """A console for the terminal, or for a pipe that wants colour; None for plain text."""
    if color == Color.NEVER:
        return Console(color_system=None, highlight=False) if sys.stdout.isatty() else None
    if color == Color.ALWAYS:
        width = None if sys.stdout.isatty() else UNLIMITED
        return Console(force_terminal=True, no_color=False, width=width, highlight=False)
    return Console(highlight=False) if sys.stdout.isatty() else None
