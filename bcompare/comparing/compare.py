"""Compare pairs of classifiers by a test: once, under several ropes, or in slices."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from bcompare.basis.messages import BcompareError, InputError, Note, arg, nearest
from bcompare.basis.progress import ShownProgress, no_progress, shown
from bcompare.basis.showable import Showable
from bcompare.basis.threads import in_one_thread
from bcompare.comparing.comparison_set import ComparisonSet, run
from bcompare.comparing.decision import Decision, Rule
from bcompare.data.assumed_rope import rope_for
from bcompare.data.pairs import Pair, as_pairs
from bcompare.data.rope import RegionProbabilities, Rope, RopeLike
from bcompare.data.scores import Scores, ScoresLike, bounding_pairs
from bcompare.methods import load_method, usual_method
from bcompare.methods.correction import holm
from bcompare.methods.interface import Method

if TYPE_CHECKING:
    from bcompare.reading.arrays import Rows


# What functions that compare take besides the options of a test.
SETTINGS = ("alpha", "datasets", "jobs", "left", "pairs", "right", "rope", "rule")


@in_one_thread
def compare(
    scores: ScoresLike,
    test: Method | str | None = None,
    *,
    rope: RopeLike | None = None,
    rule: Rule | None = None,
    alpha: float = 0.05,
    pairs: Collection[Pair] | None = None,
    left: str | None = None,
    right: str | None = None,
    datasets: Collection[str] | None = None,
    also: Sequence[Method | str] = (),
    jobs: int | None = 1,
    executor: Executor | None = None,
    progress: ShownProgress = no_progress,
    **options: Any,
) -> ComparisonSet:
    """Run a test on every pair (default: all) and decide.

    Parameters
    ----------
    scores : as returned by `read_scores`, `from_frame` and others; a frame is read by `from_frame`.
    rope : differences that do not matter, in the scores' unit; by default 0.01 if the scores are
        on a bounded scale, see `bcompare.data.assumed_rope`.
    test : itself, or its name; by default the correlated t-test on one
        data set, ``hier`` over several, ``signrank`` for means.
    rule : for the Bayesian decisions; `Threshold(alpha)` by default.
    alpha : level of the NHST, and of the default rule.
    pairs : (left, right) names; or
    left, right : the names of one pair; either alone is compared with each other classifier.
    datasets : the names of those to compare on; by default all.
    also : other tests to run on the same pairs; a test that cannot answer adds a warning.
    jobs : processes to compute in; 0 for one per core, None to let the work decide. A script that
        asks for more than one needs ``if __name__ == "__main__":`` around its work.
    executor : where to compute instead, such as Dask's ``client.get_executor(pure=False)``, one of
        mpi4py.futures or of joblib. It stays open; the answers are the same to the last digit.
    progress : takes the number of tasks done and that of all; "auto" shows a bar on a terminal and
        in a notebook, and nothing in a pipe.
    options : of the test, such as ``population="averaged"`` for ``hier``.

    Raises
    ------
    InputError : no pair has a data set in common, something else than scores is given, an option
        that the test does not have, or no rope and none can be assumed.
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
    if datasets is not None:
        scores = scores.on(datasets)
    method = as_method(test, scores, **options)
    if pairs is not None and (left is not None or right is not None):
        raise InputError("give pairs, or left and right: not both")
    chosen = bounding_pairs(scores, left=left, right=right) if pairs is None else as_pairs(pairs)
    borders = rope_for(scores, rope)
    with shown(progress, "comparing pairs") as steps:
        study = run(
            scores,
            method,
            chosen,
            rope=borders,
            rule=rule,
            alpha=alpha,
            jobs=jobs,
            executor=executor,
            progress=steps,
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
    """Return the requested test with these options, given by its name or itself.

    Raises
    ------
    InputError : an option that it does not have.
    """
    if isinstance(test, Method):
        kind = type(test)
    elif test is not None:
        kind = load_method(test)
    else:
        kind = usual_method(scores.unit, len(scores.datasets))
    names = [option.name for option in fields(kind)]
    for name in options:
        if name not in names:
            alike = nearest(name, [*names, *SETTINGS])
            mend = f"did you mean {alike[0]}?" if alike else f"there are {', '.join(names)}"
            raise InputError(f"{name}= is no option of the test {kind.name}: {mend}")
    return replace(test, **options) if isinstance(test, Method) else kind.configured(**options)


def with_also(
    study: ComparisonSet, also: Sequence[Method | str], executor: Executor | None = None
) -> ComparisonSet:
    """Add the results of the same pairs under further tests."""
    pairs = [(comparison.left, comparison.right) for comparison in study.comparisons]
    results = dict(study.also)
    notes = list(study.notes)
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

    items : their number.
    p : of the slice by itself.
    shrunken : by the hierarchical model, which learns from the other slices how much slices differ.
    decision : by these.
    p_value : of the slice by itself.
    holm : corrected for the number of slices.
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

    by : the column of slices.
    overall : by the chosen test.
    alone, shrunken : with slices as data sets, by the correlated t-test and by the hierarchical
        model.
    """

    by: str
    overall: ComparisonSet
    alone: ComparisonSet
    shrunken: ComparisonSet

    def __iter__(self) -> Iterator[Slice]:
        sizes = {dataset.name: dataset.items for dataset in self.alone.scores.datasets}
        for alone, shrunken in zip(self.alone.comparisons, self.shrunken.comparisons, strict=True):
            statistics = alone.differences.statistics
            decisions = shrunken.dataset_decisions
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
    rope: RopeLike | None = None,
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
    borders = rope_for(scores, rope)
    overall = compare(scores, test, rope=borders, **settings)
    alone = compare(sliced, "ttest", rope=borders, **settings)
    shrunken = compare(sliced, "hier", rope=borders, **settings)
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
    rope: RopeLike | None = None,
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
