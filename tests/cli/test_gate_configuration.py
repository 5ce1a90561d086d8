"""What a file in the checkout can change about a gate, and that every output says so."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.command import Outcome, refused, run
from tests.results import small_csv, write_lines

SETS = ("one", "two", "three")
# Lines of a file, whether a change for the worse passes by them, and what is said of them.
SETTINGS = {
    "lower-is-better = true": (True, "lower-is-better = true"),
    'metric = ["score: lower"]': (True, 'metric = "score: lower"'),
    "rope = 0.7": (True, "rope = 0.7"),
    'fail-if = "not-better"': (False, 'fail-if = "not-better"'),
    "alpha = 0.001": (False, "alpha = 0.001"),
    'missing = "refuse"': (False, 'missing = "refuse"'),
    'failed = "drop"': (False, 'failed = "drop"'),
    'dataset = ["one", "two"]': (False, 'dataset = ["one", "two"]'),
    'where = ["fold!=1"]': (False, 'where = "fold!=1"'),
    'col = ["score=score"]': (False, 'col = "score=score"'),
    "[metrics.score]\nlower = true\nrope = 0.02": (True, 'metric = "score: lower, 0.02"'),
}
FORMATS = (
    "table",
    "json",
    "github",
    "junit",
    "comment",
    "markdown",
    "csv",
    "latex",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A candidate that is worse than main."""
    small_csv(tmp_path / "results.csv", {"main": 0.0, "pr": -0.1}, SETS, noise=0.001)
    return tmp_path


def gate(folder: Path, *options: str | Path) -> Outcome:
    return run("gate", "--baseline", "main", "--candidate", "pr", *options, folder=folder)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("file", ["bcompare.toml", "../base.toml", "../pyproject.toml"])
def test_the_table_names_what_a_file_sets(folder: Path, setting: str, file: str) -> None:
    (folder / "sub").mkdir()
    (folder / "results.csv").rename(folder / "sub" / "results.csv")
    folder /= "sub"
    passes, words = SETTINGS[setting]
    ours = "pyproject" in file
    text = setting.replace("[metrics", "[tool.bcompare.metrics") if ours else setting
    write_lines(folder / file, *(["[tool.bcompare]"] if ours else []), text)
    extra = ["--config", file] if file.startswith("..") else []
    result = gate(folder, *extra)
    assert result.code == (0 if passes else 4)
    assert f"note: {file} sets {words} [configured]\n" in result.out
    assert "[configured]" not in result.err
    assert gate(folder, "--config", "none").code == 4
    assert "[configured]" not in gate(folder, "--config", "none").out


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_names_what_a_file_sets(folder: Path, form: str) -> None:
    write_lines(
        folder / "bcompare.toml", "quiet = true", "[gate]", "rope = 0.7", f'format = "{form}"'
    )
    result = gate(folder)
    assert result.code == 0
    out = result.out.replace("\\", "").replace("&quot;", '"')
    words = f'bcompare.toml sets quiet = true, rope = 0.7, format = "{form}"'
    if form in ("csv", "latex"):
        out = result.err
    assert words in out
    if form == "json":
        (note,) = [n for n in json.loads(result.out)["notes"] if n["code"] == "configured"]
        assert note == {"code": "configured", "severity": "info", "message": words}
    if form == "junit":
        (said,) = ET.fromstring(result.out).findall(".//property[@name='configured']")
        assert said.get("value") == words
    if form == "github":
        assert f"::notice title=bcompare gate::{words}\n" in result.out


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_and_the_summary_of_a_step_name_it_too(
    folder: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = folder / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    write_lines(folder / "bcompare.toml", "rope = 0.7")
    result = gate(folder, "-o", f"{form}=answer", "--format", "github", "-o", "-", "--quiet")
    assert result.code == 0
    assert "bcompare.toml sets rope = 0.7" in summary.read_text(encoding="utf-8")
    rows = form == "csv"
    assert rows or "bcompare.toml sets rope = 0.7" in (folder / "answer").read_text(
        encoding="utf-8"
    )


def test_what_the_command_line_overrides_is_not_named(folder: Path) -> None:
    write_lines(folder / "bcompare.toml", "rope = 0.7", "alpha = 0.04")
    result = gate(folder, "--rope", "0.01")
    assert result.code == 4
    assert "note: bcompare.toml sets alpha = 0.04 [configured]\n" in result.out


@pytest.mark.parametrize("role", ["baseline", "candidate"])
@pytest.mark.parametrize("place", ["bcompare.toml", "pyproject.toml", "table"])
def test_roles_come_from_the_command_line_only(folder: Path, role: str, place: str) -> None:
    line = f'{role} = "{"pr" if role == "baseline" else "main"}"'
    if place == "pyproject.toml":
        write_lines(folder / place, "[tool.bcompare]", line)
    else:
        head = ["[gate]"] if place == "table" else []
        write_lines(folder / "bcompare.toml", *head, line)
    message = refused(run("gate", folder=folder))
    assert f"{role}: " in message
    assert f"give --{role} on the command line" in message


def test_what_a_file_sets_cannot_hide_itself(folder: Path) -> None:
    write_lines(folder / "bcompare.toml", "rope = 0.7", r'name = "\ufdd0x\ufdd1\n::debug::\u202e"')
    for form in ("table", "github", "comment"):
        result = gate(folder, "--format", form)
        assert result.code == 0
        assert "sets rope = 0.7, name = " in result.out
        assert "\n::debug" not in result.out
