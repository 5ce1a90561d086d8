"""The `bcompare` command, its subcommands, and its handling of errors."""

import gc
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Annotated, Any

import typer

from bcompare.basis.arguments import as_options
from bcompare.basis.errors import BcompareError, InputError
from bcompare.cli.check import check
from bcompare.cli.cite import cite
from bcompare.cli.command import Command, Group, hide_rare
from bcompare.cli.compare import command_of
from bcompare.cli.completion import complete, completion, words_so_far
from bcompare.cli.explain import explain
from bcompare.cli.gate import gate
from bcompare.cli.gate_anytime import gate_anytime
from bcompare.cli.judging import verdict_or_error
from bcompare.cli.plan import plan, plan_epochs
from bcompare.cli.plan_gate import plan_gate
from bcompare.cli.power import power
from bcompare.cli.rank import rank
from bcompare.cli.report import report
from bcompare.cli.schema import schema
from bcompare.cli.self_check import self_check
from bcompare.cli.signals import ended_once
from bcompare.cli.streams import discard_output, prepare_streams
from bcompare.methods import METHODS
from bcompare.version import RELEASE, __version__

# Starting creates many objects and no garbage; by default Python would search every 700 objects.
SELDOM = 50_000


def _version(requested: bool) -> None:
    if requested:
        released = "" if RELEASE else ", not released yet"
        typer.echo(f"bcompare {__version__}{released}: Bayesian comparison of classifiers")
        raise typer.Exit


def _bcompare(
    version: Annotated[
        bool,
        typer.Option("--version", "-V", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Tell whether one classifier is practically better than another, or the two equivalent.

    Reads CSV files of cross-validation results (columns dataset, run, fold, classifier, score), or
    of models' answers to test items, also as evaluators log them, and answers with three
    probabilities: left better, equivalent, right better.
    """


FIXED: dict[str, Callable[..., None]] = {
    command.__name__.replace("_", "-"): command
    for command in (
        check,
        rank,
        gate,
        gate_anytime,
        self_check,
        plan,
        plan_epochs,
        plan_gate,
        power,
        report,
        explain,
        cite,
        schema,
        completion,
    )
}
PANELS = {
    "Compare": ("check", *METHODS, "rank"),
    "Decide and share": (
        "gate",
        "gate-anytime",
        "self-check",
        "plan",
        "plan-epochs",
        "plan-gate",
        "power",
        "report",
    ),
    "Help": ("explain", "cite", "schema", "completion"),
}


# Whose verdicts are read by programs.
JUDGING = ("gate", "gate-anytime", "self-check")


class Commands(Mapping[str, Callable[..., None]]):
    """The commands by name; the command of a test is built on demand."""

    def __getitem__(self, name: str) -> Callable[..., None]:
        """Return the command of that name."""
        return FIXED[name] if name in FIXED else command_of(name)

    def __contains__(self, name: object) -> bool:
        """Return whether there is a command of that name."""
        return name in FIXED or name in METHODS

    def __iter__(self) -> Iterator[str]:
        return (name for names in PANELS.values() for name in names)

    def __len__(self) -> int:
        return len(FIXED) + len(METHODS)


COMMANDS = Commands()


def build_app(arguments: Sequence[str]) -> typer.Typer:
    """Build the application for these arguments.

    Only the command in the arguments gets its options; for the others a name and a line of help
    suffice, and building all options would double the time that help takes.
    """
    app = typer.Typer(
        name="bcompare",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={
            "help_option_names": ["-h", "--help"],
            "obj": COMMANDS,
        },
        epilog="Start with:  bcompare check results.csv  then  bcompare hier results.csv  for "
        "several data sets, or  bcompare ttest results.csv  for one",
        callback=_bcompare,
        cls=Group,
        help=_unbroken(_bcompare.__doc__),
    )
    for panel, names in PANELS.items():
        for name in names:
            command = COMMANDS[name] if name in arguments or name in FIXED else _unasked
            about = METHODS[name].summary if command is _unasked else command.__doc__
            app.command(name, cls=Command, help=_unbroken(about), rich_help_panel=panel)(
                command if name in arguments else _unasked
            )
    return app


def _unbroken(text: str | None) -> str:
    """Join the lines of paragraphs, which the terminal wraps; keep the lines of lists."""
    paragraphs = inspect.cleandoc(text or "").split("\n\n")
    return "\n\n".join(
        f"\b\n{part}" if re.search(r"^\d", part, re.MULTILINE) else " ".join(part.split())
        for part in paragraphs
    )


def _unasked() -> None:
    """Stand in for a command that the arguments do not name."""


def program() -> None:
    """Run the command line as a program that signals may end."""
    gc.set_threshold(SELDOM)
    with ended_once():
        main()


def main() -> None:
    """Run the command line; every error becomes a message and an exit code."""
    prepare_streams()
    try:
        _run()
    except BcompareError as error:
        _fail(error)
    except BrokenPipeError:
        # The reader of the output has closed the pipe (`| head`), which is no error.
        discard_output()
    except OSError as error:
        discard_output()
        _fail(InputError(f"the results could not be written: {error.strerror or error}"))


def _run() -> None:
    """Run a command until its output is written; a closed pipe changes no exit code."""
    try:
        _run_app(sys.argv[1:])
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # typer makes it exit code 1
            raise end.__context__ from None
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            discard_output()
        raise


def _run_app(arguments: Sequence[str]) -> None:
    words = words_so_far()
    if words is not None:
        complete(build_app(words))
    app = build_app(arguments)
    command_line: Any = typer.main.get_command(app)
    judges = next((word for word in arguments if not word.startswith("-")), "") in JUDGING
    with verdict_or_error(arguments) if judges else nullcontext():
        command_line(hide_rare(command_line, arguments), prog_name="bcompare")


def _fail(error: BcompareError) -> None:
    from rich.console import Console
    from rich.text import Text

    from bcompare.basis.printable import printable

    console = Console(stderr=True, soft_wrap=True, highlight=False)
    for message in error.messages:
        words = printable(as_options(message))
        console.print(Text.assemble(("error: ", "bold red"), words))
    for line in error.advice:
        console.print(Text(printable(as_options(line))))
    sys.exit(error.exit_code)
