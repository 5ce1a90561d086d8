"""The means of all data sets at once, each drawn towards what the others say.

The observed means scatter by the noise of their folds, seeds or items already; draws from each data
set's own posterior would add it a second time. Here the mean m_ik of classifier k on data set i is

    m_ik = level_i + a_k + γ_ik + ε_ik,     γ_ik ~ N(0, τ²),     ε_ik ~ N(0, v_i),

with flat priors on the levels and on a, and τ half-t with 4 degrees of freedom on the scale of the
means' own scatter. v_i is the noise of the means, pooled over classifiers. Levels concern no
comparison, and all is about contrasts: y_i are data set i's means less their average. Given τ the
classifiers' effects a are normal and integrate out, so that τ has a posterior on a grid. A draw
takes τ, then a, and then the true means of each data set,

    μ_i = a + K_i (y_i - a) + √(K_i v_i) z,     K_i = τ²/(τ² + v_i).

A data set may lack classifiers: its contrasts are among those that it has.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from bcompare.data.rope import FloatArray
from bcompare.data.sufficient import IntArray
from bcompare.methods.joint_means import JointMeans

# τ in units of the means' scatter; the degrees of freedom of its prior.
GRID, DOF = np.geomspace(1e-3, 10.0, 64), 4.0
# Values of τ of less weight are left out.
NEGLIGIBLE = 1e-9


@dataclass(frozen=True, eq=False, slots=True)
class ShrunkenMeans:
    """Joint draws of the means on all data sets; see the module.

    at : for each data set which of the u different classifiers it has.
    contrasts : for each its means, less their average. noise : (q,) their variances.
    tau : (draws,) and effects : (draws, u), what all data sets share.
    """

    at: Sequence[IntArray]
    contrasts: Sequence[FloatArray]
    noise: FloatArray
    tau: FloatArray
    effects: FloatArray

    @classmethod
    def of(
        cls, datasets: Sequence[JointMeans], alike: IntArray, draws: int, rng: np.random.Generator
    ) -> "ShrunkenMeans | None":
        """Draw what the data sets share; None where no data set's means have any noise.

        alike : (c,) a number for classifiers of the same scores, which are one here.
        """
        at, contrasts, noise = [], [], []
        for dataset in datasets:
            numbers, first = np.unique(alike[dataset.columns], return_index=True)
            own, variance = dataset.contrasts(first)
            at.append(numbers)
            contrasts.append(own)
            noise.append(variance)
        if not any(noise):
            return None
        model = _Effects.of(at, contrasts, np.array(noise), int(alike.max()) + 1)
        grid = GRID * model.scatter()
        log_weight = np.array([model.given(tau)[0] for tau in grid])
        weight = np.exp(log_weight - log_weight.max())
        weight[weight < NEGLIGIBLE * weight.sum()] = 0.0
        chosen = np.sort(rng.choice(len(grid), draws, p=weight / weight.sum()))
        effects = rng.standard_normal((draws, model.size))
        for k in np.unique(chosen):
            rows = slice(*np.searchsorted(chosen, [k, k + 1]))
            _, mean, root = model.given(grid[k])
            effects[rows] = mean + solve_triangular(root, effects[rows].T, lower=True, trans="T").T
        # Draws belong to weights of the data sets by their number, which must not rise with τ.
        order = rng.permutation(draws)
        return cls(at, contrasts, model.noise, grid[chosen][order], effects[order])

    def draw(self, rng: np.random.Generator, i: int, block: slice) -> FloatArray:
        """(b, m) means of the m different classifiers on data set i, in a block of draws."""
        a = self.effects[block, self.at[i]]
        squared = self.tau[block, None] ** 2
        kept = squared / (squared + self.noise[i])
        spread = np.sqrt(kept * self.noise[i]) * rng.standard_normal(a.shape)
        means: FloatArray = a + kept * (self.contrasts[i] - a) + spread
        return means


@dataclass(frozen=True, eq=False, slots=True)
class _Effects:
    """The classifiers' effects for a given τ.

    present : (q, u) 1 where a data set has a classifier. means : (q, u) contrasts, 0 where not.
    noise : (q,). joined : (u, u) projection on what no contrast tells: the level of each group of
    classifiers that data sets connect. groups : how many there are.
    """

    present: FloatArray
    means: FloatArray
    noise: FloatArray
    joined: FloatArray
    groups: int

    @classmethod
    def of(
        cls, at: Sequence[IntArray], contrasts: Sequence[FloatArray], noise: FloatArray, u: int
    ) -> "_Effects":
        present, means = np.zeros((len(at), u)), np.zeros((len(at), u))
        for i, columns in enumerate(at):
            present[i, columns], means[i, columns] = 1.0, contrasts[i]
        groups, label = connected_components(csr_array(present.T @ present))
        same = (label[:, None] == label).astype(np.float64)
        return cls(present, means, noise, same / same.sum(axis=0), groups)

    @property
    def size(self) -> int:
        return int(self.present.shape[1])

    def scatter(self) -> float:
        """The size of what the classifiers' average effects leave of the means."""
        count = self.present.sum(axis=0)
        left = np.where(self.present > 0, self.means - self.means.sum(axis=0) / count, 0.0)
        return float(np.sqrt((left**2).sum() / self.present.sum() + self.noise.mean()))

    def given(self, tau: float) -> tuple[float, FloatArray, FloatArray]:
        """The log posterior of log τ; the effects' mean, and a root L of their precision L L'."""
        variance = tau**2 + self.noise
        weighted = self.present / variance[:, None]
        sizes = self.present.sum(axis=1)
        total = weighted.sum(axis=0)
        precision = np.diag(total) - weighted.T @ (self.present / sizes[:, None])
        # With any precision for the levels that no contrast tells, it can be inverted.
        level = float(total.mean())
        root = np.linalg.cholesky(precision + level * self.joined)
        weighted_means = (self.means / variance[:, None]).sum(axis=0)
        half = solve_triangular(root, weighted_means, lower=True)
        mean = solve_triangular(root, half, lower=True, trans="T")
        log = -((sizes - 1) * np.log(variance)).sum() / 2
        log -= np.log(np.diag(root)).sum() - self.groups * np.log(level) / 2
        log -= ((self.means**2).sum(axis=1) / variance).sum() / 2 - half @ half / 2
        in_scatter = tau / self.scatter()
        prior = np.log(in_scatter) - (DOF + 1) / 2 * np.log1p(in_scatter**2 / DOF)
        return float(log + prior), mean, root
