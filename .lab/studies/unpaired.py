"""`make reproduce`: sides that share nothing, and weights of items.

A gate of two independent means: how often it fails on the rope's border, and with a loss, for rates
(by enumeration, without chance) and for numbers of several shapes, from 2 to 200 a side. How often
the interval of a rate of sums covers it, where the largest weight is up to 1,000 times the least.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

from bcompare.comparing.compare import compare
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.scores import DatasetScores, Scores
from bcompare.data.sufficient import SampleSource, Sides, SufficientStatistics
from bcompare.data.units import ITEM, TRIAL
from bcompare.gating.unpaired import UnpairedSuite
from bcompare.methods.unpaired import JEFFREYS, LESS, MORE, rates_above
from bcompare.reading.score_grid import in_clusters
from studies.study import Line, in_parallel, share

ROPE, LEVEL = 0.01, 0.05
SIZES = ((2, 2), (5, 5), (20, 20), (50, 50), (200, 200), (10, 50), (50, 10), (200, 2))
# The rope and the loss of numbers, whose standard deviation is 1 or, if lognormal, 2.2.
BORDER, LOSS = 0.2, 1.5
SHAPES: dict[str, Callable[[np.random.Generator, int], FloatArray]] = {
    "normal": lambda rng, n: rng.normal(0, 1, n),
    "exponential": lambda rng, n: rng.exponential(1, n) - 1,
    "lognormal": lambda rng, n: rng.lognormal(0, 1, n) - np.exp(0.5),
    "left-skewed lognormal": lambda rng, n: np.exp(0.5) - rng.lognormal(0, 1, n),
}
NUMBERS = ((2, 2), (5, 5), (10, 8), (30, 10), (10, 30), (60, 6), (200, 200))


def _fails(n: int, m: int, least: tuple[float, float], most: tuple[float, float]) -> FloatArray:
    """Whether k of n against j of m fail, under priors of the two sides, as 0 or 1."""
    won, own = np.meshgrid(np.arange(n + 1), np.arange(m + 1), indexing="ij")
    counts = np.stack([won.ravel(), own.ravel()], axis=1)
    prior = np.array([least, most])
    alpha, beta = counts + prior[:, 0], np.array([n, m]) - counts + prior[:, 1]
    above = [
        rates_above(np.full(len(part), -ROPE), part, beta[start : start + len(part)])
        for start in range(0, len(alpha), 5000)
        if len(part := alpha[start : start + 5000])
    ]
    return np.reshape(np.concatenate(above) < LEVEL, (n + 1, m + 1)).astype(np.float64)


def rates(repetitions: int, seed: int) -> tuple[Line, ...]:
    """How often changes of rates fail: at the worst rate on the border, and from 0.8 to 0.6."""
    del repetitions, seed
    lines = []
    true = np.linspace(0.01, 1, 100)
    priors = {"gate": (LESS, MORE), "posterior": ((JEFFREYS, JEFFREYS), (JEFFREYS, JEFFREYS))}
    for n, m in SIZES:
        base = stats.binom.pmf(np.arange(n + 1), n, true[:, None])
        own = stats.binom.pmf(np.arange(m + 1), m, true[:, None] - ROPE)
        for name, (least, most) in priors.items():
            fails = _fails(n, m, least, most)
            border = float(np.einsum("pi,ij,pj->p", base, fails, own).max())
            worse = stats.binom.pmf(np.arange(n + 1), n, 0.8) @ fails
            power = float(worse @ stats.binom.pmf(np.arange(m + 1), m, 0.6))
            where = f"rates, {n} against {m}, {name}"
            lines += [Line(f"{where}: on the border", border), Line(f"{where}: 0.2 lower", power)]
    return tuple(lines)


@dataclass(frozen=True)
class Case:
    """n, m : scores of baseline and candidate. loss : of the candidate. wide : its spread."""

    shape: str
    n: int
    m: int
    loss: float
    wide: float = 1.0

    def __str__(self) -> str:
        spread = "" if self.wide == 1 else f", spread times {self.wide:g}"
        return f"{self.shape}, {self.n} against {self.m}{spread}, {self.loss:g} lower"


CASES = (
    *(Case(shape, n, m, BORDER) for shape in SHAPES for n, m in NUMBERS),
    *(Case(shape, 30, 10, BORDER, wide=3.0) for shape in SHAPES),
    *(Case("normal", n, m, LOSS) for n, m in NUMBERS),
)


def fails(rng: np.random.Generator, case: Case, repetitions: int) -> list[tuple[bool, bool]]:
    """Whether the gate fails, and whether the posterior would, of each repetition."""
    result = []
    for _ in range(repetitions):
        both = (
            SHAPES[case.shape](rng, case.n),
            case.wide * SHAPES[case.shape](rng, case.m) - case.loss,
        )
        base, own = both
        sides = Sides(
            np.array([[case.n, case.m]]),
            np.array([[base.mean(), own.mean()]]),
            np.array([[base.var() * case.n, own.var() * case.m]]),
            SampleSource([both].__getitem__),
        )
        difference = np.array([own.mean() - base.mean()])
        binary = np.zeros(1, np.bool_)
        statistics = SufficientStatistics.of_sides(("d",), sides, difference, binary, TRIAL)
        suite = UnpairedSuite.of(statistics)
        assert suite is not None
        (p,) = suite.on_each(Rope.symmetric(BORDER))
        alone = float(suite.worse.below(np.array([-BORDER]))[0])
        result.append((p.left > 1 - LEVEL, alone > 1 - LEVEL))
    return result


def numbers(repetitions: int, seed: int) -> tuple[Line, ...]:
    """How often changes of means fail, on the border and beyond."""
    lines = []
    answers = in_parallel(fails, [(case, repetitions) for case in CASES], seed)
    for case, hits in zip(CASES, answers, strict=True):
        lines.append(Line(f"{case}: gate", *share([gate for gate, _ in hits])))
        lines.append(Line(f"{case}: posterior", *share([alone for _, alone in hits])))
    return tuple(lines)


@dataclass(frozen=True)
class Weighing:
    """items : their number. ratio : of the largest weight to the least."""

    items: int
    ratio: float

    def __str__(self) -> str:
        return f"weights of 1 to {self.ratio:g}, {self.items} items"


WEIGHINGS = tuple(Weighing(n, ratio) for n in (20, 100, 1000) for ratio in (1, 10, 100, 1000))


def covers(rng: np.random.Generator, case: Weighing, repetitions: int) -> list[bool]:
    """Whether the 95 % interval of a rate of sums holds the true difference."""
    result = []
    for _ in range(repetitions):
        n = case.items
        words = np.rint(np.exp(rng.uniform(0, np.log(case.ratio), n)))
        # a document is hard or easy for both systems, and one is worse by 0.03
        hard = rng.beta(2, 18, n)
        edits = rng.binomial(words.astype(int)[:, None], hard[:, None] + [0.0, 0.03])
        own = DatasetScores(
            "d", -edits / words[:, None], np.ones(2, np.bool_), 1, n, 0.0, n, np.arange(n),
            keys=tuple(map(str, range(n))),
        )  # fmt: skip
        dataset = in_clusters(own, np.arange(n), (), words)
        scores = Scores(("a", "b"), (dataset,), lower_is_better=True, unit=ITEM, weight="words")
        (pair,) = compare(scores, "ttest", rope=0.01).comparisons
        average = pair.average
        assert average is not None
        result.append(average.low < -0.03 < average.high)
    return result


def weights(repetitions: int, seed: int) -> tuple[Line, ...]:
    """How often the interval of a rate of sums covers it."""
    answers = in_parallel(covers, [(case, repetitions) for case in WEIGHINGS], seed)
    return tuple(
        Line(f"{case}: the 95 % interval covers", *share(hits))
        for case, hits in zip(WEIGHINGS, answers, strict=True)
    )
