"""The rules of a gate that need no statistics: numbers, advice, headlines, and their messages."""

import json
import os
import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bcompare
from tests.command import refused, run
from tests.screens import blocks, check

RULES = Path(__file__).with_name("rules.txt")


@pytest.mark.skipif(os.name == "nt", reason="needs a shell: run it on Linux or macOS")
@pytest.mark.parametrize("name", blocks(RULES))
def test_what_a_gate_says(name: str, tmp_path: Path) -> None:
    check(RULES, name, tmp_path)


def results(seed: int, sets: int = 6, **changed: float) -> pd.DataFrame:
    """Three seeds of five folds of one classifier. changed : factors by metric."""
    rng, level = np.random.default_rng(seed), np.random.default_rng(0)
    frames = []
    for d in range(sets):
        accuracy, time = level.uniform(0.7, 0.9), level.uniform(2, 20)
        run_of, fold = map(np.ravel, np.indices((3, 5)))
        frame = pd.DataFrame({"dataset": f"d{d}", "run": run_of, "fold": fold})
        frame["accuracy"] = (accuracy + rng.normal(0, 0.004, 15)).round(4)
        frame["fit_s"] = (time * np.exp(rng.normal(0, 0.01, 15))).round(4)
        frame["size_mb"] = 100 + 10 * d
        frames.append(frame)
    result = pd.concat(frames)
    for metric, factor in changed.items():
        result[metric] = result[metric] * factor
    return result


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, frame in {
        "main": results(1),
        "pr": results(2),
        "big": results(2, size_mb=1.05),
        "slow": results(2, fit_s=1.12),
        "new": results(2, sets=7),
        "both": results(2, fit_s=1.12, size_mb=1.05),
    }.items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    one = results(2)
    one.loc[one["dataset"] == "d2", "size_mb"] *= 1.05
    one.to_csv(tmp_path / "one.csv", index=False)
    return tmp_path


def gate(folder: Path, candidate: str, *metrics: str) -> tuple[str, ...]:
    spelled = [word for metric in metrics for word in ("--metric", metric)]
    sides = (str(folder / "main.csv"), str(folder / f"{candidate}.csv"))
    return "gate", *sides, "--baseline", "main", *spelled


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


def advised(error: str, option: str) -> list[str]:
    """The option that a message proposes, with its value, as a shell takes it."""
    (found,) = re.findall(rf"(--{option} (?:'[^']*'|\S+?))(?=[ ;,?)]|$)", error, re.MULTILINE)[:1]
    return shlex.split(found)


def test_advice_on_one_of_several_metrics_works_when_pasted(folder: Path) -> None:
    two = ("accuracy", "fit_s: lower, 5%")
    renamed = results(2).rename(columns={"accuracy": "acc"})
    for name, frame in (
        ("main", renamed),
        ("named", renamed),
        ("percent", results(2, accuracy=100)),
        ("crash", results(2).replace({"accuracy": {results(2)["accuracy"].iloc[3]: np.nan}})),
    ):
        if name != "main":
            frame.to_csv(folder / f"{name}.csv", index=False)
    err = refused(run(*gate(folder, "named", *two)))
    assert "metric accuracy: " in err
    alone = ("gate", folder / "named.csv", folder / "named2.csv", "--baseline", "named")
    renamed.to_csv(folder / "named2.csv", index=False)
    named = ("--metric", "accuracy", "--metric", "fit_s: lower, 5%")
    err = refused(run(*alone, *named))
    assert run(*alone, *advised(err, "metric"), *named[2:]).code == 0
    err = refused(run(*gate(folder, "percent", *two)))
    assert run(*gate(folder, "percent", *two), *advised(err, "scale")).code == 0
    both = ("gate", folder / "percent.csv", folder / "percent2.csv", "--baseline", "percent")
    results(3, accuracy=100).to_csv(folder / "percent2.csv", index=False)
    named = ("--metric", "accuracy", "--metric", "fit_s: lower, 5%")
    err = refused(run(*both, *named))
    assert run(*both, *named, *advised(err, "scale")).code == 0
    assert run(*both, *advised(err, "metric"), *named[2:]).code == 0
    err = refused(run(*gate(folder, "crash", *two)))
    assert advised(err, "failed") == ["--failed", "accuracy: zero"]
    assert run(*gate(folder, "crash", *two), *advised(err, "failed")).code in (0, 4)
    bounds = ("--failed", "accuracy: bounds")
    bounded = run(*gate(folder, "crash", *two), *bounds, "--format", "json")
    document = json.loads(bounded.out)
    assert {v["candidate"] for v in document["verdicts"]} == {"crash"}
    assert "of accuracy" in next(n["message"] for n in document["notes"] if n["code"] == "bounds")
    plain = run(*gate(folder, "pr", "accuracy", "fit_s"))
    assert "such as --metric 'fit_s: 5%' [narrow-rope]" in plain.err
    assert "percentages" not in plain.err
    lost = refused(run(*gate(folder, "nowhere", *two)))
    assert lost.count("nowhere.csv") == 1  # what is true of all metrics is said once
