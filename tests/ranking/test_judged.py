"""Which pairs on one data set lack the spread for a verdict."""

from dataclasses import replace

import numpy as np
import pytest

from bcompare.data.rope import FloatArray
from bcompare.data.units import FOLD, ITEM, Unit
from bcompare.ranking.judged import lacks_spread
from tests.examples import scores_from

NAMES = ("a", "same", "low", "high")
SAME = {("a", "same")}
APART = {("low", "high")}


def lacking(table: FloatArray, unit: Unit) -> set[tuple[str, str]]:
    """Return the pairs of the four classifiers that lack the spread."""
    scores = replace(scores_from({"x": table}, NAMES), unit=unit)
    pairs = lacks_spread(scores.datasets[0], scores)
    assert (pairs == pairs.T).all()
    return {(NAMES[i], NAMES[j]) for i, j in np.argwhere(np.triu(pairs)).tolist()}


@pytest.mark.parametrize(("n", "expected"), [(29, SAME | APART), (30, APART)])
def test_scores_that_never_differ_tell_that_two_are_alike_if_they_are_many(
    n: int, expected: set[tuple[str, str]]
) -> None:
    rng = np.random.default_rng(0)
    first, low = rng.uniform(0.5, 0.8, (2, n)).round(2)
    table = np.column_stack([first, first, low, low + 0.02])
    assert lacking(table, FOLD) == expected


@pytest.mark.parametrize(
    ("unit", "n", "expected"),
    [(FOLD, 30, SAME | APART), (ITEM, 30, APART), (ITEM, 10, APART)],
)
def test_right_and_wrong_tell_it_only_of_items(
    unit: Unit, n: int, expected: set[tuple[str, str]]
) -> None:
    first = np.arange(n) % 2.0
    table = np.column_stack([first, first, np.zeros(n), np.ones(n)])
    assert lacking(table, unit) == expected
