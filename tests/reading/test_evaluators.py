"""What evaluators of language models and spreadsheets have: JSON Lines, JSON, Excel, patterns."""

import io
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pytest

from bcompare.basis.arguments import as_options
from bcompare.reading.presets import preset_options, recognised
from bcompare.reading.read import read_scores
from tests.reading.written import Results, as_file, as_json_lines, canonical, facts

SMALL = Results(("iris", "wine"), 2, 3, ("nbc", "aode"), [0.5 + i / 128 for i in range(24)])


def test_numbers_truth_values_and_objects_inside_objects() -> None:
    rows = [
        {"id": i, "model": {"name": name}, "graded": {"correct": (i + k) % 3 == 0}}
        for i in range(12)
        for k, name in enumerate(("a", "b"))
    ]
    scores = read_scores(
        io.BytesIO(as_json_lines(rows).encode()),
        item_col="id",
        classifier_col="model.name",
        score_col="graded.correct",
    )
    assert (scores.unit, scores.classifiers) == ("item", ("a", "b"))
    assert scores.datasets[0].table[:3].tolist() == [[1, 0], [0, 0], [0, 1]]


# promptfoo, Inspect


INSPECT = ["eval_id", "task_name", "model", "id", "epoch", "input", "score_match"]


def inspect_rows() -> list[list[str]]:
    return [
        ["e", "gsm8k", name, f"q{i}", str(epoch), "…", "CIPN"[(i * epoch + k) % 4]]
        for i in range(10)
        for epoch in (1, 2)
        for k, name in enumerate(("a", "b"))
    ]


def test_inspect() -> None:
    assert recognised(INSPECT) == "inspect"
    assert (
        as_options(preset_options("inspect", INSPECT)) == "--preset inspect --col score=score_match"
    )
    table = as_file([INSPECT, *inspect_rows()])
    scores = read_scores(table, preset="inspect", score_col="score_match")
    assert (scores.unit, scores.datasets[0].name, scores.rows) == ("item", "gsm8k", 40)
    assert scores.datasets[0].table[:3].tolist() == [[1, 0], [0.25, 0.25], [0.75, 0]]


def test_a_log_of_inspect_is_read_by_inspect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a stand-in for Inspect, whose samples_df gives such frames."""
    path = tmp_path / "x.eval"
    path.write_bytes(b"PK\x03\x04 and so on")
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


# Excel


def workbook(path: Path, **sheets: list[list[Any]]) -> str:
    openpyxl = pytest.importorskip("openpyxl", reason="needs openpyxl: pip install openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return str(path)


MEANS: list[list[Any]] = [
    ["data", "nbc", "aode"],
    ["iris", 0.9, 0.8],
    ["wine", 0.7, None],
    ["glass", 1, 0.5],
]


def test_a_workbook(tmp_path: Path) -> None:
    one = workbook(tmp_path / "one.xlsx", means=MEANS)
    scores = read_scores(one, preset="means")
    text = [["" if cell is None else str(cell) for cell in row] for row in MEANS]
    assert facts(scores) == facts(read_scores(as_file(text), preset="means"))
    two = workbook(tmp_path / "two.xlsx", notes=[["a"]], means=MEANS)
    assert facts(read_scores(two, preset="means", sheet="means")) == facts(scores)


# Patterns


def test_patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header, *rows = canonical(SMALL).table
    for name in SMALL.classifiers:
        (tmp_path / name).mkdir()
        for dataset in SMALL.datasets:
            own = [[row[1], row[2], row[4]] for row in rows if (row[0], row[3]) == (dataset, name)]
            content = as_file([["run", "fold", "score"], *own]).read()
            (tmp_path / name / f"{dataset}.csv").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    expected = facts(read_scores(as_file([header, *rows])))

    assert facts(read_scores("nbc=nbc/*.csv", "aode=aode/*.csv")) == expected
    assert facts(read_scores(f"nbc={tmp_path}/nbc/*.csv", "aode=aode/[iw]*.csv")) == expected
    (tmp_path / "a*b.csv").write_bytes(as_file([header, *rows]).read())
    assert facts(read_scores("a*b.csv")) == expected
