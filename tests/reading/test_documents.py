"""JSON of any shape: its records are found; benchmarks of programs are seconds."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from bcompare.basis.messages import InputError
from bcompare.files.documents import flat_rows, read_document, records_in, without_aggregates
from bcompare.files.sources import runs_in
from bcompare.gating.judge import gate
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


@pytest.mark.parametrize("document", [[], {}, {"a": [1, 2]}, [1, 2], "x"])
def test_what_has_no_records_has_none(document: object) -> None:
    assert records_in(document) in ([], [{}])


def test_a_list_of_numbers_is_the_repetitions_of_its_record() -> None:
    records = [
        {"name": n, "codes": [0, 0], "stats": {"data": [k, k + 1]}} for k, n in enumerate("ab")
    ]
    assert flat_rows(records)[3] == {"name": "b", "codes": 0, "position": 2, "stats.data": 2}
    scored = [{"name": "a", "score": 0.5, "embedding": [0.1, 0.2]}]
    assert flat_rows(scored) == [{"name": "a", "score": 0.5, "embedding": "[0.1, 0.2]"}]
    ragged = [{"times": [1, 2]}, {"times": [1, 2, 3]}]
    assert len(flat_rows(ragged)) == 2


def test_aggregates_next_to_single_records_are_left_out() -> None:
    single = {"name": "a", "value": 1}
    summed = single | {"aggregate_name": "stddev"}
    assert without_aggregates([single, summed]) == ([single], 1)
    assert without_aggregates([summed]) == ([summed], 0)


RUNS = [{"fold": i, "score": round(0.7 + i / 100, 2)} for i in range(10)]
WORSE = [row | {"score": 0.2} for row in RUNS]
OTHERS = [{"fold": i, "f1": 0.9} for i in range(10)]


def _document(content: object, folder: Path, name: str = "r.json") -> Path:
    (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder / name


def test_lists_that_go_together_are_read_with_their_keys() -> None:
    read = read_document({"results": {"easy": RUNS, "hard": WORSE}}, "r.json", labelled=True)
    assert len(read.rows) == 20
    assert read.rows[12] == {"dataset": "hard", "fold": 2, "score": 0.2}
    assert [note.code for note in read.notes] == ["several-lists"]
    deep = {side: {"x": RUNS, "y": WORSE} for side in ("cpu", "gpu")}
    assert read_document(deep, "r.json").rows[30] == {"level 1": "gpu", "level 2": "y"} | WORSE[0]
    runs = read_document({"run 1": RUNS, "run 2": WORSE}, "r.json", labelled=True)
    assert runs.rows[0] == {"key": "run 1"} | RUNS[0]  # which number runs, and name no data sets


def test_a_gate_reads_every_list_of_a_document(tmp_path: Path) -> None:
    main = _document({"easy": RUNS, "hard": RUNS}, tmp_path, "main.json")
    pr = _document({"easy": RUNS, "hard": WORSE}, tmp_path, "pr.json")
    scores = read_scores(f"main={main}", f"pr={pr}")
    assert [dataset.name for dataset in scores.datasets] == ["easy", "hard"]
    assert not gate(scores, baseline="main", candidate="pr").passed


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"other": OTHERS}, "that do not go together"),
        ({"deeper": {"hard": WORSE}}, "that do not go together"),
        ({"other": {"a": {"f1": 0.5}, "b": {"f1": 0.6}}}, "that do not go together"),
        ({"other": [*WORSE, 1]}, "each entry must be an object"),
    ],
)
def test_what_does_not_go_with_a_list_is_refused(more: Any, said: str, tmp_path: Path) -> None:
    both = _document({"easy": RUNS} | more, tmp_path)
    with pytest.raises(InputError, match=said):
        read_scores(f"a={both}", f"b={both}#easy")


def test_a_list_without_scores_is_named(tmp_path: Path) -> None:
    document = {"settings": [{"name": "lr", "content": 1}], "runs": RUNS}
    scores = read_scores(
        f"a={_document(document, tmp_path)}", f"b={_document(RUNS, tmp_path, 'b')}"
    )
    (note,) = [note for note in scores.notes if note.code == "other-lists"]
    assert "settings (1)" in note.message


def test_one_list_is_chosen_by_its_keys(tmp_path: Path) -> None:
    file = _document({"out": {"easy": RUNS, "other": OTHERS}}, tmp_path)
    copy = _document({"easy": RUNS, "other": OTHERS}, tmp_path, "copy.json")
    scores = read_scores(f"a={file}#out.easy", f"b={copy}#easy")
    assert scores.datasets[0].table[3].tolist() == [0.73, 0.73]
    with pytest.raises(InputError, match=r"no such list in it; choose from .*#out\.easy"):
        read_scores(f"a={file}#easy", f"b={file}#out.easy")


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("t.md", "| data | a | b |\n|---|---|---|\n| x | 0.5 | {0} |\n| y | 0.6 | 0.7 |\n\n"),
        (
            "t.tex",
            r"\begin{{tabular}}{{lll}}d & a & b \\ x & 0.5 & {0} \\ y & 0.6 & 0.7\end{{tabular}}",
        ),
    ],
)
def test_a_second_table_is_refused_unless_one_is_chosen(
    name: str, table: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text(table.format(0.75) + "a | b in a sentence\n\n" + table.format(0.1))
    with pytest.raises(InputError, match=r"has 2 tables; choose .*#1'? or .*#2"):
        read_scores(file, preset="means")
    for number, score in ((1, 0.75), (2, 0.1)):
        scores = read_scores(f"{file}#{number}", preset="means")
        assert scores.datasets[0].table.tolist() == [[0.5, score]]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"old.jsonl": "{}", "r0.csv": "a", "sub/r1.csv": "a"},
            r"several kinds: old.jsonl; r0.csv",
        ),
        ({"samples_t.jsonl": "{}", "r0.csv": "a"}, r"others that may be results, r0.csv"),
    ],
)
def test_a_folder_is_read_whole_or_refused(
    files: dict[str, str], said: str, tmp_path: Path
) -> None:
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=said):
        read_scores(f"main={tmp_path}")
    with pytest.raises(InputError, match=said):
        runs_in(f"main={tmp_path}")


def test_files_in_upper_case_subfolders_and_packed_are_runs_too(tmp_path: Path) -> None:
    names = ["r1.csv", "R9.CSV", "sub/r2.csv", "README.md", "figure.png", ".hidden.csv"]
    (tmp_path / "main" / "sub").mkdir(parents=True)
    for name in names:
        (tmp_path / "main" / name).write_text(
            "dataset,fold,score\n" + "d,1,0.5\nd,2,0.6\nd,3,0.7\n"
        )
    packed = tmp_path / "main" / "r3.csv.gz"
    packed.write_bytes(gzip.compress((tmp_path / "main" / "r1.csv").read_bytes()))
    runs = runs_in(f"main={tmp_path / 'main'}")
    assert [*runs] == ["main/R9", "main/r1", "main/r3", "main/sub/r2"]
    scores = read_scores(*(f"{run}={file}" for run, file in runs.items()))
    (note,) = [note for note in scores.notes if note.code == "other-files"]
    assert "2 files" in note.message
    assert "README.md" in note.message
    assert "figure.png" in note.message
