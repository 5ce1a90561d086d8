"""Every picture on every sheet: as wide as promised, nothing cut, nothing on other things.

And a thousand odd names through every picture: each is written in full, and on the page.
"""

from collections.abc import Sequence
from functools import partial
from itertools import cycle, product
from typing import TYPE_CHECKING

import pytest

from bcompare.basis.errors import InputError
from bcompare.basis.printable import printable
from bcompare.data.rope import Rope
from bcompare.plots.registry import MOST_LINES
from bcompare.plots.registry import PICTURES as REGISTRY
from bcompare.plots.sheet import (
    LEAST_TEXT,
    MOST_IN_MATRIX,
    MOST_ROWS,
    SMALLEST_TEXT,
    WIDTHS,
    Sheet,
    most_in_matrix,
)
from bcompare.show import draw as draw_result
from tests.plots.layout import check_geometry, check_uncut, squeezed, words_of
from tests.plots.pictures import LONG, ROPES, SHORT, THIRTY, draw, on_datasets, ranked
from tests.plots.pictures import PICTURES as EXAMPLES
from tests.test_odd_names import NAMES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

pytestmark = pytest.mark.slow

SHEETS = {
    f"{width}-{style}": Sheet.of(width, style)
    for width, style in product(WIDTHS, ("screen", "paper"))
}
# Too many classifiers for a column's width: see below.
NO_COLUMN = ("pairs-65",)
# Each picture is drawn with names and ropes of every length.
ROUNDS = {
    False: ((SHORT, ROPES[0]), (THIRTY, ROPES[2]), (LONG, ROPES[1]), (THIRTY, ROPES[0])),
    True: ((LONG, ROPES[1]), (SHORT, ROPES[0]), (SHORT, ROPES[2]), (LONG, ROPES[1])),
}


@pytest.mark.parametrize(
    ("name", "sheet", "names", "rope"),
    [
        pytest.param(
            name, sheet, *case, id=f"{name}-{sheet}-{'again' if is_long else 'once'}",
            marks=[pytest.mark.long] if is_long else [],
        )
        for is_long, cases in ROUNDS.items()
        for name in EXAMPLES
        for sheet, case in zip(SHEETS, cases, strict=True)
        if not (name in NO_COLUMN and sheet.startswith("column"))
    ],
)  # fmt: skip
def test_a_sheet_holds_its_promises(
    name: str, sheet: str, names: Sequence[str], rope: Rope
) -> None:
    """As wide as asked for; nothing is cut, lies on something else or is too small to read."""
    figure = draw(name, names, rope, SHEETS[sheet])
    assert figure.get_figwidth() == pytest.approx(SHEETS[sheet].width, abs=1e-12)
    sizes = check_geometry(figure, SHEETS[sheet])
    assert min(sizes) >= (LEAST_TEXT if name.startswith("pairs") else SMALLEST_TEXT)


def test_without_a_width_only_a_matrix_is_wider_than_a_page() -> None:
    widths = {name: draw(name).get_figwidth() for name in EXAMPLES}
    assert {name for name, width in widths.items() if width != WIDTHS["page"]} == {"pairs-65"}
    assert widths["pairs-65"] > 2 * WIDTHS["page"]


@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
def test_a_matrix_of_too_many_for_its_width_is_refused(sheet: Sheet) -> None:
    most = most_in_matrix(sheet)
    assert 30 <= most < MOST_IN_MATRIX
    check_geometry(draw_result(ranked(LONG, ROPES[0], rows=most), "pairs", sheet), sheet)
    with pytest.raises(InputError, match=f"holds 1 to {most} at this width: ask for a wider one"):
        draw_result(ranked(SHORT, ROPES[0], rows=most + 1), "pairs", sheet)


def test_more_rows_than_a_page_holds_are_refused() -> None:
    study = on_datasets(SHORT, ROPES[0], test="ttest", rows=MOST_ROWS + 1)
    for name in ("forest", "posteriors", "densities"):
        with pytest.raises(InputError, match=f"a picture of {MOST_ROWS + 1} rows"):
            draw_result(study, name, Sheet())


# By the pictures' names: an example of two names, and of those with rows any number of names.
TWO = {picture: example for example, (picture, _) in EXAMPLES.items()}
MANY = {
    picture: result
    for picture, result in EXAMPLES.values()
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
