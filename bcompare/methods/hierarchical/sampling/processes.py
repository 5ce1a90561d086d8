"""Other programs, run side by side: heard while they run, and none is left, however it ends.

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

# Seconds from the polite request to end to the other one.
GRACE = 5.0

# Of a program's own words in an error message.
LINES = 5

# A shell's exit code for a program that cannot be started.
NOT_STARTED = 127

Heard = Callable[[int, str], None]
"""Called with the number of a program, from 0, and a line that it wrote; once at a time."""


def nothing_heard(number: int, line: str) -> None:
    """Listen to nobody."""


class ProgramError(RuntimeError):
    """A program that ended badly, or could not be started.

    number : of the program, from 0. code : its exit code. console : all that it wrote.
    """

    def __init__(self, number: int, code: int, console: str) -> None:
        self.number = number
        self.code = code
        self.console = console
        super().__init__(f"program {number} ended with exit code {code}")

    def excerpt(self) -> str:
        """Return the lines, indented, that say what went wrong, or else the last ones."""
        lines = [line.strip() for line in self.console.splitlines() if line.strip()]
        telling = [line for line in lines if re.search("error|exception|not found", line, re.I)]
        shown = telling[:LINES] or [*lines[-LINES + 1 :], f"(it ended with exit code {self.code})"]
        return "\n".join(f"    {line}" for line in shown)


def run_side_by_side(
    commands: Sequence[Sequence[str]],
    *,
    at_once: int = 1,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    heard: Heard = nothing_heard,
) -> None:
    """Run programs, so many at once, until all have ended; if one fails, the others are ended.

    They are ended too, with all that they have started, where an exception such as
    KeyboardInterrupt comes in between.

    Raises
    ------
    ProgramError : if one could not be started, or ended with an exit code other than 0.
    """
    programs = _Programs(folder, environment, heard)
    with ThreadPoolExecutor(at_once) as pool:
        followed: list[Future[None]] = []
        try:
            for number, command in enumerate(commands):
                followed.append(pool.submit(programs.run, number, command))
            for ended in as_completed(followed):
                ended.result()
        finally:
            programs.end(followed)


class _Programs:
    """Started and followed by threads, as signals interrupt the main thread only."""

    def __init__(
        self, folder: Path | None, environment: Mapping[str, str] | None, heard: Heard
    ) -> None:
        self.folder = folder
        self.environment = environment
        self.heard = heard
        self.started: list[subprocess.Popen[str]] = []
        self.ending = False
        self.starting, self.hearing = Lock(), Lock()

    def run(self, number: int, command: Sequence[str]) -> None:
        """Run one program to its end, and hear it."""
        with self.starting:
            if self.ending:
                return
            try:
                process = self._start(command)
            except OSError as error:
                raise ProgramError(number, NOT_STARTED, f"{error}") from error
            self.started.append(process)
        console = []
        with process:
            for line in process.stdout or ():
                console.append(line)
                with self.hearing:
                    self.heard(number, line)
        if process.returncode != 0:
            raise ProgramError(number, process.returncode, "".join(console))

    def _start(self, command: Sequence[str]) -> subprocess.Popen[str]:
        # In a process group of its own, so that it can be ended with what it started, and that
        # the terminal's Ctrl-C comes to us alone. If we are killed outright, it ends when it
        # next writes, as nobody holds the other end of its pipe.
        return subprocess.Popen(  # noqa: S603, no shell, and the commands are ours
            command,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            process_group=0,
        )

    def end(self, followed: Sequence[Future[None]]) -> None:
        """End what still runs, and start nothing more."""
        with self.starting:
            self.ending = True
        try:
            self._ask_to_end(signal.SIGTERM)
            wait(followed, GRACE)
        finally:
            if sys.platform != "win32":
                self._ask_to_end(signal.SIGKILL)

    def _ask_to_end(self, request: signal.Signals) -> None:
        for process in self.started:
            if process.returncode is None:  # else its number may be another's by now
                try:
                    if sys.platform == "win32":
                        process.terminate()
                    else:
                        os.killpg(process.pid, request)
                except (ProcessLookupError, PermissionError):
                    continue  # it has just ended
