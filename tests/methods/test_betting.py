"""Wealths of bets: against plain loops, against all sequences there are, and their promise."""

import itertools
import math
from functools import partial
from typing import Any

import numpy as np
import pytest

from bcompare.data.rope import FloatArray
from bcompare.methods.betting import (
    confidence_path,
    confidence_sequence,
    first_reached,
    log_wealth,
    time_of,
)

HOWS: list[dict[str, Any]] = [{"budget": 50}, {}, {"growth": False}]
# Three values whose mean is 0.45.
VALUES, CHANCES = np.array([0.0, 0.5, 1.0]), np.array([0.3, 0.5, 0.2])


def by_products(
    x: FloatArray,
    m: float,
    level: float,
    *,
    budget: int | None = None,
    growth: bool = True,
    weights: FloatArray | None = None,
    of: int | None = None,
) -> list[float]:
    """The second way: one observation after another, as a gambler would keep books."""
    wealth, excess = 1.0, 0.0
    seen: list[float] = []
    squares: list[float] = []
    result = []
    for i, value in enumerate(x, 1):
        weight = 1.0 if weights is None else weights[i - 1]
        y = m + weight * (value - m)
        mean = (0.5 + sum(seen)) / i
        variance = (0.25 + sum(squares)) / i
        border = m if of is None else m - excess / (of - i + 1)
        if budget is not None:
            bet = math.sqrt(2 * math.log(1 / level) / variance / budget)
        elif growth:
            bet = max(0.0, (mean - border) / (variance + (mean - border) ** 2))
        else:
            bet = math.sqrt(2 * math.log(1 / level) / (variance * i * math.log(1 + i)))
        wealth *= 1 + min(bet, 0.5 / border) * (y - border)
        seen.append(y)
        squares.append((y - (0.5 + sum(seen)) / (i + 1)) ** 2)
        excess += y - m
        result.append(wealth)
    return result


@pytest.mark.parametrize("how", HOWS, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("of", [None, 300])
def test_wealths_are_the_products_of_a_gambler(
    how: dict[str, Any], weighted: bool, of: int | None
) -> None:
    rng = np.random.default_rng(3)
    x = rng.choice(VALUES, 120, p=CHANCES)
    more: dict[str, Any] = {"weights": rng.random(120) if weighted else None, "of": of}
    for m in (0.2, 0.45, 0.7):
        result = log_wealth(x, m, 0.05, **how, **more)
        assert np.exp(result) == pytest.approx(by_products(x, m, 0.05, **how, **more), rel=1e-9)


@pytest.mark.parametrize(
    ("how", "wealth"),
    [
        ({"budget": 50}, 4.413791479588251),
        ({"growth": False}, 3.1572128673216864),
        ({}, 1.571874302663951),
        ({"budget": 50, "of": 60}, 37.473479916891186),
        ({"growth": False, "of": 60}, 14.12325258127436),
    ],
    ids=str,
)
def test_wealths_are_those_of_confseq(how: dict[str, Any], wealth: float) -> None:
    # by betting_mart of confseq 0.0.11, theta=1, trunc_scale=1/2, and its lambda_predmix_eb
    # (fixed_n or not, truncation=inf) and lambda_aKelly, at least 0; numpy 2.4.6
    x = np.array([0, 0.5, 1, 0.5, 0.5, 0, 1, 0.5, 1, 0.5] * 4)
    assert np.exp(log_wealth(x, 0.45, 0.05, **how)[-1]) == pytest.approx(wealth, rel=1e-9)


@pytest.mark.parametrize("how", HOWS, ids=str)
def test_of_all_sequences_the_mean_wealth_is_1_and_few_are_ever_rich(how: dict[str, Any]) -> None:
    n, m = 8, float(VALUES @ CHANCES)
    places = np.array(list(itertools.product(range(3), repeat=n)))
    wealth = np.exp(log_wealth(VALUES[places], m, 0.25, **how))
    chance = CHANCES[places].prod(axis=1)
    assert chance @ wealth == pytest.approx(np.ones(n))
    for level in (0.5, 0.25, 0.1):
        ever = (wealth >= 1 / level).any(axis=1)
        assert chance @ ever <= level
    assert chance @ (wealth >= 2).any(axis=1) > 0  # so that the bound is tried


@pytest.mark.parametrize("how", HOWS, ids=str)
def test_weights_that_go_with_the_values_change_nothing(how: dict[str, Any]) -> None:
    # x and w of four kinds, equally likely: the weighted mean is 0.5, the plain one is not
    x, w, n = np.array([1.0, 0.0, 0.5, 0.25]), np.array([0.4, 0.2, 1.0, 0.4]), 6
    m = float(x @ w / w.sum())
    assert x.mean() != pytest.approx(m)
    places = np.array(list(itertools.product(range(4), repeat=n)))
    wealth = np.exp(log_wealth(x[places], m, 0.25, weights=w[places], **how))
    assert wealth.mean(axis=0) == pytest.approx(np.ones(n))


@pytest.mark.parametrize("how", HOWS, ids=str)
def test_of_all_orders_of_a_finite_suite_the_mean_wealth_is_1(how: dict[str, Any]) -> None:
    suite = np.array([0.0, 0.5, 0.5, 1.0, 0.0, 1.0, 0.25])
    orders = suite[np.array(list(itertools.permutations(range(7))))]
    wealth = log_wealth(orders, suite.mean(), 0.25, of=7, **how)
    assert np.isfinite(wealth).all()
    assert np.exp(wealth).mean(axis=0) == pytest.approx(np.ones(7))
    ever = (wealth >= math.log(4)).any(axis=1)
    assert ever.mean() <= 0.25


def test_the_last_of_a_finite_suite_decides() -> None:
    rng = np.random.default_rng(5)
    x = rng.choice(VALUES, 200, p=CHANCES)
    mean = float(x.mean())
    for border in (mean - 1e-6, mean + 1e-6):
        above, below = (
            log_wealth(y, m, 0.05, of=200) for y, m in ((x, border), (1 - x, 1 - border))
        )
        assert (math.isinf(above[-1]), math.isinf(below[-1])) == (border < mean, border > mean)
    assert not math.isinf(log_wealth(x, mean, 0.05, of=200)[-1])
    assert math.isinf(log_wealth(x, mean, 0.05, of=200, closed=True)[-1])
    assert confidence_sequence(x, 0.05, partial(log_wealth, of=200)) == pytest.approx(
        (mean, mean), abs=1e-6
    )
    # and before it where those left cannot make up for it
    assert time_of(log_wealth(np.ones(60), 0.5, 1e-300, of=100), 1e-300) == 51


@pytest.mark.parametrize("how", [{}, {"budget": 400}, {"of": 500}], ids=str)
def test_the_sequence_holds_what_no_bet_has_refuted(how: dict[str, Any]) -> None:
    x = np.random.default_rng(6).choice(VALUES, 400, p=CHANCES)
    wealth = partial(log_wealth, **how)
    low, high = confidence_sequence(x, 0.05, wealth)
    for border in np.linspace(0.01, 0.99, 99):
        kept = (
            first_reached(x, border, 0.025, wealth) > 400,
            first_reached(1 - x, 1 - border, 0.025, wealth) > 400,
        )
        assert kept == (border > low, border < high)
    lows, highs = confidence_path(x, 0.05, wealth)
    assert (lows[-1], highs[-1]) == pytest.approx((low, high), abs=1e-3)
    assert (np.diff(lows) >= 0).all()
    assert (np.diff(highs) <= 0).all()
    half = confidence_sequence(x[:200], 0.05, wealth)
    assert (lows[199], highs[199]) == pytest.approx(half, abs=0.02)


def test_a_bet_does_not_know_what_comes() -> None:
    x = np.random.default_rng(8).choice(VALUES, 100_000, p=CHANCES)
    np.testing.assert_array_equal(log_wealth(x, 0.45, 0.05)[:999], log_wealth(x[:999], 0.45, 0.05))
