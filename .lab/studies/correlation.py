"""`make reproduce`: how far real learners' folds are correlated, where 1/k is assumed.

Data sets are drawn anew from ten populations, and as parts of two real collections of scikit-learn;
usual learners are cross-validated on each. With V the variance of two learners' mean difference
over data sets, and S the mean variance of the differences within them, the correlation that a
t-test of N folds has to assume is that of V/S = 1/N + ρ/(1 - ρ) (Nadeau & Bengio 2003). A gate
allows for the pairs of learners with more of it than 1/k.
"""

import warnings
from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from sklearn import datasets
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from bcompare.basis.notes import number_of
from bcompare.data.rope import FloatArray
from studies.study import Line, in_parallel, portions

FOLDS, RUNS, CASES, POPULATION = (2, 5, 10), 10, 200, 200_000
# Pairs of learners that fit nearly alike may have any correlation, down to none.
LEAST = 1e-3
QUANTILES = (0.05, 0.5, 0.95)
LEARNERS: dict[str, Callable[[], Any]] = {
    "tree": lambda: DecisionTreeClassifier(min_samples_leaf=5, random_state=0),
    "naive Bayes": GaussianNB,
    "nearest neighbours": lambda: KNeighborsClassifier(5),
    "discriminant": LinearDiscriminantAnalysis,
    "logistic": lambda: LogisticRegression(max_iter=200),
    "kernel": SVC,
}
PAIRS = tuple(combinations(range(len(LEARNERS)), 2))
Sample = tuple[FloatArray, np.ndarray]


def _classes(**given: Any) -> Callable[[int], Sample]:
    """A population of `make_classification`, as many cases of it."""

    @cache
    def population() -> Sample:
        x, y = datasets.make_classification(POPULATION, random_state=7, **given)
        return x, y

    def drawn(seed: int) -> Sample:
        x, y = population()
        chosen = np.random.default_rng(seed).integers(POPULATION, size=CASES)
        return x[chosen], y[chosen]

    return drawn


def _friedman(seed: int) -> Sample:
    """Friedman's function of five of ten features, cut at its median."""
    x, y = datasets.make_friedman1(CASES, noise=2.0, random_state=seed)
    return x, (y > 14.4).astype(np.int64)


def _part_of(load: Callable[..., Any]) -> Callable[[int], Sample]:
    def drawn(seed: int) -> Sample:
        x, y = load(return_X_y=True)
        x = (x - x.mean(axis=0)) / np.maximum(x.std(axis=0), 1e-9)
        chosen = np.random.default_rng(seed).choice(len(x), _size(load), replace=False)
        return x[chosen], y[chosen]

    return drawn


def _size(load: Callable[..., Any]) -> int:
    return min(CASES, len(load(return_X_y=True)[1]) // 4)


REAL = {"digits": datasets.load_digits, "breast cancer": datasets.load_breast_cancer}
SOURCES: dict[str, Callable[[int], Sample]] = {
    "easy": _classes(n_features=10, n_informative=5, class_sep=1.5),
    "hard": _classes(n_features=10, n_informative=5, class_sep=0.5),
    "many features": _classes(n_features=40, n_informative=10, class_sep=0.8),
    "few features": _classes(n_features=3, n_informative=3, n_redundant=0, class_sep=0.8),
    "four classes": _classes(n_features=12, n_informative=8, n_classes=4),
    "unbalanced": _classes(n_features=10, n_informative=5, weights=[0.8]),
    "wrong labels": _classes(n_features=10, n_informative=5, flip_y=0.3),
    "moons": lambda seed: datasets.make_moons(CASES, noise=0.4, random_state=seed),
    "quantiles": lambda seed: datasets.make_gaussian_quantiles(
        n_samples=CASES, n_features=5, n_classes=2, random_state=seed
    ),
    "friedman": _friedman,
    **{name: _part_of(load) for name, load in REAL.items()},
}


def _accuracies(rng: np.random.Generator, source: str, count: int) -> list[FloatArray]:
    """(count, runs, k, learners) accuracies for each k."""
    warnings.simplefilter("ignore")  # of logistic regression that has not converged
    found = [np.empty((count, RUNS, k, len(LEARNERS))) for k in FOLDS]
    for i in range(count):
        x, y = SOURCES[source](int(rng.integers(2**31)))
        for table, k in zip(found, FOLDS, strict=True):
            for run in range(RUNS):
                split = StratifiedKFold(k, shuffle=True, random_state=int(rng.integers(2**31)))
                for fold, (train, test) in enumerate(split.split(x, y)):
                    for at, learner in enumerate(LEARNERS.values()):
                        model = learner().fit(x[train], y[train])
                        table[i, run, fold, at] = (model.predict(x[test]) == y[test]).mean()
    return found


def _odds(d: FloatArray, left: float) -> float:
    """Return (k - 1) ρ/(1 - ρ), which is 1 for ρ = 1/k, from (data sets, runs, k) differences.

    left : the share of a variance over data sets that parts of one collection keep.
    """
    k, d = d.shape[2], d.reshape(len(d), -1)
    spread = d.var(axis=1, ddof=1).mean()
    if spread == 0:  # two learners that always agree
        return np.nan
    ratio = d.mean(axis=1).var(ddof=1) / spread / left
    return float(max(ratio - 1 / d.shape[1], LEAST) * (k - 1))


def correlations(repetitions: int, seed: int) -> dict[tuple[int, int], dict[str, FloatArray]]:
    """(k - 1) ρ/(1 - ρ) by the numbers of folds and of runs and the source, of each pair."""
    tasks = [(source, n) for source in SOURCES for n in portions(repetitions, 10)]
    parts = in_parallel(_accuracies, tasks, seed)
    found: dict[tuple[int, int], dict[str, FloatArray]] = {}
    for source in SOURCES:
        own = [part for (name, _), part in zip(tasks, parts, strict=True) if name == source]
        left = 1.0
        if source in REAL:  # a part of a collection varies less than a sample of a population
            left -= _size(REAL[source]) / len(REAL[source](return_X_y=True)[1])
        for at, k in enumerate(FOLDS):
            table = np.concatenate([part[at] for part in own])
            for runs in (1, RUNS):
                d = [table[:, :runs, :, b] - table[:, :runs, :, a] for a, b in PAIRS]
                one = np.array([_odds(pair, left) for pair in d])
                found.setdefault((k, runs), {})[source] = one
    return found


def lines(repetitions: int, seed: int) -> tuple[Line, ...]:
    """The odds of the correlation, as multiples of those of 1/k: quantiles over all pairs."""
    result = []
    for (k, runs), of_sources in correlations(repetitions, seed).items():
        every = np.concatenate(list(of_sources.values()))
        for q, value in zip(QUANTILES, np.nanquantile(every, QUANTILES), strict=True):
            what = f"{k} folds, {number_of(runs, 'run')}: odds over those of 1/k, {q:.0%} quantile"
            result.append(Line(what, float(value)))
    return tuple(result)
