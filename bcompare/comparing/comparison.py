"""The answers of a test on one pair or on many, or the reason why there are none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bcompare.basis.messages import BcompareError, ComputationError, number_of
from bcompare.basis.progress import Progress, no_progress
from bcompare.comparing.decision import Decision, Rule
from bcompare.data.differences import Differences, PairedDifferences
from bcompare.data.rope import BoolArray, FloatArray, IntArray, RegionProbabilities, Rope, inexact
from bcompare.methods.interface import Average, DatasetMethod, Method, Outcome, Result, in_figures
from bcompare.methods.result_parts import Estimate
from bcompare.methods.student import estimate_of


@dataclass(frozen=True, eq=False, slots=True)
class Failure:
    """A pair that could not be computed, and the reason; other pairs are not affected."""

    left: str
    right: str
    error: BcompareError

    @property
    def text(self) -> str:
        """The reason, with arguments in both spellings."""
        return self.error.text

    def record(self) -> dict[str, str]:
        """Return the failure for the JSON document."""
        return {"left": self.left, "right": self.right, "reason": self.text}


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """One pair: its data, the result of the test, and the decision.

    differences : the pair and its statistics.
    rope, rule : of the decisions.
    result : of the method.
    p_values : (k,) two-sided p-values of the test's answers: one, or one for each data set.
    bonferroni, holm : the same, corrected for the number of pairs.
    decisions : on the k answers; "none" where withheld.
    """

    differences: Differences
    rope: Rope
    rule: Rule
    result: Result
    p_values: FloatArray
    bonferroni: FloatArray
    holm: FloatArray
    decisions: tuple[Decision, ...]

    @property
    def left(self) -> str:
        """Name of the left classifier."""
        return self.differences.left

    @property
    def right(self) -> str:
        """Name of the right classifier."""
        return self.differences.right

    @property
    def n_datasets(self) -> int:
        """The number of data sets that both classifiers have."""
        return len(self.differences.statistics)

    @property
    def decision(self) -> Decision | None:
        """The decision on the only answer; None if each of several data sets has one."""
        return self.decisions[0] if len(self.decisions) == 1 else None

    @property
    def dataset_decisions(self) -> tuple[Decision, ...]:
        """The decision on each data set."""
        datasets = self.result.datasets
        return decisions_on(datasets.probabilities, datasets.withheld, self.rule)

    @property
    def mean_difference(self) -> float:
        """Mean over the data sets of their mean differences right - left."""
        return float(self.differences.statistics.mean.mean())

    @property
    def average(self) -> Estimate | None:
        """The mean difference with its interval: of these data sets, or of others like them."""
        these = self.over_these if self.result.about_these else None
        if these is not None:
            return these.estimate()
        return self.result.average or estimate_of(self.differences.statistics.mean)

    @cached_property
    def observed(self) -> Estimate | None:
        """The average over these data sets with its interval; None if that is not known."""
        if self.n_datasets == 1:
            return self.average
        return None if self.over_these is None else self.over_these.estimate()

    @property
    def over_these(self) -> Average | None:
        """The average over these data sets; None if it is unknown."""
        return self.result.over_these(self.differences.statistics)

    @property
    def probabilities(self) -> RegionProbabilities[float] | None:
        """The probabilities over all data sets, or on the only one; None if each has its own."""
        return self.result.regions

    @property
    def withheld(self) -> str | None:
        """Why the decision is withheld although there are probabilities, or None."""
        if self.result.withheld is not None or not self.result.answers_withheld.all():
            return self.result.withheld
        return self.dataset_withheld(0) if len(self.decisions) == 1 else None

    @property
    def printed(self) -> RegionProbabilities[float] | None:
        """The probabilities to print, with 0 and 1 only where nothing else is possible."""
        p = self.probabilities
        if p is None or self.result.points[0]:
            return p
        p = inexact(p)
        return replace(p, rope=0.0) if self.rope.is_empty else p

    def dataset_probabilities(self, i: int) -> RegionProbabilities[float]:
        """The three probabilities on the i-th data set."""
        return RegionProbabilities(*(float(p[i]) for p in self.result.datasets.probabilities))

    def dataset_withheld(self, i: int) -> str | None:
        """Return why the i-th data set has no verdict although it has probabilities."""
        if not self.result.datasets.withheld[i]:
            return None
        statistics = self.differences.statistics
        if statistics.sides is not None:
            return "no score of a side differs from its others, which may be so by chance"
        n = statistics.n[i]
        mean = statistics.mean[i]
        return (
            f"all {n} differences are equal ({abs(mean):.6g}), and few or coarse scores may agree "
            "by chance"
        )

    @property
    def datasets_withheld(self) -> list[str | None]:
        """The reason why each data set has no verdict, or None."""
        if not self.result.datasets.withheld.any():
            return [None] * self.n_datasets
        return [self.dataset_withheld(i) for i in range(self.n_datasets)]

    def __repr__(self) -> str:
        lines = [
            f"<Comparison {self.left} – {self.right}: {number_of(self.n_datasets, 'data set')}"
        ]
        if self.probabilities is not None:
            lines.append(f"  {in_figures(self.probabilities)}")
        words: dict[Decision, str] = {
            "left": f"{self.left} better",
            "rope": "equivalent",
            "right": f"{self.right} better",
            "none": "undecided",
        }
        verdicts = []
        for decision, word in words.items():
            count = self.decisions.count(decision)
            if count:
                verdicts.append(word if len(self.decisions) == 1 else f"{word} on {count}")
        lines.append(f"  {', '.join(verdicts)}")
        return "\n".join(lines) + ">"


def decisions_on(
    answers: RegionProbabilities[FloatArray], withheld: BoolArray, rule: Rule
) -> tuple[Decision, ...]:
    """Return the decision on each of k answers; "none" where it is withheld."""
    decisions = rule.decide(answers)
    if not withheld.any():
        return decisions
    pairs = zip(decisions, withheld.tolist(), strict=True)
    return tuple("none" if is_withheld else decision for decision, is_withheld in pairs)


def decided(pair: Differences, result: Outcome, rope: Rope, rule: Rule) -> Comparison | Failure:
    """Return the decision on a result; p-values are not yet corrected."""
    if isinstance(result, BcompareError):
        return Failure(pair.left, pair.right, result)
    if not all(np.isfinite(p).all() for p in result.answers):
        error = ComputationError(
            f"{pair.left} and {pair.right}: the probabilities are not numbers. Is the prior very "
            "far from the data, or the rope of another size than the scores?"
        )
        return Failure(pair.left, pair.right, error)
    p_values = result.p_values
    return Comparison(
        differences=pair,
        rope=rope,
        rule=rule,
        result=result,
        p_values=p_values,
        bonferroni=p_values,
        holm=p_values,
        decisions=decisions_on(result.answers, result.answers_withheld, rule),
    )


@dataclass(frozen=True, eq=False, slots=True)
class Batch:
    """The comparisons of m of many pairs; iterates over them.

    at : their positions among the pairs, ascending.
    parts : comparisons that hold the answers in order: one for each pair, or a single one over the
        data sets of all pairs.
    method : the test, if a single comparison holds all.
    """

    differences: PairedDifferences
    at: list[int]
    parts: Sequence[Comparison]
    method: DatasetMethod | None = None

    @property
    def shared(self) -> BoolArray:
        """(m, q) which data sets both classifiers of a pair have."""
        return self.differences.shared[self.at]

    @property
    def sizes(self) -> IntArray:
        """(m,) the number of answers for each pair: one, or one for each of its data sets."""
        by_dataset = any(part.result.by_dataset for part in self.parts[:1])
        return np.asarray(self.shared.sum(axis=1)) if by_dataset else np.ones(len(self.at), int)

    def __iter__(self) -> Iterator[Comparison]:
        return self._having(np.ones(len(self.differences.statistics), np.bool_))

    def noted(self) -> Iterator[Comparison]:
        """Yield at least the comparisons with notes."""
        statistics = self.differences.statistics
        return (
            iter(self.parts) if self.method is None else self._having(self.method.noted(statistics))
        )

    def _having(self, mask: BoolArray) -> Iterator[Comparison]:
        """Yield the comparisons with any data set in a mask of all."""
        if self.method is None:
            yield from self.parts
            return
        (whole,) = self.parts
        places = self.differences.places()
        for k in self.at:
            where = places[k]
            if mask[where].any():
                pair = self.differences.pair(k, where)
                p_values = whole.p_values[where]
                yield replace(
                    whole,
                    differences=pair,
                    result=self.method.part(whole.result, pair.statistics, where),
                    p_values=p_values,
                    bonferroni=p_values,
                    holm=p_values,
                    decisions=whole.decisions[where],
                )


def compared(
    differences: PairedDifferences,
    method: Method,
    rope: Rope,
    rule: Rule,
    progress: Progress = no_progress,
) -> tuple[Batch, list[Failure]]:
    """Compare the pairs that share a data set: all at once, if each data set stands by itself."""
    places = np.flatnonzero(differences.shared.any(axis=1)).tolist()
    if isinstance(method, DatasetMethod) and places:
        everything = Differences("", "", differences.statistics)
        whole = decided(everything, method.whole(differences.statistics, rope), rope, rule)
        if isinstance(whole, Comparison):  # else a number is not finite, and of some pair
            progress(len(places), len(places))
            return Batch(differences, places, [whole], method), []
    pairs = [pair for pair in differences if len(pair.statistics)]
    outcomes = (
        method.test_all([pair.statistics for pair in pairs], rope, progress) if places else ()
    )
    answers = [decided(*both, rope, rule) for both in zip(pairs, outcomes, strict=True)]
    done = {
        k: answer
        for k, answer in zip(places, answers, strict=True)
        if isinstance(answer, Comparison)
    }
    failures = [answer for answer in answers if isinstance(answer, Failure)]
    return Batch(differences, list(done), list(done.values())), failures
