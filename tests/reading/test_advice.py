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
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest

from tests.command import run

Table = Sequence[Sequence[object]]
SETS, PAIR = ("Adiac", "Beef", "Car"), ("resnet", "fcn")
FLAGS = {"--lower-is-better", "--percent"}
MOST_STEPS = 6
BEGINNING = re.compile(r"(?:say(?:, the likeliest first:)?|Did you mean|such as|for all:) (?=--)")
OPTION = re.compile(r"(--[a-z-]+)(?: (?=')('[^']*')| (?![-(])([^\s;,?)]*[^\s;,?).]))?")


@dataclass
class Case:
    """Files, and the scores in them: data set → (n, 2) scores; and what the user knows."""

    tables: dict[str, Table]
    scores: dict[str, np.ndarray]
    rho: float
    known: dict[str, str] = field(default_factory=dict)


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


def one_file(header: str, rows: Table, scores: dict[str, np.ndarray], rho: float, **n: str) -> Case:
    return Case({"r.csv": [header.split(","), *rows]}, scores, rho, n)


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


def without(
    scores: dict[str, np.ndarray], dataset: str, *rows: int, gone: str = ""
) -> dict[str, np.ndarray]:
    """The scores without some of a data set's, and without another data set."""
    kept = {name: table for name, table in scores.items() if name != gone}
    return kept | {dataset: np.delete(scores[dataset], rows, axis=0)}


def deep_learning() -> Case:
    """hfawaz/dl-4-tsc: five runs of each network on the archive's own split."""
    header = "classifier_name,archive_name,dataset_name,iteration,precision,accuracy,recall"
    scores = drawn(5)
    rows = [[n, "UCR", d, f"{i}.0", 0.5, s, 0.5] for n, d, i, s in flat(scores)]
    return one_file(header, rows, scores, 0.0)


def several_metrics() -> Case:
    """SAES: several metrics in one column, 31 independent executions."""
    scores = drawn(31)
    rows = [
        [n, d, metric, i, value]
        for n, d, i, s in flat(scores)
        for metric, value in (("HV", s), ("EP", 100 * s))
    ]
    return one_file("Algorithm,Problem,MetricName,ExecutionId,MetricValue", rows, scores, 0.0)


def repetitions(column: str) -> Case:
    scores = drawn(12)
    rows = [[d, i, n, s] for n, d, i, s in flat(scores)]
    return one_file(f"dataset,{column},classifier,score", rows, scores, 0.0)


def automl_2019() -> Case:
    """The AutoML Benchmark of 2019: AUC of binary tasks, log-loss of the others, failed folds."""
    header = "id,task,framework,fold,result,mode,version,params,tag,utc,duration,models,seed,info"
    scores = drawn(10)
    rows = []
    for n, d, i, s in flat(scores):
        result = "" if (n, d, i) == ("fcn", "Beef", 3) else s
        metrics = [0.9, result, ""] if d != "Car" else [0.9, "", result]
        rows.append(["o", d, n, i, result, *["x"] * 9, *metrics])
    return one_file(f"{header},acc,auc,logloss", rows, without(scores, "Beef", 3, gone="Car"), 0.1)


def automl() -> Case:
    """The AutoML Benchmark since: a column of metrics and one of constraints."""
    scores = drawn(10)
    rows = [
        ["o", d, n, "1h", i, "binary", s, "auc", "aws", "t"]
        if d != "Car"
        else ["o", d, n, "1h", i, "multiclass", -s, "neg_logloss", "aws", "t"]
        for n, d, i, s in flat(scores)
    ]
    header = "id,task,framework,constraint,fold,type,result,metric,mode,utc"
    return one_file(header, rows, without(scores, "Beef", gone="Car"), 0.1)


def side_by_side(label: str, header: Callable[[str, int], str], n: int, rho: float) -> Case:
    """A column for each score of each classifier."""
    scores = drawn(n)
    names = [header(name, i) for name in PAIR for i in range(n)]
    rows = [[dataset, *table.T.ravel().tolist()] for dataset, table in scores.items()]
    return one_file(",".join([label, *names]), rows, scores, rho)


def splits_of_a_search(label: str, test: str = "test_score") -> Case:
    scores = drawn(5, ("r",))
    splits = [f"split{i}_{test}" for i in range(5)]
    header = [label, "mean_fit_time", *splits, f"mean_{test}"]
    header += [f"split{i}_train_score" for i in range(5)]
    rows = [
        [name, 0.1, *scores["r"][:, k].tolist(), 0.5, *[0.9] * 5] for k, name in enumerate(PAIR)
    ]
    return one_file(",".join(header), rows, scores, 0.2, N="5")


WEKA = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Percent_correct"


def experimenter() -> Case:
    scores = drawn(10)
    rows = [[d, 1, i + 1, n, "-C 0.25", round(100 * s, 4)] for n, d, i, s in flat(scores)]
    return one_file(WEKA, rows, scores, 0.1)


def experimenter_with_splits() -> Case:
    """WEKA's Experimenter with random splits, which have no folds."""
    scores = drawn(10)
    rows = [[d, i + 1, n, "-C 0.25", round(100 * s, 4)] for n, d, i, s in flat(scores)]
    return one_file(WEKA.replace("Key_Fold,", ""), rows, scores, 0.0)


def survival() -> Case:
    """mlr3proba, where one learner failed on a fold."""
    scores = drawn(10)
    rows: Table = [
        [d, n, "cv", i + 1, "NA" if (n, d, i) == ("fcn", "Car", 4) else s, 0]
        for n, d, i, s in flat(scores)
    ]
    header = "task_id,learner_id,resampling_id,iteration,surv.cindex,errors_cnt"
    return one_file(header, rows, without(scores, "Car", 4), 0.1, N="10")


def questions() -> Case:
    """Answers of two models, some of them without a score."""
    scores = drawn(40, ("r",))
    rows = [[f"q{i}", n, "" if n == "fcn" and i in (3, 7) else s] for n, _, i, s in flat(scores)]
    return one_file("question,model,score", rows, without(scores, "r", 3, 7), 0.0)


CASES: dict[str, Callable[[], Case]] = {
    "dl-4-tsc": deep_learning,
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
    "WEKA": experimenter,
    "WEKA, random splits": experimenter_with_splits,
    "survival": survival,
    "questions": questions,
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


def advised(message: str) -> list[tuple[str, str]]:
    """The first command in an error, as options and their values."""
    beginning = BEGINNING.search(message)
    assert beginning, message
    place, result = beginning.end(), []
    while option := OPTION.match(message, place):
        name, value = option[1], option[2] or option[3]
        if name in FLAGS:
            value, place = "", place + len(name)
        else:
            place = option.end()
        result.append((name, shlex.split(value)[0] if value else ""))
        if message[place : place + 3] != " --":
            break
        place += 1
    return result


def follow(
    folder: Path, files: list[str], known: dict[str, str]
) -> tuple[dict[str, Any], list[str]]:
    """The answer that the advice leads to, and the command."""
    options: dict[str, list[str]] = {}
    for _ in range(MOST_STEPS):
        words = [
            w
            for k, values in options.items()
            for v in values
            for w in ((k,) if k in FLAGS else (k, v))
        ]
        outcome = run("ttest", *files, *words, "--format", "json", folder=folder)
        if outcome.code == 0:
            return json.loads(outcome.out), words
        advice = advised(outcome.err)
        for name, value in advice:
            chosen = known.get(value, value)
            assert options.get(name) != [chosen], f"circular: {words}\n{outcome.err}"
            role = chosen.partition("=")[0]
            before = [v for v in options.get(name, []) if v.partition("=")[0] != role]
            repeated = name in ("--col", "--where", "--na-values")
            options[name] = [*before, chosen] if repeated else [chosen]
        if "Write NAME=" in outcome.err:
            files = [f"{Path(name).stem}={name}" for name in files]
    raise AssertionError(f"no answer after {words}")


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
    answer, _ = follow(tmp_path, list(case.tables), case.known)
    check(answer, case)


@pytest.mark.parametrize("name", ["WEKA", "WEKA, random splits"])
def test_wekas_own_format(name: str, tmp_path: Path) -> None:
    case = CASES[name]()
    (tmp_path / "r.arff").write_text(as_arff(case.tables["r.csv"]), encoding="utf-8")
    answer, _ = follow(tmp_path, ["r.arff"], {})
    check(answer, case)


@pytest.mark.parametrize("name", ["dl-4-tsc", "folds side by side", "WEKA"])
def test_a_workbook_with_blank_rows_above_and_a_blank_column(name: str, tmp_path: Path) -> None:
    case = CASES[name]()
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in ([], [], [], *case.tables["r.csv"]):
        book.active.append([None, *row])
    book.save(tmp_path / "r.xlsx")
    answer, _ = follow(tmp_path, ["r.xlsx"], {})
    check(answer, case)


def test_a_search_that_is_turned_over(tmp_path: Path) -> None:
    case = splits_of_a_search("params")
    turned: Table = [["", 0, 1], *zip(*case.tables["r.csv"], strict=True)]
    (tmp_path / "r.csv").write_text(as_csv(turned), encoding="utf-8")
    message = run("check", "r.csv", folder=tmp_path).err
    line = message[message.index("python -c") : message.index(", and read turned.csv")]
    words = [sys.executable, *shlex.split(line)[1:]]
    subprocess.run(words, cwd=tmp_path, check=True)
    answer, _ = follow(tmp_path, ["turned.csv"], {"N": "5"})
    check(answer, case)


@pytest.mark.parametrize("label", ["", None])
def test_promptfoo_falls_back_to_the_provider(label: str | None, tmp_path: Path) -> None:
    scores = drawn(12, ("r",))
    rows = [
        {
            "testIdx": i, "promptIdx": 0, "score": score, "prompt": {"raw": "…", "label": "p"},
            "provider": {"id": name} | ({} if label is None else {"label": label}),
        }
        for name, _, i, score in flat(scores)
    ]  # fmt: skip
    (tmp_path / "r.json").write_text(json.dumps({"results": {"results": rows}}), encoding="utf-8")
    answer, words = follow(tmp_path, ["r.json"], {})
    check(answer, Case({}, scores, 0.0))
    assert words == []


def test_the_readings_of_a_counter_are_all_offered_and_run(tmp_path: Path) -> None:
    case = repetitions("seed")
    (tmp_path / "r.csv").write_text(as_csv(case.tables["r.csv"]), encoding="utf-8")
    message = run("check", "r.csv", folder=tmp_path).err
    rhos = {"--col seed=seed": 0.0, "--col fold=seed --rho 0.1": 0.1, "--col item=seed": 0.0}
    for reading, rho in rhos.items():
        assert reading in message
        outcome = run("ttest", "r.csv", *reading.split(), "--format", "json", folder=tmp_path)
        check(json.loads(outcome.out), Case({}, case.scores, rho))
