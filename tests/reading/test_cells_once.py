"""What is said of the cells of a column is found out once for each different one."""

from collections import Counter

import numpy as np
import pytest

from bcompare.columns import features
from bcompare.columns.features import FileColumn
from bcompare.columns.vocabulary import sums_up
from bcompare.files.cells import Written, number_in

CELLS = ("tree", "average", "", "0.5", "nan", "Mean", "91.2 %", "forest")


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each cell was looked at."""
    counts: Counter[str] = Counter()

    def counted_number(cell: str) -> Written | None:
        counts[f"number in {cell}"] += 1
        return number_in(cell)

    def counted_sum(cell: str) -> bool:
        counts[f"sum of {cell}"] += 1
        return sums_up(cell)

    monkeypatch.setattr(features, "number_in", counted_number)
    monkeypatch.setattr(features, "sums_up", counted_sum)
    return counts


def test_rows_that_sum_up_others_are_those_of_each_cell(looked_at: Counter[str]) -> None:
    column = FileColumn("name", CELLS * 50)
    expected = [sums_up(cell) for cell in column.cells]
    assert column.are_sums.tolist() == expected
    assert {*expected} == {True, False}
    assert max(looked_at.values()) == 1


@pytest.mark.parametrize("numbers", [1, 40])
def test_filled_cells_are_those_that_are_not_missing(looked_at: Counter[str], numbers: int) -> None:
    """Among many numbers words stand for what is missing, too."""
    column = FileColumn("score", ("0.5", "91.2 %") * numbers + ("tree", "", "nan", "0.5"))
    expected = [cell for cell in column.cells if cell not in ("", "nan")]
    if numbers == 40:
        expected.remove("tree")
    assert list(column.filled) == expected
    known = {"0.5": 0.5, "91.2 %": 91.2, "tree": np.nan}
    np.testing.assert_array_equal(column.numbers, [known[cell] for cell in expected])
    assert max(looked_at.values()) == 1
