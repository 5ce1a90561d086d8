"""The standard streams: whatever a shell does to them, no traceback."""

import io
import os
import sys


def prepare_streams() -> None:
    """Give every stream a place, and an answer to letters that it does not know.

    A closed stream reads as empty and writes to nowhere. A pipe gets UTF-8, as every format
    promises; a terminal keeps its own encoding.
    """
    # These stay open until the process ends.
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BytesIO())
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.BytesIO())
    if sys.stderr is None:
        sys.stderr = io.TextIOWrapper(io.BytesIO())
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="replace")


def discard_output() -> None:
    """Point standard output at nothing: Python would flush it once more at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except io.UnsupportedOperation:
        return  # it has no file, so nothing is left to flush
