"""Judge all classifiers together: the best choice, its certainty, and the cost of others."""

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.messages import Note, arg, counted
from bcompare.basis.progress import ShownProgress, no_progress, shown
from bcompare.basis.showable import Showable
from bcompare.basis.threads import in_one_thread
from bcompare.comparing.compare import compare
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.comparing.decision import Decision, Rule, Threshold
from bcompare.data.assumed_rope import rope_for
from bcompare.data.clusters import lost_dof
from bcompare.data.differences import (
    PairedScores,
    check_sizes,
    is_binary,
    mean_scores,
    rounded_table,
)
from bcompare.data.rope import (
    BoolArray,
    FloatArray,
    IntArray,
    RegionProbabilities,
    Rope,
    RopeLike,
)
from bcompare.data.scales import check_rope
from bcompare.data.scores import DatasetScores, Scores, ScoresLike
from bcompare.methods.correlated_t import CORRECTED, PAIRED, CorrelatedT
from bcompare.methods.interface import Method
from bcompare.methods.mean_differences import why_withheld
from bcompare.methods.result_parts import PairedNhst
from bcompare.ranking.best import Best, BestResult, best_of
from bcompare.ranking.joint_means import JointMeans, joint_means
from bcompare.ranking.judged import (
    SetApart,
    check,
    judged,
    lacks_spread,
    notes_on,
    read,
    twins,
    why_alike,
)
from bcompare.ranking.ranks import (
    PairwiseTests,
    Ranks,
    corrected,
    rank_family,
    rank_incomplete,
)


def posterior(dataset: DatasetScores, scores: Scores) -> JointMeans:
    """Return the posterior of the mean scores of all classifiers on a data set."""
    return joint_means(
        rounded_table(dataset),
        np.flatnonzero(dataset.present),
        dataset.rho,
        right_or_wrong=scores.unit.has_answers and is_binary(dataset),
        lost=lost_dof(dataset.sizes),
    )


@dataclass(frozen=True, slots=True)
class Preferred:
    """The cheapest of the classifiers that surely lose no more than the rope, on average.

    column : of the costs.
    classifier : its name.
    cost : its mean cost.
    among : all of them, the leader first.
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
        or McNemar's exact ones of 0/1 items.
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
    pairwise: PairwiseTests
    study: ComparisonSet | None
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        q = len(self.datasets)
        noun = "data set" if q == 1 else "data sets"
        return f"<Family: {len(self.best.classifiers)} classifiers, {q} {noun}>"

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


@in_one_thread
def rank(
    results: "ScoresLike | object",
    test: Method | str | None = None,
    *,
    rope: RopeLike | None = None,
    rule: Rule | None = None,
    alpha: float = 0.05,
    options: Best | None = None,
    prefer: str | None = None,
    also: Sequence[Method] = (),
    top_k: int | None = None,
    datasets: Collection[str] | None = None,
    jobs: int | None = 1,
    executor: Executor | None = None,
    progress: ShownProgress = no_progress,
) -> Family:
    """Judge which classifier is best, and the cost of choosing another one; see `best_of`.

    Parameters
    ----------
    results : scores, a frame for `from_frame`, or a fitted search for `from_cv_results`.
    test : also compare every pair by this test.
    rope : half-width, in the scores' unit; by default as for `compare`.
    rule : for the pairs; `Threshold(alpha)` by default.
    alpha : the verdict needs a probability above 1 - alpha; level of the frequentist tests.
    options : of the joint posterior.
    prefer : a column of costs, such as ``mean_fit_time``: names the cheapest of the practically
        best classifiers. Scores must have been read with ``cost_col``.
    also : further tests on every pair, in addition to `test`.
    top_k : add the probability that each classifier is among the first k.
    datasets : the names of those to judge on; by default all.
    jobs, executor : where to compute `test` and `also`, and progress : as for `compare`.

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
    options = options or Best()
    rule = rule or Threshold(alpha)
    given = read(results, prefer)
    if datasets is not None:
        given = given.on(datasets)
    rope = rope_for(given, rope)
    check_rope(given, rope)
    check_sizes(given)
    scores, apart = judged(given)
    scores = scores.complete()
    tables = sorted(scores.datasets, key=lambda dataset: dataset.name)
    c = len(scores.classifiers)
    check(scores, top_k)
    posteriors = [posterior(dataset, scores) for dataset in tables]
    draws = options.draws
    while True:
        drawn = replace(options, draws=draws)
        with shown(progress, "drawing") as steps:
            best = best_of(posteriors, scores.classifiers, rope=rope, options=drawn, progress=steps)
        draws *= MORE
        if draws * c > MOST_DRAWN or not (_at_border(best, alpha) or _tier_at_border(best, alpha)):
            break
    lone = tables[0] if len(tables) == 1 else None
    spread = None if lone is None else lacks_spread(lone, scores)
    # One data set is judged by itself; several generalise to others if there are enough.
    few = why_withheld(len(tables)) or why_alike(tables) if lone is None else None
    decisions = _decisions(best.pairs, rule, spread)
    unclear = np.zeros_like(decisions, dtype=np.bool_)
    if isinstance(rule, Threshold):
        for p in best.pairs:
            unclear |= best.near(p, 1 - rule.alpha)
        decisions[unclear] = "none"
    if few is not None:
        decisions[:] = "none"
    leader = best.leader
    names = np.array(scores.classifiers, dtype=object)
    same = twins(tables, leader)
    equal = np.asarray(decisions[leader] == "rope")
    # What surely loses no more than the rope on average may be preferred by its cost.
    no_worse = best.pairs.rope[leader] + best.pairs.right[leader]
    close = same | ((no_worse > 1 - alpha) & ~best.near(no_worse, 1 - alpha))
    if few is not None:
        close = same
    table = np.array([mean_scores(dataset) for dataset in scores.datasets])
    ranks = _ranks(table, scores, rope, alpha)
    study = None
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
    notes = [*notes_on(given, scores, rope, apart)]
    if study is not None:
        notes += study.notes
    border_notes = _border_notes(_at_border(best, alpha), _named(unclear, names), draws)
    family = Family(
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
        notes=(*dict.fromkeys(notes), *border_notes),
    )
    return replace(family, notes=(*family.notes, *_weight_notes(family)))


def _weight_notes(family: Family) -> Iterator[Note]:
    """Warn of observed differences from the leader that lie outside their intervals."""
    best = family.best
    lead = family.best.leader
    behind = np.array([family.observed(k, lead) for k in range(len(best.order))])
    is_out = (behind < best.loss_interval.low) | (behind > best.loss_interval.high)
    outside = [str(best.classifiers[k]) for k in best.order if is_out[k] and k != lead]
    if not outside:
        return
    who = f"{counted(outside, 'classifier', 3)}: the observed difference from the leader lies"
    if family.lone is not None:
        yield Note(
            "weighted",
            "info",
            f"{who} outside its interval, as the highest and the lowest of many similar scores "
            "are so by chance, too",
        )
        return
    yield Note(
        "weighted",
        "warning",
        f"{who} outside its interval, as noisy data sets and unusual means count less in the "
        "joint posterior; compare pairs by hier, too",
    )


def _named(pairs: BoolArray, names: NDArray[np.object_]) -> list[str]:
    """Return the names of the pairs in a symmetric matrix."""
    return [f"{names[i]} – {names[j]}" for i, j in np.argwhere(np.triu(pairs)).tolist()]


# If the verdict, or one on neighbours, is within Monte Carlo error of its border, the number of
# draws is multiplied by this factor, up to this number of values.
MORE, MOST_DRAWN = 4, 4_000_000


def _at_border(best: BestResult, alpha: float) -> bool:
    return bool(best.near(float(best.p_least_regret[best.leader]), 1 - alpha))


def _tier_at_border(best: BestResult, alpha: float) -> bool:
    """Return whether draws cannot tell if the first, or any, is better than one after it."""
    order = np.array(best.order)
    better = best.pairs.left
    decisive = np.append(better[order[0], order[1:]], better[order[:-1], order[1:]])
    return bool(best.near(decisive, 1 - alpha).any())


def _border_notes(leader: bool, pairs: Sequence[str], draws: int) -> Iterator[Note]:
    """Yield notes on verdicts within Monte Carlo error of their border."""
    what = ["the verdict"] if leader else []
    if pairs:
        what.append(counted(pairs, "pair", 1))
    if what:
        yield Note(
            "at-border",
            "info",
            "undecided within Monte Carlo error: "
            f"{' and '.join(what)}, and with it the tiers. More draws may decide: "
            f"{arg('draws', draws)}",
        )


def _decisions(
    pairs: RegionProbabilities[FloatArray], rule: Rule, spread: BoolArray | None
) -> NDArray[np.object_]:
    """Return the (c, c) decisions of a rule; "none" without probabilities."""
    compared = ~np.isnan(pairs.rope)
    if spread is not None:
        compared &= ~spread
    decisions: NDArray[np.object_] = np.full(compared.shape, "none", dtype=object)
    decided: tuple[Decision, ...] = rule.decide(RegionProbabilities(*(p[compared] for p in pairs)))
    decisions[compared] = decided
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
    columns = np.array([leader, *np.flatnonzero(others)])
    cheapest = int(columns[np.argmin(scores.costs[columns])])
    return Preferred(
        column=column,
        classifier=scores.classifiers[cheapest],
        cost=float(scores.costs[cheapest]),
        among=tuple(scores.classifiers[k] for k in columns),
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
    name = "corrected-t"
    title = PAIRED if scores.unit.has_answers else CORRECTED
    if scores.unit.has_answers and statistics.binary.all():
        name, title = "mcnemar", "McNemar (exact)"
    figures = (nhst.statistic, nhst.p_value, nhst.p_left_better, nhst.p_right_better)
    rows = np.array(figures).T.tolist()
    tests = (PairedNhst(name, t, p, left, right, title=title) for t, p, left, right in rows)
    return corrected(pairs, tuple(tests))
