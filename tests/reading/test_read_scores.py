"""Canonical results read: the files, the numbers, the order, the places they come from."""

import csv
import io
import random
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bcompare.basis.messages import InputError
from bcompare.data.account import Account, LeftOut
from bcompare.files import text
from bcompare.files.options import ReadOptions
from bcompare.reading.read import from_frame, read_scores
from tests.reading.rows import as_file, make_rows
from tests.reading.written import facts
from tests.results import HEADER, write_lines

SAMPLE = Path(__file__).parents[2] / "sample_data" / "results.csv"


def test_the_table_holds_the_scores_by_fold_and_classifier() -> None:
    scores = read_scores(as_file(make_rows(datasets=1, runs=2, folds=2)))
    (dataset,) = scores.datasets
    table = [[0.523, 0.524], [0.526, 0.527], [0.543, 0.544], [0.546, 0.547]]
    assert (dataset.name, dataset.runs, dataset.folds, dataset.rho) == ("d0", 2, 2, 0.5)
    assert (dataset.table.tolist(), dataset.present.tolist()) == (table, [True, True])
    known = (("nbc", "aode"), ("r.csv",), 8, Account(read=8, used=8))
    assert (scores.classifiers, scores.files, scores.rows, scores.account) == known


def test_the_sample_data_agree_with_a_plain_reader() -> None:
    scores = read_scores(SAMPLE)
    expected = {}
    with SAMPLE.open(newline="") as stream:
        for row in csv.DictReader(stream):
            place = (row["dataset"], row["run"], row["fold"], row["classifier"])
            expected[place] = float(row["score"])
    assert (len(scores.datasets), scores.rows) == (25, len(expected))
    for dataset in scores.datasets:
        assert (dataset.runs, dataset.folds, dataset.rho) == (10, 10, 0.1)
        for j, line in enumerate(dataset.table):
            run, fold = str(j // 10 + 1), str(j % 10 + 1)
            for name, score in zip(scores.classifiers, line, strict=True):
                assert score == expected[dataset.name, run, fold, name]


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_rows_changes_no_number(seed: int) -> None:
    ordered = make_rows(datasets=3, runs=2, folds=12, classifiers=("nbc", "aode", "j48"))
    shuffled = random.Random(seed).sample(ordered, len(ordered))
    scores = read_scores(as_file(shuffled))
    assert facts(scores) == facts(read_scores(as_file(ordered)))
    first = dict.fromkeys(row.split(",")[3] for row in shuffled)
    assert scores.classifiers == tuple(first)
    assert [d.name for d in scores.datasets] == list(
        dict.fromkeys(row.split(",")[0] for row in shuffled)
    )


def test_runs_and_folds_that_are_whole_numbers_are_compared_as_numbers() -> None:
    as_floats = [
        row if row.endswith("aode") else row.replace(",1,", ",1.0,", 1).replace(",2,", ",02,", 1)
        for row in make_rows()
    ]
    assert facts(read_scores(as_file(as_floats))) == facts(read_scores(as_file(make_rows())))


def test_names_are_names_whatever_they_look_like() -> None:
    names = ("NA", "None", "nan", "01", "1", "1.0", "true", "a,b", 'c"d', "naïve", "x\ny", "-inf")
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(HEADER.split(","))
    for fold in range(3):
        for name in names:
            writer.writerow(["NA", 1, fold, name, 0.5 + fold / 8])
    scores = read_scores(as_file(buffer.getvalue().encode()))
    assert (scores.classifiers, scores.datasets[0].name) == (names, "NA")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n", "\r\n\r\n"])
@pytest.mark.parametrize("last", ["", "\n", "\n\n \n,,,,\n"])
def test_line_ends_and_blank_lines_change_nothing(end: str, last: str) -> None:
    content = end.join(["dataset,run,fold,classifier,score", *make_rows()]) + last
    assert facts(read_scores(as_file(content.encode()))) == facts(read_scores(as_file(make_rows())))


LONG = st.builds(
    "{:f}e{}".format, st.decimals(min_value=0, max_value=1, places=20), st.integers(-30, 30)
)


@given(st.lists(st.floats(-1e100, 1e100).map(repr) | LONG, min_size=3, max_size=30))
@example(texts=["0.0", "2.0", "-1.0"])  # which may stand for a missing score
def test_scores_are_read_exactly(texts: list[str]) -> None:
    lines = [f"d,1,{i},{name},{text}" for i, text in enumerate(texts) for name in "ab"]
    (dataset,) = read_scores(as_file(lines), rho=0.1, accept=texts).datasets
    assert dataset.table[:, 0].tolist() == [float(text) for text in texts]
    assert dataset.table[:, 1].tobytes() == dataset.table[:, 0].tobytes()


def test_losses_are_negated_without_negative_zeros() -> None:
    plain = read_scores(as_file(make_rows())).datasets[0].table
    losses = read_scores(as_file(make_rows()), lower_is_better=True)
    assert losses.lower_is_better
    assert (losses.datasets[0].table == -plain).all()
    rows = [f"d,1,{fold},{name},0" for fold in range(3) for name in "ab"]
    (dataset,) = read_scores(as_file(rows), lower_is_better=True).datasets
    assert not np.signbit(dataset.table).any()


def test_options_and_overrides() -> None:
    options = ReadOptions(rho=0.3)
    assert read_scores(as_file(make_rows()), options=options).datasets[0].rho == 0.3
    assert read_scores(as_file(make_rows()), options=options, rho=0).datasets[0].rho == 0


def test_chosen_classifiers_and_data_sets() -> None:
    everything = make_rows(datasets=3, classifiers=("nbc", "aode", "j48"))
    scores = read_scores(as_file(everything), classifiers=("j48", "nbc"), datasets=("d2", "d0"))
    assert (scores.classifiers, [d.name for d in scores.datasets]) == (("nbc", "j48"), ["d0", "d2"])
    kept = [r for r in everything if "aode" not in r and "d1" not in r]
    assert facts(scores) == facts(read_scores(as_file(kept)))
    assert scores.rows == len(kept)


def test_a_classifier_that_lacks_a_data_set_is_absent_there() -> None:
    everything = make_rows(classifiers=("nbc", "aode", "j48"))
    scores = read_scores(
        as_file([r for r in everything if not (r.startswith("d1") and "j48" in r)])
    )
    present, absent = scores.datasets
    there = [True, True]
    assert (present.present.tolist(), absent.present.tolist()) == ([*there, True], [*there, False])
    assert np.isnan(absent.table[:, 2]).all()
    assert (scores.rows, [note.code for note in scores.notes]) == (50, ["absent"])


def test_missing_folds_dropped() -> None:
    everything = make_rows(runs=2, folds=5)
    del everything[3], everything[-1]
    scores = read_scores(as_file(everything), missing="drop-folds")
    left_out = (LeftOut("incomplete", 2, {"nbc": 2}),)
    gone = (("d0", "1", "2"), ("d1", "2", "5"))
    account = Account(38, 36, left_out, folds=gone, lacking={"aode": 2})
    assert (scores.rows, scores.account) == (36, account)
    own = [(len(d.table), d.runs, d.folds, d.rho) for d in scores.datasets]
    assert own == [(9, 2, 0, 0.2)] * 2


@pytest.mark.parametrize("name", ["where", "na_values", "datasets", "classifiers"])
def test_a_text_alone_is_a_list_of_one(name: str) -> None:
    make: Any = ReadOptions
    assert make(**{name: "d=1"}) == make(**{name: ["d=1"]}) == make(**{name: ("d=1",)})


def test_a_frame_is_checked_like_a_file() -> None:
    frame = pd.read_csv(as_file(make_rows()))
    frame.loc[3, "score"] = np.nan
    frame.loc[5, "classifier"] = None
    with pytest.raises(InputError) as caught:
        from_frame(frame)
    assert caught.value.problems == (
        (
            "the frame, row 3, column score: empty; fill it in, or say --failed worst or --failed "
            "SCORE to count it as that score, or --na-values '' to count empty scores as missing"
        ),
        "the frame, row 5, column classifier: empty; every row needs a name there",
    )


@pytest.mark.parametrize(("yes", "no"), [("true", "false"), ("True", "FALSE")])
def test_true_and_false_are_scores(yes: str, no: str) -> None:
    words = [yes if i % 3 else no for i in range(20)]
    rows = [f"d,1,{i // 2},{'ab'[i % 2]},{word}" for i, word in enumerate(words)]
    expected = np.array([float(i % 3 > 0) for i in range(20)]).reshape(10, 2)
    read = read_scores(as_file(rows), rho=0.1)
    assert read.datasets[0].table.tolist() == expected.tolist()
    marked = read_scores(
        as_file([*rows[:-1], "d,1,9,b,?"]), rho=0.1, na_values=("?",), missing="drop-folds"
    )
    assert marked.datasets[0].table.tolist() == expected[:-1].tolist()
    frame = pd.DataFrame([row.split(",") for row in rows], columns=HEADER.split(","))
    for column in (frame["score"], frame["score"].str.lower() == "true"):
        framed = from_frame(frame.assign(score=column), rho=0.1)
        assert framed.datasets[0].table.tolist() == expected.tolist()


@pytest.mark.parametrize(("one", "others"), [("true", "0.5"), ("0.5", "false")])
def test_true_and_false_do_not_mix_with_numbers(one: str, others: str) -> None:
    rows = [f"d,1,{i // 2},{'ab'[i % 2]},{others if i else one}" for i in range(20)]
    with pytest.raises(InputError, match=r"(?s)line 3, column score.*1 for true and 0 for false"):
        read_scores(as_file(rows))
    frame = pd.DataFrame([row.split(",") for row in rows], columns=HEADER.split(","))
    with pytest.raises(InputError, match=r"(?s)row 1, column score.*1 for true and 0 for false"):
        from_frame(frame)


@pytest.mark.parametrize(
    ("scores", "far"),
    [
        ([0.6 + 0.004 * i for i in range(99)] + [74.92], {74.92}),
        ([0.0, 1.0] * 40 + [11.0], {11.0}),
        ([1.0] * 80 + [11.0], {11.0}),
        ([0.8] * 60 + [-998.0, 85.0], {-998.0, 85.0}),
        ([60 + 0.3 * i for i in range(99)] + [7492.0], {7492.0}),
        ([0.8] * 60 + [0.0, -1.5, 9.9], set()),
        ([0.8] * 60 + [80.0] * 20, set()),  # a classifier in percentages is no slip
        ([0.8] * 3 + [80.0], set()),
        ([float(i * i) for i in range(60)], set()),
    ],
)
def test_absurd_scores_are_noted(scores: list[float], far: set[float]) -> None:
    rows = [f"i{i},a,{x}" for i, x in enumerate(scores)]
    rows += [f"i{i},b,0.5" for i in range(len(scores))]
    read = read_scores(as_file(rows, "q,classifier,score"), item_col="q")
    notes = [note for note in read.notes if note.code == "outlier"]
    assert bool(notes) == bool(far)
    for note in notes:
        first = next(i for i, x in enumerate(scores) if x in far)
        assert (
            f"item i{first}, classifier a: the score {scores[first]:g} (r.csv, line " in note.text
        )
        assert f"line {first + 2})" in note.text
        assert ("and 1 more" in note.text) == (len(far) == 2)


@pytest.mark.parametrize(
    ("others", "number", "is_asked"),
    [
        ([0.5, 0.75], -1, True),
        ([1, 5, 10], -1, True),  # of a judge that failed
        ([1, 5, 10], 99, True),
        ([12.5, 80.25], -9, True),
        ([12.5, 80.25], 999, True),
        ([-3.5, 2.0], -999, True),
        ([-3.5, 2.0], -1, False),
        ([-0.5, 0.75], -1, False),  # a correlation
        ([12.5, 80.25], 99, False),
        ([0, 1], -1, False),  # votes
        ([1, 5, 10], -2, False),
    ],
)
def test_a_number_that_may_stand_for_a_missing_score_is_asked_about(
    others: list[float], number: float, is_asked: bool
) -> None:
    rows = [f"i{i},{who},{others[i % len(others)]}" for i in range(12) for who in "ab"]
    rows[5] = f"i2,b,{number}"
    files = as_file(rows, "q,classifier,score")
    accepted = read_scores(files, item_col="q", accept=str(number))
    whole = accepted.datasets[0].table
    assert number in whole
    assert len(whole) == 12
    (note,) = [note for note in accepted.notes if note.code == "accepted"]
    assert ("nothing of that name" in note.text) is not is_asked
    if is_asked:
        with pytest.raises(InputError, match=rf"such as {number}.*missing\?.*accept"):
            read_scores(as_file(rows, "q,classifier,score"), item_col="q")
    else:
        read_scores(as_file(rows, "q,classifier,score"), item_col="q")


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
    assert (scores.classifiers, scores.files) == (("old", "new"), ("base.csv", "pr.csv"))
    assert [d.name for d in scores.datasets] == ["d0", "d1"]
    assert read_scores("base.csv", "pr.csv").classifiers == ("base", "pr")


def test_a_file_whose_name_holds_an_equals_sign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lr=0.1.csv").write_bytes(as_file(make_rows()).read())
    assert read_scores("lr=0.1.csv").files == ("lr=0.1.csv",)


def test_memory_grows_with_the_scores_not_with_the_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "PIECE_BYTES", 1 << 17)
    datasets, splits, classifiers = 20, 100, 40
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
    pieces = 6 * text.PIECE_BYTES  # the bytes, their copies without quotes and marks, the frame
    assert peak < 1.2 * needed + pieces < path.stat().st_size


def test_every_file_tells_its_problem_whatever_column_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "one.csv", HEADER.replace("score", "acc"), "d,1,1,a,0.5", "d,1,1,b,x")
    (tmp_path / "other.csv").write_bytes(b"")
    with pytest.raises(InputError) as caught:
        read_scores("one.csv", "other.csv", score_col="acc")
    text = "\n".join(caught.value.problems)
    assert "one.csv, line 3, column acc: 'x' is not a number" in text
    assert "other.csv: empty" in text
