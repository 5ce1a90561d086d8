"""Folds of real learners, with the difference that is true of them.

Ten populations: eight of scikit-learn's generators, and two of its real collections, from which
cases are drawn with replacement. A data set is `CASES` cases drawn anew; every learner is
cross-validated on the same folds. The truth of two learners is their mean difference in accuracy on
fresh cases, after training on as many cases as a training fold has.
"""

import json
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import datasets
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from bcompare.data.rope import FloatArray

FOLDS, RUNS, CASES, POPULATION, FRESH = (2, 5, 10), 10, 200, 200_000, 300
TRUTHS = Path(__file__).parent / "truths.json"


def _random_tree(seed: int) -> Any:
    return DecisionTreeClassifier(max_features="sqrt", random_state=seed)


def _descent(seed: int) -> Any:
    return SGDClassifier(max_iter=20, tol=None, random_state=seed)


# Of those with a seed every training gets a new one: two of a kind are equal by construction.
LEARNERS: dict[str, Callable[[int], Any]] = {
    "random tree": _random_tree,
    "random tree, other seed": _random_tree,
    "descent": _descent,
    "descent, other seed": _descent,
    "tree": lambda _: DecisionTreeClassifier(min_samples_leaf=5, random_state=0),
    "naive Bayes": lambda _: GaussianNB(),
    "5 neighbours": lambda _: KNeighborsClassifier(5),
    "7 neighbours": lambda _: KNeighborsClassifier(7),
    "discriminant": lambda _: LinearDiscriminantAnalysis(),
    "logistic": lambda _: LogisticRegression(),
    "kernel": lambda _: SVC(),
}
NAMES = tuple(LEARNERS)
PAIRS = (
    ("random tree", "random tree, other seed"),
    ("descent", "descent, other seed"),
    ("5 neighbours", "7 neighbours"),
    ("discriminant", "logistic"),
    ("5 neighbours", "kernel"),
    ("naive Bayes", "logistic"),
    ("tree", "5 neighbours"),
    ("naive Bayes", "tree"),
)
EQUAL = PAIRS[:2]
Sample = tuple[FloatArray, np.ndarray]
Population = Callable[[int, np.random.Generator], Sample]


def _finite(load: Callable[[], Sample]) -> Population:
    """A population of so many cases that are given, from which cases are drawn independently."""
    cases = cache(load)

    def drawn(n: int, rng: np.random.Generator) -> Sample:
        x, y = cases()
        chosen = rng.integers(len(y), size=n)
        return x[chosen], y[chosen]

    return drawn


def _classes(**given: Any) -> Population:
    def load() -> Sample:
        x, y = datasets.make_classification(POPULATION, random_state=7, **given)
        return x, y

    return _finite(load)


def _real(load: Callable[..., Any]) -> Population:
    def scaled() -> Sample:
        x, y = load(return_X_y=True)
        return (x - x.mean(axis=0)) / np.maximum(x.std(axis=0), 1e-9), y

    return _finite(scaled)


def _moons(n: int, rng: np.random.Generator) -> Sample:
    x, y = datasets.make_moons(n, noise=0.4, random_state=int(rng.integers(2**31)))
    return x, y


def _friedman(n: int, rng: np.random.Generator) -> Sample:
    """Friedman's function of five of ten features, cut at its median."""
    x, y = datasets.make_friedman1(n, noise=2.0, random_state=int(rng.integers(2**31)))
    return x, (y > 14.4).astype(np.int64)


POPULATIONS: dict[str, Population] = {
    "easy": _classes(n_features=10, n_informative=5, class_sep=1.5),
    "hard": _classes(n_features=10, n_informative=5, class_sep=0.5),
    "many features": _classes(n_features=40, n_informative=10, class_sep=0.8),
    "four classes": _classes(n_features=12, n_informative=8, n_classes=4),
    "unbalanced": _classes(n_features=10, n_informative=5, weights=[0.8]),
    "wrong labels": _classes(n_features=10, n_informative=5, flip_y=0.3),
    "moons": _moons,
    "friedman": _friedman,
    "digits": _real(datasets.load_digits),
    "breast cancer": _real(datasets.load_breast_cancer),
}


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**31))


def _correct(train: Sample, test: Sample, rng: np.random.Generator) -> list[FloatArray]:
    """Of each learner, which cases of the test it gets right."""
    fitted = (make(_seed(rng)).fit(*train) for make in LEARNERS.values())
    return [model.predict(test[0]) == test[1] for model in fitted]


def cross_validated(rng: np.random.Generator, name: str, count: int) -> list[FloatArray]:
    """(count, RUNS, k, learners) accuracies for each k of `FOLDS`, on data sets drawn anew."""
    warnings.simplefilter("ignore")  # of regressions that have not converged, and rare classes
    tables = [np.empty((count, RUNS, k, len(LEARNERS))) for k in FOLDS]
    for i in range(count):
        x, y = POPULATIONS[name](CASES, rng)
        for table, k in zip(tables, FOLDS, strict=True):
            for run in range(RUNS):
                split = StratifiedKFold(k, shuffle=True, random_state=_seed(rng)).split(x, y)
                for fold, (train, test) in enumerate(split):
                    right = _correct((x[train], y[train]), (x[test], y[test]), rng)
                    table[i, run, fold] = np.mean(right, axis=1)
    return tables


def fresh_accuracies(rng: np.random.Generator, name: str, k: int, count: int) -> FloatArray:
    """(count, learners) accuracies on fresh cases, each after training on a new training fold."""
    warnings.simplefilter("ignore")
    result = np.empty((count, len(LEARNERS)))
    for i in range(count):
        x, y = POPULATIONS[name](CASES, rng)
        folds = StratifiedKFold(k, shuffle=True, random_state=_seed(rng))
        train, _ = next(folds.split(x, y))
        right = _correct((x[train], y[train]), POPULATIONS[name](FRESH, rng), rng)
        result[i] = np.mean(right, axis=1)
    return result


def _by_case(
    rng: np.random.Generator, pair: tuple[str, str], data: Sample, k: int
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Of each fold of a cross-validation, (2, cases) which ones both learners get right."""
    x, y = data
    folds = []
    for train, test in StratifiedKFold(k, shuffle=True, random_state=_seed(rng)).split(x, y):
        models = [LEARNERS[name](_seed(rng)).fit(x[train], y[train]) for name in pair]
        folds.append((test, np.array([model.predict(x[test]) == y[test] for model in models])))
    return folds


def differences_by_case(
    rng: np.random.Generator, pair: tuple[str, str], data: Sample, k: int, repeats: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Cross-validate a pair of learners, once plainly and `repeats` times nested.

    Returns (n,) differences right - left of the cases of a plain run; its (2, k) accuracies; and
    (repeats × k, 4) of each fold that is set apart the mean difference in a cross-validation of the
    rest, that on the fold, its variance, and the variance over the cases of the rest.
    """
    warnings.simplefilter("ignore")
    plain = [right for _, right in _by_case(rng, pair, data, k)]
    losses = np.concatenate([np.diff(right.astype(float), axis=0)[0] for right in plain])
    nested = []
    for _ in range(repeats):
        for test, right in _by_case(rng, pair, data, k):
            rest = np.delete(np.arange(len(data[1])), test)
            inside = _by_case(rng, pair, (data[0][rest], data[1][rest]), k - 1)
            inner = np.concatenate([np.diff(one.astype(float), axis=0)[0] for _, one in inside])
            outer = np.diff(right.astype(float), axis=0)[0]
            nested.append(
                (inner.mean(), outer.mean(), outer.var(ddof=1) / len(outer), inner.var(ddof=1))
            )
    return losses, np.array([right.mean(axis=1) for right in plain]).T, np.array(nested)


def truth_of(accuracies: FloatArray) -> dict[str, list[float]]:
    """The true difference of each pair, right - left, with its standard error.

    accuracies : (data sets, learners). Pairs that are equal by construction differ by 0.
    """
    result = {}
    for pair in PAIRS:
        left, right = (accuracies[:, NAMES.index(name)] for name in pair)
        d = right - left
        exact = pair in EQUAL
        error = 0.0 if exact else float(d.std(ddof=1) / np.sqrt(len(d)))
        result[" | ".join(pair)] = [0.0 if exact else round(float(d.mean()), 6), round(error, 6)]
    return result


@cache
def truths() -> dict[str, dict[str, dict[str, list[float]]]]:
    """The stored truths: by population, number of folds and pair, a difference and its error."""
    found: dict[str, dict[str, dict[str, list[float]]]] = json.loads(TRUTHS.read_text("utf-8"))
    return found
