"""Typer classes that refuse an option given twice, and that show no type for flags."""

import shlex
from pathlib import Path
from typing import Any

from typer.core import TyperCommand, TyperGroup

from bcompare.basis.errors import InputError


def _without_type(option: Any) -> Any:
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
        known = not args or ctx.resilient_parsing or self.get_command(ctx, args[0]) is not None
        if not known and Path(args[0]).is_file():
            file = shlex.quote(args[0])
            raise InputError(f"no command before the file {args[0]}: say bcompare check {file}")
        return super().resolve_command(ctx, args)


class Command(TyperCommand):
    """A typer command that refuses a second value of an option."""

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option of help."""
        return _without_type(super().get_help_option(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments.

        Raises
        ------
        InputError : an option that takes one value is given several.
        """
        if not ctx.resilient_parsing:
            _, _, given = self.make_parser(ctx).parse_args(args=list(args))
            several = [
                max(parameter.opts, key=len)
                for parameter in dict.fromkeys(given)
                if given.count(parameter) > 1 and _takes_one(parameter)
            ]
            if several:
                raise InputError([f"{option} is given twice: give it once" for option in several])
        rest: list[str] = super().parse_args(ctx, args)
        return rest


def _takes_one(parameter: Any) -> bool:
    return (
        parameter.param_type_name == "option" and not parameter.multiple and not parameter.is_flag
    )
