"""What Tab offers: options by the shell's own rules, and the names that a file on the line has.

Nothing heavy is imported, and only the beginning of a file is read: an answer must be there before
the finger leaves the key.
"""

import csv
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path

import typer

VARIABLE = "_BCOMPARE_COMPLETE"
SHELLS = ("bash", "zsh", "fish")
# Rows of a file whose names are offered.
MOST_ROWS = 20_000
_PLAIN = re.compile(r"[\w.,:@%+=/-]+\Z")
TEXT = (".csv", ".tsv", ".txt")


def script(shell: str) -> str:
    """Return what a shell must read to complete bcompare's commands."""
    make = import_module("typer.completion").get_completion_script
    return str(make(prog_name="bcompare", complete_var=VARIABLE, shell=shell))


def words_so_far() -> list[str] | None:
    """Return the words of the line that a shell wants completed; None if none does."""
    if VARIABLE not in os.environ:
        return None
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    return line.split()[1:]


def complete(app: typer.Typer) -> None:
    """Answer the shell."""
    import_module("typer.completion").completion_init()
    app(prog_name="bcompare", complete_var=VARIABLE)
    sys.exit(0)


def names_in(role: str) -> Callable[[typer.Context, str], list[str]]:
    """A completion of the names that a column of the files on the line has."""

    def offered(context: typer.Context, incomplete: str) -> list[str]:
        column = context.params.get(f"{role}_col") or role
        found = {name for path in _files() for name in _names(path, column)}
        # A shell would split or act on anything else.
        return sorted(name for name in found if name.startswith(incomplete) and _PLAIN.match(name))

    return offered


def _files() -> list[Path]:
    """The files of text on the line; `results.csv` where there is none, as for every command."""
    words = [word for word in words_so_far() or () if word.casefold().endswith(TEXT)]
    paths = [Path(word if Path(word).exists() else word.partition("=")[2]) for word in words]
    return [path for path in paths or [Path("results.csv")] if path.is_file()]


def _names(path: Path, column: str) -> Iterator[str]:
    """The names in one file; none where it lacks the column."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            header = lines.readline()
            separator = max(",;\t", key=header.count)
            columns = next(csv.reader([header], delimiter=separator), [])
            at = next((i for i, name in enumerate(columns) if name.strip() == column), None)
            if at is None:
                return
            for row in islice(csv.reader(lines, delimiter=separator), MOST_ROWS):
                if len(row) > at:
                    yield row[at].strip()
    except (OSError, UnicodeDecodeError, csv.Error):
        return


def installed(shell: str) -> Sequence[str]:
    """Return the lines that tell how to switch completion on for good."""
    return {
        "bash": ("# add to ~/.bashrc:", '#   eval "$(bcompare completion bash)"'),
        "zsh": ("# add to ~/.zshrc, after compinit:", '#   eval "$(bcompare completion zsh)"'),
        "fish": (
            "# once:",
            "#   bcompare completion fish > ~/.config/fish/completions/bcompare.fish",
        ),
    }[shell]
