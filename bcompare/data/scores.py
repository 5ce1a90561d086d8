"""Validated scores, the input of everything after reading; and bounds for failed trials."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import is_
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.messages import InputError, Note, Record, arg, listed, nearest, number_of
from bcompare.data.account import Account, LeftOut, by_classifier
from bcompare.data.answers import Answers
from bcompare.data.clusters import means_of
from bcompare.data.meaning import Meaning
from bcompare.data.pairs import Pair, choose_pairs
from bcompare.data.rope import FloatArray, Sizes, read_only
from bcompare.data.units import FOLD, Unit, unit_named

if TYPE_CHECKING:
    import pandas as pd

# Digits of a mean, after which only rounding differs.
DECIMALS = 12
# Scores, or a frame of them for `from_frame`.
ScoresLike: TypeAlias = "Scores | pd.DataFrame"


@dataclass(frozen=True, eq=False, slots=True)
class DatasetScores:
    """The scores of one data set: a table of folds by classifiers.

    Attributes
    ----------
    name : of the data set.
    table : (n, c) scores; row j is one fold of one run, or another unit (a cluster of items; the
        only row of means); column k is the k-th of *all* classifiers of the file. NaN where a
        classifier lacks this row, as a whole column where it lacks the data set. Higher is better:
        losses are negated.
    present : (c,) whether each classifier has this data set.
    runs, folds : runs of cross-validation, and folds in each; folds is 0 if runs differ. For other
        units all rows count as one run.
    rho : correlation between the folds' differences (1/folds unless overridden), in [0, 1).
    items : the number of test items: more than rows if these are clusters; 0 for other units.
    order : (n,) first position of each test item in the input; empty for other units.
    sizes : (n,) the number of items of each cluster, or their weight; empty without clusters and
        weights.
    keys : the names of the n test items or clusters; empty for other units.
    """

    name: str
    table: FloatArray
    present: NDArray[np.bool_]
    runs: int
    folds: int
    rho: float
    items: int = 0
    order: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    sizes: Sizes = field(default_factory=lambda: np.empty(0, np.int64))
    keys: tuple[str, ...] = ()

    @property
    def equal_rows(self) -> float:
        """The number of rows; of clusters, of equal ones whose mean would have the same error.

        (Σ m)² / Σ m² for clusters of m items: the error of a cluster's sum grows in proportion to
        m where its items have much in common.
        """
        if not len(self.sizes):
            return float(len(self.table))
        return float(self.sizes.sum() ** 2 / (self.sizes**2).sum())  # whole numbers: no rounding

    @property
    def cells(self) -> int:
        """The number of scores; of clusters, of their items."""
        table = self.table[:, self.present]
        return self.items * table.shape[1] if len(self.sizes) else int((~np.isnan(table)).sum())

    def of(self, columns: Sequence[int] | NDArray[np.intp]) -> "DatasetScores":
        """Return the scores of some classifiers."""
        table = read_only(self.table[:, columns])
        return replace(self, table=table, present=self.present[columns])

    def common(self, columns: Sequence[int]) -> FloatArray:
        """Return the (n, k) scores of some classifiers in the rows that all of them have."""
        table = self.table[:, columns]
        whole = ~np.isnan(table).any(axis=1)
        return table if whole.all() else table[whole]

    def complete(self) -> "DatasetScores":
        """Return the rows that every classifier of the data set has."""
        whole = ~np.isnan(self.table[:, self.present]).any(axis=1)
        if whole.all():
            return self
        table = read_only(self.table[whole])
        is_ordered = len(self.order) > 0
        order = self.order[whole] if is_ordered else self.order
        items = len(table) if is_ordered else 0
        keys = tuple(self.keys[i] for i in np.flatnonzero(whole).tolist()) if self.keys else ()
        return replace(self, table=table, order=order, items=items, keys=keys)

    @property
    def means(self) -> FloatArray:
        """(n, c) the scores of rows; those of clusters are the means over their items."""
        if not len(self.sizes):
            return self.table
        means = means_of(self.table, self.sizes)
        largest = float(np.nanmax(np.abs(means), initial=0.0))
        digits = DECIMALS - math.ceil(math.log10(largest)) if largest else 0
        return np.round(means, digits)  # equal means of clusters are equal

    def in_order(self, seed: int | None = None) -> tuple[FloatArray, Sizes]:
        """Return test items or clusters in the order of the input: (n, c) means, (n,) sizes.

        seed : shuffles them, whatever the order of the input.

        It undoes `bcompare.data.clusters.rows_of`.
        """
        table = self.means
        sizes = self.sizes if len(self.sizes) else np.ones(len(table), np.int64)
        order = np.argsort(self.order, kind="stable")
        if seed is not None:
            order = np.random.default_rng(seed).permutation(len(table))
        return table[order], sizes[order]


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Scores:
    """Validated results of several classifiers on several data sets.

    Attributes
    ----------
    classifiers : names in the order of their first appearance.
    datasets : one table a data set, in the order of first appearance.
    lower_is_better : whether scores were negated on entry.
    directed : whether that is given, or known by the name of the scores.
    files : where they came from, as the user named them.
    account : of the input rows.
    notes : warnings about the input.
    unit : of a row of a table.
    costs : (c,) the cost of each classifier, from a column of the input; or None.
    extremes : classifier with trials without a score → its names with the worst and the best score
        assumed; empty unless bounds were requested.
    epochs : how several answers to a test item were combined: mean, pass@k or pass^k.
    metric : what the scores are called, such as accuracy; "" if the input does not say.
    meaning : what is known of this metric; None if nothing is.
    scaled : classifiers whose unit the user has given, by the factor for their scores.
    percent : whether all scores were given in per cent, and divided by 100.
    baseline : the classifiers on whose terms the others were read, for a gate; see `ReadOptions`.
    assumed : options of reading that were decided by the names of columns; empty if none was.
    weight : the column that weighs test items in every mean; "" if none does.
    in_rounds : whether seeds are rounds, in each of which every side was measured once.
    answers : single answers to test items, if they were read on the terms of a baseline.
    """

    classifiers: tuple[str, ...]
    datasets: tuple[DatasetScores, ...]
    lower_is_better: bool = False
    files: tuple[str, ...] = ()
    account: Account = field(default_factory=Account)
    notes: tuple[Note, ...] = ()
    unit: Unit = FOLD
    costs: FloatArray | None = None
    extremes: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    epochs: str = "mean"
    metric: str = ""
    meaning: Meaning | None = None
    scaled: Mapping[str, float] = field(default_factory=dict)
    percent: bool = False
    baseline: tuple[str, ...] = ()
    directed: bool = True
    assumed: Record = field(default_factory=dict)
    weight: str = ""
    in_rounds: bool = False
    answers: Answers | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "unit", unit_named(self.unit))

    @property
    def rows(self) -> int:
        """The number of input rows in the tables."""
        return self.account.used

    @property
    def items(self) -> int:
        """The total number of test items; 0 for other units."""
        return sum(dataset.items for dataset in self.datasets)

    @property
    def is_time(self) -> bool:
        """Whether the scores are times, by their name."""
        return self.meaning is not None and self.meaning.is_time

    @property
    def is_share(self) -> bool:
        """Whether the scores are shares or rates, from 0 to 1, by their name."""
        return self.meaning is not None and self.meaning.is_share

    @property
    def is_clustered(self) -> bool:
        """Whether the rows of the tables are clusters of test items."""
        return any(dataset.items > len(dataset.table) for dataset in self.datasets)

    @property
    def answers_an_item(self) -> float:
        """The mean number of answers (epochs) of a classifier to an item; 0 for other units."""
        count = len(self.classifiers) - len(self.extremes)  # not counting copies for bounds
        asked = sum(d.of(range(count)).cells for d in self.datasets if d.items)
        return self.rows / asked if asked else 0.0

    def complete(self) -> "Scores":
        """Return the rows that every classifier of a data set has, for what takes all at once.

        Raises
        ------
        InputError : these are too few on a data set.
        """
        datasets = tuple(dataset.complete() for dataset in self.datasets)
        if all(map(is_, datasets, self.datasets)):
            return self
        few = [d.name for d in datasets if len(d.table) < self.unit.fewest]
        if few:
            raise InputError(
                f"data set {listed(few, 3)}: fewer than {self.unit.fewest} {self.unit.remaining} "
                "that all classifiers have, but all are compared at once: choose classifiers that "
                f"have more by {arg('classifiers')}, or data sets by {arg('datasets')}"
            )
        kept = sum(len(d.table) for d in datasets)
        every = sum(len(d.table) for d in self.datasets)
        gone = sum(d.cells for d in self.datasets) - sum(d.cells for d in datasets)
        rows = round(gone * max(self.answers_an_item, 1.0))
        account = replace(
            self.account,
            used=self.account.used - rows,
            left_out=(*self.account.left_out, LeftOut("incomplete", rows)),
            compared_on=f"all are compared on the {kept:,} of {every:,} {self.unit.remaining} that "
            "all have",
        )
        return replace(self, datasets=datasets, account=account)

    def on(self, names: Collection[str]) -> "Scores":
        """Return the scores on some data sets; the account of rows has the others as incomplete.

        Raises
        ------
        InputError : a name that no data set has.
        """
        names_here = [dataset.name for dataset in self.datasets]
        for name in names:
            if name not in names_here:
                near = nearest(name, names_here)
                hint = f"did you mean {near[0]!r}?" if near else f"there are {listed(names_here)}"
                raise InputError(f"there is no data set {name!r}: {hint}")
        rest = [dataset for dataset in self.datasets if dataset.name not in names]
        if not rest:
            return self
        each = max(self.answers_an_item, 1.0)
        rows = sum(round(d.cells * each) for d in rest)
        left_out = (*self.account.left_out, LeftOut("incomplete", rows))
        return replace(
            self,
            datasets=tuple(dataset for dataset in self.datasets if dataset.name in names),
            answers=self.answers and self.answers.on(names),
            account=replace(self.account, used=self.account.used - rows, left_out=left_out),
        )

    def __repr__(self) -> str:
        classifiers = number_of(len(self.classifiers), "classifier")
        datasets = number_of(len(self.datasets), "data set")
        return f"<Scores: {classifiers}, {datasets}, {number_of(self.rows, 'row')}>"


def bounded(worst: Scores, best: Scores) -> Scores:
    """Return scores with each classifier that has such trials listed twice.

    worst, best : the same results, with the lowest and the highest possible scores filled in.
    """
    failed = worst.account.assumed
    twice = [k for k, name in enumerate(worst.classifiers) if name in failed]
    extremes = {}
    classifiers = [*worst.classifiers]
    for k in twice:
        name = worst.classifiers[k]
        lowest = f"{name} (failed: worst)"
        highest = f"{name} (failed: best)"
        extremes[name] = (lowest, highest)
        classifiers[k] = lowest
        classifiers.append(highest)
    datasets = []
    for low, high in zip(worst.datasets, best.datasets, strict=True):
        table = np.hstack([low.table, high.table[:, twice]])
        present = np.concatenate([low.present, low.present[twice]])
        datasets.append(replace(low, table=read_only(table), present=present))
    return replace(
        worst,
        classifiers=tuple(classifiers),
        datasets=tuple(datasets),
        costs=None if worst.costs is None else np.append(worst.costs, worst.costs[twice]),
        account=replace(worst.account, assumed_score=None),
        extremes=extremes,
    )


def bounding_pairs(
    scores: Scores, *, left: str | None = None, right: str | None = None
) -> Collection[Pair]:
    """Return the pairs to compare, as `choose_pairs` does by the names in the file.

    A pair with extremes comes twice: at the worst and at the best for its right classifier.
    """
    if not scores.extremes:
        return choose_pairs(scores.classifiers, left=left, right=right)
    names = original_names(scores)
    pairs = choose_pairs(names, left=left, right=right)
    return list(dict.fromkeys(pair for one in pairs for pair in extremes_of(scores, *one)))


def original_names(scores: Scores) -> tuple[str, ...]:
    """Return the classifiers by their names in the file."""
    original = {extreme: name for name, pair in scores.extremes.items() for extreme in pair}
    return tuple(dict.fromkeys(original.get(name, name) for name in scores.classifiers))


def extremes_of(scores: Scores, left: str, right: str) -> tuple[Pair, Pair]:
    """Return the pair at the worst and at the best for the right classifier."""
    low = scores.extremes.get(left, (left, left))
    high = scores.extremes.get(right, (right, right))
    return (low[1], high[0]), (low[0], high[1])


def at_extreme(scores: Scores, best: Sequence[str]) -> Scores:
    """Return the scores under the names in the file, with such trials at their worst or best.

    best : the classifiers whose trials are at their best.
    """
    names = original_names(scores)
    chosen = [scores.extremes.get(name, (name, name))[name in best] for name in names]
    columns = [scores.classifiers.index(name) for name in chosen]
    datasets = tuple(dataset.of(columns) for dataset in scores.datasets)
    costs = None if scores.costs is None else scores.costs[columns]
    return replace(scores, classifiers=names, datasets=datasets, costs=costs, extremes={})


def check_paired(scores: Scores, what: str) -> None:
    """Refuse scores of sides that share nothing. what : needs rows that belong together.

    Raises
    ------
    InputError : both sides share nothing.
    """
    if scores.unit.is_unpaired:
        raise InputError(
            f"{what} compares rows that belong together, and these sides share nothing: "
            "ttest and gate take them"
        )


def assumed_trials(scores: Scores) -> str:
    """Return the assumed trials as text: "7 trials without a score (gpt 5, claude 2)"."""
    assumed = scores.account.assumed
    trials = number_of(sum(assumed.values()), "trial")
    return f"{trials} without a score ({by_classifier(assumed)})"
