"""Weights of pair sums below a border, against the double sum written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcompare.data.rope import FloatArray, Rope
from bcompare.methods.mean_differences import PRIOR_PLACES, PriorPlace
from bcompare.methods.pair_sums import Border, Staircase
from bcompare.methods.signed_rank import _Block

hundredths = st.lists(st.integers(-6, 6), min_size=1, max_size=9).map(sorted).map(np.array)
ropes = st.sampled_from([(0, 0), (-1, 1), (-2, 1), (0, 2), (-3, 0)])


def share_below(total: int, border: int, rope: tuple[int, int]) -> float:
    """Heaviside's step with ½ at the border; a rope that ends at 0 holds a sum of 0."""
    if total == border == 0 and rope != (0, 0):
        return float(rope[1] == 0)
    return 0.5 if total == border else float(total < border)


@given(hundredths, ropes, st.sampled_from([0, 1]), st.sampled_from(PRIOR_PLACES))
def test_double_sums_written_out(
    z: FloatArray, rope: tuple[int, int], end: int, place: PriorPlace
) -> None:
    """Whole hundredths here are exact; the border gets the same numbers in binary decimals."""
    weights = np.random.default_rng(len(z)).exponential(size=(len(z), 3))
    prior = np.array([0.3, 1.0, 0.0])
    c = 2 * rope[end]
    data = sum(
        weights[i] * weights[j] * share_below(int(z[i] + z[j]), c, rope)
        for i in range(len(z))
        for j in range(len(z))
    )
    fixed = {"left": 1.0, "split": 0.5, "right": 0.0}
    with_prior = sum(
        2 * prior * weights[i] * fixed.get(place, share_below(int(z[i]), c, rope))
        for i in range(len(z))
    ) + prior**2 * fixed.get(place, share_below(0, c, rope))

    in_decimals = Rope(rope[0] / 100, rope[1] / 100)
    border = Border.of(z / 100, in_decimals, (in_decimals.low, in_decimals.high)[end])
    cumulated = np.concatenate([np.zeros((1, 3)), np.cumsum(weights, axis=0)])
    np.testing.assert_allclose(border.weight(cumulated), data, rtol=1e-13, atol=1e-14)
    at_zero = border.prior_weight(cumulated, prior)
    added, _ = _Block.of(cumulated, prior).added.get(place, (at_zero, at_zero))
    np.testing.assert_allclose(added, with_prior, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("rope", [Rope(0, 0), Rope(-0.01, 0.01)])
@pytest.mark.parametrize("q", [1, 60, 257])
def test_double_sums_as_a_matrix_product(q: int, rope: Rope) -> None:
    rng = np.random.default_rng(q)
    z = np.sort(rng.normal(0.003, 0.02, q))
    weights = rng.exponential(size=(q, 4))
    below = (np.add.outer(z, z) < 2 * rope.high).astype(float)
    cumulated = np.concatenate([np.zeros((1, 4)), np.cumsum(weights, axis=0)])
    np.testing.assert_allclose(
        Border.of(z, rope, rope.high).weight(cumulated),
        np.einsum("id,ij,jd->d", weights, below, weights),
        rtol=1e-12,
    )


@pytest.mark.parametrize("widths", [[0], [1], [0, 0, 0], [3, 3, 3], [3, 1, 1], [4, 3, 2, 1]])
def test_staircases_hold_the_pairs_of_their_rows(widths: list[int]) -> None:
    q = len(widths)
    weights = np.random.default_rng(1).exponential(size=q)
    expected = sum(weights[i] * weights[j] for i in range(q) for j in range(widths[i]))
    cumulated = np.concatenate([[0.0], np.cumsum(weights)])[:, None]
    assert Staircase.of_rows(np.array(widths)).weight(cumulated) == pytest.approx(expected)
