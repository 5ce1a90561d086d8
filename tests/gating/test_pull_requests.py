"""Simulated pull requests: a gate fails, passes and cannot tell as often as theory says.

Under a fixed truth μ the t posterior makes p(worse) > 1 - α exactly where (x̄ + r)/ŝe falls below
the α quantile of Student's t, so the rates are those of the noncentral t distribution. With truths
drawn at random, its probabilities are the frequencies of what they speak of.

The line on what would settle an undecided gate is checked by simulating just that.
"""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats

import bcompare
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.scores import Scores
from bcompare.gating.rule import Claim, judge
from bcompare.gating.settle import ENOUGH, with_settle
from bcompare.gating.verdict import Gate, gate
from bcompare.methods.correlated_t import CorrelatedT
from bcompare.planning.predictive import more_scores
from tests.results import small_csv, write_lines

PULL_REQUESTS = 500
ROPE = 0.02


def folds(truths: FloatArray, rng: np.random.Generator) -> pd.DataFrame:
    """10 runs of 10 folds of every pull request, correlated by 0.1 as the test takes them to be."""
    spread, rho, n = 0.03, 0.1, 100
    common = rng.normal(0, spread * np.sqrt(rho), (len(truths), 1))
    own = rng.normal(0, spread * np.sqrt(1 - rho), (len(truths), n))
    main = rng.normal(0.8, 0.05, (len(truths), n))
    at = np.arange(n)
    keys = {"run": at // 10, "fold": at % 10}
    return _frame(main, main + truths[:, None] + common + own, keys)


def items(truths: FloatArray, rng: np.random.Generator) -> pd.DataFrame:
    """1,000 items, right or wrong; on a tenth of them just one of the two models is right."""
    n, apart = 1000, 0.1
    draw = rng.random((len(truths), n))
    right = (apart + truths[:, None]) / 2
    main = np.where(draw < right, 0, np.where(draw < apart, 1, rng.random(draw.shape) < 0.7))
    other = np.where(draw < right, 1, np.where(draw < apart, 0, main))
    return _frame(main, other, {"item": np.arange(n)})


def _frame(main: FloatArray, other: FloatArray, keys: dict[str, Any]) -> pd.DataFrame:
    parts = [
        pd.DataFrame(
            {
                "dataset": np.repeat([f"#{i}" for i in range(len(scores))], scores.shape[1]),
                "classifier": name,
                "score": scores.ravel(),
                **{key: np.tile(values, len(scores)) for key, values in keys.items()},
            }
        )
        for name, scores in (("main", main), ("pr", other))
    ]
    return pd.concat(parts)


def judged(unit: str, truths: FloatArray, seed: int) -> Gate:
    """Every pull request by the real path: a frame, read, compared, judged."""
    rng = np.random.default_rng(seed)
    scores = (
        bcompare.from_frame(folds(truths, rng))
        if unit == "folds"
        else bcompare.from_items(items(truths, rng), "item")
    )
    return bcompare.gate(scores, test="ttest", rope=ROPE)


def alone(gate: Gate, p: RegionProbabilities[float]) -> str:
    """What becomes of a pull request that is judged by itself."""
    return judge(gate.rule, [Claim(p)])[0]


def promised(unit: str, truth: float) -> dict[str, float]:
    """The rates by the noncentral t distribution."""
    if unit == "folds":
        dof, error = 99, 0.03 * np.sqrt(0.9) * np.sqrt(1 / 100 + 0.1 / 0.9)
    else:
        dof, error = 999, np.sqrt((0.1 - truth**2) / 1000)
    t, z = stats.t.ppf(0.95, dof), (truth + ROPE) / error
    fail, passes = float(stats.nct.cdf(-t, dof, z)), float(stats.nct.sf(t, dof, z))
    return {"fail": fail, "pass": passes, "undecided": 1 - fail - passes}


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["folds", "items"])
@pytest.mark.parametrize("truth", [0.0, 2 * ROPE, -2 * ROPE], ids=["equal", "better", "worse"])
def test_rates_under_a_fixed_truth(unit: str, truth: float) -> None:
    result = judged(unit, np.full(PULL_REQUESTS, truth), seed=1)
    outcomes = [alone(result, v.p) for v in result.verdicts if v.dataset is not None]
    assert len(outcomes) == PULL_REQUESTS
    for outcome, rate in promised(unit, truth).items():
        error = np.sqrt(max(rate * (1 - rate), 1 / PULL_REQUESTS) / PULL_REQUESTS)
        seen = outcomes.count(outcome) / PULL_REQUESTS
        assert abs(seen - rate) < 3.5 * error, (outcome, seen, rate)


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["folds", "items"])
def test_among_truths_of_all_sizes_its_probabilities_are_frequencies(unit: str) -> None:
    truths = np.random.default_rng(2).uniform(-0.09, 0.09, 2000)
    result = judged(unit, truths, seed=3)
    each = [verdict.p for verdict in result.verdicts if verdict.dataset is not None]
    worse = np.array([p.left for p in each])
    failed = np.array([alone(result, p) == "fail" for p in each])
    truly = truths < -ROPE
    error = np.sqrt((worse * (1 - worse)).sum()) / len(truths)
    assert abs(worse.mean() - truly.mean()) < 3.5 * error
    wrong = (~truly[failed]).mean()  # at most 5 % in each, so fewer together
    assert wrong < 0.05
    expected = (1 - worse[failed]).mean()
    assert abs(wrong - expected) < 3.5 * np.sqrt(expected / failed.sum())


SETS = tuple(f"set-{i}" for i in range(6))


def graded(path: Path, mean: float) -> Scores:
    """150 items scored by main, and by a candidate that is better by about this mean."""
    rng = np.random.default_rng(4)
    gain = rng.normal(0, 0.1, 150)
    gain += mean - gain.mean()
    rows = [
        f"{i},{name},{0.5 + g:.5f}"
        for i, one in enumerate(gain)
        for name, g in (("main", 0.0), ("pr", one))
    ]
    return bcompare.read_scores(write_lines(path, "item,classifier,score", *rows), item_col="item")


def settle(found: Gate) -> str:
    (verdict,) = with_settle(found).verdicts
    assert verdict.settle is not None
    return verdict.settle


def test_the_number_of_items_is_right(tmp_path: Path) -> None:
    scores = graded(tmp_path / "r.csv", -0.005)
    result = gate(scores)
    assert result.outcome == "undecided"
    match = re.fullmatch(
        r"about ([\d,]+) more items would tell whether it is worse in 80 ± 1 % of simulated "
        r"cases",
        settle(result),
    )
    assert match is not None
    more = int(match[1].replace(",", ""))
    now = result.study.comparisons[0].differences.statistics
    futures = more_scores(now, 1 + more / 150, 4000, np.random.default_rng(5))
    p = CorrelatedT().test_simulated(futures, Rope.of(0.01))
    settled = [not result.rule.in_doubt(RegionProbabilities(*each)) for each in p.T]
    assert np.mean(settled) == pytest.approx(ENOUGH, abs=0.05)  # "about": between two rungs


def test_close_to_its_level_a_gate_shows_on_which_side_it_is(tmp_path: Path) -> None:
    def judged(mean: float) -> Gate:
        return gate(graded(tmp_path / "r.csv", mean))

    mean = optimize.brentq(lambda x: judged(x).verdicts[0].p.left - 0.9498, -0.03, -0.01, xtol=1e-6)
    table, sentence, *_ = re.findall(r"0\.9\d+", bcompare.as_text(judged(mean)))
    assert table[:6] == sentence[:6] == "0.9498"


def test_one_of_several_claims_has_to_stand_out(tmp_path: Path) -> None:
    lines = ["dataset,item,classifier,score"]
    for name, mean in (("slow", -0.0255), ("fast", 0.05)):
        (dataset,) = graded(tmp_path / f"{name}.csv", mean).datasets
        for i, (main, pr) in enumerate(dataset.table.tolist()):
            lines += [f"{name},{i},main,{main}", f"{name},{i},pr,{pr}"]
    path = write_lines(tmp_path / "r.csv", *lines)
    result = gate(bcompare.read_scores(path, item_col="item"), over="each")
    (slow,) = [v for v in with_settle(result).verdicts if v.settle is not None]
    assert slow.dataset == "slow"
    claims = len(result.claims_beside(slow))
    assert claims == 3  # the average, too
    assert 0.95 < slow.p.left < 1 - 0.05 / claims  # enough for one claim alone
    match = re.match(r"about ([\d,]+) more items there would tell", slow.settle or "")
    assert match is not None
    now = result.study.comparisons[0].differences.statistics
    own = now.chosen([list(now.names).index("slow")])
    futures = more_scores(
        own, 1 + int(match[1].replace(",", "")) / 150, 4000, np.random.default_rng(6)
    )
    left, rope, right = CorrelatedT().test_simulated(futures, Rope.of(0.01))
    settled = (left > 1 - 0.05 / claims) | (rope + right > 0.95)
    assert settled.mean() == pytest.approx(ENOUGH, abs=0.05)
    assert (settled | (left > 0.95)).mean() > settled.mean()


def test_a_gate_says_how_it_judges_right_and_wrong(tmp_path: Path) -> None:
    rows = [
        f"{i},{name},{int(i % k > 0)}" for i in range(60) for name, k in (("main", 3), ("pr", 4))
    ]
    path = write_lines(tmp_path / "r.csv", "item,classifier,score", *rows)
    scores = bcompare.read_scores(path, item_col="item")
    (alone,) = bcompare.compare(scores).notes
    (note,) = gate(scores).notes
    assert alone.code == note.code == "exact-posterior"
    assert "(1, 2, 1)" in alone.text
    assert "one item more on the less probable side" in note.text


def test_more_runs_do_not_help_beyond_the_floor(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "r.csv", {"main": 0.0, "pr": 0.0}, noise=0.05, seed=2)
    result = gate(bcompare.read_scores(path))
    assert result.outcome == "undecided"
    text = settle(result)
    assert text.startswith("no number of runs (they all share their data: ρ) would tell whether")


@pytest.mark.slow
def test_more_data_sets_do(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "r.csv", {"main": 0.0, "pr": 0.02}, SETS, noise=0.005)
    result = gate(bcompare.read_scores(path), fail_if="not-better", test="signrank")
    assert result.outcome == "fail"
    assert re.match(r"about \d+ more data sets", settle(result))


def test_what_is_not_in_doubt_has_no_such_line(tmp_path: Path) -> None:
    clear = with_settle(gate(graded(tmp_path / "r.csv", 0.1)))
    assert clear.verdicts[0].settle is None
    tied = write_lines(
        tmp_path / "t.csv",
        "fold,classifier,score",
        *(f"{k},{name},{score}" for k in (1, 2, 3) for name, score in (("a", 0.5), ("b", 0.7))),
    )
    withheld = with_settle(gate(bcompare.read_scores(tied)))
    assert withheld.outcome == "undecided"
    assert withheld.verdicts[0].settle is None
    silent = gate(graded(tmp_path / "r.csv", -0.005), undecided="pass")
    assert with_settle(silent).verdicts[0].settle is None
