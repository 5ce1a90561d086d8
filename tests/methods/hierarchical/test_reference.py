"""The published figures, and the reference answers on the three pairs of uci54."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bcompare.data.rope import Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.model import HierarchicalResult, Marginal
from tests.methods.hierarchical.examples import error_of, triple

Pair = tuple[str, str]

PAIRS = [("nbc", "aode"), ("nbc", "j48"), ("aode", "j48")]
ROPE = Rope.symmetric(0.01)


@pytest.fixture(scope="module")
def results(uci54: dict[Pair, SufficientStatistics]) -> dict[Pair, HierarchicalResult]:
    method = Hierarchical()
    return {pair: method.test(uci54[pair], ROPE) for pair in PAIRS}


@pytest.fixture(scope="module")
def reference(shared_data: Path) -> dict[Pair, Any]:
    found = json.loads((shared_data / "hier_reference.json").read_text())
    return {(pair["left"], pair["right"]): pair for pair in found["pairs"]}


@pytest.mark.parametrize("pair", PAIRS)
def test_probabilities_of_the_converged_reference(
    results: dict[Pair, HierarchicalResult], reference: dict[Pair, Any], pair: Pair
) -> None:
    """Two independent integrations and a CmdStan run agree on these; good to 1e-4."""
    result, expected = results[pair], reference[pair]["quadrature"]
    for found, name in ((result.probabilities, "p"), (result.theta_mean, "theta_mean")):
        wanted = [expected[name][region] for region in ("left", "rope", "right")]
        np.testing.assert_allclose(triple(found), wanted, rtol=0, atol=1e-3)
    assert error_of(result) <= 5e-4


@pytest.mark.parametrize(
    ("pair", "printed"),
    [
        (("nbc", "aode"), (0.00, 0.28, 0.72)),
        (("nbc", "j48"), (0.20, 0.01, 0.79)),
        (("aode", "j48"), (0.46, 0.51, 0.03)),
    ],
)
def test_tutorial_table_12(
    results: dict[Pair, HierarchicalResult], pair: Pair, printed: tuple[float, float, float]
) -> None:
    """Its figures are shares of 4000 draws, rounded: both errors are allowed for."""
    p = triple(results[pair].probabilities)
    monte_carlo = 4 * np.sqrt(p * (1 - p) / 4000)
    assert (np.abs(p - printed) <= 0.005 + monte_carlo).all()


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("name", ["delta0", "sigma0", "nu"])
def test_parameters_of_the_reference(
    results: dict[Pair, HierarchicalResult], reference: dict[Pair, Any], pair: Pair, name: str
) -> None:
    """Moments to 1 % of the standard deviation; quantiles to 1e-3 in probability."""
    found: Marginal = getattr(results[pair], name)
    expected = reference[pair]["quadrature"][name]
    assert found.mean == pytest.approx(expected["mean"], abs=0.01 * expected["sd"])
    assert found.sd == pytest.approx(expected["sd"], rel=0.02)
    curve = found.density
    quantiles = [expected[q] for q in ("q05", "q50", "q95")]
    at = np.interp(quantiles, curve.grid, curve.cdf)
    np.testing.assert_allclose(at, [0.05, 0.5, 0.95], rtol=0, atol=1e-3)
    mine = np.interp(
        [found.intervals[0.9][0], found.median, found.intervals[0.9][1]], curve.grid, curve.cdf
    )
    np.testing.assert_allclose(mine, [0.05, 0.5, 0.95], rtol=0, atol=1e-3)


@pytest.mark.parametrize("pair", PAIRS)
def test_delta0_prior_of_the_papers_makes_no_visible_difference(
    uci54: dict[Pair, SufficientStatistics], results: dict[Pair, HierarchicalResult], pair: Pair
) -> None:
    """They take unif(-1, 1) for scores in 0…1; here it is flat unless bounds are given."""
    bounded = Hierarchical(delta0_bounds=(-1.0, 1.0)).test(uci54[pair], ROPE)
    np.testing.assert_allclose(
        triple(bounded.probabilities), triple(results[pair].probabilities), rtol=0, atol=5e-4
    )


def test_curves_are_densities_and_their_integrals(
    results: dict[Pair, HierarchicalResult],
) -> None:
    result = results["nbc", "j48"]
    assert result.nu is not None
    marginals = (result.delta0, result.sigma0, result.nu)
    for curve in (*(marginal.density for marginal in marginals), result.next_delta):
        assert (np.diff(curve.grid) > 0).all()
        assert (np.diff(curve.cdf) >= 0).all()
        slope = np.diff(curve.cdf) / np.diff(curve.grid)
        middle = (curve.density[1:] + curve.density[:-1]) / 2
        core = middle > 0.3 * middle.max()
        np.testing.assert_allclose(slope[core], middle[core], rtol=0.05)
        assert curve.cdf[0] < 0.01
        assert curve.cdf[-1] > 0.99
        for array in (curve.grid, curve.density, curve.cdf):
            assert not array.flags.writeable
    following = result.next_delta
    below, above = np.interp([-0.01, 0.01], following.grid, following.cdf)
    assert below == pytest.approx(result.theta_mean.left, abs=2e-3)
    assert 1 - above == pytest.approx(result.theta_mean.right, abs=2e-3)
