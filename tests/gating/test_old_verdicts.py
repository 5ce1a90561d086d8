"""Where nothing was judged, nothing says "passed": no file of an earlier run, and no annotation."""

from pathlib import Path

import pytest

from tests.command import run
from tests.gating.test_terms import FOLDS, folds
from tests.results import write_lines

OUTPUTS = (
    *("--format", "github", "-o", "gate.xml", "-o", "gate.json", "-o", "comment=comment.md"),
    *(
        "-o",
        "csv=gate.csv",
        "-o",
        "latex=gate.tex",
        "-o",
        "markdown=gate.md",
        "-o",
        "table=gate.txt",
    ),
    *("-o", "-"),
)
FILES = ("gate.xml", "gate.json", "comment.md", "gate.csv", "gate.tex", "gate.md", "gate.txt")
# What goes wrong, by the words after `gate`.
STATES = {
    "no such file": ("main=none.csv", "pr=pr.csv"),
    "an empty file": ("main=main.csv", "pr=empty.csv"),
    "no baseline": ("both.csv",),
    "no such candidate": ("main=main.csv", "pr=pr.csv", "--candidate", "pr-7"),
    "an option twice": ("main=main.csv", "pr=pr.csv", "--alpha", "0.1", "--alpha", "0.2"),
    "no number": ("main=main.csv", "pr=pr.csv", "--alpha", "x"),
    "no probability": ("main=main.csv", "pr=pr.csv", "--alpha", "0.7"),
    "no such option": ("main=main.csv", "pr=pr.csv", "--allpha", "0.1"),
    "no such scope": ("main=main.csv", "pr=pr.csv", "--over", "nope"),
    "no such test": ("main=main.csv", "pr=pr.csv", "--test", "nope"),
    "a wide rope": ("main=main.csv", "pr=pr.csv", "--rope", "1"),
    "a broken configuration": ("main=main.csv", "pr=pr.csv", "--config", "broken.toml"),
    "no such configuration": ("main=main.csv", "pr=pr.csv", "--config", "none.toml"),
    "a wrong flag": ("main=main.csv", "pr=pr.csv", "--config", "flag.toml"),
    "an unknown setting": ("main=main.csv", "pr=pr.csv", "--config", "unknown.toml"),
    "no such metric": ("main=main.csv", "pr=pr.csv", "--metric", "f1"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("main", "pr"):
        folds(tmp_path / f"{name}.csv", [x + 0.0001 * len(name) * x for x in FOLDS], name)
    write_lines(tmp_path / "both.csv", "fold,classifier,score", "1,a,0.8", "1,b,0.8", "2,a,0.7")
    write_lines(tmp_path / "empty.csv")
    write_lines(tmp_path / "broken.toml", "rope = ")
    write_lines(tmp_path / "flag.toml", "[gate]", "[metrics.score]", 'lower = "false"')
    write_lines(tmp_path / "unknown.toml", "rpe = 0.02")
    return tmp_path


@pytest.mark.parametrize("state", STATES)
def test_no_old_verdict_remains(folder: Path, state: str) -> None:
    files = [write_lines(folder / name, "passed:", '"passed": true') for name in FILES]
    outcome = run("gate", *STATES[state], *OUTPUTS, folder=folder)
    assert outcome.code == 2
    assert "::error title=bcompare gate::could not be judged: " in outcome.out
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert "could not be judged: " in text
        assert "passed:" not in text
        assert '"passed": true' not in text


@pytest.mark.parametrize("command", ["gate-anytime", "self-check"])
def test_the_other_commands_that_judge_leave_no_old_verdict_either(
    folder: Path, command: str
) -> None:
    old = write_lines(folder / "gate.json", "an old verdict")
    assert run(command, "none.csv", "--allpha", "1", "-o", "gate.json", folder=folder).code == 2
    assert "could not be judged: " in old.read_text(encoding="utf-8")


def test_what_is_read_is_never_removed(folder: Path) -> None:
    before = (folder / "pr.csv").read_bytes()
    for words in (
        ("gate", "main=main.csv", "pr=pr.csv", "-o", "pr.csv"),
        ("gate", "main=main.csv", "pr=pr.csv", "-o", "csv=pr.csv", "--nonsense"),
        ("gate", "main=main.csv", "pr=./pr.csv", "-opr.csv"),
        ("gate", "main=main.csv", "pr=./pr.csv", "-qo", "pr.csv"),
        ("gate", "p*.csv", "main.csv", "--baseline", "main", "-o", "pr.csv"),
        ("gate", "pr=p*.csv", "main=main.csv", "--baseline", "main", "-o", "./pr.csv"),
        ("gate", "main=main.csv", "pr=.", "-o", "pr.csv"),
    ):
        assert (run(*words, folder=folder).code, (folder / "pr.csv").read_bytes()) == (2, before)


@pytest.mark.parametrize(
    "words",
    [("-qo", "old.json"), ("-qoold.json",), ("-o", "old"), ("-o", "table=old"), ("-qo=old",)],
)
@pytest.mark.parametrize("wrong", [("--over", "nope"), ("--alpha", "x"), ("--none",)])
def test_however_the_file_is_named(
    folder: Path, words: tuple[str, ...], wrong: tuple[str, ...]
) -> None:
    for name in ("old", "old.json"):
        write_lines(folder / name, "passed: an older verdict")
    assert run("gate", "main=main.csv", "pr=pr.csv", *wrong, *words, folder=folder).code == 2
    name = "old.json" if "json" in words[-1] else "old"
    assert "could not be judged: " in (folder / name).read_text(encoding="utf-8")
