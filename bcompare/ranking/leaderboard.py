"""The leaderboard of a family: the standing of each classifier, as fields, JSON and tables."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bcompare.basis.messages import Record
from bcompare.data.rope import IntArray, uncertain
from bcompare.methods.own_scores import all_are_shares, own_scores
from bcompare.methods.result_parts import Interval
from bcompare.ranking.family import Family, correlations
from bcompare.ranking.ranks import Ranks
from bcompare.ranking.resolution import LEVEL, POWER, told_apart
from bcompare.ranking.sentences import pair_sentence, regions, verdict_sentences
from bcompare.report.fields import Field, head, nested, own_fields, plain, record, table
from bcompare.report.input_record import common_settings, input_record
from bcompare.report.own_scores import decimals_of
from bcompare.report.pair_fields import NAMES, PROBABILITIES
from bcompare.report.pair_records import document
from bcompare.report.sentences import (
    verdict,
)
from bcompare.report.table import Cell, Row, Table, decimals_for

# The JSON does not repeat a single data set with more rows, such as test items.
MOST_SCORES = 1_000


def _rows(columns: Iterable[object], family: Family) -> list[tuple[Any, ...]]:
    """Return a row for each classifier, by its place, from columns in the order of the family."""
    order = list(family.best.order)
    return list(zip(*(np.asarray(column, object)[order] for column in columns), strict=True))


def _table(
    title: str, fields: Sequence[Field], family: Family, top: int, decimals: int = 4
) -> Table:
    """Return a table of the first classifiers; top : how many, 0 for all."""
    rows = _rows((field.cell(family) for field in fields), family)
    return Table(title, tuple(field.column(decimals) for field in fields), rows[: top or None])


def _ends(interval: Interval[Any]) -> list[Record]:
    """Return the interval of each classifier."""
    each = zip(interval.low.tolist(), interval.high.tolist(), strict=True)
    return [{"level": interval.level, "low": low, "high": high} for low, high in each]


def _spans(interval: Interval[IntArray]) -> list[str]:
    """Return the interval of each place as text, such as 2–5."""
    ends = ((each["low"], each["high"]) for each in _ends(interval))
    return [str(low) if low == high else f"{low}–{high}" for low, high in ends]


def _p_better_than_next(family: Family) -> list[float | None]:
    """Return the probability that each is better than the next one by more than the rope."""
    order = family.best.order
    better = family.best.pairs.left
    p: list[float | None] = [None] * len(order)
    for k, after in pairwise(order):
        if not np.isnan(better[k, after]):
            p[k] = float(better[k, after])
    return p


def _of_others(family: Family, values: ArrayLike) -> NDArray[np.object_]:
    """Return values of the classifiers but the leader."""
    column = np.array(values, object)
    column[family.best.leader] = None
    return column


def _probability(
    name: str, heading: str, of_family: Callable[[Family], Iterable[float | None]] | None = None
) -> Field:
    """Return the field of a probability that no table shows as exactly 0 or 1."""
    get = of_family or attrgetter(f"best.{name}")
    nullable = of_family is not None
    return Field(
        name,
        get,
        "probability",
        heading,
        lambda family: [None if p is None else uncertain(p) for p in get(family)],
        nullable=nullable,
    )


PLACE = Field("place", lambda family: np.argsort(family.best.order) + 1, "count", "place")
NAME = Field("classifier", "best.classifiers", heading="classifier")
TIER = Field("tier", "tiers", "count", "tier")
SPAN = Field("", lambda family: _spans(family.best.places.interval), "figure", "places")
JOINT_SPAN = Field("", lambda family: _spans(family.best.places.joint), "figure", "jointly")
NEXT = _probability("p_better_than_next", "p(> next)", _p_better_than_next)
TOP_K = _probability(
    "p_in_top_k",
    "p(in top k)",
    lambda family: (
        [None] * len(family.best.order)
        if family.top_k is None
        else family.best.places.within[:, family.top_k - 1].tolist()
    ),
)
DATASETS = Field("n_datasets", "best.n_datasets", "count", "data sets")
P_BEST = _probability("p_best", "p(best)")
WITHIN = _probability("p_practically_best", "p(within rope)")
LEAST = _probability("p_least_regret", "p(best on average)")
REGRET = Field("regret", "best.regret", "number", "regret", decimals=None)


def _behind(family: Family) -> NDArray[np.object_]:
    """Return how much less than the leader each scores here."""
    leader = family.best.leader
    classifiers = range(len(family.best.order))
    return _of_others(family, [family.observed(k, leader) for k in classifiers])


def _behind_at_least(family: Family) -> NDArray[np.object_]:
    """Return how much less each scores on average over data sets like these, at least."""
    return _of_others(family, family.best.loss_interval.low)


def _behind_at_most(family: Family) -> NDArray[np.object_]:
    """Return how much less each scores on average over data sets like these, at most."""
    return _of_others(family, family.best.loss_interval.high)


BEHIND = (
    Field("", _behind, "number", "behind", decimals=None),
    Field("", _behind_at_least, "number", "from", decimals=None),
    Field("", _behind_at_most, "number", "to", decimals=None),
)
MEAN = Field("mean_score", "mean_score", "number", "mean score", decimals=None)
COST = Field(
    "cost",
    lambda family: (
        [None] * len(family.best.order) if family.scores.costs is None else family.scores.costs
    ),
    "number",
    decimals=None,
    nullable=True,
)
STANDARD_ERROR = Field(
    "standard_error",
    lambda family: own_scores(family.scores).error[-1],
    "number",
    "std. error",
    nullable=True,
)
# The first are those of the leaderboard that is pasted.
CLASSIFIER = (
    TIER,
    NAME,
    MEAN,
    STANDARD_ERROR,
    Field("place_interval", lambda family: _ends(family.best.places.interval), "object"),
    PLACE,
    Field("n", lambda family: own_scores(family.scores).n[-1], "count"),
    Field("place_interval_joint", lambda family: _ends(family.best.places.joint), "object"),
    NEXT,
    TOP_K,
    DATASETS,
    P_BEST,
    WITHIN,
    LEAST,
    REGRET,
    Field("regret_interval", lambda family: _ends(family.best.regret_interval), "object"),
    Field("loss", "best.loss", "number", decimals=None),
    Field("loss_interval", lambda family: _ends(family.best.loss_interval), "object"),
    COST,
)
BY_RANKS = (
    Field("mean_rank", "ranks.mean_rank", "number", "mean rank", decimals=3),
    Field("wins", lambda family: family.ranks.wins.sum(axis=1), "count", "wins"),
    Field(
        "ties",
        lambda family: family.ranks.ties.sum(axis=1) - np.diag(family.ranks.ties),
        "count",
        "ties",
    ),
    Field("losses", lambda family: family.ranks.wins.sum(axis=0), "count", "losses"),
)

ANSWER = (
    Field("classifiers", "best.classifiers", "names"),
    Field("datasets", kind="names"),
    Field("take", "leader"),
    Field("decided", kind="truth"),
    Field("withheld", nullable=True),
    Field("verdict", verdict_sentences, "names"),
    Field("equals", kind="names"),
    Field("twins", kind="names"),
    Field("preferred", kind="object", nullable=True),
    Field("set_apart", kind="records"),
    Field("neighbours_decided", lambda family: len(family.better_than_next), "count"),
    Field("error", lambda family: {"kind": "monte-carlo", "value": family.best.error}, "object"),
)


def family_document(family: Family, chosen: Iterable[tuple[int, int]] | None = None) -> Record:
    """Return the JSON document: that of some or all pairs, with the fields of the family."""
    study = family.study
    options = family.options
    test = None
    test_options = None
    pairs: Record = {"failed": []}
    if study is None:
        pairs["comparisons"] = _pairs(family, chosen)
    else:
        test = study.method.name
        test_options = own_fields(study.method)
        pairs = document(study)

    answer = record(ANSWER, family)
    answer["best"] = _classifiers(family)
    if family.ranks is not None:
        answer |= _of_ranks(family.ranks)
    answer["mean_score"] = plain(family.mean_score)
    if family.ranks is not None:
        answer["n_datasets"] = len(family.datasets)
    answer |= _lone(family)
    return {
        **head("rank"),
        "settings": {
            "test": test,
            **common_settings(family.scores, family.rope, family.rule, family.alpha),
            "draws": options.draws,
            "seed": options.seed,
            "interval": options.level,
            "test_options": test_options,
        },
        "input": input_record(family.scores),
        "comparisons": pairs["comparisons"],
        "failed": pairs["failed"],
        "notes": [note.record() for note in family.notes],
        "family": answer,
    }


def _classifiers(family: Family) -> list[Record]:
    fields = CLASSIFIER if family.ranks is None else (*CLASSIFIER, *BY_RANKS)
    rows = _rows((field.raw(family) for field in fields), family)
    paths = [field.path for field in fields]
    return [nested(zip(paths, map(plain, row), strict=True)) for row in rows]


def _of_ranks(ranks: Ranks) -> Record:
    """The fields of the ranks, each test by its name."""
    values: Record = plain(ranks)
    tests = values.pop("tests")
    values.pop("telling")
    difference = values.pop("critical_difference")
    values |= {test["test"].replace("-", "_"): test for test in tests.values()}
    if difference is not None:
        values["critical_difference"] = difference
    return values


def flat_records(family: Family) -> list[Record]:
    """Return a record for each classifier, with the tests of the family in each."""
    ranks = family.ranks
    tests: Record = {}
    if ranks is not None:
        for test in ranks.tests.values():
            result = {"statistic": plain(test.statistic), "p_value": plain(test.p_value)}
            tests[test.test.replace("-", "_")] = result
        tests["critical_difference"] = ranks.critical_difference
    return [classifier | tests for classifier in _classifiers(family)]


def _lone(family: Family) -> Record:
    """Return the scores by fold of a single data set."""
    lone = family.lone
    if lone is None:
        return {}
    are_few = len(lone.table) <= MOST_SCORES
    return {
        "correlation": plain(correlations(lone)),
        "scores": plain(family.signed(lone.means)) if are_few else None,
        "pairwise": plain(family.pairwise),
    }


def _pairs(family: Family, chosen: Iterable[tuple[int, int]] | None = None) -> list[Record]:
    """Return the records of some or all pairs under the joint posterior, on average.

    Pairs without a common data set are left out.
    """
    best = family.best
    names = family.best.classifiers
    present = np.array([dataset.present for dataset in family.scores.datasets]).astype(np.int64)
    shared = present.T @ present
    p_names = [field.name for field in PROBABILITIES]
    records: list[Record] = []
    for i, j in chosen or combinations(range(len(names)), 2):
        if np.isnan(best.pairs.rope[i, j]):
            continue
        p = dict(zip(p_names, regions(family, i, j), strict=True))
        records.append(
            {
                "left": names[i],
                "right": names[j],
                **p,
                "decision": family.decisions[i, j],
                "verdict": pair_sentence(family, i, j),
                "mean_difference": family.observed(i, j),
                "n_datasets": int(shared[i, j]),
            }
        )
    return records


def standings(family: Family, top: int, *, details: bool) -> Table:
    """Return a row for each classifier, by increasing expected regret."""
    best = family.best
    decimals = decimals_for(max(float(best.regret.max()), family.rope.high)) + 1
    costs = family.scores.costs
    preferred = family.preferred
    finer = decimals_for(float(np.abs(family.mean_score).max())) + (2 if details else 1)
    mean = replace(MEAN, decimals=finer)
    fields = [PLACE, NAME, mean, *BEHIND, SPAN, TIER]
    if family.top_k:
        fields.append(replace(TOP_K, heading=f"p(in top {family.top_k})"))
    if details:
        fields.append(JOINT_SPAN)
    if costs is not None and preferred is not None:
        decimals_of_costs = decimals_for(float(costs.max())) + 1
        fields.append(replace(COST, heading=preferred.column, decimals=decimals_of_costs))
    if len(set(best.n_datasets.tolist())) > 1:
        fields.append(DATASETS)
    level = f"{100 * best.regret_interval.level:g} %"
    title = f"How far behind {family.leader} the others are, with {level} intervals"
    result = _table(title, fields, family, top, decimals)
    apart: list[Row] = []
    for lone in family.set_apart if len(result.rows) == len(best.order) else ():
        known: dict[str, Cell] = {
            "classifier": lone.classifier,
            "mean_score": lone.mean_score,
            "n_datasets": lone.n_datasets,
        }
        apart.append(tuple(known.get(field.name) for field in fields))
    return replace(result, rows=[*result.rows, *apart])


def pasted(family: Family, top: int) -> Table:
    """Return the leaderboard for a README or a paper: tier, model, score, its error, and places.

    The error is that of the score itself, and not of a difference.
    """
    scores = own_scores(family.scores)
    digits = decimals_of(scores)
    errors = [None if np.isnan(error) else float(error) for error in scores.error[-1]]
    fields = (
        TIER,
        replace(NAME, heading="model"),
        replace(MEAN, heading="score", decimals=digits),
        replace(STANDARD_ERROR, heading="± SE of score", decimals=digits, printed=lambda _: errors),
        SPAN,
    )
    lone = family.lone
    where = f"on {lone.name}" if lone else f"by average score over {len(family.datasets)} data sets"
    return _table(f"Leaderboard {where}", fields, family, top)


def resolution_sentence(family: Family) -> str:
    """Return how far apart two models must be to be told apart; "" where that is unknown."""
    difference = told_apart(family.scores)
    if difference is None:
        return ""
    by = f"{difference:.2g}"
    if all_are_shares(family.scores):
        by = f"{100 * difference:.2g} points"
    return (
        f"This board tells two models apart ({100 * POWER:.0f} %, paired test at {LEVEL:g}) "
        f"that differ by {by}"
    )


def chances(family: Family, top: int) -> Table:
    """Return how likely each classifier is the best, and the regret of taking it."""
    best = family.best
    decimals = decimals_for(max(float(best.regret.max()), family.rope.high)) + 1
    least = 10.0**-decimals
    # no regret is written as 0 where another may be the best
    none = [f"<{least:.{decimals}f}" if p < 1 else 0.0 for p in best.p_best.tolist()]
    regrets = best.regret.tolist()
    shown = [alone if r < least / 2 else r for alone, r in zip(none, regrets, strict=True)]
    fields = (
        NAME,
        LEAST,
        replace(REGRET, printed=lambda _: shown),
        replace(REGRET, heading="from", printed="best.regret_interval.low"),
        replace(REGRET, heading="to", printed="best.regret_interval.high"),
        P_BEST,
        WITHIN,
        NEXT,
    )
    level = f"{100 * best.regret_interval.level:g} %"
    title = (
        f"How likely each is to be the best, and the regret of taking it, with {level} intervals"
    )
    return _table(title, fields, family, top, decimals)


def mean_ranks(family: Family, top: int) -> Table:
    """Return mean ranks, and how often each classifier beats the others by more than the rope."""
    title = "Mean ranks in these data; wins, ties and losses by the rope"
    return _table(title, (NAME, *BY_RANKS), family, top)


def neighbours_table(family: Family) -> Table:
    """Return a table with a row for each classifier and the next one."""
    title = "Neighbours: each classifier (left) and the next (right), on average"
    verdicts = Field(
        "",
        lambda pair: verdict(pair["decision"], pair["left"], pair["right"]),
        "verdict",
        "verdict",
    )
    pairs = _pairs(family, pairwise(family.best.order))
    for pair in pairs:
        for field in PROBABILITIES:
            pair[field.name] = uncertain(pair[field.name])
    names = [replace(field, of=itemgetter(field.name), printed="") for field in NAMES]
    p = [replace(field, of=itemgetter(field.name), printed="") for field in PROBABILITIES]
    return table(title, (*names, verdicts, *p), pairs)


def page_document(family: Family) -> Record:
    """Return the JSON document with the pairs of neighbours only, for the page of a leaderboard."""
    result = family_document(family, pairwise(family.best.order))
    for key in ("wins", "ties", "pairwise", "scores", "correlation"):
        result["family"].pop(key, None)
    return result
