"""Speed of the hierarchical test inside one process, on one core: the quadrature."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from bcompare.basis.messages import ComputationError
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.simulated import SimulatedResults
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.interface import Method
from bcompare.planning.simulation import ENDLESS, Simulation, Spread, more_datasets, more_scores
from benchmarks.timing import seconds

ROPE = Rope.symmetric(0.01)


def problem(q: int, n: int) -> SufficientStatistics:
    """Statistics of q data sets of n scores each that look like those of the papers."""
    rng = np.random.default_rng(q)
    sigma2 = rng.uniform(0.01, 0.06, q) ** 2
    delta = 0.01 + 0.012 * rng.standard_t(3, q)
    return SufficientStatistics(
        names=tuple(str(i + 1) for i in range(q)),
        n=np.full(q, n),
        mean=rng.normal(delta, np.sqrt(sigma2 * (1 / n + 0.1 / 0.9))),
        ss=sigma2 * rng.chisquare(n - 1, q),
        rho=np.full(q, 0.1),
    )


def shape(k: int) -> tuple[SufficientStatistics, Rope, str]:
    """The k-th of many shapes: 2 to 1,000 data sets, 3 to 100 scores, near-constant ones too."""
    rng = np.random.default_rng([8, k])
    q = int(np.exp(rng.uniform(np.log(2), np.log(1000))))
    n = int(np.exp(rng.uniform(np.log(3), np.log(100))))
    sd = 0.02 * 10.0 ** rng.choice([0.0, 0.0, -1.0, -3.0]) * rng.uniform(0.3, 2, q)
    centre, spread = rng.normal(0, 0.01), 10.0 ** rng.uniform(-4, -1)
    statistics = SufficientStatistics(
        names=tuple(str(i + 1) for i in range(q)),
        n=np.full(q, n),
        mean=centre + spread * rng.standard_t(2, q),
        ss=(n - 1) * sd**2,
        rho=np.full(q, rng.choice([0.0, 0.1])),
    )
    prior = ("corani", "tutorial", "kruschke", "juarez-steel", "gaussian")[k % 5]
    return statistics, Rope.symmetric(float(rng.choice([0.01, 0.001, 1e-5]))), prior


def scan(shapes: int = 150) -> tuple[list[list[float]], int]:
    """Seconds of processor time for each of so many shapes, and how many were refused.

    First those of the pair, then those with its data sets.
    """
    times, refused = [], 0
    for k in range(shapes):
        data, rope, prior = shape(k)
        start = time.process_time()
        try:
            result = Hierarchical(prior=prior).test(data, rope)
            of_pair = time.process_time() - start
            _ = result.datasets.probabilities  # computed now
            times.append((of_pair, time.process_time() - start))
        except ComputationError:
            refused += 1
    return [sorted(column) for column in zip(*times, strict=True)], refused


def ragged(q: int, seed: int) -> SufficientStatistics:
    """A pair on data sets of 3 to 30 scores."""
    rng = np.random.default_rng([3, seed])
    n, sd = rng.integers(3, 31, q), rng.uniform(0.01, 0.06, q)
    return SufficientStatistics(
        names=tuple(str(i + 1) for i in range(q)),
        n=n,
        mean=0.01 + 0.012 * rng.standard_t(3, q) + rng.normal(0, sd / np.sqrt(n)),
        ss=sd**2 * rng.chisquare(n - 1),
        rho=np.full(q, 0.1),
    )


def sampled(data: SufficientStatistics) -> float | None:
    """Seconds of the same pair by the project's Stan program, once compiled; None without CmdStan.

    Four chains of 1,000 draws: of the probabilities as exact as half a per cent.
    """
    try:
        method = Hierarchical(engine="stan", draws=1000)
        method.test(data, ROPE)
        return seconds(partial(method.test, data, ROPE), runs=1)
    except ComputationError:
        return None


class OneByOne(Hierarchical):
    """The test with simulated results tested one by one, as plans were before."""

    def test_simulated(self, results: SimulatedResults, rope: Rope) -> FloatArray:
        """As of any test."""
        return Method.test_simulated(self, results, rope)


def planned(method: Hierarchical, data: SufficientStatistics, simulations: int) -> float:
    """Seconds of processor time for the plan of a pair: seven amounts of data sets and of runs."""
    q = len(data)
    further = [round(q * factor) - q for factor in (1.5, 2, 3, 5)]
    draws = [partial(more_datasets, method, ROPE, data, added) for added in further]
    spread = Spread.of(data)
    draws += [partial(more_scores, data, factor, spread=spread) for factor in (2, 5, ENDLESS)]
    start = time.process_time()
    Simulation(method, ROPE, simulations, 0).run(draws, 2 * q)
    return time.process_time() - start


def plans() -> list[tuple[str, ...]]:
    """The plan of one pair, next to what it took before, in turn so that both meet the same."""
    rows: list[tuple[str, ...]] = [
        ("simulations", "1,000 in batches", "60 one by one", "1,000 one by one", "ratio")
    ]
    for q in (3, 4, 25):
        data = problem(q, 100)
        planned(Hierarchical(), data, 5)  # imports
        both = [(planned(Hierarchical(), data, 1000), planned(OneByOne(), data, 60))]
        both += [(planned(Hierarchical(), data, 1000), planned(OneByOne(), data, 60))]
        ours, before = (min(times) for times in zip(*both, strict=True))
        scaled = before * 1000 / 60
        seconds_of = (f"{ours:.1f} s", f"{before:.1f} s", f"{scaled:.0f} s", f"{scaled / ours:.0f}")
        rows.append((f"one pair, {q} data sets × 100", *seconds_of))
    return rows


def tables(folder: Path) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """One pair of more and more data sets, many pairs, and random shapes."""
    rows: list[tuple[str, ...]] = [("what", "the pair", "with its data sets", "instead", "ratio")]
    method = Hierarchical()

    def whole(data: SufficientStatistics) -> object:
        return method.test(data, ROPE).datasets.probabilities

    for q, n in ((5, 100), (54, 100), (200, 100), (1000, 100), (5000, 100), (10_000, 10)):
        data = problem(q, n)
        alone, both = (seconds(partial(f, data), runs=3) for f in (_alone, whole))
        other = sampled(data) if q == 54 else None
        rows.append((
            f"one pair, {q:,} data sets × {n}", f"{1000 * alone:.0f} ms", f"{1000 * both:.0f} ms",
            "" if other is None else f"CmdStan: {other:.1f} s",
            "" if other is None else f"{other / both:.0f}",
        ))  # fmt: skip
    many = {
        "each of 50 pairs, 54 × 100": [problem(54, 100 + k) for k in range(50)],
        "each of 50 pairs, 34 × 3 to 30": [ragged(34, k) for k in range(50)],
    }
    for name, pairs in many.items():
        took = seconds(partial(method.test_all, pairs, ROPE), runs=1) / len(pairs)
        rows.append((name, f"{1000 * took:.0f} ms", "", "", ""))
    yield "Hierarchical test by quadrature, error control included", rows
    scanned, refused = scan()
    header = ("", "median", "99 %", "worst", "refused")
    at = (len(scanned[0]) // 2, int(0.99 * len(scanned[0])), -1)
    result = [
        (name, *(f"{1000 * times[k]:.0f} ms" for k in at), str(refused))
        for name, times in zip(("the pair", "with its data sets"), scanned, strict=True)
    ]
    yield f"Hierarchical test, {len(scanned[0])} random shapes, processor time", [header, *result]
    yield "Plans of seven amounts by hier, processor time", plans()


def _alone(data: SufficientStatistics) -> object:
    return Hierarchical().test(data, ROPE)
