"""A method applied to all chosen pairs; the settings stay with the results."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from bcompare.basis.arguments import as_keywords
from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note, counted, likewise
from bcompare.basis.showable import Showable
from bcompare.comparing.answers import AdjustedP, Comparison, Placed, Task, Work
from bcompare.comparing.decision import Rule, Threshold
from bcompare.comparing.summary import NAMED, Tally
from bcompare.comparing.workers import processes_for
from bcompare.data.differences import PairedScores
from bcompare.data.pairs import Pair
from bcompare.data.rope import Rope
from bcompare.data.scales import scale_notes
from bcompare.data.scores import Scores
from bcompare.methods import check_unit
from bcompare.methods.base import Alternative, Method, PopulationResult
from bcompare.methods.correction import bonferroni, holm


@dataclass(frozen=True, slots=True)
class Failure:
    """A pair that could not be computed, and the reason; other pairs are not affected."""

    left: str
    right: str
    text: str

    @property
    def reason(self) -> str:
        """The reason, with arguments as they are written in Python."""
        return as_keywords(self.text)

    def record(self) -> dict[str, str]:
        """Return the failure for the JSON document."""
        return {"left": self.left, "right": self.right, "reason": self.text}


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class ComparisonSet(Showable):
    """Pairs under one method, with everything needed to explain or repeat it.

    alternative : of the p-values.
    total : the number of chosen pairs, of which `comparisons` may hold only some.
    tally : counts over all of them.
    failures : pairs that could not be computed.
    also : the same pairs under other tests, by name.
    """

    scores: Scores
    method: Method
    rope: Rope
    rule: Rule
    alpha: float
    alternative: Alternative
    total: int
    comparisons: tuple[Comparison, ...]
    tally: Tally
    failures: tuple[Failure, ...]
    notes: tuple[Note, ...]
    also: Mapping[str, "ComparisonSet"] = field(default_factory=dict)

    def __repr__(self) -> str:
        return (
            f"<ComparisonSet {self.method.name}: {len(self.comparisons)} pairs, "
            f"{len(self.scores.datasets)} data sets, rope [{self.rope.low:g}, {self.rope.high:g}]>"
        )


@dataclass(frozen=True, eq=False, slots=True)
class Workload:
    """The pairs to compare and the settings, before anything is computed."""

    scores: Scores
    pairs: Sequence[Pair]
    work: Work
    alpha: float

    @classmethod
    def of(
        cls,
        scores: Scores,
        method: Method,
        pairs: Sequence[Pair],
        *,
        rope: Rope,
        rule: Rule | None = None,
        alpha: float = 0.05,
        alternative: Alternative = "two-sided",
    ) -> "Workload":
        """Prepare the scores; check that the test can use them, and the level."""
        check_unit(method, scores.unit)
        threshold = Threshold(alpha)
        paired = PairedScores.of(scores)
        return cls(scores, pairs, Work(paired, method, rope, rule or threshold, alternative), alpha)

    @property
    def seconds(self) -> float:
        """The approximate time of the work on one core."""
        return len(self.pairs) * self.work.method.effort(len(self.scores.datasets))

    def tasks(self) -> Iterator[Task]:
        """The pairs in tasks of under a second, whatever the number of workers."""
        size = self.task_size
        for start in range(0, len(self.pairs), size):
            yield Task(start, tuple(self.pairs[start : start + size]))

    @property
    def task_size(self) -> int:
        """The number of pairs in a task."""
        effort = self.work.method.effort(len(self.scores.datasets))
        return int(np.clip(TASK_SECONDS / effort, 1, MOST_PAIRS))

    @property
    def task_count(self) -> int:
        """The number of tasks."""
        return -(-len(self.pairs) // self.task_size)

    def workers(self, jobs: int | None) -> int:
        """The number of processes to compute in; see `processes_for`."""
        if self.work.method.has_processes:
            return 1
        return processes_for(jobs, self.seconds, self.task_count)

    def finished(self, comparisons: Iterable[Placed], tally: Tally) -> ComparisonSet:
        """Return the set of some comparisons, given with their positions among all pairs.

        Raises
        ------
        InputError : no pair has a data set in common.
        ComputationError : no pair at all could be computed.
        """
        if tally.n_apart == len(self.pairs):
            raise InputError(f"no data set in common: {_apart(tally)}; nothing to compare")
        if not tally.pairs:
            raise tally.failures[0][1]
        failures = tuple(Failure(*pair, error.text) for pair, error in tally.failures)
        return ComparisonSet(
            scores=self.scores,
            method=self.work.method,
            rope=self.work.rope,
            rule=self.work.rule,
            alpha=self.alpha,
            alternative=self.work.alternative,
            total=len(self.pairs),
            comparisons=_adjusted(list(comparisons), tally, self),
            tally=tally,
            failures=failures,
            notes=(*self._notes(tally, failures), *tally.gathered()),
        )

    def _notes(self, tally: Tally, failures: Sequence[Failure]) -> Iterator[Note]:
        """Yield notes on the input, and on missing pairs."""
        scores = self.scores
        yield from scores.notes
        yield from scores.account.notes()
        yield from scale_notes(scores, self.work.rope)
        unused = [dataset.name for dataset in scores.datasets if dataset.name not in tally.used]
        if unused:
            message = (
                "no pair that is compared has both its classifiers on "
                f"{counted(unused, 'data set')}"
            )
            yield Note("unused", "info", message)
        if tally.n_apart:
            message = f"no data set in common, so not compared: {_apart(tally)}"
            yield Note("no-common-dataset", "warning", message)
        reasons: dict[str, list[str]] = {}
        for f in failures:
            reasons.setdefault(f.text, []).append(f"{f.left} – {f.right}")
        for text, pairs in list(reasons.items())[:NAMED]:
            message = likewise(f"not computed: {text}", pairs[:NAMED], len(pairs))
            yield Note("not-computed", "warning", message)


# The time that a task should take, and the most pairs in it.
TASK_SECONDS, MOST_PAIRS = 0.7, 500


def _apart(tally: Tally) -> str:
    names = [f"{left} and {right}" for left, right in tally.apart]
    if tally.n_apart > len(names):
        return f"{tally.n_apart:,} pairs ({', '.join(names)} and more)"
    return counted(names, "pair")


def _adjusted(
    comparisons: Sequence[Placed], tally: Tally, work: Workload
) -> tuple[Comparison, ...]:
    """Correct for the number of pairs, separately on each data set if the test answers for each."""
    if len(work.scores.datasets) == 1 or all(
        isinstance(c.result, PopulationResult) for _, c in comparisons
    ):  # one p-value for each pair, and all are known
        p_values = tally.all_p_values(len(work.pairs))
        by_bonferroni, by_holm = bonferroni(p_values), holm(p_values)
        return tuple(
            replace(c, adjusted=AdjustedP(by_bonferroni[[at]], by_holm[[at]]))
            for at, c in comparisons
        )
    position = {dataset.name: i for i, dataset in enumerate(work.scores.datasets)}
    matrix = np.full((len(comparisons), len(position)), np.nan)
    where = [[position[name] for name in c.differences.statistics.names] for _, c in comparisons]
    for row, at, (_, comparison) in zip(matrix, where, comparisons, strict=True):
        row[at] = comparison.p_values
    by_bonferroni, by_holm = bonferroni(matrix), holm(matrix)
    return tuple(
        replace(comparison, adjusted=AdjustedP(by_bonferroni[k, at], by_holm[k, at]))
        for k, ((_, comparison), at) in enumerate(zip(comparisons, where, strict=True))
    )
