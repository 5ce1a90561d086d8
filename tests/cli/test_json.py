"""The numbers in JSON, and those of test items; which keys there are is tested with the schema."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bcompare.methods import METHODS
from tests.command import run
from tests.results import HEADER, small_csv, write_lines


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("json") / "results.csv"
    names = tuple(f"set-{i}" for i in range(6))
    return small_csv(path, {"tree": 0.0, "forest": 0.04, "bayes": -0.05}, names)


def document(command: str, results: Path, *options: str) -> dict[str, Any]:
    outcome = run(command, results, "--format", "json", *options)
    assert outcome.code == 0
    result: dict[str, Any] = json.loads(outcome.out)
    return result


@pytest.mark.parametrize("command", METHODS)
def test_csv_and_json_hold_the_same_numbers(command: str, results: Path) -> None:
    comparisons = document(command, results)["comparisons"]
    table = list(csv.DictReader(StringIO(run(command, results, "--format", "csv").out)))
    if command == "ttest":
        records = [dataset for comparison in comparisons for dataset in comparison["datasets"]]
    else:
        records = comparisons
    assert len(table) == len(records)
    for row, record in zip(table, records, strict=True):
        for key in ("p_left", "p_rope", "p_right", "mean_difference"):
            assert float(row[key]) == record[key]
        assert float(row["nhst_p_holm"]) == record["nhst"]["p_holm"]


def test_infinite_statistics_are_null(tmp_path: Path) -> None:
    rows = [f"d,1,{fold},{name},{score}" for fold in range(1, 6) for name, score in
            (("a", 0.5), ("b", 0.6))]  # fmt: skip
    path = write_lines(tmp_path / "constant.csv", HEADER, *rows)
    dataset = document("ttest", path)["comparisons"][0]["datasets"][0]
    assert dataset["nhst"]["statistic"] is None
    assert dataset["nhst"]["p_value"] == 0


ITEMS = ("--col", "item=item", "--col", "epoch=epoch", "--col", "classifier=model")


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """60 items in 12 passages, each asked twice of two models."""
    rng = np.random.default_rng(1)
    rows = [
        f"q{i},{epoch},p{i // 5},{model},{int(rng.random() < share)}"
        for i in range(60)
        for epoch in (1, 2)
        for model, share in (("a", 0.6), ("b", 0.7))
    ]
    return write_lines(tmp_path / "answers.csv", "item,epoch,passage,model,score", *rows)


@pytest.mark.parametrize(
    ("more", "words", "clusters"),
    [
        ((), "60 items · 2 answers per item", None),
        (("--col", "cluster=passage"), "60 items · 12 clusters · 2 answers per item", 12),
    ],
)
def test_the_settings_name_items_epochs_and_clusters(
    more: tuple[str, ...], words: str, clusters: int | None, answers: Path
) -> None:
    table = run("ttest", answers, *ITEMS, *more, "--details").out
    assert words in table.splitlines()[-1]
    assert "scores per data set" not in table
    document = json.loads(run("ttest", answers, *ITEMS, *more, "--format", "json").out)
    result = {key: document["input"][key] for key in ("items", "clusters", "answers_an_item")}
    assert result == {"items": 60, "clusters": clusters, "answers_an_item": 2.0}


def test_a_test_for_contrast_is_shown_once(answers: Path) -> None:
    table = run("ttest", answers, *ITEMS, "--details").out
    assert sum(line.startswith(" paired t-test") for line in table.splitlines()) == 1
