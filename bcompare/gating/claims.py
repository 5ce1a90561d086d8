"""The claims of a gate about a pair: one over data sets, or their average and each of them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from bcompare.basis.messages import InputError, arg
from bcompare.comparing.comparison import Comparison
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.data.clusters import means_of as cluster_means
from bcompare.data.differences import paired_differences
from bcompare.data.rope import BoolArray, FloatArray, RegionProbabilities, Rope, read_only
from bcompare.data.scores import Scores
from bcompare.data.sufficient import SufficientStatistics
from bcompare.gating.metrics import Metric
from bcompare.gating.monotone import Sides, cautious, cut
from bcompare.gating.rule import Bundle, Claim, GateRule
from bcompare.gating.runs import by_spread_of_both, likeness
from bcompare.gating.suites import Suite, exact_regions
from bcompare.gating.unpaired import UnpairedSuite, unpaired_claims
from bcompare.methods.interface import Result
from bcompare.methods.paired_binary import PairedBinaryPosterior

# Priors against which a gate shows that a share is not below a bar, and that it is: one more item,
# wrong or right.
AGAINST_BAR = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))

# The most data sets of which all choices are tried.
MOST_CHOSEN = 4
# So many scores in all that never vary are no coincidence.
NEVER_BY_CHANCE = 5
# Numbers that differ by less, relative to their size, differ by rounding.
ROUNDING, DECIMALS = 1e-12, 12


def claims_of(
    comparison: Comparison, study: ComparisonSet, rule: GateRule, metric: Metric
) -> list[Claim]:
    """Return the claims about a pair of a study, in the order that `suite_claims` has."""
    result = comparison.result
    rope = comparison.rope
    if not result.by_dataset and result.regions is not None:
        claims = [Claim(result.regions, comparison.withheld)]
    else:
        statistics = comparison.differences.statistics
        if study.scores.is_clustered and not study.scores.weight and statistics.binary.any():
            # their rounded answers limit what they show; see `_no_surer_than_rounded`
            statistics = replace(statistics, binary=np.zeros(len(statistics), np.bool_))
            result = study.method.test(statistics, rope)
        if metric.relative is None:
            shown = comparison.result
            claims = suite_claims(statistics, result, rope, study.method.name, rule, shown)
        else:
            claims = _of_ratios(comparison, study, rule)
    claims = bundled(claims, comparison.differences.statistics)
    numbers = are_numbers(comparison, study.scores, metric)
    if numbers.any():
        regions = by_number(means_of(comparison, study.scores), rope)
        claims = with_regions(regions, claims, np.array([numbers.all(), *numbers]))
    elif comparison.result.about_these and metric.relative is None and not numbers.any():
        claims = _no_surer_than_rounded(claims, comparison, study, rule, metric)
    if metric.bar is not None and not rule.each:
        # a bar is for the average of data sets, which differ in how hard they are
        claims = claims[:1]
    return [replace(claim, aim=metric.aim, advisory=metric.advisory) for claim in claims]


def _of_ratios(comparison: Comparison, study: ComparisonSet, rule: GateRule) -> list[Claim]:
    """Return the claims under a rope relative to the baseline's mean.

    At the border b the candidate's scores are compared with 1 + b times the baseline's, which has
    the spread of that difference.
    """
    scores = study.scores
    method = study.method
    none = Rope(0.0, 0.0)
    column = scores.classifiers.index(comparison.left)
    sides = []
    for border in comparison.rope.borders:
        factors = np.ones(len(scores.classifiers))
        factors[column] += -border if scores.lower_is_better else border
        moved = [replace(d, table=read_only(d.table * factors)) for d in scores.datasets]
        (pair,) = paired_differences(
            replace(scores, datasets=tuple(moved)), [(comparison.left, comparison.right)]
        )
        result = method.test(pair.statistics, none)
        sides.append(suite_claims(pair.statistics, result, none, method.name, rule))
    claims = []
    for low, high in zip(*sides, strict=True):
        posterior = None
        if low.posterior is not None and high.posterior is not None:
            posterior = _between(low.posterior.left, high.posterior.right)
        claims.append(
            replace(
                low,
                p=_between(low.p.left, high.p.right),
                withheld=low.withheld or high.withheld,
                posterior=posterior,
            )
        )
    return claims


def _between(left: float, right: float) -> RegionProbabilities[float]:
    """Return the regions of which both outer ones are known."""
    return RegionProbabilities(left, max(1 - left - right, 0.0), right)


def bundled(claims: list[Claim], statistics: SufficientStatistics) -> list[Claim]:
    """Return the claims about several data sets by whole runs as one bundle."""
    if not statistics.unit.has_offset or len(claims) == 1:
        return claims
    bundle = Bundle(int(statistics.n[0]) - 1, likeness(statistics))
    return [replace(claim, bundle=bundle) for claim in claims]


def with_regions(
    regions: Iterable[RegionProbabilities[float]],
    claims: list[Claim],
    exact: BoolArray | None = None,
) -> list[Claim]:
    """Return claims with these regions: of the average, if it is claimed, and of each data set.

    exact : where they are those of numbers; other claims then stay as they are.
    """
    remaining = list(regions)
    result = [*claims]
    for k in range(-len(claims), 0):  # from the end, as not every rule claims the average
        if exact is None or exact[k]:
            result[k] = replace(
                claims[k], p=remaining[k], withheld=None, exact=exact is not None, posterior=None
            )
    return result


def less_certain(one: Claim, other: Claim) -> Claim:
    """Return a claim that is as certain as both are, at most.

    one : by whole runs, which counts for nothing if they never vary. other : by rows.
    """
    if one.exact:
        return other
    left = _nearer_to_half(one.p.left, other.p.left)
    right = _nearer_to_half(one.p.right, other.p.right)
    return replace(one, p=_between(left, right), withheld=one.withheld or other.withheld)


def in_doubt_by_runs(
    claims: list[Claim],
    comparison: Comparison,
    study: ComparisonSet,
    repeated: Scores,
    metric: Metric,
) -> list[Claim]:
    """Return the claims, no surer of anything good than the candidate's own runs are.

    repeated : with these as rows.
    """
    scores = study.scores
    left = comparison.left
    right = comparison.right
    prepared, _ = metric.prepared(repeated, comparison.rope, left)
    base = np.array([d.table[:, scores.classifiers.index(left)] for d in scores.datasets])
    candidate = np.array([d.table[:, prepared.classifiers.index(right)] for d in prepared.datasets])
    rope = comparison.rope
    factors = (1.0, 1.0)
    if metric.relative is not None:
        sign = -1 if scores.lower_is_better else 1
        factors = (1 + sign * rope.low, 1 + sign * rope.high)
        rope = Rope(0.0, 0.0)
    places = [(base.mean(axis=0), candidate.mean(axis=0)), *zip(base, candidate, strict=True)]
    result = []
    for claim, (x, y) in zip(claims, places[-len(claims) :], strict=True):
        least, most = by_spread_of_both(x, y, rope, factors)
        p = _between(max(claim.p.left, least), min(claim.p.right, most))
        result.append(claim if claim.exact else replace(claim, p=p))
    return result


def _nearer_to_half(x: float, y: float) -> float:
    low, high = sorted((x, y))
    return high if high < 0.5 else max(low, 0.5)


def suite_claims(
    statistics: SufficientStatistics,
    result: Result,
    rope: Rope,
    test: str,
    rule: GateRule,
    shown: Result | None = None,
) -> list[Claim]:
    """Return the claims about one pair: the average over its data sets, if known, and each.

    test : its name. shown : whose probabilities are shown beside what counts, if not `result`'s.

    Raises
    ------
    InputError : a test without an average, and a rule that needs one.
    """
    shown = shown or result
    apart = UnpairedSuite.of(statistics)
    if apart is not None:
        return _of_unpaired(apart, rope, rule, shown)
    several = len(statistics) > 1
    suite = None if result.posterior is None else Suite.of(result.posterior, statistics)
    regions = _of_each(result)
    suspects = [False] * len(regions)
    if suite is not None:
        regions = suite.on_each(regions, rope)
        suspects = suite.suspects(rope, rule.alpha).tolist()
    claims = []
    for i, posterior in enumerate(_of_each(shown)):
        claims.append(
            Claim(
                regions[i],
                main=rule.each or not several,
                posterior=None if shown.datasets.withheld[i] else posterior,
                suspect=suspects[i],
            )
        )
    if not several:
        return claims
    averaged = result.over_these(statistics)
    withheld = None
    average = None if averaged is None else averaged.regions(rope)
    if suite is not None:
        average, withheld = suite.average(rope)
    if average is None and not rule.each:
        raise InputError(
            f"{test} has no average over these data sets, so it can only judge each of them: "
            f"say {arg('over', 'each')}, or choose another test by {arg('test', 'NAME')}"
        )
    if average is None:
        return claims
    averaged = shown.over_these(statistics)
    exact_regions = None if averaged is None else averaged.regions(rope)
    return [Claim(average, withheld, posterior=exact_regions), *claims]


def _of_unpaired(suite: UnpairedSuite, rope: Rope, rule: GateRule, shown: Result) -> list[Claim]:
    """Return the claims about sides that share nothing, with the posterior's probabilities."""
    claims = unpaired_claims(suite, rope, rule)
    points = shown.datasets.withheld.tolist()
    posteriors = [None if point else p for p, point in zip(_of_each(shown), points, strict=True)]
    if len(claims) > len(posteriors):
        averaged = shown.over_these(suite.statistics)
        posteriors.insert(0, None if averaged is None else averaged.regions(rope))
    return [replace(c, posterior=p) for c, p in zip(claims, posteriors, strict=True)]


def _of_each(result: Result) -> list[RegionProbabilities[float]]:
    """Return the probabilities of each data set."""
    parts = (part.tolist() for part in result.datasets.probabilities)
    return [RegionProbabilities(*row) for row in zip(*parts, strict=True)]


def are_numbers(comparison: Comparison, scores: Scores, metric: Metric) -> BoolArray:
    """Return on which data sets neither side's scores vary, as of a size or a count; (q,).

    A handful of answers, or scores that are all 0 or 1, can be equal by chance.
    """
    sides = comparison.differences.statistics.sides
    if sides is not None:
        never = (sides.ss == 0).all(axis=1) & (sides.n >= NEVER_BY_CHANCE).all(axis=1)
        are_01 = np.isin(np.abs(sides.mean), (0, 1)).all(axis=1)
        return np.asarray(never & ((metric.relative is not None) | ~are_01))
    on_scale = comparison.result.about_these and scores.unit.has_spread
    if not on_scale or scores.unit.has_answers:
        return np.zeros(len(comparison.differences.statistics), np.bool_)

    def is_number(table: FloatArray) -> bool:
        if len(table) < NEVER_BY_CHANCE or not (table == table[0]).all():
            return False
        if metric.relative is not None:  # 1 is as much as the baseline's
            return True
        return not np.isin(np.abs(table[0]), (0, 1)).all()

    return np.array([is_number(table) for table in _tables(comparison, scores)], np.bool_)


def _no_surer_than_rounded(
    claims: list[Claim],
    comparison: Comparison,
    study: ComparisonSet,
    rule: GateRule,
    metric: Metric,
) -> list[Claim]:
    """Return claims on answers, no surer than if each answer is called right or wrong.

    Student's t is no evidence on items of which few differ. Rounded up for the candidate and down
    for the baseline, answers are nowhere worse for it, and "not worse" is no surer than exactly
    known of those; "worse" no surer than of the opposite. Really graded ones are not affected.
    Clusters count as one answer each. On average each data set counts as it is less sure, so that
    an answer that becomes graded is no gain.
    """
    scores = study.scores
    rope = comparison.rope
    if not scores.unit.has_answers or scores.weight:  # weighted, they are numbers
        return claims
    tables = list(_tables(comparison, scores, clusters_as_means=True))
    has_bar = metric.bar is not None
    judged = [table[:, 1] for table in tables] if has_bar else tables
    if not all(map(_may_be_rounded, judged)):
        return claims
    is_graded = scores.is_clustered or any((x % 1).any() for x in judged)
    if not (is_graded or has_bar):
        return claims
    for_it = _rounded(tables, np.floor, np.ceil)
    against_it = _rounded(tables, np.ceil, np.floor)
    if has_bar:
        bar = float(tables[0][0, 0])
        most = [regions_of_answers(for_it.candidate, bar, scores, rope)[-len(claims) :]]
        least = [regions_of_answers(against_it.candidate, bar, scores, rope)[-len(claims) :]]
    else:
        exact = [not (table % 1).any() for table in tables]
        plain = [table[:, 1] - table[:, 0] for table in tables]
        most = _regions_if_rounded(for_it.differences, plain, exact, claims, study, rule, rope)
        least = _regions_if_rounded(against_it.differences, plain, exact, claims, study, rule, rope)
    if not is_graded:
        return with_regions(most[0], claims)
    limited = []
    for k, claim in enumerate(claims):
        up = [regions[k] for regions in most]
        down = [regions[k] for regions in least]
        low = _between_roundings(claim.p.left, [p.left for p in up], [p.left for p in down])
        high = _between_roundings(
            1 - claim.p.right, [1 - p.right for p in up], [1 - p.right for p in down]
        )
        limited.append(replace(claim, p=cut(low, high, rope)))
    return limited


def _may_be_rounded(scores: FloatArray) -> bool:
    """Return whether answers are from 0 to 1, or from -1 to 0 where lower is better."""
    return bool(np.abs(scores).max() <= 1 and not scores.min() < 0 < scores.max())


@dataclass(frozen=True)
class _Rounded:
    """Answers that are right or wrong on each data set, and their differences."""

    candidate: list[FloatArray]
    differences: list[FloatArray]


def _rounded(tables: list[FloatArray], base: np.ufunc, candidate: np.ufunc) -> _Rounded:
    """Return (n, 2) answers of both sides after rounding, each side by its function."""
    answers = [candidate(table[:, 1]) for table in tables]
    differences = [x - base(table[:, 0]) for x, table in zip(answers, tables, strict=True)]
    return _Rounded(answers, differences)


def _regions_if_rounded(
    rounded: list[FloatArray],
    plain: list[FloatArray],
    exact: list[bool],
    claims: list[Claim],
    study: ComparisonSet,
    rule: GateRule,
    rope: Rope,
) -> list[list[RegionProbabilities[float]]]:
    """Return those of the claims if all data sets' answers are rounded, and if only some are.

    rounded, plain : the differences on each data set. exact : whether they are the same.
    """
    regions = [_exactly_where(rounded, [True] * len(rounded), study, rule, rope)]
    if len(claims) == 1 or study.scores.is_clustered:
        return regions
    for chosen in _some_of([i for i, same in enumerate(exact) if not same]):
        mixed = [*plain]
        counted = [*exact]
        for i in chosen:
            mixed[i] = rounded[i]
            counted[i] = True
        average = _exactly_where(mixed, counted, study, rule, rope)[0]
        regions.append([average, *(claim.p for claim in claims[1:])])
    return regions


def _between_roundings(unrounded: float, up: Sequence[float], down: Sequence[float]) -> Sides:
    """Return the sides of a border from the probabilities of being below it.

    No side is surer than of answers rounded towards it, nor less sure than of those rounded away.

    unrounded : of the answers. up, down : of those rounded for the candidate, and against it.
    """
    below, _ = cautious(max(unrounded, *up), 1 - min(unrounded, *down))
    below = min(max(below, min(up)), max(down))
    return below, 1 - below


def _some_of(datasets: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield some of these data sets, but not all: each choice of few, or each one of many."""
    for size in range(1, len(datasets) if len(datasets) <= MOST_CHOSEN else 2):
        yield from combinations(datasets, size)


def _exactly_where(
    differences: list[FloatArray],
    exact: list[bool],
    study: ComparisonSet,
    rule: GateRule,
    rope: Rope,
) -> list[RegionProbabilities[float]]:
    """Return the claims on answers, which on some data sets are right or wrong."""
    statistics = replace(
        SufficientStatistics.from_differences(differences, 0.0),
        binary=np.array(exact),
        unit=study.scores.unit,
    )
    result = study.method.test(statistics, rope)
    claims = suite_claims(statistics, result, rope, study.method.name, rule)
    return [claim.p for claim in claims]


def regions_of_answers(
    answers: Sequence[FloatArray], bar: float, scores: Scores, rope: Rope
) -> list[RegionProbabilities[float]]:
    """Return the exact regions of the mean share of right items, less a bar; then of each share.

    The tails of one data set are those of Clopper and Pearson 1934.
    """
    best = 0.0 if scores.lower_is_better else 1.0
    statistics = replace(
        SufficientStatistics.from_differences([answer - best for answer in answers], 0.0),
        binary=np.ones(len(answers), np.bool_),
        unit=scores.unit,
    )
    each = [PairedBinaryPosterior.of(statistics, prior) for prior in AGAINST_BAR]
    mean = [p.averaged(prior) for p, prior in zip(each, AGAINST_BAR, strict=True)]
    return [p for tails in (mean, each) for p in exact_regions(tails, rope, bar - best)]


def means_of(comparison: Comparison, scores: Scores) -> FloatArray:
    """Return the (q, 2) mean scores of baseline and candidate on the scale of the comparison."""
    sides = comparison.differences.statistics.sides
    if sides is not None:
        return sides.mean
    return np.array([table.mean(axis=0) for table in _tables(comparison, scores)])


def _tables(
    comparison: Comparison, scores: Scores, *, clusters_as_means: bool = False
) -> Iterator[FloatArray]:
    """Yield the (n, 2) scores of baseline and candidate on each data set that they share."""
    columns = [scores.classifiers.index(name) for name in (comparison.left, comparison.right)]
    shared = set(comparison.differences.statistics.names)
    for dataset in scores.datasets:
        if dataset.name in shared:
            table = dataset.common(columns)
            means = clusters_as_means and len(dataset.sizes)
            yield np.round(cluster_means(table, dataset.sizes), DECIMALS) if means else table


def by_number(means: FloatArray, rope: Rope) -> Iterator[RegionProbabilities[float]]:
    """Yield the regions of the average of (q, 2) numbers, and then of each.

    A difference as large as the rope is within it.
    """
    for left, right in (means.mean(axis=0), *means):
        slack = ROUNDING * max(abs(left), abs(right))
        is_worse = right - left < rope.low - slack
        is_better = right - left > rope.high + slack
        yield RegionProbabilities(
            float(is_worse), float(not (is_worse or is_better)), float(is_better)
        )
