"""The table of a gate: verdict × rule × policy × number of candidates, row by row."""

from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcompare.basis.errors import InputError
from bcompare.data.rope import RegionProbabilities
from bcompare.gating.rule import NAMED, Claim, GateRule, Outcome, Policy, Require, judge

# What the data may say, and what each rule makes of it; the last rule is a condition.
CONDITION = "p_worse > 0.3"
RULES = (*NAMED, CONDITION)
ANSWERS: dict[str, tuple[tuple[float, float, float], tuple[Outcome, ...]]] = {
    "worse": ((0.97, 0.02, 0.01), ("fail", "fail", "fail", "fail")),
    "equivalent": ((0.01, 0.97, 0.02), ("pass", "fail", "pass", "pass")),
    "better": ((0.01, 0.02, 0.97), ("pass", "pass", "pass", "pass")),
    "not worse": ((0.02, 0.48, 0.50), ("pass", "fail", "pass", "pass")),
    "not better": ((0.50, 0.48, 0.02), ("undecided", "fail", "fail", "fail")),
    "undecided": ((0.20, 0.40, 0.40), ("undecided", "fail", "fail", "pass")),
}
EXIT: dict[Policy, dict[Outcome, int]] = {
    "warn": {"pass": 0, "fail": 4, "undecided": 0},
    "pass": {"pass": 0, "fail": 4, "undecided": 0},
    "fail": {"pass": 0, "fail": 4, "undecided": 5},
}


def judged(rule: GateRule, *p: float) -> Outcome:
    """The outcome of one claim by itself."""
    (outcome,) = judge(rule, [Claim(RegionProbabilities(*p))])
    return outcome


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("require", get_args(Require))
@pytest.mark.parametrize("policy", get_args(Policy))
@pytest.mark.parametrize("rule", RULES)
def test_verdicts_alone_and_together(
    rule: str, policy: Policy, require: Require, count: int
) -> None:
    gate = GateRule(rule, undecided=policy, require=require)
    for answers in product(ANSWERS, repeat=count):
        result = [judged(gate, *ANSWERS[answer][0]) for answer in answers]
        expected = [ANSWERS[answer][1][RULES.index(rule)] for answer in answers]
        assert result == expected
        together = gate.together(zip("abc", result, strict=False))
        if require == "all":
            assert (together == "pass") is all(outcome == "pass" for outcome in expected)
            assert (together == "fail") is ("fail" in expected)
        else:
            assert (together == "pass") is ("pass" in expected)
            assert (together == "fail") is all(outcome == "fail" for outcome in expected)
        assert gate.exit_code(together) == EXIT[policy][together]


@given(st.tuples(*[st.floats(0.001, 1)] * 3), st.sampled_from(NAMED), st.floats(0.5, 0.999))
def test_the_rules_agree_with_each_other(
    weights: tuple[float, float, float], rule: str, prob: float
) -> None:
    total = sum(weights)
    p = RegionProbabilities(*(weight / total for weight in weights))
    gate = GateRule(rule, 1 - prob)
    outcome = judged(gate, *p)
    if gate.in_doubt(p):  # doubt is never a pass, and only `worse` calls it undecided
        assert outcome == ("undecided" if rule == "worse" else "fail")
    else:
        assert outcome != "undecided"
    strict = [judged(GateRule(name, 1 - prob), *p) for name in ("not-better", NAMED[2], "worse")]
    order = ("fail", "undecided", "pass")
    assert [order.index(o) for o in strict] == sorted(order.index(o) for o in strict)


@pytest.mark.parametrize("alpha", [0.0, 0.51, 1.0, -0.2, float("nan")])
def test_a_level_that_decides_nothing_is_refused(alpha: float) -> None:
    with pytest.raises(InputError, match=r"alpha[= ][-\dn]"):
        GateRule(alpha=alpha)


def test_an_unknown_rule_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="choose from worse, not-better"):
        GateRule("not-beter")


def test_on_the_threshold_nothing_is_shown() -> None:
    assert judged(GateRule(alpha=0.05), 0.95, 0.05, 0.0) == "undecided"
