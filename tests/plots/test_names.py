"""A thousand odd names through every picture: each is written in full, and on the page."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

from bcompare.plots.page import MOST_IN_MATRIX, MOST_ROWS
from bcompare.plots.registry import MOST_LINES
from bcompare.plots.registry import PICTURES as REGISTRY
from bcompare.plots.sheet import Sheet
from bcompare.report.table import printable
from tests.plots import pictures
from tests.plots.layout import layout_of, squeezed, words_of
from tests.plots.pictures import ROPES, Draw
from tests.test_odd_names import NAMES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

pytestmark = pytest.mark.slow

# How each picture of many names is drawn, and of two; by their names in the registry.
MANY: dict[str, Callable[[int], Draw]] = {
    "forest": pictures.forest,
    "shrinkage": pictures.shrinkage,
    "posteriors": pictures.posteriors,
    "densities": pictures.densities,
    "boxplot": lambda count: pictures.boxplot(-(-count // 2)),
    "regions": lambda count: pictures.regions(-(-count // 2)),
    "regret": pictures.regret,
    "family": pictures.family,
    "pairs": pictures.pairs,
    "critical-difference": pictures.critical_difference,
    "folds": pictures.folds,
}
TWO: dict[str, Draw] = {
    "posterior": pictures.posterior,
    "parameters": pictures.hierarchical(with_nu=True),
    "simplex": pictures.simplex,
    "counts": pictures.counts(9),
    "ropes": pictures.ropes,
    "means": pictures.means([-0.02, 0.0, 0.05]),
    "outlook": pictures.outlook(2),
}
MOST = {"pairs": MOST_IN_MATRIX, "folds": MOST_LINES}


def joined(names: Sequence[str], count: int) -> list[str]:
    """So many names, each of many."""
    size = -(-len(names) // count)
    return [" ".join(names[k : k + size]) for k in range(0, len(names), size)]


def lacking(figure: "Figure", names: Sequence[str]) -> list[str]:
    """The names that are not written in full, in a file that is well-formed."""
    words = squeezed(words_of(figure))
    return [name for name in names if squeezed(name) not in words]


def test_every_picture_is_among_these() -> None:
    assert MANY.keys() | TWO.keys() == REGISTRY.keys()


@pytest.mark.parametrize("name", MANY)
def test_pictures_of_many_names_hold_all_of_them(name: str) -> None:
    names = [printable(odd) for odd in NAMES]
    part = joined(names, min(40, MOST.get(name, 40)))
    figure = MANY[name](len(part))(part, ROPES[0], Sheet())
    assert not lacking(figure, names)
    assert not layout_of(figure).outside


@pytest.mark.parametrize("name", TWO)
def test_pictures_of_two_names_hold_all_of_them(name: str) -> None:
    names = [printable(odd) for odd in NAMES]
    sheet = Sheet.of("page", "paper")
    for left, right in zip(*[iter(joined(names, 4))] * 2, strict=True):
        assert not lacking(TWO[name]((left, right), ROPES[0], sheet), (left, right))


@pytest.mark.long
@pytest.mark.parametrize("name", MANY)
@pytest.mark.parametrize("width", ["column", "page"])
def test_pictures_of_many_names_hold_each_by_itself(name: str, width: str) -> None:
    names = [printable(odd) for odd in NAMES]
    most = min(MOST_ROWS, 30 if name == "pairs" else MOST.get(name, MOST_ROWS))
    for k in range(0, len(names), most):
        part = names[k : k + most]
        if len(part) > 1:
            figure = MANY[name](len(part))(part, ROPES[0], Sheet.of(width, "paper"))
            assert not lacking(figure, part)
            assert not layout_of(figure).outside
