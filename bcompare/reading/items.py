"""Test items: epochs averaged within the item, items within their cluster."""

from dataclasses import replace

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.data.rope import FloatArray
from bcompare.data.sufficient import IntArray
from bcompare.reading.columns import Coded, distinct, joined
from bcompare.reading.grid import Grid
from bcompare.reading.long import Long
from bcompare.reading.problems import SHOWN, Problems, quoted


def averaged(long: Long) -> Long:
    """Return one row a data set, item and classifier: the mean over the item's epochs.

    Two models need not have answered an item equally often. A row stands where the first of its
    epochs stood; the order of rows changes no mean, not even in its last digit.
    """
    dataset, fold, classifier = (long.keys[role] for role in ("dataset", "fold", "classifier"))
    _, item = distinct(dataset.codes, fold.codes, len(fold.names))
    answers, answer = distinct(item, classifier.codes, len(classifier.names))
    del item
    if len(answers) == len(long):
        return long
    order = np.lexsort((long.numbers["score"], answer))
    starts = np.flatnonzero(np.diff(answer[order], prepend=-1))
    counts = np.diff(starts, append=len(order))
    with np.errstate(over="ignore", invalid="ignore"):  # what cannot be used is told already
        means = np.add.reduceat(long.numbers["score"][order], starts) / counts
    first = np.minimum.reduceat(order, starts)
    there = np.argsort(first)
    kept = long.chosen(first[there])
    return replace(
        kept,
        keys=kept.keys | {"run": Coded.constant("1", len(answers))},
        numbers=kept.numbers | {"score": means[there]},
    )


def apart(long: Long) -> Long:
    """Return each epoch of a classifier as a classifier of its own: a whole run over the items."""
    names = joined([long.keys["classifier"], long.keys["run"]], between=", epoch ")
    return replace(
        long, keys=long.keys | {"classifier": names, "run": Coded.constant("1", len(long))}
    )


def clusters_of(grid: Grid, long: Long, problems: Problems) -> IntArray | None:
    """Return the cluster of each row of the grid (u,), as the rank of its name, if there are any.

    An item without a cluster is a cluster of its own; one in several is a problem.
    """
    if "cluster" not in long.keys:
        return None
    names, cluster = long.keys["cluster"].in_natural_order()
    row = grid.cell // len(grid.classifiers)
    clusters = np.zeros(len(grid.dataset), dtype=np.int64)
    clusters[row] = cluster
    for score in np.flatnonzero(clusters[row] != cluster)[: SHOWN + 1].tolist():
        one, other = quoted(names[clusters[row[score]]]), quoted(names[cluster[score]])
        problems.add(
            f"{grid.row_name(int(row[score]))}: in the clusters {one} and {other}",
            f"an item belongs to one cluster: correct the column of {arg('cluster_col')}, or give "
            "items that are not the same different keys",
        )
    alone = np.isin(clusters, [i for i, name in enumerate(names) if not name])
    clusters[alone] = len(names) + np.arange(alone.sum())
    return clusters


def by_cluster(table: FloatArray, cluster: IntArray) -> FloatArray:
    """Return one row a cluster (C, k), for which the usual formulas give cluster-robust answers.

    With N items in C clusters, S the sums of a cluster's m items and x̄ the mean over all items,
    the row is x̄ + C/N (S - m x̄). The rows' mean is the mean over *items*, and the standard error
    of the rows' mean is the cluster-robust one of the items' mean,
    √(C/(C-1) Σ (S - m x̄)²) / N. Clusters of one size simply give their means.
    The rows are linear in the scores, so those of a difference are the differences of the rows.

    table : (N, k) scores. cluster : (N,) which cluster each item is in.
    """
    _, where, sizes = np.unique(cluster, return_inverse=True, return_counts=True)
    sums = np.stack([np.bincount(where, column) for column in table.T], axis=1)
    if (sizes == sizes[0]).all():
        return np.asarray(sums / sizes[0])
    mean = table.mean(axis=0)
    return np.asarray(mean + len(sizes) / len(table) * (sums - sizes[:, None] * mean))
