"""Simulated pull requests: a gate fails, passes and cannot tell as often as theory says.

Under a fixed truth μ the t posterior makes p(worse) > 1 - α exactly where (x̄ + r)/ŝe falls below
the α quantile of Student's t, so the rates are those of the noncentral t distribution.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import bcompare
from bcompare.data.rope import FloatArray, RegionProbabilities
from bcompare.gating.judge import Gate, gate
from bcompare.gating.rule import Claim, judge
from tests.results import write_lines

PULL_REQUESTS = 200
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
    return bcompare.gate(scores, baseline="main", test="ttest", rope=ROPE)


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


def test_a_gate_says_how_it_judges_right_and_wrong(tmp_path: Path) -> None:
    rows = [
        f"{i},{name},{int(i % k > 0)}" for i in range(60) for name, k in (("main", 3), ("pr", 4))
    ]
    path = write_lines(tmp_path / "r.csv", "item,classifier,score", *rows)
    scores = bcompare.read_scores(path, item_col="item")
    (alone,) = bcompare.compare(scores).notes
    (note,) = gate(scores, baseline="main").notes
    assert alone.code == note.code == "exact-posterior"
    assert "(1, 2, 1)" in alone.text
    assert "one item more on the less probable side" in note.text
