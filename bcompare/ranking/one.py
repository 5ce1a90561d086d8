"""Judge classifiers on a single data set: draw their mean scores together.

Of c classifiers that are equally good the best and the worst seem far apart, the more so the larger
c is. The means are therefore random effects: along each eigenvector j of the covariance of the
joint posterior (`bcompare.ranking.joint_means`), in contrasts of classifiers,

    θ_j ~ N(0, τ²),      m_j ~ N(θ_j, l_j),

with m the posterior's mean and l_j the eigenvalues. With τ flat and integrated, a draw is

    θ_j = k_j m_j + √k_j d_j,      k_j = τ² / (τ² + l_j),

where d_j is the deviation from its mean of a draw of the joint posterior. Along eigenvectors, and
not with one k for all, near twins are told apart: their difference has a small l_j, and is kept.

The eigenvalues of few rows spread too much. They, and with them the variances of the deviations,
are drawn towards their mean by λ = 2 p / (2 p + n), with p contrasts and n rows or clusters. Two
classifiers stay as they are, so that `rank` and `ttest` agree.
"""

import numpy as np

from bcompare.basis.progress import Progress
from bcompare.data.rope import FloatArray
from bcompare.ranking.contrasts import helmert_contrasts
from bcompare.ranking.draws import Drawn, blocks, largest_of, share_of_best
from bcompare.ranking.joint_means import JointMeans

# Numbers in a block of draws, and the most draws of one: few enough for the processor's cache.
BLOCK, MOST_ROWS = 200_000, 1_000
# τ in units of what the means show, or of their error where that is larger.
SPREADS = np.geomspace(0.01, 8.0, 61)


def judge_one(
    dataset: JointMeans,
    copies: FloatArray,
    half: float,
    draws: int,
    rng: np.random.Generator,
    progress: Progress,
) -> Drawn:
    """Return draws of the means of the u drawn classifiers, and what is said of them.

    copies : (u,) how many classifiers share a draw. half : the half-width of the rope.
    """
    means = np.empty((draws, len(copies)))
    for rows in blocks(draws, min(MOST_ROWS, max(1, BLOCK // len(copies)))):
        means[rows] = dataset.draw(rng, rows.stop - rows.start)
        progress(rows.stop, draws)
    if dataset.different > 2:
        means = drawn_together(means, dataset.rows, rng)
    regret = largest_of(means) - means
    return Drawn(
        effects=means,
        regret=regret,
        best=share_of_best(means, copies).mean(axis=0),
        close=(regret <= half).mean(axis=0),
    )


def drawn_together(means: FloatArray, rows: float, rng: np.random.Generator) -> FloatArray:
    """Return (draws, u) means, up to a number that all share, as random effects of one spread.

    means : (draws, u) of the joint posterior. rows : the number of rows or clusters behind it.
    """
    contrasts = helmert_contrasts(means.shape[1])
    along = means @ contrasts.T
    eigenvalues, axes = np.linalg.eigh(np.cov(along.T))
    eigenvalues = np.maximum(eigenvalues, 0.0)
    typical = float(eigenvalues.mean())
    # few rows: draw the eigenvalues, and the deviations, towards a sphere
    p = len(eigenvalues)
    to_sphere = 2 * p / (2 * p + rows)
    error = (1 - to_sphere) * eigenvalues + to_sphere * typical
    centre = along.mean(axis=0) @ axes
    deviations = np.sqrt(1 - to_sphere) * (along @ axes - centre)
    deviations += np.sqrt(to_sphere * typical) * rng.standard_normal(along.shape)
    # random effects of one spread
    spread = draw_spread(centre, error, rng, len(means))
    kept = spread**2 / (spread**2 + error)
    effects = kept * centre + np.sqrt(kept) * deviations
    return np.asarray(effects @ axes.T @ contrasts)


def draw_spread(
    centre: FloatArray, error: FloatArray, rng: np.random.Generator, draws: int
) -> FloatArray:
    """Return (draws, 1) draws of τ given (p,) m_j ~ N(0, τ² + l_j), by a flat prior on a grid."""
    unit = max(float((centre**2).mean()), float(error.mean())) ** 0.5
    spread = SPREADS * unit
    variance = error + spread[:, None] ** 2
    log = -(np.log(variance) + centre**2 / variance).sum(axis=1) / 2
    odds = np.exp(log - log.max()) * np.gradient(SPREADS)
    return rng.choice(spread, (draws, 1), p=odds / odds.sum())
