"""`bcompare --show-config COMMAND`: the value of every option, and where it is set."""

from collections.abc import Sequence
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from bcompare.basis.errors import InputError
from bcompare.cli.defaults import Default


def show_config(
    app: typer.Typer, arguments: Sequence[str], defaults: dict[str, Default], command: str | None
) -> None:
    """Print the options of the command in the arguments, without running it.

    Raises
    ------
    InputError : they name no command.
    """
    if command is None:
        raise InputError("--show-config shows the options of a command: name it, such as hier")
    group: Any = typer.main.get_command(app)
    context = group.make_context("bcompare", list(arguments))
    name, _, rest = group.resolve_command(context, [*context._protected_args, *context.args])
    chosen = group.commands[name]
    inner = chosen.make_context(name, rest, parent=context)
    table = Table("option", "value", "from", box=None, pad_edge=False)
    for parameter in chosen.params:
        if parameter.name not in inner.params:
            continue
        value = inner.params[parameter.name]
        source = inner.get_parameter_source(parameter.name).name
        origin = {"COMMANDLINE": "command line", "DEFAULT": ""}.get(source)
        if origin is None:
            origin = defaults[parameter.name].source
        values = value if isinstance(value, list | tuple) else [value]
        words = ", ".join(str(one) for one in values if one is not None)
        table.add_row(max(parameter.opts, key=len), words, origin)
    for name in defaults.keys() - inner.params.keys():  # keys without an option
        table.add_row(name, str(defaults[name].value), defaults[name].source)
    Console(highlight=False).print(table)
