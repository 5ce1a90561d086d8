"""Estimators of scikit-learn are cross-validated on the same splits."""

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, RepeatedStratifiedKFold, ShuffleSplit, cross_validate
from sklearn.naive_bayes import GaussianNB

import bcompare
from bcompare import InputError

X, Y = load_iris(return_X_y=True)
MODELS = {"bayes": GaussianNB(), "dummy": DummyClassifier()}


def test_scores_are_those_of_scikit_learn() -> None:
    scores = bcompare.compare_estimators(MODELS, X, Y, dataset="iris", scoring="f1_macro")
    splitter = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    for name, model in MODELS.items():
        expected = cross_validate(model, X, Y, cv=splitter, scoring="f1_macro")["test_score"]
        column = scores.datasets[0].table[:, scores.classifiers.index(name)]
        assert column.tolist() == expected.tolist()
    assert scores.datasets[0].rho == 0.1
    assert [dataset.name for dataset in scores.datasets] == ["iris"]


def test_a_splitter_says_its_folds() -> None:
    splitter = KFold(5, shuffle=True, random_state=1)
    scores = bcompare.compare_estimators(MODELS, X, Y, splitter=splitter)
    assert (len(scores.datasets[0].table), scores.datasets[0].rho) == (5, 0.2)
    shuffles = ShuffleSplit(7, test_size=0.25, random_state=1)
    with pytest.raises(InputError, match="give it by rho="):
        bcompare.compare_estimators(MODELS, X, Y, splitter=shuffles)
    scores = bcompare.compare_estimators(MODELS, X, Y, splitter=shuffles, rho=0.25)
    assert (len(scores.datasets[0].table), scores.datasets[0].rho) == (7, 0.25)


@pytest.mark.parametrize("models", [MODELS, {"a": DummyRegressor(), "b": Ridge()}])
def test_groups_stay_together(models: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    groups = np.arange(len(Y)) % 30
    seen = []

    def record(*arguments: Any, cv: Any, **options: Any) -> Any:
        seen.append(cv)
        return cross_validate(*arguments, cv=cv, **options)

    monkeypatch.setattr("sklearn.model_selection.cross_validate", record)
    scores = bcompare.compare_estimators(models, X, Y, groups=groups, scale={})
    assert len(scores.datasets[0].table) == 100
    first, second = seen
    assert first is second
    for trained, tested in first:
        assert not {*groups[trained]} & {*groups[tested]}


def test_a_fit_that_fails_is_a_failed_trial() -> None:
    labels = np.append(Y[:-1], 3)  # where the last case is left out there is no 3 to learn
    models = {"fails": DummyClassifier(strategy="constant", constant=3), "bayes": GaussianNB()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(InputError, match="fails: no score on split"):
            bcompare.compare_estimators(models, X, labels)
        scores = bcompare.compare_estimators(models, X, labels, failed="zero")
    assert scores.account.assumed == {"fails": 10}


def test_the_time_of_fits() -> None:
    scores = bcompare.compare_estimators(MODELS, X, Y, scoring="fit_time", splitter=KFold(5))
    assert (scores.metric, scores.lower_is_better) == ("fit_time", True)


def test_refusals_say_what_to_give() -> None:
    with pytest.raises(InputError, match="two estimators or more"):
        bcompare.compare_estimators({"bayes": GaussianNB()}, X, Y)
    with pytest.raises(InputError, match="give one scorer"):
        bcompare.compare_estimators(MODELS, X, Y, scoring=["accuracy", "f1"])
    with pytest.raises(InputError, match="the data cannot be split so: Cannot have number of"):
        bcompare.compare_estimators(MODELS, X, Y, groups=np.arange(len(Y)) // 50)
