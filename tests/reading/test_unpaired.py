"""Files of sides that share nothing: said, asked about, counted, or refused."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bcompare
from bcompare.columns.question import AskedError
from tests.command import run
from tests.results import write_lines

COUNTS = [
    "policy,task,successes,trials",
    "old,pick,14,20",
    "new,pick,17,20",
    "old,place,11,20",
    "new,place,15,20",
]
AS_COUNTS: dict[str, Any] = {
    "dataset_col": "task",
    "classifier_col": "policy",
    "successes_col": "successes",
    "trials_col": "trials",
}


def rollouts(path: Path, *, shuffled: bool = False, column: str = "episode") -> Path:
    """The same counts as single episodes, each side's numbered from 0."""
    draw = random.Random(1)
    lines = [f"policy,task,{column},success"]
    for line in COUNTS[1:]:
        policy, task, successes, trials = line.split(",")
        outcomes = [1] * int(successes) + [0] * (int(trials) - int(successes))
        if shuffled:
            draw.shuffle(outcomes)
        lines += [f"{policy},{task},{k},{outcome}" for k, outcome in enumerate(outcomes)]
    return write_lines(path, *lines)


AS_ROLLOUTS: dict[str, Any] = {
    "dataset_col": "task",
    "classifier_col": "policy",
    "score_col": "success",
    "unpaired": True,
}


def test_counts_and_rollouts_have_one_answer(tmp_path: Path) -> None:
    counts = write_lines(tmp_path / "counts.csv", *COUNTS)
    single = rollouts(tmp_path / "rollouts.csv")
    other = rollouts(tmp_path / "shuffled.csv", shuffled=True)
    answers = []
    for file, options in ((counts, AS_COUNTS), (single, AS_ROLLOUTS), (other, AS_ROLLOUTS)):
        scores = bcompare.read_scores(str(file), **options)
        (pair,) = bcompare.compare(scores, "ttest").comparisons
        answers.append(np.stack([*pair.result.answers]).tolist())
    assert answers[0] == answers[1] == answers[2]


def test_names_of_counts_are_known(tmp_path: Path) -> None:
    scores = bcompare.read_scores(str(write_lines(tmp_path / "counts.csv", *COUNTS)))
    assert scores.unit == "trial"
    assert [d.table.mean(axis=0).tolist() for d in scores.datasets] == [[0.7, 0.85], [0.55, 0.75]]


def asked(file: Path) -> list[dict[str, object]]:
    """The choices of the word for what is shared."""
    with pytest.raises(AskedError) as caught:
        bcompare.read_scores(str(file))
    question = caught.value.question
    (ask,) = [ask for ask in question.asks if ask.word == "WHICH_PAIRING"]
    return [dict(choice.changes) for choice in ask.choices]


@pytest.mark.parametrize("column", ["episode", "rollout_id", "trial"])
def test_numbers_of_each_side_are_asked_about(tmp_path: Path, column: str) -> None:
    file = rollouts(tmp_path / "rollouts.csv", column=column)
    choices = asked(file)
    assert choices == [{"seed_col": column}, {"unpaired": True}]
    for choice in choices:
        options = {k: v for k, v in AS_ROLLOUTS.items() if k != "unpaired"} | choice
        assert len(bcompare.read_scores(str(file), **options).datasets) == 2


def test_where_nothing_is_shared_that_is_offered(tmp_path: Path) -> None:
    lines = ["model,question,correct"]
    lines += [f"a,q{k},{k % 2}" for k in range(12)]
    lines += [f"b,q{k},{int(k % 3 > 0)}" for k in range(12, 22)]
    file = write_lines(tmp_path / "items.csv", *lines)
    assert asked(file) == [{"unpaired": True}]
    with pytest.raises(bcompare.InputError, match="share what they were tested on"):
        bcompare.read_scores(str(file))
    named: dict[str, Any] = {"classifier_col": "model", "score_col": "correct"}
    with pytest.raises(bcompare.InputError, match="in place of the column that pairs them"):
        bcompare.read_scores(str(file), item_col="question", **named)
    scores = bcompare.read_scores(str(file), unpaired=True, **named)
    assert "other-items" in [note.code for note in scores.notes]


def test_shared_items_are_named(tmp_path: Path) -> None:
    lines = ["model,question,correct"]
    lines += [f"{m},q{k},{k % 2}" for m in ("a", "b") for k in range(12)]
    file = write_lines(tmp_path / "items.csv", *lines)
    named: dict[str, Any] = {"classifier_col": "model", "score_col": "correct"}
    scores = bcompare.read_scores(str(file), unpaired=True, **named)
    assert "shared-items" in [note.code for note in scores.notes]


def test_a_column_that_no_option_names_pairs_nothing(tmp_path: Path) -> None:
    lines = ["dataset,fold,classifier,score"]
    lines += [f"d,{k},{m},{0.1 * k + 0.01 * len(m)}" for m in ("a", "bb") for k in range(5)]
    file = write_lines(tmp_path / "folds.csv", *lines)
    paired = bcompare.compare(bcompare.read_scores(str(file)), "ttest").comparisons[0]
    apart = bcompare.compare(bcompare.read_scores(str(file), unpaired=True), "ttest")
    assert paired.withheld is not None
    assert apart.comparisons[0].withheld is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"unpaired": True, "item_col": "episode"}, "leave one of the two out"),
        ({"unpaired": True, "fold_col": "episode"}, "leave one of the two out"),
        ({"unpaired": True, "rho": 0.1}, "leave one of the two out"),
        ({"successes_col": "successes"}, "counts have two columns"),
        ({**AS_COUNTS, "score_col": "successes"}, "leave out --col score"),
    ],
)
def test_contradictions_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(bcompare.InputError) as caught:
        bcompare.read_scores("results.csv", **options)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("old,pick,21,20", "21 of 20"),
        ("old,pick,1.5,20", "1.5 of 20"),
        ("old,pick,,20", "successes"),
        ("old,pick,0,0", "at least one trial"),
        ("new,pick,3,20", "stand in another row"),
    ],
)
def test_counts_that_are_none_are_refused(tmp_path: Path, row: str, words: str) -> None:
    lines = [COUNTS[0], row, *COUNTS[2:]]
    file = write_lines(tmp_path / "counts.csv", *lines)
    with pytest.raises(bcompare.InputError) as caught:
        bcompare.read_scores(str(file), **AS_COUNTS)
    assert words in str(caught.value)


def test_one_trial_of_a_side_is_too_few(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "counts.csv", COUNTS[0], "old,pick,1,1", *COUNTS[2:])
    with pytest.raises(bcompare.InputError, match="only 1 trial of old"):
        bcompare.read_scores(str(file), **AS_COUNTS)


def test_a_candidate_absent_from_a_data_set_is_refused(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "counts.csv", *COUNTS[:-1])
    with pytest.raises(bcompare.InputError, match="new has no trials on data set place"):
        bcompare.read_scores(str(file), baseline="old", **AS_COUNTS)


def test_failures_count_the_other_way_round(tmp_path: Path) -> None:
    lines = ["policy,task,errors,words", "old,pick,6,20", "new,pick,3,20"]
    file = write_lines(tmp_path / "errors.csv", *lines)
    options = AS_COUNTS | {"successes_col": "errors", "trials_col": "words"}
    (fewer,) = bcompare.compare(bcompare.read_scores(str(file), **options), "ttest").comparisons
    counts = write_lines(tmp_path / "counts.csv", *COUNTS[:3])
    (more,) = bcompare.compare(bcompare.read_scores(str(counts), **AS_COUNTS)).comparisons
    assert fewer.probabilities is not None
    assert more.probabilities is not None
    assert fewer.probabilities.right == pytest.approx(more.probabilities.right)


@pytest.mark.parametrize("test", ["hier", "sign", "signrank", "poisson"])
def test_tests_of_pairs_refuse_them(tmp_path: Path, test: str) -> None:
    scores = bcompare.read_scores(str(write_lines(tmp_path / "counts.csv", *COUNTS)))
    with pytest.raises(bcompare.InputError, match="these sides share nothing"):
        bcompare.compare(scores, test)
    with pytest.raises(bcompare.InputError, match="these sides share nothing"):
        bcompare.rank(scores)


def test_whole_runs_are_not_said_to_be_unpaired(tmp_path: Path) -> None:
    for side in ("main", "pr"):
        (tmp_path / side).mkdir()
        for k in range(3):
            write_lines(tmp_path / side / f"r{k}.csv", "dataset,score", f"d,0.{k + 5}")
    shown = run("gate", f"main={tmp_path / 'main'}", f"pr={tmp_path / 'pr'}", "--unpaired")
    assert shown.code == 2
    assert "none is paired: leave it out" in shown.err
