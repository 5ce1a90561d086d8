"""Short versions of the studies: what their tables say of error rates and coverage holds here."""

from dataclasses import replace

import numpy as np
import pytest
from studies import best, epochs, looks, misfit, places, rates, real, suites, topic

from bcompare.explain import explained

slow = pytest.mark.slow
each_stream = pytest.mark.parametrize("stream", looks.STREAMS, ids=lambda s: s.unit)
each_kind = pytest.mark.parametrize("rows", suites.ROWS, ids=lambda rows: rows.unit)


def error_of(share: float, count: int) -> float:
    """The standard error of a share of so many."""
    return float(np.sqrt(share * (1 - share) / count))


@slow
def test_what_is_stated_of_the_best_comes_true_as_often() -> None:
    """Up to 0.05 of a further data set: seen ones count for more than these normal ones deserve."""
    *further, regret = best.calibration(150, draws=500)
    for low, high in ((0.0, 0.3), (0.3, 1.0)):
        gap, error = regret.gap(low, high)
        assert abs(gap) < 4 * error
        for result in further:
            gap, error = result.gap(low, high)
            assert abs(gap) < 0.05 + 4 * error, (result.what, low, high)


@slow
@pytest.mark.parametrize("design", [epochs.Design("mean", 5), epochs.Design("pass@5", 10)], ids=str)
def test_intervals_of_repeated_answers_hold_where_items_vary(design: epochs.Design) -> None:
    suite, count = epochs.SUITES["half solved"], 1500
    held = epochs.coverage(design, 100, suite, count, np.random.default_rng(1))
    assert abs(held - 0.95) < 5 * error_of(0.95, count)


@slow
def test_intervals_of_repeated_answers_are_too_short_where_nearly_all_is_solved() -> None:
    rng, suite = np.random.default_rng(2), epochs.SUITES["nearly all solved"]
    few = epochs.coverage(epochs.Design("pass@5", 10), 100, suite, 1500, rng)
    many = epochs.coverage(epochs.Design("mean", 5), 500, suite, 1500, rng)
    assert few < 0.75 < 0.93 < many


@slow
@each_stream
def test_one_look_errs_as_often_as_promised_and_many_more_often(stream: looks.Stream) -> None:
    rng, count = np.random.default_rng(1), 1000
    border = looks.cried(stream, -looks.R, count, rng)
    assert abs(border.first - 0.05) < 4 * error_of(0.05, count)
    assert abs(border.last - 0.05) < 4 * error_of(0.05, count)
    assert border.ever > border.last
    assert looks.cried(stream, 0.0, count, rng).ever < border.ever
    assert looks.cried(stream, -2 * looks.R, count, rng).ever > border.ever


@slow
@each_stream
def test_the_promise_holds_however_often_one_looks(stream: looks.Stream) -> None:
    result = looks.promise(stream, 3000, np.random.default_rng(2))
    assert result.called > 500
    assert result.wrong < 0.05 + 4 * error_of(0.05, result.called)


@slow
def test_misfit_is_hardly_ever_said_of_the_models_own_families() -> None:
    rates = misfit.spoken(misfit.of_the_model, 20, 60, np.random.default_rng(3))
    assert (rates[:2] < misfit.RATE + 4 * error_of(misfit.RATE, 60)).all()


@slow
@pytest.mark.parametrize("shape", misfit.SHAPES)
def test_misfit_is_said_of_other_shapes_of_54_data_sets(shape: str) -> None:
    assert misfit.spoken(misfit.SHAPES[shape], 54, 10, np.random.default_rng(3))[2] >= 0.7


ALLOWED = 0.05 + 4 * error_of(0.05, 400)


@slow
@each_kind
@pytest.mark.parametrize("truth", suites.NOWHERE_WORSE)
def test_a_change_that_is_nowhere_worse_seldom_fails(rows: suites.Rows, truth: str) -> None:
    truths = suites.truths_of(truth, 6)
    result = suites.rates(rows, truths, 0.0, 400, np.random.default_rng(1))
    assert result["fail"] < ALLOWED
    if truth != "equal":  # the promise is kept by the correction, not by a lack of power
        assert result["uncorrected"] > 2 * ALLOWED
    assert result["fail"] + result["pass"] + result["undecided"] == pytest.approx(1)


@slow
@each_kind
def test_one_data_set_that_is_worse_is_found_and_never_passed_over(rows: suites.Rows) -> None:
    truths = suites.truths_of("one worse by five ropes", 6)
    result = suites.rates(rows, truths, 0.0, 400, np.random.default_rng(2))
    assert result["fail"] > (
        0.65 if rows.unit is suites.ROWS[0].unit else 0.75
    )  # which may be more alike
    # what is shown by itself is a suspect: then nothing passes
    assert result["pass"] <= 1 - result["uncorrected"]


@slow
@pytest.mark.parametrize("correlation", suites.CORRELATIONS)
def test_metrics_keep_the_promise_together(correlation: float) -> None:
    rng, rows = np.random.default_rng(3), suites.ROWS[0]
    border = suites.truths_of("on the border", 6, suites.METRICS)
    assert suites.rates(rows, border, correlation, 400, rng)["fail"] < ALLOWED
    worse = suites.truths_of("all worse by one more rope", 6, suites.METRICS)
    alone, among = (
        suites.rates(rows, truths, correlation, 200, rng)["fail"]
        for truths in (worse[:, :1], worse)
    )
    assert 0.2 < among < alone


@each_kind
def test_simulated_rows_have_the_moments_that_are_asked_for(rows: suites.Rows) -> None:
    truths = suites.truths_of("equal", 20_000 if rows.n == 10 else 2_000, 2)
    drawn = suites.differences(rows, truths, 0.5, np.random.default_rng(4))
    first, second = drawn[:, 0, 0], drawn[:, 0, 1]
    far = 5 / np.sqrt(len(first))
    assert np.corrcoef(first, second)[0, 1] == pytest.approx(0.5, abs=far)
    assert np.corrcoef(first, drawn[:, 1, 0])[0, 1] == pytest.approx(rows.rho, abs=far)
    # the factor e^(0.3 z) of their standard deviations has the second moment e^0.18
    assert (drawn**2).mean() == pytest.approx(rows.sd**2 * np.exp(0.18), rel=1.5 * far)


def test_a_family_is_noted_with_its_truth() -> None:
    held, inside, stated, true = places.family(np.random.default_rng(1), 4, 0.5, 0.3, 10)
    assert held in (True, False)
    assert 0 <= inside <= 1
    assert stated.sum() == pytest.approx(1)
    assert true.sum() == pytest.approx(1)


def test_p_best_is_scored_on_the_other_half() -> None:
    """With one winner everywhere its score is that of a sure prediction."""
    _, scores = next(real.collections())
    table = np.array([0.9, 0.5, 0.4, 0.3, 0.2])
    one = tuple(replace(d, table=np.tile(table, (len(d.table), 1))) for d in scores.datasets)
    ours, few, many = real.winners(np.random.default_rng(0), replace(scores, datasets=one))
    q = (len(one) + 1) // 2
    for score, (seen, ties) in zip(
        (ours, few, many), ((q + 10, 0.5), (q, 0.5), (q, 4.0)), strict=True
    ):
        assert score == pytest.approx(np.log((seen + ties / 5) / (seen + ties)))


@slow
def test_the_rates_of_a_gate_in_its_topic_are_those_of_the_study() -> None:
    assert topic.of_rates() in explained("rates")
    assert topic.of_suites() in explained("rates")
    few = rates.lines(10, 1)
    assert {line.what for line in few} == set(topic.saved("rates")[0])


def test_what_is_drawn_is_on_the_border() -> None:
    for design in rates.DESIGNS[:: len(rates.DESIGNS) // 12]:
        many = replace(design, q=20_000).drawn(np.random.default_rng(2))
        assert many.mean() == pytest.approx(-suites.R, abs=5 * many.mean(axis=1).std() / 141)


def test_the_tables_of_places_and_of_real_results_stand_on_the_site() -> None:
    assert topic.page().endswith(topic.places() + topic.real())
    assert len(topic.places().partition("| --- ")[2].splitlines()) - 1 == len(
        places.CLASSIFIERS
    ) * len(places.SIZES)
    assert topic.real().count("\n| ") == 2 + len(real.TESTS)
