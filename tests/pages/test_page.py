"""The HTML report: everything is in it, nothing is fetched, names are data."""

import base64
import json
import re
from dataclasses import replace
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

from bcompare.comparing.compare import compare
from bcompare.pages.page import render_page
from bcompare.reading.read import read_scores
from tests.cli.test_screens import SCREENS
from tests.command import run
from tests.golden import golden
from tests.html import Page
from tests.results import small_csv, write_lines

pytestmark = pytest.mark.usefixtures("one_population")

GOLDEN = Path(__file__).parent / "report.txt"
SETS = tuple(f"set-{i}" for i in range(4))
NAMES = {"tree": 0.0, "forest": 0.03, "bayes": -0.02}


@pytest.fixture(scope="module")
def page(one_population: None, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("page")
    small_csv(folder / "results.csv", NAMES, SETS)
    result = run("report", "-o", "out.html", folder=folder)
    assert result.code == 0
    assert "out.html written" in result.err
    return (folder / "out.html").read_text("utf-8")


def without_numbers(text: str) -> str:
    """In one line, each number as #."""
    return re.sub(r"[+-]?\d[\d.]*(?<!\.)", "#", " ".join(text.split()))


def test_the_words_of_the_page_are_those_of_the_golden_file(page: str) -> None:
    """What no screen and no topic says.

    To accept a change, look at it, run with BCOMPARE_UPDATE_GOLDEN=1, and read the diff.
    """
    whole = re.sub(r'<span style="white-space: nowrap">(.*?)</span>', r"\1", page)
    without = re.sub(
        r"<(svg|style|script)\b.*?</\1>|<p>Made with .*?</p>", "", whole, flags=re.DOTALL
    )
    own = without.partition("How to read this")[0]
    texts = (unescape(text) for text in re.split(r"<[^>]+>", own))
    *lines, screens = map(without_numbers, [*texts, SCREENS.read_text("utf-8")])
    words = dict.fromkeys(line for line in lines if line not in screens)
    result = "\n".join(words) + "\n"
    assert result == golden(GOLDEN, result)


def test_nothing_is_fetched_and_no_id_is_used_twice(page: str) -> None:
    result = Page(page)
    assert all(target.startswith(("#", "data:")) for target in result.links + result.loaded)
    assert len(result.ids) == len(set(result.ids))
    assert "http://" not in re.sub(r"xmlns(:\w+)?=\"[^\"]+\"|<!DOCTYPE.*?>", "", page)


def test_pictures_are_drawn_and_their_text_is_text(page: str) -> None:
    result = Page(page)
    assert result.tags.count("svg") == 2 * (
        3 + 3
    )  # the others against the leader, the places, all pairs, and each pair
    assert result.tags.count("text") > 20
    for reference in re.findall(r"url\(#([^)]+)\)|href=\"#([^\"]+)\"", page):
        assert "".join(reference) in result.ids


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "a & b",
        '"><img src=x onerror=alert(1)>',
        "{{ 7*7 }}",
        "x" * 80,
        "naïve ☃ 朴素",
    ],
)
def test_names_are_data_and_never_markup(tmp_path: Path, name: str) -> None:
    small_csv(tmp_path / "results.csv", {"tree": 0.0, "forest": 0.03}, ("one", "two", "three"))
    scores = read_scores(str(tmp_path / "results.csv"))
    odd = replace(
        scores,
        classifiers=(name, "forest"),
        datasets=tuple(replace(d, name=f"{name}-{i}") for i, d in enumerate(scores.datasets)),
    )
    text = render_page(compare(odd, "sign"), None, command=f"bcompare report '{name}'")
    tags = Page(text).tags
    assert "img" not in tags
    assert tags.count("script") == 1
    assert name in Page(text).text


def test_the_same_input_gives_the_same_page(tmp_path: Path) -> None:
    small_csv(tmp_path / "results.csv", NAMES, SETS)
    pages = []
    for _ in range(2):
        assert run("report", "--test", "sign", "-q", folder=tmp_path).code == 0
        pages.append((tmp_path / "report.html").read_bytes())
    assert pages[0] == pages[1]


def test_one_data_set_and_a_table_of_means_have_a_page(tmp_path: Path) -> None:
    small_csv(tmp_path / "results.csv", NAMES, ("only",))
    assert run("report", "-q", folder=tmp_path).code == 0
    text = Page((tmp_path / "report.html").read_text("utf-8")).text
    assert "on only" in text
    rows = [f"d{i},{0.7 + i / 100},{0.72 + i / 100},{0.6 + i / 50}" for i in range(6)]
    write_lines(tmp_path / "means.csv", "data,a,b,c", *rows)
    result = run("report", "means.csv", "--preset", "means", "-q", folder=tmp_path)
    assert result.code == 0
    text = Page((tmp_path / "report.html").read_text("utf-8")).text
    assert "Bayesian signed-rank test" in text


def leaderboard(folder: Path, classifiers: int, sets: int) -> str:
    names = {f"model-{k}": 0.2 * k / classifiers for k in range(classifiers)}
    small_csv(folder / "results.csv", names, tuple(f"set-{i}" for i in range(sets)), runs=1)
    result = run("report", "-q", "--rope", "0.01", folder=folder)
    assert result.code == 0, result.err
    return (folder / "report.html").read_text("utf-8")


def test_many_classifiers_are_a_leaderboard_with_its_json_behind_a_link(tmp_path: Path) -> None:
    text = leaderboard(tmp_path, 8, 20)
    result = Page(text)
    (link,) = (target for target in result.links if target.startswith("data:application/json"))
    record = json.loads(base64.b64decode(link.partition(",")[2]))
    whole = json.loads(run("rank", "--rope", "0.01", "--format", "json", folder=tmp_path).out)
    assert record["settings"] == whole["settings"]
    names = [row["classifier"] for row in whole["family"]["best"]]
    for own, row in zip(record["family"]["best"], whole["family"]["best"], strict=True):
        assert own["place_interval_joint"] == row["place_interval_joint"]
        assert own["tier"] == row["tier"]
        assert own["regret"] == pytest.approx(row["regret"], rel=1e-5)
    pairs = [{pair["left"], pair["right"]} for pair in record["comparisons"]]
    assert pairs == [set(pair) for pair in pairwise(names)]
    assert "the mean of its folds on each data set, averaged over 20" in result.text
    assert (
        result.tags.count("svg") == 2 * 2 + 1
    )  # the others against the leader, and the places, in both widths, and the matrix
    pair = run(
        "report",
        "-q",
        "--left",
        "model-0",
        "--right",
        "model-1",
        "-o",
        "pair.html",
        folder=tmp_path,
    )
    assert pair.code == 0
    assert "application/json" not in (tmp_path / "pair.html").read_text("utf-8")


@pytest.mark.long
def test_a_leaderboard_of_60_is_small_and_has_its_pairs_as_a_table(tmp_path: Path) -> None:
    text = leaderboard(tmp_path, 60, 40)
    assert len(text.encode()) < 400_000
    result = Page(text)
    assert result.tags.count("svg") == 2
    assert "columns are numbered by place" in result.text
    assert result.tags.count("td") > 60 * 60


def test_no_line_breaks_inside_an_option(page: str) -> None:
    text = re.sub(
        r"<(svg|style|script|pre|code)\b.*?</\1>|<details.*?</details>", "", page, flags=re.DOTALL
    )
    options = re.findall(r"(.{9})--[a-z]", text)
    assert all(before.endswith('nowrap">') for before in options)
