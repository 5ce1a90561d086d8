"""What the user names: files, labels, standard input."""

import tracemalloc
from pathlib import Path

import pytest

from bcompare.reading import fast
from bcompare.reading.read import read_scores
from tests.reading.rows import as_file, make_rows
from tests.reading.written import facts
from tests.results import write_lines


def test_the_order_of_files_changes_no_number() -> None:
    all_rows = make_rows(datasets=4)
    one, other = all_rows[:20], all_rows[20:]
    expected = facts(read_scores(as_file(all_rows)))
    assert facts(read_scores(as_file(one), as_file(other, name="s.csv"))) == expected
    assert facts(read_scores(as_file(other), as_file(one, name="s.csv"))) == expected


def test_without_a_dataset_column_the_file_names_it() -> None:
    single = [row.split(",", 1)[1] for row in make_rows(datasets=1)]
    scores = read_scores(
        as_file(single, "run,fold,classifier,score", "folder/iris.csv.gz"),
        as_file(single, "run,fold,classifier,score", "wine.tsv"),
    )
    assert [d.name for d in scores.datasets] == ["iris", "wine"]


def without_classifier(rows: list[str]) -> list[str]:
    return [",".join(row.split(",")[:3] + row.split(",")[4:]) for row in rows]


def test_a_label_names_the_classifier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("base", "pr"):
        lines = without_classifier(make_rows(classifiers=(name,)))
        write_lines(tmp_path / f"{name}.csv", "dataset,run,fold,score", *lines)
    scores = read_scores("old=base.csv", "new=pr.csv")
    assert scores.classifiers == ("old", "new")
    assert scores.files == ("base.csv", "pr.csv")
    assert [d.name for d in scores.datasets] == ["d0", "d1"]
    assert read_scores("base.csv", "pr.csv").classifiers == ("base", "pr")


def test_a_file_whose_name_holds_an_equals_sign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lr=0.1.csv").write_bytes(as_file(make_rows()).read())
    assert read_scores("lr=0.1.csv").files == ("lr=0.1.csv",)


def test_no_argument_means_results_csv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results.csv").write_bytes(as_file(make_rows()).read())
    assert read_scores().files == ("results.csv",)


def test_memory_grows_with_the_scores_not_with_the_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast, "PIECE_BYTES", 1 << 17)
    datasets, splits, classifiers = 50, 100, 40
    name = "a-name-that-is-rather-long-as-names-in-benchmarks-often-are"
    keys = [f"{i // 10},{i % 10},{name}-{k}" for i in range(splits) for k in range(classifiers)]
    path = tmp_path / "r.csv"
    with path.open("w") as stream:
        stream.write("dataset,run,fold,classifier,score\n")
        for d in range(datasets):
            stream.writelines(f"{name}-{d},{key},0.{i}\n" for i, key in enumerate(keys))
    tracemalloc.start()
    scores = read_scores(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    rows = datasets * splits * classifiers
    assert scores.rows == rows
    # Four codes of 4 bytes and a score of 8; then the grid: a score, a mark, three positions of 8.
    needed = rows * (4 * 4 + 8 + 8 + 1 + 3 * 8)
    pieces = 2 * (fast.THREADS + 2) * fast.PIECE_BYTES
    assert peak < 1.2 * needed + pieces < path.stat().st_size
