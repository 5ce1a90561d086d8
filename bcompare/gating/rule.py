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
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.data.rope import RegionProbabilities
from bcompare.gating.condition import NAMES, Condition

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
        object.__setattr__(self, "condition", self._parsed())

    def _parsed(self) -> Condition | None:
        if self.fail_if in NAMED:
            return None
        if not any(sign in self.fail_if for sign in "<>"):
            raise InputError(
                f"{arg('fail_if', self.fail_if)}: choose from {', '.join(NAMED)}, or give "
                f"a condition on {', '.join(NAMES)} such as 'p_worse > 0.2'"
            )
        return Condition.parse(self.fail_if)

    @property
    def prob(self) -> float:
        """1 - alpha, as people would write it."""
        return round(1 - self.alpha, 12)

    def judge(self, p: RegionProbabilities[float]) -> Outcome:
        """The verdict on one candidate whose answer is not withheld."""
        if self.condition is not None:
            return "fail" if self.condition.holds(p) else "pass"
        if self.fail_if == NOT_BETTER:
            return "pass" if p.right > self.prob else "fail"
        if p.rope + p.right > self.prob:
            return "pass"
        shown_worse = p.left > self.prob
        return "fail" if shown_worse or self.fail_if == NOT_SHOWN_AS_GOOD else "undecided"

    def in_doubt(self, p: RegionProbabilities[float]) -> bool:
        """Whether more data could change the verdict: neither good nor bad is shown."""
        if self.condition is not None:
            return False
        good, bad = p.rope + p.right, p.left
        if self.fail_if == NOT_BETTER:
            good, bad = p.right, p.left + p.rope
        return good <= self.prob and bad <= self.prob

    def together(self, outcomes: Sequence[Outcome]) -> Outcome:
        """One verdict for all: that of the worst candidate, or of the best where any suffices."""
        order = WORST_FIRST if self.require == "all" else WORST_FIRST[::-1]
        return next(outcome for outcome in order if outcome in outcomes)

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
