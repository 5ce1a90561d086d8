"""Read scores in memory: two arrays, and the searches and results of scikit-learn."""

from ast import literal_eval
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count, takewhile
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from bcompare.basis.messages import InputError, arg, as_keywords
from bcompare.data.rope import FloatArray
from bcompare.data.scores import Scores
from bcompare.files.options import ReadOptions
from bcompare.files.problems import Problems, clipped, named
from bcompare.reading.long_table import candidate_names
from bcompare.reading.read import from_frame

if TYPE_CHECKING:
    import pandas as pd


# What the values of an array are; ``datasets`` for one mean of each data set.
Rows = Literal["folds", "items", "seeds", "datasets"]

# The column of items and seeds, which have no names.
PLACE = "place"
# What these arguments are called for frames.
OF_FRAMES = {
    "item_col='fold'": "rows='items'",
    "seed_col='fold'": "rows='seeds'",
    "preset='means'": "rows='datasets'",
}

# The columns of `cross_validate` that are no scores, and may be judged as well.
TIMES = ("fit_time", "score_time")

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


def scores_of(
    left: ArrayLike,
    right: ArrayLike,
    rows: Rows,
    runs: int = 1,
    rho: float | None = None,
    names: Sequence[str] = ("left", "right"),
    *,
    lower_is_better: bool = False,
    scale: Mapping[str, float] | None = None,
) -> Scores:
    """Return the scores in two arrays; see `bcompare.compare_arrays`.

    Raises
    ------
    InputError : arrays of different shapes, or values that are not finite.
    """
    if rows not in get_args(Rows):
        raise InputError(f"rows {rows!r}: say what the values are: {', '.join(get_args(Rows))}")
    if len(set(names)) != 2:
        raise InputError(f"names {tuple(names)!r}: give two different names")
    both = [_numbers(values, name) for values, name in zip((left, right), names, strict=True)]
    if both[0].shape != both[1].shape:
        shapes = " and ".join(str(values.shape) for values in both)
        raise InputError(f"arrays of shapes {shapes}: their values must belong together")
    n = both[0].shape[-1]
    if rows == "datasets" and both[0].ndim != 1:
        raise InputError("give one mean for each data set, or say rows='folds'")
    if rho is not None and rows != "folds":
        raise InputError(f"rho is the correlation of folds: leave it out for {rows}")
    if rows == "folds" and (runs < 1 or n % runs):
        raise InputError(f"{n} folds are not {runs} runs of equally many: give runs")
    try:
        return from_frame(
            _rows_of(dict(zip(names, both, strict=True)), rows, runs),
            item_col=PLACE if rows == "items" else None,
            seed_col=PLACE if rows == "seeds" else None,
            lower_is_better=lower_is_better,
            rho=rho,
            scale=scale or {},
        )
    except InputError as error:
        text = as_keywords(error.text)
        for of_frames, of_arrays in OF_FRAMES.items():
            text = text.replace(of_frames, of_arrays)
        if n % 10 == 0 and "folds in a run" in text:
            text += f"; say runs={n // 10} if they are {n // 10} runs of 10 folds"
        raise InputError(text) from None


def _numbers(values: ArrayLike, name: str) -> FloatArray:
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim not in (1, 2) or not numbers.size:
        raise InputError(f"{name}: an array of shape {numbers.shape}: give scores, (n,) or (q, n)")
    if not np.isfinite(numbers).all():
        place = tuple(np.argwhere(~np.isfinite(numbers))[0].tolist())
        raise InputError(f"{name}{list(place)}: not a finite number; leave such out in both arrays")
    return numbers


def _rows_of(arrays: Mapping[str, FloatArray], rows: Rows, runs: int) -> "pd.DataFrame":
    """Return a row for each score in the arrays of the classifiers."""
    first = 0 if rows == "datasets" else 1
    table = {
        (name, first + i): scores
        for name, values in arrays.items()
        for i, scores in enumerate(values[:, None] if rows == "datasets" else np.atleast_2d(values))
    }
    frame = _frame(table)
    place = frame.pop("iteration")
    if rows == "folds":
        folds = (place.max() + 1) // runs
        frame = frame.assign(run=place // folds + 1, fold=place % folds + 1)
    elif rows != "datasets":
        frame[PLACE] = place + 1
    return frame


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
    results: Any = getattr(search, "cv_results_", search)
    if not hasattr(results, "keys"):  # neither a dictionary nor a frame
        raise InputError(f"this {type(search).__name__} has no cv_results_: call its fit first")
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
        params = (p if isinstance(p, Mapping) else literal_eval(p) for p in results["params"])
        names = candidate_names(list(params))
    if len(set(names)) < len(names) or len(names) != len(table):
        raise InputError(
            f"{len(table)} candidates, but the names {named(names)} do not tell them apart; give a "
            "different name for each with names="
        )
    overrides = {"rho": None if options is None else options.rho} | overrides
    sizes: Mapping[str, Sequence[int]] = {}
    if folds is None and overrides["rho"] is None:
        folds, sizes = design_of(search)
    splits = {(name, dataset): scores for name, scores in zip(names, table, strict=True)}
    cost = overrides.pop("cost_col", None)
    scores = from_splits(splits, folds or len(columns), options, overrides, sizes)
    places = [list(names).index(name) for name in scores.classifiers]
    return replace(scores, costs=_costs(results, cost)[places]) if cost is not None else scores


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
    metric : which score, where several were computed; also ``fit_time`` or ``score_time``, of which
        less is better.
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
    # a frame is its columns
    results = {name: dict(r) if hasattr(r, "columns") else r for name, r in results.items()}
    by_dataset = any(map(_is_by_dataset, results.values()))
    table = {}
    for name, of_name in results.items():
        of_datasets = of_name if by_dataset else {dataset: of_name}
        for where, result in of_datasets.items():
            table[str(name), str(where)] = scores_in(result, metric)
    if metric in TIMES:
        overrides = {"score_col": metric} | overrides
    return from_splits(table, folds, options, overrides)


def _is_by_dataset(result: object) -> bool:
    """Return whether these are the results of one classifier on several data sets."""
    if not isinstance(result, Mapping) or not result:
        return False
    if not all(isinstance(inner, Mapping) or np.ndim(inner) == 1 for inner in result.values()):
        return False
    return not any(str(key).startswith(("test_", "fit_time")) for key in result)


def from_splits(
    table: Mapping[tuple[str, str], FloatArray],
    folds: int,
    options: ReadOptions | None,
    overrides: dict[str, object],
    sizes: Mapping[str, Sequence[int]] | None = None,
) -> Scores:
    """Return scores by classifier and data set, with the splits of the first run first.

    sizes : the columns of the numbers of cases in each split.
    """
    columns = {role: [*counts] * len(table) for role, counts in (sizes or {}).items()}
    frame = _frame(table).assign(**columns)
    problems = Problems()
    is_settled = overrides.get("failed", None if options is None else options.failed) is not None
    for i in () if is_settled else np.flatnonzero(~np.isfinite(frame["score"])):
        problems.add(
            f"{clipped(frame['classifier'][i])}: no score on split {frame['iteration'][i]}",
            "the fit failed: see the warnings of scikit-learn, and leave that model out or "
            f"mend it, or count it by {arg('failed', 'zero')} (or another score)",
        )
    problems.raise_any()
    frame = frame.rename(columns={"score": str(overrides.get("score_col", "score"))})
    if not {"item_col", "seed_col"} & overrides.keys():
        overrides = overrides | {"iteration_col": "iteration", "folds": folds}
    return from_frame(frame, options=options, **overrides)


def _frame(table: Mapping[Any, FloatArray]) -> "pd.DataFrame":
    """Return a row for each score by (classifier, data set), with its place there, from 0."""
    import pandas as pd

    keys = pd.DataFrame([*table], columns=["classifier", "dataset"])
    frame = keys.loc[keys.index.repeat([*map(len, table.values())])]
    frame["iteration"] = frame.groupby(level=0).cumcount()
    frame["score"] = np.concatenate([np.empty(0), *table.values()])
    return frame.reset_index(drop=True)


def scores_in(result: object, metric: str) -> FloatArray:
    """Return the scores from the result of `cross_validate` or `cross_val_score`."""
    if isinstance(result, Mapping):
        column = metric if metric in TIMES else f"test_{metric.removeprefix('test_')}"
        if column not in result:
            raise _no_metric(metric, "test_", result)
        result = result[column]
    return np.asarray(result, dtype=np.float64).ravel()


def _no_metric(metric: str, prefix: str, results: Iterable[object]) -> InputError:
    """Return an error that lists the metrics in columns with this prefix."""
    keys = [*map(str, results)]
    metrics = [key.removeprefix(prefix) for key in keys if key.startswith(prefix)]
    if prefix == "test_":
        metrics += [key for key in keys if key in TIMES]
    there = f"there are {named(metrics)}" if metrics else "there are no test scores at all"
    choice = "from_cv_results(search, metric=…)" if "split" in prefix else "metric="
    return InputError(f"no test scores of the metric {metric!r}: {there}; choose by {choice}")


def design_of(search: Any) -> tuple[int, dict[str, list[int]]]:
    """Return the folds in a run of a search, and the numbers of cases in its splits if counted."""
    if not hasattr(search, "n_splits_"):
        raise InputError(
            "cv_results_ does not tell how many folds a run of cross-validation had: give the "
            "search itself, or folds=, such as folds=10 for ten times tenfold cross-validation"
        )
    splitter = search.cv
    splits = int(search.n_splits_)
    if splitter is None or isinstance(splitter, (int, np.integer)):
        return splits, {}
    bases = {base.__name__ for base in type(splitter).__mro__}
    if "PredefinedSplit" in bases:
        splitter = [*splitter.split()]
    if isinstance(splitter, Sequence):
        trained = [_count(np.asarray(split[0])) for split in splitter]
        tested = [_count(np.asarray(split[1])) for split in splitter]
        return splits, {"n_train": trained, "n_test": tested}
    if bases.isdisjoint(CROSS_VALIDATIONS):
        raise InputError(
            f"a {type(splitter).__name__} may not test each case once a run, so the correlation "
            "of the scores may differ from 1/folds: give it by rho=…, the share of test cases in "
            "all cases"
        )
    return splits // getattr(splitter, "n_repeats", 1), {}


def _count(cases: np.ndarray) -> int:
    """Return the number of cases in a part of a split: their indices, or a mask."""
    return int(cases.sum()) if cases.dtype == np.bool_ else cases.size
