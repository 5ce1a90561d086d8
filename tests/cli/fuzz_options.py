"""Random sets of options, sensible and extreme: an answer or an error, never a traceback."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer

from bcompare.cli.main import COMMANDS, build_app
from tests.command import Outcome, run
from tests.results import small_csv

CODES = (0, 2, 3, 4, 5)
# Numbers at the ends of what can be said, and some in between.
NUMBERS = (
    "0",
    "1",
    "-1",
    "0.5",
    "0.01",
    "2",
    "3",
    "10",
    "1000000000",
    "1e308",
    "-1e308",
    "1e-308",
    "5e-324",
    "nan",
    "inf",
    "-inf",
    "0.99999999",
    "x",
    "",
)
TEXTS = (
    "",
    "a",
    "b",
    "x",
    "one",
    "--",
    "-",
    "=",
    ",",
    "0.1,0.2",
    "-0.1,0.1",
    "1e308,1e308",
    "0,0",
    "(",
    "(a+)+b",
    "fold~(",
    "fold=1",
    "é",
    "\x1b[31m",
    "../x",
    "a" * 300,
    "score",
    "fold",
    "dataset",
    "weka",
    "means",
    "worse",
    "20,1",
)
# What starts long work by design, or completes a command line.
LEFT_OUT = {"--help"}
# What keeps a case quick.
QUICK = {
    "plan": ["--replicates", "20", "--test", "sign"],
    "plan-gate": ["--replicates", "25", "--candidate", "b"],
    "power": [
        "--effect",
        "0.1",
        "--sd",
        "0.1",
        "--datasets",
        "3",
        "--replicates",
        "20",
        "--test",
        "sign",
    ],
    "gate": ["--test", "sign"],
    "rank": ["--draws", "500"],
    "report": ["--test", "sign"],
}


def options_of(command: str) -> list[Any]:
    """The options of a command, as the command line knows them."""
    group: Any = typer.main.get_command(build_app([command]))
    return [
        parameter
        for parameter in group.commands[command].params
        if parameter.param_type_name == "option" and not LEFT_OUT & set(parameter.opts)
    ]


def case(draw: random.Random, known: dict[str, list[Any]]) -> Iterator[str]:
    """Yield the words of a command line."""
    command = draw.choice(sorted(known))
    yield command
    quick = QUICK.get(command, [])
    yield from quick
    for parameter in draw.sample(known[command], k=min(draw.randint(0, 4), len(known[command]))):
        name = draw.choice(parameter.opts)
        if name in quick:
            continue
        if parameter.is_flag:
            yield name
            continue
        kind = parameter.type_descriptor.annotation
        choices = get_args(kind) if get_origin(kind) is Literal else ()
        values = choices if choices and draw.random() < 0.8 else draw.choice((NUMBERS, TEXTS))
        yield f"{max(parameter.opts, key=len)}={draw.choice(list(values))}"


def try_one(number: int, seed: int, folder: Path, known: dict[str, list[Any]]) -> Outcome:
    """Run one case, and check how it ends."""
    words = list(case(random.Random(f"{seed} {number}"), known))
    outcome = run(*words, folder=folder)
    wrong = outcome.code not in CODES or "Traceback" in outcome.err or "Warning:" in outcome.err
    if wrong or (outcome.code in (2, 3) and not outcome.err):
        raise AssertionError(f"{words}: exit code {outcome.code}\n{outcome.err}")
    return outcome


def prepared(folder: Path) -> dict[str, list[Any]]:
    """Make the results that every case reads; return the options of each command."""
    sets = ("one", "two", "three")
    small_csv(folder / "results.csv", {"a": 0.0, "b": 0.03, "c": -0.02}, sets, runs=1)
    names = [name for name in COMMANDS if name not in ("explain", "cite", "schema")]
    return {name: options_of(name) for name in names}
