"""Layouts of files in public repositories: each is read at once, or by the first advice.

The files are made here, with the columns and kinds of cells of the originals. The advice is the one
for Python, and is executed as it stands; the numbers are checked against pandas' reading.
"""

import csv
from collections.abc import Callable, Sequence
from contextlib import chdir
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bcompare.basis.messages import InputError, as_keywords
from bcompare.data.scores import Scores
from bcompare.reading.read import read_scores

PAIR, SETS = ("resnet", "fcn"), ("Adiac", "Beef", "Car", "Yoga")
Cells = Sequence[Sequence[object]]


@dataclass
class Published:
    """Files, the scores in them by data set, as (n, 2), and what is to be understood.

    sign : -1 for losses. sep : of the files.
    """

    files: dict[str, Cells]
    scores: dict[str, np.ndarray]
    rho: float = 0.0
    sign: float = 1.0
    sep: str = ","
    ways: int = 1


def drawn(n: int, sets: Sequence[str] = SETS, *, binary: bool = False) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(n)
    tables = {name: np.round(rng.uniform(0.5, 1, (n, 2)), 4) for name in sets}
    return {k: np.round(t - 0.2) if binary else t for k, t in tables.items()}


Row = Callable[[str, str, int, float], Sequence[object]]


def rows_of(
    header: str,
    row: Row,
    n: int = 1,
    rho: float = 0.0,
    *,
    sets: Sequence[str] = SETS,
    sign: float = 1.0,
    sep: str = ",",
    binary: bool = False,
) -> Published:
    """A row for each score: of its classifier, data set, number and value."""
    scores = drawn(n, sets, binary=binary)
    table = [
        row(who, name, i, float(scores[name][i, k]))
        for k, who in enumerate(PAIR)
        for name in sets
        for i in range(n)
    ]
    return Published({"r.csv": [header.split(sep), *table]}, scores, rho, sign, sep)


def means(header: Sequence[str], row: Callable[[str, float, float], Sequence[object]]) -> Published:
    """A row for each data set, with the means of both."""
    scores = drawn(1)
    rows = [row(name, float(t[0, 0]), float(t[0, 1])) for name, t in scores.items()]
    return Published({"r.csv": [header, *rows]}, scores)


def board(header: Sequence[str], row: Callable[[str, list[float]], Sequence[object]]) -> Published:
    """A row for each model, with its mean on each data set."""
    scores = drawn(1)
    rows = [row(w, [float(t[0, k]) for t in scores.values()]) for k, w in enumerate(PAIR)]
    return Published({"r.csv": [header, *rows]}, scores)


def pycaret() -> Published:
    """A file for each model, with a row for each fold, and their mean and deviation."""
    scores = drawn(10, ("results",))
    files: dict[str, Cells] = {}
    for k, who in enumerate(PAIR):
        own = scores["results"][:, k]
        rows: list[list[object]] = [[i, own[i], 0.9, 0.8] for i in range(10)]
        rows += [["Mean", own.mean(), 0.9, 0.8], ["Std", own.std(), 0.0, 0.0]]
        files[f"{who}.csv"] = [["Fold", "Accuracy", "AUC", "Recall"], *rows]
    return Published(files, scores, 0.1)


def rocket() -> Published:
    """A file for each classifier, with the mean on each data set."""
    scores = drawn(1)
    header = ["dataset", "accuracy_mean", "accuracy_standard_deviation", "time_training_seconds"]
    files: dict[str, Cells] = {
        f"{who}.csv": [header, *([d, t[0, k], 0.01, 3.5 + t[0, k]] for d, t in scores.items())]
        for k, who in enumerate(PAIR)
    }
    return Published(files, scores)


def minirocket() -> Published:
    """A file for each classifier, with a column for each resample."""
    scores = drawn(30)
    files: dict[str, Cells] = {
        f"{who}.csv": [["dataset", *range(30)], *([d, *t[:, k]] for d, t in scores.items())]
        for k, who in enumerate(PAIR)
    }
    return Published(files, scores, 0.1)


def srbench_ground_truth() -> Published:
    """Four levels of noise, of which the first is taken."""
    case = rows_of(
        "algorithm,dataset,target_noise,data_group,rmse_test,log_mse_test",
        lambda n, d, i, s: [n, d, 0.0, "Feynman", s, s / 2],
        sign=-1,
    )
    header, *rows = case.files["r.csv"]
    more = [[n, d, noise, g, 2, 3] for noise in (0.001, 0.01) for n, d, _, g, *_ in rows]
    case.files["r.csv"] = [header, *rows, *more]
    return case


def with_metrics(case: Published, column: int, other: str, change: float) -> Published:
    """The same with a second metric in rows of its own."""
    header, *rows = case.files["r.csv"]
    place = next(i for i, cell in enumerate(rows[0]) if isinstance(cell, float))
    more = [
        [other if i == column else change * float(str(x)) if i == place else x
         for i, x in enumerate(row)]
        for row in rows
    ]  # fmt: skip
    case.files["r.csv"] = [header, *rows, *more]
    return case


def sktime() -> Published:
    """A column for each fold, after means and deviations, of several metrics."""
    scores = drawn(5)
    header = ["validation_id", "model_id", "runtime_secs", "accuracy_mean", "accuracy_std"]
    header += [f"fit_time_fold_{i}_test" for i in range(5)]
    header += [f"accuracy_fold_{i}_test" for i in range(5)]
    rows = [
        [f"[dataset={d}]_[cv-splitter=KFold]", who, 3.2, t[:, k].mean(), 0.1, *[0.5] * 5, *t[:, k]]
        for d, t in scores.items()
        for k, who in enumerate(PAIR)
    ]
    case = Published({"r.csv": [header, *rows]}, scores, 0.2)
    case.scores = {f"[dataset={d}]_[cv-splitter=KFold]": t for d, t in scores.items()}
    return case


def kaggle() -> Published:
    """A row for each model, and a column for each fold, with mean and deviation."""
    scores = drawn(5, ("r",))
    header = ["Model", *(f"Fold {i + 1}" for i in range(5)), "Mean", "Std"]
    rows = [[w, *scores["r"][:, k], 0.7, 0.1] for k, w in enumerate(PAIR)]
    return Published({"r.csv": [header, *rows]}, scores, 0.2)


def splits() -> Published:
    """Scores on validation and test sets, of which those on test sets are asked for."""
    case = rows_of("model,dataset,seed,split,accuracy", lambda n, d, i, s: [n, d, i, "test", s], 5)
    header, *rows = case.files["r.csv"]
    case.files["r.csv"] = [header, *rows, *([n, d, i, "val", 0.5] for n, d, i, *_ in rows)]
    return case


def two_outputs() -> Published:
    """Texts and scores of two models in each row, without a key."""
    scores = drawn(25, ("r",), binary=True)
    header = ["output_resnet", "output_fcn", "score_resnet", "score_fcn"]
    rows = [[f"text {i}", f"other {i}", *map(int, row)] for i, row in enumerate(scores["r"])]
    return Published({"r.csv": [header, *rows]}, scores)


def epochs() -> Published:
    """Several trials of each task."""
    scores = drawn(12, ("r",))
    rows = [
        [f"task {i}", who, trial, reward]
        for k, who in enumerate(PAIR)
        for i in range(12)
        for trial, reward in enumerate([float(scores["r"][i, k])] * 3)
    ]
    return Published({"r.csv": [["task_id", "agent", "trial", "reward"], *rows]}, scores)


def glued(column: str, row: Row) -> Published:
    return rows_of(f"{column},accuracy", row, 10, 0.1)


def markdown() -> Published:
    """A table in Markdown, with the best in bold."""
    scores = drawn(1)
    lines: list[list[object]] = [["| Dataset | resnet | fcn |"], ["|---|---:|---:|"]]
    lines += [[f"| {d} | **{t[0, 0]}** | {t[0, 1]} ± 0.02 |"] for d, t in scores.items()]
    return Published({"r.md": lines}, scores)


def latex() -> Published:
    """A table in LaTeX."""
    scores = drawn(1)
    lines: list[list[object]] = [[r"\begin{tabular}{lrr}"], [r"\toprule"]]
    lines += [[r"Dataset & resnet & fcn \\ \midrule"]]
    lines += [[rf"{d} & \textbf{{{t[0, 0]}}} & ${t[0, 1]} \pm 0.02$ \\"] for d, t in scores.items()]
    lines += [[r"\bottomrule"], [r"\end{tabular}"]]
    return Published({"r.tex": lines}, scores)


CASES: dict[str, Callable[[], Published]] = {
    "hfawaz/InceptionTime results-InceptionTime-85": lambda: rows_of(
        ",classifier_name,archive_name,dataset_name,iteration,precision,accuracy,recall,train_time",
        lambda n, d, i, s: [hash(n + d) % 99, n, "TSC", d, "0.0", 0.6, s, s, 20.1],
    ),
    "hfawaz/dl-4-tsc results-ucr-128": lambda: rows_of(
        "classifier_name,archive_name,dataset_name,iteration,precision,accuracy,recall,duration",
        lambda n, d, i, s: [n, "UCR", d, f"{i}.0", 0.6 + s / 9, s, s, 20.1],
        5,
    ),
    "hfawaz/dl-4-tsc results-uea-avg-std": lambda: means(
        ["", *PAIR], lambda d, a, b: [d, f"{100 * a:.2f}(0.5)", f"{100 * b:.2f}(1.5)"]
    ),
    "angus924/rocket results_ucr": rocket,
    "angus924/minirocket accuracy_ucr109_resamples": minirocket,
    "cavalab/srbench blackbox_results": lambda: rows_of(
        "algorithm,dataset,rmse_test,log_mse_test,r2_test,model_size,training time (s)",
        lambda n, d, i, s: [n, d, s, s / 2, 1 - s, 20.5, 1210.96],
        sign=-1,
    ),
    "cavalab/srbench groundtruth": srbench_ground_truth,
    "openml/automlbenchmark result_summary": lambda: means(
        ["type", "task", *PAIR], lambda d, a, b: ["binary", d, a, b]
    ),
    "openml/automlbenchmark folds": lambda: Published(
        {
            "r.csv": [
                ["type", "task", "fold", *PAIR],
                *(["binary", d, i, *t[i]] for d, t in drawn(10).items() for i in range(10)),
            ]
        },
        drawn(10),
        0.1,
    ),
    "openml/automlbenchmark all_results": lambda: rows_of(
        "acc,auc,duration,fold,framework,id,info,mode,models,result,seed,task,utc,version,metric",
        lambda n, d, i, s: [0.5, s, 3.5, i, n, "o/t/1", "", "aws", 1, s, 7, d, "t", "1", "auc"],
        10,
        0.1,
    ),
    "autogluon/tabrepo results_ranked_by_dataset": lambda: rows_of(
        "framework,time_train_s,metric_error,time_infer_s,bestdiff,loss_rescaled,rank,dataset",
        lambda n, d, i, s: [n, 100.5, s, 0.5, 0.1, 0.2, 1 + (n == "fcn"), d],
        sign=-1,
    ),
    "autogluon/tabarena results_per_task": lambda: with_metrics(
        rows_of(
            "method,dataset,fold,metric_error,metric,problem_type,time_train_s",
            lambda n, d, i, s: [n, d, i, s, "roc_auc", "binary", 3.5],
            10,
            0.1,
            sign=-1,
        ),
        4,
        "rmse",
        30.0,
    ),
    "autogluon/autogluon-benchmark leaderboard": lambda: rows_of(
        "model,score_test,score_val,eval_metric,pred_time_test,fit_time,stack_level,dataset,fold",
        lambda n, d, i, s: [n, s, s / 2, "roc_auc", 0.5, 3.5, 1, d, i],
        10,
        0.1,
    ),
    "naszilla/tabzilla metadataset_clean": lambda: rows_of(
        "dataset_fold_id,dataset_name,target_type,alg_name,Accuracy__train,Accuracy__test",
        lambda n, d, i, s: [f"{d}__fold_{i}", d, "binary", n, 0.99, s],
        10,
        0.1,
    ),
    "jMetal/SAES data": lambda: with_metrics(
        rows_of(
            "Algorithm,Instance,MetricName,ExecutionId,MetricValue",
            lambda n, d, i, s: [n, d, "NHV", i, s],
            25,
        ),
        2,
        "EP",
        100.0,
    ),
    "optuna/optuna trials_dataframe": lambda: rows_of(
        "number,value,datetime_start,duration,params_dataset,params_model,params_seed,state",
        lambda n, d, i, s: [hash((n, d, i)) % 999, s, "2024-01-02 10:00:00", "0:00:03", d, n, i,
                            "COMPLETE"],
        6,
    ),
    "mlflow/mlflow search_runs": lambda: rows_of(
        "run_id,experiment_id,status,start_time,metrics.accuracy,metrics.val_loss,params.model,"
        "params.seed,params.dataset,tags.mlflow.user",
        lambda n, d, i, s: [f"{hash((n, d, i)):x}", 1, "FINISHED", "2024-01-02T10:00:00", s, 0.3, n,
                            i, d, "me"],
        6,
    ),
    "wandb/wandb export": lambda: rows_of(
        "Name,State,Notes,User,Tags,Created,Runtime,dataset,model,seed,val_accuracy,train_accuracy",
        lambda n, d, i, s: [f"run-{hash((n, d, i)) % 9999}", "finished", "-", "me", "",
                            "2024-01-02T10:00:00.000Z", 35, d, n, i, s, 0.99],
        6,
    ),
    "pycaret/pycaret compare_models": pycaret,
    "sktime/sktime benchmark results": sktime,
    "aeon-toolkit/aeon estimators by dataset": lambda: means(
        ["", *PAIR], lambda d, a, b: [d, a, b]
    ),
    "openml/openml-python list_evaluations": lambda: rows_of(
        "run_id,task_id,setup_id,flow_id,flow_name,data_id,data_name,function,upload_time,value",
        lambda n, d, i, s: [hash(n + d) % 99999, 3, 4, 5, n, 6, d, "predictive_accuracy",
                            "2024-01-02 10:00:00", s],
    ),
    "Kaggle notebooks, folds in columns": kaggle,
    "validation and test in one file": splits,
    "google-research/rliable scores by game": lambda: rows_of(
        "game,agent,seed,score", lambda n, d, i, s: [d, n, i, s], 5
    ),
    "DLR-RM/rl-zoo returns": lambda: rows_of(
        "env_id,algo,seed,mean_reward", lambda n, d, i, s: [f"{d}-v3", n, i, s], 5,
        sets=tuple(SETS),
    ),
    "sierra-research/tau-bench as rows": epochs,
    "SWE-bench/SWE-bench as rows": lambda: rows_of(
        "instance_id,model,resolved",
        lambda n, d, i, s: [f"django__django-{i}", n, s == 1.0],
        30,
        sets=("r",),
        binary=True,
    ),
    "openai/human-eval as rows": lambda: rows_of(
        "task_id,model,completion,passed",
        lambda n, d, i, s: [f"HumanEval/{i}", n, "return a + b * c - d or e", int(s)],
        30,
        sets=("r",),
        binary=True,
    ),
    "two models' outputs side by side": two_outputs,
    "embeddings-benchmark/mteb leaderboard": lambda: board(
        ["Rank", "Model", "Model Size (Million Parameters)", "Average (4 datasets)", *SETS],
        lambda who, own: [1 + (who == "fcn"), who, 335, 0.7, *own],
    ),
    "open-llm-leaderboard results": lambda: board(
        ["Model", "Average ⬆️", "Type", "Hub License", "#Params (B)", *SETS],
        lambda who, own: [who, 0.7, "chat", "mit", 7.2, *own],
    ),
    "huggingface/open_asr_leaderboard": lambda: replace(
        board(
            ["model", "RTFx", "Average WER", *(f"{d} WER" for d in SETS)],
            lambda who, own: [who, 120.5, 0.7, *own],
        ),
        sign=-1.0,
    ),
    "German headers and decimal commas": lambda: rows_of(
        "Datensatz;Modell;Durchlauf;Genauigkeit",
        lambda n, d, i, s: [d, n, i, str(s).replace(".", ",")],
        5,
        sep=";",
    ),
    "data set and fold in one cell": lambda: glued(
        "model,id", lambda n, d, i, s: [n, f"{d}_fold{i}", s]
    ),
    "model and seed in one cell": lambda: rows_of(
        "experiment,dataset,test_acc", lambda n, d, i, s: [f"{n}-seed{i}", d, s], 5
    ),
    "a table in Markdown": markdown,
    "a table in LaTeX": latex,
}  # fmt: skip


def first_reading(files: Sequence[str]) -> Scores:
    """The scores as they are read at once, or as the first advice reads them."""
    try:
        return read_scores(*files)
    except InputError as error:
        lines = [as_keywords(line).strip() for line in error.advice]
    calls = [line for line in lines if line.startswith("read_scores(")]
    assert calls, lines
    scores: Scores = eval(calls[0], {"read_scores": read_scores})
    return scores


@pytest.mark.parametrize("name", CASES)
def test_a_published_layout_is_read_rightly(name: str, tmp_path: Path) -> None:
    case = CASES[name]()
    for file, table in case.files.items():
        with (tmp_path / file).open("w", encoding="utf-8", newline="") as stream:
            if file.endswith((".md", ".tex")):
                stream.writelines(f"{line[0]}\n" for line in table)
            else:
                csv.writer(stream, delimiter=case.sep).writerows(table)
    with chdir(tmp_path):
        scores = first_reading(list(case.files))
    assert {who.split()[0] for who in scores.classifiers} == {*PAIR}
    order = [next(i for i, w in enumerate(scores.classifiers) if w.startswith(p)) for p in PAIR]
    alone = len(case.scores) == 1
    tables = {"r" if alone else d.name: d for d in scores.datasets}
    expected = {"r" if alone else d: t for d, t in case.scores.items()}
    assert {d.removesuffix("-v3") for d in tables} == {*expected}
    frame = pd.concat({d: pd.DataFrame(t) for d, t in expected.items()})
    differences = (frame[1] - frame[0]).groupby(level=0).mean()
    for named, dataset in tables.items():
        known = named.removesuffix("-v3")
        sign = -1.0 if scores.lower_is_better else 1.0
        assert sign == case.sign
        assert len(dataset.table) == len(expected[known])
        assert dataset.rho == pytest.approx(case.rho)
        own = dataset.table[:, order]
        found = sign * float((own[:, 1] - own[:, 0]).mean())
        assert found == pytest.approx(differences[known], abs=1e-9)
