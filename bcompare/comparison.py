"""A method over all chosen pairs; the settings stay with the results."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from bcompare.decision import Decision, Rule, Threshold, decide_one
from bcompare.differences import Differences, paired_differences
from bcompare.errors import BcompareError, ComputationError, InputError
from bcompare.methods import check_unit, load_method
from bcompare.methods.base import (
    Alternative,
    Method,
    Outcome,
    PopulationResult,
    Progress,
    Result,
    no_progress,
)
from bcompare.methods.correction import bonferroni, holm
from bcompare.notes import Note, counted
from bcompare.rope import FloatArray, RegionProbabilities, Rope, inexact
from bcompare.scales import scale_notes
from bcompare.scores import Scores, dropped_notes

if TYPE_CHECKING:
    import pandas as pd

PAIRS_NAMED_IN_A_NOTE = 3


@dataclass(frozen=True, eq=False, slots=True)
class AdjustedP:
    """NHST p-values corrected for the number of pairs tested; the shape of the p-value itself."""

    bonferroni: FloatArray
    holm: FloatArray


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Comparison:
    """One pair: the data, what the test says of them, and what follows.

    differences : the pair and its statistics.
    result : of the method.
    p_values : (q,) p-values of a test that answers per data set, else (1,); against the
        alternative that was asked for.
    adjusted : the same corrected for the number of pairs.
    decision : over all data sets, or on the only one; None for a test that answers per data set
        where there are several.
    dataset_decisions : one for each data set.
    """

    differences: Differences
    result: Result
    p_values: FloatArray
    adjusted: AdjustedP
    decision: Decision | None
    dataset_decisions: tuple[Decision, ...]

    @property
    def left(self) -> str:
        """Name of the left classifier."""
        return self.differences.left

    @property
    def right(self) -> str:
        """Name of the right classifier."""
        return self.differences.right

    @property
    def mean_difference(self) -> float:
        """Mean over the data sets of their mean differences right - left."""
        return float(self.differences.statistics.mean.mean())

    @property
    def probabilities(self) -> RegionProbabilities[float] | None:
        """Over all data sets, or on the only one; None where each data set has its own."""
        if isinstance(self.result, PopulationResult):
            return self.result.probabilities
        return self.dataset_probabilities(0) if len(self.dataset_decisions) == 1 else None

    @property
    def withheld(self) -> str | None:
        """Why the decision is withheld although there are probabilities; None if it is not."""
        if isinstance(self.result, PopulationResult):
            return self.result.withheld
        return self.dataset_withheld(0) if len(self.dataset_decisions) == 1 else None

    @property
    def shown(self) -> RegionProbabilities[float] | None:
        """The probabilities as people should read them: 0 and 1 only where they are exact."""
        result = self.result
        if isinstance(result, PopulationResult) and result.error is not None:
            return inexact(result.probabilities)
        return self.probabilities

    def dataset_probabilities(self, i: int) -> RegionProbabilities[float]:
        """The three probabilities on the i-th data set."""
        p = self.result.datasets.probabilities
        return RegionProbabilities(float(p.left[i]), float(p.rope[i]), float(p.right[i]))

    def dataset_withheld(self, i: int) -> str | None:
        """Why the i-th data set has no verdict although it has probabilities."""
        if not self.result.datasets.withheld[i]:
            return None
        statistics = self.differences.statistics
        return (
            f"all {statistics.n[i]} differences are equal ({statistics.mean[i]:+.6g}), and few or "
            "coarse scores may agree by chance"
        )

    def __repr__(self) -> str:
        p = self.probabilities
        found = f", p {p.left:.3f} {p.rope:.3f} {p.right:.3f}" if p else ""
        sets = len(self.dataset_decisions)
        return f"<Comparison {self.left} – {self.right}: {sets} data sets{found}>"


@dataclass(frozen=True, slots=True)
class Failure:
    """A pair that could not be computed, and why; the others are not touched by it."""

    left: str
    right: str
    reason: str


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class ComparisonSet:
    """All pairs under one method, with everything needed to explain or repeat it.

    alternative : of the p-values.
    failures : pairs that could not be computed.
    also : the same pairs under other tests, by name.
    """

    scores: Scores
    method: Method
    rope: Rope
    rule: Rule
    alpha: float
    alternative: Alternative
    comparisons: tuple[Comparison, ...]
    failures: tuple[Failure, ...]
    notes: tuple[Note, ...]
    also: Mapping[str, "ComparisonSet"] = field(default_factory=dict)

    def __repr__(self) -> str:
        return (
            f"<ComparisonSet {self.method.name}: {len(self.comparisons)} pairs, "
            f"{len(self.scores.datasets)} data sets, rope [{self.rope.low:g}, {self.rope.high:g}]>"
        )


def choose_pairs(
    classifiers: Sequence[str],
    *,
    left: str | None = None,
    right: str | None = None,
    baseline: str | None = None,
) -> list[tuple[str, str]]:
    """Return the (left, right) pairs to compare: one, a baseline against the rest, or all.

    In all pairs the order is that of `classifiers`; a baseline is always left.

    Raises
    ------
    InputError : an unknown classifier.
    """
    for name in (left, right, baseline):
        if name is not None and name not in classifiers:
            alike = [other for other in classifiers if other.casefold() == name.casefold()]
            near = alike or get_close_matches(name, classifiers, 1)
            hint = f"did you mean {near[0]!r}? The" if near else "the"
            raise InputError(
                f"there is no classifier {name!r}; {hint} results have {', '.join(classifiers)}"
            )
    if left is not None and right is not None:
        return [(left, right)]
    if baseline is not None:
        return [(baseline, other) for other in classifiers if other != baseline]
    return list(combinations(classifiers, 2))


def compare(
    scores: "Scores | pd.DataFrame",
    method: Method | str,
    *,
    rope: Rope | float | tuple[float, float] = 0.01,
    rule: Rule | None = None,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    pairs: Sequence[tuple[str, str]] | None = None,
    baseline: str | None = None,
    also: Sequence[Method | str] = (),
    progress: Progress = no_progress,
) -> ComparisonSet:
    """Run a method on every pair (default: all) and decide.

    Parameters
    ----------
    scores : as `read_scores` and its kin return them; a frame is read by `from_frame`.
    method : a method with its options, or the name of a registered one to use its defaults.
    rule : for the Bayesian decisions; `Threshold(alpha)` by default.
    alpha : level of the NHST, and of the default rule.
    alternative : what the p-values are against: any difference, left better, right better.
    pairs : (left, right) names; or
    baseline : the left one of all pairs.
    also : other tests to run on the same pairs; one that cannot answer leaves a warning.

    Raises
    ------
    InputError : no pair has a data set in common, or something else than scores is given.
    ComputationError : no pair at all could be computed.
    """
    scores = _as_scores(scores)
    if isinstance(method, str):
        method = load_method(method)()
    check_unit(method, scores.unit)
    rope = Rope.of(rope)
    threshold = Threshold(alpha)
    rule = rule or threshold
    if pairs is not None and baseline is not None:
        raise InputError("pairs and a baseline: give one of the two")
    chosen = choose_pairs(scores.classifiers, baseline=baseline) if pairs is None else list(pairs)
    differences = paired_differences(scores, chosen)
    kept = [pair for pair in differences if len(pair.statistics)]
    apart = [f"{d.left} and {d.right}" for d in differences if not len(d.statistics)]
    if not kept:
        raise InputError(f"no data set in common: {counted(apart, 'pair')}; nothing to compare")
    outcomes = method.test_all([pair.statistics for pair in kept], rope, progress)
    comparisons, failures = _sorted_out(kept, outcomes, rule, alternative)
    notes = [
        *scores.notes,
        *dropped_notes(scores.dropped),
        *scale_notes(scores, rope),
        *_unused(scores, kept),
    ]
    if apart:
        notes.append(
            Note(
                "no-common-dataset",
                "warning",
                f"no data set in common, so not compared: {counted(apart, 'pair')}",
            )
        )
    notes += [
        Note("not-computed", "warning", f"{f.left} – {f.right}: not computed: {f.reason}")
        for f in failures[:PAIRS_NAMED_IN_A_NOTE]
    ]
    study = ComparisonSet(
        scores=scores,
        method=method,
        rope=rope,
        rule=rule,
        alpha=alpha,
        alternative=alternative,
        comparisons=_adjusted(comparisons, scores),
        failures=failures,
        notes=(*notes, *_gathered(comparisons)),
    )
    for other in also:
        study = _with_also(study, load_method(other)() if isinstance(other, str) else other)
    return study


def _as_scores(scores: "Scores | pd.DataFrame") -> Scores:
    if isinstance(scores, Scores):
        return scores
    if hasattr(scores, "columns"):
        from bcompare.reading.read import from_frame

        return from_frame(scores)
    raise InputError(
        f"a {type(scores).__name__} holds no scores that can be compared: give what read_scores, "
        "from_frame, from_cv_results or from_cross_validate return, or a frame with the columns "
        "dataset, run, fold, classifier, score"
    )


def _sorted_out(
    pairs: Sequence[Differences],
    outcomes: Sequence[Outcome],
    rule: Rule,
    alternative: Alternative,
) -> tuple[list[Comparison], tuple[Failure, ...]]:
    """The pairs that were computed, and those that could not be."""
    comparisons: list[Comparison] = []
    errors: list[tuple[Differences, BcompareError]] = []
    for pair, outcome in zip(pairs, outcomes, strict=True):
        error = outcome if isinstance(outcome, BcompareError) else _not_finite(pair, outcome)
        if error is not None:
            errors.append((pair, error))
        elif not isinstance(outcome, BcompareError):
            comparisons.append(_decided(pair, outcome, rule, alternative))
    if not comparisons:
        raise errors[0][1]
    return comparisons, tuple(Failure(pair.left, pair.right, str(e)) for pair, e in errors)


def _unused(scores: Scores, pairs: Sequence[Differences]) -> list[Note]:
    """Name the data sets that no pair rests on."""
    used = {name for pair in pairs for name in pair.statistics.names}
    unused = [dataset.name for dataset in scores.datasets if dataset.name not in used]
    if not unused:
        return []
    message = f"no pair that is compared has both its classifiers on {counted(unused, 'data set')}"
    return [Note("unused", "info", message)]


def _with_also(study: ComparisonSet, method: Method) -> ComparisonSet:
    try:
        other = compare(
            study.scores,
            method,
            rope=study.rope,
            rule=study.rule,
            alpha=study.alpha,
            alternative=study.alternative,
            pairs=[(comparison.left, comparison.right) for comparison in study.comparisons],
        )
    except BcompareError as error:
        message = f"{method.title} left out: {error}"
        return replace(study, notes=(*study.notes, Note("also-failed", "warning", message)))
    if other.failures:
        first = other.failures[0]
        message = f"{method.title} left out: {first.left} – {first.right}: {first.reason}"
        return replace(study, notes=(*study.notes, Note("also-failed", "warning", message)))
    return replace(study, also={**study.also, method.name: other})


def _decided(pair: Differences, result: Result, rule: Rule, alternative: Alternative) -> Comparison:
    datasets = tuple(
        "none" if withheld else decision
        for decision, withheld in zip(
            rule.decide(result.datasets.probabilities), result.datasets.withheld, strict=True
        )
    )
    overall: Decision | None = datasets[0] if len(datasets) == 1 else None
    if isinstance(result, PopulationResult):
        overall = decide_one(rule, result.probabilities) if result.withheld is None else "none"
    p_values = result.p_values(alternative)
    return Comparison(
        differences=pair,
        result=result,
        p_values=p_values,
        adjusted=AdjustedP(p_values, p_values),
        decision=overall,
        dataset_decisions=datasets,
    )


def _not_finite(pair: Differences, outcome: Result) -> ComputationError | None:
    """An error if any probability of a result is not a number."""
    p = outcome.datasets.probabilities
    parts = [p.left, p.rope, p.right]
    if isinstance(outcome, PopulationResult):
        overall = outcome.probabilities
        parts.append(np.array([overall.left, overall.rope, overall.right]))
    if all(np.isfinite(part).all() for part in parts):
        return None
    return ComputationError(
        f"{pair.left} and {pair.right}: the probabilities are not numbers. Is the prior very "
        "far from the data, or the rope of another size than the scores?"
    )


def _adjusted(comparisons: Sequence[Comparison], scores: Scores) -> tuple[Comparison, ...]:
    """Correct over the pairs tested: on each data set by itself where the test answers there."""
    position = {dataset.name: i for i, dataset in enumerate(scores.datasets)}
    p_values = np.full((len(comparisons), len(position)), np.nan)
    where: list[list[int]] = []
    for row, comparison in zip(p_values, comparisons, strict=True):
        at = (
            [0]
            if isinstance(comparison.result, PopulationResult)
            else [position[name] for name in comparison.differences.statistics.names]
        )
        row[at] = comparison.p_values
        where.append(at)
    by_bonferroni, by_holm = bonferroni(p_values), holm(p_values)
    return tuple(
        replace(comparison, adjusted=AdjustedP(by_bonferroni[k, at], by_holm[k, at]))
        for k, (comparison, at) in enumerate(zip(comparisons, where, strict=True))
    )


def _gathered(comparisons: Sequence[Comparison]) -> list[Note]:
    """Notes of all pairs; one that many pairs share is said once, naming the first of them."""
    by_code: dict[str, list[tuple[Comparison, Note]]] = defaultdict(list)
    for comparison in comparisons:
        for note in comparison.result.notes:
            by_code[note.code].append((comparison, note))
    gathered: list[Note] = []
    for found in by_code.values():
        same_for_all = len(found) == len(comparisons) and len({n.message for _, n in found}) == 1
        if same_for_all:
            gathered.append(found[0][1])
            continue
        gathered += [
            replace(note, message=f"{pair.left} – {pair.right}: {note.message}")
            for pair, note in found[:PAIRS_NAMED_IN_A_NOTE]
        ]
        more = len(found) - PAIRS_NAMED_IN_A_NOTE
        if more > 0:
            note = found[0][1]
            gathered.append(
                replace(
                    note,
                    message=f"the same ({note.code}) for {more} more pairs; "
                    "--format json has each of them",
                )
            )
    return gathered
