"""How far apart two classifiers must be to be told apart on a board of this size."""

import numpy as np
from scipy.special import stdtrit

from bcompare.data.clusters import lost_dof
from bcompare.data.differences import mean_scores
from bcompare.data.rope import FloatArray
from bcompare.data.scores import Scores

# Two are told apart by a paired test of this level with this probability.
LEVEL, POWER = 0.05, 0.8


def told_apart(scores: Scores) -> float | None:
    """Return the difference of two classifiers that a paired test finds with probability `POWER`.

    With s the standard error of the difference of a pair, the median over all pairs, and ν its
    degrees of freedom, it is (t_ν(0.975) + t_ν(0.8)) s. On one data set the error is that of its
    folds, corrected for their correlation, its items or its clusters; on several that of the mean
    over data sets. None where no pair has two rows, or all differences are constant.
    """
    table, variance_of_mean, dof_lost = _rows(scores)
    variance, count = _variances(table)
    pairs = np.triu_indices(len(variance), 1)
    repeated = count[pairs] > 1
    if not repeated.any():
        return None
    rows = count[pairs][repeated]
    error = np.sqrt(variance[pairs][repeated] * (1 / rows + variance_of_mean))
    quantiles = (1 - LEVEL / 2, POWER)
    reach = sum(stdtrit(rows - 1 - dof_lost, quantile) for quantile in quantiles)
    difference = float(np.median(reach * error))
    return difference if difference > 0 else None


def _rows(scores: Scores) -> tuple[FloatArray, float, float]:
    """Return (n, c) scores or means, ρ/(1-ρ) of their rows, and lost degrees of freedom."""
    if len(scores.datasets) > 1:
        return np.array([mean_scores(dataset) for dataset in scores.datasets]), 0.0, 0.0
    (dataset,) = scores.datasets
    return dataset.table, dataset.rho / (1 - dataset.rho), lost_dof(dataset.sizes)


def _variances(table: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return (c, c) variances of the differences of two columns, and their numbers of rows.

    Rows in which one of the two is missing are left out.
    """
    present = ~np.isnan(table)
    centred = np.where(present, table - np.nanmean(table, axis=1, keepdims=True), 0.0)
    seen = present.astype(np.float64)
    count = seen.T @ seen
    sums = centred.T @ seen  # of the row's classifier, over the rows of both
    squares = (centred**2).T @ seen
    total = sums - sums.T
    of_squares = squares + squares.T - 2 * centred.T @ centred
    dof = np.maximum(count - 1, 1.0)
    variance = (of_squares - total**2 / np.maximum(count, 1.0)) / dof
    rounding = 1e-12 * float(squares.max())
    return np.where(variance > rounding, variance, 0.0), count
