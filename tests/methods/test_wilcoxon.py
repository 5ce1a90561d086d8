"""The Wilcoxon signed-rank test and midranks."""

from itertools import product
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bcompare.data.rope import FloatArray
from bcompare.methods.wilcoxon import midranks, wilcoxon, wilcoxon_of_pairs

decimals = st.lists(st.integers(-9, 9).map(lambda i: i / 100), min_size=1, max_size=12).map(
    np.array
)


@given(decimals | st.just(np.zeros(0)))
def test_normal_approximation_agrees_with_scipy(z: FloatArray) -> None:
    counted = z[z != 0]
    result = wilcoxon(z, exact=False)
    if len(counted) == 0:
        assert (result.statistic, result.p_value) == (0.0, 1.0)
        return
    reference = stats.wilcoxon(counted, correction=True, method="approx")
    assert result.statistic == reference.statistic
    assert result.p_value == pytest.approx(reference.pvalue, rel=1e-12)


@given(decimals | st.just(np.zeros(0)))
def test_exact_p_agrees_with_all_sign_patterns(z: FloatArray) -> None:
    ranks = midranks(np.abs(z[z != 0]))
    observed = min(ranks[z[z != 0] > 0].sum(), ranks[z[z != 0] < 0].sum())
    signs = np.array(list(product([0, 1], repeat=len(ranks))))
    p = min(1.0, 2 * float(np.mean(signs @ ranks <= observed)))
    assert wilcoxon(z, exact=True).p_value == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize("exact", [False, True])
def test_one_sided_p_agrees_with_scipy(exact: bool) -> None:
    z = np.random.default_rng(11).normal(0.2, 1.0, 20)
    result = wilcoxon(z, exact=exact)
    method: Literal["exact", "approx"] = "exact" if exact else "approx"
    less = stats.wilcoxon(z, alternative="less", method=method, correction=not exact)
    greater = stats.wilcoxon(z, alternative="greater", method=method, correction=not exact)
    assert result.p_left_better == pytest.approx(less.pvalue, rel=1e-12)
    assert result.p_right_better == pytest.approx(greater.pvalue, rel=1e-12)


def test_z_is_w_of_the_tutorials_equation_8() -> None:
    z = np.random.default_rng(12).normal(0.3, 1.0, 30)
    ranks = stats.rankdata(np.abs(z))
    q, t = len(z), ranks[z > 0].sum()
    w = (t - q * (q + 1) / 4) / np.sqrt(q * (q + 1) * (2 * q + 1) / 24)
    assert wilcoxon(z).z == pytest.approx(w, rel=1e-12)


def test_smallest_exact_p_of_the_largest_sample_is_not_lost() -> None:
    z = np.arange(1.0, 1001.0)
    assert wilcoxon(z, exact=True).p_value == 2.0**-999


@given(decimals, st.sampled_from([False, True]))
def test_swapping_order_and_scale_change_nothing(z: FloatArray, exact: bool) -> None:
    result = wilcoxon(z, exact=exact)
    mirrored = wilcoxon(-z, exact=exact)
    assert (mirrored.statistic, mirrored.p_value) == (result.statistic, result.p_value)
    assert mirrored.p_left_better == result.p_right_better
    assert mirrored.p_right_better == result.p_left_better
    assert mirrored.z == -(result.z or 0.0)
    assert (wilcoxon(z[::-1], exact=exact), wilcoxon(100 * z, exact=exact)) == (result, result)


def test_rounding_makes_no_order() -> None:
    on_paper = np.array([0.0, 0.01, 0.01, -0.01, 0.02, 0.03])
    computed = np.array([0.0, 0.85 - 0.84, 0.01, 0.23 - 0.24, 0.02, 0.1 + 0.2 - 0.27])
    assert not np.array_equal(on_paper, computed)
    assert wilcoxon(computed) == wilcoxon(on_paper)


def test_real_differences_of_very_different_sizes_all_count() -> None:
    """Three data sets in a unit of which the others see nothing."""
    z = np.concatenate([[-3e9, -2e9, -1e9], np.linspace(1e-5, 1e-4, 10)])
    reference = stats.wilcoxon(z, method="exact")
    assert wilcoxon(z, exact=True).p_value == pytest.approx(reference.pvalue)


@given(st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), min_size=1, max_size=5))
def test_midranks_agree_with_scipy_row_by_row(rows: list[list[int]]) -> None:
    values = np.array(rows, dtype=float) / 7 - 0.3
    np.testing.assert_array_equal(midranks(values), stats.rankdata(values, axis=1))


@given(st.lists(st.integers(-99, 99), min_size=1, max_size=30).map(lambda z: np.array(z) / 100))
def test_exact_up_to_25_differences_and_named(z: FloatArray) -> None:
    """By scipy's distribution where there are neither ties nor zeros; beyond 25 approximate."""
    distinct = len(set(np.abs(z))) == len(z) and bool((z != 0).all())
    small = bool(np.count_nonzero(z) <= 25)
    result = wilcoxon(z)
    assert result == wilcoxon(z, exact=small)
    assert result.test == ("wilcoxon-exact" if small else "wilcoxon")
    if small and distinct:
        assert result.p_value == pytest.approx(stats.wilcoxon(z, method="exact").pvalue, rel=1e-12)


@given(st.lists(st.lists(st.integers(-9, 9), min_size=30, max_size=30), min_size=1, max_size=6))
@pytest.mark.parametrize("exact", [None, False, True])
def test_many_pairs_are_tested_as_each_by_itself(exact: bool | None, rows: list[list[int]]) -> None:
    """Also where they lack data sets, and some of their means are equal."""
    table = np.array(rows) / 100
    table[table > 0.07] = np.nan
    one_by_one = [wilcoxon(row[~np.isnan(row)], exact=exact) for row in table]
    assert wilcoxon_of_pairs(table, exact=exact) == one_by_one


def test_many_pairs_agree_with_scipy_to_the_last_digits() -> None:
    table = np.random.default_rng(13).normal(0.1, 1.0, (200, 54))
    found = wilcoxon_of_pairs(table)
    reference = stats.wilcoxon(table, correction=True, method="approx", axis=1)
    assert [test.statistic for test in found] == reference.statistic.tolist()
    p_values = [test.p_value for test in found]
    np.testing.assert_allclose(p_values, reference.pvalue, rtol=1e-13)


def test_blocks_of_pairs_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.round(np.random.default_rng(14).normal(0.0, 0.02, (50, 20)), 2)
    at_once = wilcoxon_of_pairs(table)
    monkeypatch.setattr("bcompare.methods.wilcoxon.BLOCK", 60)
    assert wilcoxon_of_pairs(table) == at_once
