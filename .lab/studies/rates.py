"""`make reproduce`: how often a gate is wrong on the rope's border, over the designs people have.

Candidates are worse by exactly the rope, on each of q data sets: failing and passing are both
errors. Every design is scanned; those that err most are measured with all repetitions.
"""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from bcompare.data.rope import FloatArray
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import FOLD, SEED
from bcompare.gating.claims import suite_claims
from bcompare.gating.rule import WORST_FIRST, judge
from studies.study import Line, in_parallel, share
from studies.suites import METHOD, ROPE, RULE, R

SIZES = (1, 6, 25, 100)
SEEDS = (5, 10, 12, 13, 15, 30)
FOLDS, RUNS, ALIKE = (5, 10), (1, 10), (1.0, 1.5, 2.0)
SD = 0.02
# Of each kind the designs that err most are measured again; the scan has fewer cases.
AGAIN, FEWER = 2, 10
MEAN_OF_LOGNORMAL = float(np.exp(0.5))


@dataclass(frozen=True)
class Design:
    """q data sets of n differences.

    kind : as the table names it. shape : of their distribution. rho : their correlation as assumed,
    and alike : what it really is, in multiples. sign : -1 if the long tail is below.
    """

    kind: str
    q: int
    n: int
    shape: str = "normal"
    rho: float = 0.0
    alike: float = 1.0
    sign: int = 1

    def __str__(self) -> str:
        sets = "1 data set" if self.q == 1 else f"{self.q} data sets"
        return f"{sets} of {self.n} {'folds' if self.rho else 'seeds'}"

    def drawn(self, rng: np.random.Generator) -> FloatArray:
        """(q, n) differences, on the border on average."""
        size = (self.q, self.n)
        normal = rng.standard_normal(size)
        values = {
            "normal": normal,
            "t4": normal / np.sqrt(rng.chisquare(4, size) / 4),
            "exponential": rng.exponential(size=size) - 1,
            "lognormal": np.exp(normal) - MEAN_OF_LOGNORMAL,
        }[self.shape]
        rho = self.alike * self.rho
        shared = rng.standard_normal((self.q, 1))
        values = np.sqrt(rho) * shared + np.sqrt(1 - rho) * values
        scale = SD * np.exp(0.3 * rng.standard_normal((self.q, 1)))
        return np.asarray(-R + self.sign * scale * values)


DESIGNS = (
    *(
        Design(f"folds, correlated by {alike:g}/k", q, k * runs, rho=1 / k, alike=alike)
        for alike, q, k, runs in product(ALIKE, SIZES, FOLDS, RUNS)
    ),
    *(
        Design(f"seeds, {shape}", q, n, shape, sign=sign)
        for shape in ("normal", "t4", "exponential", "lognormal")
        for q, n, sign in product(SIZES, SEEDS, (1, -1) if shape[0] in "el" else (1,))
    ),
)
WRONG = ("fail", "pass")


def outcomes(rng: np.random.Generator, design: Design, repetitions: int) -> list[str]:
    """What the gate says of each case."""
    result: list[str] = []
    for _ in range(repetitions):
        statistics = SufficientStatistics.from_differences([*design.drawn(rng)], design.rho)
        statistics = replace(statistics, unit=FOLD if design.rho else SEED)
        claims = suite_claims(statistics, METHOD.test(statistics, ROPE), ROPE, METHOD.name, RULE)
        result.append(min(judge(RULE, claims), key=WORST_FIRST.index))
    return result


def lines(repetitions: int, seed: int) -> tuple[Line, ...]:
    """The largest shares that fail and that pass, by kind."""
    few = max(repetitions // FEWER, 1)
    scanned = in_parallel(outcomes, [(design, few) for design in DESIGNS], seed)
    found = dict(zip(DESIGNS, scanned, strict=True))
    kinds = dict.fromkeys(design.kind for design in DESIGNS)
    cases = [(kind, wrong) for kind in kinds for wrong in WRONG]
    again = {design for case in cases for design in _worst(found, *case)}
    chosen = sorted(again, key=DESIGNS.index)
    measured = in_parallel(outcomes, [(design, repetitions) for design in chosen], seed + 1)
    found = dict(zip(chosen, measured, strict=True))
    result = []
    for kind, wrong in cases:
        worst, *_ = _worst(found, kind, wrong)
        hits = [outcome == wrong for outcome in found[worst]]
        result.append(Line(f"{kind}: {wrong}", *share(hits), note=str(worst)))
    return tuple(result)


def _worst(found: dict[Design, list[str]], kind: str, wrong: str) -> list[Design]:
    """Return the designs of a kind that err most."""
    own = [design for design in found if design.kind == kind]
    return sorted(own, key=lambda d: -found[d].count(wrong) / len(found[d]))[:AGAIN]
