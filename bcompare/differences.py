"""Scores and pairs of classifiers → paired differences. The sign convention lives here, once.

A difference is score(right) - score(left) on the same fold of the same run, so a positive
mean speaks for the right classifier.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bcompare.errors import InputError
from bcompare.rope import FloatArray
from bcompare.scores import DatasetScores, Scores
from bcompare.sufficient import IntArray, SufficientStatistics

# Scores are decimals: differences are trusted to this many digits below the largest score of
# the data set. What is smaller is binary rounding (0.85 - 0.84 is not quite 0.01).
DIGITS = 13

# The covariance form of a sum of squares loses digits when two classifiers nearly agree: below
# this share of their own sums of squares, and where all is rounding, the differences are used.
CANCELLATION = 1e-6

# Sizes of scores whose squares neither overflow nor vanish.
SMALLEST, LARGEST = 1e-140, 1e140


@dataclass(frozen=True, eq=False, slots=True)
class Differences:
    """One pair of classifiers and what the data sets that both have say of it.

    A positive mean difference speaks for `right`.
    """

    left: str
    right: str
    statistics: SufficientStatistics


def paired_differences(scores: Scores, pairs: Sequence[tuple[str, str]]) -> list[Differences]:
    """Sufficient statistics of each (left, right) pair over the data sets that both have.

    All pairs of a data set come from one covariance matrix of its table: with G the matrix of
    centred cross products, SS(right - left) = G_ll + G_rr - 2 G_lr.

    A pair that shares no data set comes with statistics of length 0.
    """
    if not pairs:
        return []
    index = {name: k for k, name in enumerate(scores.classifiers)}
    unknown = {name for pair in pairs for name in pair} - set(index)
    if unknown:
        raise InputError(
            f"there is no classifier {', '.join(map(repr, sorted(unknown)))}; the results have "
            f"{', '.join(scores.classifiers)}"
        )
    left = np.array([index[name] for name, _ in pairs])
    right = np.array([index[name] for _, name in pairs])
    names = np.array([dataset.name for dataset in scores.datasets], dtype=object)
    n = np.array([len(dataset.table) for dataset in scores.datasets])
    rho = np.array([dataset.rho for dataset in scores.datasets])
    present = np.array([dataset.present for dataset in scores.datasets])
    shared = (present[:, left] & present[:, right]).T
    _check_range(scores, np.union1d(left, right))
    columns = [_moments(dataset, left, right) for dataset in scores.datasets]
    means = np.array([mean for mean, _ in columns]).T
    sums = np.array([ss for _, ss in columns]).T
    binary = np.array([_is_binary(dataset) for dataset in scores.datasets])
    for array in (n, rho, means, sums, binary):
        array.flags.writeable = False
    everything = tuple(names)
    return [
        Differences(
            *pair,
            SufficientStatistics(everything, n, mean, ss, rho, binary)
            if has.all()
            else SufficientStatistics(
                tuple(names[has]), n[has], mean[has], ss[has], rho[has], binary[has]
            ),
        )
        for pair, mean, ss, has in zip(pairs, means, sums, shared, strict=True)
    ]


def _is_binary(dataset: DatasetScores) -> bool:
    """Whether all scores of a data set are 0 or 1 (or -0 and -1, where lower is better)."""
    scores = np.abs(dataset.table[:, dataset.present])
    return bool(((scores == 0) | (scores == 1)).all())


def mean_scores(dataset: DatasetScores) -> FloatArray:
    """(c,) mean score of each classifier, rounded so that equal decimals are equal."""
    largest = np.maximum(np.abs(dataset.table).max(axis=0), SMALLEST)
    return _rounded(dataset.table.mean(axis=0), DIGITS - np.ceil(np.log10(largest)))


def _check_range(scores: Scores, chosen: IntArray) -> None:
    """Refuse scores whose squares a floating-point number cannot hold."""
    problems = []
    for dataset in scores.datasets:
        largest = np.abs(np.where(dataset.present, dataset.table, 0.0)).max(axis=0)
        problems += [
            f"data set {dataset.name}: the scores of {scores.classifiers[k]} are of the size of "
            f"{largest[k]:.0e}, too {'large' if largest[k] > 1 else 'small'} to compute with; "
            "write them in another unit"
            for k in chosen
            if largest[k] and not SMALLEST < largest[k] < LARGEST
        ]
    if problems:
        raise InputError(problems)


def _moments(
    dataset: DatasetScores, left: IntArray, right: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Mean and sum of squares of right - left, each (pairs,), on one data set."""
    table = np.where(dataset.present, dataset.table, 0.0)
    largest = np.abs(table).max(axis=0)
    # What decimals resolve depends on the scores of the pair, and on nobody else's.
    scale = np.maximum(np.maximum(largest[left], largest[right]), SMALLEST)
    digits = DIGITS - np.ceil(np.log10(scale))
    grid = 10.0**-digits
    centre = table.mean(axis=0)
    mean = _rounded(centre[right] - centre[left], digits)
    unit = max(float(largest.max()), SMALLEST)
    centred = (table - centre) / unit
    cross = centred.T @ centred
    own = np.diagonal(cross)
    ss = own[left] + own[right] - 2 * cross[left, right]
    doubtful = np.maximum(CANCELLATION * (own[left] + own[right]), len(table) * (grid / unit) ** 2)
    alike = np.flatnonzero(ss <= doubtful)
    ss = ss * unit**2
    if alike.size:
        direct = table[:, right[alike]] - table[:, left[alike]]
        constant = np.ptp(direct, axis=0) <= 2 * grid[alike]
        deviations = direct - direct.mean(axis=0)
        ss[alike] = np.where(constant, 0.0, (deviations**2).sum(axis=0))
    return mean, ss


def _rounded(values: FloatArray, digits: FloatArray) -> FloatArray:
    """Round each value to its own number of decimals, which may be negative."""
    up, down = 10.0 ** np.maximum(digits, 0), 10.0 ** np.maximum(-digits, 0)
    return np.rint(values * up / down) / up * down
