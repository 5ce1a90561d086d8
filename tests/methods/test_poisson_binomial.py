"""The Poisson-binomial test."""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcompare.data.rope import FloatArray
from bcompare.methods.poisson_binomial import count_regions, poisson_binomial_test

# Rounding of a product of q sums of two or three terms, and of the convolution.
EXACT = 1e-13


def random_regions(q: int, seed: int, concentration: float = 0.5) -> FloatArray:
    """(5, q): left, rope, right; and left, right better by any amount."""
    rng = np.random.default_rng(seed)
    regions = rng.dirichlet([concentration] * 3, q).T
    p_right = rng.uniform(regions[2], regions[2] + regions[1])
    return np.concatenate([regions, [1 - p_right, p_right]])


@pytest.mark.parametrize("q", [1, 2, 5, 54, 500])
def test_number_of_wins_is_a_convolution(q: int) -> None:
    """CB 2015 eq. 10: of the distributions of q single data sets."""
    each = random_regions(q, seed=q)
    (result,) = count_regions(each[None])
    expected = reduce(np.convolve, each[3:].T)
    np.testing.assert_allclose(result.distribution, expected, rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize(
    ("q", "concentration"),
    [*((q, 0.5) for q in (1, 2, 3, 4, 7, 8)), (60, 0.1), (60, 3.0), (101, 1.0)],
)
def test_three_way_counts_by_the_characteristic_function(q: int, concentration: float) -> None:
    """The joint distribution is the inverse Fourier transform of Π_i (e_i + l_i x + r_i y)."""
    each = random_regions(q, seed=q, concentration=concentration)
    roots = np.exp(-2j * np.pi * np.arange(q + 1) / (q + 1))
    x, y = roots[:, None], roots[None, :]
    product_of_all = np.ones((q + 1, q + 1), dtype=complex)
    for left, rope, right in each[:3].T:
        product_of_all *= rope + left * x + right * y
    joint = np.fft.ifft2(product_of_all).real
    n_left, n_right = np.indices(joint.shape)
    n = np.stack([n_left, q - n_left - n_right, n_right])
    most = n == n.max(axis=0)
    winners = most.sum(axis=0)
    strict, shared = (
        np.where(chosen, most / winners * joint, 0).sum(axis=(1, 2))
        for chosen in (winners == 1, winners > 0)
    )
    (result,) = count_regions(each[None])
    np.testing.assert_allclose(result.strict, strict, rtol=0, atol=EXACT)
    np.testing.assert_allclose(result.shared, shared, rtol=0, atol=EXACT)
    assert result.p_tie == pytest.approx(1 - strict.sum(), abs=EXACT)


def test_thousands_of_data_sets_agree_with_simulation() -> None:
    """Also where most counts are left out as negligible."""
    q, draws = 3000, 4000
    each = random_regions(q, seed=5, concentration=1.0)
    rng = np.random.default_rng(6)
    u = rng.random((draws, q))
    left = (u < each[0]).sum(axis=1)
    right = (u > 1 - each[2]).sum(axis=1)
    n = np.stack([left, q - left - right, right])
    (result,) = count_regions(each[None])
    for region in range(3):
        others = np.delete(n, region, axis=0).max(axis=0)
        p = float(np.mean(n[region] > others))
        assert abs(result.strict[region] - p) < 4 * (p * (1 - p) / draws) ** 0.5 + 1e-9
    assert 0.05 < result.strict.max() < 0.999
    assert result.strict.sum() + result.p_tie == pytest.approx(1, abs=EXACT)


@given(st.integers(1, 12), st.integers(0, 99))
def test_mirror_image_and_order_to_the_last_bit(q: int, seed: int) -> None:
    """Regions in tenths, so that data sets are equal, or mirror images of each other."""
    each = random_regions(q, seed).round(1)
    each[1] = 1 - (each[0] + each[2])
    (result,) = count_regions(each[None])
    (mirrored,) = count_regions(each[None, [2, 1, 0, 4, 3]])
    (reordered,) = count_regions(each[None, :, ::-1])
    assert mirrored.p_tie == result.p_tie == reordered.p_tie
    for field in ("strict", "shared", "distribution"):
        value = getattr(result, field)
        np.testing.assert_array_equal(getattr(mirrored, field), value[::-1])
        np.testing.assert_array_equal(getattr(reordered, field), value)


@pytest.mark.parametrize("q", [6, 7])
def test_without_a_rope_it_is_the_poisson_binomial_test(q: int) -> None:
    """CB 2015: P(X > q/2); a tie at q/2 counts half."""
    x = np.random.default_rng(q).normal(0.01, 0.03, (q, 20))
    result = poisson_binomial_test(x, rho=0.1, rope=0)
    expected = (result.p_left_majority, 0.0, result.p_right_majority)
    np.testing.assert_allclose(result.strict, expected, rtol=0, atol=EXACT)
    assert result.p_tie == pytest.approx(result.p_even, abs=EXACT)
    assert result.probabilities.rope == 0
    assert result.probabilities.right == pytest.approx(
        result.p_right_majority + result.p_even / 2, abs=EXACT
    )
