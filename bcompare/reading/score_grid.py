"""The long table as a dense grid: folds of all data sets by classifiers.

For test items, epochs are combined within each item before, and items within clusters after.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.messages import InputError, arg
from bcompare.data.clusters import rows_of
from bcompare.data.rope import BoolArray, FloatArray, IntArray, read_only
from bcompare.data.scores import DatasetScores
from bcompare.data.units import Unit
from bcompare.files.problems import Problems, clipped, quoted
from bcompare.files.tables import Coded, distinct, join
from bcompare.reading.long_table import Long

SPARSE = 50  # the most cells for each score: with more, the keys must be wrong
LARGE = 1 << 24  # smaller grids are always accepted


@dataclass(frozen=True, slots=True)
class EpochEstimate:
    """How to combine several answers to an item.

    kind : ``mean``; ``pass@``, the probability that at least one of k answers is right; or
    ``pass^``, that all k are.
    """

    kind: str = "mean"
    k: int = 1

    @classmethod
    def parse(cls, text: str) -> "EpochEstimate":
        """Parse a text such as pass@5.

        Raises
        ------
        InputError : it asks for nothing that is known.
        """
        matched = re.fullmatch(r"(mean)|(pass[@^])([1-9]\d{0,5})", text, re.ASCII)
        if matched is None:
            raise InputError(
                f"{arg('epochs', text)}: write mean, or such as pass@5 (at least one of 5 answers "
                "is right) or pass^5 (all 5 are)"
            )
        return cls() if matched[1] else cls(matched[2], int(matched[3]))

    def of(self, right: FloatArray, n: IntArray) -> FloatArray:
        """Return the unbiased estimate from the sum of n scores; n ≥ k, where answers are 0 or 1.

        1 - C(n - c, k) / C(n, k) and C(c, k) / C(n, k), with c answers right (Chen et al. 2021,
        "Evaluating large language models trained on code", eq. 1).
        """
        if self.kind == "mean":
            return np.asarray(right / n)
        counted = n - right if self.kind == "pass@" else right
        share = np.ones(right.shape)
        for drawn in range(self.k):  # k answers drawn without replacement are all of these
            share *= np.maximum(counted - drawn, 0) / np.maximum(n - drawn, 1)
        return 1 - share if self.kind == "pass@" else share


@dataclass(frozen=True, eq=False)
class Grid:
    """Scores by fold and classifier, with masks of what exists.

    datasets, classifiers : names, in the order of their first appearance.
    runs, folds : names, in natural order.
    dataset, run, fold : (u,) data set, run and fold of each row, as positions in the names; rows
        are sorted by these three.
    table : (u, c) scores; NaN where there is none.
    filled : (u, c) whether there is one.
    cell : (n,) position in the flat table of each score of the long table.
    unit : what a row is.
    """

    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    runs: tuple[str, ...]
    folds: tuple[str, ...]
    dataset: IntArray
    run: IntArray
    fold: IntArray
    table: FloatArray
    filled: BoolArray
    cell: IntArray
    unit: Unit

    @classmethod
    def of(cls, long: Long) -> "Grid":
        """Return the grid of a long table.

        Raises
        ------
        InputError : if it would be next to empty and fill the memory.
        """
        datasets, dataset = long.keys["dataset"].used()
        classifiers, classifier = long.keys["classifier"].used()
        runs, run = long.keys["run"].in_natural_order()
        folds, fold = long.keys["fold"].in_natural_order()
        splits: IntArray = np.arange(len(folds))
        split: NDArray[Any] = fold
        if len(runs) > 1:
            splits, split = distinct(run, fold, len(folds))
        units, cell = distinct(dataset, split, len(splits))
        cells = len(units) * len(classifiers)
        if cells > max(LARGE, SPARSE * len(long)):
            raise InputError(
                f"{len(classifiers):,} classifiers and {len(units):,} folds, but only "
                f"{len(long):,} scores: hardly any fold has two of them; is the right column named "
                f"with {arg('classifier_col')} and {arg('fold_col')}?"
            )
        cell *= len(classifiers)
        cell += classifier
        table = np.full(cells, np.nan)
        filled = np.zeros(cells, dtype=np.bool_)
        table[cell] = long.numbers["score"]
        filled[cell] = True
        split_of_unit = splits[units % len(splits)]
        return cls(
            datasets=datasets,
            classifiers=classifiers,
            runs=runs,
            folds=folds,
            dataset=units // len(splits),
            run=split_of_unit // len(folds),
            fold=split_of_unit % len(folds),
            table=table.reshape(len(units), len(classifiers)),
            filled=filled.reshape(len(units), len(classifiers)),
            cell=cell,
            unit=long.unit,
        )

    @cached_property
    def starts(self) -> IntArray:
        """(q,) the first row of each data set."""
        return np.flatnonzero(np.diff(self.dataset, prepend=-1))

    @cached_property
    def present(self) -> BoolArray:
        """(q, c) whether the classifier has any score on the data set."""
        present: BoolArray = np.logical_or.reduceat(self.filled, self.starts)
        present.flags.writeable = False
        return present

    @cached_property
    def gaps(self) -> BoolArray:
        """(u, c) whether the classifier has the data set but lacks this fold."""
        if self.unit.is_unpaired:  # rows of one number have nothing to do with one another
            return np.zeros_like(self.filled)
        return self.present[self.dataset] & ~self.filled

    @cached_property
    def incomplete(self) -> BoolArray:
        """(u,) whether any classifier lacks this fold but has the data set."""
        return np.asarray(self.gaps.any(axis=1))

    def rows(self, dataset: int) -> slice:
        """Return the rows of a data set."""
        ends = np.append(self.starts[1:], len(self.dataset))
        return slice(int(self.starts[dataset]), int(ends[dataset]))

    def split_name(self, row: int) -> str:
        """Return the run and fold of a row, or its seed or item, for messages."""
        run = clipped(self.runs[self.run[row]])
        fold = clipped(self.folds[self.fold[row]])
        if self.unit.has_folds:
            return f"run {run}, fold {fold}"
        epoch = f", epoch {run}" if len(self.runs) > 1 else ""
        return f"{self.unit} {fold}{epoch}" if self.unit.has_spread else ""

    def row_name(self, row: int) -> str:
        """Return the data set, run and fold of a row for messages."""
        name = f"data set {clipped(self.datasets[self.dataset[row]])}"
        return ", ".join(filter(None, (name, self.split_name(row))))


def combine_epochs(long: Long, estimate: EpochEstimate) -> Long:
    """Return one row for each data set, item and classifier, with its epochs combined.

    Models need not have answered an item equally often. A row takes the place of its first epoch;
    the order of rows changes no mean, not even its last digit.

    estimate : the mean, or the unbiased estimate of pass@k or pass^k, from answers that are right
        (1) or wrong (0).
    """
    dataset = long.keys["dataset"]
    fold = long.keys["fold"]
    classifier = long.keys["classifier"]
    _, item = distinct(dataset.codes, fold.codes, len(fold.names))
    answers, answer = distinct(item, classifier.codes, len(classifier.names))
    del item
    if len(answers) == len(long) and estimate.kind == "mean":
        return long
    order = np.lexsort((long.numbers["score"], answer))
    starts = np.flatnonzero(np.diff(answer[order], prepend=-1))
    counts = np.diff(starts, append=len(order))
    with np.errstate(over="ignore", invalid="ignore"):  # reported as a problem already
        values = estimate.of(np.add.reduceat(long.numbers["score"][order], starts), counts)
    first = np.minimum.reduceat(order, starts)
    there = np.argsort(first)
    kept = long.chosen(first[there])
    return replace(
        kept,
        keys=kept.keys | {"run": Coded.constant("1", len(answers))},
        numbers=kept.numbers | {"score": values[there], "answers": counts[there]},
    )


def split_epochs(long: Long) -> Long:
    """Return each epoch of a classifier, a complete run over the items, as a classifier."""
    names = join([long.keys["classifier"], long.keys["run"]], between=", epoch ")
    return replace(
        long, keys=long.keys | {"classifier": names, "run": Coded.constant("1", len(long))}
    )


def clusters_of(grid: Grid, long: Long, problems: Problems) -> IntArray | None:
    """Return the (u,) cluster of each row, as the rank of its name, if there are any.

    An item without a cluster is a cluster of its own; one in several is a problem.
    """
    if "cluster" not in long.keys:
        return None
    names, cluster = long.keys["cluster"].in_natural_order()
    row = grid.cell // len(grid.classifiers)
    clusters = np.zeros(len(grid.dataset), dtype=np.int64)
    clusters[row] = cluster
    several = np.flatnonzero(clusters[row] != cluster)
    for score in several[:1].tolist():
        one = quoted(names[clusters[row[score]]])
        other = quoted(names[cluster[score]])
        problems.add(
            f"{grid.row_name(int(row[score]))}: in the clusters {one} and {other}",
            f"an item belongs to one cluster: correct the column of {arg('cluster_col')}, or give "
            "items that are not the same different keys",
            len(several),
        )
    alone = np.isin(clusters, [i for i, name in enumerate(names) if not name])
    clusters[alone] = len(names) + np.arange(alone.sum())
    return clusters


def in_clusters(
    dataset: DatasetScores,
    cluster: IntArray,
    names: Sequence[str],
    weights: FloatArray | None = None,
) -> DatasetScores:
    """Return a data set of test items as one of clusters.

    The usual statistics of its rows are cluster-robust, and their mean is the mean over *items*;
    see `bcompare.data.clusters`.

    cluster : (N,) of each item, a position in their names; beyond them, an item is its own.
    weights : (N,) of each item in every mean; 1 by default.
    """
    cluster_of, first, where, counts = np.unique(
        cluster, return_index=True, return_inverse=True, return_counts=True
    )
    sizes = counts if weights is None else np.bincount(where, weights)
    table = dataset.table if weights is None else dataset.table * weights[:, None]
    pairs = zip(cluster_of.tolist(), first.tolist(), strict=True)
    keys = tuple(names[c] if c < len(names) else dataset.keys[i] for c, i in pairs)
    order = np.full(len(sizes), np.iinfo(np.int64).max)
    np.minimum.at(order, where, dataset.order)
    sums = np.stack([np.bincount(where, column) for column in table.T], axis=1)
    rows = read_only(rows_of(np.asarray(sums, np.float64), sizes))
    return replace(dataset, table=rows, order=order, sizes=sizes, keys=keys)


def different_folds(grid: Grid, unscored: Collection[str] = ()) -> Iterator[str]:
    """Yield data sets on which two classifiers have all folds of cross-validations that differ."""
    for i in np.flatnonzero(np.logical_or.reduceat(grid.incomplete, grid.starts)).tolist():
        dataset = grid.datasets[i]
        rows = grid.rows(i)
        filled = grid.filled[rows]
        runs = grid.run[rows]
        fold = np.unique(grid.fold[rows], return_inverse=True)[1]
        starts = np.flatnonzero(np.diff(runs, prepend=-1))
        counts = np.add.reduceat(filled, starts, dtype=np.int64)
        designs = {}
        for k, name in enumerate(grid.classifiers):
            if name in unscored:
                continue
            number = _folds(counts[:, k], fold[filled[:, k]])
            if number:
                designs[name] = number
        for name, number in designs.items():
            first = next(iter(designs))
            if number != designs[first]:
                yield (
                    f"data set {clipped(dataset)}: {clipped(first)} has {designs[first]} folds in "
                    f"each run, and {clipped(name)} has {number}"
                )
                break


def _folds(counts: IntArray, folds: IntArray) -> int:
    """Return the number of folds in all runs of a classifier; 0 if runs or folds have gaps.

    counts : (runs,) the number of its folds, 0 for a run that it lacks. folds : the ranks of its
    folds among those of the data set.
    """
    sizes = set(counts[counts > 0].tolist())
    return sizes.pop() if len(sizes) == 1 and int(folds.max()) + 1 in sizes else 0
