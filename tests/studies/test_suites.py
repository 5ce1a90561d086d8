"""A short version of the study of gates over whole suites, and over several metrics."""

import numpy as np
import pytest
from studies.suites import (
    CORRELATIONS,
    METRICS,
    NOWHERE_WORSE,
    ROWS,
    Rows,
    differences,
    rates,
    truths_of,
)

REPETITIONS = 400
# Four standard errors of 5 %.
ALLOWED = 0.05 + 4 * float(np.sqrt(0.05 * 0.95 / REPETITIONS))
each_kind = pytest.mark.parametrize("rows", ROWS, ids=lambda rows: rows.unit)


@pytest.mark.slow
@each_kind
@pytest.mark.parametrize("truth", NOWHERE_WORSE)
def test_a_change_that_is_nowhere_worse_seldom_fails(rows: Rows, truth: str) -> None:
    result = rates(rows, truths_of(truth, 6), 0.0, REPETITIONS, np.random.default_rng(1))
    assert result["fail"] < ALLOWED
    if truth != "equal":  # the promise is kept by the correction, not by a lack of power
        assert result["uncorrected"] > 2 * ALLOWED
    assert result["fail"] + result["pass"] + result["undecided"] == pytest.approx(1)


@pytest.mark.slow
@each_kind
def test_one_data_set_that_is_worse_is_found_and_never_passed_over(rows: Rows) -> None:
    truths = truths_of("one worse by five ropes", 6)
    result = rates(rows, truths, 0.0, REPETITIONS, np.random.default_rng(2))
    assert result["fail"] > 0.75
    # what is shown by itself is a suspect: then nothing passes
    assert result["pass"] <= 1 - result["uncorrected"]


@pytest.mark.slow
@pytest.mark.parametrize("correlation", CORRELATIONS)
def test_metrics_keep_the_promise_together(correlation: float) -> None:
    rng = np.random.default_rng(3)
    border = truths_of("on the border", 6, METRICS)
    assert rates(ROWS[0], border, correlation, REPETITIONS, rng)["fail"] < ALLOWED
    worse = truths_of("all worse by one more rope", 6, METRICS)
    alone, among = (
        rates(ROWS[0], truths, correlation, REPETITIONS // 2, rng)["fail"]
        for truths in (worse[:, :1], worse)
    )
    assert 0.2 < among < alone


@each_kind
def test_simulated_rows_have_the_moments_that_are_asked_for(rows: Rows) -> None:
    rng = np.random.default_rng(4)
    drawn = differences(rows, truths_of("equal", 20_000 if rows.n == 10 else 2_000, 2), 0.5, rng)
    first, second = drawn[:, 0, 0], drawn[:, 0, 1]
    far = 5 / np.sqrt(len(first))
    assert np.corrcoef(first, second)[0, 1] == pytest.approx(0.5, abs=far)
    assert np.corrcoef(first, drawn[:, 1, 0])[0, 1] == pytest.approx(rows.rho, abs=far)
    # the factor e^(0.3 z) of their standard deviations has the second moment e^0.18
    assert (drawn**2).mean() == pytest.approx(rows.sd**2 * np.exp(0.18), rel=1.5 * far)
