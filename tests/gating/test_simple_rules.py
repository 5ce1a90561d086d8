"""The rules of a gate that need no statistics: numbers, advice, headlines, and their messages."""

import os
from pathlib import Path

import pandas as pd
import pytest

import bcompare
from tests.screens import blocks, check

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
