"""A gate with optional stopping: bets on test items against both borders of the rope.

Each claim, about a candidate on a data set and a metric, has four wealths: that the candidate is
worse, not worse, better, not better than the baseline by more than the rope. The inverse of the
largest wealth so far is a p-value at any time, so Holm's correction over all claims is valid at
every look: the first true claim to be rejected must have reached (number of true claims)/α, which
happens with probability at most α whenever one looks.
"""

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import Literal

import numpy as np

from bcompare.basis.messages import InputError, Note, Record, arg, spelled
from bcompare.basis.showable import Showable
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.scores import DatasetScores, Scores
from bcompare.gating.few_rows import RARE
from bcompare.gating.judge import EXACT
from bcompare.gating.metrics import Metric
from bcompare.gating.rule import NOT_BETTER, WORSE, Outcome
from bcompare.gating.runs import check_terms
from bcompare.gating.verdict import Gate
from bcompare.methods.betting import (
    Wealth,
    confidence_path,
    confidence_sequence,
    log_wealth,
    time_of,
)
from bcompare.methods.correction import holm

BY_BETS = spelled("gate-anytime", "anytime(gate)")

Statement = Literal["worse", "not worse", "better", "not better"]
Word = Literal["worse", "not worse", "better", "not better", "go on"]

# The tolerance for decimals.
SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Bets:
    """The design, declared before the first look.

    budget : the number of items, or clusters, at which the bets aim; they stay valid beyond.
    range : of the scores; None if all are in 0…1 and higher is better.
    of : the number of items, or clusters, in the population, drawn without replacement.
    largest : the most items of any cluster, also of those to come; None for that of the input.
    seed : for shuffling; None for the order of the input.

    Raises
    ------
    InputError : numbers that are none, or a range that is empty.
    """

    budget: int | None = None
    range: tuple[float, float] | None = None
    of: int | None = None
    largest: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        for name in ("budget", "of", "largest"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise InputError(f"{arg(name, number)}: give a number of at least 1")
        if self.range is not None and not -math.inf < self.range[0] < self.range[1] < math.inf:
            raise InputError(
                f"{arg('range', self.range)}: give the least and the largest possible score, such "
                f"as {arg('range', (0, 1))}"
            )

    @classmethod
    def of_record(cls, record: Record) -> "Bets":
        """Return the bets of a record by `AnytimeGate.declared`."""
        values = {field.name: record[field.name] for field in fields(cls)}
        return cls(**values | {"range": values["range"] and tuple(values["range"])})

    def describe(self) -> str:
        """Return the bets in words."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return " ".join([BY_BETS, *(arg(name, value) for name, value in values.items() if value)])

    @property
    def aim(self) -> int | None:
        """The number of observations at which the bets aim, if declared."""
        return self.of if self.budget is None else self.budget


GROWTH = Bets()


@dataclass(frozen=True, eq=False, slots=True)
class Evidence:
    """The evidence from bets on one claim.

    differences : (n,) of items or clusters, in order.
    metric, dataset : "" and None for the only.
    aim : whether the candidate must be better, and not only not worse.
    means : of the baseline and the candidate.
    wealths : (n,) logarithms, by statement.
    wealth : computes them.
    interval : the confidence sequence of the difference at this look; NaN if nothing is left.
    word, at : the statement shown, and after how many observations; `at` is None if there is none.
    """

    candidate: str
    metric: str
    aim: bool
    dataset: str | None
    rope: Rope
    means: tuple[float, float]
    differences: FloatArray
    x: FloatArray
    weights: FloatArray | None
    span: float
    wealth: Wealth
    wealths: Mapping[Statement, FloatArray]
    interval: tuple[float, float]
    word: Word = "go on"
    at: int | None = None
    outcome: Outcome = "undecided"

    @property
    def n(self) -> int:
        """The number of observations so far."""
        return len(self.x)

    @property
    def failing(self) -> Statement:
        """The statement that fails the claim."""
        return "not better" if self.aim else "worse"

    @property
    def mean_difference(self) -> float:
        """The mean over the items so far."""
        return float(np.average(self.differences, weights=self.weights))

    @property
    def order_in_doubt(self) -> bool:
        """Whether the bets have refuted the mean itself, which they seldom do in random order."""
        low, high = self.interval
        return not low - SLACK <= self.mean_difference <= high + SLACK

    def means_so_far(self) -> FloatArray:
        """(n,) the mean difference after each observation."""
        weights = np.ones(self.n) if self.weights is None else self.weights
        return np.asarray(np.cumsum(weights * self.differences) / np.cumsum(weights))

    def largest(self, statement: Statement) -> float:
        """The largest wealth so far for a statement."""
        with np.errstate(over="ignore"):
            return float(np.exp(self.wealths[statement].max()))


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class AnytimeGate(Showable):
    """Verdicts by bets on all claims at this look.

    gate : the ordinary gate on the same data, of which only the data, its notes and the rule are
    used.
    """

    gate: Gate
    bets: Bets
    verdicts: tuple[Evidence, ...]
    outcome: Outcome

    @property
    def exit_code(self) -> int:
        """0: pass, or go on; 4: fail; 5: go on, with policy "fail"."""
        return self.gate.rule.exit_code(self.outcome)

    @property
    def passed(self) -> bool:
        """Whether the gate lets the change pass."""
        return self.exit_code == 0

    def __bool__(self) -> bool:
        """Whether it passed, so that ``assert`` fails with it."""
        return self.passed

    @property
    def threshold(self) -> float:
        """The wealth that fails a claim, raised by the correction for several claims."""
        return 1 / (self.gate.rule.alpha / len(self.verdicts))

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes on the data that apply to bets, and those on the bets."""
        # bets rest on no posterior
        notes = [note for note in self.gate.notes if note.code not in (EXACT, RARE)]
        if any(verdict.order_in_doubt for verdict in self.verdicts):
            notes.append(
                Note(
                    "order",
                    "warning",
                    "the items are not in random order, since bets on them have refuted their own "
                    "mean difference, and nothing passes: shuffle a complete file by "
                    f"{arg('seed', 1)}",
                )
            )
        if self.largest and not self.bets.largest:
            notes.append(
                Note(
                    "largest-cluster",
                    "info",
                    f"bets weight clusters by size, and the largest so far has {self.largest:,} "
                    f"items: if a later one may be larger, declare its size by {arg('largest')} "
                    "from the first look on",
                )
            )
        return tuple(notes)

    @property
    def observations(self) -> str:
        """The observations: items or clusters."""
        return "clusters" if self.gate.study.scores.is_clustered else "items"

    @property
    def largest(self) -> int:
        """The most items of a cluster so far, or as declared; 0 without clusters."""
        sizes = (d.sizes.max() for d in self.gate.study.scores.datasets if len(d.sizes))
        return self.bets.largest or int(max(sizes, default=0))

    def sequence(self, one: Evidence) -> tuple[FloatArray, FloatArray]:
        """Return the (n,) ends of the confidence sequence of a claim after each observation."""
        low, high = confidence_path(one.x, self.gate.rule.alpha, one.wealth)
        return (2 * low - 1) * one.span, (2 * high - 1) * one.span

    def declared(self) -> Record:
        """Return the record of the bets for the history, whatever the order of the candidates."""
        claims = self._sorted()
        seen = [claim.n for claim in claims]
        return asdict(self.bets) | {
            "largest_cluster": self.largest,
            "claims": [[claim.candidate, claim.metric, claim.dataset] for claim in claims],
            "ropes": [[claim.rope.low, claim.rope.high] for claim in claims],
            "seen": seen,
            "digest": self.digest(seen),
        }

    def digest(self, counts: Sequence[int]) -> str:
        """Return a digest of the first differences of each claim, in order."""
        digest = hashlib.sha256()
        for claim, count in zip(self._sorted(), counts, strict=True):
            first = np.round(claim.differences[:count], 9) + 0.0  # without negative zeros
            digest.update(repr((len(first), first.tobytes())).encode())
        return digest.hexdigest()[:12]

    def _sorted(self) -> list[Evidence]:
        return sorted(self.verdicts, key=lambda v: (v.candidate, v.metric, v.dataset or ""))

    def __repr__(self) -> str:
        return f"<AnytimeGate {self.outcome}: {', '.join(v.word for v in self.verdicts)}>"


def anytime(gate: Gate, bets: Bets = GROWTH) -> AnytimeGate:
    """Judge the data of a gate by bets.

    Raises
    ------
    InputError : no test items, scores outside their range, or a rule that bets cannot follow.

    Examples
    --------
    >>> import bcompare, pandas
    >>> models = {"old": 2, "new": 4}
    >>> rows = [(f"q{i}", m, int(i % k > 0)) for i in range(300) for m, k in models.items()]
    >>> answers = pandas.DataFrame(rows, columns=["item", "classifier", "score"])
    >>> scores = bcompare.from_items(answers, "item", baseline="old")
    >>> gate = bcompare.gate(scores, baseline="old")
    >>> bcompare.anytime(gate)
    <AnytimeGate pass: better>
    """
    rule = gate.rule
    if rule.fail_if not in (WORSE, NOT_BETTER):
        raise InputError(
            f"{arg('fail_if', rule.fail_if)} does not go with {BY_BETS}, which shows "
            f"worse, not worse or better: choose from {WORSE}, {NOT_BETTER}; "
            f"{arg('undecided', 'fail')} fails when undecided"
        )
    if not gate.study.scores.unit.has_answers:
        raise InputError(
            f"{BY_BETS} bets on test items ({arg('item_col')}), and these rows are "
            f"{gate.study.scores.unit.plural}: judge these once, by gate"
        )
    if gate.study.scores.weight:
        raise InputError(
            f"{BY_BETS} bets on single items, and these are weighted: judge them once, by gate"
        )
    for study in gate.studies:
        check_terms(study.scores, gate.baseline, "items are judged in the order of the baseline")
    datasets = sum(len(_datasets(gate, study.scores)) for study in gate.studies)
    claims = datasets * len(gate.candidates)
    open_claims: list[Evidence] = []
    for metric, study in zip(gate.metrics, gate.studies, strict=True):
        for candidate in gate.candidates:
            open_claims += _evidence(gate, metric, study, candidate, bets, claims)
    verdicts = tuple(_judged(open_claims, rule.alpha))
    outcome = rule.together((verdict.candidate, verdict.outcome) for verdict in verdicts)
    return AnytimeGate(gate, bets, verdicts, outcome)


def _datasets(gate: Gate, scores: Scores) -> list[DatasetScores]:
    """Return the data sets of the baseline, which the candidates have, too."""
    first = scores.classifiers.index(gate.baseline)
    return [dataset for dataset in scores.datasets if dataset.present[first]]


def _evidence(
    gate: Gate, metric: Metric, study: ComparisonSet, candidate: str, bets: Bets, claims: int
) -> Iterator[Evidence]:
    """Yield the evidence on a candidate on each data set, not judged yet."""
    if metric.relative is not None:
        raise InputError(
            f"metric {metric.name}: ratios have no known range to bet in: give its rope in the "
            "unit of the scores"
        )
    if metric.bar is not None:
        raise InputError(f"metric {metric.name}: {BY_BETS} needs a baseline: leave the bar out")
    if metric.advisory:
        raise InputError(
            f"metric {metric.name}: every metric of {BY_BETS} counts: leave it out, or advisory"
        )
    scores = study.scores
    rope = study.rope
    alpha = gate.rule.alpha
    columns = [scores.classifiers.index(name) for name in (gate.baseline, candidate)]
    sign = -1 if scores.lower_is_better else 1
    datasets = _datasets(gate, scores)
    for dataset in datasets:
        table, sizes = dataset.of(columns).complete().in_order(bets.seed)
        table = sign * table
        span = _span(table, scores, dataset.name, bets)
        if max(-rope.low, rope.high) >= span:
            raise InputError(
                f"{rope.describe()}: the scores reach no further apart than {span:g}, so nothing "
                f"can be worse: give a smaller {arg('rope')}"
            )
        if bets.of is not None and len(table) > bets.of:
            raise InputError(
                f"{arg('of', bets.of)}: data set {dataset.name} has {len(table):,} already: give "
                "the total number"
            )
        largest = int(sizes.max()) if bets.largest is None else bets.largest
        if sizes.max() > largest:
            raise InputError(
                f"{arg('largest', largest)}: data set {dataset.name} has a cluster of "
                f"{sizes.max():,} items: give the most that any cluster may have"
            )
        differences = sign * (table[:, 1] - table[:, 0])
        x = np.clip((differences / span + 1) / 2, 0.0, 1.0)
        weights = None if (sizes == largest).all() else sizes / largest
        low = (rope.low / span + 1) / 2
        high = (rope.high / span + 1) / 2
        wealth = partial(log_wealth, budget=bets.aim, weights=weights, of=bets.of)
        ends = confidence_sequence(x, alpha, wealth)
        interval = ((2 * ends[0] - 1) * span, (2 * ends[1] - 1) * span)
        left, right = np.average(table, axis=0, weights=sizes).tolist()
        # bets that may fail a claim aim at its corrected level
        level = alpha / claims
        wealths: dict[Statement, FloatArray] = {
            "worse": wealth(1 - x, 1 - low, level),
            "not worse": wealth(x, low, alpha, closed=True),
            "better": wealth(x, high, alpha),
            "not better": wealth(1 - x, 1 - high, level, closed=True),
        }
        yield Evidence(
            candidate=candidate,
            metric=metric.name,
            aim=metric.demand(gate.rule).fail_if == NOT_BETTER,
            dataset=dataset.name if len(datasets) > 1 else None,
            rope=rope,
            means=(left, right),
            differences=differences,
            x=x,
            weights=weights,
            span=span,
            wealth=wealth,
            wealths=wealths,
            interval=interval,
        )


def _span(table: FloatArray, scores: Scores, name: str, bets: Bets) -> float:
    """Return the width of the range of scores, declared or recognised."""
    least = float(table.min())
    most = float(table.max())
    if bets.range is None:
        inside = least >= -SLACK and most <= 1 + SLACK
        if inside and (not scores.lower_is_better or np.isin(table, (0, 1)).all()):
            return 1.0
        why = "an error may exceed 1" if inside else "they are not all in 0…1"
        raise InputError(
            f"data set {name}: the range of the scores is not known, as {why}: give the least and "
            f"the largest possible score, such as {arg('range', (0, 1) if inside else (0, 100))}"
        )
    low, high = bets.range
    if least < low - SLACK or most > high + SLACK:
        beyond = least if least < low - SLACK else most
        raise InputError(
            f"{arg('range', bets.range)}: data set {name} has the score {beyond:g}: give the "
            "least and the largest possible score"
        )
    return high - low


def _judged(evidence: Sequence[Evidence], alpha: float) -> Iterator[Evidence]:
    """Yield the verdicts by the rule; the statement reached first counts.

    Where the order of one claim is in doubt, so is that of all, and none passes.
    """
    doubtful = any(one.order_in_doubt for one in evidence)
    p = np.exp([-one.wealths[one.failing].max() for one in evidence])
    level = alpha / len(evidence)
    for one, fails in zip(evidence, holm(p) <= alpha, strict=True):
        bad = one.failing
        good: Statement = "better" if one.aim else "not worse"
        failed = min(time_of(one.wealths[bad], level), one.n) if fails else math.inf
        passed = time_of(one.wealths[good], alpha)
        if fails and failed <= passed:
            word: Word = "worse" if time_of(one.wealths["worse"], level) <= one.n else bad
            yield replace(one, word=word, at=int(failed), outcome="fail")
        elif passed <= one.n and not doubtful:
            better = time_of(one.wealths["better"], alpha) <= one.n
            word = "better" if better else "not worse"
            yield replace(one, word=word, at=passed, outcome="pass")
        else:
            yield one
