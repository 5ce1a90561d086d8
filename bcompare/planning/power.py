"""Power analysis without results: the probability of each verdict under assumed values.

Of bets: the number of items until a verdict, compared with one look at the end.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from bcompare.basis.messages import InputError, arg, spelled
from bcompare.basis.progress import ShownProgress, no_progress, shown
from bcompare.basis.showable import Showable
from bcompare.basis.threads import in_one_thread
from bcompare.data.rope import DEFAULT_ROPE, FloatArray, Rope, RopeLike
from bcompare.data.scales import round_tenth
from bcompare.data.simulated import SimulatedResults, results_of
from bcompare.data.units import FOLD, ITEM, TRIAL, Unit
from bcompare.methods import check_over, load_method, usual_method
from bcompare.methods.betting import log_wealth
from bcompare.methods.correlated_t import CorrelatedT
from bcompare.methods.interface import Method
from bcompare.planning.outlook import DATASETS, EACH_SIDE, Amount, Prospect, check_levels
from bcompare.planning.simulation import Simulation, usual_replicates
from bcompare.planning.trials import trials_of

# The power at which an effect counts as detectable.
ENOUGH = 0.8

# The most steps of the search for it, which ends earlier if the power is `ENOUGH` up to chance.
MOST_STEPS = 8


@dataclass(frozen=True, slots=True)
class Assumed:
    """Draws results of a design.

    effect : average difference right - left.
    sd : its standard deviation over data sets; of test items, that of the differences on single
        items.
    noise : standard deviation of the differences on the folds of one data set.
    sets : data sets.
    n : scores on each.
    rho : their correlation.
    rate : of the left side's successes, where trials that share nothing are right or wrong.
    """

    effect: float
    sd: float
    noise: float
    sets: int
    n: int
    rho: float
    unit: Unit
    rate: float | None = None

    def __call__(self, count: int, rng: np.random.Generator) -> SimulatedResults:
        """Draw `count` results; the first data sets are the same, however many there are."""
        if self.unit.is_unpaired:
            return trials_of(self.effect, self.sd, self.rate, self.n, count, rng)
        of_deltas, of_results = rng.spawn(2)
        shape = (count, self.sets)
        spread = 0.0 if self.unit.has_answers else self.sd
        delta = self.effect + spread * of_deltas.standard_normal(shape[::-1]).T
        variance = np.full(shape, self.noise**2)
        n = np.full(shape, self.n)
        rho = np.full(shape, self.rho)
        binary = np.zeros(shape, np.bool_)
        return results_of(delta, variance, n, rho, of_results, binary=binary, unit=self.unit)


# The range of assumed values, in any unit of scores; the most data sets to simulate.
SMALLEST, LARGEST = 1e-12, 1e12
MOST_SETS = 100_000


def _counts(numbers: str) -> str:
    """Return the argument for numbers of data sets, as elsewhere ``datasets`` are names."""
    return spelled(f"--datasets {numbers}", f"datasets=({numbers.replace(',', ', ')})")


@dataclass(frozen=True, slots=True)
class Design:
    """The power of a design of a given size.

    prospect : under the assumed effect.
    smallest : the smallest effect that is found practically better with probability `ENOUGH`; None
        if the search does not converge.
    """

    prospect: Prospect
    smallest: float | None


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Power(Showable):
    """Power of several designs under the same assumptions."""

    assumed: Assumed
    method: Method
    rope: Rope
    alpha: float
    replicates: int
    seed: int
    designs: tuple[Design, ...]


@in_one_thread
def power(
    effect: float,
    sd: float | None = None,
    *,
    datasets: Sequence[int] = (),
    items: Sequence[int] = (),
    trials: Sequence[int] = (),
    rate: float | None = None,
    noise: float | None = None,
    runs: int = 10,
    folds: int = 10,
    rope: RopeLike | None = None,
    alpha: float = 0.05,
    test: Method | str | None = None,
    replicates: int | None = None,
    seed: int = 0,
    jobs: int | None = 1,
    progress: ShownProgress = no_progress,
) -> Power:
    """Compute the probability of each verdict for designs of several sizes, and their resolution.

    Parameters
    ----------
    effect : true average difference right - left, in the scores' unit.
    sd : standard deviation of the true differences over data sets; with `items`, that of the
        differences on single test items; with `trials`, that of the scores of a side.
    datasets : numbers of data sets; or
    items : numbers of test items on one data set; or
    trials : numbers of trials of each of two sides that share nothing.
    rate : the left side's rate of successes, where trials are right or wrong; in place of `sd`.
    noise : standard deviation of the differences on the folds of one data set; by default `sd`.
    runs, folds : of the cross-validation on each data set.
    rope, alpha, test, replicates, seed, jobs : as for `plan`; by default ``hier`` for data sets.

    Raises
    ------
    InputError : no sizes, or those of several kinds; a value outside its range.

    Examples
    --------
    >>> import bcompare
    >>> designs = bcompare.power(0.02, 0.04, datasets=[10, 20], test="sign", replicates=50).designs
    >>> [design.prospect.right for design in designs]
    [0.2, 0.54]
    """
    check_levels(alpha, replicates)
    if sum(map(bool, (datasets, items, trials))) != 1:
        raise InputError(
            f"name the sizes to look at by one of {_counts('10,20,50')}, "
            f"{arg('items', (200, 1000))} and {arg('trials', (20, 50))}"
        )
    sd = _spread(effect, sd, rate, trials)
    noise = sd if noise is None else noise
    sizes = (*datasets, *items, *trials)
    _check(effect, sd, noise, runs, folds, sizes, 3 if items else 2)
    borders = _rope(rope, max(abs(effect), sd, noise))
    if test is None:
        method = usual_method(FOLD, 2 if datasets else 1)()
    else:
        method = load_method(test)() if isinstance(test, str) else test
    what = "data sets"
    if not datasets:
        what = f"test {'items' if items else 'trials'} on one data set"
    check_over(method, what, one=not datasets)
    start = Assumed(effect, sd, noise, 0, runs * folds, 1 / folds, FOLD)
    if items:
        start = Assumed(effect, sd, sd, 1, 0, 0.0, ITEM)
    elif trials:
        start = Assumed(effect, sd, sd, 1, 0, 0.0, TRIAL, rate)
    largest = max(datasets, default=1)
    quick = method.economical()
    count = replicates or usual_replicates(quick, largest)
    simulation = Simulation(quick, borders, count, seed, jobs)
    designs = []
    with shown(progress, "simulating designs") as steps:
        for done, size in enumerate(sizes, 1):
            this = replace(start, sets=size) if datasets else replace(start, n=size)
            prospect = _prospect(this, simulation, alpha)
            designs.append(Design(prospect, _smallest(this, prospect.right, simulation, alpha)))
            steps(done, len(sizes))
    return Power(start, method, borders, alpha, count, seed, tuple(designs))


def _spread(effect: float, sd: float | None, rate: float | None, trials: Sequence[int]) -> float:
    """Return the standard deviation that was given, or that of trials with a rate of successes.

    Raises
    ------
    InputError : neither, or both; a rate for other sizes, or one that is none.
    """
    if rate is None:
        if sd is None:
            raise InputError(f"say how widely differences scatter by {arg('sd', 0.04)}")
        return sd
    if sd is not None or not trials:
        raise InputError(
            f"{arg('rate', rate)} is for trials that are right or wrong: give "
            f"{arg('trials', (20, 50))}, and leave out {arg('sd')}"
        )
    if not (0 < rate < 1 and 0 <= rate + effect <= 1):
        raise InputError(
            f"{arg('rate', rate)} {arg('effect', effect)}: both sides' rates, of which the second "
            "is their sum, are between 0 and 1"
        )
    return math.sqrt(rate * (1 - rate))


def _rope(rope: RopeLike | None, size: float) -> Rope:
    """Return the rope that was given, or the usual one if assumed differences are those of shares.

    size : the largest of the effect and the standard deviations.

    Raises
    ------
    InputError : none was given for differences above 1, which are in some other unit.
    """
    if rope is None and size > 1:
        raise InputError(
            f"no rope is assumed for differences of {size:g}: say the smallest one that matters, "
            f"in their unit, such as {arg('rope', round_tenth(size))}"
        )
    return Rope.of(DEFAULT_ROPE if rope is None else rope)


def _prospect(assumed: Assumed, simulation: Simulation, alpha: float) -> Prospect:
    """Simulate a design, under any effect with the same random numbers."""
    (answers,) = simulation.run([assumed], assumed.sets)
    amount = Amount(DATASETS, assumed.sets)
    if assumed.unit.has_answers:
        amount = Amount("items", assumed.n)
    elif assumed.unit.is_unpaired:
        amount = Amount(EACH_SIDE, assumed.n)
    return Prospect.of(amount, answers, alpha)


def _smallest(assumed: Assumed, power: float, simulation: Simulation, alpha: float) -> float | None:
    """Return the smallest effect, by the secant method: near `ENOUGH`, power is a normal cdf.

    power : under the assumed effect.
    """
    count = simulation.replicates
    target = _probit(ENOUGH, count)
    per_set = assumed.noise**2 * (1 / assumed.n + assumed.rho / (1 - assumed.rho))
    between = 0.0 if assumed.unit.may_be_right_or_wrong else assumed.sd**2
    if assumed.unit.is_unpaired:
        per_set *= 2
    slope = 1 / math.sqrt((between + per_set) / assumed.sets)
    effect = assumed.effect
    for _ in range(MOST_STEPS):
        step = (target - _probit(power, count)) / slope
        if abs(power - ENOUGH) <= math.sqrt(ENOUGH * (1 - ENOUGH) / count):
            return effect + step
        step = float(np.clip(step, -3 / slope, 3 / slope))
        further = _prospect(replace(assumed, effect=effect + step), simulation, alpha).right
        rise = (_probit(further, count) - _probit(power, count)) / step
        slope = rise if rise > slope / 4 else slope / 2
        effect = effect + step
        power = further
    return None


def _probit(power: float, count: int) -> float:
    """Return the normal quantile of a share of `count` results, kept away from 0 and 1."""
    return NormalDist().inv_cdf(float(np.clip(power, 0.5 / count, 1 - 0.5 / count)))


def _check(
    effect: float,
    sd: float,
    noise: float,
    runs: int,
    folds: int,
    sizes: Sequence[int],
    least: int,
) -> None:
    if not np.isfinite(effect):
        raise InputError(f"{arg('effect', effect)}: give a finite number, such as 0.02")
    for name, value in (("sd", sd), ("noise", noise)):
        if not 0 < value < np.inf:
            raise InputError(f"{arg(name, value)}: give a positive number, such as 0.04")
    for name, value in (("effect", abs(effect)), ("sd", sd), ("noise", noise)):
        if value and not SMALLEST < value < LARGEST:
            raise InputError(
                f"{arg(name, value)}: give a number between {SMALLEST:g} and {LARGEST:g}, in the "
                "scores' unit"
            )
    if runs < 1 or folds < 2 or runs * folds < 3:
        raise InputError(
            f"{arg('runs', runs)} {arg('folds', folds)}: at least 1 run, 2 folds and "
            "3 scores in all are needed"
        )
    too_small = [size for size in sizes if size < least]
    if too_small:
        raise InputError(f"size {too_small[0]}: give numbers of at least {least}")
    if least == 2 and max(sizes) > MOST_SETS:
        raise InputError(f"{_counts(str(max(sizes)))}: {MOST_SETS:,} data sets are the most")


# The number of items simulated by default over all replicates, and in one batch.
MOST_ITEMS, AT_ONCE = 6_000_000, 1_000_000
FEWEST, USUAL = 100, 2000
BUDGETS = spelled("--anytime 1000,5000", "items=(1000, 5000)")


@dataclass(frozen=True, slots=True)
class Course:
    """The shares of simulated streams that end in each verdict, under an assumed effect.

    budget : the most items, at which the bets aim.
    worse, not_worse : shown by bets within the budget.
    go_on : neither.
    items : the mean number until a verdict, or the budget.
    end_worse, end_not_worse : shown by one look at the end, by the paired t-test.
    error : the largest standard error of a share.
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


@in_one_thread
def plan_anytime(
    effect: float,
    sd: float,
    items: Sequence[int],
    *,
    rope: RopeLike | None = None,
    alpha: float = 0.05,
    replicates: int | None = None,
    seed: int = 0,
    progress: ShownProgress = no_progress,
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
    borders = _rope(rope, max(abs(effect), sd))
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
    with shown(progress, "simulating bets") as steps:
        for done, (shift, budget) in enumerate(cases, 1):
            assumed = Assumed(shift, sd, sd, 1, budget, 0.0, ITEM)
            rng = np.random.default_rng([seed, done])
            courses.append(_course(assumed, simulation, alpha, rng))
            steps(done, len(cases))
    return AnytimePlan(sd, borders, alpha, count, seed, tuple(courses))


def _course(
    assumed: Assumed, simulation: Simulation, alpha: float, rng: np.random.Generator
) -> Course:
    effect = assumed.effect
    sd = assumed.sd
    budget = assumed.n
    count = simulation.replicates
    size = max(1, AT_ONCE // budget)
    times = []
    for k in range(0, count, size):
        streams = draw(effect, sd, (min(size, count - k), budget), rng)
        times.append(_times(streams, simulation.rope, alpha))
    worse, not_worse = np.concatenate(times, axis=1)
    first = np.minimum(worse, not_worse)
    bad = float((worse < np.minimum(not_worse, budget + 1)).mean())
    good = float((not_worse < np.minimum(worse, budget + 1)).mean())
    on = float((first > budget).mean())
    (end,) = simulation.run([assumed], 1)
    end_bad = float((end.left > 1 - alpha).mean())
    end_good = float((end.rope + end.right > 1 - alpha).mean())
    shares = (bad, good, on, end_bad, end_good)
    error = max(math.sqrt(max(p * (1 - p), 1 / count) / count) for p in shares)
    items = float(np.minimum(first, budget).mean())
    return Course(effect, budget, bad, good, on, items, end_bad, end_good, error)


def draw(effect: float, sd: float, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
    """Draw differences -s, 0 or s of this mean and standard deviation."""
    square = sd**2 + effect**2
    size = min(1.0, square / abs(effect)) if effect else 1.0
    apart = square / size**2
    lean = effect / size
    u = rng.random(shape)
    up = (apart + lean) / 2
    down = (apart - lean) / 2
    return np.where(u < up, size, np.where(u < up + down, -size, 0.0))


def _times(differences: FloatArray, rope: Rope, alpha: float) -> FloatArray:
    """Return the (2, R) numbers of items until worse and not worse are shown; n + 1 for never."""
    x = (differences + 1) / 2
    n = differences.shape[1]
    low = (rope.low + 1) / 2
    times = []
    for seen, border in ((1 - x, 1 - low), (x, low)):
        reached = log_wealth(seen, border, alpha, budget=n) >= math.log(1 / alpha)
        times.append(np.where(reached.any(axis=1), reached.argmax(axis=1) + 1, n + 1))
    return np.stack(times)
