"""What one data set says of the mean scores of all its classifiers at once, as draws.

Of folds, seeds and many items the posterior is the joint form of the correlated t-test's: with m
the means of an (n, u) table, S its covariance and ρ the correlation of the rows' differences,

    μ ~ Student(n - 1 degrees of freedom, location m, scale matrix S (1/n + ρ/(1 - ρ))),

of which every difference μ_a - μ_b has exactly the posterior of that test. Of clusters of different
sizes fewer degrees of freedom are left, as there. It is drawn without a factorisation of S, which
would not exist for more classifiers than rows: with X the centred table and z standard normal, X'z
has the covariance (n - 1) S.

Of items, each right or wrong, a Student is too sure of itself where few tell two classifiers apart;
every pair's posterior is then the exact one of `bcompare.methods.paired_binary`, with its prior. Of
one mean a data set there is nothing to draw.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from bcompare.data.rope import FloatArray, IntArray
from bcompare.methods.paired_binary import PRIOR_STRENGTH

# The most different answers of all classifiers to an item to draw weights for.
MOST_PATTERNS = 5_000


@dataclass(frozen=True, eq=False, slots=True)
class JointMeans(ABC):
    """The posterior of the mean scores of the m classifiers that a data set has.

    columns : (m,) which classifiers they are, by number.
    expand : (m,) which of the u drawn means is each classifier's: equal scores share a draw.
    group : (m,) the same number for classifiers that have the same scores.
    rows : the number of folds, items or clusters; of clusters of different sizes, as many of equal
        sizes as leave the same degrees of freedom.
    """

    columns: IntArray
    expand: IntArray
    group: IntArray
    rows: float

    @property
    def different(self) -> int:
        """The number of classifiers with different scores."""
        return len(np.unique(self.group))

    @abstractmethod
    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        """(size, u) draws."""

    @abstractmethod
    def contrasts(self, members: IntArray) -> tuple[FloatArray, float]:
        """The means of some classifiers less their average, and the variance of their noise.

        members : places in `columns`. The variance is pooled over all contrasts: that of a
        difference of two classifiers is twice it, on average.
        """


@dataclass(frozen=True, eq=False, slots=True)
class StudentMeans(JointMeans):
    """A joint Student posterior; see the module.

    centre : (u,) the location.
    factor : (r, u) so that factor' factor is the scale matrix; r = 0 where it is zero.
    dof : degrees of freedom.
    """

    centre: FloatArray
    factor: FloatArray
    dof: float

    @classmethod
    def of(cls, table: FloatArray, columns: IntArray, rho: float, lost: float) -> "StudentMeans":
        """From (n, c) scores, of which `columns` are there, their rows correlated by rho.

        lost : by how much the degrees of freedom are below n - 1.
        """
        # In the order of their scores, so that names and places of classifiers change nothing.
        unique, group = np.unique(table[:, columns], axis=1, return_inverse=True)
        group = group.ravel()
        n, u = unique.shape
        centre = unique.mean(axis=0)
        factor = np.empty((0, u))
        if n > 1:
            deviations = unique - centre
            deviations[:, np.ptp(unique, axis=0) == 0] = 0.0
            if n > u:  # fewer normal numbers for the same distribution
                deviations = np.linalg.qr(deviations, mode="r")
            factor = deviations * np.sqrt((1 / n + rho / (1 - rho)) / (n - 1))
        return cls(columns, group, group, n - lost, centre, factor, n - 1 - lost)

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        """(size, u) draws."""
        if not len(self.factor):
            return np.tile(self.centre, (size, 1))
        normal = rng.standard_normal((size, len(self.factor)))
        normal /= np.sqrt(rng.chisquare(self.dof, (size, 1)) / self.dof)
        means: FloatArray = normal @ self.factor
        means += self.centre
        return means

    def contrasts(self, members: IntArray) -> tuple[FloatArray, float]:
        """See `JointMeans`."""
        if np.ptp(self.expand[members]) == 0:
            return np.zeros(len(members)), 0.0
        means = self.centre[self.expand[members]]
        factor = self.factor[:, self.expand[members]]
        factor = factor - factor.mean(axis=1, keepdims=True)
        return means - means.mean(), float((factor**2).sum() / (len(members) - 1))


# Sticks of the prior's Dirichlet process: what is left after them is below 1e-9.
STICKS = 96


@dataclass(frozen=True, eq=False, slots=True)
class AccuracyMeans(JointMeans):
    """Accuracies on test items, each right or wrong: a Dirichlet process over the items.

    The prior is a Dirichlet process that counts like four items, on which every classifier is
    right or wrong by the toss of a coin: of any two classifiers it is the Dirichlet prior (1, 2, 1)
    on left alone right, both or neither, right alone, and so their posterior is the exact one.

    table : (r, m) 1 where right, different rows; losses are -1 or 0.
    items : (r,) how many have such a row.
    sign : 1 for scores, -1 for losses.
    """

    table: FloatArray
    items: FloatArray
    sign: float

    @classmethod
    def of(cls, table: FloatArray, columns: IntArray) -> "AccuracyMeans":
        """From (n, c) scores of 0 and 1, or 0 and -1, of which `columns` are there."""
        ordered, group = np.unique(table[:, columns], axis=1, return_inverse=True)
        group = group.ravel()
        order = np.argsort(group, kind="stable")
        expand = np.empty_like(order)
        expand[order] = np.arange(len(order))
        sign = -1.0 if (ordered < 0).any() else 1.0
        rows, items = np.unique(table[:, columns][:, order], axis=0, return_counts=True)
        return cls(columns, expand, group, len(table), rows, items.astype(np.float64), sign)

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        """(size, m) draws; none is shared."""
        r, m = self.table.shape
        items = rng.standard_gamma(self.items, (size, r))
        prior = rng.standard_gamma(PRIOR_STRENGTH, (size, 1))
        rest = rng.beta(1.0, PRIOR_STRENGTH, (size, STICKS))
        sticks = rest * np.cumprod(np.hstack([np.ones((size, 1)), 1 - rest[:, :-1]]), axis=1)
        coins = np.empty((size, m))
        for k in range(m):  # one classifier at a time bounds the memory
            heads = rng.random((size, STICKS)) < 0.5
            coins[:, k] = np.where(heads, sticks, 0.0).sum(axis=1)
        total = items.sum(axis=1, keepdims=True) + prior
        return np.asarray((items @ self.table + self.sign * prior * coins) / total)

    def contrasts(self, members: IntArray) -> tuple[FloatArray, float]:
        """See `JointMeans`: the means as observed, and the variance with the prior's four items."""
        table = self.table[:, self.expand[members]]
        table = table - table.mean(axis=1, keepdims=True)
        n = self.items.sum()
        others = max(1, len(members) - 1)
        means = self.items @ table / n
        second = (self.items @ (table**2).sum(axis=1) / others + PRIOR_STRENGTH / 4) / (
            n + PRIOR_STRENGTH
        )
        return means, float((second - (means**2).sum() / others) / n)


def joint_means(
    table: FloatArray,
    columns: IntArray,
    rho: float,
    *,
    right_or_wrong: bool,
    lost: float = 0.0,
) -> JointMeans:
    """The posterior of the means of (n, c) scores, of which `columns` are there.

    right_or_wrong : whether the rows are test items with scores of 0 and 1 (or 0 and -1).
    lost : degrees of freedom that clusters of different sizes lose; see `lost_dof`.
    """
    if right_or_wrong and len(np.unique(table[:, columns], axis=0)) <= MOST_PATTERNS:
        return AccuracyMeans.of(table, columns)
    return StudentMeans.of(table, columns, rho, lost)
