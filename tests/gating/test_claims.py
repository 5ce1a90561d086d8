"""The steps from which the claims of a gate are made, one by one."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import bcompare
from bcompare.basis.messages import InputError
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import RUN
from bcompare.gating.claims import (
    MOST_CHOSEN,
    _exactly_where,
    _may_be_rounded,
    _nearer_to_half,
    _some_of,
    bundled,
    by_number,
    regions_of_answers,
    suite_claims,
    with_regions,
)
from bcompare.gating.monotone import Allowance, common_skewness, regions
from bcompare.gating.rule import Bundle, Claim, FailIf, GateRule, judge

SURE = RegionProbabilities(0.98, 0.01, 0.01)
ROPE = Rope.of(0.01)


def test_a_rule_takes_levels_up_to_a_half() -> None:
    assert GateRule(alpha=0.5).prob == 0.5
    for alpha in (0.0, 0.51, 1.0):
        with pytest.raises(InputError, match="give a number above 0 and at most"):
            GateRule(alpha=alpha)


@pytest.mark.parametrize(
    ("fail_if", "claims", "doubt"),
    [("worse", 1, False), ("worse", 3, True), ("not-better", 3, False)],
)
def test_more_data_could_change_what_only_the_number_of_claims_leaves_open(
    fail_if: FailIf, claims: int, doubt: bool
) -> None:
    rule = GateRule(fail_if=fail_if)
    assert rule.in_doubt(RegionProbabilities(0.96, 0.03, 0.01), claims) is doubt


def test_claims_of_one_bundle_share_their_errors() -> None:
    alike = Bundle(dof=8, correlation=0.999)
    p = RegionProbabilities(0.965, 0.02, 0.015)
    apart = [Claim(p), *(Claim(p, main=False) for _ in range(3))]
    together = [Claim(p, bundle=alike), *(Claim(p, main=False, bundle=alike) for _ in range(3))]
    assert "fail" not in judge(GateRule(), apart)
    assert judge(GateRule(), together)[0] == "fail"
    others = [Claim(p, bundle=Bundle(8, 0.999)) for _ in range(4)]
    assert "fail" not in judge(GateRule(), others)


def test_runs_on_several_data_sets_are_one_bundle() -> None:
    rows = np.random.default_rng(1).normal(0, 1, (3, 6))
    runs = SufficientStatistics.from_differences(list(rows), 0.0)
    own = [Claim(SURE), Claim(SURE, main=False), Claim(SURE, main=False)]
    assert [claim.bundle for claim in bundled(own, runs)] == [None] * 3  # rows are folds
    of_runs = bcompare.SufficientStatistics(
        runs.names, runs.n, runs.mean, runs.ss, runs.rho, runs.binary, RUN, runs.source
    )
    (bundle,) = {id(claim.bundle): claim.bundle for claim in bundled(own, of_runs)}.values()
    assert bundle is not None
    assert bundle.dof == 5
    assert [claim.bundle for claim in bundled(own[:1], of_runs)] == [None]


def test_regions_replace_those_of_claims_from_the_end() -> None:
    claims = [Claim(SURE, withheld="few"), Claim(SURE, posterior=SURE)]
    parts = [RegionProbabilities(float(k), 0.0, 0.0) for k in range(3)]
    replaced = with_regions(parts, claims)
    assert [(c.p.left, c.withheld, c.exact) for c in replaced] == [
        (1, None, False),
        (2, None, False),
    ]
    some = with_regions(parts, claims, np.array([False, False, True]))
    assert [(c.p.left, c.exact) for c in some] == [(0.98, False), (2, True)]
    assert some[0].withheld == "few"
    assert some[1].posterior is None


@pytest.mark.parametrize(
    ("one", "other", "nearer"),
    [(0.6, 0.8, 0.6), (0.8, 0.6, 0.6), (0.2, 0.4, 0.4), (0.3, 0.8, 0.5), (0.5, 0.9, 0.5)],
)
def test_the_less_sure_side(one: float, other: float, nearer: float) -> None:
    assert _nearer_to_half(one, other) == nearer


def test_some_data_sets_are_chosen_in_every_way_if_they_are_few() -> None:
    assert [*_some_of([])] == []
    assert [*_some_of([3])] == []  # all are not some
    assert [*_some_of([1, 2, 5])] == [(1,), (2,), (5,), (1, 2), (1, 5), (2, 5)]
    assert len([*_some_of(range(MOST_CHOSEN))]) == 2**MOST_CHOSEN - 2
    assert [*_some_of(range(MOST_CHOSEN + 1))] == [(k,) for k in range(MOST_CHOSEN + 1)]


def test_numbers_are_compared_without_doubt() -> None:
    means = np.array([[0.5, 0.51], [0.5, 0.52], [0.5, 0.48]])  # as the rope, better, worse
    found = [(p.left, p.rope, p.right) for p in by_number(means, ROPE)]
    assert found == [(0, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)]
    large = np.array([[1e9, 1e9 + 1e-4]])
    assert [p.rope for p in by_number(large, Rope(0.0, 0.0))] == [1, 1]  # they differ by rounding


def test_answers_are_rounded_where_they_are_between_right_and_wrong() -> None:
    assert _may_be_rounded(np.array([0.0, 0.25, 1.0]))
    assert _may_be_rounded(np.array([0.0, -0.25, -1.0]))
    assert not _may_be_rounded(np.array([0.0, 0.5, 1.5]))
    assert not _may_be_rounded(np.array([-0.5, 0.5]))


@pytest.mark.parametrize("right", [37, 23])
def test_a_bar_is_met_by_the_tails_of_clopper_and_pearson(right: int) -> None:
    answers = np.repeat([1.0, 0.0], [right, 50 - right])
    scores = bcompare.compare_arrays(np.full(50, 0.6), answers, "items").scores
    average, alone = regions_of_answers([answers], 0.6, scores, Rope(0.0, 0.0))
    if right > 30:  # the lower end of the interval, as if one more were wrong
        below = stats.beta.cdf(0.6, right, 51 - right)
    else:  # the upper end, as if one more were right
        below = stats.beta.cdf(0.6, right + 1, 50 - right)
    for p in (average, alone):
        assert (p.left, p.rope, p.right) == pytest.approx((below, 0.0, 1 - below))


@pytest.mark.parametrize(
    ("base", "own", "exact"),
    [
        ([1.5] * 5, [1.4] * 5, True),
        ([1.5] * 4, [1.4] * 4, False),  # equal by chance
        ([1.5] * 5, [1.4] * 4 + [1.5], False),
        ([1.5] * 4 + [1.4], [1.4] * 5, False),
        ([1.4] + [1.5] * 4, [1.4] * 5, False),
        ([1.0] * 5, [0.0] * 5, False),  # right or wrong
        ([1.0] * 5, [0.5] * 5, True),
    ],
)
def test_seeds_that_never_vary_are_two_numbers(
    base: list[float], own: list[float], exact: bool
) -> None:
    n = len(base)
    frame = pd.DataFrame(
        {
            "seed": [*range(n)] * 2,
            "classifier": ["main"] * n + ["pr"] * n,
            "score": [*base, *own],
        }
    )
    scores = bcompare.from_frame(frame, seed_col="seed")
    (verdict,) = bcompare.gate(scores, baseline="main", rope=0.01).verdicts
    assert verdict.exact == exact


def test_by_a_relative_rope_one_is_a_number_like_any_other() -> None:
    frame = pd.DataFrame(
        {"seed": [*range(5)] * 2, "classifier": ["main"] * 5 + ["pr"] * 5, "score": 1.0}
    )
    scores = bcompare.from_frame(frame, seed_col="seed", lower_is_better=True)
    (verdict,) = bcompare.gate({"size_kb: 5%": scores}, baseline="main").verdicts
    assert verdict.exact
    assert verdict.p.rope == 1


def items(**answers: FloatArray) -> bcompare.Scores:
    """Answers of models to the same items."""
    frames = [
        pd.DataFrame({"item": np.arange(len(values)), "classifier": name, "score": values})
        for name, values in answers.items()
    ]
    alike = dict.fromkeys(answers, 1.0)
    return bcompare.from_items(pd.concat(frames), "item", fewest=1, scale=alike)


def test_against_a_bar_many_graded_answers_count_as_they_are() -> None:
    answers = np.random.default_rng(2).uniform(0.5, 1, 200)
    (verdict,) = bcompare.gate(items(pr=answers), bar=0.73, rope=0.01).verdicts
    allowance = Allowance(common_skewness([answers - 0.73]))
    expected = regions(answers - 0.73, 0.0, ROPE, allowance)
    assert tuple(verdict.p) == pytest.approx(tuple(expected))


ALL_RIGHT = np.ones(30)
HALF = np.repeat([1.0, 0.0], 15)
# Answers of which a few are nearly right, where Student's t would be sure.
NEARLY = np.where(np.arange(30) < 4, [0.9, 0.95, 0.9, 0.92] + [0.0] * 26, ALL_RIGHT)


@pytest.mark.parametrize(
    ("main", "pr"),
    [(NEARLY, ALL_RIGHT), (ALL_RIGHT, NEARLY), (NEARLY * HALF, HALF), (HALF, NEARLY * HALF)],
)
def test_answers_show_no_more_than_if_they_were_rounded(main: FloatArray, pr: FloatArray) -> None:
    rope = 0.001

    def rounded(base: FloatArray, candidate: FloatArray) -> RegionProbabilities[float]:
        scores = items(main=base, pr=candidate)
        return bcompare.gate(scores, baseline="main", rope=rope).verdicts[0].p

    shown = rounded(main, pr)
    for_it = rounded(np.floor(main), np.ceil(pr))
    against_it = rounded(np.ceil(main), np.floor(pr))
    assert for_it.left - 1e-9 <= shown.left <= against_it.left + 1e-9
    assert against_it.right - 1e-9 <= shown.right <= for_it.right + 1e-9
    # the bound is what counts here: by Student's t it would be surer
    t = stats.ttest_rel(pr, main)
    surer = stats.t.cdf(abs(t.statistic), t.df)
    assert max(shown.left, shown.right) < surer - 0.01


def three_data_sets() -> bcompare.Scores:
    """Ten folds of main and pr on three data sets, on two of which pr is better."""
    rng = np.random.default_rng(4)
    rows = []
    for dataset, gain in (("x", 0.03), ("y", 0.02), ("z", -0.01)):
        for fold in range(10):
            level = rng.uniform(0.7, 0.8)
            rows.append((dataset, fold, "main", level))
            rows.append((dataset, fold, "pr", level + gain + rng.normal(0, 0.01)))
    frame = pd.DataFrame(rows, columns=["dataset", "fold", "classifier", "score"])
    return bcompare.from_frame(frame)


@pytest.mark.parametrize("test", ["signrank", "poisson"])
def test_a_test_of_all_data_sets_together_makes_one_claim_of_its_answer(test: str) -> None:
    scores = three_data_sets()
    (pair,) = bcompare.compare(scores, test, rope=0.01).comparisons
    (verdict,) = bcompare.gate(scores, baseline="main", rope=0.01, test=test).verdicts
    assert pair.result.regions is not None
    assert tuple(verdict.p) == pytest.approx(tuple(pair.result.regions))


def test_a_bar_is_for_the_average_unless_each_data_set_is_asked_about() -> None:
    def judged(**options: Any) -> list[str | None]:
        gate = bcompare.gate(three_data_sets(), bar=0.7, candidate="pr", rope=0.01, **options)
        return [verdict.dataset for verdict in gate.verdicts]

    assert judged() == [None]
    assert judged(over="each") == [None, "x", "y", "z"]


def test_the_same_answers_make_the_same_claims_wherever_some_are_right_or_wrong() -> None:
    rng = np.random.default_rng(5)
    rows = []
    for item in range(40):
        for who in ("main", "pr"):
            rows.append(("x", item, who, float(rng.random() < 0.7)))
            rows.append(("y", item, who, rng.uniform(0.2, 0.9)))
    frame = pd.DataFrame(rows, columns=["dataset", "item", "classifier", "score"])
    study = bcompare.compare(bcompare.from_items(frame, "item"), "ttest", rope=ROPE)
    (pair,) = study.comparisons
    statistics = pair.differences.statistics
    assert statistics.binary.tolist() == [True, False]
    expected = suite_claims(statistics, pair.result, ROPE, "ttest", GateRule())
    differences = [statistics.differences(0), statistics.differences(1)]
    found = _exactly_where(differences, [True, False], study, GateRule(), ROPE)
    assert [tuple(p) for p in found] == [pytest.approx(tuple(claim.p)) for claim in expected]
