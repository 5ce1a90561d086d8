"""`bcompare completion`: commands, options and their values, as a shell completes them.

Nothing heavy is imported and no file is read, so that completion feels instant.
"""

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Annotated, Literal

import typer

VARIABLE = "_BCOMPARE_COMPLETE"
# How to install completion permanently, as comments above the script.
INSTALLATION = {
    "bash": ("# add to ~/.bashrc:", '#   eval "$(bcompare completion bash)"'),
    "zsh": ("# add to ~/.zshrc, after compinit:", '#   eval "$(bcompare completion zsh)"'),
    "fish": ("# once:", "#   bcompare completion fish > ~/.config/fish/completions/bcompare.fish"),
}


def completion(
    shell: Annotated[
        Literal["bash", "zsh", "fish"],
        typer.Argument(help="The shell to write it for.", metavar="SHELL"),
    ],
) -> None:
    """Print a script that makes a shell complete commands, options and their values.

    For bash, zsh or fish.
    """
    make = import_module("typer.completion").get_completion_script
    script = make(prog_name="bcompare", complete_var=VARIABLE, shell=shell)
    sys.stdout.write("\n".join([*INSTALLATION[shell], "", str(script)]) + "\n")


def words_so_far() -> list[str] | None:
    """Return the words of the command line to complete; None if no shell asks."""
    if VARIABLE not in os.environ:
        return None
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    return line.split()[1:]


def complete(app: typer.Typer) -> None:
    """Answer the shell."""
    import_module("typer.completion").completion_init()
    app(prog_name="bcompare", complete_var=VARIABLE)
    sys.exit(0)


def explained_topics(incomplete: str) -> list[str]:
    """Complete the topics of `bcompare explain`, and the codes of notes."""
    from bcompare.explain import sections, topics

    return _fitting({*topics(), *sections("notes"), *sections("tests")}, incomplete)


def pictures(incomplete: str) -> list[str]:
    """Complete the name of a picture."""
    from bcompare.explain import picture_names

    return _fitting((f"{name}=" for name in picture_names()), incomplete)


def _fitting(names: Iterable[str], incomplete: str) -> list[str]:
    """Return the names with this beginning."""
    return sorted(name for name in names if name.startswith(incomplete))
