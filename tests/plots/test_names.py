"""A thousand odd names through every picture: each is written in full, and on the page."""

from collections.abc import Sequence
from functools import partial
from itertools import cycle
from typing import TYPE_CHECKING

import pytest

from bcompare.basis.printable import printable
from bcompare.plots.registry import MOST_LINES
from bcompare.plots.registry import PICTURES as REGISTRY
from bcompare.plots.sheet import MOST_IN_MATRIX, MOST_ROWS, Sheet
from bcompare.show import draw as draw_result
from tests.plots.layout import check_uncut, squeezed, words_of
from tests.plots.pictures import PICTURES, ROPES, draw
from tests.test_odd_names import NAMES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

pytestmark = pytest.mark.slow

# By the pictures' names: an example of two names, and of those with rows any number of names.
TWO = {picture: example for example, (picture, _) in PICTURES.items()}
MANY = {
    picture: result
    for picture, result in PICTURES.values()
    if isinstance(result, partial) and "rows" in result.keywords and picture != "counts"
}
SHARES = 10
MOST = {"pairs": MOST_IN_MATRIX, "folds": MOST_LINES}


def joined(names: Sequence[str], count: int) -> list[str]:
    """This number of names, each made of several."""
    size = -(-len(names) // count)
    return [" ".join(names[k : k + size]) for k in range(0, len(names), size)]


def lacking(figure: "Figure", names: Sequence[str]) -> list[str]:
    """The names that are not written in full, in a file that is well-formed."""
    words = squeezed(words_of(figure))
    return [name for name in map(printable, names) if squeezed(name) not in words]


def figure_of(name: str, names: Sequence[str], sheet: Sheet) -> "Figure":
    """The picture of as many rows as hold all names."""
    rows = -(-len(names) // 2) if name in ("boxplot", "regions") else len(names)
    return draw_result(MANY[name](tuple(names), ROPES[0], rows=rows), name, sheet)


def test_every_picture_is_among_these() -> None:
    assert TWO.keys() == REGISTRY.keys()


@pytest.mark.parametrize("name", MANY)
def test_pictures_of_many_names_hold_all_of_them(name: str) -> None:
    part = joined(NAMES, min(40, MOST.get(name, 40)))
    figure = figure_of(name, part, Sheet())
    assert not lacking(figure, NAMES)
    check_uncut(figure)


@pytest.mark.parametrize("name", sorted(TWO.keys() - MANY.keys()))
def test_pictures_of_two_names_hold_all_of_them(name: str) -> None:
    sheet = Sheet.of("page", "paper")
    for names in zip(*[iter(joined(NAMES, 4))] * 2, strict=True):
        assert not lacking(draw(TWO[name], names, ROPES[0], sheet), names)


@pytest.mark.parametrize(("name", "share"), [*zip(MANY, cycle(range(SHARES)), strict=False)])
@pytest.mark.parametrize("width", ["column", "page"])
def test_pictures_of_many_names_hold_each_by_itself(name: str, share: int, width: str) -> None:
    """Each name in some pictures; the pictures place names by the same few functions."""
    sheet = Sheet.of(width, "paper")
    names = NAMES[share::SHARES]
    most = min(MOST_ROWS, 30 if name == "pairs" else MOST.get(name, MOST_ROWS))
    for k in range(0, len(names), most):
        part = names[k : k + most]
        if len(part) > 1:
            figure = figure_of(name, part, sheet)
            assert not lacking(figure, part)
            check_uncut(figure)
