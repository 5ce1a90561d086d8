"""A gate with a fixed value in place of a baseline."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import bcompare
from bcompare.data.rope import Rope
from bcompare.gating.monotone import NONE, Allowance, common_skewness, regions
from tests.gating.suites import column, suite


def answers(right: int, n: int) -> pd.DataFrame:
    scores = np.repeat([1, 0], [right, n - right])
    return pd.DataFrame({"item": np.arange(n), "classifier": "pr", "score": scores})


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize(("right", "n"), [(270, 300), (300, 300), (3, 12), (0, 40), (880, 1000)])
def test_items_have_exact_tails(right: int, n: int, lower: bool) -> None:
    frame, bar, rope = answers(right, n), 0.85, 0.01
    if lower:
        frame["score"] = 1 - frame["score"]
    scores = bcompare.from_items(frame, "item", fewest=1, lower_is_better=lower)
    (verdict,) = bcompare.gate(scores, bar=1 - bar if lower else bar, rope=rope).verdicts
    # the p-value of "not worse", and that of "worse", by the binomial tail at its border
    not_worse = stats.binom.cdf(right, n, bar - rope)
    worse = stats.binom.sf(right - 1, n, bar - rope)
    if verdict.p.left > 0.5:
        assert 1 - verdict.p.left == pytest.approx(not_worse, rel=1e-6, abs=1e-12)
    else:
        assert verdict.p.left == pytest.approx(worse, rel=1e-6, abs=1e-12)
    assert verdict.outcome == (
        "fail" if not_worse < 0.05 else "pass" if worse < 0.05 else "undecided"
    )


@pytest.mark.parametrize("unit", ["fold", "seed"])
def test_folds_and_seeds_are_compared_by_the_test_of_a_pair(unit: str) -> None:
    x = 0.86 + np.random.default_rng(3).normal(0, 0.02, 10)
    frame = pd.DataFrame({unit: np.arange(10), "dataset": "d", "classifier": "pr", "score": x})
    scores = bcompare.from_frame(frame, seed_col="seed" if unit == "seed" else None, fewest=1)
    (verdict,) = bcompare.gate(scores, bar=0.85).verdicts
    rho = 0.1 if unit == "fold" else 0.0
    rope, allowance = Rope.symmetric(0.01), Allowance(common_skewness([x - 0.85]))
    expected = regions(x - 0.85, rho, rope, allowance)
    assert verdict.p.left == pytest.approx(expected.left, rel=1e-6)
    assert verdict.p.right == pytest.approx(expected.right, rel=1e-6)
    assert verdict.means == pytest.approx((0.85, x.mean()))
    assert allowance != NONE


def test_a_few_graded_answers_do_not_hide_that_the_others_are_wrong() -> None:
    """They are skewed, and Hall's transformation leaves 0.92; but right they would not do."""
    frame = answers(2, 34)
    frame["score"] *= np.where(frame.index == 0, 0.04, 0.06)
    verdict = bcompare.gate(bcompare.from_items(frame, "item", fewest=1), bar=0.7).verdicts[0]
    assert (verdict.outcome, round(verdict.p.left, 6)) == ("fail", 1.0)


def test_repeated_answers_are_judged_by_their_means() -> None:
    right = np.random.default_rng(4).random((40, 3)) < 0.9
    rows = [(f"q{i}", k, "pr", float(right[i, k])) for i in range(40) for k in range(3)]
    frame = pd.DataFrame(rows, columns=["item", "epoch", "classifier", "score"])
    means = frame.groupby(["item", "classifier"], sort=False)["score"].mean().reset_index()
    of_each, of_means = (
        bcompare.gate(
            bcompare.from_items(table, "item", epoch=epoch, fewest=1, lower_is_better=False),
            bar=0.85,
        ).verdicts[0]
        for table, epoch in ((frame, "epoch"), (means, None))
    )
    assert tuple(of_each.p) == pytest.approx(tuple(of_means.p))
    assert of_each.means == pytest.approx((0.85, right.mean()))


@pytest.mark.parametrize("n", [20, 150])
def test_a_share_on_the_border_seldom_fails_and_seldom_passes(n: int) -> None:
    """All numbers of right items, with their probabilities."""
    border = 0.84
    outcomes = [
        bcompare.gate(bcompare.from_items(answers(k, n), "item", fewest=1), bar=0.85).outcome
        for k in range(n + 1)
    ]
    at = stats.binom.pmf(np.arange(n + 1), n, border)
    for outcome in ("fail", "pass"):
        assert at[[o == outcome for o in outcomes]].sum() <= 0.05


def test_a_classifier_called_bar_has_another_name() -> None:
    scores = bcompare.from_items(answers(30, 40).assign(classifier="bar"), "item", fewest=1)
    with pytest.raises(bcompare.InputError, match="rename it"):
        bcompare.gate(scores, bar=0.8)


@pytest.mark.parametrize("bar", ["0.7", float("nan"), None])
def test_a_bar_is_a_number(bar: Any) -> None:
    scores = bcompare.from_frame(column(suite({}), "accuracy"), fewest=1)
    with pytest.raises(bcompare.InputError, match=r"a bar is a number|which one is the baseline"):
        bcompare.gate(scores, bar=bar)


@pytest.mark.parametrize(("worse", "passes"), [(0.0, True), (0.2, False)])
def test_a_gate_is_true_if_it_passes(worse: float, passes: bool) -> None:
    frame = column(suite({}), "accuracy")
    frame.loc[frame["classifier"] != "main", "score"] -= worse
    gate = bcompare.gate(bcompare.from_frame(frame), baseline="main")
    assert bool(gate) is gate.passed is passes
