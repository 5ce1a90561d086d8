"""The rule by which a gate passes, fails, or is undecided.

Every verdict is read off p(worse), p(equivalent) and p(better) of one candidate:

=========================== ============================= ========================= =============
fail if                     fails                         passes                    undecided
=========================== ============================= ========================= =============
worse                       p(worse) > prob               p(not worse) > prob       otherwise
not-better                  otherwise                     p(better) > prob          never
not-better-or-equivalent    otherwise                     p(not worse) > prob       never
a condition                 it holds                      it does not               never
=========================== ============================= ========================= =============

`worse` lets the burden of proof rest on the gate: only what is shown to be worse fails, and what
is shown to be neither worse nor not is undecided. The two others turn it round: doubt fails. A
condition is true or false. Under every rule an answer that is withheld is undecided: nothing can
be read off its probabilities.

A decision may have several claims, such as each data set and their average, with one error for
all. A claim fails where what contradicts it is shown after Holm's correction over all claims: with
the matching prior 1 - p(worse) is the one-sided p-value of "not worse by more than the rope", so
that a change that is nowhere worse fails at most alpha of the time, whatever the claims share. A
data set that is shown worse by itself and not after the correction is a suspect: no gate passes
with one. That nothing is worse is shown claim by claim, without a correction: it is an
intersection-union test.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.data.rope import RegionProbabilities
from bcompare.gating.condition import NAMES, Condition
from bcompare.methods.correction import holm

Outcome = Literal["pass", "fail", "undecided"]
Policy = Literal["warn", "pass", "fail"]
Require = Literal["all", "any"]

WORSE, NOT_BETTER, NOT_SHOWN_AS_GOOD = "worse", "not-better", "not-better-or-equivalent"
NAMED = (WORSE, NOT_BETTER, NOT_SHOWN_AS_GOOD)

WORST_FIRST: tuple[Outcome, ...] = ("fail", "undecided", "pass")

EXIT_PASS, EXIT_FAIL, EXIT_UNDECIDED = 0, 4, 5


@dataclass(frozen=True, slots=True)
class GateRule:
    """When a gate fails; see the table above.

    fail_if : one of `NAMED`, or a condition such as ``p_worse > 0.2``.
    alpha : a statement counts as shown where its probability exceeds `prob`, 1 - alpha.
    undecided : whether an undecided gate passes with a warning, passes, or fails.
    require : of several candidates, whether all must pass or any one suffices.
    each : whether every data set must be shown by itself what the average is asked for.

    Raises
    ------
    InputError : a rule, policy or probability that there is not.
    """

    fail_if: str = WORSE
    alpha: float = 0.05
    undecided: Policy = "warn"
    require: Require = "all"
    each: bool = False
    condition: Condition | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 < self.alpha <= 0.5:
            raise InputError(
                f"{arg('alpha', self.alpha)}: give a number above 0 and at most 0.5; 0.05 asks for "
                "a probability above 0.95"
            )
        for name, known in (("undecided", Policy), ("require", Require)):
            if getattr(self, name) not in get_args(known):
                raise InputError(
                    f"--{name} {getattr(self, name)}: choose from {', '.join(get_args(known))}"
                )
        named = self.fail_if in NAMED
        if not named and not any(sign in self.fail_if for sign in "<>"):
            raise InputError(
                f"{arg('fail_if', self.fail_if)}: choose from {', '.join(NAMED)}, or give "
                f"a condition on {', '.join(NAMES)} such as 'p_worse > 0.2'"
            )
        condition = None if named else Condition.parse(self.fail_if)
        object.__setattr__(self, "condition", condition)

    @property
    def prob(self) -> float:
        """1 - alpha, as people would write it."""
        return round(1 - self.alpha, 12)

    def in_doubt(self, p: RegionProbabilities[float]) -> bool:
        """Whether more data could change the verdict: neither good nor bad is shown."""
        if self.condition is not None:
            return False
        good, bad = p.rope + p.right, p.left
        if self.fail_if == NOT_BETTER:
            good, bad = p.right, p.left + p.rope
        return good <= self.prob and bad <= self.prob

    def together(self, outcomes: Iterable[tuple[str, Outcome]]) -> Outcome:
        """One verdict for all: that of the worst candidate, or of the best where any suffices.

        outcomes : the candidate and the outcome of every claim.
        """
        worst: dict[str, Outcome] = {}
        for name, outcome in outcomes:
            worst[name] = min(outcome, worst.get(name, outcome), key=WORST_FIRST.index)
        order = WORST_FIRST if self.require == "all" else WORST_FIRST[::-1]
        return next(outcome for outcome in order if outcome in worst.values())

    def exit_code(self, outcome: Outcome) -> int:
        """The exit code of the command."""
        if outcome == "undecided":
            return EXIT_UNDECIDED if self.undecided == "fail" else EXIT_PASS
        return EXIT_FAIL if outcome == "fail" else EXIT_PASS

    def describe(self) -> str:
        """Return the rule in words, for the line of settings."""
        if self.condition is not None:
            return f"fails if {self.fail_if}"
        return {
            WORSE: f"fails if p(worse) > {self.prob:g}, passes if p(equivalent) + p(better) is",
            NOT_BETTER: f"fails unless p(better) > {self.prob:g}",
            NOT_SHOWN_AS_GOOD: f"fails unless p(better or equivalent) > {self.prob:g}",
        }[self.fail_if]


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
        if claim.withheld or not claim.main:
            return "undecided" if claim.main else "pass"
        return "fail" if rule.condition.holds(p) else "pass"
    if fails:
        return "fail"
    if claim.withheld:
        return "undecided" if claim.main or p.left > rule.prob else "pass"
    if not claim.main:
        return doubtful if p.left > rule.prob else "pass"
    good = p.right if claim.aim or rule.fail_if == NOT_BETTER else p.rope + p.right
    return "pass" if good > rule.prob else doubtful
