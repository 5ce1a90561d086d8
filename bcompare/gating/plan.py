"""How probable each verdict of a gate is with so many scores: of no change, and of a loss.

Results at hand, the pilot, say how the differences scatter. How widely is drawn from the posterior
of the spread, since few scores say little about it; and the ends of that posterior give the range
of numbers that the pilot leaves open. New differences are drawn with the pilot's covariances, or
from its residuals where there are many, at the same rows for every metric, around a level that all
folds of all runs share (see `bcompare.planning.simulation`). The mean difference is 0, or minus the
loss.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import get_args

import numpy as np
from scipy.special import betaincinv, chdtri

from bcompare.basis.messages import InputError, arg
from bcompare.basis.progress import Progress, no_progress
from bcompare.basis.threads import in_one_thread
from bcompare.comparing.workers import processes_for, run_tasks
from bcompare.data.differences import is_binary
from bcompare.data.rope import FloatArray, IntArray, Rope, RopeLike
from bcompare.data.scores import Scores, ScoresLike
from bcompare.data.sufficient import SufficientStatistics
from bcompare.gating.batch import SimulatedClaims, SimulatedSuites, outcomes
from bcompare.gating.claims import (
    are_numbers,
    bundled,
    by_number,
    regions_of_answers,
    suite_claims,
    with_regions,
)
from bcompare.gating.judge import gate
from bcompare.gating.metrics import BAR, Metric
from bcompare.gating.rule import WORST_FIRST, Claim, FailIf, GateRule, Outcome, judge
from bcompare.gating.runs import NO_RUNS, Runs
from bcompare.gating.unpaired_plan import INSIDE, TELLING, Spread, UnpairedSample
from bcompare.gating.verdict import Gate
from bcompare.methods.interface import Method
from bcompare.methods.paired_binary import discordant

ENOUGH = 0.8
# The numbers of scores to try, as multiples of those at hand.
LADDER = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
SLOW_LADDER = LADDER[:5]
# Simulations of suites in one batch, and of suites that are judged one by one.
REPLICATES, BATCH = 1000, 250
SLOW_REPLICATES, SLOW_BATCH = 100, 25
# Seconds for the claims on one metric and data set.
EFFORT, SLOW_EFFORT = 2e-5, 2e-3
# The range that a pilot leaves open has so much fewer simulations.
FEWER = 4
# The most differences that are simulated at once, and the most in a suite.
MOST, LARGEST = 400_000, 10_000


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss of one metric on every data set. size : on the scale of the comparison."""

    metric: Metric
    size: float

    def describe(self) -> str:
        """Return the loss in words."""
        is_share = self.metric.relative is not None
        amount = f"{100 * self.size:.3g} %" if is_share else f"{self.size:.3g}"
        where = f" in {self.metric.name}" if self.metric.name else ""
        return f"{amount} worse{where}"


@dataclass(frozen=True, slots=True)
class LossShares:
    """The shares of simulated changes that end in each verdict.

    count : scores on each data set.
    loss : None for no change.
    spread : how differences scatter.
    """

    count: int
    loss: Loss | None
    fail: float
    undecided: float
    passed: float
    spread: Spread = "drawn"

    @property
    def right(self) -> float:
        """The share that ends as it should: no change passes, and a loss fails."""
        return self.passed if self.loss is None else self.fail


@dataclass(frozen=True, eq=False, slots=True)
class GatePlan:
    """The plan of a gate.

    judged : the results at hand.
    of : what is counted on each data set.
    now : their number.
    rows : for each number, of no change and of each loss.
    ends : the same at the ends of the posterior of the spread.
    replicates : simulations of each.
    """

    judged: Gate
    of: str
    now: int
    losses: tuple[Loss, ...]
    rows: tuple[LossShares, ...]
    replicates: int
    seed: int
    ends: tuple[LossShares, ...] = ()

    def fewest(self, loss: Loss | None, spread: Spread = "drawn") -> int | None:
        """Return about how many find such a loss, or pass no change, with probability 0.8.

        None if none that were tried do.
        """
        before: LossShares | None = None
        for row in (*self.rows, *self.ends):
            if row.loss != loss or row.spread != spread:
                continue
            if row.right >= ENOUGH:
                if before is None or row.right == before.right:
                    return row.count
                part = (ENOUGH - before.right) / (row.right - before.right)
                return math.ceil(before.count * math.pow(row.count / before.count, part))
            before = row
        return None


@dataclass(frozen=True, eq=False, slots=True)
class _Noise:
    """New rows of one data set, for R replicates.

    chosen : (R, m) rows of the pilot.
    mixed : (R, m, n) weights of these, if the pilot has few.
    """

    chosen: IntArray
    mixed: FloatArray | None

    @classmethod
    def drawn(cls, rng: np.random.Generator, count: int, n: int, size: int) -> "_Noise":
        """Draw `size` rows from n of the pilot, for each of `count` replicates."""
        chosen = rng.integers(n, size=(count, size))
        mixed = None
        if n < TELLING:
            # sums of centred residuals have their covariances, whatever the metrics are
            mixed = rng.standard_normal((count, size, n)) / math.sqrt(n)
        return cls(chosen, mixed)

    def of(self, residuals: FloatArray) -> FloatArray:
        """Return (R, m) deviations with the variance that n residuals have."""
        if self.mixed is None:
            return np.asarray(residuals[self.chosen % len(residuals)])
        count = min(len(residuals), self.mixed.shape[2])
        return np.asarray(self.mixed[:, :, :count] @ residuals[:count])


@dataclass(frozen=True, eq=False, slots=True)
class _Sample:
    """What the results at hand say of one metric.

    residuals : of each data set.
    alone : of 0/1 items, how many one of the two alone got right; else None.
    is_number : whether neither side's scores ever vary.
    answers : the scores, if they are right or wrong and judged by a bar.
    """

    metric: Metric
    method: Method
    rope: Rope
    now: SufficientStatistics
    residuals: tuple[FloatArray, ...]
    alone: tuple[int | None, ...]
    is_number: bool
    answers: Scores | None

    @classmethod
    def of(cls, judged: Gate, metric: Metric) -> "_Sample":
        study = judged.studies[judged.metrics.index(metric)]
        (pair,) = study.comparisons
        now = pair.differences.statistics
        left, right = discordant(now)
        are_answers = now.binary & now.unit.has_answers
        alone = [
            int(differ) if is_01 else None
            for differ, is_01 in zip(left + right, are_answers, strict=True)
        ]
        residuals = []
        for i in range(len(now)):
            x = now.differences(i)
            residuals.append((x - x.mean()) * math.sqrt(len(x) / (len(x) - 1)))
        is_number = bool(are_numbers(pair, study.scores, metric).all())
        quick = study.method.economical()
        column = study.scores.classifiers.index(pair.right)
        of_answers = metric.bar is not None and study.scores.unit.has_answers
        binary = of_answers and all(is_binary(d.of([column])) for d in study.scores.datasets)
        answers = study.scores if binary else None
        return cls(
            metric, quick, pair.rope, now, tuple(residuals), tuple(alone), is_number, answers
        )

    @property
    def is_batched(self) -> bool:
        """Whether all replicates are judged at once."""
        if self.is_number:
            return True
        varies = all(np.ptp(residuals) > 0 for residuals in self.residuals)
        counted = self.answers is not None or any(alone is not None for alone in self.alone)
        return varies and not counted and not self.now.unit.has_offset

    def factors(self, spread: Spread, count: int, rng: np.random.Generator) -> FloatArray:
        """Return (count,) standard deviations, as multiples of those at hand.

        The posterior of their common factor, with the degrees of freedom of the sum of their
        variances (Satterthwaite 1946, Biometrics Bulletin 2:110).
        """
        variances = self.now.sd**2
        dof = float(variances.sum() ** 2 / (variances**2 / self.now.dof).sum())
        if spread == "drawn":
            return np.sqrt(dof / rng.chisquare(dof, count))
        outside = (1 - INSIDE) / 2
        beyond = 1 - outside if spread == "most" else outside
        return np.full(count, math.sqrt(dof / float(chdtri(dof, beyond))))

    def differences(
        self, noise: Sequence[_Noise], spread: Spread, rng: np.random.Generator
    ) -> list[FloatArray]:
        """Return (R, m) differences on each data set, of no change."""
        count = len(noise[0].chosen)
        factors = np.ones(count)
        if self.now.ss.any():
            factors = self.factors(spread, count, rng)
        rho = self.now.rho
        level = np.sqrt(rho / (1 - rho)) * self.now.sd
        shared = rng.standard_normal((count, 1 if self.now.unit.has_offset else len(self.now)))
        offsets = shared * level
        return [
            factors[:, None] * (rows.of(residuals) + offsets[:, i, None])
            for i, (rows, residuals) in enumerate(zip(noise, self.residuals, strict=True))
        ]

    def batched(
        self, differences: Sequence[FloatArray], loss: float, rule: GateRule
    ) -> SimulatedClaims:
        """Return the claims on all replicates; differences : of no change."""
        if self.is_number:
            claims = self._of_numbers(loss, len(differences[0]))
        else:
            sizes = np.array([of_dataset.shape[1] for of_dataset in differences])
            rows = []
            rho = []
            for size in np.unique(sizes):
                group = np.flatnonzero(sizes == size)
                alike = np.stack([differences[i] for i in group.tolist()], axis=1)
                rows.append(alike - loss)
                rho.append(self.now.rho[group])
            suites = SimulatedSuites(tuple(rows), tuple(rho), self.now.unit)
            claims = suites.claims(self.rope, rule, aim=self.metric.aim)
        claims = replace(claims, aim=self.metric.aim, advisory=self.metric.advisory)
        return claims.first() if self.metric.bar is not None else claims

    def _of_numbers(self, loss: float, count: int) -> SimulatedClaims:
        """Return the claims on numbers, which are the same in all replicates."""
        q = len(self.now)
        numbers = np.column_stack([np.zeros(q), np.full(q, -loss)])
        regions = [*by_number(numbers, self.rope)]
        if q == 1:  # the average is that of the only data set
            regions = regions[1:]
        worse = np.tile([p.left for p in regions], (count, 1))
        better = np.tile([p.right for p in regions], (count, 1))
        main = np.zeros(len(regions), np.bool_)
        main[0] = True
        return SimulatedClaims(worse, better, np.zeros(worse.shape, np.bool_), main)

    def claims(
        self,
        differences: Sequence[FloatArray],
        loss: float,
        spread: Spread,
        seed: int,
        rule: GateRule,
    ) -> list[Claim]:
        """Return the claims on one replicate. differences : (m,) on each data set, of no change."""
        rng = np.random.default_rng([seed, *map(ord, self.metric.name)])
        if self.answers is not None:
            return self._of_shares(
                self.answers, [len(of_dataset) for of_dataset in differences], loss, rng
            )
        drawn = []
        for i, (alone, of_dataset) in enumerate(zip(self.alone, differences, strict=True)):
            if alone is None:
                drawn.append(of_dataset - loss)
            else:
                share = self._alone(alone, int(self.now.n[i]), spread, rng)
                drawn.append(self._items(share, loss, len(of_dataset), rng))
        statistics = replace(
            SufficientStatistics.from_differences(drawn, self.now.rho, self.now.names),
            unit=self.now.unit,
            binary=self.now.binary,
        )
        result = self.method.test(statistics, self.rope)
        claims = suite_claims(statistics, result, self.rope, self.method.name, rule)
        claims = bundled(claims, statistics)
        if self.is_number:
            numbers = np.column_stack([np.zeros(len(drawn)), np.full(len(drawn), -loss)])
            claims = with_regions(
                by_number(numbers, self.rope), claims, np.ones(len(drawn) + 1, np.bool_)
            )
        if self.metric.bar is not None:
            claims = claims[:1]
        return [replace(c, aim=self.metric.aim, advisory=self.metric.advisory) for c in claims]

    def _of_shares(
        self, scores: Scores, sizes: Sequence[int], loss: float, rng: np.random.Generator
    ) -> list[Claim]:
        """Return the claim on right or wrong answers, whose mean is at a bar less a loss."""
        best = 0.0 if scores.lower_is_better else 1.0
        bar = float(scores.datasets[0].table[0, scores.classifiers.index(BAR)])
        wrong = min(max(best - bar + loss, 0.0), 1.0)
        answers = [best - rng.binomial(1, wrong, size).astype(np.float64) for size in sizes]
        average, *_ = regions_of_answers(answers, bar, scores, self.rope)
        return [Claim(average, aim=self.metric.aim, advisory=self.metric.advisory)]

    @staticmethod
    def _alone(count: int, n: int, spread: Spread, rng: np.random.Generator) -> float:
        """Return the share of items that one of the two alone gets right, by Jeffreys' prior."""
        first = count + 0.5
        second = n - count + 0.5
        if spread == "drawn":
            return float(rng.beta(first, second))
        outside = (1 - INSIDE) / 2
        return float(betaincinv(first, second, outside if spread == "least" else 1 - outside))

    @staticmethod
    def _items(alone: float, loss: float, n: int, rng: np.random.Generator) -> FloatArray:
        won = max((alone - loss) / 2, 0.0)
        return rng.choice([-1.0, 0.0, 1.0], n, p=[won + loss, 1 - 2 * won - loss, won])


def _simulated(
    samples: Sequence[_Sample],
    losses: Sequence[Loss],
    rule: GateRule,
    seed: int,
    task: "_Task",
) -> IntArray:
    """Return the (replicates, 1 + losses) outcomes of no change and of each loss.

    As positions in `WORST_FIRST`.
    """
    first = samples[0].now
    sizes = np.maximum(np.rint(task.factor * first.n).astype(np.int64), first.unit.fewest)
    is_batched = all(sample.is_batched for sample in samples)
    most = MOST if is_batched else MOST // 10
    portion = max(most // int(sizes.sum()), 1)
    parts = []
    for number, start in enumerate(range(0, task.size, portion)):
        count = min(portion, task.size - start)
        # the same spreads and levels for every number of scores
        rng = np.random.default_rng([seed, task.batch, number])
        noise = [
            _Noise.drawn(rng, count, n, size)
            for n, size in zip(first.n.tolist(), sizes.tolist(), strict=True)
        ]
        if first.unit.has_offset:
            noise = noise[:1] * len(noise)
        drawn = []
        for sample in samples:
            generator = np.random.default_rng(
                [seed, task.batch, number, *map(ord, sample.metric.name)]
            )
            drawn.append(sample.differences(noise, task.spread, generator))
        if is_batched:
            parts.append(_all_at_once(samples, losses, rule, drawn))
        else:
            parts.append(_one_by_one(samples, losses, rule, drawn, task, number))
    return np.concatenate(parts)


@dataclass(frozen=True, slots=True)
class _Task:
    """Some replicates.

    factor : how many times the scores at hand there are.
    batch : its number.
    """

    spread: Spread
    factor: float
    batch: int
    size: int


def _all_at_once(
    samples: Sequence[_Sample],
    losses: Sequence[Loss],
    rule: GateRule,
    drawn: Sequence[Sequence[FloatArray]],
) -> IntArray:
    """Return the outcomes of R replicates; drawn : the differences of each metric, of no change."""
    same = [
        sample.batched(of_metric, 0.0, rule)
        for sample, of_metric in zip(samples, drawn, strict=True)
    ]
    columns = [outcomes(rule, same)]
    for loss in losses:
        claims = list(same)
        for k, sample in enumerate(samples):
            if sample.metric == loss.metric:
                claims[k] = sample.batched(drawn[k], loss.size, rule)
        columns.append(outcomes(rule, claims))
    return np.column_stack(columns)


def _one_by_one(
    samples: Sequence[_Sample],
    losses: Sequence[Loss],
    rule: GateRule,
    drawn: Sequence[Sequence[FloatArray]],
    task: _Task,
    number: int,
) -> IntArray:
    """Return the same of items that are right or wrong, and of whole runs."""
    count = len(drawn[0][0])
    rng = np.random.default_rng([task.batch, number])
    rows = []
    for r in range(count):
        state = int(rng.integers(2**31))
        of_replicate = [[of_dataset[r] for of_dataset in of_metric] for of_metric in drawn]
        same = [
            sample.claims(of_dataset, 0.0, task.spread, state, rule)
            for sample, of_dataset in zip(samples, of_replicate, strict=True)
        ]
        row = [_outcome(rule, same)]
        for loss in losses:
            claims = list(same)
            for k, sample in enumerate(samples):
                if sample.metric == loss.metric:
                    claims[k] = sample.claims(of_replicate[k], loss.size, task.spread, state, rule)
            row.append(_outcome(rule, claims))
        rows.append([WORST_FIRST.index(outcome) for outcome in row])
    return np.array(rows)


def _outcome(rule: GateRule, of_metrics: Sequence[Sequence[Claim]]) -> Outcome:
    """Return the outcome of a change by its claims on each metric."""
    claims = [claim for of_metric in of_metrics for claim in of_metric]
    pairs = zip(claims, judge(rule, claims), strict=True)
    return rule.together(("", outcome) for claim, outcome in pairs if not claim.advisory)


@in_one_thread
def plan_gate(
    scores: "ScoresLike | Mapping[str, ScoresLike]",
    *,
    baseline: str | None = None,
    candidate: str | Sequence[str] | None = None,
    worse: Sequence[str] = (),
    fail_if: FailIf = "worse",
    bar: float | None = None,
    alpha: float = 0.05,
    rope: RopeLike | None = None,
    runs: Runs = NO_RUNS,
    replicates: int | None = None,
    seed: int = 0,
    jobs: int | None = 1,
    progress: Progress = no_progress,
) -> GatePlan:
    """Simulate a gate with other numbers of runs, seeds or items, of no change and of a loss.

    Parameters
    ----------
    scores, baseline, candidate, fail_if, bar, alpha, rope, runs : as for `bcompare.gate`, of one
        candidate, or of two runs of the baseline: they say how differences scatter. With a bar no
        change is a candidate that is just as good as the bar.
    worse : the loss to be found, in the unit of the rope, such as "0.03" or, of one of several
        metrics, "fit_s: 10%"; twice the rope of each metric by default.
    replicates : simulations of each kind; rounded up to a multiple of 25.
    jobs : processes to compute in, as for `compare`.

    Raises
    ------
    InputError : as `bcompare.gate` does; several candidates; a loss of no size.

    Examples
    --------
    >>> import bcompare
    >>> scores = bcompare.read_scores("sample_data/results.csv", datasets=("two_hard",))
    >>> plan = bcompare.plan_gate(scores, baseline="knn", candidate="forest", replicates=25)
    >>> plan.of
    'runs'
    """
    judged = gate(
        scores,
        baseline=baseline,
        candidate=candidate,
        fail_if=fail_if,
        bar=bar,
        alpha=alpha,
        rope=rope,
        runs=runs,
    )
    if len(judged.candidates) > 1:
        raise InputError(
            f"a plan is for one candidate, and there are {len(judged.candidates)}: name one by "
            f"{arg('candidate', judged.candidates[0])}"
        )
    if not judged.study.scores.unit.has_spread or judged.over != "these":
        raise InputError(
            "a gate is planned on data sets whose folds, seeds, runs or items are known: give these"
        )
    unpaired = _unpaired(judged)
    paired = () if unpaired else tuple(_Sample.of(judged, metric) for metric in judged.metrics)
    samples = unpaired or paired
    losses = _losses(worse, samples)
    counted, now = _counted(judged)
    is_batched = bool(paired) and all(sample.is_batched for sample in paired)
    size = BATCH if is_batched else SLOW_BATCH
    usual = REPLICATES if is_batched else SLOW_REPLICATES
    total = SLOW_BATCH * math.ceil((replicates or usual) / SLOW_BATCH)
    if unpaired:
        trial = partial(_simulated_trials, unpaired, losses, judged.rule, seed)
    else:
        trial = partial(_simulated, paired, losses, judged.rule, seed)
    q = len(samples[0].now)
    seconds = EFFORT if is_batched else SLOW_EFFORT
    effort = seconds * q * (len(samples) + len(losses)) * total
    unit = judged.study.scores.unit
    fewest = 1 if unit.has_folds else unit.fewest
    ladder = LADDER if is_batched else SLOW_LADDER
    at_hand = int(samples[0].now.rows.sum())
    counts = sorted(
        {
            max(round(now * factor), fewest)
            for factor in ladder
            if factor <= 1 or factor * at_hand <= LARGEST
        }
    )
    rows: list[LossShares] = []
    pending = list(get_args(Spread))
    for step, count in enumerate(counts):
        if not pending:
            break
        for spread in list(pending):
            replicated = total if spread == "drawn" else max(total // FEWER, SLOW_BATCH)
            tasks = [
                _Task(spread, count / now, batch, min(size, replicated - start))
                for batch, start in enumerate(range(0, replicated, size))
            ]
            processes = processes_for(jobs, effort, len(tasks))
            drawn = np.concatenate(list(run_tasks(trial, iter(tasks), processes)))
            of_count = _shares(count, losses, drawn, spread)
            rows += of_count
            if count >= now and all(row.right >= ENOUGH for row in of_count):
                pending.remove(spread)
        progress(step + 1, len(counts))
    progress(len(counts), len(counts))
    return GatePlan(
        judged,
        counted,
        now,
        losses,
        tuple(row for row in rows if row.spread == "drawn"),
        total,
        seed,
        tuple(row for row in rows if row.spread != "drawn"),
    )


def _unpaired(judged: Gate) -> tuple[UnpairedSample, ...]:
    """Return what the results say of each metric, if both sides share nothing; else none."""
    samples = []
    for metric, study in zip(judged.metrics, judged.studies, strict=True):
        (pair,) = study.comparisons
        statistics = pair.differences.statistics
        if statistics.sides is None:
            return ()
        samples.append(UnpairedSample.of(metric, pair.rope, statistics, statistics.sides))
    return tuple(samples)


def _simulated_trials(
    samples: Sequence[UnpairedSample],
    losses: Sequence[Loss],
    rule: GateRule,
    seed: int,
    task: "_Task",
) -> IntArray:
    """Return the same as `_simulated`, where both sides share nothing."""
    rows = []
    for number in range(task.size):
        drawn = []
        for k, sample in enumerate(samples):
            rng = np.random.default_rng([seed, task.batch, number, k])
            rates = sample.rates(task.spread, rng)
            scores = sample.drawn(sample.sizes(task.factor), task.spread, rng)
            drawn.append((scores, rates))
        same = [
            sample.claims(scores, rates, 0.0, rule)
            for sample, (scores, rates) in zip(samples, drawn, strict=True)
        ]
        outcomes_of = [_outcome(rule, same)]
        for loss in losses:
            claims = list(same)
            for k, sample in enumerate(samples):
                if sample.metric == loss.metric:
                    claims[k] = sample.claims(*drawn[k], loss.size, rule)
            outcomes_of.append(_outcome(rule, claims))
        rows.append([WORST_FIRST.index(outcome) for outcome in outcomes_of])
    return np.array(rows)


def _shares(
    count: int, losses: Sequence[Loss], drawn: IntArray, spread: Spread
) -> list[LossShares]:
    """Return the shares of each verdict, of no change and of each loss."""
    rows = []
    for column, loss in enumerate((None, *losses)):
        counted = np.bincount(drawn[:, column], minlength=len(WORST_FIRST))
        fail, undecided, passed = (counted / len(drawn)).tolist()
        rows.append(LossShares(count, loss, fail, undecided, passed, spread))
    return rows


def _losses(texts: Sequence[str], samples: Sequence[_Sample | UnpairedSample]) -> tuple[Loss, ...]:
    """Return the losses to simulate; by default twice the rope of each metric that can fail."""
    metrics = [sample.metric for sample in samples]
    given = _parse_losses(texts, metrics)
    losses = []
    for sample in samples:
        asked = given.get(sample.metric.name, given.get(""))
        if sample.metric.advisory or (given and asked is None):
            continue
        if asked is not None and (asked.relative is None) != (sample.metric.relative is None):
            raise InputError(
                f"{arg('worse', texts[0])}: give it in the unit of the rope of "
                f"{sample.metric.name or 'the scores'}"
            )
        if asked is not None:
            size = asked.rope or asked.relative or 0.0
        else:
            size = 2 * (sample.metric.relative or -sample.rope.low)
        if size <= 0:
            raise InputError(f"without a rope a loss has no usual size: give {arg('worse', 0.02)}")
        losses.append(Loss(sample.metric, size))
    return tuple(losses)


def _parse_losses(texts: Sequence[str], metrics: Sequence[Metric]) -> dict[str, Metric]:
    """Return the size of the loss, as a rope, by metric; under "" that of all metrics.

    texts : such as 0.02, 5%, or accuracy: 0.02 for one of several metrics.

    Raises
    ------
    InputError : no size, a metric that is not judged, or the same one twice.
    """
    losses: dict[str, Metric] = {}
    for text in texts:
        name, _, size = text.rpartition(":")
        name, parsed = name.strip(), Metric.parse(f"{name or 'score'}: {size}")
        if parsed.rope is None and parsed.relative is None:
            raise InputError(f"{arg('worse', text)}: give its size, such as 0.02 or 5%")
        if name not in ("", *(metric.name for metric in metrics)):
            raise InputError(f"{arg('worse', text)}: no metric {name} is judged")
        if name in losses:
            raise InputError(f"{arg('worse', text)}: give one for a metric")
        losses[name] = parsed
    return losses


def _counted(judged: Gate) -> tuple[str, int]:
    """Return what is counted on each data set, and the usual number."""
    scores = judged.study.scores
    first = scores.datasets[0]
    if scores.unit.has_folds and first.folds and first.runs > 0:
        return "runs", int(np.median([d.runs for d in scores.datasets]))
    if scores.unit.is_unpaired:
        (pair,) = judged.study.comparisons
        return "trials", int(np.median(pair.differences.statistics.rows))
    return scores.unit.plural, int(np.median([len(d.table) for d in scores.datasets]))
