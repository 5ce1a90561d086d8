"""Scores and pairs of classifiers → paired differences. The sign convention lives here, once.

A difference is score(right) - score(left) on the same fold of the same run, so a positive
mean speaks for the right classifier.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.messages import InputError
from bcompare.data.clusters import lost_dof
from bcompare.data.pairs import Pair
from bcompare.data.rope import LARGEST, SMALLEST, BoolArray, FloatArray, IntArray, read_only
from bcompare.data.scores import DatasetScores, Scores
from bcompare.data.sufficient import DifferenceSource, SampleSource, Sides, SufficientStatistics

# Scores are decimals: differences are trusted to this many digits below the largest score of
# the data set. What is smaller is binary rounding (0.85 - 0.84 is not quite 0.01).
DIGITS = 13

# The covariance form of a sum of squares loses digits when two classifiers nearly agree: below
# this share of their own sums of squares, and where all is rounding, the differences are used.
CANCELLATION = 1e-6

# Numbers held at once while pairs are computed, which bounds the memory whatever their number.
AT_ONCE = 2**21

Kind = TypeVar("Kind", np.float64, np.bool_)


@dataclass(frozen=True, eq=False, slots=True)
class Differences:
    """One pair of classifiers with its statistics on the data sets that both have.

    A positive mean difference speaks for `right`. Where its sides share nothing, `statistics` has
    those of each side.

    lower_is_better : whether scores were negated.
    mean_scores : of left and right, with the sign of the file; None for several data sets.
    """

    left: str
    right: str
    statistics: SufficientStatistics
    lower_is_better: bool = False
    mean_scores: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class PairedScores:
    """Scores prepared so that array operations over all data sets yield many pairs.

    With G the matrix of cross products of a data set's centred columns,
    SS(right - left) = G_ll + G_rr - 2 G_lr. Only the diagonal of G is stored; the rest is computed
    for the requested pairs, so that memory never holds all pairs of many classifiers.

    scores : of q data sets and c classifiers.
    names, n, lost, rho : (q,), as in `SufficientStatistics`; a pair has fewer than n rows where one
        of it lacks some.
    gaps : the data sets where that may be.
    present : (q, c) whether a classifier has a data set.
    stacks : the tables, of equal lengths together.
    """

    scores: Scores
    names: NDArray[np.object_]
    n: IntArray
    lost: FloatArray
    rho: FloatArray
    gaps: IntArray
    present: BoolArray
    stacks: tuple["_Stack", ...]

    @classmethod
    def of(cls, scores: Scores) -> "PairedScores":
        """Prepare scores."""
        n = np.array([len(d.table) for d in scores.datasets])
        has_gaps = [np.isnan(d.table[:, d.present]).any() for d in scores.datasets]
        fields = {
            "names": np.array([d.name for d in scores.datasets], dtype=object),
            "n": n,
            "lost": np.array([lost_dof(d.sizes) for d in scores.datasets]),
            "rho": np.array([d.rho for d in scores.datasets]),
            "gaps": np.flatnonzero(has_gaps),
            "present": np.array([d.present for d in scores.datasets]),
        }
        for array in fields.values():
            array.flags.writeable = False
        stacks = []
        for length in np.unique(n):
            members = np.flatnonzero(n == length)
            stacks.append(_Stack.of([scores.datasets[i] for i in members], members))
        return cls(scores, **fields, stacks=tuple(stacks))

    def __reduce__(self) -> tuple[object, ...]:
        return PairedScores.of, (self.scores,)

    def differences(self, pairs: Sequence[Pair]) -> "PairedDifferences":
        """Return the sufficient statistics of each (left, right) pair over their common data sets.

        Raises
        ------
        InputError : an unknown classifier, or scores too large or small to compute with.
        """
        scores = self.scores
        index = {name: k for k, name in enumerate(scores.classifiers)}
        unknown = {name for pair in pairs for name in pair} - set(index)
        if unknown:
            raise InputError(
                f"there is no classifier {', '.join(map(repr, sorted(unknown)))}; the results have "
                f"{', '.join(scores.classifiers)}"
            )
        columns = np.array([[index[name] for name in pair] for pair in pairs])
        left, right = columns.T
        sizes = self._gathered([stack.largest for stack in self.stacks])
        _check_sizes(self.names, sizes, scores.classifiers, np.union1d(left, right))
        if scores.unit.is_unpaired:
            return self._of_sides(pairs, columns, sizes)
        shared = (self.present[:, left] & self.present[:, right]).T
        moments = [stack.moments(left, right) for stack in self.stacks]
        means = self._gathered([mean for mean, _ in moments]).T
        sums = self._gathered([ss for _, ss in moments]).T
        n = np.broadcast_to(self.n, means.shape)
        if len(self.gaps):
            n = n.copy()
            means = means.copy()
            sums = sums.copy()
        for i in self.gaps.tolist():
            table = scores.datasets[i].table
            n[:, i], means[:, i], sums[:, i] = _moments_in_common(table, left, right, sizes[i])
            shared[:, i] &= n[:, i] >= scores.unit.fewest
        pair, dataset = np.nonzero(shared)
        # no other column says what a pair's scores are
        binary = (self._gathered([stack.binary for stack in self.stacks])).transpose(2, 0, 1)
        are_binary = (binary[left] & binary[right]).any(axis=2)
        statistics = SufficientStatistics(
            names=tuple(self.names[dataset]),
            n=n[shared],
            mean=read_only(means[shared]),
            ss=read_only(sums[shared]),
            rho=self.rho[dataset],
            binary=are_binary[shared],
            unit=scores.unit,
            source=self._source(left[pair], right[pair], dataset),
            lost=self.lost[dataset],
        )
        return PairedDifferences(self, pairs, columns, shared, statistics)

    def _of_sides(
        self, pairs: Sequence[Pair], columns: IntArray, sizes: FloatArray
    ) -> "PairedDifferences":
        """Return the statistics of pairs that share nothing.

        columns : (m, 2) those of the pairs. sizes : (q, c) the largest absolute scores.
        """
        left, right = columns.T
        shared = (self.present[:, left] & self.present[:, right]).T
        pair, dataset = np.nonzero(shared)
        both = np.stack([left[pair], right[pair]], axis=1)
        n, mean, ss, kinds = _moments_of_columns(self.scores)
        digits = _decimals(np.maximum(sizes[dataset, both[:, 0]], sizes[dataset, both[:, 1]]))
        means = mean[dataset[:, None], both]
        kind = kinds[dataset[:, None], both].all(axis=1)
        source = self._samples(both, dataset)
        lowest = -1.0 if self.scores.lower_is_better else 0.0
        sides = Sides(n[dataset[:, None], both], means, ss[dataset[:, None], both], source, lowest)
        statistics = SufficientStatistics.of_sides(
            tuple(self.names[dataset]),
            sides,
            read_only(_rounded(means[:, 1] - means[:, 0], digits)),
            kind,
            self.scores.unit,
        )
        return PairedDifferences(self, pairs, columns, shared, statistics)

    def _samples(self, columns: IntArray, which: IntArray) -> SampleSource:
        """Return the scores of (k, 2) columns on (k,) data sets."""
        datasets = self.scores.datasets

        def load(i: int) -> tuple[FloatArray, FloatArray]:
            table = datasets[which[i]].table[:, columns[i]]
            left, right = table.T
            return read_only(left[~np.isnan(left)]), read_only(right[~np.isnan(right)])

        return SampleSource(load)

    def with_source(self, pair: Differences) -> Differences:
        """Return a pair that another process computed with its single differences."""
        place = {name: i for i, name in enumerate(self.names)}
        chosen = np.array([place[name] for name in pair.statistics.names])
        columns = [self.scores.classifiers.index(name) for name in (pair.left, pair.right)]
        sides = pair.statistics.sides
        if sides is not None:
            samples = self._samples(np.tile(columns, (len(chosen), 1)), chosen)
            sides = replace(sides, source=samples)
            return replace(pair, statistics=replace(pair.statistics, sides=sides))
        left, right = np.repeat([columns], len(chosen), axis=0).T
        source = self._source(left, right, chosen)
        return replace(pair, statistics=replace(pair.statistics, source=source))

    def _source(self, left: IntArray, right: IntArray, which: IntArray) -> DifferenceSource:
        """Return the differences of columns of the tables.

        left, right, which : (k,) of each the two columns and the data set.
        """
        datasets = self.scores.datasets

        def load(i: int) -> FloatArray:
            both = datasets[which[i]].common([int(left[i]), int(right[i])])
            return read_only(np.asarray(both[:, 1] - both[:, 0]))

        return DifferenceSource(load, lambda i: datasets[which[i]].sizes)

    def _gathered(self, parts: Sequence[NDArray[Kind]]) -> NDArray[Kind]:
        """Return values of the stacks' data sets in the order of the data sets."""
        if len(parts) == 1:
            return parts[0]
        result = np.empty((len(self.names), *parts[0].shape[1:]), parts[0].dtype)
        for stack, part in zip(self.stacks, parts, strict=True):
            result[stack.places] = part
        return result


@dataclass(frozen=True, eq=False, slots=True)
class PairedDifferences:
    """The differences of m pairs, as one long list of data sets; iterates over the pairs.

    columns : (m, 2) those of the pairs in the tables.
    shared : (m, q) which data sets both have; possibly none.
    statistics : of the first pair's data sets, then the second's, and so on.
    """

    paired: PairedScores
    pairs: Sequence[Pair]
    columns: IntArray
    shared: BoolArray
    statistics: SufficientStatistics

    def __iter__(self) -> Iterator[Differences]:
        return (self.pair(k, where) for k, where in enumerate(self.places()))

    def places(self) -> list[slice]:
        """Return the place of each pair's data sets in the list."""
        ends = self.shared.sum(axis=1).cumsum().tolist()
        return [slice(*pair) for pair in pairwise([0, *ends])]

    def pair(self, k: int, where: slice) -> Differences:
        """Return the k-th pair, whose data sets are at this place in the list."""
        paired = self.paired
        columns = self.columns[k].tolist()
        statistics = self.statistics.part(where)
        lower = paired.scores.lower_is_better
        means = None
        if len(paired.names) == 1:
            side_means = paired.stacks[0].centre[0, columns]
            if statistics.sides is not None and len(statistics):
                side_means = statistics.sides.mean[0]
            elif len(paired.gaps) and len(statistics):
                side_means = paired.scores.datasets[0].common(columns).mean(axis=0)
            left, right = (-side_means if lower else side_means).tolist()
            means = left, right
        return Differences(*self.pairs[k], statistics, lower, means)


def check_sizes(scores: Scores) -> None:
    """Refuse scores whose squares overflow or underflow.

    Raises
    ------
    InputError : naming data set, classifier and size.
    """
    sizes = [np.abs(np.nan_to_num(d.table)).max(axis=0) for d in scores.datasets]
    names = np.array([dataset.name for dataset in scores.datasets], dtype=object)
    _check_sizes(names, np.array(sizes), scores.classifiers, np.arange(len(scores.classifiers)))


def _check_sizes(
    names: NDArray[np.object_], sizes: FloatArray, classifiers: Sequence[str], chosen: IntArray
) -> None:
    """Check the (q, c) largest absolute scores of some classifiers on each data set."""
    bad = (sizes != 0) & ~((sizes > SMALLEST) & (sizes < LARGEST))
    problems = []
    for i, j in np.argwhere(bad[:, chosen]):
        column = chosen[j]
        size = sizes[i, column]
        extreme = "large" if size > 1 else "small"
        problems.append(
            f"data set {names[i]}: the scores of {classifiers[column]} are of the size of "
            f"{size:.0e}, too {extreme} to compute with; write them in another unit"
        )
    if problems:
        raise InputError(problems)


def paired_differences(scores: Scores, pairs: Sequence[Pair]) -> list[Differences]:
    """Sufficient statistics of each (left, right) pair; see `PairedScores.differences`.

    Examples
    --------
    >>> import bcompare
    >>> scores = bcompare.read_scores("sample_data/results.csv", datasets=("two_hard",))
    >>> (pair,) = bcompare.paired_differences(scores, [("knn", "forest")])
    >>> pair.statistics.mean.round(4)
    array([0.0642])
    """
    return list(PairedScores.of(scores).differences(pairs)) if pairs else []


def is_binary(dataset: DatasetScores) -> bool:
    """Whether all scores of a data set are 0 or 1 (or -0 and -1, where lower is better)."""
    return bool(_right_or_wrong(np.nan_to_num(dataset.table)[None]).all(axis=2).any())


def _right_or_wrong(tables: FloatArray) -> BoolArray:
    """(g, 2, c) whether all values of a column of (g, n, c) tables are 0 or 1, or all 0 or -1."""
    zero = tables == 0
    return np.stack([(zero | (tables == one)).all(axis=1) for one in (1, -1)], axis=1)


def rounded_table(dataset: DatasetScores) -> FloatArray:
    """Return the (n, c) scores of a data set, rounded so that equal decimals are equal."""
    return _rounded(dataset.table, _decimals(np.abs(dataset.table).max(axis=0)))


def mean_scores(dataset: DatasetScores) -> FloatArray:
    """Return the (c,) mean scores, rounded so that equal decimals are equal."""
    table = np.nan_to_num(dataset.table)
    with np.errstate(invalid="ignore"):  # those that lack the data set have none
        means = table.sum(axis=0) / (~np.isnan(dataset.table)).sum(axis=0)
    return _rounded(means, _decimals(np.abs(table).max(axis=0)))


@dataclass(frozen=True, eq=False, slots=True)
class _Stack:
    """The tables of g data sets with n scores each, with their columns centred and scaled.

    places : (g,) positions among all data sets.
    table : (g, n, c) as read, 0 where a classifier lacks a row.
    centre : (g, c) means of the columns.
    unit : (g,) size of the largest score.
    centred : (g, c, n) scores less their means, in that unit.
    squares : (g, c) sums of the squares of these.
    largest : (g, c) largest absolute scores.
    binary : (g, 2, c) whether all are 0 or 1, or 0 and -1, where lower is better.
    """

    places: IntArray
    table: FloatArray
    centre: FloatArray
    unit: FloatArray
    centred: FloatArray
    squares: FloatArray
    largest: FloatArray
    binary: BoolArray

    @classmethod
    def of(cls, datasets: Sequence[DatasetScores], places: IntArray) -> "_Stack":
        table = np.stack([dataset.table for dataset in datasets])
        if np.isnan(table).any():
            table = np.nan_to_num(table)
        largest = np.abs(table).max(axis=1)
        unit = np.maximum(largest.max(axis=1), SMALLEST)
        # scores that are too large are refused later
        with np.errstate(over="ignore", invalid="ignore"):
            centre = table.mean(axis=1)
            centred = (table - centre[:, None]) / unit[:, None, None]
            squares = np.einsum("gij,gij->gj", centred, centred)
        centred = np.ascontiguousarray(centred.transpose(0, 2, 1))
        return cls(places, table, centre, unit, centred, squares, largest, _right_or_wrong(table))

    def moments(self, left: IntArray, right: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return (g, m) means and sums of squares of right - left; left, right : (m,) columns."""
        # A pair and its mirror image use the same product.
        low, row = np.unique(np.minimum(left, right), return_inverse=True)
        high, column = np.unique(np.maximum(left, right), return_inverse=True)
        values = self.table.shape[1] * (len(low) + len(high)) + len(low) * len(high)
        step = max(1, AT_ONCE // values)
        blocks = []
        for start in range(0, len(self.table), step):
            some = self.centred[start : start + step]
            across = some[:, high].transpose(0, 2, 1)
            blocks.append(np.matmul(some[:, low], across)[:, row, column])
        squares = self.squares[:, left] + self.squares[:, right]
        ss = squares - 2 * np.concatenate(blocks)
        # The resolution of decimals depends only on the scores of the pair.
        digits = _decimals(np.maximum(self.largest[:, left], self.largest[:, right]))
        grid = 10.0**-digits
        unit = self.unit[:, None]
        mean = _rounded(self.centre[:, right] - self.centre[:, left], digits)
        n = self.table.shape[1]
        doubtful = np.maximum(CANCELLATION * squares, n * (grid / unit) ** 2)
        places, pairs = np.nonzero(ss <= doubtful)
        ss = ss * unit**2
        step = max(1, AT_ONCE // n)
        for start in range(0, len(places), step):
            i = places[start : start + step]
            k = pairs[start : start + step]
            direct = (self.table[i, :, right[k]] - self.table[i, :, left[k]]).T
            ss[i, k] = _squares(direct, grid[i, k])
        return mean, ss


def _moments_of_columns(
    scores: Scores,
) -> tuple[IntArray, FloatArray, FloatArray, BoolArray]:
    """Return (q, c) numbers of scores, means and sums of squares of classifiers on data sets.

    And (q, c) whether all scores are right or wrong: 0 or 1, or 0 or -1 where lower is better.
    """
    shape = len(scores.datasets), len(scores.classifiers)
    n = np.zeros(shape, np.int64)
    mean, ss = np.zeros(shape), np.zeros(shape)
    kinds = np.zeros(shape, np.bool_)
    one = -1.0 if scores.lower_is_better else 1.0
    for i, dataset in enumerate(scores.datasets):
        table = dataset.table
        is_there = ~np.isnan(table)
        n[i] = is_there.sum(axis=0)
        mean[i] = np.where(is_there, table, 0.0).sum(axis=0) / np.maximum(n[i], 1)
        deviation = np.where(is_there, table - mean[i], 0.0)
        ss[i] = (deviation**2).sum(axis=0)
        low = table.min(axis=0, initial=np.inf, where=is_there)
        high = table.max(axis=0, initial=-np.inf, where=is_there)
        ss[i, (low == high) & (n[i] > 0)] = 0.0
        kinds[i] = (~is_there | (table == 0) | (table == one)).all(axis=0)
    return n, mean, ss, kinds


def _moments_in_common(
    table: FloatArray, left: IntArray, right: IntArray, sizes: FloatArray
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return (m,) numbers of rows that both of each pair have, means and sums of squares.

    table : (n, c) with NaN where a classifier lacks a row. sizes : (c,) largest absolute scores.
    """
    n = np.zeros(len(left), np.int64)
    mean = np.zeros(len(left))
    ss = np.zeros(len(left))
    digits = _decimals(np.maximum(sizes[left], sizes[right]))
    step = max(1, AT_ONCE // len(table))
    for start in range(0, len(left), step):
        block = slice(start, start + step)
        direct = table[:, right[block]] - table[:, left[block]]
        n[block] = (~np.isnan(direct)).sum(axis=0)
        mean[block] = _rounded(np.nansum(direct, axis=0) / np.maximum(n[block], 1), digits[block])
        ss[block] = _squares(direct, 10.0 ** -digits[block])
    return n, mean, ss


def _squares(direct: FloatArray, grid: FloatArray) -> FloatArray:
    """Return the sums of squared deviations of the columns; 0 if equal up to the grid of scores."""
    is_there = ~np.isnan(direct)
    low = direct.min(axis=0, initial=np.inf, where=is_there)
    high = direct.max(axis=0, initial=-np.inf, where=is_there)
    mean = direct.sum(axis=0, where=is_there) / np.maximum(is_there.sum(axis=0), 1)
    squares = ((direct - mean) ** 2).sum(axis=0, where=is_there)
    return np.where(high - low <= 2 * grid, 0.0, squares)


def _decimals(largest: FloatArray) -> FloatArray:
    """Return the number of reliable decimals of scores up to a size; may be negative."""
    return DIGITS - np.ceil(np.log10(np.maximum(largest, SMALLEST)))


def _rounded(values: FloatArray, digits: FloatArray) -> FloatArray:
    """Round each value to its own number of decimals, possibly negative."""
    up = 10.0 ** np.maximum(digits, 0)
    down = 10.0 ** np.maximum(-digits, 0)
    return np.rint(values * up / down) / up * down
