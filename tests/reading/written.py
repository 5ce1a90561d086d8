"""The same results written in every layout that people have, with the options that read it."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, BinaryIO

from bcompare.data.scores import Scores

Key = tuple[str, str, str, str]
CellTable = list[list[str]]
Layout = Callable[["Results"], "Written"]


@dataclass(frozen=True)
class Results:
    """Complete results: a score of every classifier on every fold of every run."""

    datasets: Sequence[str]
    runs: int
    folds: int
    classifiers: Sequence[str]
    scores: Sequence[float]

    def __post_init__(self) -> None:
        assert len(self.scores) == len(list(self))

    def __iter__(self) -> Iterator[Key]:
        """Data set, run, fold and classifier, in the order of the scores."""
        runs = [str(run + 1) for run in range(self.runs)]
        folds = [str(fold + 1) for fold in range(self.folds)]
        return product(self.datasets, runs, folds, self.classifiers)

    def items(self) -> Iterator[tuple[Key, str]]:
        """Keys and scores as text."""
        for key, score in zip(self, self.scores, strict=True):
            yield key, repr(score)

    def __getitem__(self, key: Key) -> str:
        return dict(self.items())[key]

    def iteration(self, run: str, fold: str) -> int:
        """The number of a fold in all runs, from 0."""
        return (int(run) - 1) * self.folds + int(fold) - 1


# All scores differ, and so do the differences of any two classifiers.
SMALL = Results(
    datasets=("iris", "wine"),
    runs=2,
    folds=3,
    classifiers=("nbc", "aode", "j48"),
    scores=[0.5 + i**5 % 37 / 128 for i in range(36)],
)


@dataclass(frozen=True)
class Written:
    """Results as a table, the first row the header; the options that read it."""

    table: CellTable
    options: dict[str, Any] = field(default_factory=dict)


def as_file(table: CellTable, name: str = "r.csv", **dialect: Any) -> BinaryIO:
    """A table as an open CSV file."""
    buffer = io.StringIO()
    csv.writer(buffer, **({"lineterminator": "\n"} | dialect)).writerows(table)
    file = io.BytesIO(buffer.getvalue().encode())
    file.name = name
    return file


def as_json_lines(rows: list[dict[str, Any]]) -> str:
    """Rows as JSON Lines."""
    return "\n".join([*map(json.dumps, rows), ""])


def facts(scores: Scores) -> dict[tuple[str, str], tuple[bytes, int, int, float]]:
    """All that the tests' numbers rest on, by data set and classifier."""
    return {
        (dataset.name, name): (column.tobytes(), dataset.runs, dataset.folds, dataset.rho)
        for dataset in scores.datasets
        for name, column, present in zip(
            scores.classifiers, dataset.table.T, dataset.present, strict=True
        )
        if present
    }


def each_score(
    results: Results, header: str, row: Callable[..., list[str]], **options: Any
) -> Written:
    """A row for each score: of its data set, run, fold, classifier and value."""
    rows = [row(*key, score) for key, score in results.items()]
    return Written([header.split(","), *rows], options)


def canonical(results: Results) -> Written:
    """dataset,run,fold,classifier,score."""
    return each_score(results, "dataset,run,fold,classifier,score", lambda *cells: [*cells])


def renamed(results: Results) -> Written:
    """Other column names, in another order, among others."""
    options = {
        "dataset_col": "task",
        "run_col": "--seed",
        "fold_col": "cv",
        "classifier_col": "framework",
        "score_col": "result",
    }
    header = ",--seed,result,framework,cv,task,info"
    return each_score(results, header, lambda d, r, f, c, s: ["", r, s, c, f, d, "a, b"], **options)


def stacked(results: Results) -> Written:
    """Several metrics in rows; those of the other metrics may be empty."""
    header = ["dataset", "run", "fold", "classifier", "metric", "score"]
    rows = []
    for key, score in results.items():
        rows += [[*key, "reward", score], [*key, "time", ""], [*key, "acc", "0.5"]]
    return Written([header, *rows], {"where": ("metric=reward",)})


def wide_folds(results: Results) -> Written:
    """One column per fold."""
    runs = dict.fromkeys(key[:2] + key[3:] for key in results)
    header = ["dataset", "run", "classifier", *(f"cv{k + 1}_score" for k in range(results.folds))]
    rows = [
        [dataset, run, name]
        + [results[dataset, run, str(k + 1), name] for k in range(results.folds)]
        for dataset, run, name in runs
    ]
    return Written([header, *rows], {"wide": r"cv(?P<fold>\d+)_score"})


def wide_classifiers(results: Results) -> Written:
    """One column per classifier."""
    splits = dict.fromkeys(key[:3] for key in results)
    header = ["dataset", "run", "fold", *(f"acc:{name}" for name in results.classifiers), "comment"]
    rows = [
        [*split, *(results[(*split, name)] for name in results.classifiers), "?"]
        for split in splits
    ]
    return Written([header, *rows], {"wide": "(?s)acc:(?P<classifier>.*)"})


def wide_both(results: Results) -> Written:
    """One column per classifier and fold of all runs; a row is a data set."""
    columns = dict.fromkeys(key[1:] for key in results)
    header = ["dataset"]
    header += [f"{results.iteration(run, fold)}/{name}" for run, fold, name in columns]
    rows = [
        [dataset, *(results[(dataset, *column)] for column in columns)]
        for dataset in results.datasets
    ]
    options = {"wide": r"(?s)(?P<iteration>\d+)/(?P<classifier>.*)", "folds": results.folds}
    return Written([header, *rows], options)


def glued(results: Results) -> Written:
    """Data set and fold in one key."""
    split = r"dataset_fold_id=(?s)(?P<dataset>.*)__fold_(?P<fold>\d+)"
    header = "dataset_fold_id,run,classifier,score"
    return each_score(
        results, header, lambda d, r, f, c, s: [f"{d}__fold_{f}", r, c, s], split=split
    )


def iterated(results: Results, start: int = 0) -> Written:
    """An iteration number instead of run and fold."""
    return each_score(
        results,
        "dataset,iteration,classifier,score",
        lambda d, r, f, c, s: [d, str(results.iteration(r, f) + start), c, s],
        iteration_col="iteration",
        folds=results.folds,
    )


def iterated_from_one(results: Results) -> Written:
    """Iterations counted from 1."""
    return iterated(results, 1)


def sized(results: Results) -> Written:
    """With the sizes of the training and test sets, which tell the same correlation."""
    header, train = "dataset,run,fold,classifier,score,n_train,n_test", 7 * (results.folds - 1)
    return each_score(results, header, lambda *cells: [*cells, str(train), "7"])


def weka(results: Results) -> Written:
    """WEKA's Experimenter, with percentages as scores."""
    header = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Key_Scheme_version_ID,"
    header += "Date_time,Number_of_training_instances,Percent_correct"
    more = ["-C 0.25 -M 2", "-21773316839364444", "20240101.1", "90"]
    return each_score(
        results,
        header,
        lambda *cells: [*cells[:4], *more, repr(100 * float(cells[4]))],
        preset="weka",
    )


def amlb(results: Results) -> Written:
    """The AutoML Benchmark's results.csv, one run."""
    return each_score(
        results,
        "id,task,framework,constraint,fold,type,result,metric",
        lambda d, r, f, c, s: [
            "openml.org/t/3",
            d,
            c,
            "1h8c",
            str(results.iteration(r, f)),
            "binary",
            s,
            "auc",
        ],
        preset="amlb",
    )


def mlr3(results: Results) -> Written:
    """mlr3's scores of a benchmark result."""
    return each_score(
        results,
        "nr,task_id,learner_id,resampling_id,iteration,classif.acc",
        lambda d, r, f, c, s: ["1", d, c, "repeated_cv", str(results.iteration(r, f) + 1), s],
        preset="mlr3",
        folds=results.folds,
        score_col="classif.acc",
    )


def cv_results(results: Results) -> Written:
    """scikit-learn's cv_results_, of the first data set."""
    splits = range(results.runs * results.folds)
    header = ["", "mean_fit_time", "params"]
    header += [f"split{i}_test_score" for i in splits] + ["mean_test_score", "rank_test_score"]
    dataset = results.datasets[0]
    rows = [
        [str(k), "0.1", name]
        + [
            results[dataset, str(i // results.folds + 1), str(i % results.folds + 1), name]
            for i in splits
        ]
        + ["0.5", "1"]
        for k, name in enumerate(results.classifiers)
    ]
    return Written([header, *rows], {"preset": "sklearn-cv-results", "folds": results.folds})


EQUAL: tuple[Layout, ...] = (
    renamed,
    stacked,
    wide_folds,
    wide_classifiers,
    wide_both,
    glued,
    iterated,
    iterated_from_one,
    sized,
)
"""Layouts that say all that the canonical one says."""

PRESETS: tuple[Layout, ...] = (weka, amlb, mlr3, cv_results)
"""Files of programs, which name some things otherwise or not at all."""
