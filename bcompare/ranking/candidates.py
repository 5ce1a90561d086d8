"""Select the classifiers that can be judged, and compare them on single data sets."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.data.clusters import lost_dof
from bcompare.data.differences import is_binary, mean_scores, rounded_table
from bcompare.data.scores import DatasetScores, Scores
from bcompare.data.sufficient import EQUAL, TELLING, BoolArray
from bcompare.ranking.joint_means import JointMeans, joint_means


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
    apart = tuple(
        SetApart(
            scores.classifiers[k],
            int(counts[k]),
            float(np.nanmean(table[:, k])) * (-1 if scores.lower_is_better else 1),
        )
        for k in range(len(scores.classifiers))
        if k not in kept and counts[k]
    )
    datasets = tuple(
        dataset.of(kept) for dataset in scores.datasets if dataset.present[kept].sum() >= 2
    )
    return replace(
        scores,
        classifiers=tuple(scores.classifiers[k] for k in kept),
        datasets=datasets,
        costs=None if scores.costs is None else scores.costs[kept],
    ), apart


def posterior(dataset: DatasetScores, scores: Scores) -> JointMeans:
    """Return the posterior of the mean scores of all classifiers on a data set."""
    return joint_means(
        rounded_table(dataset),
        np.flatnonzero(dataset.present),
        dataset.rho,
        right_or_wrong=scores.unit.has_answers and is_binary(dataset),
        lost=lost_dof(dataset.sizes),
    )


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
