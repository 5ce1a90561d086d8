"""The rule of a gate: its table, and the claims of one decision."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bcompare
from bcompare.data.rope import RegionProbabilities
from bcompare.gating.claims import less_certain
from bcompare.gating.monotone import effective_number, surplus
from bcompare.gating.rule import (
    NAMED,
    WORST_FIRST,
    Claim,
    FailIf,
    GateRule,
    Outcome,
    Policy,
    Require,
    judge,
)
from bcompare.gating.words import counts_as
from tests.gating.suites import KEYS, column, suite

# What the data may say, and what each rule makes of it.
ANSWERS: dict[str, tuple[tuple[float, float, float], tuple[Outcome, ...]]] = {
    "worse": ((0.97, 0.02, 0.01), ("fail", "fail", "fail")),
    "equivalent": ((0.01, 0.97, 0.02), ("pass", "fail", "pass")),
    "better": ((0.01, 0.02, 0.97), ("pass", "pass", "pass")),
    "not worse": ((0.02, 0.48, 0.50), ("pass", "fail", "pass")),
    "not better": ((0.50, 0.48, 0.02), ("undecided", "fail", "fail")),
    "undecided": ((0.20, 0.40, 0.40), ("undecided", "fail", "fail")),
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
@pytest.mark.parametrize("rule", NAMED)
def test_verdicts_alone_and_together(
    rule: FailIf, policy: Policy, require: Require, count: int
) -> None:
    gate = GateRule(rule, undecided=policy, require=require)
    for answers in product(ANSWERS, repeat=count):
        result = [judged(gate, *ANSWERS[answer][0]) for answer in answers]
        expected = [ANSWERS[answer][1][NAMED.index(rule)] for answer in answers]
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
    weights: tuple[float, float, float], rule: FailIf, prob: float
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


def test_on_the_threshold_nothing_is_shown() -> None:
    assert judged(GateRule(alpha=0.05), 0.95, 0.05, 0.0) == "undecided"


WORSE = GateRule()


def claim(worse: float, better: float = 0.0, **settings: Any) -> Claim:
    return Claim(RegionProbabilities(worse, 1 - worse - better, better), **settings)


def each(*worse: float) -> list[Claim]:
    """An average that is fine, and data sets with these probabilities of being worse."""
    return [claim(0.0), *(claim(p, main=False) for p in worse)]


@pytest.mark.parametrize(
    ("worse", "expected"),
    [
        # with the average m = 4: 0.01 x 4, then 0.012 x 3 (never below the one before), 0.02 x 2
        ((0.99, 0.988, 0.98), ("fail", "fail", "fail")),
        # 0.005 x 4 fails; 0.02 x 3 does not, and nothing behind it
        ((0.995, 0.98, 0.2), ("fail", "undecided", "pass")),
        ((0.98, 0.98, 0.98), ("undecided", "undecided", "undecided")),  # 0.02 x 4
        ((0.951, 0.95, 0.949), ("undecided", "pass", "pass")),  # a suspect is above 0.95
        ((0.9876, 0.0, 0.0), ("fail", "pass", "pass")),  # 0.0124 x 4 = 0.0496
        ((0.9874, 0.0, 0.0), ("undecided", "pass", "pass")),  # 0.0126 x 4 = 0.0504
    ],
)
def test_holm_by_hand(worse: tuple[float, ...], expected: tuple[str, ...]) -> None:
    average, *result = judge(WORSE, each(*worse))
    assert (average, tuple(result)) == ("pass", expected)


@pytest.mark.parametrize(
    ("folds", "gain", "outcome"),
    [
        (10, -0.05, "fail"),
        (5, -0.05, "fail"),
        (4, -0.05, "undecided"),
        (10, 0.0, "pass"),
        (10, -0.005, "pass"),
        (5, 0.05, "pass"),
        (4, 0.05, "undecided"),
    ],
)
def test_equal_differences_are_the_evidence_of_their_signs(
    folds: int, gain: float, outcome: str
) -> None:
    rows = [
        ("d", fold, name, 0.7 + 0.01 * fold + k * gain)
        for fold in range(folds)
        for k, name in enumerate(("old", "new"))
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "fold", "classifier", "score"])
    scores = bcompare.from_frame(frame)
    (verdict,) = (judged := bcompare.gate(scores, baseline="old")).verdicts
    assert (judged.outcome, verdict.withheld) == (outcome, None)
    p = (verdict.p.left, 1 - verdict.p.left)[gain > -0.01]
    assert p == pytest.approx(1 - 0.5**folds)
    better = bcompare.gate(scores, baseline="old", fail_if="not-better")
    assert better.outcome == ("pass" if gain > 0.01 and outcome == "pass" else "fail")


probability = st.floats(0, 1).map(lambda x: round(x**0.1, 6))  # most near 1
regions = st.tuples(probability, st.floats(0, 1)).map(
    lambda t: RegionProbabilities(t[0], (1 - t[0]) * (1 - t[1]), (1 - t[0]) * t[1])
)
claims = st.builds(
    Claim,
    regions,
    withheld=st.booleans(),
    main=st.booleans(),
    aim=st.booleans(),
    suspect=st.booleans(),
)
rules = st.builds(
    GateRule, st.sampled_from(NAMED), st.sampled_from([0.01, 0.05, 0.2]), each=st.booleans()
)


def worst(outcomes: Sequence[str]) -> str:
    return next(outcome for outcome in WORST_FIRST if outcome in outcomes)


@given(st.lists(claims, min_size=1, max_size=8), st.sampled_from([0.01, 0.05, 0.2]))
def test_what_fails_is_what_the_closed_test_rejects(found: list[Claim], alpha: float) -> None:
    """Holm's is the closed test by Bonferroni's: every group with the claim in it is rejected."""
    outcomes = judge(GateRule(alpha=alpha), found)
    known = range(len(found))
    doubts = [1.0 if c.withheld else 1 - c.contradicted for c in found]
    for k, outcome in enumerate(outcomes):
        others = [other for other in known if other != k]
        adjusted = max(
            min(doubts[j] for j in (k, *group)) * (1 + size)
            for size in range(len(others) + 1)
            for group in combinations(others, size)
        )
        if abs(adjusted - alpha) > 1e-9:
            assert (outcome == "fail") is (adjusted < alpha)


@given(rules, st.lists(claims, min_size=1, max_size=8))
def test_a_suspect_never_passes(rule: GateRule, found: list[Claim]) -> None:
    for outcome, own in zip(judge(rule, found), found, strict=True):
        if own.p.left > rule.prob:
            assert outcome != "pass"
        if own.suspect and not (own.main or own.withheld):
            assert outcome != "pass"
        if own.withheld:
            assert outcome == ("undecided" if own.main or own.p.left > rule.prob else "pass")


@pytest.mark.parametrize(
    ("by_runs", "by_rows", "left"),
    [(0.97, 0.9, 0.9), (0.97, 0.2, 0.5), (0.1, 0.4, 0.4), (0.2, 0.97, 0.5), (0.6, 0.99, 0.6)],
)
def test_of_runs_and_rows_the_less_certain_counts(
    by_runs: float, by_rows: float, left: float
) -> None:
    """Where one says worse and the other does not, neither is known."""
    one, other = (
        Claim(RegionProbabilities(p, (1 - p) / 2, (1 - p) / 2)) for p in (by_runs, by_rows)
    )
    assert less_certain(one, other).p.left == pytest.approx(left)


@given(rules, st.lists(claims, min_size=1, max_size=8), claims)
def test_one_more_claim_turns_no_other_but_a_failure_into_doubt(
    rule: GateRule, found: list[Claim], more: Claim
) -> None:
    """Each more claim makes the correction harder, so that a failure may turn into a suspect."""
    before, after = judge(rule, found), judge(rule, [*found, more])[:-1]
    for old, new in zip(before, after, strict=True):
        assert new == old or (old == "fail" and new == "undecided")
    assert (worst(before) == "pass") is (worst(after) == "pass")


@given(rules, st.lists(claims, min_size=1, max_size=8), st.randoms())
def test_the_order_of_claims_changes_nothing(
    rule: GateRule, found: list[Claim], random: Any
) -> None:
    order = list(range(len(found)))
    random.shuffle(order)
    outcomes = judge(rule, found)
    assert judge(rule, [found[k] for k in order]) == [outcomes[k] for k in order]


@given(rules, st.lists(claims, min_size=1, max_size=8), st.integers(0, 7), st.floats(0, 1))
def test_what_is_worse_by_itself_does_not_help(
    rule: GateRule, found: list[Claim], at: int, share: float
) -> None:
    at %= len(found)
    old = found[at]
    left = old.p.left + share * (1 - old.p.left)
    rest = (1 - left) / (1 - old.p.left) if old.p.left < 1 else 0.0
    p = RegionProbabilities(left, old.p.rope * rest, old.p.right * rest)
    changed = replace(old, p=p)
    if changed.contradicted < old.contradicted:  # by rounding only
        return
    before = judge(rule, found)
    after = judge(rule, [*found[:at], changed, *found[at + 1 :]])
    assert WORST_FIRST.index(worst(after)) <= WORST_FIRST.index(worst(before))


@pytest.mark.parametrize(
    ("fail_if", "own", "expected"),
    [
        ("worse", claim(0.02, 0.5), "pass"),
        ("worse", claim(0.5), "undecided"),
        ("worse", claim(0.02, 0.5, aim=True), "undecided"),  # neither better nor not
        ("worse", claim(0.02, 0.97, aim=True), "pass"),
        ("worse", claim(0.02, 0.01, aim=True), "fail"),  # shown not to be better
        ("worse", claim(0.02, 0.01, aim=True, main=False), "pass"),  # asked of the average only
        ("not-better", claim(0.02, 0.5), "fail"),
        ("not-better", claim(0.02, 0.97), "pass"),
        ("not-better", claim(0.02, 0.0, main=False), "pass"),
        ("not-better", claim(0.96, 0.0, main=False), "fail"),
        ("not-better-or-equivalent", claim(0.5), "fail"),
        ("not-better-or-equivalent", claim(0.02), "pass"),
        ("not-better-or-equivalent", claim(0.02, 0.5, aim=True), "fail"),
        ("worse", claim(0.99, withheld=True), "undecided"),
        ("worse", claim(0.0, withheld=True), "undecided"),
        ("worse", claim(0.0, withheld=True, main=False), "pass"),
        ("worse", claim(0.99, withheld=True, main=False), "undecided"),
    ],
)
def test_each_rule_and_kind_of_claim(fail_if: FailIf, own: Claim, expected: str) -> None:
    assert judge(GateRule(fail_if), [own]) == [expected]


def test_every_claim_counts() -> None:
    sure, unknown = claim(0.96, main=False), claim(0.99, main=False, withheld=True)
    assert judge(WORSE, [sure, unknown]) == ["undecided", "undecided"]
    assert judge(WORSE, [sure, claim(0.0, main=False)]) == ["undecided", "pass"]
    assert judge(WORSE, [sure, claim(0.0, main=False, exact=True)]) == ["undecided", "pass"]
    assert judge(WORSE, [unknown]) == ["undecided"]
    assert judge(WORSE, [claim(1.0, exact=True), claim(0.0, exact=True)]) == ["fail", "pass"]


def test_swapped_names_see_what_is_better() -> None:
    result = judge(WORSE, [c.mirrored() for c in [claim(0.0, 0.999), claim(0.0, 0.01)]])
    assert result == ["fail", "pass"]
    frame = suite({"d3": -0.1})
    worse = bcompare.gate(column(frame, "accuracy"), baseline="main")
    better = bcompare.gate(column(frame, "accuracy"), baseline="pr")
    assert (worse.outcome, better.outcome) == ("fail", "pass")
    search = surplus(10, effective_number(10, 0.1))
    for one, other in zip(worse.verdicts, better.verdicts, strict=True):
        # evidence for "worse" pays for the search for it, and that for "better" does not
        assert one.p.left == pytest.approx(other.p.right, abs=search)
        assert one.p.right == pytest.approx(other.p.left, abs=search)
        assert one.means == other.means[::-1]


def test_each_data_set_must_be_shown() -> None:
    frame = column(suite({}), "accuracy")
    wide = frame["score"].where(frame["dataset"] != "d3", frame["score"].round(1))
    noise = np.random.default_rng(1).normal(0, 0.03, len(frame))
    unclear = frame.assign(score=wide + noise * (frame["dataset"] == "d3"))
    rule: FailIf = "not-better-or-equivalent"
    assert bcompare.gate(unclear, baseline="main", fail_if=rule).outcome == "pass"
    strict = bcompare.gate(unclear, baseline="main", fail_if=rule, over="each")
    assert strict.outcome == "fail"
    assert [v.dataset for v in strict.verdicts if v.outcome == "fail"] == ["d3"]
    assert bcompare.gate(unclear, baseline="main", over="each").outcome == "undecided"
    assert bcompare.gate(frame, baseline="main", fail_if=rule, over="each").outcome == "pass"


@pytest.mark.usefixtures("one_population")
def test_the_next_data_set_may_be_fine_where_one_of_these_is_not() -> None:
    result = bcompare.gate(column(suite({"d3": -0.1}), "accuracy"), baseline="main", over="next")
    assert (result.outcome, result.exit_code) == ("undecided", 0)


def coarse(n: int, shift: float) -> pd.DataFrame:
    """Two data sets of n folds: on one all differ by `shift`, on the other there is no effect."""
    noise = [0.0001 * (k % 3 - 1) for k in range(n)]
    gains = {"coarse": [shift] * n, "fine": noise}
    rows = [
        (name, 1, k, who, 0.8 + 0.01 * k + gain * (who == "pr"))
        for name, own in gains.items()
        for k, gain in enumerate(own)
        for who in ("main", "pr")
    ]
    return pd.DataFrame(rows, columns=[*KEYS, "score"])


@pytest.mark.parametrize("n", [3, 5, 10])
@pytest.mark.parametrize("shift", [-0.05, 0.05])
def test_the_average_is_no_surer_than_the_equal_differences_that_carry_it(
    n: int, shift: float
) -> None:
    result = bcompare.gate(coarse(n, shift), baseline="main", fail_if="not-better")
    (average,) = [verdict for verdict in result.verdicts if verdict.dataset is None]
    probabilities = (average.p.left, average.p.rope, average.p.right)
    if shift < 0:
        # a little less, as the differences that vary are skewed
        assert 1 - 0.5**n - 0.001 < average.p.left < 1 - 0.5**n + 1e-4
    else:
        # of two data sets, of which one alone may be below the border
        assert average.p.right == pytest.approx(1 - 0.5 ** (2 * n / np.sqrt(2)), abs=1e-4)
    assert sum(probabilities) == pytest.approx(1)
    assert (average.outcome == "pass") == (average.p.right > 0.95)
    assert (bcompare.gate(coarse(n, shift), baseline="main").outcome == "fail") == (
        shift < 0 and n == 10
    )


def test_equal_losses_by_chance_on_many_data_sets_are_no_equivalence() -> None:
    rows = [
        (f"d{d}", 1, k, who, 0.8 + (0.0001 * k if d == 8 else -0.05) * (who == "pr"))
        for d in range(9)
        for k in range(3)
        for who in ("main", "pr")
    ]
    gate = bcompare.gate(pd.DataFrame(rows, columns=[*KEYS, "score"]), baseline="main")
    assert gate.outcome != "pass"


def sizes(*candidate: tuple[float, ...]) -> pd.DataFrame:
    """The sizes of a baseline, 100 everywhere, and of a candidate by data set and fold."""
    rows = [
        (f"d{d}", 1, fold, who, value if who == "pr" else 100.0)
        for d, own in enumerate(candidate)
        for fold, value in enumerate(own)
        for who in ("main", "pr")
    ]
    return pd.DataFrame(rows, columns=[*KEYS, "size_mb"])


@pytest.mark.parametrize("folds", [4, 5])
def test_no_evidence_depends_on_the_rows_of_another_data_set(folds: int) -> None:
    found = []
    for last in (100.0, 101.0):
        frame = sizes((200.0,) * folds, (*[100.0] * (folds - 1), last))
        scores = bcompare.from_frame(frame, score_col="size_mb", lower_is_better=True)
        gate = bcompare.gate({"size_mb: lower, 5%": scores}, baseline="main")
        found += [v for v in gate.verdicts if v.dataset == "d0"]
        assert gate.claims_beside(gate.verdicts[0]) == 3
    assert tuple(found[0].p) == tuple(found[1].p)
    assert found[0].outcome == found[1].outcome == ("fail" if folds == 5 else "pass")


def test_what_counts_is_shown_where_it_lies_on_the_other_side_of_a_level() -> None:
    scores = bcompare.read_scores("sample_data/results.csv", datasets=("two_hard",))
    gate = bcompare.gate(scores, baseline="knn", candidate="forest")
    counted = RegionProbabilities(0.051, 0.5, 0.449)
    for left, shown in ((0.049, "not worse 0.949"), (0.053, ""), (0.04, "not worse 0.949")):
        posterior = RegionProbabilities(left, 0.5, 0.5 - left)
        verdict = replace(gate.verdicts[0], p=counted, posterior=posterior)
        assert counts_as(gate, verdict) == shown
