"""What is absent counts as said: rows, epochs and whole runs; and rows that sum up are no items."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bcompare
from bcompare.basis.messages import InputError
from bcompare.reading.read import from_frame
from tests.command import run

EPOCHS: dict[str, Any] = {"item_col": "item", "epoch_col": "epoch", "na_values": ("",)}


def answers(items: int = 30, epochs: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    rows = [
        (f"q{i}", who, e, int(rng.random() < 0.7))
        for i in range(items)
        for who in "ab"
        for e in range(epochs)
    ]
    return pd.DataFrame(rows, columns=["item", "classifier", "epoch", "score"])


def gone(frame: pd.DataFrame, *, cells: bool, every: int = 2) -> pd.DataFrame:
    """Without the last epoch of some items of b: its rows, or their scores."""
    item = frame["item"].str[1:].astype(int)
    rows = (frame["classifier"] == "b") & (frame["epoch"] == 2) & (item % every == 0)
    if not cells:
        return frame[~rows]
    return frame.assign(score=frame["score"].astype(float).mask(rows))


@pytest.mark.parametrize("failed", ["zero", 0.25, "bounds", "drop"])
def test_an_absent_row_is_an_empty_cell(failed: str | float) -> None:
    empty, absent = (
        from_frame(gone(answers(), cells=c), failed=failed, **EPOCHS) for c in (True, False)
    )
    assert absent.classifiers == empty.classifiers
    np.testing.assert_array_equal(absent.datasets[0].table, empty.datasets[0].table)
    assert absent.account.assumed == empty.account.assumed


def test_absent_answers_are_refused_until_it_is_said_how_they_count() -> None:
    for cells in (True, False):
        with pytest.raises(InputError, match="15 of 180 trials without a score: b 15"):
            from_frame(gone(answers(), cells=cells), **EPOCHS)


def test_a_whole_item_and_a_fold_that_are_absent_are_failed_trials_too() -> None:
    frame = answers(epochs=1)
    lacks = frame[(frame["classifier"] != "b") | (frame["item"] != "q3")]
    table = from_frame(lacks, failed="zero", **EPOCHS).datasets[0].table
    assert len(table) == 30
    full = from_frame(frame, **EPOCHS).datasets[0].table
    assert table[3].tolist() == [full[3, 0], 0.0]
    rows = [("d", f, who, 0.5 + f / 50) for f in range(10) for who in "ab"]
    folds = pd.DataFrame(rows, columns=["dataset", "fold", "classifier", "score"]).drop(index=9)
    assert from_frame(folds, failed="zero").datasets[0].table[4].tolist() == [0.58, 0.0]
    with pytest.raises(InputError, match="no score of b"):
        from_frame(folds)


def test_absent_folds_of_another_design_are_never_filled() -> None:
    rows = [("d", f, who, 0.5) for who, n in (("a", 10), ("b", 5)) for f in range(n)]
    frame = pd.DataFrame(rows, columns=["dataset", "fold", "classifier", "score"])
    with pytest.raises(InputError, match="different splits"):
        from_frame(frame, failed="zero")
    apart = pd.DataFrame(
        [("d", f"{who}{f}", who, 0.5) for who in "ab" for f in range(10)],
        columns=["dataset", "fold", "classifier", "score"],
    )
    with pytest.raises(InputError, match="no fold in common"):
        from_frame(apart, failed="zero")


@pytest.mark.parametrize("kept", [[0], [0, 1]])
def test_fewer_whole_runs_are_read_with_a_note(kept: list[int]) -> None:
    frame = answers()
    fewer = frame[(frame["classifier"] == "a") | frame["epoch"].isin(kept)]
    all_three: list[dict[str, Any]] = [{}, {"baseline": "a"}, {"failed": "zero"}]
    for options in all_three:
        scores = from_frame(fewer, **EPOCHS, **options)
        (note,) = [note for note in scores.notes if note.code == "fewer-runs"]
        assert f"b {len(kept)} run" in note.message
        own = frame[(frame["classifier"] == "b") & frame["epoch"].isin(kept)]
        mean = own.groupby("item", sort=False)["score"].mean().to_numpy()
        np.testing.assert_allclose(scores.datasets[0].table[:, 1], mean)


@pytest.mark.parametrize("kept", [[1], [0, 2], [2]])
def test_a_gap_among_runs_is_absent(kept: list[int]) -> None:
    frame = answers()
    fewer = frame[(frame["classifier"] == "a") | frame["epoch"].isin(kept)]
    both: list[dict[str, Any]] = [{}, {"baseline": "a"}]
    for options in both:
        with pytest.raises(InputError, match="without a score: b"):
            from_frame(fewer, **EPOCHS, **options)


def test_a_run_of_most_items_is_no_whole_one() -> None:
    frame = answers()
    some = (frame["epoch"] == 0) | ((frame["epoch"] == 1) & (frame["item"] != "q4"))
    with pytest.raises(InputError, match="without a score: b"):
        from_frame(frame[(frame["classifier"] == "a") | some], **EPOCHS)


SUMS = ("Mean", "StdDev", "25quantile")


def cases(*sums: str, of: str = "ab") -> pd.DataFrame:
    rows = [(f"case_{i}", who, 0.5 + i / 90) for i in range(12) for who in "ab"]
    rows += [(name, who, 0.9) for name in sums for who in of]
    return pd.DataFrame(rows, columns=["case", "classifier", "score"])


def test_rows_that_sum_up_are_left_out_by_name() -> None:
    scores = from_frame(cases(*SUMS), item_col="case")
    assert len(scores.datasets[0].table) == 12
    (note,) = [note for note in scores.account.notes() if note.code == "summary"]
    assert all(name in note.message for name in SUMS)
    kept = from_frame(cases(*SUMS), item_col="case", accept=SUMS)
    assert len(kept.datasets[0].table) == 15
    seeds = from_frame(cases(*SUMS), seed_col="case")
    assert len(seeds.datasets[0].table) == 12


def test_a_lone_row_that_may_sum_up_is_asked_about() -> None:
    for sums, of in ((("Mean",), "ab"), (SUMS, "a")):
        with pytest.raises(InputError, match=r"case!=.*accept"):
            from_frame(cases(*sums, of=of), item_col="case", missing="drop-items")
    gate = from_frame(cases("Mean"), item_col="case", baseline="a")
    assert len(gate.datasets[0].table) == 12  # the baseline and every candidate have it
    with pytest.raises(InputError, match="accept"):
        from_frame(cases("Mean", of="b"), item_col="case", baseline="a")


def test_means_of_clusters_are_what_is_shown(tmp_path: Path) -> None:
    """Not the rows of clusters of unequal sizes, whose spread is that of CR2."""
    right = {"A": ([1] * 6, [1] * 5 + [0]), "B": ([1, 0], [1, 1]), "C": ([1, 0], [1, 0])}
    right["D"] = ([1, 0], [0, 0])
    rows = [
        (f"{doc}{i}", doc, who, score)
        for doc, sides in right.items()
        for who, side in zip("ab", sides, strict=True)
        for i, score in enumerate(side)
    ]
    frame = pd.DataFrame(rows, columns=["item", "doc", "classifier", "score"])
    scores = from_frame(frame, item_col="item", cluster_col="doc")
    means = frame.groupby(["doc", "classifier"])["score"].mean().unstack().to_numpy()
    np.testing.assert_allclose(scores.datasets[0].means, means, rtol=1e-12)
    assert np.abs(scores.datasets[0].table - means).max() > 0.1
    frame.to_csv(tmp_path / "r.csv", index=False)
    words = ("ttest", "r.csv", "--col", "item=item", "--col", "cluster=doc")
    changed = run(*words, "--format", "changed", folder=tmp_path).out.splitlines()
    assert [line.split(",")[3:5] for line in changed[1:]] == [
        ["B", "won"],
        ["D", "lost"],
        ["A", "lost"],
    ]
    assert changed[3].startswith("a,b,r,A,lost,1.0,0.8333")
    study = bcompare.compare(scores, "ttest")
    assert "lost 2 clusters and won 1" in bcompare.as_text(study, details=True)
