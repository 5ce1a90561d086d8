"""Defaults of options, from the nearest `bcompare.toml` or `pyproject.toml` upwards.

`--config` chooses another file, or none. A key stands for an option without its dashes, such as
`rope` or `lower-is-better`: at the top for all commands that have it, in a table `[hier]` for one,
which takes precedence. The command line takes precedence over the file.
"""

import inspect
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bcompare.basis.messages import InputError, Note, Record, nearest
from bcompare.cli.groups import PROJECT, TABLE

# What may be configured: how results are computed, decided and shown. Users who run a command in a
# folder do not thereby trust its files: none of them decides what is read, written or sent, or who
# is judged against whom.
CONFIGURABLE = frozenset({
    "accept", "alpha", "also", "anytime", "broken", "budget", "by",
    "chains", "classifier", "col", "dataset",
    "datasets", "decimal", "details", "draws", "effect", "empirical_bayes", "engine",
    "epochs", "exact", "fail_if", "failed", "folds", "format", "higher_is_better", "interval",
    "items", "jobs", "largest", "left",
    "lower_is_better", "metric", "missing", "na_values", "name", "noise", "of", "over",
    "population", "prefer",
    "preset",
    "prior", "quiet", "range", "rate", "replicates", "require", "rho", "right", "rope",
    "runs", "scale", "scores", "sd", "seed", "sep",
    "split", "strict", "test", "tol", "top", "top_k", "trials", "unpaired",
    "where", "wide", "worse",
})  # fmt: skip

ROLES = frozenset({"baseline", "candidate", "bar"})

Commands = Mapping[str, Callable[..., None]]


@dataclass(frozen=True, slots=True)
class Default:
    """A configured default. source : the file that sets it."""

    value: object
    source: str


def find_defaults(
    path: Path, command: str, several: Iterable[str], commands: Commands
) -> dict[str, Default]:
    """Return the defaults of a command's parameters in a file, by their names in Python.

    several : the parameters that may be repeated.

    Raises
    ------
    InputError : a file that is no TOML, a key that no command has or that cannot be configured, or
        a value that does not fit.
    """
    content = _table(path) if path.name.endswith(PROJECT) else _toml(path)
    configured = _with_metrics(path, content)
    _check(path, configured, commands)
    options = options_of(commands[command])
    repeated = {*several}
    defaults: dict[str, Default] = {}
    for table in (configured, configured.get(command, {})):
        for key, value in table.items():
            name = _name(key)
            if name in options and not (table is configured and isinstance(value, dict)):
                fitting = _fitting(value, f"{path}: {key}", several=name in repeated)
                defaults[name] = Default(fitting, str(path))
    return defaults


def added(option: str, given: Sequence[str], defaults: dict[str, Default]) -> list[str]:
    """Return what the configuration adds to an option of ROLE=COL pairs, as arguments.

    given : on the command line, which takes precedence. defaults : of which only that remains.
    """
    default = defaults.get(option)
    if default is None or not given or not isinstance(default.value, list):
        return []
    roles = {text.partition("=")[0] for text in given}
    texts = [text for text in default.value if text.partition("=")[0] not in roles]
    defaults[option] = replace(default, value=texts)
    return [word for text in texts for word in (f"--{option}", text)]


def configured_note(configured: Mapping[str, Default]) -> Note:
    """Return a note on what a file sets, as it would be written there."""
    settings: dict[str, list[str]] = {}
    for name, default in configured.items():
        words = f"{name.replace('_', '-')} = {_toml_of(default.value)}"
        settings.setdefault(default.source, []).append(words)
    parts = (f"{source} sets {', '.join(words)}" for source, words in settings.items())
    return Note("configured", "info", "; ".join(parts))


def _toml_of(value: Any) -> str:
    if isinstance(value, list) and len(value) > 1:
        return f"[{', '.join(map(_toml_of, value))}]"
    if isinstance(value, list):
        return _toml_of(value[0])
    if value in ("true", "false"):
        return str(value)
    try:
        return f"{float(value):.15g}"
    except ValueError:
        pass
    # escapes what would be invisible
    return json.dumps(value, ensure_ascii=not str(value).isprintable())


def with_source(problem: str, configured: Mapping[str, Default]) -> str:
    """Return a problem; add where its option was set."""
    for name, default in configured.items():
        option = f"--{name.replace('_', '-')}"
        named = re.search(rf"(?<![\w-])(--)?{option[2:]}(?![\w-])", problem)
        # Many option names are ordinary words: without dashes the value must occur, too.
        if named and (named[1] or str(default.value) in problem):
            return f"{problem} ({option[2:]} is set by {default.source})"
    return problem


def _table(project: Path) -> dict[str, object]:
    """Return our table of a `pyproject.toml`."""
    table: Any = _toml(project)
    for key in ("tool", TABLE):
        table = table.get(key, {})
        if not isinstance(table, dict):
            raise InputError(f"{project}: {key} is no table; write [tool.{TABLE}]")
    return dict(table)


def _with_metrics(path: Path, configured: dict[str, object]) -> Record:
    """Turn tables such as ``[metrics.f1]`` with ``better = true`` into values of `--metric`.

    Raises
    ------
    InputError : a key that no metric has.
    """
    tables = configured.get("metrics")
    if not isinstance(tables, dict):
        return configured
    specs = []
    for name, table in tables.items():
        flags = ("lower", "higher", "better", "advisory")
        for key in table if isinstance(table, dict) else [""]:
            if key not in (*flags, "rope"):
                raise InputError(
                    f"{path}: [metrics.{name}] {key}: say lower, higher, better or advisory "
                    "= true, or rope"
                )
            if key in flags and not isinstance(table[key], bool):
                raise InputError(
                    f"{path}: [metrics.{name}] {key} = {_toml_of(table[key])}: say true or false, "
                    "without quotes"
                )
        parts = [flag for flag in flags if table.get(flag)] + [str(table.get("rope", ""))]
        specs.append(f"{name}: {', '.join(filter(None, parts))}")
    others = {key: value for key, value in configured.items() if key != "metrics"}
    return {**others, "metric": specs}


def _toml(path: Path) -> dict[str, object]:
    if not path.is_file():
        raise InputError(f"{path}: not a file that can be read; remove it, or make it one")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path}: not a TOML file: {error}") from None
    except RecursionError:
        raise InputError(f"{path}: values nested too deep to be read") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _check(path: Path, configured: Mapping[str, object], commands: Commands) -> None:
    """Check that each key is an option of some command, or of the command of its table."""
    if not configured:
        return
    problems = []
    everywhere = {name for command in commands.values() for name in options_of(command)}
    for key, value in configured.items():
        if isinstance(value, dict) and key in commands:
            options = options_of(commands[key])
            for inner in value:
                problems += _refused(f"{path}: [{key}] {inner}", inner, options)
        elif isinstance(value, dict):
            problems.append(_unknown(f"{path}: [{key}]", key, set(commands), "command"))
        else:
            problems += _refused(f"{path}: {key}", key, everywhere)
    if problems:
        raise InputError(problems)


def _refused(place: str, key: str, known: set[str]) -> list[str]:
    """Return what is wrong with a key, if anything."""
    if _name(key) not in known:
        return [_unknown(place, key, known)]
    return [] if _name(key) in CONFIGURABLE else [_not_configurable(place, _name(key))]


def _not_configurable(place: str, name: str) -> str:
    if name in ROLES:
        return (
            f"{place}: a configuration file cannot say who is judged against whom; give --{name} "
            "on the command line"
        )
    return (
        f"{place}: a configuration file says how results are computed and shown, not what is read, "
        "written or sent; give this option on the command line"
    )


def _unknown(place: str, key: str, known: set[str], kind: str = "option") -> str:
    near = nearest(_name(key), sorted(known))
    advice = f"; did you mean {near[0].replace('_', '-')}?" if near else ""
    return f"{place}: there is no such {kind}{advice}"


def _name(key: str) -> str:
    return key.replace("-", "_")


def options_of(command: Callable[..., None]) -> set[str]:
    """Return the names of a command's parameters."""
    return {*inspect.signature(command).parameters} - {"context"}


def _fitting(value: Any, place: str, *, several: bool) -> object:
    """Return a value as the command line would give it, as text or a list of texts."""
    if isinstance(value, dict):
        raise InputError(f"{place}: give a value, not a table")
    items = value if isinstance(value, list) else [value]
    if isinstance(value, bool) and not several:
        return str(value).lower()
    if not all(isinstance(item, str | int | float) for item in items):
        raise InputError(f"{place}: give a text, or a list of texts, in quotes")
    numbers = not any(isinstance(item, str | bool) for item in items)
    of_one = numbers and len(items) == 2 and items[0] < 0  # borders of one rope
    if not several or of_one:
        items = [",".join(map(str, items))]
    elif not numbers and not all(isinstance(item, str) for item in items):
        raise InputError(f"{place}: give a text, or a list of texts, in quotes")
    texts = [*map(str, items)]
    return texts if several else texts[0]
