"""Ranks of classifiers of which some lack data sets."""

import math

import numpy as np
import pytest
from scipy import stats

from bcompare.ranking.ranks import rank_family, rank_incomplete

NAMES = ("a", "b", "c", "d", "e", "f", "g")


def test_classifiers_that_are_joined_in_a_chain_are_tested_in_all_directions() -> None:
    """Each data set has two neighbours, so that the first and the last are hardly joined."""
    rng = np.random.default_rng(1)
    links = [(k, k + 1) for k in range(6) for _ in range(3)]
    table = np.full((len(links), 7), np.nan)
    for row, link in zip(table, links, strict=True):
        row[list(link)] = rng.normal(0.7, 0.02, 2)
    _, test = rank_incomplete(table, NAMES).telling
    # of two classifiers each: wins less losses, with the last classifier left out
    adjusted = np.zeros(7)
    covariance = np.zeros((7, 7))
    for row, (i, j) in zip(table, links, strict=True):
        sign = 1 if row[i] > row[j] else -1
        adjusted[i] += sign
        adjusted[j] -= sign
        covariance[[i, j], [i, j]] += 1
        covariance[[i, j], [j, i]] -= 1
    inner = np.linalg.solve(covariance[:6, :6], adjusted[:6])
    assert test.statistic == pytest.approx(adjusted[:6] @ inner)
    assert test.p_value == pytest.approx(stats.chi2.sf(test.statistic, 6))


def test_one_level_holds_with_and_without_gaps() -> None:
    table = np.random.default_rng(0).normal(0.7, 0.02, (10, 3))
    whole = rank_family(table, NAMES[:3])
    nemenyi = stats.studentized_range.ppf(0.95, 3, math.inf) / math.sqrt(2) * math.sqrt(12 / 60)
    assert whole.critical_difference == pytest.approx(nemenyi, rel=1e-6)
    assert rank_incomplete(table, NAMES[:3]).alpha == whole.alpha
