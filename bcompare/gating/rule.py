"""The rule by which a gate passes, fails, or is undecided.

Every verdict is read off p(worse), p(equivalent) and p(better) of one candidate:

=========================== ============================= ========================= =============
fail if                     fails                         passes                    undecided
=========================== ============================= ========================= =============
worse                       p(worse) > prob               p(not worse) > prob       otherwise
not-better                  otherwise                     p(better) > prob          never
not-better-or-equivalent    otherwise                     p(not worse) > prob       never
=========================== ============================= ========================= =============

Under `worse` the gate has the burden of proof: a candidate fails only if it is shown to be worse,
and is undecided if neither that nor its opposite is shown. Under the other two the candidate has
it: doubt fails. Under every rule a withheld answer is undecided, which passes only under `worse`.

A decision may have several claims, such as each data set and their average, with a common error
rate. A claim fails if its opposite is shown after Holm's correction over all claims: with the
matching prior 1 - p(worse) is the one-sided p-value of "not worse by more than the rope", so a
change that is nowhere worse fails at most alpha of the time, however the claims depend on one
another, if differences are symmetric and folds correlated as assumed. (For those that are not, see
`bcompare.gating.monotone`.) A data set that is shown to be worse by itself but not after the
correction is a suspect, as is one that only `monotone.surplus` keeps from failing: no gate passes
with one. To show that nothing is worse needs no correction: it is an intersection-union test.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Literal, get_args

import numpy as np

from bcompare.basis.messages import InputError, arg
from bcompare.comparing.decision import one_minus
from bcompare.data.rope import FloatArray, RegionProbabilities
from bcompare.methods.correction import holm, smallest_of_alike

Outcome = Literal["pass", "fail", "undecided"]
FailIf = Literal["worse", "not-better", "not-better-or-equivalent"]
Policy = Literal["warn", "pass", "fail"]
Require = Literal["all", "any"]

NAMED: tuple[FailIf, ...] = get_args(FailIf)
WORSE, NOT_BETTER, NOT_SHOWN_AS_GOOD = NAMED

WORST_FIRST: tuple[Outcome, ...] = ("fail", "undecided", "pass")

# A p-value of 0, to divide by.
TINY = 1e-300

EXIT_PASS, EXIT_FAIL, EXIT_UNDECIDED = 0, 4, 5


@dataclass(frozen=True, slots=True)
class GateRule:
    """The rule of a gate; see the table above.

    fail_if : the demand.
    alpha : a statement is shown if its probability exceeds `prob`, 1 - alpha.
    undecided : whether a gate undecided under `worse` passes with a warning, passes, or fails.
    require : of several candidates, whether all must pass or any one suffices.
    each : whether every data set must meet the demand on the average.

    Raises
    ------
    InputError : a rule, policy or probability that there is not.
    """

    fail_if: FailIf = WORSE
    alpha: float = 0.05
    undecided: Policy = "warn"
    require: Require = "all"
    each: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.alpha <= 0.5:
            raise InputError(
                f"{arg('alpha', self.alpha)}: give a number above 0 and at most 0.5; 0.05 asks for "
                "a probability above 0.95"
            )
        for name, known in (("fail_if", FailIf), ("undecided", Policy), ("require", Require)):
            given = getattr(self, name)
            if given not in get_args(known):
                raise InputError(f"{arg(name, given)}: choose from {', '.join(get_args(known))}")

    @property
    def prob(self) -> float:
        """1 - alpha as text."""
        return round(1 - self.alpha, 12)

    def in_doubt(self, p: RegionProbabilities[float], claims: int = 1) -> bool:
        """Return whether more data could change the verdict, as neither good nor bad is shown.

        claims : among how many the bad one has to stand out to fail, unless doubt fails anyway.
        """
        good = p.rope + p.right
        bad = p.left
        if self.fail_if == NOT_BETTER:
            good = p.right
            bad = p.left + p.rope
        corrected = self.alpha / claims if self.fail_if == WORSE else self.alpha
        return good <= self.prob and bad <= 1 - corrected

    def together(self, outcomes: Iterable[tuple[str, Outcome]]) -> Outcome:
        """Return one outcome for all: that of the worst candidate, or of the best if any suffices.

        outcomes : the candidate and the outcome of every claim.
        """
        worst: dict[str, Outcome] = {}
        for name, outcome in outcomes:
            worst[name] = min(outcome, worst.get(name, outcome), key=WORST_FIRST.index)
        order = WORST_FIRST if self.require == "all" else WORST_FIRST[::-1]
        return next(outcome for outcome in order if outcome in worst.values())

    def exit_code(self, outcome: Outcome) -> int:
        """Return the exit code of the command."""
        if outcome == "undecided":
            stops = self.undecided == "fail" or self.fail_if != WORSE
            return EXIT_UNDECIDED if stops else EXIT_PASS
        return EXIT_FAIL if outcome == "fail" else EXIT_PASS

    def describe(self) -> str:
        """Return the rule in words, for the line of settings."""
        border = one_minus(self.alpha)
        return {
            WORSE: f"fails if p(worse) > {border}, passes if p(not worse) > {border}",
            NOT_BETTER: f"fails unless p(better) > {border}",
            NOT_SHOWN_AS_GOOD: f"fails unless p(better or equivalent) > {border}",
        }[self.fail_if]


@dataclass(frozen=True, eq=False, slots=True)
class Bundle:
    """Shared by claims whose errors are alike, as of whole runs on several data sets.

    Together they count as fewer claims than they are; see `smallest_of_alike`.

    dof : the degrees of freedom of their Student statistics.
    correlation : of these statistics, between two of the claims.
    """

    dof: int
    correlation: float


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of a decision.

    p : what counts for worse (left), equivalent (rope) and better (right) than the baseline.
    withheld : why no verdict may be read off p, or None.
    main : whether the rule demands that it is shown: the average, the only data set, or the next
        one. Other data sets must only be no suspects.
    aim : whether the candidate must be better, and not only not worse.
    exact : whether it compares two numbers, so that nothing is left to chance.
    advisory : whether it is judged without any consequence.
    suspect : whether it may not pass, though p does not say so; see `Suite.suspects`.
    bundle : shared by the claims that have the same errors; None for a claim by itself.
    posterior : the probabilities to show in place of p, or None.
    """

    p: RegionProbabilities[float]
    withheld: str | None = None
    main: bool = True
    aim: bool = False
    exact: bool = False
    advisory: bool = False
    suspect: bool = False
    bundle: Bundle | None = None
    posterior: RegionProbabilities[float] | None = None

    @property
    def contradicted(self) -> float:
        """The probability of the opposite."""
        return self.p.left + (self.p.rope if self.aim and self.main else 0.0)

    def mirrored(self) -> "Claim":
        """Return the same claim with baseline and candidate swapped."""
        return replace(self, p=RegionProbabilities(self.p.right, self.p.rope, self.p.left))


def judge(rule: GateRule, claims: Sequence[Claim]) -> list[Outcome]:
    """Return the outcome of every claim.

    Advisory claims are a family of their own, so that they cost the others no power.
    """
    fails = corrected_doubts(claims) < rule.alpha
    return [_outcome(rule, c, bool(fail)) for c, fail in zip(claims, fails, strict=True)]


def corrected_doubts(claims: Sequence[Claim]) -> FloatArray:
    """Return the p-values of the claims' opposites, corrected for the number of claims."""
    doubts = np.array([1.0 if c.withheld else 1 - c.contradicted for c in claims])
    advisory = np.array([c.advisory for c in claims])
    for family in (~advisory, advisory):
        bundles = [claim.bundle for claim in compress(claims, family)]
        doubts[family] = _corrected(doubts[family], bundles)
    return doubts


def _corrected(p: FloatArray, bundles: Sequence[Bundle | None]) -> FloatArray:
    """Return p-values by Holm; those of a bundle count as one, the smallest of all of them."""
    smallest_in = p.copy()
    families = np.arange(len(p))
    for bundle in filter(None, dict.fromkeys(bundles)):
        is_in = np.array([b is bundle for b in bundles])
        alike = smallest_of_alike(p[is_in], bundle.dof, bundle.correlation)
        smallest_in[is_in], families[is_in] = alike, np.flatnonzero(is_in)[0]
    names, which = np.unique(families, return_inverse=True)
    smallest = np.array([smallest_in[families == name].min() for name in names])
    factors = holm(smallest) / np.maximum(smallest, TINY)
    return np.asarray(smallest_in * np.maximum(factors, 1.0)[which])


def _outcome(rule: GateRule, claim: Claim, fails: bool) -> Outcome:
    p = claim.p
    doubtful: Outcome = "undecided" if rule.fail_if == WORSE else "fail"
    if fails:
        return "fail"
    if claim.withheld:
        return "undecided" if claim.main or p.left > rule.prob else "pass"
    if not claim.main:
        return doubtful if p.left > rule.prob or claim.suspect else "pass"
    good = p.right if claim.aim or rule.fail_if == NOT_BETTER else p.rope + p.right
    return "pass" if good > rule.prob else doubtful
