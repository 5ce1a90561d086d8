"""The HTML report in a real browser; skipped where there is none."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command import run
from tests.results import small_csv

playwright = pytest.importorskip("playwright.sync_api", reason="needs pip install playwright")
axe = pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="needs pip install axe-playwright-python"
)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.long,
    pytest.mark.usefixtures("one_population"),
    pytest.mark.skipif(CHROMIUM is None, reason="needs a browser: apt-get install chromium"),
]
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 800}


def address_of(folder: Path, names: dict[str, float], *sets: str, runs: int = 2) -> str:
    """Write a report; return where the browser finds it."""
    small_csv(folder / "results.csv", names, sets, runs=runs)
    assert run("report", "-q", "--rope", "0.01", folder=folder).code == 0
    return (folder / "report.html").as_uri()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    names = {"tree": 0.0, "forest": 0.03, "bayes": -0.02, "a_name_that_is_rather_long_indeed": 0.01}
    return address_of(tmp_path_factory.mktemp("page"), names, *(f"set-{i}" for i in range(12)))


def opened(browser: Any, address: str, size: Any = DESK, scheme: str = "light") -> Any:
    """A page that notes what it says and asks for."""
    page = browser.new_context(viewport=size, color_scheme=scheme).new_page()
    page.heard = []
    page.on("console", lambda message: page.heard.append(message.text))
    page.on("pageerror", lambda error: page.heard.append(str(error)))
    local = ("file:", "data:", "blob:", "about:", "http://127.0.0.1:")
    page.on("request", lambda r: r.url.startswith(local) or page.heard.append(r.url))
    page.goto(address)
    return page


@pytest.fixture
def page(request: pytest.FixtureRequest, browser: Any, address: str) -> Iterator[Any]:
    result = opened(browser, address, scheme=getattr(request, "param", "light"))
    yield result
    assert result.heard == []
    result.context.close()


def test_the_verdict_is_seen_without_scrolling(page: Any) -> None:
    box = page.locator(".lead").bounding_box()
    assert box["y"] + box["height"] < DESK["height"]
    assert "forest is the best" in page.locator(".lead").inner_text()


def test_tables_sort_by_number_and_by_word(page: Any) -> None:
    table = page.locator("table.sortable", has_text="How far behind").first

    def column(at: int) -> list[str]:
        return [row.locator("td").nth(at).inner_text() for row in table.locator("tbody tr").all()]

    score = table.get_by_role("button", name="mean score")
    score.click()
    result = [float(value) for value in column(2)]
    assert result == sorted(result)
    score.press("Enter")  # by the keyboard, too
    assert [float(value) for value in column(2)] == sorted(result, reverse=True)
    assert table.locator("th[aria-sort=descending]").count() == 1
    table.get_by_role("button", name="classifier").click()
    assert column(1) == sorted(column(1))


def test_filters_leave_what_was_chosen(page: Any) -> None:
    page.locator("[data-filter=classifier]").select_option("bayes")
    shown = page.locator("details[data-pair]:visible").all()
    assert len(shown) == 3
    for section in shown:
        assert "bayes" in json.loads(section.get_attribute("data-pair") or "[]")
    page.locator("details[data-pair]:visible summary").first.click()
    page.locator("[data-filter=dataset]").fill("set-1")
    rows = page.locator("details[open] tr[data-dataset]:visible").all()
    assert {row.get_attribute("data-dataset") for row in rows} == {"set-1", "set-10", "set-11"}


@pytest.mark.parametrize("page", ["light", "dark"], indirect=True)
def test_axe_finds_no_violation(page: Any) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    result = axe.Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"][:120]) for v in result] == []


def test_a_phone_needs_no_sideways_scrolling(page: Any) -> None:
    page.set_viewport_size(PHONE)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]


# Of every picture that is seen: the size of its smallest text, in pixels, and the colours of
# each text and of what lies behind it.
SEEN = """() => [...document.querySelectorAll('figure')].map(figure => {
  const [picture, ...others] = [...figure.querySelectorAll('svg')].filter(s => s.clientWidth)
  const texts = [...picture.querySelectorAll('text')]
  const scale = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width
  const fill = element => getComputedStyle(element).fill.match(/[0-9]+/g).map(Number)
  return {
    others: others.length,
    size: scale * Math.min(...texts.map(text => parseFloat(getComputedStyle(text).fontSize))),
    colors: texts.map(text => [
      fill(text), fill(text.parentElement.querySelector('path') ?? picture.querySelector('path')),
    ]),
  }
})"""


def luminance(color: list[int]) -> float:
    """Of WCAG 2."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (part / 255 for part in color)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def check_legible(picture: Any, *, on_screen: bool) -> list[float]:
    """Check sizes and contrasts of a picture's texts; return how light it is behind each."""
    assert picture["others"] == 0
    assert picture["size"] >= 9 or not on_screen
    light = [[luminance(color) for color in colors] for colors in picture["colors"]]
    assert all((max(pair) + 0.05) / (min(pair) + 0.05) >= 4.5 for pair in light)
    return [behind for _, behind in light]


@pytest.mark.parametrize("medium", ["screen", "print"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("page", ["light", "dark"], indirect=True)
def test_the_text_of_every_picture_is_legible(
    page: Any, size: Any, medium: str, request: pytest.FixtureRequest
) -> None:
    page.set_viewport_size(size)
    page.emulate_media(media=medium)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    pictures = page.evaluate(SEEN)
    assert len(pictures) == 3 + 6
    is_dark = medium == "screen" and request.node.callspec.params["page"] == "dark"
    for picture in pictures:
        behind = check_legible(picture, on_screen=medium == "screen")
        assert sum(light < 0.02 if is_dark else light == 1 for light in behind) > 5


def test_on_paper_everything_is_open(page: Any) -> None:
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0


# Where numbers stand that are not seen without scrolling, and that take several lines.
NUMBERS = """() => [...document.querySelectorAll('td.number')].filter(cell => {
  const text = document.createRange()
  text.selectNodeContents(cell)
  const box = text.getBoundingClientRect()
  return box.right > innerWidth || box.height > 30
}).map(cell => cell.closest('table').caption.innerText + ': ' + cell.innerText)"""


def test_names_of_200_letters_leave_the_numbers_in_sight(browser: Any, tmp_path: Path) -> None:
    names = {"tree": 0.0, "L" * 200: 0.03, "a_" * 100: -0.02}
    sets = ("D" * 200, *(f"set-{i}" for i in range(11)))
    page = opened(browser, address_of(tmp_path, names, *sets))
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.locator("td.number").count() > 100
    assert page.evaluate(NUMBERS) == []
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    page.close()


@pytest.fixture(scope="module")
def address_of_a_leaderboard(tmp_path_factory: pytest.TempPathFactory) -> str:
    names, sets = {f"model-{k}": 0.005 * k for k in range(40)}, [f"set-{i}" for i in range(20)]
    return address_of(tmp_path_factory.mktemp("leaderboard"), names, *sets, runs=1)


@pytest.mark.parametrize(
    ("size", "scheme"), [(DESK, "light"), (PHONE, "dark")], ids=["desk", "phone"]
)
def test_a_leaderboard_is_legible_and_its_json_is_downloaded(
    browser: Any, address_of_a_leaderboard: str, size: Any, scheme: str, tmp_path: Path
) -> None:
    page = opened(browser, address_of_a_leaderboard, size, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    pictures = page.evaluate(SEEN)
    assert len(pictures) == 3
    for picture in pictures:
        check_legible(picture, on_screen=True)
    assert [v["id"] for v in axe.Axe().run(page).response["violations"]] == []
    with page.expect_download() as download:
        page.locator("a[download]").click()
    download.value.save_as(tmp_path / "rank.json")
    record = json.loads((tmp_path / "rank.json").read_text("utf-8"))
    assert (len(record["family"]["best"]), page.heard) == (40, [])
    page.close()
