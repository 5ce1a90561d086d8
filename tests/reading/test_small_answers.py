"""What short answers of reading say: of what there is, of labels, of votes and of counters."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import bcompare
from bcompare.columns.vocabulary import votes_in
from bcompare.files.sources import _named
from bcompare.reading.content import content_of


def folds(*designs: tuple[str, int, int], counter: str = "fold") -> pd.DataFrame:
    """Equal scores of two classifiers; a data set's name, runs and folds each."""
    rows = [
        (name, run, fold, who, 0.5 + 0.01 * fold)
        for name, runs, count in designs
        for run in range(runs)
        for fold in range(count)
        for who in ("tree", "forest")
    ]
    return pd.DataFrame(rows, columns=["dataset", "run", counter, "classifier", "score"])


@pytest.mark.parametrize(
    ("designs", "size"),
    [
        ([("x", 2, 5)], "1 data set × 2 runs × 5 folds, 20 scores"),
        ([("x", 1, 10)], "1 data set × 10 folds, 20 scores"),
        ([("x", 1, 5), ("y", 1, 10)], "2 data sets × 5 to 10 folds, 30 scores"),
    ],
)
def test_what_there_is_by_its_runs_and_folds(
    designs: list[tuple[str, int, int]], size: str
) -> None:
    scores = bcompare.from_frame(folds(*designs))
    assert content_of(scores).startswith(f"2 classifiers × {size} from 0.5 to ")


def test_files_of_one_label_cannot_be_two_classifiers(tmp_path: Path) -> None:
    rows = folds(("iris", 1, 10)).query("classifier == 'tree'")
    for who in ("tree", "forest", "bayes"):
        rows.assign(classifier=who).to_csv(tmp_path / f"{who}.csv", index=False)
    files = [f"main={tmp_path}/tree.csv", f"main={tmp_path}/forest.csv", f"pr={tmp_path}/bayes.csv"]
    with pytest.raises(bcompare.InputError, match=r"on data set iris they name tree, forest: drop"):
        bcompare.read_scores(*files)


def test_a_counter_counts_folds_if_all_data_sets_have_a_usual_number() -> None:
    def read(*counts: int) -> bcompare.Scores:
        designs = [(f"d{k}", 1, count) for k, count in enumerate(counts)]
        frame = folds(*designs, counter="iteration").drop(columns="run")
        return bcompare.from_frame(frame, fold_col="iteration")

    assert read(10, 10).rows == 40
    for counts in ((7, 7), (5, 10)):
        with pytest.raises(bcompare.InputError, match="rarely counts the folds of one cross-val"):
            read(*counts)


@pytest.mark.parametrize("sides", [("a", "b"), ("model_a", "model_b"), ("left", "right")])
def test_votes_are_for_one_of_two_sides(sides: tuple[str, str]) -> None:
    assert votes_in([*sides, "winner"]) == [*sides, "winner"]


def test_columns_that_begin_like_a_side_are_none() -> None:
    assert votes_in(["question", "apple", "b", "winner"]) == []


def test_a_sheet_is_named_behind_a_file_or_behind_standard_input() -> None:
    (piped,) = _named("pr=-#second", None)
    assert (piped.name, piped.label, piped.part) == ("-", "pr", "second")
    (absent,) = _named("absent.csv#second", None)
    assert (absent.name, absent.part) == ("absent.csv#second", None)


@pytest.mark.parametrize(
    ("folds_in_all", "absurd", "noted"),
    [
        (9, 1, True),  # 18 scores, of which one may be absurd
        (10, 2, False),  # a twentieth of 20 is one
        (20, 2, True),
        (20, 3, False),
    ],
)
def test_a_twentieth_of_the_scores_may_be_outliers(
    folds_in_all: int, absurd: int, noted: bool
) -> None:
    frame = folds(("x", 1, folds_in_all))
    frame.loc[: absurd - 1, "score"] = 74.92
    notes = bcompare.from_frame(frame, rho=0.1).notes
    assert any(note.code == "outlier" for note in notes) == noted


@pytest.mark.parametrize("column", ["score_col", "run_col", "fold_col"])
def test_several_columns_are_none_where_one_is_asked_for(column: str) -> None:
    frame = folds(("x", 1, 10)).rename(columns={"classifier": "tree", "score": "forest"})
    options: dict[str, Any] = {column: "tree,forest"}
    with pytest.raises(bcompare.InputError, match=r"no column .*'tree,forest'"):
        bcompare.from_frame(frame, **options)
