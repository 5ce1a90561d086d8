"""The `bcompare` command, its subcommands, and its handling of errors."""

import gc
import inspect
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module
from types import FrameType
from typing import Annotated, Any

import typer

from bcompare.basis.messages import BcompareError, InputError, as_options
from bcompare.cli.command import JUDGING, Command, Group, hide_rare
from bcompare.cli.streams import discard_output, prepare_streams
from bcompare.methods import METHODS
from bcompare.version import RELEASE, __version__

# A shell's exit code for a program that a signal ended: this plus the signal's number.
ENDED_BY = 128

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows lacks the last


@contextmanager
def ended_once() -> Iterator[None]:
    """End the program on the first of these signals, as `sys.exit` does.

    Child processes end and temporary folders are removed. Further signals, as from repeated
    Ctrl-C, are ignored meanwhile, and so are those that arrive while Python shuts down.
    """
    signals = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    # what is ignored, as under nohup, stays so
    ours = [number for number in signals if signal.getsignal(number) is not signal.SIG_IGN]

    def handle(answer: signal.Handlers | Callable[[int, FrameType | None], None]) -> None:
        for number in ours:
            signal.signal(number, answer)

    def end(number: int, _: FrameType | None) -> None:
        handle(signal.SIG_IGN)
        sys.exit(ENDED_BY + number)

    handle(end)
    try:
        yield
    finally:
        handle(signal.SIG_IGN)


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
    """Tell whether one classifier is practically better than another, or the two are equivalent.

    Reads CSV files of cross-validation results (columns dataset, run, fold, classifier, score), or
    models' answers to test items, such as the logs of evaluators. Answers with three probabilities:
    left better, equivalent, right better.
    """


def panels() -> dict[str, dict[str, str]]:
    """Return the commands by panel, each with its line of help.

    Each is a function of its name, in the module that `HOMES` says, or of a registered test.
    """
    return {
        "Compare": {
            "check": "Show what is in the files, and which tests can run.",
            **{name: test.summary for name, test in METHODS.items()},
            "rank": "Say which classifier to take, and what another costs.",
        },
        "Decide and share": {
            "gate": "Judge a candidate against a baseline, for CI.",
            "gate-anytime": "Judge a candidate on items in random order, at any time.",
            "self-check": "Judge a baseline against itself: a gate's false alarms.",
            "plan": "Simulate what more data sets, runs or items would settle.",
            "plan-gate": "Simulate a gate with other numbers of runs, seeds or items.",
            "power": "Simulate verdicts under assumed values, without results.",
            "report": "Write one HTML page with everything, to share.",
        },
        "Help": {
            "explain": "Explain a topic, column or warning, or list the topics.",
            "cite": "Print BibTeX for this version and its tests' papers.",
            "schema": "Print the JSON Schema of what --format json prints.",
        },
    }


# The modules of the commands.
HOMES = {
    "check": "bcompare.cli.check",
    "rank": "bcompare.ranking.command",
    **dict.fromkeys(("gate", "gate-anytime", "self-check", "plan-gate"), "bcompare.gating.command"),
    **dict.fromkeys(("plan", "power"), "bcompare.planning.command"),
    "report": "bcompare.pages.command",
    **dict.fromkeys(("explain", "cite", "schema"), "bcompare.cli.explain"),
}


class Commands(Mapping[str, Callable[..., None]]):
    """The commands by name, each loaded on demand."""

    def __getitem__(self, name: str) -> Callable[..., None]:
        """Return the command of that name."""
        if name in METHODS:
            from bcompare.cli.compare import command_of

            return command_of(name)
        command: Callable[..., None] = getattr(import_module(HOMES[name]), name.replace("-", "_"))
        return command

    def __iter__(self) -> Iterator[str]:
        return (name for names in panels().values() for name in names)

    def __len__(self) -> int:
        return sum(map(len, panels().values()))


COMMANDS = Commands()


def build_app(arguments: Sequence[str]) -> typer.Typer:
    """Build the application for these arguments.

    Only the command in the arguments gets its options; for the others a name and a line of help
    suffice, and building all options would double the time that help takes.
    """
    app = typer.Typer(
        name="bcompare",
        no_args_is_help=True,
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
    for panel, names in panels().items():
        for name, about in names.items():
            command = COMMANDS[name] if name in arguments else _unasked
            words = about if command is _unasked else command.__doc__
            app.command(name, cls=Command, help=_unbroken(words), rich_help_panel=panel)(command)
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
    # a shell that completes a line tells it in the environment
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    completes = bool(line) and not arguments
    app = build_app(arguments or line.split()[1:])
    command_line: Any = typer.main.get_command(app)
    judges = next((word for word in arguments if not word.startswith("-")), "") in JUDGING
    with _judging(arguments) if judges else nullcontext():
        if not completes:
            _check_words(arguments)
        shown = arguments if completes else hide_rare(command_line, arguments)
        command_line(shown, prog_name="bcompare")


def _check_words(arguments: Sequence[str]) -> None:
    """Refuse a command that still holds a word in capitals.

    Raises
    ------
    InputError : it does.
    """
    from bcompare.basis.words import WORDS, words_left

    left = words_left(arguments)
    if left:
        raise InputError([f"{word}: still to be said: {WORDS[word]}" for word in left])


def _judging(arguments: Sequence[str]) -> AbstractContextManager[None]:
    from bcompare.gating.delivery import verdict_or_error

    return verdict_or_error(arguments)


def _fail(error: BcompareError) -> None:
    from rich.console import Console
    from rich.text import Text

    from bcompare.basis.messages import printable

    console = Console(stderr=True, soft_wrap=True, highlight=False)
    for message in error.messages:
        words = printable(as_options(message))
        console.print(Text.assemble(("error: ", "bold red"), words))
    for line in error.advice:
        console.print(Text(printable(as_options(line))))
    sys.exit(error.exit_code)
