"""How probable each verdict of a gate is with so many scores: of no change, and of a loss.

Results at hand say how the differences scatter: new ones are drawn from their residuals on each
data set, at the same rows for every metric, around a level that all folds of all runs share (see
`bcompare.planning.simulation`). The mean difference is 0, or minus the loss.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from bcompare.basis.messages import InputError, arg
from bcompare.comparing.workers import processes_for, run_tasks
from bcompare.data.rope import FloatArray, IntArray, Rope, RopeLike
from bcompare.data.scores import ScoresLike
from bcompare.data.sufficient import SufficientStatistics
from bcompare.gating.claims import are_numbers, bundled, by_number, suite_claims, with_regions
from bcompare.gating.judge import Gate, gate
from bcompare.gating.metrics import Metric
from bcompare.gating.rule import WORST_FIRST, Claim, FailIf, GateRule, Outcome, judge
from bcompare.gating.runs import NO_RUNS, Runs
from bcompare.methods.interface import Method, Progress, no_progress
from bcompare.methods.paired_binary import discordant

ENOUGH = 0.8
# The numbers of scores to try, as multiples of those at hand.
LADDER = (0.5, 1.0, 2.0, 4.0, 8.0)
REPLICATES, BATCH = 100, 25
# Seconds for the claims on one metric and data set.
EFFORT = 2e-3


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss of one metric on every data set. size : on the scale of the comparison."""

    metric: Metric
    size: float

    def describe(self) -> str:
        """Return the loss in words."""
        is_share = self.metric.relative is not None
        amount = f"{100 * self.size:.3g} %" if is_share else f"{self.size:.3g}"
        return f"{amount} worse{f' in {self.metric.name}' if self.metric.name else ''}"


@dataclass(frozen=True, slots=True)
class LossShares:
    """The shares of simulated changes that end in each verdict."""

    count: int
    loss: Loss | None
    fail: float
    undecided: float
    passed: float


@dataclass(frozen=True, eq=False, slots=True)
class GatePlan:
    """The plan of a gate.

    judged : the results at hand. of : what is counted on each data set. now : their number.
    rows : for each number, of no change and of each loss. replicates : simulations of each.
    """

    judged: Gate
    of: str
    now: int
    losses: tuple[Loss, ...]
    rows: tuple[LossShares, ...]
    replicates: int
    seed: int

    def fewest(self, loss: Loss) -> int | None:
        """Return about how many fail such a loss with probability 0.8; None if none tried does."""
        before: LossShares | None = None
        for row in (row for row in self.rows if row.loss == loss):
            if row.fail >= ENOUGH:
                if before is None or row.fail == before.fail:
                    return row.count
                part = (ENOUGH - before.fail) / (row.fail - before.fail)
                return math.ceil(before.count * math.pow(row.count / before.count, part))
            before = row
        return None


@dataclass(frozen=True, eq=False, slots=True)
class _Sample:
    """What the results at hand say of one metric.

    residuals : of each data set. alone : of 0/1 items, the share that one of the two alone got
    right; else None. is_number : whether neither side's scores ever vary.
    """

    metric: Metric
    method: Method
    rope: Rope
    now: SufficientStatistics
    residuals: tuple[FloatArray, ...]
    alone: tuple[float | None, ...]
    is_number: bool

    @classmethod
    def of(cls, judged: Gate, metric: Metric) -> "_Sample":
        study = judged.studies[judged.metrics.index(metric)]
        (pair,) = study.comparisons
        now = pair.differences.statistics
        x = [now.differences(i) for i in range(len(now))]
        left, right = discordant(now)
        alone = [
            (lost + won) / n if is_01 and now.unit.has_answers else None
            for lost, won, n, is_01 in zip(left, right, now.n, now.binary, strict=True)
        ]
        residuals = tuple((v - v.mean()) * math.sqrt(len(v) / (len(v) - 1)) for v in x)
        is_number = bool(are_numbers(pair, study.scores, metric).all())
        quick = study.method.economical()
        return cls(metric, quick, pair.rope, now, residuals, tuple(alone), is_number)

    def claims(self, loss: float, at: Sequence[IntArray], seed: int, rule: GateRule) -> list[Claim]:
        """Return the claims on new results. at : the rows of each data set to draw residuals of."""
        rng = np.random.default_rng([seed, *map(ord, self.metric.name)])
        rho = self.now.rho
        level = np.sqrt(rho / (1 - rho)) * self.now.sd
        shared = rng.standard_normal(1 if self.now.unit.has_offset else len(self.now)) * level
        drawn = [
            self._items(alone, loss, len(rows), rng)
            if alone is not None
            else residuals[rows % len(residuals)] + offset - loss
            for residuals, alone, offset, rows in zip(
                self.residuals, self.alone, shared, at, strict=True
            )
        ]
        statistics = replace(
            SufficientStatistics.from_differences(drawn, rho, self.now.names),
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
        return [replace(c, aim=self.metric.aim, advisory=self.metric.advisory) for c in claims]

    @staticmethod
    def _items(alone: float, loss: float, n: int, rng: np.random.Generator) -> FloatArray:
        won = max((alone - loss) / 2, 0.0)
        return rng.choice([-1.0, 0.0, 1.0], n, p=[won + loss, 1 - 2 * won - loss, won])


def _outcomes(
    samples: Sequence[_Sample],
    losses: Sequence[Loss],
    rule: GateRule,
    seed: int,
    task: tuple[float, int],
) -> list[list[Outcome]]:
    """Return the outcomes of no change and of each loss, for every replicate of a batch.

    task : how many times the scores at hand there are, and the number of the batch.
    """
    factor, batch = task
    rng = np.random.default_rng([seed, batch])
    first = samples[0].now
    sizes = np.maximum(np.rint(factor * first.n).astype(np.int64), first.unit.fewest)
    outcomes = []
    for _ in range(BATCH):
        at = [rng.integers(n, size=size) for n, size in zip(first.n, sizes, strict=True)]
        if first.unit.has_offset:
            at = at[:1] * len(at)
        state = int(rng.integers(2**31))

        same = [sample.claims(0.0, at, state, rule) for sample in samples]
        row = [_outcome(rule, same)]
        for loss in losses:
            claims = [
                sample.claims(loss.size, at, state, rule) if sample.metric == loss.metric else own
                for sample, own in zip(samples, same, strict=True)
            ]
            row.append(_outcome(rule, claims))
        outcomes.append(row)
    return outcomes


def _outcome(rule: GateRule, of_metrics: Sequence[Sequence[Claim]]) -> Outcome:
    """Return the outcome of a change by its claims on each metric."""
    claims = [claim for own in of_metrics for claim in own]
    pairs = zip(claims, judge(rule, claims), strict=True)
    return rule.together(("", outcome) for claim, outcome in pairs if not claim.advisory)


def plan_gate(
    scores: "ScoresLike | Mapping[str, ScoresLike]",
    *,
    baseline: str | None = None,
    candidate: str | Sequence[str] | None = None,
    worse: Sequence[str] = (),
    fail_if: FailIf = "worse",
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
    scores, baseline, candidate, fail_if, alpha, rope, runs : as for `bcompare.gate`, of one
        candidate, or of two runs of the baseline: they say how differences scatter.
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
    samples = tuple(_Sample.of(judged, metric) for metric in judged.metrics)
    losses = _losses(worse, samples)
    of, now = _counted(judged)
    batches = math.ceil((replicates or REPLICATES) / BATCH)
    trial = partial(_outcomes, samples, losses, judged.rule, seed)
    q = len(samples[0].now)
    effort = EFFORT * q * (len(samples) + len(losses)) * batches * BATCH
    unit = judged.study.scores.unit
    counts = sorted({max(round(now * f), 1 if unit.has_folds else unit.fewest) for f in LADDER})
    rows: list[LossShares] = []
    for step, count in enumerate(counts):
        tasks = [(count / now, batch) for batch in range(batches)]
        processes = processes_for(jobs, effort, batches)
        done: list[list[Outcome]] = []
        for batch, answers in enumerate(run_tasks(trial, iter(tasks), processes), 1):
            done += answers
            progress(step * batches + batch, len(counts) * batches)
        for kind, outcomes in zip((None, *losses), zip(*done, strict=True), strict=True):
            share = [outcomes.count(word) / len(done) for word in WORST_FIRST]
            rows.append(LossShares(count, kind, *share))
        if count >= now and all(row.fail >= ENOUGH for row in rows[-len(losses) :]):
            break
    return GatePlan(judged, of, now, losses, tuple(rows), batches * BATCH, seed)


def _losses(texts: Sequence[str], samples: Sequence[_Sample]) -> tuple[Loss, ...]:
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
    return scores.unit.plural, int(np.median([len(d.table) for d in scores.datasets]))
