"""Every refusal of a command that needs no more than options: its message, and nothing else.

`refusals.txt` holds the command lines, each with what it says on standard error. To accept a
change, look at it, run with BCOMPARE_UPDATE_GOLDEN=1, and read the diff.
"""

import re
import shlex
from pathlib import Path

import pytest

from tests.command import run
from tests.golden import golden
from tests.results import HEADER, small_csv, write_lines

REFUSALS = Path(__file__).with_name("refusals.txt")
CASE = re.compile(r"^\$ bcompare (.*)\n((?:[^$#\n].*\n)*)", re.MULTILINE)
CASES = dict(CASE.findall(REFUSALS.read_text(encoding="utf-8")))
LOSS = ("left,0,1,1,1", "rope,1,0,1,1", "right,1,1,0,1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All files that the commands name."""
    result = tmp_path_factory.mktemp("refusals")
    small_csv(result / "results.csv", {"tree": 0.0, "forest": 0.04}, ("iris", "wine"))
    three = {"tree": 0.0, "forest": 0.04, "bayes": -0.05}
    small_csv(result / "three.csv", three, ("iris", "wine", "glass", "sonar", "zoo"))
    answers = [
        f"{item},{epoch},p{item // 5},all,{model},0.{item * (epoch + 3) * (k + 2) % 89 + 10}"
        for item in range(40)
        for epoch in range(3)
        for k, model in enumerate(("base", "tuned"))
    ]
    grades = [
        f"{i},{name},{(i * k) % 3 % 2}" for i in range(60) for k, name in ((1, "a"), (2, "b"))
    ]
    tables: dict[str, tuple[str, list[str]]] = {
        "twice-left.csv": ("truth,left,rope,right,none", ["left,1,1,1,1", *LOSS]),
        "unknown-truth.csv": ("truth,left,rope,right,none", ["foo,1,1,1,1", *LOSS]),
        "wide.csv": (
            ",".join(["dataset", *(f"c{k}" for k in range(40))]),
            [",".join([d, *(f"0.{k + 10}" for k in range(40))]) for d in ("x", "y", "z")],
        ),
        "metrics.csv": (
            f"{HEADER},metric",
            [f"d,1,{k},{c},0.{k},{m}" for k in (1, 2, 3) for c in "ab" for m in ("acc", "time")],
        ),
        "one-run.csv": (HEADER, [f"d,1,{k},{c},0.{k}" for k in range(5) for c in "ab"]),
        "items.csv": ("item,classifier,score", grades),
        "percent.csv": ("item,classifier,score", [f"{row}00" for row in grades]),
        "empty.csv": ("", []),
        "header.csv": (HEADER, []),
        "apart.csv": (HEADER, [f"{d},1,{k},{c},0.{k}" for d, c in ("xa", "yb") for k in (1, 2, 3)]),
        "folds.csv": (HEADER, [f"x,1,{k},{'ab'[k > 3]},0.5" for k in range(1, 7)]),
        "alone.csv": (HEADER, [f"x,1,{k},a,0.{k}" for k in (1, 2, 3)]),
        "answers.csv": ("item,epoch,passage,topic,classifier,score", answers),
        "gap.csv": ("item,epoch,passage,topic,classifier,score", answers[:-1]),
        "equal.csv": (
            "item,epoch,classifier,score",
            [f"{i},{e},{c},0.5" for i in range(20) for e in range(3) for c in "ab"],
        ),
        "no-history.jsonl": ('{"outcome": "pass"}', []),
    }
    for name, (header, rows) in tables.items():
        write_lines(result / name, header, *rows)
    return result


@pytest.mark.parametrize("command", CASES)
def test_what_cannot_be_is_refused(command: str, folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    outcome = run(*shlex.split(command), folder=folder)
    assert (outcome.code, outcome.out) == (2, "")
    line = f"$ bcompare {command}\n"
    text = REFUSALS.read_text(encoding="utf-8")
    assert line + outcome.err in golden(
        REFUSALS, text.replace(line + CASES[command], line + outcome.err)
    )
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
