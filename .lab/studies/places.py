"""`make reproduce`: how often what `rank` says of places, regrets and the next data set holds.

Families of classifiers with effects on the score, and an interaction of one size with data sets;
what is seen of the means has noise. For each family it is noted whether all places are in their
joint intervals, how many regrets are in theirs, and by how much p(best) is stated too high.
"""

import sys
from itertools import product

import numpy as np

from bcompare.data.rope import FloatArray
from bcompare.ranking.best import Best, best_of
from bcompare.ranking.joint_means import joint_means
from studies.study import Line, in_parallel

CLASSIFIERS, SIZES = (3, 10, 30), (5, 10, 20, 54)
# Standard deviation of effects, and variance of noise, in units of the interaction's.
EFFECTS, NOISE = (0.2, 0.5), (0.05, 0.3, 1.0, 4.0)
INTERACTION, FOLDS, DRAWS, NEXT = 0.02, 10, 1_000, 20_000
# Bins of the stated p(best).
BINS = ((0.0, 0.05), (0.05, 0.3), (0.3, 1.0))


def family(
    rng: np.random.Generator, c: int, effect: float, noise: float, q: int
) -> tuple[bool, float, FloatArray, FloatArray]:
    """Whether places are joined, the share of regrets, and p(best): what was stated, and true."""
    effects = INTERACTION * effect * rng.standard_normal(c)
    seen, new = (effects + INTERACTION * rng.standard_normal((n, c)) for n in (q, NEXT))
    folds = INTERACTION * np.sqrt(noise * FOLDS) * rng.standard_normal((q, FOLDS, c))
    tables = seen[:, None, :] + folds  # independent folds
    result = best_of(
        [joint_means(table, np.arange(c), 0.0, right_or_wrong=False) for table in tables],
        [str(k) for k in range(c)],
        options=Best(draws=DRAWS),
    )
    place, joint = np.argsort(np.argsort(-effects)) + 1, result.places.joint
    regret = (new.max(axis=1, keepdims=True) - new).mean(axis=0)
    ends = result.regret_interval
    return (
        bool(((joint.low <= place) & (place <= joint.high)).all()),
        float(((ends.low <= regret) & (regret <= ends.high)).mean()),
        result.p_best,
        np.bincount(new.argmax(axis=1), minlength=c) / NEXT,
    )


def lines(repetitions: int, seed: int) -> tuple[Line, ...]:
    """Each number of classifiers and data sets, over effects and noise."""
    cells = list(product(CLASSIFIERS, SIZES, EFFECTS, NOISE))
    tasks = [(c, effect, noise, q) for c, q, effect, noise in cells for _ in range(repetitions)]
    answers = in_parallel(family, tasks, seed)
    own = len(EFFECTS) * len(NOISE) * repetitions
    text: list[Line] = []
    for i, (c, q) in enumerate(product(CLASSIFIERS, SIZES)):
        part = answers[i * own : (i + 1) * own]
        where = f"{c} classifiers, q = {q}"
        for k, what in enumerate(("all places hold", "regrets hold")):
            values = np.array([answer[k] for answer in part], dtype=np.float64)
            text.append(
                Line(f"{where}: {what}", float(values.mean()), float(values.std() / own**0.5))
            )
        stated, true = (np.array([answer[k] for answer in part]) for k in (2, 3))
        for low, high in BINS:
            inside = (stated >= low) & (stated < high)
            off = np.where(inside, stated - true, 0.0).sum(axis=1)
            count = max(1, int(inside.sum()))
            text.append(
                Line(
                    f"{where}: p(best) {low:g} to {high:g}, stated too high by",
                    float(off.sum()) / count,
                    float(np.sqrt((off**2).sum())) / count,
                )
            )
    return tuple(text)


if __name__ == "__main__":
    for line in lines(int(sys.argv[1]) if len(sys.argv) > 1 else 2, 1):
        print(f"{line.what}: {line.ours:.3f} ± {line.error:.3f}")
