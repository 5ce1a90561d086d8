"""The mean score of each classifier by itself, with its error: what people look for first."""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from bcompare.data.clusters import lost_dof
from bcompare.data.rope import FloatArray, IntArray
from bcompare.data.scores import DatasetScores, Scores
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.student import StudentPosterior


@dataclass(frozen=True, eq=False, slots=True)
class OwnScores:
    """Mean scores with the sign of the file, a row for each data set and a last one for all.

    The last row, of several data sets, has the mean of their means, and the error that it has as
    one of a sample of data sets.

    datasets : the q names.
    mean, error, low, high : (q, c) or (q + 1, c) means, standard errors and the ends of intervals
        of 95 %; NaN where they are unknown.
    n : of the same shape, the numbers of scores, items or clusters; in the last row of data sets.
    """

    datasets: tuple[str, ...]
    mean: FloatArray
    error: FloatArray
    low: FloatArray
    high: FloatArray
    n: IntArray


def own_scores(scores: Scores, level: float = 0.95) -> OwnScores:
    """Return the mean scores of all classifiers; level : of the intervals.

    Of folds, with correlation ρ, the error is s √(1/n + ρ/(1-ρ)) (Nadeau and Bengio 2003, Machine
    Learning 52:239, section 5), and of items, clusters or seeds s/√n, with n - 1 degrees of
    freedom, or for clusters of different sizes fewer (`bcompare.data.clusters`). The interval of
    items that are right or wrong is Wilson's (1927, JASA 22:209).

    Examples
    --------
    >>> import bcompare
    >>> scores = bcompare.read_scores("sample_data/results.csv", datasets=("two_hard",))
    >>> own = own_scores(scores)
    >>> own.mean[0].round(3), own.error[0].round(3)
    (array([0.624, 0.697, 0.728, 0.738, 0.792]), array([0.024, 0.023, 0.022, 0.024, 0.022]))
    """
    columns = [_of_dataset(dataset, scores, level) for dataset in scores.datasets]
    if len(columns) > 1:
        columns.append(_of_all(np.array([means[0] for means in columns]), level))
    mean, error, low, high, n = np.array(columns).transpose(1, 0, 2)
    if all_are_shares(scores):  # no mean is beyond 0 or 1
        least, most = (-1.0, 0.0) if scores.lower_is_better else (0.0, 1.0)
        low = np.maximum(low, least)
        high = np.minimum(high, most)
    if scores.lower_is_better:
        mean, low, high = 0.0 - mean, 0.0 - high, 0.0 - low
    names = tuple(dataset.name for dataset in scores.datasets)
    return OwnScores(names, mean, error, low, high, n.astype(np.int64))


def all_are_shares(scores: Scores) -> bool:
    """Return whether all scores are from 0 to 1, whatever their sign."""
    return all(_is_share(dataset) for dataset in scores.datasets)


def _is_share(dataset: DatasetScores) -> bool:
    """Return whether all scores are from 0 to 1, whatever their sign."""
    size = np.nan_to_num(dataset.table)
    return bool((np.abs(size) <= 1).all() and ((size >= 0).all() or (size <= 0).all()))


def _of_dataset(dataset: DatasetScores, scores: Scores, level: float) -> FloatArray:
    """Return (5, c) means on a data set, errors, ends of intervals, and numbers of scores."""
    table = dataset.table
    filled = ~np.isnan(dataset.table)
    n = filled.sum(axis=0)
    with np.errstate(invalid="ignore"):  # those that lack the data set have no mean
        mean = np.nansum(table, axis=0) / n
    ss = (np.where(filled, table - mean, 0.0) ** 2).sum(axis=0)
    error = np.full(len(n), np.nan)
    enough = (n >= scores.unit.fewest) & scores.unit.has_spread
    names = tuple(name for name, has in zip(scores.classifiers, enough, strict=True) if has)
    rho = np.full(len(names), dataset.rho)
    statistics = SufficientStatistics(
        names, n[enough], mean[enough], ss[enough], rho, unit=scores.unit
    )
    error[enough] = statistics.standard_error
    if scores.unit.may_be_right_or_wrong and not len(dataset.sizes):
        binary = enough & (np.isin(np.abs(table), (0, 1)) | ~filled).all(axis=0)
        share = np.where(binary, mean, 0.0)
        count = np.maximum(n, 1)
        error = np.where(binary, np.sqrt(np.abs(share) * (1 - np.abs(share)) / count), error)
        low_of_share, high_of_share = _wilson(share, count, level)
        low, high = _interval(mean, error, n, level)
        low = np.where(binary, low_of_share, low)
        high = np.where(binary, high_of_share, high)
    else:
        low, high = _interval(mean, error, n - lost_dof(dataset.sizes), level)
    return np.array([mean, error, low, high, n])


def _interval(
    mean: FloatArray, error: FloatArray, n: IntArray | FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    """Return Student's intervals of means; NaN where the error is unknown."""
    posterior = StudentPosterior(dof=np.maximum(n - 1.0, 1.0), location=mean, scale=error)
    (interval,) = posterior.intervals([level])
    return interval.low, interval.high


def _wilson(mean: FloatArray, n: IntArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Return Wilson's intervals of shares; of losses, these are negative."""
    p = np.abs(mean)
    z2 = float(ndtri((1 + level) / 2)) ** 2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    is_loss = mean < 0
    low = centre - half
    high = centre + half
    return np.where(is_loss, -high, low), np.where(is_loss, -low, high)


def _of_all(means: FloatArray, level: float) -> FloatArray:
    """Return (5, c) means over data sets, errors, intervals and numbers, from (q, c) means."""
    filled = ~np.isnan(means)
    n = filled.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.nansum(means, axis=0) / n
        spread = np.where(filled, means - mean, 0.0)
        error = np.where(n > 1, np.sqrt((spread**2).sum(axis=0) / (n - 1) / n), np.nan)
    return np.array([mean, error, *_interval(mean, error, n, level), n])
