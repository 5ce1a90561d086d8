"""The rope: its borders, and whether it fits the scale of the scores."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bcompare
from bcompare import InputError
from bcompare.columns.direction import meaning_of
from bcompare.data.assumed_rope import rope_for
from bcompare.data.rope import Rope
from bcompare.data.scales import check_one_unit, narrower, scale_notes
from bcompare.data.scores import Scores
from tests.examples import scores_from

SETS = tuple(f"set-{i}" for i in range(8))


def test_what_callers_may_give() -> None:
    assert Rope.of(0.02) == Rope.of((-0.02, 0.02)) == Rope.of(Rope(-0.02, 0.02))

    several: list[Any] = [(0, 0.01, 0.02), None, "wide", [[0.01]]]
    for wrong in several:
        with pytest.raises(InputError):
            Rope.of(wrong)


def test_borders_belong_to_the_rope_also_in_decimals() -> None:
    shares = Rope.symmetric(0.01).shares(np.array([-0.010000000001, 0.85 - 0.84, 0.0100001]))
    assert (shares.rope.tolist(), shares.right.tolist()) == ([1, 1, 0], [0, 0, 1])


def test_without_a_rope_zero_counts_half() -> None:
    shares = Rope(0, 0).shares(np.array([-1e-9, 0.0, 1e-9]))
    assert (shares.left.tolist(), shares.right.tolist()) == ([1, 0.5, 0], [0, 0.5, 1])
    assert shares.rope.tolist() == [0, 0, 0]


FRACTIONS = np.array([[0.61, 0.72], [0.83, 0.9], [0.75, 0.98]])


def scores(table: np.ndarray, *, lower_is_better: bool = False) -> Scores:
    read = scores_from({"iris": -table if lower_is_better else table})
    return replace(read, lower_is_better=lower_is_better)


@pytest.mark.parametrize("lower_is_better", [False, True])
@pytest.mark.parametrize(
    ("table", "rope", "code"),
    [
        (100 * FRACTIONS, Rope(-0.01, 0.01), "percentages"),
        (100 * FRACTIONS, Rope(-1, 1), None),
        (100 * FRACTIONS, Rope(-40, 40), None),
        (100 * FRACTIONS, Rope(-80, 80), "wide-rope"),
        (FRACTIONS, Rope(-0.01, 0.01), None),
        (FRACTIONS, Rope(-1, 1), "wide-rope"),
        (FRACTIONS, Rope(-0.001, 0.8), "wide-rope"),
        (FRACTIONS, Rope(0, 0.01), "one-sided-rope"),
        (FRACTIONS, Rope(-0.01, 0), "one-sided-rope"),
        (FRACTIONS, Rope(-0.36, 0.36), None),
        (FRACTIONS, Rope(0, 0), None),
        (1000 * FRACTIONS, Rope(-800, 800), "wide-rope"),
        (np.full((3, 2), 0.5), Rope(-1, 1), None),  # all tied: the tests say so
    ],
)
def test_both_directions(
    table: np.ndarray, rope: Rope, code: str | None, lower_is_better: bool
) -> None:
    notes = scale_notes(scores(table, lower_is_better=lower_is_better), rope)
    if lower_is_better and code == "percentages":
        code = None  # seconds, bytes or errors in any unit
    assert [note.code for note in notes] == ([code] if code else [])


@pytest.mark.parametrize(
    ("metric", "factor", "lower", "is_assumed"),
    [
        ("", 1, False, True),
        ("", 1, True, False),  # an error in any unit
        ("", 1.2, False, False),
        ("", -1, False, False),
        ("accuracy", 1, False, True),
        ("accuracy", 0.02, False, False),  # one point is no small part of it
        ("accuracy", 1.2, False, False),
        ("accuracy", 1, True, False),  # the user says that it is an error
        ("r2", 1, False, True),
        ("wer", 1.2, True, True),  # more mistakes than words
        ("wer", -1, True, False),
        ("error_rate", 1, True, True),
        ("rmse", 1, True, False),
        ("log_loss", 1, True, False),
        ("seconds", 1, True, False),
        ("psnr", 1, False, False),
        ("reward", 1, False, False),
    ],
)
def test_a_rope_is_assumed_for_bounded_scores_only(
    metric: str, factor: float, lower: bool, is_assumed: bool
) -> None:
    given = replace(scores(factor * FRACTIONS, lower_is_better=lower), metric=metric)
    given = replace(given, meaning=meaning_of(metric))
    if is_assumed:
        assert rope_for(given, None) == Rope(-0.01, 0.01)
    else:
        with pytest.raises(InputError, match="no rope is assumed"):
            rope_for(given, None)
    assert rope_for(given, 0.3) == Rope(-0.3, 0.3)


def test_no_rope_is_assumed_for_percentages_and_unlike_data_sets() -> None:
    with pytest.raises(InputError, match="look like percentages"):
        rope_for(scores(100 * FRACTIONS), None)
    parts = [scores(size * FRACTIONS, lower_is_better=True) for size in (0.1, 73)]
    small, large = (replace(p.datasets[0], name=n) for p, n in zip(parts, "ab", strict=True))
    both = replace(parts[0], datasets=(small, large), metric="rmse", meaning=meaning_of("rmse"))
    with pytest.raises(InputError, match="One rope cannot fit all"):
        rope_for(both, None)
    assert [note.code for note in scale_notes(both, Rope.of(0.01))] == ["scales"]


def test_a_gates_rope_fits_its_baseline() -> None:
    table = np.array([[0.015, 0.9]]) * np.ones((10, 1))
    given = scores(table + np.linspace(0, 0.001, 10)[:, None])
    assert rope_for(given, None) == Rope(-0.01, 0.01)
    with pytest.raises(InputError, match="no rope is assumed"):
        rope_for(given, None, given.classifiers[:1])


@pytest.mark.parametrize(("metric", "codes"), [("seconds", ["wide-rope"]), ("", [])])
def test_a_rope_may_be_wide_on_one_data_set(metric: str, codes: list[str]) -> None:
    """Tests of 2 ms and of 0.3 s, under the usual rope of 0.01."""
    parts = [scores(size * FRACTIONS, lower_is_better=True) for size in (0.002, 0.3)]
    long, short = (replace(part.datasets[0], name=n) for part, n in zip(parts, "ab", strict=True))
    both = replace(parts[0], datasets=(long, short), metric=metric, meaning=meaning_of(metric))
    notes = [note for note in scale_notes(both, Rope.of(0.01)) if note.code == "wide-rope"]
    assert [note.code for note in notes] == codes
    assert all("some times are long" in note.message for note in notes)


@pytest.mark.parametrize("factor", [0.01, 0.02, 0.001, 1.0, 30.0])
def test_a_rope_is_wide_by_how_large_scores_are_and_a_narrow_one_is_advised(factor: float) -> None:
    given = scores(factor * FRACTIONS)
    mean = float(given.datasets[0].table.mean())
    assert "wide-rope" not in [n.code for n in scale_notes(given, Rope.symmetric(0.99 * mean))]
    (note,) = scale_notes(given, Rope.symmetric(mean))
    assert note.code == "wide-rope"
    advised = float(note.message.rpartition("rope=")[2])
    assert 0 < advised <= mean / 10
    close = scores(0.8 + factor * (FRACTIONS - 0.8) / 100)  # however little they differ
    assert "wide-rope" not in [n.code for n in scale_notes(close, Rope.of(0.01))]


@pytest.mark.parametrize(("rope", "code"), [(5.0, "wide-rope"), (0.2, None)])
def test_one_large_score_makes_no_rope_narrow(rope: float, code: str | None) -> None:
    costs = np.random.default_rng(0).uniform(0.5, 3.0, (40, 2))
    costs[0, 0] = 9.3
    notes = scale_notes(scores(costs), Rope.symmetric(rope))
    assert [note.code for note in notes] == ([code] if code else [])


def test_a_rope_as_large_as_rare_successes_is_wide_and_a_narrower_one_is_advised() -> None:
    solved = (np.arange(1000)[:, None] % [125, 200] == 0).astype(float)
    (note,) = scale_notes(scores(solved), Rope.of(0.01))
    assert note.code == "wide-rope"
    assert note.message.endswith("rope=0.0001")


def test_a_rope_that_no_difference_can_leave_is_refused() -> None:
    scores = bcompare.read_scores("sample_data/results.csv", datasets=("two_hard",))
    calls: tuple[Any, ...] = (bcompare.compare, bcompare.rank)
    for call in calls:
        with pytest.raises(InputError, match="no score is above 1"):
            call(scores, rope=1.0)
    assert bcompare.compare(scores, rope=(-1.0, 0.5)).comparisons


@pytest.mark.parametrize(("size", "rope"), [(0.04, 0.001), (0.9, 0.01), (1.5, 0.1), (250.0, 10.0)])
def test_a_narrower_rope_is_a_tenth_of_the_scores_and_of_shares_a_hundredth(
    size: float, rope: float
) -> None:
    assert str(InputError(narrower(size))).endswith(f"rope={rope:g}")


@pytest.mark.parametrize(
    ("metric", "milliseconds", "refused"),
    [
        ("fit_time", 1, None),  # an outlier
        ("fit_time", 3, "a part of the scores of b"),
        ("fit_time", 20, "every score of b"),
        ("error", 3, None),  # may be so large
        ("error", 20, "every score of b"),
    ],
)
def test_a_part_of_times_may_be_in_another_unit(
    metric: str, milliseconds: int, refused: str | None
) -> None:
    seconds = np.random.default_rng(1).uniform(1, 1.2, (2, 20))
    seconds[1, :milliseconds] *= 1000
    frame = pd.DataFrame(
        {"fold": [*range(20)] * 2, "classifier": ["a"] * 20 + ["b"] * 20, metric: seconds.ravel()}
    )
    read = bcompare.from_frame(frame, score_col=metric, lower_is_better=True, rho=0.1)
    if refused is None:
        check_one_unit(read, "a", "b")
        return
    with pytest.raises(InputError, match=f"^{refused} is more than 30 times larger"):
        check_one_unit(read, "a", "b")
