"""Sufficient statistics of paired differences, the data that tests need."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from bcompare.basis.messages import InputError
from bcompare.data.rope import BoolArray, FloatArray, IntArray, Sizes, read_only
from bcompare.data.units import FOLD, Unit, unit_named

# A mean smaller than this, relative to the differences, is zero up to rounding.
ROUNDING = 1e-13
# Differences that vary by less, relative to the largest, are equal: they were computed between
# scores that may be much larger, and carry the rounding of those.
EQUAL = 1e-9
# Multiples of ρ for the sensitivity analysis: the true correlation of learners is uncertain.
OTHER_RHOS = {"ρ/2": 0.5, "2ρ": 2.0}
# This number of scores that never differ shows that two classifiers are alike.
TELLING = 30

# The fields with a number for each data set; those that are simulated, and all.
ARRAYS = ("n", "mean", "ss", "rho", "binary")
ALL_ARRAYS = (*ARRAYS, "lost")


def differences_of(x: Iterable[Any], y: Iterable[Any] | None) -> Iterable[Any]:
    """Return y - x, scores of right and left: arrays of one data set, or lists of q arrays.

    Without y, x are differences already.

    Raises
    ------
    InputError : two of different shapes.
    """
    if y is None:
        return x
    left = [np.asarray(values, dtype=np.float64) for values in x]
    right = [np.asarray(values, dtype=np.float64) for values in y]
    shapes = [values.shape for values in left]
    if shapes != [values.shape for values in right]:
        raise InputError(
            "x and y differ in shape, and their scores belong together: give as many of each"
        )
    differences = [b - a for a, b in zip(left, right, strict=True)]
    return differences if differences and differences[0].ndim else np.array(differences)


def as_numbers(values: object) -> FloatArray:
    """Return an array of floats.

    Raises
    ------
    InputError : names or masks, which would be ignored, or what is no number.
    """
    wrong = isinstance(values, Mapping | str | bytes) or np.ma.isMaskedArray(values)
    with suppress(TypeError, ValueError):
        if not wrong:
            return np.asarray(values, dtype=np.float64)
    raise InputError(
        "differences must be lists or arrays of numbers, without names or masks: leave out what is "
        "missing"
    )


@dataclass(frozen=True, eq=False, slots=True)
class DifferenceSource:
    """The single differences of some data sets; it stays in its process: a pickled one is None.

    load : returns the (n_i,) differences on the i-th data set.
    sizes : returns the (n_i,) sizes of the clusters there; none without clusters.
    """

    load: Callable[[int], FloatArray]
    sizes: Callable[[int], Sizes] = lambda _: np.empty(0, np.int64)

    def chosen(self, places: Sequence[int], sign: int = 1) -> "DifferenceSource":
        """Return the differences on some of the data sets, times a sign."""
        return DifferenceSource(
            lambda i: np.asarray(sign * self.load(places[i])), lambda i: self.sizes(places[i])
        )

    def __reduce__(self) -> tuple[object, ...]:
        return type(None), ()


@dataclass(frozen=True, eq=False, slots=True)
class SampleSource:
    """The scores of both sides on some data sets; it stays in its process: a pickled one is None.

    load : returns the scores of the left and the right side on the i-th data set.
    """

    load: Callable[[int], tuple[FloatArray, FloatArray]]

    def chosen(self, places: Sequence[int]) -> "SampleSource":
        """Return the scores on some of the data sets."""
        return SampleSource(lambda i: self.load(places[i]))

    def mirrored(self) -> "SampleSource":
        """Return the scores with the sides swapped."""
        return SampleSource(lambda i: self.load(i)[::-1])

    def __reduce__(self) -> tuple[object, ...]:
        return type(None), ()


@dataclass(frozen=True, eq=False, slots=True)
class Sides:
    """The statistics of both sides of a pair that shares nothing, on q data sets.

    n : (q, 2) numbers of scores of left and right.
    mean : (q, 2) their means.
    ss : (q, 2) sums of squared deviations from these.
    source : of the scores, if they are known.
    lowest : the score of what is wrong, where scores are right or wrong: 0, or -1 where lower is
        better.
    """

    n: IntArray
    mean: FloatArray
    ss: FloatArray
    source: SampleSource | None = None
    lowest: float = 0.0

    @property
    def variance(self) -> FloatArray:
        """(q, 2) the variances of the means."""
        return np.asarray(self.ss / np.maximum(self.n - 1, 1) / self.n)

    @property
    def dof(self) -> FloatArray:
        """(q,) degrees of freedom of Welch's test (1947, Biometrika 34:28)."""
        variance = self.variance
        total = variance.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            welch = total**2 / (variance**2 / np.maximum(self.n - 1, 1)).sum(axis=1)
        pooled = np.asarray(self.n.sum(axis=1) - 2, np.float64)
        return np.where(total > 0, welch, pooled)

    def samples(self, i: int) -> tuple[FloatArray, FloatArray]:
        """Return the scores of left and right on the i-th data set.

        Raises
        ------
        InputError : only their statistics are known, as of simulated results.
        """
        if self.source is None:
            raise InputError("only the means and spreads of these scores are known")
        return self.source.load(i)

    def chosen(self, places: Sequence[int]) -> "Sides":
        """Return the statistics of some of the data sets."""
        rows = list(places)
        source = self.source and self.source.chosen(places)
        return replace(self, n=self.n[rows], mean=self.mean[rows], ss=self.ss[rows], source=source)

    def mirrored(self) -> "Sides":
        """Return the statistics with the sides swapped."""
        return replace(
            self,
            n=self.n[:, ::-1],
            mean=self.mean[:, ::-1],
            ss=self.ss[:, ::-1],
            source=self.source and self.source.mirrored(),
        )

    @classmethod
    def concatenated(cls, parts: "Sequence[Sides]") -> "Sides":
        """Concatenate the data sets of all parts, without their scores."""
        return cls(
            np.concatenate([part.n for part in parts]),
            np.concatenate([part.mean for part in parts]),
            np.concatenate([part.ss for part in parts]),
            lowest=parts[0].lowest,
        )


@dataclass(frozen=True, eq=False, slots=True)
class SufficientStatistics:
    """Sufficient statistics of one pair of classifiers on q data sets.

    Attributes
    ----------
    names : the q data sets, in order.
    n : (q,) number of paired differences, at least 3; 1 for means. Not whole in `in_equal_rows`.
    mean : (q,) mean difference right - left, in the scores' unit; higher means right is better.
    ss : (q,) sum of squared deviations from that mean, in the squared unit;
        exactly 0 where all differences are equal.
    rho : (q,) correlation between the differences of one data set, in [0, 1):
        n_test / (n_train + n_test), which is 1/k for k-fold cross-validation.
    binary : (q,) whether all scores of the data set are 0 or 1; by default none is.
    lost : (q,) by how much the degrees of freedom are below n - 1, for clusters of different sizes;
        0 by default.
    unit : of a score. For means n is 1 and ss is 0, which says nothing about a spread.
    source : of the single differences, if they are known; see `differences`.
    sides : the statistics of each side, if both share nothing; else None. Then n and ss are those
        of as many differences as have the standard error and the degrees of freedom of Welch's
        test, and n is not whole.

    Raises
    ------
    InputError : shapes that differ, fewer than 3 differences, a value that is not finite,
        or a correlation outside [0, 1).
    """

    names: tuple[str, ...]
    n: IntArray
    mean: FloatArray
    ss: FloatArray
    rho: FloatArray
    binary: BoolArray = field(default_factory=lambda: np.zeros((), np.bool_))
    unit: Unit = FOLD
    source: DifferenceSource | None = None
    lost: FloatArray = field(default_factory=lambda: np.zeros(()))
    sides: Sides | None = None

    def __post_init__(self) -> None:
        q = len(self.names)
        object.__setattr__(self, "unit", unit_named(self.unit))
        for name in ("binary", "lost"):
            if getattr(self, name).ndim == 0:
                object.__setattr__(self, name, np.broadcast_to(getattr(self, name), (q,)))
        for name in ALL_ARRAYS:
            shape = getattr(self, name).shape
            if shape != (q,):
                raise InputError(f"{name} has shape {shape}, but there are {q} data sets")
        problems: list[str] = []

        def refuse(bad: BoolArray, what: str) -> None:
            problems.extend(f"data set {self.names[i]}: {what}" for i in np.flatnonzero(bad))

        # a little more than 2 equal rows may be what 3 clusters are worth
        least = self.unit.fewest
        few = np.ceil(self.n) < least
        refuse(few, f"fewer than {least} paired differences; at least 3 are needed")
        is_finite = np.isfinite(self.mean) & np.isfinite(self.ss)
        refuse(~is_finite, "a difference that is not finite, or too large to compute with")
        refuse(self.ss < 0, "a negative sum of squares")
        is_correlation = (self.rho >= 0) & (self.rho < 1)
        refuse(~is_correlation, "a correlation rho outside [0, 1)")
        if problems:
            raise InputError(problems)

    @classmethod
    def from_differences(
        cls,
        differences: Iterable[Any],
        rho: ArrayLike,
        names: Sequence[str] | None = None,
    ) -> "SufficientStatistics":
        """Compute the statistics from paired differences, one array for each data set.

        Parameters
        ----------
        differences : q arrays of shape (n_i,), right - left; n_i may differ. One flat array of
            numbers is one data set.
        rho : one correlation for all, or (q,).
        names : of the data sets; "1", "2", … by default.

        Differences that are equal up to rounding count as equal. A single difference that is a
        rounding error of 0, such as 0.1 + 0.2 - 0.3, cannot be recognised: give 0.
        Differences of -1, 0 and 1, not all 0, count as those of scores that are 0 or 1.
        """
        # iterating over a frame, a mapping or a masked array would yield something else
        plain = isinstance(differences, Sequence | Iterator | np.ndarray)
        plain = plain and not np.ma.isMaskedArray(differences)
        given = list(differences if plain else np.atleast_1d(as_numbers(differences)))
        if not given:
            raise InputError("no differences at all: give at least 3 for each data set")
        if np.ndim(given[0]) == 0:
            given = [given]
        arrays = [as_numbers(x).ravel() for x in given]
        with np.errstate(over="ignore", invalid="ignore"):  # refused below
            means = np.array([x.mean() if x.size else np.nan for x in arrays])
            ss = np.array([float(((x - m) ** 2).sum()) for x, m in zip(arrays, means, strict=True)])
            size = np.array([np.abs(x).max() if x.size else 0.0 for x in arrays])
            spread = np.array([np.ptp(x) if x.size else 0.0 for x in arrays])
        n = np.array([x.size for x in arrays], dtype=np.int64)
        if names is None:
            names = [str(i) for i in range(1, len(n) + 1)]
        binary = [bool(x.any() and np.isin(x, (-1, 0, 1)).all()) for x in arrays]
        kept = [read_only(x.copy()) for x in arrays]
        return cls(
            names=tuple(names),
            n=n,
            mean=np.where(np.abs(means) <= ROUNDING * size, 0.0, means),
            ss=np.where(spread <= EQUAL * size, 0.0, ss),
            rho=np.broadcast_to(np.asarray(rho, dtype=np.float64), n.shape),
            binary=np.array(binary),
            source=DifferenceSource(kept.__getitem__),
        )

    @classmethod
    def of_sides(
        cls,
        names: tuple[str, ...],
        sides: Sides,
        mean: FloatArray,
        binary: BoolArray,
        unit: Unit,
    ) -> "SufficientStatistics":
        """Return the statistics of a pair whose sides share nothing.

        mean : (q,) right - left. binary : (q,) whether all scores of both sides are 0 or 1.
        """
        n = sides.dof + 1
        ss = sides.variance.sum(axis=1) * n * (n - 1)
        rho = np.zeros(len(names))
        return cls(names, cast(IntArray, n), mean, ss, rho, binary, unit, sides=sides)

    @classmethod
    def concatenated(cls, parts: Sequence["SufficientStatistics"]) -> "SufficientStatistics":
        """Concatenate the data sets of all parts, without their single differences."""
        sides = [part.sides for part in parts if part.sides is not None]
        return cls(
            sides=Sides.concatenated(sides) if sides else None,
            names=tuple(name for part in parts for name in part.names),
            n=np.concatenate([part.n for part in parts]),
            mean=np.concatenate([part.mean for part in parts]),
            ss=np.concatenate([part.ss for part in parts]),
            rho=np.concatenate([part.rho for part in parts]),
            binary=np.concatenate([part.binary for part in parts]),
            lost=np.concatenate([part.lost for part in parts]),
            unit=parts[0].unit,
        )

    def __len__(self) -> int:
        return len(self.names)

    @property
    def rows(self) -> IntArray:
        """(q,) number of rows: of paired differences, or of the scores of both sides."""
        return self.n if self.sides is None else np.asarray(self.sides.n.sum(axis=1))

    @property
    def is_constant(self) -> BoolArray:
        """(q,) True where all differences of the data set are equal."""
        return np.asarray(self.ss == 0)

    @property
    def lacks_spread(self) -> BoolArray:
        """(q,) True where all differences are equal, which is weak evidence.

        Few or coarse scores may agree by chance. Only 30 or more scores that never differ, and are
        not just 0 or 1, show that two classifiers are alike. Test items never do, and means have
        no spread.
        """
        if not self.unit.has_spread:
            return np.zeros(len(self), np.bool_)
        if self.unit.has_answers:
            return self.is_constant
        if self.unit.is_unpaired:  # right or wrong, they have their exact posterior
            return np.asarray(self.is_constant & ~self.binary)
        alike = (self.n >= TELLING) & (self.mean == 0) & ~self.binary
        return np.asarray(self.is_constant & ~alike)

    @property
    def dof(self) -> FloatArray:
        """(q,) degrees of freedom of the spread."""
        return np.asarray(self.n - self.lost - 1)

    @property
    def in_equal_rows(self) -> "SufficientStatistics":
        """The statistics of the equal rows, not a whole number, with these dof and errors.

        Clusters are not correlated: ρ is 0 where degrees of freedom are lost.
        """
        if not self.lost.any():
            return self
        n = self.n - self.lost
        ss = np.where(self.lost == 0, self.ss, self.ss * (n * (n - 1) / (self.n * (self.n - 1))))
        return replace(self, n=cast(IntArray, n), ss=ss, lost=np.zeros(len(self)))

    @property
    def sd(self) -> FloatArray:
        """(q,) sample standard deviation of the differences."""
        return np.sqrt(self.ss / (self.n - 1))

    @property
    def standard_error(self) -> FloatArray:
        """(q,) standard error of the mean under the correlation: Tutorial eq. 1's denominator."""
        return self.sd * np.sqrt(1 / self.n + self.rho / (1 - self.rho))

    def differences(self, i: int) -> FloatArray:
        """Return the (n_i,) differences right - left on the i-th data set, in the scores' unit.

        They are loaded on demand, from the scores or from what was given.

        Raises
        ------
        InputError : only their means and spreads are known, as of simulated results.
        """
        if self.source is None:
            raise InputError("only the means and spreads of these differences are known")
        return self.source.load(i)

    def sizes(self, i: int) -> Sizes:
        """Return the (n_i,) sizes of the clusters on the i-th data set; none without clusters."""
        return np.empty(0, np.int64) if self.source is None else self.source.sizes(i)

    def part(self, where: slice) -> "SufficientStatistics":
        """Return the statistics of consecutive data sets."""
        arrays = {name: getattr(self, name)[where] for name in ALL_ARRAYS}
        places = range(len(self))[where]
        source = self.source and self.source.chosen(places)
        sides = self.sides and self.sides.chosen(places)
        return replace(self, names=self.names[where], **arrays, source=source, sides=sides)

    def chosen(self, places: Sequence[int]) -> "SufficientStatistics":
        """Return the statistics of some of the data sets."""
        arrays = {name: getattr(self, name)[list(places)] for name in ALL_ARRAYS}
        source = self.source and self.source.chosen(places)
        sides = self.sides and self.sides.chosen(places)
        names = tuple(self.names[i] for i in places)
        return replace(self, names=names, **arrays, source=source, sides=sides)

    def with_rho(self, factor: float) -> "SufficientStatistics | None":
        """Return the data with the correlation multiplied; None if that changes nothing."""
        rho = factor * self.rho
        return None if (rho >= 1).any() or (rho == 0).all() else replace(self, rho=rho)

    def mirrored(self) -> "SufficientStatistics":
        """Return the data with left and right swapped."""
        source = self.source and self.source.chosen(range(len(self)), -1)
        sides = self.sides and self.sides.mirrored()
        return replace(self, mean=0.0 - self.mean, source=source, sides=sides)
