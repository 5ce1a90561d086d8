"""The JSON of every command: its schema and its keys, its numbers, and those of test items.

To accept other keys, look at them, run with BCOMPARE_UPDATE_GOLDEN=1, and read the diff.
"""

import csv
import json
from collections import defaultdict
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bcompare.explain import explained
from bcompare.methods import METHODS
from tests.command import run
from tests.golden import golden
from tests.results import HEADER, small_csv, write_lines

pytestmark = pytest.mark.usefixtures("one_population")

KEYS = Path(__file__).with_name("keys")
SETS = ("one", "two", "three", "four")
OF_RUNS = ("--col", "item=item", "--col", "epoch=epoch")
COMMANDS: dict[str, list[str]] = {
    "ttest": ["ttest"],
    "ttest of one": ["ttest", "--dataset", "one"],
    "several ropes": ["ttest", "--rope", "0", "--rope", "0.01", "--rope", "0.05"],
    "hier": ["hier", "--left", "a", "--right", "b"],
    "signrank": ["signrank", "--also", "tests"],
    "sign": ["sign", "--loss", "20,1", "--also", "tests", "--also", "sensitivity"],
    "poisson": ["poisson"],
    "rank": ["rank"],
    "rank with a test": ["rank", "--test", "sign"],
    "rank of one": ["rank", "--dataset", "one"],
    "gate": ["gate", "--baseline", "a", "--candidate", "b", "--test", "sign"],
    "gate of items": ["gate", "runs.csv", "--baseline", "a", *OF_RUNS, "--items"],
    "plan of items": [
        *("plan-gate", "runs.csv", "--baseline", "a"),
        *(*OF_RUNS, "--broken", "--replicates", "25"),
    ],
    "self-check": ["self-check", "--baseline", "a", "--dataset", "one"],
    "gate without a verdict": ["gate", "--baseline", "x"],
    "plan": ["plan", "--baseline", "a", "--candidate", "b", "--test", "sign", "--replicates", "20"],
    "power": ["power", "--effect", "0.02", "--sd", "0.1", "--datasets", "5", "--test", "sign"],
    "check": ["check"],
}


@pytest.fixture(scope="module")
def contract() -> dict[str, Any]:
    result: dict[str, Any] = json.loads(run("schema").out)
    jsonschema.Draft202012Validator.check_schema(result)
    return result


def keys(value: Any, place: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    """The keys of every object in a document, by the place where it stands."""
    if isinstance(value, dict):
        yield place, tuple(sorted(value))
        for key, inner in value.items():
            yield from keys(inner, f"{place}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner, place)


def descriptions(schema: Any) -> Iterator[str]:
    """The descriptions in a schema, at any depth."""
    inner = list(schema.values()) if isinstance(schema, dict) else schema
    if isinstance(inner, list):
        for part in inner:
            yield from descriptions(part)
    elif str(schema).startswith("bcompare explain "):
        yield str(schema)


def test_a_description_is_a_command_that_explains(contract: dict[str, Any]) -> None:
    commands = {*descriptions(contract)}
    assert len(commands) > 20
    for command in commands:
        name = command.removeprefix("bcompare explain ").strip("'")
        assert not explained(name).startswith("There is no topic"), name


def listed(record: dict[str, Any]) -> str:
    """A line for each place and each set of keys that its objects have."""
    result = defaultdict(set)
    for place, own in keys(record):
        result[place].add(" ".join([f"{place or 'top'}:", *own]) + "\n")
    return "".join(line for place in sorted(result) for line in sorted(result[place]))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.03, "c": -0.02}, SETS)
    # the first item breaks, and the second is suspect
    runs = [
        f"{item},{epoch},{who},{int(who == 'a' or item > 2 or (item == 2 and epoch > 2))}"
        for item in range(1, 31)
        for epoch in range(5)
        for who in "ab"
    ]
    write_lines(tmp_path / "runs.csv", "item,epoch,classifier,score", *runs)
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_prints_is_as_promised(
    name: str, folder: Path, contract: dict[str, Any]
) -> None:
    result = run(*COMMANDS[name], "--format", "json", "-q", folder=folder)
    assert result.code in (0, 2, 4), result.err
    record = json.loads(result.out)
    jsonschema.validate(record, contract)
    assert listed(record) == golden(KEYS / f"{name.replace(' ', '-')}.txt", listed(record))
    # What is promised is missed if it is gone, or something else.
    for key in ("schema_version", "bcompare", "command"):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({k: v for k, v in record.items() if k != key}, contract)
    changed = {"command": "nothing"} | ({"exit_code": 7} if "exit_code" in record else {})
    for key, value in changed.items():
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(record | {key: value}, contract)


def test_a_pair_without_what_is_promised_is_no_pair(folder: Path, contract: dict[str, Any]) -> None:
    record = json.loads(run("sign", "--format", "json", "-q", folder=folder).out)
    for key in ("left", "verdict", "n_datasets", "p_rope", "decision"):
        pairs = [{k: v for k, v in pair.items() if k != key} for pair in record["comparisons"]]
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(record | {"comparisons": pairs}, contract)
    wrong = [pair | {"p_left": 1.5} for pair in record["comparisons"]]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(record | {"comparisons": wrong}, contract)


def document(command: str, results: Path, *options: str) -> dict[str, Any]:
    outcome = run(command, results, "--format", "json", *options)
    assert outcome.code == 0
    result: dict[str, Any] = json.loads(outcome.out)
    return result


@pytest.mark.parametrize("command", METHODS)
def test_csv_and_json_hold_the_same_numbers(command: str, folder: Path) -> None:
    path = folder / "results.csv"
    comparisons = document(command, path)["comparisons"]
    table = list(csv.DictReader(StringIO(run(command, path, "--format", "csv").out)))
    if command == "ttest":
        records = [dataset for comparison in comparisons for dataset in comparison["datasets"]]
    else:
        records = comparisons
    assert len(table) == len(records)
    for row, record in zip(table, records, strict=True):
        for key in ("p_left", "p_rope", "p_right", "mean_difference"):
            assert float(row[key]) == record[key]
        assert float(row["nhst_p_holm"]) == record["nhst"]["p_holm"]


def test_infinite_statistics_are_null(tmp_path: Path) -> None:
    rows = [
        f"d,1,{fold},{name},{score}"
        for fold in range(1, 6)
        for name, score in (("a", 0.5), ("b", 0.6))
    ]
    path = write_lines(tmp_path / "constant.csv", HEADER, *rows)
    dataset = document("ttest", path)["comparisons"][0]["datasets"][0]
    assert (dataset["nhst"]["statistic"], dataset["nhst"]["p_value"]) == (None, 0)
