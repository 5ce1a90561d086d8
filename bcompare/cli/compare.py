"""A command for each registered test; its options come from the fields of the test's class."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, get_type_hints

from bcompare.cli.combinations import SENSITIVITY, TESTS
from bcompare.cli.groups import grouped, keyword, option, without_none
from bcompare.cli.options import Input, Jobs, Listed, RopesChoice, Scheduler, Seed, also_option
from bcompare.cli.parsing import parse_prior, parse_words
from bcompare.methods import METHODS, load_method

PRIOR = "prior"


@cache
def command_of(name: str) -> Callable[..., None]:
    """Return the command of a registered test."""
    method = load_method(name)
    own = list(_fields(method))
    terms = {field.metadata[PRIOR]: field for field, _ in own if PRIOR in field.metadata}
    kinds = {field.metadata[PRIOR]: kind for field, kind in own if PRIOR in field.metadata}
    groups = {
        "results": Input,
        "choice": RopesChoice,
        "output": Listed,
    }
    parameters = [
        *(keyword(key, kind) for key, kind in groups.items()),
        keyword("jobs", Jobs, None),
        keyword("scheduler", Scheduler, None),
        *(_parameter(field, kind) for field, kind in own if "help" in field.metadata),
    ]
    if terms:
        prior = option(f"Prior, such as {method.example}.", "SPEC")
        parameters.append(keyword(PRIOR, Annotated[str | None, prior], None))
    shown = {}
    if METHODS[name].over:
        shown[TESTS] = "what the other tests over data sets say"
        parameters.append(keyword("seed", Seed, None))
    if method.varied:
        shown[SENSITIVITY] = f"the answer with {method.varied} varied"
    if shown:
        annotation = Annotated[list[str] | None, also_option(**shown)]
        parameters.append(keyword("also", annotation, None))
    defaults = {parameter.name: parameter.default for parameter in parameters}

    def run(
        results: Input,
        choice: RopesChoice,
        output: Listed,
        jobs: Jobs = None,
        scheduler: Scheduler = None,
        also: Sequence[str] | None = None,
        **values: Any,
    ) -> None:
        from bcompare.cli.run import executor_at, run_test

        given = {key: value for key, value in values.items() if value != defaults[key]}
        words = parse_words("--also", also, tuple(shown))
        given |= {SENSITIVITY: SENSITIVITY in words}
        prior = parse_prior(given.pop(PRIOR, None), kinds)
        given |= {terms[key].name: value for key, value in prior.items()}
        made = method.configured(**_arguments(method, given))
        with executor_at(scheduler, jobs) as executor:
            run_test(made, results, choice, output, jobs, executor, words, values.get("seed"))

    run.__name__ = name
    run.__doc__ = f"{METHODS[name].summary}\n\n{method.about}"
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(run)["__signature__"] = inspect.Signature(parameters)
    return grouped(run)


def _fields(kind: type) -> Iterator[tuple[Field[object], object]]:
    """Yield the fields of a class with their types, including those of nested dataclasses.

    The fields that every test has are options elsewhere.
    """
    hints = get_type_hints(kind)
    for own in fields(kind):
        if is_dataclass(hints[own.name]):
            yield from _fields(hints[own.name])
        elif own.repr and own.name not in ("seed", "sensitivity"):
            yield own, without_none(hints[own.name])


def _parameter(field: Field[object], kind: object) -> inspect.Parameter:
    """Return an option of the command."""
    info = option(field.metadata["help"], field.metadata["metavar"])
    return keyword(field.name, Annotated[kind, info], field.default)


def _arguments(kind: type, given: Mapping[str, object]) -> dict[str, object]:
    """Return the given fields of a class, by name."""
    arguments: dict[str, object] = {}
    hints = get_type_hints(kind)
    for own in fields(kind):
        if is_dataclass(hints[own.name]):
            inner = _arguments(hints[own.name], given)
            if inner:
                arguments[own.name] = hints[own.name](**inner)
        elif own.name in given:
            arguments[own.name] = given[own.name]
    return arguments
