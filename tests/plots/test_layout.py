"""Every picture on every sheet: as wide as promised, nothing cut, nothing on other things.

And a thousand odd names through every picture: each is written in full, and on the page.
"""

from collections.abc import Sequence
from functools import partial
from itertools import cycle, product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bcompare.basis.errors import InputError
from bcompare.basis.printable import printable
from bcompare.data.rope import Rope
from bcompare.plots.figure import drawing
from bcompare.plots.fills import at_tick, in_interval
from bcompare.plots.page import Page
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
    text_width,
)
from bcompare.show import draw as draw_result
from tests.plots.layout import check_geometry, check_uncut, squeezed, words_of
from tests.plots.pictures import LONG, ROPES, SHORT, THIRTY, draw, on_datasets, ranked
from tests.plots.pictures import PICTURES as EXAMPLES
from tests.test_formats import NAMES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sheet", "names", "rope"),
    [
        pytest.param(
            name,
            sheet,
            *case,
            id=f"{name}-{sheet}-{'again' if is_long else 'once'}",
            marks=[pytest.mark.long] if is_long else [],
        )
        for is_long, cases in ROUNDS.items()
        for name in EXAMPLES
        for sheet, case in zip(SHEETS, cases, strict=True)
        if not (name in NO_COLUMN and sheet.startswith("column"))
    ],
)
def test_a_sheet_holds_its_promises(
    name: str, sheet: str, names: Sequence[str], rope: Rope
) -> None:
    """As wide as asked for; nothing is cut, lies on something else or is too small to read."""
    figure = draw(name, names, rope, SHEETS[sheet])
    assert figure.get_figwidth() == pytest.approx(SHEETS[sheet].width, abs=1e-12)
    sizes = check_geometry(figure, SHEETS[sheet])
    assert min(sizes) >= (LEAST_TEXT if name.startswith("pairs") else SMALLEST_TEXT)


@pytest.mark.slow
def test_without_a_width_only_a_matrix_is_wider_than_a_page() -> None:
    widths = {name: draw(name).get_figwidth() for name in EXAMPLES}
    assert {name for name, width in widths.items() if width != WIDTHS["page"]} == {"pairs-65"}
    assert widths["pairs-65"] > 2 * WIDTHS["page"]


@pytest.mark.slow
@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
def test_a_matrix_of_too_many_for_its_width_is_refused(sheet: Sheet) -> None:
    most = most_in_matrix(sheet)
    assert 30 <= most < MOST_IN_MATRIX
    check_geometry(draw_result(ranked(LONG, ROPES[0], rows=most), "pairs", sheet), sheet)
    with pytest.raises(InputError, match=f"holds 1 to {most} at this width: ask for a wider one"):
        draw_result(ranked(SHORT, ROPES[0], rows=most + 1), "pairs", sheet)


@pytest.mark.slow
def test_more_rows_than_a_page_holds_are_refused() -> None:
    study = on_datasets(SHORT, ROPES[0], test="ttest", rows=MOST_ROWS + 1)
    for name in ("forest", "posteriors", "densities"):
        with pytest.raises(InputError, match=f"a picture of {MOST_ROWS + 1} rows"):
            draw_result(study, name, Sheet())


@pytest.fixture(autouse=True)
def whole_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are not cut: a picture has room for long ones."""
    monkeypatch.setattr("bcompare.basis.names.LONGEST", 10**6)


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


@pytest.mark.slow
def test_every_picture_is_among_these() -> None:
    assert TWO.keys() == REGISTRY.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", MANY)
def test_pictures_of_many_names_hold_all_of_them(name: str) -> None:
    part = joined(NAMES, min(40, MOST.get(name, 40)))
    figure = figure_of(name, part, Sheet())
    assert not lacking(figure, NAMES)
    check_uncut(figure)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(TWO.keys() - MANY.keys()))
def test_pictures_of_two_names_hold_all_of_them(name: str) -> None:
    sheet = Sheet.of("page", "paper")
    for names in zip(*[iter(joined(NAMES, 4))] * 2, strict=True):
        assert not lacking(draw(TWO[name], names, ROPES[0], sheet), names)


@pytest.mark.slow
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


def test_the_sheet_of_no_name_is_a_page_for_the_screen() -> None:
    assert Sheet.of() == Sheet() == Sheet.of(None, "screen")
    assert Sheet.of("page").at_least(20) == Sheet.of("page")
    assert Sheet().at_least(20).width == 20


@pytest.mark.parametrize("width", [0.3, 1.0, 2.5])
def test_lines_hold_all_that_was_written_and_are_no_wider(width: float) -> None:
    sheet = Sheet()
    with drawing():
        for name in map(printable, NAMES[:300]):
            lines = sheet.lines(name, width)
            assert squeezed(lines) == squeezed(name)
            assert max(text_width(line, sheet.text) for line in lines) <= width


def test_lines_break_between_parts_then_words_then_behind_separators() -> None:
    sheet = Sheet()
    inch = sheet.widest(["left_classifier"]) + 1e-9
    assert sheet.lines(["left_classifier", "and a"], inch) == ["left_classifier", "and a"]
    assert sheet.lines("left_classifier and a", inch) == ["left_classifier", "and a"]
    assert sheet.lines("left_big_classifier", inch) == ["left_big_", "classifier"]
    assert sheet.lines("leftclassifiers", inch / 1.5)[0].startswith("leftcla")
    assert sheet.lines("1 left_big_classifier", inch) == ["1 left_big_", "classifier"]


def test_an_accent_stays_with_its_letter() -> None:
    word = "e\u0301" * 40
    for line in Sheet().lines(word, 0.5):
        assert line.startswith("e")


@pytest.mark.slow
@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
def test_numbers_at_an_axis_keep_apart(sheet: Sheet) -> None:
    rng = np.random.default_rng(1)
    for wide in (0.3, 0.8, 2.5):
        for _ in range(20):
            low = float(rng.normal() * 10 ** rng.uniform(-9, 6))
            high = low + float(10 ** rng.uniform(-6, 6))
            with drawing(sheet.text):
                axes = Page(sheet, (), ()).axes(0.4, wide, 1.0)
                axes.set_xlim(low, high)
                ticks = np.asarray(axes.get_xticks())
            at = (ticks - low) / (high - low) * wide
            words = [at_tick(x, low, high) for x in ticks.tolist()]
            half = np.array([text_width(word, sheet.text) / 2 for word in words])
            assert len({*words}) == len(words)
            assert [text.get_text() for text in axes.get_xticklabels()] == words
            assert (at[1:] - half[1:] > at[:-1] + half[:-1]).all()
            assert ((ticks >= low) & (ticks <= high)).all()
            assert len(ticks) <= 9


def test_a_number_that_would_stand_out_is_left_out_and_not_all_the_others() -> None:
    with drawing():
        axes = Page(Sheet(), (), ()).axes(0.4, 0.8, 1.0)
        axes.set_xlim(0.0, 0.001)
        assert np.asarray(axes.get_xticks()).tolist() == pytest.approx([0.0, 0.0005])


def test_numbers_have_the_digits_that_tell_them_apart() -> None:
    low, high = 1234567.05, 1234567.35
    assert at_tick(1234567.1, low, high) == "1234567.1"
    assert in_interval(low, low, high) == "1234567.05"
    assert in_interval(0.49999961, 0.49999961, 0.5000003) == "0.49999961"
    assert in_interval(0.5000003, 0.49999961, 0.5000003) == "0.5000003"
    assert in_interval(-0.015, -0.015, 0.025) == "−0.0150"
    assert in_interval(0.5, 0.5, 0.5) == "0.500"
    assert in_interval(-1.234e-12, -2e-12, 1e-12) == "−1.234e−12"
    assert at_tick(-0.025, -0.1, 0.1) == "−0.025"
    assert at_tick(1e300, 0.0, 1.5e300) == "1e+300"
