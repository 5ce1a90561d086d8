"""Plan bets: the number of items until a verdict, compared with one look at the end."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bcompare.basis.arguments import arg, spelled
from bcompare.basis.errors import InputError
from bcompare.basis.showable import Showable
from bcompare.data.defaults import DEFAULT_ROPE
from bcompare.data.rope import FloatArray, Rope, RopeLike
from bcompare.data.units import ITEM
from bcompare.methods.base import Progress, no_progress
from bcompare.methods.betting import log_wealth
from bcompare.methods.correlated_t import CorrelatedT
from bcompare.planning.outlook import check_levels
from bcompare.planning.power import Assumed
from bcompare.planning.simulation import Simulation

# The number of items simulated by default over all replicates, and in one batch.
MOST_ITEMS, AT_ONCE = 6_000_000, 1_000_000
FEWEST, USUAL = 100, 2000
BUDGETS = spelled("--anytime 1000,5000", "items=(1000, 5000)")


@dataclass(frozen=True, slots=True)
class Course:
    """The shares of simulated streams that end in each verdict, under an assumed effect.

    budget : the most items, at which the bets aim. worse, not_worse : shown by bets within the
    budget;
    go_on : neither. items : the mean number until a verdict, or the budget. end_worse,
    end_not_worse : shown by one look at the end, by the paired t-test. error : the largest
    standard error of a share.
    """

    effect: float
    budget: int
    worse: float
    not_worse: float
    go_on: float
    items: float
    end_worse: float
    end_not_worse: float
    error: float


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class AnytimePlan(Showable):
    """The courses under several effects and budgets, for scores in 0…1."""

    sd: float
    rope: Rope
    alpha: float
    replicates: int
    seed: int
    courses: tuple[Course, ...]


def plan_anytime(
    effect: float,
    sd: float,
    items: Sequence[int],
    *,
    rope: RopeLike = DEFAULT_ROPE,
    alpha: float = 0.05,
    replicates: int | None = None,
    seed: int = 0,
    progress: Progress = no_progress,
) -> AnytimePlan:
    """Simulate bets on items under an assumed effect, no effect, and one on the rope's border.

    Parameters
    ----------
    effect : true mean difference right - left of scores in 0…1. sd : standard deviation of the
        differences on single items, which are -s, 0 or s with s as large as the two allow.
    items : budgets. rope, alpha, replicates, seed : as for `power`.

    Raises
    ------
    InputError : no budget, or values that differences of such scores cannot have.

    Examples
    --------
    >>> import bcompare
    >>> courses = bcompare.plan_anytime(-0.05, 0.4, [500], replicates=50).courses
    >>> [(course.effect, course.worse) for course in courses]
    [(-0.05, 0.56), (0.0, 0.0), (-0.01, 0.04)]
    """
    check_levels(alpha, replicates)
    borders = Rope.of(rope)
    if not items or min(items) < 3:
        raise InputError(f"give the items to bet on, at least 3, by {BUDGETS}")
    if not (sd > 0 and abs(effect) < 1 and sd**2 + effect**2 <= 1):
        raise InputError(
            f"{arg('effect', effect)} {arg('sd', sd)}: differences of scores in 0…1 have no such "
            f"mean and standard deviation: give such as {arg('effect', -0.03)} {arg('sd', 0.4)}"
        )
    count = replicates or min(USUAL, max(FEWEST, MOST_ITEMS // max(items)))
    simulation = Simulation(CorrelatedT().economical(), borders, count, seed)
    cases = [(e, n) for n in items for e in dict.fromkeys((effect, 0.0, borders.low))]
    courses = []
    for done, (shift, budget) in enumerate(cases, 1):
        assumed = Assumed(shift, sd, sd, 1, budget, 0.0, ITEM)
        courses.append(_course(assumed, simulation, alpha, np.random.default_rng([seed, done])))
        progress(done, len(cases))
    return AnytimePlan(sd, borders, alpha, count, seed, tuple(courses))


def _course(
    assumed: Assumed, simulation: Simulation, alpha: float, rng: np.random.Generator
) -> Course:
    effect, sd, budget, count = assumed.effect, assumed.sd, assumed.n, simulation.replicates
    size = max(1, AT_ONCE // budget)
    times = [
        _times(draw(effect, sd, (min(size, count - k), budget), rng), simulation.rope, alpha)
        for k in range(0, count, size)
    ]
    worse, not_worse = np.concatenate(times, axis=1)
    first = np.minimum(worse, not_worse)
    (end,) = simulation.run([assumed], 1)
    shares = [
        float(share.mean())
        for share in (
            worse < np.minimum(not_worse, budget + 1),
            not_worse < np.minimum(worse, budget + 1),
            first > budget,
            end.left > 1 - alpha,
            end.rope + end.right > 1 - alpha,
        )
    ]
    error = max(math.sqrt(max(p * (1 - p), 1 / count) / count) for p in shares)
    bad, good, on, end_bad, end_good = shares
    items = float(np.minimum(first, budget).mean())
    return Course(effect, budget, bad, good, on, items, end_bad, end_good, error)


def draw(effect: float, sd: float, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
    """Draw differences -s, 0 or s of this mean and standard deviation."""
    square = sd**2 + effect**2
    size = min(1.0, square / abs(effect)) if effect else 1.0
    apart, lean = square / size**2, effect / size
    u = rng.random(shape)
    up, down = (apart + lean) / 2, (apart - lean) / 2
    return np.where(u < up, size, np.where(u < up + down, -size, 0.0))


def _times(differences: FloatArray, rope: Rope, alpha: float) -> FloatArray:
    """Return the (2, R) numbers of items until worse and not worse are shown; n + 1 for never."""
    x, n = (differences + 1) / 2, differences.shape[1]
    low = (rope.low + 1) / 2
    times = []
    for seen, border in ((1 - x, 1 - low), (x, low)):
        reached = log_wealth(seen, border, alpha, budget=n) >= math.log(1 / alpha)
        times.append(np.where(reached.any(axis=1), reached.argmax(axis=1) + 1, n + 1))
    return np.stack(times)
