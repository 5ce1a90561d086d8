"""A method over all chosen pairs; the settings stay with the results."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import combinations

import numpy as np

from bcompare.decision import Decision, Rule, Threshold, decide_one
from bcompare.differences import Differences, paired_differences
from bcompare.errors import BcompareError, ComputationError, InputError
from bcompare.methods import load_method
from bcompare.methods.base import Method, PopulationResult, Progress, Result, no_progress
from bcompare.methods.correction import bonferroni, holm
from bcompare.notes import Note, counted
from bcompare.rope import FloatArray, Rope
from bcompare.scales import scale_notes
from bcompare.scores import Scores, dropped_notes

PAIRS_NAMED_IN_A_NOTE = 3


@dataclass(frozen=True, eq=False, slots=True)
class AdjustedP:
    """NHST p-values corrected for the number of pairs tested; the shape of the p-value itself."""

    bonferroni: FloatArray
    holm: FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class Comparison:
    """One pair: the data, what the test says of them, and what follows.

    differences : the pair and its statistics.
    result : of the method.
    adjusted : (q,) corrected p-values of a test that answers per data set, else of shape ().
    decision : over all data sets; None for a test that answers per data set only.
    dataset_decisions : one for each data set.
    """

    differences: Differences
    result: Result
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


@dataclass(frozen=True, eq=False, slots=True)
class ComparisonSet:
    """All pairs under one method, with everything needed to explain or repeat it.

    also : the same pairs under other tests, by name.
    """

    scores: Scores
    method: Method
    rope: Rope
    rule: Rule
    alpha: float
    comparisons: tuple[Comparison, ...]
    notes: tuple[Note, ...]
    also: Mapping[str, "ComparisonSet"] = field(default_factory=dict)


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
    scores: Scores,
    method: Method | str,
    *,
    rope: Rope | float | tuple[float, float] = 0.01,
    rule: Rule | None = None,
    alpha: float = 0.05,
    pairs: Sequence[tuple[str, str]] | None = None,
    also: Sequence[Method | str] = (),
    progress: Progress = no_progress,
) -> ComparisonSet:
    """Run a method on every pair (default: all) and decide.

    Parameters
    ----------
    method : a method with its options, or the name of a registered one to use its defaults.
    rule : for the Bayesian decisions; `Threshold(alpha)` by default.
    alpha : level of the NHST, and of the default rule.
    also : other tests to run on the same pairs; one that cannot answer leaves a warning.

    Raises
    ------
    InputError : no pair has a data set in common.
    """
    if isinstance(method, str):
        method = load_method(method)()
    rope = Rope.of(rope)
    threshold = Threshold(alpha)
    chosen = choose_pairs(scores.classifiers) if pairs is None else list(pairs)
    differences = paired_differences(scores, chosen)
    kept = [pair for pair in differences if len(pair.statistics)]
    apart = [f"{d.left} and {d.right}" for d in differences if not len(d.statistics)]
    if not kept:
        raise InputError(f"no data set in common: {counted(apart, 'pair')}; nothing to compare")
    results = method.test_all([pair.statistics for pair in kept], rope, progress)
    comparisons = tuple(
        _decided(pair, result, adjusted, rule or threshold)
        for pair, result, adjusted in zip(
            kept, results, _adjust(kept, results, scores), strict=True
        )
    )
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
    study = ComparisonSet(
        scores=scores,
        method=method,
        rope=rope,
        rule=rule or threshold,
        alpha=alpha,
        comparisons=comparisons,
        notes=(*notes, *_gathered(comparisons)),
    )
    for other in also:
        study = _with_also(study, load_method(other)() if isinstance(other, str) else other)
    return study


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
            pairs=[(comparison.left, comparison.right) for comparison in study.comparisons],
        )
    except BcompareError as error:
        message = f"{method.title} left out: {error}"
        return replace(study, notes=(*study.notes, Note("also-failed", "warning", message)))
    return replace(study, also={**study.also, method.name: other})


def _decided(pair: Differences, result: Result, adjusted: AdjustedP, rule: Rule) -> Comparison:
    if not all(np.isfinite(part).all() for part in _parts(result)):
        raise ComputationError(
            f"{pair.left} and {pair.right}: the probabilities are not numbers. Is the prior very "
            "far from the data, or the rope of another size than the scores?"
        )
    overall: Decision | None = None
    if isinstance(result, PopulationResult):
        overall = decide_one(rule, result.probabilities) if result.withheld is None else "none"
    return Comparison(
        differences=pair,
        result=result,
        adjusted=adjusted,
        decision=overall,
        dataset_decisions=rule.decide(result.datasets.probabilities),
    )


def _parts(result: Result) -> list[FloatArray]:
    """Every probability of a result."""
    p = result.datasets.probabilities
    parts = [p.left, p.rope, p.right]
    if isinstance(result, PopulationResult):
        overall = result.probabilities
        parts.append(np.array([overall.left, overall.rope, overall.right]))
    return parts


def _adjust(
    pairs: Sequence[Differences], results: Sequence[Result], scores: Scores
) -> list[AdjustedP]:
    """Correct over the pairs tested: on each data set by itself where the test answers there."""
    position = {dataset.name: i for i, dataset in enumerate(scores.datasets)}
    p_values = np.full((len(pairs), len(position)), np.nan)
    where: list[list[int]] = []
    for row, pair, result in zip(p_values, pairs, results, strict=True):
        at = (
            [0]
            if isinstance(result, PopulationResult)
            else [position[name] for name in pair.statistics.names]
        )
        row[at] = result.p_values
        where.append(at)
    by_bonferroni, by_holm = bonferroni(p_values), holm(p_values)
    return [AdjustedP(by_bonferroni[k, at], by_holm[k, at]) for k, at in enumerate(where)]


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
