"""Check a gate: compare the baseline with itself, many times.

If there are several complete runs of the baseline, under different names, every pair of runs is
judged. Otherwise the random part of its scores (runs of folds, or epochs over the same items) is
split into random halves again and again, which are judged like two classifiers. Either way there is
no difference, and every decision is a false alarm.

The halves of a single run consist of its seeds or items. They are exchangeable whatever they share,
so the check cannot detect effects common to a run, such as the machine, or a passage that several
items are about. The report says so.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from scipy.special import bdtr

from bcompare.basis.messages import InputError, arg, number_of
from bcompare.basis.progress import Progress, no_progress
from bcompare.basis.showable import Showable
from bcompare.basis.threads import in_one_thread
from bcompare.comparing.compare import compare
from bcompare.data.differences import check_sizes
from bcompare.data.pairs import AllPairs, Pair, choose_pairs
from bcompare.data.rope import (
    FloatArray,
    RegionProbabilities,
    Rope,
    RopeLike,
)
from bcompare.data.scores import DatasetScores, Scores, check_paired
from bcompare.data.simulated import SimulatedResults
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import Unit
from bcompare.gating.claims import claims_of, suite_claims
from bcompare.gating.metrics import Metric, parts_of, ropes_of
from bcompare.gating.rule import WORSE, Claim, FailIf, GateRule, Outcome, Policy, judge
from bcompare.gating.runs import contestants
from bcompare.gating.scope import Over, method_and_scope
from bcompare.methods.interface import Method
from bcompare.planning.simulation import Simulation, usual_replicates

MOST_SPLITS = 1000
# Splits of items of several data sets, whose average takes a fifth of a second to judge.
MOST_OF_ITEMS = 200
# Separates a classifier's name from an epoch's, if epochs count as classifiers.
EPOCH = ", epoch "
# The quantile of alarms in checks of a good gate beyond which a check fails.
SURE = 0.98
# The share of alarms in one direction if every case is one: left and right are interchangeable.
EVERY = 0.5
WHOLE = "runs of the whole"
# Fewer different cases cannot show that alarms are as rare as 5 %.
FEW = 20


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class SelfCheck(Showable):
    """How often a gate decides although there is no difference.

    splits : the number of times the baseline was judged against itself.
    of : what was split.
    distinct : the number of distinct cases from which splits are drawn; swapping left and right
        gives the same case.
    repeated : whether complete runs were judged, not parts of one.
    worse, better : shares of false alarms in either direction.
    equivalent : right.
    undecided : neither.
    ropes : of each metric.
    tolerated : the share that chance may reach with this number of splits, of which alpha is
        allowed.
    """

    baseline: str
    rule: GateRule
    method: Method
    ropes: dict[Metric, Rope]
    scores: Scores
    splits: int
    distinct: int
    of: str
    repeated: bool
    worse: float
    better: float
    equivalent: float
    undecided: float
    tolerated: float

    @property
    def rope(self) -> Rope:
        """That of the scores, or of the first metric."""
        return next(iter(self.ropes.values()))

    @property
    def false_alarms(self) -> float:
        """The share of false alarms in one direction, on average."""
        return (self.worse + self.better) / 2

    @property
    def outcome(self) -> Outcome:
        """Whether false alarms are as rare as promised, up to chance.

        Undecided where even an alarm in every case could be chance.
        """
        if self.false_alarms > self.tolerated:
            return "fail"
        return "pass" if self.tolerated < EVERY and self.distinct >= FEW else "undecided"

    @property
    def whole_runs(self) -> bool:
        """Whether each run was judged as a whole."""
        return self.of.startswith(WHOLE)

    @property
    def exit_code(self) -> int:
        """As of `Gate`."""
        return replace(self.rule, fail_if=WORSE).exit_code(self.outcome)

    @property
    def passed(self) -> bool:
        """Whether the gate may be used, as far as this check shows."""
        return self.exit_code == 0

    def __bool__(self) -> bool:
        """Whether it passed, so that ``assert`` fails with it."""
        return self.passed


@dataclass(frozen=True, eq=False, slots=True)
class Halves:
    """Draws splits of the baseline's scores.

    tables : for each data set (groups, scores in each): runs of folds, epochs of items, or single
        seeds or items.
    averaged : whether each half is averaged first, as for epochs.
    """

    tables: tuple[FloatArray, ...]
    rho: FloatArray
    unit: Unit
    averaged: bool = False

    @property
    def distinct(self) -> int:
        """The number of different splits, left and right being interchangeable."""
        number = 1
        for groups in {len(table) for table in self.tables}:
            half = groups // 2
            number *= math.comb(groups, half) * math.comb(groups - half, half)
        return max(number // 2, 1)

    def __call__(self, count: int, rng: np.random.Generator) -> SimulatedResults:
        """Draw `count` splits; data sets with equal numbers of runs are split alike."""
        shape = (count, len(self.tables))
        numbers = dict.fromkeys(map(len, self.tables))
        differences: list[FloatArray] = []
        for _ in range(count):
            orders = {groups: rng.permutation(groups) for groups in numbers}
            for table in self.tables:
                half = len(table) // 2
                shuffled = table[orders[len(table)]]
                second_less_first = shuffled[half : 2 * half] - shuffled[:half]
                differences.append(
                    second_less_first.mean(axis=0) if self.averaged else second_less_first.ravel()
                )
        statistics = SufficientStatistics.from_differences(differences, 0.0)
        binary = []
        for table in self.tables:
            are_01 = bool(np.isin(np.abs(table), (0, 1)).all())
            are_means = self.averaged and len(table) > 3
            binary.append(are_01 and not are_means)
        return SimulatedResults(
            n=statistics.n.reshape(shape),
            mean=statistics.mean.reshape(shape),
            ss=statistics.ss.reshape(shape),
            rho=np.broadcast_to(self.rho, shape),
            binary=np.broadcast_to(np.array(binary), shape),
            unit=self.unit,
            source=statistics.source,
        )


@in_one_thread
def self_check(
    scores: Scores | Mapping[str, Scores],
    *,
    baseline: str | None = None,
    candidate: Sequence[str] = (),
    fail_if: FailIf = "worse",
    alpha: float = 0.05,
    undecided: Policy = "warn",
    over: Over | None = None,
    rope: RopeLike | None = None,
    test: Method | str | None = None,
    seed: int = 0,
    jobs: int | None = 1,
    progress: Progress = no_progress,
) -> SelfCheck:
    """Judge the baseline against itself, by the same rule as the gate.

    Parameters
    ----------
    scores : as for `bcompare.gate`, several metrics too.
    candidate : further runs of the baseline, as a whole; without any its scores are split. Epochs
        stand in `scores` as classifiers of their own, as `ReadOptions.lone` reads them.
    fail_if, alpha, undecided, over, rope, test : of the gate.

    Raises
    ------
    InputError : too few runs, seeds or items to split.

    Examples
    --------
    >>> import bcompare
    >>> file = "sample_data/results.csv"
    >>> alone = bcompare.read_scores(file, datasets=("two_hard",), classifiers=("knn",), lone=True)
    >>> bcompare.self_check(alone).worse
    0.0
    """
    parts = {}
    for metric, part in parts_of(scores).items():
        if not metric.advisory:
            parts[metric] = part.complete()
    metrics = tuple(parts)
    if any(metric.bar is not None for metric in metrics):
        raise InputError("a bar has no false alarms that a self-check could count: leave it out")
    of_first = parts[metrics[0]]
    check_paired(of_first, "a self-check")
    for part in parts.values():
        check_sizes(part)
    method, _ = method_and_scope(of_first, test, over)
    rule = GateRule(fail_if, alpha, undecided, each=over == "each")
    if candidate:
        first, others = contestants(of_first.classifiers, baseline, candidate)
        drawn_from = WHOLE
        repeated = True
        columns = list[int]()
    else:
        first, columns = _own(of_first.classifiers, baseline)
        repeated = of_first.unit.has_folds or len(columns) > 1
        halved = of_first.unit.repetition if repeated else of_first.unit
        drawn_from = f"halves of its {halved}s"
    of_baseline = [of_first.classifiers[k] for k in columns] or [first]
    ropes = ropes_of(parts, rope, of_baseline)
    prepared = [
        metric.prepared(part, ropes[metric], *of_baseline) for metric, part in parts.items()
    ]
    claims: list[Iterable[list[Claim]]]
    if candidate:
        runs = list(AllPairs((first, *others)))
        distinct = len(runs)
        claims = [
            _of_runs(part, runs, method, rope, rule, jobs, progress) for part, rope in prepared
        ]
    else:
        quick = method.economical()
        halves = [_halves(part, first, columns) for part, _ in prepared]
        distinct = halves[0].distinct
        splits = min(usual_replicates(quick, len(halves[0].tables)), MOST_SPLITS)
        if of_first.unit.has_answers and len(halves[0].tables) > 1:
            splits = min(splits, MOST_OF_ITEMS)
        claims = [
            _of_halves(half, Simulation(quick, rope, splits, seed, jobs, progress), rule)
            for half, (_, rope) in zip(halves, prepared, strict=True)
        ]
    cases = (list(chain.from_iterable(case)) for case in zip(*claims, strict=True))
    decisions = _decisions(cases, rule)
    worse, better, equivalent = map(float, decisions.mean(axis=0))
    undecided_share = max(0.0, 1 - (worse + equivalent + better))
    drawn = 0 if candidate else len(decisions)
    named = ", ".join(metric.name for metric in metrics if metric.name)
    prepared_ropes = [rope for _, rope in prepared]
    return SelfCheck(
        baseline=first,
        rule=rule,
        method=method,
        ropes=dict(zip(metrics, prepared_ropes, strict=True)),
        scores=of_first,
        splits=len(decisions),
        distinct=distinct,
        of=f"{drawn_from} in {named}" if named else drawn_from,
        repeated=repeated,
        worse=worse,
        better=better,
        equivalent=equivalent,
        undecided=undecided_share,
        tolerated=_tolerated(rule.alpha, distinct, drawn),
    )


def _of_runs(
    scores: Scores,
    runs: list[Pair],
    method: Method,
    rope: Rope,
    rule: GateRule,
    jobs: int | None,
    progress: Progress,
) -> list[list[Claim]]:
    """Return the claims of every run against every other, in both directions.

    Under a symmetric rope a claim is mirrored, which saves the time of the test.
    """
    mirrors = rope.is_symmetric
    pairs = [*runs]
    if not mirrors:
        pairs += [(right, left) for left, right in runs]
    study = compare(
        scores, method, rope=rope, alpha=rule.alpha, pairs=pairs, jobs=jobs, progress=progress
    )
    claims = [claims_of(comparison, study, rule, Metric()) for comparison in study.comparisons]
    if not mirrors:
        return claims
    mirrored = [[claim.mirrored() for claim in of_run] for of_run in claims]
    return claims + mirrored


def _of_halves(halves: Halves, simulation: Simulation, rule: GateRule) -> Iterator[list[Claim]]:
    """Yield the claims of every split; the same seed splits the runs of every metric alike."""
    method = simulation.method
    rope = simulation.rope
    if method.scope == "these":
        rng = np.random.default_rng([simulation.seed, 0, 0])
        drawn = list(halves(simulation.replicates, rng).each())
        # of a few runs there are few halves, which come again and again
        keys = [statistics.mean.tobytes() + statistics.ss.tobytes() for statistics in drawn]
        different = dict(zip(keys, drawn, strict=True))
        claims: dict[bytes, list[Claim]] = {}
        for key, statistics in different.items():
            result = method.test(statistics, rope)
            claims[key] = suite_claims(statistics, result, rope, method.name, rule)
            simulation.progress(len(claims), len(different))
        yield from (claims[key] for key in keys)
        return
    (answers,) = simulation.run([halves], len(halves.tables))
    for p in zip(*(part.tolist() for part in answers), strict=True):
        yield [Claim(RegionProbabilities(*p), "no answer" if math.isnan(p[0]) else None)]


def _decisions(cases: Iterable[list[Claim]], rule: GateRule) -> FloatArray:
    """Return (n, 3): whether one run is judged worse, better, as good.

    Whatever the demand on candidates, the baseline need not be better than itself.
    """
    plain = replace(rule, fail_if=WORSE)
    rows = []
    for claims in cases:
        here = judge(plain, claims)
        there = judge(plain, [claim.mirrored() for claim in claims])
        equal = {*here, *there} == {"pass"}
        rows.append(("fail" in here, "fail" in there, equal))
    return np.array(rows, dtype=np.float64)


def _own(classifiers: Sequence[str], baseline: str | None) -> tuple[str, list[int]]:
    """Return the baseline's name, and its columns: one for each epoch, if there are epochs."""
    if baseline is None:
        baseline = classifiers[0].split(EPOCH)[0] if len(classifiers) > 1 else classifiers[0]
    epochs = [k for k, name in enumerate(classifiers) if name.startswith(baseline + EPOCH)]
    if not epochs:
        choose_pairs(classifiers, left=baseline)  # refuses unknown names
    return baseline, epochs or [list(classifiers).index(baseline)]


def _halves(scores: Scores, baseline: str, columns: list[int]) -> Halves:
    """Return what the baseline's scores can be split by; columns : its own, one for each epoch."""
    tables = []
    rho = []
    for dataset in scores.datasets:
        if present := [k for k in columns if dataset.present[k]]:
            table = np.ascontiguousarray(dataset.table[:, present].T)
            tables.append(
                table if len(present) > 1 else _groups(table[0], dataset, scores, baseline)
            )
            rho.append(dataset.rho)
    return Halves(tuple(tables), np.array(rho), scores.unit, averaged=len(columns) > 1)


def _groups(x: FloatArray, dataset: DatasetScores, scores: Scores, baseline: str) -> FloatArray:
    """Return the (groups, n) scores of a data set: of the runs of its folds, or single ones.

    Raises
    ------
    InputError : runs that differ in their folds, or too few groups for two halves.
    """
    folds = scores.unit.has_folds
    if folds and len(x) != dataset.runs * dataset.folds:
        raise InputError(
            f"data set {dataset.name}: its runs differ in their folds, so they cannot be split in "
            f"halves; leave it out, or name more whole runs of the baseline by {arg('candidate')}"
        )
    groups = dataset.runs if folds else len(x)
    least = 2 * math.ceil(3 * groups / len(x))  # three rows in each half
    if groups < least:
        few = number_of(groups, "run" if folds else scores.unit)
        raise InputError(
            f"data set {dataset.name}: {baseline} has {few}, and needs {least} for two halves; add "
            f"more, or name more whole runs of the baseline by {arg('candidate')}"
        )
    return x.reshape(groups, -1)


def _tolerated(alpha: float, distinct: int, drawn: int) -> float:
    """Return the share of alarms in one direction that chance exceeds in 2 % of checks.

    By the binomial: a case is an alarm in either direction with a probability of 2 alpha at most.
    If splits are drawn from few cases, their share varies, too.

    drawn : the number of splits drawn; 0 if every case is judged.
    """
    cases = min(drawn or distinct, distinct)
    at_most = bdtr(np.arange(cases + 1.0), cases, 2 * alpha)
    share = int(np.searchsorted(at_most, SURE)) / cases
    error = math.sqrt(share * (1 - share) / drawn) if drawn > distinct else 0.0
    return min(share + 2 * error, 1.0) / 2
