"""`make site`: every link leads somewhere, and it works in a real browser without a network."""

import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

import bcompare
from bcompare.cli.main import COMMANDS
from bcompare.explain import topics
from bcompare.plots import PICTURES
from tests.command import git
from tests.html import Page
from tests.pages.test_browser import CHROMIUM, DESK, PHONE, axe, opened

pytestmark = pytest.mark.long
PROJECT = Path(__file__).parents[2]
BUILD = Path(".lab", "site", "build.py")
IN_BROWSER = pytest.mark.skipif(
    CHROMIUM is None, reason="needs a browser: apt-get install chromium"
)
SOME_PAGES = [
    "index.html",
    "topics/tests.html",
    "topics/python.html",
    "api.html",
    "gallery.html",
    "development.html",
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, str(BUILD), str(folder)]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    return folder


def leads(site: Path, page: Path, link: str, anchors: dict[Path, set[str]]) -> bool:
    path, _, anchor = unquote(link).partition("#")
    target = (page.parent / path).resolve() if path else page
    return target.is_relative_to(site) and target.is_file() and anchor in anchors[target] | {""}


def test_every_link_and_anchor_leads_somewhere(site: Path) -> None:
    pages = {path: Page(path.read_text("utf-8")) for path in site.rglob("*.html")}
    anchors = {path: {*pages[path].ids} if path in pages else set() for path in site.rglob("*")}
    links = [(path, link) for path, page in pages.items() for link in page.links + page.loaded]
    links += [(site / "x", link) for link in re.findall(r"\]\((.*?)\)", llms(site))]
    # the page for what is not found knows the site's root only
    inside = [(p, s) for p, s in links if not s.startswith("https:") and p.name != "404.html"]
    assert len(inside) > 2000
    assert [(p.name, s) for p, s in inside if not leads(site, p, s, anchors)] == []
    assert [s for page in pages.values() for s in page.loaded if s.startswith("http")] == []


def llms(site: Path) -> str:
    return (site / "llms.txt").read_text("utf-8")


def test_nothing_is_left_out(site: Path) -> None:
    assert {path.stem for path in (site / "topics").glob("*.html")} == topics().keys()
    assert {path.stem for path in (site / "commands").glob("*.html")} == set(COMMANDS)
    assert {path.stem for path in (site / "pictures").glob("*.svg")} == PICTURES.keys()
    lines = re.findall(r"^- \[(.+)\]\(topics/([\w-]+)\.md\): .{20,}$", llms(site), re.MULTILINE)
    assert {name: title for title, name in lines} == topics()
    api = Page((site / "api.html").read_text("utf-8"))
    assert {name.lower() for name in dir(bcompare) if name != "__version__"} <= {*api.ids}
    headings = re.findall(r"^## (.*)$", (PROJECT / "README.md").read_text("utf-8"), re.MULTILINE)
    pages = "".join(
        (site / f"{p}.html").read_text("utf-8") for p in ("index", "guide", "development")
    )
    assert [h for h in headings if pages.count(f">{h}<a") != 1] == []


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(params=["file", "http"])
def address(request: pytest.FixtureRequest, site: Path) -> Iterator[str]:
    if request.param == "file":
        yield site.as_uri()
        return
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(site))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@IN_BROWSER
def test_the_keyboard_searches_without_a_network(browser: Any, address: str) -> None:
    page = opened(browser, f"{address}/index.html")
    page.keyboard.press("f")
    page.keyboard.type("regret")
    page.locator(".md-search-result__link").first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/*.html?*")
    assert "regret" in page.locator("article").inner_text().lower()
    assert page.heard == []


@IN_BROWSER
def test_the_keyboard_reaches_every_section(browser: Any, site: Path) -> None:
    page = opened(browser, (site / "index.html").as_uri())
    reached: list[str] = []
    while "Development" not in reached and len(reached) < 20:
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.innerText.trim()"))
    sections = [name for name in reached if name in page.locator(".md-tabs").inner_text().split()]
    assert sections[:5] == ["Home", "Guide", "Topics", "Commands", "Gallery"]
    assert sections[5:] == ["Scoreboard", "Studies", "Python", "Development"]
    page.keyboard.press("Enter")
    page.wait_for_url("**/development.html")
    assert page.heard == []


@IN_BROWSER
@pytest.mark.parametrize(
    ("size", "scheme"), [(DESK, "light"), (PHONE, "dark")], ids=["desk-light", "phone-dark"]
)
def test_pages_are_accessible_and_fit(browser: Any, site: Path, size: Any, scheme: str) -> None:
    for name in [*SOME_PAGES, "commands/gate.html"]:
        page = opened(browser, (site / name).as_uri(), size, scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
        assert page.heard == [], name
        result = axe.Axe().run(page).response["violations"]
        assert [(v["id"], v["nodes"][0]["html"][:120]) for v in result] == [], name
        page.close()


@IN_BROWSER
def test_the_home_page_says_soon_whether_it_is_for_you(browser: Any, site: Path) -> None:
    page = opened(browser, (site / "index.html").as_uri())
    for text, screens in (
        ("practically better than another", 1),
        ("bcompare ttest sample_data", 2.5),
    ):
        box = page.locator("article").get_by_text(text).first.bounding_box()
        assert box["y"] < screens * DESK["height"], text


def test_what_a_tag_offered_is_missed(tmp_path: Path) -> None:
    def compared() -> tuple[int, str]:
        command = [sys.executable, str(BUILD), "api"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    for name in ("bcompare", ".lab/site"):
        shutil.copytree(PROJECT / name, tmp_path / name)
    git(tmp_path, "init", "-q")
    assert compared() == (0, "no tag yet: there is no public API to keep\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "x")
    git(tmp_path, "tag", "v1")
    assert compared() == (0, "nothing that v1 offers is gone or asks for more\n")
    start = tmp_path / "bcompare" / "__init__.pyi"
    lines = start.read_text("utf-8").splitlines(keepends=True)
    start.write_text("".join(x for x in lines if "Rope" not in x), "utf-8")
    family = tmp_path / "bcompare" / "ranking" / "family.py"
    text = family.read_text("utf-8")
    assert "prefer: str | None = None" in text
    family.write_text(text.replace("prefer: str | None = None", "prefer: str | None"), "utf-8")
    code, words = compared()
    assert code == 1
    assert words.splitlines() == [
        "- `Rope`: *Public object was removed*",
        "- `rank(prefer)`: *Parameter is now required*",
    ]
