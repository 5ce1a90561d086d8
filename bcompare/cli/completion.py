"""`bcompare completion`."""

import sys
from typing import Annotated, Literal

import typer

from bcompare.cli.completing import installed, script


def completion(
    shell: Annotated[
        Literal["bash", "zsh", "fish"],
        typer.Argument(help="The shell to write it for.", metavar="SHELL"),
    ],
) -> None:
    """Print a script that makes a shell complete commands, options and the names in a file.

    Also the classifiers and data sets of the file on the line: bash, zsh or fish.
    """
    sys.stdout.write("\n".join([*installed(shell), "", script(shell)]) + "\n")
