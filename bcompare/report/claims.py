"""One grammar for the sentences of pairs, families, gates and plans.

A `Claim` says something of a classifier, usually compared with another one. Its methods put the
claim into a sentence: shown, shown so far, not shown, unknown, undecided, or without a verdict.
"""

from dataclasses import dataclass, replace
from typing import Literal

from bcompare.comparing.decision import Decision, Rule, Threshold, levels_of, one_minus
from bcompare.data.rope import REGIONS, RegionProbabilities, Rope, uncertain
from bcompare.report.number import percent, probability

Relation = Literal[
    "better",
    "worse",
    "equivalent",
    "not better",
    "not worse",
    "equivalent to or better",
    "the best choice",
]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim about a classifier, and how sure it is.

    subject, relation, other : who is what compared with whom; a best choice has no `other`.
    scope : where the claim holds, after a blank, such as " on iris"; or "".
    probability : as text, with any further figures.
    needed : the probability that a verdict takes, as text; "" if it is reached.
    practically : whether there is a rope.
    likeliest : whether `probability` is that of being the likeliest outcome.
    margins : if `other` is a fixed value, how far below and above it does not matter, as texts.
    down : on which side of it is worse.
    """

    subject: str
    relation: Relation
    other: str = ""
    scope: str = ""
    probability: str = ""
    needed: str = ""
    practically: bool = False
    likeliest: bool = False
    margins: tuple[str, str] | None = None
    down: str = "below"

    @property
    def words(self) -> str:
        """The claim without its probability."""
        if self.margins is not None:
            return self._words_on_bar(*self.margins)
        manner = "practically " if self.practically else ""
        if self.relation == "the best choice":
            return f"{self.subject} is the best choice{self.scope}"
        if self.relation in ("not better", "not worse"):
            word = self.relation.removeprefix("not ")
            if self.likeliest:
                positive = f"{self.subject} is {manner}{word} than {self.other}"
                return f"that {positive} is not the likeliest answer{self.scope}"
            return f"{self.subject} is not {manner}{word} than {self.other}{self.scope}"
        manner = f"most likely {manner}" if self.likeliest else manner
        if self.relation == "equivalent":
            return f"{self.subject} and {self.other} are {manner}equivalent{self.scope}"
        return f"{self.subject} is {manner}{self.relation} than {self.other}{self.scope}"

    def _words_on_bar(self, low: str, high: str) -> str:
        """Return the claim about a fixed value."""
        if self.relation == "equivalent":
            near = f"{low} of" if low == high else f"-{low} and +{high} of"
            return f"{self.subject} is within {near} {self.other}{self.scope}"
        up = {"below": "above", "above": "below"}[self.down]
        negated = "not " if self.relation.startswith("not ") else ""
        side, margin = (self.down, low) if self.relation.endswith("worse") else (up, high)
        beyond = f" by more than {margin}" if self.practically else ""
        return f"{self.subject} is {negated}{side} {self.other}{beyond}{self.scope}"

    def shown(self) -> str:
        """Return the claim as a fact, or as what is known so far if it lacks probability."""
        if self.needed and self.relation == "the best choice":
            sure = f"{self.probability} that its mean score is the best; {self.needed}"
            return f"{self.subject} leads{self.scope} ({sure})"
        if self.needed:
            return f"{self.words} so far ({self.probability}; {self.needed})"
        return f"{self.words} ({self.probability})"

    def not_shown(self) -> str:
        """Return that the claim, which had to be shown, is not."""
        if self.margins is not None:
            relation: Relation = "better" if self.relation == "better" else "not worse"
            return f"not shown: {replace(self, relation=relation).words} ({self.probability})"
        manner = "practically " if self.practically else ""
        claimed = f"{manner}{self.relation} than {self.other}{self.scope}"
        return f"{self.subject} is not shown to be {claimed} ({self.probability})"

    def unknown(self, *, yet: bool = False) -> str:
        """Return that the data do not show whether the claim holds; `yet`: more data will come."""
        so_far = " yet" if yet else ""
        figures = ", ".join(filter(None, (self.probability, self.needed)))
        return (
            f"the data do not show{so_far} whether {self.words}{f': {figures}' if figures else ''}"
        )


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
    """Return the probability that a verdict takes, and what for, such as "to pass"."""
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
    chances: RegionProbabilities[float] | None = None,
    full: bool = False,
) -> str:
    """Return the verdict on a pair in a sentence.

    likeliest : whether p are the probabilities that a region is the likeliest one. chances : the
    probabilities of the regions. full : whether to list all of p.
    """
    order = sorted(REGIONS, key=lambda region: -getattr(p, region))
    shown = {region: probability(getattr(p, region), *levels_of(rule)) for region in REGIONS}
    outcomes = [(verdict(region, left, right), shown[region]) for region in order]
    each = [f"{words} ({sure})" for words, sure in outcomes]
    pair = f"{against(left, right)}{scope}"
    if not isinstance(rule, Threshold):
        return f"{pair}: by expected loss {verdict(decision, left, right)}: {', '.join(each)}"
    if decision == "none":
        *first, last = each if full else each[:2]
        undecided = f"{pair}: undecided ({level_needed(rule.alpha, digits=10)})"
        if likeliest:
            what = "is the most frequent outcome" if full else "is most likely"
            return f"{undecided} whether {', '.join(first)} or {last} {what}"
        return f"{undecided} between {', '.join(first)} and {last}"
    figures = [("probability " if full else "") + shown[decision]]
    if likeliest:
        figures[0] += " that this is the most frequent outcome" if full else " sure"
    if chances is not None:
        share = percent(uncertain(getattr(chances, decision)))
        figures.append(f"{share} chance that it shows this")
    if full:
        figures.append(", ".join(map(" ".join, outcomes[1:])))
    who, whom = (right, left) if decision == "right" else (left, right)
    relation: Relation = "equivalent" if decision == "rope" else "better"
    sure = "; ".join(figures)
    return Claim(
        who, relation, whom, scope, sure, practically=not rope.is_empty, likeliest=likeliest
    ).shown()
