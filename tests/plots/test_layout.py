"""Every picture on every sheet: as wide as promised, nothing cut, nothing on other things."""

from collections.abc import Sequence
from itertools import product

import pytest

from bcompare.basis.errors import InputError
from bcompare.data.rope import Rope
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
from tests.plots.layout import check_geometry
from tests.plots.pictures import LONG, PICTURES, ROPES, SHORT, THIRTY, draw, on_datasets, ranked

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
        for name in PICTURES
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
    widths = {name: draw(name).get_figwidth() for name in PICTURES}
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
