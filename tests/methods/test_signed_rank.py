"""The Bayesian signed-rank test, and the weights of pair sums that it rests on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import MEAN
from bcompare.methods import signed_rank
from bcompare.methods.mean_differences import PRIOR_PLACES, PriorPlace
from bcompare.methods.signed_rank import Border, SignedRank, _Block, signed_rank_test
from bcompare.methods.wilcoxon import wilcoxon

FEW = 200


@pytest.mark.parametrize(
    ("place", "p_right"),
    [
        # θ_right = 1 - w0², w0 ~ Beta(½, 1): P(w0 < √½) = 2^-¼
        ("rope", 2**-0.25),
        # θ_right = w1²: P(w0 < 1 - √½)
        ("left", (1 - 2**-0.5) ** 0.5),
        ("right", 1.0),
        # θ_right = w1² + w0 w1 + w0²/2 > ½ always
        ("split", 1.0),
    ],
)
def test_one_data_set_has_a_closed_form(place: PriorPlace, p_right: float) -> None:
    result = signed_rank_test([0.5], prior_place=place)
    assert result.error is not None
    assert abs(result.probabilities.right - p_right) < 4 * result.error.value


MIXED = np.append(np.random.default_rng(21).normal(0.004, 0.02, 15), [0.01, 0.01, -0.01, 0.03])
SYMMETRIC = np.array([-0.05, -0.02, 0.02, 0.05])  # the rope alone decides which side is which


@pytest.mark.parametrize(
    ("z", "rope"),
    [
        (MIXED, Rope(0, 0)),
        (MIXED, Rope(-0.01, 0.01)),
        (MIXED, Rope(-0.005, 0.02)),
        (SYMMETRIC, Rope(-0.01, 0.03)),
    ],
)
def test_agrees_with_dirichlet_draws_and_matrices(z: FloatArray, rope: Rope) -> None:
    """The double sum of Tutorial eq. 11."""
    rng = np.random.default_rng(22)
    sums = np.add.outer(np.append(0, z), np.append(0, z))

    def step(x: FloatArray) -> FloatArray:
        return (x > 1e-12) + 0.5 * (np.abs(x) <= 1e-12)

    w = rng.dirichlet([0.5] + [1] * len(z), 20_000)
    right = np.einsum("di,ij,dj->d", w, step(sums - 2 * rope.high), w, optimize=True)
    left = np.einsum("di,ij,dj->d", w, step(2 * rope.low - sums), w, optimize=True)
    winner = np.argmax([left, 1 - left - right, right], axis=0)
    p = np.bincount(winner, minlength=3) / len(w)
    computed = np.array([*signed_rank_test(z, rope=rope).probabilities])
    error = np.sqrt(p * (1 - p) * (1 / 20_000 + 1 / 150_000))
    np.testing.assert_array_less(np.abs(computed - p), 4 * error + 1e-12)


def of_means(z: ArrayLike) -> SufficientStatistics:
    mean = np.asarray(z, dtype=np.float64)
    names, zero = tuple(map(str, range(mean.size))), np.zeros(mean.size)
    return SufficientStatistics(names, np.ones(mean.size, np.int64), mean, zero, zero, unit=MEAN)


def test_mean_of_theta_has_a_closed_form() -> None:
    """E[w_i w_j] of Dirichlet(s, 1, …, 1) is a_i a_j / (A(A + 1)), twice that for i = j ≥ 1."""
    z = np.array([-0.05, -0.01, 0.0, 0.013, 0.02, 0.04])
    theta = SignedRank().draw_theta(of_means(z), Rope.symmetric(0.01))
    a = np.array([0.5] + [1] * 6)
    moments = (np.outer(a, a) + np.diag(a)) / (a.sum() * (a.sum() + 1))
    sums = np.add.outer(np.append(0, z), np.append(0, z))
    right = (moments * ((sums > 0.02 + 1e-9) + 0.5 * (np.abs(sums - 0.02) < 1e-9))).sum()
    left = (moments * ((sums < -0.02 - 1e-9) + 0.5 * (np.abs(sums + 0.02) < 1e-9))).sum()
    error = theta.std(axis=0) / len(theta) ** 0.5
    expected = np.array([left, 1 - left - right, right])
    np.testing.assert_array_less(np.abs(theta.mean(axis=0) - expected), 4 * error)


@pytest.mark.parametrize("block", [1, 500, 10_000])
def test_blocks_of_any_size_hold_the_same_draws(
    monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    z = np.random.default_rng(4).normal(0.002, 0.02, 30)
    expected = signed_rank_test(z, draws=1000)
    monkeypatch.setattr(signed_rank, "BLOCK", block)
    for place, p in signed_rank_test(z, draws=1000).sensitivity.items():
        assert [*p] == [*expected.sensitivity[place]]


def test_error_is_the_spread_over_seeds() -> None:
    z = np.random.default_rng(9).normal(0.002, 0.02, 20)
    results = [signed_rank_test(z, draws=1000, seed=seed) for seed in range(100)]
    p = np.array([[*result.probabilities] for result in results])
    error = results[0].error
    assert error is not None
    assert error.kind == "monte-carlo"
    # The spread of 100 values is known to 7 %, its largest of three by design; four of those.
    assert p.std(axis=0).max() == pytest.approx(error.value, rel=4 * 0.07)


def test_error_is_not_zero_where_every_draw_agrees() -> None:
    result = signed_rank_test(np.full(30, 0.5), draws=1000)
    assert result.probabilities.right == 1
    assert result.error is not None
    assert 0 < result.error.value < 1e-3


def test_everything_on_the_border_counts_half() -> None:
    """θ_right = θ_rope in every draw without a prior: an even split, not a matter of rounding."""
    p = signed_rank_test(np.full(7, 0.85 - 0.84), rope=0.01, prior_strength=0, draws=FEW)
    assert [*p.probabilities] == [0.0, 0.5, 0.5]


def test_exact_wilcoxon_is_an_option() -> None:
    z = np.array([0.01, 0.02, -0.03, 0.04, 0.05])
    assert signed_rank_test(z, draws=FEW, exact=True).nhst == wilcoxon(z, exact=True)


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


def test_equal_differences_have_the_exact_p_value_and_a_note() -> None:
    result = signed_rank_test([0.12 - 0.1, 0.52 - 0.5, 0.02, 0.02, 0.02])
    assert result.nhst.p_value == 2 / 2**5  # of which none of five can have less
    assert "zero-variance" in [note.code for note in result.notes]
    assert "zero-variance" not in [n.code for n in signed_rank_test([0.02] * 4 + [0.03]).notes]
