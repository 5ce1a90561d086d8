"""Makes the sample data: accuracies of five classifiers, and the models of one grid search.

    python sample_data/make_sample_data.py

writes, beside this file and in two to four minutes,

- results.csv: five classifiers on the small data sets that scikit-learn carries and on
  generated ones; accuracy in 10 runs of stratified 10-fold cross-validation.
- grid_search.csv: the four support vector machines of scikit-learn's example "Statistical
  comparison of models using grid search"; area under the ROC curve, the same 10 runs of 10 folds.
- means.csv: the means of results.csv as a table, data sets by classifiers.
- answers.csv: which of 500 handwritten digits two of the classifiers name rightly.
- main_runs.csv, pr_runs.csv: five runs of an agent on 60 cases, before and after a change that
  broke three of them; simulated.

All files come out the same, byte for byte, on every run: seeds are fixed, linear algebra runs
on one thread, and a score is a ratio of small counts, so that six decimals hide the last bits.
The committed files were made with scikit-learn 1.9; another version may draw other trees.
"""

import csv
import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import datasets
from sklearn.base import ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

RUNS, FOLDS = 10, 10
QUESTIONS = 500
AGENT_RUNS, AGENT_SEED = 5, 2
COLUMNS = ("dataset", "run", "fold", "classifier", "score")

Row = tuple[str, int, int, str, float]
FloatArray = NDArray[np.float64]
LabelledData = tuple[FloatArray, NDArray[np.int64]]


def cut_at_median(data: tuple[FloatArray, FloatArray]) -> LabelledData:
    """Turn a regression problem into one of two classes: target above its median or not."""
    X, target = data
    return X, (target > np.median(target)).astype(np.int64)


def linnerud_pulse() -> tuple[FloatArray, FloatArray]:
    """Exercises of twenty men, and their pulse: its median splits them ten to ten."""
    X, targets = datasets.load_linnerud(return_X_y=True)
    return X, targets[:, 2]


DATASETS: dict[str, Callable[[], LabelledData]] = {
    # real
    "iris": partial(datasets.load_iris, return_X_y=True),
    "wine": partial(datasets.load_wine, return_X_y=True),
    "breast_cancer": partial(datasets.load_breast_cancer, return_X_y=True),
    "digits": partial(datasets.load_digits, return_X_y=True),
    "diabetes": lambda: cut_at_median(datasets.load_diabetes(return_X_y=True)),
    "linnerud": lambda: cut_at_median(linnerud_pulse()),
    # generated
    "moons_clean": partial(datasets.make_moons, 400, noise=0.1, random_state=1),
    "moons_noisy": partial(datasets.make_moons, 400, noise=0.35, random_state=2),
    "circles_clean": partial(datasets.make_circles, 400, noise=0.08, factor=0.6, random_state=3),
    "circles_noisy": partial(datasets.make_circles, 400, noise=0.2, factor=0.6, random_state=4),
    "blobs": partial(datasets.make_blobs, 1000, centers=5, random_state=5),
    "two_easy": partial(
        datasets.make_classification, 1000, n_clusters_per_class=1, class_sep=1.5, random_state=6
    ),
    "two_hard": partial(
        datasets.make_classification,
        n_samples=500,
        n_informative=5,
        n_redundant=5,
        n_clusters_per_class=1,
        class_sep=0.3,
        random_state=7,
    ),
    "clusters_easy": partial(
        datasets.make_classification, 500, 10, n_informative=5, class_sep=1.2, random_state=8
    ),
    "clusters_hard": partial(
        datasets.make_classification, 500, 10, n_informative=5, class_sep=0.5, random_state=9
    ),
    "four_classes": partial(
        datasets.make_classification, 600, 12, n_informative=6, n_classes=4, random_state=10
    ),
    "wrong_labels": partial(
        datasets.make_classification, 500, 10, n_informative=4, flip_y=0.3, random_state=11
    ),
    "rare_class": partial(
        datasets.make_classification, 600, 10, n_informative=4, weights=[0.9], random_state=12
    ),
    "many_features": partial(
        datasets.make_classification, 200, 100, n_informative=8, random_state=13
    ),
    "hastie": partial(datasets.make_hastie_10_2, 600, random_state=14),
    "quantiles_2": partial(
        datasets.make_gaussian_quantiles, n_samples=500, n_classes=2, random_state=15
    ),
    "quantiles_5d": partial(
        datasets.make_gaussian_quantiles,
        n_samples=500,
        n_features=5,
        n_classes=3,
        random_state=16,
    ),
    "friedman1": lambda: cut_at_median(datasets.make_friedman1(500, noise=1.0, random_state=17)),
    "friedman2": lambda: cut_at_median(datasets.make_friedman2(500, noise=100, random_state=18)),
    "friedman3": lambda: cut_at_median(datasets.make_friedman3(500, noise=0.1, random_state=19)),
}

CLASSIFIERS: dict[str, ClassifierMixin] = {
    # converged far beyond its default, so that rounding cannot decide where it stops
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(tol=1e-8, max_iter=1000)),
    "naive_bayes": GaussianNB(),
    # the tree compares coordinates one by one, with no matrix product to break ties at random
    "knn": make_pipeline(StandardScaler(), KNeighborsClassifier(algorithm="kd_tree")),
    "tree": DecisionTreeClassifier(min_samples_leaf=3, random_state=0),
    "forest": RandomForestClassifier(n_estimators=25, random_state=0),
}

# The order is that of the example's table, the best model first.
GRID_SEARCH_MODELS: dict[str, ClassifierMixin] = {
    "rbf": SVC(kernel="rbf"),
    "linear": SVC(kernel="linear"),
    "3_poly": SVC(kernel="poly", degree=3),
    "2_poly": SVC(kernel="poly", degree=2),
}


def fold_scores(model: ClassifierMixin, X: ArrayLike, y: ArrayLike, scoring: str) -> FloatArray:
    """(runs, folds) scores of a model; every model is tested on the same folds."""
    folds = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=RUNS, random_state=0)
    scores: FloatArray = cross_val_score(model, X, y, scoring=scoring, cv=folds)
    return scores.reshape(RUNS, FOLDS)


def long_form(
    dataset: str, data: LabelledData, models: dict[str, ClassifierMixin], scoring: str
) -> list[Row]:
    """One row a run, fold and model; runs and folds are counted from 1."""
    scores = {name: fold_scores(model, *data, scoring) for name, model in models.items()}
    return [
        (dataset, run + 1, fold + 1, name, round(float(scores[name][run, fold]), 6))
        for run in range(RUNS)
        for fold in range(FOLDS)
        for name in models
    ]


def result_rows(dataset: str) -> list[Row]:
    """The part of results.csv that one data set fills."""
    return long_form(dataset, DATASETS[dataset](), CLASSIFIERS, "accuracy")


def grid_search_rows() -> list[Row]:
    """All of grid_search.csv."""
    data = datasets.make_moons(noise=0.352, random_state=1, n_samples=100)
    return long_form("moons", data, GRID_SEARCH_MODELS, "roc_auc")


def all_result_rows() -> Iterator[Row]:
    """All of results.csv, with one process a core at work on the data sets."""
    with ProcessPoolExecutor(os.cpu_count(), initializer=one_thread) as pool:
        for rows in pool.map(result_rows, DATASETS):
            print(rows[0][0])
            yield from rows


def mean_rows(rows: Iterable[Row]) -> list[tuple[str, ...]]:
    """All of means.csv, from the rows of results.csv."""
    scores: dict[str, dict[str, list[float]]] = {}
    for dataset, _, _, classifier, score in rows:
        scores.setdefault(dataset, {}).setdefault(classifier, []).append(score)
    return [
        (dataset, *(f"{math.fsum(own) / len(own):.4f}" for own in by_classifier.values()))
        for dataset, by_classifier in scores.items()
    ]


def answer_rows() -> list[tuple[str, str, int]]:
    """All of answers.csv: digits learned from the others, and named."""
    X, y = datasets.load_digits(return_X_y=True)
    train, test = slice(None, -QUESTIONS), slice(-QUESTIONS, None)
    rows = []
    for name in ("logistic", "knn"):
        named = CLASSIFIERS[name].fit(X[train], y[train]).predict(X[test])
        right = (named == y[test]).astype(int).tolist()
        rows += [(f"digit-{i + 1}", name, one) for i, one in enumerate(right)]
    return rows


def one_thread() -> None:
    """Keep linear algebra to one thread: how many there are changes the last bits."""
    threadpool_limits(1)


def write_csv(
    path: Path, rows: Iterable[tuple[object, ...]], columns: Sequence[str] = COLUMNS
) -> None:
    """Write rows under the column names, with line feeds on every system."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def main() -> None:
    """Write all files beside this one."""
    folder = Path(__file__).parent
    one_thread()
    write_csv(folder / "grid_search.csv", grid_search_rows())
    write_csv(folder / "answers.csv", answer_rows(), ("question", "model", "correct"))
    for name, rows in agent_rows().items():
        write_csv(folder / f"{name}_runs.csv", rows, ("case", "run", "passed"))
    results = list(all_result_rows())
    write_csv(folder / "results.csv", results)
    write_csv(folder / "means.csv", mean_rows(results), ("dataset", *CLASSIFIERS))


def agent_rows() -> dict[str, list[tuple[str, int, int]]]:
    """Return main_runs.csv and pr_runs.csv: most cases are stable, six flaky, and six too hard."""
    rng = np.random.default_rng(AGENT_SEED)
    rates = np.repeat([0.995, 0.6, 0.02], [48, 6, 6])
    rng.shuffle(rates)
    stable = np.flatnonzero(rates > 0.9)
    changed = rates.copy()
    changed[rng.choice(stable, 3, replace=False)] = 0.02
    rows = {}
    for name, of_cases in (("main", rates), ("pr", changed)):
        passed = rng.random((len(rates), AGENT_RUNS)) < of_cases[:, None]
        rows[name] = [
            (f"case-{case + 1:02}", run + 1, int(passed[case, run]))
            for case in range(len(rates))
            for run in range(AGENT_RUNS)
        ]
    return rows


if __name__ == "__main__":
    main()
