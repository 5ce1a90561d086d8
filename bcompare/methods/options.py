"""Options of methods: their metadata, and their place in the signature of functions."""

from collections.abc import Callable
from dataclasses import fields
from inspect import Parameter, signature
from typing import Any, TypeVar

Test = TypeVar("Test", bound=Callable[..., object])


def option(help: str, *, metavar: str | None = None) -> dict[str, object]:
    """Return the metadata of a field that is an option of the method's command.

    metavar : the placeholder of the value in the help.
    """
    return {"help": help, "metavar": metavar}


def prior_term(key: str) -> dict[str, object]:
    """Return the metadata of a field that the option ``--prior`` sets.

    key : of the term; empty for a word without a key, such as the name of a prior.
    """
    return {"prior": key}


def with_options_of(method: type[Any]) -> Callable[[Test], Test]:
    """Show the options of a method in the signature of a function that passes them on."""

    def decorated(function: Test) -> Test:
        own = signature(function)
        named = [p for p in own.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
        options = [
            Parameter(o.name, Parameter.KEYWORD_ONLY, default=o.default, annotation=o.type)
            for o in fields(method)
        ]
        vars(function)["__signature__"] = own.replace(parameters=[*named, *options])
        return function

    return decorated
