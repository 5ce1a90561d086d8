"""JSON of any shape: its records are found; benchmarks of programs are seconds."""

import json
from pathlib import Path
from typing import Any

import pytest

from bcompare.basis.messages import InputError
from bcompare.files.documents import flat_rows, records_in, without_aggregates
from bcompare.reading.read import read_scores
from tests.command import refused, run

TIMES = {"main": 1.0, "pr": 1.2}


def wrong(i: int, k: int) -> int:
    return (i * (k + 2)) % 3 % 2


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


def pytest_benchmark(factor: float) -> str:
    tests = [
        {
            "fullname": f"t.py::{name}",
            "stats": {"mean": 9, "data": [factor * (k + i / 50) for i in range(12)]},
        }
        for k, name in enumerate(("parse", "write"), 1)
    ]
    return json.dumps({"machine_info": {}, "commit_info": {}, "benchmarks": tests})


def google_benchmark(factor: float) -> str:
    rows: list[dict[str, object]] = []
    for k, name in enumerate(("BM_parse/8", "BM_write"), 1):
        rows += [
            {"name": name, "run_name": name, "run_type": "iteration", "repetition_index": i,
             "real_time": 1000 * factor * (k + i / 50), "time_unit": "ms"}
            for i in range(12)
        ]  # fmt: skip
        rows.append({"name": f"{name}_mean", "run_name": name, "run_type": "aggregate",
                     "aggregate_name": "mean", "real_time": 9.0, "time_unit": "ms"})  # fmt: skip
    return json.dumps({"context": {"date": "d"}, "benchmarks": rows})


def go(factor: float) -> str:
    lines = [
        f"Benchmark{name}-8   \t     100\t{1e9 * factor * (k + i / 50):12.0f} ns/op\t 12 B/op"
        for k, name in enumerate(("Parse", "Write"), 1)
        for i in range(12)
    ]
    return "\n".join(["goos: linux", "pkg: x", *lines, "PASS", "ok x 1.2s", ""])


@pytest.mark.parametrize(
    ("made", "preset"),
    [
        (pytest_benchmark, "pytest-benchmark"),
        (google_benchmark, "google-benchmark"),
        (go, "go-bench"),
    ],
)
def test_benchmarks_are_seconds_and_fewer_are_better(
    made: Any, preset: str, tmp_path: Path
) -> None:
    for name, factor in TIMES.items():
        (tmp_path / name).write_text(made(factor), encoding="utf-8")
    files = [f"{name}={tmp_path / name}" for name in TIMES]
    scores = read_scores(*files)
    assert scores.lower_is_better
    assert scores.classifiers == ("main", "pr")
    assert [d.table.shape for d in scores.datasets] == [(12, 2)] * 2
    first = scores.datasets[0].table[:, 1]
    assert (-first).tolist() == pytest.approx([1.2 * (1 + i / 50) for i in range(12)])
    assert f"--preset {preset}" in scores.notes[0].text
    assert run("gate", *files, "--baseline", "main", "--metric", "seconds: 5%").code == 4


def test_a_line_of_go_s_benchmarks_keeps_its_number(tmp_path: Path) -> None:
    (tmp_path / "main").write_text(go(1.0).replace("Parse-8", "Write-8", 1), encoding="utf-8")
    (tmp_path / "pr").write_text(go(1.0), encoding="utf-8")
    message = refused(run("ttest", f"main={tmp_path / 'main'}", f"pr={tmp_path / 'pr'}"))
    assert "13" in message


def test_benchmarks_without_their_data_say_so(tmp_path: Path) -> None:
    document = json.loads(pytest_benchmark(1.0))
    del document["benchmarks"][0]["stats"]["data"]
    (tmp_path / "r.json").write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InputError, match="--benchmark-save-data"):
        read_scores(f"main={tmp_path / 'r.json'}")


def test_evalplus_tells_which_answers_pass(tmp_path: Path) -> None:
    for k, name in enumerate("ab"):
        answers = {
            f"HumanEval/{i}": [
                {"base_status": "pass", "plus_status": ("pass", "fail")[wrong(i, k)]}
            ]
            for i in range(20)
        }
        report = {"date": "d", "hash": "h", "eval": answers}
        (tmp_path / f"{name}.json").write_text(json.dumps(report), encoding="utf-8")
    scores = read_scores(tmp_path / "a.json", tmp_path / "b.json")
    assert scores.items == 20
    assert scores.datasets[0].name == "HumanEval"
    assert scores.datasets[0].table[:, 0].tolist() == [1 - wrong(i, 0) for i in range(20)]
