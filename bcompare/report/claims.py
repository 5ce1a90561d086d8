"""Sentences on a pair: which is better, undecided, or without a verdict."""

from typing import Literal

from bcompare.comparing.decision import Decision, Rule, Threshold, levels_of, one_minus
from bcompare.data.rope import REGIONS, RegionProbabilities, Rope
from bcompare.report.table import probability

Relation = Literal["better", "worse", "equivalent", "not better", "not worse"]


def relation_of(
    subject: str, relation: Relation, other: str, scope: str = "", *, practically: bool
) -> str:
    """Return how one classifier compares with another; practically : whether there is a rope."""
    manner = "practically " if practically else ""
    if relation == "equivalent":
        return f"{subject} and {other} are {manner}equivalent{scope}"
    negated, word = ("not ", relation[4:]) if relation.startswith("not ") else ("", relation)
    return f"{subject} is {negated}{manner}{word} than {other}{scope}"


def against(left: str, right: str) -> str:
    """Return a pair's name in a sentence; differences are positive if `right` is better."""
    return f"{right} against {left}"


def verdict(decision: Decision, left: str, right: str) -> str:
    """Return a verdict in a word or two, for a table's cell."""
    return {
        "left": f"{left} better",
        "rope": "equivalent",
        "right": f"{right} better",
        "none": "undecided",
    }[decision]


def withheld(left: str, right: str, scope: str, reason: str) -> str:
    """Return that there is no verdict on a pair, and why."""
    return f"{against(left, right)}{scope}: no verdict: {reason}"


def level_needed(alpha: float, purpose: str = "", digits: int = 6) -> str:
    """Return the probability that a verdict needs, and what for, such as "to pass"."""
    return " ".join(filter(None, (one_minus(alpha, digits), "is needed", purpose)))


def near_border(alpha: float) -> str:
    """Return that draws cannot tell on which side of the level a probability is."""
    return f"within Monte Carlo error of the {one_minus(alpha)} that is needed"


def verdict_sentence(
    decision: Decision,
    p: RegionProbabilities[float],
    left: str,
    right: str,
    scope: str,
    rope: Rope,
    rule: Rule,
    *,
    likeliest: bool = False,
    full: bool = False,
) -> str:
    """Return the verdict on a pair in a sentence.

    likeliest : whether p are the probabilities that a region is the likeliest one. full : whether
    to list all of p; else only what the table above it does not show.
    """
    order = sorted(REGIONS, key=lambda region: -getattr(p, region))
    shown = {region: probability(getattr(p, region), *levels_of(rule)) for region in REGIONS}
    each = [f"{verdict(region, left, right)} ({shown[region]})" for region in order]
    pair = f"{against(left, right)}{scope}"
    if not isinstance(rule, Threshold):
        by_loss = f"{pair}: by expected loss, {verdict(decision, left, right)}"
        return f"{by_loss}. Probabilities: {', '.join(each)}"
    if decision == "none":
        open_ones = [r for r in order if full or getattr(p, r) >= rule.alpha]
        *first, last = each[: max(len(open_ones), 2)]
        many = "both" if len(first) == 1 else "all"
        possible = f"{', '.join(first)} and {last} are {many} possible"
        if likeliest:
            possible = f"the likeliest outcome may be {', '.join(first)} or {last}"
        return f"{pair}: undecided; {possible}, and a verdict needs {one_minus(rule.alpha, 10)}"
    who, whom = (right, left) if decision == "right" else (left, right)
    relation: Relation = "equivalent" if decision == "rope" else "better"
    others = ", ".join(f"{verdict(r, left, right)} {shown[r]}" for r in order[1:])
    sure = f"probability {shown[decision]}; {others}" if full else shown[decision]
    if likeliest:
        scope = f": that is the likeliest outcome{scope}"
    words = relation_of(who, relation, whom, scope, practically=not rope.is_empty)
    return f"{words} ({sure})" if full or likeliest else words
