"""Files as people have them are read rightly by following the tool's own advice, and nothing else.

Each file is read without options; what the error says is added to the command, and so on until
there is an answer, whose numbers must be those of the scores that were written.
"""

import csv
import io
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest

from tests.command import run
from tests.results import write_lines

Table = Sequence[Sequence[object]]
SETS, PAIR = ("Adiac", "Beef", "Car"), ("resnet", "fcn")
COMMAND = re.compile(r"^  (bcompare (?:check|ttest) .*?)(?: --format json)?$", re.MULTILINE)


@dataclass
class Case:
    """Files, and the scores in them: data set → (n, 2) scores; and what the user knows."""

    tables: dict[str, Table]
    scores: dict[str, np.ndarray]
    rho: float
    known: tuple[str, ...] = ()


def drawn(n: int, sets: Sequence[str] = SETS) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(n)
    return {name: np.round(rng.uniform(0.5, 1, (n, 2)), 4) for name in sets}


def flat(scores: dict[str, np.ndarray]) -> list[tuple[str, str, int, float]]:
    return [
        (name, dataset, i, float(table[i, k]))
        for k, name in enumerate(PAIR)
        for dataset, table in scores.items()
        for i in range(len(table))
    ]


Row = Callable[[str, str, int, float], Sequence[object]]


def one_file(header: str, count: int, rho: float, row: Row, sets: Sequence[str] = SETS) -> Case:
    """A file with a row for each score: of its classifier, data set, number and value."""
    scores = drawn(count, sets)
    rows = [row(*each) for each in flat(scores)]
    return Case({"r.csv": [header.split(","), *rows]}, scores, rho)


def a_file_each(label: str, header: Callable[[str, int], object], n: int) -> Case:
    """A file for each classifier, with a column for each of its scores."""
    scores = drawn(n)
    tables: dict[str, Table] = {
        f"{name}.csv": [
            [label, *(header(name, i) for i in range(n))],
            *([dataset, *table[:, k].tolist()] for dataset, table in scores.items()),
        ]
        for k, name in enumerate(PAIR)
    }
    return Case(tables, scores, 0.1)


def side_by_side(label: str, header: Callable[[str, int], str], n: int, rho: float) -> Case:
    """A column for each score of each classifier."""
    scores = drawn(n)
    names = [header(name, i) for name in PAIR for i in range(n)]
    rows = [[dataset, *table.T.ravel().tolist()] for dataset, table in scores.items()]
    return Case({"r.csv": [[label, *names], *rows]}, scores, rho)


def without(case: Case, dataset: str, *rows: int, gone: str = "") -> Case:
    """The case of which some of a data set's scores cannot be used, and another data set."""
    kept = {name: table for name, table in case.scores.items() if name != gone}
    kept[dataset] = np.delete(case.scores[dataset], rows, axis=0)
    return replace(case, scores=kept)


def repetitions(column: str) -> Case:
    return one_file(f"dataset,{column},classifier,score", 12, 0.0, lambda n, d, i, s: [d, i, n, s])


def several_metrics() -> Case:
    """SAES: several metrics in one column, 31 independent executions."""
    header = "Algorithm,Problem,MetricName,ExecutionId,MetricValue"
    case = one_file(header, 31, 0.0, lambda n, d, i, s: [n, d, "HV", i, s])
    header_row, *rows = case.tables["r.csv"]
    more = [[n, d, "EP", i, 100 * float(str(s))] for n, d, _, i, s in rows]
    return replace(case, tables={"r.csv": [header_row, *rows, *more]})


def automl_2019() -> Case:
    """The AutoML Benchmark of 2019: AUC of binary tasks, log-loss of the others, failed folds."""

    def row(n: str, d: str, i: int, s: float) -> Sequence[object]:
        result = "" if (n, d, i) == ("fcn", "Beef", 3) else s
        metrics = [0.9, result, ""] if d != "Car" else [0.9, "", result]
        return ["o", d, n, i, result, *["x"] * 9, *metrics]

    header = "id,task,framework,fold,result,mode,version,params,tag,utc,duration,models,seed,info"
    return without(one_file(f"{header},acc,auc,logloss", 10, 0.1, row), "Beef", 3, gone="Car")


def automl() -> Case:
    """The AutoML Benchmark since: a column of metrics and one of constraints."""

    def row(n: str, d: str, i: int, s: float) -> Sequence[object]:
        binary = ("binary", s, "auc")
        kind, result, metric = binary if d != "Car" else ("multiclass", -s, "neg_logloss")
        return ["o", d, n, "1h", i, kind, result, metric, "aws", "t"]

    header = "id,task,framework,constraint,fold,type,result,metric,mode,utc"
    return without(one_file(header, 10, 0.1, row), "Beef", gone="Car")


def splits_of_a_search(label: str, test: str = "test_score") -> Case:
    scores = drawn(5, ("r",))
    splits = [f"split{i}_{test}" for i in range(5)]
    header = [label, "mean_fit_time", *splits, f"mean_{test}"]
    header += [f"split{i}_train_score" for i in range(5)]
    rows = [
        [name, 0.1, *scores["r"][:, k].tolist(), 0.5, *[0.9] * 5] for k, name in enumerate(PAIR)
    ]
    return Case({"r.csv": [header, *rows]}, scores, 0.2)


WEKA = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Percent_correct"


def weka(n: str, d: str, i: int, s: float) -> Sequence[object]:
    return [d, 1, i + 1, n, "-C 0.25", round(100 * s, 4)]


def weka_splits(n: str, d: str, i: int, s: float) -> Sequence[object]:
    return [d, i + 1, n, "-C 0.25", round(100 * s, 4)]


def survival() -> Case:
    """mlr3proba, where one learner failed on a fold."""

    def row(n: str, d: str, i: int, s: float) -> Sequence[object]:
        return [d, n, "cv", i + 1, "NA" if (n, d, i) == ("fcn", "Car", 4) else s, 0]

    header = "task_id,learner_id,resampling_id,iteration,surv.cindex,errors_cnt"
    return without(one_file(header, 10, 0.1, row), "Car", 4)


def questions() -> Case:
    """Answers of two models, some of them without a score."""

    def row(n: str, _: str, i: int, s: float) -> Sequence[object]:
        return [f"q{i}", n, "" if n == "fcn" and i in (3, 7) else s]

    return without(one_file("question,model,score", 40, 0.0, row, ("r",)), "r", 3, 7)


def questions_side_by_side(label: str) -> Case:
    """A column for each question, and a row for each model."""
    scores = drawn(30, ("r",))
    rows = [[name, *scores["r"][:, k].tolist()] for k, name in enumerate(PAIR)]
    return Case({"r.csv": [[label, *(f"q{i + 1}" for i in range(30))], *rows]}, scores, 0.0)


def models_side_by_side(key: str, ending: str, rho: float = 0.0) -> Case:
    """A row for each question, or fold, and a column for each model."""
    scores = drawn(round(1 / rho) if rho else 30, ("r",))
    rows = [[i, *row] for i, row in enumerate(scores["r"].tolist())]
    return Case({"r.csv": [[key, *(name + ending for name in PAIR)], *rows]}, scores, rho)


def resamples() -> Case:
    """The resamples of caret's models."""
    scores = drawn(5, ("r",))
    rows = [
        [f"Fold{i + 1}", *(x for score in row for x in (score, 0.5))]
        for i, row in enumerate(scores["r"].tolist())
    ]
    header = [
        "Resample",
        *(f"{name}~{metric}" for name in PAIR for metric in ("Accuracy", "Kappa")),
    ]
    return Case({"r.csv": [header, *rows]}, scores, 0.2)


def tidymodels() -> Case:
    """Metrics of tidymodels, a row for each, by resampling of several runs."""

    def row(n: str, _: str, i: int, s: float) -> Sequence[object]:
        return [n, "Preprocessor1_Model1", f"Fold{i + 1:02}", "accuracy", "binary", s]

    header = "wflow_id,.config,id2,.metric,.estimator,.estimate"
    return one_file(header, 10, 0.1, row, ("r",))


def runs_of_a_tracker() -> Case:
    """An export of MLflow: the ID of each run stands before its seed."""
    return one_file(
        "Run ID,Duration,model,seed,dataset,acc",
        12,
        0.0,
        lambda n, d, i, s: [f"{n}{d}{i}", "1s", n, i, d, s],
    )


CASES: dict[str, Callable[[], Case]] = {
    "dl-4-tsc": lambda: one_file(  # five runs of each network on the archive's own split
        "classifier_name,archive_name,dataset_name,iteration,precision,accuracy,recall",
        5,
        0.0,
        lambda n, d, i, s: [n, "UCR", d, f"{i}.0", 0.5, s, 0.5],
    ),
    "SAES": several_metrics,
    **{
        name: partial(repetitions, name)
        for name in ("seed", "trial", "repetition", "run", "random_state")
    },
    "AMLB 2019": automl_2019,
    "AMLB": automl,
    "folds side by side": lambda: side_by_side("dataset", lambda n, i: f"{n}-cv{i}", 10, 0.1),
    "seeds side by side": lambda: side_by_side("Problem", lambda n, i: f"{n}_seed{i + 1}", 12, 0.0),
    "a classifier a file": lambda: a_file_each("dataset", lambda n, i: f"{n}-cv{i}", 10),
    "a search, by model": lambda: splits_of_a_search("model"),
    "a search, by index": lambda: splits_of_a_search(""),
    "a search, by parameters": lambda: splits_of_a_search("params"),
    "a search, by accuracy": lambda: splits_of_a_search("estimator", "test_accuracy"),
    **{  # 30 resamples in numbered columns
        f"bake-off, {label}": partial(a_file_each, label, lambda _, i: i, 30)
        for label in ("folds", "Resamples:", "dataset")
    },
    "WEKA": lambda: one_file(WEKA, 10, 0.1, weka),
    "WEKA, random splits": lambda: one_file(WEKA.replace("Key_Fold,", ""), 10, 0.0, weka_splits),
    "survival": survival,
    "questions": questions,
    **{label: partial(questions_side_by_side, label) for label in ("model", "classifier")},
    "id, scores of each model": lambda: models_side_by_side("id", "_score"),
    "id, models": lambda: models_side_by_side("id", ""),
    "folds, scores of each model": lambda: models_side_by_side("fold", "_accuracy", 0.1),
    "a tracker": runs_of_a_tracker,
    "caret": resamples,
    "tidymodels": tidymodels,
}


def as_csv(table: Table) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(table)
    return text.getvalue()


def as_arff(table: Table) -> str:
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


def follow(folder: Path, files: list[str], case: Case) -> tuple[dict[str, Any], list[str]]:
    """The answer that reading gives at once, or by the first command that is advised."""
    outcome = run("ttest", *files, "--format", "json", folder=folder)
    words = files
    if outcome.code:
        words = advised(outcome.err)
        outcome = run("ttest", *words, *case.known, "--format", "json", folder=folder)
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out), words


def check(answer: dict[str, Any], case: Case) -> None:
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


@pytest.mark.parametrize("name", CASES)
def test_the_advice_leads_to_the_right_reading(name: str, tmp_path: Path) -> None:
    case = CASES[name]()
    for file, table in case.tables.items():
        (tmp_path / file).write_text(as_csv(table), encoding="utf-8")
    answer, _ = follow(tmp_path, list(case.tables), case)
    check(answer, case)


@pytest.mark.parametrize("name", ["WEKA", "WEKA, random splits"])
def test_wekas_own_format(name: str, tmp_path: Path) -> None:
    case = CASES[name]()
    (tmp_path / "r.arff").write_text(as_arff(case.tables["r.csv"]), encoding="utf-8")
    answer, _ = follow(tmp_path, ["r.arff"], case)
    check(answer, case)


@pytest.mark.parametrize("name", ["dl-4-tsc", "folds side by side", "WEKA"])
def test_a_workbook_with_blank_rows_above_and_a_blank_column(name: str, tmp_path: Path) -> None:
    case = CASES[name]()
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in ([], [], [], *case.tables["r.csv"]):
        book.active.append([None, *row])
    book.save(tmp_path / "r.xlsx")
    answer, _ = follow(tmp_path, ["r.xlsx"], case)
    check(answer, case)


def test_a_search_that_is_turned_over(tmp_path: Path) -> None:
    case = splits_of_a_search("params")
    turned: Table = [["", 0, 1], *zip(*case.tables["r.csv"], strict=True)]
    (tmp_path / "r.csv").write_text(as_csv(turned), encoding="utf-8")
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
        for name, _, i, score in flat(scores)
    ]
    (tmp_path / "r.json").write_text(json.dumps({"results": {"results": rows}}), encoding="utf-8")
    case = Case({}, scores, 0.0)
    answer, words = follow(tmp_path, ["r.json"], case)
    check(answer, case)
    assert words == ["r.json"]


def test_the_readings_of_a_counter_are_all_offered_and_run(tmp_path: Path) -> None:
    case = repetitions("seed")
    (tmp_path / "r.csv").write_text(as_csv(case.tables["r.csv"]), encoding="utf-8")
    message = run("check", "r.csv", "--strict", folder=tmp_path).err
    rhos = {"--col seed=seed": 0.0, "--col fold=seed --rho 0.1": 0.1, "--col item=seed": 0.0}
    commands = COMMAND.findall(message)
    assert len(commands) == len(rhos)
    for command, rho in zip(commands, rhos.values(), strict=True):
        assert any(words in command for words in rhos)
        outcome = run("ttest", *shlex.split(command)[2:], "--format", "json", folder=tmp_path)
        check(json.loads(outcome.out), Case({}, case.scores, rho))


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
        "--col classifier=classifier --wide '(?P<dataset>iris|wine|glass)'",
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
    assert COMMAND.findall(message)[0] == f"bcompare check r.csv {options}"
    where = re.search(r"--where (\S+)", options)
    assert where is None or f"only rows with {where[1]}; rows are" in message


def test_ranks_are_no_scores(tmp_path: Path) -> None:
    ranks = [f"d{i},{a},{b},{c}" for i, (a, b, c) in enumerate(permutations((1, 2, 3)))]
    path = write_lines(tmp_path / "r.csv", "dataset,x,y,z", *ranks)
    assert "each row has ranks, not scores" in run("rank", path).err
    for command in ("rank", "signrank"):
        means = (command, path, "--preset", "means", "--rope", "0.1")
        outcome = run(*means)
        assert outcome.code == 2
        assert "each row has the numbers 1 to 3" in outcome.err
        assert run(*means, "--lower-is-better").code == 0


def test_percentages_on_one_data_set_only_are_not_divided_on_all(tmp_path: Path) -> None:
    rows = [
        f"{d},{name},{f},{unit * (0.7 + 0.01 * f + 0.02 * k):.3f}"
        for d in "ab"
        for f in range(5)
        for k, name in enumerate(("rf", "svm"))
        for unit in [100 if (d, name) == ("b", "svm") else 1]
    ]
    path = write_lines(tmp_path / "r.csv", "dataset,classifier,fold,score", *rows)
    message = run("ttest", path).err
    assert "cannot be compared; correct the file" in message
    assert "svm=0.01" not in message


def test_a_leaderboards_tasks_are_data_sets_and_its_makers_are_not(tmp_path: Path) -> None:
    header = "Rank,Model,Organization,License,#Params (B),Average,task0,task1,task2,task3,task4"
    rows = [
        [i + 1, f"org{i % 4}/m{i}", f"org{i % 4}", "mit", 2**i, 70 - i]
        + [round(70 - i + 3 * np.sin(7 * i + t), 2) for t in range(5)]
        for i in range(8)
    ]
    path = write_lines(tmp_path / "r.csv", header, *(",".join(map(str, row)) for row in rows))
    (line,) = COMMAND.findall(run("check", path).err)
    assert "--wide '(?P<dataset>task\\d+)'" in line
    assert "Organization" not in line
    assert "8 classifiers × 5 data sets, 40 scores" in run("check", path).err


def test_scores_side_by_side_are_read_beside_a_truth(tmp_path: Path) -> None:
    header = "input,expected,output_a,output_b,score_a,score_b,category,cost_usd"
    rows = [f"q{i},x,y,z,{int(i % 3 > 0)},{int(i % 5 > 0)},u,{i / 1e4}" for i in range(30)]
    err = run("check", write_lines(tmp_path / "r.csv", header, *rows)).err
    (line,) = COMMAND.findall(err)
    assert line.endswith("--col item=input --wide 'score_(?P<classifier>.+)'")
    assert "truth" not in err


def test_a_frame_of_forecasts_has_no_scores(tmp_path: Path) -> None:
    rows = [f"a,2024-01-{i + 1:02},2023-12-31,{50 + i}.5,{51 + i},{49 + i}" for i in range(20)]
    header = "unique_id,ds,cutoff,y,AutoARIMA,Naive"
    err = run("check", write_lines(tmp_path / "r.csv", header, *rows)).err
    assert "If 'y' is the truth" in err
    assert not COMMAND.findall(err)


def test_the_rows_of_the_test_part_are_offered(tmp_path: Path) -> None:
    rows = [
        f"{name},{fold},{part},{0.8 + 0.01 * fold + 0.02 * (part == 'train')}{5 * (name == 'b')}"
        for name in "ab"
        for fold in range(1, 6)
        for part in ("train", "val", "test")
    ]
    err = run("check", write_lines(tmp_path / "r.csv", "model,fold,split,acc", *rows)).err
    assert all("--where split=test" in line for line in COMMAND.findall(err))
    assert COMMAND.findall(err)


def test_a_reading_without_a_direction_asks_for_it(tmp_path: Path) -> None:
    rows = [f"{name},d{i},{2 + i + (name == 'b')}" for name in "ab" for i in range(6)]
    err = run("check", write_lines(tmp_path / "r.csv", "model,dataset,smape", *rows)).err
    assert "if lower scores are better, add --lower-is-better" in err
