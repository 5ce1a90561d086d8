"""The claims of one decision, such as each data set and their average, with one error for all.

A claim fails where what contradicts it is shown after Holm's correction over all claims: with the
matching prior 1 - p(worse) is the one-sided p-value of "not worse by more than the rope", so that
a change that is nowhere worse fails at most alpha of the time, whatever the claims share. A data
set that is shown worse by itself and not after the correction is a suspect: no gate passes with
one. That nothing is worse is shown claim by claim, without a correction: it is an
intersection-union test.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bcompare.data.rope import RegionProbabilities
from bcompare.gating.rule import NOT_BETTER, WORSE, GateRule, Outcome
from bcompare.methods.correction import holm


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of a decision.

    p : worse (left), equivalent (rope) and better (right) than the baseline. withheld : whether
    nothing may be read off them. main : whether the rule asks for it to be shown: the average, the
    only data set, the next one; of each data set it asks only that it be no suspect. aim : whether
    it must be shown better, and not only not worse.
    """

    p: RegionProbabilities[float]
    withheld: bool = False
    main: bool = True
    aim: bool = False

    @property
    def contradicted(self) -> float:
        """The probability of what contradicts it."""
        return self.p.left + (self.p.rope if self.aim and self.main else 0.0)

    def mirrored(self) -> "Claim":
        """The same claim of the baseline against the candidate."""
        return replace(self, p=RegionProbabilities(self.p.right, self.p.rope, self.p.left))


def by_signs(p: RegionProbabilities[float], n: int) -> RegionProbabilities[float]:
    """The regions of a data set whose n differences are all equal: by signs, and not as a point.

    That all n lie beyond a border, and the truth does not, has a probability of 2^-n at most.
    """
    rest = 0.5**n
    return RegionProbabilities(
        *(x * (1 - rest) + (1 - x) * rest / 2 for x in (p.left, p.rope, p.right))
    )


def judge(rule: GateRule, claims: Sequence[Claim]) -> list[Outcome]:
    """The outcome of every claim."""
    doubts = np.array([np.nan if c.withheld else 1 - c.contradicted for c in claims])
    known = ~np.isnan(doubts)
    fails = np.zeros(len(claims), np.bool_)
    fails[known] = holm(doubts[known]) < rule.alpha
    return [_outcome(rule, c, bool(fail)) for c, fail in zip(claims, fails, strict=True)]


def _outcome(rule: GateRule, claim: Claim, fails: bool) -> Outcome:
    p = claim.p
    doubtful: Outcome = "undecided" if rule.fail_if == WORSE else "fail"
    if rule.condition is not None:
        if claim.main and not claim.withheld:
            return rule.judge(p)
        return "undecided" if claim.main else "pass"
    if fails:
        return "fail"
    if claim.withheld:
        return "undecided" if claim.main or p.left > rule.prob else "pass"
    if not claim.main:
        return doubtful if p.left > rule.prob else "pass"
    good = p.right if claim.aim or rule.fail_if == NOT_BETTER else p.rope + p.right
    return "pass" if good > rule.prob else doubtful
