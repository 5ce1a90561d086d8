"""`make reproduce`: whether shrunken means make `rank` better, and from how many data sets on.

Both ways judge the same results, in fifteen simulated regimes and on real results of which some
data sets are kept back. What is compared:

- divergence: Kullback-Leibler, of p(best on the next data set) from the truth; on real results
  the mean of -log p(best) of those that win the data sets kept back;
- regret: what the choice loses against the best choice, on further data sets or on all;
- decided: whether there is a verdict; wrong: one on a classifier that is not the best choice.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bcompare.data.rope import FloatArray
from bcompare.data.scores import Scores
from bcompare.methods.best import MANY, Best, best_of
from bcompare.methods.joint_means import JointMeans, joint_means
from bcompare.reading.read import read_scores
from studies.study import Line, Paper, in_parallel, portions

RHO, DRAWS, NEXT, ALPHA = 0.1, 2_000, 2_000, 0.05
KINDS = ("divergence", "regret", "decided", "wrong")
# Regrets are given in ten-thousandths.
UNITS = np.array([1, 1e4, 1, 1])
WAYS = ("as observed", "shrunken")
PORTION = 25
# No probability is taken for smaller than what the draws could show.
LEAST = 0.5 / DRAWS
SAMPLE = Path(__file__).parents[2] / "sample_data" / "results.csv"


@dataclass(frozen=True, slots=True)
class Regime:
    """Classifiers of a skill, that are better or worse than it on each data set, seen with noise.

    c : classifiers. q : data sets. n : folds. interaction, noise : standard deviations of a
    classifier's mean on a data set, and of a fold; that of skills is 0.01.
    uneven : standard deviation of the logarithm of the interaction's size, over data sets.
    """

    name: str
    c: int
    q: int
    n: int
    interaction: float
    noise: float
    uneven: float = 0.0


SIZES = (5, 10, 15, 20, 54)
SHAPES = (
    Regime("usual", 5, 0, 10, 0.02, 0.03),
    Regime("noisy", 4, 0, 5, 0.01, 0.04),
    Regime("uneven data sets", 12, 0, 100, 0.02, 0.05, uneven=1.0),
)
REGIMES = tuple(replace(kind, q=q) for kind in SHAPES for q in SIZES)


def simulated(rng: np.random.Generator, regime: Regime) -> FloatArray:
    """(2, 4) what came of a replicate: as observed and shrunken, the four of `KINDS`."""
    c, q, n = regime.c, regime.q, regime.n
    skill = rng.normal(0.8, 0.01, c)

    def means(count: int) -> FloatArray:
        size = regime.interaction * np.exp(regime.uneven * rng.normal(0, 1, (count, 1)))
        return np.asarray(skill + size * rng.normal(0, 1, (count, c)))

    seen, further = means(q), means(NEXT)
    shared = rng.normal(0, regime.noise * RHO**0.5, (q, 1, c))
    own = rng.normal(0, regime.noise * (1 - RHO) ** 0.5, (q, n, c))
    share = np.bincount(further.argmax(axis=1), minlength=c) / NEXT
    some = share[share > 0]

    def divergence(p: FloatArray) -> float:
        return float((some * np.log(some / p[share > 0])).sum())

    return judged([_posterior(table) for table in seen[:, None, :] + shared + own],
                  divergence, skill.max() - skill)  # fmt: skip


def kept_back(rng: np.random.Generator, scores: Scores, q: int) -> FloatArray:
    """(2, 4) what came of a run of folds on q data sets, chosen by lot; the rest tell the truth."""
    tables = [dataset.table for dataset in scores.datasets]
    folds = scores.datasets[0].folds
    means = np.array([table.mean(axis=0) for table in tables])
    order = rng.permutation(len(tables))
    run = folds * int(rng.integers(len(tables[0]) // folds))
    rest = means[order[q:]]
    won = rest == rest.max(axis=1, keepdims=True)
    share = (won / won.sum(axis=1, keepdims=True)).mean(axis=0)
    average = means.mean(axis=0)
    return judged([_posterior(tables[i][run : run + folds]) for i in order[:q]],
                  lambda p: float(-(share * np.log(p)).sum()), average.max() - average)  # fmt: skip


def _posterior(table: FloatArray) -> JointMeans:
    return joint_means(table, np.arange(table.shape[1]), RHO, right_or_wrong=False)


def judged(
    posteriors: list[JointMeans], divergence: Callable[[FloatArray], float], loss: FloatArray
) -> FloatArray:
    """(2, 4) the four of `KINDS`, with the means as observed and shrunken.

    divergence : of probabilities of being best. loss : (c,) of each choice; 0 for the best.
    """
    result = []
    for shrink in (False, True):
        names = [str(k) for k in range(len(loss))]
        best = best_of(posteriors, names, options=Best(draws=DRAWS, shrink=shrink))
        p, k = np.maximum(best.p_best, LEAST), best.leader
        decided = best.p_least_regret[k] > 1 - ALPHA
        result.append((divergence(p / p.sum()), loss[k], decided, decided and loss[k] > 0))
    return np.array(result, dtype=np.float64)


def lines(repetitions: int, seed: int) -> tuple[Line, ...]:
    """The regimes, their mean for each number of data sets, and the sample data."""
    parts = portions(repetitions, PORTION)
    tasks = [(regime, count) for regime in REGIMES for count in parts]
    kept = [(q, count) for q in SIZES[:-1] for count in parts]
    result = [*in_parallel(_simulated, tasks, seed), *in_parallel(_kept_back, kept, seed)]
    n = len(parts)
    everyone = [np.concatenate(result[k : k + n]) for k in range(0, len(result), n)]
    text: list[Line] = []
    for regime, rows in zip(REGIMES, everyone, strict=False):
        text += _lines(f"{regime.name}, q = {regime.q}", rows)
    for k, q in enumerate(SIZES):
        whole = np.concatenate(everyone[k : len(REGIMES) : len(SIZES)])
        text += _lines(f"all regimes, q = {q}", whole, promised=q >= MANY)
    for q, rows in zip(SIZES, everyone[len(REGIMES) :], strict=False):
        text += _lines(f"sample data, q = {q}", rows)
    return tuple(text)


def _lines(what: str, rows: FloatArray, *, promised: bool = False) -> list[Line]:
    """The four of `KINDS` both ways, and the differences of the first two.

    promised : whether shrinking is not to diverge more or to cost more, nor to be wrong in more
        than a twentieth of the cases.
    """
    rows = rows * UNITS
    mean, error = rows.mean(axis=0), rows.std(axis=0) / len(rows) ** 0.5
    text = [
        Line(f"{what}: {kind}, {way}", float(mean[w, k]), float(error[w, k]),
             paper=Paper(below=ALPHA) if promised and kind == "wrong" else None)
        for k, kind in enumerate(KINDS) for w, way in enumerate(WAYS)
    ]  # fmt: skip
    differences = rows[:, 1] - rows[:, 0]
    for k, kind in enumerate(KINDS[:2]):
        own = differences[:, k]
        text.append(Line(f"{what}: {kind}, difference", float(own.mean()),
                         float(own.std() / len(own) ** 0.5),
                         paper=Paper(below=0.0) if promised else None))  # fmt: skip
    return text


def _simulated(rng: np.random.Generator, regime: Regime, count: int) -> FloatArray:
    return np.array([simulated(rng, regime) for _ in range(count)])


def _kept_back(rng: np.random.Generator, q: int, count: int) -> FloatArray:
    scores = read_scores(str(SAMPLE))
    return np.array([kept_back(rng, scores, q) for _ in range(count)])
