"""Columns whose names hold a classifier and a running number."""

import re

import pytest

from bcompare.columns.side_by_side import SideBySide, _numbered


def parts(found: SideBySide, name: str) -> tuple[str, str]:
    """The classifier and the number that a name holds."""
    match = re.fullmatch(found.expression("fold"), name)
    assert match is not None
    return match["classifier"], match["fold"]


@pytest.mark.parametrize(
    ("first", "second", "ending"),
    [
        ("tree", "forest", ""),  # right before the number, of which it takes no digit
        ("svm2", "svm3", "_fold"),  # may end with a digit, where a word follows
    ],
)
def test_a_classifier_ends_where_its_number_begins(first: str, second: str, ending: str) -> None:
    names = [f"{who}{ending}{k}" for who in (first, second) for k in range(1, 13)]
    (found,) = _numbered(names, has_models=False)
    assert found.columns == tuple(names)
    assert parts(found, f"{first}{ending}12") == (first, "12")
    assert parts(found, f"{second}{ending}1") == (second, "1")


@pytest.mark.parametrize("separator", ["_", " - ", ""])
def test_a_running_number_may_stand_before_the_classifier(separator: str) -> None:
    names = [f"fold{k}{separator}{who}" for who in ("tree", "forest") for k in range(12)]
    (found,) = _numbered(names, has_models=False)
    assert parts(found, f"fold11{separator}tree") == ("tree", "11")
