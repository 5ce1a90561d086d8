"""Every picture on every sheet: as wide as promised, nothing cut, nothing on other things.

And a thousand odd names through every picture: each is written in full, and on the page.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bcompare.basis.messages import InputError, printable
from bcompare.data.rope import Rope
from bcompare.plots import MOST_LINES
from bcompare.plots import PICTURES as REGISTRY
from bcompare.plots.figure import drawing
from bcompare.plots.fills import at_tick, in_interval
from bcompare.plots.page import Page
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
from tests.plots.pictures import LONG, ROPES, SCREEN, SHORT, THIRTY, draw, on_datasets, ranked
from tests.plots.pictures import PICTURES as EXAMPLES
from tests.test_formats import NAMES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = tuple(Sheet.of("column", style) for style in ("screen", "paper"))
# Each picture is drawn once: in a column with long names, or with no width.
HOW: list[tuple[Sheet, Sequence[str], Rope]] = [
    (COLUMNS[0], LONG, ROPES[1]),
    (SCREEN, THIRTY, ROPES[0]),
    (COLUMNS[1], LONG, ROPES[1]),
    (SCREEN, THIRTY, ROPES[2]),
]
# A column holds fewer classifiers in a matrix: see below.
CASES = [
    (name, *(HOW[1] if name == "pairs-65" else how))
    for name, how in zip(EXAMPLES, cycle(HOW), strict=False)
]


@pytest.mark.parametrize(("name", "sheet", "names", "rope"), CASES)
def test_a_sheet_holds_its_promises(
    name: str, sheet: Sheet, names: Sequence[str], rope: Rope
) -> None:
    """As wide as asked for; nothing is cut, lies on something else or is too small to read."""
    figure = draw(name, names, rope, sheet)
    width = figure.get_figwidth()
    if name == "pairs-65":  # without a width only a matrix is wider than a page
        assert width > 2 * WIDTHS["page"]
    else:
        assert width == pytest.approx(sheet.width, abs=1e-12)
    sizes = check_geometry(figure, sheet)
    assert min(sizes) >= (LEAST_TEXT if name.startswith("pairs") else SMALLEST_TEXT)


def test_a_matrix_of_too_many_for_its_width_is_refused() -> None:
    sheet, wider = COLUMNS[0], [COLUMNS[1], Sheet.of("page"), Sheet.of("page", "paper")]
    most, others = most_in_matrix(sheet), [most_in_matrix(other) for other in wider]
    assert 30 <= most <= min(others)
    assert max(others) < MOST_IN_MATRIX
    with pytest.raises(InputError):
        draw_result(ranked(SHORT, ROPES[0], rows=most + 1), "pairs", sheet)


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
# How lines hold names is tested below on all of them; a picture has some of each kind.
SHARE = 30
DEALT = [NAMES[SHARE * k : SHARE * (k + 1)] for k in range(len(TWO))]


def test_every_picture_is_among_these() -> None:
    assert TWO.keys() == REGISTRY.keys()


def lacking(figure: "Figure", names: Sequence[str]) -> list[str]:
    """The names that are not written in full, in a file that is well-formed."""
    words = squeezed(words_of(figure))
    return [name for name in map(printable, names) if squeezed(name) not in words]


@pytest.mark.parametrize(("name", "names"), [*zip(MANY, DEALT, strict=False)])
def test_pictures_of_many_names_hold_all_of_them(name: str, names: list[str]) -> None:
    own = names[:MOST_LINES] if name == "folds" else names
    rows = len(own) // 2 if name in ("boxplot", "regions") else len(own)
    result = MANY[name](tuple(own), ROPES[0], rows=rows)
    figure = draw_result(result, name, Sheet.of("column", "paper"))
    assert not lacking(figure, own)
    check_uncut(figure)


@pytest.mark.parametrize(
    ("name", "names"), [*zip(sorted(TWO.keys() - MANY.keys()), DEALT, strict=False)]
)
def test_pictures_of_two_names_hold_both_however_long(name: str, names: list[str]) -> None:
    half = SHARE // 2
    pair = (" ".join(names[:half]), " ".join(names[half:]))
    assert not lacking(draw(TWO[name], pair, ROPES[0], Sheet.of("page")), names)


def test_the_sheet_of_no_name_is_a_page_for_the_screen() -> None:
    assert Sheet.of() == Sheet() == Sheet.of(None, "screen")
    assert Sheet.of("page").at_least(20) == Sheet.of("page")
    assert Sheet().at_least(20).width == 20


@pytest.mark.parametrize("width", [0.3, 1.0, 2.5])
def test_lines_hold_all_that_was_written_and_are_no_wider(width: float) -> None:
    sheet = Sheet()
    with drawing():
        for name in map(printable, NAMES):
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


@pytest.mark.parametrize("sheet", COLUMNS, ids=["screen", "paper"])
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


LOW, HIGH = 1234567.05, 1234567.35


@pytest.mark.parametrize(
    ("written", "write", "number", "low", "high"),
    [
        ("1234567.1", at_tick, 1234567.1, LOW, HIGH),
        ("−0.025", at_tick, -0.025, -0.1, 0.1),
        ("1e+300", at_tick, 1e300, 0.0, 1.5e300),
        ("1234567.05", in_interval, LOW, LOW, HIGH),
        ("0.49999961", in_interval, 0.49999961, 0.49999961, 0.5000003),
        ("0.5000003", in_interval, 0.5000003, 0.49999961, 0.5000003),
        ("−0.0150", in_interval, -0.015, -0.015, 0.025),
        ("0.500", in_interval, 0.5, 0.5, 0.5),
        ("−1.234e−12", in_interval, -1.234e-12, -2e-12, 1e-12),
    ],
)
def test_numbers_have_the_digits_that_tell_them_apart(
    written: str, write: Callable[..., str], number: float, low: float, high: float
) -> None:
    assert write(number, low, high) == written
