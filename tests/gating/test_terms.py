"""The terms of a gate are its baseline's; the rules that need no statistics; what it says."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bcompare
from tests.command import run
from tests.results import write_lines
from tests.screens import blocks, check

TERMS = Path(__file__).with_name("terms.txt")
FOLDS = (0.80, 0.81, 0.79, 0.82, 0.78, 0.80, 0.81, 0.79, 0.83, 0.80)


@pytest.mark.skipif(os.name == "nt", reason="needs a shell: run it on Linux or macOS")
@pytest.mark.parametrize("name", blocks(TERMS))
def test_only_what_is_said_to_pass_passes(name: str, tmp_path: Path) -> None:
    for outcome in check(TERMS, name, tmp_path):
        assert (outcome.code == 0) == ("passes" in name), outcome.out
        assert "passes" in name or not outcome.out.startswith(("passed", "undecided (passes)"))


def folds(path: Path, scores: Sequence[float], who: str = "b", dataset: str = "d") -> Path:
    """Write the folds of one classifier on one data set."""
    rows = (f"{dataset},{k},{who},{score}" for k, score in enumerate(scores))
    return write_lines(path, "dataset,fold,classifier,score", *rows)


def shifted(by: float) -> list[float]:
    return [round(score + by, 6) for score in FOLDS]


def test_items_in_no_random_order_pass_nothing() -> None:
    x = np.concatenate([np.ones(40), -np.ones(960)])
    rows = [(f"q{i}", "main", float(d < 0)) for i, d in enumerate(x)]
    rows += [(f"q{i}", "pr", float(d > 0)) for i, d in enumerate(x)]
    frame = pd.DataFrame(rows, columns=["item", "classifier", "score"])
    for baseline, other, outcome in (("main", "pr", "undecided"), ("pr", "main", "fail")):
        scores = bcompare.from_items(frame, "item", baseline=baseline)
        gate = bcompare.anytime(bcompare.gate(scores, baseline=baseline, candidate=other))
        (verdict,) = gate.verdicts
        assert gate.outcome == outcome
        assert np.isnan(verdict.interval).all()
        assert [note.code for note in gate.notes if note.severity == "warning"] == ["order"]


NAMES = (("@everyone", "@org/team"), ("https://a.example/x", "d"), ("www.example.org", "d"))


@pytest.mark.parametrize(("name", "dataset"), NAMES)
def test_names_are_no_mentions_and_no_links(tmp_path: Path, name: str, dataset: str) -> None:
    folds(tmp_path / "main.csv", FOLDS, "main", dataset)
    folds(tmp_path / "pr.csv", shifted(-0.1), name, dataset)
    gate = ("gate", "main.csv", "pr.csv", "--baseline", "main")
    for form in ("comment", "markdown"):
        out = run(*gate, "--format", form, folder=tmp_path).out
        assert not re.search(r"@\w|://|www\.", out)


RULES = Path(__file__).with_name("rules.txt")


@pytest.mark.skipif(os.name == "nt", reason="needs a shell: run it on Linux or macOS")
@pytest.mark.parametrize("name", blocks(RULES))
def test_what_a_gate_says(name: str, tmp_path: Path) -> None:
    check(RULES, name, tmp_path)


@pytest.mark.parametrize(
    ("unit", "scores"),
    [
        ("fold", [(1.0, 1.0)] * 6),  # saturated
        ("fold", [(0.8, 0.8)] * 4),  # too few
        ("item", [(0.5, 0.5)] * 12),  # answers with equal grades
        ("fold", [(0.8, 0.8)] * 5 + [(0.9, 0.9)]),  # they vary
    ],
)
def test_scores_that_may_be_equal_by_chance_are_no_numbers(
    unit: str, scores: list[tuple[float, float]]
) -> None:
    rows = [
        (at, who, score)
        for at, both in enumerate(scores)
        for who, score in zip(("main", "pr"), both, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=[unit, "classifier", "score"])
    read = (
        bcompare.from_frame(frame.assign(dataset="d", run=1))
        if unit == "fold"
        else bcompare.from_items(frame, "item")
    )
    (verdict,) = bcompare.gate(read, baseline="main").verdicts
    assert not verdict.exact
