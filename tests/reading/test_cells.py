"""Numbers as people write them, tables as papers print them, and items by the number of a row."""

import json
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest

from bcompare.basis.messages import InputError
from bcompare.files import text
from bcompare.files.cells import Written, number_in
from bcompare.reading.read import from_frame, read_scores
from tests.command import refused, run
from tests.reading.rows import as_file, make_rows
from tests.results import write_lines


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("91.2", Written(91.2)),
        ("-1e-3", Written(-0.001)),
        ("−0.5", Written(-0.5)),
        ("91.2±0.4", Written(91.2, more=True)),
        ("91.2 (0.4)", Written(91.2, more=True)),
        ("91.2 +/- 0.4", Written(91.2, more=True)),
        ("91.2 ± 0.4%", Written(91.2, percent=True, more=True)),
        ("91.2*", Written(91.2, more=True)),
        ("**91.2**", Written(91.2, more=True)),
        ("91.2%", Written(91.2, percent=True)),
        (r"91.2\,\%", None),
        (r"91.2\%", Written(91.2, percent=True)),
        ("1,234.5", Written(1234.5)),
        (r"\textbf{91.2}", Written(91.2, more=True)),
        (r"\textbf{91.2}$_{\pm 0.4}$", Written(91.2, more=True)),
        ("1,234", None),
        ("0,5", None),
        ("12-3", None),
        ("0.5 0.6", None),
        ("q1", None),
        ("", None),
    ],
)
def test_the_number_in_a_cell(cell: str, written: Written | None) -> None:
    assert number_in(cell) == written


def test_percent_signs_count_whether_or_not_percentages_are_declared() -> None:
    rows = [row.rpartition(",") for row in make_rows(1, 1, 5, ["nbc", "aode"])]
    plain = read_scores(as_file([f"{key},{float(x)}" for key, _, x in rows]))
    signs = [f"{key},{100 * float(x):.6f}%" for key, _, x in rows]
    for percent in (False, True):
        scores = read_scores(as_file(signs), percent=percent)
        np.testing.assert_allclose(scores.datasets[0].table, plain.datasets[0].table)


def test_deviations_are_noted_and_not_used() -> None:
    rows = [f"{row} ± 0.02" for row in make_rows(1, 1, 5, ["nbc", "aode"])]
    scores = read_scores(as_file(rows))
    assert [note.code for note in scores.notes].count("marks") == 1
    plain = read_scores(as_file(make_rows(1, 1, 5, ["nbc", "aode"])))
    np.testing.assert_array_equal(scores.datasets[0].table, plain.datasets[0].table)


def test_items_by_the_number_of_their_row(tmp_path: Path) -> None:
    file = as_file([f"{i % 2},{i % 3 // 2}" for i in range(12)], "gpt,claude")
    scores = read_scores(file, item_col="#", wide="(?P<classifier>gpt|claude)")
    (dataset,) = scores.datasets
    assert dataset.items == 12
    assert dataset.table[:, 0].tolist() == [i % 2 for i in range(12)]
    for name, start in (("gpt", 0), ("claude", 1)):
        lines = ["score", *(str((i + start) % 2) for i in range(12))]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    pair = read_scores(*(str(tmp_path / f"{n}.csv") for n in ("gpt", "claude")), item_col="#")
    assert (pair.datasets[0].table.sum(axis=1) == 1).all()


def test_rows_keep_their_numbers_under_conditions() -> None:
    rows = [f"{i},{'a' if i % 4 else 'b'},{i % 2},1" for i in range(12)]
    file = as_file(rows, "n,kind,gpt,claude")
    scores = read_scores(file, item_col="#", wide="(?P<classifier>gpt|claude)", where="kind=a")
    assert scores.datasets[0].items == 9


TABLES = {
    "r.md": "# Results\n\nOn all data:\n\n"
    "| Data | *knn* | **rf** |\n|:--|--:|--:|\n| a | 0.5 | **0.6** |\n"
    "| [b](x.html) | 0.7 | 0.8 |\n| c | 0.6* | 0.9 |\n\nText.\n",
    "r.tex": "\\begin{table}\n\\begin{tabular}{l|rr} % comment\n\\toprule\n"
    "Data & knn & \\textbf{rf} \\\\ \\midrule\na & 0.5 & \\textbf{0.6} \\\\[2pt]\n"
    "b & 0.7 & $0.8_{\\pm 0.1}$ \\\\\nc & 0.6 & 0.9 \\\\ \\bottomrule\n"
    "\\end{tabular}\n\\end{table}\n",
}


@pytest.mark.parametrize("name", TABLES)
def test_printed_tables(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(TABLES[name], encoding="utf-8")
    scores = read_scores(str(tmp_path / name), preset="means")
    assert scores.classifiers == ("knn", "rf")
    tables = {d.name: d.table.tolist() for d in scores.datasets}
    assert tables == {"a": [[0.5, 0.6]], "b": [[0.7, 0.8]], "c": [[0.6, 0.9]]}


def test_frames_and_large_files_are_read_like_small_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [f"d,1,{i // 2},{'ab'[i % 2]},9{i % 10}.{i} ± 0.4%" for i in range(20)]
    outcomes = [from_frame(pd.read_csv(as_file(rows)))]
    for least in (0, 1 << 20):
        monkeypatch.setattr(text, "SMALL_BYTES", least)
        outcomes.append(read_scores(as_file(rows)))
    tables = [outcome.datasets[0].table.tobytes() for outcome in outcomes]
    assert len(set(tables)) == 1
    for outcome in outcomes:
        (note,) = (note for note in outcome.notes if note.code == "marks")
        assert "20 scores with more than a number, such as '90.0 ± 0.4%'" in note.text


@pytest.mark.parametrize("least", [0, 1 << 20])
def test_marks_that_may_separate_thousands_are_refused(
    least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "SMALL_BYTES", least)
    cells = ["1.017", "973", "2.040", "999", "1.100", "870"] * 2
    rows = [f"d,1,{i // 2},{'ab'[i % 2]},{cell}" for i, cell in enumerate(cells)]
    with pytest.raises(InputError, match=r"'1\.017' next to numbers such as 973"):
        read_scores(as_file(rows))
    scores = read_scores(as_file([*rows[:-1], rows[-1].replace("870", "870.5")]))
    assert scores.datasets[0].table.max() == 999


def test_two_header_rows_of_a_workbook_are_one(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.create_sheet("results")
    for row in (
        [],
        ["", "iris", None, "wine", None, "zoo", None],
        ["method", "acc", "time", "acc", "time", "acc", "time"],
        ["svm", 0.9, 3, 0.8, 2, 0.7, 1],
        ["knn", 0.8, 4, 0.7, 3, 0.9, 2],
    ):
        sheet.append(row)
    path = tmp_path / "book.xlsx"
    book.save(path)
    scores = read_scores(f"{path}#results", classifier_col="method", wide="(?P<dataset>.+) acc")
    assert [dataset.name for dataset in scores.datasets] == ["iris", "wine", "zoo"]
    assert [dataset.table.tolist() for dataset in scores.datasets] == [
        [[0.9, 0.8]],
        [[0.8, 0.7]],
        [[0.7, 0.9]],
    ]
    sheet["B4"] = "?"
    book.save(path)
    with pytest.raises(InputError, match="line 4, column iris acc"):
        read_scores(f"{path}#results", classifier_col="method", wide="(?P<dataset>.+) acc")


@pytest.mark.parametrize("second", ["svm", "0.9"])
def test_one_header_row_stays(tmp_path: Path, second: str) -> None:
    book = openpyxl.Workbook()
    for row in (["method", "iris", "", "zoo"], [second, 0.9, 1, 0.7], ["knn", 0.8, 1, 0.9]):
        book.active.append(row)
    book.save(tmp_path / "book.xlsx")
    wide = "(?P<dataset>iris|zoo)"
    scores = read_scores(tmp_path / "book.xlsx", classifier_col="method", wide=wide)
    assert scores.classifiers == (second, "knn")


def test_objects_inside_objects_are_a_table(tmp_path: Path) -> None:
    nested = {
        name: {data: [0.5 + k / 10 + i / 100 for i in range(4)] for data in ("iris", "zoo")}
        for k, name in enumerate(("svm", "knn"))
    }
    path = tmp_path / "r.json"
    path.write_text(json.dumps(nested), encoding="utf-8")
    scores = read_scores(path, classifier_col="level 1", dataset_col="level 2", seed_col="position")
    assert scores.classifiers == ("svm", "knn")
    assert scores.datasets[1].table[:, 1].tolist() == nested["knn"]["zoo"]
    path.write_text(json.dumps(nested | {"about": "my runs"}), encoding="utf-8")
    with pytest.raises(InputError, match="no column 'score'"):
        read_scores(path)


def test_a_learner_without_options_is_a_learner() -> None:
    rows = [f"d,1,{i // 2},{('svm,-C 1', 'zero,')[i % 2]},0.{i:02}" for i in range(20)]
    table = as_file(rows, "dataset,run,fold,learner,options,score")
    assert read_scores(table, classifier_col="learner,options").classifiers == ("svm -C 1", "zero")


def test_a_percentage_with_a_decimal_comma_is_told_what_cures_it(tmp_path: Path) -> None:
    rows = [f'a,{fold},{who},"{20 + fold},69 %"' for who in "xy" for fold in range(3)]
    file = write_lines(tmp_path / "long.csv", "dataset,fold,classifier,score", *rows)
    assert "has a decimal comma" in refused(run("ttest", file))
    assert "say --decimal , if" in refused(run("ttest", file))
    assert run("ttest", file, "--decimal", ",").code == 0
    wide = write_lines(tmp_path / "wide.csv", "dataset;nbc;aode", "iris;26,69 %;30,1 %")
    assert "in column 'nbc' have decimal commas: say --decimal ," in refused(run("signrank", wide))
