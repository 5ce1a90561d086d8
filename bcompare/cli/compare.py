"""A command for each registered test: its options are those of the test's class."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from bcompare.cli.groups import COMPARISON, grouped, option
from bcompare.cli.input import Input
from bcompare.cli.options import Computing, RopesChoice
from bcompare.cli.output import Listed
from bcompare.cli.population import Others, sensitivity_option
from bcompare.cli.prior import parse_prior
from bcompare.methods import METHODS, load_method

if TYPE_CHECKING:
    from bcompare.methods.base import Method

PRIOR = "prior"


@cache
def command_of(name: str) -> Callable[..., None]:
    """Return the command of a registered test."""
    method = load_method(name)
    own = list(_fields(method))
    terms = {field.metadata[PRIOR]: field for field, _ in own if PRIOR in field.metadata}
    kinds = {field.metadata[PRIOR]: kind for field, kind in own if PRIOR in field.metadata}
    tuning = {_name(field): kind for field, kind in own if not {PRIOR, "help"} & {*field.metadata}}
    groups = {"results": Input, "choice": RopesChoice, "output": Listed, "computing": Computing,
              **({"beside": Others} if method.over_datasets else {})}  # fmt: skip
    parameters = [
        *(_keyword(key, kind) for key, kind in groups.items()),
        *(_parameter(field, kind) for field, kind in own if "help" in field.metadata),
        *([_prior_parameter(method)] if terms else []),
        *([sensitivity_option(method.varied)] if method.varied else []),
    ]
    defaults = {parameter.name: parameter.default for parameter in parameters}

    def run(
        results: Input,
        choice: RopesChoice,
        output: Listed,
        computing: Computing,
        beside: Others | None = None,
        **values: Any,
    ) -> None:
        from bcompare.cli.run import run_test

        beside = beside or Others()
        given = {key: value for key, value in values.items() if value != defaults[key]}
        given |= {key: value for key, value in results.settings.items() if key in tuning}
        prior = parse_prior(given.pop(PRIOR, None), kinds)
        given |= {_name(terms[key]): value for key, value in prior.items()}
        given |= {"seed": beside.seed} if beside.seed else {}
        made = method.configured(**_arguments(method, given))
        shows = bool(values.get("sensitivity"))
        run_test(made, results, choice, output, computing, beside, sensitivity=shows)

    run.__name__ = name
    run.__doc__ = f"{METHODS[name].summary}\n\n{method.about}"
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(run)["__signature__"] = inspect.Signature(parameters)
    command = grouped(run)
    vars(command)["tuning"] |= tuning
    return command


def _keyword(name: str, annotation: Any, **default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, **default)


def _fields(kind: type) -> Iterator[tuple[Field[Any], Any]]:
    """The fields of a class with their types, those of a dataclass that a field holds among them.

    What every test shares stands elsewhere.
    """
    hints = get_type_hints(kind)
    for own in fields(kind):
        if is_dataclass(hints[own.name]):
            yield from _fields(hints[own.name])
        elif own.name not in ("seed", "sensitivity"):
            yield own, _alone(hints[own.name])


def _name(field: Field[Any]) -> str:
    return field.metadata.get("name") or field.name


def _alone(kind: Any) -> Any:
    """A type without None."""
    return get_args(kind)[0] if get_origin(kind) in (Union, UnionType) else kind


def _parameter(field: Field[Any], kind: Any) -> inspect.Parameter:
    """An option of the command."""
    about = field.metadata
    kind = Literal[about["choices"]] if about["choices"] else kind
    info = option(about["help"], COMPARISON, about["metavar"])
    return _keyword(_name(field), Annotated[kind, info], default=field.default)


def _prior_parameter(method: "type[Method]") -> inspect.Parameter:
    info = option(f"Prior, such as '{method.example}'.", COMPARISON, "SPEC")
    return _keyword(PRIOR, Annotated[str | None, info], default=None)


def _arguments(kind: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a class that are given, by their names."""
    found: dict[str, Any] = {}
    hints = get_type_hints(kind)
    for own in fields(kind):
        if is_dataclass(hints[own.name]):
            inner = _arguments(hints[own.name], given)
            if inner:
                found[own.name] = hints[own.name](**inner)
        elif _name(own) in given:
            value = given[_name(own)]
            found[own.name] = _tuned(value, own.default)
    return found


def _tuned(value: Any, default: Any) -> Any:
    """A value of the configuration, which is text unless it is a truth value, as its kind."""
    if not isinstance(value, str | list) or isinstance(default, str) or default is None:
        return value
    if isinstance(default, tuple):
        return tuple(map(float, value if isinstance(value, list) else value.split(",")))
    return type(default)(value)
