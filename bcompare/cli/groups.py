"""Options, and groups of them: a dataclass whose fields are typer parameters.

`@grouped` gives a command that takes such groups one flat list of options, and hands it the filled
groups.
"""

import functools
import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

import typer
from typer.models import OptionInfo

from bcompare.cli.completing import names_in

COMPARISON, OUTPUT, COMPUTING = "Comparison", "Output", "Computing many pairs"


def option(
    help: str,
    panel: str,
    metavar: str | None = None,
    *,
    names: tuple[str, ...] = (),
    min: int | None = None,
    names_of: str | None = None,
    completion: Callable[..., list[str]] | None = None,
) -> Any:
    """A typer option in a named panel of the help page.

    names : by default the parameter's, as a long option.
    names_of : "classifier" or "dataset": a shell offers those of the file on the line.
    completion : what else a shell offers.
    """
    return typer.Option(
        *names,
        help=help,
        rich_help_panel=panel,
        metavar=metavar,
        min=min,
        autocompletion=completion if names_of is None else names_in(names_of),
    )


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Flatten the parameters of a command that are option groups into their fields."""
    signature = inspect.signature(command)
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    flat: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        if name in groups:
            types = get_type_hints(groups[name], include_extras=True)
            flat += [
                inspect.Parameter(
                    field.name,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=field.default,
                    annotation=types[field.name],
                )
                for field in fields(groups[name])
            ]
        else:
            flat.append(
                parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name])
            )

    @functools.wraps(command)
    def wrapper(**values: Any) -> None:
        filled = {
            name: group(**{field.name: values.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        command(**filled, **values)

    for parameter in flat:
        for info in getattr(parameter.annotation, "__metadata__", ()):
            if isinstance(info, OptionInfo) and not info.param_decls:
                info.param_decls = (f"--{parameter.name.replace('_', '-')}",)  # no --no-… of flags
    flattened: Any = wrapper
    flattened.__signature__ = signature.replace(parameters=flat)
    flattened.__annotations__ = {parameter.name: parameter.annotation for parameter in flat}
    return wrapper
