"""Results of trec_eval, OpenML and EuroEval are recognised; exports of W&B and MLflow are asked.

The files are built here, with numbers of our own, in the form that the programs write: trec_eval
pads the names of measures to 22 characters; OpenML lists `values` by fold where they are asked for;
EuroEval has raw scores of bootstrap samples, and writes another record since version 18.
"""

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from bcompare.basis.messages import InputError
from bcompare.reading.read import read_scores
from tests.command import refused, run

RNG = np.random.default_rng(7)
QUERIES = [str(number) for number in range(301, 321)]
MAP = np.round(RNG.uniform(0.1, 0.6, (20, 2)), 4)
P_10 = RNG.integers(0, 11, (20, 2)) / 10


def trec_eval(folder: Path, name: str, system: int, *, is_means: bool = False) -> Path:
    lines = []
    for i, query in enumerate(QUERIES):
        values = {
            "num_ret": "1000",
            "map": f"{MAP[i, system]:6.4f}",
            "P_10": f"{P_10[i, system]:6.4f}",
        }
        lines += [f"{measure:22s}\t{query}\t{value}" for measure, value in values.items()]
    means = [f"{'runid':22s}\tall\ttag", f"{'num_q':22s}\tall\t20", f"{'map':22s}\tall\t0.3000"]
    path = folder / name
    path.write_text("\n".join(means if is_means else lines + means) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("suffix", ["txt", "eval"])
def test_queries_of_trec_eval_are_items(tmp_path: Path, suffix: str) -> None:
    files = [trec_eval(tmp_path, f"{name}.{suffix}", i) for i, name in enumerate(("bm25", "dense"))]
    for measure, values in (("map", MAP), ("P_10", P_10)):
        (dataset,) = read_scores(*files, where=f"metric={measure}").datasets
        assert dataset.items == 20
        assert sorted(dataset.table.tolist()) == sorted(values.tolist())
    several = run("ttest", *files)
    assert "several metrics: num_ret (40 rows), map (40 rows), P_10 (40 rows)" in refused(several)
    options = ("--metric", "map: 5%", "--col", "metric=metric", "--config", "none")
    gate = run("gate", f"main={files[0]}", f"pr={files[1]}", *options)
    assert gate.code in (0, 4)
    assert "map: higher is better (by its name)" in gate.out + gate.err


def test_means_of_trec_eval_are_no_queries(tmp_path: Path) -> None:
    file = trec_eval(tmp_path, "a.txt", 0, is_means=True)
    with pytest.raises(
        InputError, match="means only, of trec_eval; let it write each query, by -q"
    ):
        read_scores(file)
    whole = trec_eval(tmp_path, "b.txt", 0)
    whole.write_text(whole.read_text(encoding="utf-8") + "map 301\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"b\.txt, line 64: not what trec_eval writes"):
        read_scores(whole)


def test_a_table_with_long_names_is_none_of_trec_eval(tmp_path: Path) -> None:
    names = ("a_classifier_with_a_long_name", "another_classifier_of_ours")
    rows = [f"{name}\t{item}\t{item % 2}" for name in names for item in range(8)]
    path = tmp_path / "long.tsv"
    lines = ["classifier_as_it_is_called\titem\tscore", *rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    scores = read_scores(path, classifier_col="classifier_as_it_is_called", item_col="item")
    assert scores.classifiers == names


FLOWS = ("sklearn.ensemble._forest.RandomForestClassifier(1)", "sklearn.svm._classes.SVC(3)")
FOLDS = np.round(RNG.uniform(0.7, 0.9, (2, 2, 10)), 4)  # data set, flow, fold


def evaluations(function: str = "predictive_accuracy") -> list[dict[str, Any]]:
    rows = []
    for d, name in enumerate(("credit-g", "diabetes")):
        for k, flow in enumerate(FLOWS):
            rows.append(
                {
                    "run_id": 10 * d + k,
                    "task_id": d,
                    "setup_id": 50 + k,
                    "flow_id": 90 + k,
                    "flow_name": flow,
                    "data_id": 30 + d,
                    "data_name": name,
                    "function": function,
                    "upload_time": "2026-01-01 10:00:00",
                    "uploader": 7,
                    "uploader_name": "ann",
                    "value": None,
                    "values": FOLDS[d, k].tolist(),
                    "array_data": None,
                }
            )
    return rows


def as_csv(path: Path, rows: Sequence[dict[str, Any]], *, numbered: bool = False) -> Path:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        first = [""] if numbered else []
        writer.writerow([*first, *rows[0]])
        for number, row in enumerate(rows):
            own = [number] if numbered else []
            writer.writerow([*own, *("" if cell is None else cell for cell in row.values())])
    return path


def openml_files(folder: Path) -> Iterable[Path]:
    yield as_csv(folder / "list.csv", evaluations())
    yield as_csv(folder / "numbered.csv", evaluations(), numbered=True)
    path = folder / "list.json"
    path.write_text(json.dumps(evaluations()), encoding="utf-8")
    yield path


def test_folds_of_openml(tmp_path: Path) -> None:
    for path in openml_files(tmp_path):
        scores = read_scores(path, folds=10)
        assert scores.classifiers == FLOWS
        assert [dataset.name for dataset in scores.datasets] == ["credit-g", "diabetes"]
        for dataset, values in zip(scores.datasets, FOLDS, strict=True):
            assert dataset.table == pytest.approx(values.T)
            assert dataset.rho == pytest.approx(0.1)
        assert "--preset openml WHICH_ROWS" in refused(run("hier", path))


def test_metrics_of_openml_are_chosen(tmp_path: Path) -> None:
    both = [*evaluations(), *evaluations("root_mean_squared_error")]
    path = as_csv(tmp_path / "both.csv", both)
    assert "several metrics" in refused(run("hier", path, "--folds", "10"))
    errors = read_scores(path, folds=10, where="metric=root_mean_squared_error")
    assert errors.lower_is_better
    assert not read_scores(path, folds=10, where="metric=predictive_accuracy").lower_is_better


@pytest.mark.parametrize("values", [None, "nan", "0.5", "[0.5, nan]"])
def test_openml_without_folds_says_how_to_have_them(tmp_path: Path, values: str | None) -> None:
    rows = evaluations()
    rows[2]["values"] = values
    path = as_csv(tmp_path / "means.csv", rows)
    with pytest.raises(
        InputError, match=r"means\.csv: run 10 of OpenML has no list.*per_fold=True"
    ):
        read_scores(path, folds=10)


def test_damaged_lists_of_openml_are_refused(tmp_path: Path) -> None:
    rows = evaluations()
    path = as_csv(tmp_path / "list.csv", rows)
    header = path.read_text(encoding="utf-8").partition("\n")[0]
    path.write_text(f"{header}\n", encoding="utf-8")
    with pytest.raises(InputError, match="without any evaluation"):
        read_scores(path, folds=10)
    rows[1]["array_data"] = "1" * 200_000
    with pytest.raises(InputError, match=r"list\.csv: damaged CSV"):
        read_scores(as_csv(path, rows), folds=10)


MODELS = ("org/small", "org/large")
SETS = [f"set-{k}" for k in range(6)]
RAW = np.round(RNG.uniform(0.3, 0.7, (6, 2, 10)), 4)  # data set, model, bootstrap sample


def euroeval(dataset: int, model: int, **about: Any) -> dict[str, Any]:
    """A record of version 18 and later."""
    raw = [
        {"test_mcc": x - 0.2, "test_accuracy": x, "test_loss": 1 - x} for x in RAW[dataset, model]
    ]
    results = [
        {
            "evaluation_name": name,
            "metric_config": {"lower_is_better": False},
            "score_details": {"score": 100 * fmean(sample[name] for sample in raw)},
        }
        for name in ("test_mcc", "test_accuracy")
    ]
    details = {
        "dataset": SETS[dataset],
        "task": "knowledge",
        "few_shot": "true",
        "validation_split": "false",
        "raw_results": json.dumps(raw),
    }
    library = {"name": "euroeval", "version": "18.2.0", "additional_details": details | about}
    return {
        "schema_version": "0.2.1",
        "model_info": {"id": MODELS[model]},
        "eval_library": library,
        "evaluation_results": results,
    }


def euroeval_17(dataset: int, model: int, **about: Any) -> dict[str, Any]:
    """A record of earlier versions."""
    raw = [{"test_mcc": x - 0.2, "test_accuracy": x} for x in RAW[dataset, model]]
    total: dict[str, float] = {"num_failed_instances": 0.0}
    for name in ("test_mcc", "test_accuracy"):
        total |= {name: 100 * fmean(sample[name] for sample in raw), f"{name}_se": 1.0}
    return {
        "dataset": SETS[dataset],
        "task": "knowledge",
        "languages": ["da"],
        "model": MODELS[model],
        "results": {"raw": raw, "total": total},
        "few_shot": True,
        "validation_split": False,
        "euroeval_version": "15.2.0",
    } | about


def lines(path: Path, records: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return path


@pytest.mark.parametrize("record", [euroeval, euroeval_17])
def test_euroeval_has_a_mean_for_each_data_set(tmp_path: Path, record: Any) -> None:
    records = [record(d, m) for m in range(2) for d in range(6)]
    path = lines(tmp_path / "results.jsonl", records)
    assert "several metrics: test_mcc (12 rows), test_accuracy" in refused(run("signrank", path))
    scores = read_scores(path, where="metric=test_accuracy")
    assert scores.unit == "mean"  # bootstrap samples are no seeds
    assert scores.classifiers == MODELS
    for dataset, raw in zip(scores.datasets, RAW, strict=True):
        assert dataset.table[0] == pytest.approx(100 * raw.mean(axis=1))


@pytest.mark.parametrize("record", [euroeval, euroeval_17])
def test_models_of_euroeval_are_measured_alike(tmp_path: Path, record: Any) -> None:
    zero = "false" if record is euroeval else False
    records = [
        record(d, m, few_shot=zero if m else record(0, 0).get("few_shot", "true"))
        for m in range(2)
        for d in range(6)
    ]
    path = lines(tmp_path / "results.jsonl", records)
    with pytest.raises(InputError, match="'few_shot' is"):
        read_scores(path, where="metric=test_mcc")


def score_of(model: str, seed: int) -> float:
    return round((0.84 if model == "vit" else 0.8) + 0.003 * (seed % len(model)), 4)


def tracked(folder: Path, program: str) -> Path:
    """Runs of two models with eight seeds; the last one of vit failed."""
    rows = []
    for name in ("resnet", "vit"):
        for seed in range(1, 9):
            is_lost = name == "vit" and seed == 8
            score = "" if is_lost else score_of(name, seed)
            if program == "mlflow":
                state = "FAILED" if is_lost else "FINISHED"
                rows.append(
                    {
                        "run_id": f"{seed:016x}{name.encode().hex()}",
                        "experiment_id": 1,
                        "status": state,
                        "artifact_uri": f"mlflow-artifacts:/1/{seed}",
                        "metrics.val_accuracy": score,
                        "params.model": name,
                        "params.seed": seed,
                        "tags.mlflow.runName": f"bold-fox-{seed}",
                    }
                )
            else:
                rows.append(
                    {
                        "Name": f"bold-fox-{seed}",
                        "State": "crashed" if is_lost else "finished",
                        "Notes": "-",
                        "User": "ann",
                        "Tags": "",
                        "Created": f"2026-03-0{seed}T10:00:00.000Z",
                        "Runtime": 400 + seed,
                        "Sweep": "",
                        "model": name,
                        "seed": seed,
                        "test/acc": score,
                    }
                )
    return as_csv(folder / f"{program}.csv", rows)


# What is said of each, and the rows of runs that ended well.
OF_TRACKERS: dict[str, tuple[dict[str, Any], str]] = {
    "mlflow": (
        {
            "classifier_col": "params.model",
            "seed_col": "params.seed",
            "score_col": "metrics.val_accuracy",
        },
        "status=FINISHED",
    ),
    "wandb": (
        {"classifier_col": "model", "seed_col": "seed", "score_col": "test/acc"},
        "State=finished",
    ),
}


@pytest.mark.parametrize("program", OF_TRACKERS)
def test_what_was_tracked_is_said_by_the_user(tmp_path: Path, program: str) -> None:
    path = tracked(tmp_path, program)
    columns, finished = OF_TRACKERS[program]
    with pytest.raises(InputError, match="1 of 16 rows without a score: vit 1"):
        read_scores(path, **columns)
    scores = read_scores(path, **columns, where=finished, missing="drop-folds")
    assert scores.unit == "seed"
    expected = [[score_of(name, seed) for name in ("resnet", "vit")] for seed in range(1, 8)]
    (dataset,) = scores.datasets
    assert dataset.table.tolist() == expected
