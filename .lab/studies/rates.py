"""`make reproduce`: how often a gate is wrong on the rope's border, over the designs people have.

Candidates are worse by exactly the rope, on each of q data sets: failing and passing are both
errors. A worst case is searched in two steps: every design is scanned with a tenth of the
repetitions, and those that err most are measured with all of them.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from bcompare.data.rope import FloatArray
from bcompare.data.units import FOLD, SEED
from bcompare.gating.batch import SimulatedSuites, outcomes
from bcompare.gating.rule import WORST_FIRST
from studies.study import Line, in_parallel, portions, share
from studies.suites import ROPE, RULE, R

SIZES = (1, 2, 6, 25, 100)
ROWS = (*range(3, 16), 20, 30)
# Folds and runs of repeated cross-validation.
REPEATED = ((5, 3), (5, 10), (10, 3), (10, 10))
ALIKE = (1.0, 1.5, 2.0)
SD = 0.02
# Of each kind the designs that err most are measured again; the scan has fewer cases.
AGAIN, FEWER = 5, 10
# The most numbers that are drawn at once.
MOST = 1_500_000
MEAN_OF_LOGNORMAL = float(np.exp(0.5))
# By the number of seeds of which one loses: all lose a little, and the mean is on the border.
RARE = (10, 20)
OF_RARE, NOISE = 0.6 * R, 0.1 * R


@dataclass(frozen=True)
class Design:
    """q data sets of n differences.

    kind : as the table names it. shape : of their distribution. rho : their correlation as assumed,
    and alike : what it really is, in multiples. sign : -1 if the long tail is below. one_in : among
    how many seeds one loses much, if any does.
    """

    kind: str
    q: int
    n: int
    shape: str = "normal"
    rho: float = 0.0
    alike: float = 1.0
    sign: int = 1
    one_in: int = 0

    def __str__(self) -> str:
        sets = "1 data set" if self.q == 1 else f"{self.q} data sets"
        return f"{sets} of {self.n} {'folds' if self.rho else 'seeds'}"

    def drawn(self, rng: np.random.Generator, repetitions: int) -> FloatArray:
        """(repetitions, q, n) differences, on the border on average."""
        size = (repetitions, self.q, self.n)
        normal = rng.standard_normal(size)
        if self.one_in:
            loses = rng.random(size) < 1 / self.one_in
            return np.asarray(OF_RARE - R - OF_RARE * self.one_in * loses + NOISE * normal)
        values = {
            "normal": lambda: normal,
            "t4": lambda: normal / np.sqrt(rng.chisquare(4, size) / 4),
            "exponential": lambda: rng.exponential(size=size) - 1,
            "lognormal": lambda: np.exp(normal) - MEAN_OF_LOGNORMAL,
        }[self.shape]()
        rho = self.alike * self.rho
        shared = rng.standard_normal((*size[:2], 1))
        values = np.sqrt(rho) * shared + np.sqrt(1 - rho) * values
        scale = SD * np.exp(0.3 * rng.standard_normal((*size[:2], 1)))
        return np.asarray(-R + self.sign * scale * values)


def _of_folds(alike: float, q: int) -> tuple[Design, ...]:
    """Return the designs of one and of several runs of cross-validation."""
    kind = f"folds, correlated by {alike:g}/k"
    sizes = [(k, 1) for k in ROWS] + list(REPEATED)
    return tuple(Design(kind, q, k * runs, rho=1 / k, alike=alike) for k, runs in sizes)


def _signs(shape: str) -> tuple[int, ...]:
    """Return on which sides the long tail may be."""
    return (1, -1) if shape in ("exponential", "lognormal") else (1,)


DESIGNS = (
    *(design for alike, q in product(ALIKE, SIZES) for design in _of_folds(alike, q)),
    *(
        Design(f"seeds, {shape}", q, n, shape, sign=sign)
        for shape in ("normal", "t4", "exponential", "lognormal")
        for q, n, sign in product(SIZES, ROWS, _signs(shape))
    ),
    *(
        Design(f"seeds, one in {one_in} loses {OF_RARE * one_in:g}", q, n, one_in=one_in)
        for one_in, q, n in product(RARE, SIZES, ROWS)
    ),
)
WRONG = ("fail", "pass")


def scanned() -> list[str]:
    """Return the designs of each kind: data sets × rows."""
    result = []
    for kind in dict.fromkeys(design.kind for design in DESIGNS):
        own = [design for design in DESIGNS if design.kind == kind]
        sets = ", ".join(map(str, dict.fromkeys(design.q for design in own)))
        rows = ", ".join(map(str, dict.fromkeys(design.n for design in own)))
        result.append(f"{kind}: {sets} × {rows}")
    return result


def judged(rng: np.random.Generator, design: Design, repetitions: int) -> list[str]:
    """What the gate says of each case."""
    result: list[str] = []
    unit = FOLD if design.rho else SEED
    rho = np.full(design.q, design.rho)
    for some in portions(repetitions, max(MOST // (design.q * design.n), 1)):
        suites = SimulatedSuites((design.drawn(rng, some),), (rho,), unit)
        positions = outcomes(RULE, [suites.claims(ROPE, RULE)])
        result += [WORST_FIRST[position] for position in positions.tolist()]
    return result


def lines(repetitions: int, seed: int) -> tuple[Line, ...]:
    """The largest shares that fail and that pass, by kind, and those of the next worst designs."""
    few = max(repetitions // FEWER, 1)
    first = in_parallel(judged, [(design, few) for design in DESIGNS], seed)
    found = dict(zip(DESIGNS, first, strict=True))
    kinds = dict.fromkeys(design.kind for design in DESIGNS)
    cases = [(kind, wrong) for kind in kinds for wrong in WRONG]
    worst = {case: _worst(found, *case) for case in cases}
    chosen = sorted({d for own in worst.values() for d in own}, key=DESIGNS.index)
    again = in_parallel(judged, [(design, repetitions) for design in chosen], seed + 1)
    measured = dict(zip(chosen, again, strict=True))
    result = []
    for (kind, wrong), own in worst.items():
        of_kind = {design: measured[design] for design in own}
        for place, design in enumerate(_worst(of_kind, kind, wrong), 1):
            hits = [outcome == wrong for outcome in measured[design]]
            rank = "" if place == 1 else f", worst but {place - 1}"
            result.append(Line(f"{kind}: {wrong}{rank}", *share(hits), note=str(design)))
    return tuple(result)


def _worst(found: dict[Design, list[str]], kind: str, wrong: str) -> list[Design]:
    """Return the designs of a kind that err most."""
    own = [design for design in found if design.kind == kind]
    return sorted(own, key=lambda d: -found[d].count(wrong) / len(found[d]))[:AGAIN]
