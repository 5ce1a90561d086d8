"""A command for each registered test: its options are those of the test's class."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from bcompare.basis.errors import InputError
from bcompare.cli.groups import grouped, option
from bcompare.cli.input import Input
from bcompare.cli.options import Choice, Computing
from bcompare.cli.output import Detailed
from bcompare.cli.population import Beside, Others, sensitivity_option
from bcompare.methods import METHODS, load_method


@cache
def command_of(name: str) -> Callable[..., None]:
    """Return the command of a registered test."""
    method = load_method(name)
    further = Beside if hasattr(method, "draw_theta") else Others
    groups = {"results": Input, "choice": Choice, "output": Detailed, "computing": Computing,
              **({"beside": further} if method.over_datasets else {})}  # fmt: skip
    parameters = [
        *(inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, annotation=kind)
          for key, kind in groups.items()),
        *map(_parameter, _options(method)),
        *([sensitivity_option(method.varied)] if method.varied else []),
    ]  # fmt: skip
    defaults = {parameter.name: parameter.default for parameter in parameters}

    def run(
        results: Input,
        choice: Choice,
        output: Detailed,
        computing: Computing,
        beside: Others | None = None,
        **values: Any,
    ) -> None:
        from bcompare.cli.run import run_test

        beside = beside or Others()
        given = {key: value for key, value in values.items() if value != defaults[key]}
        seed = {"seed": beside.seed} if beside.seed else {}
        made = method.configured(**_arguments(method, {**given, **seed}))
        shows = bool(values.get("sensitivity"))
        run_test(made, results, choice, output, computing, beside, sensitivity=shows)

    run.__name__ = name
    run.__doc__ = f"{METHODS[name].summary}\n\n{method.about}"
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(run)["__signature__"] = inspect.Signature(parameters)
    return grouped(run)


def _options(kind: type) -> Iterator[tuple[Field[Any], Any]]:
    """The fields that are options, with their types; those of an inner dataclass among them."""
    hints = get_type_hints(kind)
    for own in fields(kind):
        if own.metadata:
            yield own, hints[own.name]
        elif is_dataclass(hints[own.name]):
            yield from _options(hints[own.name])


def _parameter(field_and_type: tuple[Field[Any], Any]) -> inspect.Parameter:
    """An option of the command."""
    own, kind = field_and_type
    about, default, words = own.metadata, own.default, own.metadata["help"]
    if isinstance(default, tuple):
        words += f" Default: {', '.join(f'{value:g}' for value in default)}."
        default = None
    kind = Literal[about["choices"]] if about["choices"] else _on_the_line(kind)
    return inspect.Parameter(
        about["name"] or own.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[
            kind if default is not None else kind | None,
            option(words, about["panel"], about["metavar"]),
        ],
    )


def _on_the_line(kind: Any) -> Any:
    """The type of an option: two numbers are one text, any number of them a list."""
    if get_origin(kind) in (Union, UnionType):  # with None
        kind = get_args(kind)[0]
    if get_origin(kind) is not tuple:
        return kind
    return list[float] if get_args(kind)[-1] is Ellipsis else str


def _arguments(kind: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a class that the options give."""
    found: dict[str, Any] = {}
    hints = get_type_hints(kind)
    for own in fields(kind):
        name = own.metadata.get("name") or own.name
        if is_dataclass(hints[own.name]):
            inner = _arguments(hints[own.name], given)
            if inner:
                found[own.name] = hints[own.name](**inner)
        elif name in given:
            found[own.name] = _value(name, given[name], own.default)
    return found


def _value(name: str, value: Any, default: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    if not isinstance(value, str) or isinstance(default, str):
        return value
    try:
        low, high = (float(part) for part in value.split(","))
    except ValueError:
        dashed = name.replace("_", "-")
        raise InputError(f"--{dashed} {value}: give two numbers, such as 1,2") from None
    return low, high
