"""Corani & Benavoli 2015, Figure 2: power of the Poisson-binomial test next to Wilcoxon's.

q = 50 or 25 data sets of 25 to 1,000 cases, cross-validated once or ten times; true differences
equal on all data sets (Figure 2a), or Cauchy with median and scale δ̄ (Figure 2b). Both tests
one-sided at 5 %: P(X > q/2) > 0.95, and p < 0.05. By the paper both err in at most 5 % at δ = 0;
with ten runs the Poisson-binomial test is generally the more powerful one, with one run the less
powerful.
"""

from collections.abc import Sequence

import numpy as np

from bcompare.data.rope import Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.poisson_binomial import PoissonBinomial
from studies.generators import cauchy, cross_validated
from studies.study import Line, Paper, in_parallel, portions, share

CASES = (25, 50, 100, 250, 500, 1000)
SIZES, RUNS = (50, 25), (1, 10)
PORTION = 50
NO_ROPE = Rope.symmetric(0.0)


def figure2a(repetitions: int, seed: int) -> tuple[Line, ...]:
    """The same difference on all data sets."""
    return _lines("equal", np.arange(11) / 100, repetitions, seed)


def figure2b(repetitions: int, seed: int) -> tuple[Line, ...]:
    """Differences that scatter."""
    return _lines("cauchy", np.arange(6) / 100, repetitions, seed)


def repeat(
    rng: np.random.Generator, kind: str, delta: float, runs: int, repetitions: int
) -> np.ndarray:
    """(r, sizes, 2) whether either test finds the second classifier better."""
    q = max(SIZES)
    total = repetitions * q
    differences = np.full(total, delta) if kind == "equal" else cauchy(rng, total, delta, delta)
    result = cross_validated(rng, 0.5 + np.abs(differences), rng.choice(CASES, total), runs)
    statistics = result.statistics(differences < 0)
    parts = [
        part
        for r in range(repetitions)
        for part in (_some(statistics, r * q, size) for size in SIZES)
    ]
    results = [PoissonBinomial().test(part, NO_ROPE) for part in parts]
    hits = [(x.p_right_majority > 0.95, x.wilcoxon.p_right_better < 0.05) for x in results]
    return np.array(hits).reshape(repetitions, len(SIZES), 2)


def _some(statistics: SufficientStatistics, start: int, size: int) -> SufficientStatistics:
    at = slice(start, start + size)
    return SufficientStatistics(
        statistics.names[:size], statistics.n[at], statistics.mean[at], statistics.ss[at],
        statistics.rho[at],
    )  # fmt: skip


def _lines(
    kind: str, deltas: Sequence[float] | np.ndarray, repetitions: int, seed: int
) -> tuple[Line, ...]:
    result = []
    power: dict[tuple[int, int, str], list[float]] = {}
    for runs in RUNS:
        for delta in map(float, deltas):
            tasks = [(kind, delta, runs, r) for r in portions(repetitions, PORTION)]
            hits = np.concatenate(in_parallel(repeat, tasks, seed + runs + round(1e4 * delta)))
            for i, q in enumerate(SIZES):
                for j, name in enumerate(("Poisson-binomial", "signed-rank")):
                    ours, error = share(hits[:, i, j])
                    power.setdefault((runs, q, name), []).append(ours)
                    result.append(
                        Line(
                            what=f"q = {q}, {runs} run{'s' * (runs > 1)}, δ = {delta:g}: {name}",
                            ours=ours,
                            error=error,
                            paper=Paper(below=0.05) if delta == 0 else None,
                            series=f"{name}, q = {q}, {runs} run{'s' * (runs > 1)}",
                            x=delta,
                        )
                    )
    for runs, paper in ((10, Paper(above=0.0)), (1, Paper(below=0.0))):
        for q in SIZES:
            gain = np.subtract(
                power[runs, q, "Poisson-binomial"][1:], power[runs, q, "signed-rank"][1:]
            )
            error = float(np.sqrt(2 * 0.25 / repetitions / len(gain)))
            result.append(
                Line(
                    what=f"q = {q}, {runs} run{'s' * (runs > 1)}: mean gain in power of "
                    "Poisson-binomial",
                    ours=float(gain.mean()),
                    error=error,
                    paper=paper,
                )
            )
    return tuple(result)
