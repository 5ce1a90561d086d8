"""Files as people have them are read rightly at once, or by one of the answers to what is asked.

Every combination of choices is executed; the numbers are those that were written.
"""

import csv
from collections.abc import Callable, Sequence
from contextlib import chdir
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bcompare.basis.messages import InputError
from bcompare.data.scores import Scores
from bcompare.reading.read import read_scores
from tests.reading.answers import answered, question_of
from tests.reading.published import (
    PAIR,
    SETS,
    WEKA,
    Published,
    a_file_each,
    automl,
    automl_2019,
    board,
    caret,
    drawn,
    epochs,
    glued,
    kaggle,
    means,
    models_side_by_side,
    pycaret,
    questions,
    questions_side_by_side,
    repetitions,
    rocket,
    rows_of,
    search,
    side_by_side,
    sktime,
    splits,
    srbench_ground_truth,
    survival,
    two_outputs,
    weka,
    weka_splits,
    with_metrics,
)  # fmt: skip

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
    "openml/automlbenchmark 2019": automl_2019,
    "openml/automlbenchmark results": automl,
    "folds side by side": lambda: side_by_side("dataset", lambda n, i: f"{n}-cv{i}", 10, 0.1),
    "seeds side by side": lambda: side_by_side("Problem", lambda n, i: f"{n}_seed{i + 1}", 12, 0.0),
    "a classifier a file": lambda: a_file_each("dataset", lambda n, i: f"{n}-cv{i}", 10),
    "a search, by model": lambda: search("model"),
    "a search, by index": lambda: search(""),
    "a search, by parameters": lambda: search("params"),
    "a search, by accuracy": lambda: search("estimator", "test_accuracy"),
    **{  # 30 resamples in numbered columns
        f"bake-off, {label}": partial(a_file_each, label, lambda _, i: i, 30)
        for label in ("folds", "Resamples:", "dataset")
    },
    **{
        f"a column {name}": partial(repetitions, name)
        for name in ("seed", "trial", "repetition", "run", "random_state")
    },
    "WEKA": lambda: rows_of(WEKA, weka, 10, 0.1),
    "WEKA, random splits": lambda: rows_of(WEKA.replace("Key_Fold,", ""), weka_splits, 10),
    "mlr3proba": survival,
    "questions": questions,
    **{
        f"questions of a {label}": partial(questions_side_by_side, label)
        for label in ("model", "classifier")
    },
    "id, scores of each model": lambda: models_side_by_side("id", "_score"),
    "id, models": lambda: models_side_by_side("id", ""),
    "folds, scores of each model": lambda: models_side_by_side("fold", "_accuracy", 0.1),
    "caret": caret,
    "tidymodels": lambda: rows_of(
        "wflow_id,.config,id2,.metric,.estimator,.estimate",
        lambda n, _, i, s: [n, "Preprocessor1_Model1", f"Fold{i + 1:02}", "accuracy", "binary", s],
        10,
        0.1,
        sets=("r",),
    ),
}  # fmt: skip


# What messages ask for besides columns: a score that is missing, one metric of a program, a unit.
SAID: dict[str, dict[str, Any]] = {
    "openml/automlbenchmark 2019": {"score_col": "auc", "failed": "drop"},
    "openml/automlbenchmark results": {"where": ("metric=auc",)},
    "mlr3proba": {"failed": "drop"},
    "questions": {"failed": 0.0},
    "a column run": {"seed_col": "run"},
    "WEKA, random splits": {"preset": "weka", "seed_col": "Key_Run"},
    "hfawaz/dl-4-tsc results-uea-avg-std": {"percent": True},
}


def write(case: Published) -> list[str]:
    """The files of a case, in the working directory."""
    for file, table in case.files.items():
        with Path(file).open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, delimiter=case.sep).writerows(table)
    return [*case.files]


def every_reading(name: str, files: Sequence[str], folds: int) -> list[Scores]:
    """The scores as they are read at once; else by every combination of what is asked."""
    more = SAID.get(name, {})
    try:
        return [read_scores(*files, **more)]
    except InputError as error:
        question = question_of(error)
    numbers = {"HOW_MANY": folds, "SHARE_OF_TEST": 0.1}
    return [read_scores(*files, **{**more, **own}) for own in answered(question, numbers)]


def is_right(scores: Scores, case: Published) -> bool:
    """Whether these are the scores that were written, by data set, and in their direction."""
    if {who.split()[0] for who in scores.classifiers} != {*PAIR}:
        return False
    order = [next(i for i, w in enumerate(scores.classifiers) if w.startswith(p)) for p in PAIR]
    alone = len(case.scores) == 1
    tables = {"r" if alone else d.name.removesuffix("-v3"): d for d in scores.datasets}
    expected = {"r" if alone else d: t for d, t in case.scores.items()}
    sign = -1.0 if scores.lower_is_better else 1.0
    if tables.keys() != expected.keys() or sign != case.sign:
        return False
    for named, dataset in tables.items():
        own, table = dataset.table[:, order], expected[named]
        if dataset.rho != pytest.approx(case.rho) or len(own) != len(table):
            return False
        difference = sign * (own[:, 1] - own[:, 0]).mean()
        if difference != pytest.approx((table[:, 1] - table[:, 0]).mean(), abs=1e-9):
            return False
    return True


@pytest.mark.parametrize("name", CASES)
def test_every_answer_reads_a_published_layout_and_one_is_right(name: str, tmp_path: Path) -> None:
    case = CASES[name]()
    folds = max(len(table) for table in case.scores.values())
    with chdir(tmp_path):
        readings = every_reading(name, write(case), folds)
    assert any(is_right(scores, case) for scores in readings)
