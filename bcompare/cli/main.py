"""The `bcompare` command: its subcommands, and how errors end."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from bcompare.cli.check import check
from bcompare.cli.gate import gate
from bcompare.cli.hier import hier
from bcompare.cli.plan import plan
from bcompare.cli.poisson import poisson
from bcompare.cli.rank import rank
from bcompare.cli.sign import sign
from bcompare.cli.signals import ended_once
from bcompare.cli.signrank import signrank
from bcompare.cli.streams import discard_output, prepare_streams
from bcompare.cli.ttest import ttest
from bcompare.errors import BcompareError, InputError
from bcompare.version import __version__
from bcompare.wording import in_shell


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bcompare {__version__}")
        raise typer.Exit


def _bcompare(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Tell whether one classifier is practically better than another, or the two equivalent.

    Reads CSV files of cross-validation results (columns dataset, run, fold, classifier, score)
    and answers with three probabilities: left better, equivalent, right better.
    """


COMMANDS = {
    command.__name__: command
    for command in (check, ttest, hier, signrank, sign, poisson, rank, gate, plan)
}


def build_app(arguments: Sequence[str]) -> typer.Typer:
    """Make the application for these arguments.

    Only the command that they name gets its options; of the others a name and a line of help
    are needed, and making all their options would double the time that help takes.
    """
    app = typer.Typer(
        name="bcompare",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog="Start with:  bcompare check results.csv  and then  bcompare ttest results.csv",
        callback=_bcompare,
    )
    for name, command in COMMANDS.items():
        app.command(name, help=command.__doc__)(command if name in arguments else _unasked)
    return app


def _unasked() -> None:
    """Stand in for a command that the arguments do not name."""


def program() -> None:
    """Run the command line as a program of its own, which signals may end."""
    with ended_once():
        main()


def main() -> None:
    """Run the command line; every error becomes a message and an exit code."""
    prepare_streams()
    in_shell.set(True)
    try:
        _run()
    except BcompareError as error:
        _fail(error)
    except BrokenPipeError:
        # The reader of our output has left (`| head`): not our business.
        discard_output()
    except OSError as error:
        discard_output()
        _fail(InputError(f"the results could not be written: {error.strerror or error}"))


def _run() -> None:
    """Run a command until its output is written; a closed pipe is always a BrokenPipeError."""
    try:
        build_app(sys.argv[1:])(prog_name="bcompare")
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # typer makes it exit code 1
            raise end.__context__ from None
        sys.stdout.flush()
        raise


def _fail(error: BcompareError) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True, soft_wrap=True, highlight=False)
    for problem in error.problems if isinstance(error, InputError) else [str(error)]:
        console.print(Text.assemble(("error: ", "bold red"), problem))
    sys.exit(error.exit_code)
