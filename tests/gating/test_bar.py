"""A gate with a fixed value in place of a baseline."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import bcompare
from bcompare.data.rope import Rope
from bcompare.gating.monotone import NONE, Allowance, common_skewness, regions
from tests.command import refused, run


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


def test_the_settings_name_what_judges_answers() -> None:
    graded = answers(30, 40).assign(score=0.9)
    graded.loc[0, "score"] = 0.8
    cases = ((answers(30, 40), 0.75, "Clopper and Pearson"), (graded, 0.907, "paired t-test"))
    for frame, bar, named in cases:  # undecided, so that the settings are shown
        scores = bcompare.from_items(frame, "item", fewest=1, lower_is_better=False)
        assert named in bcompare.as_text(bcompare.gate(scores, bar=bar))


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


@pytest.mark.slow
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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        [
            (d, fold, level + rng.normal(0, 0.002), 100 + rng.normal(0, 0.5))
            for d, level in (("easy", 0.95), ("hard", 0.8))
            for fold in range(10)
        ],
        columns=["dataset", "fold", "accuracy", "p50_ms"],
    )
    frame.to_csv(tmp_path / "pr.csv", index=False)
    return tmp_path


def test_the_bar_is_for_the_average_of_several_data_sets(folder: Path) -> None:
    judged = ("gate", folder / "pr.csv", "--metric", "accuracy")
    passed = run(*judged, "--bar", "0.88").out
    assert passed.startswith("passed: pr is within the rope of 0.88 in accuracy on average (")
    each = run(*judged, "--bar", "0.88", "--over", "each")
    assert each.code == 4
    assert "failed: pr is below 0.88 in accuracy on hard" in each.out
    assert " against bar 0.88\n" in each.out
    document = json.loads(run(*judged, "--bar", "0.9", "--format", "json").out)
    assert document["metrics"][0]["bar"] == 0.9
    assert document["verdicts"][0]["baseline_mean"] == pytest.approx(0.9)
    assert document["exit_code"] == 4


def test_of_several_metrics_each_has_its_own_bar(folder: Path) -> None:
    judged = ("gate", folder / "pr.csv", "--metric", "accuracy: bar 0.85", "--metric")
    passed = run(*judged, "p50_ms: bar 102, 1%")
    assert passed.code == 0
    assert "pr is below 102 in p50_ms on average (" in passed.out
    failed = run(*judged, "p50_ms: bar 90, 1%")
    assert failed.code == 4
    assert "pr is above 90 in p50_ms on average (" in failed.out
    assert " against bars 0.85, 90\n" in failed.out
    assert "metric p50_ms has no bar" in refused(run(*judged, "p50_ms: 5%"))
    assert "a bar is a number" in refused(run(*judged, "p50_ms: bar high"))
    assert "of several give each its own" in refused(run(*judged, "p50_ms", "--bar", "0.85"))


def test_what_a_bar_does_not_go_with(folder: Path) -> None:
    judged = ("gate", folder / "pr.csv", "--metric", "accuracy", "--bar")
    assert "leave out --baseline" in refused(run(*judged, "0.8", "--baseline", "pr"))
    assert "--scale accuracy:pr=100" in refused(run(*judged, "85"))
    barred = ("--metric", "accuracy: bar 0.8")
    refused(run("self-check", folder / "pr.csv", *barred))
    named = pd.read_csv(folder / "pr.csv").assign(classifier="bar")
    with pytest.raises(bcompare.InputError, match="rename it"):
        bcompare.gate(bcompare.from_frame(named, score_col="accuracy", fewest=1), bar=0.8)


def test_a_demand_that_is_not_met_says_so(folder: Path) -> None:
    said = run(
        *("gate", folder / "pr.csv", "--metric", "accuracy", "--bar", "0.87"),
        *("--fail-if", "not-better", "--rope=-0.01,0.02"),
    )
    assert said.code == 4
    assert "pr is not shown to be above 0.87 in accuracy on average: " in said.out
