"""Defaults from files and the environment: who goes before whom, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from bcompare.cli.defaults import CONFIGURABLE, Default, kinds_of, with_source
from bcompare.cli.main import COMMANDS
from tests.command import refused, run
from tests.results import small_csv

SETS = ("one", "two", "three", "four")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.02, "c": -0.02}, SETS)
    return tmp_path


def settings(folder: Path, command: str, *options: str) -> dict[str, Any]:
    result = run(command, "--format", "json", *options, folder=folder)
    assert result.code == 0, result.err
    record: dict[str, Any] = json.loads(result.out)
    return {**record["settings"], "classifiers": record["input"]["classifiers"]}


def test_command_line_before_environment_before_own_table_before_top(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folder / "bcompare.toml"
    file.write_text("rope = 0.1\nalpha = 0.2\n", encoding="utf-8")
    assert settings(folder, "sign")["rope"] == [-0.1, 0.1]
    file.write_text("rope = 0.1\n[sign]\nrope = 0.2\n", encoding="utf-8")
    assert settings(folder, "sign")["rope"] == [-0.2, 0.2]
    assert settings(folder, "ttest")["rope"] == [-0.1, 0.1]
    monkeypatch.setenv("BCOMPARE_ROPE", "0.3")
    assert settings(folder, "sign")["rope"] == [-0.3, 0.3]
    monkeypatch.setenv("BCOMPARE_SIGN_ROPE", "0.4")
    assert settings(folder, "sign")["rope"] == [-0.4, 0.4]
    assert settings(folder, "ttest")["rope"] == [-0.3, 0.3]
    assert settings(folder, "sign", "--rope", "0.5")["rope"] == [-0.5, 0.5]


def test_columns_of_the_configuration_are_overridden_one_by_one(folder: Path) -> None:
    text = (folder / "results.csv").read_text(encoding="utf-8")
    header, _, rows = text.partition("\n")
    named = header.replace("score", "auc").replace("classifier", "model")
    (folder / "results.csv").write_text(f"{named}\n{rows}", encoding="utf-8")
    (folder / "bcompare.toml").write_text(
        'score-col = "nope"\nclassifier-col = "model"\n', encoding="utf-8"
    )
    assert "--col score=auc" in run("sign", folder=folder).err
    assert settings(folder, "sign", "--col", "score=auc")["classifiers"]


def test_a_word_that_is_also_an_option_is_not_blamed(folder: Path) -> None:
    (folder / "bcompare.toml").write_text("top = 20\ntest = 'hier'\n", encoding="utf-8")
    assert "is set by" not in run("ttest", "--left", "a", "--right", "x", folder=folder).err
    text = with_source("the test needs more", {"test": Default("hier", "bcompare.toml")}, [])
    assert text == "the test needs more"


def test_a_value_that_does_not_fit_is_traced_to_where_it_was_set(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BCOMPARE_ROPE", "wide")
    assert "--rope is set by BCOMPARE_ROPE" in run("sign", folder=folder).err
    assert "is set by" not in run("sign", "--rope", "wide", folder=folder).err
    monkeypatch.delenv("BCOMPARE_ROPE")
    (folder / "bcompare.toml").write_text('left = "x"\nright = "x"\n', encoding="utf-8")
    assert "--left is set by bcompare.toml" in run("sign", folder=folder).err


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("format", "xml", "BCOMPARE_FORMAT: 'xml' is none of table, json"),
        ("over", "last", "BCOMPARE_OVER: 'last' is none of next, average"),
        ("alpha", "0,05", "BCOMPARE_ALPHA: '0,05' is not a number"),
        ("top", "many", "BCOMPARE_TOP: 'many' is not a whole number"),
        ("alpha", "5", "--alpha is set by BCOMPARE_ALPHA"),
        ("sep", "ab", "sep 'ab': give one character"),
        ("col", "x", "--col is set by BCOMPARE_COL"),
    ],
)
def test_a_bad_value_names_its_variable(
    key: str, value: str, said: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"BCOMPARE_{key.upper()}", value)
    error = refused(run("hier", "--plot", "x.svg", "--left", "a", "--right", "b", folder=folder))
    assert said in error


def test_every_type_of_value(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "x"\n[tool.bcompare]\nrope = [-0.01, 0.02]\nclassifier = ["a", "b"]\n'
        'lower-is-better = true\nseed = 3\n[tool.bcompare.signrank]\nprior = "place=left"\n',
        encoding="utf-8",
    )
    result = settings(folder, "signrank")
    assert result["rope"] == [-0.01, 0.02]
    assert result["classifiers"] == ["a", "b"]
    assert result["lower_is_better"] is True
    assert result["seed"] == 3
    assert result["prior_place"] == "left"


def test_the_own_file_goes_before_pyproject(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.bcompare]\nrope = 1\n", encoding="utf-8")
    (folder / "bcompare.toml").write_text("rope = 0.5\n", encoding="utf-8")
    assert settings(folder, "sign")["rope"] == [-0.5, 0.5]


OWN, PROJECT = "bcompare.toml", "pyproject.toml"


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        (OWN, "rop = 1", "bcompare.toml: rop: there is no such option; did you mean rope?"),
        (OWN, "[hiear]\nrope = 1", "[hiear]: there is no such command; did you mean hier?"),
        (OWN, "[hier]\nprio = 'x'", "[hier] prio: there is no such option; did you mean prior?"),
        (OWN, "[sign]\ntol = 1", "[sign] tol: there is no such option"),
        (OWN, "percent = 'perhaps'", "percent: 'perhaps' is neither true nor false"),
        (OWN, "rope = ", "not a TOML file"),
        (OWN, "classifier = ['a', 4]", "give a text, or a list of texts"),
        (OWN, "alpha = 'much'", "bcompare.toml: alpha"),
        (PROJECT, "[tool.bcompare", "not a TOML file"),
        (PROJECT, "tool = 3  # tool.bcompare", "tool is no table"),
        (PROJECT, "[tool]\nbcompare = 3  # tool.bcompare", "bcompare is no table"),
        (PROJECT, "tool = 3", ""),
    ],
)
def test_what_does_not_fit_is_refused_by_name(
    folder: Path, file: str, text: str, words: str
) -> None:
    (folder / file).write_text(text + "\n", encoding="utf-8")
    result = run("sign", folder=folder)
    assert result.code == (2 if words else 0)
    assert words in result.err


def test_a_file_of_defaults_that_is_none_is_refused(folder: Path) -> None:
    (folder / OWN).mkdir()
    assert "not a file that can be read" in run("sign", folder=folder).err


def test_show_config_says_where_each_value_comes_from(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "bcompare.toml").write_text("rope = 0.1\n", encoding="utf-8")
    monkeypatch.setenv("BCOMPARE_HIER_PRIOR", "gaussian")
    monkeypatch.setenv("BCOMPARE_TOL", "0.001")
    result = run("--show-config", "hier", "--alpha", "0.2", folder=folder)
    lines = {words[0]: words[1:] for line in result.out.splitlines() if (words := line.split())}
    assert result.code == 0
    assert lines["--rope"] == ["0.1", "bcompare.toml"]
    assert lines["--prior"] == ["gaussian", "BCOMPARE_HIER_PRIOR"]
    assert lines["--alpha"] == ["0.2", "command", "line"]
    assert lines["tol"] == ["0.001", "BCOMPARE_TOL"]


def test_a_variable_that_nearly_is_an_option_is_refused_and_an_empty_one_is_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BCOMPARE_ROPE", "")
    assert settings(folder, "sign")["rope"] == [-0.01, 0.01]
    monkeypatch.setenv("BCOMPARE_GATE_FAIL_FI", "not-better")
    assert "did you mean BCOMPARE_GATE_FAIL_IF?" in refused(run("sign", folder=folder))
    monkeypatch.delenv("BCOMPARE_GATE_FAIL_FI")
    monkeypatch.setenv("BCOMPARE_SECRET_OF_SOMEBODY", "x")
    assert run("sign", folder=folder).code == 0


# What decides where something is read, written or sent; every other option may be configured.
ONLY_ON_THE_COMMAND_LINE = {
    "history", "loss", "output", "plot", "results", "resume", "shell", "topic",
}  # fmt: skip


def test_every_option_is_configurable_or_known_to_name_a_place() -> None:
    every = {name for command in COMMANDS.values() for name in kinds_of(command)}
    assert every - CONFIGURABLE == ONLY_ON_THE_COMMAND_LINE
    assert every >= CONFIGURABLE


@pytest.mark.parametrize("key", sorted(ONLY_ON_THE_COMMAND_LINE))
@pytest.mark.parametrize("place", ["bcompare.toml", "pyproject.toml", "table", "environment"])
def test_configuration_never_says_where_anything_is_read_or_written(
    key: str, place: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = folder / ".profile"
    target.write_text("mine\n", encoding="utf-8")
    command = next(name for name, c in COMMANDS.items() if key in kinds_of(c))
    text = f"{key.replace('_', '-')} = ['{target}']\n"
    if place == "environment":
        monkeypatch.setenv(f"BCOMPARE_{key.upper()}", str(target))
    elif place == "table":
        (folder / "bcompare.toml").write_text(f"[{command}]\n{text}", encoding="utf-8")
    else:
        header = "[tool.bcompare]\n" if place == "pyproject.toml" else ""
        (folder / place).write_text(header + text, encoding="utf-8")
    assert "never what is read, written or sent" in refused(run(command, folder=folder))
    assert target.read_text(encoding="utf-8") == "mine\n"
