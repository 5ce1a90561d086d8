"""The leaderboard in words: which classifier to take, what another costs, and the settings."""

from collections.abc import Sequence

from bcompare.basis.messages import counted, listed, number_of, printable
from bcompare.comparing.decision import Threshold
from bcompare.data.rope import RegionProbabilities, inexact, uncertain
from bcompare.ranking.family import Family, Preferred
from bcompare.report.paper import compared, data_of, irrelevant, of_rows
from bcompare.report.sentences import (
    better_in_words,
    clusters_and_answers,
    correlation,
    level_needed,
    near_border,
    one_line,
    points,
    rows,
    rows_in_words,
    unusual_rule,
    verdict_sentence,
    withheld,
)
from bcompare.report.table import decimals_for, probability, unsigned
from bcompare.version import __version__

# More classifiers than this are counted.
MOST_NAMED = 6

CENTRE_AND_MEAN = (
    "hier speaks of a typical data set like these, δ0, the centre of all differences; the places "
    "speak of the average over data sets like these, which a few large differences move: so the "
    "two may differ"
)


def centre_and_mean(family: Family) -> str:
    """Return why the pairs and the places may differ, if the pairs are about δ0; else nothing."""
    about_centre = family.study is not None and family.study.method.scope == "average"
    return CENTRE_AND_MEAN if about_centre else ""


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
    best = family.best
    names = family.best.classifiers
    lead = best.leader
    if family.withheld is not None:
        return [f"No verdict: {family.withheld}; {names[lead]} has the smallest expected regret"]
    sentences = [_best(family), *_others(family)]
    if family.preferred is not None:
        sentences.insert(0, _preferred(family, family.preferred))
    return sentences


def _others(family: Family) -> list[str]:
    """Return which classifiers are as good as the leader, and which are practically worse."""
    best = family.best
    names = family.best.classifiers
    sentences = list[str]()
    lead = best.leader
    level = 1 - family.alpha
    if family.twins:
        twins = counted(family.twins, "classifier")
        sentences.append(f"The scores of {twins} never differ from those of {names[lead]}")
    if family.equals:
        p = zip(names, best.pairs.rope[lead], strict=True)
        equals = [f"{name} ({sure(family, chance)})" for name, chance in p if name in family.equals]
        sentences.append(f"Practically as good as {names[lead]}: {', '.join(equals)}")
    clear = (best.pairs.left[lead] > level) & ~best.near(best.pairs.left[lead], level)
    worse = [names[k] for k in best.order if clear[k]]
    high = family.rope.high
    size = points(high) if family.scores.percent else f"{high:g}"
    beyond = "" if family.rope.is_empty else f" by more than {size}"
    if worse:
        sentences.append(
            f"Worse than {names[lead]}{beyond}, each with probability above {level:g}: "
            f"{_some(family, worse)}"
        )
    named_already = {names[lead], *worse, *family.equals, *family.twins}
    others = [names[k] for k in best.order if names[k] not in named_already]
    if others and family.decided:
        sentences.append(
            f"Not shown to be worse than {names[lead]}{beyond}: {_some(family, others)}"
        )
    return sentences


def _some(family: Family, names: Sequence[str]) -> str:
    """Return a few names, or the number of many."""
    c = len(family.best.classifiers)
    return listed(names) if len(names) <= MOST_NAMED else f"{len(names)} of {c} classifiers"


def _preferred(family: Family, preferred: Preferred) -> str:
    """Return the cheapest of those that surely lose no more than the rope."""
    count = len(preferred.among)
    column = preferred.column
    cost = f"{preferred.cost:g}"
    sure = f"with probability above {1 - family.alpha:g}"
    if count > 1:
        return (
            f"Of the {count} that lose no more than the rope on average {sure}, "
            f"{preferred.classifier} has the smallest {column}, {cost}"
        )
    return (
        f"No other classifier is shown to be as good, within the rope, on average ({sure}); the "
        f"{column} of {preferred.classifier} is {cost}"
    )


def _best(family: Family) -> str:
    """Return the best choice, and what a verdict needs if there is none yet."""
    needed = near_border(family.alpha) if family.at_border else level_needed(family.alpha)
    p = sure(family, family.best.p_least_regret[family.best.leader])
    if family.decided:
        return f"{family.leader} is the best {average(family)} (probability {p})"
    return f"{family.leader} leads: it is the best {average(family)} with probability {p}; {needed}"


def regions(family: Family, i: int, j: int) -> RegionProbabilities[float]:
    """Return the three probabilities of the pair with i on the left."""
    pairs = family.best.pairs
    return RegionProbabilities(*(float(p[i, j]) for p in (pairs.left, pairs.rope, pairs.right)))


def pair_sentence(family: Family, i: int, j: int) -> str:
    """Return the verdict of the joint posterior on the pair with i on the left."""
    names = family.best.classifiers
    p = inexact(regions(family, i, j))
    on = f" {average(family)}"
    decision = family.decisions[i, j]
    rule = family.rule
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
    scores = family.scores
    rope = family.rope
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
            better_in_words(scores),
        ],
        draws,
        details=details,
    )


def paper_of_family(family: Family) -> str:
    """Return the method and the best choice in sentences for a paper."""
    best = family.best
    lead = family.best.leader
    scores = family.scores
    parts = (correlation(scores), unusual_rule(family.rule), f"bcompare {__version__}")
    settings = "; ".join(filter(None, parts))
    classifiers = number_of(len(best.classifiers), "classifier")
    asked = (
        f"On {data_of(scores)} we judged {classifiers} together by their joint posterior "
        f"({settings}){irrelevant(family.rope, scores.metric, percent=scores.percent)}."
    )
    given = of_rows(scores)
    if given:
        asked += f" {given}."
    if family.withheld is not None:
        return "\n".join(map(printable, [asked, f"The verdict is withheld: {family.withheld}."]))
    decimals = decimals_for(max(float(best.regret.max()), family.rope.high)) + 1
    interval = best.regret_interval
    loss = unsigned(float(best.regret[lead]), decimals)
    low = unsigned(float(interval.low[lead]), decimals)
    high = unsigned(float(interval.high[lead]), decimals)
    p = sure(family, best.p_least_regret[lead])
    verb = "is the best choice" if family.decided else "leads"
    doubt = "" if family.decided else f" (undecided; {level_needed(family.alpha)})"
    answer = (
        f"{family.leader} {verb} {average(family)}: its mean score is the best with probability "
        f"{p}{doubt}."
    )
    if family.lone is None:
        ends = ""
        if low != high:
            ends = f" ({100 * interval.level:g} % credible interval {low} to {high})"
        answer += f" It loses an estimated {loss} against the best of each data set{ends}."
    if family.preferred is not None:
        answer += f" {_preferred(family, family.preferred)}."
    answer += "".join(f" {sentence}." for sentence in _others(family))
    return "\n".join(map(printable, [asked, answer]))


def context_of_family(family: Family) -> tuple[str, str]:
    """Return what is compared on which data, and how, for captions."""
    scores = family.scores
    differences = irrelevant(family.rope, scores.metric, percent=scores.percent)
    how = f" by their joint posterior{differences}"
    return compared(scores, family.best.classifiers), how
