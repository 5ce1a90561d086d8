"""Simulated suites of hier in one batch, against the exact engine, suite by suite."""

from dataclasses import replace
from functools import lru_cache, partial

import numpy as np
import pytest

from bcompare.data.rope import BoolArray, FloatArray, Rope
from bcompare.data.simulated import SimulatedResults
from bcompare.data.units import FOLD, ITEM
from bcompare.methods import load_method
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.model import PRIORS
from bcompare.methods.hierarchical.quadrature import batch
from bcompare.methods.interface import Method
from bcompare.planning.power import Assumed
from bcompare.planning.simulation import Simulation, more_datasets

ROPE = Rope.of(0.01)
HIER = Hierarchical(second=False)

# The error that a plan may have, as its method says.
ALLOWED = 0.01


def suites(kind: str, q: int, count: int, seed: int) -> SimulatedResults:
    """Draw suites of q data sets of which the truths, and the designs, are of one kind."""
    rng = np.random.default_rng([seed, q])
    shape = (count, q)
    centre = rng.choice([0.0, 0.005, 0.012, 0.02, 0.03], (count, 1))
    spread = rng.choice([0.003, 0.01, 0.03], (count, 1))
    delta = centre + spread * rng.standard_normal(shape)
    n = np.full(shape, 100)
    rho = np.full(shape, 0.1)
    noise = np.full(shape, 0.03)
    if kind == "heavy tails":
        delta = centre + spread * rng.standard_t(1.5, shape)
    if kind == "few scores":
        n = np.full(shape, 5)
        rho = np.full(shape, 0.2)
    if kind == "unlike designs":
        n = np.broadcast_to(rng.integers(4, 60, q), shape)
        rho = np.broadcast_to(rng.choice([0.0, 0.1, 0.2], q), shape)
        noise = np.broadcast_to(0.03 * np.exp(rng.normal(0, 0.8, q)), shape)
    if kind == "no variance":
        noise = noise * (np.arange(q) % 3 > 0)
        delta = np.where((noise == 0) & (np.arange(q) % 2 == 0), 0.0, delta)
    if kind == "one far away":
        delta = delta + np.where(np.arange(q) == 0, 0.5, 0.0)
    mean = delta + noise * np.sqrt(1 / n + rho / (1 - rho)) * rng.standard_normal(shape)
    ss = noise**2 * rng.chisquare(n - 1)
    return SimulatedResults(n, mean, ss, rho, np.zeros(shape, np.bool_), FOLD)


def one_by_one(method: Method, results: SimulatedResults, rope: Rope = ROPE) -> FloatArray:
    return Method.test_simulated(method, results, rope)


def in_batch(results: SimulatedResults, rope: Rope = ROPE) -> tuple[FloatArray, BoolArray]:
    made = HIER._suites(results, rope)
    assert made is not None
    return batch.batch_probabilities(made, rope, PRIORS["corani"])


def forget_tables() -> None:
    for cache in (batch._table, batch._layer, batch._reach_table):
        cache.cache_clear()


@lru_cache
def many_with_heavy_tails() -> tuple[SimulatedResults, FloatArray]:
    """Suites, and what the exact way says of them."""
    results = suites("heavy tails", 40, 60, 6)
    return results, one_by_one(HIER, results)


KINDS = (
    "normal",
    "heavy tails",
    "few scores",
    "unlike designs",
    "no variance",
    "one far away",
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("q", [3, 4, 25])
def test_a_batch_is_as_exact_as_it_says(kind: str, q: int) -> None:
    results = suites(kind, q, 8, 1)
    ours, held = in_batch(results)
    assert held.mean() > 0.8
    exact = one_by_one(HIER, results)
    assert np.abs(HIER.test_simulated(results, ROPE) - exact).max() <= ALLOWED
    assert np.abs(ours - exact)[:, held].max() <= ALLOWED


@pytest.mark.parametrize(
    "method",
    [
        replace(HIER, over="average"),
        replace(HIER, prior="gaussian"),
        replace(HIER, prior="tutorial"),
        replace(HIER, prior="kruschke"),
        replace(HIER, alpha_bounds=(0.5, 0.6)),
        replace(HIER, empirical_bayes=True),
    ],
    ids=lambda method: method.describe(),
)
@pytest.mark.parametrize("q", [2, 40])
def test_so_it_is_under_other_options(method: Hierarchical, q: int) -> None:
    results = suites("normal", q, 8, 2)
    exact = one_by_one(method, results)
    assert np.abs(method.test_simulated(results, ROPE) - exact).max() <= ALLOWED


@pytest.mark.parametrize("rope", [Rope.of((-0.005, 0.03)), Rope.of(0.0), Rope.of(1e-6)], ids=str)
def test_so_it_is_with_other_ropes(rope: Rope) -> None:
    results = suites("normal", 6, 8, 3)
    exact = one_by_one(HIER, results, rope)
    assert np.abs(HIER.test_simulated(results, rope) - exact).max() <= ALLOWED


@pytest.mark.parametrize("kind", ["normal", "unlike designs"])
def test_mirrored_pairs_have_swapped_answers_to_the_last_digit(kind: str) -> None:
    results = suites(kind, 6, 30, 4)
    rope = Rope.of((-0.005, 0.02))
    image = replace(results, mean=-results.mean)
    ours = HIER.test_simulated(results, rope)
    assert np.array_equal(HIER.test_simulated(image, rope.mirrored()), ours[::-1])


def test_the_unit_does_not_matter() -> None:
    results = suites("normal", 6, 30, 5)
    percent = replace(results, mean=100 * results.mean, ss=100**2 * results.ss)
    ours = HIER.test_simulated(results, ROPE)
    assert HIER.test_simulated(percent, Rope.of(1.0)) == pytest.approx(ours, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NU_STEP", 2.5),
        ("FINENESS_OF_MANY", (5, 11, 4.5)),
        ("FINENESS_OF_MANY", (13, 5, 4.5)),
        ("FINENESS_OF_MANY", (13, 11, 2.0)),
        ("LOW_DEPTH", 0.5),
        ("HIGH_DEPTH", 0.5),
        ("LAST_V", 3.0),
    ],
    ids=["ν", "σ0", "δ0", "ends of δ0", "start of σ0", "end of σ0", "table"],
)
def test_suites_that_a_grid_cuts_go_the_exact_way(
    name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a grid is made too coarse or too short, suites are wrong, and none is answered so."""
    results, exact = many_with_heavy_tails()
    monkeypatch.setattr(batch, name, value)
    forget_tables()
    try:
        ours, held = in_batch(results)
        mixed = HIER.test_simulated(results, ROPE)
    finally:
        forget_tables()
    wrong = np.abs(ours - exact).max(axis=0) > ALLOWED
    assert wrong.any()
    assert not (wrong & held).any()
    assert np.array_equal(mixed[:, ~held], exact[:, ~held])
    assert np.abs(mixed - exact).max() <= ALLOWED


def test_a_data_set_beyond_the_table_goes_the_exact_way() -> None:
    results = suites("normal", 6, 4, 10)
    far = results.mean.copy()
    far[0, 0] = 1e4
    results = replace(results, mean=far)
    _, held = in_batch(results)
    assert held.tolist() == [False, True, True, True]
    exact = one_by_one(HIER, results)
    assert np.array_equal(HIER.test_simulated(results, ROPE)[:, 0], exact[:, 0])


@pytest.mark.parametrize(
    "method",
    [
        replace(HIER, delta0_bounds=(-0.1, 0.1)),
        replace(HIER, sigma0_bound=0.1),
        replace(HIER, alpha_bounds=(1.0, 1.0), beta_bounds=(0.005, 0.005)),
    ],
    ids=["δ0", "σ0", "ν"],
)
def test_priors_that_no_grid_holds_go_the_exact_way(method: Hierarchical) -> None:
    results = suites("normal", 5, 4, 7)
    assert np.array_equal(method.test_simulated(results, ROPE), one_by_one(method, results))


def test_few_01_items_go_the_exact_way() -> None:
    shape = (3, 4)
    right = np.full(shape, 9.0)
    n = np.full(shape, 60)
    mean = right / n
    results = SimulatedResults(
        n, mean, right - n * mean**2, np.zeros(shape), np.ones(shape, np.bool_), ITEM
    )
    assert np.array_equal(HIER.test_simulated(results, ROPE), one_by_one(HIER, results))


def test_clusters_worth_less_than_three_rows_go_the_exact_way() -> None:
    results = suites("normal", 5, 4, 11)
    results = replace(results, n=np.full(results.n.shape, 2.4))
    assert np.array_equal(HIER.test_simulated(results, ROPE), one_by_one(HIER, results))


def test_processes_change_no_bit() -> None:
    now = next(iter(suites("normal", 8, 1, 8).each()))
    draws = [partial(more_datasets, HIER, ROPE, now, added) for added in (4, 8)]
    one = Simulation(HIER, ROPE, 400, 3, 1).run(draws, 200)
    two = Simulation(HIER, ROPE, 400, 3, 2).run(draws, 200)
    for ours, theirs in zip(one, two, strict=True):
        assert np.array_equal(np.stack([*ours]), np.stack([*theirs]))


@pytest.mark.parametrize("test", ["hier", "averaged", "sign"])
def test_the_first_data_sets_are_the_same_however_many_follow(test: str) -> None:
    """Common random numbers: chances rise with the amount, and not by chance."""
    now = next(iter(suites("normal", 8, 1, 9).each()))
    method = (
        load_method("hier").configured(population="averaged")
        if test == "averaged"
        else load_method(test)()
    )
    few = method.further(now, ROPE, (50, 4), np.random.default_rng(1))
    many = method.further(now, ROPE, (50, 9), np.random.default_rng(1))
    for name in ("n", "mean", "ss", "rho"):
        assert np.array_equal(getattr(few, name), getattr(many, name)[:, :4])


def test_so_are_those_of_assumed_designs() -> None:
    assumed = Assumed(0.01, 0.02, 0.03, 4, 20, 0.1, FOLD)
    few = assumed(50, np.random.default_rng(1))
    many = replace(assumed, sets=9)(50, np.random.default_rng(1))
    assert np.array_equal(few.mean, many.mean[:, :4])
    assert np.array_equal(few.ss, many.ss[:, :4])
