"""Cross-validate estimators of scikit-learn on the same splits, and read their scores."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from bcompare.basis.messages import ComputationError, InputError
from bcompare.basis.progress import ShownProgress, no_progress, shown
from bcompare.data.scores import Scores
from bcompare.reading.arrays import TIMES, design_of, from_splits, scores_in

# The usual design: ten times tenfold cross-validation, always on the same splits.
FOLDS = RUNS = 10
SEED = 0


def compare_estimators(
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    splitter: Any = None,
    scoring: Any = None,
    groups: Any = None,
    dataset: str = "results",
    n_jobs: int | None = None,
    progress: ShownProgress = no_progress,
    **overrides: object,
) -> Scores:
    """Cross-validate estimators on the same splits, and return their scores to compare.

    Parameters
    ----------
    estimators : name → an estimator, which is cloned for each fit.
    X, y : as `sklearn.model_selection.cross_validate` takes them.
    splitter : which splits the data once, for all estimators; by default ten times tenfold
        cross-validation, stratified for classifiers, or, with groups, ten shuffles of ten folds of
        whole groups.
    scoring : one scorer, by name or a function; by default that of each estimator. ``fit_time``
        compares the seconds of the fits instead.
    groups : (n,) the group of each case, such as its patient: no group is in both parts of a split.
    dataset : the name of the data.
    n_jobs : processes, as of scikit-learn. progress : as for `compare`; steps are estimators.
    overrides : as for `read_scores`, such as ``failed="zero"`` for fits that fail.

    Raises
    ------
    InputError : fewer than two estimators, several scorers at once, a fit that failed, or a
        splitter whose folds' correlation is not known.
    ComputationError : scikit-learn is not installed.

    Examples
    --------
    >>> import bcompare
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> scores = bcompare.compare_estimators(models, *load_iris(return_X_y=True))
    >>> scores
    <Scores: 2 classifiers, 1 data set, 200 rows>
    """
    try:
        from sklearn.model_selection import cross_validate
    except ImportError as error:
        raise ComputationError(
            "compare_estimators needs scikit-learn: pip install scikit-learn"
        ) from error
    if len(estimators) < 2:
        raise InputError("give two estimators or more, by their names: {'tree': …, 'forest': …}")
    if isinstance(scoring, Mapping | Sequence) and not isinstance(scoring, str):
        raise InputError(
            "give one scorer; for several metrics give what cross_validate returns to "
            "from_cross_validate, once for each metric"
        )
    by_time = scoring if scoring in TIMES else None
    try:
        splits, splitter = _split(next(iter(estimators.values())), X, y, splitter, groups)
    except ValueError as error:
        raise InputError(f"the data cannot be split so: {error}; give a splitter") from error
    table = {}
    with shown(progress, "cross-validating") as steps:
        for done, (name, estimator) in enumerate(estimators.items(), 1):
            results = cross_validate(
                estimator,
                X,
                y,
                cv=splits,
                scoring=None if by_time else scoring,
                n_jobs=n_jobs,
                error_score=np.nan,
            )
            table[str(name), dataset] = scores_in(results, by_time or "score")
            steps(done, len(estimators))
    if by_time:
        overrides = {"score_col": by_time} | overrides
    folds = FOLDS
    sizes: Mapping[str, Sequence[int]] = {}
    if splitter is not None and "rho" not in overrides:
        folds, sizes = design_of(SimpleNamespace(cv=splitter, n_splits_=len(splits)))
    elif splitter is not None:
        folds = len(splits)
    return from_splits(table, folds, None, overrides, sizes)


def _split(estimator: Any, X: Any, y: Any, splitter: Any, groups: Any) -> tuple[list[Any], Any]:
    """Return the splits, and what splits the data; None for shuffles of groups."""
    from sklearn.base import is_classifier
    from sklearn.model_selection import (
        RepeatedKFold,
        RepeatedStratifiedKFold,
        StratifiedGroupKFold,
    )

    stratified = is_classifier(estimator)
    if splitter is None and groups is not None:
        # of other estimators only the sizes of folds are balanced
        labels = y if stratified else np.zeros(len(y), dtype=int)
        splits = []
        for run in range(RUNS):
            shuffled = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=SEED + run)
            splits += shuffled.split(X, labels, groups)
        return splits, None
    if splitter is None:
        kind = RepeatedStratifiedKFold if stratified else RepeatedKFold
        splitter = kind(n_splits=FOLDS, n_repeats=RUNS, random_state=SEED)
    return [*splitter.split(X, y, groups)], splitter
