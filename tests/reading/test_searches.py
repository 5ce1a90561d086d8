"""From scikit-learn's searches and cross-validations, without a file."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    LeaveOneGroupOut,
    LeavePGroupsOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    cross_val_score,
    cross_validate,
)
from sklearn.tree import DecisionTreeClassifier

import bcompare
from bcompare.basis.messages import InputError

X, Y = load_iris(return_X_y=True)
DEPTHS = {"max_depth": [1, 2, 3]}
GROUPS = np.arange(len(X)) % 4


def searched(cv: Any, **options: Any) -> Any:
    tree = DecisionTreeClassifier(random_state=0)
    groups = GROUPS if "Group" in type(cv).__name__ else None
    return GridSearchCV(tree, DEPTHS, cv=cv, **options).fit(X, Y, groups=groups)


def test_repeated_cross_validation() -> None:
    search = searched(RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0))
    (dataset,) = bcompare.from_cv_results(search, dataset="iris").datasets
    assert (dataset.name, dataset.runs, dataset.folds, dataset.rho) == ("iris", 2, 5, 0.2)
    assert dataset.table[7].tolist() == search.cv_results_["split7_test_score"].tolist()


def test_results_without_their_search() -> None:
    results = searched(RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)).cv_results_
    for given in (results, pd.DataFrame(results)):
        (dataset,) = bcompare.from_cv_results(given, folds=5).datasets
        assert (dataset.runs, dataset.folds, dataset.rho) == (2, 5, 0.2)
        assert bcompare.from_cv_results(given, rho=0.25).datasets[0].rho == 0.25


HALVES = np.arange(len(X)) < 75
CASES = {
    "a splitter with groups": (GroupKFold(3), 1 / 3),
    "a group left out": (LeaveOneGroupOut(), 1 / 4),
    "some cases never tested": (PredefinedSplit(GROUPS - 1), 1 / 4),
    "a list of splits that draw anew": ([*ShuffleSplit(6, test_size=0.3).split(X)], 0.3),
    "a list of repeated splits": ([*RepeatedKFold(n_splits=3, n_repeats=2).split(X)], 1 / 3),
    "a list of masks": ([(HALVES, ~HALVES), (~HALVES, HALVES), (HALVES, ~HALVES)], 0.5),
}


@pytest.mark.parametrize("case", CASES)
def test_the_correlation_is_the_share_of_test_cases(case: str) -> None:
    cv, share = CASES[case]
    (dataset,) = bcompare.from_cv_results(searched(cv)).datasets
    assert dataset.rho == pytest.approx(share, abs=0.003)  # 150 cases are not always divisible


@pytest.mark.parametrize("cv", [ShuffleSplit(5, test_size=0.5), LeavePGroupsOut(2)])
def test_a_correlation_that_is_not_known_is_asked_for(cv: Any) -> None:
    search = searched(cv)
    with pytest.raises(InputError, match="may not test each case once a run"):
        bcompare.from_cv_results(search)
    assert bcompare.from_cv_results(search, rho=0.5).datasets[0].rho == 0.5


def test_cases_left_out_one_by_one_are_items() -> None:
    results: dict[str, Any] = {"params": [{"C": 1}, {"C": 10}]}
    results |= {f"split{i}_test_score": [i % 2, (i // 2) % 2] for i in range(12)}
    scores = bcompare.from_cv_results(results, folds=12, item_col="iteration")
    assert (scores.unit, scores.items) == ("item", 12)


def test_fits_that_failed_are_counted_as_the_user_says() -> None:
    results = searched(5).cv_results_
    results["split3_test_score"][1] = np.nan
    (dataset,) = bcompare.from_cv_results(results, folds=5, failed=0).datasets
    assert dataset.table[3, 1] == 0
    (dataset,) = bcompare.from_cv_results(results, rho=0.2, failed="drop").datasets
    assert np.isnan(dataset.table).sum(axis=1).tolist() == [0, 0, 0, 1, 0]


def test_metrics() -> None:
    search = searched(5, scoring=["accuracy", "neg_log_loss"], refit="accuracy")
    (by_default,) = bcompare.from_cv_results(search).datasets
    assert by_default.table[0].tolist() == search.cv_results_["split0_test_accuracy"].tolist()
    (dataset,) = bcompare.from_cv_results(search, metric="neg_log_loss").datasets
    assert dataset.table[0].tolist() == search.cv_results_["split0_test_neg_log_loss"].tolist()


def test_names_of_candidates() -> None:
    search = searched(5)
    assert bcompare.from_cv_results(search, names=["a", "b", "c"]).classifiers == ("a", "b", "c")
    grid = [{"strategy": ["most_frequent"]}, {"strategy": ["stratified"], "random_state": [0, 1]}]
    search = GridSearchCV(DummyClassifier(), grid, cv=5).fit(X, Y)
    assert bcompare.from_cv_results(search).classifiers == (
        "strategy=most_frequent",
        "strategy=stratified, random_state=0",
        "strategy=stratified, random_state=1",
    )


def test_a_file_of_the_results_gives_the_same(tmp_path: Any) -> None:
    search = searched(5)
    path = tmp_path / "results.csv"
    pd.DataFrame(search.cv_results_).to_csv(path)
    (read,) = bcompare.read_scores(path, preset="sklearn-cv-results", folds=5).datasets
    (direct,) = bcompare.from_cv_results(search).datasets
    assert read.table.tobytes() == direct.table.tobytes()
    assert (read.name, read.rho) == (direct.name, direct.rho)


def test_cross_validations_one_by_one() -> None:
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    trees = {f"tree {d}": DecisionTreeClassifier(max_depth=d, random_state=0) for d in (1, 2)}
    validated = {name: cross_validate(tree, X, Y, cv=cv) for name, tree in trees.items()}
    scores = bcompare.from_cross_validate(validated, folds=5, dataset="iris")
    assert scores.classifiers == ("tree 1", "tree 2")
    (dataset,) = scores.datasets
    assert (dataset.name, dataset.runs, dataset.folds, dataset.rho) == ("iris", 2, 5, 0.2)
    for column, result in zip(dataset.table.T, validated.values(), strict=True):
        assert column.tolist() == result["test_score"].tolist()
    bare = {name: cross_val_score(tree, X, Y, cv=cv) for name, tree in trees.items()}
    frames = {name: pd.DataFrame(own) for name, own in validated.items()}
    framed = bcompare.from_cross_validate(frames, folds=5, dataset="iris")
    assert framed.datasets[0].table.tolist() == scores.datasets[0].table.tolist()
    again = bcompare.from_cross_validate(bare, folds=5, lower_is_better=True)
    assert again.datasets[0].table.tolist() == (-dataset.table).tolist()


def test_splits_of_different_numbers() -> None:
    with pytest.raises(InputError, match="no score of b, but one of a"):
        bcompare.from_cross_validate({"a": np.ones(6), "b": np.ones(5)}, folds=3)


def test_parameters_in_a_file_are_named_by_those_that_differ() -> None:
    params = [{"C": c, "kernel": k, "gamma": "scale"} for c in (1, 10) for k in ("rbf", "linear")]
    rng = np.random.default_rng(0)
    splits = {f"split{i}_test_score": rng.normal(0.8, 0.02, len(params)) for i in range(10)}
    frame = pd.DataFrame({"params": [str(candidate) for candidate in params], **splits})
    scores = bcompare.from_frame(frame, preset="sklearn-cv-results", folds=10)
    expected = ("C=1, kernel=rbf", "C=1, kernel=linear", "C=10, kernel=rbf", "C=10, kernel=linear")
    assert scores.classifiers == expected
    objects = frame.assign(params=[f"{{'clf': SVC(C={k})}}" for k in range(4)])
    assert (
        "SVC(C=1)"
        in bcompare.from_frame(objects, preset="sklearn-cv-results", folds=10).classifiers[1]
    )


def test_files_of_cross_validate_are_read_as_pandas_writes_them(tmp_path: Path) -> None:
    trees = {f"t{depth}": DecisionTreeClassifier(max_depth=depth) for depth in (1, 3)}
    frames = {
        name: pd.DataFrame(cross_validate(tree, X, Y, cv=5, scoring=["accuracy", "f1_macro"]))
        for name, tree in trees.items()
    }
    for name, frame in frames.items():
        frame.to_csv(tmp_path / f"{name}.csv")
        frame.to_csv(tmp_path / f"{name}.tsv", sep="\t", index=False)
        columns = json.dumps(frame.to_dict("list"))
        (tmp_path / f"{name}.json").write_text(columns, encoding="utf-8")
    whole = pd.concat(frame.assign(model=name) for name, frame in frames.items())
    whole.to_csv(tmp_path / "whole.csv")
    files = [[tmp_path / f"{name}.{form}" for name in frames] for form in ("csv", "tsv", "json")]
    for given in (*files, [tmp_path / "whole.csv"]):
        for measure in ("test_accuracy", "test_f1_macro"):
            more: dict[str, Any] = {} if measure == "test_accuracy" else {"score_col": measure}
            scores = bcompare.read_scores(*map(str, given), **more)
            (dataset,) = scores.datasets
            assert (scores.classifiers, dataset.folds, dataset.rho) == (tuple(trees), 5, 0.2)
            assert dataset.table == pytest.approx(
                np.stack([frame[measure] for frame in frames.values()], axis=1)
            )
    whole.assign(fold=[5, 4, 3, 2, 1, 1, 2, 3, 4, 5]).to_csv(tmp_path / "named.csv", index=False)
    (dataset,) = bcompare.read_scores(str(tmp_path / "named.csv")).datasets
    assert dataset.table[:, 0].tolist() == frames["t1"]["test_accuracy"].tolist()[::-1]


def test_files_of_repeated_cross_validation_need_the_number_of_folds(tmp_path: Path) -> None:
    cv = RepeatedKFold(n_splits=5, n_repeats=3, random_state=0)
    for depth in (1, 3):
        results = cross_validate(DecisionTreeClassifier(max_depth=depth), X, Y, cv=cv)
        pd.DataFrame(results).to_csv(tmp_path / f"t{depth}.csv")
    files = [str(tmp_path / f"t{depth}.csv") for depth in (1, 3)]
    with pytest.raises(InputError, match="15 rows of each classifier, numbered as folds"):
        bcompare.read_scores(*files)
    (dataset,) = bcompare.read_scores(*files, folds=5).datasets
    assert (dataset.runs, dataset.folds, dataset.rho) == (3, 5, 0.2)
