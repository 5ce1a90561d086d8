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


def deep_learning() -> Case:
    """hfawaz/dl-4-tsc: five runs of each network on the archive's own split."""
    header = "classifier_name,archive_name,dataset_name,iteration,precision,accuracy,recall"
    scores = drawn(5)
    rows = [
        [name, "UCR", dataset, f"{i}.0", 0.5, score, 0.5]
        for name, dataset, i, score in flat(scores)
    ]
    return Case({"r.csv": [[*header.split(",")], *rows]}, scores, 0.0)


def several_metrics() -> Case:
    """SAES: several metrics in one column, 31 independent executions."""
    header = ["Algorithm", "Problem", "MetricName", "ExecutionId", "MetricValue"]
    scores = drawn(31)
    rows = [
        [name, dataset, metric, i, value]
        for name, dataset, i, score in flat(scores)
        for metric, value in (("HV", score), ("EP", 100 * score))
    ]
    return Case({"r.csv": [header, *rows]}, scores, 0.0)


def repetitions(column: str) -> Callable[[], Case]:
    def case() -> Case:
        scores = drawn(12)
        rows = [[dataset, i, name, score] for name, dataset, i, score in flat(scores)]
        return Case({"r.csv": [["dataset", column, "classifier", "score"], *rows]}, scores, 0.0)

    return case


AMLB = (
    "id,task,framework,fold,result,mode,version,params,tag,utc,duration,models,seed,info,acc,auc,"
    "logloss"
)


def automl_2019() -> Case:
    """The AutoML Benchmark of 2019: AUC of binary tasks, log-loss of the others, failed folds."""
    scores = drawn(10)
    rows = []
    for name, dataset, i, score in flat(scores):
        binary, failed = dataset != "Car", (name, dataset, i) == ("fcn", "Beef", 3)
        result = "" if failed else score
        metrics = [0.9, result, ""] if binary else [0.9, "", result]
        rows.append(["o", dataset, name, i, result, *["x"] * 9, *metrics])
    kept = {k: v for k, v in scores.items() if k != "Car"}
    kept["Beef"] = np.delete(kept["Beef"], 3, axis=0)
    return Case({"r.csv": [[*AMLB.split(",")], *rows]}, kept, 0.1)


def automl() -> Case:
    """The AutoML Benchmark since: a column of metrics and one of constraints."""
    header = "id,task,framework,constraint,fold,type,result,metric,mode,utc"
    scores = drawn(10)
    rows = [
        ["o", d, n, "1h", i, "binary", s, "auc", "aws", "t"]
        if d != "Car"
        else ["o", d, n, "1h", i, "multiclass", -s, "neg_logloss", "aws", "t"]
        for n, d, i, s in flat(scores)
    ]
    kept = {k: v for k, v in scores.items() if k != "Car"}
    return Case({"r.csv": [[*header.split(",")], *rows]}, kept, 0.1)


def wide(header: Callable[[str, int], str], n: int, *, label: str) -> Table:
    scores = drawn(n)
    names = [header(name, i) for name in PAIR for i in range(n)]
    return [
        [label, *names],
        *([dataset, *table.T.ravel().tolist()] for dataset, table in scores.items()),
    ]


def folds_beside_each_other() -> Case:
    return Case({"r.csv": wide(lambda n, i: f"{n}-cv{i}", 10, label="dataset")}, drawn(10), 0.1)


def seeds_beside_each_other() -> Case:
    table = wide(lambda n, i: f"{n}_seed{i + 1}", 12, label="Problem")
    return Case({"r.csv": table}, drawn(12), 0.0)


def a_classifier_a_file() -> Case:
    """Columns knn-cv0 to knn-cv9 of one classifier in each file."""
    scores = drawn(10)
    tables: dict[str, Table] = {
        f"{name}.csv": [
            ["dataset", *(f"{name}-cv{i}" for i in range(10))],
            *([dataset, *table[:, k].tolist()] for dataset, table in scores.items()),
        ]
        for k, name in enumerate(PAIR)
    }
    return Case(tables, scores, 0.1)


def splits_of_a_search(label: str, test: str = "test_score") -> Callable[[], Case]:
    def case() -> Case:
        scores = drawn(5, ("r",))
        header = [label, "mean_fit_time", *(f"split{i}_{test}" for i in range(5)), f"mean_{test}"]
        header += [f"split{i}_train_score" for i in range(5)]
        rows = [
            [name, 0.1, *scores["r"][:, k].tolist(), 0.5, *[0.9] * 5] for k, name in enumerate(PAIR)
        ]
        return Case({"r.csv": [header, *rows]}, scores, 0.2, {"N": "5"})

    return case


def bake_off(label: str) -> Callable[[], Case]:
    """The UCR bake-off: 30 resamples in numbered columns, a file for each classifier."""

    def case() -> Case:
        scores = drawn(30)
        tables: dict[str, Table] = {
            f"{name}.csv": [
                [label, *range(30)],
                *([dataset, *table[:, k].tolist()] for dataset, table in scores.items()),
            ]
            for k, name in enumerate(PAIR)
        }
        return Case(tables, scores, 0.1)

    return case


WEKA = ["Key_Dataset", "Key_Run", "Key_Fold", "Key_Scheme", "Key_Scheme_options", "Percent_correct"]


def experimenter() -> Case:
    scores = drawn(10)
    rows = [[d, 1, i + 1, n, "-C 0.25", round(100 * s, 4)] for n, d, i, s in flat(scores)]
    return Case({"r.csv": [[*WEKA], *rows]}, scores, 0.1)


def experimenter_with_splits() -> Case:
    """WEKA's Experimenter with random splits, which have no folds."""
    scores = drawn(10)
    rows = [[d, i + 1, n, "-C 0.25", round(100 * s, 4)] for n, d, i, s in flat(scores)]
    header = [name for name in WEKA if name != "Key_Fold"]
    return Case({"r.csv": [[*header], *rows]}, scores, 0.0)


def survival() -> Case:
    """mlr3proba, where one learner failed on a fold."""
    scores = drawn(10)
    rows: Table = [
        [d, n, "cv", i + 1, "NA" if (n, d, i) == ("fcn", "Car", 4) else s, 0]
        for n, d, i, s in flat(scores)
    ]
    scores["Car"] = np.delete(scores["Car"], 4, axis=0)
    header = ["task_id", "learner_id", "resampling_id", "iteration", "surv.cindex", "errors_cnt"]
    return Case({"r.csv": [[*header], *rows]}, scores, 0.1, {"N": "10"})


def questions() -> Case:
    """Answers of two models, some of them without a score."""
    scores = drawn(40, ("r",))
    rows = [[f"q{i}", n, "" if n == "fcn" and i in (3, 7) else s] for n, _, i, s in flat(scores)]
    scores["r"] = np.delete(scores["r"], [3, 7], axis=0)
    return Case({"r.csv": [["question", "model", "score"], *rows]}, scores, 0.0)


CASES: dict[str, Callable[[], Case]] = {
    "dl-4-tsc": deep_learning,
    "SAES": several_metrics,
    **{name: repetitions(name) for name in ("seed", "trial", "repetition", "run", "random_state")},
    "AMLB 2019": automl_2019,
    "AMLB": automl,
    "folds beside each other": folds_beside_each_other,
    "seeds beside each other": seeds_beside_each_other,
    "a classifier a file": a_classifier_a_file,
    "a search, by model": splits_of_a_search("model"),
    "a search, by index": splits_of_a_search(""),
    "a search, by parameters": splits_of_a_search("params"),
    "a search, by accuracy": splits_of_a_search("estimator", "test_accuracy"),
    **{f"bake-off, {label}": bake_off(label) for label in ("folds", "Resamples:", "dataset")},
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
    place, found = beginning.end(), []
    while option := OPTION.match(message, place):
        name, value = option[1], option[2] or option[3]
        if name in FLAGS:
            value, place = "", place + len(name)
        else:
            place = option.end()
        found.append((name, shlex.split(value)[0] if value else ""))
        if message[place : place + 3] != " --":
            break
        place += 1
    return found


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
            options[name] = (
                [*options.get(name, []), chosen] if name in ("--where", "--na") else [chosen]
            )
        if "Write NAME=" in outcome.err:
            files = [f"{Path(name).stem}={name}" for name in files]
    raise AssertionError(f"no answer after {words}")


def check(answer: dict[str, Any], case: Case) -> None:
    """The answer must rest on the scores that were written."""
    (comparison,) = answer["comparisons"]
    left, right = (comparison[side].split()[0] for side in ("left", "right"))
    assert {left, right} == {*PAIR}
    sign = 1 if left == PAIR[0] else -1
    found = {d["dataset"]: d for d in comparison["datasets"]}
    lone = len(case.scores) == 1
    assert lone or found.keys() == case.scores.keys()
    for name, table in case.scores.items():
        dataset = next(iter(found.values())) if lone else found[name]
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


@pytest.mark.parametrize("case", [experimenter, experimenter_with_splits])
def test_wekas_own_format(case: Callable[[], Case], tmp_path: Path) -> None:
    (table,) = case().tables.values()
    (tmp_path / "r.arff").write_text(as_arff(table), encoding="utf-8")
    answer, _ = follow(tmp_path, ["r.arff"], {})
    check(answer, case())


@pytest.mark.parametrize("name", ["dl-4-tsc", "folds beside each other", "WEKA"])
def test_a_workbook_with_blank_rows_above_and_a_blank_column(name: str, tmp_path: Path) -> None:
    case = CASES[name]()
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in ([], [], [], *case.tables["r.csv"]):
        book.active.append([None, *row])
    book.save(tmp_path / "r.xlsx")
    answer, _ = follow(tmp_path, ["r.xlsx"], {})
    check(answer, case)


def test_rows_of_separators_above_the_header(tmp_path: Path) -> None:
    case = deep_learning()
    text = f",,,,,,\r\n\n , ,\n{as_csv(case.tables['r.csv'])}"
    (tmp_path / "r.csv").write_text(text, encoding="utf-8")
    answer, words = follow(tmp_path, ["r.csv"], {})
    check(answer, case)
    (tmp_path / "r.csv").write_text(text.replace("0.5\n", "good\n", 1), encoding="utf-8")
    assert "r.csv, line 5" in run("ttest", "r.csv", *words[:-1], "recall", folder=tmp_path).err


def test_a_search_that_is_turned_over(tmp_path: Path) -> None:
    case = splits_of_a_search("params")()
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
    assert words == ["--preset", "promptfoo"]


def test_a_preset_that_was_chosen_is_not_advised_again(tmp_path: Path) -> None:
    table = experimenter_with_splits().tables["r.csv"]
    gone = [[cell for k, cell in enumerate(row) if k != 0] for row in table]
    (tmp_path / "r.csv").write_text(as_csv(gone), encoding="utf-8")
    message = run("check", "r.csv", "--preset", "weka", folder=tmp_path).err
    assert "no column 'Key_Dataset'" in message
    assert "--preset weka" not in message


def test_iterations_without_folds_do_not_pass_for_folds(tmp_path: Path) -> None:
    case = repetitions("iteration")()
    (tmp_path / "r.csv").write_text(as_csv(case.tables["r.csv"]), encoding="utf-8")
    command = ("ttest", "r.csv", "--iteration-col", "iteration")
    for more in ((), ("--folds", "20")):
        outcome = run(*command, *more, folder=tmp_path)
        assert outcome.code == 2
        assert "--seed-col iteration" in outcome.err
    outcome = run("ttest", "r.csv", "--fold-col", "iteration", folder=tmp_path)
    assert "12 rows of each classifier, numbered by column 'iteration'" in outcome.err
    few = [row for row in case.tables["r.csv"] if row[1] == "iteration" or row[1] in range(10)]
    (tmp_path / "r.csv").write_text(as_csv(few), encoding="utf-8")
    outcome = run("ttest", "r.csv", "--fold-col", "iteration", folder=tmp_path)
    assert (outcome.code, "[counted-folds]" in outcome.err) == (0, True)


@pytest.mark.parametrize(
    ("column", "values", "options", "refused"),
    [
        ("metric", ("auc", "acc"), (), True),
        ("metric", ("auc", "acc"), ("--where", "metric~^(auc|acc)$"), False),
        ("type", ("binary", "multiclass"), (), True),
        ("type", ("tree", "network"), (), False),
        ("metric", ("auc", "auc"), (), False),
    ],
)
def test_metrics_that_differ_between_data_sets(
    column: str, values: tuple[str, str], options: tuple[str, ...], refused: bool, tmp_path: Path
) -> None:
    scores = drawn(10, ("iris", "wine"))
    rows = [[d, i, n, values[d == "wine"], s] for n, d, i, s in flat(scores)]
    table: Table = [["dataset", "fold", "classifier", column, "score"], *rows]
    (tmp_path / "r.csv").write_text(as_csv(table), encoding="utf-8")
    outcome = run("ttest", "r.csv", *options, folder=tmp_path)
    assert (outcome.code == 2) == refused
    if refused:
        assert f"--where {column}={values[0]}" in outcome.err
        assert all(f"{value} (20 rows)" in outcome.err for value in values)


@pytest.mark.parametrize("program", ["amlb", None])
def test_results_of_two_kinds_of_tasks_are_never_mixed(program: str | None, tmp_path: Path) -> None:
    for case in (automl_2019(), automl()):
        (tmp_path / "r.csv").write_text(as_csv(case.tables["r.csv"]), encoding="utf-8")
        assert run("ttest", "r.csv", "--preset", "amlb", folder=tmp_path).code == 2


def test_the_readings_of_a_counter_are_all_offered_and_run(tmp_path: Path) -> None:
    case = repetitions("seed")()
    (tmp_path / "r.csv").write_text(as_csv(case.tables["r.csv"]), encoding="utf-8")
    message = run("check", "r.csv", folder=tmp_path).err
    rhos = {"--seed-col seed": 0.0, "--fold-col seed --rho 0.1": 0.1, "--item-col seed": 0.0}
    for reading, rho in rhos.items():
        assert reading in message
        outcome = run("ttest", "r.csv", *reading.split(), "--format", "json", folder=tmp_path)
        check(json.loads(outcome.out), Case({}, case.scores, rho))
