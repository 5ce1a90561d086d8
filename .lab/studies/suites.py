"""`make reproduce`: a gate over a whole suite, and over several metrics: how often it fails.

Pull requests are simulated with a known difference on each data set, and judged by the rule of
`bcompare gate`: Holm's correction over every data set and their average, of all metrics. One that
is nowhere worse by more than the rope fails in at most alpha of them.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.units import FOLD, ITEM, SEED, Unit
from bcompare.gating.batch import SimulatedClaims, SimulatedSuites, outcomes
from bcompare.gating.rule import WORST_FIRST, GateRule
from studies.study import portions

R = 0.01
ROPE, RULE = Rope.of(R), GateRule()
# The most numbers that are drawn at once.
MOST = 1_000_000
SIZES = (6, 20, 100)
# The true difference on the first data set, and on the others.
TRUTHS = {
    "equal": (0.0, 0.0),
    "on the border": (-R, -R),
    "one worse by two ropes": (-2 * R, 0.0),
    "one worse by five ropes": (-5 * R, 0.0),
    "all worse by one more rope": (-2 * R, -2 * R),
}
NOWHERE_WORSE = ("equal", "on the border")
# Several metrics of six data sets with folds: one has such a truth, the others are equal.
CORRELATIONS = (0.0, 0.5, 0.9)
METRICS = 3
OF_METRICS = (*NOWHERE_WORSE, "all worse by one more rope")


@dataclass(frozen=True)
class Rows:
    """What a data set has. sd : of a difference, but for a factor that varies over data sets."""

    name: str
    unit: Unit
    n: int
    sd: float
    rho: float


ROWS = (
    Rows("10 folds", FOLD, 10, 0.02, 0.1),
    Rows("10 seeds", SEED, 10, 0.02, 0.0),
    Rows("1,000 items", ITEM, 1000, 0.25, 0.0),
    # of cross-validation of 200 rows
    Rows("10 folds that differ much", FOLD, 10, 0.10, 0.1),
)


def differences(
    rows: Rows, truths: FloatArray, correlation: float, rng: np.random.Generator, count: int = 1
) -> FloatArray:
    """(count, data sets, n, metrics) differences, correlated over folds and between metrics."""
    q, metrics = truths.shape
    sd = (rows.sd * np.exp(0.3 * rng.standard_normal((count, q))))[:, :, None, None]
    mixed = np.linalg.cholesky(
        np.full((metrics, metrics), correlation) + (1 - correlation) * np.eye(metrics)
    )
    shared = rng.standard_normal((count, q, 1, metrics)) @ mixed.T
    own = rng.standard_normal((count, q, rows.n, metrics)) @ mixed.T
    noise = np.sqrt(rows.rho) * shared + np.sqrt(1 - rows.rho) * own
    return np.asarray(truths[:, None, :] + sd * noise)


def judged(rows: Rows, tables: FloatArray) -> list[tuple[str, bool]]:
    """What the gate says of each table, and whether any claim alone would have made it cry."""
    rho = np.full(tables.shape[1], rows.rho)
    of_metrics: list[SimulatedClaims] = []
    for metric in range(tables.shape[3]):
        suites = SimulatedSuites((tables[:, :, :, metric],), (rho,), rows.unit)
        of_metrics.append(suites.claims(ROPE, RULE))
    words = [WORST_FIRST[position] for position in outcomes(RULE, of_metrics).tolist()]
    worse = np.concatenate([claims.worse for claims in of_metrics], axis=1)
    most = worse.max(axis=1).tolist()
    return [(word, p > RULE.prob) for word, p in zip(words, most, strict=True)]


def rates(
    rows: Rows, truths: FloatArray, correlation: float, repetitions: int, rng: np.random.Generator
) -> dict[str, float]:
    """How often the gate fails, passes, cannot tell; and would have cried uncorrected."""
    found: list[tuple[str, bool]] = []
    for count in portions(repetitions, max(MOST // (truths.size * rows.n), 1)):
        found += judged(rows, differences(rows, truths, correlation, rng, count))
    words = Counter(word for word, _ in found)
    shares = {key: words[key] / repetitions for key in ("fail", "pass", "undecided")}
    return shares | {"uncorrected": sum(cried for _, cried in found) / repetitions}


def truths_of(name: str, q: int, metrics: int = 1) -> FloatArray:
    """(q, metrics) true differences; of several metrics only the first one is other than equal."""
    first, others = TRUTHS[name]
    truths = np.zeros((q, metrics))
    truths[:, 0] = others
    truths[0, 0] = first
    return truths
