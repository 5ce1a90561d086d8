"""The saved results of our own studies: what is promised came true, and the topics show it."""

import numpy as np
import pytest
from studies import looks, misfit, places, real, suites, topic
from studies.run import STUDIES

from bcompare.explain import explained

OWN = [name for name, study in STUDIES.items() if study.source.endswith(", own")]


def figures(study: str) -> dict[str, float]:
    """What came out, by what it is."""
    return {what: line["ours"] for what, line in topic.saved(study)[0].items()}


@pytest.mark.parametrize("study", OWN)
def test_what_is_promised_came_true(study: str) -> None:
    """Within three standard errors; a gate's errors, coverage, and stated probabilities."""
    lines, _ = topic.saved(study)
    assert not [what for what, line in lines.items() if line["agrees"] is False]


def test_one_look_errs_as_often_as_promised_and_many_more_often() -> None:
    ours = figures("looks")
    for stream in looks.STREAMS:
        first, last, ever = (
            {truth: ours[f"{stream.name}, {truth}: {when}"] for truth in looks.TRUTHS}
            for when in ("first", "last", "ever")
        )
        border = "on the border"
        assert max(abs(first[border] - 0.05), abs(last[border] - 0.05)) < 0.015
        assert ever["equal"] < ever[border] < ever["worse by two ropes"]
        assert ever[border] > 2 * last[border]


def test_bets_find_what_is_much_worse() -> None:
    ours = figures("anytime")
    assert min(share for what, share in ours.items() if "-0.05: ever said" in what) > 0.8


def test_intervals_of_repeated_answers_are_too_short_where_nearly_all_is_solved() -> None:
    ours = figures("epochs")
    for design in ("mean of 5", "pass@5 of 10"):
        assert abs(ours[f"half solved, {design}, 100 items: 95 % interval"] - 0.95) < 0.015
    few = ours["nearly all solved, pass@5 of 10, 100 items: 95 % interval"]
    assert few < 0.75 < 0.93 < ours["nearly all solved, mean of 5, 500 items: 95 % interval"]


@pytest.mark.usefixtures("one_population")
def test_misfit_is_hardly_ever_said_of_the_models_own_families() -> None:
    """It would be seen of a rate of 0.2, and if one in four other shapes went unseen."""
    rng = np.random.default_rng(3)
    assert (misfit.spoken(misfit.of_the_model, 20, 30, rng)[:2] < 0.1).all()
    assert misfit.spoken(misfit.skewed, 54, 8, rng)[2] > 0.75


@pytest.mark.parametrize("shape", misfit.SHAPES)
def test_misfit_is_said_of_other_shapes_of_54_data_sets(shape: str) -> None:
    assert figures("misfit")[f"{shape}, q = 54: either"] > 0.9


def test_one_data_set_that_is_worse_is_found_alone_and_among_metrics() -> None:
    ours = figures("suites")
    for rows in suites.ROWS:
        found = ours[f"{rows.name}, 6 data sets, one worse by five ropes: fails"]
        assert found > 0.65  # of folds, which may be more alike
    for correlation in suites.CORRELATIONS:
        alone, among = (
            ours[f"correlation {correlation:g}, {metrics} all worse by one more rope: fails"]
            for metrics in ("that metric alone", f"one of {suites.METRICS} metrics")
        )
        assert 0.2 < among < alone


@pytest.mark.parametrize("rows", suites.ROWS, ids=lambda rows: rows.name)
def test_a_gate_needs_its_correction_on_the_border(rows: suites.Rows) -> None:
    """It would fail at a rate of 0.2, and without Holm's correction fails at 0.3 or more."""
    count = 60
    border = suites.truths_of("on the border", 6)
    result = suites.rates(rows, border, 0.0, count, np.random.default_rng(1))
    allowed = 0.05 + 4 * np.sqrt(0.05 * 0.95 / count)
    assert result["fail"] < allowed < result["uncorrected"]
    assert result["fail"] + result["pass"] + result["undecided"] == pytest.approx(1)


def test_the_tables_of_looks_are_those_of_the_study() -> None:
    ours = figures("anytime")
    rows, header = [], []
    for line in f"{explained('looks')}\n{explained('anytime')}".splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if cells[0] in ("way to look", "stream"):
            header = ["0" if cell == "equal" else cell.replace("−", "-") for cell in cells]
        elif line.startswith("| ") and "---" not in line:
            rows.append((cells[0], dict(zip(header[1:], cells[1:], strict=True))))
    assert len(rows) > 8
    for name, cells_of in rows:
        for truth, cell in cells_of.items():
            what = f"{name}, {truth}"
            known = f"{what}: ever said" in ours
            share, stops = (ours.get(f"{what}: {k}", 0.0) for k in ("ever said", "stops after"))
            assert cell == (f"{100 * share:.1f} %, {stops:,.0f}" if known else "–"), what


def test_the_tables_of_gates_places_and_real_results_are_shown() -> None:
    assert topic.of_rates() in explained("rates")
    assert topic.page().endswith(topic.places() + topic.real())
    assert len(topic.places().partition("| --- ")[2].splitlines()) - 1 == len(
        places.CLASSIFIERS
    ) * len(places.SIZES)
    assert topic.real().count("\n| ") == 2 + len(real.TESTS)
