"""Files whose columns' names leave one reading are read at once; where anything is open, not."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import pandas as pd
import pytest

from bcompare.basis.messages import InputError, as_keywords
from bcompare.data.scores import Scores
from bcompare.reading.read import from_frame, read_scores, read_slices
from tests.reading.rows import as_file

Lines = list[str]
Factors = Mapping[str, Sequence[object]]
MODELS, SETS = ("svm", "forest", "knn"), ("iris", "wine", "zoo", "car")


def fraction(i: int) -> str:
    return f"0.{5000 + 7919 * (i + 1) % 4999}"


def binary(i: int) -> int:
    return i * i % 7 % 2


def several(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{i}" for i in range(count)]


def crossed(factors: Factors, **scores: Callable[[int], object]) -> Lines:
    """A header, and a row for each combination of the factors, with scores by its number."""
    combinations = product(*factors.values())
    rows = [(*c, *(make(i) for make in scores.values())) for i, c in enumerate(combinations)]
    return [",".join(map(str, row)) for row in ((*factors, *scores), *rows)]


def read(lines: Lines, **options: Any) -> Scores:
    return read_scores(as_file(lines[1:], lines[0]), **options)


MODEL: dict[str, Sequence[object]] = {"model": MODELS}
DATASET: dict[str, Sequence[object]] = {"dataset": SETS}
FOLD: dict[str, Sequence[object]] = {"fold": range(10)}
QUESTION: dict[str, Sequence[object]] = {"question": several("q", 40)}
QUESTIONS = crossed(QUESTION | MODEL, correct=binary)
FOLDS = crossed(MODEL | DATASET | FOLD, auc=fraction)

READ: dict[str, tuple[Lines, dict[str, object], tuple[int, int, int]]] = {
    "questions": (
        QUESTIONS,
        {"classifier_col": "model", "item_col": "question", "score_col": "correct"},
        (3, 1, 40),
    ),
    "folds": (FOLDS, {"classifier_col": "model", "score_col": "auc"}, (3, 4, 10)),
    "means": (
        crossed({"Benchmark": SETS, "LLM": MODELS}, Accuracy=fraction),
        {"dataset_col": "Benchmark", "classifier_col": "LLM", "score_col": "Accuracy"},
        (3, 4, 1),
    ),
    "seeds of losses": (
        crossed({"method": MODELS, "env": SETS, "random_state": range(12)}, test_loss=fraction),
        {
            "classifier_col": "method",
            "dataset_col": "env",
            "seed_col": "random_state",
            "score_col": "test_loss",
        },
        (3, 4, 12),
    ),
    "folds and repetitions, in German": (
        crossed(
            {"Verfahren": MODELS, "Wiederholung": range(2), "Falte": range(5)}, Genauigkeit=fraction
        ),
        {
            "classifier_col": "Verfahren",
            "run_col": "Wiederholung",
            "fold_col": "Falte",
            "score_col": "Genauigkeit",
        },
        (3, 1, 10),
    ),
    "prefixes of a tracker, a time, and a column of one value": (
        crossed(
            {"params.model": MODELS, "tags.fold": range(10), "seed": [7]},
            **{"metrics.f1": fraction, "fit_time": fraction},
        ),
        {"classifier_col": "params.model", "fold_col": "tags.fold", "score_col": "metrics.f1"},
        (3, 1, 10),
    ),
    "an ID of each run": (
        [
            f"{line},{'run_id' if i == 0 else f'c{i * 97 % 1009:x}'}"
            for i, line in enumerate(crossed(MODEL | FOLD, accuracy=fraction))
        ],
        {"classifier_col": "model", "score_col": "accuracy"},
        (3, 1, 10),
    ),
    "runs that are systems": (
        crossed({"run": ("base", "new"), "case_id": several("c", 20)}, passed=binary),
        {"classifier_col": "run", "item_col": "case_id", "score_col": "passed"},
        (2, 1, 20),
    ),
    "prompts that are systems": (
        crossed({"prompt_id": ("short", "long"), "input_id": range(20)}, correct=binary),
        {"classifier_col": "prompt_id", "item_col": "input_id", "score_col": "correct"},
        (2, 1, 20),
    ),
    "one metric in a column": (
        crossed(MODEL | DATASET | FOLD | {"metric": ["rmse"]}, value=fraction),
        {"classifier_col": "model", "score_col": "value"},
        (3, 4, 10),
    ),
    "labels next to right answers": (
        crossed(QUESTION | MODEL, label=binary, correct=lambda i: 1 - binary(i)),
        {"classifier_col": "model", "item_col": "question", "score_col": "correct"},
        (3, 1, 40),
    ),
    "speakers as clusters": (
        [
            f"{line},{'speaker' if not i else (i - 1) // 3 % 5}"
            for i, line in enumerate(crossed({"utterance": range(40)} | MODEL, wer=fraction))
        ],
        {
            "classifier_col": "model",
            "item_col": "utterance",
            "cluster_col": "speaker",
            "score_col": "wer",
        },
        (3, 1, 5),
    ),
}


@pytest.mark.parametrize("name", READ)
def test_names_that_leave_one_reading_are_read_and_said(name: str) -> None:
    lines, assumed, size = READ[name]
    scores = read(lines)
    assert scores.assumed == assumed
    table = scores.datasets[0].table
    assert (len(scores.classifiers), len(scores.datasets), len(table)) == size
    first = scores.notes[0]
    assert first.code == "by-names"
    for option, column in assumed.items():
        assert f"{option}={column!r}" in as_keywords(first.text)
    explicit = read(lines, strict=True, **assumed)
    assert explicit.assumed == {}
    assert [(d.name, d.table.tolist()) for d in explicit.datasets] == [
        (d.name, d.table.tolist()) for d in scores.datasets
    ]
    assert scores.lower_is_better == explicit.lower_is_better
    assert scores.lower_is_better == (name in ("seeds of losses", "speakers as clusters")) | (
        name == "one metric in a column"
    )
    with pytest.raises(InputError, match="no column"):
        read(lines, strict=True)


def test_rows_that_sum_up_data_sets_are_left_out() -> None:
    scores = read(crossed(MODEL | {"dataset": (*SETS, "All Beauty", "Average")}, auc=fraction))
    assert [d.name for d in scores.datasets] == [*SETS, "All Beauty"]


def test_a_missing_score_next_to_rows_that_sum_up_is_told() -> None:
    lines = crossed(MODEL | {"dataset": (*SETS, "Average")} | FOLD, auc=fraction)
    lines[3] = f"{lines[3].rpartition(',')[0]},NA"
    with pytest.raises(InputError, match=r"line 4, column auc: 'NA' is no score"):
        read(lines)


ASKED = {
    "two scores": crossed(MODEL | DATASET, auc=fraction, f1=fraction),
    "two metrics in a column": crossed(MODEL | DATASET | {"metric": ("auc", "f1")}, value=fraction),
    "no direction": crossed(MODEL | DATASET, value=fraction),
    "an unknown direction": crossed(MODEL | DATASET, gap=fraction),
    "two columns of classifiers": crossed(MODEL | DATASET | {"method": ("x", "y")}, auc=fraction),
    "two columns of repetitions": crossed(
        MODEL | DATASET | {"seed": range(3), "replicate": range(3)}, auc=fraction
    ),
    "tasks, which are data sets or items": crossed(
        MODEL | {"task": several("t", 30)}, success=binary
    ),
    "numbers of runs are no systems": crossed(
        {"run": range(5), "question": several("q", 20)}, correct=binary
    ),
    "per cent": crossed(MODEL | DATASET, accuracy=lambda i: 50 + i),
    "per cent in the header": crossed(MODEL | DATASET, **{"accuracy (%)": fraction}),
    "a lone -1": [line if i != 4 else "svm,iris,3,-1" for i, line in enumerate(FOLDS)],
    "infinity": crossed(MODEL | DATASET, reward=lambda i: "inf" if i == 3 else i),
    "a word": crossed(MODEL | DATASET, auc=lambda i: "failed" if i == 3 else fraction(i)),
    "an empty score": crossed(MODEL | DATASET, auc=lambda i: "" if i == 3 else fraction(i)),
    "no differences": crossed(MODEL | DATASET, auc=lambda _: 0.5),
    "more than 20 folds": crossed(MODEL | {"fold": range(30)}, auc=fraction),
    "words as folds": crossed(MODEL | {"split": ("train", "test")}, auc=fraction),
    "few items": crossed(MODEL | {"question": several("q", 5)}, correct=binary),
    "a training": crossed(MODEL | {"epoch": range(20)}, auc=fraction),
    "a training in each fold": crossed(MODEL | FOLD | {"epoch": range(5)}, val_acc=fraction),
    "a search in each fold": crossed(MODEL | FOLD | {"trial": range(5)}, auc=fraction),
    "a time next to what nobody knows": crossed(
        MODEL | DATASET | FOLD, fit_time=fraction, objective=fraction
    ),
    "names with numbers of seeds": crossed(
        {"model": [f"{m}-seed{i}" for m in MODELS for i in range(3)]} | DATASET, auc=fraction
    ),
    "dates": crossed(
        {"model": MODELS, "dataset": [f"2026-01-{i:02}" for i in range(1, 9)]}, auc=fraction
    ),
    "a mean of classifiers": crossed({"model": (*MODELS, "Mean")} | DATASET, auc=fraction),
    "a truth next to a score": crossed(QUESTION | MODEL, label=binary, accuracy=fraction),
    "a spread": crossed(MODEL | DATASET, acc_std=fraction),
    "a risk": crossed(MODEL | DATASET, risk_score=fraction),
    "a wide table": crossed(DATASET, svm=fraction, knn=fraction),
    "columns of folds beside a mean": crossed(
        MODEL | DATASET, accuracy=fraction, **dict.fromkeys(several("fold_", 5), fraction)
    ),
    "items that nobody shares": [
        "question,model,correct",
        *(f"q{i},{'ab'[i % 2]},{binary(i)}" for i in range(40)),
    ],
    "rows that repeat": [*QUESTIONS, QUESTIONS[-1]],
    "classifiers that no column names": crossed({"question": several("q", 40)}, correct=binary),
}


@pytest.mark.parametrize("name", ASKED)
def test_where_anything_would_be_assumed_the_user_is_asked(name: str) -> None:
    with pytest.raises(InputError):
        read(ASKED[name])


def test_a_code_for_missing_scores_far_down_the_file_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bcompare.reading.asking.MOST_CELLS", 180)
    items = range(60)
    lines = [
        "question,model,correct",
        *(f"q{i},{m},{-1 if i == 50 and m == 'a' else binary(i + k)}" for i in items
          for k, m in enumerate("ab")),
    ]  # fmt: skip
    with pytest.raises(InputError, match="at least 0"):
        read(lines)
    assert read([line for line in lines if "q50" not in line]).assumed


def test_what_options_say_counts_as_a_name() -> None:
    lines = crossed({"who": MODELS, "task": several("t", 30)}, smape=fraction)
    scores = read(lines, classifier_col="who", score_col="smape", dataset_col="task",
                  lower_is_better=True)  # fmt: skip
    assert scores.assumed == {}
    found = read(crossed({"who": MODELS} | QUESTION, correct=binary), classifier_col="who")
    assert found.assumed == {"item_col": "question", "score_col": "correct"}


def test_only_rows_that_meet_the_conditions_count() -> None:
    metrics: dict[str, Sequence[object]] = {"metric": ("auc", "rmse")}
    lines = crossed(MODEL | DATASET | metrics, value=fraction)
    for metric, lower in (("auc", False), ("rmse", True)):
        scores = read(lines, where=(f"metric={metric}",))
        assert scores.assumed == {"classifier_col": "model", "score_col": "value"}
        assert scores.lower_is_better == lower
    assert read(lines, where=("metric!=auc",)).lower_is_better
    with pytest.raises(InputError):
        read(lines, where=("metric~auc|rmse",))


def test_frames_and_slices_are_read_by_names() -> None:
    lines = crossed({"topic": ("x", "y")} | QUESTION | MODEL, correct=binary)
    lines = [line.replace("q", f"q{line[0]}") if i else line for i, line in enumerate(lines)]
    rows = [line.split(",") for line in lines]
    frame = pd.DataFrame(rows[1:], columns=rows[0]).astype({"correct": int})
    scores = from_frame(frame)
    assert scores.assumed["item_col"] == "question"
    whole, sliced = read_slices(as_file(lines[1:], lines[0]), by="topic")
    assert whole.notes[0].code == "by-names"
    assert {d.name for d in sliced.datasets} == {"x", "y"}


def test_a_short_row_is_named_and_moves_no_cell() -> None:
    rows = [*FOLDS[:7], "svm,iris,6", *FOLDS[8:]]
    with pytest.raises(InputError, match="line 8"):
        read(rows, classifier_col="model", score_col="auc")
    with pytest.raises(InputError):
        read(rows)


def test_commas_at_the_ends_of_all_rows_move_no_cell() -> None:
    with pytest.raises(InputError):
        read([FOLDS[0], *(f"{row}," for row in FOLDS[1:])])
    assert read([f"{row}," for row in FOLDS]).assumed == READ["folds"][1]


@pytest.mark.parametrize(("cell", "says"), [("good", "'good' is not a number"), ("", "empty")])
def test_what_is_wrong_with_a_value_is_told_where_names_are_clear(cell: str, says: str) -> None:
    rows = [*FOLDS[:7], FOLDS[7].rpartition(",")[0] + f",{cell}", *FOLDS[8:]]
    with pytest.raises(InputError, match=rf"line 8, column auc: {says}"):
        read(rows)


def test_a_file_with_failed_trials_is_read_by_its_names_once_they_count_something() -> None:
    rows = [*FOLDS[:7], FOLDS[7].rpartition(",")[0] + ",", *FOLDS[8:]]
    assert read(rows, failed=0.0).datasets[0].table.min() == 0
