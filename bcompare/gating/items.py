"""Which items broke: claims about single test items that are right or wrong, from one or more runs.

An item has passed a of n runs of the baseline and b of m of the candidate. Unchanged, both come
from one rate. Two claims are made of a candidate:

- *An item broke.* Its p-value is the probability that it passes b of m runs or fewer, given a of n
  and the distribution of the rates of all items (`bcompare.methods.binomial_mixture`), corrected
  for the number of items by what each p-value can be (`discrete_step_down`). The distribution is
  that of the baseline's runs alone: what fails in the candidate must not make failing look usual.
- *Runs were lost.* Of the items that passed all runs of the baseline, the number of the candidate's
  runs that failed. If an item lost l of all its n + m runs, an unchanged one is as likely to have
  lost any l of them (as in Fisher's exact test), so that no rate needs to be known. The candidate's
  worst run is left out, since a run may fail as a whole; with one run the claim is never shown.

No run that fails in place of passing makes either claim less certain. The p-values of the first
depend on the item's own runs and on the baseline alone. For the second, an unchanged item with l
losses counts l with probability C(m, l) / C(n + m, l), and else 0. One more loss of an item that
always passed raises the number by one, and what is expected by less, as the probability falls with
l. An item that the baseline lost never adds to the number; so it is expected to count with the
largest chances that it has with these losses or any more.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.special import bdtrc, binom

from bcompare.basis.messages import InputError, arg, counted, number_of
from bcompare.data.rope import BoolArray, FloatArray, IntArray, RegionProbabilities, read_only
from bcompare.data.scores import Scores
from bcompare.data.units import SEED
from bcompare.gating.metrics import Metric
from bcompare.gating.rule import (
    TINY,
    WORST_FIRST,
    Claim,
    GateRule,
    Outcome,
    corrected_doubts,
    judge,
)
from bcompare.gating.runs import Runs, check_terms
from bcompare.methods.binomial_mixture import RateMixture
from bcompare.methods.correction import discrete_step_down

# Why a candidate of one run is never shown to have broken anything.
ONE_RUN = "one run may fail as a whole"
# A run in which items failed alone is named if chance makes it with a smaller probability.
UNUSUAL = 0.01
# The least probability that is told.
LEAST = 1e-15


@dataclass(frozen=True, eq=False, slots=True)
class ItemRuns:
    """The runs of the items of a baseline and a candidate: 1 passed, 0 failed, NaN none.

    items : (q,) data set and name of each item.
    main : (q, n) the baseline's.
    own : (q, m) the candidate's.
    main_titles, own_titles : names of these runs, if they are runs of all items.
    again : (q, k) those of suspects that were run again.
    """

    items: tuple[tuple[str, str], ...]
    main: FloatArray
    own: FloatArray
    main_titles: tuple[str, ...] = ()
    own_titles: tuple[str, ...] = ()
    again: FloatArray = field(default_factory=lambda: np.empty((0, 0)))

    @property
    def is_repeated(self) -> bool:
        """Whether the candidate has more than one run of some item."""
        return bool((_runs_of(self.own) > 1).any()) or self.again.size > 0


@dataclass(frozen=True, slots=True)
class LostRuns:
    """The runs that items lost which passed all runs of the baseline.

    lost : the number.
    expected : of an unchanged candidate.
    p : of so many or more.
    items : how many always passed.
    runs : that they had.
    without : the position of the run that is left out.
    """

    lost: int
    expected: float
    p: float
    items: int
    runs: int
    without: int | None = None


@dataclass(frozen=True, slots=True)
class Outage:
    """A run that failed on many items alone.

    of_baseline : whose it is.
    title : of the run.
    alone : items that failed in it and in no other run of its side.
    usual : the mean number of these in the side's other runs.
    """

    of_baseline: bool
    title: str
    alone: int
    usual: float


@dataclass(frozen=True, eq=False, slots=True)
class ItemFindings:
    """What is claimed about the items of a candidate.

    runs : what the claims rest on.
    p, adjusted : (q,) the p-value of each item, and the same corrected for the number of items.
    suspect : (q,) which items to run again.
    lost : the lost runs; None where reruns of a single run answer them.
    outages : runs that failed together.
    candidate, metric : whose items these are; the metric is empty for a single one.
    broken : (q,) which items are named; empty before the claims are judged.
    outcome : of both claims.
    something_lost : whether more runs were lost than by chance, by that claim alone.
    is_loss_shown : whether that is shown among all claims of the gate.
    advisory : whether the claims have no consequence.
    """

    runs: ItemRuns
    p: FloatArray
    adjusted: FloatArray
    suspect: BoolArray
    lost: LostRuns | None
    outages: tuple[Outage, ...] = ()
    candidate: str = ""
    metric: str = ""
    broken: BoolArray = field(default_factory=lambda: np.empty(0, np.bool_))
    outcome: Outcome = "pass"
    something_lost: bool = False
    is_loss_shown: bool = False
    advisory: bool = False

    @property
    def flaky(self) -> BoolArray:
        """(q,) the items that passed some runs of the baseline, and not all."""
        passed = _passed(self.runs.main)
        return np.asarray((passed > 0) & (passed < _runs_of(self.runs.main)))

    @property
    def is_open(self) -> bool:
        """Whether items are suspect, and neither broke nor were run again."""
        return bool(self.suspect.any() and not self.broken.any() and not self.runs.again.size)

    def to_rerun(self) -> list[tuple[str, str]]:
        """Return the data set and the name of the items to run again."""
        return [self.runs.items[i] for i in np.flatnonzero(self.suspect).tolist()]

    def claims(self) -> list[Claim]:
        """Return the claims, as a gate judges them."""
        withheld = None if self.runs.is_repeated else ONE_RUN
        p_values = [float(self.adjusted.min(initial=1.0))]
        if self.lost is not None:
            p_values.append(self.lost.p)
        return [
            Claim(
                RegionProbabilities(1 - p, 0.0, p),
                withheld,
                main=False,
                advisory=self.advisory,
            )
            for p in p_values
        ]

    def judged(
        self, outcomes: Sequence[Outcome], corrected: FloatArray, alpha: float
    ) -> "ItemFindings":
        """Return the findings with the items that broke.

        outcomes, corrected : of the claims, and their corrected p-values.
        """
        broken = np.zeros(len(self.p), np.bool_)
        if outcomes[0] == "fail":
            factor = corrected[0] / max(float(self.adjusted.min()), TINY)
            broken = self.adjusted * max(factor, 1.0) < alpha
        return replace(
            self,
            broken=broken,
            outcome=min(outcomes, key=WORST_FIRST.index),
            something_lost=self.lost is not None and outcomes[1] != "pass",
            is_loss_shown=self.lost is not None and bool(corrected[1] < alpha),
        )


def metrics_of_items(metrics: Sequence[Metric], *, asked: bool, again: bool) -> list[Metric]:
    """Return the metrics whose items are judged.

    asked : whether items are to be judged. again : whether suspects were run again.

    Raises
    ------
    InputError : it is not said of which of several metrics; a bar; reruns alone.
    """
    chosen = [metric for metric in metrics if metric.items]
    if asked and not chosen:
        if len(metrics) > 1:
            raise InputError(
                f"{arg('items', True)} with several metrics: say of which one, such as "
                f"{arg('metric', f'{metrics[0].name}: items')}"
            )
        chosen = list(metrics)
    if any(metric.bar is not None for metric in chosen):
        raise InputError(
            "an item breaks by comparison with its runs in a baseline, and a bar has none: give a "
            "baseline instead"
        )
    if again and not chosen:
        raise InputError(
            f"{arg('again')} has new runs of the suspects of {arg('items', True)}: say both"
        )
    if again and len(chosen) > 1:
        raise InputError(f"{arg('again')} is for the items of one metric: judge one at a time")
    return chosen


def item_runs(scores: Scores, runs: Runs, baseline: str, candidate: str) -> ItemRuns:
    """Return the runs of the items of a baseline and a candidate.

    runs : whole runs of a side; see `bcompare.gating.runs`.

    Raises
    ------
    InputError : scores of other units, graded ones, trials that are bounded; scores that were not
        read on the terms of the baseline; items that a side has not run.
    """
    if scores.extremes:
        raise InputError(
            f"{arg('failed', 'bounds')} does not go with {arg('items', True)}: say how a trial "
            f"that failed counts, such as {arg('failed', 'zero')}"
        )
    main = _Side.of(scores, runs.get(baseline, [baseline]))
    side_of_candidate = _Side.of(scores, runs.get(candidate, [candidate]))
    for name, side in ((baseline, main), (candidate, side_of_candidate)):
        absent = [side.items[i][1] for i in np.flatnonzero(_runs_of(side.table) == 0).tolist()]
        if absent:
            raise InputError(
                f"{name} has no run of {counted(absent, 'item')}: add them, or take these items "
                "out of both sides"
            )
    return ItemRuns(
        main.items, main.table, side_of_candidate.table, main.titles, side_of_candidate.titles
    )


@dataclass(frozen=True, eq=False, slots=True)
class _Side:
    """The runs of the items of one side. table : (q, r) 1 passed, 0 failed, NaN none."""

    items: tuple[tuple[str, str], ...]
    table: FloatArray
    titles: tuple[str, ...]

    @classmethod
    def of(cls, scores: Scores, names: Sequence[str]) -> "_Side":
        """Return those of some classifiers together; seeds are runs of data sets.

        Raises
        ------
        InputError : scores of other units, or graded ones.
        """
        if scores.unit == SEED:
            items = tuple((dataset.name, dataset.name) for dataset in scores.datasets)
            table = _by_seeds(scores, names)
            return cls(items, _right_or_wrong(table, lower=scores.lower_is_better), ())
        if not scores.unit.has_answers:
            raise InputError(
                f"{arg('items', True)} is about single test items, and these rows are "
                f"{scores.unit.rows}: name the column of the items by {arg('item_col', 'COLUMN')}"
            )
        if scores.answers is None:
            check_terms(scores, names[0], "items are those of the baseline")
            raise InputError(
                f"single answers are not known: read the scores with baseline={names[0]!r}, or "
                "reruns with suspects=True"
            )
        table, titles = scores.answers.of(names)
        table = _right_or_wrong(table, lower=scores.lower_is_better)
        return cls(scores.answers.items, table, titles)


def _by_seeds(scores: Scores, names: Sequence[str]) -> FloatArray:
    """Return the (q, s) scores of seeds, with the data sets as items."""
    columns = [scores.classifiers.index(name) for name in names]
    most = max(len(dataset.table) for dataset in scores.datasets)
    table = np.full((len(scores.datasets), most * len(columns)), np.nan)
    for i, dataset in enumerate(scores.datasets):
        values = dataset.table[:, columns].ravel()
        table[i, : len(values)] = values
    return table


def _right_or_wrong(table: FloatArray, *, lower: bool) -> FloatArray:
    """Return answers as 1 and 0.

    Raises
    ------
    InputError : they are graded.
    """
    passed = table + 1.0 if lower else table
    answered = passed[~np.isnan(passed)]
    graded = answered[~np.isin(answered, (0, 1))]
    if len(graded):
        first = float(graded[0])
        if lower:
            first = 1 - first
        raise InputError(
            f"{arg('items', True)} needs answers that are right (1) or wrong (0), and one is "
            f"{first:g}: how probable so large a fall of a graded score is depends on how it "
            "varies, which a few runs cannot show; write a column that is 1 where an answer passes"
        )
    return np.asarray(read_only(passed))


def with_reruns(runs: ItemRuns, suspect: BoolArray, again: Scores, candidate: str) -> ItemRuns:
    """Return the runs with those of the suspects that were run again.

    Raises
    ------
    InputError : other items, suspects that are absent or were run less often than others, another
        classifier, graded answers.
    """
    if list(again.classifiers) != [candidate]:
        raise InputError(
            f"{arg('again')} has runs of {counted(again.classifiers, 'classifier')}, and the "
            f"suspects are those of {candidate}: give its runs alone"
        )
    side = _Side.of(again, [candidate])
    places = {item: i for i, item in enumerate(runs.items)}
    suspects = {runs.items[i] for i in np.flatnonzero(suspect).tolist()}
    others = [item[1] for item in side.items if item not in suspects]
    if others:
        raise InputError(
            f"{arg('again')} has {counted(others, 'item')} that are no suspects: give the suspects "
            "alone, as only for these the error rate holds"
        )
    absent = [item[1] for item in suspects - {*side.items}]
    if absent:
        raise InputError(
            f"{arg('again')} lacks {counted(sorted(absent), 'suspect')}: run all suspects again, "
            "since those that are left out may be the ones that failed"
        )
    counts = _runs_of(side.table)
    if counts.min() < counts.max():
        few = side.items[int(counts.argmin())][1]
        raise InputError(
            f"{arg('again')}: {few} has {number_of(int(counts.min()), 'run')}, and others have "
            f"{int(counts.max())}: run all suspects equally often"
        )
    reruns = np.full((len(runs.items), side.table.shape[1]), np.nan)
    for row, item in zip(side.table, side.items, strict=True):
        reruns[places[item]] = row
    return replace(runs, again=reruns)


def find_items(
    parts: Mapping[Metric, Scores],
    runs: Runs,
    baseline: str,
    candidates: Sequence[str],
    rule: GateRule,
    again: Scores | None = None,
) -> list[ItemFindings]:
    """Return what the runs of the items say of each candidate, in each metric; not judged yet.

    Raises
    ------
    InputError : as `item_runs` and `with_reruns` do; reruns for one of several candidates.
    """
    if again is not None and len(candidates) > 1:
        raise InputError(
            f"{arg('again')} has the suspects of one candidate, and {len(candidates)} are judged: "
            f"name one by {arg('candidate', candidates[0])}"
        )
    result = []
    for metric, scores in parts.items():
        with metric.in_errors():
            for name in candidates:
                first = item_runs(scores, runs, baseline, name)
                found = found_in(first, rule.alpha)
                if again is not None:
                    both = with_reruns(first, found.suspect, again, name)
                    found = found_in(both, rule.alpha)
                result.append(
                    replace(found, candidate=name, metric=metric.name, advisory=metric.advisory)
                )
    return result


def found_in(runs: ItemRuns, alpha: float) -> ItemFindings:
    """Return what runs of items say, not judged yet.

    alpha : an item is suspect if its own p-value is smaller.
    """
    chances = _Chances(runs.main)
    p, adjusted = chances.p_values(runs.own)
    lost = lost_runs(runs)
    failed = _passed(runs.own) < _runs_of(runs.own)
    suspect = failed & (p < alpha)
    if lost.p < alpha:
        suspect |= failed & chances.always
    if runs.again.size:
        # as if all items had been run again: those that are no suspects cannot break
        p, adjusted = chances.p_values(runs.own, runs.again, suspect)
    is_answered = runs.again.size > 0 and int(_runs_of(runs.own).max()) == 1
    return ItemFindings(
        runs=runs,
        p=p,
        adjusted=adjusted,
        suspect=suspect,
        lost=None if is_answered else lost,
        outages=tuple(outages(runs)),
    )


def named_in(runs: ItemRuns, rule: GateRule, others: Sequence[Claim]) -> BoolArray:
    """Return the (q,) items that are named, if these are the other claims of the gate."""
    finding = found_in(runs, rule.alpha)
    claims = [*others, *finding.claims()]
    start = len(others)
    outcomes = judge(rule, claims)[start:]
    return finding.judged(outcomes, corrected_doubts(claims)[start:], rule.alpha).broken


def passed_and_runs(table: FloatArray) -> tuple[IntArray, IntArray]:
    """Return the (q,) numbers of runs that passed, and of all runs."""
    return _passed(table), _runs_of(table)


class _Chances:
    """The chances of the candidate's runs, by those of the baseline.

    main : (q, n) the baseline's runs.
    """

    def __init__(self, main: FloatArray) -> None:
        self.passed = _passed(main)
        self.runs = _runs_of(main)
        self.rates = RateMixture.of(self.passed, self.runs)

    @property
    def always(self) -> BoolArray:
        """(q,) the items that passed all runs."""
        return np.asarray(self.passed == self.runs)

    def p_values(
        self,
        candidate: FloatArray,
        again: FloatArray | None = None,
        suspect: BoolArray | None = None,
    ) -> tuple[FloatArray, FloatArray]:
        """Return the (q,) p-values of all items, and the same corrected for their number.

        candidate : (q, m) the candidate's runs. again : (q, k) further ones of suspects.
        """
        passed = _passed(candidate)
        runs = _runs_of(candidate)
        if again is not None:
            passed = passed + _passed(again)
            runs = runs + again.shape[1]
        most = int(runs.max())
        attainable = np.ones((len(runs), most + 1))
        for m in np.unique(runs).tolist():
            places = np.flatnonzero(runs == m)
            pairs = np.stack([self.passed[places], self.runs[places]])
            kinds, kind = np.unique(pairs, axis=1, return_inverse=True)
            chances = self.rates.chances(kinds[0], kinds[1], m)
            attainable[places, : m + 1] = chances[kind.reshape(-1)]
        p = attainable[np.arange(len(runs)), passed]
        if suspect is not None:
            p = np.where(suspect, p, 1.0)
        return p, discrete_step_down(p, attainable)


def lost_runs(runs: ItemRuns) -> LostRuns:
    """Return the runs that items lost which passed all runs of the baseline.

    Of several runs of the candidate each is left out in turn; the answer is the least certain one.
    """
    m = runs.own.shape[1]
    if m == 1:
        return _lost(runs.main, runs.own, None)
    each = [_lost(runs.main, np.delete(runs.own, k, axis=1), k) for k in range(m)]
    return max(each, key=lambda lost: lost.p)


def _lost(main: FloatArray, candidate: FloatArray, without: int | None) -> LostRuns:
    """Return the lost runs of one choice of the candidate's runs."""
    n = _runs_of(main)
    m = _runs_of(candidate)
    of_main = n - _passed(main)
    of_own = m - _passed(candidate)
    always = of_main == 0
    lost = int(of_own[always].sum())
    kinds, number = np.unique(np.stack([n, m, of_main, of_own]), axis=1, return_counts=True)
    size = 1 << int(number @ kinds[1] + 1).bit_length()
    spectrum = np.ones(size // 2 + 1, np.complex128)
    expected = 0.0
    for kind, times in zip(kinds.T.tolist(), number.tolist(), strict=True):
        chances = _losing(*kind)
        expected += times * float(np.arange(len(chances)) @ chances)
        spectrum *= np.fft.rfft(chances, size) ** times
    p = float(np.fft.irfft(spectrum, size)[lost:].sum()) if lost else 1.0
    p = min(max(p, LEAST), 1.0)
    return LostRuns(lost, expected, p, int(always.sum()), int(m[always].sum()), without)


def _losing(n: int, m: int, of_main: int, of_own: int) -> FloatArray:
    """Return the chances of 0 to m lost runs of an unchanged item; see the head of this module."""
    total = of_main + of_own
    if of_main == 0:
        chances = np.zeros(m + 1)
        chances[total] = _all_in_one(n, m, total)
        chances[0] += 1 - chances.sum()
        return chances
    at_least = np.array([_all_in_one(n, m, max(total, k)) for k in range(1, m + 1)])
    return np.asarray(-np.diff([1.0, *at_least, 0.0]))


def _all_in_one(n: int, m: int, lost: int) -> float:
    """Return the chance that all runs that an item lost are among m, of n + m."""
    return float(binom(m, lost) / binom(n + m, lost)) if lost <= m else 0.0


def outages(runs: ItemRuns) -> Iterator[Outage]:
    """Yield the runs in which many items failed that failed in no other run of their side.

    If these fail at random, each run is equally likely to be that of an item's only failure.
    """
    sides = ((True, runs.main, runs.main_titles), (False, runs.own, runs.own_titles))
    for of_baseline, table, titles in sides:
        r = len(titles)
        if r < 2:
            continue
        failed = table == 0
        alone = failed[failed.sum(axis=1) == 1].sum(axis=0)
        total = int(alone.sum())
        chances = r * bdtrc(alone - 1, total, 1 / r)
        for k in np.flatnonzero((alone > 0) & (chances < UNUSUAL)).tolist():
            usual = (total - int(alone[k])) / (r - 1)
            yield Outage(of_baseline, titles[k], int(alone[k]), usual)


def _passed(table: FloatArray) -> IntArray:
    """Return the (q,) numbers of runs that passed."""
    return np.asarray(np.nansum(table, axis=1), np.int64)


def _runs_of(table: FloatArray) -> IntArray:
    """Return the (q,) numbers of runs."""
    return np.asarray((~np.isnan(table)).sum(axis=1), np.int64)
