"""Defaults from files: who goes before whom, and what is refused."""

from pathlib import Path

import pytest

from bcompare.cli.defaults import CONFIGURABLE, ROLES, Default, options_of, with_source
from bcompare.cli.main import COMMANDS
from tests.command import refused, run
from tests.results import small_csv

SETS = ("one", "two", "three", "four")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.02, "c": -0.02}, SETS)
    return tmp_path


def test_a_word_that_is_also_an_option_is_not_blamed() -> None:
    text = with_source("the test needs more", {"test": Default("hier", "bcompare.toml")})
    assert text == "the test needs more"


def test_a_file_of_defaults_that_is_nested_beyond_measure_is_refused(folder: Path) -> None:
    nested = "[" * 100_000 + "]" * 100_000
    (folder / "bcompare.toml").write_text(f"rope = {nested}\n", encoding="utf-8")
    refused(run("sign", folder=folder))


def test_the_nearest_file_upwards_counts_and_is_named(folder: Path) -> None:
    below = folder / "a" / "b"
    below.mkdir(parents=True)
    (folder / "bcompare.toml").write_text("rope = 0.3\n", encoding="utf-8")
    result = run("gate", "../../results.csv", "--baseline", "a", "--candidate", "b", folder=below)
    assert "note: ../../bcompare.toml sets rope = 0.3 [configured]" in result.out + result.err
    assert "rope ±0.3 " in run("sign", "../../results.csv", folder=below).out
    (folder / "a" / "pyproject.toml").write_text("[tool.other]\n", encoding="utf-8")
    assert "rope ±0.3 " in run("sign", "../../results.csv", folder=below).out
    (folder / "a" / "pyproject.toml").write_text("[tool.bcompare]\nrope = 0.2\n", "utf-8")
    assert "rope ±0.2 " in run("sign", "../../results.csv", folder=below).out
    assert "rope ±0.01 " in run("sign", "../../results.csv", "--config=none", folder=below).out


# What decides where something is read, written or sent; every other option may be configured, but
# for the roles of the classifiers.
ONLY_ON_THE_COMMAND_LINE = {
    "again",
    "config",
    "history",
    "loss",
    "output",
    "plot",
    "results",
    "scheduler",
    "topic",
}


@pytest.mark.parametrize(
    ("value", "ropes"),
    [("[0, 0.01]", ["0", "0.01"]), ("[-0.01, 0.03]", ["-0.01,0.03"]), ("0.02", ["0.02"])],
)
def test_a_list_in_the_file_is_an_option_repeated(
    folder: Path, value: str, ropes: list[str]
) -> None:
    (folder / "bcompare.toml").write_text(f"rope = {value}\n", encoding="utf-8")
    file, line = (run("sign", *words).out for words in ((), [f"--rope={rope}" for rope in ropes]))
    assert file == line


def test_every_option_is_configurable_or_known_to_name_a_place() -> None:
    every = {name for command in COMMANDS.values() for name in options_of(command)}
    assert every - CONFIGURABLE == ONLY_ON_THE_COMMAND_LINE | ROLES
    assert every >= CONFIGURABLE


@pytest.mark.parametrize("key", sorted(ONLY_ON_THE_COMMAND_LINE))
@pytest.mark.parametrize("place", ["bcompare.toml", "pyproject.toml", "table"])
def test_configuration_never_says_where_anything_is_read_or_written(
    key: str, place: str, folder: Path
) -> None:
    target = folder / ".profile"
    target.write_text("mine\n", encoding="utf-8")
    command = next(name for name, c in COMMANDS.items() if key in options_of(c))
    text = f"{key.replace('_', '-')} = ['{target}']\n"
    if place == "table":
        (folder / "bcompare.toml").write_text(f"[{command}]\n{text}", encoding="utf-8")
    else:
        header = "[tool.bcompare]\n" if place == "pyproject.toml" else ""
        (folder / place).write_text(header + text, encoding="utf-8")
    refused(run("sign", folder=folder))
    assert target.read_text(encoding="utf-8") == "mine\n"
