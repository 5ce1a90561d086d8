"""How numbers are written."""

import pytest

from bcompare.report.number import decimals_for, difference, probability


@pytest.mark.parametrize(
    ("p", "written"),
    [
        (0.0, "0.000"), (1e-300, "<0.001"), (0.0004, "<0.001"), (0.0006, "0.001"),
        (0.5, "0.500"), (0.9994, "0.999"), (0.9996, ">0.999"), (1 - 1e-16, ">0.999"),
        (1.0, "1.000"),
    ],
)  # fmt: skip
def test_probability(p: float, written: str) -> None:
    assert probability(p) == written


@pytest.mark.parametrize(
    ("value", "decimals", "written"),
    [
        (0.01234, 4, "+0.0123"), (-0.01234, 4, "-0.0123"), (-0.00001, 4, "0.0000"),
        (0.0, 4, "0.0000"), (123456.0, 2, "+1.235e+05"), (1.5e-9, 11, "+1.500e-09"),
        (float("inf"), 3, "∞"), (float("-inf"), 3, "-∞"),
    ],
)  # fmt: skip
def test_difference(value: float, decimals: int, written: str) -> None:
    assert difference(value, decimals) == written


@pytest.mark.parametrize(
    ("scale", "decimals"), [(0.01, 4), (1.0, 2), (100.0, 0), (0.0, 4), (2e-6, 8)]
)
def test_decimals_follow_the_scale(scale: float, decimals: int) -> None:
    assert decimals_for(scale) == decimals
