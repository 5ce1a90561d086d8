"""Run other programs side by side, read their output, and leave none behind, however it ends.

Not through cmdstanpy: it shows the progress of chains on the console only, and on an interrupt
waits for those that run, and starts those that have not run yet.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait
from pathlib import Path
from threading import Lock

# Seconds between asking a program to end and killing it.
GRACE = 5.0
# Lines of a program's output in an error message.
LINES = 5
# A shell's exit code for a program that cannot be started.
NOT_STARTED = 127


class ProgramError(RuntimeError):
    """A program that failed or could not be started: its exit code and all that it wrote."""

    def __init__(self, code: int, console: str) -> None:
        self.code = code
        self.console = console
        super().__init__(f"a program ended with exit code {code}")

    def excerpt(self) -> str:
        """Return the lines, indented, that say what went wrong, or else the last ones."""
        lines = [line.strip() for line in self.console.splitlines() if line.strip()]
        errors = [line for line in lines if re.search("error|exception|not found", line, re.I)]
        shown = errors[:LINES] or [*lines[-LINES + 1 :], f"(it ended with exit code {self.code})"]
        return "\n".join(f"    {line}" for line in shown)


def run_side_by_side(
    commands: Sequence[Sequence[str]],
    *,
    environment: Mapping[str, str],
    at_once: int = 1,
    folder: Path | None = None,
    on_line: Callable[[int, str], None] | None = None,
) -> None:
    """Run programs, at most `at_once` at a time, until all have ended; if one fails, end the rest.

    They are ended too, with all that they have started, where an exception such as
    KeyboardInterrupt comes in between. `on_line` is called with the number of a program, from 0,
    and a line that it wrote; once at a time.

    Raises
    ------
    ProgramError : if one could not be started, or ended with an exit code other than 0.
    """
    started: list[subprocess.Popen[str]] = []
    ending = False
    starting, reading = Lock(), Lock()

    def run(number: int, command: Sequence[str]) -> None:
        with starting:
            if ending:
                return
            process = _start(command, folder, environment)
            started.append(process)
        console = []
        with process:
            for line in process.stdout or ():
                console.append(line)
                if on_line:
                    with reading:
                        on_line(number, line)
        if process.returncode != 0:
            raise ProgramError(process.returncode, "".join(console))

    # In threads, as signals interrupt the main thread only.
    with ThreadPoolExecutor(at_once) as pool:
        futures: list[Future[None]] = []
        try:
            for number, command in enumerate(commands):
                futures.append(pool.submit(run, number, command))
            for future in as_completed(futures):
                future.result()
        finally:
            with starting:
                ending = True
            try:
                _end(started, signal.SIGTERM)
                wait(futures, GRACE)
            finally:
                if sys.platform != "win32":
                    _end(started, signal.SIGKILL)


def _start(
    command: Sequence[str], folder: Path | None, environment: Mapping[str, str]
) -> subprocess.Popen[str]:
    # In a process group of its own, so that it can be ended with what it started, and that
    # the terminal's Ctrl-C comes to us alone. If we are killed outright, it ends when it
    # next writes, as nobody holds the other end of its pipe.
    try:
        return subprocess.Popen(  # noqa: S603, no shell, and the commands are ours
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            process_group=0,
        )
    except OSError as error:
        raise ProgramError(NOT_STARTED, f"{error}") from error


def _end(processes: Sequence[subprocess.Popen[str]], request: signal.Signals) -> None:
    for process in processes:
        if process.returncode is None:  # else its number may be another's by now
            try:
                if sys.platform == "win32":
                    process.terminate()
                else:
                    os.killpg(process.pid, request)
            except (ProcessLookupError, PermissionError):
                continue  # it has just ended
