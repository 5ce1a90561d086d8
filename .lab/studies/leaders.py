"""`make reproduce`: whether what `rank` says of a leader over several data sets comes true.

A family has classifiers with effects on the score, and interactions with data sets of some shape.
In some families classifiers fail: they fall on a random share of the data sets. The truth is each
classifier's expected score. For each family it is noted what share of the intervals of "behind"
cover, whether a tier begins with a classifier that is not worse by the rope, and of the pairs said
to be worse by the rope with a probability above 0.95 how many are not. Student's paired test over
data sets answers the same.

Of families in which all but the leader fall on fewer than half of the data sets it is noted by how
much that lowers the leader's probability of being the best on average.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from bcompare.data.rope import BoolArray, FloatArray
from bcompare.ranking.best import Best, BestResult, best_of
from bcompare.ranking.joint_means import JointMeans, joint_means
from studies.study import Line, Paper, in_parallel, share

ROPE, SURE, DRAWS = 0.01, 0.95, 1_000
# Standard deviations of the interaction, of effects, and of the noise of a mean of ten folds.
INTERACTION, EFFECT, FOLDS, NOISE = 0.02, 0.01, 10, 0.003
# How far a classifier falls where it fails, and on what share of data sets.
FALL, RATE = 0.3, 0.08
# Draws for the fall of a leader's probability: its Monte Carlo error is at most 0.008.
DRAWS_OF_FALL = 4_000
# A fall of more than this is too much: 0.02, and the error of the draws.
MOST_FALL = 0.028


def normal(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    """Interactions of mean 0 and variance 1, as all of the following."""
    return rng.standard_normal(shape)


def student(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    """Heavy tails, of three degrees of freedom."""
    return np.asarray(rng.standard_t(3, shape) / 3**0.5)


def exponential(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    """Skewed to the right."""
    return np.asarray(rng.exponential(size=shape) - 1)


def lognormal(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    """Skewed to the right, with a heavy tail."""
    sd = ((np.e - 1) * np.e) ** 0.5
    return np.asarray((np.exp(rng.standard_normal(shape)) - np.exp(0.5)) / sd)


Shape = Callable[[np.random.Generator, tuple[int, int]], FloatArray]


@dataclass(frozen=True, slots=True)
class Design:
    """Families of one kind.

    shape, sign : of the interaction. q, c : the numbers of data sets and classifiers.
    failing : how many of the classifiers fail. noise : standard deviation of a mean's noise.
    uneven : whether it is ten times as large on a quarter of the data sets.
    absent : the share of means that are missing.
    """

    name: str
    shape: Shape
    q: int
    c: int
    sign: int = 1
    failing: int = 0
    noise: float = NOISE
    uneven: bool = False
    absent: float = 0.0

    @property
    def words(self) -> str:
        """The name and the sizes."""
        return f"{self.name}, {self.c} classifiers, q = {self.q}"

    def draw(self, rng: np.random.Generator) -> tuple[list[JointMeans], FloatArray, FloatArray]:
        """Return a family's posteriors, its observed means, and the (c,) true averages."""
        q, c = self.q, self.c
        fails = np.arange(c) >= c - self.failing
        true = EFFECT * rng.standard_normal(c)
        means = true + INTERACTION * self.sign * self.shape(rng, (q, c))
        means -= FALL * ((rng.random((q, c)) < RATE) & fails)
        level = 0.5 + 0.06 * rng.standard_normal((q, 1))
        scale = np.full((q, 1, 1), self.noise * FOLDS**0.5)
        if self.uneven:
            scale[rng.random(q) < 0.25] *= 10
        tables = (level + means)[:, None] + scale * rng.standard_normal((q, FOLDS, c))
        tables[self._missing(rng)[:, None].repeat(FOLDS, axis=1)] = np.nan
        posteriors = [
            joint_means(table, np.flatnonzero(~np.isnan(table[0])), 0.0, right_or_wrong=False)
            for table in tables
        ]
        return posteriors, tables.mean(axis=1), true - FALL * RATE * fails

    def _missing(self, rng: np.random.Generator) -> BoolArray:
        """Return which of the (q, c) means are missing; each data set keeps two."""
        missing = rng.random((self.q, self.c)) < self.absent
        missing[missing.sum(axis=1) > self.c - 2] = False
        return np.asarray(missing)


@dataclass(frozen=True, eq=False, slots=True)
class Account:
    """What came true of one family, by one method.

    covered : share of the intervals of "behind" that hold the truth. false_border : whether a tier
    begins with a classifier that is not worse. pairs, wrong, right : how many are said to be worse
    by more than the rope, how many of these are not, and are. worse : how many are.
    stated, is_best : the leader's probability of being the best on average, and whether it is.
    """

    covered: float
    false_border: bool
    pairs: int
    wrong: int
    right: int
    worse: int
    stated: float
    is_best: bool


def account(
    low: FloatArray,
    high: FloatArray,
    better: FloatArray,
    order: list[int],
    stated: float,
    true: FloatArray,
) -> Account:
    """Compare what was said with the truth.

    low, high : (c,) ends of what each scores less than the leader. better : (c, c) probability that
    the row's classifier is better by the rope. order : by place.
    """
    leader = order[0]
    behind = true[leader] - true
    covers = np.delete((low <= behind) & (behind <= high), leader)
    by_rope = true[:, None] - true > ROPE
    is_said = better > SURE
    borders = []
    first = leader
    for k in order[1:]:
        if is_said[first, k]:
            borders.append(bool(by_rope[first, k]))
            first = k
    return Account(
        covered=float(covers.mean()),
        false_border=not all(borders),
        pairs=int(is_said.sum()),
        wrong=int((is_said & ~by_rope).sum()),
        right=int((is_said & by_rope).sum()),
        worse=int(by_rope.sum()),
        stated=stated,
        is_best=bool(true.argmax() == leader),
    )


def of_rank(result: BestResult, true: FloatArray) -> Account:
    """The account of `rank`."""
    return account(
        result.loss_interval.low,
        result.loss_interval.high,
        np.nan_to_num(result.pairs.left),
        list(result.order),
        float(result.p_least_regret[result.leader]),
        true,
    )


def of_student(means: FloatArray, true: FloatArray) -> Account:
    """The account of Student's paired test of every pair over the data sets of both."""
    differences = means[:, :, None] - means[:, None]
    shared = ~np.isnan(differences)
    count = np.maximum(shared.sum(axis=0), 2)
    mean = np.nansum(differences, axis=0) / count
    squares = np.where(shared, differences - mean, 0.0) ** 2
    error = np.sqrt(squares.sum(axis=0) / (count - 1) / count) + 1e-12
    order = np.argsort(-np.nanmean(means, axis=0), kind="stable").tolist()
    leader = order[0]
    half = stdtrit(count[leader] - 1, 0.975) * error[leader]
    better = stdtr(count - 1, (mean - ROPE) / error)
    low, high = mean[leader] - half, mean[leader] + half
    return account(low, high, better, order, np.nan, true)


def family(rng: np.random.Generator, design: Design) -> tuple[Account, Account]:
    """The accounts of `rank` and of Student's test on one family."""
    posteriors, means, true = design.draw(rng)
    names = [str(k) for k in range(design.c)]
    options = Best(draws=DRAWS, seed=int(rng.integers(2**31)))
    result = best_of(posteriors, names, rope=ROPE, options=options)
    return of_rank(result, true), of_student(means, true)


def fall(rng: np.random.Generator) -> tuple[float, float]:
    """By how much the leader's chances fall when all others collapse on some data sets.

    Of being the best on average, and on the next data set. No collapses are on half of them.
    """
    q = int(rng.choice([6, 8, 12, 20]))
    c = int(rng.integers(2, 7))
    level, skill = rng.normal(0.8, 0.05, (q, 1)), rng.normal(0, 0.012, c)
    means = level + skill + rng.normal(0, 0.02, (q, c))
    leader = int(means.mean(axis=0).argmax())
    worse = means.copy()
    for k in np.delete(np.arange(c), leader):
        lost = rng.permutation(q)[: rng.integers((q - 1) // 2 + 1)]
        worse[lost, k] -= rng.uniform(0.3, 0.8, len(lost))
    before, after = (
        best_of(
            [joint_means(row, np.arange(c), 0.0, right_or_wrong=False) for row in table[:, None]],
            [str(k) for k in range(c)],
            options=Best(draws=DRAWS_OF_FALL),
        )
        for table in (means, worse)
    )
    return (
        float(before.p_least_regret[leader] - after.p_least_regret[leader]),
        float(before.p_best[leader] - after.p_best[leader]),
    )


SHAPES: dict[str, tuple[Shape, int]] = {
    "normal": (normal, 1),
    "t3": (student, 1),
    "exponential": (exponential, 1),
    "exponential to the left": (exponential, -1),
    "lognormal": (lognormal, 1),
    "lognormal to the left": (lognormal, -1),
}
DESIGNS = (
    *(Design("all fail", normal, q, c, failing=c) for c in (4, 10) for q in (5, 12, 40)),
    *(Design("one fails", normal, q, 4, failing=1) for q in (12, 40)),
    *(
        Design(name, shape, q, c, sign)
        for name, (shape, sign) in SHAPES.items()
        for q in (8, 12, 40)
        for c in (4, 10)
    ),
    *(Design("normal", normal, q, c) for q in (2, 3, 4, 5) for c in (4, 10)),
    *(Design("all fail", normal, q, 4, failing=4) for q in (3, 4)),
    Design("all fail, a fifth of the means absent", normal, 12, 4, failing=4, absent=0.2),
    Design("a fifth of the means absent", normal, 12, 4, absent=0.2),
    Design("noise twice the interaction", normal, 12, 4, noise=0.04),
    Design("all fail, noise twice the interaction", normal, 12, 4, failing=4, noise=0.04),
    Design("uneven noise", normal, 12, 4, noise=0.005, uneven=True),
    Design("all fail, uneven noise", normal, 12, 4, failing=4, noise=0.005, uneven=True),
    Design("all fail, uneven noise", normal, 40, 4, failing=4, noise=0.005, uneven=True),
)


def mean_of(values: FloatArray) -> tuple[float, float]:
    """Return a mean and its standard error."""
    return float(values.mean()), float(values.std()) / len(values) ** 0.5


def ratio(counts: FloatArray, totals: FloatArray) -> tuple[float, float]:
    """Return a ratio of sums over families, and its standard error."""
    total = max(float(totals.sum()), 1.0)
    value = float(counts.sum()) / total
    return value, float(np.sqrt(((counts - value * totals) ** 2).sum())) / total


WRONG = "pairs above 0.95 that are wrong"
# What is promised of "behind" from eight data sets on: of families in which all fail by the number
# of data sets, and of others.
COVERS_OF_FAILING = {12: 0.88, 40: 0.93}
COVERS = 0.92
# The most of false borders of tiers, and of wrong pairs where all fail: as of Student's test.
FALSE_BORDERS, WRONG_PAIRS = 0.05, 0.2
# The share of families in which a leader falls by more than `MOST_FALL`, and how far at most.
FALLS, FURTHEST_FALL = 0.01, 0.06


def promised(design: Design) -> dict[str, Paper]:
    """Return what `rank` promises of a design; nothing of few data sets, or if one alone fails."""
    if design.q < 8 or design.failing == 1:
        return {}
    result = {"false border": Paper(below=FALSE_BORDERS)}
    if not design.failing:
        return {**result, "behind": Paper(above=COVERS)}
    covers = COVERS_OF_FAILING[design.q]
    return {**result, "behind": Paper(above=covers), "wrong": Paper(below=WRONG_PAIRS)}


def lines_of(name: str, accounts: list[Account], promises: dict[str, Paper]) -> list[Line]:
    """The lines of one design and method, and what is promised of it."""
    covered = np.array([each.covered for each in accounts])
    borders = [each.false_border for each in accounts]
    pairs, wrong, right, worse = (
        np.array([getattr(each, what) for each in accounts], dtype=np.float64)
        for what in ("pairs", "wrong", "right", "worse")
    )
    return [
        Line(f"{name}: behind covers", *mean_of(covered), promises.get("behind")),
        Line(f"{name}: false border of a tier", *share(borders), promises.get("false border")),
        Line(f"{name}: {WRONG}", *ratio(wrong, pairs), promises.get("wrong")),
        Line(f"{name}: true differences found", *ratio(right, worse)),
    ]


def lines(repetitions: int, seed: int) -> tuple[Line, ...]:
    """Each design by `rank` and by Student's test, and the falls of leaders."""
    tasks = [(design,) for design in DESIGNS for _ in range(repetitions)]
    answers = in_parallel(family, tasks, seed)
    text: list[Line] = []
    for k, design in enumerate(DESIGNS):
        part = answers[k * repetitions : (k + 1) * repetitions]
        ours = [rank for rank, _ in part]
        text += lines_of(design.words, ours, promised(design))
        stated = np.array([each.stated - each.is_best for each in ours])
        what = f"{design.words}: best on average, stated too high by"
        text.append(Line(what, *mean_of(stated)))
        text += lines_of(f"{design.words}: Student", [student for _, student in part], {})
    falls = np.array(in_parallel(fall, [()] * repetitions, seed))
    for k, what in enumerate(("on average", "on the next data set")):
        name = f"others collapse: best {what}"
        often = share(falls[:, k] > MOST_FALL)
        furthest = float(falls[:, k].max())
        text.append(Line(f"{name}, falls by more than {MOST_FALL}", *often, Paper(below=FALLS)))
        text.append(Line(f"{name}, falls at most by", furthest, 0.0, Paper(below=FURTHEST_FALL)))
    return tuple(text)


if __name__ == "__main__":
    for line in lines(int(sys.argv[1]) if len(sys.argv) > 1 else 2, 1):
        print(f"{line.what}: {line.ours:.3f} ± {line.error:.3f}")
