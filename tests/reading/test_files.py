"""Files that are no CSV, and several by one name: JSON Lines, Excel, patterns."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bcompare.basis.messages import InputError
from bcompare.reading.read import read_scores
from tests.command import refused, run
from tests.reading.written import SMALL, as_file, canonical, facts

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
    one = workbook(tmp_path / "one.xlsx", means=[["Table 3: a title"], [], *MEANS])
    scores = read_scores(one, preset="means")
    text = [["" if cell is None else str(cell) for cell in row] for row in MEANS]
    assert facts(scores) == facts(read_scores(as_file(text), preset="means"))
    two = workbook(tmp_path / "two.xlsx", notes=[["a"]], means=MEANS)
    assert facts(read_scores(f"{two}#means", preset="means")) == facts(scores)


def test_each_sheet_of_a_workbook_is_a_classifier(tmp_path: Path) -> None:
    rows = {"old": (0.7, 0.8, 0.75), "new": (0.6, 0.9, 0.7)}
    sheets: dict[str, list[list[Any]]] = {
        name: [["fold", "score"], *([k, score] for k, score in enumerate(scores))]
        for name, scores in rows.items()
    }
    book = workbook(tmp_path / "book.xlsx", **sheets)
    named = read_scores(f"{book}#old", f"{book}#new", rho=0.1)
    assert named.classifiers == ("old", "new")
    np.testing.assert_array_equal(named.datasets[0].table, np.transpose(list(rows.values())))
    labelled = read_scores(f"a={book}#old", f"b={book}#new", rho=0.1)
    assert labelled.classifiers == ("a", "b")
    with pytest.raises(InputError, match="named twice"):
        read_scores(f"a={book}#old", f"b={book}#old")
    marked = workbook(tmp_path / "x#old.xlsx", only=sheets["old"])  # a name may have a #
    assert read_scores(marked, lone=True, rho=0.1).classifiers == ("x#old",)
    outcome = run("ttest", f"{book}#old", "-o", f"csv={book}", folder=tmp_path)
    assert "that file is read" in refused(outcome)


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

    for nbc, aode in (("nbc/*.csv", "aode/*.csv"), (f"{tmp_path}/nbc/*.csv", "aode/[iw]*.csv")):
        assert facts(read_scores(f"nbc={nbc}", f"aode={aode}", "j48=j48/*.csv")) == expected
    (tmp_path / "a*b.csv").write_bytes(as_file([header, *rows]).read())
    assert facts(read_scores("a*b.csv")) == expected


# One file for each model, which names it in a column


def answers(path: Path, model: str, *, dataset: str = "", timeout: object = "TIMEOUT") -> Path:
    """JSON Lines of the answers of a model to 40 items, three of which timed out."""
    rng = np.random.default_rng([*map(ord, model)])
    rows = []
    for i in range(40):
        score = timeout if i % 13 == 12 else int(rng.random() < 0.6)
        row = {"model": model, "item": f"q{i}", "score": score}
        rows.append(json.dumps(row | ({"dataset": dataset} if dataset else {})))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_files_of_one_model_each_stand_together(tmp_path: Path) -> None:
    files = [answers(tmp_path / f"{name}.jsonl", name, timeout=0) for name in ("a", "b", "c")]
    scores = read_scores(*files, classifier_col="model", item_col="item")
    whole = tmp_path / "whole.jsonl"
    whole.write_text("".join(file.read_text("utf-8") for file in files), encoding="utf-8")
    expected = read_scores(whole, classifier_col="model", item_col="item")
    assert scores.classifiers == expected.classifiers == ("a", "b", "c")
    assert [dataset.name for dataset in scores.datasets] == ["results"]
    assert scores.datasets[0].table.tolist() == expected.datasets[0].table.tolist()
    assert read_scores(*files).classifiers == ("a", "b", "c")  # by the names of its columns


def test_files_of_several_models_are_a_data_set_each(tmp_path: Path) -> None:
    for k in range(2):
        halves = [answers(tmp_path / "half.jsonl", name, timeout=k) for name in ("a", "b")]
        text = "".join(
            answers(half, name, timeout=k).read_text("utf-8")
            for half, name in zip(halves, ("a", "b"), strict=True)
        )
        (tmp_path / f"set{k}.jsonl").write_text(text, encoding="utf-8")
    files = [tmp_path / f"set{k}.jsonl" for k in range(2)]
    scores = read_scores(*files, classifier_col="model", item_col="item")
    assert [dataset.name for dataset in scores.datasets] == ["set0", "set1"]


def test_a_column_of_data_sets_is_believed(tmp_path: Path) -> None:
    files = [
        answers(tmp_path / f"{name}.jsonl", name, dataset=f"set {name}", timeout=0)
        for name in ("a", "b")
    ]
    with pytest.raises(InputError, match="no data set has scores of two classifiers"):
        read_scores(*files, classifier_col="model", item_col="item", dataset_col="dataset")


def test_files_of_the_same_model_do_not_stand_together(tmp_path: Path) -> None:
    files = [answers(tmp_path / f"{k}.jsonl", "a", timeout=0) for k in range(2)]
    with pytest.raises(InputError):
        read_scores(*files, classifier_col="model", item_col="item")


@pytest.mark.parametrize("timeout", ["TIMEOUT", "timed out", "Time_out", "", None])
def test_a_timeout_is_a_trial_without_a_score(tmp_path: Path, timeout: str | None) -> None:
    names = ("a", "b", "c")
    files = [answers(tmp_path / f"{name}.jsonl", name, timeout=timeout) for name in names]
    options: dict[str, Any] = {"classifier_col": "model", "item_col": "item"}
    with pytest.raises(InputError, match="say --failed worst or --failed SCORE"):
        read_scores(*files, **options)
    scores = read_scores(*files, **options, failed="worst")
    assert scores.account.assumed == dict.fromkeys(names, 3)
    assert scores.account.assumed_score == 0
    zero = [answers(tmp_path / f"{name}.jsonl", name, timeout=0) for name in names]
    expected = read_scores(*zero, **options)
    assert scores.datasets[0].table.tolist() == expected.datasets[0].table.tolist()
