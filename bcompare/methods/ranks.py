"""The whole family of classifiers over data sets: ranks, Friedman, Nemenyi, all pairs.

Sources: Demšar 2006 (JMLR 7), "Demšar", §3.2; Iman & Davenport 1980; Nemenyi 1963.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, fdtrc, ndtr

from bcompare.errors import InputError
from bcompare.methods.base import Nhst
from bcompare.methods.correction import bonferroni, holm
from bcompare.methods.midranks import TIE_SLACK, midranks
from bcompare.methods.wilcoxon import wilcoxon
from bcompare.rope import FloatArray, Rope
from bcompare.sufficient import IntArray


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class PairwiseTests:
    """Wilcoxon signed-rank tests of all m = c(c - 1)/2 pairs, in the order of `pairs`.

    pairs : names, (left, right), left the earlier one. tests : two-sided, not corrected.
    bonferroni, holm : (m,) p-values corrected for the m tests (Demšar §3.2.2).
    """

    pairs: tuple[tuple[str, str], ...]
    tests: tuple[Nhst, ...]
    bonferroni: FloatArray
    holm: FloatArray


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class FamilyResult:
    """c classifiers on the q data sets that all of them have.

    classifiers : names, in the order of every (c,) and (c, c) field.
    n_datasets : q.
    mean_score : (c,) over data sets, in the scores' unit.
    mean_rank : (c,) over data sets; 1 is the best, ties share their ranks.
    wins : (c, c) on how many data sets the row's classifier is practically better than the
        column's: by more than the rope.
    ties : (c, c) on how many neither is; symmetric, q on the diagonal.
    friedman : Friedman's χ² as Demšar §3.2.1 has it; its dof is c - 1.
    friedman_tie_corrected : divided by the share of variance that ties leave, as SciPy and R
        have it; the same where no data set has ties.
    iman_davenport : the less conservative F of the former, with c - 1 and (c - 1)(q - 1)
        degrees of freedom.
    critical_difference : Nemenyi's: mean ranks that differ by at least this much differ
        significantly at level alpha (Demšar §3.2.2).
    pairwise : the Wilcoxon tests.
    """

    classifiers: tuple[str, ...]
    n_datasets: int
    mean_score: FloatArray
    mean_rank: FloatArray
    wins: IntArray
    ties: IntArray
    friedman: Nhst
    friedman_tie_corrected: Nhst
    iman_davenport: Nhst
    alpha: float
    critical_difference: float
    pairwise: PairwiseTests


def rank_family(
    scores: ArrayLike,
    classifiers: Sequence[str],
    *,
    rope: Rope | float | tuple[float, float] = 0.01,
    alpha: float = 0.05,
    exact: bool = False,
) -> FamilyResult:
    """Compare all classifiers by their ranks over data sets.

    Parameters
    ----------
    scores : (q, c) mean score of each classifier on each data set, higher better, q ≥ 2, c ≥ 2.
    classifiers : c names.
    rope : half-width, (low, high) or Rope, in the scores' unit; for the wins only.
    alpha : level of the critical difference.
    exact : exact Wilcoxon p-values instead of the normal approximation.

    Raises
    ------
    InputError : fewer than two classifiers or data sets, a score that is not finite, names that
        do not fit, α outside (0, 1).

    Examples
    --------
    >>> family = rank_family([[0.8, 0.7], [0.9, 0.6], [0.7, 0.7]], ["a", "b"])
    >>> family.mean_rank.round(3)
    array([1.167, 1.833])
    """
    table = np.asarray(scores, dtype=np.float64)
    _check(table, classifiers, alpha)
    q, c = table.shape
    ranks = midranks(-table)
    left, right = np.triu_indices(c, 1)
    difference = table[:, right] - table[:, left]
    slack = TIE_SLACK * np.maximum(np.abs(table[:, right]), np.abs(table[:, left]))
    difference[np.abs(difference) <= slack] = 0.0
    shares = Rope.of(rope).shares(difference)
    wins = np.zeros((c, c), dtype=np.int64)
    wins[left, right] = (shares.left == 1).sum(axis=0)
    wins[right, left] = (shares.right == 1).sum(axis=0)
    friedman = friedman_test(ranks)
    return FamilyResult(
        classifiers=tuple(classifiers),
        n_datasets=q,
        mean_score=table.mean(axis=0),
        mean_rank=ranks.mean(axis=0),
        wins=wins,
        ties=q - wins - wins.T,
        friedman=friedman,
        friedman_tie_corrected=_tie_corrected(friedman, ranks),
        iman_davenport=iman_davenport_test(friedman, q, c),
        alpha=alpha,
        critical_difference=critical_difference(c, q, alpha),
        pairwise=_pairwise(difference, tuple(combinations(classifiers, 2)), exact=exact),
    )


def friedman_test(ranks: FloatArray) -> Nhst:
    """Friedman's test that all classifiers rank equally (Demšar §3.2.1), not corrected for ties.

    ranks : (q, c) ranks of the c classifiers on each data set.
    """
    q, c = ranks.shape
    spread = float(((ranks.mean(axis=0) - (c + 1) / 2) ** 2).sum())
    statistic = 12 * q / (c * (c + 1)) * spread
    return Nhst("friedman", statistic, float(chdtrc(c - 1, statistic)))


def critical_difference(n_classifiers: int, n_datasets: int, alpha: float) -> float:
    """Nemenyi's critical difference of mean ranks (Demšar §3.2.2)."""
    c = n_classifiers
    return _studentized_range(1 - alpha, c) * math.sqrt(c * (c + 1) / (12 * n_datasets))


def _check(table: FloatArray, classifiers: Sequence[str], alpha: float) -> None:
    if table.ndim != 2:
        raise InputError(
            f"scores of shape {table.shape}: give data sets in rows, classifiers in columns"
        )
    q, c = table.shape
    if c != len(classifiers):
        raise InputError(f"scores of {c} classifiers, but {len(classifiers)} names")
    if c < 2:
        raise InputError(f"{c} classifiers cannot be ranked: give at least two")
    if q < 2:
        raise InputError(
            f"ranks over data sets need at least two of them, and the classifiers share {q}: "
            "compare them pair by pair with the correlated t-test"
        )
    if not np.isfinite(table).all():
        raise InputError("scores that are not finite numbers: rank only data sets that all have")
    if not 0 < alpha < 1:
        raise InputError(f"alpha {alpha:g}: give a probability between 0 and 1, such as 0.05")


def _tie_corrected(friedman: Nhst, ranks: FloatArray) -> Nhst:
    """Divide Friedman's statistic by the variance of the ranks relative to ranks without ties."""
    c = ranks.shape[1]
    variance = float(((ranks - (c + 1) / 2) ** 2).mean())
    statistic = friedman.statistic * (c * c - 1) / 12 / variance if variance else 0.0
    return Nhst("friedman-tie-corrected", statistic, float(chdtrc(c - 1, statistic)))


def iman_davenport_test(friedman: Nhst, q: int, c: int) -> Nhst:
    """Iman & Davenport's F = (q - 1)χ² / (q(c - 1) - χ²), from Friedman's χ² (Demšar §3.2.1).

    q, c : data sets and classifiers. Infinite, with p = 0, where all data sets agree on the ranks
    and none has ties.
    """
    rest = q * (c - 1) - friedman.statistic
    # Rounding must not decide whether they all agree.
    if rest <= TIE_SLACK * q * (c - 1):
        return Nhst("iman-davenport", math.inf, 0.0)
    statistic = (q - 1) * friedman.statistic / rest
    return Nhst("iman-davenport", statistic, float(fdtrc(c - 1, (c - 1) * (q - 1), statistic)))


def _pairwise(
    differences: FloatArray, pairs: tuple[tuple[str, str], ...], *, exact: bool
) -> PairwiseTests:
    tests = tuple(wilcoxon(z, exact=exact) for z in differences.T)
    p_values = np.array([test.p_value for test in tests])
    return PairwiseTests(
        pairs=pairs, tests=tests, bonferroni=bonferroni(p_values), holm=holm(p_values)
    )


def _studentized_range(probability: float, c: int) -> float:
    """Quantile of the range of c standard normal variables, by bisection."""
    low, high = 0.0, 50.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if _range_cdf(middle, c) < probability:
            low = middle
        else:
            high = middle
    return high


def _range_cdf(width: float, c: int) -> float:
    """P(range ≤ width) = c ∫ φ(z) (Φ(z) - Φ(z - width))^(c - 1) dz, z the largest of the c.

    The trapezoidal rule converges exponentially on this integrand.
    """
    z = np.linspace(-9, 9, 361)
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    return float(c * (density * (ndtr(z) - ndtr(z - width)) ** (c - 1)).sum() * (z[1] - z[0]))
