"""Several metrics in one decision: what they say, and their ropes."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import bcompare
from bcompare.data.scores import Scores
from bcompare.gating.metrics import Metric
from bcompare.gating.rule import NAMED, FailIf
from bcompare.gating.self_check import self_check
from bcompare.methods.correlated_t import CorrelatedT
from bcompare.methods.student import NormalGamma
from tests.examples import scores_from
from tests.gating.suites import column, suite

TIME = "fit_time: lower, 5%"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("accuracy", Metric("accuracy")),
        (" f1 : better ", Metric("f1", aim=True)),
        ("fit_time: lower, 5%", Metric("fit_time", lower=True, relative=0.05)),
        ("auc: higher, 0.01, better", Metric("auc", lower=False, rope=0.01, aim=True)),
        ("loss: 0", Metric("loss", rope=0.0)),
        ("loss: 1e-3,", Metric("loss", rope=0.001)),
        ("t: 0.5%", Metric("t", relative=0.005)),
        ("acc: lower, lower", Metric("acc", lower=True)),
        ("size: lower, 2%, advisory", Metric("size", lower=True, relative=0.02, advisory=True)),
    ],
)
def test_what_a_metric_asks(text: str, expected: Metric) -> None:
    assert Metric.parse(text) == expected


@pytest.mark.parametrize(
    "name",
    [
        "fit_time",
        "val_loss",
        "log loss",
        "test.rmse",
        "latency",
        "classif.ce",
        "regr.rmse",
        "log_loss",
        "test error",
        "logloss",
        "runtime",
        "trainTime",
        "fit_time (s)",
        "valloss",
        "MSE",
        "CrossEntropyLoss",
        "error_rate",
        "brier_score",
        "time_to_first_token",
        "cost",
        "wer",
    ],
)
def test_names_of_losses_are_known(name: str) -> None:
    assert Metric(name).less_is_better
    assert not Metric(name, lower=False).less_is_better


@pytest.mark.parametrize("name", ["fit_s", "p50_ms", "model size", "RAM", "cost_usd", "emissions"])
def test_units_of_time_and_cost_are_known(name: str) -> None:
    assert Metric(name).less_is_better


@pytest.mark.parametrize(
    "name", ["F1", "neg_log_loss", "neg_mean_squared_error", "score", "test_auc", "pass@1"]
)
def test_names_of_gains_are_no_losses(name: str) -> None:
    assert not Metric(name).less_is_better


# Names that lie, or that nobody can know.
UNKNOWN = """
    time_accuracy lossless blah images_per_s p50
    hallucination_rate failure_rate crash_rate miss_rate attack_success_rate
    kl aic defects p99 error_score hallucination_score fid_score neg_class_error
    brier_skill_score rmse_skill time_to_failure lifetime time_saved cost_savings memory_bandwidth
    error_free_rate errors_fixed effect_size sample_size 1-error negative_samples_loss value result
    tokens/s img/s MB/s req/s tokens_sec images_second iops_s battery_hours uptime_hours mtbf_hours
    survival_time time_between_failures jailbreak_success mia_auc adversarial_accuracy
    attack_success privacy_leak_acc accuracy_ms hours my_metric_error weight_loss
"""


@pytest.mark.parametrize("name", UNKNOWN.split())
def test_a_name_without_a_direction_is_refused(name: str) -> None:
    with pytest.raises(bcompare.InputError, match="the name does not say which scores are better"):
        assert Metric(name).less_is_better


def test_a_direction_is_given() -> None:
    frame = column(suite({}, slower=1.12), "fit_time")
    with pytest.raises(bcompare.InputError, match="the name does not say"):
        bcompare.gate({"blah: 5%": frame}, baseline="main")
    assert bcompare.gate({"blah: lower, 5%": frame}, baseline="main").outcome == "fail"


@pytest.mark.parametrize(
    ("spec", "says"),
    [("score: higher, lower", "both lower and higher"), ("score: 1%, 0.02", "two ropes")],
)
def test_contradictions_are_refused(spec: str, says: str) -> None:
    with pytest.raises(bcompare.InputError, match=says):
        Metric.parse(spec)


def test_a_relative_rope_is_one_of_the_baselines_mean() -> None:
    """At either border the candidate is compared with so much more, or less, of the baseline."""
    frame = column(suite({}, slower=1.04), "fit_time")
    result = bcompare.gate({TIME: frame}, baseline="main")
    is_main = frame["classifier"] == "main"
    mean = frame[is_main].groupby("dataset")["score"].mean()
    shares = frame["score"] / frame["dataset"].map(mean)
    at_borders = {}
    for border in (0.05, -0.05):
        moved = frame.assign(score=shares * np.where(is_main, 1 + border, 1))
        gate = bcompare.gate({"fit_time: lower, 0": moved}, baseline="main")
        at_borders[border] = {v.dataset: v.p for v in gate.verdicts}
    for verdict in result.verdicts:
        worse, better = at_borders[0.05][verdict.dataset], at_borders[-0.05][verdict.dataset]
        assert verdict.p.left == pytest.approx(worse.left, rel=1e-9)
        assert verdict.p.right == pytest.approx(better.right, rel=1e-9)
        assert 0.001 < verdict.p.left < 0.999
        own = frame if verdict.dataset is None else frame[frame["dataset"] == verdict.dataset]
        ratios = shares[own.index].groupby(own["classifier"]).mean()
        assert verdict.mean_difference == pytest.approx(ratios["main"] - ratios["pr"])
        for who, mean_score in zip(("main", "pr"), verdict.means, strict=True):
            scores = own["score"][own["classifier"] == who]
            assert mean_score == pytest.approx(scores.mean())  # as a dashboard has it


def test_a_rope_in_per_cent_needs_a_mean_above_0() -> None:
    frame = column(suite({}), "fit_time")
    frame.loc[frame.index[50], "score"] = 0.0  # a score like others
    assert bcompare.gate({"cost: 5%": frame}, baseline="main").verdicts
    frame.loc[frame["dataset"] == "d2", "score"] -= 100.0
    with pytest.raises(bcompare.InputError, match=r"d2: the baseline's mean is -\d+\.\d+, and"):
        bcompare.gate({"cost: 5%": frame}, baseline="main")
    answers = pd.DataFrame({"item": [0, 1, 2, 3] * 2, "classifier": ["a"] * 4 + ["b"] * 4})
    scores = bcompare.from_items(answers.assign(score=[1, 1, 1, 0] * 2), "item", baseline="a")
    with pytest.raises(bcompare.InputError, match="right or wrong have no rope in per cent"):
        bcompare.gate({"accuracy: 5%": scores}, baseline="a")


@pytest.mark.parametrize("name", ["fit_time: lower, 5%", "fit_time: 5%"])
def test_slower_is_worse_however_the_scores_were_read(name: str) -> None:
    frame = column(suite({}, slower=1.12), "fit_time")
    outcomes = {
        bcompare.gate({name: scores}, baseline="main").outcome
        for scores in (
            frame,
            bcompare.from_frame(frame),
            bcompare.from_frame(frame, lower_is_better=True),
        )
    }
    assert outcomes == {"fail"}
    assert bcompare.gate({name: frame}, baseline="pr").outcome == "pass"
    assert bcompare.gate({"fit_time: higher, 5%": frame}, baseline="main").outcome == "pass"


def test_scores_that_were_read_the_other_way_round_are_refused() -> None:
    scores = bcompare.from_frame(column(suite({}), "accuracy"), lower_is_better=True)
    for spec in ("accuracy: higher", "accuracy"):
        with pytest.raises(bcompare.InputError, match=r"metric accuracy: higher is better, and"):
            bcompare.gate({spec: scores}, baseline="main")
    assert bcompare.gate({"accuracy: lower, 0.01": scores}, baseline="main").outcome == "pass"
    assert (
        bcompare.gate({"thing: 0.01": scores}, baseline="main").metrics[0].less_is_better
    )  # as it was read


def test_the_same_metric_twice_and_none_are_refused() -> None:
    frame = column(suite({}), "accuracy")
    with pytest.raises(bcompare.InputError):
        Metric.parse("")
    with pytest.raises(bcompare.InputError):
        bcompare.gate({"f1": frame, "f1: better": frame}, baseline="main")
    with pytest.raises(bcompare.InputError, match="no metric is named"):
        bcompare.gate({}, baseline="main")


@pytest.mark.parametrize(("gain", "outcome"), [(0.05, "pass"), (0.0, "fail"), (-0.05, "fail")])
def test_an_aim_must_be_met(gain: float, outcome: str) -> None:
    frame = suite(dict.fromkeys((f"d{k}" for k in range(6)), gain))
    metrics = {"accuracy: better": column(frame, "accuracy"), TIME: column(frame, "fit_time")}
    result = bcompare.gate(metrics, baseline="main")
    assert result.outcome == outcome
    assert {v.outcome for v in result.verdicts if v.metric == "fit_time"} == {"pass"}


def again(drift: float, seed: int) -> Scores:
    """Six runs of one classifier on four data sets, each off by its own amount."""
    rng = np.random.default_rng(seed)
    tables = [0.7 + rng.normal(0, drift, (6, 1)) + rng.normal(0, 0.01, (6, 10)) for _ in range(4)]
    named = {f"d{k}": table.reshape(-1, 1) for k, table in enumerate(tables)}
    return scores_from(named, ("main",), runs=6)


STEADY, DRIFTING = again(0.0, 1), again(0.1, 4)


@pytest.fixture
def few_splits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bcompare.gating.self_check.MOST_SPLITS", 40)


@pytest.mark.long
@pytest.mark.usefixtures("few_splits")
def test_a_self_check_judges_all_metrics_together() -> None:
    fine = self_check({"accuracy": STEADY, "f1: better": again(0.0, 3)})
    assert fine.passed  # a baseline need not be better than itself
    assert (fine.worse, fine.better) == (0.0, 0.0)
    alone = self_check(DRIFTING)
    assert not alone.passed
    for metrics in ({"accuracy": STEADY, "f1": DRIFTING}, {"accuracy": DRIFTING, "f1": STEADY}):
        result = self_check(metrics)
        assert not result.passed
        assert 0.05 < result.worse <= alone.worse  # more claims, so a harder correction


@pytest.mark.usefixtures("few_splits")
@pytest.mark.parametrize("fail_if", NAMED)
def test_a_self_check_counts_false_alarms_under_every_rule(fail_if: FailIf) -> None:
    assert self_check(STEADY, fail_if=fail_if).passed
    assert not self_check(DRIFTING, fail_if=fail_if).passed


@pytest.mark.usefixtures("few_splits")
def test_a_self_check_of_the_next_data_set_judges_all_metrics() -> None:
    options: dict[str, Any] = {"test": "signrank", "alpha": 0.2}
    steady = self_check(STEADY, **options)
    assert (steady.worse, steady.better) == (0.0, 0.0)
    for metrics in ({"accuracy": STEADY, "f1": DRIFTING}, {"accuracy": DRIFTING, "f1": STEADY}):
        assert self_check(metrics, **options).worse > 0.05


@pytest.mark.usefixtures("few_splits")
def test_a_self_check_judges_by_the_tests_own_prior() -> None:
    sure_of_a_loss = CorrelatedT(NormalGamma(mean=-0.2, k0=1e-6, a=5, b=1e-4))
    result = self_check(STEADY, test=sure_of_a_loss)
    assert not result.passed
    assert result.worse == 1.0
