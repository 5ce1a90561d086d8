"""What evaluators of models write is read without a word.

The files in written_by/ are the programs' own (promptfoo 0.120.0, inspect-ai 0.3.285, deepeval
4.3.1, Every Eval Ever 0.2.3rc1 from a log of Inspect); the others are built here after the schema
that their programs document or write.
"""

import json
import os
import sys
from collections import defaultdict
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest

from bcompare.reading.read import read_scores
from tests.command import refused, run
from tests.reading.written import as_file, facts
from tests.screens import blocks, check

WRITTEN = Path(__file__).parent / "written_by"

Trials = dict[tuple[str, str], list[float | None]]
"""(model, item) → the scores of its epochs, None of those that failed."""


def read(folder: Path | str, **options: Any) -> Trials:
    """What is read, an epoch a value, by way of a frame of means."""
    scores = read_scores(str(folder), **options)
    return {
        (name, str(i)): [float(value)]
        for dataset in scores.datasets
        for i, row in enumerate(dataset.table)
        for name, value in zip(scores.classifiers, row, strict=True)
    }


def means(trials: Trials) -> dict[str, list[float]]:
    """Each model's sorted item means, over items of which every trial has a score."""
    bad = {item for (_, item), values in trials.items() if None in values}
    result = defaultdict(list)
    for (model, item), values in trials.items():
        if item not in bad:
            result[model].append(float(np.mean([v for v in values if v is not None])))
    return {model: sorted(values) for model, values in result.items()}


# What is in the files: of each model and item the scores of its epochs.
TRIALS: dict[str, dict[str, dict[str, list[float | None]]]] = {
    "promptfoo": {
        "echo": {"q1": [1, 1], "q2": [1, 1], "q3": [1, 1], "q4": [1, 1]},
        "flaky": {"q1": [1, 1], "q2": [0, 0], "q3": [None, None], "q4": [0, 0]},
    },
    "deepeval": {
        "alpha": {"q0": [0.2], "q1": [0.4], "q2": [0.6], "q3": [0.2], "q4": [0.4]},
        "beta": {"q0": [0.2], "q1": [0.4], "q2": [0.2], "q3": [None], "q4": [0.2]},
    },
    "every_eval_ever": {
        "openai/openai/gpt-0": {
            "q0": [0, 0], "q1": [0.5, 0.5], "q2": [0, 0], "q3": [0.5, 0.5], "q4": [0, 0],
            "q5": [0, 0],
        },
        "openai/openai/gpt-1": {
            "q0": [1, 1], "q1": [0, 0], "q2": [0.5, 0.5], "q3": [1, None], "q4": [1, 1],
            "q5": [0.5, 0.5],
        },
    },
    "inspect": {
        "mockllm/alpha": {
            "q0": [0, 0], "q1": [0, 1], "q2": [0, 0], "q3": [1, 0], "q4": [0, 0], "q5": [0, 0],
        },
        "mockllm/beta": {
            "q0": [1, 1], "q1": [0, 0], "q2": [0, 1], "q3": [1, None], "q4": [1, 1], "q5": [1, 0],
        },
    },
}  # fmt: skip
REAL = (*TRIALS, "promptfoo/results.json", "inspect-frame/samples.csv")


def in_the_file(path: str) -> Trials:
    """The trials that the file holds."""
    program = path.partition("/")[0].removesuffix("-frame")
    of_models = TRIALS[program].items()
    return {(model, item): own for model, items in of_models for item, own in items.items()}


@pytest.mark.parametrize("path", REAL)
def test_a_real_file_is_recognised_and_its_failed_trials_are_refused(path: str) -> None:
    trials = in_the_file(path)
    failed = {model for (model, _), values in trials.items() if None in values}
    count = sum(values.count(None) for values in trials.values())
    total = sum(map(len, trials.values()))
    error = refused(run("ttest", str(WRITTEN / path)))
    assert f"{count} of {total} trials without a score: {failed.pop()} {count} (" in error
    assert "--failed drop" in error


@pytest.mark.parametrize("path", REAL)
def test_a_real_file_gives_the_scores_that_are_in_it(path: str) -> None:
    whole = in_the_file(path)
    result = means(read(WRITTEN / path, failed="drop"))
    assert result == {model: pytest.approx(v) for model, v in means(whole).items()}
    filled: Trials = {
        key: [0.25 if value is None else value for value in values] for key, values in whole.items()
    }
    result = means(read(WRITTEN / path, failed=0.25))
    assert result == {model: pytest.approx(v) for model, v in means(filled).items()}


# Made after their schemas

PROGRAMS = Path(__file__).with_name("programs.txt")


@pytest.mark.skipif(os.name == "nt", reason="needs a shell: run it on Linux or macOS")
@pytest.mark.parametrize("name", blocks(PROGRAMS))
def test_what_programs_write_is_read_without_a_word(name: str, tmp_path: Path) -> None:
    check(PROGRAMS, name, tmp_path)


def test_details_of_lighteval(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="needs pyarrow: pip install pyarrow")
    for k, model in enumerate(("base", "tuned")):
        folder = tmp_path / "details" / "org" / model / "2026-01-01T12-00-00"
        folder.mkdir(parents=True)
        rows = [
            {
                "doc": {"id": str(i), "task_name": "lighteval|arc|0", "query": "?"},
                "metric": {"acc": float((i + k) % 3 == 0), "em": 0.5},
                "model_response": {"text": ["x"]},
            }
            for i in range(12)
        ]
        path = folder / "details_lighteval|arc|0_2026-01-01T12-00-00.parquet"
        pd.DataFrame(rows).to_parquet(path)
    scores = read_scores(str(tmp_path))
    assert (scores.classifiers, scores.datasets[0].name) == (("base", "tuned"), "lighteval|arc|0")
    assert scores.datasets[0].table.mean(axis=0).tolist() == [4 / 12, 4 / 12]
    assert "several-measures" in {note.code for note in scores.notes}
    chosen = read_scores(str(tmp_path), score_col="metric.em")
    assert chosen.datasets[0].table.mean() == 0.5


INSPECT = ["eval_id", "task_name", "model", "id", "epoch", "input", "score_match"]


def inspect_rows() -> list[list[str]]:
    return [
        ["e", "gsm8k", name, f"q{i}", str(epoch), "…", "CIPN"[(i * epoch + k) % 4]]
        for i in range(10)
        for epoch in (1, 2)
        for k, name in enumerate(("a", "b"))
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.eval", b"PK\x03\x04 and so on"),
        ("x.json", b'{"version": 2, "status": "success", "eval": {}, "plan": {}, "results": {}}'),
    ],
)
def test_a_log_of_inspect_is_read_by_inspect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes
) -> None:
    """With a stand-in for Inspect, whose samples_df gives such frames."""
    path = tmp_path / name
    path.write_bytes(content)
    asked = []

    def samples_df(log: str, *, columns: list[str], quiet: bool) -> pd.DataFrame:
        asked.append((log, columns, quiet))
        return pd.DataFrame(inspect_rows(), columns=INSPECT)

    analysis = ModuleType("inspect_ai.analysis")
    vars(analysis).update(
        EvalTask=["t"], EvalModel=["m"], SampleSummary=["s"], samples_df=samples_df
    )
    monkeypatch.setitem(sys.modules, "inspect_ai", ModuleType("inspect_ai"))
    monkeypatch.setitem(sys.modules, "inspect_ai.analysis", analysis)
    scores = read_scores(str(path), preset="inspect", score_col="score_match")
    assert asked == [(str(path), ["t", "m", "s"], True)]
    table = as_file([INSPECT, *inspect_rows()])
    assert facts(scores) == facts(read_scores(table, preset="inspect", score_col="score_match"))


@pytest.mark.parametrize(("more", "fewer"), [(200, 12), (40, 33), (7, 6), (30, 3)])
def test_the_times_of_calibrated_benchmarks_lie_evenly_over_all(
    tmp_path: Path, more: int, fewer: int
) -> None:
    for name, count in (("old", more), ("new", fewer)):
        times = [float(i) for i in range(1, count + 1)]  # each says where it stands
        document = {"results": [{"command": "sort", "mean": 1, "times": times}]}
        (tmp_path / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
    scores = read_scores(tmp_path / "old.json", tmp_path / "new.json")
    old, new = -scores.datasets[0].table.T
    assert new.tolist() == [*range(1, fewer + 1)]
    around = np.concatenate([[0.0], old, [more + 1.0]])
    gaps, share = np.diff(around), more / fewer
    assert gaps[0] >= share / 2
    assert gaps.max() <= share + 1


def test_a_judge_that_failed_gives_no_score(tmp_path: Path) -> None:
    rows = [
        {"question_id": q, "model": who, "judge": ["j", "single-v1"], "turn": turn, "score": score}
        for who, scores in (("a", (7, 8, 9)), ("b", (6, -1, 8)))
        for q, score in enumerate(scores, 81)
        for turn in (1, 2)
    ]
    file = tmp_path / "judgements.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    refusal = refused(run("ttest", file, "--rope", "0.1"))
    assert "2 of 12 trials without a score: b 2 (the judge failed)" in refusal
    scores = read_scores(file, failed=1.0)
    assert scores.is_clustered
    assert not scores.lower_is_better
    assert scores.datasets[0].table.tolist() == [[7, 6], [8, 1], [9, 8]]
