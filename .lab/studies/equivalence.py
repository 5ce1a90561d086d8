"""What Figures 2 to 4 of Corani et al. 2017 share: hierarchical and signed-rank on Cauchy δ_i."""

from dataclasses import dataclass

import numpy as np

from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.methods.hierarchical.method import Hierarchical
from studies.generators import cauchy, made_by
from studies.study import in_parallel, portions

ROPE = Rope.symmetric(0.01)
LENGTH = 0.02
GENERATORS = ("normal", "network")
PORTION = 25  # repetitions that go to a core at once


@dataclass(frozen=True, eq=False, slots=True)
class Answers:
    """Of each repetition: (r, 3) probabilities of left, rope and right, and the p-value.

    next, average : the two readings of the hierarchical answer. p_value : Wilcoxon's, two-sided.
    """

    next: FloatArray
    average: FloatArray
    p_value: FloatArray


def repeat(
    rng: np.random.Generator, generator: str, centre: float, scale: float, q: int, repetitions: int
) -> Answers:
    """Test simulated results again and again."""
    following, average, p_value = [], [], []
    for _ in range(repetitions):
        statistics = made_by(generator, rng, cauchy(rng, q, centre, scale))
        result = Hierarchical().test(statistics, ROPE)
        following.append(_three(result.next_dataset))
        average.append(_three(result.delta0_regions))
        p_value.append(result.nhst.p_value)
    return Answers(np.array(following), np.array(average), np.array(p_value))


def answers(
    generator: str, centre: float, scale: float, q: int, repetitions: int, seed: int
) -> Answers:
    """The same over all cores."""
    tasks = [(generator, centre, scale, q, r) for r in portions(repetitions, PORTION)]
    parts = in_parallel(repeat, tasks, seed)
    return Answers(*(np.concatenate([getattr(part, name) for part in parts])
                     for name in ("next", "average", "p_value")))  # fmt: skip


def _three(p: RegionProbabilities[float]) -> tuple[float, float, float]:
    return (p.left, p.rope, p.right)
