"""What a file in the checkout can change about a gate, and that every output says so."""

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
