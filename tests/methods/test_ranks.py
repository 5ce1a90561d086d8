"""The family of classifiers: ranks, Friedman, Nemenyi, all pairs and their corrections."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bcompare.basis.messages import InputError
from bcompare.data.rope import FloatArray
from bcompare.methods.correction import bonferroni, holm
from bcompare.methods.wilcoxon import wilcoxon
from bcompare.ranking.ranks import (
    Ranks,
    critical_difference,
    friedman_test,
    rank_family,
    rank_incomplete,
    skillings_mack_test,
)

NAMES = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
# Demšar 2006, Table 6: AUC. The last two of "voting" print alike, but are ranked 2 and 3.
AUC = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.9749],
        [0.957, 0.978, 0.946, 0.970],
    ]
)

tables = (
    st.integers(2, 5)
    .flatmap(
        lambda c: st.lists(
            st.lists(st.integers(0, 4).map(lambda i: 0.7 + i / 100), min_size=c, max_size=c),
            min_size=2,
            max_size=8,
        )
    )
    .map(np.array)
)


def names(c: int) -> list[str]:
    return [f"classifier {i}" for i in range(c)]


def family(table: FloatArray, rope: float = 0.01) -> Ranks:
    return rank_family(table, names(table.shape[1]), rope=rope)


def test_worked_example_of_demsar_2006() -> None:
    result = rank_family(AUC, NAMES)
    friedman, _, f = result.tests.values()
    np.testing.assert_array_equal(result.mean_rank.round(3), [3.143, 2.000, 2.893, 1.964])
    assert (round(friedman.statistic, 2), round(f.statistic, 2)) == (9.28, 3.69)
    assert f.p_value == pytest.approx(stats.f.sf(f.statistic, 3, 39), rel=1e-10)
    assert result.telling == ("Iman–Davenport", f)
    assert result.critical_difference == pytest.approx(1.25, abs=0.005)
    assert round(critical_difference(4, 14, 0.10), 2) == 1.12


@pytest.mark.parametrize(
    ("alpha", "published"),
    [
        (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_nemenyi_critical_values_of_table_5a_of_demsar_2006(
    alpha: float, published: list[float]
) -> None:
    """q times √(c(c + 1)/(6q)); the table's last digit is cut rather than rounded."""
    for c, value in enumerate(published, start=2):
        q_alpha = critical_difference(c, 6, alpha) * 6 / math.sqrt(c * (c + 1))
        assert abs(q_alpha - value) < 0.001


@pytest.mark.parametrize(("c", "alpha"), [(2, 0.05), (10, 0.001), (100, 0.1)])
def test_critical_difference_agrees_with_the_studentized_range_of_scipy(
    c: int, alpha: float
) -> None:
    q_alpha = stats.studentized_range.ppf(1 - alpha, c, math.inf) / math.sqrt(2)
    expected = q_alpha * math.sqrt(c * (c + 1) / (6 * 25))
    assert critical_difference(c, 25, alpha) == pytest.approx(expected, rel=1e-6)


@given(tables)
def test_friedman_with_ties_agrees_with_scipy(table: FloatArray) -> None:
    friedman, corrected, _ = family(table).tests.values()
    assert friedman.statistic <= corrected.statistic + 1e-12
    if table.shape[1] < 3:
        return
    if np.all(table == table[:, :1]):
        assert corrected.p_value == 1
        return
    # Integers, as SciPy takes the scores' last binary digits for differences.
    reference = stats.friedmanchisquare(*np.rint(100 * table).T)
    assert corrected.statistic == pytest.approx(reference.statistic, abs=1e-10)


@given(tables, st.sampled_from([0.0, 0.01]))
def test_wins_and_ties_counted_one_by_one(table: FloatArray, rope: float) -> None:
    result = family(table, rope)
    whole = np.rint(100 * table).astype(int)
    for i in range(table.shape[1]):
        for j in range(table.shape[1]):
            wins = sum(int(row[i] - row[j] > round(100 * rope)) for row in whole)
            losses = sum(int(row[j] - row[i] > round(100 * rope)) for row in whole)
            assert result.wins[i, j] == wins
            assert result.ties[i, j] == len(whole) - wins - losses


def test_asymmetric_rope_is_for_right_minus_left() -> None:
    result = rank_family([[0.70, 0.72], [0.72, 0.70]], ["left", "right"], rope=(-0.01, 0.03))
    np.testing.assert_array_equal(result.wins, [[0, 1], [0, 0]])
    np.testing.assert_array_equal(result.ties, [[2, 1], [1, 2]])


def test_pairs_are_the_wilcoxon_tests() -> None:
    table = np.random.default_rng(1).normal(0.8, 0.02, (15, 4))
    result = rank_family(table, ["a", "b", "c", "d"])
    assert result.pairwise.pairs == (
        ("a", "b"),
        ("a", "c"),
        ("a", "d"),
        ("b", "c"),
        ("b", "d"),
        ("c", "d"),
    )
    assert result.pairwise.tests[4] == wilcoxon(table[:, 3] - table[:, 1])
    p = np.array([test.p_value for test in result.pairwise.tests])
    np.testing.assert_array_equal(result.pairwise.holm, holm(p))
    np.testing.assert_array_equal(result.pairwise.bonferroni, bonferroni(p))
    exact = rank_family(table, ["a", "b", "c", "d"], exact=True)
    assert exact.pairwise.tests[4] == wilcoxon(table[:, 3] - table[:, 1], exact=True)


@pytest.mark.parametrize("c", [2, 5])
@pytest.mark.parametrize("q", [2, 10])
def test_all_tied(c: int, q: int) -> None:
    result = family(np.full((q, c), 0.1 + 0.2) + np.eye(q, c) * 1e-17)
    np.testing.assert_array_equal(result.mean_rank, (c + 1) / 2)
    for test in result.tests.values():
        assert (test.statistic, test.p_value) == (0, 1)
    assert result.wins.sum() == 0
    assert (result.ties == q).all()
    assert all(test.p_value == 1 for test in result.pairwise.tests)


@pytest.mark.parametrize("c", [2, 5])
@pytest.mark.parametrize("q", [2, 7])
def test_all_data_sets_agree(c: int, q: int) -> None:
    """χ² is at its largest, q(c - 1), and F infinite."""
    result = family(np.tile(np.arange(c) / 10, (q, 1)))
    friedman, _, f = result.tests.values()
    assert (friedman.statistic, f.statistic) == pytest.approx((q * (c - 1), math.inf))
    assert math.isnan(f.p_value)
    assert result.telling == ("Friedman", friedman)
    np.testing.assert_array_equal(result.mean_rank, np.arange(c, 0, -1))
    np.testing.assert_allclose(result.mean_score, np.arange(c) / 10)


def test_rounding_does_not_rank() -> None:
    result = rank_family([[0.3, 0.1 + 0.2], [0.85 - 0.84, 0.01]], ["a", "b"], rope=0)
    np.testing.assert_array_equal(result.mean_rank, [1.5, 1.5])
    assert result.ties[0, 1] == 2


def incomplete(seed: int, q: int = 12) -> FloatArray:
    """Scores of which a fifth are missing, with two a data set at least."""
    rng = np.random.default_rng(seed)
    table = rng.normal(0.7, 0.05, (q, 5))
    missing = rng.random((q, 5)) < 0.2
    missing[:, :2] = False
    return np.where(missing, np.nan, table)


def test_skillings_and_mack_is_friedman_where_nothing_is_missing() -> None:
    ranks = stats.rankdata(np.random.default_rng(1).normal(size=(14, 4)), axis=1)
    ours, friedman = skillings_mack_test(ranks), friedman_test(ranks)
    assert ours.statistic == pytest.approx(friedman.statistic, rel=1e-12)
    assert ours.p_value == pytest.approx(friedman.p_value, rel=1e-10)


def test_skillings_and_mack_with_a_row_left_out_and_the_pseudoinverse() -> None:
    table = incomplete(3)
    _, test = rank_incomplete(table, names(5)).telling
    has = ~np.isnan(table)
    m = has.sum(axis=1)
    adjusted = np.zeros(5)
    covariance = np.zeros((5, 5))
    for row, there, size in zip(table, has, m, strict=True):
        ranks = stats.rankdata(-row[there])
        adjusted[there] += math.sqrt(12 / (size + 1)) * (ranks - (size + 1) / 2)
        covariance[np.ix_(there, there)] -= 1
        covariance[there, there] += size
    # The textbook's form: without the last treatment, whose sum follows from the others.
    first, inner = adjusted[:4], np.linalg.inv(covariance[:4, :4])
    assert test.statistic == pytest.approx(first @ inner @ first, rel=1e-10)
    assert test.p_value == pytest.approx(stats.chi2.sf(test.statistic, 4), rel=1e-10)


def test_what_is_missing_counts_for_nobody() -> None:
    table = incomplete(5)
    result = rank_incomplete(table, names(5))
    has = ~np.isnan(table)
    np.testing.assert_array_equal(
        result.wins + result.wins.T + result.ties, has.T.astype(int) @ has.astype(int)
    )
    k = 3
    ranks = [
        (stats.rankdata(-row[there])[there[:k].sum()] - 0.5) * 5 / there.sum() + 0.5
        for row, there in zip(table, has, strict=True)
        if there[k]
    ]
    assert result.mean_rank[k] == pytest.approx(np.mean(ranks))
    whole = rank_family(table[:, :2], names(2))
    assert rank_incomplete(table[:, :2], names(2)).pairwise.tests == whole.pairwise.tests
    with pytest.raises(InputError):
        rank_incomplete(np.where(np.eye(3), 0.5, np.nan), names(3))


NAN = float("nan")

p_values = st.lists(
    st.one_of(st.floats(0, 1), st.sampled_from([0.01, 0.05, NAN])), max_size=12
).map(np.array)


def test_worked_example() -> None:
    """p = 0.01, 0.02, 0.03, 0.04: Holm multiplies by 4, 3, 2, 1 and keeps the order."""
    p = np.array([0.04, 0.01, 0.03, 0.02])
    np.testing.assert_allclose(holm(p), [0.06, 0.04, 0.06, 0.06])
    np.testing.assert_allclose(bonferroni(p), [0.16, 0.04, 0.12, 0.08])


@given(p_values, st.floats(0.001, 0.999))
def test_holm_rejects_what_the_step_down_procedure_rejects(p: FloatArray, alpha: float) -> None:
    """Demšar 2006, §3.2.2: go up from the smallest p while p_i ≤ α/(m - i + 1)."""
    tested = [float(x) for x in p if not np.isnan(x)]
    rejected = set()
    for i, x in enumerate(sorted(tested)):
        if x * (len(tested) - i) > alpha:
            break
        rejected.add(x)
    adjusted = holm(p)
    for x, a in zip(p, adjusted, strict=True):
        assert np.isnan(a) if np.isnan(x) else (a <= alpha) == (x in rejected)


@given(p_values)
def test_holm_lies_between_the_p_value_and_bonferroni(p: FloatArray) -> None:
    keep = ~np.isnan(p)
    assert np.all(p[keep] <= holm(p)[keep])
    assert np.all(holm(p)[keep] <= bonferroni(p)[keep])
    assert np.all(bonferroni(p)[keep] <= 1)


def test_families_along_further_axes_do_not_mix() -> None:
    p = np.array([[[0.01, NAN], [0.5, 0.02]], [[0.04, 0.03], [NAN, 0.01]]])
    for correct in (bonferroni, holm):
        for i in range(2):
            for j in range(2):
                np.testing.assert_array_equal(correct(p)[:, i, j], correct(p[:, i, j]))
