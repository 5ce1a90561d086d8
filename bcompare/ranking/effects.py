"""The effects of all classifiers, from their mean scores on several data sets.

Data set i's means y_i, less their average, are

    y_i = a + γ_i + ε_i,     γ_i ~ N(0, S),     ε_i ~ N(0, v_i I),

with a the classifiers' effects, which say who is better on average, S their interaction with data
sets, and v_i the noise of folds, seeds or items. The posterior is that of weighted means m:

- data sets weigh as 1/(τ² + v_i), with τ² the scatter of the means less their noise;
- T = S + v̄ I is inverse Wishart around a multiple of I, whose size and degrees of freedom are drawn
  from a grid by their evidence; of a draw the eigenvalues differ, the eigenvectors are those of the
  scatter of the data sets around m (Ledoit and Wolf 2004, "A well-conditioned estimator for
  large-dimensional covariance matrices", shrink in the same way);
- of T only what is at least v̄ counts: data sets that agree better than their noise allows do so by
  chance;
- a ~ N(0, ω²), with ω drawn from a grid by the evidence of m ~ N(a, T/n), n the effective number of
  data sets. This draws together classifiers that differ little.

A data set may lack classifiers. What it lacks is filled in by draws from a model without
interactions between particular classifiers and data sets (multiple imputation, Rubin 1987).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import multigammaln, ndtri

from bcompare.data.rope import FloatArray
from bcompare.ranking.contrasts import helmert_contrasts

# T's size in units of the observed scatter, and how much of it is drawn towards a multiple of I.
SIZES = np.exp(np.linspace(-2.5, 2.5, 25))
SHRINKAGE = (np.arange(15) + 0.5) / 15
# ω in units of the larger of what the means show and their error.
SPREADS = np.geomspace(0.01, 8.0, 41)
# S is at least this part of T, and τ² this part of the scatter.
LEAST_PART, LEAST_SCATTER = 1e-3, 0.05
# Fillings of the gaps: enough that intervals depend on them by less than a percent of their width.
FILLINGS = 20
# New data sets for each draw, and sets of them; each is followed by its mirror image.
NEW, BANKS = 64, 32


@dataclass(frozen=True, eq=False, slots=True)
class Effects:
    """What complete means of u classifiers on q data sets say; see the module.

    means : (q, u), less the average of each row.
    noise : (q,) v.
    axes : (p, u) contrasts of classifiers, p = u - 1, in whose coordinates all is independent.
    centre : (p,) m.
    scatter : (p,) eigenvalues of the data sets' scatter, as a sum over `count`.
    count : degrees of freedom of the scatter.
    effective : number of data sets.
    pooled : v̄.
    dof, size : (g,) the inverse Wishart distribution at each point of the grid.
    weight : (g,).
    """

    means: FloatArray
    noise: FloatArray
    axes: FloatArray
    centre: FloatArray
    scatter: FloatArray
    count: float
    effective: float
    pooled: float
    dof: FloatArray
    size: FloatArray
    weight: FloatArray

    @classmethod
    def of(cls, means: FloatArray, noise: FloatArray) -> "Effects":
        """From (q, u) means and (q,) variances of their noise; q and u are at least 2."""
        means = means - means.mean(axis=1, keepdims=True)
        contrasts = helmert_contrasts(means.shape[1])
        y = means @ contrasts.T
        total = float(y.var(axis=0, ddof=1).mean())
        # of the size of rounding, for means that all data sets share
        smallest = 1e-12 * float((y**2).max() + noise.max())
        tau2 = max(total - float(noise.mean()), LEAST_SCATTER * total, smallest)
        w = 1 / (tau2 + noise)
        w /= w.sum()
        effective = float(1 / (w**2).sum())
        count = max(effective - 1, 1.0)
        centre = w @ y
        deviations = (y - centre) * np.sqrt(w * count / (1 - 1 / effective))[:, None]
        scatter, vectors = np.linalg.eigh(deviations.T @ deviations)
        scatter = np.maximum(scatter, 0.0)
        mean = max(float(scatter.mean()) / count, smallest)
        freedom = SHRINKAGE / (1 - SHRINKAGE) * count + 2
        dof = freedom.repeat(len(SIZES))
        size = np.outer(freedom, mean * SIZES).ravel()
        return cls(
            means=means,
            noise=noise,
            axes=vectors.T @ contrasts,
            centre=vectors.T @ centre,
            scatter=scatter,
            count=count,
            effective=effective,
            pooled=float(w @ noise),
            dof=dof,
            size=size,
            weight=_evidence(dof, size, scatter, count),
        )

    def draw(self, rng: np.random.Generator, draws: int) -> tuple[FloatArray, FloatArray]:
        """(draws, p) effects a, and standard deviations of the interaction, along the axes."""
        p = len(self.centre)
        nodes = rng.choice(len(self.weight), draws, p=self.weight)
        chi = rng.chisquare(self.dof[nodes, None] + self.count, (draws, p))
        # few data sets may agree by chance: their means still have their noise
        total = np.maximum((self.size[nodes, None] + self.scatter) / chi, self.pooled)
        error = total / self.effective
        typical = float(self.scatter.mean()) / self.count / self.effective
        unit = max(float((self.centre**2).mean()), typical, float(error.min()))
        spread = SPREADS**2 * unit
        log = np.empty((draws, len(spread)))
        for g, s in enumerate(spread):
            variance = error + s
            log[:, g] = -(np.log(variance) + self.centre**2 / variance).sum(axis=1) / 2
        odds = np.exp(log - log.max(axis=1, keepdims=True)) * np.gradient(SPREADS)
        odds = odds.cumsum(axis=1)
        chosen = (odds < odds[:, -1:] * rng.random((draws, 1))).sum(axis=1)
        kept = spread[chosen, None] / (spread[chosen, None] + error)
        effects = kept * self.centre
        effects += np.sqrt(kept * error) * rng.standard_normal((draws, p))
        return effects, np.sqrt(np.maximum(total - self.pooled, LEAST_PART * total))

    def seen(
        self, rng: np.random.Generator, effects: FloatArray, interaction: FloatArray
    ) -> FloatArray:
        """(b, q, u) draws of the means without their noise; exact where there is none."""
        a = effects[:, None, :]
        squared = interaction[:, None, :] ** 2
        means = np.broadcast_to(self.means, (len(effects), *self.means.shape))
        noisy = self.noise > 0
        if not noisy.any():
            return means
        v = self.noise[noisy, None]
        kept = squared / (squared + v)
        true = a + kept * (self.means[noisy] @ self.axes.T - a)
        true += np.sqrt(kept * v) * rng.standard_normal(true.shape)
        means = means.copy()
        means[:, noisy] = true @ self.axes
        return means

    def new(self, effects: FloatArray, interaction: FloatArray, normal: FloatArray) -> FloatArray:
        """(b, z, u) means on new data sets, of (z, p) standard normal numbers."""
        along = effects[:, None, :] + interaction[:, None, :] * normal
        means: FloatArray = along.reshape(-1, along.shape[2]) @ self.axes
        return means.reshape(*along.shape[:2], -1)


def _evidence(dof: FloatArray, size: FloatArray, scatter: FloatArray, count: float) -> FloatArray:
    """The weights of the grid: the scatter's density, its eigenvectors and constants left out.

    With A Wishart of n degrees of freedom and covariance T, and T inverse Wishart of scale s I and
    δ + p - 1 degrees of freedom, the density of A is proportional to

        s^(p k/2) |s I + A|^-((k + n)/2) Γ_p((k + n)/2) / Γ_p(k/2),     k = δ + p - 1.
    """
    p = len(scatter)
    shape = dof + p - 1
    few, which = np.unique(shape, return_inverse=True)
    gammas = np.array([multigammaln((d + count) / 2, p) - multigammaln(d / 2, p) for d in few])
    log = gammas[which] + shape / 2 * p * np.log(size)
    log -= (shape + count) / 2 * np.log(size[:, None] + scatter).sum(axis=1)
    weight = np.exp(log - log.max())
    return np.asarray(weight / weight.sum())


def normal_banks(p: int) -> FloatArray:
    """Return (BANKS, 2 NEW, p) standard normal numbers, evenly spread, each with its mirror.

    Along each of the p axes every bank has a number in each of NEW equally probable strata, and all
    banks together one in each of NEW · BANKS finer ones: a sliced Latin hypercube (Qian 2012,
    Journal of the American Statistical Association 107:393).
    """
    rng = np.random.default_rng(1)
    fine = np.arange(NEW * BANKS).reshape(NEW, BANKS, 1).repeat(p, axis=2)
    shared_out = rng.permuted(fine, axis=1)
    shuffled = rng.permuted(shared_out, axis=0)
    normal = ndtri((shuffled + 0.5) / (NEW * BANKS)).swapaxes(0, 1)
    return np.concatenate([normal, -normal], axis=1)


def fillings(
    means: FloatArray, present: NDArray[np.bool_], rng: np.random.Generator
) -> Iterator[FloatArray]:
    """Yield (q, u) complete means: `means` itself, or draws of what is not present.

    The model is y_ik = level_i + a_k + N(0, σ²), with flat priors on levels and effects; of σ² the
    means' scatter counts like one observation. All classifiers must be joined by data sets.
    """
    if present.all():
        yield means
        return
    q, u = present.shape
    seen = present.astype(np.float64)
    y = np.where(present, means, 0.0)
    sizes = seen.sum(axis=1)
    counts = seen.sum(axis=0)
    # the effects by least squares, with a sum of zero: levels are eliminated
    precision = np.diag(counts) - seen.T @ (seen / sizes[:, None]) + 1 / u
    root = np.linalg.cholesky(np.linalg.inv(precision))
    fitted = root @ (root.T @ (y.sum(axis=0) - seen.T @ (y.sum(axis=1) / sizes)))
    level = ((y - fitted) * seen).sum(axis=1) / sizes
    residual = (y - level[:, None] - fitted)[present]
    dof = len(residual) - q - u + 1
    scatter = float(((y - (y.sum(axis=1) / sizes)[:, None])[present] ** 2).mean())
    for _ in range(FILLINGS):
        sd = np.sqrt(((residual**2).sum() + scatter) / rng.chisquare(dof + 1))
        effects = fitted + sd * (root @ rng.standard_normal(u))
        levels = ((y - effects) * seen).sum(axis=1) / sizes
        levels += sd / np.sqrt(sizes) * rng.standard_normal(q)
        drawn = levels[:, None] + effects + sd * rng.standard_normal((q, u))
        yield np.where(present, means, drawn)
