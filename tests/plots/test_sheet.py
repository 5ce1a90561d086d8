"""The sheet: where lines break, and which numbers stand at an axis."""

import numpy as np
import pytest

from bcompare.basis.errors import InputError
from bcompare.basis.printable import printable
from bcompare.plots.figure import drawing
from bcompare.plots.numbers import at_tick, in_interval
from bcompare.plots.page import Page
from bcompare.plots.sheet import STYLES, WIDTHS, Sheet, text_width
from tests.plots.layout import squeezed
from tests.test_odd_names import NAMES

SHEETS = [Sheet.of(width, style) for width in WIDTHS for style in STYLES]


def test_the_sheet_of_no_name_is_a_page_for_the_screen() -> None:
    assert Sheet.of() == Sheet() == Sheet.of(None, "screen")
    assert Sheet.of("page").at_least(20) == Sheet.of("page")
    assert Sheet().at_least(20).width == 20
    with pytest.raises(InputError, match="no width 'wide'; there are column, page"):
        Sheet.of("wide")


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
@pytest.mark.parametrize("sheet", SHEETS)
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
