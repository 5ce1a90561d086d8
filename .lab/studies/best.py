"""`make reproduce`: whether a stated probability of being best comes true as often as it says.

Repetition by repetition a world is made: classifiers with a skill, and data sets on which each is
a little better or worse than that. The tool sees some data sets, and states of each classifier
the probability of being the best one on the next; then the next is drawn, again and again, and
the shares are compared. The same for being within the rope of the best, and for having the
smallest regret.
"""

import sys
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from bcompare.data.rope import FloatArray
from bcompare.ranking.best import Best, best_of
from bcompare.ranking.joint_means import joint_means

ROPE, RHO = 0.01, 0.1
EDGES = np.linspace(0, 1, 6)
NEXT = 400  # data sets on which the shares of a repetition are counted


@dataclass(frozen=True, eq=False)
class Calibration:
    """Stated probabilities and what came true, an entry a repetition and classifier.

    what : of which statement. stated, true : (n,); true is a share of further data sets, or 0, 1.
    repetition : (n,) numbers; what belongs to one repetition is not independent.
    """

    what: str
    stated: FloatArray
    true: FloatArray
    repetition: FloatArray

    def rows(self) -> list[tuple[float, float, float, float, int]]:
        """Each bin of stated probabilities: its ends, mean stated, share true, entries."""
        result = []
        for low, high in pairwise(EDGES):
            inside = (self.stated >= low) & ((self.stated < high) | (high == 1))
            if inside.any():
                mean, share = self.stated[inside].mean(), self.true[inside].mean()
                result.append((low, high, float(mean), float(share), int(inside.sum())))
        return result

    def gap(self, low: float, high: float) -> tuple[float, float]:
        """Share true less mean stated where [low, high] was stated, and its standard error."""
        inside = (self.stated >= low) & (self.stated <= high)
        off = (self.true - self.stated)[inside]
        by_repetition = np.bincount(self.repetition[inside].astype(int), off)
        return float(off.mean()), float(np.sqrt((by_repetition**2).sum()) / len(off))


def world(
    rng: np.random.Generator, c: int, spread: float, interaction: float, q: int
) -> tuple[FloatArray, FloatArray]:
    """(q, c) true means on the data sets that are seen, (NEXT, c) on further ones."""
    skill = rng.normal(0.8, spread, c)
    return (
        skill + rng.normal(0, interaction, (q, c)),
        skill + rng.normal(0, interaction, (NEXT, c)),
    )


def calibration(
    repetitions: int, *, c: int = 5, q: int = 20, folds: int = 10, draws: int = 1000, seed: int = 0
) -> tuple[Calibration, ...]:
    """Judge families of c classifiers on q data sets, `repetitions` times."""
    rng = np.random.default_rng(seed)
    collected: dict[str, list[tuple[FloatArray, FloatArray]]] = {}
    for _ in range(repetitions):
        seen, further = world(rng, c, 0.01, 0.02, q)
        # Folds whose errors are correlated by ρ: a part that all share, and a part of their own.
        shared = rng.normal(0, 0.03 * RHO**0.5, (q, 1, c))
        own = rng.normal(0, 0.03 * (1 - RHO) ** 0.5, (q, folds, c))
        result = best_of(
            [
                joint_means(table, np.arange(c), RHO, right_or_wrong=False)
                for table in seen[:, None, :] + shared + own
            ],
            [str(k) for k in range(c)],
            rope=ROPE,
            options=Best(draws=draws),
        )
        top = further.max(axis=1, keepdims=True)
        regret = (top - further).mean(axis=0)
        for what, stated, true in (
            ("best on the next data set", result.p_best, (further == top).mean(axis=0)),
            ("within the rope of the best there", result.p_practically_best,
             (further >= top - ROPE).mean(axis=0)),
            ("smallest regret", result.p_least_regret, (regret == regret.min()).astype(float)),
        ):  # fmt: skip
            collected.setdefault(what, []).append((stated, true))
    return tuple(
        Calibration(
            what,
            np.concatenate([stated for stated, _ in pairs]),
            np.concatenate([true for _, true in pairs]),
            np.repeat(np.arange(repetitions), c).astype(np.float64),
        )
        for what, pairs in collected.items()
    )


def main(repetitions: int) -> None:
    """Print how often each statement came true."""
    print(f"\nWhich classifier is best: {repetitions} families of 5 on 20 data sets of 10 folds\n")
    print(f"{'stated':36}{'mean stated':>12}{'came true':>11}{'entries':>9}")
    for result in calibration(repetitions):
        print(result.what)
        for low, high, mean, share, entries in result.rows():
            print(f"  {low:.1f} to {high:.1f}{'':24}{mean:12.3f}{share:11.3f}{entries:9,}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
