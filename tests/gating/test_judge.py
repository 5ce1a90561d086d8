"""What a gate says beside its verdicts, and what it does not judge."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bcompare
from bcompare.data.rope import FloatArray


def folds(differences: FloatArray, level: float = 0.8) -> bcompare.Scores:
    """Scores of main and pr on ten folds, which differ by these."""
    base = level + 0.001 * np.arange(10)
    frame = pd.DataFrame(
        {
            "fold": [*range(10)] * 2,
            "classifier": ["main"] * 10 + ["pr"] * 10,
            "score": np.concatenate([base, base + differences]),
        }
    )
    return bcompare.from_frame(frame)


VARIED = np.random.default_rng(1).normal(0, 0.01, 10)
EQUAL = np.full(10, 0.02)


def notes(*differences: FloatArray) -> list[str]:
    """The notes on equal differences, of one metric after the other."""
    names = ("accuracy", "f1", "recall")
    parts = {name: folds(x) for name, x in zip(names, differences, strict=False)}
    return [
        note.text
        for note in bcompare.gate(parts, baseline="main").notes
        if note.code == "zero-variance"
    ]


def test_a_note_names_its_metrics_unless_it_is_on_all() -> None:
    (alone,) = notes(EQUAL)
    assert notes(EQUAL, EQUAL, EQUAL) == [alone]
    assert notes(VARIED, EQUAL, VARIED) == [f"f1: {alone}"]
    assert notes(EQUAL, EQUAL, VARIED) == [f"accuracy, f1: {alone}"]
    assert notes(VARIED, VARIED) == []


def test_numbers_that_never_vary_need_no_note_on_equal_differences() -> None:
    def of_sizes(first: float) -> list[str]:
        table = np.array([[100.0] * 10, [101.0] * 10])
        table[:, 0] += first
        frame = pd.DataFrame(
            {
                "fold": [*range(10)] * 2,
                "classifier": ["main"] * 10 + ["pr"] * 10,
                "score": table.ravel(),
            }
        )
        parts = {"size_mb: 0.5": bcompare.from_frame(frame, lower_is_better=True)}
        return [note.code for note in bcompare.gate(parts, baseline="main").notes]

    assert "zero-variance" not in of_sizes(0.0)
    assert "zero-variance" in of_sizes(0.5)


@pytest.mark.parametrize("whose", ["main", "pr"])
def test_an_outage_names_the_side_whose_run_it_was(whose: str) -> None:
    rows = []
    for who in ("main", "pr"):
        for run in range(4):
            is_out = who == whose and run == 2
            rows += [(item, run, who, 0 if is_out and item < 35 else 1) for item in range(40)]
    frame = pd.DataFrame(rows, columns=["item", "epoch", "classifier", "score"])
    scores = bcompare.from_items(frame, "item", epoch="epoch", baseline="main")
    judged = bcompare.gate(scores, baseline="main", items=True)
    (note,) = [note for note in judged.notes if note.code == "outage"]
    assert f"35 items failed in run 2 of {whose} alone" in note.text


def test_sides_that_share_nothing_have_no_bar_and_no_bounds() -> None:
    frame = pd.DataFrame({"classifier": ["main"] * 9 + ["pr"] * 9, "score": [1, 0, 1] * 6})
    scores = bcompare.from_frame(frame, unpaired=True)
    assert bcompare.gate(scores, baseline="main", rope=0.1).verdicts
    with pytest.raises(bcompare.InputError, match="a bar compares rows that belong together"):
        bcompare.gate(scores, bar=0.5, rope=0.1)
    frame.loc[3, "score"] = np.nan
    bounded = bcompare.from_frame(
        frame.rename(columns={"score": "accuracy"}),
        unpaired=True,
        failed="bounds",
        score_col="accuracy",
    )
    with pytest.raises(bcompare.InputError, match=r"bounds.* compares rows that belong together"):
        bcompare.gate(bounded, baseline="main", rope=0.1)


def complete() -> pd.DataFrame:
    """Five folds of three classifiers on three data sets."""
    rng = np.random.default_rng(1)
    rows = [
        (dataset, fold, who, rng.uniform(0.5, 0.6))
        for dataset in "xyz"
        for fold in range(5)
        for who in "abc"
    ]
    return pd.DataFrame(rows, columns=["dataset", "fold", "classifier", "score"])


def with_a_gap(**options: Any) -> bcompare.Scores:
    """These, of which b lacks one score."""
    frame = complete()
    if options:
        frame.loc[1, "score"] = np.nan
    return bcompare.from_frame(frame, **options)


def test_every_other_classifier_may_be_the_baseline() -> None:
    with pytest.raises(bcompare.InputError, match=r"Say baseline='a' or baseline='c'$"):
        bcompare.gate(with_a_gap(), candidate="b")


def test_a_candidate_does_not_gain_by_a_score_that_others_may_be_below() -> None:
    refused = r"\(b 1\) count as 0\.9 here.* such as failed=0\.50"
    with pytest.raises(bcompare.InputError, match=refused):
        bcompare.gate(with_a_gap(failed=0.9), baseline="a")
    assert bcompare.gate(with_a_gap(failed=0.9), baseline="a", candidate="c").verdicts
    with pytest.raises(bcompare.InputError, match=r"count as 0\.1 here.* such as failed=0\.59"):
        bcompare.gate(with_a_gap(failed=0.1, lower_is_better=True), baseline="a")


def test_what_a_candidate_lacks_is_counted_once_and_no_other_is_refused() -> None:
    scores = with_a_gap(failed="drop")
    with pytest.raises(bcompare.InputError, match=r"^b 1 without a score, left out"):
        bcompare.gate(scores, baseline="a")
    assert bcompare.gate(scores, baseline="a", candidate="c").verdicts


def test_the_data_sets_that_a_candidate_has_may_be_judged() -> None:
    frame = pd.DataFrame(
        [
            (dataset, fold, who, 0.5 + 0.01 * fold)
            for dataset in "xyz"
            for fold in range(5)
            for who in "ab"
            if (dataset, who) != ("y", "b")
        ],
        columns=["dataset", "fold", "classifier", "score"],
    )
    scores = bcompare.from_frame(frame)
    with pytest.raises(bcompare.InputError, match=r"datasets=\['x', 'z'\]$"):
        bcompare.gate(scores, baseline="a")
    assert bcompare.gate(scores, baseline="a", datasets=["x", "z"]).verdicts


def test_a_frame_is_read_on_the_terms_of_its_baseline() -> None:
    frame = complete()
    lacks_one = frame.drop(index=1)
    with pytest.raises(bcompare.InputError, match=r"^1 of 45 trials without a score: b 1"):
        bcompare.gate(lacks_one, baseline="a")
    with pytest.raises(bcompare.InputError, match="the baseline lacks it"):
        bcompare.gate(lacks_one, baseline="b")
    assert bcompare.gate(frame, bar=0.2, candidate="c", rope=0.01).exit_code == 0


def times(levels: Sequence[float], name: str, rows: int = 10) -> bcompare.Scores:
    """Times of main and pr on data sets at these levels, one row a fold."""
    draw = np.random.default_rng(1)
    parts = [
        pd.DataFrame(
            {
                "dataset": f"d{k}",
                "fold": [*range(rows)] * 2,
                "classifier": ["main"] * rows + ["pr"] * rows,
                name: level * draw.lognormal(0, 0.001, 2 * rows),
            }
        )
        for k, level in enumerate(levels)
    ]
    return bcompare.from_frame(pd.concat(parts), score_col=name, lower_is_better=True)


def test_three_times_are_named_that_may_be_of_one_run() -> None:
    def said(*names: str) -> str:
        parts = {f"{name}: 5%": times([1.0], name) for name in names}
        notes = bcompare.gate(parts, baseline="main").notes
        (text,) = [note.text for note in notes if note.code == "one-run"]
        return text.partition(":")[0]

    assert said("fit_time", "score_time", "ttft") == "fit_time, score_time, ttft"
    four = said("fit_time", "score_time", "ttft", "latency")
    assert four == "fit_time, score_time, ttft and 1 more"


def test_data_sets_on_different_scales_need_no_note_where_the_rope_is_relative() -> None:
    scores = times([1.01, 10_000.0], "time_s")  # their logarithms are unlike, too

    def codes(metric: str) -> list[str]:
        return [note.code for note in bcompare.gate({metric: scores}, baseline="main").notes]

    assert "scales" in codes("time_s: 0.001")
    assert "scales" not in codes("time_s: 5%")


def test_items_are_judged_against_a_test_that_answers_for_the_same_data_sets() -> None:
    draw = np.random.default_rng(1)
    rows = [
        (dataset, item, who, int(draw.random() < 0.8))
        for dataset in "uvwxyz"
        for item in range(40)
        for who in ("main", "pr")
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "item", "classifier", "score"])
    scores = bcompare.from_items(frame, "item")

    def said(test: str) -> str:
        judged = bcompare.gate(scores, baseline="main", rope=0.01, test=test)
        return next(note.text for note in judged.notes if note.code == "exact-posterior")

    assert said("ttest").endswith("the probabilities differ from those of ttest")
    assert said("poisson").endswith("so the posterior is exact")


def test_verdicts_on_two_data_sets_name_them() -> None:
    judged = bcompare.gate(times([1.0, 2.0], "time_s"), baseline="main", rope=0.01)
    assert [(v.dataset, v.datasets) for v in judged.verdicts] == [(None, 2), ("d0", 0), ("d1", 0)]


@pytest.mark.parametrize("answers", [2, 3])
def test_how_many_answers_an_item_has_is_said_by_the_baseline(answers: int) -> None:
    rows = [
        (item, epoch, who, (item + epoch) % 2)
        for item in range(20)
        for epoch in range(answers)
        for who in ("main", "pr")
    ]
    frame = pd.DataFrame(rows, columns=["item", "epoch", "classifier", "score"])
    of_all = bcompare.from_items(frame, "item", epoch="epoch")
    with pytest.raises(bcompare.InputError, match="the baseline says how many answers"):
        bcompare.gate(of_all, baseline="main", rope=0.01)
    of_main = bcompare.from_items(frame, "item", epoch="epoch", baseline="main")
    assert bcompare.gate(of_main, baseline="main", rope=0.01).verdicts
