"""Scores and pairs of classifiers → paired differences. The sign convention lives here, once.

A difference is score(right) - score(left) on the same fold of the same run, so a positive
mean speaks for the right classifier.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.errors import InputError
from bcompare.data.rope import LARGEST, SMALLEST, FloatArray
from bcompare.data.scores import DatasetScores, Scores
from bcompare.data.sufficient import BoolArray, IntArray, SufficientStatistics

# Scores are decimals: differences are trusted to this many digits below the largest score of
# the data set. What is smaller is binary rounding (0.85 - 0.84 is not quite 0.01).
DIGITS = 13

# The covariance form of a sum of squares loses digits when two classifiers nearly agree: below
# this share of their own sums of squares, and where all is rounding, the differences are used.
CANCELLATION = 1e-6


@dataclass(frozen=True, eq=False, slots=True)
class Differences:
    """One pair of classifiers with its statistics on the data sets that both have.

    A positive mean difference speaks for `right`. lower_is_better : whether scores were negated.
    mean_scores : of left and right, with the sign of the file; None for several data sets.
    """

    left: str
    right: str
    statistics: SufficientStatistics
    lower_is_better: bool = False
    mean_scores: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class PairedScores:
    """Scores prepared so that one matrix product for each data set yields many pairs.

    With G the matrix of cross products of a data set's centred columns,
    SS(right - left) = G_ll + G_rr - 2 G_lr. Only the diagonal of G is stored; the rest is computed
    for the requested pairs, so that memory never holds all pairs of many classifiers.

    scores : of q data sets and c classifiers. names, n, rho, binary : (q,), as in
    `SufficientStatistics`. present : (q, c) whether a classifier has a data set. centred : the q
    tables.
    """

    scores: Scores
    names: NDArray[np.object_]
    n: IntArray
    rho: FloatArray
    binary: BoolArray
    present: BoolArray
    centred: tuple["_Centred", ...]

    @classmethod
    def of(cls, scores: Scores) -> "PairedScores":
        """Prepare scores."""
        fields = {
            "names": np.array([d.name for d in scores.datasets], dtype=object),
            "n": np.array([len(d.table) for d in scores.datasets]),
            "rho": np.array([d.rho for d in scores.datasets]),
            "binary": np.array([is_binary(d) for d in scores.datasets]),
            "present": np.array([d.present for d in scores.datasets]),
        }
        for array in fields.values():
            array.flags.writeable = False
        return cls(scores, **fields, centred=tuple(map(_Centred.of, scores.datasets)))

    def differences(self, pairs: Sequence[tuple[str, str]]) -> list[Differences]:
        """Return the sufficient statistics of each (left, right) pair over their common data sets.

        A pair that shares no data set comes with statistics of length 0.

        Raises
        ------
        InputError : an unknown classifier, or scores too large or small to compute with.
        """
        if not pairs:
            return []
        scores = self.scores
        index = {name: k for k, name in enumerate(scores.classifiers)}
        unknown = {name for pair in pairs for name in pair} - set(index)
        if unknown:
            raise InputError(
                f"there is no classifier {', '.join(map(repr, sorted(unknown)))}; the results have "
                f"{', '.join(scores.classifiers)}"
            )
        left = np.array([index[name] for name, _ in pairs])
        right = np.array([index[name] for _, name in pairs])
        sizes = [dataset.largest for dataset in self.centred]
        _check_sizes(self.names, sizes, scores.classifiers, np.union1d(left, right))
        shared = (self.present[:, left] & self.present[:, right]).T
        moments = [dataset.moments(left, right) for dataset in self.centred]
        means = np.array([mean for mean, _ in moments]).T.copy()
        sums = np.array([ss for _, ss in moments]).T.copy()
        means.flags.writeable = sums.flags.writeable = False
        sign, lone = -1.0 if scores.lower_is_better else 1.0, len(self.centred) == 1
        centre = (sign * self.centred[0].centre).tolist()
        everything = tuple(self.names)
        paired = []
        for pair, mean, ss, has in zip(pairs, means, sums, shared, strict=True):
            fields = (self.n, mean, ss, self.rho, self.binary)
            names = everything
            if not has.all():
                names, fields = tuple(self.names[has]), tuple(field[has] for field in fields)
            paired.append(
                Differences(
                    *pair,
                    SufficientStatistics(names, *fields, scores.unit),
                    lower_is_better=scores.lower_is_better,
                    mean_scores=(centre[index[pair[0]]], centre[index[pair[1]]]) if lone else None,
                )
            )
        return paired


def check_sizes(scores: Scores) -> None:
    """Refuse scores whose squares overflow or underflow.

    Raises
    ------
    InputError : naming data set, classifier and size.
    """
    sizes = [np.abs(np.where(d.present, d.table, 0.0)).max(axis=0) for d in scores.datasets]
    names = [dataset.name for dataset in scores.datasets]
    _check_sizes(names, sizes, scores.classifiers, np.arange(len(scores.classifiers)))


def _check_sizes(
    names: Iterable[str], sizes: Sequence[FloatArray], classifiers: Sequence[str], chosen: IntArray
) -> None:
    """Check the (c,) largest absolute scores of some classifiers on each data set."""
    problems = []
    for name, largest in zip(names, sizes, strict=True):
        bad = (largest != 0) & ~((largest > SMALLEST) & (largest < LARGEST))
        problems += [
            f"data set {name}: the scores of {classifiers[k]} are of the size of "
            f"{largest[k]:.0e}, too {'large' if largest[k] > 1 else 'small'} to compute with; "
            "write them in another unit"
            for k in chosen[bad[chosen]]
        ]
    if problems:
        raise InputError(problems)


def paired_differences(scores: Scores, pairs: Sequence[tuple[str, str]]) -> list[Differences]:
    """Sufficient statistics of each (left, right) pair; see `PairedScores.differences`.

    Examples
    --------
    >>> import bcompare
    >>> scores = bcompare.read_scores("sample_data/results.csv", datasets=("two_hard",))
    >>> (pair,) = bcompare.paired_differences(scores, [("knn", "forest")])
    >>> pair.statistics.mean.round(4)
    array([0.0642])
    """
    return PairedScores.of(scores).differences(pairs)


def is_binary(dataset: DatasetScores) -> bool:
    """Whether all scores of a data set are 0 or 1 (or -0 and -1, where lower is better)."""
    scores = dataset.table[:, dataset.present]
    ones = np.abs(scores) == 1
    return bool(((scores == 0) | ones).all() and len(np.unique(scores[ones])) < 2)


def rounded_table(dataset: DatasetScores) -> FloatArray:
    """Return the (n, c) scores of a data set, rounded so that equal decimals are equal."""
    return _rounded(dataset.table, _decimals(np.abs(dataset.table).max(axis=0)))


def mean_scores(dataset: DatasetScores) -> FloatArray:
    """Return the (c,) mean scores, rounded so that equal decimals are equal."""
    return _rounded(dataset.table.mean(axis=0), _decimals(np.abs(dataset.table).max(axis=0)))


@dataclass(frozen=True, eq=False, slots=True)
class _Centred:
    """The table of one data set, with its columns centred and scaled.

    table : (n, c) as read, 0 where a classifier is absent. centre : (c,) means of its columns.
    unit : size of the largest score. centred : (n, c), in that unit. own : (c,) sums of its
    squares. largest : (c,) largest absolute scores.
    """

    table: FloatArray
    centre: FloatArray
    unit: float
    centred: FloatArray
    own: FloatArray
    largest: FloatArray

    @classmethod
    def of(cls, dataset: DatasetScores) -> "_Centred":
        table = np.where(dataset.present, dataset.table, 0.0)
        largest = np.abs(table).max(axis=0)
        unit = max(float(largest.max()), SMALLEST)
        # scores that are too large are refused later
        with np.errstate(over="ignore", invalid="ignore"):
            centre = table.mean(axis=0)
            centred = (table - centre) / unit
            own = np.einsum("ij,ij->j", centred, centred)
        return cls(table, centre, unit, centred, own, largest)

    def moments(self, left: IntArray, right: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the (m,) means and sums of squares of right - left; left, right : (m,) columns."""
        # The resolution of decimals depends only on the scores of the pair.
        digits = _decimals(np.maximum(self.largest[left], self.largest[right]))
        grid = 10.0**-digits
        mean = _rounded(self.centre[right] - self.centre[left], digits)
        # A pair and its mirror image use the same product.
        low, row = np.unique(np.minimum(left, right), return_inverse=True)
        high, column = np.unique(np.maximum(left, right), return_inverse=True)
        cross = self.centred[:, low].T @ self.centred[:, high]
        own = self.own[left] + self.own[right]
        ss = own - 2 * cross[row, column]
        doubtful = np.maximum(CANCELLATION * own, len(self.table) * (grid / self.unit) ** 2)
        alike = np.flatnonzero(ss <= doubtful)
        ss = ss * self.unit**2
        if alike.size:
            direct = self.table[:, right[alike]] - self.table[:, left[alike]]
            constant = np.ptp(direct, axis=0) <= 2 * grid[alike]
            deviations = direct - direct.mean(axis=0)
            ss[alike] = np.where(constant, 0.0, (deviations**2).sum(axis=0))
        return mean, ss


def _decimals(largest: FloatArray) -> FloatArray:
    """Return the number of reliable decimals of scores up to a size; may be negative."""
    return DIGITS - np.ceil(np.log10(np.maximum(largest, SMALLEST)))


def _rounded(values: FloatArray, digits: FloatArray) -> FloatArray:
    """Round each value to its own number of decimals, possibly negative."""
    up, down = 10.0 ** np.maximum(digits, 0), 10.0 ** np.maximum(-digits, 0)
    return np.rint(values * up / down) / up * down
