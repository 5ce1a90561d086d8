"""JSON of any shape: its records are found; benchmarks of programs are seconds."""

import json
from pathlib import Path
from typing import Any

import pytest

from bcompare.files.documents import flat_rows, records_in, without_aggregates
from bcompare.reading.read import read_scores

ANSWERS: list[dict[str, Any]] = [
    {"case": {"id": f"c{i}"}, "model": name, "metrics": {"dice": round(0.5 + i / 90 + k / 9, 4)}}
    for i in range(20)
    for k, name in enumerate("ab")
]


@pytest.mark.parametrize(
    "document",
    [
        ANSWERS,
        {"about": {"v": 1}, "cases": ANSWERS},
        {
            "labels": [{"n": i, "text": "x"} for i in range(99)],
            "out": {"inner": {"cases": ANSWERS}},
        },
        {str(i): row for i, row in enumerate(ANSWERS)},
        {"out": {"rows": {str(i): row for i, row in enumerate(ANSWERS)}}},
        {
            "case.id": [str(row["case"]["id"]) for row in ANSWERS],
            "model": [row["model"] for row in ANSWERS],
            "metrics.dice": [row["metrics"]["dice"] for row in ANSWERS],
        },
    ],
)
def test_records_are_found_wherever_they_are(document: Any, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(json.dumps(document), encoding="utf-8")
    options: dict[str, Any] = {
        "item_col": "case.id",
        "classifier_col": "model",
        "score_col": "metrics.dice",
    }
    scores = read_scores(tmp_path / "r.json", **options)
    assert scores.classifiers == ("a", "b")
    assert scores.datasets[0].table[7].tolist() == pytest.approx(
        [0.5 + 7 / 90, 0.5 + 7 / 90 + 1 / 9], abs=1e-4
    )


def test_the_keys_of_records_are_a_column() -> None:
    assert records_in({"a": {"f": "x", "n": 1}, "b": {"f": "y", "n": 2}}) == [
        {"key": "a", "f": "x", "n": 1},
        {"key": "b", "f": "y", "n": 2},
    ]


def test_metrics_inside_objects_are_columns() -> None:
    nested = {m: {d: {"acc": 0.5, "f1": 0.25} for d in ("x", "y")} for m in ("svm", "knn")}
    assert records_in(nested)[1] == {"level 1": "svm", "level 2": "y", "acc": 0.5, "f1": 0.25}
    timed = {m: {"fit_time": [1.0, 2.0, 3.0], "test_f1": [0.5, 0.6, 0.7]} for m in ("svm", "knn")}
    assert records_in(timed)[4] == {"level 1": "knn", "fold": 2, "fit_time": 2.0, "test_f1": 0.6}


@pytest.mark.parametrize("document", [[], {}, {"a": [1, 2]}, [1, 2], {"a": [{}, 1]}, "x"])
def test_what_has_no_records_has_none(document: object) -> None:
    assert records_in(document) in ([], [{}])


def test_a_list_of_numbers_is_the_repetitions_of_its_record() -> None:
    records = [
        {"name": n, "codes": [0, 0], "stats": {"data": [k, k + 1]}} for k, n in enumerate("ab")
    ]
    assert flat_rows(records)[3] == {"name": "b", "codes": 0, "repetition": 2, "stats.data": 2}
    scored = [{"name": "a", "score": 0.5, "embedding": [0.1, 0.2]}]
    assert flat_rows(scored) == [{"name": "a", "score": 0.5, "embedding": "[0.1, 0.2]"}]
    ragged = [{"times": [1, 2]}, {"times": [1, 2, 3]}]
    assert len(flat_rows(ragged)) == 2


def test_aggregates_next_to_single_records_are_left_out() -> None:
    single = {"name": "a", "value": 1}
    summed = single | {"aggregate_name": "stddev"}
    assert without_aggregates([single, summed]) == ([single], 1)
    assert without_aggregates([summed]) == ([summed], 0)
