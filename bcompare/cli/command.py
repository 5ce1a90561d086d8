"""Typer classes that refuse an option given twice, and help that shows the usual options only."""

import inspect
import json
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from bcompare.basis.messages import InputError, printable_json
from bcompare.cli.groups import COLUMNS, DEFAULTS, configured, file_of_defaults

if TYPE_CHECKING:
    from bcompare.columns.question import AskedError, Call

HELP_ALL = "--help-all"

# Whose verdicts are read by programs, and say themselves what a file sets.
JUDGING = ("gate", "gate-anytime", "self-check")

# The options that `--help` shows: what people use in their first hour; `--help-all` shows all.
ALWAYS = {"--help", "--version", "--install-completion", "--config"}
OF_TESTS = (
    "--left --right --classifier --dataset --rope --over --population --col --lower-is-better "
    "--output --plot --details"
)
OF_GATES = (
    "--baseline --candidate --metric --rope --alpha --col --lower-is-better --format --output"
)
COMMON = {
    "check": "--dataset --classifier --col --preset --rho --lower-is-better --missing --format "
    "--output --scores",
    "rank": "--classifier --dataset --rope --prefer --col --preset --lower-is-better --format "
    "--output --plot --details",
    "gate": f"{OF_GATES} --fail-if --bar --over",
    "gate-anytime": f"{OF_GATES} --fail-if --budget --history",
    "self-check": f"{OF_GATES} --over",
    "plan": "--baseline --candidate --test --rope --alpha --dataset --col --lower-is-better "
    "--format --output --plot",
    "plan-gate": f"{OF_GATES} --fail-if --worse",
    "power": "--effect --sd --noise --datasets --items --runs --test --rope --alpha --output",
    "report": "--left --right --classifier --dataset --test --rope --col --lower-is-better "
    "--output",
    "explain": "--format",
    "cite": "--format",
}

# What other commands call the two sides of a comparison.
SAME = {
    "--baseline": "--left",
    "--candidate": "--right",
    "--left": "--baseline",
    "--right": "--candidate",
}

# What people may look for, and the options whose values say it.
VALUES = {
    "--each": "--over each",
    "--percent": "--scale percent",
    "--print": "--plot FILE:column",
    "--sensitivity": "--also sensitivity",
    "--sheet": "FILE.xlsx#SHEET",
    "--undecided": "--fail-if undecided",
}

# Where the context of a command keeps the value of each option that was given.
GIVEN = "bcompare.given"
# Where it keeps the arguments of the command as they were written.
ARGUMENTS = "bcompare.arguments"


def _without_type(option: Any) -> object:
    """Return a flag without a metavar."""
    if option is not None:
        option.metavar = ""
    return option


class Group(TyperGroup):
    """The group of all commands."""

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option of help."""
        return _without_type(super().get_help_option(ctx))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the arguments name.

        Raises
        ------
        InputError : they name a file first.
        """
        is_known = not args or ctx.resilient_parsing or self.get_command(ctx, args[0]) is not None
        if not is_known and Path(args[0]).is_file():
            file = shlex.quote(args[0])
            raise InputError(f"no command before the file {args[0]}: say bcompare check {file}")
        return super().resolve_command(ctx, args)


class Command(TyperCommand):
    """A typer command with configured defaults that refuses a second value of an option."""

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option of help."""
        return _without_type(super().get_help_option(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments, with the defaults of the configuration.

        Raises
        ------
        InputError : an option that takes one value is given several, or a wrong configuration.
        """
        ctx.meta[ARGUMENTS] = list(args)
        if not ctx.resilient_parsing:
            try:
                values, _, given = self.make_parser(ctx).parse_args(args=list(args))
            except Exception as error:
                if hasattr(error, "possibilities"):  # typer does not export its NoSuchOption
                    self._point_elsewhere(ctx, error)
                raise
            several = [
                max(parameter.opts, key=len)
                for parameter in dict.fromkeys(given)
                if given.count(parameter) > 1 and _takes_one(parameter)
            ]
            if several:
                raise InputError([f"{option} is given twice: give it once" for option in several])
            ctx.meta[GIVEN] = {max(p.opts, key=len): values[p.name] for p in given}
            has_file = any(parameter.name == "config" for parameter in self.params)
            if has_file and (path := file_of_defaults(values.get("config"))) is not None:
                from bcompare.cli.defaults import added, find_defaults

                several = [p.name for p in self.params if getattr(p, "multiple", False)]
                defaults = find_defaults(path, self.name or "", several, ctx.obj)
                # columns that the command line does not name
                args = [*added(COLUMNS, values.get(COLUMNS) or (), defaults), *args]
                ctx.meta[DEFAULTS] = defaults
                ctx.default_map = {name: default.value for name, default in defaults.items()}
        try:
            rest: list[str] = super().parse_args(ctx, args)
        except typer.BadParameter as error:
            message = error.message.removeprefix("Value error, ")
            default = ctx.meta.get(DEFAULTS, {}).get(error.param and error.param.name)
            of_file = default is not None and str(default.value) in message
            error.message = f"{message} (set by {default.source})" if of_file else message
            raise
        return rest

    def invoke(self, ctx: Any) -> object:
        """Run the command.

        Raises
        ------
        InputError : as the command does; it names the source of a configured option.
        """
        defaults = configured(ctx)
        if defaults and self.name not in JUDGING and not ctx.params.get("quiet"):
            from bcompare.cli.defaults import configured_note
            from bcompare.cli.writing import print_notes

            print_notes((configured_note(defaults),))
        try:
            return super().invoke(ctx)
        except InputError as error:
            from bcompare.columns.question import AskedError

            problems = list(error.messages)
            if defaults:
                from bcompare.cli.defaults import with_source

                problems = [with_source(problem, defaults) for problem in problems]
            if isinstance(error, AskedError):
                asked = AskedError(problems, error.question, self._call(ctx, error.call))
                self._write_asked(ctx, asked)
                raise asked from error
            raise InputError(problems, error.advice) from error

    def _call(self, ctx: Any, call: "Call") -> "Call":
        """Return how the user called this command, to be completed."""
        from bcompare.columns.question import shell_of

        has_rope = any(parameter.name == "rope" for parameter in self.params)
        said = {*ctx.meta[GIVEN], *(f"--{name}" for name in configured(ctx))}
        shell = shell_of([self.name or "", *ctx.meta[ARGUMENTS]])
        return replace(call, shell=shell, takes_rope=has_rope and "--rope" not in said)

    def _write_asked(self, ctx: Any, asked: "AskedError") -> None:
        """Write what is asked as JSON, if that was requested; gates write all errors themselves."""
        if self.name in JUDGING or ctx.meta[GIVEN].get("--format") != "json":
            return
        from bcompare.report.asked import asked_document

        typer.echo(printable_json(json.dumps(asked_document(asked), ensure_ascii=False)))

    def _point_elsewhere(self, ctx: typer.Context, error: Any) -> None:
        """Add to the error the option of this command that does the same, or who has it."""
        value = VALUES.get(error.option_name)
        if value is not None:
            error.possibilities = [value]
            return
        same = SAME.get(error.option_name)
        if any(same in parameter.opts for parameter in self.params):
            error.possibilities = [same]
            return
        word = error.option_name.removeprefix("--")
        names = [name for name in (word, f"{ctx.info_name}-{word}") if name in ctx.obj]
        if names:
            error.message += f"; {names[0]} is a command of its own"
            error.possibilities = None
            return
        name = word.replace("-", "_")
        having = [
            other
            for other, command in ctx.obj.items()
            if name in inspect.signature(command).parameters
        ]
        if having:
            verb = "has" if len(having) == 1 else "have"
            error.message += f"; {', '.join(having)} {verb} it"
            error.possibilities = None


def _takes_one(parameter: Any) -> bool:
    return (
        parameter.param_type_name == "option" and not parameter.multiple and not parameter.is_flag
    )


def hide_rare(command: object, arguments: Sequence[str]) -> list[str]:
    """Hide rare options unless all are requested; return the arguments without that request."""
    asked = HELP_ALL in arguments
    for inner in [command, *getattr(command, "commands", {}).values()]:
        options = [p for p in inner.params if p.param_type_name == "option"]
        for flag in (option for option in options if option.is_flag):
            _without_type(flag)
        shown = {*ALWAYS, *COMMON.get(inner.name, OF_TESTS).split()}
        hidden = [option for option in options if not shown & set(option.opts)]
        for parameter in hidden:
            parameter.hidden = not asked
        if hidden and not asked and inner.name != "bcompare":
            inner.epilog = f"{len(hidden)} more options: bcompare {inner.name} {HELP_ALL}"
    return ["--help" if word == HELP_ALL else word for word in arguments]
