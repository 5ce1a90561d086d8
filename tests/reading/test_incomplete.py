"""A fold or item that one classifier lacks is left out for its pairs only."""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bcompare
from bcompare import InputError, Scores, from_frame, paired_differences

NAMES = ("a", "b", "c", "d")
PAIRS = [*combinations(NAMES, 2)]


def table(unit: str) -> pd.DataFrame:
    """Return scores of four classifiers on three data sets."""
    rng = np.random.default_rng(8)
    counter = {"fold": "run", "item": "epoch"}.get(unit)
    rows = [
        {"dataset": d, counter or "twice": k, unit: i, "classifier": name, "score": rng.normal()}
        for d in ("x", "y", "z")
        for k in range(2)
        for i in range(6)
        for name in NAMES
    ]
    frame = pd.DataFrame(rows)
    return frame if counter else frame[frame["twice"] == 0].drop(columns="twice")


def with_gaps(unit: str) -> pd.DataFrame:
    """Return the same without an item or a fold of c on x, and two of d, of which it shares one."""
    frame = table(unit)
    gone = np.zeros(len(frame), dtype=np.bool_)
    for name, places in (("c", (2,)), ("d", (2, 4))):
        own = (frame["dataset"] == "x") & (frame["classifier"] == name)
        gone |= own & frame[unit].isin(places)
    return frame[~gone]


def read(frame: pd.DataFrame, unit: str, **overrides: Any) -> Scores:
    options: dict[str, dict[str, Any]] = {
        "fold": {"missing": "drop-folds", "rho": 0.1},
        "seed": {"seed_col": "seed", "missing": "drop-folds"},
        "item": {"item_col": "item", "epoch_col": "epoch", "missing": "drop-items"},
    }
    return from_frame(frame, **options[unit], **overrides)


@pytest.mark.parametrize("unit", ["fold", "seed", "item"])
@pytest.mark.parametrize("pair", PAIRS)
def test_others_do_not_change_the_answer_of_a_pair(unit: str, pair: tuple[str, str]) -> None:
    frame = with_gaps(unit)
    (among_all,) = paired_differences(read(frame, unit), [pair])
    own = frame[frame["classifier"].isin(pair)]
    (alone,) = paired_differences(read(own, unit), [pair])
    assert among_all.statistics.n.tolist() == alone.statistics.n.tolist()
    assert np.allclose(among_all.statistics.mean, alone.statistics.mean, rtol=0, atol=1e-12)
    assert np.allclose(among_all.statistics.ss, alone.statistics.ss, rtol=1e-12)
    for i in range(3):
        assert np.array_equal(among_all.statistics.differences(i), alone.statistics.differences(i))


@pytest.mark.parametrize("pair", PAIRS)
def test_the_statistics_are_those_of_pandas(pair: tuple[str, str]) -> None:
    frame = with_gaps("fold")
    (found,) = paired_differences(read(frame, "fold"), [pair])
    keys = ["dataset", "run", "fold"]
    wide = frame.pivot_table(index=keys, columns="classifier", values="score")
    difference = (wide[pair[1]] - wide[pair[0]]).dropna().groupby("dataset")
    assert found.statistics.n.tolist() == difference.count().tolist()
    assert np.allclose(found.statistics.mean, difference.mean(), atol=1e-12)
    assert np.allclose(found.statistics.ss / (found.statistics.n - 1), difference.var())


def test_ranks_are_those_of_what_all_have() -> None:
    frame = with_gaps("fold")
    family = bcompare.rank(read(frame, "fold"), rope=0.1)
    shared = frame.groupby(["dataset", "run", "fold"])["score"].transform("count") == len(NAMES)
    expected = bcompare.rank(from_frame(frame[shared], rho=0.1), rope=0.1)
    assert np.array_equal(family.best.p_best, expected.best.p_best)
    (note,) = (note for note in family.notes if note.code == "dropped")
    assert "all are compared on the 32 of 36 folds that all have" in note.text
    assert family.scores.rows == 32 * len(NAMES)


def test_a_pair_with_too_little_in_common_is_compared_elsewhere() -> None:
    frame = table("seed")
    c = (frame["classifier"] == "c") & (frame["dataset"] == "x") & (frame["seed"] > 1)
    scores = read(frame[~c], "seed")
    of_c, of_others = paired_differences(scores, [("a", "c"), ("a", "b")])
    assert (of_c.statistics.names, of_others.statistics.n.tolist()) == (("y", "z"), [6, 6, 6])
    with pytest.raises(InputError, match="data set x: fewer than 3 seeds that all classifiers"):
        bcompare.rank(scores, rope=0.01)


def test_a_failed_trial_is_left_out_for_the_pairs_of_its_model_only() -> None:
    frame = table("item")
    failed = (frame["classifier"] == "c") & (frame["item"] == 2) & (frame["epoch"] == 0)
    scores = from_frame(
        frame.assign(score=frame["score"].mask(failed)),
        item_col="item",
        epoch_col="epoch",
        na_values=("",),
        failed="drop",
    )
    of_c, of_others = paired_differences(scores, [("a", "c"), ("a", "b")])
    assert (of_c.statistics.n.tolist(), of_others.statistics.n.tolist()) == ([5] * 3, [6] * 3)
    left_out = {part.reason: part.rows for part in scores.account.left_out}
    assert left_out == {"no-score": 3, "incomplete": 3}  # the other epoch of these items


def test_clusters_are_made_of_items_that_all_answered() -> None:
    frame = with_gaps("item")
    frame = frame.assign(passage=frame["item"] % 3)
    scores = read(frame, "item", cluster_col="passage")
    assert [dataset.items for dataset in scores.datasets] == [4, 6, 6]
    assert scores.account.compared_on == ""


def test_a_choice_of_one_is_not_taken_for_missing_scores() -> None:
    with pytest.raises(InputError, match="the results have one classifier, a; two are needed"):
        from_frame(table("fold"), classifiers=("a",))
