"""Judge all classifiers together: the best choice, its certainty, and the cost of others."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.messages import InputError, Note, arg, counted
from bcompare.basis.showable import Showable
from bcompare.comparing.compare import as_scores, compare
from bcompare.comparing.decision import Decision, Rule, Threshold
from bcompare.comparing.run import ComparisonSet
from bcompare.data.clusters import lost_dof
from bcompare.data.differences import (
    PairedScores,
    check_sizes,
    is_binary,
    mean_scores,
    rounded_table,
)
from bcompare.data.rope import (
    DEFAULT_ROPE,
    BoolArray,
    FloatArray,
    IntArray,
    RegionProbabilities,
    Rope,
    RopeLike,
)
from bcompare.data.scales import check_percentages, scale_notes
from bcompare.data.scores import DatasetScores, Scores, ScoresLike
from bcompare.data.sufficient import EQUAL, TELLING
from bcompare.methods.base import Method, Progress, no_progress
from bcompare.methods.correlated_t import CORRECTED, PAIRED, CorrelatedT
from bcompare.methods.mean_differences import FEW_DATASETS, why_withheld
from bcompare.methods.values import PairedNhst
from bcompare.ranking.best import Best, BestResult, best_of
from bcompare.ranking.joint_means import JointMeans, joint_means
from bcompare.ranking.ranks import (
    PairwiseTests,
    Ranks,
    corrected,
    rank_family,
    rank_incomplete,
)


@dataclass(frozen=True, slots=True)
class SetApart:
    """A classifier that is not judged since it lacks more than half of the data sets."""

    classifier: str
    n_datasets: int
    mean_score: float


def judged(scores: Scores) -> tuple[Scores, tuple[SetApart, ...]]:
    """Return the scores without classifiers that lack too much, or data sets with only one.

    Raises
    ------
    InputError : fewer than two classifiers are left.
    """
    counts = np.array([dataset.present for dataset in scores.datasets]).sum(axis=0)
    kept = np.flatnonzero(counts * 2 >= len(scores.datasets))
    if len(kept) < 2:
        raise InputError(
            f"of {len(scores.classifiers)} classifiers {len(kept)} have at least half of the "
            f"{len(scores.datasets)} data sets, and a ranking needs two: choose data sets by "
            f"{arg('datasets')}, or compare pairs by another test"
        )
    table = np.array([mean_scores(dataset) for dataset in scores.datasets])
    apart = tuple(
        SetApart(
            scores.classifiers[k],
            int(counts[k]),
            float(np.nanmean(table[:, k])) * (-1 if scores.lower_is_better else 1),
        )
        for k in range(len(scores.classifiers))
        if k not in kept and counts[k]
    )
    datasets = tuple(
        dataset.of(kept) for dataset in scores.datasets if dataset.present[kept].sum() >= 2
    )
    return replace(
        scores,
        classifiers=tuple(scores.classifiers[k] for k in kept),
        datasets=datasets,
        costs=None if scores.costs is None else scores.costs[kept],
    ), apart


def posterior(dataset: DatasetScores, scores: Scores) -> JointMeans:
    """Return the posterior of the mean scores of all classifiers on a data set."""
    return joint_means(
        rounded_table(dataset),
        np.flatnonzero(dataset.present),
        dataset.rho,
        right_or_wrong=scores.unit.has_answers and is_binary(dataset),
        lost=lost_dof(dataset.sizes),
    )


def twins(datasets: Sequence[DatasetScores], leader: int) -> BoolArray:
    """Return the (c,) mask of classifiers whose scores never differ from the leader's."""
    same = np.ones(len(datasets[0].present), dtype=np.bool_)
    for dataset in datasets:
        table = rounded_table(dataset)
        equal = (table == table[:, [leader]]).all(axis=0)
        both_absent = ~dataset.present & ~dataset.present[leader]
        same &= equal | both_absent
    same[leader] = False
    return same


def lacks_spread(dataset: DatasetScores, scores: Scores) -> BoolArray:
    """Return the (c, c) pairs with constant differences on the only data set, weak evidence.

    Few or coarse scores may agree by chance; 30 scores that never differ show that two classifiers
    are alike, unless scores are 0 or 1. The posterior of test items accounts for that.
    """
    table = rounded_table(dataset)
    centred = table - table.mean(axis=0)
    size = np.abs(table).max(axis=0)
    near = EQUAL * np.maximum.outer(size, size)
    constant = np.array([np.ptp(centred - column[:, None], axis=0) for column in centred.T]) <= near
    tied = np.abs(np.subtract.outer(table.mean(axis=0), table.mean(axis=0))) <= near
    binary = is_binary(dataset)
    if (scores.unit.has_answers and binary) or (len(table) >= TELLING and not binary):
        constant &= ~tied
    np.fill_diagonal(constant, False)
    return np.asarray(constant)


def why_alike(datasets: Sequence[DatasetScores]) -> str | None:
    """Return why means whose differences never vary allow no verdict; else None."""
    table = np.concatenate([dataset.table for dataset in datasets])
    if len(table) > len(datasets) or np.isnan(table).any():
        return None
    apart = table - table[:, :1]
    if not apart.any() or np.ptp(apart, axis=0).max() > EQUAL * np.abs(table).max():
        return None
    return (
        f"all differences are equal on the {len(table)} data sets, so that nothing tells chance "
        "from a real difference"
    )


@dataclass(frozen=True, slots=True)
class Preferred:
    """The cheapest of the classifiers that surely lose no more than the rope, on average.

    column : of the costs. classifier : its name. cost : its mean cost. among : all of them, the
    leader first.
    """

    column: str
    classifier: str
    cost: float
    among: tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Family(Showable):
    """All classifiers judged at once, with the frequentist tests.

    scores : the input without the classifiers that are set apart.
    best : the joint posterior, in the order of its classifiers.
    decisions : (c, c) the rule's decision on each pair with the row's classifier left; "none" on
        the diagonal.
    tiers : (c,) 1, 2, …, in the order of places: the next tier begins with the first classifier
        that is decided to be practically worse than the first of its tier.
    top_k : the number of first places for p(in top k), or None.
    withheld : the reason for no verdict; None if there is one.
    equals : classifiers that are equivalent to the leader by the rule.
    twins : classifiers whose scores never differ from the leader's.
    preferred : by a column of costs; None without one.
    set_apart : classifiers that lack too many data sets.
    means : (q, c) mean scores, higher is better; NaN where a classifier lacks a data set.
    datasets : those of at least two classifiers.
    ranks : ranks and tests over several data sets; None for a single one.
    pairwise : frequentist tests of all pairs: of ranks or, on a single data set, corrected t-tests
        or McNemar's exact ones of 0/1 items; None without any.
    study : the pairs under another test, if requested.
    """

    scores: Scores
    rope: Rope
    rule: Rule
    alpha: float
    options: Best
    best: BestResult
    decisions: NDArray[np.object_]
    tiers: IntArray
    top_k: int | None
    withheld: str | None
    equals: tuple[str, ...]
    twins: tuple[str, ...]
    preferred: Preferred | None
    set_apart: tuple[SetApart, ...]
    means: FloatArray
    datasets: tuple[str, ...]
    ranks: Ranks | None
    pairwise: PairwiseTests | None
    study: ComparisonSet | None
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        q = len(self.datasets)
        sets = f"{q} data set{'' if q == 1 else 's'}"
        return f"<Family: {len(self.best.classifiers)} classifiers, {sets}>"

    @property
    def names(self) -> tuple[str, ...]:
        """All classifiers, those that are set apart last."""
        return (*self.best.classifiers, *(lone.classifier for lone in self.set_apart))

    @property
    def leader(self) -> str:
        """The best choice: the classifier with the smallest expected regret."""
        return self.best.classifiers[self.best.leader]

    @property
    def lone(self) -> DatasetScores | None:
        """The only data set; None if there are several."""
        return self.scores.datasets[0] if len(self.datasets) == 1 else None

    @property
    def better_than_next(self) -> list[tuple[str, str]]:
        """The neighbours of which the first is decided to be better by the rope."""
        names = self.best.classifiers
        pairs = pairwise(self.best.order)
        return [(names[i], names[j]) for i, j in pairs if self.decisions[i, j] == "left"]

    @property
    def decided(self) -> bool:
        """Whether the leader's regret is the smallest with a probability above 1 - alpha.

        By such a margin that other draws would give the same answer.
        """
        p = float(self.best.p_least_regret[self.best.leader])
        return self.withheld is None and p > 1 - self.alpha and not self.at_border

    @property
    def mean_score(self) -> FloatArray:
        """(c,) over the data sets of each classifier, with the sign of the file."""
        return self.signed(np.nanmean(self.means, axis=0))

    def signed(self, values: FloatArray) -> FloatArray:
        """Return scores with the sign of the file."""
        return -values if self.scores.lower_is_better else values

    def observed(self, left: int, right: int) -> float:
        """Return the mean difference right - left over the data sets of both; higher is better."""
        return float(np.nanmean(self.means[:, right] - self.means[:, left]))

    @property
    def at_border(self) -> bool:
        """Whether that probability is within Monte Carlo error of 1 - alpha."""
        return _at_border(self.best, self.alpha)


def rank(
    results: "ScoresLike | object",
    test: Method | str | None = None,
    *,
    rope: RopeLike = DEFAULT_ROPE,
    rule: Rule | None = None,
    alpha: float = 0.05,
    options: Best | None = None,
    prefer: str | None = None,
    also: Sequence[Method] = (),
    top_k: int | None = None,
    jobs: int | None = 1,
    executor: Executor | None = None,
    progress: Progress = no_progress,
) -> Family:
    """Judge which classifier is best, and the cost of choosing another one; see `best_of`.

    Parameters
    ----------
    results : scores, a frame for `from_frame`, or a fitted search for `from_cv_results`.
    test : also compare every pair by this test.
    rope : half-width, in the scores' unit.
    rule : for the pairs; `Threshold(alpha)` by default.
    alpha : the verdict needs a probability above 1 - alpha; level of the frequentist tests.
    options : of the joint posterior.
    prefer : a column of costs, such as ``mean_fit_time``: names the cheapest of the practically
        best classifiers. Scores must have been read with ``cost_col``.
    also : further tests on every pair, in addition to `test`.
    top_k : add the probability that each classifier is among the first k.
    jobs, executor : where to compute `test` and `also`, as for `compare`.

    Raises
    ------
    InputError : fewer than two classifiers to judge, one data set of which only the means are
        known, no costs to prefer by, or more first places than
        classifiers.

    Examples
    --------
    >>> import bcompare
    >>> family = bcompare.rank(bcompare.read_scores("sample_data/results.csv"))
    >>> family
    <Family: 5 classifiers, 25 data sets>
    >>> best = family.best.p_least_regret
    >>> family.best.classifiers[best.argmax()]
    'forest'
    """
    rope, options, rule = Rope.of(rope), options or Best(), rule or Threshold(alpha)
    given = _read(results, prefer)
    check_percentages(given, rope)
    check_sizes(given)
    scores, apart = judged(given)
    scores = scores.complete()
    datasets = sorted(scores.datasets, key=lambda dataset: dataset.name)
    c = len(scores.classifiers)
    _check(scores, top_k)
    posteriors = [posterior(dataset, scores) for dataset in datasets]
    draws = options.draws
    while True:
        drawn = replace(options, draws=draws)
        best = best_of(posteriors, scores.classifiers, rope=rope, options=drawn, progress=progress)
        draws *= MORE
        if draws * c > MOST_DRAWN or not (_at_border(best, alpha) or _tier_at_border(best, alpha)):
            break
    lone = datasets[0] if len(datasets) == 1 else None
    spread = None if lone is None else lacks_spread(lone, scores)
    # One data set is judged by itself; several generalise to others if there are enough.
    few = why_withheld(len(datasets)) or why_alike(datasets) if lone is None else None
    decisions = _decisions(best.pairs, rule, spread)
    unclear = np.zeros_like(decisions, dtype=np.bool_)
    if isinstance(rule, Threshold):
        for p in best.pairs:
            unclear |= best.near(p, 1 - rule.alpha)
        decisions[unclear] = "none"
    if few is not None:
        decisions[:] = "none"
    leader, names = best.leader, np.array(scores.classifiers, dtype=object)
    same = twins(datasets, leader)
    equal = np.asarray(decisions[leader] == "rope")
    # What surely loses no more than the rope on average may be preferred by its cost.
    no_worse = best.pairs.rope[leader] + best.pairs.right[leader]
    close = same | ((no_worse > 1 - alpha) & ~best.near(no_worse, 1 - alpha))
    if few is not None:
        close = same
    table = np.array([mean_scores(dataset) for dataset in scores.datasets])
    ranks, study = _ranks(table, scores, rope, alpha), None
    if test is not None:
        study = compare(
            scores,
            test,
            rope=rope,
            rule=rule,
            alpha=alpha,
            also=also,
            jobs=jobs,
            executor=executor,
            progress=progress,
        )
    return Family(
        scores=scores,
        rope=rope,
        rule=rule,
        alpha=alpha,
        options=options,
        best=best,
        decisions=decisions,
        tiers=_tiers(decisions, best.order),
        top_k=top_k,
        withheld=few if spread is None else _no_spread(spread[leader] & ~same, names, leader),
        equals=tuple(names[equal & ~same]),
        twins=tuple(names[same]),
        preferred=_preferred(scores, prefer, close, leader),
        set_apart=apart,
        means=table,
        datasets=tuple(dataset.name for dataset in scores.datasets),
        ranks=ranks,
        pairwise=ranks.pairwise if ranks else _tests(scores),
        study=study,
        notes=(
            *dict.fromkeys((*_notes(given, scores, rope, apart), *(study.notes if study else ()))),
            *_border_notes(_at_border(best, alpha), _named(unclear, names), draws),
        ),
    )


compare_family = rank


def _named(pairs: BoolArray, names: NDArray[np.object_]) -> list[str]:
    """Return the names of the pairs in a symmetric matrix."""
    return [f"{names[i]} – {names[j]}" for i, j in np.argwhere(np.triu(pairs)).tolist()]


# If the verdict, or one on neighbours, is within Monte Carlo error of its border, the number of
# draws is multiplied by this factor, up to this number of values.
MORE, MOST_DRAWN = 4, 4_000_000


def _check(scores: Scores, top_k: int | None) -> None:
    """Refuse input that cannot be judged, and options without effect."""
    lone, c = len(scores.datasets) == 1, len(scores.classifiers)
    if lone and not scores.unit.has_spread:
        raise InputError(
            "one data set of which only the means are known: nothing tells chance from a real "
            "difference; give the scores of its folds or items, or more data sets"
        )
    if top_k is not None and not 1 <= top_k <= c:
        raise InputError(f"{arg('top_k', top_k)}: there are {c} classifiers; give 1 to {c}")


def _at_border(best: BestResult, alpha: float) -> bool:
    return bool(best.near(float(best.p_least_regret[best.leader]), 1 - alpha))


def _tier_at_border(best: BestResult, alpha: float) -> bool:
    """Return whether draws cannot tell if the first, or any, is better than one after it."""
    order, better = np.array(best.order), best.pairs.left
    decisive = np.append(better[order[0], order[1:]], better[order[:-1], order[1:]])
    return bool(best.near(decisive, 1 - alpha).any())


def _border_notes(leader: bool, pairs: Sequence[str], draws: int) -> Iterator[Note]:
    """Yield notes on verdicts within Monte Carlo error of their border."""
    what = ["the verdict"] if leader else []
    if pairs:
        what.append(counted(pairs, "pair"))
    if what:
        yield Note(
            "at-border",
            "info",
            "undecided within Monte Carlo error: "
            f"{' and '.join(what)}, and with it the tiers. More draws can decide: "
            f"{arg('draws', draws)}",
        )


def _read(results: Any, prefer: str | None) -> Scores:
    """Convert any input to scores, with costs where requested."""
    if hasattr(results, "cv_results_"):
        from bcompare.reading.searches import from_cv_results

        scores = from_cv_results(results, cost_col=prefer)
    elif prefer is not None and hasattr(results, "columns"):
        from bcompare.reading.read import from_frame

        scores = from_frame(results, cost_col=prefer)
    else:
        scores = as_scores(results)
    if prefer is not None and scores.costs is None:
        raise InputError(
            f"the scores do not hold the costs {prefer!r}: read them with cost_col={prefer!r}"
        )
    return scores


def _decisions(
    pairs: RegionProbabilities[FloatArray], rule: Rule, spread: BoolArray | None
) -> NDArray[np.object_]:
    """Return the (c, c) decisions of a rule; "none" without probabilities."""
    known = ~np.isnan(pairs.rope)
    if spread is not None:
        known &= ~spread
    decisions: NDArray[np.object_] = np.full(known.shape, "none", dtype=object)
    decided: tuple[Decision, ...] = rule.decide(RegionProbabilities(*(p[known] for p in pairs)))
    decisions[known] = decided
    return decisions


def _tiers(decisions: NDArray[np.object_], order: Sequence[int]) -> IntArray:
    """Return the (c,) tiers; see `Family`."""
    tiers = np.ones(len(order), dtype=np.int64)
    first = order[0]
    for before, k in pairwise(order):
        worse = decisions[first, k] == "left"
        tiers[k] = tiers[before] + worse
        if worse:
            first = k
    return tiers


def _no_spread(constant: BoolArray, names: NDArray[np.object_], leader: int) -> str | None:
    """Return why a verdict would rest on constant differences, or None."""
    if not constant.any():
        return None
    others = counted(list(names[constant]), "classifier")
    return (
        f"the differences of {names[leader]} and {others} are all equal, and so few scores that "
        "agree prove little"
    )


def _preferred(
    scores: Scores, column: str | None, close: BoolArray, leader: int
) -> Preferred | None:
    """Return the cheapest of the leader and those close to it; on a tie the leader."""
    if column is None or scores.costs is None:
        return None
    others = close.copy()
    others[leader] = False
    at = np.array([leader, *np.flatnonzero(others)])
    cheapest = int(at[np.argmin(scores.costs[at])])
    return Preferred(
        column=column,
        classifier=scores.classifiers[cheapest],
        cost=float(scores.costs[cheapest]),
        among=tuple(scores.classifiers[k] for k in at),
    )


def _ranks(table: FloatArray, scores: Scores, rope: Rope, alpha: float) -> Ranks | None:
    """Return ranks and tests on (q, c) means, NaN where a classifier lacks a data set."""
    if len(table) < 2:
        return None
    ranked = rank_incomplete if np.isnan(table).any() else rank_family
    return ranked(table, scores.classifiers, rope=rope, alpha=alpha)


def correlations(dataset: DatasetScores) -> FloatArray:
    """Return the (c, c) correlations of the classifiers' scores over the rows of a data set.

    NaN where a classifier's scores are all equal.
    """
    deviation = dataset.table - dataset.table.mean(axis=0)
    size = np.sqrt((deviation**2).sum(axis=0))
    size[np.ptp(dataset.table, axis=0) == 0] = np.nan
    scaled = deviation / size
    return np.asarray(np.clip(scaled.T @ scaled, -1, 1))


def _tests(scores: Scores) -> PairwiseTests:
    """Return the frequentist tests of all pairs on the only data set."""
    pairs = tuple(combinations(scores.classifiers, 2))
    statistics = PairedScores.of(scores).differences(pairs).statistics
    nhst = CorrelatedT().whole(statistics, Rope.symmetric(0.0)).datasets.nhst
    name, title = "corrected-t", PAIRED if scores.unit.has_answers else CORRECTED
    if scores.unit.has_answers and statistics.binary.all():
        name, title = "mcnemar", "McNemar (exact)"
    rows = np.array(nhst.figures).T.tolist()
    tests = (PairedNhst(name, t, p, left, right, title=title) for t, p, left, right in rows)
    return corrected(pairs, tuple(tests))


def _notes(given: Scores, scores: Scores, rope: Rope, apart: Sequence[SetApart]) -> Iterator[Note]:
    """Yield notes on the input, and on what was not judged."""
    yield from (*scores.notes, *scores.account.notes(), *scale_notes(scores, rope))
    if apart:
        names = [f"{c.classifier} ({c.n_datasets})" for c in apart]
        yield Note(
            "set-apart",
            "warning",
            f"not judged, with scores on fewer than half of the {len(given.datasets)} data sets: "
            f"{counted(names, 'classifier')}",
        )
    q = len(scores.datasets)
    if 1 < q < FEW_DATASETS:
        alone = f"; to rank on a single data set, name it with {arg('datasets')}"
        yield Note(
            "few-datasets",
            "warning",
            f"only {q} data sets are weak evidence about the next one, and about the average over "
            f"others{alone if scores.unit.has_spread else ''}",
        )
    left_out = {d.name for d in given.datasets} - {d.name for d in scores.datasets}
    if left_out:
        names = sorted(left_out)
        yield Note(
            "unused",
            "info",
            f"left out, with fewer than two classifiers: {counted(names, 'data set')}",
        )
    cells = sum(int(dataset.present.sum()) for dataset in scores.datasets)
    whole = len(scores.datasets) * len(scores.classifiers)
    if cells < whole:
        yield Note(
            "incomplete",
            "warning",
            f"{cells:,} of {whole:,} scores over data sets exist: a mean score is over the "
            "data sets that the classifier has; a difference, over those that both have",
        )
