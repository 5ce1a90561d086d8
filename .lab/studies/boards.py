"""`make reproduce`: whether what `rank` says of models on one data set comes true.

A board has models of some spread of skill on test items, on clusters of items, or on folds. It is
noted whether models stand in more than one tier, and whether a border of a tier is false; of the
models that are truly worse than the leader by more than the rope, how many are said to be; and what
share of the intervals of "behind" cover the truth. On a board of near twins one model loses 3 % of
the other's right answers; there it is noted whether the interval of their difference covers.
"""

import sys
from dataclasses import dataclass

import numpy as np

from bcompare.data.rope import FloatArray
from bcompare.ranking.best import Best, best_of
from bcompare.ranking.joint_means import JointMeans, joint_means
from studies.leaders import ROPE, SURE, mean_of, of_rank, ratio
from studies.study import Line, Paper, in_parallel, share

DRAWS = 2_000
# Of items in logits: their level, the standard deviation of difficulties, and of the effect that a
# cluster has on each model.
LEVEL, DIFFICULTY, CLUSTER = 0.9, 1.3, 0.8
ITEMS_OF_CLUSTER = 10
# What a near twin loses of the right answers of the other.
LOST = 0.03
# Items that stand for all, to compute what is true.
MANY = 20_000
# Of folds: the spread of a model's scores, and their correlation.
FOLD_SD, RHO = 0.02, 0.1


@dataclass(frozen=True, slots=True)
class Board:
    """Boards of one kind.

    kind : items, clusters, folds or twins. n : how many of them. c : the number of models.
    spread : standard deviation of the models' skills, in logits or scores.
    """

    kind: str
    n: int
    c: int
    spread: float = 0.0

    @property
    def words(self) -> str:
        """The name and the sizes."""
        kind = f"{self.n:,} {self.kind}" if self.kind != "twins" else f"twins on {self.n:,} items"
        skills = f", spread {self.spread:g}" if self.spread else ", equal"
        return f"{self.c} models × {kind}{skills}"

    def draw(self, rng: np.random.Generator) -> tuple[JointMeans, FloatArray]:
        """Return a board's posterior, and the (c,) true means."""
        if self.kind == "folds":
            return self._folds(rng)
        skill = rng.normal(0, self.spread, self.c)
        if self.kind == "twins":
            skill[1] = skill[0]
        if self.kind == "clusters":
            return self._clusters(rng, skill)
        right = (rng.random((self.n, self.c)) < chance(rng, skill, self.n)).astype(np.float64)
        true = chance(rng, skill, MANY).mean(axis=0)
        if self.kind == "twins":
            right[:, 1] = right[:, 0] * (rng.random(self.n) >= LOST)
            true[1] = (1 - LOST) * true[0]
        return joint_means(right, np.arange(self.c), 0.0, right_or_wrong=True), true

    def _clusters(
        self, rng: np.random.Generator, skill: FloatArray
    ) -> tuple[JointMeans, FloatArray]:
        """Return the posterior of the means of clusters, on which each model is a little better."""
        shape = (self.n, self.c)
        effects = np.repeat(CLUSTER * rng.standard_normal(shape), ITEMS_OF_CLUSTER, axis=0)
        chances = chance(rng, skill + effects, len(effects))
        right = (rng.random(chances.shape) < chances).astype(np.float64)
        means = right.reshape(self.n, ITEMS_OF_CLUSTER, self.c).mean(axis=1)
        true = chance(rng, skill + CLUSTER * rng.standard_normal((MANY, self.c)), MANY).mean(axis=0)
        if not self.spread:
            true[:] = true.mean()
        return joint_means(means, np.arange(self.c), 0.0, right_or_wrong=False), true

    def _folds(self, rng: np.random.Generator) -> tuple[JointMeans, FloatArray]:
        """Return the posterior of the means of folds, whose differences are correlated by ρ."""
        true = 0.8 + rng.normal(0, self.spread, self.c)
        shared = RHO**0.5 * rng.standard_normal((1, self.c))
        alone = (1 - RHO) ** 0.5 * rng.standard_normal((self.n, self.c))
        level = 0.05 * rng.standard_normal((self.n, 1))
        table = level + true + FOLD_SD * (shared + alone)
        return joint_means(table, np.arange(self.c), RHO, right_or_wrong=False), true


def chance(rng: np.random.Generator, skill: FloatArray, n: int) -> FloatArray:
    """Return (n, c) chances of a right answer to n random items, of (c,) or (n, c) skills."""
    logits = LEVEL + skill - DIFFICULTY * rng.standard_normal((n, 1))
    return np.asarray(1 / (1 + np.exp(-logits)))


BOARDS = (
    *(Board("items", 300, c) for c in (4, 8, 20)),
    *(Board("items", 1_000, c) for c in (8, 20)),
    Board("clusters", 30, 8),
    Board("folds", 100, 12),
    Board("folds", 10, 8),
    *(Board("items", n, c, 0.4) for n, c in ((300, 8), (1_000, 8), (300, 20))),
    Board("folds", 100, 12, 0.01),
    Board("clusters", 30, 8, 0.4),
)
TWINS = Board("twins", 1_000, 6, 0.3)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came true of one board.

    tiers : whether there is more than one. false_border, covered : as of a family over data sets.
    right, worse : how many are said to be worse than the leader by the rope and are, and are.
    places : whether all places are in their joint intervals.
    """

    tiers: bool
    false_border: bool
    covered: float
    right: int
    worse: int
    places: bool


def board(rng: np.random.Generator, kind: Board) -> Outcome:
    """Judge one board."""
    posterior, true = kind.draw(rng)
    options = Best(draws=DRAWS, seed=int(rng.integers(2**31)))
    result = best_of([posterior], [str(k) for k in range(kind.c)], rope=ROPE, options=options)
    came_true = of_rank(result, true)
    leader = result.leader
    is_said = result.pairs.left[leader] > SURE
    is_worse = true[leader] - true > ROPE
    place, joint = np.argsort(np.argsort(-true)) + 1, result.places.joint
    return Outcome(
        tiers=bool(is_said.any()),
        false_border=came_true.false_border,
        covered=came_true.covered,
        right=int((is_said & is_worse).sum()),
        worse=int(is_worse.sum()),
        places=bool(((joint.low <= place) & (place <= joint.high)).all()),
    )


def twins(rng: np.random.Generator, kind: Board) -> tuple[bool, bool]:
    """Whether the 95 % interval of the difference of near twins covers, and whether it is found.

    The interval covers if the probability of a larger difference than the true one, which is that
    of a rope of this width, lies between its ends.
    """
    posterior, true = kind.draw(rng)
    options = Best(draws=DRAWS, seed=int(rng.integers(2**31)))
    names = [str(k) for k in range(kind.c)]
    of_true, of_rope = (
        best_of([posterior], names, rope=rope, options=options).pairs.left[0, 1]
        for rope in (float(true[0] - true[1]), ROPE)
    )
    return bool(0.025 <= of_true <= 0.975), bool(of_rope > SURE)


# The most boards of equal models with more than one tier; the least share of true differences from
# the leader that are found; and how often the interval of near twins covers at least.
MOST_TIERS, TWINS_COVER = 0.05, 0.92
FOUND = {(300, 8): 0.73, (1_000, 8): 0.84, (300, 20): 0.84}


def lines_of(kind: Board, outcomes: list[Outcome]) -> list[Line]:
    """The lines of one kind of board."""
    name = kind.words
    covered = np.array([each.covered for each in outcomes])
    promise = None if kind.spread else Paper(below=MOST_TIERS)
    text = [
        Line(f"{name}: more than one tier", *share([each.tiers for each in outcomes]), promise),
        Line(f"{name}: behind covers", *mean_of(covered)),
    ]
    if kind.spread:
        right, worse = (
            np.array([getattr(each, what) for each in outcomes], dtype=np.float64)
            for what in ("right", "worse")
        )
        borders = [each.false_border for each in outcomes]
        places = [each.places for each in outcomes]
        found = Paper(above=FOUND[kind.n, kind.c]) if kind.kind == "items" else None
        text += [
            Line(f"{name}: false border of a tier", *share(borders)),
            Line(f"{name}: true differences from the leader found", *ratio(right, worse), found),
            Line(f"{name}: all places hold", *share(places)),
        ]
    return text


def lines(repetitions: int, seed: int) -> tuple[Line, ...]:
    """Each kind of board, and near twins."""
    tasks = [(kind,) for kind in BOARDS for _ in range(repetitions)]
    outcomes = in_parallel(board, tasks, seed)
    text: list[Line] = []
    for k, kind in enumerate(BOARDS):
        text += lines_of(kind, outcomes[k * repetitions : (k + 1) * repetitions])
    answers = np.array(in_parallel(twins, [(TWINS,)] * repetitions, seed))
    cover = share(answers[:, 0])
    text.append(
        Line(f"{TWINS.words}: the interval of twins covers", *cover, Paper(above=TWINS_COVER))
    )
    text.append(Line(f"{TWINS.words}: the worse twin is found", *share(answers[:, 1])))
    return tuple(text)


if __name__ == "__main__":
    for line in lines(int(sys.argv[1]) if len(sys.argv) > 1 else 2, 1):
        print(f"{line.what}: {line.ours:.3f} ± {line.error:.3f}")
