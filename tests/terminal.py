"""Runs the command line on a real pseudo-terminal, as a user sits before it."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

PROJECT = Path(__file__).parents[1]

# A new session is without a terminal: take the pseudo-terminal, so that it turns the letter
# Ctrl-C into a signal.
ON_TERMINAL = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored where the tests run in the background
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, "-m", "bcompare", *sys.argv[1:]])
"""

# Seconds after which something that should happen has not.
LIMIT = 120.0

CTRL_C = b"\x03"


class Terminal:
    """A bcompare process on a pseudo-terminal, its screen, and all that it has started.

    Whatever it starts inherits a variable of its environment, by which it is found again.
    """

    def __init__(self, *arguments: str | Path, environment: Mapping[str, str]) -> None:
        import pty

        self.mark = f"BCOMPARE_TEST_RUN={os.getpid()}-{time.monotonic_ns()}"
        name, value = self.mark.split("=")
        self.screen = ""
        self.ours, theirs = pty.openpty()
        os.set_blocking(self.ours, False)
        self.process = subprocess.Popen(
            [sys.executable, "-c", ON_TERMINAL, *map(str, arguments)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={
                **environment,
                "PYTHONPATH": str(PROJECT),
                "TERM": "xterm",
                "COLUMNS": "100",
                name: value,
            },
        )
        os.close(theirs)

    def press(self, keys: bytes) -> None:
        """Type at the terminal."""
        os.write(self.ours, keys)

    def wait_for(self, what: Callable[[], object], why: str) -> None:
        """Wait, reading the screen, until something is so."""
        until = time.monotonic() + LIMIT
        while not what():
            if time.monotonic() > until:
                raise TimeoutError(f"{why} is still awaited; the screen: {self.screen}")
            self._read()
            time.sleep(0.02)

    def end(self) -> int:
        """Wait for the end; returns the exit code, negative for a signal."""
        self.wait_for(lambda: self.process.poll() is not None, "the end")
        self._read()
        return self.process.returncode

    def hang_up(self) -> None:
        """Close the terminal's window."""
        os.close(self.ours)
        self.ours = -1

    def close(self) -> None:
        """Close the terminal, and end what is left, for the next test's sake."""
        if self.ours >= 0:
            self.hang_up()
        for process in (*self.started(), self.process.pid):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait()

    def percent(self) -> int:
        """What the progress bar shows last; 0 where there is none."""
        shown = re.findall(r"(\d+)%", self.screen)
        return int(shown[-1]) if shown else 0

    def started(self) -> list[int]:
        """The processes that run, other than bcompare itself, by their numbers."""
        result = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                marked = self.mark.encode() in (folder / "environ").read_bytes().split(b"\0")
                zombie = "State:\tZ" in (folder / "status").read_text()
            except OSError:
                continue  # another user's, or it has just ended
            if marked and not zombie and int(folder.name) != self.process.pid:
                result.append(int(folder.name))
        return result

    def _read(self) -> None:
        try:
            self.screen += os.read(self.ours, 65536).decode("utf-8", "replace")
        except OSError:
            return  # nothing new, or nobody there any more
