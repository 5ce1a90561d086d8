"""The mean score of each classifier, what changed, and what such a study would find."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import bcompare
from bcompare.comparing.compare import compare
from bcompare.methods.own_scores import own_scores
from bcompare.report.changed import changes_of
from tests.command import run
from tests.report.test_one_difference import ANSWERS, RESULTS, cells
from tests.results import write_lines


def test_means_and_errors_are_those_of_pandas_and_scipy() -> None:
    frame = pd.read_csv(RESULTS)
    own = own_scores(bcompare.from_frame(frame))
    means = frame.groupby(["dataset", "classifier"], sort=False)["score"].agg(["mean", "std"])
    for i, name in enumerate(own.datasets):
        expected = means.loc[name]
        assert np.allclose(own.mean[i], expected["mean"])
        assert np.allclose(own.error[i], expected["std"] * np.sqrt(1 / 100 + 0.1 / 0.9))
        half = stats.t.ppf(0.975, 99) * own.error[i]
        assert np.allclose(own.low[i], own.mean[i] - half)
        assert np.allclose(own.high[i], np.minimum(own.mean[i] + half, 1))
    each = means["mean"].unstack(sort=False)
    assert np.allclose(own.mean[-1], each.mean())
    assert np.allclose(own.error[-1], each.std() / np.sqrt(len(each)))
    assert (own.n[-1] == 25).all()


def test_right_and_wrong_answers_have_wilsons_interval() -> None:
    frame = pd.read_csv(ANSWERS)
    scores = bcompare.from_frame(
        frame, item_col="question", classifier_col="model", score_col="correct"
    )
    own = own_scores(scores)
    for k, name in enumerate(scores.classifiers):
        right = int(frame.loc[frame["model"] == name, "correct"].sum())
        known = stats.binomtest(right, 500).proportion_ci(method="wilson")
        assert (own.low[0, k], own.high[0, k]) == pytest.approx((known.low, known.high))


def test_scores_of_items_above_1_have_students_interval() -> None:
    x = 1.2 + 0.1 * np.random.default_rng(3).random((20, 2))
    rows = [(f"q{i}", "ab"[k], x[i, k]) for i in range(20) for k in range(2)]
    frame = pd.DataFrame(rows, columns=["item", "classifier", "score"])
    own = own_scores(bcompare.from_items(frame, "item", lower_is_better=True))
    half = stats.t.ppf(0.975, 19) * x.std(axis=0, ddof=1) / np.sqrt(20)
    assert own.low[0] == pytest.approx(x.mean(axis=0) - half)


def test_losses_keep_their_sign() -> None:
    frame = pd.read_csv(RESULTS).query("dataset == 'two_hard'")
    scores = bcompare.from_frame(frame.assign(score=1 - frame["score"]), lower_is_better=True)
    own, of_gains = own_scores(scores), own_scores(bcompare.from_frame(frame))
    assert np.allclose(own.mean, 1 - of_gains.mean)
    assert np.allclose(own.low, 1 - of_gains.high)
    out = run("check", RESULTS, "--dataset", "two_hard", "--scores", "--format", "markdown").out
    (best,) = re.findall(r"\*\*([\d.]+)\*\*", out)
    assert float(best) == pytest.approx(of_gains.mean.max(), abs=1e-3)


def test_changes_of_clusters_are_named_after_them() -> None:
    frame = pd.DataFrame(
        {
            "item": [f"q{i}" for i in range(12)] * 2,
            "passage": [f"p{i // 3}" for i in range(12)] * 2,
            "classifier": ["a"] * 12 + ["b"] * 12,
            "score": [0.5] * 12 + [0.5] * 9 + [0.9, 0.5, 0.5],
        }
    )
    scores = bcompare.from_items(frame, "item", cluster="passage")
    (pair,) = compare(scores, "ttest").comparisons
    (change,) = changes_of(pair, scores)
    assert (change.item, change.left) == ("p3", 0.5)
    assert change.gain == pytest.approx(0.4 / 3)


def test_a_relative_rope_says_what_is_geometric(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    rows = ["dataset,run,fold,classifier,time"]
    for fold in range(20):
        for name, size in (("old", 100.0), ("new", 110.0)):
            rows.append(f"d,1,{fold},{name},{size * rng.lognormal(0, 0.4):.4f}")
    path = write_lines(tmp_path / "r.csv", *rows)
    options = ("--baseline", "old", "--metric", "time: lower, 5%", "--rho", "0")
    frame = pd.read_csv(path)
    mean = frame.groupby("classifier")["time"].mean()
    geometric = np.exp(np.log(frame["time"]).groupby(frame["classifier"]).mean())
    arithmetic, ratio = (f"{100 * (x['new'] / x['old'] - 1):+.1f} %" for x in (mean, geometric))
    assert arithmetic != ratio
    document = json.loads(run("gate", path, *options, "--format", "json").out)
    (verdict,) = document["verdicts"]
    (row,) = cells(run("gate", path, *options, "--format", "markdown").out)
    assert row["change"] == arithmetic
    (metric,) = document["metrics"]
    assert metric["comparisons"][0]["verdict"] == verdict["sentence"]
