"""Places over draws: against loops over the draws, and over lots where classifiers tie."""

import numpy as np
import pytest

from bcompare.data.rope import FloatArray
from bcompare.data.sufficient import IntArray
from bcompare.methods.best import Places

LEVEL = 0.95


def costs(draws: int, alike: IntArray, seed: int) -> FloatArray:
    rng = np.random.default_rng(seed)
    different = rng.normal(rng.normal(0, 1.5, alike.max() + 1), 1, (draws, alike.max() + 1))
    return different[:, alike]


def taken(row: FloatArray, k: int) -> tuple[int, int]:
    """The first and the last place of the k-th in one draw, counted one by one."""
    better = sum(other < row[k] for other in row)
    return better + 1, better + sum(other == row[k] for other in row)


ALIKE = [np.arange(4), np.array([0, 1, 1, 2, 3, 1]), np.array([1, 0]), np.zeros(3, dtype=int)]


@pytest.mark.parametrize("alike", ALIKE, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_places_are_those_of_a_loop_over_the_draws(alike: IntArray, seed: int) -> None:
    draws = costs(400, alike, seed)
    result = Places.of(draws, alike, LEVEL)
    c = len(alike)
    places = np.array([[taken(row, k) for k in range(c)] for row in draws])
    for k in range(c):
        first, last = places[:, k].T
        low, high = result.interval.low[k], result.interval.high[k]
        assert (first < low).mean() <= 0.025 < (first <= low).mean()
        assert (last > high).mean() <= 0.025 < (last >= high).mean()
        for top in range(1, c + 1):
            by_lot = [np.mean([p <= top for p in range(a, b + 1)]) for a, b in places[:, k]]
            assert result.within[k, top - 1] == pytest.approx(np.mean(by_lot))
    np.testing.assert_allclose(result.within.sum(axis=0), np.arange(1, c + 1))


def widened(places: FloatArray, rest: float) -> FloatArray:
    """(2, c) the intervals that leave at most `rest` outside at either end."""
    first, last = places[..., 0], places[..., 1]
    every = range(1, places.shape[1] + 1)
    low = [min(p for p in every if (f <= p).mean() > rest) for f in first.T]
    high = [max(p for p in every if (f >= p).mean() > rest) for f in last.T]
    return np.array([low, high])


def inside(places: FloatArray, ends: FloatArray) -> float:
    own = (places[..., 0] >= ends[0]) & (places[..., 1] <= ends[1])
    return float(own.all(axis=1).mean())


@pytest.mark.parametrize("seed", range(5))
def test_joint_intervals_are_the_pointwise_ones_widened_no_more_than_needed(seed: int) -> None:
    draws = costs(400, np.arange(7), seed)
    result = Places.of(draws, np.arange(7), LEVEL)
    places = np.array([[taken(row, k) for k in range(7)] for row in draws])
    # Step by step, by one draw fewer outside at either end.
    wider = (widened(places, rest / 400) for rest in np.arange(10, -1, -1))
    expected = next(ends for ends in wider if inside(places, ends) >= LEVEL)
    np.testing.assert_array_equal([result.joint.low, result.joint.high], expected)
    np.testing.assert_array_equal(
        [result.interval.low, result.interval.high], widened(places, 0.025)
    )
    assert inside(places, np.array([result.interval.low, result.interval.high])) < LEVEL


def test_joint_intervals_of_a_pair_are_no_narrower_than_the_pointwise_ones() -> None:
    draws = np.column_stack([np.zeros(1000), np.where(np.arange(1000) < 30, -1.0, 1.0)])
    result = Places.of(draws, np.arange(2), LEVEL)
    for interval in (result.interval, result.joint):
        assert interval.low.tolist() == [1, 1]
        assert interval.high.tolist() == [2, 2]
