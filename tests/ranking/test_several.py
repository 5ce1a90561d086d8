"""Several data sets: draws that are shared out, excess on new ones, and the largest of rows."""

import math

import numpy as np
import pytest

from bcompare.basis.progress import no_progress
from bcompare.data.rope import FloatArray
from bcompare.ranking.best import Best, best_of
from bcompare.ranking.draws import SHORT, largest_of, share_of_best
from bcompare.ranking.effects import FILLINGS
from bcompare.ranking.joint_means import JointMeans, joint_means
from bcompare.ranking.several import AverageModel, Block, judge_several


def posteriors(tables: FloatArray) -> list[JointMeans]:
    """Return the posterior of each (n, c) table; a column of NaN is a classifier that is absent."""
    return [
        joint_means(table, np.flatnonzero(~np.isnan(table[0])), 0.1, right_or_wrong=False)
        for table in tables
    ]


def test_draws_are_shared_out_among_the_fillings_to_the_last() -> None:
    tables = np.random.default_rng(0).normal(0.7, 0.02, (5, 10, 3))
    tables[1, :, 2] = np.nan
    draws = 5 * FILLINGS + 3
    result = best_of(posteriors(tables), ["a", "b", "c"], options=Best(draws=draws))
    assert result.draws == draws
    for shares in (result.p_least_regret, result.pairs.left[0, 1], result.pairs.right[0, 1]):
        counts = np.asarray(shares) * draws
        np.testing.assert_allclose(counts, np.round(counts), atol=1e-9)


def test_a_classifier_that_is_alone_is_surely_the_best() -> None:
    column = np.random.default_rng(0).normal(0.7, 0.02, (4, 10, 1))
    datasets = posteriors(column.repeat(2, axis=2))
    both = np.zeros(2, dtype=np.int64)
    rng = np.random.default_rng(1)
    drawn = judge_several(datasets, both, np.array([2.0]), 0.01, 100, rng, no_progress)
    assert (drawn.best.tolist(), drawn.close.tolist()) == ([1], [1])
    assert not drawn.effects.any()
    assert not drawn.regret.any()


def test_a_new_data_set_has_the_excess_of_one_that_was_seen() -> None:
    rng = np.random.default_rng(2)
    means = 0.7 + 0.01 * rng.standard_normal((8, 3))
    means[:, 0] += 0.1
    means[2, 1] -= 0.3
    means[5, 2] -= 0.2
    model = AverageModel.of(means, np.zeros(8))
    assert (model.excess[[2, 5], [1, 2]] < -0.1).all()
    nothing = np.zeros((1, 2))
    number = 4_000
    # no effects and no interaction: what is left is the excess
    block = Block(
        effects=nothing,
        interaction=nothing,
        weights=nothing,
        averages=nothing,
        in_full=nothing,
        is_followed=True,
    )
    (new,) = model.new(rng, block, rng.standard_normal((number, 2)))
    for row, count in zip(*np.unique(model.excess, axis=0, return_counts=True), strict=True):
        expected = count / 8
        share = (new == row).all(axis=1).mean()
        assert abs(share - expected) < 4 * math.sqrt(expected * (1 - expected) / number)


@pytest.mark.parametrize("columns", [1, 2, SHORT, SHORT + 1, 50])
def test_the_largest_of_each_row_whether_it_is_short_or_long(columns: int) -> None:
    values = np.random.default_rng(columns).normal(0, 1, (3, 7, columns))
    largest = largest_of(values)
    assert largest.shape == (3, 7, 1)
    for one, row in zip(largest.ravel(), values.reshape(-1, columns), strict=True):
        assert one == max(row)


@pytest.mark.parametrize("columns", [4, SHORT + 4])
def test_those_that_tie_share_being_the_best_by_their_copies(columns: int) -> None:
    values = np.zeros((1, columns))
    values[0, [1, 3]] = 0.5
    copies = np.ones(columns)
    copies[3] = 2.0
    expected = np.zeros(columns)
    expected[[1, 3]] = 1 / 3, 2 / 3
    np.testing.assert_allclose(share_of_best(values, copies), expected[None])
