"""Compare pairs of classifiers by a test: task by task, under several ropes, or in slices.

A `ComparisonSet` collects the results of all tasks. Other data of each task, such as its rows, are
made in the worker and passed to a sink in the order of the pairs.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from bcompare.basis.arguments import arg
from bcompare.basis.errors import BcompareError, InputError
from bcompare.basis.notes import Note, counted, likewise, number_of
from bcompare.basis.showable import Showable
from bcompare.comparing.answers import Batch, Comparison, Failure, compared
from bcompare.comparing.decision import Decision, Rule, Threshold
from bcompare.comparing.workers import processes_for, run_tasks
from bcompare.data.bounds import bounding_pairs
from bcompare.data.differences import PairedScores
from bcompare.data.pairs import Pair, as_pairs
from bcompare.data.rope import DEFAULT_ROPE, FloatArray, RegionProbabilities, Rope, RopeLike
from bcompare.data.scales import check_percentages, scale_notes
from bcompare.data.scores import Scores, ScoresLike
from bcompare.methods import check_unit, load_method, usual_method
from bcompare.methods.base import Method, Progress, no_progress
from bcompare.methods.correction import bonferroni, holm
from bcompare.methods.values import ErrorEstimate

if TYPE_CHECKING:
    from bcompare.reading.arrays import Rows

# The most pairs in a table by default, and the most pairs that a note names.
TOP = 30
NAMED = 3

Placed = tuple[int, Comparison]
"""A comparison with its position among all pairs."""


def select(candidates: Iterable[Placed], top: int, total: int) -> list[Placed]:
    """Select the pairs to show from those computed so far, in the order of the file.

    If not all fit, decided pairs come first.

    top : the most pairs to show; 0 for all. total : the number of chosen pairs.
    """
    kept = sorted(candidates, key=itemgetter(0))
    if top == 0 or total <= top:
        return kept
    kept.sort(key=lambda placed: _by_decision(placed[1]))  # ties stay in the file's order
    return kept[:top]


def _by_decision(comparison: Comparison) -> tuple[float, ...]:
    p = comparison.probabilities
    if p is None:
        return (-sum(decision != "none" for decision in comparison.dataset_decisions),)
    return (float(comparison.decision == "none"), -max(p))


@dataclass(slots=True)
class Tally:
    """What stays of pairs: counts, and the pairs to show; updated task by task.

    asked : the number of pairs. pairs : the number computed. decisions : over all data sets.
    crossed : the number of answers by decision and by whether the p-value is at most alpha.
    beaten : classifiers practically beaten by another one. failures, apart : the first few pairs
    that could not be computed, or that share no data set; n_… : their number. notes : by code, the
    first pairs, their number, and whether all texts are equal. used : data sets of any pair.
    error : the largest. p_values : one for each pair, task by task; NaN if a pair has none.
    shown : the pairs that may be shown. kept : of a single task, what the sink takes of it.
    """

    alpha: float = 0.05
    asked: int = 0
    pairs: int = 0
    decisions: Counter[str] = field(default_factory=Counter)
    crossed: Counter[tuple[bool, str]] = field(default_factory=Counter)
    beaten: set[str] = field(default_factory=set)
    failures: list[Failure] = field(default_factory=list)
    apart: list[Pair] = field(default_factory=list)
    n_apart: int = 0
    notes: dict[str, tuple[Note, list[str], int, bool]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    error: ErrorEstimate | None = None
    p_values: list[FloatArray] = field(default_factory=list)
    shown: list[Placed] = field(default_factory=list)
    kept: Any = None

    def add(self, batch: Batch) -> None:
        """Count the comparisons of a task."""
        self.pairs += len(batch.at)
        self.used.update(batch.differences.paired.names[batch.shared.any(axis=0)])
        self._raise_error(*(part.result.error for part in batch.parts))
        decisions = [decision for part in batch.parts for decision in part.decisions]
        p_values = np.concatenate([np.empty(0), *(part.p_values for part in batch.parts)])
        self.crossed.update(zip((p_values <= self.alpha).tolist(), decisions, strict=True))
        ends, pairs = batch.sizes.cumsum(), batch.differences.pairs
        single = np.full(len(pairs), np.nan)
        for j in np.flatnonzero(batch.sizes == 1).tolist():
            k, decision = batch.at[j], decisions[ends[j] - 1]
            single[k] = p_values[ends[j] - 1]
            self.decisions[decision] += 1
            if decision in ("left", "right"):
                self.beaten.add(pairs[k][decision == "left"])
        self.p_values.append(single)
        for c in batch.noted():
            for note in c.result.notes:
                self._note(note, [f"{c.left} – {c.right}"], 1)

    def _raise_error(self, *errors: ErrorEstimate | None) -> None:
        known = filter(None, (self.error, *errors))
        self.error = max(known, key=attrgetter("value"), default=None)

    def _note(self, note: Note, pairs: list[str], count: int, alike: bool = True) -> None:
        """Add pairs with a note; alike : whether all of these have the same text."""
        first, named, before, same = self.notes.get(note.code, (note, [], 0, True))
        same = same and alike and note.text == first.text
        self.notes[note.code] = first, (named + pairs)[:NAMED], before + count, same

    def merge(self, other: "Tally") -> None:
        """Add the counts of later pairs, computed elsewhere."""
        self.asked += other.asked
        self.pairs += other.pairs
        self.decisions += other.decisions
        self.crossed += other.crossed
        self.beaten |= other.beaten
        self.failures += other.failures
        self.n_apart += other.n_apart
        self.apart = (self.apart + other.apart)[:10]
        for noted in other.notes.values():
            self._note(*noted)
        self.used |= other.used
        self._raise_error(other.error)
        self.p_values += other.p_values
        self.shown += other.shown

    def gathered(self) -> list[Note]:
        """Return the notes; of one that not all pairs have, with the first that do."""
        return [
            first
            if same and count == self.pairs
            else replace(first, text=likewise(first.text, named, count))
            for first, named, count, same in self.notes.values()
        ]


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class ComparisonSet(Showable):
    """Pairs under one method, with everything needed to explain or repeat it.

    total : the number of chosen pairs, of which `comparisons` may hold only some.
    tally : counts over all of them.
    also : the same pairs under other tests, by name.
    """

    scores: Scores
    method: Method
    rope: Rope
    rule: Rule
    alpha: float
    total: int
    comparisons: tuple[Comparison, ...]
    tally: Tally
    notes: tuple[Note, ...]
    also: Mapping[str, "ComparisonSet"] = field(default_factory=dict)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The pairs that could not be computed."""
        return tuple(self.tally.failures)

    def __repr__(self) -> str:
        pairs = number_of(len(self.comparisons), "pair")
        datasets = number_of(len(self.scores.datasets), "data set")
        rope = f"rope [{self.rope.low:g}, {self.rope.high:g}]"
        return f"<ComparisonSet {self.method.name}: {pairs}, {datasets}, {rope}>"


# The most pairs in a task.
MOST_PAIRS = 500


@dataclass(frozen=True, slots=True)
class Task:
    """A run of consecutive pairs; `start` is the index of the first among all."""

    start: int
    pairs: tuple[Pair, ...]

    def __str__(self) -> str:
        (first, *_), last = self.pairs, self.pairs[-1]
        names = f"{first[0]} – {first[1]}"
        if len(self.pairs) == 1:
            return f"pair {self.start + 1:,} ({names})"
        end = self.start + len(self.pairs)
        return f"pairs {self.start + 1:,} to {end:,} ({names} to {last[0]} – {last[1]})"


@dataclass(frozen=True, eq=False, slots=True)
class Work:
    """The pairs to compare and the settings, which all tasks share.

    paired : the scores, prepared for pairs.
    """

    paired: PairedScores
    pairs: Sequence[Pair]
    method: Method
    rope: Rope
    rule: Rule
    alpha: float

    @property
    def effort(self) -> float:
        """The approximate time of a pair, in seconds on one core."""
        return self.method.effort(len(self.paired.names))

    @property
    def task_size(self) -> int:
        """The number of pairs in a task of about a second, whatever the number of workers."""
        return int(np.clip(self.method.task_seconds / self.effort, 1, MOST_PAIRS))

    def tasks(self) -> Iterator[Task]:
        """Yield the pairs in tasks."""
        for start in range(0, len(self.pairs), self.task_size):
            yield Task(start, tuple(self.pairs[start : start + self.task_size]))

    def workers(self, jobs: int | None, executor: Executor | None) -> int | Executor:
        """Return the executor, or the number of processes to compute in; see `processes_for`."""
        if executor is not None or self.method.has_processes:
            return executor or 1
        tasks = -(-len(self.pairs) // self.task_size)
        return processes_for(jobs, len(self.pairs) * self.effort, tasks)


Keep = Callable[[Work, Batch], object]
"""Makes, in the worker, what the sink keeps of the comparisons of a task; picklable."""


def tallied(
    work: Work,
    task: Task,
    *,
    top: int | None,
    keep: Keep | None,
    progress: Progress = no_progress,
) -> Tally:
    """Compare the pairs of a task, and keep what was requested; see `run`.

    Raises
    ------
    InputError, ComputationError : what concerns every pair, such as a missing engine.
    """
    differences = work.paired.differences(task.pairs)
    batch, failures = compared(differences, work.method, work.rope, work.rule, progress)
    apart = [task.pairs[k] for k in np.flatnonzero(~differences.shared.any(axis=1)).tolist()]
    tally = Tally(
        work.alpha, len(task.pairs), failures=failures, apart=apart[:10], n_apart=len(apart)
    )
    tally.add(batch)
    if top is not None:
        placed = ((task.start + k, own) for k, own in zip(batch.at, batch, strict=True))
        tally.shown = select(placed, top, len(work.pairs))
    tally.kept = keep and keep(work, batch)
    return tally


def run(
    scores: Scores,
    method: Method,
    pairs: Sequence[Pair],
    *,
    rope: Rope,
    rule: Rule | None = None,
    alpha: float = 0.05,
    jobs: int | None = 1,
    executor: Executor | None = None,
    top: int | None = 0,
    keep: Keep | None = None,
    sink: Callable[[Any], None] | None = None,
    progress: Progress = no_progress,
) -> ComparisonSet:
    """Compare all pairs, task by task.

    Parameters
    ----------
    scores, method, pairs, rope, rule, alpha, jobs, executor : as for `compare`.
    top : the most pairs that the set holds; 0 for all, None for none. Counts are of all pairs.
    keep : makes what the sink keeps of a task.
    sink : takes what is kept of each task, in the order of the pairs.

    Raises
    ------
    InputError : scores that the test cannot use, or no pair that has a data set in common.
    ComputationError : no pair at all could be computed.
    """
    check_unit(method, scores.unit)
    check_percentages(scores, rope)
    usual, total = Threshold(alpha), len(pairs)  # which checks the level
    rule = rule or usual
    paired = PairedScores.of(scores)
    work = Work(paired, pairs, method.for_pairs(total), rope, rule, alpha)
    workers, tally = work.workers(jobs, executor), Tally(alpha)
    compute = partial(tallied, work, top=top, keep=keep)
    for part in _tallies(work, compute, workers, progress):
        if sink is not None:
            sink(part.kept)
        if workers != 1:
            part.shown = [
                (at, replace(own, differences=paired.with_source(own.differences)))
                for at, own in part.shown
            ]
        tally.merge(part)
        if top:
            tally.shown = select(tally.shown, top, total)
    if tally.n_apart == total:
        raise InputError(f"no data set in common: {_apart(tally)}; nothing to compare")
    if not tally.pairs:
        raise tally.failures[0].error
    return ComparisonSet(
        scores=scores,
        method=work.method,
        rope=rope,
        rule=rule,
        alpha=alpha,
        total=total,
        comparisons=_corrected(tally, work),
        tally=tally,
        notes=(*_notes(scores, rope, tally), *tally.gathered()),
    )


def _tallies(
    work: Work,
    compute: Callable[..., Tally],
    workers: int | Executor,
    progress: Progress,
) -> Iterator[Tally]:
    """Yield the tallies of all tasks, in the order of the pairs."""
    total = len(work.pairs)
    if workers == 1 and (work.method.has_processes or total <= work.task_size):
        for task in work.tasks():  # slow tests report progress within a task
            yield compute(task, progress=partial(_within, progress, task, total))
        return
    done = 0
    for part in run_tasks(compute, work.tasks(), workers):
        done += part.asked
        progress(done, total)
        yield part


def _within(progress: Progress, task: Task, total: int, step: int, steps: int) -> None:
    """Report a step within a task as progress of all tasks."""
    progress(task.start * steps + step * len(task.pairs), total * steps)


def _notes(scores: Scores, rope: Rope, tally: Tally) -> Iterator[Note]:
    """Yield notes on the input, and on missing pairs."""
    yield from (*scores.notes, *scores.account.notes(), *scale_notes(scores, rope))
    unused = [dataset.name for dataset in scores.datasets if dataset.name not in tally.used]
    if unused:
        message = (
            f"no pair that is compared has both its classifiers on {counted(unused, 'data set')}"
        )
        yield Note("unused", "info", message)
    if tally.n_apart:
        message = f"no data set in common, so not compared: {_apart(tally)}"
        yield Note("no-common-dataset", "warning", message)
    reasons: dict[str, list[str]] = {}
    for failure in tally.failures:
        reasons.setdefault(failure.text, []).append(f"{failure.left} – {failure.right}")
    for text, pairs in list(reasons.items())[:NAMED]:
        message = likewise(f"not computed: {text}", pairs[:NAMED], len(pairs))
        yield Note("not-computed", "warning", message)


def _apart(tally: Tally) -> str:
    names = [f"{left} and {right}" for left, right in tally.apart]
    if tally.n_apart > len(names):
        return f"{tally.n_apart:,} pairs ({', '.join(names)} and more)"
    return counted(names, "pair")


def _corrected(tally: Tally, work: Work) -> tuple[Comparison, ...]:
    """Correct for the number of pairs, separately on each data set if the test answers for each."""
    comparisons, names = [comparison for _, comparison in tally.shown], work.paired.names
    if work.method.answers(len(names)) == 1:
        # one p-value for each pair, and all are known
        p_values = np.concatenate(tally.p_values)[:, None]
        cells = [(at, [0]) for at, _ in tally.shown]
    else:
        column = {name: i for i, name in enumerate(names)}
        have = [comparison.differences.statistics.names for comparison in comparisons]
        cells = [(row, [column[name] for name in own]) for row, own in enumerate(have)]
        p_values = np.full((len(comparisons), len(column)), np.nan)
        for cell, comparison in zip(cells, comparisons, strict=True):
            p_values[cell] = comparison.p_values
    by_bonferroni, by_holm = bonferroni(p_values), holm(p_values)
    return tuple(
        replace(comparison, bonferroni=by_bonferroni[cell], holm=by_holm[cell])
        for cell, comparison in zip(cells, comparisons, strict=True)
    )


def compare(
    scores: ScoresLike,
    test: Method | str | None = None,
    *,
    rope: RopeLike = DEFAULT_ROPE,
    rule: Rule | None = None,
    alpha: float = 0.05,
    pairs: Sequence[Pair] | None = None,
    left: str | None = None,
    right: str | None = None,
    also: Sequence[Method | str] = (),
    jobs: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = no_progress,
    **options: Any,
) -> ComparisonSet:
    """Run a test on every pair (default: all) and decide.

    Parameters
    ----------
    scores : as returned by `read_scores`, `from_frame` and others; a frame is read by `from_frame`.
    test : itself, or its name; by default the correlated t-test on one
        data set, ``hier`` over several, ``signrank`` for means.
    rule : for the Bayesian decisions; `Threshold(alpha)` by default.
    alpha : level of the NHST, and of the default rule.
    pairs : (left, right) names; or
    left, right : the names of one pair; either alone is compared with each other classifier.
    also : other tests to run on the same pairs; a test that cannot answer adds a warning.
    jobs : processes to compute in; 0 for one per core, None to let the work decide. A script that
        asks for more than one needs ``if __name__ == "__main__":`` around its work.
    executor : where to compute instead, such as Dask's ``client.get_executor(pure=False)``, one of
        mpi4py.futures or of joblib. It stays open; the answers are the same to the last digit.
    options : of the test, such as ``population="averaged"`` for ``hier``.

    Raises
    ------
    InputError : no pair has a data set in common, or something else than scores is given.
    ComputationError : no pair at all could be computed.

    Examples
    --------
    >>> import bcompare
    >>> scores = bcompare.read_scores("sample_data/results.csv", datasets=("two_hard",))
    >>> (pair,) = bcompare.compare(scores, left="knn", right="forest").comparisons
    >>> pair.decision, round(pair.probabilities.right, 3)
    ('right', 0.985)
    """
    scores = as_scores(scores)
    method = as_method(test, scores, **options)
    if pairs is not None and (left is not None or right is not None):
        raise InputError("give pairs, or left and right: not both")
    chosen = bounding_pairs(scores, left=left, right=right) if pairs is None else as_pairs(pairs)
    study = run(
        scores,
        method,
        chosen,
        rope=Rope.of(rope),
        rule=rule,
        alpha=alpha,
        jobs=jobs,
        executor=executor,
        progress=progress,
    )
    return with_also(study, also, executor)


def as_scores(scores: ScoresLike, *, fewest: int = 2, baseline: tuple[str, ...] = ()) -> Scores:
    """Return scores unchanged, or read them from a frame.

    fewest : the number of classifiers that it must have. baseline : that of a gate.

    Raises
    ------
    InputError : something else.
    """
    if isinstance(scores, Scores):
        return scores
    if hasattr(scores, "columns"):
        from bcompare.reading.read import from_frame

        return from_frame(scores, fewest=fewest, baseline=baseline)
    raise InputError(
        f"a {type(scores).__name__} holds no scores that can be compared: give what read_scores, "
        "from_frame, from_cv_results or from_cross_validate return, or a frame with the columns "
        "dataset, run, fold, classifier, score"
    )


def as_method(test: Method | str | None, scores: Scores, **options: Any) -> Method:
    """Return the requested test with these options, given by its name or itself."""
    if isinstance(test, Method):
        return replace(test, **options)
    kind = usual_method(scores.unit, len(scores.datasets)) if test is None else load_method(test)
    return kind.configured(**options)


def with_also(
    study: ComparisonSet, also: Sequence[Method | str], executor: Executor | None = None
) -> ComparisonSet:
    """Add the results of the same pairs under further tests."""
    pairs = [(comparison.left, comparison.right) for comparison in study.comparisons]
    results, notes = dict(study.also), list(study.notes)
    for method in (as_method(test, study.scores) for test in also):
        why = None
        try:
            other = compare(
                study.scores,
                method,
                rope=study.rope,
                rule=study.rule,
                alpha=study.alpha,
                pairs=pairs,
                executor=executor,
            )
            if other.failures:
                first = other.failures[0]
                why = f"{first.left} – {first.right}: {first.text}"
        except BcompareError as error:
            why = error.text
        if why is None:
            results[method.name] = other
        else:
            notes.append(Note("also-failed", "warning", f"{method.title} left out: {why}"))
    return replace(study, also=results, notes=tuple(notes))


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Sweep(Showable):
    """A set of comparisons of the same pairs for each rope, the narrowest first."""

    studies: tuple[ComparisonSet, ...]

    def __repr__(self) -> str:
        ropes = ", ".join(f"{study.rope.high:g}" for study in self.studies)
        return f"<Sweep {self.studies[0].method.name}: ropes {ropes}>"


def sweep(
    scores: Scores,
    test: Method | str,
    ropes: Sequence[RopeLike],
    **settings: Any,
) -> Sweep:
    """Compare the same pairs under each of several ropes; settings as for `compare`.

    Examples
    --------
    >>> import bcompare
    >>> scores = bcompare.read_scores("sample_data/results.csv", datasets=("two_hard",))
    >>> bcompare.sweep(scores, "ttest", [bcompare.Rope.of(r) for r in (0.01, 0.02)])
    <Sweep ttest: ropes 0.01, 0.02>

    Raises
    ------
    InputError : no list of ropes; others as for `compare`.
    """
    given = list(ropes) if hasattr(ropes, "__iter__") else []
    if not given:
        raise InputError("give several ropes in a list, such as [0, 0.01, 0.02]")
    ascending = sorted(map(Rope.of, given), key=lambda rope: rope.high)
    return Sweep(tuple(compare(scores, test, rope=rope, **settings) for rope in ascending))


@dataclass(frozen=True, slots=True)
class Slice:
    """One slice of a pair.

    items : their number. p : of the slice by itself. shrunken : by the hierarchical model, which
    learns from the other slices how much slices differ; decision : by these. p_value : of the slice
    by itself; holm : corrected for the number of slices.
    """

    left: str
    right: str
    name: str
    items: int
    mean_difference: float
    p: RegionProbabilities[float]
    shrunken: RegionProbabilities[float]
    decision: Decision
    p_value: float
    holm: float


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Slices(Showable):
    """Comparisons overall, and in slices.

    by : the column of slices. overall : by the chosen test. alone, shrunken : with slices as data
    sets, by the correlated t-test and by the hierarchical model.
    """

    by: str
    overall: ComparisonSet
    alone: ComparisonSet
    shrunken: ComparisonSet

    def __iter__(self) -> Iterator[Slice]:
        sizes = {dataset.name: dataset.items for dataset in self.alone.scores.datasets}
        for alone, shrunken in zip(self.alone.comparisons, self.shrunken.comparisons, strict=True):
            statistics, decisions = alone.differences.statistics, shrunken.dataset_decisions
            by_holm = holm(alone.p_values)
            for i, name in enumerate(statistics.names):
                yield Slice(
                    left=alone.left,
                    right=alone.right,
                    name=name,
                    items=sizes[name],
                    mean_difference=float(statistics.mean[i]),
                    p=alone.dataset_probabilities(i),
                    shrunken=shrunken.dataset_probabilities(i),
                    decision=decisions[i],
                    p_value=float(alone.p_values[i]),
                    holm=float(by_holm[i]),
                )

    def __repr__(self) -> str:
        return f"<Slices by {self.by}: {len(self.alone.scores.datasets)}>"


def slices(
    scores: Scores,
    sliced: Scores,
    by: str,
    test: Method | str | None = None,
    *,
    rope: RopeLike = DEFAULT_ROPE,
    **settings: Any,
) -> Slices:
    """Compare overall, and in each slice.

    Parameters
    ----------
    scores, sliced : as `bcompare.reading.read.read_slices` returns them, by the column `by`.
    test : overall; by default as for `compare`, which has the other settings, too.

    Raises
    ------
    InputError : no pair shares anything, or fewer slices than the hierarchical model needs.
    ComputationError : no pair at all could be computed.

    Examples
    --------
    >>> import bcompare, pandas, tempfile, pathlib
    >>> pairs = [(i, k) for i in range(12) for k in range(2)]
    >>> rows = [(f"q{i}", "ab"[k], i % 3 == k, "xy"[i % 2]) for i, k in pairs]
    >>> answers = pandas.DataFrame(rows, columns=["item", "classifier", "score", "topic"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "answers.csv")
    ...     answers.to_csv(file, index=False)
    ...     whole, sliced = bcompare.read_slices(file, by="topic", item_col="item")
    >>> [(s.name, s.items) for s in bcompare.slices(whole, sliced, "topic")]
    [('x', 6), ('y', 6)]
    """
    if len(sliced.datasets) < 2:
        raise InputError(
            f"{arg('by', by)} leaves one slice, {sliced.datasets[0].name}: name a column with "
            "several, or leave it out"
        )
    overall, alone, shrunken = (
        compare(part, method, rope=rope, **settings)
        for part, method in ((scores, test), (sliced, "ttest"), (sliced, "hier"))
    )
    return Slices(by, overall, alone, shrunken)


def compare_arrays(
    left: ArrayLike,
    right: ArrayLike,
    rows: "Rows",
    test: Method | str | None = None,
    *,
    runs: int = 1,
    rho: float | None = None,
    names: Sequence[str] = ("left", "right"),
    lower_is_better: bool = False,
    scale: Mapping[str, float] | None = None,
    rope: RopeLike = DEFAULT_ROPE,
    **settings: Any,
) -> ComparisonSet:
    """Compare two arrays of scores whose values belong together, place by place.

    Parameters
    ----------
    left, right : (n,) scores on one data set, or (q, n) on q data sets; (q,) means for
        ``datasets``.
    rows : what the values are: the answer depends on it.
    test, rope, settings : as for `compare`.
    runs : of cross-validation, one after the other. rho : the correlation of folds; 1/k by default.
    names : of the two. scale : a factor for the scores of one.

    Raises
    ------
    InputError : arrays of different shapes, values that are not finite, and as for `compare`.

    Examples
    --------
    >>> import bcompare
    >>> a, b = [0.70, 0.72, 0.71, 0.69, 0.73], [0.75, 0.74, 0.76, 0.75, 0.77]
    >>> (pair,) = bcompare.compare_arrays(a, b, "folds").comparisons
    >>> pair.decision, round(pair.probabilities.right, 3)
    ('right', 0.986)
    """
    from bcompare.reading.arrays import scores_of

    scores = scores_of(
        left, right, rows, runs, rho, names, lower_is_better=lower_is_better, scale=scale
    )
    return compare(scores, test, rope=rope, **settings)
