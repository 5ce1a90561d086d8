"""What is judged of some results: which classifiers and data sets, and what is noted of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bcompare.basis.messages import InputError, Note, arg, counted
from bcompare.comparing.compare import as_scores
from bcompare.data.differences import (
    is_binary,
    mean_scores,
    rounded_table,
)
from bcompare.data.rope import (
    BoolArray,
    Rope,
)
from bcompare.data.scales import scale_notes
from bcompare.data.scores import DatasetScores, Scores, check_paired
from bcompare.data.sufficient import EQUAL, TELLING
from bcompare.methods.mean_differences import FEW_DATASETS


@dataclass(frozen=True, slots=True)
class SetApart:
    """A classifier that is not judged since it lacks more than half of the data sets."""

    classifier: str
    n_datasets: int
    mean_score: float


def judged(scores: Scores) -> tuple[Scores, tuple[SetApart, ...]]:
    """Return the scores without classifiers that lack too much, or data sets with only one.

    Raises
    ------
    InputError : fewer than two classifiers are left.
    """
    counts = np.array([dataset.present for dataset in scores.datasets]).sum(axis=0)
    kept = np.flatnonzero(counts * 2 >= len(scores.datasets))
    if len(kept) < 2:
        raise InputError(
            f"of {len(scores.classifiers)} classifiers {len(kept)} have at least half of the "
            f"{len(scores.datasets)} data sets, and a ranking needs two: choose data sets by "
            f"{arg('datasets')}, or compare pairs by another test"
        )
    table = np.array([mean_scores(dataset) for dataset in scores.datasets])
    sign = -1 if scores.lower_is_better else 1
    apart = []
    for k, name in enumerate(scores.classifiers):
        if k not in kept and counts[k]:
            mean = float(np.nanmean(table[:, k]))
            apart.append(SetApart(name, int(counts[k]), sign * mean))
    datasets = tuple(
        dataset.of(kept) for dataset in scores.datasets if dataset.present[kept].sum() >= 2
    )
    return replace(
        scores,
        classifiers=tuple(scores.classifiers[k] for k in kept),
        datasets=datasets,
        costs=None if scores.costs is None else scores.costs[kept],
    ), tuple(apart)


def read(results: Any, prefer: str | None) -> Scores:
    """Convert any input to scores, with costs where requested."""
    if hasattr(results, "cv_results_"):
        from bcompare.reading.arrays import from_cv_results

        scores = from_cv_results(results, cost_col=prefer)
    elif prefer is not None and hasattr(results, "columns"):
        from bcompare.reading.read import from_frame

        scores = from_frame(results, cost_col=prefer)
    else:
        scores = as_scores(results)
    if prefer is not None and scores.costs is None:
        raise InputError(
            f"the scores do not hold the costs {prefer!r}: read them with cost_col={prefer!r}"
        )
    return scores


def check(scores: Scores, top_k: int | None) -> None:
    """Refuse input that cannot be judged, and options without effect."""
    check_paired(scores, "rank")
    lone = len(scores.datasets) == 1
    c = len(scores.classifiers)
    if lone and not scores.unit.has_spread:
        raise InputError(
            "one data set of which only the means are known: nothing tells chance from a real "
            "difference; give the scores of its folds or items, or more data sets"
        )
    if top_k is not None and not 1 <= top_k <= c:
        raise InputError(f"{arg('top_k', top_k)}: there are {c} classifiers; give 1 to {c}")


def twins(datasets: Sequence[DatasetScores], leader: int) -> BoolArray:
    """Return the (c,) mask of classifiers whose scores never differ from the leader's."""
    same = np.ones(len(datasets[0].present), dtype=np.bool_)
    for dataset in datasets:
        table = rounded_table(dataset)
        equal = (table == table[:, [leader]]).all(axis=0)
        both_absent = ~dataset.present & ~dataset.present[leader]
        same &= equal | both_absent
    same[leader] = False
    return same


def lacks_spread(dataset: DatasetScores, scores: Scores) -> BoolArray:
    """Return the (c, c) pairs with constant differences on the only data set, weak evidence.

    Few or coarse scores may agree by chance; 30 scores that never differ show that two classifiers
    are alike, unless scores are 0 or 1. The posterior of test items accounts for that.
    """
    table = rounded_table(dataset)
    centred = table - table.mean(axis=0)
    size = np.abs(table).max(axis=0)
    near = EQUAL * np.maximum.outer(size, size)
    constant = np.array([np.ptp(centred - column[:, None], axis=0) for column in centred.T]) <= near
    tied = np.abs(np.subtract.outer(table.mean(axis=0), table.mean(axis=0))) <= near
    binary = is_binary(dataset)
    if (scores.unit.has_answers and binary) or (len(table) >= TELLING and not binary):
        constant &= ~tied
    np.fill_diagonal(constant, False)
    return np.asarray(constant)


def why_alike(datasets: Sequence[DatasetScores]) -> str | None:
    """Return why means whose differences never vary allow no verdict; else None."""
    table = np.concatenate([dataset.table for dataset in datasets])
    if len(table) > len(datasets) or np.isnan(table).any():
        return None
    apart = table - table[:, :1]
    if not apart.any() or np.ptp(apart, axis=0).max() > EQUAL * np.abs(table).max():
        return None
    return (
        f"all differences are equal on the {len(table)} data sets, so that nothing tells chance "
        "from a real difference"
    )


def notes_on(
    given: Scores, scores: Scores, rope: Rope, apart: Sequence[SetApart]
) -> Iterator[Note]:
    """Yield notes on the input, and on what was not judged."""
    yield from (*scores.notes, *scores.account.notes(), *scale_notes(scores, rope))
    if apart:
        names = [f"{c.classifier} ({c.n_datasets})" for c in apart]
        yield Note(
            "set-apart",
            "warning",
            f"not judged, with scores on fewer than half of the {len(given.datasets)} data sets: "
            f"{counted(names, 'classifier')}",
        )
    q = len(scores.datasets)
    if 1 < q < FEW_DATASETS:
        weak = (
            f"only {q} data sets are weak evidence about the next one, and about the average over "
            "others"
        )
        if scores.unit.has_spread:
            weak += f"; to rank on a single data set, name it with {arg('datasets')}"
        yield Note("few-datasets", "warning", weak)
    left_out = {d.name for d in given.datasets} - {d.name for d in scores.datasets}
    if left_out:
        names = sorted(left_out)
        yield Note(
            "unused",
            "info",
            f"left out, with fewer than two classifiers: {counted(names, 'data set')}",
        )
