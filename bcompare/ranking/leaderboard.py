"""The leaderboard of a family: which classifier to take, and what another costs.

Its sentences, and the standing of each classifier: fields, JSON and tables.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, pairwise
from operator import attrgetter, itemgetter

import numpy as np

from bcompare.basis.notes import counted, listed, number_of
from bcompare.basis.printable import printable
from bcompare.basis.records import Record
from bcompare.comparing.decision import Threshold
from bcompare.data.rope import RegionProbabilities, inexact, uncertain
from bcompare.methods.own_scores import OwnScores, own_scores
from bcompare.ranking.family import Family, Preferred
from bcompare.ranking.ranks import Ranks
from bcompare.report.claims import level_needed, near_border, verdict, verdict_sentence, withheld
from bcompare.report.comparisons import (
    NAMES,
    PROBABILITIES,
    common_settings,
    document,
    input_record,
)
from bcompare.report.fields import Field, head, own_fields, plain, record, table
from bcompare.report.number import decimals_for, probability, unsigned
from bcompare.report.paper import compared, data_of, irrelevant, of_rows
from bcompare.report.table import Cell, Row, Table
from bcompare.report.words import (
    clusters_and_answers,
    correlation,
    one_line,
    rows,
    rows_in_words,
    unusual_rule,
)
from bcompare.version import __version__

MOST_NAMED = 6
"""More classifiers than this are counted."""


def sure(family: Family, p: float) -> str:
    """Return a probability, with enough decimals to show whether it takes a verdict."""
    return probability(uncertain(p), 1 - family.alpha)


def average(family: Family) -> str:
    """Return the scope of a pair's probabilities."""
    if family.lone is not None:
        return f"on {family.lone.name}"
    return f"on average over data sets like these {len(family.datasets)}"


def verdict_sentences(family: Family) -> list[str]:
    """Return the best choice, the second best, and those that are practically as good."""
    best, names = family.best, family.best.classifiers
    lead = best.leader
    if family.withheld is not None:
        return [f"No verdict: {family.withheld}; {names[lead]} has the smallest expected regret"]
    sentences = [_best(family)]
    if family.twins:
        twins = counted(family.twins, "classifier")
        sentences.append(f"The scores of {twins} never differ from those of {names[lead]}")
    if family.equals:
        sentences.append(f"Practically as good as {names[lead]}: {', '.join(_equals(family))}")
    level = 1 - family.alpha
    worse = [names[k] for k in best.order if best.pairs.left[lead, k] > level]
    if worse:
        beyond = "" if family.rope.is_empty else f" by more than {family.rope.high:g}"
        sentences.append(f"Surely worse than {names[lead]}{beyond}: {listed(worse, MOST_NAMED)}")
    if family.preferred is not None:
        sentences.insert(0, _preferred(family, family.preferred))
    return sentences


def _preferred(family: Family, preferred: Preferred) -> str:
    """Return the cheapest of those that surely lose no more than the rope."""
    count, column, cost = len(preferred.among), preferred.column, f"{preferred.cost:g}"
    sure = f"with probability above {1 - family.alpha:g}"
    if count > 1:
        return (
            f"Of the {count} that lose no more than the rope on average {sure}, "
            f"{preferred.classifier} has the smallest {column}, {cost}"
        )
    return (
        f"No other is sure to lose as little as the rope on average ({sure}); the {column} of "
        f"{preferred.classifier} is {cost}"
    )


def _best(family: Family) -> str:
    """Return the best choice, and what a verdict needs if there is none yet."""
    needed = (
        near_border(family.alpha) if family.at_border else level_needed(family.alpha, "to decide")
    )
    p = sure(family, family.best.p_least_regret[family.best.leader])
    if family.decided:
        return f"{family.leader} is the best {average(family)} (probability {p})"
    return f"{family.leader} leads: it is the best {average(family)} with probability {p}; {needed}"


def regions(family: Family, i: int, j: int) -> RegionProbabilities[float]:
    """Return the three probabilities of the pair with i on the left."""
    pairs = family.best.pairs
    return RegionProbabilities(*(float(p[i, j]) for p in (pairs.left, pairs.rope, pairs.right)))


def _equals(family: Family) -> list[str]:
    best, names = family.best, list(family.best.classifiers)
    return [
        f"{name} ({sure(family, best.pairs.rope[best.leader, names.index(name)])})"
        for name in family.equals
    ]


def pair_sentence(family: Family, i: int, j: int) -> str:
    """Return the verdict of the joint posterior on the pair with i on the left."""
    names, p = family.best.classifiers, inexact(regions(family, i, j))
    on, decision, rule = f" {average(family)}", family.decisions[i, j], family.rule
    if decision == "none" and isinstance(rule, Threshold) and max(p) > 1 - rule.alpha:
        why = family.withheld or "all differences are equal, and few scores may agree by chance"
        if family.best.near(max(p), 1 - rule.alpha):
            why = near_border(rule.alpha)
        return withheld(names[i], names[j], on, why)
    return verdict_sentence(decision, p, names[i], names[j], on, family.rope, rule)


def ranks_sentence(family: Family) -> str:
    """Return the verdict of the frequentist test of the whole family; "" for one data set."""
    ranks = family.ranks
    if ranks is None:
        return ""
    name, test = ranks.telling
    differ = "differ" if test.p_value <= ranks.alpha else "do not differ significantly"
    sentence = f"By {name} the classifiers {differ} (p {probability(test.p_value)})"
    difference = ranks.critical_difference
    if difference is None:
        return sentence
    source = f"(Nemenyi, {ranks.alpha:g})"
    if ranks.mean_rank.max() - ranks.mean_rank.min() < difference:
        return f"{sentence}; no two mean ranks differ by {difference:.3f} {source}"
    return (
        f"{sentence}; mean ranks that differ by less than {difference:.3f} {source} do not differ "
        "significantly"
    )


def family_settings(family: Family, *, details: bool = False) -> str:
    """Return the settings in one line, so that a pasted table explains itself."""
    scores, rope = family.scores, family.rope
    several = len(family.datasets) > 1
    draws = f"{family.best.draws:,} draws"
    return one_line(
        [
            "Joint posterior of all classifiers",
            "" if details else draws,
            rope.describe(),
            *rows_in_words(scores, details=details),
            family.rule.describe() if details else unusual_rule(family.rule),
            f"{draws}, Monte Carlo error at most {family.best.error:.1g}" if details else "",
            number_of(len(family.datasets), "data set") if details or several else "",
            rows(scores),
            *clusters_and_answers(scores),
            "lower is better" if scores.lower_is_better else "",
        ],
        draws,
        details=details,
    )


def paper_of_family(family: Family) -> str:
    """Return the method and the best choice in sentences for a paper."""
    best, lead = family.best, family.best.leader
    settings = (correlation(family.scores), unusual_rule(family.rule), f"bcompare {__version__}")
    asked = (
        f"On {data_of(family.scores)} we judged {number_of(len(best.classifiers), 'classifier')} "
        f"together by their joint posterior ({'; '.join(filter(None, settings))})"
        f"{irrelevant(family.rope, family.scores.metric)}."
    )
    asked += f" {given}." if (given := of_rows(family.scores)) else ""
    if family.withheld is not None:
        return "\n".join(map(printable, [asked, f"The verdict is withheld: {family.withheld}."]))
    decimals = decimals_for(max(float(best.regret.max()), family.rope.high)) + 1
    interval = best.regret_interval
    loss, low, high = (
        unsigned(float(x[lead]), decimals) for x in (best.regret, interval.low, interval.high)
    )
    p = sure(family, best.p_least_regret[lead])
    leads = f"{'is the best choice' if family.decided else 'leads'} {average(family)}"
    doubt = "" if family.decided else f" (undecided; {level_needed(family.alpha, 'to decide')})"
    than = "the best of each data set" if family.lone is None else "the best"
    answer = (
        f"{family.leader} {leads}: its mean score is the best with probability {p}{doubt}. It "
        f"loses an estimated {loss} against {than} ({100 * interval.level:g} % credible interval "
        f"{low} to {high})."
    )
    return "\n".join(map(printable, [asked, answer]))


def context_of_family(family: Family) -> tuple[str, str]:
    """Return what is compared on which data, and how, for captions."""
    how = f" by their joint posterior{irrelevant(family.rope, family.scores.metric)}"
    return compared(family.scores, family.best.classifiers), how


# The JSON does not repeat a single data set with more rows, such as test items.
MOST_SCORES = 1_000


@dataclass(frozen=True, eq=False, slots=True)
class _Standing:
    """The k-th classifier of a family, at its place; own : the mean scores of each."""

    family: Family
    own: OwnScores
    k: int
    place: int

    @property
    def classifier(self) -> str:
        return self.family.best.classifiers[self.k]

    def best(self, name: str) -> float:
        return float(getattr(self.family.best, name)[self.k])

    def ends(self, name: str) -> Record:
        interval = attrgetter(name)(self.family.best)
        low, high = interval.low[self.k].item(), interval.high[self.k].item()
        return {"level": interval.level, "low": low, "high": high}

    @property
    def ties(self) -> int:
        """The number of ties with other classifiers, over all data sets."""
        ranks = self.family.ranks
        return 0 if ranks is None else int(ranks.ties[self.k].sum() - ranks.ties[self.k, self.k])


def _p_better_than_next(row: _Standing) -> float | None:
    """The probability that it is better than the next one by more than the rope."""
    family, order = row.family, row.family.best.order
    if row.place == len(order):
        return None
    p = float(family.best.pairs.left[row.k, order[row.place]])
    return None if np.isnan(p) else p


def _p_in_top_k(row: _Standing) -> float | None:
    k = row.family.top_k
    return None if k is None else float(row.family.best.places.within[row.k, k - 1])


def _span(row: _Standing, joint: bool = False) -> str:
    """Return the interval of a place as text, such as 2–5."""
    ends = row.ends("places.joint" if joint else "places.interval")
    low, high = ends["low"], ends["high"]
    return str(low) if low == high else f"{low}–{high}"


def _cost(row: _Standing) -> float | None:
    costs = row.family.scores.costs
    return None if costs is None else float(costs[row.k])


def _probability(
    name: str, heading: str, of: Callable[[_Standing], float | None] | None = None
) -> Field:
    """Return the field of a probability that no table shows as exactly 0 or 1."""
    get = of or (lambda row: row.best(name))

    def shown(row: _Standing) -> float | None:
        p = get(row)
        return None if p is None else uncertain(p)

    return Field(name, get, "probability", heading, shown, nullable=of is not None)


def _interval(name: str, heading: str, decimals: int | None) -> tuple[Field, Field, Field, Field]:
    """Return the fields of a quantity and its interval."""
    return (
        Field(name, lambda row: row.best(name), "number", heading, decimals=decimals),
        Field(f"{name}_interval", lambda row: row.ends(f"{name}_interval"), "object"),
        Field(
            "", lambda row: row.ends(f"{name}_interval")["low"], "number", "from", decimals=decimals
        ),
        Field(
            "", lambda row: row.ends(f"{name}_interval")["high"], "number", "to", decimals=decimals
        ),
    )


def _behind(row: _Standing) -> float | None:
    """Return how much less than the leader a classifier scores here; None for the leader."""
    lead = row.family.best.leader
    return None if row.k == lead else row.family.observed(row.k, lead)


def _behind_at(end: str, row: _Standing) -> float | None:
    """Return an end of the interval of that on average over data sets like these."""
    return None if row.k == row.family.best.leader else float(row.ends("loss_interval")[end])


PLACE = Field("place", kind="count", heading="place")
NAME = Field("classifier", heading="classifier")
TIER = Field("tier", lambda row: int(row.family.tiers[row.k]), "count", "tier")
INTERVAL = Field("place_interval", lambda row: row.ends("places.interval"), "object")
JOINT = Field("place_interval_joint", lambda row: row.ends("places.joint"), "object")
SPAN = Field("", _span, "figure", "places")
JOINT_SPAN = Field("", partial(_span, joint=True), "figure", "jointly")
NEXT = _probability("p_better_than_next", "p(> next)", _p_better_than_next)
TOP_K = _probability("p_in_top_k", "p(in top k)", _p_in_top_k)
DATASETS = Field(
    "n_datasets", lambda row: int(row.family.best.n_datasets[row.k]), "count", "data sets"
)
P_BEST = _probability("p_best", "p(best)")
WITHIN = _probability("p_practically_best", "p(within rope)")
LEAST = _probability("p_least_regret", "p(least regret)")
REGRET, LOSS = _interval("regret", "regret", None), _interval("loss", "", None)
BEHIND = [
    Field("", _behind, "number", "behind", decimals=None),
    *(
        Field("", partial(_behind_at, end), "number", heading, decimals=None)
        for end, heading in (("low", "from"), ("high", "to"))
    ),
]
MEAN = Field(
    "mean_score",
    lambda row: float(row.family.mean_score[row.k]),
    "number",
    "mean score",
    decimals=None,
)
ERROR = Field(
    "standard_error", lambda row: row.own.error[-1, row.k], "number", "std. error", nullable=True
)
COUNT = Field("n", lambda row: row.own.n[-1, row.k], "count")
COST = Field("cost", _cost, "number", decimals=None, nullable=True)
CLASSIFIER = (
    NAME,
    PLACE,
    COUNT,
    MEAN,
    ERROR,
    INTERVAL,
    TIER,
    JOINT,
    NEXT,
    TOP_K,
    DATASETS,
    P_BEST,
    WITHIN,
    LEAST,
    *REGRET[:2],
    *LOSS[:2],
    COST,
)
BY_RANKS = (
    Field(
        "mean_rank",
        lambda row: float(row.family.ranks.mean_rank[row.k]),
        "number",
        "mean rank",
        decimals=3,
    ),
    Field("wins", lambda row: int(row.family.ranks.wins[row.k].sum()), "count", "wins"),
    Field("ties", "ties", "count", "ties"),
    Field("losses", lambda row: int(row.family.ranks.wins[:, row.k].sum()), "count", "losses"),
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


def standings(family: Family) -> list[_Standing]:
    """Return the classifiers by increasing expected regret."""
    own = own_scores(family.scores)
    return [_Standing(family, own, k, place) for place, k in enumerate(family.best.order, 1)]


def family_document(family: Family, chosen: Iterable[tuple[int, int]] | None = None) -> Record:
    """Return the JSON document: that of some or all pairs, with the fields of the family."""
    study, options = family.study, family.options
    pairs = (
        document(study)
        if study is not None
        else {"comparisons": _pairs(family, chosen), "failed": []}
    )
    return {
        **head("rank"),
        "settings": {
            "test": None if study is None else study.method.name,
            **common_settings(family.scores, family.rope, family.rule, family.alpha),
            "draws": options.draws,
            "seed": options.seed,
            "interval": options.level,
            "test_options": None if study is None else own_fields(study.method),
        },
        "input": input_record(family.scores),
        "comparisons": pairs["comparisons"],
        "failed": pairs["failed"],
        "notes": [note.record() for note in family.notes],
        "family": {
            **record(ANSWER, family),
            "best": _classifiers(family),
            **({} if family.ranks is None else _of_ranks(family.ranks)),
            "mean_score": plain(family.mean_score),
            **({} if family.ranks is None else {"n_datasets": len(family.datasets)}),
            **_lone(family),
        },
    }


def _classifiers(family: Family) -> list[Record]:
    fields = (*CLASSIFIER, *(() if family.ranks is None else BY_RANKS))
    return [record(fields, row) for row in standings(family)]


def _of_ranks(ranks: Ranks) -> Record:
    """The fields of the ranks, each test by its name."""
    own: Record = plain(ranks)
    tests, _, difference = (own.pop(name) for name in ("tests", "telling", "critical_difference"))
    own |= {test["test"].replace("-", "_"): test for test in tests.values()}
    return own if difference is None else own | {"critical_difference": difference}


def flat_records(family: Family) -> list[Record]:
    """Return a record for each classifier, with the tests of the family in each."""
    ranks = family.ranks
    tests: Record = {}
    if ranks is not None:
        tests = {
            test.test.replace("-", "_"): {
                "statistic": plain(test.statistic),
                "p_value": plain(test.p_value),
            }
            for test in ranks.tests.values()
        } | {"critical_difference": ranks.critical_difference}
    return [classifier | tests for classifier in _classifiers(family)]


def _lone(family: Family) -> Record:
    """Return the scores by fold of a single data set."""
    lone = family.lone
    if lone is None:
        return {}
    return {
        "correlation": plain(lone.correlation),
        "scores": plain(lone.scores) if len(lone.scores) <= MOST_SCORES else None,
        "pairwise": plain(lone.pairwise),
    }


def _pairs(family: Family, chosen: Iterable[tuple[int, int]] | None = None) -> list[Record]:
    """Return the records of some or all pairs under the joint posterior, on average.

    Pairs without a common data set are left out.
    """
    best, names = family.best, family.best.classifiers
    present = np.array([dataset.present for dataset in family.scores.datasets]).astype(np.int64)
    shared = present.T @ present
    return [
        {
            "left": names[i],
            "right": names[j],
            **dict(zip((f.name for f in PROBABILITIES), regions(family, i, j), strict=True)),
            "decision": family.decisions[i, j],
            "verdict": pair_sentence(family, i, j),
            "mean_difference": family.observed(i, j),
            "n_datasets": int(shared[i, j]),
        }
        for i, j in chosen or combinations(range(len(names)), 2)
        if not np.isnan(best.pairs.rope[i, j])
    ]


def places(family: Family, top: int, *, details: bool) -> Table:
    """Return a row for each classifier, by increasing expected regret."""
    best = family.best
    decimals = decimals_for(max(float(best.regret.max()), family.rope.high)) + 1
    costs, preferred = family.scores.costs, family.preferred
    finer = decimals_for(float(np.abs(family.mean_score).max())) + (2 if details else 1)
    mean = replace(MEAN, decimals=finer)
    fields = [PLACE, NAME, mean, *BEHIND, SPAN, TIER]
    if family.top_k:
        fields.append(replace(TOP_K, heading=f"p(in top {family.top_k})"))
    least = 10.0**-decimals

    def regret_of(row: _Standing) -> Cell:
        """Write no regret as 0 where another may be the best."""
        value = row.best("regret")
        rounded_off = value < least / 2 and row.best("p_best") < 1
        return f"<{least:.{decimals}f}" if rounded_off else value

    if details:
        regret = [replace(REGRET[0], printed=regret_of), *REGRET[2:]]
        fields += [JOINT_SPAN, LEAST, *regret, P_BEST, WITHIN, NEXT]
    if costs is not None and preferred is not None:
        own = decimals_for(float(costs.max())) + 1
        fields.append(replace(COST, heading=preferred.column, decimals=own))
    if len(set(best.n_datasets.tolist())) > 1:
        fields.append(DATASETS)
    everyone = standings(family)
    shown = everyone[: top or None]
    level = f"{100 * best.regret_interval.level:g} %"
    title = f"How far behind {family.leader} the others are, with {level} intervals"
    result = table(title, fields, shown, decimals)
    apart: list[Row] = []
    for lone in family.set_apart if len(shown) == len(everyone) else ():
        known: dict[str, Cell] = {
            "classifier": lone.classifier,
            "mean_score": lone.mean_score,
            "n_datasets": lone.n_datasets,
        }
        apart.append(tuple(known.get(field.name) for field in fields))
    return Table(title, result.columns, [*result.rows, *apart])


def mean_ranks(family: Family, top: int) -> Table:
    """Return mean ranks, and how often each classifier beats the others by more than the rope."""
    mean, *counts = BY_RANKS
    title = "Mean ranks in these data; wins, ties and losses by the rope"
    fields = (NAME, mean, *counts)
    return table(title, fields, standings(family)[: top or None])


def neighbours_table(family: Family) -> Table:
    """Return a table with a row for each classifier and the next one."""
    title = "Neighbours: each classifier (left) and the next (right), on average"
    fields = (
        *(replace(field, of=itemgetter(field.name)) for field in NAMES),
        Field(
            "",
            lambda pair: verdict(pair["decision"], pair["left"], pair["right"]),
            "verdict",
            "verdict",
        ),
        *(replace(field, printed=partial(_shown_region, field.name)) for field in PROBABILITIES),
    )
    return table(title, fields, _pairs(family, pairwise(family.best.order)))


def _shown_region(name: str, pair: Record) -> float:
    return uncertain(pair[name])


def page_document(family: Family) -> Record:
    """Return the JSON document with the pairs of neighbours only, for the page of a leaderboard."""
    result = family_document(family, pairwise(family.best.order))
    for key in ("wins", "ties", "pairwise", "scores", "correlation"):
        result["family"].pop(key, None)
    return result
