"""Runs the command line inside this process: fast, and exactly what `bcompare` does."""

import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bcompare.cli.main import main


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str


def run(*arguments: str | Path, folder: Path | None = None, stdin: str | bytes = b"") -> Outcome:
    """Run `bcompare` with these arguments, in this folder, with output piped."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", newline=""), io.StringIO()
    given = stdin.encode() if isinstance(stdin, str) else stdin
    before = Path.cwd()
    os.chdir(folder or before)
    try:
        with (
            patch.object(sys, "argv", ["bcompare", *map(str, arguments)]),
            patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")),
            patch.dict(os.environ, {"TERMINAL_WIDTH": "100"}),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            try:
                copy_context().run(main)  # what it says of itself ends with it
                code = 0
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 1 if end.code else 0
    finally:
        os.chdir(before)
    out.flush()
    binary: Any = out.buffer
    return Outcome(code, binary.getvalue().decode("utf-8", "replace"), err.getvalue())


def refused(outcome: Outcome) -> str:
    """Check that a command was refused; return what it says on standard error."""
    assert outcome.code == 2
    return outcome.err


def git(folder: Path, *words: str) -> None:
    """Run git as somebody, in this folder."""
    command = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *words]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
