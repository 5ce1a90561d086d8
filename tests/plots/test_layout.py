"""Every picture on every sheet: as wide as promised, nothing cut, nothing on other things."""

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING

import pytest

from bcompare.basis.errors import InputError
from bcompare.data.rope import Rope
from bcompare.plots.figure import picture
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
from tests.plots.layout import layout_of, squeezed, words_of
from tests.plots.pictures import (
    LONG,
    ODD,
    PICTURES,
    ROPES,
    SHORT,
    THIRTY,
    draw,
    on_datasets,
    ranked,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

pytestmark = pytest.mark.slow

SHEETS = {
    f"{width}-{style}": Sheet.of(width, style)
    for width, style in product(WIDTHS, ("screen", "paper"))
}
# So many classifiers are refused at a column's width: see below.
NO_COLUMN = ("pairs-65",)
every_picture = pytest.mark.parametrize("name", PICTURES)
# Names and ropes of every length go round the sheets: each picture has every one of both.
CASES = [
    *zip(
        SHEETS, (SHORT, THIRTY, LONG, THIRTY), (ROPES[0], ROPES[2], ROPES[1], ROPES[0]), strict=True
    ),
    *zip(SHEETS, (LONG, SHORT, SHORT, LONG), (ROPES[1], ROPES[0], ROPES[2], ROPES[1]), strict=True),
]


def every(cases: Sequence[tuple[str, Sequence[str], Rope]]) -> pytest.MarkDecorator:
    """Every picture on every sheet that it is not refused on."""
    return pytest.mark.parametrize(
        ("name", "sheet", "names", "rope"),
        [
            pytest.param(name, sheet, names, rope, id=f"{name}-{sheet}")
            for name in PICTURES
            for sheet, names, rope in cases
            if not (name in NO_COLUMN and sheet.startswith("column"))
        ],
    )


@every(CASES[:4])
def test_a_sheet_holds_its_promises(
    name: str, sheet: str, names: Sequence[str], rope: Rope
) -> None:
    holds(draw(name, names, rope, SHEETS[sheet]), name, SHEETS[sheet])


@pytest.mark.long
@every(CASES[4:])
def test_a_sheet_holds_its_promises_to_other_names(
    name: str, sheet: str, names: Sequence[str], rope: Rope
) -> None:
    holds(draw(name, names, rope, SHEETS[sheet]), name, SHEETS[sheet])


def holds(figure: "Figure", name: str, sheet: Sheet) -> None:
    layout = layout_of(figure)
    assert figure.get_figwidth() == pytest.approx(sheet.width, abs=1e-12)
    assert not layout.overlapping
    assert not layout.outside
    assert layout.drawn.x0 >= 0
    assert layout.drawn.y0 >= 0
    assert layout.drawn.x1 <= layout.page.x1
    assert layout.drawn.y1 <= layout.page.y1
    assert not any(axes.overlaps(text) for axes in layout.axes for text in layout.headings)
    sizes = {float(text.get_fontsize()) for text, _ in layout.texts}
    assert min(sizes) >= (LEAST_TEXT if name.startswith("pairs") else SMALLEST_TEXT)
    is_titled = any(text.get_fontsize() == sheet.large for text in figure.texts)
    assert is_titled == sheet.titled


@every_picture
def test_the_file_is_as_wide_as_was_asked(name: str) -> None:
    root = ET.fromstring(picture(draw(name, sheet=SHEETS["page-paper"]), "svg"))
    assert root.attrib["width"] == "504pt"


def test_without_a_width_only_a_matrix_is_wider_than_a_page() -> None:
    widths = {name: draw(name).get_figwidth() for name in PICTURES}
    assert {name for name, width in widths.items() if width != WIDTHS["page"]} == {"pairs-65"}
    assert widths["pairs-65"] > 2 * WIDTHS["page"]


@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
def test_a_matrix_of_too_many_for_its_width_is_refused(sheet: Sheet) -> None:
    most = most_in_matrix(sheet)
    assert 30 <= most < MOST_IN_MATRIX
    layout = layout_of(draw_result(ranked(LONG, ROPES[0], rows=most), "pairs", sheet))
    assert not layout.overlapping
    assert not layout.outside
    with pytest.raises(InputError, match=f"holds 1 to {most} at this width: ask for a wider one"):
        draw_result(ranked(SHORT, ROPES[0], rows=most + 1), "pairs", sheet)


@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
@pytest.mark.parametrize("names", [SHORT, LONG], ids=["short", "long"])
def test_panels_keep_apart(names: Sequence[str], sheet: Sheet) -> None:
    layout = layout_of(draw("parameters", names, ROPES[0], sheet))
    assert len(layout.axes) == 4
    assert not any(one.overlaps(other) for one, other in combinations(layout.axes, 2))


@every_picture
def test_names_are_written_in_full(name: str) -> None:
    words = squeezed(words_of(draw(name, ODD)))
    for odd in ODD:
        assert squeezed(odd) in words


def test_more_rows_than_a_page_holds_are_refused() -> None:
    study = on_datasets(SHORT, ROPES[0], test="ttest", rows=MOST_ROWS + 1)
    for name in ("forest", "posteriors", "densities"):
        with pytest.raises(InputError, match=f"a picture of {MOST_ROWS + 1} rows"):
            draw_result(study, name, Sheet())
