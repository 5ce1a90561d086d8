"""The study of other tools: its truths, what it asks of each, and a tool that is missing."""

import json
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from studies import peers
from studies.peers import DESIGNS, OURS, SHIFT, Answer, answers, asked, installed, side_by_side
from studies.run import RESULTS

README = Path(__file__).parents[2] / "README.md"


def test_the_readme_has_the_figures_of_the_study() -> None:
    lines = json.loads((RESULTS / "peers.json").read_text("utf-8"))["lines"]
    figures = {line["what"]: f"{100 * line['ours']:.1f} %" for line in lines}
    text = README.read_text("utf-8")
    (header,) = (line for line in text.splitlines() if line.startswith("| | bcompare"))
    (rates,) = (line for line in text.splitlines() if line.startswith("| equal models"))
    names, cells = ([cell.strip() for cell in line.split("|")] for line in (header, rates))
    for tool in dict.fromkeys(line["series"] for line in lines):
        if not tool.startswith("bcompare's"):
            name = "bcompare" if tool.startswith("bcompare") else tool
            expected = [
                figures[f"{tool}, {design}: type-I error"]
                for design in ("100 items", "20 passages × 5 items")
            ]
            assert cells[names.index(name)] == "; ".join(expected)


@pytest.mark.parametrize("shift", [0.0, SHIFT])
def test_the_models_differ_by_the_shift(shift: float) -> None:
    rng = np.random.default_rng(1)
    for design in DESIGNS:
        frames = [answers(design, shift, rng) for _ in range(150)]
        each = [f.groupby("model")["score"].mean() for f in frames]
        differences = np.array([means["tuned"] - means["base"] for means in each])
        error = differences.std() / np.sqrt(len(differences))
        assert differences.mean() == pytest.approx(shift, abs=4 * error)
        keys = frames[0][["item", "epoch", "model"]]
        assert len(keys.drop_duplicates()) == len(keys) == 2 * design.items * design.epochs
        assert frames[0]["passage"].nunique() == design.passages


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_each_installed_tool_sees_a_large_difference_with_its_sign(design: peers.Design) -> None:
    frame = answers(design, 0.0, np.random.default_rng(2))
    better = frame.assign(score=np.where(frame["model"] == "tuned", 1.0, 0.0))
    better.loc[[0, 1], "score"] = 1.0  # else there is no spread at all
    for name in installed():
        result = asked(name, better, design)
        assert isinstance(result, Answer), (name, result)
        assert result.significant
        assert 0 < result.low <= result.high


def test_a_tool_that_is_not_installed_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(peers, "version", version)
    monkeypatch.setattr(
        peers,
        "in_parallel",
        lambda do, tasks, seed: [do(np.random.default_rng(seed), *task) for task in tasks],
    )
    lines = side_by_side(3, seed=1)
    words = [line.what for line in lines]
    for name in set(peers.TOOLS) - set(OURS):
        (reported,) = (text for text in words if text.startswith(name))
        assert "not installed" in reported
    assert any(text.startswith("bcompare's verdict") for text in words)


def test_a_refusal_is_an_answer() -> None:
    frame = answers(DESIGNS[0], 0.0, np.random.default_rng(3))
    absent = frame.assign(score=frame["score"].where(frame.index != 7))
    result = asked("bcompare", pd.DataFrame(absent), DESIGNS[0])
    assert isinstance(result, str)
    assert result.startswith("refuses: ")
