"""A thousand odd names through every picture: each is written in full, and on the page."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pytest

from bcompare.basis.printable import printable
from bcompare.basis.showable import Showable
from bcompare.plots.registry import MOST_LINES
from bcompare.plots.registry import PICTURES as REGISTRY
from bcompare.plots.sheet import MOST_IN_MATRIX, MOST_ROWS, Sheet
from bcompare.show import draw
from tests.plots import pictures
from tests.plots.layout import layout_of, squeezed, words_of
from tests.plots.pictures import ROPES
from tests.test_odd_names import NAMES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

pytestmark = pytest.mark.slow

# What pictures of many names show, and of two; by their names in the registry.
MANY: dict[str, Callable[..., Showable]] = {
    "forest": partial(pictures.on_datasets, test="ttest"),
    "shrinkage": partial(pictures.on_datasets, test="hier"),
    "posteriors": partial(pictures.on_datasets, test="ttest"),
    "densities": pictures.single_scores,
    "boxplot": partial(pictures.pairs_of, test="sign"),
    "regions": partial(pictures.pairs_of, test="sign"),
    "regret": pictures.ranked,
    "family": pictures.ranked,
    "pairs": pictures.ranked,
    "critical-difference": pictures.ranked,
    "folds": partial(pictures.ranked, datasets=1),
}
TWO = {
    "posterior": "posterior",
    "parameters": "parameters",
    "simplex": "simplex",
    "counts": "counts-61",
    "ropes": "ropes",
    "means": "means",
    "outlook": "outlook-3",
}
MOST = {"pairs": MOST_IN_MATRIX, "folds": MOST_LINES}


def joined(names: Sequence[str], count: int) -> list[str]:
    """So many names, each of many."""
    size = -(-len(names) // count)
    return [" ".join(names[k : k + size]) for k in range(0, len(names), size)]


def lacking(figure: "Figure", names: Sequence[str]) -> list[str]:
    """The names that are not written in full, in a file that is well-formed."""
    words = squeezed(words_of(figure))
    return [name for name in map(printable, names) if squeezed(name) not in words]


def figure_of(name: str, names: Sequence[str], sheet: Sheet) -> "Figure":
    """The picture of as many rows as hold all names."""
    rows = -(-len(names) // 2) if name in ("boxplot", "regions") else len(names)
    return draw(MANY[name](tuple(names), ROPES[0], rows=rows), name, sheet)


def test_every_picture_is_among_these() -> None:
    assert MANY.keys() | TWO.keys() == REGISTRY.keys()


@pytest.mark.parametrize("name", MANY)
def test_pictures_of_many_names_hold_all_of_them(name: str) -> None:
    part = joined(NAMES, min(40, MOST.get(name, 40)))
    figure = figure_of(name, part, Sheet())
    assert not lacking(figure, NAMES)
    assert not layout_of(figure).outside


@pytest.mark.parametrize("name", TWO)
def test_pictures_of_two_names_hold_all_of_them(name: str) -> None:
    sheet = Sheet.of("page", "paper")
    for names in zip(*[iter(joined(NAMES, 4))] * 2, strict=True):
        assert not lacking(pictures.draw(TWO[name], names, ROPES[0], sheet), names)


@pytest.mark.long
@pytest.mark.parametrize("name", MANY)
@pytest.mark.parametrize("width", ["column", "page"])
def test_pictures_of_many_names_hold_each_by_itself(name: str, width: str) -> None:
    most = min(MOST_ROWS, 30 if name == "pairs" else MOST.get(name, MOST_ROWS))
    for k in range(0, len(NAMES), most):
        part = NAMES[k : k + most]
        if len(part) > 1:
            figure = figure_of(name, part, Sheet.of(width, "paper"))
            assert not lacking(figure, part)
            assert not layout_of(figure).outside
