"""What is said beside a gate of few rows, and that equal ones prove what their signs do."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import bcompare
from bcompare.data.rope import FloatArray
from bcompare.data.scores import DatasetScores, Scores
from bcompare.data.units import FOLD, SEED, Unit
from bcompare.gating.few_rows import FEW, FEW_ROWS, RARE, RareLosses, largest_share
from bcompare.gating.verdict import Gate


def scores_of(differences: list[FloatArray], unit: Unit = SEED) -> Scores:
    datasets = []
    for d, x in enumerate(differences):
        base = 0.8 + 0.01 * np.arange(len(x))
        table = np.column_stack([base, base + x])
        rho = 1 / len(x) if unit.has_folds else 0.0
        datasets.append(DatasetScores(f"d{d}", table, np.ones(2, np.bool_), 1, len(x), rho))
    return Scores(("main", "pr"), tuple(datasets), unit=unit)


def judged(*differences: float, n: int = 5, **more: Any) -> Gate:
    """A gate on n seeds a data set, which scatter a little around these differences."""
    rng = np.random.default_rng(1)
    main = np.linspace(0.8, 0.82, n)
    tables = [x + 0.002 * rng.standard_normal(n) for x in differences]
    frame = pd.concat(
        pd.DataFrame({"dataset": f"d{d}", "seed": range(n), "classifier": name, "score": scores})
        for d, x in enumerate(tables)
        for name, scores in (("main", main), ("pr", main + x))
    )
    options: dict[str, Any] = {"baseline": "main", **more}
    return bcompare.gate(bcompare.from_frame(frame, seed_col="seed"), **options)


def codes(gate: Gate) -> set[str]:
    return {note.code for note in gate.notes} & {FEW, RARE}


@pytest.mark.parametrize(
    ("difference", "outcome", "said"),
    [(0.01, "pass", {RARE}), (-0.1, "fail", set()), (-0.0101, "undecided", {FEW})],
)
def test_a_note_stands_where_it_changes_what_to_do(
    difference: float, outcome: str, said: set[str]
) -> None:
    gate = judged(difference)
    assert gate.outcome == outcome
    assert codes(gate) == said


def test_ten_rows_are_not_few() -> None:
    assert judged(0.01, n=FEW_ROWS).outcome == "pass"
    assert codes(judged(0.01, n=FEW_ROWS)) == set()
    assert codes(judged(0.01, n=FEW_ROWS - 1)) == {RARE}


def test_the_note_names_what_rows_leave_open() -> None:
    (note,) = (note for note in judged(0.01).notes if note.code == RARE)
    assert "fewer than 3 of 5 seeds cannot be excluded" in note.text
    (note,) = (note for note in judged(0.01, 0.01).notes if note.code == RARE)
    assert "fewer than 3 of 5 seeds of a data set cannot be excluded" in note.text
    assert "fewer than 4 of 5 seeds" in RareLosses(5, 1, largest_share(5, 1, 0.05)).describe(
        "seeds", ""
    )


@pytest.mark.parametrize(("n", "lost"), [(3, 0), (5, 0), (5, 1), (9, 2), (4, 4)])
def test_the_largest_share_shows_so_few_losses_with_probability_alpha(n: int, lost: int) -> None:
    share = largest_share(n, lost, 0.05)
    expected = 1.0 if lost == n else 0.05
    assert stats.binom.cdf(lost, n, share) == pytest.approx(expected)


def test_numbers_and_other_data_sets_leave_nothing_to_chance() -> None:
    """A size that never varies passes as a number; its rows are not few."""
    table = np.tile([5.0, 5.0], (6, 1))
    dataset = DatasetScores("d", table, np.ones(2, np.bool_), 1, 6, 0.0)
    gate = bcompare.gate(Scores(("main", "pr"), (dataset,), unit=SEED), baseline="main", rope=0.01)
    assert gate.outcome == "pass"
    assert codes(gate) == set()


@pytest.mark.parametrize("unit", [SEED, FOLD])
@pytest.mark.parametrize("difference", [0.0, -0.005, 0.1])
@pytest.mark.parametrize(
    ("rows", "passes"), [((3, 3), False), ((3, 4), True), ((4,), False), ((5,), True)]
)
def test_equal_differences_pass_by_their_signs(
    unit: Unit, difference: float, rows: tuple[int, ...], passes: bool
) -> None:
    """Two data sets of three equal pairs passed once, at 0.974."""
    scores = scores_of([np.full(n, difference) for n in rows], unit)
    gate = bcompare.gate(scores, baseline="main")
    assert (gate.outcome == "pass") == passes
    chance = 0.5 ** (sum(rows) / np.sqrt(len(rows)))
    assert gate.verdicts[0].p.left == pytest.approx(chance)


def test_equal_differences_prove_no_more_than_nearly_equal_ones() -> None:
    equal, nearly = (
        bcompare.gate(
            scores_of([np.asarray(0.1 + scatter * np.arange(3))] * 2), baseline="main"
        ).verdicts[0]
        for scatter in (0.0, 1e-7)
    )
    assert equal.p.left == pytest.approx(nearly.p.left)
    assert equal.outcome == nearly.outcome == "undecided"


def test_equal_losses_fail_as_surely_as_before() -> None:
    """Less sure by the signs of each data set, which may be losses by chance."""
    (average, *_) = bcompare.gate(scores_of([np.full(6, -0.1)] * 2), baseline="main").verdicts
    signs = 1 - 0.5 ** (12 / np.sqrt(2))
    assert average.p.left == pytest.approx(signs * (1 - 2 * 0.5**6))
