"""What the tool says of a file leads to its right reading, and to nothing else.

Each file is read without options; what the error says is added to the command, whose numbers must
be those of the scores that were written.
"""

import csv
import json
import re
import shlex
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.command import run
from tests.reading.published import PAIR, Cells, Published, drawn, search
from tests.reading.test_public_layouts import CASES
from tests.results import write_lines

COMMAND = re.compile(r"^  (bcompare \w+ .*)$", re.MULTILINE)


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


def advised(message: str) -> list[str]:
    """The first command after an error, as words; failed trials are left out, for one answer."""
    assert "It can be read" in message, message
    first = COMMAND.findall(message)[0].replace("--failed bounds", "--failed drop")
    return shlex.split(first)[2:]


def follow(folder: Path, files: list[str], case: Published) -> tuple[dict[str, Any], list[str]]:
    """The answer that reading gives at once, or by the first command that is advised."""
    outcome = run("ttest", *files, "--format", "json", folder=folder)
    words = files
    if outcome.code:
        words = advised(outcome.err)
        outcome = run("ttest", *words, folder=folder)
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out), words


def check(answer: dict[str, Any], case: Published) -> None:
    """The answer must rest on the scores that were written."""
    (comparison,) = answer["comparisons"]
    left, right = (comparison[side].split()[0] for side in ("left", "right"))
    assert {left, right} == {*PAIR}
    sign = 1 if left == PAIR[0] else -1
    result = {d["dataset"]: d for d in comparison["datasets"]}
    lone = len(case.scores) == 1
    assert lone or result.keys() == case.scores.keys()
    for name, table in case.scores.items():
        dataset = next(iter(result.values())) if lone else result[name]
        assert (dataset["n"], dataset["rho"]) == (len(table), pytest.approx(case.rho))
        difference = sign * (table[:, 1] - table[:, 0]).mean()
        assert dataset["mean_difference"] == pytest.approx(difference, abs=1e-9)


@pytest.mark.parametrize("name", ["WEKA", "WEKA, random splits"])
def test_wekas_own_format(name: str, tmp_path: Path) -> None:
    case = CASES[name]()
    (tmp_path / "r.arff").write_text(as_arff(case.files["r.csv"]), encoding="utf-8")
    answer, _ = follow(tmp_path, ["r.arff"], case)
    check(answer, case)


@pytest.mark.parametrize("name", ["hfawaz/dl-4-tsc results-ucr-128", "folds side by side", "WEKA"])
def test_a_workbook_with_blank_rows_above_and_a_blank_column(name: str, tmp_path: Path) -> None:
    case = CASES[name]()
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in ([], [], [], *case.files["r.csv"]):
        book.active.append([None, *row])
    book.save(tmp_path / "r.xlsx")
    answer, _ = follow(tmp_path, ["r.xlsx"], case)
    check(answer, case)


def test_a_search_that_is_turned_over(tmp_path: Path) -> None:
    case = search("params")
    turned: Cells = [["", 0, 1], *zip(*case.files["r.csv"], strict=True)]
    write(tmp_path, "r.csv", turned)
    message = run("check", "r.csv", folder=tmp_path).err
    line = message[message.index("python -c") : message.index(", and read turned.csv")]
    words = [sys.executable, *shlex.split(line)[1:]]
    subprocess.run(words, cwd=tmp_path, check=True)
    answer, _ = follow(tmp_path, ["turned.csv"], case)
    check(answer, case)


@pytest.mark.parametrize("label", ["", None])
def test_promptfoo_falls_back_to_the_provider(label: str | None, tmp_path: Path) -> None:
    scores = drawn(12, ("r",))
    rows = [
        {
            "testIdx": i,
            "promptIdx": 0,
            "score": score,
            "prompt": {"raw": "…", "label": "p"},
            "provider": {"id": name} | ({} if label is None else {"label": label}),
        }
        for k, name in enumerate(PAIR)
        for i, score in enumerate(scores["r"][:, k].tolist())
    ]
    (tmp_path / "r.json").write_text(json.dumps({"results": {"results": rows}}), encoding="utf-8")
    case = Published({}, scores, 0.0)
    answer, words = follow(tmp_path, ["r.json"], case)
    check(answer, case)
    assert words == ["r.json"]


@pytest.mark.parametrize("header", ["id,{},rf,svm", "id,{},model,prediction"])
@pytest.mark.parametrize("truth", ["label", "y_true", "Ground truth"])
def test_predictions_are_no_scores(header: str, truth: str, tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(f"{header.format(truth)}\n1,0,0,1\n2,1,1,0\n", encoding="utf-8")
    message = run("ttest", "r.csv", folder=tmp_path).err
    assert f"If '{truth}' is the truth" in message
    assert f"|{truth}" not in message
    assert f"{truth}|" not in message


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
        (
            "--col dataset=dataset,pred_len --col classifier=model --col score=mse --col seed=seed "
            "--lower-is-better"
        ),
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


@pytest.mark.parametrize("name", ROWS)
def test_the_first_command_is_the_right_one(name: str, tmp_path: Path) -> None:
    header, rows, options = ROWS[name]
    write_lines(tmp_path / "r.csv", header, *rows)
    message = run("check", "r.csv", "--strict", folder=tmp_path).err
    command = COMMAND.findall(message)[0].removesuffix(" --higher-is-better")
    assert command == f"bcompare check r.csv {options}"
    where = re.search(r"--where (\S+)", options)
    assert where is None or f"only rows with {where[1]}; rows are" in message


def test_a_file_of_each_model_with_data_sets_in_columns(tmp_path: Path) -> None:
    for name, scores in (("a", "0.91,0.83,0.75"), ("b", "0.88,0.86,0.71")):
        write_lines(tmp_path / f"{name}.csv", "en,de,fr", scores)
    message = run("check", "a.csv", "b.csv", folder=tmp_path).err
    own = "--wide '(?P<dataset>en|de|fr)' --higher-is-better"
    assert COMMAND.findall(message) == [f"bcompare check a.csv b.csv {own}"]
