"""0/1 items in the hierarchical model: their likelihood, its normals, and what follows."""

import numpy as np
import pytest
from scipy import integrate, stats

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import ITEM
from bcompare.methods.hierarchical.items import STRENGTH, log_likelihood, normals
from bcompare.methods.hierarchical.method import Hierarchical

ROPE = Rope.symmetric(0.01)


def statistics(counts: FloatArray) -> SufficientStatistics:
    """From (q, 3) items that left alone, both or neither, right alone got right."""
    left, _, right = counts.T
    n = counts.sum(axis=1)
    mean = (right - left) / n
    return SufficientStatistics(
        names=tuple(map(str, range(len(n)))),
        n=n.astype(np.int64),
        mean=mean,
        ss=left + right - n * mean**2,
        rho=np.zeros(len(n)),
        binary=np.ones(len(n), np.bool_),
        unit=ITEM,
    )


def direct(left: int, neither: int, right: int, share: float, delta: float) -> float:
    """Return L(δ) by adaptive integration."""
    prior = stats.beta(STRENGTH * share, STRENGTH * (1 - share))

    def density(s: float) -> float:
        shares = (s - delta) / 2, 1 - s, (s + delta) / 2
        return float(prior.pdf(s) * np.prod(np.power(shares, (left, neither, right))))

    points = [abs(delta) + 1e-3, max((left + right) / (left + neither + right), abs(delta))]
    value, _ = integrate.quad(density, abs(delta), 1, points=points, limit=400, epsabs=0)
    return value / float(prior.sf(abs(delta)))


@pytest.mark.parametrize("share", [0.1, 0.3])
@pytest.mark.parametrize("counts", [(0, 12, 0), (1, 299, 0), (2, 6, 4), (0, 1, 4), (40, 60, 55)])
def test_the_likelihood_agrees_with_adaptive_integration(
    counts: tuple[int, int, int], share: float
) -> None:
    n, spread = sum(counts), 1 / np.sqrt(sum(counts))
    delta = (counts[2] - counts[0]) / n + spread * np.array([-0.9, -0.3, 0.01, 0.3, 0.9])
    delta = delta[np.abs(delta) < 0.99]
    logs = log_likelihood(np.array([counts], float), share, delta[None])[0]
    expected = np.log([direct(*counts, share, float(at)) for at in delta])
    assert logs - logs[0] == pytest.approx(expected - expected[0], abs=2e-3)


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_the_normals_add_up_to_the_likelihood(share: float) -> None:
    """Within 0.005 of its distribution function, and 0.06 where it ends at 1 or -1."""
    drawn = np.random.default_rng(4).multinomial(20, [share / 2, 1 - share, share / 2], 5)
    few = [[0, 3, 0], [1, 9_999, 0], [0, 10_000, 0], [7, 0, 0], [0, 0, 3]]
    counts = np.concatenate([drawn, 9 * drawn, few]).astype(np.float64)
    mean, sd, weight = np.moveaxis(normals(counts, share), 1, 0)
    assert (weight >= 0).all()
    low, high = (mean - 6 * sd).min(axis=1), (mean + 6 * sd).max(axis=1)
    x = np.linspace(np.maximum(low, -1), np.minimum(high, 1), 3_001, axis=1)
    logs = log_likelihood(counts, share, x)
    mass = np.exp(logs - logs.max(axis=1, keepdims=True))
    cdf = integrate.cumulative_trapezoid(mass, x, axis=1)
    cdf /= cdf[:, -1:]
    mixed = np.zeros_like(cdf)
    for k in range(mean.shape[1]):
        mixed += weight[:, [k]] * stats.norm.cdf(x[:, 1:], mean[:, [k]], sd[:, [k]])
    apart = np.abs(mixed - cdf).max(axis=1)
    assert apart[:-2].max() < 5e-3
    assert apart[-2:].max() < 0.06


def test_the_posterior_agrees_with_sums_over_grids() -> None:
    """ν = ∞, so that δ0 and σ0 remain; each δ_i is summed over its own likelihood."""
    counts = np.random.default_rng(8).multinomial(15, [0.1, 0.65, 0.25], 6).astype(np.float64)
    share = float((counts[:, [0, 2]].sum() + 2) / (counts.sum() + 4))
    result = Hierarchical(prior="gaussian", second=False).test(statistics(counts), ROPE)
    delta = np.linspace(-0.999, 0.999, 800)
    logs = log_likelihood(counts, share, np.broadcast_to(delta, (6, delta.size)))
    likelihood = np.exp(logs - logs.max(axis=1, keepdims=True))
    delta0 = np.linspace(-3, 3, 601)
    log_sigma0 = np.linspace(np.log(0.002), np.log(30), 80)
    density = np.empty((delta0.size, log_sigma0.size))
    for j, sigma0 in enumerate(np.exp(log_sigma0)):
        near = stats.norm.pdf(delta[:, None], delta0, sigma0)
        marginal = likelihood @ near
        density[:, j] = marginal.prod(axis=0) * sigma0
    density /= density.sum()
    assert result.delta0.mean == pytest.approx(density.sum(axis=1) @ delta0, abs=3e-3)
    assert result.delta0_regions.right == pytest.approx(
        density.sum(axis=1)[delta0 > 0.01].sum(), abs=6e-3
    )


@pytest.mark.parametrize("seed", range(90, 96))
def test_ties_of_twelve_items_are_no_equivalence(seed: int) -> None:
    """20 slices of 12 items, truth 0.06, a discordance of 0.2."""
    counts = np.random.default_rng(seed).multinomial(12, [0.07, 0.8, 0.13], 20)
    result = Hierarchical(second=False).test(statistics(counts.astype(np.float64)), ROPE)
    assert result.probabilities.rope <= 0.3
    assert result.datasets.probabilities.rope.max() < 0.95


def test_swapped_sides_swap_the_answer_of_items_and_of_folds_among_them() -> None:
    counts = np.random.default_rng(5).multinomial(30, [0.1, 0.7, 0.2], 5).astype(np.float64)
    counts[3] *= 40  # many discordant items: a Student likelihood
    one, other = (
        Hierarchical(second=False).test(statistics(side), ROPE)
        for side in (counts, counts[:, ::-1])
    )
    assert one.probabilities.left == other.probabilities.right
    assert np.array_equal(one.datasets.probabilities.left, other.datasets.probabilities.right)
    assert np.array_equal(one.datasets.delta_mean, -other.datasets.delta_mean)
