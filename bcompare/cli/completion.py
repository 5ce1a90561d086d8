"""`bcompare completion`, and the completion of names in a file on the command line.

Nothing heavy is imported, and only the beginning of a file is read, so that completion feels
instant.
"""

import csv
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

import typer

from bcompare.reading.options import ROLES

VARIABLE = "_BCOMPARE_COMPLETE"
# How to install completion permanently, as comments above the script.
INSTALLATION = {
    "bash": ("# add to ~/.bashrc:", '#   eval "$(bcompare completion bash)"'),
    "zsh": ("# add to ~/.zshrc, after compinit:", '#   eval "$(bcompare completion zsh)"'),
    "fish": ("# once:", "#   bcompare completion fish > ~/.config/fish/completions/bcompare.fish"),
}
# The number of rows from which names are offered.
MOST_ROWS = 20_000
_PLAIN = re.compile(r"[\w.,:@%+=/-]+\Z")
TEXT = (".csv", ".tsv", ".txt")


def completion(
    shell: Annotated[
        Literal["bash", "zsh", "fish"],
        typer.Argument(help="The shell to write it for.", metavar="SHELL"),
    ],
) -> None:
    """Print a script that makes a shell complete commands, options and the names in a file.

    Also the classifiers and data sets of the file on the line: bash, zsh or fish.
    """
    make = import_module("typer.completion").get_completion_script
    script = make(prog_name="bcompare", complete_var=VARIABLE, shell=shell)
    sys.stdout.write("\n".join([*INSTALLATION[shell], "", str(script)]) + "\n")


def words_so_far() -> list[str] | None:
    """Return the words of the command line to complete; None if no shell asks."""
    if VARIABLE not in os.environ:
        return None
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    # Bash takes LABEL=FILE apart.
    return re.sub(r"\s=\s", "=", line).split()[1:]


def complete(app: typer.Typer) -> None:
    """Answer the shell."""
    import_module("typer.completion").completion_init()
    app(prog_name="bcompare", complete_var=VARIABLE)
    sys.exit(0)


def names_in(role: str) -> Callable[[typer.Context, str], list[str]]:
    """Return a completion of the names in a column of the files on the command line."""

    def offered(context: typer.Context, incomplete: str) -> list[str]:
        named = dict(text.partition("=")[::2] for text in context.params.get("col") or ())
        column = named.get(role, role)
        names = {label for label, _ in _files() if label and role == "classifier"}
        for _, path in _files():
            rows = _rows(path)
            header = next(rows, [])
            if column in header:
                at = header.index(column)
                names |= {row[at].strip() for row in rows if len(row) > at}
        return _fitting(names, incomplete)

    return offered


def columns(incomplete: str) -> list[str]:
    """Complete a column of the files on the command line."""
    return _fitting({name for _, path in _files() for name in next(_rows(path), [])}, incomplete)


def columns_by_role(incomplete: str) -> list[str]:
    """Complete ROLE=COLUMN: roles first, then columns."""
    role, equals, column = incomplete.partition("=")
    if not equals:
        return _fitting((f"{role}=" for role in ROLES), incomplete)
    return [f"{role}={name}" for name in columns(column)]


def explained_topics(incomplete: str) -> list[str]:
    """Complete the topics of `bcompare explain`, and the codes of notes."""
    from bcompare.explain import sections, topics

    return _fitting({*topics(), *sections("notes"), *sections("tests")}, incomplete)


def pictures(incomplete: str) -> list[str]:
    """Complete the name of a picture."""
    from bcompare.explain import picture_names

    return _fitting((f"{name}=" for name in picture_names()), incomplete)


def _fitting(names: Iterable[str], incomplete: str) -> list[str]:
    """Return the names with this beginning, without those that a shell would split or act on."""
    return sorted(name for name in names if name.startswith(incomplete) and _PLAIN.match(name))


def _files() -> list[tuple[str, Path]]:
    """Return labels and text files on the command line; `results.csv` if there are none."""
    words = [word for word in words_so_far() or () if word.casefold().endswith(TEXT)]
    named = [("", word) if Path(word).exists() else word.partition("=")[::2] for word in words]
    paths = [(label, Path(path)) for label, path in named or [("", "results.csv")]]
    return [(label, path) for label, path in paths if path.is_file()]


def _rows(path: Path) -> Iterator[list[str]]:
    """Yield the header and the first rows of a file; nothing if it cannot be read."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            header = lines.readline()
            separator = max(",;\t", key=header.count)
            names = next(csv.reader([header], delimiter=separator), [])
            yield [name.strip() for name in names]
            yield from islice(csv.reader(lines, delimiter=separator), MOST_ROWS)
    except (OSError, UnicodeDecodeError, csv.Error):
        return
