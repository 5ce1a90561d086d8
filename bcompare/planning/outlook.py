"""The probability of each verdict after more data sets, runs or items; the answer of `plan`."""

import math
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np

from bcompare.basis.messages import InputError, arg, number_of, spelled
from bcompare.basis.progress import ShownProgress, no_progress, shown
from bcompare.basis.showable import Showable
from bcompare.basis.threads import in_one_thread
from bcompare.comparing.compare import as_method, as_scores, compare
from bcompare.comparing.comparison import Comparison
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.comparing.decision import Decision, Threshold
from bcompare.data.pairs import Pair, choose_pairs
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope, RopeLike
from bcompare.data.scores import Scores, ScoresLike
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.interface import Method
from bcompare.planning.simulation import (
    ENDLESS,
    SLOW,
    Draw,
    Simulation,
    Spread,
    more_datasets,
    more_scores,
    usual_replicates,
)

# Factors of more data, and those for slow tests.
FACTORS = (1.5, 2.0, 3.0, 5.0, 10.0)
FEW_FACTORS = (1.5, 2.0, 3.0, 5.0)
SCORE_FACTORS = (1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0)
FEW_SCORE_FACTORS = (2.0, 5.0)
MOST_CASES = 30

DATASETS = "data sets"
EACH_SIDE = "trials a side"


@dataclass(frozen=True, slots=True)
class Amount:
    """A total amount of data; `count` is None for an unlimited one."""

    of: str
    count: int | None


@dataclass(frozen=True, eq=False, slots=True)
class Case:
    """One pair, on one data set or on all at once.

    dataset : its name; None if there is one answer for all.
    decision : the verdict now.
    now : the data.
    scores : the unit of its scores, such as runs, and their number on each data set; None if there
        can be no more of them.
    spread : of true differences over all data sets; None if these are too few to tell.
    """

    left: str
    right: str
    dataset: str | None
    decision: Decision
    now: SufficientStatistics
    scores: Amount | None
    spread: Spread | None = None

    def with_scores(self, factors: Sequence[float]) -> list[tuple[Amount, Draw]]:
        """Yield more runs, seeds or items on the same data sets; the last factor is infinite."""
        if self.scores is None or self.scores.count is None:
            return []
        noun = self.scores.of
        now = self.scores.count
        draw = partial(more_scores, spread=self.spread)
        counts = [None if math.isinf(f) else math.ceil(now * f) for f in factors]
        return [
            (Amount(noun, n), partial(draw, self.now, ENDLESS if n is None else n / now))
            for n in dict.fromkeys(counts)  # with few runs, several factors give the same number
        ]

    def with_datasets(
        self, factors: Sequence[float], method: Method, rope: Rope
    ) -> list[tuple[Amount, Draw]]:
        """Yield more data sets, for a test that predicts them."""
        if not method.predicts:
            return []
        counts = dict.fromkeys(math.ceil(len(self.now) * factor) for factor in factors)
        return [
            (Amount(DATASETS, n), partial(more_datasets, method, rope, self.now, n - len(self.now)))
            for n in counts
        ]


def cases_of(comparison: Comparison, scores: Scores) -> Iterator[Case]:
    """Return the verdicts on one pair."""
    statistics = comparison.differences.statistics
    names = (comparison.left, comparison.right)
    spread = Spread.of(statistics)
    if comparison.decision is not None:
        only = statistics.names[0] if len(statistics) == 1 else None
        one = only if len(scores.datasets) > 1 else None
        more = _scores(statistics, scores)
        yield Case(*names, one, comparison.decision, statistics, more, spread)
        return
    for i, decision in enumerate(comparison.dataset_decisions):
        now = statistics.chosen([i])
        yield Case(*names, now.names[0], decision, now, _scores(now, scores), spread)


def _scores(now: SufficientStatistics, scores: Scores) -> Amount | None:
    """Return the number of runs if all data sets have equally many, else of scores."""
    if not scores.unit.has_spread:
        return None
    mine = set(now.names)
    runs = {dataset.runs for dataset in scores.datasets if dataset.name in mine}
    if scores.unit.has_folds and len(runs) == 1 and min(runs) > 0:
        return Amount("runs", runs.pop())
    if now.sides is not None:
        counts = set(now.sides.n.ravel().tolist())
        if len(counts) == 1:
            return Amount(EACH_SIDE, counts.pop())
        return Amount("trials in all", int(now.sides.n.sum()))
    noun = "clusters" if scores.is_clustered else f"{scores.unit.noun}s"
    sizes = set(now.n.tolist())
    return (
        Amount(noun, sizes.pop()) if len(sizes) == 1 else Amount(f"{noun} in all", int(now.n.sum()))
    )


@dataclass(frozen=True, slots=True)
class Prospect:
    """The probability of each verdict with an amount of data.

    left, rope, right, undecided : shares of simulations that end in that verdict.
    error : Monte Carlo standard error of the most uncertain of them.
    """

    amount: Amount
    left: float
    rope: float
    right: float
    undecided: float
    error: float

    @classmethod
    def of(
        cls, amount: Amount, answers: RegionProbabilities[FloatArray], alpha: float
    ) -> "Prospect":
        """Count the verdicts of simulations; a withheld answer is undecided."""
        left, rope, right = (float(np.mean(p > 1 - alpha)) for p in answers)
        undecided = max(0.0, 1 - (left + rope + right))
        replicates = len(answers.left)
        variance = max(share * (1 - share) for share in (left, rope, right, undecided))
        # never quite 0
        error = math.sqrt(max(variance, 1 / (replicates + 2)) / replicates)
        return cls(amount, left, rope, right, undecided, error)


@dataclass(frozen=True, eq=False, slots=True)
class Outlook:
    """The effect of more data on one verdict."""

    case: Case
    prospects: tuple[Prospect, ...]


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Plan(Showable):
    """The outlooks of some pairs, with their settings.

    alpha : a verdict needs a probability above 1 - alpha.
    replicates : simulations of each amount.
    """

    study: ComparisonSet
    outlooks: tuple[Outlook, ...]
    alpha: float
    replicates: int
    seed: int

    def __repr__(self) -> str:
        count = number_of(len(self.outlooks), "outlook")
        return f"<Plan: {count}, {self.replicates} futures each>"


@in_one_thread
def plan(
    scores: ScoresLike,
    *,
    pairs: Collection[Pair] | None = None,
    baseline: str | None = None,
    rope: RopeLike | None = None,
    alpha: float = 0.05,
    test: Method | str | None = None,
    datasets: Collection[str] | None = None,
    replicates: int | None = None,
    seed: int = 0,
    jobs: int | None = 1,
    executor: Executor | None = None,
    progress: ShownProgress = no_progress,
) -> Plan:
    """Simulate further results from the posterior predictive, and test them with the present ones.

    Parameters
    ----------
    scores, pairs, rope : as for `compare`. baseline : the left classifier of all pairs.
    alpha : a verdict needs a probability above 1 - alpha.
    test : by default the correlated t-test on one data set, ``hier`` over several, ``signrank``
        for means.
    datasets : the names of those to plan by; by default all.
    replicates : simulations of each amount; by default as many as take seconds.
    jobs, executor : where to compute, and progress : as for `compare`.

    Raises
    ------
    InputError : too many pairs, or what `compare` refuses.
    ComputationError : no pair could be computed.

    Examples
    --------
    >>> import bcompare
    >>> scores = bcompare.read_scores("sample_data/results.csv", datasets=("two_hard",))
    >>> bcompare.plan(scores, pairs=[("knn", "forest")], replicates=50)
    <Plan: 1 outlook, 50 futures each>
    """
    check_levels(alpha, replicates)
    scores = as_scores(scores)
    if datasets is not None:
        scores = scores.on(datasets)
    method = as_method(test, scores)
    chosen = choose_pairs(scores.classifiers, left=baseline) if pairs is None else pairs
    _check_count(len(chosen))
    rule = Threshold(alpha)
    study = compare(scores, method, rope=rope, rule=rule, alpha=alpha, pairs=list(chosen))
    cases = [case for c in study.comparisons for case in cases_of(c, scores)]
    _check_count(len(cases))
    quick = method.economical()
    most = max(len(case.now) for case in cases)
    count = replicates or usual_replicates(quick, most)
    futures = [_futures(case, quick, study.rope) for case in cases]
    draws = [draw for several in futures for _, draw in several]
    with shown(progress, "simulating more data") as steps:
        simulation = Simulation(quick, study.rope, count, seed, jobs, steps, executor)
        answers = iter(simulation.run(draws, 2 * most))
    outlooks = []
    for case, several in zip(cases, futures, strict=True):
        prospects = [Prospect.of(amount, next(answers), alpha) for amount, _ in several]
        outlooks.append(Outlook(case, tuple(prospects)))
    return Plan(study, tuple(outlooks), alpha, count, seed)


def check_levels(alpha: float, replicates: int | None) -> None:
    """Check the level of the verdicts, and the number of simulations.

    Raises
    ------
    InputError : a level that decides nothing, or no replicates.
    """
    Threshold(alpha)
    if replicates is not None and replicates < 1:
        raise InputError(f"{arg('replicates', replicates)}: give a positive number, such as 200")


def _check_count(count: int) -> None:
    if count > MOST_CASES:
        choose = spelled(
            "--baseline and --candidate, and data sets by --dataset",
            "pairs=[(left, right)], and read fewer data sets",
        )
        raise InputError(
            f"a plan simulates every verdict, and {count:,} are too many: choose one pair by "
            f"{choose}"
        )


def _futures(case: Case, method: Method, rope: Rope) -> list[tuple[Amount, Draw]]:
    is_slow = method.effort(len(case.now)) > SLOW
    of_datasets = FEW_FACTORS if is_slow else FACTORS
    of_scores = FEW_SCORE_FACTORS if is_slow else SCORE_FACTORS
    if (case.now.rho > 0).any():  # more folds than any number leave their correlation
        of_scores = (*of_scores, math.inf)
    return [*case.with_datasets(of_datasets, method, rope), *case.with_scores(of_scores)]
