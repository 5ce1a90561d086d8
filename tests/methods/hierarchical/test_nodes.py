"""Nodes that stand for thousands of data sets in the likelihood."""

import numpy as np
import pytest

from bcompare.data.rope import Rope
from bcompare.methods.hierarchical.canonical import Canonical, Problem
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.model import model_data
from bcompare.methods.hierarchical.priors import PRIORS
from bcompare.methods.hierarchical.quadrature import posterior
from bcompare.methods.hierarchical.quadrature.posterior import condensed
from tests.methods.hierarchical.examples import error_of, simulated, statistics_of, triple

pytestmark = pytest.mark.slow

ROPE = Rope.symmetric(0.01)


def problem(q: int, n: int | np.ndarray = 10, prior: str = "corani") -> Problem:
    data = model_data(simulated(q, n=n, seed=q), ROPE, nu_prior=PRIORS[prior])
    return Canonical(data, ROPE).problem


@pytest.mark.parametrize("power", [0, 1, 2, 5])
def test_nodes_are_few_and_have_the_moments_of_the_scales(power: int) -> None:
    """Interpolation by six points is exact for polynomials of degree 5."""
    whole = problem(6000)
    nodes = condensed(whole, 0.3)
    assert nodes.mean.size < 1500
    exact = (whole.count * np.log(whole.scale) ** power).sum()
    found = (nodes.count * np.log(nodes.scale) ** power).sum()
    np.testing.assert_allclose(found, exact, rtol=1e-9)


def test_data_sets_of_many_sizes_or_few_stay_as_they_are() -> None:
    few = problem(300)
    assert condensed(few, 0.3) is few
    mixed = problem(2000, np.random.default_rng(1).integers(3, 400, 2000))
    assert condensed(mixed, 0.3) is mixed


@pytest.mark.parametrize(("means", "q"), [("equal", 1000), ("spread", 2500)])
def test_answers_are_those_of_all_data_sets(
    means: str, q: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(7)
    mean = 0.0095 + 0.01 * rng.standard_t(3, q) if means == "spread" else np.full(q, 0.01)
    sd = rng.uniform(0.01, 0.03, q) * np.sqrt(rng.chisquare(9, q) / 9)
    data = statistics_of(mean, sd, 10, 0.0)
    whole = Canonical(Hierarchical().data(data, ROPE), ROPE).problem
    assert condensed(whole, 0.3).mean.size < q / 2
    found = Hierarchical().test(data, ROPE)
    monkeypatch.setattr(posterior, "condensed", lambda whole, step: whole)
    known = Hierarchical().test(data, ROPE)
    allowed = error_of(found)
    for name in ("probabilities", "theta_mean", "delta0_regions"):
        off = np.abs(triple(getattr(found, name)) - triple(getattr(known, name))).max()
        assert off <= allowed, name
    off = np.abs(triple(found.datasets.probabilities) - triple(known.datasets.probabilities)).max()
    assert off <= allowed
