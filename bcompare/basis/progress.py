"""Progress of long work: a bar on a terminal and in a notebook."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rich.console import Console

Progress = Callable[[int, int], None]
"""Takes the number of steps done, and that of all."""

ShownProgress = Progress | Literal["auto"]
"""``auto`` shows a bar where somebody looks: on a terminal or in a notebook."""

# The seconds that work may take before a bar appears.
PATIENCE = 0.5


def no_progress(done: int, total: int) -> None:
    """Ignore progress."""


@contextmanager
def shown(progress: ShownProgress, doing: str) -> Iterator[Progress]:
    """Yield what takes the progress; "auto" shows nothing in a pipe, a file or a test.

    doing : what the bar says.
    """
    if callable(progress):
        yield progress
        return
    from rich import get_console
    from rich.console import Console

    # rich draws in a notebook by ipywidgets, and warns where they are missing
    if get_console().is_jupyter and find_spec("ipywidgets") is not None:
        console = get_console()
    elif sys.stderr.isatty():
        console = Console(stderr=True)
    else:
        yield no_progress
        return
    with bar(console, doing) as steps:
        yield steps


@contextmanager
def bar(console: "Console", doing: str) -> Iterator[Progress]:
    """Show a bar if the work takes a while, and remove it at the end."""
    from rich import progress as rich

    start = time.monotonic()
    with ExitStack() as stack:
        display = rich.Progress(
            rich.TextColumn("{task.description}"),
            rich.BarColumn(),
            rich.TaskProgressColumn(),
            rich.TextColumn("{task.fields[speed]}"),
            rich.TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        task = display.add_task(doing, total=None, speed="")

        def steps(done: int, total: int) -> None:
            seconds = time.monotonic() - start
            if not display.live.is_started and seconds > PATIENCE:
                stack.enter_context(display)
            display.update(task, completed=done, total=total, speed=f"{done / seconds:,.0f}/s")

        yield steps
