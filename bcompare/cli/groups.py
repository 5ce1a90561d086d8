"""Options and option groups: dataclasses whose fields are typer parameters.

`@grouped` turns a command with such groups into one with a flat list of options, and passes the
filled groups to it.
"""

import inspect
import os
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import partial, wraps
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import typer
from typer.models import OptionInfo

from bcompare.basis.messages import InputError, Record

# The files of defaults, and the table of the second one that is ours.
FILE, PROJECT, TABLE = "bcompare.toml", "pyproject.toml", "bcompare"
# The value of --config that reads no file.
NO_FILE = "none"
CONFIGURED = "configured"
# The option to which the configuration adds.
COLUMNS = "col"

# Where the context of a command keeps its configured defaults.
DEFAULTS = "bcompare.defaults"


def option(
    help: str,
    metavar: str | None = None,
    *,
    panel: str = "Comparison",
    names: tuple[str, ...] = (),
    min: int | None = None,
    completion: Callable[..., list[str]] | None = None,
) -> object:
    """Return a typer option in a panel of the help page.

    names : by default the parameter's, as a long option. completion : for the shell.
    """
    return typer.Option(
        *names,
        help=help,
        rich_help_panel=panel,
        metavar=metavar,
        min=min,
        autocompletion=completion,
    )


output_option = partial(option, panel="Output")
computing_option = partial(option, panel="Computing many pairs")

Config = Annotated[
    str | None,
    option(
        "File of defaults, or none. Default: bcompare.toml or pyproject.toml.",
        "FILE",
        panel="Options",
    ),
]


def classifier_option(help: str, panel: str = "Comparison") -> object:
    """Return an option that names a classifier."""
    return option(help, "NAME", panel=panel)


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Flatten the parameters of a command that are option groups into their fields.

    A parameter `configured` receives the defaults from a file that this run uses.
    """
    signature = inspect.signature(command)
    hints = get_type_hints(command, include_extras=True)
    groups: Record = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    flat = [keyword("context", typer.Context)]
    for name, parameter in signature.parameters.items():
        if name in groups:
            types = get_type_hints(groups[name], include_extras=True)
            flat += [
                keyword(field.name, types[field.name], field.default)
                for field in fields(groups[name])
            ]
        elif name != CONFIGURED:
            flat.append(keyword(name, hints[name], parameter.default))
    flat.append(keyword("config", Config, None))

    @wraps(command)
    def wrapper(context: typer.Context, **values: object) -> None:
        filled = {}
        for name, group in groups.items():
            of_group = {field.name: values[field.name] for field in fields(group)}
            filled[name] = group(**of_group)
        chosen = {name: values[name] for name in hints.keys() & values.keys() - groups.keys()}
        if CONFIGURED in signature.parameters:
            chosen[CONFIGURED] = configured(context)
        command(**filled, **chosen)

    for parameter in flat:
        for info in getattr(parameter.annotation, "__metadata__", ()):
            if isinstance(info, OptionInfo) and not info.param_decls:
                info.param_decls = (f"--{parameter.name.replace('_', '-')}",)  # no --no-… of flags
    flattened: Any = wrapper
    flattened.__signature__ = signature.replace(parameters=flat)
    flattened.__annotations__ = {parameter.name: parameter.annotation for parameter in flat}
    return wrapper


def configured(context: typer.Context) -> Record:
    """Return the `Default` of each parameter that neither the command line nor the code sets."""
    found: Record = context.meta.get(DEFAULTS, {})
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {
        name: default
        for name, default in found.items()
        if (source := sources.get(name)) is None
        or source.name == "DEFAULT_MAP"
        or (name == COLUMNS and default.value)
    }


def file_of_defaults(chosen: str | None) -> Path | None:
    """Return the chosen file of defaults, or the nearest one upwards; None if there is none.

    chosen : the value of ``--config``.

    Raises
    ------
    InputError : a chosen file that is missing.
    """
    if chosen == NO_FILE:
        return None
    if chosen is not None:
        if not Path(chosen).exists():
            raise InputError(
                f"--config {chosen}: there is no such file; --config {NO_FILE} reads no file"
            )
        return Path(chosen)
    here = Path.cwd()
    for folder in (here, *here.parents):
        file = Path(os.path.relpath(folder / FILE))
        project = Path(os.path.relpath(folder / PROJECT))
        if file.exists() or file.is_symlink():
            return file
        if project.is_file() and f"tool.{TABLE}" in project.read_text("utf-8", errors="replace"):
            return project
    return None


def without_none(kind: object) -> object:
    """Return a type without None."""
    return get_args(kind)[0] if get_origin(kind) in (Union, UnionType) else kind


def keyword(
    name: str, annotation: object, default: object = inspect.Parameter.empty
) -> inspect.Parameter:
    """Return a parameter of a command; of a field without a default it is required."""
    default = inspect.Parameter.empty if default is MISSING else default
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )
