"""What is asked about a file: one screen, one command with words; every answer reads the file."""

import csv
import json
import random
import shlex
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from bcompare.basis.messages import InputError, as_keywords
from bcompare.basis.words import WORDS
from bcompare.cli.main import COMMANDS
from bcompare.data.scores import Scores
from bcompare.reading.read import read_scores
from tests.command import run
from tests.reading.answers import answered, question_of
from tests.reading.published import Cells, search
from tests.reading.rows import as_file
from tests.reading.test_public_layouts import CASES, every_reading, is_right
from tests.results import write_lines

Lines = list[str]


def asked(lines: Lines, **options: Any) -> Any:
    """The question about some lines, the header first."""
    with pytest.raises(InputError) as refusal:
        read_scores(as_file(lines[1:], lines[0]), **options)
    return question_of(refusal.value)


def crossed(header: str, *factors: Any, score: str = "0.{}") -> Lines:
    """Lines with every combination of values, and a score of their number."""
    rows = [*product(*factors)]
    scores = (score.format(1000 + 7919 * i % 8999) for i in range(len(rows)))
    return [
        header,
        *(",".join([*map(str, row), own]) for row, own in zip(rows, scores, strict=True)),
    ]


# Files of other programs


def write(folder: Path, name: str, table: Cells) -> None:
    with (folder / name).open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(table)


def as_arff(table: Cells) -> str:
    header, *rows = table

    def cell(value: object) -> str:
        return f"'{value}'" if " " in str(value) else str(value)

    kinds = ["numeric" if isinstance(value, float) else "string" for value in rows[0]]
    lines = ["% made by WEKA", "@relation 'results of -x'", ""]
    lines += [f"@ATTRIBUTE {cell(n)} {kind}" for n, kind in zip(header, kinds, strict=True)]
    return "\n".join([*lines, "@data", *(",".join(map(cell, row)) for row in rows), ""])


@pytest.mark.parametrize("name", ["WEKA", "WEKA, random splits"])
def test_wekas_own_format(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[name]()
    monkeypatch.chdir(tmp_path)
    Path("r.arff").write_text(as_arff(case.files["r.csv"]), encoding="utf-8")
    assert any(is_right(scores, case) for scores in every_reading(name, ["r.arff"], 10))


@pytest.mark.parametrize("name", ["hfawaz/dl-4-tsc results-ucr-128", "folds side by side", "WEKA"])
def test_a_workbook_with_blank_rows_above_and_a_blank_column(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[name]()
    monkeypatch.chdir(tmp_path)
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in ([], [], [], *case.files["r.csv"]):
        book.active.append([None, *row])
    book.save("r.xlsx")
    assert any(is_right(scores, case) for scores in every_reading(name, ["r.xlsx"], 10))


def test_a_search_that_is_turned_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = search("params")
    turned: Cells = [["", 0, 1], *zip(*case.files["r.csv"], strict=True)]
    write(tmp_path, "r.csv", turned)
    message = run("check", "r.csv", folder=tmp_path).err
    line = message[message.index("python -c") : message.index(", and read turned.csv")]
    words = [sys.executable, *shlex.split(line)[1:]]
    subprocess.run(words, cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    assert any(is_right(scores, case) for scores in every_reading("", ["turned.csv"], 5))


@pytest.mark.parametrize("header", ["id,{},rf,svm", "id,{},model,prediction"])
@pytest.mark.parametrize("truth", ["label", "y_true", "Ground truth"])
def test_predictions_are_no_scores(header: str, truth: str, tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(f"{header.format(truth)}\n1,0,0,1\n2,1,1,0\n", encoding="utf-8")
    message = run("ttest", "r.csv", folder=tmp_path).err
    assert f"If '{truth}' is the truth" in message
    assert "bcompare ttest" not in message


# Screens whose every answer is pasted; the last of each is the right one

ROWS = {
    "raters": (
        "rater,item,model,fluency",
        [
            f"R{r},{i},{m},{(i * (2 + 'ab'.index(m)) + r) % 5 + 1}"
            for i, r, m in product(range(6), (1, 2), "ab")
        ],
        "--col classifier=model --col score=fluency --col item=item --col epoch=rater",
    ),
    "curves of training": (
        "model,seed,epoch,train_loss,val_acc",
        [f"{m},{s},{e},{1 / e:.3f},0.{m}{e}{s}" for m, s, e in product("78", "12345", (1, 2, 3))],
        "--col classifier=model --col score=val_acc --col seed=seed --where epoch=3",
    ),
    "ranks beside scores": (
        "dataset,rf,svm,knn,rank_rf,p_value",
        [f"d{i},0.{80 + i},0.{83 - i},0.{70 + i * i},{i % 3 + 1},0.{i}4" for i in range(6)],
        "--wide '(?P<classifier>rf|svm|knn)'",
    ),
    "means with classifiers in rows": (
        "classifier,iris,wine,glass",
        ["rf,0.9,0.8,0.7", "svm,0.85,0.83,0.6", "knn,0.8,0.82,0.65"],
        "--wide '(?P<dataset>iris|wine|glass)'",
    ),
    "a data set and a horizon": (
        "model,dataset,pred_len,seed,mse",
        [
            f"{m},e{d},{h},{s},0.{k}{d}{h}{s}"
            for (k, m), d, h, s in product(enumerate("ab"), "12", (96, 192), range(3))
        ],
        ("--col dataset=dataset,pred_len --col classifier=model --col score=mse --col seed=seed"),
    ),
    "sessions of subjects": (
        "score,time,subject,session,dataset,pipeline",
        [
            f"0.{s}{v}{k}{d},{s},{d}{s},{v}train,b{d},{p}"
            for d, s, v, (k, p) in product("12", range(1, 8), "01", enumerate(("csp", "mdm")))
        ],
        "--col classifier=pipeline --col item=subject,session --col cluster=subject",
    ),
    "conversations of users": (
        "conversation_id,user_id,version,rating",
        [
            f"c{i:03},u{i // 2},{v},{(i * (3 + k) + k) % 5 + 1}"
            for i, (k, v) in product(range(40), enumerate(("v1", "v2")))
        ],
        (
            "--col classifier=version --col score=rating --col item=conversation_id "
            "--col cluster=user_id"
        ),
    ),
    "a partition": (
        "partition,svm,rf",
        [f"{i},0.7{i},0.8{i * 7 % 10}" for i in range(10)],
        "--col fold=partition --wide '(?P<classifier>svm|rf)'",
    ),
    "rows of cross-validation without a name": (
        ",svm,rf",
        [f"{i},0.7{i},0.8{i * 7 % 10}" for i in range(10)],
        "--col 'fold=#' --wide '(?P<classifier>svm|rf)'",
    ),
    "scores of two systems side by side": (
        "input,expected,output_a,output_b,score_a,score_b,category,cost_usd",
        [f"q{i},x,y,z,{i % 3 % 2},{i % 4 % 2},c{i % 3},0.0{i}" for i in range(30)],
        "--col item=input --wide 'score_(?P<classifier>.+)'",
    ),
    "runs that are systems": (
        "query,run,ndcg",
        [f"{q},{r},0.{k}{q}" for q in range(301, 321) for k, r in enumerate(("bm25", "dense"))],
        "--col classifier=run --col score=ndcg --col item=query",
    ),
    "ids of data sets, in German": (
        "ds_id,Wiederholung,fold,Verfahren,score",
        [f"{d},{r},{f},m{k},0.{k}{f}{r}{d}" for d, r, f, k in product("36", "12", "123", "78")],
        "--col dataset=ds_id --col run=Wiederholung --col classifier=Verfahren",
    ),
}


def pasted(document: dict[str, Any]) -> list[str]:
    """The commands with each choice in place of its word, as JSON gives them."""
    lines = [document["command"]]
    asks = {ask["word"]: ask["choices"] for ask in document["asks"]}
    for _ in asks:  # a choice may open a further word
        for word, choices in asks.items():
            options = [own["options"] for own in choices]
            lines = [
                line.replace(f"--col {word}", word).replace(word, option)
                for line in lines
                for option in (options if word in line else [word])
            ]
    return [line.replace("HOW_MANY", "5").replace("SHARE_OF_TEST", "0.1") for line in lines]


@pytest.mark.parametrize("name", ROWS)
def test_every_answer_can_be_pasted_and_one_is_right(name: str, tmp_path: Path) -> None:
    header, rows, options = ROWS[name]
    write_lines(tmp_path / "r.csv", header, *rows)
    outcome = run("check", "r.csv", "--strict", "--format", "json", folder=tmp_path)
    assert outcome.code == 2
    document = json.loads(outcome.out)
    commands = [shlex.split(line) for line in pasted(document)]
    for command in commands:
        assert run(*command[1:], folder=tmp_path).code == 0, command
    expected = {*shlex.split(options)}
    assert any(expected <= {*command} for command in commands), commands


def test_a_file_of_each_model_with_data_sets_in_columns(tmp_path: Path) -> None:
    for name, scores in (("a", "0.91,0.83,0.75"), ("b", "0.88,0.86,0.71")):
        write_lines(tmp_path / f"{name}.csv", "en,de,fr", scores)
    message = run("check", "a.csv", "b.csv", folder=tmp_path).err
    line = "bcompare check a.csv b.csv --wide '(?P<dataset>en|de|fr)' WHICH_DIRECTION"
    assert f"\n  {line}\n" in message


# The screen

FOLDS = crossed("model,fold,accuracy", ("svm", "rf"), range(100))


def test_the_screen_of_a_hundred_folds(tmp_path: Path) -> None:
    write_lines(tmp_path / "long100.csv", *FOLDS)
    lines = run("hier", "long100.csv", "--rope", "0.02", folder=tmp_path).err.splitlines()
    assert lines[0].endswith(
        "no column 'score', 'classifier'; what its columns hold, and could be:"
    )
    assert lines[1].split() == ["model", "2", "names:", "svm,", "rf", "the", "models"]
    assert lines[2].split() == ["fold", "whole", "numbers", "0", "to", "99", "iteration,", "fold?"]
    assert lines[5].startswith("  bcompare hier long100.csv --rope 0.02 --col classifier=model ")
    assert lines[5].endswith(" --col WHICH_ROWS")
    choices = "iteration=fold --folds HOW_MANY | fold=fold --rho SHARE_OF_TEST"
    assert lines[6] == f"    WHICH_ROWS: what a row is: {choices}"


def test_python_is_asked_in_its_own_words() -> None:
    with pytest.raises(InputError) as refusal:
        read_scores(as_file(FOLDS[1:], FOLDS[0]), accept="x")
    text = as_keywords("\n".join(refusal.value.advice))
    call = "read_scores('r.csv', accept=['x'], classifier_col='model', score_col='accuracy', "
    assert f"  {call}WHICH_ROWS)" in text
    assert "iteration_col='fold', folds=HOW_MANY | fold_col='fold', rho=SHARE_OF_TEST" in text


def test_json_has_the_question_and_nothing_is_chosen(tmp_path: Path) -> None:
    write_lines(tmp_path / "r.csv", *FOLDS)
    document = json.loads(run("ttest", "r.csv", "--format", "json", folder=tmp_path).out)
    assert document.keys() >= {"sure", "changes", "asks", "columns", "groups", "command"}
    assert document["sure"] == {"classifier": "model", "score": "accuracy", "direction": "higher"}
    assert document["changes"] == {"classifier_col": "model", "score_col": "accuracy"}
    assert [ask["word"] for ask in document["asks"]] == ["WHICH_ROWS"]
    assert [column["name"] for column in document["columns"]] == ["model", "fold", "accuracy"]


def test_a_gate_asks_alike_and_writes_it(tmp_path: Path) -> None:
    write_lines(tmp_path / "r.csv", *FOLDS)
    gate = run("gate", "r.csv", "--baseline", "svm", "-o", "g.json", folder=tmp_path)
    screen = run("check", "r.csv", folder=tmp_path).err.splitlines()
    same = [line for line in gate.err.splitlines() if "bcompare" not in line]
    assert same == [line for line in screen if "bcompare" not in line]
    written = json.loads((tmp_path / "g.json").read_text(encoding="utf-8"))
    assert written["passed"] is False
    assert [ask["word"] for ask in written["asked"]["asks"]] == ["WHICH_ROWS"]


def test_many_columns_take_few_lines() -> None:
    header = ",".join(
        ["model", "dataset", *(f"note {'abcdefghij'[i % 10] * (i + 1)}" for i in range(40))]
    )
    rows = [",".join([m, d, *(f"{i}.{k}" for i in range(40))]) for k, (m, d) in
            enumerate(product("ab", ("x", "y", "z", "w")))]  # fmt: skip
    question = asked([header, *rows])
    with pytest.raises(InputError) as refusal:
        read_scores(as_file(rows, header))
    table = [line for line in refusal.value.advice if line.startswith("  ")]
    assert len(question.entries) > 16
    assert len([line for line in table if "WHICH" not in line and "|" not in line]) <= 17


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("command", sorted({*COMMANDS} - {"explain", "cite", "schema"}))
def test_a_word_in_capitals_is_refused_everywhere(command: str, word: str, tmp_path: Path) -> None:
    for words in ([word], [f"--col={word}"], ["--where", f"metric={word}"]):
        outcome = run(command, *words, folder=tmp_path)
        assert outcome.code == 2
        assert f"{word}: still to be said: {WORDS[word]}" in outcome.err


def test_a_command_that_judges_says_in_its_file_which_word_is_left(tmp_path: Path) -> None:
    (tmp_path / "g.json").write_text('{"passed": true}', encoding="utf-8")
    assert run("gate", "r.csv", "--col", "WHICH_ROWS", "-o", "g.json", folder=tmp_path).code == 2
    assert json.loads((tmp_path / "g.json").read_text(encoding="utf-8"))["passed"] is False


# What is filled in, and what is not

MODELS, SETS = ("svm", "rf"), ("iris", "wine", "zoo", "car")


@pytest.mark.parametrize("name", ["fold", "split", "resample", "cv", "kfold"])
def test_what_is_called_a_fold_is_never_an_item_or_a_seed(name: str) -> None:
    question = asked(crossed(f"model,{name},accuracy", MODELS, range(50)))
    changes = [own for ask in question.asks for choice in ask.choices for own in choice.changes]
    assert changes
    assert {*changes} <= {"iteration_col", "folds", "fold_col", "rho"}


@pytest.mark.parametrize("start", [0, 1, 3])
def test_an_unknown_column_is_folds_only_if_it_counts_on(start: int) -> None:
    question = asked(crossed("model,block,accuracy", MODELS, range(start, start + 8)))
    changes = {name for ask in question.asks for c in ask.choices for name in c.changes}
    changes |= question.changes.keys()
    assert ("fold_col" in changes) == (start < 2)


def test_parts_of_the_data_are_no_models_and_no_rows_are_chosen() -> None:
    lines = crossed("model,fold,split,acc", MODELS, range(5), ("train", "val", "test"))
    question = asked(lines)
    (ask,) = question.asks
    assert ask.word == "WHICH_REST"
    assert [c.changes for c in ask.choices] == [
        {"where": (f"split={s}",)} for s in ("train", "val", "test")
    ]
    assert "where" not in question.changes


def test_steps_of_a_training_are_no_items() -> None:
    lines = crossed("model,seed,epoch,val_loss", MODELS, range(3), range(40), score="1.{}")
    question = asked(lines)
    changes = [c.changes for ask in question.asks if ask.word == "WHICH_REST" for c in ask.choices]
    assert changes == [{"where": ("epoch=39",)}]  # asked, though there is one choice
    assert question.changes["seed_col"] == "seed"


def test_what_follows_from_the_model_is_nothing() -> None:
    vendors = {"svm": "x", "rf": "y", "knn": "z"}
    lines = crossed("model,dataset,auc,f1", vendors, SETS, [0.5, 0.7])
    lines = ["vendor," + lines[0], *(f"{vendors[line.split(',')[0]]},{line}" for line in lines[1:])]
    assert "vendor" in asked(lines).rest


@pytest.mark.parametrize("name", ["jailbreak_success", "tokens/s", "gap"])
def test_a_direction_is_asked_where_the_whole_name_is_not_known(name: str) -> None:
    question = asked(crossed(f"model,dataset,{name}", MODELS, SETS))
    assert [ask.word for ask in question.asks][:1] == ["WHICH_DIRECTION"]
    assert "direction" not in question.sure


def test_metrics_in_rows_are_chosen_with_their_directions() -> None:
    question = asked(crossed("model,dataset,metric,value", MODELS, SETS, ("auc", "rmse", "gap")))
    (metric, *_) = question.asks
    assert metric.word == "WHICH_METRIC"
    directions = ["WHICH_DIRECTION" in choice.needs for choice in metric.choices]
    assert directions == [False, False, True]


def test_a_rope_is_asked_for_at_once_where_it_must_be_said(tmp_path: Path) -> None:
    write_lines(tmp_path / "r.csv", *crossed("who,what,rmse", MODELS, SETS, score="7.{}"))
    message = run("rank", "r.csv", folder=tmp_path).err
    assert "WHICH_ROPE: the smallest difference that matters" in message
    assert "WHICH_ROPE" not in run("check", "r.csv", folder=tmp_path).err
    assert "WHICH_ROPE" not in run("rank", "r.csv", "--rope", "1", folder=tmp_path).err


UNITS = {
    "an error": crossed("who,dataset,rmse", MODELS, SETS, score="7.{}"),
    "an unknown name between 0 and 1": crossed("who,dataset,gap", MODELS, SETS),
    "an unknown name beyond": crossed("who,dataset,gap", MODELS, SETS, score="3.{}"),
    "per cent": crossed("who,dataset,accuracy", MODELS, SETS, score="71.{}"),
    "two metrics": crossed("who,dataset,auc,seconds", MODELS, SETS, [0.5, 0.6, 0.7]),
    "metrics in rows": crossed("model,dataset,metric,value", MODELS, SETS, ("auc", "rmse")),
}
UNITS["two metrics"] = [
    line if not i else f"{line},{i}.5"
    for i, line in enumerate(crossed("who,dataset,auc", MODELS, SETS))
]
UNITS["two metrics"][0] += ",seconds"


@pytest.mark.parametrize("name", UNITS)
def test_nobody_is_refused_twice_for_a_rope(name: str, tmp_path: Path) -> None:
    write_lines(tmp_path / "r.csv", *UNITS[name])
    document = json.loads(run("rank", "r.csv", "--format", "json", folder=tmp_path).out)
    commands = [shlex.split(line) for line in pasted(document)]
    assert commands
    for command in commands:
        outcome = run(*command[1:], folder=tmp_path)
        assert outcome.code == 0, (command, outcome.err)


# Nothing to compare

NOTHING = {
    "one row for each model": crossed("model,acc,f1", ("a", "b", "c"), [0.5]),
    "No column names the models": crossed("fold,acc", range(10)),
    "is the truth": ["id,label,svm,rf", *(f"{i},{i % 2},{i % 3 % 2},1" for i in range(30))],
    "hold votes": ["model_a,model_b,winner", *["x,y,model_a"] * 5],
    "No column can hold the scores": ["model,dataset,note", *(f"{m},{d},good" for m, d in
                                                              product(MODELS, SETS))],
}  # fmt: skip
NO_PAIRS = {
    "repeat": [line for _ in range(2) for line in crossed("model,dataset,acc", MODELS, SETS)[1:]],
    "share what they were tested on": [
        "model,question,correct",
        *(f"{'ab'[i % 2]},q{i},{i % 3 % 2}" for i in range(40)),
    ],
}
NO_PAIRS["repeat"].insert(0, "model,dataset,acc")


@pytest.mark.parametrize("why", NO_PAIRS)
def test_where_nothing_pairs_rows_that_is_said_and_asked(why: str, tmp_path: Path) -> None:
    write_lines(tmp_path / "r.csv", *NO_PAIRS[why])
    outcome = run("ttest", "r.csv", folder=tmp_path)
    assert outcome.code == 2
    assert why in outcome.err
    assert "WHICH_PAIRING: what is shared by both sides: --unpaired" in outcome.err


@pytest.mark.parametrize("why", NOTHING)
def test_where_nothing_can_be_compared_the_reason_is_said_and_no_command(
    why: str, tmp_path: Path
) -> None:
    write_lines(tmp_path / "r.csv", *NOTHING[why])
    outcome = run("ttest", "r.csv", folder=tmp_path)
    assert outcome.code == 2
    assert why in outcome.err
    assert "bcompare ttest" not in outcome.err.replace("bcompare ttest r.csv: ", "")


# The order of rows


def mixed(lines: Lines) -> Lines:
    header, *rows = lines
    random.Random(3).shuffle(rows)
    return [header, *rows]


@pytest.mark.parametrize("lines", [FOLDS, crossed("model,task,x,acc", MODELS, SETS, range(5))])
def test_the_order_of_rows_changes_no_question(lines: Lines) -> None:
    one, other = asked(lines), asked(mixed(lines))
    assert (one.changes, one.sure) == (other.changes, other.sure)
    answers = [sorted(map(repr, answered(question))) for question in (one, other)]
    assert answers[0] == answers[1]


def test_rows_sorted_by_model_are_read_like_mixed_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bcompare.reading.asking.MOST_CELLS", 4000)
    lines = crossed("model,question,correct", MODELS, range(1500), score="{}")
    lines = [
        lines[0],
        *(f"{line.rpartition(',')[0]},{i * i % 7 % 2}" for i, line in enumerate(lines[1:])),
    ]
    one, other = (read_scores(as_file(own[1:], own[0])) for own in (lines, mixed(lines)))
    assert isinstance(one, Scores)
    assert one.assumed == other.assumed
    assert as_keywords(one.notes[0].text) == as_keywords(other.notes[0].text)
