"""Every picture on every sheet: as wide as promised, nothing cut, nothing on other things."""

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from itertools import combinations, product

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

pytestmark = pytest.mark.slow

SHEETS = {
    f"{width}-{style}": Sheet.of(width, style)
    for width, style in product(WIDTHS, ("screen", "paper"))
}
# So many classifiers are refused at a column's width: see below.
NO_COLUMN = ("pairs-65",)
every_picture = pytest.mark.parametrize("name", PICTURES)
# Names and ropes of every length go round the sheets: each picture has every one of both.
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
        for name in PICTURES
        for sheet, case in zip(SHEETS, cases, strict=True)
        if not (name in NO_COLUMN and sheet.startswith("column"))
    ],
)  # fmt: skip
def test_a_sheet_holds_its_promises(
    name: str, sheet: str, names: Sequence[str], rope: Rope
) -> None:
    """As wide as asked for; nothing is cut, lies on something else or is too small to read."""
    figure, asked = draw(name, names, rope, SHEETS[sheet]), SHEETS[sheet]
    layout = layout_of(figure)
    assert figure.get_figwidth() == pytest.approx(asked.width, abs=1e-12)
    assert not layout.overlapping
    assert not layout.outside
    assert layout.drawn.x0 >= 0
    assert layout.drawn.y0 >= 0
    assert layout.drawn.x1 <= layout.page.x1
    assert layout.drawn.y1 <= layout.page.y1
    assert not any(axes.overlaps(text) for axes in layout.axes for text in layout.headings)
    assert not any(one.overlaps(other) for one, other in combinations(layout.axes, 2))
    sizes = {float(text.get_fontsize()) for text, _ in layout.texts}
    assert min(sizes) >= (LEAST_TEXT if name.startswith("pairs") else SMALLEST_TEXT)
    is_titled = any(text.get_fontsize() == asked.large for text in figure.texts)
    assert is_titled == asked.titled


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
