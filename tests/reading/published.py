"""Files as programs and repositories publish them, with the scores that are in them.

Each has the columns and kinds of cells of the original.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

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


def side_by_side(label: str, header: Callable[[str, int], str], n: int, rho: float) -> Published:
    """A row for each data set, and a column for each score of each classifier."""
    scores = drawn(n)
    names = [header(who, i) for who in PAIR for i in range(n)]
    rows = [[d, *t.T.ravel().tolist()] for d, t in scores.items()]
    return Published({"r.csv": [[label, *names], *rows]}, scores, rho)


def a_file_each(label: str, header: Callable[[str, int], object], n: int) -> Published:
    """A file for each classifier, with a column for each of its scores."""
    scores = drawn(n)
    files: dict[str, Cells] = {
        f"{who}.csv": [
            [label, *(header(who, i) for i in range(n))],
            *([d, *t[:, k].tolist()] for d, t in scores.items()),
        ]
        for k, who in enumerate(PAIR)
    }
    return Published(files, scores, 0.1)


def without(case: Published, dataset: str, *rows: int, gone: str = "") -> Published:
    """The case of which some of a data set's scores cannot be used, and another data set."""
    kept = {name: table for name, table in case.scores.items() if name != gone}
    kept[dataset] = np.delete(case.scores[dataset], rows, axis=0)
    return replace(case, scores=kept)


def automl_2019() -> Published:
    """AUC of binary tasks, log-loss of the others; a fold that failed."""

    def row(n: str, d: str, i: int, s: float) -> Sequence[object]:
        result = "" if (n, d, i) == ("fcn", "Beef", 3) else s
        metrics = [0.9, result, ""] if d != "Car" else [0.9, "", result]
        return ["o", d, n, i, result, *["x"] * 9, *metrics]

    header = "id,task,framework,fold,result,mode,version,params,tag,utc,duration,models,seed,info"
    return without(rows_of(f"{header},acc,auc,logloss", row, 10, 0.1), "Beef", 3, gone="Car")


def automl() -> Published:
    """A column of metrics and one of constraints."""

    def row(n: str, d: str, i: int, s: float) -> Sequence[object]:
        kind, result, metric = ("binary", s, "auc") if d != "Car" else ("multi", -s, "neg_logloss")
        return ["o", d, n, "1h", i, kind, result, metric, "aws", "t"]

    header = "id,task,framework,constraint,fold,type,result,metric,mode,utc"
    return without(rows_of(header, row, 10, 0.1), "Beef", gone="Car")


def search(label: str, test: str = "test_score") -> Published:
    """scikit-learn's cv_results_."""
    scores = drawn(5, ("r",))
    splits = [f"split{i}_{test}" for i in range(5)]
    header = [label, "mean_fit_time", *splits, f"mean_{test}"]
    header += [f"split{i}_train_score" for i in range(5)]
    rows = [[w, 0.1, *scores["r"][:, k].tolist(), 0.5, *[0.9] * 5] for k, w in enumerate(PAIR)]
    return Published({"r.csv": [header, *rows]}, scores, 0.2)


WEKA = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Percent_correct"


def weka(n: str, d: str, i: int, s: float) -> Sequence[object]:
    return [d, 1, i + 1, n, "-C 0.25", round(100 * s, 4)]


def weka_splits(n: str, d: str, i: int, s: float) -> Sequence[object]:
    return [d, i + 1, n, "-C 0.25", round(100 * s, 4)]


def survival() -> Published:
    """mlr3proba, where one learner failed on a fold."""

    def row(n: str, d: str, i: int, s: float) -> Sequence[object]:
        return [d, n, "cv", i + 1, "NA" if (n, d, i) == ("fcn", "Car", 4) else s, 0]

    header = "task_id,learner_id,resampling_id,iteration,surv.cindex,errors_cnt"
    return without(rows_of(header, row, 10, 0.1), "Car", 4)


def questions() -> Published:
    """Answers of two models; those without a score count as failed."""
    failed = (3, 7)

    def row(n: str, _: str, i: int, s: float) -> Sequence[object]:
        return [f"q{i}", n, "" if n == "fcn" and i in failed else s]

    case = rows_of("question,model,score", row, 40, sets=("r",))
    scores = case.scores["r"].copy()
    scores[failed, PAIR.index("fcn")] = 0.0
    return replace(case, scores={"r": scores})


def questions_side_by_side(label: str) -> Published:
    """A column for each question, and a row for each model."""
    scores = drawn(30, ("r",))
    rows = [[who, *scores["r"][:, k].tolist()] for k, who in enumerate(PAIR)]
    return Published({"r.csv": [[label, *(f"q{i + 1}" for i in range(30))], *rows]}, scores)


def models_side_by_side(key: str, ending: str, rho: float = 0.0) -> Published:
    """A row for each question, or fold, and a column for each model."""
    scores = drawn(round(1 / rho) if rho else 30, ("r",))
    rows = [[i, *row] for i, row in enumerate(scores["r"].tolist())]
    return Published({"r.csv": [[key, *(who + ending for who in PAIR)], *rows]}, scores, rho)


def caret() -> Published:
    """The resamples of two models."""
    scores = drawn(5, ("r",))
    rows = [
        [f"Fold{i + 1}", *(x for score in row for x in (score, 0.5))]
        for i, row in enumerate(scores["r"].tolist())
    ]
    header = [f"{who}~{metric}" for who in PAIR for metric in ("Accuracy", "Kappa")]
    return Published({"r.csv": [["Resample", *header], *rows]}, scores, 0.2)


def repetitions(column: str) -> Published:
    return rows_of(f"dataset,{column},classifier,score", lambda n, d, i, s: [d, i, n, s], 12)
