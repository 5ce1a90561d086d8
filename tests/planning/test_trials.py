"""Power and plans of sides that share nothing, against enumeration and plain simulation."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import bcompare
from bcompare.data.rope import FloatArray
from bcompare.data.sufficient import Sides, SufficientStatistics
from bcompare.data.units import TRIAL
from bcompare.methods.unpaired import means_above, rates_above
from bcompare.planning.trials import more_trials

ERRORS = 4  # of a simulated share


def test_power_of_rates_is_that_of_all_tables() -> None:
    n, rate, effect = 20, 0.8, -0.4
    (design,) = bcompare.power(effect, trials=[n], rate=rate, replicates=400).designs
    left, right = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    counts = np.stack([left.ravel(), right.ravel()], axis=1).astype(np.float64)
    alpha: FloatArray = counts + 0.5
    beta: FloatArray = n - counts + 0.5
    above = rates_above(np.full(len(counts), -0.01), alpha, beta)
    worse = (1 - above > 0.95).reshape(n + 1, n + 1)
    chance = np.outer(
        stats.binom.pmf(np.arange(n + 1), n, rate),
        stats.binom.pmf(np.arange(n + 1), n, rate + effect),
    )
    expected = float((chance * worse).sum())
    error = np.sqrt(expected * (1 - expected) / 400)
    assert design.prospect.left == pytest.approx(expected, abs=ERRORS * error)


def test_power_of_means_is_that_of_a_plain_simulation() -> None:
    n, sd, effect, count = 10, 2.0, 2.5, 600
    (design,) = bcompare.power(effect, sd, trials=[n], rope=0.5, replicates=count).designs
    rng = np.random.default_rng(1)
    left = rng.normal(0, sd, (count, n))
    right = rng.normal(effect, sd, (count, n))
    scale = np.stack([left.std(axis=1, ddof=1), right.std(axis=1, ddof=1)], axis=1) / np.sqrt(n)
    distance = 0.5 - (right.mean(axis=1) - left.mean(axis=1))
    better = means_above(distance, np.full((count, 2), n - 1.0), scale) > 0.95
    error = np.sqrt(2 * better.mean() * (1 - better.mean()) / count)
    assert design.prospect.right == pytest.approx(float(better.mean()), abs=ERRORS * error)


@pytest.mark.parametrize("binary", [True, False])
def test_more_trials_keep_the_means(binary: bool) -> None:
    n = np.array([[20, 30]])
    mean = np.array([[0.6, 0.7]])
    ss = n * mean * (1 - mean)
    sides = Sides(n, mean, ss)
    now = SufficientStatistics.of_sides(
        ("d",), sides, mean[:, 1] - mean[:, 0], np.array([binary]), TRIAL
    )
    results = more_trials(now, sides, 3.0, 4000, np.random.default_rng(1))
    assert results.sides is not None
    assert (results.sides.n == 3 * n).all()
    error = ERRORS * results.sides.mean.std(axis=0) / np.sqrt(4000)
    prior = 0.01 if binary else 0.0  # Jeffreys' prior draws rates to a half
    assert (np.abs(results.sides.mean.mean(axis=0) - mean[0]) < error + prior).all()


def test_a_plan_of_trials_says_how_many_a_side() -> None:
    rows = [
        (policy, k, success)
        for policy, won in (("old", 12), ("new", 17))
        for k, success in enumerate([1] * won + [0] * (20 - won))
    ]
    frame = pd.DataFrame(rows, columns=["policy", "episode", "success"])
    scores = bcompare.from_frame(frame, unpaired=True, classifier_col="policy", score_col="success")
    (outlook,) = bcompare.plan(scores, replicates=50).outlooks
    assert {prospect.amount.of for prospect in outlook.prospects} == {"trials a side"}
    assert outlook.prospects[-1].undecided < outlook.prospects[0].undecided
    planned = bcompare.plan_gate(scores, baseline="old", worse=["0.5"], replicates=25)
    assert planned.of == "trials"
    for row in planned.rows:
        assert row.fail + row.undecided + row.passed == pytest.approx(1)
    found = [row.fail for row in planned.rows if row.loss is not None]
    assert found[-1] > 0.9
    assert found[0] < found[-1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"effect": 0.1, "trials": [20]}, "how widely"),
        ({"effect": 0.1, "trials": [20], "rate": 0.95}, "between 0 and 1"),
        ({"effect": 0.1, "sd": 0.1, "trials": [20], "rate": 0.5}, "leave out sd"),
        ({"effect": 0.1, "items": [20], "rate": 0.5}, "for trials"),
        ({"effect": 0.1, "sd": 0.1, "items": [20], "trials": [20]}, "name the sizes"),
    ],
)
def test_what_power_cannot_mean_is_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(bcompare.InputError) as caught:
        bcompare.power(**arguments)
    assert words in str(caught.value)
