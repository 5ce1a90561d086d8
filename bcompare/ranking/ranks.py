"""The whole family of classifiers over data sets: ranks, Friedman, Nemenyi, all pairs.

Sources: Demšar 2006 (JMLR 7), "Demšar", §3.2; Iman & Davenport 1980; Skillings & Mack 1981;
Nemenyi 1963.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, fdtrc, ndtr

from bcompare.basis.messages import InputError, Record
from bcompare.data.rope import DEFAULT_ROPE, FloatArray, IntArray, Rope, RopeLike
from bcompare.methods.correction import bonferroni, holm
from bcompare.methods.result_parts import Nhst, PairedNhst
from bcompare.methods.student import crossing
from bcompare.methods.wilcoxon import TIE_SLACK, midranks, wilcoxon_of_pairs


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class PairwiseTests:
    """Frequentist tests of all m = c(c - 1)/2 pairs, in the order of `pairs`.

    pairs : names, (left, right), left the earlier one.
    tests : of each.
    p_values : (m,) two-sided, not corrected.
    bonferroni, holm : (m,) p-values corrected for the m tests (Demšar §3.2.2).
    """

    pairs: tuple[tuple[str, str], ...]
    tests: tuple[PairedNhst, ...]
    p_values: FloatArray
    bonferroni: FloatArray
    holm: FloatArray


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Ranks:
    """Ranks of c classifiers on q data sets, and how often they beat one another.

    classifiers : names, in the order of every (c,) and (c, c) field.
    n_datasets : q.
    mean_score : (c,) over data sets, in the scores' unit.
    mean_rank : (c,) over data sets; 1 is the best, ties share their ranks. On a data set that only
        m of the c classifiers have, ranks are stretched to their number: (rank - ½) c/m + ½.
    wins : (c, c) on how many data sets the row's classifier is practically better than the
        column's: by more than the rope.
    ties : (c, c) on how many neither is; symmetric, all data sets of a classifier on the diagonal.
    alpha : level of what is called significant.
    pairwise : the Wilcoxon tests.
    tests : of whether there is any difference, by their names in words.
    telling : the name of the one to go by, and the test.
    critical_difference : Nemenyi's: mean ranks that differ by at least this much differ
        significantly at level alpha (Demšar §3.2.2); None where classifiers lack data sets.
    """

    classifiers: tuple[str, ...]
    n_datasets: int
    mean_score: FloatArray
    mean_rank: FloatArray
    wins: IntArray
    ties: IntArray
    alpha: float
    pairwise: PairwiseTests
    tests: Mapping[str, Nhst]
    telling: tuple[str, Nhst]
    critical_difference: float | None


def rank_family(
    scores: ArrayLike,
    classifiers: Sequence[str],
    *,
    rope: RopeLike = DEFAULT_ROPE,
    alpha: float = 0.05,
    exact: bool = False,
) -> Ranks:
    """Compare all classifiers by their ranks over data sets.

    The tests are Friedman's χ² as Demšar §3.2.1 has it, with c - 1 degrees of freedom; divided by
    the share of variance that ties leave, as SciPy and R have it; and the less conservative F of
    Iman and Davenport, with c - 1 and (c - 1)(q - 1): that is the telling one, but where it is
    infinite, as all data sets agree, few or many.

    Parameters
    ----------
    scores : (q, c) mean score of each classifier on each data set, higher better, q ≥ 2, c ≥ 2.
    classifiers : c names.
    rope : half-width, (low, high) or Rope, in the scores' unit; for the wins only.
    alpha : level of the critical difference.
    exact : exact Wilcoxon p-values also with ties, zeros or more than 25 data sets.

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
    if not np.isfinite(table).all():
        raise InputError("scores that are not finite numbers: rank only data sets that all have")
    q, c = table.shape
    ranks = midranks(-table)
    friedman = friedman_test(ranks)
    f = iman_davenport_test(friedman, q, c)
    return Ranks(
        **_common(table, classifiers, Rope.of(rope), alpha, exact=exact),
        mean_rank=ranks.mean(axis=0),
        tests={
            "Friedman, χ²": friedman,
            "Friedman corrected for ties, χ²": tie_corrected_test(friedman, ranks),
            "Iman–Davenport, F": f,
        },
        telling=("Friedman", friedman) if math.isinf(f.statistic) else ("Iman–Davenport", f),
        critical_difference=critical_difference(c, q, alpha),
    )


def rank_incomplete(
    scores: ArrayLike,
    classifiers: Sequence[str],
    *,
    rope: RopeLike = DEFAULT_ROPE,
    alpha: float = 0.05,
) -> Ranks:
    """Compare classifiers of which some lack some data sets; see `rank_family`.

    The test is Skillings and Mack's, which is Friedman's where nothing is missing.

    scores : (q, c), NaN where a classifier lacks a data set; every data set has two at least.

    Raises
    ------
    InputError : as `rank_family`; a data set with one classifier, or none.
    """
    table = np.asarray(scores, dtype=np.float64)
    _check(table, classifiers, alpha)
    has = ~np.isnan(table)
    if np.isinf(table).any() or (has.sum(axis=1) < 2).any():
        raise InputError(
            "a data set with fewer than two scores, or an infinite score: leave it out"
        )
    ranks = np.full(table.shape, np.nan)
    for row, values, there in zip(ranks, table, has, strict=True):
        row[there] = midranks(-values[there])
    # as if all were ranked: the middle of m ranks is that of c
    m = has.sum(axis=1, keepdims=True)
    scaled_ranks = (ranks - 0.5) * table.shape[1] / m + 0.5
    test = skillings_mack_test(ranks)
    return Ranks(
        **_common(table, classifiers, Rope.of(rope), alpha, exact=False),
        mean_rank=np.nanmean(scaled_ranks, axis=0),
        tests={"Skillings–Mack, χ²": test},
        telling=("Skillings–Mack", test),
        critical_difference=None,
    )


def _common(
    table: FloatArray,
    classifiers: Sequence[str],
    rope: Rope,
    alpha: float,
    *,
    exact: bool,
) -> Record:
    """Return the fields of `Ranks`, but for the mean ranks; NaN where a score is missing."""
    q, c = table.shape
    has = (~np.isnan(table)).astype(np.int64)
    left, right = np.triu_indices(c, 1)
    differences = np.asarray(table[:, right] - table[:, left])
    # 0 where two differ by rounding only
    slack = TIE_SLACK * np.maximum(np.abs(table[:, right]), np.abs(table[:, left]))
    differences[np.abs(differences) <= slack] = 0.0
    shares = rope.shares(differences)
    wins = np.zeros((c, c), dtype=np.int64)
    wins[left, right] = (shares.left == 1).sum(axis=0)
    wins[right, left] = (shares.right == 1).sum(axis=0)
    tests = tuple(wilcoxon_of_pairs(np.ascontiguousarray(differences.T), exact=exact or None))
    return {
        "classifiers": tuple(classifiers),
        "n_datasets": q,
        "mean_score": np.nanmean(table, axis=0),
        "wins": wins,
        "ties": has.T @ has - wins - wins.T,
        "alpha": alpha,
        "pairwise": corrected(tuple(combinations(classifiers, 2)), tests),
    }


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
    if not 0 < alpha < 1:
        raise InputError(f"alpha {alpha:g}: give a probability between 0 and 1, such as 0.05")


def corrected(pairs: tuple[tuple[str, str], ...], tests: tuple[PairedNhst, ...]) -> PairwiseTests:
    """Tests of m pairs with their p-values corrected for their number."""
    p_values = np.array([test.p_value for test in tests])
    return PairwiseTests(
        pairs=pairs,
        tests=tests,
        p_values=p_values,
        bonferroni=bonferroni(p_values),
        holm=holm(p_values),
    )


def skillings_mack_test(ranks: FloatArray) -> Nhst:
    """Skillings and Mack's test that all classifiers rank equally (1981, Technometrics 23).

    ranks : (q, c) ranks of the classifiers that a data set has, at least two; NaN for the others.

    With A_k = Σ_i √(12/(m_i + 1)) (r_ik - (m_i + 1)/2) over the data sets that k has, of which
    each has m_i classifiers, the statistic is A' Σ⁻ A: under the null hypothesis the A_k have mean
    0, covariance minus the number of shared data sets, and sum to 0.
    """
    has = ~np.isnan(ranks)
    m = has.sum(axis=1, keepdims=True)
    deviation = np.where(has, ranks - (m + 1) / 2, 0.0)
    adjusted = (np.sqrt(12 / (m + 1)) * deviation).sum(axis=0)
    shared = has.astype(np.float64).T @ has
    covariance = -shared
    np.fill_diagonal(covariance, shared.sum(axis=1) - np.diag(shared))
    values, vectors = np.linalg.eigh(covariance)
    # One direction is lost to the sum, and one more to each group that shares no data set.
    kept = values > 1e-9 * values.max()
    statistic = float((((vectors.T @ adjusted)[kept]) ** 2 / values[kept]).sum())
    return Nhst("skillings-mack", statistic, float(chdtrc(int(kept.sum()), statistic)))


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


def tie_corrected_test(friedman: Nhst, ranks: FloatArray) -> Nhst:
    """Divide Friedman's statistic by the variance of the ranks relative to ranks without ties."""
    c = ranks.shape[1]
    variance = float(((ranks - (c + 1) / 2) ** 2).mean())
    statistic = friedman.statistic * (c * c - 1) / 12 / variance if variance else 0.0
    return Nhst("friedman-tie-corrected", statistic, float(chdtrc(c - 1, statistic)))


def iman_davenport_test(friedman: Nhst, q: int, c: int) -> Nhst:
    """Iman & Davenport's F = (q - 1)χ² / (q(c - 1) - χ²), from Friedman's χ² (Demšar §3.2.1).

    q, c : data sets and classifiers. Infinite, without a p-value, where all data sets agree on the
    ranks and none has ties: however few they are, its distribution would say p = 0.
    """
    rest = q * (c - 1) - friedman.statistic
    # Rounding must not decide whether they all agree.
    if rest <= TIE_SLACK * q * (c - 1):
        return Nhst("iman-davenport", math.inf, math.nan)
    statistic = (q - 1) * friedman.statistic / rest
    return Nhst("iman-davenport", statistic, float(fdtrc(c - 1, (c - 1) * (q - 1), statistic)))


def _studentized_range(probability: float, c: int) -> float:
    """Quantile of the range of c standard normal variables."""
    ends = np.array([0.0]), np.array([50.0])
    return float(crossing(lambda width: _range_cdf(width, c) - probability, *ends)[0])


def _range_cdf(width: FloatArray, c: int) -> FloatArray:
    """(k,) P(range ≤ width) = c ∫ φ(z) (Φ(z) - Φ(z - width))^(c - 1) dz, z the largest of the c.

    The trapezoidal rule converges exponentially on this integrand.
    """
    z = np.linspace(-9, 9, 361)
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    below = (ndtr(z) - ndtr(z - width[:, None])) ** (c - 1) @ density
    return np.asarray(c * (z[1] - z[0]) * below)
