"""The numbers in JSON; which keys there are is tested with the schema."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from bcompare.methods import METHODS
from tests.command import run
from tests.results import small_csv


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


def test_also_holds_the_other_tests(results: Path) -> None:
    also = document("sign", results, "--also")["comparisons"][0]["also"]
    assert {entry["test"] for entry in also} == set(METHODS) - {"ttest", "sign"}


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
    path = tmp_path / "constant.csv"
    path.write_text("dataset,run,fold,classifier,score\n" + "\n".join(rows), encoding="utf-8")
    dataset = document("ttest", path)["comparisons"][0]["datasets"][0]
    assert dataset["nhst"]["statistic"] is None
    assert dataset["nhst"]["p_value"] == 0


def test_rank_holds_every_pair_by_its_own_posterior(results: Path) -> None:
    result = document("rank", results)
    assert result["settings"]["test"] is None
    for pair in result["comparisons"]:
        assert pair["p_left"] + pair["p_rope"] + pair["p_right"] == pytest.approx(1)
