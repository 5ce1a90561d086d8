"""A command that refuses an option given twice where one value is taken."""

from typing import Any

from typer.core import TyperCommand

from bcompare.basis.errors import InputError


class Command(TyperCommand):
    """A typer command; a second value of an option is an error, not the one that counts."""

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
