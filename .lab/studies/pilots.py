"""`make reproduce`: what `plan-gate` says after small pilots, beside what is true.

Differences on one data set are normal around 0. The true number of seeds is the smallest that
passes with probability 0.8. Many pilots are drawn, and a gate is planned from each.
"""

from dataclasses import dataclass

import numpy as np

from bcompare.data.scores import DatasetScores, Scores
from bcompare.data.units import SEED
from bcompare.gating.batch import SimulatedSuites, outcomes
from bcompare.gating.plan import ENOUGH, GatePlan, plan_gate
from bcompare.gating.rule import WORST_FIRST
from studies.study import Line, in_parallel, median, share
from studies.suites import ROPE, RULE

SD, SIZES = 0.02, (5, 10)
TRIED = range(3, 200)
# The most seeds that a plan tries, as a multiple of the pilot's.
MOST = 32
# Simulations for the truth, and in a plan; the number of seeds at which shares are compared.
OF_TRUTH, OF_PLAN, AT = 4000, 400, 10
PASS = WORST_FIRST.index("pass")


@dataclass(frozen=True)
class Said:
    """What a plan says. passes : the share that passes with as many seeds as `AT`.

    least, fewest, most : the number that is enough, and the range; infinite if none tried is.
    """

    passes: float
    least: float
    fewest: float
    most: float


def passes(rng: np.random.Generator, count: int) -> float:
    """The true share of unchanged candidates that pass."""
    x = SD * rng.standard_normal((OF_TRUTH, 1, count))
    suites = SimulatedSuites((x,), (np.zeros(1),), SEED)
    return float((outcomes(RULE, [suites.claims(ROPE, RULE)]) == PASS).mean())


def enough(rng: np.random.Generator) -> int:
    """The smallest number of seeds that is truly enough."""
    return next(count for count in TRIED if passes(rng, count) >= ENOUGH)


def said(rng: np.random.Generator, size: int) -> Said:
    """What is said after a pilot of so many seeds."""
    x = SD * rng.standard_normal(size)
    table = np.column_stack([np.full(size, 0.8), 0.8 + x])
    present = np.ones(2, np.bool_)
    dataset = DatasetScores("d", table, present, 1, size, 0.0)
    scores = Scores(("main", "pr"), (dataset,), unit=SEED)
    seed = int(rng.integers(2**31))
    plan = plan_gate(scores, baseline="main", replicates=OF_PLAN, seed=seed)
    numbers = [plan.fewest(None, spread) or np.inf for spread in ("least", "drawn", "most")]
    return Said(_at(plan), *numbers)


def _at(plan: GatePlan) -> float:
    """The share that passes with `AT` seeds, or with the most that were tried if these suffice."""
    unchanged = [row for row in plan.rows if row.loss is None]
    return next((row.passed for row in unchanged if row.count == AT), unchanged[-1].passed)


def lines(repetitions: int, seed: int) -> tuple[Line, ...]:
    """The truth; and of pilots of each size the range's coverage, its ends, and the shares."""
    rng = np.random.default_rng(seed)
    number, true = enough(rng), passes(rng, AT)
    result = [
        Line(f"seeds that pass with probability {ENOUGH:g}", float(number)),
        Line(f"{AT} seeds: pass", true, float(np.sqrt(true * (1 - true) / OF_TRUTH))),
    ]
    for size in SIZES:
        found = in_parallel(said, [(size,)] * repetitions, seed + size)
        holds = [one.least <= number <= one.most for one in found]
        what = f"pilot of {size} seeds"
        result.append(Line(f"{what}: range holds the number", *share(holds)))
        for name in ("least", "fewest", "most"):
            values = np.array([getattr(one, name) for one in found])
            values = np.minimum(values, MOST * size)  # the most that are tried
            result.append(Line(f"{what}: {name}, median", *median(values)))
        stated = np.array([one.passes for one in found])
        error = float(stated.std(ddof=1) / np.sqrt(len(stated)))
        result.append(Line(f"{what}: {AT} pass, stated", float(stated.mean()), error))
        result.append(Line(f"{what}: {AT} pass, deviation of what is stated", float(stated.std())))
    return tuple(result)
