"""Standard streams that are closed or limited in their encoding, without tracebacks."""

import errno
import io
import os
import sys
from typing import Any


def prepare_streams() -> None:
    """Replace closed streams, and set encodings and their error handling.

    A closed standard input reads as empty; results to a closed standard output are an error.
    Messages that standard error cannot take are dropped: a message must not cost a result. A pipe
    gets UTF-8, as every format promises; a terminal keeps its own encoding.
    """
    # These stay open until the process ends.
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BytesIO())
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(_Closed(), write_through=True)
    if sys.stderr is None:
        sys.stderr = io.TextIOWrapper(io.BytesIO())
    elif sys.__stderr__ is not None and sys.stderr is sys.__stderr__:
        file = _Lossy(sys.stderr.fileno(), "w", closefd=False)
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(file), sys.stderr.encoding, "backslashreplace", line_buffering=True
        )
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="replace")


class _Closed(io.BufferedIOBase):
    """Standard output that the shell has closed."""

    def writable(self) -> bool:
        return True

    def write(self, _: Any) -> int:
        raise OSError(errno.EBADF, "standard output is closed")


class _Lossy(io.FileIO):
    """A file that never fails: it drops what it cannot write."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


def discard_output() -> None:
    """Redirect standard output to the null device, since Python flushes it once more at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except io.UnsupportedOperation:
        return  # without a file there is nothing to flush
