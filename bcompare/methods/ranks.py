"""The whole family of classifiers over data sets: ranks, Friedman, Nemenyi, all pairs.

Source: Demšar 2006 (JMLR 7), "Demšar", §3.2.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bcompare.basis.errors import InputError
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import IntArray
from bcompare.methods.base import Alternative, Nhst, PairedNhst
from bcompare.methods.correction import bonferroni, holm
from bcompare.methods.midranks import TIE_SLACK, midranks
from bcompare.methods.rank_tests import (
    critical_difference,
    friedman_test,
    iman_davenport_test,
    skillings_mack_test,
    tie_corrected_test,
)
from bcompare.methods.wilcoxon import wilcoxon


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class PairwiseTests:
    """Frequentist tests of all m = c(c - 1)/2 pairs, in the order of `pairs`.

    pairs : names, (left, right), left the earlier one. tests : of each.
    p_values : (m,) as the alternative has it, not corrected.
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
    tests : of whether there is any difference, by their names in words. telling : the name of the
        one to go by, and the test.
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
    rope: Rope | float | tuple[float, float] = 0.01,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
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
    alternative : of the Wilcoxon tests: any difference, or that left or right is better.
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
        **_common(table, classifiers, Rope.of(rope), alpha, alternative, exact=exact),
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
    rope: Rope | float | tuple[float, float] = 0.01,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
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
    m = has.sum(axis=1, keepdims=True)
    test = skillings_mack_test(ranks)
    return Ranks(
        **_common(table, classifiers, Rope.of(rope), alpha, alternative, exact=False),
        mean_rank=np.nanmean((ranks - 0.5) * table.shape[1] / m + 0.5, axis=0),
        tests={"Skillings–Mack, χ²": test},
        telling=("Skillings–Mack", test),
        critical_difference=None,
    )


def _common(
    table: FloatArray,
    classifiers: Sequence[str],
    rope: Rope,
    alpha: float,
    alternative: Alternative,
    *,
    exact: bool,
) -> dict[str, Any]:
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
    tests = tuple(wilcoxon(z[~np.isnan(z)], exact=exact or None) for z in differences.T)
    return {
        "classifiers": tuple(classifiers),
        "n_datasets": q,
        "mean_score": np.nanmean(table, axis=0),
        "wins": wins,
        "ties": has.T @ has - wins - wins.T,
        "alpha": alpha,
        "pairwise": corrected(tuple(combinations(classifiers, 2)), tests, alternative),
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


def corrected(
    pairs: tuple[tuple[str, str], ...], tests: tuple[PairedNhst, ...], alternative: Alternative
) -> PairwiseTests:
    """Tests of m pairs with their p-values corrected for their number."""
    p_values = np.array([test.p_against(alternative) for test in tests])
    return PairwiseTests(
        pairs=pairs,
        tests=tests,
        p_values=p_values,
        bonferroni=bonferroni(p_values),
        holm=holm(p_values),
    )
