"""Nothing that makes a candidate worse may help it."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import bcompare
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import ITEM
from bcompare.gating.rule import FailIf
from bcompare.methods.paired_binary import CAUTIOUS, PairedBinaryPosterior
from tests.command import refused, run
from tests.results import write_lines

KEYS = ["dataset", "run", "fold"]


def folds(
    path: Path, level: float, *, factor: float = 1.0, k: int = 10, seed: int = 0, **columns: object
) -> Path:
    """Write the scores of one classifier: three data sets, k folds."""
    rng = np.random.default_rng(seed)
    rows = [
        {
            "dataset": f"d{d}",
            "run": 1,
            "fold": fold,
            **columns,
            "score": round(factor * (level + 0.004 * rng.normal()), 6),
        }
        for d in range(3)
        for fold in range(k)
    ]
    pd.DataFrame(rows).to_csv(path, index=False)
    return path


def test_fewer_answers_to_some_items_are_a_gap(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    rows = [
        (item, epoch, who, int(rng.random() < 0.6))
        for item in range(60)
        for epoch in range(9)
        for who in ("main", "pr")
    ]
    frame = pd.DataFrame(rows, columns=["item", "epoch", "classifier", "score"])
    columns: Any = {"item_col": "item", "epoch_col": "epoch"}
    assert bcompare.gate(
        bcompare.from_frame(frame, baseline="main", **columns), baseline="main"
    ).outcome
    wrong = frame[(frame["classifier"] == "pr") & (frame["score"] == 0)].index[:20]
    for how in ("mean", "pass@2"):
        lacking = frame.drop(index=wrong)
        with pytest.raises(bcompare.InputError, match="without a score: pr 20"):
            bcompare.from_frame(lacking, epochs=how, baseline="main", **columns)
        with pytest.raises(bcompare.InputError, match="without a score: pr 20"):
            bcompare.from_frame(lacking, epochs=how, **columns)
    half = frame[(frame["classifier"] == "pr") | (frame["epoch"] < 2)]
    scores = bcompare.from_frame(half, baseline="main", **columns)
    assert bcompare.gate(scores, baseline="main").outcome
    assert scores.account.used == 2 * 2 * 60  # further answers of pr decide nothing


def test_the_exit_code_outlives_the_reader_of_the_output(tmp_path: Path) -> None:
    main, pr = folds(tmp_path / "m.csv", 0.8), folds(tmp_path / "p.csv", 0.7)
    for form in ("table", "json"):
        command = f"{sys.executable} -m bcompare gate main={main} pr={pr} --format {form}"
        script = f"set -o pipefail; {command} -o - -o {tmp_path}/v.xml 2>/dev/null | true"
        if form != "table":
            script = script.replace(f" -o - -o {tmp_path}/v.xml", "")
        done = subprocess.run(["bash", "-c", script], check=False)
        assert done.returncode == 4
    assert "failure" in (tmp_path / "v.xml").read_text()


@pytest.mark.parametrize(("n", "losses"), [(300, 1), (1_000, 1), (100_000, 60)])
def test_few_discordant_items_have_exact_tails(n: int, losses: int) -> None:
    frame = pd.DataFrame(
        {
            "item": [*range(n)] * 2,
            "classifier": ["a"] * n + ["b"] * n,
            "score": [1] * n + [0] * losses + [1] * (n - losses),
        }
    )
    scores = bcompare.from_frame(frame, item_col="item")
    rope = 0.01 if n < 10_000 else 0.0005
    (claim,) = bcompare.gate(scores, baseline="a", rope=rope).verdicts
    if losses / n < rope:
        # without wins it is as probable as so few losses are at the border
        assert claim.p.left == pytest.approx(stats.binom.cdf(losses, n, rope), rel=1e-5)
    else:
        rng = np.random.default_rng(0)
        left, neither, right = rng.gamma([[losses], [n - losses], [1]], size=(3, 400_000))
        difference = (right - left) / (left + neither + right)
        assert claim.p.left == pytest.approx((difference < -rope).mean(), abs=4e-3)


@pytest.mark.parametrize("rope", [0.01, 0.02, 0.05, 0.1])
@pytest.mark.parametrize("n", [100, 150, 200, 300, 400, 500, 700, 1_000])
def test_losses_alone_on_the_border_seldom_pass(n: int, rope: float) -> None:
    """At most 5.5 % of the numbers of losses that come out at the border, all enumerated."""
    losses = np.arange(n + 1)
    worse = PairedBinaryPosterior.of(
        SufficientStatistics(
            names=tuple(map(str, losses)),
            n=np.full(n + 1, n),
            mean=-losses / n,
            ss=losses - losses**2 / n,
            rho=np.zeros(n + 1),
            binary=np.ones(n + 1, np.bool_),
            unit=ITEM,
        ),
        CAUTIOUS[0],
    )
    passes = 1 - worse.above(np.full(n + 1, -rope)) < 0.05
    assert stats.binom.pmf(losses, n, rope)[passes].sum() <= 0.055


@pytest.mark.parametrize(
    "header",
    [
        "model_a,model_b,winner",
        "Model A,Model B,Winner,judge,turn,tstamp",
        "left_model,right_model,won",
        "id,winner_model_a,winner_model_b,winner_tie",
        "assistant_1,assistant_2,preference",
        "left,right,preferred",
        "player1,player2,result",
        "question,model_1,model_2,outcome,judge",
    ],
)
def test_votes_are_no_scores(tmp_path: Path, header: str) -> None:
    cells = ",".join("x1"[i % 2] for i in range(header.count(",") + 1))
    (tmp_path / "v.csv").write_text(f"{header}\n{cells}\n{cells}\n")
    for command in ("check", "rank", "gate"):
        assert "Bradley-Terry" in refused(run(command, tmp_path / "v.csv"))


def answers(path: Path, right: dict[str, list[int]]) -> Path:
    """Answers of classifiers to the same items, right (1) or wrong (0)."""
    rows = [f"{i},{name},{x}" for name, own in right.items() for i, x in enumerate(own)]
    return write_lines(path, "item,classifier,score", *rows)


@pytest.mark.parametrize("rope", [0.0, 1e-4, 0.001, 0.01])
@pytest.mark.parametrize("n", [10, 50, 500])
def test_the_same_answers_show_neither_better_nor_worse(
    n: int, rope: float, tmp_path: Path
) -> None:
    same = [int(i % 3 > 0) for i in range(n)]
    path = answers(tmp_path / "r.csv", {"main": same, "pr": same})
    scores = bcompare.read_scores(path, item_col="item")
    for fail_if in get_args(FailIf):
        (verdict,) = bcompare.gate(scores, baseline="main", rope=rope, fail_if=fail_if).verdicts
        assert max(verdict.p.left, verdict.p.right) <= 0.5
        assert sum(verdict.p) == pytest.approx(1)
        passes = fail_if != "not-better" and verdict.p.rope + verdict.p.right > 0.95
        assert verdict.outcome == (
            "pass" if passes else "undecided" if fail_if == "worse" else "fail"
        )


def test_every_output_says_the_direction_of_each_metric(tmp_path: Path) -> None:
    frame = pd.read_csv(folds(tmp_path / "m.csv", 0.8)).assign(fit_s=1.0, size=2.0)
    frame["fit_s"] += frame["score"] / 100
    frame.to_csv(tmp_path / "m.csv", index=False)
    frame.assign(score=frame["score"] + 0.001).to_csv(tmp_path / "p.csv", index=False)
    judged = (
        *("gate", f"main={tmp_path}/m.csv", f"pr={tmp_path}/p.csv"),
        "--rope",
        "0.05",
        "-q",
        "--metric",
        "score",
        "--metric",
        "fit_s: 5%",
        "--metric",
        "size: higher",
    )
    says = (
        "score: higher is better (by its name)",
        "fit_s: lower is better (by its name)",
        "size: higher is better",
    )
    for form in ("table", "github", "comment", "junit", "json", "markdown"):
        out = run(*judged, "--format", form).out.replace("\\", "")
        assert all(words in out for words in says), form


@pytest.mark.parametrize(("slower", "factor"), [(2.5, 1000), (1.0, 1000), (16.0, None)])
def test_the_advice_on_seconds_and_milliseconds_hides_no_slow_change(
    tmp_path: Path, slower: float, factor: int | None
) -> None:
    for name, own in (("main", 1.0), ("pr", slower / 1000)):
        path = folds(tmp_path / f"{name}.csv", 20.0, factor=own)
        path.write_text(path.read_text().replace("score", "fit_ms"))
    gate = ("gate", "main=main.csv", "pr=pr.csv", "--metric", "fit_ms: 5%")
    message = refused(run(*gate, folder=tmp_path))
    assert re.findall(r"--scale fit_ms:pr=(\d+) to convert", message) == [str(factor)] * bool(
        factor
    )
    if factor:
        outcome = run(*gate, "--scale", f"fit_ms:pr={factor}", folder=tmp_path)
        assert outcome.code == (4 if slower > 1 else 0)


@pytest.mark.parametrize("folds_in_ms", [1, 5, 9])
def test_times_of_which_some_are_in_another_unit_are_refused(
    tmp_path: Path, folds_in_ms: int
) -> None:
    rng = np.random.default_rng(5)
    rows = [(f"d{d}", f, round(8 + rng.normal(), 4)) for d in range(3) for f in range(10)]
    main = pd.DataFrame(rows, columns=["dataset", "fold", "fit_time"])
    pr = main.assign(fit_time=1.5 * main["fit_time"])
    pr.loc[pr["fold"] < folds_in_ms, "fit_time"] /= 1000
    for name, frame in (("main", main), ("pr", pr)):
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    command = ["gate", "main=main.csv", "pr=pr.csv", "--metric", "fit_time: lower, 5%"]
    message = refused(run(*command, folder=tmp_path))
    assert "a part of the scores of pr is more than 30 times smaller" in message
    assert "correct the file" in message
