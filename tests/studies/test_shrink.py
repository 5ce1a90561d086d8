"""Shrunken means are closer to the truth with many data sets, and not with few: a short version."""

from dataclasses import replace

import numpy as np
import pytest
from studies.shrink import KINDS, SAMPLE, SHAPES, SIZES, Regime, kept_back, simulated
from studies.topic import SHRINK, section

from bcompare.comparing.family import rank
from bcompare.methods.best import MANY, Best
from bcompare.reading.read import read_scores


def gained(regime: Regime, repetitions: int) -> tuple[float, float]:
    """How much less shrunken means diverge, and its standard error."""
    rng = np.random.default_rng(regime.q)
    result = np.array([simulated(rng, regime) for _ in range(repetitions)])[:, :, 0]
    less = result[:, 0] - result[:, 1]
    return float(less.mean()), float(less.std() / repetitions**0.5)


@pytest.mark.slow
def test_many_data_sets_gain_by_shrinking_and_few_lose() -> None:
    noisy = SHAPES[1]
    more, error = gained(replace(noisy, q=SIZES[-1]), 40)
    assert more > 3 * error
    usual = SHAPES[0]
    more, error = gained(replace(usual, q=SIZES[0]), 60)
    assert more < -3 * error
    assert SIZES[0] < MANY <= SIZES[-1]


def test_what_is_kept_back_tells_the_truth() -> None:
    """The cost of a choice is that by all data, whichever run and data sets the choice has seen."""
    scores = read_scores(str(SAMPLE))
    means = np.array([d.table.mean(axis=0) for d in scores.datasets]).mean(axis=0)
    possible = (means.max() - means).tolist()
    for seed in range(3):
        result = kept_back(np.random.default_rng(seed), scores, 5)
        assert result.shape == (2, len(KINDS))
        assert all(any(np.isclose(cost, p) for p in possible) for cost in result[:, 1])
    best = rank(scores, options=Best(draws=200, shrink=False))
    assert possible[best.best.leader] == 0


def test_the_table_stands_in_explain() -> None:
    rows = section().partition(SHRINK)[2].partition("\n\n")[0].splitlines()
    assert len(rows) == 2 * len(SIZES) - 1
    assert {row.split(" | ")[1] for row in rows} == {str(q) for q in SIZES}
