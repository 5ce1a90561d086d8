"""Results of scikit-learn in memory: searches and `cross_validate`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count, takewhile
from typing import Any

import numpy as np
import pandas as pd

from bcompare.basis.messages import InputError, arg
from bcompare.data.rope import FloatArray
from bcompare.data.scores import Scores
from bcompare.files.options import ReadOptions
from bcompare.files.problems import Problems, clipped, named
from bcompare.reading.long import candidate_names
from bcompare.reading.read import from_frame

# The splitters of scikit-learn that test each case once a run.
CROSS_VALIDATIONS = {
    "KFold",
    "StratifiedKFold",
    "GroupKFold",
    "StratifiedGroupKFold",
    "RepeatedKFold",
    "RepeatedStratifiedKFold",
    "LeaveOneOut",
    "LeaveOneGroupOut",
}


def from_cv_results(
    search: object,
    *,
    folds: int | None = None,
    metric: str | None = None,
    names: Sequence[str] | None = None,
    dataset: str = "results",
    options: ReadOptions | None = None,
    **overrides: Any,
) -> Scores:
    """Read the scores of the candidates of a finished search, such as `GridSearchCV`.

    Parameters
    ----------
    search : the search, or its ``cv_results_`` as a dictionary or a frame.
    folds : folds in a run of cross-validation; taken from the search's splitter by default, where
        that is one of scikit-learn's for cross-validation. Of a list of splits the share of test
        cases is counted. ``cv_results_`` alone has neither.
    metric : which score, where the search computed several; by default the one that it refits by.
    names : of the candidates; by default the parameters in which they differ, such as "C=1".
    dataset : name of the data set.
    options, overrides : as for `read_scores`, such as ``rho=0.2``, or ``cost_col="mean_fit_time"``
        for a number a candidate that `rank` breaks ties by.

    Raises
    ------
    InputError : if the search is not fitted, a fit failed, there is no such metric, the correlation
        of the scores is not known, or candidates were given data of several sizes.

    Examples
    --------
    A search, ``GridSearchCV(SVC(), {"C": [1, 10]}, cv=3).fit(X, y)``, or its results:

    >>> import bcompare
    >>> results = {"params": [{"C": 1}, {"C": 10}], "split0_test_score": [0.8, 0.9],
    ...            "split1_test_score": [0.7, 0.7], "split2_test_score": [0.8, 0.9]}
    >>> bcompare.from_cv_results(results, folds=3)
    <Scores: 2 classifiers, 1 data set, 6 rows>
    """
    results = search if isinstance(search, (Mapping, pd.DataFrame)) else None
    if results is None:
        if not hasattr(search, "cv_results_"):
            raise InputError(f"this {type(search).__name__} has no cv_results_: call its fit first")
        results = search.cv_results_
    if len({*results.get("iter", ())}) > 1:
        raise InputError(
            "the candidates of each round of this search had other data, so only those of one "
            "round can be compared, such as the last: from_cv_results(pandas.DataFrame("
            f"search.cv_results_).query('iter == {max(results['iter'])}'), folds=5), with the "
            "folds that it had"
        )
    if metric is None:
        refit = getattr(search, "refit", None)
        metric = refit if isinstance(refit, str) else "score"
    columns = [*takewhile(results.__contains__, (f"split{i}_test_{metric}" for i in count()))]
    if not columns:
        raise _no_metric(metric, "split0_test_", results)
    table = np.array([results[column] for column in columns], dtype=np.float64).T
    if names is None:
        names = candidate_names(list(results["params"]))
    if len(set(names)) < len(names) or len(names) != len(table):
        raise InputError(
            f"{len(table)} candidates, but the names {named(names)} do not tell them apart; give a "
            "different name for each with names="
        )
    overrides = {"rho": None if options is None else options.rho} | overrides
    sizes: Mapping[str, Sequence[int]] = {}
    if folds is None and overrides["rho"] is None:
        folds, sizes = _design_of(search)
    splits = {(name, dataset): scores for name, scores in zip(names, table, strict=True)}
    cost = overrides.pop("cost_col", None)
    scores = _from_splits(splits, folds or len(columns), options, overrides, sizes)
    at = [list(names).index(name) for name in scores.classifiers]
    return replace(scores, costs=_costs(results, cost)[at]) if cost is not None else scores


def _costs(results: Any, column: object) -> FloatArray:
    """Return a number for each candidate, such as ``mean_fit_time`` or ``param_C``.

    None, as in ``max_depth=None``, sets no limit: it is the largest.
    """
    if column not in results:
        raise InputError(
            f"there is no {column} in the results of the search, which have "
            f"{', '.join(map(str, results))}"
        )
    try:
        limits = [np.inf if value is None else value for value in results[column]]
        costs = np.array(limits, dtype=np.float64)
    except (TypeError, ValueError):
        costs = np.array([np.nan])
    if np.isnan(costs).any():
        raise InputError(
            f"{column} does not hold numbers only: name another column to prefer by, such as "
            "mean_fit_time"
        )
    return costs


def from_cross_validate(
    results: Mapping[str, Any],
    *,
    folds: int,
    metric: str = "score",
    dataset: str = "results",
    options: ReadOptions | None = None,
    **overrides: object,
) -> Scores:
    """Read the scores of classifiers that were cross-validated one by one on the same splits.

    Parameters
    ----------
    results : name of a classifier → what `cross_validate` or `cross_val_score` returned, or, for
        several data sets, name of a classifier → name of a data set → what it returned. On one
        data set all must have had the same splits: the same splitter and ``random_state``.
    folds : folds in a run of cross-validation.
    metric : which score, where several were computed.
    dataset : name of the data set, where there is one.
    options, overrides : as for `read_scores`.

    Raises
    ------
    InputError : if a fit failed, there is no such metric, or these are the results of one
        classifier alone.

    Examples
    --------
    >>> import bcompare
    >>> runs = {"tree": {"test_score": [0.8, 0.7, 0.9]}, "bayes": {"test_score": [0.7, 0.7, 0.8]}}
    >>> bcompare.from_cross_validate(runs, folds=3)
    <Scores: 2 classifiers, 1 data set, 6 rows>
    """
    if any(str(name).startswith(("test_", "fit_time")) for name in results):
        raise InputError(
            "these are the results of one cross_validate alone: give those of each classifier by "
            "its name, such as from_cross_validate({'tree': cross_validate(…), 'forest': "
            "cross_validate(…)})"
        )
    by_dataset = any(map(_is_by_dataset, results.values()))
    table = {
        (str(name), str(where)): _test_scores(result, metric)
        for name, of_name in results.items()
        for where, result in (of_name.items() if by_dataset else [(dataset, of_name)])
    }
    return _from_splits(table, folds, options, overrides)


def _is_by_dataset(result: object) -> bool:
    """Return whether these are the results of one classifier on several data sets."""
    return (
        isinstance(result, Mapping)
        and len(result) > 0
        and all(isinstance(inner, Mapping) or np.ndim(inner) == 1 for inner in result.values())
        and not any(str(key).startswith(("test_", "fit_time")) for key in result)
    )


def _from_splits(
    table: Mapping[tuple[str, str], FloatArray],
    folds: int,
    options: ReadOptions | None,
    overrides: dict[str, object],
    sizes: Mapping[str, Sequence[int]] | None = None,
) -> Scores:
    """Return scores by classifier and data set, with the splits of the first run first.

    sizes : the columns of the numbers of cases in each split.
    """
    problems, sizes = Problems(), sizes or {}
    is_settled = overrides.get("failed", None if options is None else options.failed) is not None
    rows = [
        {"dataset": dataset, "classifier": name, "iteration": i, "score": score}
        | {role: counts[i] for role, counts in sizes.items()}
        for (name, dataset), scores in table.items()
        for i, score in enumerate(scores.tolist())
    ]
    for row in rows:
        if not (is_settled or np.isfinite(row["score"])):
            problems.add(
                f"{clipped(row['classifier'])}: no score on split {row['iteration']}",
                "the fit failed: see the warnings of scikit-learn, and leave that model out or "
                f"mend it, or count it by {arg('failed', 'zero')} (or another score)",
            )
    problems.raise_any()
    frame = pd.DataFrame(rows, columns=["dataset", "iteration", "classifier", "score", *sizes])
    if not {"item_col", "seed_col"} & overrides.keys():
        overrides = overrides | {"iteration_col": "iteration", "folds": folds}
    return from_frame(frame, options=options, **overrides)


def _test_scores(result: object, metric: str) -> FloatArray:
    """Return the scores from the result of `cross_validate` or `cross_val_score`."""
    if isinstance(result, Mapping):
        if f"test_{metric}" not in result:
            raise _no_metric(metric, "test_", result)
        result = result[f"test_{metric}"]
    return np.asarray(result, dtype=np.float64).ravel()


def _no_metric(metric: str, prefix: str, results: Iterable[object]) -> InputError:
    """Return an error that lists the metrics in columns with this prefix."""
    known = [str(key).removeprefix(prefix) for key in results if str(key).startswith(prefix)]
    there = f"there are {named(known)}" if known else "there are no test scores at all"
    choice = "from_cv_results(search, metric=…)" if "split" in prefix else "metric="
    return InputError(f"no test scores of the metric {metric!r}: {there}; choose by {choice}")


def _design_of(search: Any) -> tuple[int, dict[str, list[int]]]:
    """Return the folds in a run of a search, and the numbers of cases in its splits if counted."""
    if not hasattr(search, "n_splits_"):
        raise InputError(
            "cv_results_ does not tell how many folds a run of cross-validation had: give the "
            "search itself, or folds=, such as folds=10 for ten times tenfold cross-validation"
        )
    splitter, splits = search.cv, int(search.n_splits_)
    if splitter is None or isinstance(splitter, (int, np.integer)):
        return splits, {}
    bases = {base.__name__ for base in type(splitter).__mro__}
    if "PredefinedSplit" in bases:
        splitter = [*splitter.split()]
    if isinstance(splitter, Sequence):
        return splits, {
            f"n_{part}": [_count(np.asarray(split[k])) for split in splitter]
            for k, part in enumerate(("train", "test"))
        }
    if bases.isdisjoint(CROSS_VALIDATIONS):
        raise InputError(
            f"a {type(splitter).__name__} may not test each case once a run, so the correlation "
            "of the scores may differ from 1/folds: give it by from_cv_results(search, rho=…), the "
            "share of test cases in all cases"
        )
    return splits // getattr(splitter, "n_repeats", 1), {}


def _count(cases: np.ndarray) -> int:
    """Return the number of cases in a part of a split: their indices, or a mask."""
    return int(cases.sum()) if cases.dtype == np.bool_ else cases.size
